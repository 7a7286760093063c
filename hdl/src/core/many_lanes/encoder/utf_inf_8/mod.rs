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

use super::sizes::Source;
use super::{Beat, Slot, Stages as Encoder};
use crate::core::CoreSpec;
use crate::core::shared::ports::{slots_in, slots_in_ready, units_out_ready};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};
use shape::{PIECE_BITS, Pieces};

/// Cycles in the skid buffer in front of all stages.
const BUFFER: u32 = 1;
/// The last stage in front of the lanes.
const LAST: u32 = 5;
/// Pieces of a step that holds one slot.
const PIECES_OF_SLOT: usize = 4;

/// The stages: each loads where the next stage does, or where it or a later stage holds no step.
struct Stages<'m> {
    m: &'m Builder,
    enables: Vec<Signal<'m>>,
    valid: Vec<Signal<'m>>,
    /// The step of the last stage but one writes nothing, and goes no further.
    skips: Signal<'m>,
    /// The step becomes part of the step of the last stage, which waits for it: so the end of a frame goes out with the last unit that the frame's
    /// last beat makes. `None` where errors are replaced: the last slot of a frame then always writes something.
    joins: Option<Signal<'m>>,
}

impl<'m> Stages<'m> {
    fn stage(&self, at: u32) -> Stage<'m> {
        self.m.stage(self.enables[at as usize - 1]).at(at)
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

/// Parameters of all parts.
struct Making<'a, 'm> {
    m: &'m Builder,
    stages: &'a Stages<'m>,
    lanes: usize,
    digits: u64,
    replaces: bool,
}

/// Builds the core in `m`; gives its latency in cycles.
pub(super) fn encode(m: &Builder, spec: &CoreSpec, digits: u64) -> u32 {
    let lanes = spec.lanes as usize;
    let input = slots_in(m, spec.lanes, true, spec.bus);
    let m_axis_tready = units_out_ready(m);
    // Errors have become pieces, or nothing, before they come to the lanes.
    let of_lanes = CoreSpec { on_error: ErrorMode::Drop, ..*spec };
    let source = Source::Half { has_errors: false, has_cuts: false, slot_bits: PIECE_BITS };
    let encoder = Encoder::of_shape(m, Box::new(Pieces), &[], &of_lanes, source, LAST);
    m.section("Input: a buffer makes a register of ready");
    let beat = steps::buffered(m, &input, lanes);
    slots_in_ready(m, beat.ready);
    m.section("Which stages in front of the lanes load");
    let valid: Vec<_> = (1..=LAST).map(|at| m.reg(&format!("step_valid_{at}_reg"), 1).reset(0)).collect();
    let takes = encoder.takes();
    let replaces = spec.on_error != ErrorMode::Drop;
    let skips = m.wire("step_skips", 1).note("a step writes nothing, and goes no further");
    let joins =
        (!replaces).then(|| m.wire("step_joins", 1).note("it is made part of the one in front of it"));
    // Whether a stage and all later ones hold steps is known a cycle ahead: the enables have long nets, and begin with few LUTs.
    let full: Vec<_> = (1..LAST).map(|at| m.reg(&format!("full_from_{at}_reg"), 1).reset(0)).collect();
    full[0].note("this stage and all later ones hold steps");
    let enables = valid.iter().enumerate().map(|(at, valid)| {
        let moves = match full.get(at) {
            Some(full) => takes | !full.q | skips,
            None => joins.map_or(takes | !valid.q, |joins| (takes | !valid.q) & !joins),
        };
        moves.named(&format!("step_loads_{}", at + 1))
    });
    let enables = enables.collect();
    let stages = Stages { m, enables, valid: valid.iter().map(|valid| valid.q).collect(), skips, joins };
    let mut later_full = None;
    for (at, valid) in valid.iter().enumerate().rev() {
        let before = if at == 0 { beat.valid } else { stages.valid[at - 1] };
        let before = if later_full.is_none() { before & !skips } else { before };
        let next = stages.enables[at].mux(before, valid.q).named(&format!("step_valid_{}_next", at + 1));
        valid.next(next);
        let is_full = later_full.map_or(next, |later| {
            let is_full = (next & later).named(&format!("full_from_{}_next", at + 1));
            full[at].next(is_full);
            is_full
        });
        later_full = Some(is_full);
    }
    let making = Making { m, stages: &stages, lanes, digits, replaces };
    let step = steps::steps(&making, beat);
    let events = groups::groups(&making, &step);
    let beat = pieces::pieces(&making, &step, &events);
    BUFFER + encoder.encode(beat, m_axis_tready)
}
