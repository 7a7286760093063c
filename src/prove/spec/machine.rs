//! The state machines of second descriptions, which read units and make slots.

use utfhdl_hdl::core::Table;
use utfhdl_hdl::netlist::{Builder, Signal};

use super::octets::Octets;
use super::{HEAD, LAST_KIND, LIMB_BITS, REPLACEMENT, TRUNCATED, tables_of_octets, utf_inf_8};

/// The unit that the core takes in a cycle.
pub(in crate::prove) struct Unit<'m> {
    /// The core takes a unit.
    pub(in crate::prove) is_there: Signal<'m>,
    /// The bits of the unit.
    pub(in crate::prove) bits: Signal<'m>,
}

/// A slot that a unit makes.
pub(in crate::prove) struct Slot<'m> {
    pub(in crate::prove) is_there: Signal<'m>,
    /// 0 for a code point, the kind of an error, or the value of a head or a limb.
    pub(in crate::prove) user: Signal<'m>,
    /// The code point, whose low bits are the data of a last limb; the data of another limb; in a head, the number of limbs as the sum of the
    /// low 32 bits and those above. Without meaning in an error.
    pub(in crate::prove) value: Signal<'m>,
}

/// The state of a machine after the units it has read.
#[derive(Clone, Copy)]
pub(in crate::prove) struct State<'m> {
    /// The position in a sequence, whose low bits are 0 between sequences.
    pub(in crate::prove) position: Signal<'m>,
    /// The bits known of the code point; without meaning between sequences.
    pub(in crate::prove) value: Signal<'m>,
}

/// The result of a unit.
pub(in crate::prove) struct Step<'m> {
    /// The error of the sequence that the unit cuts short.
    pub(in crate::prove) cut: Slot<'m>,
    /// The slot of the sequence that the unit ends.
    pub(in crate::prove) own: Slot<'m>,
    /// The state after the unit.
    pub(in crate::prove) next: State<'m>,
}

/// A machine.
#[derive(Clone, Copy)]
pub(in crate::prove) struct Machine {
    pub(super) position_bits: u32,
    /// The low bits of the position that say whether a sequence is open. Those above them remember something of the sequence before.
    pub(super) open_bits: u32,
    pub(super) value_bits: u32,
    /// Units of a word. Where each is a word, a sequence may have several.
    pub(super) units_of_word: usize,
    /// Words of a slot, in a system in which each unit is a word and belongs to a slot, if that is stated.
    pub(super) words_of_slot: Option<WordsOfSlot>,
    /// Code points can be groups of slots: above the `open_bits`, a bit of the position says that the head has gone out.
    pub(super) has_groups: bool,
    pub(super) reads: Reads,
    /// The kind of the error of the open sequence at the end of a frame.
    pub(super) at_end: for<'m> fn(&'m Builder, State<'m>) -> Signal<'m>,
}

/// How many words a slot has.
#[derive(Clone, Copy)]
pub(in crate::prove) enum WordsOfSlot {
    /// A slot has at most this number of words.
    UpTo(usize),
    /// A slot can have any number of words.
    Any,
}

/// How a machine reads a unit.
#[derive(Clone, Copy)]
pub(super) enum Reads {
    Units(ReadUnit),
    /// Units are the octets of words, and the words are read.
    Octets(Octets, ReadUnit),
    /// Units are code points by a table.
    Table(Table),
    /// Code points of UTF-∞-8 have up to this number of digits.
    UtfInf8(u64),
}

/// Reads a unit. In a cycle without a unit, the step has no slots.
pub(super) type ReadUnit = for<'m> fn(&'m Builder, State<'m>, &Unit<'m>) -> Step<'m>;

impl Machine {
    /// A machine whose open sequences are `truncated` at the end of a frame.
    pub(super) const fn new(position_bits: u32, value_bits: u32, step: ReadUnit) -> Self {
        Self::reading(position_bits, value_bits, Reads::Units(step))
    }

    pub(super) const fn reading(position_bits: u32, value_bits: u32, reads: Reads) -> Self {
        let open_bits = position_bits;
        Self {
            position_bits,
            open_bits,
            value_bits,
            units_of_word: 1,
            words_of_slot: None,
            has_groups: false,
            reads,
            at_end: |m, _| m.lit(4, TRUNCATED),
        }
    }

