//! Decoders against a second description of their systems: a plain state machine that is typed from the documents that define
//! them, in a file of its own for each. The machine shares nothing with the cores or with the software reference.
//!
//! The machine reads each unit in the cycle in which the core takes the unit, and gives its slots at once. A *pick*, free
//! inputs of the problem, chooses one slot; the problem remembers the slot and the number of slots due before it. When the slot
//! is due, the beat that the core offers must equal it in `tdata`, `tuser`, `tkeep` and `tlast`. Since any slot can be picked
//! in any run, this proves all slots of all runs, and their order.

mod cesu_8;
mod corrected_utf_8;
mod encoder;
mod marks;
mod octets;
mod prefix;
mod single;
mod tables;
mod tables_of_octets;
mod utf_16;
mod utf_18;
mod utf_8;
mod utf_8_bom;
mod utf_9;
mod wtf_8;

use utfhdl_hdl::core::{Axis, Bus, Core, ErrorMode, Max, Role, System, Table};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use super::bench::{Bench, limited_problem};
use super::pick::{Item, differs};

pub(super) use self::encoder::{Writer, Written, limit};
pub(super) use self::marks::marks;
use self::octets::Octets;

/// Kinds of errors, as docs/interface.md numbers them.
const UNEXPECTED: u64 = 1;
const TRUNCATED: u64 = 2;
const OVERLONG: u64 = 3;
const SURROGATE: u64 = 4;
const OUT_OF_RANGE: u64 = 5;
const INVALID: u64 = 6;
const RESERVED: u64 = 8;
const NUL: u64 = 9;

/// The last code point of Unicode, and the surrogates.
const LAST_OF_UNICODE: u64 = 0x10_FFFF;
const SURROGATES: (u64, u64) = (0xD800, 0xDFFF);

/// U+FFFD, the data of an error's slot.
const REPLACEMENT: u64 = 0xfffd;

/// More slots than a core of one lane holds.
const MOST_HELD: u64 = 9;

/// The unit that the core takes in a cycle.
pub(super) struct Unit<'m> {
    /// The core takes a unit.
    pub(super) is_there: Signal<'m>,
    /// The bits of the unit.
    pub(super) bits: Signal<'m>,
}

/// A slot that a unit makes.
pub(super) struct Slot<'m> {
    pub(super) is_there: Signal<'m>,
    /// 0 for a code point, else the kind of the error.
    user: Signal<'m>,
    /// The code point; without meaning in an error.
    value: Signal<'m>,
}

/// The state of a machine after the units it has read.
#[derive(Clone, Copy)]
pub(super) struct State<'m> {
    /// The position in a sequence, whose low bits are 0 between sequences.
    pub(super) position: Signal<'m>,
    /// The bits known of the code point; without meaning between sequences.
    pub(super) value: Signal<'m>,
}

/// The result of a unit.
pub(super) struct Step<'m> {
    /// The error of the sequence that the unit cuts short.
    pub(super) cut: Slot<'m>,
    /// The slot of the sequence that the unit ends.
    pub(super) own: Slot<'m>,
    /// The state after the unit.
    pub(super) next: State<'m>,
}

/// A machine.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    position_bits: u32,
    /// The low bits of the position that say whether a sequence is open. Those above them remember something of the sequence before.
    open_bits: u32,
    value_bits: u32,
    /// Units of a word. Where each is a word, a sequence may have several.
    units_of_word: usize,
    /// Words of a slot, in a system in which each unit is a word and belongs to a slot, if that is stated.
    words_of_slot: Option<WordsOfSlot>,
    reads: Reads,
    /// The kind of the error of the open sequence at the end of a frame.
    at_end: for<'m> fn(&'m Builder, State<'m>) -> Signal<'m>,
}

/// How many words a slot has.
#[derive(Clone, Copy)]
pub(super) enum WordsOfSlot {
    /// A slot has at most this number of words.
    UpTo(usize),
    /// A slot can have any number of words.
    Any,
}

/// How a machine reads a unit.
#[derive(Clone, Copy)]
enum Reads {
    Units(ReadUnit),
    /// Units are the octets of words, and the words are read.
    Octets(Octets, ReadUnit),
    /// Units are code points by a table.
    Table(Table),
}

