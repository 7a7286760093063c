//! "Extending UTF-8 to eight bytes".

use num_bigint::BigUint;
use utfhdl_codec::ErrorKind::{Invalid, OutOfRange, Overlong, Unexpected};
use utfhdl_codec::{System, Whole};

use super::checked::{both_ways, encode, events, only_errors, unencodable, wholes};
use super::codec_texts::{code_point, hex, pattern, system};

fn eight_byte() -> System {
    system("utf-8-8byte")
}

/// `"wwz0'0010 wz00'0000"`, as tables two and five have it.
fn binary(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|unit| pattern(unit, 0)).collect()
}

/// A code point as the tables print it: in binary with apostrophes, or in hexadecimal octets.
fn bits(text: &str) -> Whole {
    let digits: String = text.chars().filter(|symbol| symbol.is_ascii_digit()).collect();
    Whole::from(BigUint::parse_bytes(digits.as_bytes(), 2).expect("binary digits"))
}

fn octets(text: &str) -> Whole {
    code_point(&format!("U+{}", text.replace(' ', "")))
}

#[test]
fn table_one_first_bytes() {
    let rows = [
        ("zddd'dddd", 1),
        ("wwzd'dddd", 2),
        ("wwwz'dddd", 3),
        ("wwww'zddd", 4),
        ("wwww'wzdd", 5),
        ("wwww'wwzd", 6),
        ("wwww'wwwz", 7),
        ("wwww'wwww", 8),
    ];
    for (first, length) in rows {
        let mut units = vec![pattern(first, 1)];
        units.resize(length, pattern("wzdd'dddd", 1));
        let events = events(eight_byte(), &units);
        assert_eq!(events.len(), 1, "{first}");
        assert_eq!(encode(eight_byte(), &[events[0].what.clone()]), Ok(units));
    }
}

#[test]
fn table_two_rows_of_code_points() {
    #[track_caller]
    fn row(first: (&str, &str), last: (&str, &str), net_bits: u64) {
        both_ways(eight_byte(), &binary(first.0), &bits(first.1));
        both_ways(eight_byte(), &binary(last.0), &bits(last.1));
        let value = BigUint::parse_bytes(last.1.replace([' ', '\''], "").as_bytes(), 2).unwrap();
        assert_eq!(value.bits(), net_bits);
    }
    // A
    row(("z000'0000", "0000'0000"), ("z111'1111", "0111'1111"), 7);
    // C
    row(("wwz0'0010 wz00'0000", "0000'0000 1000'0000"), ("wwz1'1111 wz11'1111", "0000'0111 1111'1111"), 11);
    // E
    row(
        ("wwwz'0000 wz10'0000 wz00'0000", "0000'1000 0000'0000"),
        ("wwwz'1111 wz11'1111 wz11'1111", "1111'1111 1111'1111"),
        16,
    );
    // G
    row(
        ("wwww'z000 wz01'0000 wz00'0000 wz00'0000", "0000'0001 0000'0000 0000'0000"),
        ("wwww'z111 wz11'1111 wz11'1111 wz11'1111", "0001'1111 1111'1111 1111'1111"),
        21,
    );
    // I
    row(
        ("wwww'wz00 wz00'1000 wz00'0000 wz00'0000 wz00'0000", "0000'0000 0010'0000 0000'0000 0000'0000"),
        ("wwww'wz11 wz11'1111 wz11'1111 wz11'1111 wz11'1111", "0000'0011 1111'1111 1111'1111 1111'1111"),
        26,
    );
    // K
    row(
        (
            "wwww'wwz0 wz00'0100 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "0000'0100 0000'0000 0000'0000 0000'0000",
        ),
        (
            "wwww'wwz1 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
            "0111'1111 1111'1111 1111'1111 1111'1111",
        ),
        31,
    );
    // M
    row(
        (
            "wwww'wwwz wz00'0010 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "0000'0000 1000'0000 0000'0000 0000'0000 0000'0000",
        ),
        (
            "wwww'wwwz wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
            "0000'1111 1111'1111 1111'1111 1111'1111 1111'1111",
        ),
        36,
    );
    // O
    row(
        (
            "wwww'wwww wz00'0001 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "0000'0000 0001'0000 0000'0000 0000'0000 0000'0000 0000'0000",
        ),
        (
            "wwww'wwww wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
            "0000'0011 1111'1111 1111'1111 1111'1111 1111'1111 1111'1111",
        ),
        42,
    );
}

