//! The opening of a frame: units that are written before every frame, an empty one included.

use super::code_points::OCTET;
use super::magic_number::{MAGIC, UTF_8_MARK};
use crate::core::{ByteOrder, System, Utf8Bom, decoded_only, software_only};

/// The octets of a word of `bits` bits, the first one first.
pub(in crate::core) fn octets(order: ByteOrder, word: u64, bits: u32) -> Vec<u64> {
    let octets = (0..bits / OCTET).map(|at| word >> (at * OCTET) & 0xff);
    match order {
        ByteOrder::Big => octets.rev().collect(),
        ByteOrder::Little => octets.collect(),
    }
}

/// The byte order mark, of UTF-16 and UTF-32.
const MARK: u64 = 0xfeff;

/// The byte order marks of a system whose frames can open with one: of its own order, and of the other one.
pub(in crate::core) fn byte_order_marks(system: System) -> Option<[Vec<u64>; 2]> {
    let (order, bits) = match system {
        System::Utf16Octets { order, bom: true } | System::Ucs2Octets { order, bom: true } => (order, 16),
        System::Utf32Octets { order, bom: true, .. } => (order, 32),
        _ => return None,
    };
    Some([mark_of_order(order, bits), mark_of_other_order(order, bits)])
}

/// The byte order mark, as a word of `bits` bits.
pub(in crate::core) fn mark_of_order(order: ByteOrder, bits: u32) -> Vec<u64> {
    octets(order, MARK, bits)
}

/// The byte order mark, as a word of `bits` bits, of the order that is not `order`.
pub(in crate::core) fn mark_of_other_order(order: ByteOrder, bits: u32) -> Vec<u64> {
    mark_of_order(order, bits).into_iter().rev().collect()
}

/// The units of the opening, if the system has one.
pub(in crate::core) fn units(system: System) -> Vec<u64> {
    match system {
        System::CorrectedUtf8 { document: true, .. } => MAGIC.to_vec(),
        System::Utf8Bom { bom: Utf8Bom::Add } => UTF_8_MARK.to_vec(),
        System::Utf16Octets { order, bom: true } | System::Ucs2Octets { order, bom: true } => {
            octets(order, MARK, 16)
        }
        System::Utf32Octets { order, bom: true, .. } => octets(order, MARK, 32),
        System::Utf8
        | System::Utf8Bom { bom: Utf8Bom::Strip }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfInf8 { .. }
        | System::Utf9 { .. }
        | System::Utf18
        | System::CorrectedUtf8 { document: false, .. }
        | System::Utf16
        | System::Utf16Octets { bom: false, .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { bom: false, .. }
        | System::Ucs2
        | System::Ucs2Octets { bom: false, .. }
        | System::UtfEbcdicI8 { .. }
        | decoded_only!()
        | software_only!()
        | System::Cesu8
        | System::Mutf8
        | System::Wtf8
        | System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::MultiOctet(_)
        | System::Auto(_) => Vec::new(),
    }
}
