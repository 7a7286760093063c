//! The code points of systems, as ranges.

use std::ops::RangeInclusive;

use super::shared::code_points::LAST_OF_UNICODE;
use super::shared::forms::SequenceForms;
use super::shared::octet_table::OctetTable;
use super::{Auto, Max, MultiOctet, System};

/// The last code point of UTF-18.
const LAST_OF_UTF_18: u32 = 0xe_ffff;

/// The planes between those that UTF-18 has.
const LEFT_OUT_OF_UTF_18: RangeInclusive<u32> = 0x3_0000..=0xd_ffff;

/// The last code point of Corrected UTF-8.
const LAST_OF_CORRECTED: u32 = 0x8421_109f;

/// The surrogates of UTF-16.
const SURROGATES: RangeInclusive<u32> = 0xd800..=0xdfff;

/// The first code point of plane 16.
const PLANE_16: u32 = 0x10_0000;

/// The C1 controls, which Corrected UTF-8 leaves out.
const C1: RangeInclusive<u32> = 0x80..=0x9f;

/// The code points that some system of a list has.
fn of_all(auto: Auto) -> (u32, Vec<RangeInclusive<u32>>) {
    let of_each: Vec<_> = auto.among().iter().map(|&system| code_points(system)).collect();
    let last = of_each.iter().map(|&(last, _)| last).max().unwrap_or_default();
    let lacks = |(last, gaps): &(u32, Vec<_>)| last < SURROGATES.start() || gaps.contains(&SURROGATES);
    (last, if of_each.iter().all(lacks) { vec![SURROGATES] } else { vec![] })
}

/// The last code point below 2^32, and the ranges below it that the system does not have; but for a table, whose ranges are many.
pub fn code_points(system: System) -> (u32, Vec<RangeInclusive<u32>>) {
    match system {
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf16
        | System::Utf16Octets { .. }
        | System::Utf7 { .. }
        | System::Scsu
        | System::Bocu1
        | System::Cesu8
        | System::Mutf8 => (LAST_OF_UNICODE, vec![SURROGATES]),
        System::Utf8Rfc2279 => (Max::Ucs4.code_point(), vec![SURROGATES]),
        System::Ucs2 | System::Ucs2Octets { .. } => (0xffff, vec![SURROGATES]),
        System::Utf9 { max }
        | System::Utf32 { max }
        | System::Utf32Octets { max, .. }
        | System::UtfEbcdicI8 { max }
        | System::UtfEbcdic { max }
        | System::Utf1 { max } => (max.code_point(), vec![SURROGATES]),
        System::Utf18 => (LAST_OF_UTF_18, vec![SURROGATES, LEFT_OUT_OF_UTF_18]),
        System::CorrectedUtf8 { document, private } => {
            let of = |range: RangeInclusive<u32>| match private {
                true => range.start() + PLANE_16..=range.end() + PLANE_16,
                false => range,
            };
            let nul = document.then_some(0..=0);
            (LAST_OF_CORRECTED, nul.into_iter().chain([of(C1), of(SURROGATES)]).collect())
        }
        System::Wtf8 => (LAST_OF_UNICODE, vec![]),
        System::Latin1 => (0xff, vec![]),
        System::Ascii => (0x7f, vec![]),
        System::Table(table) => (OctetTable::of(table).last(), vec![]),
        System::MultiOctet(MultiOctet::Gb18030) => (LAST_OF_UNICODE, vec![SURROGATES, 0xe5e5..=0xe5e5]),
        System::MultiOctet(_) => (LAST_OF_UNICODE, vec![SURROGATES]),
        System::Auto(auto) => of_all(auto),
        System::UtfInf8 { .. } => (u32::MAX, vec![]),
        System::Utf8EightByte | System::Utf8SixtyFiveBit | System::Hunk(_) => {
            let last = SequenceForms::of(system).expect("prefix systems have forms").last();
            (u32::try_from(last).unwrap_or(u32::MAX), vec![])
        }
    }
}
