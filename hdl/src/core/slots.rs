//! The contents that the slots of a core can have: the kinds of error its decoder makes, and the code points of its system.

use std::ops::RangeInclusive;

use super::shared::forms::SequenceForms;
use super::{Core, ErrorKind, ErrorMode, LAST_OF_UNICODE, Max, Role, System, is_long};

/// The surrogates of UTF-16.
const SURROGATES: RangeInclusive<u32> = 0xd800..=0xdfff;

/// The C1 controls, which Corrected UTF-8 leaves out.
const C1: RangeInclusive<u32> = 0x80..=0x9f;

/// The last code point of Corrected UTF-8.
const LAST_OF_CORRECTED: u32 = 0x8421_109f;

/// The planes between those that UTF-18 has.
const LEFT_OUT_OF_UTF_18: RangeInclusive<u32> = 0x3_0000..=0xd_ffff;

/// The last code point of UTF-18.
const LAST_OF_UTF_18: u32 = 0xe_ffff;

/// A value, or range of values, of a slot's `tuser`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotKind {
    /// The values.
    pub codes: RangeInclusive<u8>,
    /// A name, in small letters with `-` between words.
    pub name: &'static str,
    /// A description of such a slot.
    pub meaning: &'static str,
}

impl SlotKind {
    fn new(codes: RangeInclusive<u8>, name: &'static str, meaning: &'static str) -> Self {
        Self { codes, name, meaning }
    }

    fn error(kind: ErrorKind) -> Self {
        let code = kind.code() as u8;
        Self::new(code..=code, kind.name(), kind.meaning())
    }

    /// The values in words: `4`, or `1 to 13`.
    pub fn values(&self) -> String {
        match (self.codes.start(), self.codes.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first} to {last}"),
        }
    }
}

impl Core {
    /// The values of a slot's `tuser`, on the side of the core that has slots, or of `cut` and `bad` of a validator that tells kinds. Empty
    /// for transcoders and other validators.
    pub fn slot_kinds(&self) -> Vec<SlotKind> {
        let spec = self.spec;
        let is_long = is_long(spec.system);
        let mut kinds = vec![SlotKind::new(0..=0, "code-point", "tdata is the code point")];
        let last_of_errors = if is_long { 13 } else { 15 };
        match spec.role {
            Role::Decoder if spec.on_error == ErrorMode::Drop && !is_long => {}
            Role::Decoder => kinds.extend(error_kinds(spec.system).into_iter().map(SlotKind::error)),
            Role::Encoder => {
                kinds.push(SlotKind::new(1..=last_of_errors, "error", "an error, whatever tdata holds"));
            }
            Role::Validator(verdict) if verdict.kinds => {
                let none = SlotKind::new(0..=0, "none", "no error");
                let errors = error_kinds(spec.system).into_iter().map(SlotKind::error);
                return std::iter::once(none).chain(errors).collect();
            }
            Role::Transcoder { .. } | Role::Validator(_) => return Vec::new(),
        }
        if is_long {
            let head =
                "head of a code point of 2^32 or more: tdata is the number of limbs that follow, 2 or more";
            let limb = "32 bits of such a code point, most significant limb first, and the first not zero";
            kinds.extend([SlotKind::new(14..=14, "head", head), SlotKind::new(15..=15, "limb", limb)]);
        }
        kinds
    }
}