/// Reads a unit. In a cycle without a unit, the step has no slots.
type ReadUnit = for<'m> fn(&'m Builder, State<'m>, &Unit<'m>) -> Step<'m>;

impl Machine {
    /// A machine whose open sequences are `truncated` at the end of a frame.
    const fn new(position_bits: u32, value_bits: u32, step: ReadUnit) -> Self {
        Self::reading(position_bits, value_bits, Reads::Units(step))
    }

    const fn reading(position_bits: u32, value_bits: u32, reads: Reads) -> Self {
        let open_bits = position_bits;
        Self {
            position_bits,
            open_bits,
            value_bits,
            units_of_word: 1,
            words_of_slot: None,
            reads,
            at_end: |m, _| m.lit(4, TRUNCATED),
        }
    }

    /// Reads a unit.
    pub(super) fn step<'m>(self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
        match self.reads {
            Reads::Units(step) => step(m, state, unit),
            Reads::Octets(octets, step) => octets.step(m, step, state, unit),
            Reads::Table(table) => tables_of_octets::step(m, table, unit),
        }
    }

    /// Units of a sequence that may come before the unit by which the sequence before it is found to be cut short.
    pub(super) fn units_before_cut(self) -> usize {
        match self.reads {
            Reads::Octets(octets, _) => octets.before_last(),
            Reads::Units(_) | Reads::Table(_) => 0,
        }
    }

    /// Units of a word: several, if units are octets of words, or in pairs.
    pub(super) fn units_of_word(self) -> usize {
        self.units_of_word
    }

    /// The machine of a system in which an error can have any number of units.
    const fn with_slots_of_any_length(self) -> Self {
        Self { words_of_slot: Some(WordsOfSlot::Any), ..self }
    }

    /// How many words a slot has, in a system in which each unit is a word and belongs to a slot, if that is stated.
    pub(super) fn words_of_slot(self) -> Option<WordsOfSlot> {
        self.words_of_slot
    }

    /// The machine of a system each of whose slots has `words` units or fewer.
    const fn with_slots_of(self, words: usize) -> Self {
        Self { words_of_slot: Some(WordsOfSlot::UpTo(words)), ..self }
    }

    /// Whether the units that were read are whole words.
    pub(super) fn is_between_words<'m>(self, m: &'m Builder, state: State<'m>) -> Signal<'m> {
        match self.reads {
            Reads::Octets(octets, _) => !octets.left_over(state).any(),
            Reads::Units(_) if self.units_of_word > 1 => !self.is_open(state),
            Reads::Units(_) | Reads::Table(_) => m.lit(1, 1),
        }
    }

    /// Whether a unit ends the mark at the start of a frame, which is a word and makes no slot.
    pub(super) fn ends_mark<'m>(self, m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Signal<'m> {
        match self.reads {
            Reads::Octets(octets, _) => {
                let [own, other] = octets.marks(m, state, unit);
                unit.is_there & (own | other)
            }
            Reads::Units(_) | Reads::Table(_) => m.lit(1, 0),
        }
    }

    /// Whether a sequence is open.
    pub(super) fn is_open<'m>(self, state: State<'m>) -> Signal<'m> {
        state.position.bits(0..self.open_bits).any()
    }

    /// The errors at the end of a frame in an open sequence: one that only octets of words have, and the last one.
    pub(super) fn cuts_at_end<'m>(
        self,
        m: &'m Builder,
        state: State<'m>,
        is_there: Signal<'m>,
    ) -> [Slot<'m>; 2] {
        let (words, left_over) = match self.reads {
            Reads::Octets(octets, _) => (octets.of_words(state), octets.left_over(state).any()),
            Reads::Units(_) | Reads::Table(_) => (state, m.lit(1, 0)),
        };
        let kind = (self.at_end)(m, words);
        let slot = |is_there, user| Slot { is_there, user, value: m.lit(1, 0) };
        [
            slot(is_there & words.position.any() & left_over, kind),
            slot(is_there, left_over.mux(m.lit(4, TRUNCATED), kind)),
        ]
    }

    /// The state between sequences.
    pub(super) fn start(self, m: &Builder) -> State<'_> {
        State { position: m.lit(self.position_bits, 0), value: m.lit(self.value_bits, 0) }
    }

    /// A machine that reads a unit in each cycle.
    pub(super) fn keep<'m>(self, m: &'m Builder, unit: &Unit<'m>) -> Step<'m> {
        let always = m.lit(1, 1);
        self.read(m, unit, always, m.lit(1, 0)).step
    }

    /// Makes a machine that reads `unit` in each cycle with `taken`, and returns to the state between sequences where `ends`
    /// says that the frame ends.
    fn read<'m>(self, m: &'m Builder, unit: &Unit<'m>, taken: Signal<'m>, ends: Signal<'m>) -> Read<'m> {
        let position = m.reg("position_reg", self.position_bits).reset(0);
        let value = m.reg("value_reg", self.value_bits);
        let read = self.read_in(m, State { position: position.q, value: value.q }, unit);
        position.next_when(taken, read.after.position.when(!ends));
        value.next_when(taken, read.after.value);
        read
    }

    /// Reads a unit, where there is one, in a state.
    pub(super) fn read_in<'m>(self, m: &'m Builder, before: State<'m>, unit: &Unit<'m>) -> Read<'m> {
        let step = self.step(m, before, unit);
        let after = State {
            position: unit.is_there.mux(step.next.position, before.position),
            value: unit.is_there.mux(step.next.value, before.value),
        };
        Read { step, before, after }
    }
}

