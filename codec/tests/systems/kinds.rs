//! Every kind of error in every system that has the kind, with the length of the error.

use utfhdl_codec::ErrorKind::{
    self, Invalid, Length, Nul, OutOfRange, Overlong, Reserved, Surrogate, Truncated, Unexpected,
};
use utfhdl_codec::{Codec, Slot, Whole};

use crate::common::{events, hex, octal, system};

/// Decodes a stream of errors, and compares their lengths and kinds.
#[track_caller]
fn errors(name: &str, units: &[u32], expected: &[(u64, ErrorKind)]) {
    let events: Vec<_> =
        events(system(name), units).into_iter().map(|event| (event.length, event.what)).collect();
    let expected: Vec<_> = expected.iter().map(|&(length, kind)| (length, Whole::Error(kind))).collect();
    assert_eq!(events, expected, "{name}: {units:X?}");
}

const OCTETS: [&str; 7] = [
    "utf-8",
    "utf-8-rfc2279",
    "utf-8-8byte",
    "hunk-8",
    "utf-inf-8",
    "corrected-utf-8",
    "corrected-utf-8,document=on",
];

#[test]
fn unexpected_is_a_trailing_unit_where_a_lead_must_stand() {
    for name in OCTETS {
        errors(name, &hex("80 BF"), &[(1, Unexpected), (1, Unexpected)]);
    }
    errors("utf-8-65bit", &hex("80 9F"), &[(1, Unexpected), (1, Unexpected)]);
    errors("hunk-9", &[0b1_0000_0000, 0b1_0111_1111], &[(1, Unexpected), (1, Unexpected)]);
    errors("hunk-5", &[0b10000, 0b10111], &[(1, Unexpected), (1, Unexpected)]);
    errors("hunk-3", &[0b100, 0b101], &[(1, Unexpected), (1, Unexpected)]);
    errors("hunk-2", &[0b10], &[(1, Unexpected)]);
}

#[test]
fn truncated_is_a_unit_that_is_no_trailing_one_or_the_end() {
    for name in OCTETS {
        errors(name, &hex("E1 80"), &[(2, Truncated)]);
        errors(name, &hex("E1 80 E1"), &[(2, Truncated), (1, Truncated)]);
        errors(name, &hex("F1 C3"), &[(1, Truncated), (1, Truncated)]);
    }
    errors("utf-8-65bit", &hex("A4 C1 A4"), &[(1, Truncated), (1, Truncated), (1, Truncated)]);
    errors("utf-inf-8", &hex("FF A0 A0 FF 9F"), &[(3, Truncated), (2, Truncated)]);
    errors("utf-9", &octal("401"), &[(1, Truncated)]);
    errors("utf-9", &octal("400 777 421"), &[(3, Truncated)]);
    errors("utf-18", &octal("154"), &[(1, Truncated)]);
}

