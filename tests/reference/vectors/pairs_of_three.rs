//! UTF-8 with surrogates: Unicode Technical Report #26 (CESU-8), the Java Virtual Machine Specification, §4.4.7 (modified
//! UTF-8), and *The WTF-8 encoding*.

use utfhdl_codec::ErrorKind::{Invalid, Nul, Overlong, Surrogate, Truncated};
use utfhdl_codec::{ErrorKind, Whole};

use super::checked::{both_ways, encode, only_errors, unencodable, wholes};
use super::codec_texts::{code_point, hex, system};

/// UTR #26, §3, and JVMS §4.4.7: the rows of the bit distribution, from the first code point of each to the last.
#[test]
fn rows_of_one_to_three_and_six_octets() {
    for name in ["cesu-8", "mutf-8"] {
        for (units, point) in [
            ("01", "U+1"),
            ("7F", "U+7F"),
            ("C2 80", "U+80"),
            ("DF BF", "U+7FF"),
            ("E0 A0 80", "U+800"),
            ("ED 9F BF", "U+D7FF"),
            ("EE 80 80", "U+E000"),
            ("EF BF BF", "U+FFFF"),
            // 11101101 1010vvvv 10wwwwww 11101101 1011yyyy 10zzzzzz
            ("ED A0 80 ED B0 80", "U+10000"),
            ("ED A0 80 ED BF BF", "U+103FF"),
            ("ED A0 81 ED B0 80", "U+10400"),
            ("ED A1 80 ED B0 80", "U+20000"),
            ("ED AF BF ED BF BF", "U+10FFFF"),
        ] {
            both_ways(system(name), &hex(units), &code_point(point));
        }
        for point in ["U+D800", "U+DBFF", "U+DC00", "U+DFFF", "U+110000"] {
            unencodable(system(name), &code_point(point));
        }
    }
}

/// UTR #26 has sequences of one, two, three and six octets; JVMS: "No byte may lie in the range (byte)0xf0 to (byte)0xff."
#[test]
fn no_octet_is_f0_to_ff() {
    for name in ["cesu-8", "mutf-8"] {
        for lead in 0xF0..=0xFF {
            only_errors(system(name), &[lead, 0x90, 0x80, 0x80], Invalid);
        }
    }
}

/// JVMS §4.4.7: the null code point is represented by a pair of bytes, and "No byte may have the value (byte)0."
#[test]
fn the_null_code_point_of_java_has_two_octets() {
    both_ways(system("mutf-8"), &hex("C0 80"), &code_point("U+0"));
    only_errors(system("mutf-8"), &hex("00"), Nul);
    only_errors(system("mutf-8"), &hex("C0 81"), Overlong);
    both_ways(system("cesu-8"), &hex("00"), &code_point("U+0"));
    only_errors(system("cesu-8"), &hex("C0 80"), Overlong);
}

#[test]
fn halves_of_pairs_are_errors() {
    for name in ["cesu-8", "mutf-8"] {
        only_errors(system(name), &hex("ED A0 80"), Surrogate);
        only_errors(system(name), &hex("ED B0 80"), Surrogate);
        only_errors(system(name), &hex("ED A0 80 ED"), Truncated);
    }
}

/// *The WTF-8 encoding*, §3.2: the table of generalised UTF-8.
#[test]
fn rows_of_generalized_utf_8() {
    for (units, point) in [
        ("00", "U+0"),
        ("7F", "U+7F"),
        ("C2 80", "U+80"),
        ("DF BF", "U+7FF"),
        ("E0 A0 80", "U+800"),
        ("ED 9F BF", "U+D7FF"),
        ("ED A0 80", "U+D800"),
        ("ED AF BF", "U+DBFF"),
        ("ED B0 80", "U+DC00"),
        ("ED BF BF", "U+DFFF"),
        ("EE 80 80", "U+E000"),
        ("EF BF BF", "U+FFFF"),
        ("F0 90 80 80", "U+10000"),
        ("F4 8F BF BF", "U+10FFFF"),
    ] {
        both_ways(system("wtf-8"), &hex(units), &code_point(point));
    }
    unencodable(system("wtf-8"), &code_point("U+110000"));
    only_errors(system("wtf-8"), &hex("F4 90 80 80"), ErrorKind::OutOfRange);
}

/// *The WTF-8 encoding*, §4: a surrogate pair is no well-formed WTF-8; its code point is four octets.
#[test]
fn pairs_are_ill_formed_in_wtf_8() {
    let wtf_8 = system("wtf-8");
    both_ways(wtf_8, &hex("F0 9F 92 A9"), &code_point("U+1F4A9"));
    let pair = [Whole::CodePoint(0xD83D), Whole::CodePoint(0xDCA9)];
    assert_eq!(
        encode(wtf_8, &pair).map_err(|refused| (refused.index, refused.kind)),
        Err((1, ErrorKind::Unencodable))
    );
    assert_eq!(wholes(wtf_8, &hex("ED A0 BD ED B2 A9")), [Whole::CodePoint(0xD83D), Whole::Error(Surrogate)]);
    // The other order is no pair.
    let halves = [Whole::CodePoint(0xDCA9), Whole::CodePoint(0xD83D)];
    assert_eq!(wholes(wtf_8, &hex("ED B2 A9 ED A0 BD")), halves);
    assert_eq!(encode(wtf_8, &halves), Ok(hex("ED B2 A9 ED A0 BD")));
}

/// ISO/IEC 8859-1 and RFC 20.
#[test]
fn one_octet_a_code_point() {
    for octet in 0..=0xFF {
        both_ways(system("latin-1"), &[octet], &Whole::CodePoint(octet));
        if octet < 0x80 {
            both_ways(system("ascii"), &[octet], &Whole::CodePoint(octet));
        } else {
            only_errors(system("ascii"), &[octet], Invalid);
            unencodable(system("ascii"), &Whole::CodePoint(octet));
        }
    }
    unencodable(system("latin-1"), &code_point("U+100"));
}
