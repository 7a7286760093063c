//! Writes units of code points by asking the reference, also of code points that a system lacks.

use num_bigint::BigUint;
use utfhdl_codec::{Encoder, OnError, Slot, Status, System, Utf9Max, Whole};

/// Writes code points as the reference does, and knows which ones the system has.
pub struct Writer {
    encoder: Encoder,
    units: Vec<u32>,
}

impl Writer {
    /// A writer for a system.
    pub fn new(system: System) -> Self {
        Self { encoder: system.encoder(OnError::Drop), units: Vec::new() }
    }

    /// The units of a stream of these slots, if the system has them all.
    pub fn units(&mut self, slots: &[Slot]) -> Option<&[u32]> {
        let errors = self.encoder.errors();
        self.units.clear();
        let (mut rest, mut room) = (slots, [0; 64]);
        loop {
            let progress = self.encoder.encode(rest, &mut room, true);
            self.units.extend_from_slice(&room[..progress.written]);
            rest = &rest[progress.read..];
            if progress.status == Status::Finished {
                return (self.encoder.errors() == errors).then_some(&self.units[..]);
            }
        }
    }
}

/// The slots of a code point.
pub fn slots_of(code_point: u128) -> Vec<Slot> {
    Whole::from(BigUint::from(code_point)).slots()
}

/// A system that writes the code points of this one in the same way, and more: surrogates, and code points past the limits of
/// the system or of its options. No mark stands in front.
pub fn without_limits(system: System) -> System {
    match system {
        System::Utf8 | System::Utf8Bom { .. } | System::Utf8Rfc2279 => System::Utf8EightByte,
        System::UtfInf8 { .. } => System::UtfInf8 { digits: utfhdl_codec::MOST_DIGITS },
        System::Utf9 { .. } => System::Utf9 { max: Utf9Max::Ucs4 },
        System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false },
        System::Utf16Octets { order, .. } => System::Utf16Octets { order, bom: false },
        System::Utf32Octets { order, .. } => System::Utf32Octets { order, bom: false },
        other => other,
    }
}
