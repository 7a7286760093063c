use std::fmt::Debug;
use std::iter;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::cesu_8::Cesu8Sequences;
use super::corrected_utf_8::CorrectedSequences;
use super::digits::Layout;
use super::one_octet::OneOctetSequences;
use super::prefix::PrefixSequences;
use super::utf_1::Utf1Sequences;
use super::utf_8::Utf8Sequences;
use super::utf_9::Utf9Sequences;
use super::utf_16::{Utf16OctetSequences, Utf16Sequences};
use super::utf_18::Utf18Sequences;
use super::utf_32::{WordOctetSequences, WordSequences};
use super::utf_ebcdic::EbcdicSequences;
use super::utf_ebcdic_i8::I8Sequences;
use super::*;
use crate::grammar::Grammar;
use crate::systems::multi_octet::Indexed;
use crate::systems::table::OfTable;
use crate::systems::{hunk, utf_8_8byte, utf_8_65bit, utf_8_rfc2279, utf_inf_8};
use crate::{ByteOrder, Codec, HunkWidth, Max, MultiOctet, OnError, System, Table};

/// Does the same for each system with its fast path.
macro_rules! for_each_system {
    ($check:ident) => {
        $check(System::Utf8, Utf8Sequences);
        $check(System::Utf8Rfc2279, PrefixSequences(&utf_8_rfc2279::TABLES.whole));
        $check(System::Utf8EightByte, PrefixSequences(&utf_8_8byte::TABLES.whole));
        $check(System::Utf8SixtyFiveBit, PrefixSequences(&utf_8_65bit::TABLES.whole));
        for width in (1..=HunkWidth::MOST).filter_map(HunkWidth::new) {
            $check(System::Hunk(width), PrefixSequences(&hunk::tables(width).whole));
        }
        $check(System::UtfInf8 { digits: 18 }, PrefixSequences(&utf_inf_8::SHORT_TABLES.whole));
        for max in [Max::Unicode, Max::Ucs4] {
            $check(System::Utf9 { max }, Utf9Sequences { max: max.code_point() });
        }
        $check(System::Utf18, Utf18Sequences);
        for document in [false, true] {
            for private in [false, true] {
                $check(System::CorrectedUtf8 { document, private }, CorrectedSequences { document, private });
            }
        }
        $check(System::Utf16, Utf16Sequences);
        $check(System::Ucs2, WordSequences { last: 0xFFFF });
        for max in [Max::Unicode, Max::Ucs4] {
            let last = max.code_point();
            $check(System::Utf32 { max }, WordSequences { last });
            for order in ByteOrder::ALL {
                let octets = WordOctetSequences::<4> { order, last };
                $check(System::Utf32Octets { order, bom: false, max }, octets);
            }
            $check(System::UtfEbcdicI8 { max }, I8Sequences { max: last });
            $check(System::UtfEbcdic { max }, EbcdicSequences(I8Sequences { max: last }));
            $check(System::Utf1 { max }, Utf1Sequences { max: last });
        }
        for order in [ByteOrder::Big, ByteOrder::Little] {
            $check(System::Utf16Octets { order, bom: false }, Utf16OctetSequences(order));
            let octets = WordOctetSequences::<2> { order, last: 0xFFFF };
            $check(System::Ucs2Octets { order, bom: false }, octets);
        }
        $check(System::Cesu8, Cesu8Sequences { has_zero: true });
        $check(System::Mutf8, Cesu8Sequences { has_zero: false });
        $check(System::Latin1, OneOctetSequences { last: 0xFF });
        $check(System::Ascii, OneOctetSequences { last: 0x7F });
        for name in ["windows-1253", "iso-8859-6", "ebcdic-1026"] {
            let table = Table::named(name).unwrap();
            $check(System::Table(table), OfTable::new(table).sequences());
        }
        for set in MultiOctet::ALL {
            $check(System::MultiOctet(set), Indexed::new(set).sequences());
        }
    };
}

/// The first event of the reference, which reads unit by unit. A document is read without its magic number.
fn first_event(system: System, units: &[u32]) -> Option<Event> {
    const MAGIC: &[u32] = crate::systems::corrected_utf_8::MAGIC;
    if matches!(system, System::CorrectedUtf8 { document: true, .. }) {
        let event = system.decode(&[MAGIC, units].concat()).next()?;
        return Some(Event { offset: event.offset - 8, ..event });
    }
    system.decode(units).next()
}

