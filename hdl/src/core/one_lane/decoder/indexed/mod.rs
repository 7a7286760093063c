//! Decoders of the sets of several octets, by tables in block RAM.
//!
//! ```text
//!  unit ─┬─> stage 1: unit ──> stage 2: unit ──> class, state ──> slots that ──> slot
//!        └─> table, by the          word of                       wait           register
//!            unit before it         the pair
//! ```
//!
//! The table is read for every unit and the unit before it, in any state, so that the address does not depend on the state. The state in
//! stage 2 decides whether the word is used.
//!
//! The rules are those of the Encoding Standard. An ASCII octet that breaks a pair is read again; if four octets of `gb18030` break, their
//! second octet, a digit, is a code point, and the third leads again.

mod four;
mod queue;

use super::pipeline::DecodePipeline;
use super::unit::OneUnitBeat;
use crate::core::MultiOctet;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::PairTable;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Signal, Stage};
use four::Four;
use queue::{Entry, queue};

/// Cycles from a beat to the slot register.
const LATENCY: u32 = 3;

/// Bits of a code point.
const CODE_BITS: u32 = 21;

/// The units in the stages. Registers of units keep the last one through beats without a unit.
#[derive(Clone, Copy)]
struct Window<'m> {
    /// The unit of the beat.
    unit: Signal<'m>,
    /// The unit in stage 1, and the one before it.
    unit_1: Signal<'m>,
    unit_2: Signal<'m>,
    /// The unit in stage 2, and the two before it.
    moved_unit: Signal<'m>,
    before: [Signal<'m>; 2],
    /// Registers that load when a unit moves into stage 1, and into stage 2.
    taken: Stage<'m>,
    moved: Stage<'m>,
    /// There is a unit in stage 2.
    unit_valid: Signal<'m>,
    /// The frame ends with the beat in stage 2.
    frame_ends: Signal<'m>,
}

