//! "Universal Transformation Format, 8 bits", of the recode manual.

use utfhdl_codec::ErrorKind::{Invalid, OutOfRange, Overlong, Surrogate};
use utfhdl_codec::{System, Whole};

use super::checked::{both_ways, encode, only_errors, unencodable};
use super::codec_texts::{code_point, hex, system};

fn recode() -> System {
    system("utf-8-rfc2279")
}

#[test]
fn accepted_aliases() {
    for alias in ["UTF-2", "UTF-FSS", "FSS_UTF", "TF-8", "u8"] {
        assert_eq!(system(alias), recode());
    }
}

#[test]
fn strict_7_bit_ascii_is_invariant_and_the_only_one_byte_characters() {
    for point in 0..0x80 {
        both_ways(recode(), &[point], &Whole::CodePoint(point));
    }
    assert_eq!(encode(recode(), &[code_point("U+80")]).unwrap().len(), 2);
}

#[test]
fn characters_of_one_to_six_bytes_up_to_2_to_the_31() {
    both_ways(recode(), &hex("C2 80"), &code_point("U+80"));
    both_ways(recode(), &hex("DF BF"), &code_point("U+7FF"));
    both_ways(recode(), &hex("E0 A0 80"), &code_point("U+800"));
    both_ways(recode(), &hex("EF BF BF"), &code_point("U+FFFF"));
    both_ways(recode(), &hex("F0 90 80 80"), &code_point("U+10000"));
    both_ways(recode(), &hex("F7 BF BF BF"), &code_point("U+1FFFFF"));
    both_ways(recode(), &hex("F8 88 80 80 80"), &code_point("U+200000"));
    both_ways(recode(), &hex("FB BF BF BF BF"), &code_point("U+3FFFFFF"));
    both_ways(recode(), &hex("FC 84 80 80 80 80"), &code_point("U+4000000"));
    both_ways(recode(), &hex("FD BF BF BF BF BF"), &code_point("U+7FFFFFFF"));
    unencodable(recode(), &code_point("U+80000000"));
}

#[test]
fn the_leading_ones_are_the_length_and_all_succeeding_bytes_start_by_10() {
    let mut point = 0x80_u32;
    while point <= 0x7FFF_FFFF {
        if !(0xD800..=0xDFFF).contains(&point) {
            let units = encode(recode(), &[Whole::CodePoint(point)]).unwrap();
            let (&first, succeeding) = units.split_first().unwrap();
            assert!(first >= 192);
            assert_eq!((first as u8).leading_ones() as usize, units.len());
            assert!(succeeding.iter().all(|unit| (128..=191).contains(unit)));
            // "The remaining bits concatenated are the UCS value."
            let bits = u32::from((first as u8) << units.len() >> units.len());
            let value = succeeding.iter().fold(bits, |value, &unit| value << 6 | (unit - 128));
            assert_eq!(value, point);
        }
        point += 1 + point / 500;
    }
}

#[test]
fn bytes_with_value_254_or_255_never_appear() {
    only_errors(recode(), &hex("FE 82 80 80 80 80 80"), Invalid);
    only_errors(recode(), &hex("FF"), Invalid);
}

#[test]
fn surrogates_and_longer_forms_are_no_characters() {
    only_errors(recode(), &hex("ED A0 80"), Surrogate);
    only_errors(recode(), &hex("ED BF BF"), Surrogate);
    only_errors(recode(), &hex("F8 87 BF BF BF"), Overlong);
    only_errors(recode(), &hex("FC 83 BF BF BF BF"), Overlong);
    unencodable(recode(), &code_point("U+D800"));
    unencodable(recode(), &code_point("U+DFFF"));
    both_ways(recode(), &hex("ED 9F BF"), &code_point("U+D7FF"));
    both_ways(recode(), &hex("EE 80 80"), &code_point("U+E000"));
}

/// "The UCS-2 encoding of UCS is a sequence of bigendian 16-bit words, the UCS-4 encoding is a sequence of bigendian 32-bit words."
#[test]
fn ucs_2_and_ucs_4_are_sequences_of_bigendian_words() {
    both_ways(system("ucs-2"), &hex("20AC"), &code_point("U+20AC"));
    both_ways(system("ucs-2,order=be"), &hex("20 AC"), &code_point("U+20AC"));
    both_ways(system("ucs-4,order=be"), &hex("00 01 F6 00"), &code_point("U+1F600"));
    both_ways(system("ucs-2"), &hex("FFFF"), &code_point("U+FFFF"));
    unencodable(system("ucs-2"), &code_point("U+10000"));
    unencodable(system("ucs-2"), &code_point("U+D800"));
    only_errors(system("ucs-2"), &hex("D83D DE00"), Surrogate);
}

/// "UCS is a 31-bit superset of all other character set standards."
#[test]
fn ucs_4_has_31_bits() {
    for (name, units) in
        [("ucs-4", "7FFFFFFF"), ("ucs-4,order=be", "7F FF FF FF"), ("ucs-4,order=le", "FF FF FF 7F")]
    {
        both_ways(system(name), &hex(units), &code_point("U+7FFFFFFF"));
        unencodable(system(name), &code_point("U+80000000"));
        unencodable(system(name), &code_point("U+DFFF"));
    }
    only_errors(system("ucs-4"), &hex("80000000"), OutOfRange);
    only_errors(system("utf-32"), &hex("7FFFFFFF"), OutOfRange);
}
