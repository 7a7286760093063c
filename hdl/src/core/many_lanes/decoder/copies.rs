//! Copies: what the last unit that has something to say hands to all units behind it, found for all lanes at once.

use super::lookahead::stages;
use super::pipeline::Pipeline;
use super::plan::levels;
use crate::netlist::{Builder, Signal};

/// Levels of logic in a stage.
const LEVELS_A_STAGE: u32 = 2;

/// For each lane: some unit of the beat up to its own says something, and what the last of these says.
#[derive(Clone)]
pub(super) struct Copies<'m> {
    pub(super) some: Vec<Signal<'m>>,
    pub(super) values: Vec<Signal<'m>>,
}

/// The copies of what units say, [`stages`] later than `at`. A lane without a unit says nothing.
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
    let Copies { mut some, mut values } = said;
    let lanes = some.len();
    for level in 0..levels(lanes) {
        if level % LEVELS_A_STAGE == 0 {
            m.section(format!("Stage {}: {name}, over {} units", at + level / LEVELS_A_STAGE, 2 << level));
        }
        let step = 1usize << level;
        let is_registered = level % LEVELS_A_STAGE == LEVELS_A_STAGE - 1 || level + 1 == levels(lanes);
        let to = at + level / LEVELS_A_STAGE + 1;
        (some, values) = (0..lanes)
            .map(|lane| {
                let (is, value) = match lane & step {
                    0 => (some[lane], values[lane]),
                    _ => {
                        let below = (lane & !(step - 1)) - 1;
                        let full = format!("{name}_{lane}_{level}");
                        let joined = join(&full, values[below], values[lane]);
                        (some[lane] | some[below], some[lane].mux(values[lane], joined))
                    }
                };
                let stage = pipeline.stage_at(lane);
                match is_registered {
                    true => (
                        stage.data(&format!("{name}_some_{lane}_{to}_reg"), is),
                        stage.data(&format!("{name}_{lane}_{to}_reg"), value),
                    ),
                    false if lane & step == 0 => (is, value),
                    false => (
                        is.named(&format!("{name}_some_{lane}_{level}")),
                        value.named(&format!("{name}_{lane}_{level}_now")),
                    ),
                }
            })
            .unzip();
    }
    debug_assert_eq!(stages(lanes), levels(lanes).div_ceil(LEVELS_A_STAGE));
    Copies { some, values }
}
