//! The systems of software alone: UTF-7, UTF-1, UTF-EBCDIC, SCSU and BOCU-1. The examples of their documents, and the kinds of their
//! errors.

#[path = "../common/mod.rs"]
mod common;

mod bocu_1;
mod scsu;
mod utf_1;
mod utf_7;
mod utf_ebcdic;

use utfhdl_codec::{Codec, ErrorKind, OnError, Slot, Status, System};

use common::{hex, system};

/// A long text of runs of characters, of which few are of the same place.
fn long_text() -> String {
    let mut number = 1_u32;
    let mut next = || {
        number = number.wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15);
        number >> 8
    };
    let starts = [
        0x20, 0x41, 0xA0, 0xE0, 0x100, 0x3B1, 0x430, 0x2010, 0x3041, 0x30A1, 0x4E00, 0xAC00, 0xE000, 0x1_F600,
    ];
    let mut text = String::new();
    for _ in 0..4000 {
        let start = starts[next() as usize % starts.len()];
        for _ in 0..=next() % 9 {
            text.extend(char::from_u32(start + next() % 60));
        }
    }
    text
}

/// Whole pieces go through a fast path, and units and slots one by one do not.
#[test]
fn long_texts_are_the_same_piece_by_piece() {
    let text = long_text();
    let slots: Vec<Slot> = text.chars().map(point).collect();
    for system in System::of_software() {
        let whole: Vec<u8> = system.encode(&slots, OnError::Strict).unwrap();
        assert_eq!(read(&system.to_string(), &whole), text, "{system}");
        let mut encoder = system.encoder(OnError::Strict);
        let mut pieces = Vec::new();
        for index in 0..=slots.len() {
            let mut rest = &slots[index..slots.len().min(index + 1)];
            loop {
                let mut room = [0; 2];
                let progress = encoder.encode(rest, &mut room, index == slots.len());
                pieces.extend_from_slice(&room[..progress.written]);
                rest = &rest[progress.read..];
                if progress.status == Status::Finished {
                    break;
                }
            }
        }
        assert!(pieces == whole, "{system}");
        let mut decoder = system.decoder();
        let mut one_by_one = Vec::new();
        for octet in &whole {
            let mut piece = std::slice::from_ref(octet);
            one_by_one.extend(std::iter::from_fn(|| decoder.next(&mut piece, false)));
        }
        assert!(system.decode(&whole).eq(one_by_one), "{system}");
    }
}

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
