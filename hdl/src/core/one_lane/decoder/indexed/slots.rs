//! The slots that a unit makes certain.

use super::four::Four;
use super::offsets::SlotOffsets;
use super::queue::Entry;
use super::state::State;
use super::window::Window;
use crate::core::MultiOctet;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::CODE_BITS;
use crate::core::shared::memory_look_up::Found;
use crate::core::shared::octet_class::Class;
use crate::core::shared::tags::{Tag, Tags};
use crate::core::shared::terms_of_four::Faults;
use crate::netlist::{Builder, Signal};

/// All that decides on the slots of a unit.
pub(super) struct Slots<'s, 'm> {
    pub(super) m: &'m Builder,
    pub(super) set: MultiOctet,
    pub(super) tags: &'s Tags<'m>,
    pub(super) window: &'s Window<'m>,
    pub(super) class: &'s Class<'m>,
    pub(super) state: &'s State<'m>,
    pub(super) four: Option<&'s Four<'m>>,
    /// The word of the pair that ends with the unit; 0 if there is none.
    pub(super) word: Found<'m>,
    pub(super) offsets: Option<SlotOffsets<'m>>,
}

/// The slots of a unit and of the pair that it ends, and the errors among them.
pub(super) struct OfPair<'m> {
    /// The slot that goes out first, and the other one, if there may be two.
    pub(super) first: Entry<'m>,
    pub(super) second: Option<Entry<'m>>,
    /// The unit is read again, and the tag of the error before it.
    pub(super) rereads: Signal<'m>,
    pub(super) of_bad_pair: Tag<'m>,
    /// The unit, or the end of the frame, ends an error, and its tag.
    pub(super) is_error: Signal<'m>,
    pub(super) own: Tag<'m>,
}

