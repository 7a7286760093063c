//! The systems of software alone: UTF-7, UTF-1, UTF-EBCDIC, SCSU and BOCU-1. The examples of their documents, and the kinds of their
//! errors.

#[path = "../common/mod.rs"]
mod common;

mod bocu_1;
mod scsu;
mod utf_1;
mod utf_7;
mod utf_ebcdic;

use utfhdl_codec::{Codec, ErrorKind, OnError, Slot};

use common::{hex, system};

/// The octets of a text.
fn written(name: &str, text: &str) -> Vec<u8> {
    let slots: Vec<Slot> = text.chars().map(|character| Slot::CodePoint(character.into())).collect();
    system(name).encode(&slots, OnError::Strict).unwrap_or_else(|refused| panic!("{name}: {refused}"))
}

/// The text of octets that have no error.
fn read(name: &str, octets: &[u8]) -> String {
    system(name).decode_to_string(octets, OnError::Strict).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares both directions.
#[track_caller]
fn both_ways(name: &str, text: &str, octets: &[u8]) {
    assert_eq!(read(name, octets), text, "{name}");
    assert_eq!(written(name, text), octets, "{name}");
}

/// Octets in hexadecimal digits.
fn octets(text: &str) -> Vec<u8> {
    hex(text).into_iter().map(|octet| octet as u8).collect()
}

/// Decodes octets, in one piece and octet by octet, and compares the lengths of events and what they are.
#[track_caller]
fn events(name: &str, octets: &[u8], expected: &[(u64, Slot)]) {
    let found: Vec<(u64, Slot)> = common::events(system(name), octets)
        .into_iter()
        .map(|event| (event.length, slot(event.what)))
        .collect();
    assert_eq!(found, expected, "{name}: {octets:X?}");
    let mut decoder = system(name).decoder();
    let mut one_by_one = Vec::new();
    for octet in octets {
        let mut piece = std::slice::from_ref(octet);
        one_by_one.extend(std::iter::from_fn(|| decoder.next(&mut piece, false)));
    }
    one_by_one.extend(std::iter::from_fn(|| decoder.next::<u8>(&mut &[][..], true)));
    let found: Vec<(u64, Slot)> = one_by_one.iter().map(|event| (event.length, event.what)).collect();
    assert_eq!(found, expected, "{name}, octet by octet: {octets:X?}");
}

fn slot(what: utfhdl_codec::Whole) -> Slot {
    what.slots()[0]
}

fn point(character: char) -> Slot {
    Slot::CodePoint(character.into())
}

fn error(kind: ErrorKind) -> Slot {
    Slot::Error(kind)
}
