//! Copies: what the last unit that has something to say hands to all units behind it, found for all lanes at once.

use super::pipeline::Pipeline;
use super::scan::{Kept, scan};
use crate::netlist::{Builder, Signal};

/// For each lane: some unit of the beat up to its own says something, and what the last of these says.
#[derive(Clone)]
pub(super) struct Copies<'m> {
    pub(super) some: Vec<Signal<'m>>,
    pub(super) values: Vec<Signal<'m>>,
}

/// The copies of what units say, [`stages`](super::scan::stages) later than `at`. A lane without a unit says nothing.
pub(super) fn copies<'m>(
    m: &'m Builder,
    name: &str,
    said: Copies<'m>,
    at: u32,
    pipeline: &Pipeline<'m>,
) -> Copies<'m> {
    combined(m, name, said, at, pipeline, &|_, value, _| value)
}

/// The same, where a unit that says nothing of its own still changes what is handed on: `join` makes the value behind some units
/// from that behind the ones before them, and their own. It is told a name for what it makes.
pub(super) fn combined<'m>(
    m: &'m Builder,
    name: &str,
    said: Copies<'m>,
    at: u32,
    pipeline: &Pipeline<'m>,
    join: &dyn Fn(&str, Signal<'m>, Signal<'m>) -> Signal<'m>,
) -> Copies<'m> {
    let units = said.some.into_iter().zip(said.values).collect();
    let joined =
        |lane: usize, level: u32, before: (Signal<'m>, Signal<'m>), own: (Signal<'m>, Signal<'m>)| {
            let value = join(&format!("{name}_{lane}_{level}"), before.1, own.1);
            (own.0 | before.0, own.0.mux(own.1, value))
        };
    let keep = |lane: usize, kept: Kept, (some, value): (Signal<'m>, Signal<'m>)| match kept {
        Kept::Registered(to) => (
            pipeline.stage_at(lane).at(to).data(&format!("{name}_some_{lane}_{to}_reg"), some),
            pipeline.stage_at(lane).at(to).data(&format!("{name}_{lane}_{to}_reg"), value),
        ),
        Kept::Named(level) => (
            some.named(&format!("{name}_some_{lane}_{level}")),
            value.named(&format!("{name}_{lane}_{level}_now")),
        ),
    };
    let (some, values) = scan(m, name, units, at, joined, keep).into_iter().unzip();
    Copies { some, values }
}