/// The sequence of a code point by the reference: the room is too little for the fast path.
fn sequence(system: System, code_point: u32) -> Option<Vec<u32>> {
    let mut encoder = system.encoder(OnError::Strict);
    let mut units = Vec::new();
    if matches!(system, System::CorrectedUtf8 { document: true, .. }) {
        encoder.encode::<Slot, u32>(&[], &mut [0; 8], true);
        encoder.encode(&[Slot::CodePoint(0x41)], &mut [0_u32; 9], false);
    }
    let mut slots = &[Slot::CodePoint(code_point)][..];
    loop {
        let mut room = [0; LONGEST - 1];
        let progress = encoder.encode(slots, &mut room, false);
        units.extend_from_slice(&room[..progress.written]);
        slots = &slots[progress.read..];
        match progress.status {
            crate::Status::Finished => return Some(units),
            crate::Status::OutputFull => {}
            crate::Status::Refused(_) => return None,
        }
    }
}

fn check_read(system: System, sequences: impl WholeSequences, units: &[u32]) {
    let Some((code_point, length)) = sequences.read(units) else { return };
    let expected = Event { offset: 0, length: length as u64, what: Slot::CodePoint(code_point) };
    assert_eq!(first_event(system, units), Some(expected), "{system}: {units:X?}");
}

/// Units that matter to some system: the ends of the ranges of lead and trailing units, and one past them.
fn telling_units() -> impl Iterator<Item = u32> + Clone {
    let ends =
        (0..9).flat_map(|bit| [1 << bit, (1 << bit) - 1, 0x1FF & !((1 << bit) - 1), 0x1FF ^ (1 << bit)]);
    let octets = [
        0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBC, 0xBD, 0xBF, 0xC0, 0xC1, 0xC2, 0xD8, 0xDF, 0xE0, 0xEC, 0xED,
    ];
    let more = [0xEF, 0xF0, 0xF4, 0xF5, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF, 0x200, 0x8041, 0xFF80, 0xFFFF];
    let mut units: Vec<u32> = ends.chain(octets).chain(more).collect();
    units.sort_unstable();
    units.dedup();
    units.into_iter()
}

/// Units that are trailing ones of some system, or nearly.
const TRAILING: [u32; 16] =
    [0x00, 0x02, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBC, 0xBD, 0xBF, 0xC0, 0xFF, 0x17F, 0x180];

#[test]
fn what_is_read_is_what_the_reference_reads() {
    fn check(system: System, sequences: impl WholeSequences) {
        check_read(system, sequences, &[]);
        for first in 0..=u32::from(u16::MAX) {
            check_read(system, sequences, &[first]);
        }
        for first in 0..0x201 {
            for second in 0..0x201 {
                check_read(system, sequences, &[first, second, 0x80]);
            }
        }
        for first in telling_units() {
            for second in telling_units() {
                for third in TRAILING {
                    check_read(system, sequences, &[first, second, third]);
                    for fourth in [0x0F, 0x80, 0xBF, 0x17F] {
                        check_read(
                            system,
                            sequences,
                            &[first, second, third, fourth, fourth, fourth, fourth],
                        );
                    }
                }
            }
        }
    }
    for_each_system!(check);
}

/// Code points on both sides of every power of two and of every end of a range, and some between.
fn telling_code_points() -> impl Iterator<Item = u32> {
    let powers = (0..32).flat_map(|bit| [1_u32 << bit, (1 << bit) - 1, (1 << bit) + 1]);
    let ends = [
        0x80,
        0xA0,
        0x8A0,
        0xD800,
        0xE000,
        0x1_10A0,
        0x3_0000,
        0xE_0000,
        0xF_0000,
        0x11_0000,
        0x21_10A0,
        0x421_10A0,
        0x8421_10A0,
    ];
    let ends = ends.into_iter().flat_map(|end: u32| [end - 1, end]);
    let spread = iter::successors(Some(1_u32), |number| Some(number.wrapping_mul(0x9E37_79B1))).take(100_000);
    powers.chain(ends).chain(spread).chain([u32::MAX])
}

#[test]
fn what_is_written_is_what_the_reference_writes_and_is_read_again() {
    fn check(system: System, sequences: impl WholeSequences) {
        for code_point in (0..0x12_0000).step_by(7).chain(telling_code_points()) {
            let mut room = [0xAAAA; LONGEST];
            let written = sequences.write(code_point, &mut room).map(|length| &room[..length]);
            let expected = sequence(system, code_point);
            if let Some(units) = written {
                assert_eq!(Some(units), expected.as_deref(), "{system}: {code_point:X}");
                let read = sequences.read(units);
                if let System::MultiOctet(_) = system {
                    // Some code points have the octets of others: U+2212 of `shift-jis` those of U+FF0D.
                    check_read(system, sequences, units);
                    assert_eq!(read.is_some(), units.len() <= 2, "{system}: {code_point:X}");
                } else {
                    assert_eq!(read, Some((code_point, units.len())), "{system}: {code_point:X}");
                }
                for length in 0..units.len() {
                    assert_eq!(sequences.read(&units[..length]), None, "{system}: {code_point:X}");
                }
            } else {
                let is_known = code_point <= 0x10_FFFF && expected.is_some();
                assert!(!is_known, "{system} should write {code_point:X} on the fast path");
            }
        }
    }
    for_each_system!(check);
}