    /// Reads a unit.
    pub(in crate::prove) fn step<'m>(self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
        match self.reads {
            Reads::Units(step) => step(m, state, unit),
            Reads::Octets(octets, step) => octets.step(m, step, state, unit),
            Reads::Table(table) => tables_of_octets::step(m, table, unit),
            Reads::UtfInf8(digits) => utf_inf_8::step(m, digits, state, unit),
        }
    }

    /// Units of a sequence that may come before the unit by which the sequence before it is found to be cut short.
    pub(in crate::prove) fn units_before_cut(self) -> usize {
        match self.reads {
            Reads::Octets(octets, _) => octets.before_last(),
            Reads::Units(_) | Reads::Table(_) | Reads::UtfInf8(_) => 0,
        }
    }

    /// Units of a word: several, if units are octets of words, or in pairs.
    pub(in crate::prove) fn units_of_word(self) -> usize {
        self.units_of_word
    }

    /// The machine of a system in which an error can have any number of units.
    pub(super) const fn with_slots_of_any_length(self) -> Self {
        Self { words_of_slot: Some(WordsOfSlot::Any), ..self }
    }

    /// How many words a slot has, in a system in which each unit is a word and belongs to a slot, if that is stated.
    pub(in crate::prove) fn words_of_slot(self) -> Option<WordsOfSlot> {
        self.words_of_slot
    }

    /// The machine of a system each of whose slots has `words` units or fewer.
    pub(super) const fn with_slots_of(self, words: usize) -> Self {
        Self { words_of_slot: Some(WordsOfSlot::UpTo(words)), ..self }
    }

    /// The machine of a system whose code points can be groups of slots.
    pub(super) const fn with_groups(self, open_bits: u32) -> Self {
        Self { has_groups: true, open_bits, ..self }
    }

    /// Whether code points can be groups of slots: a head and limbs.
    pub(in crate::prove) fn has_groups(self) -> bool {
        self.has_groups
    }

    /// Whether the head of a group has gone out, whose last limb is still to come.
    pub(super) fn is_in_group<'m>(self, m: &'m Builder, state: State<'m>) -> Signal<'m> {
        if self.has_groups { state.position.bit(self.open_bits) } else { m.lit(1, 0) }
    }

    /// Whether a slot goes out of a decoder, which may drop errors: `open` is the state of the sequence that the slot cuts short. An error in place of a limb is never
    /// dropped.
    pub(in crate::prove) fn goes_out<'m>(
        self,
        m: &'m Builder,
        slot: &Slot<'m>,
        drops: bool,
        open: Option<State<'m>>,
    ) -> Signal<'m> {
        let is_limb = open.map_or(m.lit(1, 0), |open| self.is_in_group(m, open));
        if drops { slot.is_there & (is_limb | !slot.is_error()) } else { slot.is_there }
    }

    /// Whether the unit that was read makes a slot that is no part of a group, or the last of a group.
    pub(in crate::prove) fn ends_slot<'m>(self, m: &'m Builder, step: &Step<'m>) -> Signal<'m> {
        step.own.is_there & !self.is_in_group(m, step.next)
    }

    /// Whether the units that were read are whole words.
    pub(in crate::prove) fn is_between_words<'m>(self, m: &'m Builder, state: State<'m>) -> Signal<'m> {
        match self.reads {
            Reads::Octets(octets, _) => !octets.left_over(state).any(),
            Reads::Units(_) if self.units_of_word > 1 => !self.is_open(state),
            Reads::Units(_) | Reads::Table(_) | Reads::UtfInf8(_) => m.lit(1, 1),
        }
    }

    /// Whether a unit ends the mark at the start of a frame, which is a word and makes no slot.
    pub(in crate::prove) fn ends_mark<'m>(
        self,
        m: &'m Builder,
        state: State<'m>,
        unit: &Unit<'m>,
    ) -> Signal<'m> {
        match self.reads {
            Reads::Octets(octets, _) => {
                let [own, other] = octets.marks(m, state, unit);
                unit.is_there & (own | other)
            }
            Reads::Units(_) | Reads::Table(_) | Reads::UtfInf8(_) => m.lit(1, 0),
        }
    }

    /// Whether a sequence is open.
    pub(in crate::prove) fn is_open<'m>(self, state: State<'m>) -> Signal<'m> {
        state.position.bits(0..self.open_bits).any()
    }

    /// The errors at the end of a frame in an open sequence: one that only octets of words have, and the last one.
    pub(in crate::prove) fn cuts_at_end<'m>(
        self,
        m: &'m Builder,
        state: State<'m>,
        is_there: Signal<'m>,
    ) -> [Slot<'m>; 2] {
        let (words, left_over) = match self.reads {
            Reads::Octets(octets, _) => (octets.of_words(state), octets.left_over(state).any()),
            Reads::Units(_) | Reads::Table(_) | Reads::UtfInf8(_) => (state, m.lit(1, 0)),
        };
        let kind = (self.at_end)(m, words);
        let slot = |is_there, user| Slot { is_there, user, value: m.lit(1, 0) };
        [
            slot(is_there & words.position.any() & left_over, kind),
            slot(is_there, left_over.mux(m.lit(4, TRUNCATED), kind)),
        ]
    }

    /// The state between sequences.
    pub(in crate::prove) fn start(self, m: &Builder) -> State<'_> {
        State { position: m.lit(self.position_bits, 0), value: m.lit(self.value_bits, 0) }
    }

    /// A machine that reads a unit in each cycle.
    pub(in crate::prove) fn keep<'m>(self, m: &'m Builder, unit: &Unit<'m>) -> Step<'m> {
        let always = m.lit(1, 1);
        self.read(m, unit, always, m.lit(1, 0)).step
    }

    /// Makes a machine that reads `unit` in each cycle with `taken`, and returns to the state between sequences where `ends`
    /// says that the frame ends.
    pub(super) fn read<'m>(
        self,
        m: &'m Builder,
        unit: &Unit<'m>,
        taken: Signal<'m>,
        ends: Signal<'m>,
    ) -> Read<'m> {
        let position = m.reg("position_reg", self.position_bits).reset(0);
        let value = m.reg("value_reg", self.value_bits);
        let read = self.read_in(m, State { position: position.q, value: value.q }, unit);
        position.next_when(taken, read.after.position.when(!ends));
        value.next_when(taken, read.after.value);
        read
    }

    /// Reads a unit, where there is one, in a state.
    pub(in crate::prove) fn read_in<'m>(
        self,
        m: &'m Builder,
        before: State<'m>,
        unit: &Unit<'m>,
    ) -> Read<'m> {
        let step = self.step(m, before, unit);
        let after = State {
            position: unit.is_there.mux(step.next.position, before.position),
            value: unit.is_there.mux(step.next.value, before.value),
        };
        Read { step, before, after }
    }
}

