//! "Draft Proposal for UTF-∞-8 Specification".

use num_bigint::BigUint;
use utfhdl_codec::ErrorKind::{Invalid, Overlong, Truncated};
use utfhdl_codec::{System, Whole};

use super::checked::{both_ways, encode, only_errors, wholes};
use super::codec_texts::{code_point, hex, system};

fn utf_inf_8() -> System {
    system("utf-inf-8")
}

/// An example as the seed prints it: `U+110000 = F4 90 80 80`.
#[track_caller]
fn example(text: &str) {
    let (point, units) = text.split_once('=').expect("a code point, an equals sign, and units");
    both_ways(utf_inf_8(), &hex(units), &code_point(point.trim()));
}

#[test]
fn section_4_examples_of_up_to_seven_bytes() {
    example("U+0041 = 41");
    example("U+10FFFF = F4 8F BF BF");
    example("U+110000 = F4 90 80 80");
    example("U+7FFFFFFF = FD BF BF BF BF BF");
    example("U+80000000 = FE 82 80 80 80 80 80");
    example("U+FFFFFFFFF = FE BF BF BF BF BF BF");
}

#[test]
fn section_4_examples_of_thirteen_bytes() {
    example("U+1000000000 = FF 80 80 80 80 80 81 80 80 80 80 80 80");
    example("U+7FFFFFFFFFFFFFFF = FF 80 87 BF BF BF BF BF BF BF BF BF BF");
    example("U+8000000000000000 = FF 80 88 80 80 80 80 80 80 80 80 80 80");
    example("U+7FFFFFFFFFFFFFFFFF = FF 9F BF BF BF BF BF BF BF BF BF BF BF");
}

#[test]
fn section_4_examples_with_one_length_byte() {
    example("U+800000000000000000 = FF A0 A0 80 80 80 80 80 80 80 80 80 80 80");
    example("U+FFFFFFFFFFFFFFFFFF = FF A0 BF BF BF BF BF BF BF BF BF BF BF BF");
    example("U+1000000000000000000 = FF A1 80 81 80 80 80 80 80 80 80 80 80 80 80 80");
    example(
        "U+FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
          = FF AF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF BF",
    );
}

#[test]
fn section_4_examples_with_more_length_bytes() {
    example(
        "U+1000000000000000000000000000000000
          = FF B4 A1 A0 80 81 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80
            80 80 80 80 80 80",
    );
    example(
        "U+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
          = FF B4 A2 A1 AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA
            AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA",
    );
}

#[test]
fn section_4_example_of_one_hundred_and_two_digits() {
    // "U+A...(one hundred A's omitted)...A = FF B4 A5 A4 AA ... (sixty-six AA's omitted) ... AA (seventy-two bytes)"
    let point = format!("U+A{}A", "A".repeat(100));
    let units = format!("FF B4 A5 A4 AA {} AA", "AA ".repeat(66));
    assert_eq!(hex(&units).len(), 72);
    example(&format!("{point} = {units}"));
}

/// The header of a code point of `digits` digits, and the number of USV-storage bytes after it.
fn header(digits: usize) -> (Vec<u32>, usize) {
    // Eighteen digits have a length header from 8 on only.
    let first = if digits == 18 { 8_u32 } else { 1 };
    let point = Whole::from(BigUint::from(first) << (4 * (digits - 1)));
    let units = encode(utf_inf_8(), std::slice::from_ref(&point)).unwrap();
    assert_eq!(wholes(utf_inf_8(), &units), [point]);
    let storage = digits.div_ceil(3) * 2;
    let (header, _) = units.split_at(units.len() - storage);
    (header.to_vec(), storage)
}

#[test]
fn section_3_5_4_one_length_byte() {
    assert_eq!(header(18).0, hex("FF A0"));
    assert_eq!(header(21).0, hex("FF A3"));
    assert_eq!(header(33).0, hex("FF AF"));
}

#[test]
fn section_3_5_5_two_or_more_length_bytes() {
    assert_eq!(header(18 + 16).0, hex("FF B4 A1 A0"));
    assert_eq!(header(18 + 255).0, hex("FF B4 AF AF"));
    assert_eq!(header(18 + 256).0, hex("FF B4 B4 A1 A0 A0"));
    let by_bytes = [header(18 + 255).0, header(18 + 256).0];
    assert!(by_bytes.is_sorted(), "shorter codes are sorted before longer codes");
}

#[test]
fn section_3_5_7_numbers_of_storage_bytes() {
    for (digits, storage) in [(18, 12), (19, 14), (21, 14), (22, 16), (33, 22), (34, 24), (51, 34), (102, 68)]
    {
        assert_eq!(header(digits).1, storage, "{digits}");
    }
}

#[test]
fn section_3_2_surrogates_are_code_points_like_others() {
    example("U+D800 = ED A0 80");
    example("U+DFFF = ED BF BF");
}

#[test]
fn sections_3_3_to_3_5_have_one_form_for_each_code_point() {
    // The last code point of a form, in the next longer one.
    only_errors(utf_inf_8(), &hex("FE 81 BF BF BF BF BF"), Overlong);
    only_errors(utf_inf_8(), &hex("FF 80 80 80 80 80 80 BF BF BF BF BF BF"), Overlong);
    only_errors(utf_inf_8(), &hex("FF A0 9F BF BF BF BF BF BF BF BF BF BF BF"), Overlong);
    // Eighteen digits said to be nineteen.
    only_errors(utf_inf_8(), &hex("FF A1 80 80 BF BF BF BF BF BF BF BF BF BF BF BF"), Overlong);
    // NME = 0F, where F would do.
    only_errors(utf_inf_8(), &hex("FF B4 A0 AF"), Overlong);
}

#[test]
fn section_3_5_2_other_bytes_in_a_header() {
    for second in ["B0", "B1", "B2", "B3", "B5", "BF"] {
        only_errors(utf_inf_8(), &hex(&format!("FF {second}")), Invalid);
    }
    for wrong in ["FF B4 80", "FF B4 B5", "FF B4 9F", "FF B4 A1 B4", "FF B4 B4 A1 A0 80"] {
        only_errors(utf_inf_8(), &hex(wrong), Invalid);
    }
    for cut in ["FF", "FF B4", "FF B4 A1", "FF A0", "FF A0 BF", "FF 80", "FF 80 80 80 80 80 81", "FE 82"] {
        only_errors(utf_inf_8(), &hex(cut), Truncated);
    }
}

#[test]
fn section_3_5_7_padding_is_zero() {
    // Nineteen digits: two nybbles of padding. Twenty: one.
    only_errors(utf_inf_8(), &hex("FF A1 81"), Invalid);
    only_errors(utf_inf_8(), &hex("FF A1 80 91"), Invalid);
    only_errors(utf_inf_8(), &hex("FF A2 84"), Invalid);
    only_errors(utf_inf_8(), &hex("FF A2 80 8F"), Overlong);
    only_errors(utf_inf_8(), &hex("FF A1 80 80"), Overlong);
    only_errors(utf_inf_8(), &hex("FF A3 83"), Overlong);
}
