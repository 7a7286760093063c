//! `utf-8` against Unicode: table 3-7 and the examples of the core specification, §3.9, and what other decoders make of the
//! same octets.

use proptest::prelude::*;
use utfhdl_codec::ErrorKind::{self, Invalid, OutOfRange, Overlong, Surrogate, Truncated, Unexpected};
use utfhdl_codec::{Codec, Event, Slot, System};

fn events(input: &[u8]) -> Vec<Event> {
    System::Utf8.decode(input).collect()
}

/// Lengths and what they are; the offsets are checked to tile the input.
fn tiles(input: &[u8]) -> Vec<(u64, Slot)> {
    let mut end = 0;
    let tiles = events(input).into_iter().map(|event| {
        assert_eq!(event.offset, end);
        end += event.length;
        (event.length, event.what)
    });
    let tiles = tiles.collect();
    assert_eq!(end, input.len() as u64);
    tiles
}

fn code_points(input: &[u8]) -> Vec<u32> {
    let code_point = |event: Event| match event.what {
        Slot::CodePoint(code_point) => code_point,
        other => panic!("{other:?} at {}", event.offset),
    };
    events(input).into_iter().map(code_point).collect()
}

fn errors(input: &[u8]) -> Vec<(u64, ErrorKind)> {
    let error = |(length, what)| match what {
        Slot::Error(kind) => (length, kind),
        other => panic!("{other:?} in {input:X?}"),
    };
    tiles(input).into_iter().map(error).collect()
}

/// The events without kinds, by `str::utf8_chunks`, which `String::from_utf8_lossy` uses.
fn lossy(input: &[u8]) -> Vec<(u64, Option<char>)> {
    let mut tiles = Vec::new();
    for chunk in input.utf8_chunks() {
        tiles.extend(chunk.valid().chars().map(|character| (character.len_utf8() as u64, Some(character))));
        if !chunk.invalid().is_empty() {
            tiles.push((chunk.invalid().len() as u64, None));
        }
    }
    tiles
}

fn without_kinds(input: &[u8]) -> Vec<(u64, Option<char>)> {
    let plain = |(length, what)| match what {
        Slot::CodePoint(code_point) => (length, Some(char::from_u32(code_point).expect("a scalar value"))),
        Slot::Error(_) => (length, None),
        Slot::Head(_) | Slot::Limb(_) => panic!("utf-8 has no long code points"),
    };
    tiles(input).into_iter().map(plain).collect()
}

#[test]
fn table_3_7_row_by_row() {
    // First and last sequence of each row, with the code points of the column "Code Points".
    assert_eq!(code_points(b"\x00\x7F"), [0x0000, 0x007F]);
    assert_eq!(code_points(b"\xC2\x80\xDF\xBF"), [0x0080, 0x07FF]);
    assert_eq!(code_points(b"\xE0\xA0\x80\xE0\xBF\xBF"), [0x0800, 0x0FFF]);
    assert_eq!(code_points(b"\xE1\x80\x80\xEC\xBF\xBF"), [0x1000, 0xCFFF]);
    assert_eq!(code_points(b"\xED\x80\x80\xED\x9F\xBF"), [0xD000, 0xD7FF]);
    assert_eq!(code_points(b"\xEE\x80\x80\xEF\xBF\xBF"), [0xE000, 0xFFFF]);
    assert_eq!(code_points(b"\xF0\x90\x80\x80\xF0\xBF\xBF\xBF"), [0x1_0000, 0x3_FFFF]);
    assert_eq!(code_points(b"\xF1\x80\x80\x80\xF3\xBF\xBF\xBF"), [0x4_0000, 0xF_FFFF]);
    assert_eq!(code_points(b"\xF4\x80\x80\x80\xF4\x8F\xBF\xBF"), [0x10_0000, 0x10_FFFF]);
}

#[test]
fn table_3_8_non_shortest_forms() {
    let expected = [
        (1, Overlong),
        (1, Unexpected),
        (1, Overlong),
        (1, Unexpected),
        (1, Unexpected),
        (1, Overlong),
        (1, Unexpected),
        (1, Unexpected),
    ];
    assert_eq!(errors(b"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"), expected);
    assert_eq!(tiles(b"\x41").last(), Some(&(1, Slot::CodePoint(0x41))));
}

#[test]
fn table_3_9_ill_formed_sequences_for_surrogates() {
    let expected = [
        (1, Surrogate),
        (1, Unexpected),
        (1, Unexpected),
        (1, Surrogate),
        (1, Unexpected),
        (1, Unexpected),
        (1, Surrogate),
        (1, Unexpected),
    ];
    assert_eq!(errors(b"\xED\xA0\x80\xED\xBF\xBF\xED\xAF"), expected);
}