#[test]
fn plain_code_points_are_digits_of_themselves() {
    fn check<S: WholeSequences>(system: System, sequences: S) {
        let is_own = |code_point: &u32| {
            let units: Vec<u32> = match sequences.layout() {
                Layout::Unit => vec![*code_point],
                Layout::TwoNonets => vec![code_point >> 9, code_point & 0x1FF],
                Layout::TwoOctets(ByteOrder::Big) => vec![code_point >> 8, code_point & 0xFF],
                Layout::TwoOctets(ByteOrder::Little) => vec![code_point & 0xFF, code_point >> 8],
                Layout::FourOctets(ByteOrder::Big) => code_point.to_be_bytes().map(u32::from).to_vec(),
                Layout::FourOctets(ByteOrder::Little) => code_point.to_le_bytes().map(u32::from).to_vec(),
            };
            let mut room = [0; LONGEST];
            let written = sequences.write(*code_point, &mut room);
            sequences.read(&units) == Some((*code_point, units.len()))
                && written == Some(units.len())
                && room.starts_with(&units)
        };
        // The plain octets of a table end before the first octet that is another code point.
        // Surrogates are never plain: in `hunk-17` and `hunk-18` they are units, too.
        let own = (0..=u32::from(u16::MAX)).filter(|unit| !is_surrogate(*unit));
        let own: Vec<u32> = own.filter(is_own).collect();
        let first = own.first().copied().unwrap_or_default();
        let without_gap = |&(code_point, next): &(u32, u32)| code_point == next;
        let next = (first..).filter(|code_point| !is_surrogate(*code_point));
        let own: Vec<u32> = own.into_iter().zip(next).take_while(without_gap).map(|(own, _)| own).collect();
        let plain = sequences.plain();
        let held: Vec<u32> = (0..=u32::from(u16::MAX)).filter(|&unit| plain.holds(unit)).collect();
        assert_eq!(held, own, "{system}");
    }
    for_each_system!(check);
}

/// A number below `end`.
fn below(chance: &mut ChaCha8Rng, end: u32) -> u32 {
    chance.next_u32() % end
}

/// Units that change between plain text and all else after some hundred, as random words and lines do.
fn mixed_units(system: System, chance: &mut ChaCha8Rng) -> Vec<u32> {
    let mut units = Vec::new();
    while units.len() < 3000 {
        let (length, bits) = (below(chance, 100), 5 + below(chance, 13));
        for _ in 0..length {
            let code_point = below(chance, 0x11_0000) & ((1 << bits) - 1);
            units.extend(sequence(system, code_point).unwrap_or_default());
        }
        if below(chance, 4) == 0 {
            units.push(below(chance, 0x200));
        }
    }
    units
}

#[test]
fn points_are_what_the_sequences_are_one_by_one() {
    fn check(system: System, sequences: impl WholeSequences) {
        fn read<U: Unit + Debug>(
            system: System,
            sequences: impl WholeSequences,
            units: &[U],
            most: usize,
        ) -> Run {
            let mut points = vec![0; most];
            let run = sequences.read_points(units, &mut points);
            let mut at = 0;
            for &point in &points[..run.written] {
                let (code_point, length) = sequences.read(&units[at..]).expect("a sequence");
                assert_eq!(code_point, point, "{system}, unit {at}");
                at += length;
            }
            assert_eq!(at, run.read, "{system}");
            assert!(run.written > 0 || most < 4 || sequences.read(units).is_none(), "{system} should read");
            let mut room: Vec<U> = vec![U::default(); units.len()];
            let written = sequences.write_points(&points[..run.written], &mut room);
            let (mut at, mut next) = (0, [U::default(); LONGEST]);
            for &point in &points[..written.read] {
                let length = sequences.write(point, &mut next).expect("the code point was read");
                assert_eq!(room[at..at + length], next[..length], "{system}: U+{point:X}");
                at += length;
            }
            assert_eq!(at, written.written, "{system}");
            // Only the end of the room, where it may be too little for some sequence, keeps code points from being written.
            let is_near_the_end = units.len() - written.written < LONGEST;
            assert!(written.read == run.written || is_near_the_end, "{system} should write");
            run
        }
        let mut chance = ChaCha8Rng::seed_from_u64(system.unit_bits().into());
        let mut units = &mixed_units(system, &mut chance)[..];
        while !units.is_empty() {
            let most = below(&mut chance, 300) as usize;
            let run = read(system, sequences, units, most);
            if let Some(octets) =
                units.iter().map(|&unit| u8::try_from(unit).ok()).collect::<Option<Vec<u8>>>()
            {
                assert_eq!(read(system, sequences, &octets, most).read.min(1), run.read.min(1), "{system}");
            }
            units = &units[(run.read + usize::from(run.read == 0)).min(units.len())..];
        }
    }
    for_each_system!(check);
}

