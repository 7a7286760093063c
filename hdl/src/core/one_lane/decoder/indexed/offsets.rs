//! The offsets of slots in their frame: those of the first units of sequences, and the number of units.

use super::state::State;
use super::window::Window;
use crate::core::one_lane::decoder::slots::Offsets;
use crate::core::shared::pace::Pace;
use crate::core::status::{COUNTER_BITS, saturating_sum};
use crate::netlist::{Builder, Signal};

/// The offsets of a unit and of the open sequence.
#[derive(Clone, Copy)]
pub(super) struct SlotOffsets<'m> {
    m: &'m Builder,
    is_counter: bool,
    /// The offset of the unit in the last stage of the window.
    pub(super) unit: Signal<'m>,
    /// The offset of the open sequence's first unit.
    pub(super) start: Signal<'m>,
    /// The number of units up to that in the last stage of the window.
    next: Signal<'m>,
}

impl<'m> SlotOffsets<'m> {
    /// Counts units; `None` if slots have no offsets.
    pub(super) fn new(
        m: &'m Builder,
        offsets: Offsets,
        window: &Window<'m>,
        state: &State<'m>,
        pace: &Pace<'m>,
    ) -> Option<Self> {
        let (bits, is_counter) = match offsets {
            Offsets::Position { bits: 0, .. } => return None,
            Offsets::Position { bits, .. } => (bits, false),
            // A bit more says that a number does not fit.
            Offsets::Counted => (COUNTER_BITS + 1, true),
        };
        m.section("The offset in the frame of the unit, and of the open sequence");
        let unit = m.reg("offset_reg", bits).reset(0).note("the offset of the unit in its frame");
        let start = m.reg("start_reg", bits).note("the offset of the open sequence's first unit");
        let next = add(m, is_counter, "offset_next", unit.q, window.unit_valid);
        unit.next_when(pace.take, next.when(!window.frame_ends));
        start.next_when(pace.take & state.begins & window.unit_valid, unit.q);
        Some(Self { m, is_counter, unit: unit.q, start: start.q, next })
    }

    /// The offset of a unit of the open sequence, `distance` units after the first.
    pub(super) fn after_start(&self, distance: u64) -> Signal<'m> {
        // A position of one bit is the same after two units.
        let bits = self.start.width().min(2);
        let number = self.m.lit(bits, distance & ((1 << bits) - 1));
        add(self.m, self.is_counter, &format!("start_and_{distance}"), self.start, number)
    }

    /// The units of the frame, if it ends with the unit in the last stage of the window; `None` where nobody counts them.
    pub(super) fn units(&self) -> Option<Signal<'m>> {
        self.is_counter.then_some(self.next)
    }
}

/// The sum of an offset and a small number: a position modulo its bits, a counter with a bit that says that it does not fit.
fn add<'m>(
    m: &'m Builder,
    is_counter: bool,
    name: &str,
    offset: Signal<'m>,
    number: Signal<'m>,
) -> Signal<'m> {
    match is_counter {
        true => saturating_sum(m, name, offset, number),
        false if number.width() < offset.width() => (offset + number.zext(offset.width())).named(name),
        false => (offset + number).named(name),
    }
}
