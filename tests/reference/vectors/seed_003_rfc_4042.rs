//! RFC 4042, "UTF-9 and UTF-18 Efficient Transformation Formats of Unicode".

use utfhdl_codec::ErrorKind::{self, OutOfRange, Overlong, Surrogate, Truncated};
use utfhdl_codec::{System, Whole};

use super::checked::{both_ways, encode, events, unencodable};
use super::codec_texts::{code_point, octal, system};

fn utf_9() -> System {
    system("utf-9")
}

fn ucs_4() -> System {
    system("utf-9,max=7fffffff")
}

fn utf_18() -> System {
    system("utf-18")
}

/// An 18-bit value as the seed prints it, six octal digits, as a pair of nonets.
fn pair(digits: &str) -> Vec<u32> {
    let (high, low) = digits.split_at(3);
    octal(&format!("{high} {low}"))
}

/// The stream is one error of this kind.
#[track_caller]
fn one_error(system: System, units: &[u32], kind: ErrorKind) {
    let events = events(system, units);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((events[0].length, &events[0].what), (units.len() as u64, &Whole::Error(kind)));
}

#[test]
fn section_3_examples() {
    for system in [utf_9(), ucs_4()] {
        both_ways(system, &octal("101"), &code_point("U+0041"));
        both_ways(system, &octal("300"), &code_point("U+00C0"));
        both_ways(system, &octal("403 221"), &code_point("U+0391"));
        both_ways(system, &octal("541 33"), &code_point("U+611B"));
        both_ways(system, &octal("401 403 60"), &code_point("U+10330"));
        both_ways(system, &octal("416 400 101"), &code_point("U+E0041"));
        both_ways(system, &octal("420 777 375"), &code_point("U+10FFFD"));
    }
    both_ways(ucs_4(), &octal("464 536 717 33"), &code_point("0x345ecf1b"));
    one_error(utf_9(), &octal("464 536 717 33"), OutOfRange);
    unencodable(utf_9(), &code_point("0x345ecf1b"));
}

#[test]
fn section_2_ranges() {
    both_ways(utf_9(), &octal("0"), &code_point("U+0000"));
    both_ways(utf_9(), &octal("377"), &code_point("U+00FF"));
    both_ways(utf_9(), &octal("401 0"), &code_point("U+0100"));
    both_ways(utf_9(), &octal("777 377"), &code_point("U+FFFF"));
    both_ways(utf_9(), &octal("401 400 0"), &code_point("U+10000"));
    both_ways(utf_9(), &octal("420 777 377"), &code_point("U+10FFFF"));
    both_ways(ucs_4(), &octal("421 400 0"), &code_point("U+110000"));
    both_ways(ucs_4(), &octal("777 777 377"), &code_point("U+FFFFFF"));
    both_ways(ucs_4(), &octal("401 400 400 0"), &code_point("U+1000000"));
    both_ways(ucs_4(), &octal("577 777 777 377"), &code_point("U+7FFFFFFF"));
    unencodable(utf_9(), &code_point("U+110000"));
    unencodable(ucs_4(), &code_point("U+80000000"));
}

#[test]
fn section_5_2_the_text_of_section_3_rules_over_the_sample() {
    // The sample would write these a nonet too short.
    for (point, length) in [("U+0100", 2), ("U+10000", 3), ("U+1000000", 4)] {
        assert_eq!(encode(ucs_4(), &[code_point(point)]).unwrap().len(), length);
    }
}

#[test]
fn section_5_1_sequences_to_reject() {
    one_error(utf_9(), &octal("400 101"), Overlong);
    one_error(utf_9(), &octal("400 420 777 377"), Overlong);
    one_error(utf_9(), &octal("421 400 0"), OutOfRange);
    one_error(ucs_4(), &octal("600 400 400 0"), OutOfRange);
    one_error(ucs_4(), &octal("401 400 400 400 400 400 400 400 400 400 0"), OutOfRange);
    one_error(utf_9(), &octal("730 0"), Surrogate);
    one_error(utf_9(), &octal("737 377"), Surrogate);
    one_error(utf_9(), &octal("400 730"), Truncated);
    one_error(utf_9(), &octal("421 400 400"), Truncated);
    both_ways(utf_9(), &octal("727 377"), &code_point("U+D7FF"));
    both_ways(utf_9(), &octal("740 0"), &code_point("U+E000"));
    unencodable(utf_9(), &code_point("U+D800"));
    unencodable(utf_9(), &code_point("U+DFFF"));
}

#[test]
fn section_4_examples() {
    both_ways(utf_18(), &pair("000101"), &code_point("U+0041"));
    both_ways(utf_18(), &pair("000300"), &code_point("U+00C0"));
    both_ways(utf_18(), &pair("001621"), &code_point("U+0391"));
    both_ways(utf_18(), &pair("060433"), &code_point("U+611B"));
    both_ways(utf_18(), &pair("201460"), &code_point("U+10330"));
    both_ways(utf_18(), &pair("600101"), &code_point("U+E0041"));
}

#[test]
fn section_4_ranges() {
    both_ways(utf_18(), &pair("000000"), &code_point("U+0000"));
    both_ways(utf_18(), &pair("577777"), &code_point("U+2FFFF"));
    both_ways(utf_18(), &pair("600000"), &code_point("U+E0000"));
    both_ways(utf_18(), &pair("777777"), &code_point("U+EFFFF"));
    for point in ["U+30000", "U+DFFFF", "U+F0000", "U+10FFFF", "U+D800", "U+DBFF", "U+DFFF"] {
        unencodable(utf_18(), &code_point(point));
    }
    one_error(utf_18(), &pair("154000"), Surrogate);
    one_error(utf_18(), &pair("157777"), Surrogate);
    one_error(utf_18(), &octal("7"), Truncated);
}