/// The step of a machine for a unit, which may be absent, and the states around it.
pub(in crate::prove) struct Read<'m> {
    pub(in crate::prove) step: Step<'m>,
    /// The state before the unit.
    pub(in crate::prove) before: State<'m>,
    /// The state after the unit, before the end of the frame.
    pub(in crate::prove) after: State<'m>,
}

impl<'m> Slot<'m> {
    /// The slot is an error.
    pub(in crate::prove) fn is_error(&self) -> Signal<'m> {
        self.user.within(1, LAST_KIND)
    }

    /// The code point, where it is no error, and is whole.
    pub(in crate::prove) fn code_point(&self) -> Signal<'m> {
        self.value
    }

    /// The slot is a code point of one octet.
    pub(super) fn is(&self, octet: u64) -> Signal<'m> {
        let value = if self.value.width() < u8::BITS { self.value.zext(u8::BITS) } else { self.value };
        !self.user.any() & value.is(octet)
    }

    /// The slot as the bus has it: `tuser`, and below it `tdata`.
    pub(in crate::prove) fn shown(&self, m: &'m Builder) -> Signal<'m> {
        shown(m, self.user, self.value)
    }
}

pub(super) fn shown<'m>(m: &'m Builder, user: Signal<'m>, value: Signal<'m>) -> Signal<'m> {
    let wide = value.zext(value.width().max(LIMB_BITS + 1));
    let (low, above) = (wide.bits(0..LIMB_BITS), wide.bits(LIMB_BITS..wide.width()));
    let above = above.bits(0..above.width().min(LIMB_BITS)).zext(LIMB_BITS);
    let data = low + above.when(user.is(HEAD));
    m.concat([user, user.within(1, LAST_KIND).mux(m.lit(LIMB_BITS, REPLACEMENT), data)])
}