#[test]
fn table_two_rows_marked_overlong() {
    let rows = [
        // B
        ("wwz0'0000 wz00'0000", "wwz0'0001 wz11'1111"),
        // D
        ("wwwz'0000 wz00'0000 wz00'0000", "wwwz'0000 wz01'1111 wz11'1111"),
        // F
        ("wwww'z000 wz00'0000 wz00'0000 wz00'0000", "wwww'z000 wz00'1111 wz11'1111 wz11'1111"),
        // H
        (
            "wwww'wz00 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "wwww'wz00 wz00'0111 wz11'1111 wz11'1111 wz11'1111",
        ),
        // J
        (
            "wwww'wwz0 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "wwww'wwz0 wz00'0011 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
        ),
        // L
        (
            "wwww'wwwz wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "wwww'wwwz wz00'0001 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
        ),
        // N
        (
            "wwww'wwww wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000 wz00'0000",
            "wwww'wwww wz00'0000 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111 wz11'1111",
        ),
    ];
    for (first, last) in rows {
        only_errors(eight_byte(), &binary(first), Overlong);
        only_errors(eight_byte(), &binary(last), Overlong);
    }
}

/// A sequence and its code point.
type Line = (&'static str, &'static str);

/// The rows of code points of table three: the first and the last line of each.
const TABLE_THREE: [(Line, Line); 8] = [
    (("00", "00"), ("7F", "7F")),
    (("C2 80", "00 80"), ("DF BF", "07 FF")),
    (("E0 A0 80", "08 00"), ("EF BF BF", "FF FF")),
    (("F0 90 80 80", "01 00 00"), ("F7 BF BF BF", "1F FF FF")),
    (("F8 88 80 80 80", "00 20 00 00"), ("FB BF BF BF BF", "03 FF FF FF")),
    (("FC 84 80 80 80 80", "04 00 00 00"), ("FD BF BF BF BF BF", "7F FF FF FF")),
    (("FE 82 80 80 80 80 80", "00 80 00 00 00"), ("FE BF BF BF BF BF BF", "0F FF FF FF FF")),
    (("FF 81 80 80 80 80 80 80", "00 10 00 00 00 00"), ("FF BF BF BF BF BF BF BF", "03 FF FF FF FF FF")),
];

#[test]
fn table_three_rows_of_code_points() {
    for (first, last) in TABLE_THREE {
        both_ways(eight_byte(), &hex(first.0), &octets(first.1));
        both_ways(eight_byte(), &hex(last.0), &octets(last.1));
    }
    unencodable(eight_byte(), &octets("04 00 00 00 00 00"));
}

#[test]
fn table_three_where_four_byte_and_six_byte_utf_8_stop() {
    for (first, last) in &TABLE_THREE[..6] {
        both_ways(system("utf-8-rfc2279"), &hex(first.0), &octets(first.1));
        both_ways(system("utf-8-rfc2279"), &hex(last.0), &octets(last.1));
    }
    only_errors(system("utf-8-rfc2279"), &hex("FE 82 80 80 80 80 80"), Invalid);
    for (first, last) in &TABLE_THREE[..3] {
        both_ways(system("utf-8"), &hex(first.0), &octets(first.1));
        both_ways(system("utf-8"), &hex(last.0), &octets(last.1));
    }
    only_errors(system("utf-8"), &hex("F8 88 80 80 80"), Invalid);
}

