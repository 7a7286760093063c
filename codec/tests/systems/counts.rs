//! Validation, counts and strings: the same as the events say, and as the standard library and encoding_rs say.

use proptest::prelude::*;
use utfhdl_codec::{Codec, Counts, ErrorKind, IllFormed, LONGEST_MARK, OnError, Slot, System, Unit, sniff};

use crate::common::strategy::{any_system, pieces, stream, systems};
use crate::common::{octal, system};

/// The numbers of a stream, from the events of the iterator, which has no fast path.
fn event_by_event<U: Unit>(system: System, units: &[U]) -> (Counts, Vec<IllFormed>) {
    let mut counts = Counts { units: units.len() as u64, ..Counts::default() };
    let events: Vec<_> = system.decode(units).collect();
    events.iter().for_each(|&event| counts.add(event));
    (counts, events.into_iter().filter_map(IllFormed::of_event).collect())
}

/// The numbers of a stream in pieces.
fn in_pieces<U: Unit>(system: System, pieces: &[&[U]]) -> (Counts, Vec<IllFormed>) {
    let (mut counter, mut validator) = (system.decoder(), system.decoder());
    let (mut counts, mut errors) = (Counts::default(), Vec::new());
    for (index, &piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        counter.count(piece, &mut counts, last);
        let mut rest = piece;
        while let Some(error) = validator.next_error(&mut rest, last) {
            errors.push(error);
        }
        assert!(rest.is_empty());
    }
    (counts, errors)
}

#[track_caller]
fn agree<U: Unit + std::fmt::Debug>(system: System, units: &[U], cuts: &[usize]) {
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([units.len()]);
    let pieces: Vec<&[U]> = starts.zip(ends).map(|(start, end)| &units[start..end]).collect();
    let expected = event_by_event(system, units);
    assert_eq!(in_pieces(system, &pieces), expected, "{system} {units:?} {cuts:?}");
    assert_eq!(system.validate(units), expected.1.first().map_or(Ok(()), |&error| Err(error)));
    assert_eq!(system.count(units), expected.0);
}

/// The Unicode Standard, core specification, table 3-4 and §3.9: U+004D U+0430 U+4E8C U+10302.
const TABLE_3_4: &str = "\u{4D}\u{430}\u{4E8C}\u{10302}";

#[test]
fn the_example_of_unicode_has_its_lengths() {
    let utf_8 = [0x4D, 0xD0, 0xB0, 0xE4, 0xBA, 0x8C, 0xF0, 0x90, 0x8C, 0x82_u8];
    assert_eq!(TABLE_3_4.as_bytes(), utf_8);
    let lengths = |counts: Counts| (counts.code_points, counts.utf_8, counts.utf_16, counts.utf_32);
    assert_eq!(lengths(System::Utf8.count(&utf_8)), (4, 10, 5, 4));
    let utf_16 = [0x004D, 0x0430, 0x4E8C, 0xD800, 0xDF02_u16];
    assert_eq!(lengths(System::Utf16.count(&utf_16)), (4, 10, 5, 4));
    let utf_32 = [0x4D, 0x430, 0x4E8C, 0x10302_u32];
    assert_eq!(lengths(system("utf-32").count(&utf_32)), (4, 10, 5, 4));
}

/// A hunk of 18 bits has a code point of plane 1 in one unit, which is four octets in UTF-8 and two words in UTF-16.
#[test]
fn runs_of_units_beyond_the_bmp_have_the_lengths_of_unicode() {
    for name in ["hunk-18", "utf-32"] {
        let counts = system(name).count(&[0x1_F600_u32; 100]);
        assert_eq!((counts.utf_8, counts.utf_16, counts.utf_32), (400, 200, 100), "{name}");
    }
}