impl<'m> Window<'m> {
    fn new(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Self {
        m.stage_section(1, "the unit");
        let units = pace.units();
        let valid_1 = units.flag("unit_1_valid_reg", beat.unit_valid);
        let ends_1 = units.flag("ends_1_reg", beat.frame_ends);
        let taken = m.stage((pace.take & beat.unit_valid).named("taken"));
        let unit_1 = taken.data("unit_1_reg", beat.unit);
        let unit_2 = taken.data("unit_2_reg", unit_1).note("the unit before it");
        m.stage_section(2, "the unit, and those before it");
        let unit_valid = units.at(2).flag("unit_valid_reg", valid_1);
        let frame_ends = units.at(2).flag("frame_ends_reg", ends_1);
        let moved = m.stage((pace.take & valid_1).named("moved"));
        let moved_unit = moved.data("unit_reg", unit_1);
        let one = moved.data("unit_before_reg", moved_unit);
        let two = moved.data("unit_before_that_reg", one);
        Self {
            unit: beat.unit,
            unit_1,
            unit_2,
            moved_unit,
            before: [one, two],
            taken,
            moved,
            unit_valid,
            frame_ends,
        }
    }

    /// The word of a table for the unit in stage 2 and the one before it.
    fn word(&self, m: &'m Builder, table: &PairTable, name: &str) -> Signal<'m> {
        let found = table.word(m, self.unit_1, self.unit).named(&format!("{name}_found"));
        let read = self.taken.data(&format!("{name}_read_reg"), found);
        self.moved.data(&format!("{name}_reg"), read)
    }
}

/// The class of the unit in stage 2.
struct Class<'m> {
    is_ascii: Signal<'m>,
    is_digit: Signal<'m>,
    is_lead: Signal<'m>,
    is_trail: Signal<'m>,
    /// The unit is a code point by itself, and that code point.
    is_single: Signal<'m>,
    single: Signal<'m>,
}

/// The first and the last of a range of octets.
type Range = (u64, u64);

impl<'m> Class<'m> {
    fn new(m: &'m Builder, set: MultiOctet, unit: Signal<'m>) -> Self {
        let is_ascii = (!unit.bit(7)).named("is_ascii");
        let within = |ranges: &[Range]| {
            let tests = ranges.iter().map(|&(first, last)| unit.within(first, last));
            tests.reduce(|one, other| one | other).expect("there are ranges")
        };
        let (leads, trails): (&[Range], &[Range]) = match set {
            MultiOctet::Gbk | MultiOctet::Gb18030 => (&[(0x81, 0xfe)], &[(0x40, 0x7e), (0x80, 0xfe)]),
            MultiOctet::ShiftJis => (&[(0x81, 0x9f), (0xe0, 0xfc)], &[(0x40, 0x7e), (0x80, 0xfc)]),
            MultiOctet::EucJp => (&[(0x8e, 0x8f), (0xa1, 0xfe)], &[(0xa1, 0xfe)]),
            MultiOctet::EucKr => (&[(0x81, 0xfe)], &[(0x41, 0xfe)]),
            MultiOctet::Big5 => (&[(0x81, 0xfe)], &[(0x40, 0x7e), (0xa1, 0xfe)]),
        };
        let own = unit.zext(CODE_BITS);
        let (is_single, single) = match set {
            MultiOctet::Gbk | MultiOctet::Gb18030 => {
                let is_euro = unit.is(0x80).named("is_euro");
                (is_ascii | is_euro, is_euro.mux(m.lit(CODE_BITS, 0x20ac), own))
            }
            MultiOctet::ShiftJis => {
                let is_katakana = unit.within(0xa1, 0xdf).named("is_katakana");
                // A1 is U+FF61.
                let katakana = m.concat([m.lit(8, 0xff), unit - m.lit(8, 0x40)]).zext(CODE_BITS);
                (is_ascii | unit.is(0x80) | is_katakana, is_katakana.mux(katakana, own))
            }
            MultiOctet::EucJp | MultiOctet::EucKr | MultiOctet::Big5 => (is_ascii, own),
        };
        Self {
            is_ascii,
            is_digit: unit.within(0x30, 0x39).named("is_digit"),
            is_lead: within(leads).named("is_lead"),
            is_trail: within(trails).named("is_trail"),
            is_single: is_single.named("is_single"),
            single: single.named("single"),
        }
    }
}

/// The state before the unit, one bit each; none of them is set between sequences.
struct State<'m> {
    /// The unit before leads.
    after_lead: Signal<'m>,
    /// The two units before are a lead and a digit, or the three are a lead, a digit and a lead.
    after_two: Option<Signal<'m>>,
    after_three: Option<Signal<'m>>,
    /// The two units before lead three octets of `euc-jp`.
    after_8f: Option<Signal<'m>>,
    /// The unit continues the sequence.
    continues: Signal<'m>,
    /// The sequence is open before the unit.
    open: Signal<'m>,
    /// The first octet of four.
    first: Option<Signal<'m>>,
}

