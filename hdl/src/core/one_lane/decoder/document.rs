//! Documents of Corrected UTF-8: the magic number at the start of a frame is not part of the text.
//!
//! While the frame may still open with the magic number, its units make no slots. The units are known and need not be
//! stored: a counter of the octets read says which slots are held back. If the frame then continues differently, the
//! slots go out, one a cycle, while the unit that differs waits in the stage before.

use super::slots::{EarlyData, EarlySlot, OwnSlot, UnitSlots};
use super::unit::OneUnitBeat;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::magic_number::MAGIC;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};

/// The code points in the magic number that may be held back, with the number of octets after which a code point is
/// complete. The next would be U+0000, which is an error.
const HELD_BACK: [(u64, u64); 2] = [(3, 0x10e7d), (6, 0xed4e)];
const OCTETS_TO_NUL: u64 = 7;

/// The state of a frame's opening at the unit in stage 2: registers.
pub(super) struct Opening<'m> {
    /// The unit is part of the magic number, or may be: it makes no slot of its own.
    silent: Signal<'m>,
    /// The slots that were held back have just gone out.
    released: Signal<'m>,
    /// Which slots still have to go out: the two code points, and the error for U+0000 if there are error slots. The
    /// first of them goes out now.
    pending: [Signal<'m>; 2],
    pending_nul: Option<Signal<'m>>,
    wait: Signal<'m>,
}

impl<'m> Opening<'m> {
    /// Compares the units in stage 1 with the magic number. Drives `wait`, which is high while slots that were held
    /// back go out.
    pub(super) fn new(
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        magic_index: Signal<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
        wait: Signal<'m>,
    ) -> Self {
        m.stage_section(1, "the magic number at the start of a frame");
        let OneUnitBeat { unit_valid, frame_ends, .. } = beat;
        let units = pace.units();
        let in_text = m.reg("in_text_reg", 1).reset(0).note("the opening of the frame is past");
        let count = m.reg("count_reg", 3).reset(0).note("octets of the magic number read");
        let expected = !in_text.q & magic_index.eq(m.concat([m.lit(1, 1), count.q]));
        let expected = expected.named("expected").note("the unit is the next octet of the magic number");
        let at_end = count.q.all().named("at_end").note("the next octet of the magic number is the last");
        let withhold = (expected & !at_end & !frame_ends).named("withhold");
        let silent =
            (expected & (at_end | !frame_ends)).named("silent").note("the unit makes no slot of its own");
        let present = (unit_valid | frame_ends).named("opening_present");
        let load = (pace.take & present).named("reads").note("a beat moves into stage 2");
        in_text.next_when(load, !frame_ends & (in_text.q | !withhold));
        count.next_when(load, (count.q + m.lit(3, 1)).when(withhold));
        let differs = present & !in_text.q & !silent;
        let differs = differs.named("differs").note("the frame does not open with the magic number");

        // One of the slots held back goes out in each cycle while the unit waits. Only `waits_reg` depends on the
        // unit; the other registers count together with it.
        let past = |octets: u64| count.q.within(octets, MAGIC.len() as u64 - 1);
        let [(of_first, _), (of_second, _)] = HELD_BACK;
        let found = (differs & past(of_first)).named("some_held_back");
        let waits = m.reg("waits_reg", 1).reset(0).note("a slot that was held back goes out");
        m.drive(wait, waits.q);
        let slots = pace.slots();
        let first = slots.data("pending_first_reg", !waits.q);
        let second = m.reg("pending_second_reg", 1);
        second.next_when(slots.enable, waits.q.mux(second.q & first, past(of_second)));
        let second = second.q;
        // The error of U+0000 is the last to go out, so its register keeps its value until then.
        let nul = (!tags.drops_errors()).then(|| units.data("pending_nul_reg", past(OCTETS_TO_NUL)));
        let more = nul.map_or(first & second, |nul| second & (first | nul));
        waits.next_when(slots.enable, waits.q.mux(more, found));
        let released = slots.data("released_reg", waits.q);
        let silent = units.data("silent_reg", silent);
        Self { silent, released, pending: [first, second], pending_nul: nul, wait }
    }

    /// Removes the slots that the magic number would make, and puts those that were held back before the unit's
    /// own.
    pub(super) fn hold_back(
        self,
        m: &'m Builder,
        unit_slots: UnitSlots<'m>,
        leads: &Leads,
        tags: &Tags<'m>,
    ) -> UnitSlots<'m> {
        m.section("Slots that were held back");
        let Self { silent, released, pending: [first, second], pending_nul: nul, wait } = self;
        let UnitSlots { frame_ends, early, own, .. } = unit_slots;
        let lit = |(_, code_point)| m.lit(leads.code_bits(), code_point);
        let value = first.mux(lit(HELD_BACK[0]), lit(HELD_BACK[1]));
        let code_point = tags.code_point();
        let (tag, last_pending) = match nul {
            Some(nul) => {
                let is_code_point = (first | second).named("pending_code_point");
                let tag = Tag::mux(is_code_point, code_point, tags.error(ErrorKind::Nul));
                (tag, first.mux(!second, !(second & nul)))
            }
            None => (code_point, !(first & second)),
        };
        // If the end of the frame makes nothing else, it goes out with the last slot that was held back.
        let is_last = frame_ends & !own.keep & last_pending;
        let last = |else_last| wait.mux(is_last, else_last);
        let data = Some(EarlyData { is: wait, value });
        let early = match early {
            Some(early) => EarlySlot {
                is: (early.is | wait).named("early_or_pending"),
                first: Tag::mux(wait, tag, early.first),
                data,
                number: None,
                last: last(early.last),
                held: early.held,
            },
            None => EarlySlot {
                is: wait,
                first: code_point,
                data,
                number: None,
                last: last(frame_ends),
                held: None,
            },
        };
        let is_own = (!silent & (own.keep | !released)).named("is_own");
        let only_end = (frame_ends & silent).named("only_end").note("the frame is the magic number");
        let own = OwnSlot {
            is: ((own.is & is_own | only_end) & !wait).named("own_or_end"),
            keep: (own.keep & !silent).named("own_shown"),
            low: own.low.map(|low| low.when(!silent).named("own_low")),
            ..own
        };
        UnitSlots { early: Some(early), own, ..unit_slots }
    }
}
