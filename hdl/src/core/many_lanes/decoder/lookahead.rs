//! A bit that runs through the units of a frame, like the carry of an adder: a unit sets it, hands it on, or clears it. Which does
//! what is known of all units of a beat at once, so the bit is found in a few levels of logic, and the loop over beats is one
//! gate.

use super::pipeline::{Pipeline, delay, delay_flag};
use super::plan::levels;
use crate::netlist::{Builder, Signal};

/// Levels of logic in a stage.
const LEVELS_A_STAGE: u32 = 2;

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

/// Stages from what the units do to where the bit is found.
pub(super) fn stages(lanes: usize) -> u32 {
    levels(lanes).div_ceil(LEVELS_A_STAGE)
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
    let (mut sets, mut hands_on) = (named("set", carries.sets), named("on", carries.hands_on));
    let found = at + stages(lanes);
    for level in 0..levels(lanes) {
        if level % LEVELS_A_STAGE == 0 {
            m.section(format!("Stage {}: {name}, over {} units", at + level / LEVELS_A_STAGE, 2 << level));
        }
        let step = 1usize << level;
        let joined: Vec<(Signal, Signal)> = (0..lanes)
            .map(|lane| match lane & step {
                0 => (sets[lane], hands_on[lane]),
                _ => {
                    let below = (lane & !(step - 1)) - 1;
                    (behind(sets[lane], hands_on[lane], sets[below]), hands_on[lane] & hands_on[below])
                }
            })
            .collect();
        let is_registered = level % LEVELS_A_STAGE == LEVELS_A_STAGE - 1 || level + 1 == levels(lanes);
        let to = at + level / LEVELS_A_STAGE + 1;
        (sets, hands_on) = (0..)
            .zip(joined)
            .map(|(lane, (set, hand))| match is_registered {
                true => (
                    stage.data(&format!("{name}_set_{lane}_{to}_reg"), set),
                    stage.data(&format!("{name}_on_{lane}_{to}_reg"), hand),
                ),
                false if lane & step == 0 => (set, hand),
                false => (
                    set.named(&format!("{name}_set_{lane}_{level}")),
                    hand.named(&format!("{name}_on_{lane}_{level}")),
                ),
            })
            .unzip();
    }
    let valid = delay_flag(stage, &format!("{name}_valid"), carries.valid, at, found);
    let last = delay(stage, &format!("{name}_last"), carries.last, at, found);
    m.section(format!("Stage {found}: {name}"));
    let before = stage.state(&format!("{name}_reg"), 1);
    let behind: Vec<Signal> = (0..lanes)
        .map(|lane| behind(sets[lane], hands_on[lane], before.q).named(&format!("{name}_behind_{lane}")))
        .collect();
    stage.load(before, valid.mux(behind[lanes - 1] & !last, before.q));
    Carried { before: before.q, behind }
}