impl<'m> State<'m> {
    fn new(m: &'m Builder, set: MultiOctet, window: &Window<'m>, class: &Class<'m>, pace: &Pace<'m>) -> Self {
        m.section("The open sequence");
        let present = (window.unit_valid | window.frame_ends).named("present");
        let loads = (pace.take & present).named("state_loads");
        let goes_on = (window.unit_valid & !window.frame_ends).named("goes_on");
        let after = |name: &str, note: &str| m.reg(name, 1).reset(0).note(note);
        let has_four = matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030);
        let lead = after("after_lead_reg", "the unit before leads");
        let two = has_four.then(|| after("after_two_reg", "a lead and a digit come before"));
        let three = has_four.then(|| after("after_three_reg", "a lead, a digit and a lead come before"));
        let set_8f = (set == MultiOctet::EucJp).then(|| after("after_8f_reg", "8F and a lead come before"));
        let later = [two, three, set_8f].into_iter().flatten().map(|register| register.q);
        let open = later.fold(lead.q, |open, state| open | state).named("open");
        let begins = (!open & class.is_lead).named("begins");
        lead.next_when(loads, goes_on & begins);
        let mut continues = begins;
        let mut first = None;
        if let (Some(two), Some(three)) = (two, three) {
            let is_two = (lead.q & class.is_digit).named("is_two");
            let is_three = (two.q & class.is_lead).named("is_three");
            two.next_when(loads, goes_on & is_two);
            three.next_when(loads, goes_on & is_three);
            continues = continues | is_two | is_three;
            let register = m.reg("first_reg", 8).note("the lead of the open sequence");
            register.next_when((loads & begins).named("first_loads"), window.moved_unit);
            first = Some(register.q);
        }
        if let Some(register) = set_8f {
            let is_8f = (lead.q & window.before[0].is(0x8f) & class.is_trail).named("is_8f");
            register.next_when(loads, goes_on & is_8f);
            continues = continues | is_8f;
        }
        Self {
            after_lead: lead.q,
            after_two: two.map(|register| register.q),
            after_three: three.map(|register| register.q),
            after_8f: set_8f.map(|register| register.q),
            continues: continues.named("continues"),
            open,
            first,
        }
    }
}

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    set: MultiOctet,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> DecodePipeline<'m> {
    let has_four = matches!(set, MultiOctet::Gbk | MultiOctet::Gb18030);
    let past = has_four.then_some(ErrorKind::OutOfRange);
    let kinds = [Some(ErrorKind::Truncated), past, Some(ErrorKind::Invalid)];
    let tags = Tags::new(m, style, &kinds.into_iter().flatten().collect::<Vec<_>>(), false);
    let window = Window::new(m, beat, pace);
    let table = PairTable::of(set);
    let word = window.word(m, &table, "pair");
    let word_of_8f =
        (set == MultiOctet::EucJp).then(|| window.word(m, &PairTable::of_jis_0212(), "pair_after_8f"));
    m.section("The class of the unit");
    let class = Class::new(m, set, window.moved_unit);
    let state = State::new(m, set, &window, &class, pace);
    let four = state.first.map(|first| Four::new(m, &window, first));
    m.section(tags.heading("Slots that the unit makes certain", "Errors that the unit makes certain"));
    let word = match state.after_8f.zip(word_of_8f) {
        Some((after, of_8f)) => after.mux(of_8f.zext(word.width()), word).named("word"),
        None => word,
    };
    let slots = Slots { m, set, tags: &tags, window: &window, class: &class, state: &state, four, word };
    DecodePipeline { slot: queue(m, &slots.all(), pace.slots()), latency: LATENCY }
}

/// All that decides on the slots of a unit.
struct Slots<'s, 'm> {
    m: &'m Builder,
    set: MultiOctet,
    tags: &'s Tags<'m>,
    window: &'s Window<'m>,
    class: &'s Class<'m>,
    state: &'s State<'m>,
    four: Option<Four<'m>>,
    /// The word of the pair that ends with the unit; 0 if there is none.
    word: Signal<'m>,
}

