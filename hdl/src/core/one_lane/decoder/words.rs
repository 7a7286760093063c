//! The words of UTF-16 and UTF-32: a word of 16 or 32 bits is a unit, or the octets of a unit are put together here.
//!
//! A frame of octets may open with a byte order mark, which is the first word and no text: it says in which order the
//! octets of the frame's words come.

use super::unit::OneUnitBeat;
use crate::core::ByteOrder;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::pace::Pace;
use crate::netlist::{Builder, Reg, Signal};

/// The byte order mark.
const MARK: u64 = 0xfeff;

/// How words come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordForm {
    /// A unit is a word.
    Unit,
    /// A unit is an octet of a word.
    Octets {
        /// The order of the octets, if no mark says otherwise.
        order: ByteOrder,
        /// A frame may open with a byte order mark.
        bom: bool,
    },
}

/// A beat with the last unit of a word, or with an octet before it.
#[derive(Clone, Copy)]
pub(super) struct WordBeat<'m> {
    /// The word; anything if none is whole.
    pub(super) word: Signal<'m>,
    /// The unit completes a word of the text.
    pub(super) whole: Signal<'m>,
    /// The unit begins a word.
    pub(super) begins: Signal<'m>,
    /// The frame ends with the beat.
    pub(super) frame_ends: Signal<'m>,
    /// The frame ends inside of a word; `None` if words are units, or if errors are dropped.
    pub(super) cut: Option<Signal<'m>>,
}

impl WordForm {
    /// The words of `bits` bits that the units of a decoder are or make. It has slots for errors, or it drops them.
    pub(super) fn words<'m>(
        self,
        m: &'m Builder,
        bits: u32,
        beat: OneUnitBeat<'m>,
        has_errors: bool,
        pace: &Pace<'m>,
    ) -> WordBeat<'m> {
        let OneUnitBeat { unit, unit_valid, frame_ends, little, .. } = beat;
        let Self::Octets { order, bom } = self else {
            return WordBeat { word: unit, whole: unit_valid, begins: unit_valid, frame_ends, cut: None };
        };
        m.section("Input: octets become words");
        let octets = bits / OCTET;
        let reads =
            (pace.take & (unit_valid | frame_ends)).named("reads").note("a beat that holds something");
        let before =
            m.reg("octets_reg", bits - OCTET).note("octets of the word before this one, the last below");
        let count = m.reg("count_reg", octets.ilog2()).reset(0).note("number of these octets");
        let joined =
            m.concat([before.q, unit]).named("joined").note("the octets in the order in which they came");
        before.next_when(reads, joined.bits(0..bits - OCTET));
        count.next_when(reads, (count.q + m.lit(count.q.width(), 1)).when(!frame_ends));
        let whole = (unit_valid & count.q.all()).named("word_whole");
        let cut = has_errors.then(|| {
            let inside = unit_valid | count.q.any();
            (frame_ends & inside & !whole).named("word_cut").note("the frame ends inside of a word")
        });

        let begins = unit_valid & !count.q.any();
        let reversed = m.concat((0..octets).map(|at| joined.bits(at * OCTET..(at + 1) * OCTET)));
        if !bom {
            let word = match (little, order) {
                (Some(little), _) => little.mux(reversed, joined).named("word"),
                (None, ByteOrder::Big) => joined,
                (None, ByteOrder::Little) => reversed.named("word"),
            };
            return WordBeat { word, whole, begins, frame_ends, cut };
        }
        let octet = MarkOctet { unit, count: count.q, count_is_last: whole, is_read: reads };
        let marks = Marks::new(m, octet, bits, order);
        let reads_word = (pace.take & (whole | frame_ends)).named("reads_word");
        marks.follow(m, reads_word, frame_ends, order);
        let word = marks.little.q.mux(reversed, joined).named("word");
        let whole =
            (whole & !marks.is_mark).named("text_whole").note("a word is complete, and is not the mark");
        WordBeat { word, whole, begins, frame_ends, cut }
    }
}

/// The byte order mark of a frame.
struct Marks<'m> {
    /// The first word of the frame is past.
    in_text: Reg<'m>,
    /// The octets of a word come from the least significant on.
    little: Reg<'m>,
    /// The word is the mark of the one or the other order.
    is_big: Signal<'m>,
    is_little: Signal<'m>,
    /// The word is the first of its frame, and a mark.
    is_mark: Signal<'m>,
}

/// An octet in front of the text, which may be of a mark.
struct MarkOctet<'m> {
    unit: Signal<'m>,
    /// The octets of the word before this one.
    count: Signal<'m>,
    /// The unit is there, and is the last octet of its word.
    count_is_last: Signal<'m>,
    /// The beat is taken.
    is_read: Signal<'m>,
}

impl<'m> Marks<'m> {
    fn new(m: &'m Builder, octet: MarkOctet<'m>, bits: u32, order: ByteOrder) -> Self {
        let in_text = m.reg("in_text_reg", 1).reset(0).note("the first word of the frame is past");
        let little = m.reg("little_reg", 1).reset((order == ByteOrder::Little).into());
        let little = little.note("the octets of words come from the least significant on");
        let is_big = octet.completes(m, "big", MARK, bits);
        let is_little = octet.completes(m, "little", MARK.swap_bytes() >> (u64::BITS - bits), bits);
        let is_mark = (octet.count_is_last & !in_text.q & (is_big | is_little)).named("is_mark");
        Self { in_text, little, is_big, is_little, is_mark: is_mark.note("the frame opens with a mark") }
    }

    /// Remembers the order of the frame's words; `reads_word` says that a word is taken, or the end of the frame.
    fn follow(&self, m: &'m Builder, reads_word: Signal<'m>, frame_ends: Signal<'m>, order: ByteOrder) {
        self.in_text.next_when(reads_word, !frame_ends);
        let named = m.lit(1, (order == ByteOrder::Little).into());
        let marked = match order {
            ByteOrder::Big => self.is_little,
            ByteOrder::Little => !self.is_big,
        };
        let marked = self.is_mark.mux(marked, self.little.q);
        self.little.next_when(reads_word, frame_ends.mux(named, marked));
    }
}

impl<'m> MarkOctet<'m> {
    /// Whether the octet, if it is the last of a word, completes `mark`. Every octet is compared as it comes: to compare the whole word
    /// with its last octet would take longer.
    fn completes(&self, m: &'m Builder, order: &str, mark: u64, bits: u32) -> Signal<'m> {
        let octets = bits / OCTET;
        let expected = |at: u32| mark >> ((octets - 1 - at) * OCTET) & 0xff;
        let begins = m.reg(&format!("begins_{order}_reg"), 1);
        let begins = begins.note("the octets of the word before this one are those of the mark");
        let continues =
            (1..octets - 1).map(|at| self.count.is(at.into()) & begins.q & self.unit.is(expected(at)));
        let opens = match octets {
            2 => self.unit.is(expected(0)),
            _ => self.count.is(0) & self.unit.is(expected(0)),
        };
        begins.next_when(self.is_read, continues.fold(opens, |begins, next| begins | next));
        (begins.q & self.unit.is(expected(octets - 1))).named(&format!("mark_of_{order}"))
    }
}
