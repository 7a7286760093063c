//! "Corrected UTF-8".

use utfhdl_codec::ErrorKind::{self, Nul, Reserved, Truncated, Unexpected};
use utfhdl_codec::{Codec, OnError, Slot, System, Whole};

use super::checked::{both_ways, encode, events, unencodable, wholes};
use super::codec_texts::{code_point, hex, system};

const MAGIC: &str = "EF B7 9D ED B2 AE 00 0A";

fn corrected() -> System {
    system("corrected-utf-8")
}

fn document() -> System {
    system("corrected-utf-8,document=on")
}

/// A row of the table: `row("C0 80 … DF BF", 160, "0000 00A0 … 0000 089F")`.
#[track_caller]
fn row(sequences: &str, offset: u64, points: &str) {
    let (first_units, last_units) = sequences.split_once('…').expect("a range");
    let (first, last) = points.split_once('…').expect("a range");
    let point = |text: &str| code_point(&format!("U+{}", text.replace(' ', "")));
    let (first_units, last_units) = (hex(first_units), hex(last_units));
    both_ways(corrected(), &first_units, &point(first));
    both_ways(corrected(), &last_units, &point(last));
    // The offset is the code point minus the bits of its sequence.
    let bits = |units: &[u32]| {
        let lead = if units.len() == 1 { 0x7F } else { 0xFF >> (units.len() + 1) };
        units[1..].iter().fold(u64::from(units[0] & lead), |bits, &unit| bits << 6 | u64::from(unit & 0x3F))
    };
    for (units, text) in [(first_units, first), (last_units, last)] {
        let value = u64::from_str_radix(&text.replace(' ', ""), 16).expect("hexadecimal digits");
        assert_eq!(bits(&units) + offset, value);
    }
}

#[test]
fn putting_it_all_together_table() {
    row("00 … 7F", 0, "0000 0000 … 0000 007F");
    row("C0 80 … DF BF", 160, "0000 00A0 … 0000 089F");
    row("E0 80 80 … EC BD 9F", 2_208, "0000 08A0 … 0000 D7FF");
    row("EC BD A0 … EF BF BF", 4_256, "0000 E000 … 0001 109F");
    row("F0 80 80 80 … F7 BF BF BF", 69_792, "0001 10A0 … 0021 109F");
    row("F8 80 80 80 80 … FB BF BF BF BF", 2_166_944, "0021 10A0 … 0421 109F");
    row("FC 80 80 80 80 80 … FD BF BF BF BF BF", 69_275_808, "0421 10A0 … 8421 109F");
    unencodable(corrected(), &code_point("U+842110A0"));
}

#[test]
fn eliminating_overlength_encodings() {
    both_ways(corrected(), &hex("C0 AF"), &code_point("U+00CF"));
    both_ways(corrected(), &hex("2F"), &code_point("U+002F"));
    // E0 80 AF is U+002F in UTF-8 as first specified, and here what 2F (hexadecimal) more than its offset is.
    both_ways(corrected(), &hex("E0 80 AF"), &Whole::CodePoint(0x2F + 2_208));
}

/// "They can be mapped to some convenient private-use codepoints": here, to those of the same number in plane 16.
#[test]
fn skipped_code_points_in_plane_16() {
    let private = system("corrected-utf-8,skipped=private");
    for (skipped, character, units) in [
        ("U+0080", "U+100080", "F3 AE BF A0"),
        ("U+0085", "U+100085", "F3 AE BF A5"),
        ("U+009F", "U+10009F", "F3 AE BF BF"),
        ("U+D800", "U+10D800", "F3 BC 9D A0"),
        ("U+DFFF", "U+10DFFF", "F3 BC BD 9F"),
    ] {
        both_ways(private, &hex(units), &code_point(skipped));
        both_ways(corrected(), &hex(units), &code_point(character));
        unencodable(private, &code_point(character));
    }
    // Others are as without the option.
    for (character, units) in [("U+10007F", "F3 AE BF 9F"), ("U+1000A0", "F3 AF 80 80"), ("U+00A0", "C0 80")]
    {
        both_ways(private, &hex(units), &code_point(character));
    }
}

#[test]
fn not_encoding_c1_controls_or_surrogates() {
    for point in (0x80..=0x9F).chain(0xD800..=0xDFFF) {
        unencodable(corrected(), &Whole::CodePoint(point));
    }
    // "ED A0 80 through ED BF BF" are sequences like others.
    both_ways(corrected(), &hex("ED A0 80"), &Whole::CodePoint(0xD800 + 4_256));
    both_ways(corrected(), &hex("ED BF BF"), &Whole::CodePoint(0xDFFF + 4_256));
}

