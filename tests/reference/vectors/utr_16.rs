//! Unicode Technical Report #16, *UTF-EBCDIC*: the I8 form, the first of its two steps. Each row of its table of bit distributions, at
//! its first and last code point.

use utfhdl_codec::ErrorKind::{OutOfRange, Overlong, Surrogate};
use utfhdl_codec::Whole;

use super::checked::{both_ways, only_errors, unencodable};
use super::codec_texts::{code_point, hex, system};

const NAMES: [&str; 2] = ["utf-ebcdic-i8", "utf-ebcdic-i8,max=7fffffff"];

#[test]
fn ascii_and_c1_controls_are_octets_of_the_same_number() {
    for name in NAMES {
        for point in 0..0xA0 {
            both_ways(system(name), &[point], &Whole::CodePoint(point));
        }
    }
}

#[test]
fn rows_of_the_table_up_to_unicodes_last_code_point() {
    for name in NAMES {
        for (units, point) in [
            ("C5 A0", "U+A0"),
            ("DF BF", "U+3FF"),
            ("E1 A0 A0", "U+400"),
            ("EF BF BF", "U+3FFF"),
            ("F0 B0 A0 A0", "U+4000"),
            ("F1 B5 BF BF", "U+D7FF"),
            ("F1 B8 A0 A0", "U+E000"),
            ("F7 BF BF BF", "U+3FFFF"),
            ("F8 A8 A0 A0 A0", "U+40000"),
            ("F9 A1 BF BF BF", "U+10FFFF"),
        ] {
            both_ways(system(name), &hex(units), &code_point(point));
        }
    }
}

#[test]
fn rows_of_the_table_past_unicodes_last_code_point() {
    let ucs_4 = system(NAMES[1]);
    for (units, point) in [
        ("FB BF BF BF BF", "U+3FFFFF"),
        ("FC A4 A0 A0 A0 A0", "U+400000"),
        ("FD BF BF BF BF BF", "U+3FFFFFF"),
        ("FE A2 A0 A0 A0 A0 A0", "U+4000000"),
        ("FF BF BF BF BF BF BF", "U+7FFFFFFF"),
    ] {
        both_ways(ucs_4, &hex(units), &code_point(point));
    }
    unencodable(ucs_4, &code_point("U+80000000"));
    unencodable(system(NAMES[0]), &code_point("U+110000"));
}

/// A code point takes the shortest form that has room for it; surrogates are no characters.
#[test]
fn other_forms_are_errors() {
    for name in NAMES {
        only_errors(system(name), &hex("C4 BF"), Overlong);
        only_errors(system(name), &hex("E0 BF BF"), Overlong);
        only_errors(system(name), &hex("F0 AF BF BF"), Overlong);
        only_errors(system(name), &hex("F8 A7 BF BF BF"), Overlong);
        only_errors(system(name), &hex("F1 B6 A0 A0"), Surrogate);
        unencodable(system(name), &code_point("U+D800"));
    }
    only_errors(system(NAMES[0]), &hex("F9 A2 A0 A0 A0"), OutOfRange);
    only_errors(system(NAMES[1]), &hex("FE A1 BF BF BF BF BF"), Overlong);
}