#[test]
fn table_three_rows_marked_overlong() {
    let rows = [
        ("C0 80", "C1 BF"),
        ("E0 80 80", "E0 9F BF"),
        ("F0 80 80 80", "F0 8F BF BF"),
        ("F8 80 80 80 80", "F8 87 BF BF BF"),
        ("FC 80 80 80 80 80", "FC 83 BF BF BF BF"),
        ("FE 80 80 80 80 80 80", "FE 81 BF BF BF BF BF"),
        ("FF 80 80 80 80 80 80 80", "FF 80 BF BF BF BF BF BF"),
    ];
    for (first, last) in rows {
        only_errors(eight_byte(), &hex(first), Overlong);
        only_errors(eight_byte(), &hex(last), Overlong);
    }
    for (first, last) in &rows[..3] {
        only_errors(system("utf-8"), &hex(first), Overlong);
        only_errors(system("utf-8"), &hex(last), Overlong);
    }
}

#[test]
fn table_four_bits_of_row_c() {
    // wwz dA'd9d8d7d6 # wz d5d4'd3d2d1d0, of 0000'0 dAd9d8 # d7d6d5d4'd3d2d1d0
    for point in 0x80..0x800_u16 {
        let d = |index: u32| if point >> index & 1 == 1 { '1' } else { '0' };
        let first = format!("wwz{}'{}{}{}{}", d(0xA), d(9), d(8), d(7), d(6));
        let second = format!("wz{}{}'{}{}{}{}", d(5), d(4), d(3), d(2), d(1), d(0));
        let units = binary(&format!("{first} {second}"));
        both_ways(eight_byte(), &units, &Whole::CodePoint(point.into()));
    }
}

#[test]
fn tables_five_and_six_unicode_in_row_g() {
    let lower = [
        ("F0 90 80 80", "wwww'z000 wz01'0000 wz00'0000 wz00'0000", "01 00 00"),
        ("F4 8F BF BF", "wwww'z100 wz00'1111 wz11'1111 wz11'1111", "10 FF FF"),
    ];
    let upper = [
        ("F4 90 80 80", "wwww'z100 wz01'0000 wz00'0000 wz00'0000", "11 00 00"),
        ("F7 BF BF BF", "wwww'z111 wz11'1111 wz11'1111 wz11'1111", "1F FF FF"),
    ];
    for (units, table_five, point) in lower.into_iter().chain(upper) {
        assert_eq!(hex(units), binary(table_five));
        both_ways(eight_byte(), &hex(units), &octets(point));
    }
    for (units, _, point) in lower {
        both_ways(system("utf-8"), &hex(units), &octets(point));
    }
    for (units, _, point) in upper {
        only_errors(system("utf-8"), &hex(units), OutOfRange);
        unencodable(system("utf-8"), &octets(point));
    }
}

#[test]
fn table_seven_where_bit_patterns_appear() {
    let rows = [
        ("110d'dddd", 2),
        ("1110'dddd", 3),
        ("1111'0ddd", 4),
        ("1111'10dd", 5),
        ("1111'110d", 6),
        ("1111'1110", 7),
        ("1111'1111", 8),
    ];
    let has = |text: &str, unit: u32| {
        let data = pattern(text, 0) ^ pattern(text, 1);
        unit & !data == pattern(text, 0)
    };
    let mut point = 0_u64;
    while point < 1 << 42 {
        let units = encode(eight_byte(), &[Whole::from(BigUint::from(point))]).unwrap();
        for &unit in &units {
            for (text, least) in rows {
                assert!(!has(text, unit) || units.len() >= least, "{text} in {units:X?}");
            }
        }
        assert_eq!(units.len() == 1, has("0ddd'dddd", units[0]));
        assert_eq!(units.len() >= 2, units.iter().any(|&unit| has("10dd'dddd", unit)));
        point += 1 + point / 1000;
    }
}

#[test]
fn table_eight_forms_of_the_percent_sign() {
    both_ways(eight_byte(), &binary("z010'0101"), &Whole::CodePoint('%'.into()));
    for overlong in
        ["wwz0'0000 wz10'0101", "wwwz'0000 wz00'0000 wz10'0101", "wwww'z000 wz00'0000 wz00'0000 wz10'0101"]
    {
        for name in ["utf-8", "utf-8-rfc2279", "utf-8-8byte", "hunk-8", "utf-inf-8"] {
            only_errors(system(name), &binary(overlong), Overlong);
        }
    }
}

