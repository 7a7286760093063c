//! The places of slots in a decoder of several streams: position, line and column.
//!
//! The offset of a unit in its frame, the begin of its sequence, the line and the column are states of its stream. The beat reads and changes them in the
//! stage of the slot registers, so that both slots of a beat get their places in one cycle.

use super::streams::LaneSlot;
use crate::core::CoreSpec;
use crate::core::shared::code_points::LINE_FEED;
use crate::netlist::{Builder, Reg, Signal, Stage};

/// A beat in the slot registers.
pub(super) struct SlotBeat<'m> {
    /// The beat makes a slot, or ends its frame.
    pub(super) valid: Signal<'m>,
    /// The beat ends its frame.
    pub(super) last: Signal<'m>,
    /// The unit of the beat; `None` where nobody asks for positions.
    pub(super) unit: Option<UnitOfBeat<'m>>,
}

/// The unit of a beat, in the slot registers.
#[derive(Clone, Copy)]
pub(super) struct UnitOfBeat<'m> {
    /// There is one.
    is: Signal<'m>,
    /// The unit begins a code point or an error.
    begins: Signal<'m>,
    /// The first slot is of the sequence before the unit; `None` in systems without such slots.
    is_after: Option<Signal<'m>>,
    /// The frame ends with the beat.
    ends: Signal<'m>,
}

impl<'m> UnitOfBeat<'m> {
    /// Puts the facts of a unit into registers of `stage`.
    pub(super) fn new(
        stage: Stage<'m>,
        [is, begins, ends]: [Signal<'m>; 3],
        early: Option<Signal<'m>>,
    ) -> Self {
        Self {
            is: stage.flag("unit_counts_reg", is),
            begins: stage.data("unit_begins_reg", begins),
            is_after: early.map(|early| stage.data("unit_is_after_reg", early)),
            ends: stage.flag("unit_ends_reg", ends),
        }
    }
}

/// The place of each slot of a beat, zero in a lane without a slot: the column, the line, and in the low bits the position. `stage` is that of the slot
/// registers, by number `at`. `None` if slots have no places.
pub(super) fn places<'m>(
    m: &'m Builder,
    spec: &CoreSpec,
    beat: &SlotBeat<'m>,
    lanes: &[LaneSlot<'m>],
    (stage, at): (Stage<'m>, u32),
) -> Option<Vec<Signal<'m>>> {
    if spec.place_bits() == 0 {
        return None;
    }
    m.section("The places of the slots in their frame: states of the stream");
    let state = |name: &str, bits: u32, note: &str| m.reg(name, bits).reset(0).carried(at).note(note);
    let feeds: Vec<Signal> = match spec.line + spec.column {
        0 => Vec::new(),
        _ => lanes.iter().map(|lane| is_line_feed(lane, beat.valid)).collect(),
    };
    let ends = (beat.last & beat.valid).named("ends_frame");
    // The number before each slot, where `step` gives that after a slot.
    let counted = |register: Reg<'m>, step: &dyn Fn(usize, Signal<'m>) -> Signal<'m>| {
        let mut number = register.q;
        let before: Vec<Signal> = (0..lanes.len())
            .map(|lane| {
                let before = number;
                number = step(lane, before);
                before
            })
            .collect();
        register.next_when(stage.enable, number.when(!ends));
        before
    };
    let position = beat.unit.filter(|_| spec.position > 0).map(|unit| {
        let offset = state("offset_reg", spec.position, "the offset of the unit in its frame");
        let next = (offset.q + unit.is.zext(spec.position)).named("offset_next");
        offset.next_when(stage.enable, next.when(!unit.ends));
        let start = state("start_reg", spec.position, "the offset of the open sequence's first unit");
        let own = (unit.is & unit.begins).mux(offset.q, start.q).named("own_start");
        start.next_when(stage.enable, own);
        let first = unit.is_after.map_or(own, |is_after| is_after.mux(start.q, own));
        let mut positions = vec![own; lanes.len()];
        positions[0] = first;
        positions
    });
    let line = (spec.line > 0).then(|| {
        let line = state("line_reg", spec.line, "U+000A in the frame before the beat");
        counted(line, &|lane, line| line + feeds[lane].zext(spec.line))
    });
    let column = (spec.column > 0).then(|| {
        let note = "slots since the last U+000A, or since the frame began";
        let column = state("column_reg", spec.column, note);
        counted(column, &|lane, column| {
            let is_kept = lanes[lane].keep & beat.valid;
            (column + is_kept.zext(spec.column)).when(!feeds[lane])
        })
    });
    let place = |(index, lane): (usize, &LaneSlot<'m>)| {
        let places = [&column, &line, &position].into_iter().flatten().map(|of| of[index]);
        m.concat(places).when(lane.keep).named(&format!("{}_place", lane.name))
    };
    Some(lanes.iter().enumerate().map(place).collect())
}

/// Whether the slot of a lane is U+000A.
fn is_line_feed<'m>(lane: &LaneSlot<'m>, valid: Signal<'m>) -> Signal<'m> {
    let is_code_point = lane.tag.user.map_or(lane.keep, |user| lane.keep & user.is(0));
    let is = lane.data.expect("slots have data").is(LINE_FEED);
    (is & is_code_point & valid).named(&format!("{}_is_line_feed", lane.name))
}
