//! UTF-∞-8, seed 000: a stage in front of the lanes, which makes *pieces* of slots.
//!
//! A piece is up to eight units of one sequence, so the lanes need not know of longer ones. A beat of code points below 2^32 and of errors
//! is one step, in which each slot is a piece. Where heads and limbs are, slots go one by one: a slot is a step. The pieces of
//! such a step are
//!
//! | piece | what it holds |
//! | --- | --- |
//! | 0 | the replacement of a group that the slot cuts; or FF and the B4s of a length header |
//! | 1 | the digits of a header; or FF and the first units of thirteen |
//! | 2 | the units that a limb completes |
//! | 3 | the slot's own; or the replacement of a group that the end of the frame cuts |
//!
//! ```text
//!  beat ──> skid ──> steps ──> what a slot ──> groups ──> the length ──> pieces ──> lanes
//!           buffer             is by itself                of a header
//! ```

mod groups;
mod pieces;
mod shape;
mod steps;

use super::movement::Movement;
use crate::core::shared::ports::{SlotsIn, slots_in_ready};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};
pub(super) use shape::Pieces;

/// Stages in front of the lanes: the skid buffer, and those of this part.
pub(super) const STAGES: u32 = 1 + LAST;
/// The last stage.
const LAST: u32 = 5;
/// Pieces of a step that holds one slot.
const PIECES_OF_SLOT: usize = 4;

/// Beats of pieces.
pub(super) struct Front<'m> {
    /// One for each lane.
    pub(super) data: Vec<Signal<'m>>,
    pub(super) valid: Vec<Signal<'m>>,
    pub(super) tvalid: Signal<'m>,
    pub(super) tlast: Signal<'m>,
    /// Something of the beat cannot be written as it stands.
    pub(super) amiss: Signal<'m>,
}

/// The stages: each loads where the one behind it does, or where one from it on holds no step.
struct Stages<'m> {
    m: &'m Builder,
    enables: Vec<Signal<'m>>,
    valid: Vec<Signal<'m>>,
}

impl<'m> Stages<'m> {
    fn stage(&self, at: u32) -> Stage<'m> {
        self.m.stage(self.enables[at as usize - 1])
    }

    /// There is a step in a stage.
    fn valid(&self, at: u32) -> Signal<'m> {
        self.valid[at as usize - 1]
    }

    /// Registers from one stage to another.
    fn later(&self, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
        (from + 1..=to).fold(signal, |signal, at| self.stage(at).data(&format!("{name}_{at}_reg"), signal))
    }
}

/// What is the same for all parts.
struct Making<'a, 'm> {
    m: &'m Builder,
    stages: &'a Stages<'m>,
    lanes: usize,
    digits: u64,
    replaces: bool,
}

/// Declares the ready of `input`, and makes pieces of its slots.
pub(super) fn front<'m>(
    m: &'m Builder,
    input: &SlotsIn<'m>,
    lanes: usize,
    digits: u64,
    on_error: ErrorMode,
    movement: &Movement<'m>,
) -> Front<'m> {
    m.section("Input: a buffer makes a register of ready");
    let beat = steps::buffered(m, input, lanes);
    slots_in_ready(m, beat.ready);
    m.section("Which stages in front of the lanes load");
    let valid: Vec<_> = (1..=LAST).map(|at| m.reg(&format!("step_valid_{at}_reg"), 1).reset(0)).collect();
    let takes = movement.takes();
    let enables = (0..valid.len()).map(|at| {
        let gap = valid[at..].iter().map(|valid| !valid.q).reduce(|a, b| a | b).expect("a stage");
        (takes | gap).named(&format!("step_loads_{}", at + 1))
    });
    let stages = Stages { m, enables: enables.collect(), valid: valid.iter().map(|valid| valid.q).collect() };
    for (at, register) in valid.iter().enumerate() {
        let before = if at == 0 { beat.valid } else { valid[at - 1].q };
        register.next_when(stages.enables[at], before);
    }
    let making = Making { m, stages: &stages, lanes, digits, replaces: on_error != ErrorMode::Drop };
    let step = steps::steps(&making, beat);
    let events = groups::groups(&making, &step);
    pieces::pieces(&making, &step, &events)
}