/// The step of a machine for a unit, which may be absent, and the states around it.
pub(super) struct Read<'m> {
    pub(super) step: Step<'m>,
    /// The state before the unit.
    pub(super) before: State<'m>,
    /// The state after the unit, before the end of the frame.
    pub(super) after: State<'m>,
}

impl<'m> Slot<'m> {
    /// The slot is an error, not a code point.
    pub(super) fn is_error(&self) -> Signal<'m> {
        self.user.any()
    }

    /// The code point, where it is no error.
    pub(super) fn code_point(&self) -> Signal<'m> {
        self.value
    }

    /// The slot as the bus has it: `tuser`, and below it `tdata`.
    pub(super) fn shown(&self, m: &'m Builder) -> Signal<'m> {
        shown(m, self.user, self.value)
    }
}

fn shown<'m>(m: &'m Builder, user: Signal<'m>, value: Signal<'m>) -> Signal<'m> {
    m.concat([user, user.any().mux(m.lit(32, REPLACEMENT), value.zext(32))])
}

fn any<'m>(signals: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    signals.into_iter().reduce(|a, b| a | b).expect("one at least")
}

/// The machine of a system, if there is one.
pub(super) fn machine_of(system: System) -> Option<Machine> {
    let machine = match system {
        System::Utf8 => utf_8::MACHINE,
        System::Utf8Bom { .. } => utf_8_bom::MACHINE,
        System::Utf8Rfc2279 => tables::OF_UTF_8_RFC_2279,
        System::UtfEbcdicI8 { max: Max::Unicode } => tables::OF_UTF_EBCDIC_I8,
        System::UtfEbcdicI8 { max: Max::Ucs4 } => tables::OF_UTF_EBCDIC_I8_UCS_4,
        System::Wtf8 => wtf_8::MACHINE,
        System::Cesu8 => cesu_8::CESU_8,
        System::Mutf8 => cesu_8::MUTF_8,
        System::CorrectedUtf8 { document: false, private: false } => corrected_utf_8::MACHINE,
        System::Utf9 { max: Max::Unicode } => utf_9::UNICODE,
        System::Utf9 { max: Max::Ucs4 } => utf_9::UCS_4,
        System::Utf18 => utf_18::MACHINE,
        System::Utf16 => utf_16::MACHINE,
        System::Utf32 { max: Max::Unicode } => single::OF_UTF_32,
        System::Utf32 { max: Max::Ucs4 } => single::OF_UCS_4,
        System::Ucs2 => single::OF_UCS_2,
        System::Utf16Octets { order, bom } => octets::machine(utf_16::MACHINE, 16, order, bom),
        System::Utf32Octets { order, bom, max } => {
            let words = if max == Max::Unicode { single::OF_UTF_32 } else { single::OF_UCS_4 };
            octets::machine(words, 32, order, bom)
        }
        System::Ucs2Octets { order, bom } => octets::machine(single::OF_UCS_2, 16, order, bom),
        System::Latin1 => single::OF_LATIN_1,
        System::Ascii => single::OF_ASCII,
        System::Table(table) => tables_of_octets::machine(table),
        System::Hunk(width) => match width.bits() {
            1 => single::OF_HUNK_1,
            2 => single::OF_HUNK_2,
            3 => single::OF_HUNK_3,
            4 => tables::OF_HUNK_4,
            5 => tables::OF_HUNK_5,
            6 => tables::OF_HUNK_6,
            7 => tables::OF_HUNK_7,
            // Code points of 32 bits and more are groups of slots.
            _ => return None,
        },
        _ => return None,
    };
    Some(machine)
}