/// A part of table nine or ten: the rows as total bits, first unit, number of trailing units; and the trailing unit.
#[track_caller]
fn part(system: System, rows: &[(u32, &str, usize)], trailing: &str) {
    let mut least = BigUint::ZERO;
    for &(total_bits, first, count) in rows {
        let past_last = BigUint::from(1_u32) << total_bits;
        let with = |d| {
            let mut units = vec![pattern(first, d)];
            units.resize(1 + count, pattern(trailing, d));
            units
        };
        if past_last <= least {
            // The form adds no code point.
            only_errors(system, &with(0), Overlong);
            only_errors(system, &with(1), Overlong);
            continue;
        }
        both_ways(system, &with(1), &Whole::from(&past_last - 1_u32));
        let units = encode(system, &[Whole::from(least.clone())]).unwrap();
        assert_eq!(units.len(), 1 + count, "{system}: the first code point of {first}");
        both_ways(system, &units, &Whole::from(least.clone()));
        if least > BigUint::ZERO {
            only_errors(system, &with(0), Overlong);
        }
        least = past_last;
    }
    unencodable(system, &Whole::from(least));
}

#[test]
fn table_nine_9_bits_per_hunk() {
    let rows = [
        (8, "z'dddd'dddd", 0),
        (13, "w'wzdd'dddd", 1),
        (19, "w'wwzd'dddd", 2),
        (25, "w'wwwz'dddd", 3),
        (31, "w'wwww'zddd", 4),
        (37, "w'wwww'wzdd", 5),
        (43, "w'wwww'wwzd", 6),
        (49, "w'wwww'wwwz", 7),
        (56, "w'wwww'wwww", 8),
    ];
    part(system("hunk-9"), &rows, "w'zddd'dddd");
}

#[test]
fn table_nine_8_bits_per_hunk() {
    let rows = [
        (7, "zddd'dddd", 0),
        (11, "wwzd'dddd", 1),
        (16, "wwwz'dddd", 2),
        (21, "wwww'zddd", 3),
        (26, "wwww'wzdd", 4),
        (31, "wwww'wwzd", 5),
        (36, "wwww'wwwz", 6),
        (42, "wwww'wwww", 7),
    ];
    part(system("hunk-8"), &rows, "wzdd'dddd");
    part(eight_byte(), &rows, "wzdd'dddd");
}

#[test]
fn table_nine_7_bits_per_hunk() {
    let rows = [
        (6, "zdd'dddd", 0),
        (9, "wwz'dddd", 1),
        (13, "www'zddd", 2),
        (17, "www'wzdd", 3),
        (21, "www'wwzd", 4),
        (25, "www'wwwz", 5),
        (30, "www'wwww", 6),
    ];
    part(system("hunk-7"), &rows, "wzd'dddd");
}

#[test]
fn table_nine_6_bits_per_hunk() {
    let rows = [
        (5, "zd'dddd", 0),
        (7, "ww'zddd", 1),
        (10, "ww'wzdd", 2),
        (13, "ww'wwzd", 3),
        (16, "ww'wwwz", 4),
        (20, "ww'wwww", 5),
    ];
    part(system("hunk-6"), &rows, "wz'dddd");
}

#[test]
fn table_nine_5_bits_per_hunk() {
    let rows = [(4, "z'dddd", 0), (5, "w'wzdd", 1), (7, "w'wwzd", 2), (9, "w'wwwz", 3), (12, "w'wwww", 4)];
    part(system("hunk-5"), &rows, "w'zddd");
}

#[test]
fn table_nine_4_bits_per_hunk() {
    part(system("hunk-4"), &[(3, "zddd", 0), (3, "wwzd", 1), (4, "wwwz", 2), (6, "wwww", 3)], "wzdd");
}

#[test]
fn table_nine_3_bits_per_hunk() {
    part(system("hunk-3"), &[(2, "zdd", 0), (1, "wwz", 1), (2, "www", 2)], "wzd");
}

