//! The Unicode Standard, core specification, §3.9 and §3.10: encoding forms and encoding schemes.

use utfhdl_codec::ErrorKind::{OutOfRange, Surrogate};
use utfhdl_codec::Whole;

use super::checked::{both_ways, encode, only_errors, texts_both_ways, unencodable, wholes};
use super::codec_texts::{code_point, hex, system};

/// The text of the examples of D90 to D101: "<004D, 0430, 4E8C, 10302>".
const TEXT: [u32; 4] = [0x4D, 0x430, 0x4E8C, 0x1_0302];

#[test]
fn examples_of_encoding_forms() {
    texts_both_ways("utf-32", &hex("0000004D 00000430 00004E8C 00010302"), &TEXT);
    texts_both_ways("utf-16", &hex("004D 0430 4E8C D800 DF02"), &TEXT);
    texts_both_ways("utf-8", &hex("4D D0 B0 E4 BA 8C F0 90 8C 82"), &TEXT);
}

#[test]
fn examples_of_encoding_schemes() {
    texts_both_ways("utf-16be", &hex("00 4D 04 30 4E 8C D8 00 DF 02"), &TEXT);
    texts_both_ways("utf-16le", &hex("4D 00 30 04 8C 4E 00 D8 02 DF"), &TEXT);
    texts_both_ways("utf-16be,bom=on", &hex("FE FF 00 4D 04 30 4E 8C D8 00 DF 02"), &TEXT);
    texts_both_ways("utf-16le,bom=on", &hex("FF FE 4D 00 30 04 8C 4E 00 D8 02 DF"), &TEXT);
    texts_both_ways("utf-32be", &hex("00 00 00 4D 00 00 04 30 00 00 4E 8C 00 01 03 02"), &TEXT);
    texts_both_ways("utf-32le", &hex("4D 00 00 00 30 04 00 00 8C 4E 00 00 02 03 01 00"), &TEXT);
    let big = "00 00 FE FF 00 00 00 4D 00 00 04 30 00 00 4E 8C 00 01 03 02";
    texts_both_ways("utf-32be,bom=on", &hex(big), &TEXT);
    let little = "FF FE 00 00 4D 00 00 00 30 04 00 00 8C 4E 00 00 02 03 01 00";
    texts_both_ways("utf-32le,bom=on", &hex(little), &TEXT);
    texts_both_ways("utf-8,bom=add", &hex("EF BB BF 4D D0 B0 E4 BA 8C F0 90 8C 82"), &TEXT);
}

#[test]
fn the_mark_tells_the_order_and_without_it_the_most_significant_byte_is_first() {
    let expected = TEXT.map(Whole::CodePoint);
    for name in ["utf-16,bom=on", "utf-16be,bom=on", "utf-16le,bom=on"] {
        for units in ["FE FF 00 4D 04 30 4E 8C D8 00 DF 02", "FF FE 4D 00 30 04 8C 4E 00 D8 02 DF"] {
            assert_eq!(wholes(system(name), &hex(units)), expected, "{name}");
        }
    }
    let without = hex("00 4D 04 30 4E 8C D8 00 DF 02");
    assert_eq!(wholes(system("utf-16,bom=on"), &without), expected);
    let without = hex("00 00 00 4D 00 00 04 30 00 00 4E 8C 00 01 03 02");
    assert_eq!(wholes(system("utf-32,bom=on"), &without), expected);
}

#[test]
fn the_mark_is_part_of_the_text_where_the_name_tells_the_order() {
    // "In UTF-16BE, an initial byte sequence <FE FF> is interpreted as U+FEFF zero width no-break space."
    both_ways(system("utf-16be"), &hex("FE FF"), &code_point("U+FEFF"));
    both_ways(system("utf-16le"), &hex("FF FE"), &code_point("U+FEFF"));
    both_ways(system("utf-32be"), &hex("00 00 FE FF"), &code_point("U+FEFF"));
    both_ways(system("utf-32le"), &hex("FF FE 00 00"), &code_point("U+FEFF"));
    both_ways(system("utf-8"), &hex("EF BB BF"), &code_point("U+FEFF"));
}

#[test]
fn only_the_first_mark_is_none_of_the_text() {
    let no_break = Whole::CodePoint(0xFEFF);
    for (name, units) in [
        ("utf-16be,bom=on", "FE FF FE FF"),
        ("utf-16le,bom=on", "FF FE FF FE"),
        ("utf-32be,bom=on", "00 00 FE FF 00 00 FE FF"),
        ("utf-8,bom=strip", "EF BB BF EF BB BF"),
    ] {
        assert_eq!(wholes(system(name), &hex(units)), std::slice::from_ref(&no_break), "{name}");
    }
    assert_eq!(encode(system("utf-8,bom=strip"), &[Whole::CodePoint(0x4D)]), Ok(hex("4D")));
}

#[test]
fn empty_streams_have_a_mark_where_texts_do() {
    for (name, mark) in [
        ("utf-16be,bom=on", "FE FF"),
        ("utf-16le,bom=on", "FF FE"),
        ("utf-32be,bom=on", "00 00 FE FF"),
        ("utf-32le,bom=on", "FF FE 00 00"),
        ("utf-8,bom=add", "EF BB BF"),
        ("utf-8,bom=strip", ""),
    ] {
        texts_both_ways(name, &hex(mark), &[]);
    }
}

#[test]
fn table_3_5_utf_16_bit_distribution() {
    for point in ["U+0", "U+D7FF", "U+E000", "U+FFFF"] {
        both_ways(system("utf-16"), &hex(&point[2..]), &code_point(point));
    }
    // uuuuuxxxxxxxxxxxxxxxx is 110110wwwwxxxxxx 110111xxxxxxxxxx, with wwww = uuuuu - 1.
    both_ways(system("utf-16"), &[0b1101_1000_0000_0000, 0b1101_1100_0000_0000], &code_point("U+10000"));
    both_ways(system("utf-16"), &[0b1101_1000_0000_0000, 0b1101_1111_1111_1111], &code_point("U+103FF"));
    both_ways(system("utf-16"), &[0b1101_1000_0100_0000, 0b1101_1100_0000_0000], &code_point("U+20000"));
    both_ways(system("utf-16"), &[0b1101_1011_1111_1111, 0b1101_1111_1111_1111], &code_point("U+10FFFF"));
}

#[test]
fn surrogates_are_no_scalar_values() {
    for (name, units) in [
        ("utf-16", "D800"),
        ("utf-16", "DC00 D800 DBFF"),
        ("utf-16be", "D8 00"),
        ("utf-16le", "00 DC FF DB"),
        ("utf-32", "D800 DBFF DC00 DFFF"),
        ("utf-32be", "00 00 D8 00 00 00 DF FF"),
    ] {
        only_errors(system(name), &hex(units), Surrogate);
    }
    only_errors(system("utf-32"), &hex("110000 FFFFFFFF"), OutOfRange);
    only_errors(system("utf-32le"), &hex("00 00 11 00 00 D8 00 01"), OutOfRange);
    for name in ["utf-16", "utf-16be", "utf-16le,bom=on", "utf-32", "utf-32be", "utf-32le,bom=on"] {
        for point in ["U+D800", "U+DBFF", "U+DC00", "U+DFFF", "U+110000"] {
            unencodable(system(name), &code_point(point));
        }
    }
}
