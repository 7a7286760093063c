//! The octet forms of systems of words, as the Unicode Standard defines them: §3.10, definitions D96 to D101.
//!
//! Octets are put together to words, and the machine of the words reads these. Octets that are left over at the end of a frame are an
//! error, after that of the words. Where a frame may open with a byte order mark (§23.8, "Byte Order Mark (BOM)"), the word U+FEFF in
//! either order is no text at the start of the frame, and its order is that of the other words.

use utfhdl_hdl::core::ByteOrder;
use utfhdl_hdl::netlist::{Builder, Signal};

use super::machine::{ReadUnit, Reads};
use super::{Machine, State, Step, Unit, Written};

const OCTET: u32 = 8;

/// How a word is put together.
#[derive(Clone, Copy)]
pub(super) struct Octets {
    /// Octets of a word: 2 or 4.
    count: u32,
    /// The order without a byte order mark.
    order: ByteOrder,
    /// A byte order mark may come first. The two high bits of the position say that a word has been read, and that a mark has said that words
    /// have the other order.
    bom: bool,
}

/// U+FEFF.
const MARK: u64 = 0xFEFF;

/// The machine of octets, by that of the words. The low bits of the position count octets, and the low bits of the value are the
/// octets.
///
/// # Panics
/// If the machine of the words does not read units itself.
pub(super) const fn machine(words: Machine, word_bits: u32, order: ByteOrder, bom: bool) -> Machine {
    let Reads::Units(step) = words.reads else { panic!("words are units") };
    let octets = Octets { bom, ..Octets::new(word_bits, order) };
    let of_count = octets.bits_of_count();
    Machine {
        position_bits: words.position_bits + of_count + octets.bits_of_mark(),
        open_bits: words.open_bits + of_count,
        value_bits: words.value_bits + octets.bits_before_last(),
        units_of_word: octets.count as usize,
        words_of_slot: None,
        reads: Reads::Octets(octets, step),
        ..words
    }
}

impl Octets {
    /// Octets in this order, for words of `word_bits` bits.
    pub(super) const fn new(word_bits: u32, order: ByteOrder) -> Self {
        Self { count: word_bits / OCTET, order, bom: false }
    }

    /// Bits of the number of octets read.
    const fn bits_of_count(self) -> u32 {
        self.count.ilog2()
    }

    /// Bits of what is known of a byte order mark.
    const fn bits_of_mark(self) -> u32 {
        if self.bom { 2 } else { 0 }
    }

    /// Bits of all octets of a word but the last.
    const fn bits_before_last(self) -> u32 {
        (self.count - 1) * OCTET
    }

    /// The octets of a word that come before its last.
    pub(super) const fn before_last(self) -> usize {
        self.count as usize - 1
    }

    /// The state of the machine of words.
    pub(super) fn of_words(self, state: State<'_>) -> State<'_> {
        let State { position, value } = state;
        State {
            position: position.bits(self.bits_of_count()..position.width() - self.bits_of_mark()),
            value: value.bits(self.bits_before_last()..value.width()),
        }
    }

    /// The number of octets of a word that is not whole.
    pub(super) fn left_over(self, state: State<'_>) -> Signal<'_> {
        state.position.bits(0..self.bits_of_count())
    }

    /// The octets of a word in the other direction.
    fn reversed<'m>(self, m: &'m Builder, word: Signal<'m>) -> Signal<'m> {
        m.concat((0..self.count).map(|index| word.bits(index * OCTET..(index + 1) * OCTET)))
    }

    /// The bits of a word with its octets in the order of the stream, or of such octets with the bits of a word.
    fn ordered<'m>(self, m: &'m Builder, word: Signal<'m>) -> Signal<'m> {
        match self.order {
            ByteOrder::Big => word,
            ByteOrder::Little => self.reversed(m, word),
        }
    }

    /// The octets of a word up to `unit`.
    fn octets<'m>(self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Signal<'m> {
        m.concat([state.value.bits(0..self.bits_before_last()), unit.bits])
    }

    /// Whether a unit would be the last octet of its word.
    fn is_whole(self, state: State<'_>) -> Signal<'_> {
        self.left_over(state).is(u64::from(self.count) - 1)
    }

    /// Whether a unit would end the mark at the start of the frame, that of the order and that of the other order.
    pub(super) fn marks<'m>(self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> [Signal<'m>; 2] {
        if !self.bom {
            return [m.lit(1, 0); 2];
        }
        let has_begun = state.position.bit(state.position.width() - self.bits_of_mark());
        let own = self.ordered(m, self.octets(m, state, unit));
        [own, self.reversed(m, own)].map(|word| self.is_whole(state) & !has_begun & word.is(MARK))
    }

    /// Reads an octet.
    pub(super) fn step<'m>(
        self,
        m: &'m Builder,
        step: ReadUnit,
        state: State<'m>,
        unit: &Unit<'m>,
    ) -> Step<'m> {
        let (before, count) = (self.of_words(state), self.left_over(state));
        let octets = self.octets(m, state, unit);
        let is_whole = self.is_whole(state);
        let mut bits = self.ordered(m, octets);
        let [own_mark, other_mark] = self.marks(m, state, unit);
        let is_mark = own_mark | other_mark;
        let mut of_mark = None;
        if self.bom {
            let top = state.position.width() - self.bits_of_mark();
            let (has_begun, is_other) = (state.position.bit(top), state.position.bit(top + 1));
            bits = is_other.mux(self.reversed(m, bits), bits);
            of_mark = Some(m.concat([is_other | other_mark, has_begun | is_whole]));
        }
        let word = Unit { is_there: unit.is_there & is_whole & !is_mark, bits };
        let Step { cut, own, next } = step(m, before, &word);
        let one_more = count + m.lit(self.bits_of_count(), 1);
        let words = (is_whole & !is_mark).mux(next.position, before.position);
        let next = State {
            position: m.concat(of_mark.into_iter().chain([words, one_more])),
            value: m
                .concat([is_whole.mux(next.value, before.value), octets.bits(0..self.bits_before_last())]),
        };
        Step { cut, own, next }
    }

    /// The octets of words.
    pub(super) fn write<'m>(self, m: &'m Builder, words: Vec<Written<'m>>) -> Vec<Written<'m>> {
        let octets = |Written { is_there, bits }: Written<'m>| {
            let octets = self.ordered(m, bits);
            let octet = move |index: u32| octets.bits(index * OCTET..(index + 1) * OCTET);
            (0..self.count).rev().map(move |index| Written { is_there, bits: octet(index) })
        };
        words.into_iter().flat_map(octets).collect()
    }
}
