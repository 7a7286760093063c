//! Shared by the tests: units and code points written as text, and decoding and encoding of whole streams.

// Every test program compiles this folder, and no program uses all of it.
#![allow(dead_code)]

pub mod marks;
pub mod strategy;

use num_bigint::BigUint;
use utfhdl_codec::{Codec, OnError, Refused, Slot, System, Unit, Whole, WholeEvent};

pub fn system(name: &str) -> System {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// `"U+20AC"` or `"0x345ecf1b"`.
pub fn code_point(text: &str) -> Whole {
    let digits = text.strip_prefix("U+").or_else(|| text.strip_prefix("0x")).expect("U+ or 0x");
    Whole::from(BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal digits"))
}

/// `"E2 82 AC"`.
pub fn hex(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|unit| u32::from_str_radix(unit, 16).expect("hexadecimal digits")).collect()
}

/// `"403 221"`.
pub fn octal(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|unit| u32::from_str_radix(unit, 8).expect("octal digits")).collect()
}

/// A unit of a pattern as Barber prints it, such as `wwzd'dddd`, with `d` for all of its `d`.
pub fn pattern(text: &str, d: u32) -> u32 {
    let bits = text.chars().filter(|&symbol| symbol != '\'');
    bits.fold(0, |unit, symbol| {
        let bit = match symbol {
            'w' | '1' => 1,
            'z' | '0' => 0,
            'd' => d,
            _ => panic!("{text}"),
        };
        unit << 1 | bit
    })
}

pub fn events<U: Unit>(system: System, units: &[U]) -> Vec<WholeEvent> {
    let events: Vec<WholeEvent> = system.decode(units).whole(1 << 20).collect();
    let mut end = events.first().map_or(0, |event| event.offset);
    for event in &events {
        assert_eq!(event.offset, end, "the events of {system} tile its stream");
        assert!(event.length > 0);
        end += event.length;
    }
    events
}

pub fn wholes<U: Unit>(system: System, units: &[U]) -> Vec<Whole> {
    events(system, units).into_iter().map(|event| event.what).collect()
}

/// How many octets a unit has that the octets are put together to; 1 for systems whose units are their own.
pub fn octets_of_unit(system: System) -> usize {
    match system {
        System::Utf16Octets { .. } | System::Ucs2Octets { .. } => 2,
        System::Utf32Octets { .. } => 4,
        _ => 1,
    }
}

pub fn slots(wholes: &[Whole]) -> Vec<Slot> {
    wholes.iter().flat_map(Whole::slots).collect()
}

pub fn encode(system: System, wholes: &[Whole]) -> Result<Vec<u32>, Refused> {
    system.encode(&slots(wholes), OnError::Strict)
}