/// The machine of a core, if there is one.
fn machine(core: &Core) -> Option<Machine> {
    let spec = core.spec;
    let is_plain = spec.role == Role::Decoder && spec.axis == Axis::Lane && spec.lanes == 1;
    machine_of(spec.system).filter(|_| is_plain)
}

/// Whether there is something to prove of a core.
pub fn is_there(core: &Core) -> bool {
    machine(core).is_some() || encoder::is_there(core) || marks::is_there(core)
}

/// The statement that is proved of a core.
pub fn says(core: &Core) -> &'static str {
    match core.spec.role {
        Role::Encoder => encoder::SAYS,
        Role::Validator(_) => marks::SAYS,
        Role::Decoder | Role::Transcoder { .. } => {
            "value, kind, tlast and order of every slot are those of the system's definition"
        }
    }
}

/// The unit that is taken, and whether the frame ends with the beat, which may be empty.
fn unit<'m>(bench: &Bench<'m>) -> (Unit<'m>, Signal<'m>) {
    let input = &bench.input;
    let taken = input.taken();
    // A unit of fewer bits than its lane is in the low bits.
    let bits = input.tdata.bits(0..bench.core.spec.system.unit_bits());
    (Unit { is_there: (taken & input.tkeep.bit(0)).named("unit_taken"), bits }, taken & input.tlast)
}

/// The problem of a core, if there is one.
pub fn design(core: &Core) -> Option<Design> {
    // An encoder is given no heads and limbs, and nothing that is no slot; on the short bus, these are errors.
    let is_limited = encoder::is_there(core) && core.spec.bus == Bus::Long;
    limited_problem(
        core,
        |port, signal| if is_limited && port == "s_axis_tuser" { encoder::limit(signal) } else { signal },
        bad,
    )
}

/// The failures, a bit each: the core's output differs from the machine's, or from the writer's in an encoder; `None` without a
/// machine.
pub fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if marks::is_there(bench.core) {
        return marks::bad(bench);
    }
    let Some(machine) = machine(bench.core) else { return encoder::bad(bench) };
    let m = bench.m;
    let (unit, ends) = unit(bench);
    let Read { step: Step { cut, own, .. }, after, .. } = machine.read(m, &unit, bench.input.taken(), ends);
    let ends_inside = (ends & machine.is_open(after)).named("ends_inside");
    let [before_end, at_end] = machine.cuts_at_end(m, after, ends_inside);
    let data_bits = bench.core.spec.bus.data_bits();
    let drops = m.lit(1, (bench.core.spec.on_error == ErrorMode::Drop).into());
    let goes_out = |slot: &Slot<'m>| slot.is_there & !(drops & slot.is_error());
    let slot = |shown: Signal<'m>, is_last: Signal<'m>| {
        Item::of_slot(m, shown.bits(0..data_bits), shown.bits(32..36), is_last)
    };
    // A unit that ends a slot leaves nothing open, so a second slot is its own or that of the frame's end.
    // Octets that are left over come after an octet that ended none.
    let first = cut.is_there.mux(cut.shown(m), before_end.shown(m));
    let (has_first, has_second) =
        (goes_out(&cut) | goes_out(&before_end), goes_out(&own) | goes_out(&at_end));
    let second = goes_out(&own).mux(own.shown(m), at_end.shown(m));
    let second = slot(second, ends).when(has_second);
    let bare_end = Item::bare_end(m, data_bits);
    let items = [
        Item { is_there: has_first, word: slot(first, ends & !has_second) },
        Item { is_there: has_second | ends & !has_first, word: has_second.mux(second, bare_end) },
    ];
    Some(differs(m, &bench.output, bench.output.tvalid, &items, MOST_HELD))
}
