//! Cores of one lane against second descriptions of systems. The description of a system is a plain state machine, typed from the document that defines
//! the system, and, for encoders, a writer of code points. Descriptions share nothing with the cores or with the software reference.
//!
//! The machine reads each unit that a decoder takes, and makes slots at once; registers at the input and output of the machine delay these to
//! the same cycle as in the core. A *pick*, free inputs of the problem, chooses one slot; the problem remembers the slot and the number of slots due before it. When the slot
//! is due, the beat that the core offers must equal it in `tdata`, `tuser`, `tkeep` and `tlast`. Since any slot can be picked
//! in any run, this proves all slots of all runs, and their order.

mod cesu_8;
mod corrected_utf_8;
mod decoder;
mod encoder;
mod groups;
mod later;
mod machine;
mod marks;
mod octets;
mod prefix;
mod single;
mod tables;
mod tables_of_octets;
mod transcoder;
mod utf_16;
mod utf_18;
mod utf_8;
mod utf_8_bom;
mod utf_9;
mod utf_inf_8;
mod writer;
mod wtf_8;

use utfhdl_hdl::core::{Axis, Bus, Core, CoreSpec, Max, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use super::bench::{Bench, limited_problem};

pub(super) use self::encoder::limit;
pub(super) use self::machine::{Machine, Read, Slot, State, Step, Unit, WordsOfSlot};
pub(super) use self::marks::marks;
pub(super) use self::writer::{Writer, Written};

/// Kinds of errors, as docs/interface.md numbers them.
const UNEXPECTED: u64 = 1;
const TRUNCATED: u64 = 2;
const OVERLONG: u64 = 3;
const SURROGATE: u64 = 4;
const OUT_OF_RANGE: u64 = 5;
const INVALID: u64 = 6;
const LENGTH: u64 = 7;
const RESERVED: u64 = 8;
const NUL: u64 = 9;

/// The last code point of Unicode, and the surrogates.
const LAST_OF_UNICODE: u64 = 0x10_FFFF;
const SURROGATES: (u64, u64) = (0xD800, 0xDFFF);

/// Values of `tuser`, as docs/interface.md numbers them: the last kind of an error, the head of a code point of 2^32 or more, and a limb of it.
const LAST_KIND: u64 = 10;
const HEAD: u64 = 14;
const LIMB: u64 = 15;

/// Bits of a limb.
const LIMB_BITS: u32 = 32;

/// U+FFFD, the data of an error's slot.
const REPLACEMENT: u64 = 0xfffd;

/// More slots than a core of one lane holds.
const MOST_HELD: u64 = 9;

fn any<'m>(signals: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    signals.into_iter().reduce(|a, b| a | b).expect("one at least")
}

/// Whether a code point is within a range. Signals of few bits have no code points above theirs.
fn is_within<'m>(m: &'m Builder, code_point: Signal<'m>, (first, last): (u128, u128)) -> Signal<'m> {
    let width = code_point.width();
    let most = u128::MAX >> (u128::BITS - width);
    let lit = |value: u128| match width.checked_sub(u64::BITS) {
        None | Some(0) => m.lit(width, value as u64),
        Some(above) => m.concat([m.lit(above, (value >> u64::BITS) as u64), m.lit(u64::BITS, value as u64)]),
    };
    if first > most {
        return m.lit(1, 0);
    }
    let not_below = (first > 0).then(|| lit(first).le(code_point));
    let not_above = (last < most).then(|| code_point.le(lit(last)));
    not_below.into_iter().chain(not_above).reduce(|a, b| a & b).unwrap_or_else(|| m.lit(1, 1))
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
        System::Utf8EightByte => tables::OF_HUNK_8,
        System::Utf8SixtyFiveBit => tables::OF_UTF_8_65_BIT,
        System::UtfInf8 { digits } => utf_inf_8::machine(digits),
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
            8 => tables::OF_HUNK_8,
            9 => tables::OF_HUNK_9,
            _ => return None,
        },
        _ => return None,
    };
    Some(machine)
}

/// Whether a core of a system counts few limbs, or none. With more, checkers have no answer where the core holds its counters in another form than the machine: a
/// decoder of one lane writes the number of limbs by an adder with a register inside, and cores of several lanes count octets.
pub(super) fn has_few_limbs(system: System) -> bool {
    !matches!(system, System::UtfInf8 { digits } if digits > utf_inf_8::FEW_DIGITS)
}

/// Whether a core has one lane without strict widths. The statements read lane 0 only, so they are false for several lanes.
fn is_of_one_lane(spec: &CoreSpec) -> bool {
    spec.axis == Axis::Lane && spec.lanes == 1
}

/// Whether there is something to prove of a core.
pub fn is_there(core: &Core) -> bool {
    match core.spec.role {
        Role::Decoder => decoder::is_there(core),
        Role::Encoder => encoder::is_there(core),
        Role::Validator(_) => marks::is_there(core),
        Role::Transcoder { .. } => transcoder::is_there(core),
    }
}

/// A problem: its name, its statement, and the netlist.
pub type Part = (&'static str, &'static str, Design);

/// The problems of a core: one, but for transcoders.
pub fn parts(core: &Core) -> Vec<Part> {
    if matches!(core.spec.role, Role::Transcoder { .. }) {
        return transcoder::parts(core).unwrap_or_default();
    }
    design(core).map(|design| ("spec", says(core), design)).into_iter().collect()
}

/// The statement that is proved of a core that is no transcoder.
pub fn says(core: &Core) -> &'static str {
    match core.spec.role {
        Role::Encoder => encoder::says(core),
        Role::Validator(_) => marks::SAYS,
        Role::Decoder | Role::Transcoder { .. } => {
            "value, kind, tlast and order of every slot are those of the system's definition"
        }
    }
}

/// The problem of a core that is no transcoder, if there is one.
pub fn design(core: &Core) -> Option<Design> {
    // An encoder is given no heads and limbs, and nothing that is no slot; on the short bus, these are errors.
    let is_limited = encoder::is_there(core) && core.spec.bus == Bus::Long && !encoder::has_groups(core);
    limited_problem(
        core,
        |port, signal| if is_limited && port == "s_axis_tuser" { encoder::limit(signal) } else { signal },
        bad,
    )
}

/// The failures, a bit each: the core's output differs from that of its second description; `None` if there is none that
/// reads and makes what is at the ports.
pub fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    match bench.core.spec.role {
        Role::Decoder => decoder::bad(bench),
        Role::Encoder => encoder::bad(bench),
        Role::Validator(_) => marks::bad(bench),
        Role::Transcoder { .. } => None,
    }
}
