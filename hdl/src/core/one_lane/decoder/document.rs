//! Documents of Corrected UTF-8: the magic number at the start of a frame is no text.
//!
//! While a frame may open with it, its first slots are withheld. As they are known, a count holds them: if the frame goes on
//! with something else, they go out one a cycle, and the unit that told waits.

use super::OneUnitBeat;
use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};

/// The magic number, in octets that are all different.
const MAGIC: [u64; 8] = [0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];

/// The code points in it that may be withheld, each with the number of octets it ends with. The first U+0000 would be the
/// next: it is an error.
const WITHHELD: [(u64, u64); 2] = [(3, 0x10e7d), (6, 0xed4e)];
const OCTETS_TO_NUL: u64 = 7;

/// Where a unit stands in the magic number: 8 and its place, or 0 for any other octet and where there is none.
pub(super) fn place<'m>(m: &'m Builder, unit: Signal<'m>, there: Signal<'m>) -> Signal<'m> {
    let arms = std::array::from_fn::<_, 8, _>(|at| m.lit(4, 8 | at as u64));
    let labels = MAGIC.each_ref().map(std::slice::from_ref);
    let arms = std::array::from_fn::<_, 8, _>(|at| (labels[at], arms[at]));
    unit.case(arms, m.lit(4, 0)).when(there).named("place").note("8 + place of the octet in the magic number")
}

/// What the opening of a frame says of the unit in stage 2: registers.
pub(super) struct Opening<'m> {
    /// The unit is part of the magic number, or may be: it makes no slot of its own.
    silent: Signal<'m>,
    /// Slots that were withheld have just gone out.
    paid: Signal<'m>,
    /// Slots that are owed, while some are: the two code points, and where errors are told, U+0000. The first goes out.
    owed: [Signal<'m>; 2],
    nul: Option<Signal<'m>>,
    wait: Signal<'m>,
}

impl<'m> Opening<'m> {
    /// Reads the opening in stage 1. Drives `wait`, while slots that were withheld go out.
    pub(super) fn new(
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        place: Signal<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
        wait: Signal<'m>,
    ) -> Self {
        m.section("Stage 1: the magic number at the start of a frame");
        let OneUnitBeat { unit_valid, frame_ends, .. } = beat;
        let units = pace.units();
        let in_text = m.reg("in_text_reg", 1).reset(0).note("the frame's opening is past");
        let count = m.reg("count_reg", 3).reset(0).note("octets of the magic number read");
        let expected = !in_text.q & place.eq(m.concat([m.lit(1, 1), count.q]));
        let expected = expected.named("expected").note("the frame may open with the magic number");
        let at_end = count.q.all();
        let withhold = (expected & !at_end & !frame_ends).named("withhold");
        let silent =
            (expected & (at_end | !frame_ends)).named("silent").note("the unit makes no slot of its own");
        let present = unit_valid | frame_ends;
        let load = (pace.take & present).named("reads").note("a beat moves into stage 2");
        in_text.next_when(load, !frame_ends & (in_text.q | !withhold));
        count.next_when(load, (count.q + m.lit(3, 1)).when(withhold));
        let tells = present & !in_text.q & !silent;
        let tells = tells.named("tells").note("the frame opens otherwise");

        // Of those that the unit finds owed, one goes out in each cycle, while it waits. Only `waits_reg` waits for what the unit
        // is; what the others say counts with it.
        let past = |octets: u64| count.q.within(octets, MAGIC.len() as u64 - 1);
        let [(of_first, _), (of_second, _)] = WITHHELD;
        let found = (tells & past(of_first)).named("found");
        let waits = m.reg("waits_reg", 1).reset(0).note("a slot that was withheld goes out");
        m.drive(wait, waits.q);
        let slots = pace.slots();
        let first = slots.data("owes_first_reg", !waits.q);
        let second = m.reg("owes_second_reg", 1);
        second.next_when(slots.enable, waits.q.mux(second.q & first, past(of_second)));
        let second = second.q;
        // It is the last to go out, so it stays until then.
        let nul = (!tags.drops_errors()).then(|| units.data("owes_nul_reg", past(OCTETS_TO_NUL)));
        let more = nul.map_or(first & second, |nul| second & (first | nul));
        waits.next_when(slots.enable, waits.q.mux(more, found));
        let paid = slots.data("paid_reg", waits.q);
        Self { silent: units.data("silent_reg", silent), paid, owed: [first, second], nul, wait }
    }

    /// Withholds what the unit makes, and puts what is owed in front of it.
    pub(super) fn withhold(
        self,
        m: &'m Builder,
        made: UnitSlots<'m>,
        leads: &Leads,
        tags: &Tags<'m>,
    ) -> UnitSlots<'m> {
        m.section("The slots that were withheld");
        let Self { silent, paid, owed: [first, second], nul, wait } = self;
        let UnitSlots { frame_ends, early, own } = made;
        let lit = |(_, code_point)| m.lit(leads.code_bits(), code_point);
        let data = first.mux(lit(WITHHELD[0]), lit(WITHHELD[1]));
        let code_point = tags.code_point();
        let (tag, last_owed) = match nul {
            Some(nul) => {
                let tag = Tag::mux(first | second, code_point, tags.error(ErrorKind::Nul));
                (tag, first.mux(!second, !(second & nul)))
            }
            None => (code_point, !(first & second)),
        };
        // The end of a frame that makes nothing else stands with the last slot that was withheld.
        let is_last = frame_ends & !own.keep & last_owed;
        let last = |else_last| wait.mux(is_last, else_last);
        let data = Some((wait, data));
        let early = match early {
            Some(early) => EarlySlot {
                is: early.is | wait,
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
        let is_own = (!silent & (own.keep | !paid)).named("is_own");
        let only_end = (frame_ends & silent).named("only_end").note("the frame is the magic number");
        let own = OwnSlot {
            is: (own.is & is_own | only_end) & !wait,
            keep: own.keep & !silent,
            low: own.low.map(|low| low.when(!silent)),
            ..own
        };
        UnitSlots { frame_ends, early: Some(early), own }
    }
}