#[test]
fn overlong_is_where_every_continuation_would_be() {
    for name in &OCTETS[..5] {
        errors(name, &hex("C0"), &[(1, Overlong)]);
        errors(name, &hex("C1"), &[(1, Overlong)]);
        errors(name, &hex("E0 80"), &[(1, Overlong), (1, Unexpected)]);
        errors(name, &hex("F0 8F BF"), &[(1, Overlong), (1, Unexpected), (1, Unexpected)]);
    }
    for name in &OCTETS[1..5] {
        errors(name, &hex("F8 87"), &[(1, Overlong), (1, Unexpected)]);
        errors(name, &hex("FC 83"), &[(1, Overlong), (1, Unexpected)]);
    }
    errors("utf-8-8byte", &hex("FF 80"), &[(1, Overlong), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FE 81"), &[(1, Overlong), (1, Unexpected)]);
    // Up to the byte that has bit 36, the value could still be large enough.
    errors("utf-inf-8", &hex("FF 80 80 80 80 80 80"), &[(6, Overlong), (1, Unexpected)]);
    errors("utf-8-65bit", &hex("A0"), &[(1, Overlong)]);
    errors("utf-8-65bit", &hex("A3 C0"), &[(1, Overlong), (1, Overlong)]);
    errors("utf-9", &octal("400 0"), &[(2, Overlong)]);
    errors("utf-9", &octal("400 730 0"), &[(3, Overlong)]);
    errors("utf-9", &octal("400 421 400 0"), &[(4, Overlong)]);
}

#[test]
fn overlong_forms_of_small_hunks_are_errors_with_their_lead_unit() {
    errors("hunk-2", &[0b11], &[(1, Overlong)]);
    errors("hunk-3", &[0b110, 0b111], &[(1, Overlong), (1, Overlong)]);
    errors("hunk-4", &[0b1100, 0b1101], &[(1, Overlong), (1, Overlong)]);
    errors("hunk-4", &[0b1110, 0b1000], &[(1, Overlong), (1, Unexpected)]);
    errors("hunk-5", &[0b11000, 0b11001, 0b11010], &[(1, Overlong), (1, Overlong), (1, Truncated)]);
}

#[test]
fn surrogates_are_errors_with_the_unit_that_makes_them_so() {
    for name in ["utf-8", "utf-8-rfc2279"] {
        errors(name, &hex("ED A0 80"), &[(1, Surrogate), (1, Unexpected), (1, Unexpected)]);
        errors(name, &hex("ED BF"), &[(1, Surrogate), (1, Unexpected)]);
    }
    for name in ["utf-9", "utf-9,max=7fffffff"] {
        errors(name, &octal("730 0 737 377"), &[(2, Surrogate), (2, Surrogate)]);
    }
    errors("utf-18", &octal("154 0 157 777"), &[(2, Surrogate), (2, Surrogate)]);
}

#[test]
fn out_of_range_is_past_the_last_code_point() {
    errors("utf-8", &hex("F4 90"), &[(1, OutOfRange), (1, Unexpected)]);
    errors("utf-8", &hex("F5 F6 F7"), &[(1, OutOfRange), (1, OutOfRange), (1, OutOfRange)]);
    errors("utf-9", &octal("421 400 0"), &[(3, OutOfRange)]);
    errors("utf-9", &octal("401 400 400 0"), &[(4, OutOfRange)]);
    errors("utf-9,max=7fffffff", &octal("600 400 400 0"), &[(4, OutOfRange)]);
    errors("utf-9,max=7fffffff", &octal("401 400 400 400 0"), &[(5, OutOfRange)]);
}

#[test]
fn invalid_is_a_lead_unit_the_system_does_not_have() {
    errors("utf-8", &hex("F8 FF"), &[(1, Invalid), (1, Invalid)]);
    errors("utf-8-rfc2279", &hex("FE FF"), &[(1, Invalid), (1, Invalid)]);
    errors("hunk-1", &[1], &[(1, Invalid)]);
    errors("table:windows-1253", &hex("AA D2 FF"), &[(1, Invalid), (1, Invalid), (1, Invalid)]);
}

#[test]
fn invalid_is_a_wrong_byte_in_a_header_or_its_padding() {
    errors("utf-inf-8", &hex("FF B0"), &[(1, Invalid), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FF B4 B5"), &[(2, Invalid), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FF B4 A1 B4"), &[(3, Invalid), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FF B4 A0"), &[(2, Overlong), (1, Unexpected)]);
    // Nineteen digits: eight bits of padding, two of them in the second byte, before the first digit.
    errors("utf-inf-8", &hex("FF A1 81"), &[(2, Invalid), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FF A1 80 90"), &[(3, Invalid), (1, Unexpected)]);
    errors("utf-inf-8", &hex("FF A1 80 80"), &[(3, Overlong), (1, Unexpected)]);
}

#[test]
fn length_comes_with_the_first_byte_that_says_too_much() {
    let eighteen = "utf-inf-8,digits=18";
    errors(eighteen, &hex("FF A1"), &[(1, Length), (1, Unexpected)]);
    errors(eighteen, &hex("FF B4"), &[(1, Length), (1, Unexpected)]);
    errors(eighteen, &hex("FF A0"), &[(2, Truncated)]);
    // NME = F is 33 digits, 10 is 34, 11 is 35, 100 is 274.
    errors("utf-inf-8,digits=33", &hex("FF B4"), &[(1, Length), (1, Unexpected)]);
    errors("utf-inf-8,digits=34", &hex("FF B4 A1 A0"), &[(4, Truncated)]);
    errors("utf-inf-8,digits=34", &hex("FF B4 A1 A1"), &[(3, Length), (1, Unexpected)]);
    errors("utf-inf-8,digits=34", &hex("FF B4 A2"), &[(2, Length), (1, Unexpected)]);
    errors("utf-inf-8,digits=273", &hex("FF B4 B4"), &[(2, Length), (1, Unexpected)]);
    errors("utf-inf-8,digits=274", &hex("FF B4 B4 A1 A0 A0"), &[(6, Truncated)]);
    errors("utf-inf-8,digits=274", &hex("FF B4 B4 A1 A0 A1"), &[(5, Length), (1, Unexpected)]);
    // The default limit is 2^32 digits: NME = FFFFFFEE has eight digits, so a ninth byte of length is too
    // much.
    errors("utf-inf-8", &hex("FF B4 B4 B4 B4 B4 B4 B4 B4"), &[(8, Length), (1, Unexpected)]);
    let greatest = "FF B4 B4 B4 B4 B4 B4 B4 AF AF AF AF AF AF AE AE";
    errors("utf-inf-8", &hex(greatest), &[(16, Truncated)]);
    let past = "FF B4 B4 B4 B4 B4 B4 B4 AF AF AF AF AF AF AE AF";
    errors("utf-inf-8", &hex(past), &[(15, Length), (1, Unexpected)]);
}

#[test]
fn no_limit_is_past_what_a_head_can_count() {
    // 8 (2^32 - 1) digits, and one more: NME = 7FFFFFFE6 and 7FFFFFFE7.
    let most = hex("FF B4 B4 B4 B4 B4 B4 B4 B4 A7 AF AF AF AF AF AF AE A6");
    let past = hex("FF B4 B4 B4 B4 B4 B4 B4 B4 A7 AF AF AF AF AF AF AE A7");
    let system = utfhdl_codec::System::UtfInf8 { digits: u64::MAX };
    assert_eq!(system.decode(&most).next().map(Slot::from), Some(Slot::Head(u32::MAX)));
    assert_eq!(system.decode(&past).next().map(Slot::from), Some(Slot::Error(Length)));
}

#[test]
fn reserved_and_nul_are_of_corrected_utf_8() {
    for name in ["corrected-utf-8", "corrected-utf-8,document=on"] {
        errors(name, &hex("FE"), &[(1, Reserved)]);
        errors(name, &hex("FF 80 BF FE"), &[(4, Reserved)]);
        errors(name, &hex("FE C0"), &[(1, Reserved), (1, Truncated)]);
    }
    errors("corrected-utf-8,document=on", &hex("00 00"), &[(1, Nul), (1, Nul)]);
    errors("corrected-utf-8,document=on", &hex("C3 00"), &[(1, Truncated), (1, Nul)]);
}

#[test]
fn units_with_bits_above_the_width_are_invalid_and_cut_sequences() {
    for system in crate::common::strategy::systems().into_iter().filter(|system| system.unit_bits() < 32) {
        let wide = 1_u32 << system.unit_bits();
        let slots: Vec<Slot> = system.decode(&[wide, u32::MAX]).map(Slot::from).collect();
        assert_eq!(slots, [Slot::Error(Invalid); 2], "{system}");
    }
    for (name, start) in
        [("utf-8", 0xC3), ("utf-8-rfc2279", 0xC3), ("utf-inf-8", 0xFF), ("corrected-utf-8", 0xC3)]
    {
        let slots: Vec<Slot> = system(name).decode(&[start, 0x180_u16]).map(Slot::from).collect();
        assert_eq!(slots, [Slot::Error(Truncated), Slot::Error(Invalid)], "{name}");
    }
    for (name, units, errors) in [
        ("utf-16", &[0xD800_u32, 0x1_0000][..], &[Surrogate, Invalid][..]),
        ("utf-16be", &[0xD8, 0, 0xD8, 0x100], &[Surrogate, Truncated, Invalid]),
        ("utf-16le,bom=on", &[0xFF, 0x1FE], &[Truncated, Invalid]),
        ("utf-32be", &[0, 0x1FF], &[Truncated, Invalid]),
    ] {
        let slots: Vec<Slot> = system(name).decode(units).map(Slot::from).collect();
        let expected: Vec<Slot> = errors.iter().copied().map(Slot::Error).collect();
        assert_eq!(slots, expected, "{name}");
    }
    for name in ["utf-9", "utf-18"] {
        let slots: Vec<Slot> =
            system(name).decode(&[0o401, 0o1000, 0o401, 0o403_u16]).map(Slot::from).collect();
        assert_eq!(slots[..2], [Slot::Error(Truncated), Slot::Error(Invalid)], "{name}");
    }
}

#[test]
fn surrogates_of_utf_16_are_errors_unless_they_are_pairs() {
    errors("utf-16", &hex("DC00 D800 D800"), &[(1, Surrogate), (1, Surrogate), (1, Surrogate)]);
    errors("utf-16be", &hex("DC 00 D8 00 D8 00"), &[(2, Surrogate), (2, Surrogate), (2, Surrogate)]);
    errors("utf-16le", &hex("00 DC 00 D8 00 D8"), &[(2, Surrogate), (2, Surrogate), (2, Surrogate)]);
    for (name, units) in [("utf-16be", "D8 00 DC"), ("utf-16le", "00 D8 00"), ("utf-16be,bom=on", "D8 00 FE")]
    {
        errors(name, &hex(units), &[(2, Surrogate), (1, Truncated)]);
    }
    for name in ["utf-16be", "utf-16le", "utf-16be,bom=on", "utf-16le,bom=on"] {
        errors(name, &hex("FE"), &[(1, Truncated)]);
    }
}

#[test]
fn pairs_of_three_octets_are_cut_by_the_maximal_subpart() {
    for name in ["cesu-8", "mutf-8"] {
        errors(name, &hex("ED A0 80"), &[(3, Surrogate)]);
        errors(name, &hex("ED A0 80 F0"), &[(3, Surrogate), (1, Invalid)]);
        errors(name, &hex("ED A0"), &[(2, Truncated)]);
        errors(name, &hex("ED A0 ED A0 80"), &[(2, Truncated), (3, Surrogate)]);
        errors(name, &hex("ED A0 80 ED"), &[(4, Truncated)]);
        errors(name, &hex("ED A0 80 ED A0"), &[(4, Truncated), (1, Unexpected)]);
        errors(name, &hex("ED A0 80 ED 9F 80"), &[(4, Truncated), (1, Unexpected), (1, Unexpected)]);
        errors(name, &hex("ED A0 80 ED B0 ED B0"), &[(5, Truncated), (1, Surrogate), (1, Unexpected)]);
        errors(name, &hex("ED B0 80"), &[(1, Surrogate), (1, Unexpected), (1, Unexpected)]);
        errors(name, &hex("F0 90 FF"), &[(1, Invalid), (1, Unexpected), (1, Invalid)]);
    }
    errors(
        "mutf-8",
        &hex("00 C0 81 C0 C1"),
        &[(1, Nul), (1, Overlong), (1, Unexpected), (1, Truncated), (1, Overlong)],
    );
    errors("mutf-8", &hex("C0"), &[(1, Truncated)]);
}

#[test]
fn a_pair_of_wtf_8_is_an_error_in_place_of_its_low_surrogate() {
    let events = |units: &str| -> Vec<_> {
        let events = events(system("wtf-8"), &hex(units)).into_iter();
        events.map(|event| (event.length, event.what)).collect()
    };
    let (high, low, a) = (Whole::CodePoint(0xD800), Whole::CodePoint(0xDC00), Whole::CodePoint(0x41));
    let error = |kind| Whole::Error(kind);
    assert_eq!(events("ED A0 80 ED B0 80"), [(3, high.clone()), (3, error(Surrogate))]);
    assert_eq!(events("ED A0 80 41 ED B0 80"), [(3, high.clone()), (1, a), (3, low.clone())]);
    assert_eq!(events("ED A0 80 ED B0"), [(3, high.clone()), (2, error(Truncated))]);
    assert_eq!(
        events("ED A0 80 80 ED B0 80 ED B0 80"),
        [(3, high.clone()), (1, error(Unexpected)), (3, low.clone()), (3, low.clone())]
    );
    assert_eq!(
        events("ED A0 80 ED A0 80 ED B0 80 ED B0 80"),
        [(3, high.clone()), (3, high), (3, error(Surrogate)), (3, low)]
    );
}

#[test]
fn invalid_is_an_octet_past_the_last_one() {
    errors("ascii", &hex("80 FF"), &[(1, Invalid), (1, Invalid)]);
}

/// Unicode Technical Report #16: an octet A0..BF holds five bits, and F1 B6 leads the surrogates, between other code points.
#[test]
fn errors_of_utf_ebcdic_i8() {
    for name in ["utf-ebcdic-i8", "utf-ebcdic-i8,max=7fffffff"] {
        errors(name, &hex("A0 BF"), &[(1, Unexpected), (1, Unexpected)]);
        errors(name, &hex("C0 C4"), &[(1, Overlong), (1, Overlong)]);
        errors(name, &hex("E0 BF"), &[(1, Overlong), (1, Unexpected)]);
        errors(name, &hex("F0 AF"), &[(1, Overlong), (1, Unexpected)]);
        errors(name, &hex("F8 A7"), &[(1, Overlong), (1, Unexpected)]);
        errors(name, &hex("F1 B6"), &[(1, Surrogate), (1, Unexpected)]);
        errors(
            name,
            &hex("F1 B7 BF BF"),
            &[(1, Surrogate), (1, Unexpected), (1, Unexpected), (1, Unexpected)],
        );
        errors(name, &hex("F1 B5 BF"), &[(3, Truncated)]);
        errors(name, &hex("F1 B8"), &[(2, Truncated)]);
        errors(name, &hex("C5 C5"), &[(1, Truncated), (1, Truncated)]);
    }
    let unicode = "utf-ebcdic-i8";
    errors(unicode, &hex("F9 A2"), &[(1, OutOfRange), (1, Unexpected)]);
    errors(unicode, &hex("FA FB"), &[(1, OutOfRange), (1, OutOfRange)]);
    errors(unicode, &hex("FC FE FF"), &[(1, Invalid), (1, Invalid), (1, Invalid)]);
    let ucs_4 = "utf-ebcdic-i8,max=7fffffff";
    errors(ucs_4, &hex("FC A3"), &[(1, Overlong), (1, Unexpected)]);
    errors(ucs_4, &hex("FE A1"), &[(1, Overlong), (1, Unexpected)]);
    errors(ucs_4, &hex("FE A2 A0 A0 A0 A0"), &[(6, Truncated)]);
}

#[test]
fn errors_of_ucs_2_and_ucs_4() {
    errors("ucs-2", &hex("D800 DC00"), &[(1, Surrogate), (1, Surrogate)]);
    errors("ucs-2be", &hex("D8 00 DC 00"), &[(2, Surrogate), (2, Surrogate)]);
    errors("ucs-2le", &hex("00 D8 FE"), &[(2, Surrogate), (1, Truncated)]);
    errors("utf-32", &[0x11_0000], &[(1, OutOfRange)]);
    errors("ucs-4", &[0x8000_0000, 0xD800, u32::MAX], &[(1, OutOfRange), (1, Surrogate), (1, OutOfRange)]);
    errors("ucs-4,order=be", &hex("80 00 00 00 00 00 DF FF"), &[(4, OutOfRange), (4, Surrogate)]);
}
