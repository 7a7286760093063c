//! Writes units of code points by asking the reference, also of code points that a system lacks.

use std::array::IntoIter;
use std::iter::Take;
use std::ops::Deref;

use num_bigint::BigUint;
use utfhdl_codec::{Codec, Encoder, Max, OnError, Slot, Status, System, Whole};

/// Room that the encoder has at least.
const MOST_AT_ONCE: usize = 64;

/// Writes code points as the reference does, and knows which ones the system has.
pub struct Writer {
    encoder: Encoder,
    /// The encoder before the first slot.
    fresh: Encoder,
    /// The units written last, then unused room.
    room: Vec<u32>,
}

impl Writer {
    /// A writer for a system.
    pub fn new(system: System) -> Self {
        let fresh = system.encoder(OnError::Strict);
        Self { encoder: fresh.clone(), fresh, room: Vec::new() }
    }

    /// The units of a stream of these slots, if the system has them all.
    #[inline]
    pub fn units(&mut self, slots: &[Slot]) -> Option<&[u32]> {
        let (mut rest, mut written) = (slots, 0);
        loop {
            if self.room.len() - written < MOST_AT_ONCE {
                self.room.resize(written + 2 * MOST_AT_ONCE, 0);
            }
            let progress = self.encoder.encode(rest, &mut self.room[written..], true);
            written += progress.written;
            rest = &rest[progress.read..];
            match progress.status {
                Status::Finished => return Some(&self.room[..written]),
                Status::OutputFull => {}
                Status::Refused(_) => {
                    self.encoder.clone_from(&self.fresh);
                    return None;
                }
            }
        }
    }
}

/// The slots of a code point below 2^128.
pub struct Slots {
    /// The first `count` are the slots; the rest has no meaning.
    slots: [Slot; 5],
    count: usize,
}

/// The slots of a code point.
#[inline]
pub fn slots_of(code_point: u128) -> Slots {
    let mut slots = [Slot::CodePoint(0); 5];
    if let Ok(code_point) = u32::try_from(code_point) {
        slots[0] = Slot::CodePoint(code_point);
        return Slots { slots, count: 1 };
    }
    let of_whole = Whole::from(BigUint::from(code_point)).slots();
    slots[..of_whole.len()].copy_from_slice(&of_whole);
    Slots { slots, count: of_whole.len() }
}

impl Deref for Slots {
    type Target = [Slot];

    fn deref(&self) -> &[Slot] {
        &self.slots[..self.count]
    }
}

impl IntoIterator for Slots {
    type Item = Slot;
    type IntoIter = Take<IntoIter<Slot, 5>>;

    fn into_iter(self) -> Self::IntoIter {
        self.slots.into_iter().take(self.count)
    }
}

/// A system that writes the code points of this one in the same way, and more: surrogates, and code points past the limits of
/// the system or of its options. The streams of that system have no mark.
pub fn without_limits(system: System) -> System {
    match system {
        System::Utf8 | System::Utf8Bom { .. } | System::Utf8Rfc2279 => System::Utf8EightByte,
        System::UtfInf8 { .. } => System::UtfInf8 { digits: utfhdl_codec::MOST_DIGITS },
        System::Utf9 { .. } => System::Utf9 { max: Max::Ucs4 },
        System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false, private: false },
        System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom: false },
        System::Utf32 { .. } => System::Utf32 { max: Max::Ucs4 },
        System::Utf32Octets { order, .. } => System::Utf32Octets { order, bom: false, max: Max::Ucs4 },
        // The words that UCS-2 lacks are those of UTF-16's pairs.
        System::Ucs2 => System::Utf16,
        System::Ucs2Octets { order, .. } => System::Utf16Octets { order, bom: false },
        System::UtfEbcdicI8 { .. } => System::UtfEbcdicI8 { max: Max::Ucs4 },
        System::UtfEbcdic { .. } => System::UtfEbcdic { max: Max::Ucs4 },
        System::Utf1 { .. } => System::Utf1 { max: Max::Ucs4 },
        System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::Utf18
        | System::Utf16
        | System::Utf7 { .. }
        | System::Scsu
        | System::Bocu1
        | System::Cesu8
        | System::Mutf8
        | System::Wtf8
        | System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::MultiOctet(_)
        | System::Auto(_) => system,
    }
}