#[test]
fn table_3_10_other_ill_formed_sequences() {
    let expected = [
        (1, Slot::Error(OutOfRange)),
        (1, Slot::Error(Unexpected)),
        (1, Slot::Error(Unexpected)),
        (1, Slot::Error(Unexpected)),
        (1, Slot::Error(Invalid)),
        (1, Slot::CodePoint(0x41)),
        (1, Slot::Error(Unexpected)),
        (1, Slot::Error(Unexpected)),
        (1, Slot::CodePoint(0x42)),
    ];
    assert_eq!(tiles(b"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), expected);
}

#[test]
fn table_3_11_truncated_sequences() {
    let truncated = Slot::Error(Truncated);
    let expected =
        [(2, truncated), (1, truncated), (3, truncated), (2, truncated), (1, Slot::CodePoint(0x41))];
    assert_eq!(tiles(b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), expected);
}

#[test]
fn kinds_of_single_lead_octets() {
    assert_eq!(errors(b"\xC0\xC1"), [(1, Overlong), (1, Overlong)]);
    assert_eq!(errors(b"\xF5\xF7"), [(1, OutOfRange), (1, OutOfRange)]);
    assert_eq!(errors(b"\xF8\xFF"), [(1, Invalid), (1, Invalid)]);
    assert_eq!(
        errors(b"\xF4\x90\x80\x80"),
        [(1, OutOfRange), (1, Unexpected), (1, Unexpected), (1, Unexpected)]
    );
    assert_eq!(errors(b"\xC0\xAF"), [(1, Overlong), (1, Unexpected)]);
    assert_eq!(errors(b"\xED\xA0\x80"), [(1, Surrogate), (1, Unexpected), (1, Unexpected)]);
    assert_eq!(errors(b"\xE2\x82"), [(2, Truncated)]);
}

#[test]
fn units_of_more_than_eight_bits_are_invalid() {
    let input: [u32; 4] = [0x141, 0xC3, 0x1A9, 0xFFFF];
    let lengths_and_kinds: Vec<_> =
        System::Utf8.decode(&input).map(|event| (event.length, event.what)).collect();
    let invalid = (1, Slot::Error(Invalid));
    assert_eq!(lengths_and_kinds, [invalid, (1, Slot::Error(Truncated)), invalid, invalid]);
}

#[test]
fn all_inputs_of_one_to_three_octets_are_as_the_standard_library_reads_them() {
    let mut input = Vec::new();
    for length in 1..=3_u32 {
        for number in 0..1_u32 << (8 * length) {
            input.clear();
            input.extend_from_slice(&number.to_be_bytes()[4 - length as usize..]);
            assert_eq!(without_kinds(&input), lossy(&input), "{input:X?}");
        }
    }
}

#[test]
fn all_inputs_of_four_octets_that_start_with_a_long_lead_are_as_the_standard_library_reads_them() {
    // The last octet makes a difference only by its class, so the ends of the classes stand for all.
    let ends =
        [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0, 0xF4, 0xF5, 0xFF];
    for first in 0xE0..=0xFF {
        for second in 0..=0xFF {
            for third in ends {
                for fourth in ends {
                    let input = [first, second, third, fourth];
                    assert_eq!(without_kinds(&input), lossy(&input), "{input:X?}");
                }
            }
        }
    }
}

#[test]
fn all_scalar_values_are_decoded() {
    for character in '\0'..=char::MAX {
        let mut buffer = [0; 4];
        let encoded = character.encode_utf8(&mut buffer).as_bytes();
        assert_eq!(code_points(encoded), [u32::from(character)]);
    }
}

/// Octets of which many make sequences, and many nearly do.
fn likely_octets() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<char>().prop_map(|character| character.to_string().into_bytes()),
        prop::collection::vec(prop_oneof![0x80..=0xBF_u8, 0xC0..=0xFF_u8, any::<u8>()], 1..4),
        (any::<char>(), 1..4_usize).prop_map(|(character, cut)| {
            let mut octets = character.to_string().into_bytes();
            octets.truncate(cut);
            octets
        }),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn as_from_utf8_lossy_event_by_event(input in likely_octets()) {
        prop_assert_eq!(without_kinds(&input), lossy(&input));
        let text: String = without_kinds(&input).iter().map(|&(_, c)| c.unwrap_or('\u{FFFD}')).collect();
        prop_assert_eq!(text, String::from_utf8_lossy(&input));
    }

    #[test]
    fn events_come_out_with_the_unit_that_makes_them_certain(input in likely_octets()) {
        let mut decoder = System::Utf8.decoder();
        let mut found = Vec::new();
        for end in 1..=input.len() {
            let mut unit = &input[end - 1..end];
            while let Some(event) = decoder.next(&mut unit, false) {
                found.push(event);
            }
            prop_assert!(unit.is_empty());
            // Units that are still open can be completed to a well-formed sequence.
            let open = end as u64 - found.iter().map(|event| event.length).sum::<u64>();
            let run = &input[end - open as usize..end];
            prop_assert!(run.is_empty() || std::str::from_utf8(run).unwrap_err().error_len().is_none());
        }
        let mut nothing: &[u8] = &[];
        found.extend(std::iter::from_fn(|| decoder.next(&mut nothing, true)));
        prop_assert_eq!(&found, &events(&input));

        // The decoder then reads the next stream as a new one would, with a buffer of any size.
        let mut output = [found.first().copied().unwrap_or(Event { offset: 9, length: 9, what: Slot::Limb(9) }); 3];
        let mut again = Vec::new();
        let mut rest = input.as_slice();
        loop {
            let progress = decoder.decode(rest, &mut output, true);
            again.extend_from_slice(&output[..progress.written]);
            rest = &rest[progress.read..];
            if progress.finished {
                break;
            }
        }
        prop_assert_eq!(again, found);
    }
}
