//! Systems in which every word is a code point or an error by itself: Latin-1, ASCII and UTF-32. A word is a unit, or the octets of
//! one.

use super::code_points::{above, surrogate};
use super::error_kind::ErrorKind;
use crate::core::System;
use crate::core::shared::code_points::LAST_OF_UNICODE;
use crate::netlist::Signal;

/// Bits of a code point of Unicode.
const CODE_POINT: u32 = 21;

/// A word, taken as a code point.
pub(in crate::core) struct Single<'m> {
    /// The code point; anything where the word is an error.
    pub(in crate::core) code_point: Signal<'m>,
    /// What may be wrong with the word; no two faults are there at once.
    pub(in crate::core) faults: Vec<(ErrorKind, Signal<'m>)>,
}

/// The kinds of error that words can be.
pub(in crate::core) fn kinds(system: System) -> &'static [ErrorKind] {
    match system {
        System::Utf32 | System::Utf32Octets { .. } => &[ErrorKind::Surrogate, ErrorKind::OutOfRange],
        System::Ascii => &[ErrorKind::Invalid],
        _ => &[],
    }
}

/// Bits of a code point in the system.
pub(in crate::core) fn code_bits(system: System) -> u32 {
    match system {
        System::Latin1 => 8,
        System::Ascii => 7,
        _ => CODE_POINT,
    }
}

impl<'m> Single<'m> {
    /// What `word` is in the system; nothing is wrong where there is none.
    pub(in crate::core) fn new(system: System, word: Signal<'m>, there: Signal<'m>) -> Self {
        let code_point = word.bits(0..code_bits(system));
        let faults = match system {
            System::Latin1 => vec![],
            System::Ascii => {
                let invalid = (there & word.bit(7)).named("invalid").note("the octet is 80 or more");
                vec![(ErrorKind::Invalid, invalid)]
            }
            _ => {
                let past_last = above(word, LAST_OF_UNICODE.into()).expect("a word has more bits");
                let past_last = (there & past_last).named("past_last").note("the word is above U+10FFFF");
                let surrogate = (there & surrogate(code_point)).named("is_surrogate");
                vec![(ErrorKind::OutOfRange, past_last), (ErrorKind::Surrogate, surrogate)]
            }
        };
        Self { code_point, faults }
    }
}
