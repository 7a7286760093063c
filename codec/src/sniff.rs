//! Marks at the start of a file that tell its system.

use alloc::vec::Vec;

use crate::systems::corrected_utf_8;
use crate::systems::octets::{MARKS_OF_FOUR, MARKS_OF_TWO};
use crate::systems::opening::{MARK_OF_UTF_8, Mark};
use crate::{ByteOrder, Max, System, Utf8Bom};

/// How many octets of a file [`sniff`] needs, if the file has as many.
pub const LONGEST_MARK: usize = 8;

/// Finds the system that the first octets of a file tell by a byte order mark, or by the magic number of
/// `corrected-utf-8`. Decoders of that system take the mark away.
///
/// `FF FE 00 00` is the mark of `utf-32le`, and not that of `utf-16le` before U+0000.
///
/// ```
/// use utfhdl_codec::{Codec, OnError, sniff};
///
/// let file = b"\xFF\xFE\xAC\x20";
/// let system = sniff(file).unwrap();
/// assert_eq!(system.to_string(), "utf-16le,bom=on");
/// assert_eq!(system.decode_to_string(file, OnError::Strict).as_deref(), Ok("€"));
///
/// assert_eq!(sniff(b"no mark"), None);
/// ```
pub fn sniff(octets: &[u8]) -> Option<System> {
    let found = marks().into_iter().find(|(mark, _)| {
        let start = octets.iter().take(mark.len()).map(|&octet| u32::from(octet));
        start.eq(mark.iter().copied())
    });
    found.map(|(_, system)| system)
}

/// The marks, those first that begin with another one.
fn marks() -> Vec<(Mark, System)> {
    let of_four = MARKS_OF_FOUR.into_iter().zip(ByteOrder::ALL);
    let of_four =
        of_four.map(|(mark, order)| (mark, System::Utf32Octets { order, bom: true, max: Max::Unicode }));
    let of_two = MARKS_OF_TWO.into_iter().zip(ByteOrder::ALL);
    let of_two = of_two.map(|(mark, order)| (mark, System::Utf16Octets { order, bom: true }));
    let others = [
        (corrected_utf_8::MAGIC, System::CorrectedUtf8 { document: true, private: false }),
        (MARK_OF_UTF_8, System::Utf8Bom { bom: Utf8Bom::Strip }),
    ];
    others.into_iter().chain(of_four).chain(of_two).collect()
}