/// The kinds of error that decoders make, in the order of their codes.
pub fn error_kinds(system: System) -> Vec<ErrorKind> {
    use ErrorKind::{Invalid, Length, Nul, OutOfRange, Overlong, Reserved, Surrogate, Truncated, Unexpected};
    let kinds: &[ErrorKind] = match system {
        System::Utf8 | System::Utf8Bom { .. } | System::Wtf8 => {
            &[Unexpected, Truncated, Overlong, Surrogate, OutOfRange, Invalid]
        }
        System::Utf8Rfc2279 | System::Cesu8 => &[Unexpected, Truncated, Overlong, Surrogate, Invalid],
        System::Mutf8 => &[Unexpected, Truncated, Overlong, Surrogate, Invalid, Nul],
        System::Utf8EightByte | System::Utf8SixtyFiveBit => &[Unexpected, Truncated, Overlong],
        System::Ascii => &[Invalid],
        System::Hunk(width) => match width.bits() {
            1 => &[Invalid],
            2 | 3 => &[Unexpected, Overlong],
            _ => &[Unexpected, Truncated, Overlong],
        },
        System::UtfInf8 { .. } => &[Unexpected, Truncated, Overlong, Invalid, Length],
        System::Utf9 { .. } => &[Truncated, Overlong, Surrogate, OutOfRange],
        System::Utf16 => &[Surrogate],
        System::Utf18 | System::Utf16Octets { .. } => &[Truncated, Surrogate],
        System::CorrectedUtf8 { document: false } => &[Unexpected, Truncated, Reserved],
        System::CorrectedUtf8 { document: true } => &[Unexpected, Truncated, Reserved, Nul],
        System::Ucs2 => &[Surrogate],
        System::Ucs2Octets { .. } => &[Truncated, Surrogate],
        System::UtfEbcdicI8 { max: Max::Unicode } => {
            &[Unexpected, Truncated, Overlong, Surrogate, OutOfRange, Invalid]
        }
        System::UtfEbcdicI8 { max: Max::Ucs4 } => &[Unexpected, Truncated, Overlong, Surrogate],
        System::Utf32 { .. } => &[Surrogate, OutOfRange],
        System::Utf32Octets { .. } => &[Truncated, Surrogate, OutOfRange],
        System::Latin1 => &[],
    };
    kinds.to_vec()
}

/// The last code point below 2^32, and the ranges below it that the system does not have.
pub fn code_points(system: System) -> (u32, Vec<RangeInclusive<u32>>) {
    match system {
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf16
        | System::Utf16Octets { .. }
        | System::Cesu8
        | System::Mutf8 => (LAST_OF_UNICODE, vec![SURROGATES]),
        System::Utf8Rfc2279 => (Max::Ucs4.code_point(), vec![SURROGATES]),
        System::Ucs2 | System::Ucs2Octets { .. } => (0xffff, vec![SURROGATES]),
        System::Utf9 { max }
        | System::Utf32 { max }
        | System::Utf32Octets { max, .. }
        | System::UtfEbcdicI8 { max } => (max.code_point(), vec![SURROGATES]),
        System::Utf18 => (LAST_OF_UTF_18, vec![SURROGATES, LEFT_OUT_OF_UTF_18]),
        System::CorrectedUtf8 { document: false } => (LAST_OF_CORRECTED, vec![C1, SURROGATES]),
        System::CorrectedUtf8 { document: true } => (LAST_OF_CORRECTED, vec![0..=0, C1, SURROGATES]),
        System::Wtf8 => (LAST_OF_UNICODE, vec![]),
        System::Latin1 => (0xff, vec![]),
        System::Ascii => (0x7f, vec![]),
        System::UtfInf8 { .. } => (u32::MAX, vec![]),
        System::Utf8EightByte | System::Utf8SixtyFiveBit | System::Hunk(_) => {
            let last = SequenceForms::of(system).expect("prefix systems have forms").last();
            (u32::try_from(last).unwrap_or(u32::MAX), vec![])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, CoreSpec};
    use super::*;
    use crate::netlist::Module;

    /// Whether the core of one lane has a constant for the kind; the codes of `tuser` are named in it.
    fn is_named(module: &Module, kind: ErrorKind) -> bool {
        module.nodes().iter().any(|node| node.name.as_deref() == Some(kind.constant()))
    }

    #[test]
    fn the_kinds_are_those_that_decoders_have_codes_for() {
        for system in System::variants() {
            let core =
                Core::new(CoreSpec { axis: Axis::Lane, ..CoreSpec::new(system, Role::Decoder) }).unwrap();
            let named: Vec<ErrorKind> =
                ErrorKind::ALL.into_iter().filter(|&kind| is_named(&core.design.top, kind)).collect();
            assert_eq!(error_kinds(system), named, "{system}");
        }
    }
}