impl<'m> Slots<'_, 'm> {
    /// The slots in their order, those that are there first.
    fn all(&self) -> Vec<Entry<'m>> {
        let (first, second) = self.of_pair();
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
        let slot = |tag, data| Entry { is: breaks, keep: m.lit(1, 1), last: no, tag, data };
        let error = slot(self.tags.error(ErrorKind::Truncated), m.lit(CODE_BITS, 0));
        let digit = Entry { last: digit_ends, ..slot(self.tags.code_point(), digit) };
        let before = if self.tags.drops_errors() { vec![digit] } else { vec![error, digit] };
        let count = before.len();
        (0..count + main.len())
            .map(|index| {
                let none = || first.when(no);
                let unbroken = main.get(index).copied().unwrap_or_else(none);
                let broken = before.get(index).copied().unwrap_or_else(|| main[index - count]);
                Entry::mux(breaks, broken, unbroken)
            })
            .collect()
    }

    /// Whether the unit breaks four octets, and the digit among them.
    fn breaks(&self) -> Option<(Signal<'m>, Signal<'m>)> {
        let (two, three) = self.state.after_two.zip(self.state.after_three)?;
        let by_two = two & !self.class.is_lead;
        let by_three = three & !self.class.is_digit;
        let breaks = (self.window.unit_valid & (by_two | by_three)).named("breaks");
        let [one, before] = self.window.before;
        let digit = three.mux(before, one).zext(CODE_BITS).named("left_digit");
        Some((breaks.note("the unit breaks four octets, of which a digit is left"), digit))
    }

    /// The slots of the unit and of the pair that it ends, the unit's own last.
    fn of_pair(&self) -> (Entry<'m>, Option<Entry<'m>>) {
        let Self { m, set, tags, window, class, state, word, .. } = *self;
        let (one, no) = (m.lit(1, 1), m.lit(1, 0));
        let Window { unit_valid, frame_ends, .. } = *window;
        let ends_four = state.after_three.map(|three| three & class.is_digit);
        let by_three = state.after_three.map(|three| three & !class.is_digit);
        let ends_pair = [Some(state.after_lead), state.after_8f, by_three].into_iter().flatten();
        let ends_pair = ends_pair.reduce(|one, other| one | other).expect("a lead comes before");
        let ends_pair = ends_pair.named("ends_pair").note("the unit is the second one of a pair");
        let is_code = word.any().named("is_pair").note("the pair is a code point");
        let bad_pair = (ends_pair & !is_code).named("is_bad_pair");
        let rereads = (bad_pair & class.is_ascii).named("rereads");
        let rereads = rereads.note("the lead is an error, and the unit is read again");
        let of_bad_pair =
            Tag::mux(class.is_trail, tags.error(ErrorKind::Invalid), tags.error(ErrorKind::Truncated));
        let is_open = unit_valid.mux(state.continues, state.open);
        let cuts = (frame_ends & is_open).named("cuts");
        let cuts = cuts.note("the end of the frame cuts a sequence short");

        let alone = Tag::mux(class.is_single, tags.code_point(), tags.error(ErrorKind::Invalid));
        let pair = Tag::mux(bad_pair & !class.is_ascii, of_bad_pair, tags.code_point());
        let mut tag = Tag::mux(ends_pair, pair, alone);
        let mut is_error = ends_pair.mux(bad_pair & !class.is_ascii, !class.is_single);
        let of_pair = match set {
            MultiOctet::Big5 => {
                let second = m.lit(CODE_BITS, 0x304) | m.concat([word.bit(1), m.lit(3, 0)]).zext(CODE_BITS);
                self.is_two().mux(second, word.zext(CODE_BITS))
            }
            _ => word.zext(CODE_BITS),
        };
        let mut data = (ends_pair & is_code).mux(of_pair, class.single);
        if let Some((ends_four, four)) = ends_four.zip(self.four.as_ref()) {
            let ends_four = ends_four.named("ends_four");
            let past = Tag::mux(four.is_past, tags.error(ErrorKind::OutOfRange), tags.code_point());
            let of_four = Tag::mux(four.is_gap, tags.error(ErrorKind::Invalid), past);
            tag = Tag::mux(ends_four, of_four, tag);
            is_error = ends_four.mux(four.is_gap | four.is_past, is_error);
            data = ends_four.mux(four.code_point, data);
        }
        let tag = Tag::mux(unit_valid, tag, tags.code_point());
        let tag = Tag::mux(cuts, tags.error(ErrorKind::Truncated), tag).named("own");
        let is_error = (cuts | is_error & unit_valid).named("is_error");
        let ends_here = (unit_valid & !state.continues).named("ends_here");
        let keep = (unit_valid | state.open).named("own_keep");
        let (is, keep) = match tags.drops_errors() {
            true => (ends_here & !is_error, keep & !is_error),
            false => (ends_here, keep),
        };
        let own = Entry {
            is: (is | frame_ends).named("own_is"),
            keep,
            last: frame_ends,
            tag,
            data: data.when(unit_valid).named("own_data"),
        };

        let ends_pair_here = (ends_here & ends_pair).named("ends_pair_here");
        let of_error = (!tags.drops_errors()).then_some(rereads);
        let early = match (set, of_error) {
            (MultiOctet::Big5, of_error) => {
                let is_two = self.is_two();
                let first = m.lit(CODE_BITS, 0xca) | m.concat([word.bit(0), m.lit(5, 0)]).zext(CODE_BITS);
                let tag = Tag::mux(is_two, tags.code_point(), of_bad_pair);
                Some((of_error.map_or(is_two, |of_error| of_error | is_two), tag, first))
            }
            (_, Some(rereads)) => Some((rereads, of_bad_pair, m.lit(CODE_BITS, 0))),
            (_, None) => None,
        };
        let Some((is, tag, data)) = early else { return (own, None) };
        let is = (ends_pair_here & is).named("early_is");
        let early = Entry { is, keep: one, last: no, tag, data };
        (Entry::mux(is, early, own), Some(own.when(is)))
    }

    /// The pair is two code points of `big5`.
    fn is_two(&self) -> Signal<'m> {
        self.word.bits(16..18).all()
    }
}
