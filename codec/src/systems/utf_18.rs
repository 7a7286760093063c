//! `utf-18`: pairs of nonets, the high one first; U+0..U+2FFFF without surrogates, and U+E0000..U+EFFFF.
//!
//! RFC 4042, §4. The text there says that U+E0000..U+EFFFF move to 30000..3FFFF by 0x70000, which is wrong; this file follows
//! the ranges and the example of the RFC.

use crate::bulk::utf_18::Utf18Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// The offset from the values 30000..3FFFF to U+E0000..U+EFFFF.
const SHIFT: u32 = 0xE_0000 - 0x3_0000;

/// The grammar: the high nonet of the pair, if it has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Utf18(Option<u32>);

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    if SURROGATES.contains(&code_point) {
        return None;
    }
    let value = match code_point {
        0..=0x2_FFFF => code_point as u32,
        0xE_0000..=0xE_FFFF => code_point as u32 - SHIFT,
        _ => return None,
    };
    sequence.push(value >> 9);
    sequence.push(value & 0o777);
    Some(())
}

impl Grammar for Utf18 {
    type Sequences = Utf18Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match (self.0.take(), unit) {
            (None, 0o1000..) => Verdict::Refused(ErrorKind::Invalid),
            (Some(_), 0o1000..) => Verdict::Refused(ErrorKind::Truncated),
            (None, high) => {
                self.0 = Some(high);
                Verdict::More
            }
            (Some(high), low) => match high << 9 | low {
                value if SURROGATES.contains(&value.into()) => Verdict::Spoilt(ErrorKind::Surrogate),
                value @ 0..=0x2_FFFF => Verdict::Whole(value),
                value => Verdict::Whole(value + SHIFT),
            },
        }
    }

    fn reset(&mut self) {
        self.0 = None;
    }

    fn sequences(&self) -> Utf18Sequences {
        Utf18Sequences
    }
}