#[test]
fn what_is_read_as_utf_8_is_what_the_code_points_are_in_it() {
    let mut chance = ChaCha8Rng::seed_from_u64(8);
    let mut read = 0;
    for name in ["windows-1253", "iso-8859-6", "ebcdic-1026"] {
        let sequences = OfTable::new(Table::named(name).unwrap()).sequences();
        for most in (0..40).cycle().take(1000) {
            let octets: Vec<u8> = (0..most).map(|_| below(&mut chance, 0x100) as u8).collect();
            let mut room = vec![0; below(&mut chance, 3 * most + 8) as usize];
            let run = sequences.read_as_utf_8(&octets, &mut room);
            let code_points = octets[..run.read].iter().map(|octet| sequences.read(&[*octet]).unwrap().0);
            let text: String = code_points.map(|code_point| char::from_u32(code_point).unwrap()).collect();
            assert_eq!(&room[..run.written], text.as_bytes(), "{name}");
            // Only an octet without a code point, or the end of the room, keeps octets from being read.
            let is_over = octets[run.read..].first().is_none_or(|octet| sequences.read(&[*octet]).is_none());
            assert!(is_over || room.len() < run.written + 4, "{name} should read");
            read += run.read;
        }
    }
    assert!(read > 10_000);
}

#[test]
fn what_is_written_from_utf_8_is_what_the_code_points_are_written_as() {
    let mut chance = ChaCha8Rng::seed_from_u64(9);
    let mut read = 0;
    for name in ["windows-1253", "iso-8859-6", "ebcdic-1026"] {
        let sequences = OfTable::new(Table::named(name).unwrap()).sequences();
        let own =
            (0..0x100).filter_map(|octet: u32| sequences.read(&[octet])).map(|(code_point, _)| code_point);
        let mut own: Vec<char> = own.filter_map(char::from_u32).collect();
        own.retain(|&character| character < '\u{800}');
        for most in (0..200).cycle().take(1000) {
            let next = |_| own[below(&mut chance, own.len() as u32) as usize];
            let mut text: String = (0..most).map(next).collect();
            if most % 8 == 7 {
                // Not in the set, or of three octets; or no text at all.
                text.push(['\u{7FF}', '\u{2019}'][most as usize / 8 % 2]);
            }
            let mut octets = text.into_bytes();
            octets.truncate(octets.len() - below(&mut chance, 2).min(octets.len() as u32) as usize);
            let mut room = vec![0; below(&mut chance, 2 * most + 8) as usize];
            let run = sequences.write_from_utf_8(&octets, &mut room);
            let text = str::from_utf8(&octets[..run.read]).unwrap();
            let written = text.chars().map(|character| {
                let mut octets = [0; LONGEST];
                assert_eq!(sequences.write(character.into(), &mut octets), Some(1), "{name}");
                octets[0]
            });
            assert_eq!(room[..run.written], written.collect::<Vec<u8>>(), "{name}");
            read += run.read;
        }
    }
    assert!(read > 50_000, "{read}");
}

#[test]
fn plain_units_of_two_systems() {
    let holds = |range: PlainUnits| (0..0x300).filter(|&unit| range.holds(unit)).collect::<Vec<_>>();
    let common = |one: (u32, u32), other: (u32, u32)| {
        holds(PlainUnits::new(one.0, one.1).common(PlainUnits::new(other.0, other.1)))
    };
    assert_eq!(common((0, 0x80), (0, 0x100)), (0..0x80).collect::<Vec<_>>());
    assert_eq!(common((1, 0x80), (0, 4)), [1, 2, 3]);
    assert!(common((0, 0), (0, 4)).is_empty());
    assert!(common((3, 9), (0, 2)).is_empty());
    assert!(holds(PlainUnits::NONE).is_empty());
}
