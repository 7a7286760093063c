//! Every short input of every system against the rule of the maximal subpart: an error has the longest run of units that
//! begins some well-formed sequence, or one unit where no sequence begins like that.
//!
//! The encoder says what begins a well-formed sequence: it goes from code points to units and knows nothing of errors. The two
//! nonet systems have rules of their own, which are spelled out here again.

use num_bigint::BigUint;
use utfhdl_codec::{ByteOrder, Codec, ErrorKind, Event, Max, OnError, Slot, Status, System, Utf8Bom, Whole};

use crate::common::slots;
use crate::samples::{is_all, one_in};

/// The well-formed sequences of a system, cut off at a number of units.
struct Sequences {
    units: usize,
    /// A table of next nodes for each node that is not the last, one entry a unit; node 0 is the start.
    nodes: Vec<usize>,
}

/// Instead of a node: no well-formed sequence begins like that.
const NOTHING: usize = usize::MAX;
/// Instead of a node: a well-formed sequence ends here.
const END: usize = usize::MAX - 1;
/// Instead of a node: well-formed sequences continue past the cut.
const ON: usize = usize::MAX - 2;

impl Sequences {
    /// The sequences of a system whose code points sort as their units do, up to `most` units.
    fn of(system: System, most: usize) -> Sequences {
        let units = 1 << system.unit_bits();
        let mut sequences = Sequences { units, nodes: vec![NOTHING; units] };
        let numbering = Numbering::of(system);
        let mut number = BigUint::ZERO;
        while number <= numbering.last {
            let mut start = numbering.units(&number);
            start.truncate(most);
            let goes_on = numbering.units(&number).len() > most;
            sequences.add(&start, if goes_on { ON } else { END });
            // To the first code point that starts otherwise.
            number = numbering.first_past(&number, &start);
        }
        sequences
    }

    /// The sequences of a system of octets whose code points are at most those of Unicode, up to `most` units.
    fn of_unicode(system: System, most: usize) -> Sequences {
        let mut sequences = Sequences { units: 0x100, nodes: vec![NOTHING; 0x100] };
        for code_point in 0..=0x10_FFFF {
            if let Ok(mut units) = system.encode(&[Slot::CodePoint(code_point)], OnError::Strict) {
                let end = if units.len() > most { ON } else { END };
                units.truncate(most);
                sequences.add(&units, end);
            }
        }
        sequences
    }

    fn add(&mut self, sequence: &[u32], end: usize) {
        let (&last, inner) = sequence.split_last().expect("no sequence is empty");
        let mut node = 0;
        for &unit in inner {
            let entry = node * self.units + unit as usize;
            if self.nodes[entry] == NOTHING {
                self.nodes[entry] = self.nodes.len() / self.units;
                self.nodes.resize(self.nodes.len() + self.units, NOTHING);
            }
            node = self.nodes[entry];
        }
        self.nodes[node * self.units + last as usize] = end;
    }

    /// The length of the first event of an input, and whether it is a code point.
    fn first_event(&self, input: &[u32]) -> (usize, bool) {
        let mut node = 0;
        for (index, &unit) in input.iter().enumerate() {
            match self.nodes[node * self.units + unit as usize] {
                NOTHING => return (index.max(1), false),
                END => return (index + 1, true),
                ON => return (index + 1, false),
                next => node = next,
            }
        }
        (input.len(), false)
    }
}

/// The code points of a system, numbered without gaps.
struct Numbering {
    system: System,
    /// Ranges of numbers that are no code points, in order.
    gaps: &'static [(u32, u32)],
    last: BigUint,
}

impl Numbering {
    fn of(system: System) -> Numbering {
        let gaps: &[(u32, u32)] = match system {
            System::Utf8
            | System::Utf8Bom { .. }
            | System::Utf8Rfc2279
            | System::UtfEbcdicI8 { .. }
            | System::UtfEbcdic { .. }
            | System::Utf1 { .. } => &[(0xD800, 0x800)],
            System::CorrectedUtf8 { .. } => &[(0x80, 0x20), (0xD800, 0x800)],
            _ => &[],
        };
        let bits = |bits: u32| (BigUint::from(1_u32) << bits) - 1_u32;
        let last: BigUint = match system {
            System::Utf8 | System::Utf8Bom { .. } | System::Wtf8 => 0x10_FFFF_u32.into(),
            System::Ascii => bits(7),
            System::Latin1 => bits(8),
            System::Utf8Rfc2279 => bits(31),
            System::UtfEbcdicI8 { max } | System::UtfEbcdic { max } | System::Utf1 { max } => {
                max.code_point().into()
            }
            System::CorrectedUtf8 { .. } => 0x8421_109F_u32.into(),
            System::Utf8EightByte => bits(42),
            System::Utf8SixtyFiveBit => bits(65),
            System::Hunk(width) => bits(crate::common::strategy::HUNK_BITS[width.bits() as usize - 1]),
            // Enough for headers of FF B4 B4 and FF B4 Ax, any Ax.
            System::UtfInf8 { .. } => bits(4 * (18 + 0x100)),
            System::Utf9 { .. } | System::Utf18 | System::Utf16 => unreachable!("not in order"),
            System::Utf16Octets { .. }
            | System::Ucs2
            | System::Ucs2Octets { .. }
            | System::Utf32 { .. }
            | System::Utf32Octets { .. } => {
                unreachable!("not in order")
            }
            System::Utf7 { .. } | System::Scsu | System::Bocu1 => unreachable!("not by themselves"),
            System::Cesu8 | System::Mutf8 | System::Table(_) | System::MultiOctet(_) | System::Auto(_) => {
                unreachable!("not in order")
            }
        };
        let missing: u32 = gaps.iter().map(|gap| gap.1).sum();
        Numbering { system, gaps, last: last - missing }
    }

