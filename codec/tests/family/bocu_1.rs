//! Unicode Technical Note #6.

use utfhdl_codec::ErrorKind::{OutOfRange, Overlong, Surrogate, Truncated};

use super::{both_ways, error, events, octets, point, read, written};

/// The signature.
#[test]
fn the_signature() {
    both_ways("bocu-1", "\u{FEFF}", &octets("FB EE 28"));
}

/// The ends of the ranges of differences, by their first octets and digits: to U+0040, the state at the start.
#[test]
fn the_ranges_of_differences() {
    let cases = [
        // -31 to 63 in one octet.
        ("!", "71"),
        ("@", "90"),
        ("\u{7F}", "CF"),
        // 64 to 10512 in two, whose digits skip 13 octets.
        ("\u{80}", "D0 01"),
        ("\u{85}", "D0 06"),
        ("\u{86}", "D0 10"),
        ("\u{8F}", "D0 19"),
        ("\u{90}", "D0 1C"),
        ("\u{93}", "D0 1F"),
        ("\u{94}", "D0 21"),
        ("\u{172}", "D0 FF"),
        ("\u{173}", "D1 01"),
        ("\u{2950}", "FA FF"),
        // 10513 to 187659 in three.
        ("\u{2951}", "FB 01 01"),
        ("\u{115AB}", "FC 06 FF"),
        ("\u{115AC}", "FC 10 01"),
        ("\u{2DD4B}", "FD FF FF"),
        // From 187660 on in four.
        ("\u{2DD4C}", "FE 01 01 01"),
    ];
    for (text, compressed) in cases {
        both_ways("bocu-1", text, &octets(compressed));
    }
    // U+10FFC0, then U+0040: a difference of -1114048 + 64 - 64.
    let both = written("bocu-1", "\u{10FFC0}@");
    assert_eq!(both[..1], [0xFE]);
    assert_eq!((both.len(), both[4]), (8, 0x21));
}

/// Control characters and the space are themselves; all control characters set the state back, and the space does not.
#[test]
fn controls_and_the_space() {
    both_ways("bocu-1", "\n \t", &octets("0A 20 09"));
    let [with_space, with_line] = ["Ж Ж", "Ж\nЖ"].map(|text| written("bocu-1", text).len());
    assert_eq!([with_space, with_line], [4, 5]);
}

/// The octet FF sets the state back, and is no character.
#[test]
fn the_reset_octet() {
    assert_eq!(read("bocu-1", &octets("FF B1")), "a");
    assert_eq!(read("bocu-1", &octets("D3 90 FF B1")), format!("{}a", read("bocu-1", &octets("D3 90"))));
    events("bocu-1", &octets("B1 FF"), &[(1, point('a'))]);
    events("bocu-1", &octets("FF B1"), &[(2, point('a'))]);
}

#[test]
fn errors() {
    let a = point('a');
    // A line end is no digit, and is not lost.
    events("bocu-1", &octets("D0 0A B1"), &[(1, error(Truncated)), (1, point('\n')), (1, a)]);
    events("bocu-1", &octets("FB 01"), &[(2, error(Truncated))]);
    // Below U+0000 and above U+10FFFF: all octets of the sequence, as in ICU, and then the state of the start.
    events("bocu-1", &octets("41 50 90"), &[(2, error(OutOfRange)), (1, point('@'))]);
    events("bocu-1", &octets("FE FF FF FF B1"), &[(4, error(OutOfRange)), (1, a)]);
    // U+0000 and the space as differences of -64 and -32.
    events("bocu-1", &octets("50 70 B1"), &[(1, error(Overlong)), (1, error(Overlong)), (1, a)]);
    // U+D800 is 55232 more than U+0040.
    let next_to_it = written("bocu-1", "\u{D7FF}");
    let mut surrogate = next_to_it.clone();
    *surrogate.last_mut().unwrap() += 1;
    events("bocu-1", &[surrogate, octets("B1")].concat(), &[(3, error(Surrogate)), (1, a)]);
}
