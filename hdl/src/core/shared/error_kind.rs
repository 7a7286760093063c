//! The kinds of error a slot of the UCS stream can hold, and their codes on `tuser`.

use std::sync::Arc;

use crate::netlist::Labels;

/// Why a sequence is no code point; the discriminant is the code on `tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ErrorKind {
    /// A trailing unit where a lead is required.
    Unexpected = 1,
    /// A sequence cut short, by a unit or by the end of the frame.
    Truncated = 2,
    /// Every continuation would be an overlong form.
    Overlong = 3,
    /// Every continuation would be a surrogate.
    Surrogate = 4,
    /// Every continuation would be past the last code point.
    OutOfRange = 5,
    /// A lead unit the system does not have.
    Invalid = 6,
    /// A length header past the limit.
    Length = 7,
    /// A lead unit reserved for later use.
    Reserved = 8,
    /// U+0000 where a document may not have it.
    Nul = 9,
    /// A code point the system can't express.
    Unencodable = 10,
}

impl ErrorKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 10] = [
        Self::Unexpected,
        Self::Truncated,
        Self::Overlong,
        Self::Surrogate,
        Self::OutOfRange,
        Self::Invalid,
        Self::Length,
        Self::Reserved,
        Self::Nul,
        Self::Unencodable,
    ];

    /// The kind's code on `tuser`.
    pub fn code(self) -> u64 {
        self as u64
    }

    /// The kind's name, as `decode` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected",
            Self::Truncated => "truncated",
            Self::Overlong => "overlong",
            Self::Surrogate => "surrogate",
            Self::OutOfRange => "out-of-range",
            Self::Invalid => "invalid",
            Self::Length => "length",
            Self::Reserved => "reserved",
            Self::Nul => "nul",
            Self::Unencodable => "unencodable",
        }
    }

    /// The cause of such an error, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Unexpected => "a trailing unit where a lead must be",
            Self::Truncated => "a sequence cut short, by a unit or by the end of the frame",
            Self::Overlong => "every continuation would be longer than need be",
            Self::Surrogate => "every continuation would be a surrogate, or one half of a pair is missing",
            Self::OutOfRange => "every continuation would be past the last code point",
            Self::Invalid => "a unit that the system does not have",
            Self::Length => "a length header past the limit",
            Self::Reserved => "a unit that is reserved",
            Self::Nul => "U+0000 where the system has none, or not in this form",
            Self::Unencodable => "a code point that the system cannot express",
        }
    }

    /// The name of the kind's constant in Verilog.
    pub fn constant(self) -> &'static str {
        match self {
            Self::Unexpected => "UNEXPECTED",
            Self::Truncated => "TRUNCATED",
            Self::Overlong => "OVERLONG",
            Self::Surrogate => "SURROGATE",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::Invalid => "INVALID",
            Self::Length => "LENGTH",
            Self::Reserved => "RESERVED",
            Self::Nul => "NUL",
            Self::Unencodable => "UNENCODABLE",
        }
    }
}

/// Names of the values of a slot's `tuser`.
pub fn slot_labels() -> Arc<Labels> {
    let kinds = ErrorKind::ALL.map(|kind| (kind.code(), kind.name().replace('-', "_")));
    let kinds = [(0, "code_point".to_owned())].into_iter().chain(kinds);
    let limbs = [(14, "head".to_owned()), (15, "limb".to_owned())];
    Arc::new(Labels { name: "slot".to_owned(), values: kinds.chain(limbs).collect() })
}

/// Names of the kinds of error in a field that is 0 where there is no error.
pub(in crate::core) fn error_labels() -> Arc<Labels> {
    let kinds = ErrorKind::ALL.map(|kind| (kind.code(), kind.name().replace('-', "_")));
    let values = [(0, "none".to_owned())].into_iter().chain(kinds).collect();
    Arc::new(Labels { name: "error".to_owned(), values })
}