    fn units(&self, number: &BigUint) -> Vec<u32> {
        let mut code_point = number.clone();
        for &(first, count) in self.gaps {
            if code_point >= first.into() {
                code_point += count;
            }
        }
        self.system
            .encode(&slots(&[Whole::from(code_point)]), OnError::Strict)
            .expect("every number is a code point")
    }

    /// The least number above `number` whose units do not begin with `start`, as those of `number` do.
    fn first_past(&self, number: &BigUint, start: &[u32]) -> BigUint {
        let begins = |number: &BigUint| *number <= self.last && self.units(number).starts_with(start);
        let mut step = BigUint::from(1_u32);
        while begins(&(number + &step)) {
            step <<= 1;
        }
        let (mut low, mut high) = (number + (&step >> 1), number + &step);
        while &high - &low > BigUint::from(1_u32) {
            let middle: BigUint = (&low + &high) >> 1;
            if begins(&middle) { low = middle } else { high = middle }
        }
        if begins(&low) { high } else { low }
    }
}

/// Decodes every input of up to `most` units, and holds each event against `first_event`, a decoder of one event. The longest inputs, if
/// they have three units or more, are a sample: their last unit is one of a quarter of the units, or any with `UTFHDL_INPUTS=all`.
fn check(system: System, most: u32, first_event: impl Fn(&[u32]) -> (usize, bool)) {
    check_behind_mark(system, most, &[], first_event);
}

/// Does the same as `check` for a system whose decoders remove a mark from the start of the input.
fn check_behind_mark(system: System, most: u32, mark: &[u32], first_event: impl Fn(&[u32]) -> (usize, bool)) {
    let units = 1_u64 << system.unit_bits();
    let mut decoder = system.decoder();
    let mut encoder = system.encoder(OnError::Strict);
    let mut room = [0; 32];
    for length in 1..=most {
        let mut input = vec![0; length as usize];
        let takes_all = length < most.max(3) || is_all("UTFHDL_INPUTS");
        let last_units = one_in(4, takes_all, 0..units);
        let before_last = units.pow(length - 1);
        let numbers = last_units.iter().flat_map(|last| last * before_last..(last + 1) * before_last);
        for number in numbers {
            for (index, unit) in input.iter_mut().enumerate() {
                *unit = (number / units.pow(index as u32) % units) as u32;
            }
            let mut rest = &input[..];
            let mut start = if !mark.is_empty() && input.starts_with(mark) { mark.len() } else { 0 };
            while let Some(event) = decoder.next(&mut rest, true) {
                if event.length == 0 {
                    continue; // A head: the events that follow decide.
                }
                let (expected, is_code_point) = first_event(&input[start..]);
                assert_eq!(event.offset, start as u64, "{system}: {input:X?}");
                assert_eq!(event.length, expected as u64, "{system}: {input:X?} at {start}");
                assert_eq!(
                    matches!(event.what, Slot::CodePoint(_)),
                    is_code_point,
                    "{system}: {input:X?} at {start}"
                );
                let end = start + expected;
                if is_code_point {
                    let progress = encoder.encode(&[event], &mut room, true);
                    assert_eq!(progress.status, Status::Finished);
                    assert_eq!(room[..progress.written], input[start..end], "{system}");
                }
                start = end;
            }
            assert_eq!(start, input.len(), "{system}: {input:X?}");
        }
    }
}

/// Every input of up to three octets, or as many smaller units as make twenty bits.
fn check_ordered(system: System) {
    let most = if system.unit_bits() == 8 { 3 } else { 20 / system.unit_bits() };
    let sequences = Sequences::of(system, most as usize);
    check(system, most, |input| sequences.first_event(input));
}