#[test]
fn errors_and_what_unicode_lacks_count_as_replaced() {
    // A surrogate, U+110000, and a sequence that the end cuts: U+FFFD three times.
    let units = octal("730 0 421 400 0 421");
    let counts = system("utf-9,max=7fffffff").count(&units);
    assert_eq!((counts.units, counts.code_points, counts.errors), (6, 1, 2));
    assert_eq!((counts.utf_8, counts.utf_16, counts.utf_32), (9, 3, 3));
    // UTF-8 of one code point of 41 bits.
    let counts = system("utf-8-8byte").count(b"\xFF\x9F\xBF\xBF\xBF\xBF\xBF\xBF");
    assert_eq!((counts.code_points, counts.errors, counts.utf_8, counts.utf_16), (1, 0, 3, 1));
}

#[test]
fn the_first_error_is_named() {
    let error = system("utf-8").validate(b"ok \xF4\x90").unwrap_err();
    assert_eq!(error.to_string(), "offset 3: out-of-range");
    assert_eq!(error, IllFormed { offset: 3, length: 1, kind: ErrorKind::OutOfRange });
    assert_eq!(system("utf-8").count(b"ok \xF4\x90").first_error, Some(error));
    // The mark is part of the file, and not of the text.
    let error = system("utf-16le,bom=on").validate(b"\xFE\xFF\xDC\x00").unwrap_err();
    assert_eq!((error.offset, error.kind), (2, ErrorKind::Surrogate));
    let counts = system("utf-16le,bom=on").count(b"\xFE\xFF\x00A");
    assert_eq!((counts.units, counts.code_points, counts.utf_16), (4, 1, 1));
}

/// Long text of several lengths of sequences, with `bad` at a place of it.
fn long_octets() -> impl Strategy<Value = Vec<u8>> {
    let text = prop::collection::vec(
        prop::sample::select(vec!["plain ASCII text ", "é", "кириллица", "漢字", "😀"]),
        0..400,
    );
    let bad = prop::collection::vec(any::<u8>(), 0..3);
    (text, any::<prop::sample::Index>(), bad).prop_map(|(text, place, bad)| {
        let mut octets = text.concat().into_bytes();
        let place = place.index(octets.len() + 1);
        octets.splice(place..place, bad);
        octets
    })
}

proptest! {
    #[test]
    fn pieces_of_any_system_count_as_their_events((system, (units, cuts)) in any_system().prop_flat_map(|system| (Just(system), pieces(system)))) {
        agree(system, &units, &cuts);
        if system.unit_bits() <= 8 {
            let octets: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
            agree(system, &octets, &cuts);
        }
    }

    #[test]
    fn long_runs_count_as_their_events((system, stream) in any_system().prop_flat_map(|system| (Just(system), stream(system))), times in 1..100_usize) {
        agree(system, &stream.repeat(times), &[]);
        let plain: Vec<u32> = system.encode(&[Slot::CodePoint(0); 150], OnError::Replace).unwrap();
        agree(system, &[&*plain, &*stream, &*plain].concat(), &[]);
    }

    #[test]
    fn utf_8_is_valid_where_the_standard_library_says(octets in long_octets()) {
        let expected = std::str::from_utf8(&octets).map_err(|error| error.valid_up_to() as u64).map(|_| ());
        prop_assert_eq!(System::Utf8.validate(&octets).map_err(|error| error.offset), expected);
        let text = String::from_utf8_lossy(&octets);
        prop_assert_eq!(System::Utf8.decode_to_string(&octets, OnError::Replace), Ok(text.to_string()));
        let counts = System::Utf8.count(&octets);
        prop_assert_eq!(counts.units, octets.len() as u64);
        prop_assert_eq!(counts.code_points + counts.errors, text.chars().count() as u64);
        prop_assert_eq!(counts.utf_8, text.len() as u64);
        prop_assert_eq!(counts.utf_16, text.encode_utf16().count() as u64);
        prop_assert_eq!(counts.utf_32, text.chars().count() as u64);
    }

    #[test]
    fn utf_16_is_valid_where_encoding_rs_says(units in prop::collection::vec(prop_oneof![8 => any::<char>().prop_map(|c| c as u32 as u16), 1 => any::<u16>()], 0..300)) {
        let valid = encoding_rs::mem::utf16_valid_up_to(&units);
        let first = System::Utf16.validate(&units).err().map_or(units.len() as u64, |error| error.offset);
        prop_assert_eq!(first, valid as u64);
        let octets: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let first = system("utf-16le").validate(&octets).err().map_or(octets.len() as u64, |error| error.offset);
        prop_assert_eq!(first, 2 * valid as u64);
        let text = String::from_utf16_lossy(&units);
        prop_assert_eq!(system("utf-16le").decode_to_string(&octets, OnError::Replace), Ok(text.to_string()));
        prop_assert_eq!(System::Utf16.count(&units).utf_8, text.len() as u64);
        prop_assert_eq!(system("utf-16le").count(&octets).utf_8, text.len() as u64);
    }

    #[test]
    fn a_strict_string_is_a_valid_one(octets in long_octets()) {
        let expected = System::Utf8.validate(&octets).map(|()| String::from_utf8(octets.clone()).unwrap());
        prop_assert_eq!(System::Utf8.decode_to_string(&octets, OnError::Strict), expected);
    }
}

