//! A bit that runs through the units of a frame, like the carry of an adder: a unit sets it, hands it on, or clears it. Which does
//! what is known of all units of a beat at once, so the bit is found in a few levels of logic, and the loop over beats is one
//! gate.

use super::pipeline::{Pipeline, delay, delay_flag};
use super::scan::{Kept, scan, stages};
use crate::netlist::{Builder, Signal};

/// What the units of a beat do to the bit.
pub(super) struct Carries<'m> {
    /// For each lane: its unit sets the bit.
    pub(super) sets: Vec<Signal<'m>>,
    /// For each lane: its unit hands the bit on. A lane without a unit must do so, too.
    pub(super) hands_on: Vec<Signal<'m>>,
    /// A unit that does both inverts the bit. Else it sets it.
    pub(super) invert: bool,
    /// There is a beat, and it ends its frame, behind which the bit is clear.
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
}

/// The bit, as it stands before the beat, and behind each of its units.
pub(super) struct Carried<'m> {
    pub(super) before: Signal<'m>,
    pub(super) behind: Vec<Signal<'m>>,
}

/// The bit, [`stages`] later than `at`.
pub(super) fn look_ahead<'m>(
    m: &'m Builder,
    name: &str,
    carries: Carries<'m>,
    at: u32,
    pipeline: &Pipeline<'m>,
) -> Carried<'m> {
    let stage = pipeline.stage();
    let lanes = carries.sets.len();
    // The bit behind a unit, or behind some: what they set, and what they hand on of the bit before them.
    let behind = |sets: Signal<'m>, hands_on: Signal<'m>, before: Signal<'m>| match carries.invert {
        true => sets ^ (hands_on & before),
        false => sets | (hands_on & before),
    };
    let named = |what: &str, signals: Vec<Signal<'m>>| -> Vec<Signal<'m>> {
        let name = |(lane, signal): (usize, Signal<'m>)| signal.named(&format!("{name}_{what}_{lane}"));
        signals.into_iter().enumerate().map(name).collect()
    };
    let units = named("set", carries.sets).into_iter().zip(named("on", carries.hands_on)).collect();
    let found = at + stages(lanes);
    let join = |_, _, (set_before, on_before), (sets, hands_on)| {
        (behind(sets, hands_on, set_before), hands_on & on_before)
    };
    let keep = |lane: usize, kept: Kept, (set, on): (Signal<'m>, Signal<'m>)| match kept {
        Kept::Registered(to) => (
            stage.data(&format!("{name}_set_{lane}_{to}_reg"), set),
            stage.data(&format!("{name}_on_{lane}_{to}_reg"), on),
        ),
        Kept::Named(level) => {
            (set.named(&format!("{name}_set_{lane}_{level}")), on.named(&format!("{name}_on_{lane}_{level}")))
        }
    };
    let (sets, hands_on): (Vec<Signal>, Vec<Signal>) =
        scan(m, name, units, at, join, keep).into_iter().unzip();
    let valid = delay_flag(stage, &format!("{name}_valid"), carries.valid, at, found);
    let last = delay(stage, &format!("{name}_last"), carries.last, at, found);
    m.stage_section(found, name);
    let before = stage.state(&format!("{name}_reg"), 1);
    let behind: Vec<Signal> = (0..lanes)
        .map(|lane| behind(sets[lane], hands_on[lane], before.q).named(&format!("{name}_behind_{lane}")))
        .collect();
    stage.load(before, valid.mux(behind[lanes - 1] & !last, before.q));
    Carried { before: before.q, behind }
}