#[test]
fn utf_8() {
    check_ordered(System::Utf8);
}

#[test]
fn utf_8_rfc2279() {
    check_ordered(System::Utf8Rfc2279);
}

#[test]
fn utf_8_8byte() {
    check_ordered(System::Utf8EightByte);
}

#[test]
fn utf_8_65bit() {
    check_ordered(System::Utf8SixtyFiveBit);
}

#[test]
fn utf_inf_8() {
    check_ordered(crate::common::system("utf-inf-8"));
}

#[test]
fn corrected_utf_8() {
    let sequences = Sequences::of(crate::common::system("corrected-utf-8"), 3);
    check(crate::common::system("corrected-utf-8"), 3, |input| match input {
        // FE and FF take what follows up to the next lead unit.
        [0xFE | 0xFF, rest @ ..] => {
            let is_lead = |unit: &u32| matches!(unit, 0x00..=0x7F | 0xC0..=0xFD);
            (1 + rest.iter().position(is_lead).unwrap_or(rest.len()), false)
        }
        _ => sequences.first_event(input),
    });
}

#[test]
fn hunks() {
    for width in 1..=9 {
        check_ordered(crate::common::system(&format!("hunk-{width}")));
    }
}

#[test]
fn utf_9() {
    for max in [Max::Unicode, Max::Ucs4] {
        check(System::Utf9 { max }, 2, |input| {
            // A sequence ends at the first nonet without the continuation bit.
            let Some(end) = input.iter().position(|unit| unit & 0o400 == 0) else {
                return (input.len(), false);
            };
            let value = input[..=end].iter().fold(0_u32, |value, unit| value << 8 | (unit & 0o377));
            let well_formed = (end == 0 || input[0] != 0o400)
                && value <= max.code_point()
                && !(0xD800..=0xDFFF).contains(&value);
            (end + 1, well_formed)
        });
    }
}

#[test]
fn utf_18() {
    check(System::Utf18, 2, |input| match input {
        [high, low, ..] => (2, !(0xD800..=0xDFFF).contains(&(high << 9 | low))),
        _ => (1, false),
    });
}

#[test]
fn octets_that_are_code_points() {
    check_ordered(System::Latin1);
    check_ordered(System::Ascii);
}

#[test]
fn wtf_8() {
    // A pair has six octets.
    check_ordered(System::Wtf8);
}

#[test]
fn utf_8_with_a_mark_taken_off() {
    let sequences = Sequences::of(System::Utf8, 3);
    check_behind_mark(System::Utf8Bom { bom: Utf8Bom::Strip }, 3, &[0xEF, 0xBB, 0xBF], |input| {
        sequences.first_event(input)
    });
}

#[test]
fn cesu_8() {
    let sequences = Sequences::of_unicode(System::Cesu8, 3);
    check(System::Cesu8, 3, |input| sequences.first_event(input));
}

#[test]
fn mutf_8() {
    let sequences = Sequences::of_unicode(System::Mutf8, 3);
    check(System::Mutf8, 3, |input| sequences.first_event(input));
}

/// The first code point and its length, by the standard library.
fn first_of_utf_16(units: &[u16]) -> (usize, bool) {
    match char::decode_utf16(units.iter().copied()).next() {
        Some(Ok(character)) => (character.len_utf16(), true),
        _ => (1, false),
    }
}

#[test]
fn utf_16_octets() {
    for order in [ByteOrder::Big, ByteOrder::Little] {
        check(System::Utf16Octets { order, bom: false }, 3, |input| {
            let (pairs, _) = input.as_chunks::<2>();
            let unit = |&[one, other]: &[u32; 2]| match order {
                ByteOrder::Big => (one << 8 | other) as u16,
                ByteOrder::Little => (other << 8 | one) as u16,
            };
            let units: Vec<u16> = pairs.iter().map(unit).collect();
            if units.is_empty() {
                return (1, false);
            }
            let (length, is_code_point) = first_of_utf_16(&units);
            (2 * length, is_code_point)
        });
    }
}

/// Checks each unit of `firsts`, followed by every unit.
fn check_pairs(firsts: impl Iterator<Item = u16>) {
    let mut decoder = System::Utf16.decoder();
    for first in firsts {
        for second in 0..=u16::MAX {
            let units = [first, second];
            let mut rest = &units[..];
            let mut start = 0;
            while let Some(event) = decoder.next(&mut rest, true) {
                let (length, is_code_point) = first_of_utf_16(&units[start..]);
                assert_eq!((event.offset, event.length), (start as u64, length as u64), "{units:X?}");
                let expected = char::decode_utf16(units[start..].iter().copied()).next();
                match expected {
                    Some(Ok(character)) => {
                        assert_eq!(event.what, Slot::CodePoint(character.into()), "{units:X?}")
                    }
                    _ => assert_eq!(event.what, Slot::Error(ErrorKind::Surrogate), "{units:X?}"),
                }
                assert_eq!(is_code_point, matches!(event.what, Slot::CodePoint(_)));
                start += length;
            }
            assert_eq!(start, 2, "{units:X?}");
        }
    }
}

