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
//!  beat ──> skid ──> steps ──> what a slot ──> groups ──> the length ──> pieces ──> skid ──> lanes
//!           buffer             is by itself                of a header              buffer
//! ```

mod groups;
mod pieces;
mod shape;
mod steps;

use std::cell::RefCell;
use std::sync::Arc;

use super::sizes::Source;
use super::{Beat, Slot, Stages as Encoder};
use crate::core::CoreSpec;
use crate::core::many_lanes::buffers::{Buffered, LANES_OF_BUFFER, buffered};
use crate::core::shared::ports::{slots_in, slots_in_ready, units_out_ready};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};
use crate::stream::skid_buffer_told;
use pieces::PieceBeat;
use shape::{CodePoint, PIECE_BITS, Pieces};

/// Cycles in a skid buffer: there is one in front of all stages, and one between them and the lanes.
const BUFFER: u32 = 1;
/// The last stage in front of the lanes.
const LAST: u32 = 5;
/// Pieces of a step that holds one slot.
const PIECES_OF_SLOT: usize = 4;

/// The stages. All of them load while the buffers between them and the lanes have room. The ready of such a buffer is a register, and enables the
/// stages without a LUT.
struct Stages<'m> {
    m: &'m Builder,
    /// For each buffer: the stages of its lanes load. All of these have the same value.
    enables: Vec<Signal<'m>>,
    /// For each stage: there is a step in it. The first entry is that in front of the stages.
    valid: Vec<Signal<'m>>,
    /// The step of the last stage but one writes nothing, and goes no further.
    skips: Signal<'m>,
    /// The step becomes part of the step of the last stage, which waits for it: so the end of a frame goes out with the last unit that the frame's
    /// last beat makes. `None` where errors are replaced: the last slot of a frame then always writes something.
    joins: Option<Signal<'m>>,
}

impl<'m> Stages<'m> {
    /// The stages load.
    fn enable(&self) -> Signal<'m> {
        self.enables[0]
    }

    /// The registers of what belongs to no lane.
    fn stage(&self, at: u32) -> Stage<'m> {
        self.stage_of(0, at)
    }

    /// The registers of a lane.
    fn stage_of(&self, lane: usize, at: u32) -> Stage<'m> {
        self.m.stage(self.enables[lane / LANES_OF_BUFFER]).at(at)
    }

    /// There is a step in a stage.
    fn valid(&self, at: u32) -> Signal<'m> {
        self.valid[at as usize]
    }

    /// Registers from one stage to another.
    fn later(&self, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
        self.later_of(0, name, signal, [from, to])
    }

    /// Registers of a lane from one stage to another.
    fn later_of(&self, lane: usize, name: &str, signal: Signal<'m>, [from, to]: [u32; 2]) -> Signal<'m> {
        let register = |signal, at| self.stage_of(lane, at).data(&format!("{name}_{at}_reg"), signal);
        (from + 1..=to).fold(signal, register)
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
    m.section("The stages in front of the lanes load while the buffers between have room");
    let buffers =
        (0..lanes.div_ceil(LANES_OF_BUFFER)).map(|buffer| m.wire(&format!("steps_load_{buffer}"), 1));
    let enables: Vec<Signal> = buffers.collect();
    let replaces = spec.on_error != ErrorMode::Drop;
    let skips = m.wire("step_skips", 1).note("a step writes nothing, and goes no further");
    let joins =
        (!replaces).then(|| m.wire("step_joins", 1).note("it is made part of the one in front of it"));
    let mut valid = vec![beat.valid];
    for at in 1..=LAST {
        let before = valid[at as usize - 1];
        let comes = if at == LAST { before & !skips } else { before };
        let comes = joins.filter(|_| at == LAST).map_or(comes, |joins| comes | joins);
        valid.push(m.stage(enables[0]).at(at).flag(&format!("step_valid_{at}_reg"), comes));
    }
    let stages = Stages { m, enables, valid, skips, joins };
    let making = Making { m, stages: &stages, lanes, digits, replaces };
    let step = steps::steps(&making, beat);
    let events = groups::groups(&making, &step);
    let beat = pieces::pieces(&making, &step, &events);
    let beat = buffer_pieces(m, beat, &stages.enables, encoder.takes_next());
    2 * BUFFER + encoder.encode(beat, m_axis_tready)
}

/// Buffers between the stages and the lanes, which drive `enables` with whether they have room. `takes_next`: in the next cycle, the lanes take the
/// beat of slots that this function returns.
fn buffer_pieces<'m>(
    m: &'m Builder,
    beat: PieceBeat<'m>,
    enables: &[Signal<'m>],
    takes_next: Signal<'m>,
) -> Beat<'m> {
    m.section("Buffers between the steps and the lanes make registers of whether steps move");
    let offers = RefCell::new(Vec::new());
    let connect = |buffer: InstanceHandle<'m>, lane: usize| {
        buffer.input("s_valid", beat.offered).input("m_ready_next", takes_next);
        let index = lane / LANES_OF_BUFFER;
        m.drive(enables[index], buffer.output("s_ready"));
        offers.borrow_mut().push(buffer.output("m_valid").named(&format!("piece_skid_{index}_offers")));
    };
    let of_beat = [("last", beat.last), ("amiss", beat.amiss)];
    let pieces: Vec<_> = beat.pieces.into_iter().map(|piece| vec![("piece", piece)]).collect();
    let names = ("piece_skid", "buffered", &skid_buffer_told as &dyn Fn(u32) -> Arc<Module>);
    let Buffered { tvalid: offered, of_beat, lanes, .. } =
        buffered(m, names, &of_beat, &pieces, connect, |buffer| buffer.output("m_valid"));
    let offers = offers.into_inner();
    let slot = |(lane, fields): (usize, Vec<Signal<'m>>)| {
        let piece = CodePoint::widened(m, fields[0]);
        let top = piece.width() - 1;
        Slot { keep: piece.bit(top) & offers[lane / LANES_OF_BUFFER], data: piece.bits(0..top), what: None }
    };
    let slots = lanes.into_iter().enumerate().map(slot).collect();
    // The error has been written already; a cut before the lanes only counts as an error where errors are dropped.
    Beat { offered, last: of_beat[0], slots, cut_before: Some(of_beat[1]) }
}