#[test]
fn table_nine_2_bits_per_hunk() {
    part(system("hunk-2"), &[(1, "zd", 0), (0, "ww", 1)], "wz");
    only_errors(system("hunk-2"), &[0b10], Unexpected);
}

#[test]
fn table_nine_1_bit_per_hunk() {
    part(system("hunk-1"), &[(0, "z", 0)], "");
    only_errors(system("hunk-1"), &[1], Invalid);
}

/// Table nine is of "some examples": hunks of 10 bits and more have the same pattern. The total bits of each row, up to 32.
#[test]
fn wider_hunks_have_the_pattern_of_table_nine() {
    let parts: [(usize, &[u32]); 9] = [
        (10, &[9, 15, 22, 29]),
        (11, &[10, 17, 25]),
        (12, &[11, 19, 28]),
        (13, &[12, 21, 31]),
        (14, &[13, 23]),
        (15, &[14, 25]),
        (16, &[15, 27]),
        (17, &[16, 29]),
        (18, &[17, 31]),
    ];
    for (width, bits) in parts {
        let marked = |marker: &str| marker.to_owned() + &"d".repeat(width - marker.len());
        let leads = ["z", "wwz", "wwwz", "wwwwz"].map(marked);
        let rows: Vec<(u32, &str, usize)> = bits
            .iter()
            .zip(&leads)
            .zip(0..)
            .map(|((&bits, lead), count)| (bits, lead.as_str(), count))
            .collect();
        let hunk = system(&format!("hunk-{width}"));
        part(hunk, &rows, &marked("wz"));
        only_errors(hunk, &[(1 << width) - 1], Invalid);
    }
}

#[test]
fn table_ten_65_bit_variant() {
    let rows = [
        (7, "zddd'dddd", 0),
        (5 + 5, "wzwd'dddd", 1),
        (4 + 2 * 5, "wwzz'dddd", 2),
        (4 + 3 * 5, "wwzw'dddd", 3),
        (3 + 4 * 5, "wwwz'zddd", 4),
        (3 + 5 * 5, "wwwz'wddd", 5),
        (2 + 6 * 5, "wwww'zzdd", 6),
        (2 + 7 * 5, "wwww'zwdd", 7),
        (1 + 8 * 5, "wwww'wzzd", 8),
        (1 + 9 * 5, "wwww'wzwd", 9),
        (10 * 5, "wwww'wwzz", 10),
        (11 * 5, "wwww'wwzw", 11),
        (12 * 5, "wwww'wwwz", 12),
        (13 * 5, "wwww'wwww", 13),
    ];
    part(system("utf-8-65bit"), &rows, "wzzd'dddd");
    // "(extension byte itself)"
    only_errors(system("utf-8-65bit"), &[pattern("wzzd'dddd", 0)], Unexpected);
    only_errors(system("utf-8-65bit"), &[pattern("wzzd'dddd", 1)], Unexpected);
}

#[test]
fn table_ten_ordinary_utf_8() {
    let rows = [
        (7, "zddd'dddd", 0),
        (5 + 6, "wwzd'dddd", 1),
        (4 + 2 * 6, "wwwz'dddd", 2),
        (3 + 3 * 6, "wwww'zddd", 3),
        (2 + 4 * 6, "wwww'wzdd", 4),
        (1 + 5 * 6, "wwww'wwzd", 5),
        (6 * 6, "wwww'wwwz", 6),
        (7 * 6, "wwww'wwww", 7),
    ];
    part(eight_byte(), &rows, "wzdd'dddd");
    only_errors(eight_byte(), &[pattern("wzdd'dddd", 1)], Unexpected);
}

#[test]
fn section_8_names_one_system_twice() {
    // "8 bits per hunk: same as the system above."
    for (first, last) in TABLE_THREE {
        for units in [hex(first.0), hex(last.0)] {
            assert_eq!(wholes(system("hunk-8"), &units), wholes(eight_byte(), &units));
        }
    }
}