#[test]
fn pairs_of_utf_16() {
    let ends = [0, 0x41, 0xD7FF, 0xD800, 0xD801, 0xDBFF, 0xDC00, 0xDFFE, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF];
    check_pairs(ends.into_iter().chain((0..=u16::MAX).step_by(4093)));
}

/// Every 47th unit with all that may follow; with `UTFHDL_PAIRS=all`, which takes minutes, every unit.
#[test]
#[ignore = "takes some seconds; run it with --ignored"]
fn pairs_of_utf_16_everywhere() {
    let is_all = std::env::var("UTFHDL_PAIRS").is_ok_and(|pairs| pairs == "all");
    check_pairs((0..=u16::MAX).step_by(if is_all { 1 } else { 47 }));
}

#[test]
fn utf_32_is_as_the_standard_library_has_characters() {
    let mut decoder = System::Utf32 { max: Max::Unicode }.decoder();
    let edges = (0..32).flat_map(|bit| [1_u32 << bit, (1 << bit) - 1]).chain([u32::MAX]);
    for unit in (0..0x12_0000).chain(edges) {
        let event = decoder.next(&mut &[unit][..], true).unwrap();
        let expected = match char::from_u32(unit) {
            Some(character) => Slot::CodePoint(character.into()),
            None if unit <= 0xDFFF => Slot::Error(ErrorKind::Surrogate),
            None => Slot::Error(ErrorKind::OutOfRange),
        };
        assert_eq!((event.offset, event.length, event.what), (0, 1, expected), "{unit:X}");
        assert_eq!(decoder.next::<u32>(&mut &[][..], true), None);
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let octets = match order {
                ByteOrder::Big => unit.to_be_bytes(),
                ByteOrder::Little => unit.to_le_bytes(),
            };
            let system = System::Utf32Octets { order, bom: false, max: Max::Unicode };
            let events: Vec<Event> = system.decode(&octets).collect();
            assert_eq!(events, [Event { offset: 0, length: 4, what: expected }], "{unit:X}");
            for length in 1..4 {
                let events: Vec<Event> = system.decode(&octets[..length]).collect();
                let what = Slot::Error(ErrorKind::Truncated);
                assert_eq!(events, [Event { offset: 0, length: length as u64, what }], "{unit:X}");
            }
        }
    }
}

#[test]
fn utf_ebcdic_i8() {
    check_ordered(crate::common::system("utf-ebcdic-i8"));
    check_ordered(crate::common::system("utf-ebcdic-i8,max=7fffffff"));
}

/// Their code points do not sort as their units, but those of sequences that begin alike follow one another, which is enough here.
#[test]
fn utf_ebcdic_and_utf_1() {
    for name in ["utf-ebcdic", "utf-ebcdic,max=7fffffff", "utf-1", "utf-1,max=7fffffff"] {
        check_ordered(crate::common::system(name));
    }
}

/// Every word of 16 bits, and the words around each power of two, as the manual of `recode` has UCS: 31 bits, and no surrogates.
#[test]
fn ucs_2_and_ucs_4() {
    let edges = (0..32).flat_map(|bit| [1_u32 << bit, (1 << bit) - 1]).chain([u32::MAX]);
    for word in (0..0x1_0000).chain(edges) {
        let expected = match word {
            0xD800..=0xDFFF => Slot::Error(ErrorKind::Surrogate),
            0..=0x7FFF_FFFF => Slot::CodePoint(word),
            _ => Slot::Error(ErrorKind::OutOfRange),
        };
        let decode = |name: &str, units: &[u32]| -> Vec<(u64, Slot)> {
            let events = crate::common::system(name).decode(units);
            events.map(|event| (event.length, event.what)).collect()
        };
        assert_eq!(decode("ucs-4", &[word]), [(1, expected)], "{word:X}");
        let octets = word.to_be_bytes().map(u32::from);
        assert_eq!(decode("ucs-4,order=be", &octets), [(4, expected)], "{word:X}");
        if let Ok(short) = u16::try_from(word) {
            assert_eq!(decode("ucs-2", &[word]), [(1, expected)], "{word:X}");
            assert_eq!(decode("ucs-2be", &short.to_be_bytes().map(u32::from)), [(2, expected)], "{word:X}");
            assert_eq!(decode("ucs-2le", &short.to_le_bytes().map(u32::from)), [(2, expected)], "{word:X}");
        }
    }
}
