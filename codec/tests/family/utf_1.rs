//! UTF-1.

use utfhdl_codec::ErrorKind::{OutOfRange, Overlong, Surrogate, Truncated};
use utfhdl_codec::{Codec, OnError, Slot, Whole};

use super::{common, error, events, octets, point, system};

/// The ends of the ranges of ISO/IEC 10646-1:1993, annex G, and other code points, as Wikipedia's article on UTF-1 lists them.
const TABLE: [(u32, &str); 35] = [
    (0x7F, "7F"),
    (0x80, "80"),
    (0x9F, "9F"),
    (0xA0, "A0 A0"),
    (0xBF, "A0 BF"),
    (0xC0, "A0 C0"),
    (0xFF, "A0 FF"),
    (0x100, "A1 21"),
    (0x15D, "A1 7E"),
    (0x15E, "A1 A0"),
    (0x1BD, "A1 FF"),
    (0x1BE, "A2 21"),
    (0x7FF, "AA 72"),
    (0x800, "AA 73"),
    (0xFFF, "B5 48"),
    (0x1000, "B5 49"),
    (0x4015, "F5 FF"),
    (0x4016, "F6 21 21"),
    (0xD7FF, "F7 2F C3"),
    (0xE000, "F7 3A 79"),
    (0xF8FF, "F7 5C 3C"),
    (0xFDD0, "F7 62 BA"),
    (0xFDEF, "F7 62 D9"),
    (0xFEFF, "F7 64 4C"),
    (0xFFFD, "F7 65 AD"),
    (0xFFFE, "F7 65 AE"),
    (0xFFFF, "F7 65 AF"),
    (0x1_0000, "F7 65 B0"),
    (0x3_8E2D, "FB FF FF"),
    (0x3_8E2E, "FC 21 21 21 21"),
    (0xF_FFFF, "FC 21 37 B2 7A"),
    (0x10_0000, "FC 21 37 B2 7B"),
    (0x10_FFFF, "FC 21 39 6E 6C"),
    (0x11_0000, "FC 21 39 6E 6D"),
    (0x7FFF_FFFF, "FD BD 2B B9 40"),
];

#[test]
fn the_table() {
    for (code_point, text) in TABLE {
        for name in ["utf-1", "utf-1,max=7fffffff"] {
            let slots = [Slot::CodePoint(code_point)];
            let encoded = system(name).encode::<_, u8>(&slots, OnError::Strict);
            if name == "utf-1" && code_point > 0x10_FFFF {
                assert!(encoded.is_err());
                continue;
            }
            assert_eq!(encoded, Ok(octets(text)), "{name}: U+{code_point:X}");
            let decoded = common::wholes(system(name), &octets(text));
            assert_eq!(decoded, [Whole::CodePoint(code_point)], "{name}: {text}");
        }
    }
}

/// The program `tcs` of Plan 9, in Debian's package 1-11.1, reads these octets as all code points U+00A0..U+FFFF but surrogates, in order.
/// It does not write U+0080..U+00FF as it reads them.
#[test]
fn the_octets_that_tcs_reads() {
    let slots: Vec<Slot> = (0xA0..=0xFFFF)
        .filter(|code_point| !(0xD800..=0xDFFF).contains(code_point))
        .map(Slot::CodePoint)
        .collect();
    let octets: Vec<u8> = system("utf-1").encode(&slots, OnError::Strict).unwrap();
    // The hash FNV-1a of 64 bits.
    let hash = octets.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, &octet| {
        (hash ^ u64::from(octet)).wrapping_mul(0x100_0000_01B3)
    });
    assert_eq!((octets.len(), hash), (173_738, 0x2B95_9000_89A2_A73F));
    assert!(system("utf-1").decode(&octets).map(Slot::from).eq(slots));
}

#[test]
fn errors() {
    let a = point('A');
    events("utf-1", &octets("A1"), &[(1, error(Truncated))]);
    events("utf-1", &octets("A1 20 41"), &[(1, error(Truncated)), (1, point(' ')), (1, a)]);
    events("utf-1", &octets("F6 41 0A"), &[(2, error(Truncated)), (1, point('\n'))]);
    events("utf-1", &octets("FC 21 39 6E"), &[(4, error(Truncated))]);
    // U+0041 by the lead of U+00A0..U+00FF.
    events("utf-1", &octets("A0 41"), &[(1, error(Overlong)), (1, a)]);
    // U+D800, and a code point whose second octet leaves only surrogates.
    events("utf-1", &octets("F7 2F C4 20"), &[(2, error(Surrogate)), (1, error(Truncated)), (1, point(' '))]);
    events("utf-1", &octets("F7 30 20"), &[(1, error(Surrogate)), (1, point('0')), (1, point(' '))]);
    // U+110000, and leads past all code points.
    events("utf-1", &octets("FC 21 39 6E 6D"), &[(4, error(OutOfRange)), (1, point('m'))]);
    events("utf-1", &octets("FD FE FF"), &[(1, error(OutOfRange)); 3]);
    // U+80000000.
    let last = octets("FD BD 2B B9 41");
    events("utf-1,max=7fffffff", &last, &[(4, error(OutOfRange)), (1, a)]);
}