impl<'m> Slots<'_, 'm> {
    /// The slots in their order, those that are there first.
    pub(super) fn all(&self) -> Vec<Entry<'m>> {
        let OfPair { first, second, .. } = self.of_pair();
        let Some((breaks, digit)) = self.breaks() else {
            return [Some(first), second].into_iter().flatten().collect();
        };
        let m = self.m;
        let no = m.lit(1, 0);
        // If the error of the unit is dropped, the frame ends with the digit.
        let is_dropped = (breaks & !first.keep).named("is_dropped");
        let (first, digit_ends) = match self.tags.drops_errors() {
            true => (first.when(!is_dropped), is_dropped & first.last),
            false => (first, no),
        };
        let main: Vec<Entry<'m>> = [Some(first), second].into_iter().flatten().collect();
        let slot = |tag, data, distance| {
            let offset = self.offsets.map(|offsets| match distance {
                0 => offsets.start,
                _ => offsets.after_start(distance),
            });
            Entry { is: breaks, keep: m.lit(1, 1), last: no, tag, data, offset, units: first.units }
        };
        let error = slot(self.tags.error(ErrorKind::Truncated), m.lit(CODE_BITS, 0), 0);
        let digit = Entry { last: digit_ends, ..slot(self.tags.code_point(), digit, 1) };
        let before = if self.tags.drops_errors() { vec![digit] } else { vec![error, digit] };
        let count = before.len();
        (0..count + main.len())
            .map(|index| {
                let none = || first.when(no);
                let unbroken = main.get(index).copied().unwrap_or_else(none);
                let broken = before.get(index).copied().unwrap_or_else(|| main[index - count]);
                let slot = if index < count {
                    broken.before(unbroken)
                } else {
                    Entry::mux(breaks, broken, unbroken)
                };
                slot.or_named(&format!("slot_{index}"))
            })
            .collect()
    }

    /// Whether the unit breaks four octets, and the digit among them.
    pub(super) fn breaks(&self) -> Option<(Signal<'m>, Signal<'m>)> {
        let (two, three) = self.state.after_two.zip(self.state.after_three)?;
        let by_two = two & !self.class.is_lead;
        let by_three = three & !self.class.is_digit;
        let breaks = (self.window.unit_valid & (by_two | by_three)).named("breaks");
        let [one, before] = self.window.before;
        let digit = three.mux(before, one).zext(CODE_BITS).named("left_digit");
        Some((breaks.note("the unit breaks four octets, of which a digit is left"), digit))
    }

    /// The offsets of the error of a lead before the unit, and of the unit's own slot. The unit `continues` a sequence before it or ends
    /// one, or the end of the frame cuts one short; after a sequence of three that breaks, the third unit leads.
    fn offsets_of_pair(&self, continues: Signal<'m>) -> Option<[Signal<'m>; 2]> {
        let offsets = self.offsets?;
        let is_digit = |three: Signal<'m>| three & self.window.unit_valid & !self.class.is_digit;
        let lead = match self.state.after_three {
            Some(three) => is_digit(three).mux(offsets.after_start(2), offsets.start).named("start_of_pair"),
            None => offsets.start,
        };
        Some([lead, continues.mux(lead, offsets.unit).named("start_of_own")])
    }

    /// The slots of the unit and of the pair that it ends, the unit's own last.
    pub(super) fn of_pair(&self) -> OfPair<'m> {
        let Self { m, set, tags, window, class, state, word: Found { word, is: is_code }, .. } = *self;
        let (one, no) = (m.lit(1, 1), m.lit(1, 0));
        let Window { unit_valid, frame_ends, .. } = *window;
        let ends_four = state.after_three.map(|three| three & class.is_digit);
        let by_three = state.after_three.map(|three| three & !class.is_digit);
        let ends_pair = [Some(state.after_lead), state.after_8f, by_three].into_iter().flatten();
        let ends_pair = ends_pair.reduce(|one, other| one | other).expect("a lead comes before");
        let ends_pair = ends_pair.named("ends_pair").note("the unit is the second one of a pair");
        let bad_pair = (ends_pair & !is_code).named("is_bad_pair");
        let rereads = (bad_pair & class.is_ascii).named("rereads");
        let rereads = rereads.note("the lead is an error, and the unit is read again");
        let of_bad_pair =
            Tag::mux(class.is_trail, tags.error(ErrorKind::Invalid), tags.error(ErrorKind::Truncated))
                .named("of_bad_pair");
        let is_open = unit_valid.mux(state.continues, state.open);
        let cuts = (frame_ends & is_open).named("cuts");
        let cuts = cuts.note("the end of the frame cuts a sequence short");

        let alone = Tag::mux(class.is_single, tags.code_point(), tags.error(ErrorKind::Invalid));
        let takes_unit = (bad_pair & !class.is_ascii).or_named("takes_unit");
        let pair = Tag::mux(takes_unit, of_bad_pair, tags.code_point());
        let mut tag = Tag::mux(ends_pair, pair, alone);
        let mut is_error = ends_pair.mux(takes_unit, !class.is_single);
        let is_two = (set == MultiOctet::Big5 && self.has_code_points()).then(|| self.is_two());
        let of_pair = match is_two {
            Some(is_two) => {
                let second = m.lit(CODE_BITS, 0x304) | m.concat([word.bit(1), m.lit(3, 0)]).zext(CODE_BITS);
                is_two.mux(second, word.zext(CODE_BITS))
            }
            None => word.zext(CODE_BITS),
        };
        let mut data = (ends_pair & is_code).mux(of_pair, class.single);
        if let Some((ends_four, four)) = ends_four.zip(self.four) {
            let ends_four = ends_four.named("ends_four");
            let Faults { is_gap, is_past } = four.faults;
            let past = Tag::mux(is_past, tags.error(ErrorKind::OutOfRange), tags.code_point());
            let of_four = Tag::mux(is_gap, tags.error(ErrorKind::Invalid), past);
            tag = Tag::mux(ends_four, of_four, tag);
            is_error = ends_four.mux(is_gap | is_past, is_error);
            data = four.code_point.map_or(data, |code_point| ends_four.mux(code_point, data));
        }
        let tag = Tag::mux(unit_valid, tag, tags.code_point());
        let tag = Tag::mux(cuts, tags.error(ErrorKind::Truncated), tag).named("own");
        let ends_here = (unit_valid & !state.continues).named("ends_here");
        let is_error = (cuts | is_error & ends_here).named("is_error");
        let keep = (unit_valid | state.open).named("own_keep");
        let (is, keep) = match tags.drops_errors() {
            true => (ends_here & !is_error, keep & !is_error),
            false => (ends_here, keep),
        };
        let ends_sequence = ends_pair & !rereads | state.continues & !state.begins;
        let ends_sequence = ends_four.map_or(ends_sequence, |ends_four| ends_sequence | ends_four);
        let offsets = self.offsets_of_pair(unit_valid.mux(ends_sequence, state.open));
        let [start, own_offset] = offsets.map_or([None; 2], |offsets| offsets.map(Some));
        let own = Entry {
            is: (is | frame_ends).named("own_is"),
            keep,
            last: frame_ends,
            tag,
            data: data.when(unit_valid).named("own_data"),
            offset: own_offset,
            units: self.offsets.and_then(|offsets| offsets.units()),
        };

        let ends_pair_here = (ends_here & ends_pair).named("ends_pair_here");
        let of_error = (!tags.drops_errors()).then_some(rereads);
        let early = match (is_two, of_error) {
            (Some(is_two), of_error) => {
                let first = m.lit(CODE_BITS, 0xca) | m.concat([word.bit(0), m.lit(5, 0)]).zext(CODE_BITS);
                let tag = Tag::mux(is_two, tags.code_point(), of_bad_pair);
                Some((of_error.map_or(is_two, |of_error| of_error | is_two), tag, first))
            }
            (None, Some(rereads)) => Some((rereads, of_bad_pair, m.lit(CODE_BITS, 0))),
            (None, None) => None,
        };
        let (first, second) = match early {
            None => (own, None),
            Some((is, tag, data)) => {
                let is = (ends_pair_here & is).named("early_is");
                let early = Entry { is, keep: one, last: no, tag, data, offset: start, units: own.units };
                let second = Entry { is: (own.is & is).named("own_waits"), ..own };
                (early.before(own).or_named("first"), Some(second))
            }
        };
        OfPair { first, second, rereads: rereads & ends_here, of_bad_pair, is_error, own: tag }
    }

    /// The tables have code points, of which some pairs of `big5` are two, not only a bit.
    fn has_code_points(&self) -> bool {
        self.word.word.width() > 1
    }

    /// The pair is two code points of `big5`.
    fn is_two(&self) -> Signal<'m> {
        self.word.word.bits(16..18).all().named("is_two")
    }
}
