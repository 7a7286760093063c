//! The unit at which each slot of a code point of 2^32 or more comes. The head comes at the unit that leaves one possible
//! number of limbs, a limb at the unit that completes its bits. A unit makes at most one slot, and a lead unit none.

use utfhdl_codec::Codec;
use utfhdl_codec::ErrorKind::{Overlong, Truncated, Unexpected};
use utfhdl_codec::Slot::{self, CodePoint, Error, Head, Limb};

use crate::common::{hex, system};

/// Feeds the listed units one by one, and compares the slots that the decoder gives after each unit with the listed
/// ones.
#[track_caller]
fn slots_come_with_units(name: &str, expected: &[(&str, &[Slot])]) {
    let mut decoder = system(name).decoder();
    for (index, (units, slots)) in expected.iter().enumerate() {
        let mut found = Vec::new();
        let mut lengths = 0;
        for unit in hex(units) {
            let mut unit = &[unit][..];
            while let Some(event) = decoder.next(&mut unit, false) {
                found.push(event.what);
                lengths += event.length;
            }
        }
        assert_eq!(&found, slots, "{name}: step {index}, {units}");
        assert!(index + 1 < expected.len() || lengths > 0, "the last slot has the length");
    }
}

#[test]
fn of_eight_octets() {
    // 36 bits: up to U+FFFFFFFF it is one slot, at the end.
    slots_come_with_units(
        "utf-8-8byte",
        &[("FE", &[]), ("83 BF BF BF BF", &[]), ("BF", &[CodePoint(0xFFFF_FFFF)])],
    );
    // Two limbs are certain with the second octet, which also has the last bit of the first.
    slots_come_with_units(
        "utf-8-8byte",
        &[("FE", &[]), ("84", &[Head(2)]), ("80", &[Limb(1)]), ("80 80 80", &[]), ("80", &[Limb(0)])],
    );
    // 42 bits: all code points from 2^36 on have two limbs.
    slots_come_with_units(
        "utf-8-8byte",
        &[("FF", &[]), ("81", &[Head(2)]), ("80", &[Limb(0x10)]), ("80 80 80 80", &[]), ("81", &[Limb(1)])],
    );
}

#[test]
fn of_hunks_of_nine_bits() {
    // 37 bits from 2^31 on: the second hunk has bits 34 to 28.
    slots_come_with_units(
        "hunk-9",
        &[("1F8", &[]), ("110", &[Head(2)]), ("100", &[Limb(1)]), ("100 100", &[]), ("100", &[Limb(0)])],
    );
    slots_come_with_units(
        "hunk-9",
        &[("1F8", &[]), ("108 100 100 100", &[]), ("100", &[CodePoint(0x8000_0000)])],
    );
}

#[test]
fn of_65_bits() {
    // 37 bits from 2^32 on.
    slots_come_with_units(
        "utf-8-65bit",
        &[("F5", &[]), ("80", &[Head(2)]), ("80", &[Limb(0x8)]), ("80 80 80 80", &[]), ("80", &[Limb(0)])],
    );
    // 65 bits from 2^60 on: bit 64 is the first of the second octet.
    let ones = "9F 9F 9F 9F 9F";
    slots_come_with_units(
        "utf-8-65bit",
        &[
            ("FF", &[]),
            ("9F", &[Head(3)]),
            ("9F", &[Limb(1)]),
            ("9F 9F 9F 9F", &[]),
            ("9F", &[Limb(!0)]),
            (ones, &[]),
            ("9F", &[Limb(!0)]),
        ],
    );
    slots_come_with_units(
        "utf-8-65bit",
        &[
            ("FF", &[]),
            ("81", &[Head(2)]),
            ("80 80 80 80 80", &[]),
            ("80", &[Limb(0x1000_0000)]),
            ("80 80 80 80 80", &[]),
            ("80", &[Limb(0)]),
        ],
    );
}

#[test]
fn of_thirteen_bytes() {
    slots_come_with_units(
        "utf-inf-8",
        &[
            ("FF", &[]),
            ("9F", &[Head(3)]),
            ("BF", &[Limb(0x7F)]),
            ("BF BF BF BF", &[]),
            ("BF", &[Limb(!0)]),
            ("BF BF BF BF", &[]),
            ("BF", &[Limb(!0)]),
        ],
    );
    // Bit 64 is in the third byte.
    slots_come_with_units(
        "utf-inf-8",
        &[
            ("FF 80", &[]),
            ("90", &[Head(3)]),
            ("80", &[Limb(1)]),
            ("80 80 80", &[]),
            ("80", &[Limb(0)]),
            ("80 80 80 80", &[]),
            ("80", &[Limb(0)]),
        ],
    );
    slots_come_with_units(
        "utf-inf-8",
        &[
            ("FF 80", &[]),
            ("80", &[Head(2)]),
            ("80 80 80", &[]),
            ("81", &[]),
            ("80", &[Limb(0x10)]),
            ("80 80 80 80", &[]),
            ("80", &[Limb(0)]),
        ],
    );
}

#[test]
fn of_a_length_header() {
    // Eighteen digits: a limb of two, then two of eight.
    slots_come_with_units(
        "utf-inf-8",
        &[
            ("FF", &[]),
            ("A0", &[Head(3)]),
            ("A0", &[]),
            ("80", &[Limb(0x80)]),
            ("80 80 80 80", &[]),
            ("80", &[Limb(0)]),
            ("80 80 80 80", &[]),
            ("81", &[Limb(1)]),
        ],
    );
    slots_come_with_units(
        "utf-inf-8",
        &[("FF B4 A2", &[]), ("A1", &[Head(7)]), ("41", &[Error(Truncated), CodePoint(0x41)])],
    );
}

#[test]
fn an_error_takes_the_place_of_the_next_limb() {
    slots_come_with_units(
        "utf-8-8byte",
        &[("FF 81", &[Head(2)]), ("41", &[Error(Truncated), CodePoint(0x41)])],
    );
    // Overlong before its head is out: the error stands alone.
    slots_come_with_units("utf-8-8byte", &[("FF", &[]), ("80", &[Error(Overlong), Error(Unexpected)])]);
    slots_come_with_units(
        "utf-8-8byte",
        &[
            ("FE", &[]),
            ("84", &[Head(2)]),
            ("80", &[Limb(1)]),
            ("FE", &[Error(Truncated)]),
            ("41", &[Error(Truncated), CodePoint(0x41)]),
        ],
    );
    // The units after the error start a new sequence.
    slots_come_with_units(
        "utf-8-8byte",
        &[
            ("FE 84", &[Head(2)]),
            ("FE", &[Error(Truncated)]),
            ("88", &[Head(2)]),
            ("80", &[Limb(2)]),
            ("80 80 80 80", &[Limb(0)]),
        ],
    );
}
