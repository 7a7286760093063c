//! Systems whose units are code points of the same number, each of them by itself; other units are errors.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{
    INVALID, LAST_OF_UNICODE, Machine, OUT_OF_RANGE, OVERLONG, SURROGATE, SURROGATES, Slot, State, Step,
    UNEXPECTED, Unit, any,
};

/// Units that are errors of a kind.
type Errors = &'static [((u64, u64), u64)];

/// ISO/IEC 8859-1.
const LATIN_1: Errors = &[];
/// RFC 20.
const ASCII: Errors = &[((0x80, 0xFF), INVALID)];
const UCS_2: Errors = &[(SURROGATES, SURROGATE)];
/// The Unicode Standard, §3.9, definition D90.
const UTF_32: Errors = &[(SURROGATES, SURROGATE), ((LAST_OF_UNICODE + 1, 0xFFFF_FFFF), OUT_OF_RANGE)];
const UCS_4: Errors = &[(SURROGATES, SURROGATE), ((0x8000_0000, 0xFFFF_FFFF), OUT_OF_RANGE)];
// Barber, table nine: the rows that add no code point are overlong.
const HUNK_1: Errors = &[((1, 1), INVALID)];
const HUNK_2: Errors = &[((0b10, 0b10), UNEXPECTED), ((0b11, 0b11), OVERLONG)];
const HUNK_3: Errors = &[((0b100, 0b101), UNEXPECTED), ((0b110, 0b111), OVERLONG)];

macro_rules! machine {
    ($errors:expr) => {
        Machine::new(1, 1, |m, _, unit| step(m, $errors, unit))
    };
}

pub(super) const OF_LATIN_1: Machine = machine!(LATIN_1);
pub(super) const OF_ASCII: Machine = machine!(ASCII);
pub(super) const OF_UCS_2: Machine = machine!(UCS_2);
pub(super) const OF_UTF_32: Machine = machine!(UTF_32);
pub(super) const OF_UCS_4: Machine = machine!(UCS_4);
pub(super) const OF_HUNK_1: Machine = machine!(HUNK_1);
pub(super) const OF_HUNK_2: Machine = machine!(HUNK_2);
pub(super) const OF_HUNK_3: Machine = machine!(HUNK_3);

/// Reads a unit.
fn step<'m>(m: &'m Builder, errors: Errors, unit: &Unit<'m>) -> Step<'m> {
    let of_kind =
        |&((first, last), kind): &((u64, u64), u64)| m.lit(4, kind).when(unit.bits.within(first, last));
    let user = any(errors.iter().map(of_kind).chain([m.lit(4, 0)]));
    let never: Signal<'m> = m.lit(1, 0);
    Step {
        cut: Slot { is_there: never, user, value: unit.bits },
        own: Slot { is_there: unit.is_there, user, value: unit.bits },
        next: State { position: never, value: never },
    }
}
