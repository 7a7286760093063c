//! The kinds of error a slot of the UCS stream can hold, and their codes on `tuser`.

use std::sync::Arc;

use crate::netlist::Labels;

/// Why a sequence is no code point; the discriminant is the code on `tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ErrorKind {
    /// A trailing unit where a lead must stand.
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
    /// The kind's code on `tuser`.
    pub fn code(self) -> u64 {
        self as u64
    }

    /// The name of the kind's constant in Verilog.
    pub(in crate::core) fn constant(self) -> &'static str {
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
    let names = [
        "code_point",
        "unexpected",
        "truncated",
        "overlong",
        "surrogate",
        "out_of_range",
        "invalid",
        "length",
        "reserved",
        "nul",
        "unencodable",
    ];
    let kinds = names.into_iter().enumerate().map(|(code, name)| (code as u64, name.to_owned()));
    let limbs = [(14, "head".to_owned()), (15, "limb".to_owned())];
    Arc::new(Labels { name: "slot".to_owned(), values: kinds.chain(limbs).collect() })
}