#[test]
fn the_magic_number_is_four_code_points_elsewhere() {
    let points = ["U+10E7D", "U+ED4E", "U+0000", "U+000A"].map(code_point);
    assert_eq!(wholes(corrected(), &hex(MAGIC)), points);
    assert_eq!(encode(corrected(), &points), Ok(hex(MAGIC)));
    // "If interpreted as traditional UTF-8"; utf-8-8byte is one with surrogates.
    let points = ["U+FDDD", "U+DCAE", "U+0000", "U+000A"].map(code_point);
    assert_eq!(wholes(system("utf-8-8byte"), &hex(MAGIC)), points);
    let (error, unexpected) = (Whole::Error(ErrorKind::Surrogate), Whole::Error(Unexpected));
    let utf_8 =
        [points[0].clone(), error, unexpected.clone(), unexpected, points[2].clone(), points[3].clone()];
    assert_eq!(wholes(system("utf-8"), &hex(MAGIC)), utf_8);
}

#[test]
fn the_magic_number_is_no_part_of_a_document() {
    let units = hex(&format!("{MAGIC} 41 C0 AF"));
    let points = ["U+41", "U+CF"].map(code_point);
    assert_eq!(wholes(document(), &units), points);
    assert_eq!(encode(document(), &points), Ok(units.clone()));
    let offsets: Vec<u64> = events(document(), &units).iter().map(|event| event.offset).collect();
    assert_eq!(offsets, [8, 9], "offsets count from the start of the file");
    assert_eq!(wholes(document(), &hex(MAGIC)), []);
    assert_eq!(encode(document(), &[]), Ok(hex(MAGIC)), "an empty text has it too");
    assert_eq!(wholes(document(), &hex("41")), [code_point("U+41")], "none there is fine");
}

#[test]
fn only_one_magic_number_at_the_very_start_counts() {
    let nul = Whole::Error(Nul);
    let second = [code_point("U+10E7D"), code_point("U+ED4E"), nul.clone(), code_point("U+A")];
    assert_eq!(wholes(document(), &hex(&format!("{MAGIC} {MAGIC}"))), second);
    let later = wholes(document(), &hex(&format!("41 {MAGIC}")));
    assert_eq!(later, [&[code_point("U+41")], &second[..]].concat());
    // The start of a magic number is text if it does not continue.
    assert_eq!(
        wholes(document(), &hex("EF B7 9D ED B2 AE 00 41")),
        [&second[..3], &[code_point("U+41")]].concat()
    );
    assert_eq!(wholes(document(), &hex("EF B7 9D ED B2 41")).len(), 3);
    assert_eq!(wholes(document(), &hex("EF B7")), [Whole::Error(Truncated)]);
    assert_eq!(wholes(document(), &hex("EF B7 9D ED B2 AE 00")), second[..3]);
}

#[test]
fn nul_must_not_appear_in_a_document() {
    assert_eq!(wholes(document(), &hex("00")), [Whole::Error(Nul)]);
    unencodable(document(), &code_point("U+0"));
    both_ways(corrected(), &hex("00"), &code_point("U+0"));
    let replaced = document().encode(&[Slot::CodePoint(0)], OnError::Replace).unwrap();
    assert_eq!(wholes(document(), &replaced), [code_point("U+FFFD")]);
}

#[test]
fn fe_and_ff_extend_until_the_next_recognized_lead_byte() {
    let reserved = Whole::Error(Reserved);
    let of = |units: &str| {
        events(corrected(), &hex(units))
            .into_iter()
            .map(|event| (event.length, event.what))
            .collect::<Vec<_>>()
    };
    assert_eq!(of("FE"), [(1, reserved.clone())]);
    assert_eq!(of("FF DF"), [(1, reserved.clone()), (1, Whole::Error(Truncated))]);
    assert_eq!(of("FE 80 BF FF FE 80 41"), [(6, reserved.clone()), (1, code_point("U+41"))]);
    assert_eq!(of("FF C0 AF"), [(1, reserved.clone()), (2, code_point("U+CF"))]);
    assert_eq!(of("E0 80 FF 80"), [(2, Whole::Error(Truncated)), (2, reserved)]);
}