#[test]
fn a_strict_string_refuses_what_unicode_lacks() {
    let refused = system("wtf-8").decode_to_string(b"A\xED\xA0\x80", OnError::Strict);
    assert_eq!(refused, Err(IllFormed { offset: 1, length: 3, kind: ErrorKind::Unencodable }));
    assert_eq!(system("wtf-8").decode_to_string(b"A\xED\xA0\x80", OnError::Drop).as_deref(), Ok("A"));
}

/// The Unicode Standard, table 2-4 and §23.8; and the magic number of Corrected UTF-8.
#[test]
fn marks_tell_systems() {
    let name = |octets: &[u8]| sniff(octets).map(|system| system.to_string());
    let cases: [(&[u8], Option<&str>); 10] = [
        (b"\xEF\xBB\xBF", Some("utf-8,bom=strip")),
        (b"\xFE\xFF\0A", Some("utf-16be,bom=on")),
        (b"\xFF\xFEA\0", Some("utf-16le,bom=on")),
        (b"\0\0\xFE\xFF", Some("utf-32be,bom=on")),
        (b"\xFF\xFE\0\0", Some("utf-32le,bom=on")),
        (b"\xFF\xFE\0", Some("utf-16le,bom=on")),
        (b"\xEF\xB7\x9D\xED\xB2\xAE\0\nA", Some("corrected-utf-8,document=on")),
        (b"\xEF\xB7\x9D\xED\xB2\xAE\0", None),
        (b"\xEF\xBB", None),
        (b"", None),
    ];
    for (octets, expected) in cases {
        assert_eq!(name(octets).as_deref(), expected, "{octets:X?}");
        assert!(octets.len() <= LONGEST_MARK + 1);
    }
}

/// `sniff` finds the system of each file that an encoder wrote with a mark.
#[test]
fn files_that_are_written_with_a_mark_are_found() {
    let mut found = 0;
    for system in systems().into_iter().filter(|system| system.unit_bits() == 8) {
        let file: Vec<u8> = system.encode(&[Slot::CodePoint(0x41)], OnError::Strict).unwrap();
        let has_mark = file.len() > 4 || file.len() > 1 && file[0] != 0x41 && file[0] != 0;
        if !has_mark {
            continue;
        }
        found += 1;
        let sniffed = sniff(&file).unwrap_or_else(|| panic!("{system}"));
        assert_eq!(sniffed.decode_to_string(&file, OnError::Strict).as_deref(), Ok("A"), "{system}");
    }
    assert_eq!(found, 8, "one of utf-8, one of corrected-utf-8, two each of utf-16, ucs-2 and utf-32");
}
