//! Readers and writers: the same bytes whatever the pieces, and errors that say what is wrong.

use std::error::Error as _;
use std::io::{self, Read, Write};

use proptest::prelude::*;
use utfhdl_codec::io::{EventReader, TranscodingReader, TranscodingWriter};
use utfhdl_codec::units::{UnitFormat, UnitsError};
use utfhdl_codec::{Codec, ErrorKind, Event, IllFormed, OnError, System};

use crate::common::strategy::stream;
use crate::common::system;

/// Gives bytes a few at a time, then an error if there is one.
struct Slow<'a> {
    bytes: &'a [u8],
    at_once: usize,
    error: Option<io::ErrorKind>,
}

impl Read for Slow<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = room.len().min(self.at_once);
        match self.bytes.read(&mut room[..count])? {
            0 => self.error.take().map_or(Ok(0), |kind| Err(kind.into())),
            count => Ok(count),
        }
    }
}

fn octets(units: Vec<u32>) -> Vec<u8> {
    units.into_iter().map(|unit| unit as u8).collect()
}

proptest! {
    #[test]
    fn text_is_what_the_standard_library_reads(octets in stream(System::Utf8).prop_map(octets), at_once in 1..9_usize) {
        let expected = String::from_utf8_lossy(&octets);
        let file = Slow { bytes: &octets, at_once, error: None };
        let mut text = String::new();
        TranscodingReader::new(file, System::Utf8, System::Utf8, OnError::Replace).read_to_string(&mut text).unwrap();
        prop_assert_eq!(&*text, &*expected);

        let utf_16: Vec<u8> = expected.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (system, format) in [("utf-16", UnitFormat::U16Be), ("utf-16be", UnitFormat::U8)] {
            let (from, to) = ((System::Utf8, UnitFormat::U8), (system.parse().unwrap(), format));
            let mut writer = TranscodingWriter::with_formats(Vec::new(), from, to, OnError::Replace).unwrap();
            octets.chunks(at_once).try_for_each(|piece| writer.write_all(piece)).unwrap();
            prop_assert_eq!(&writer.finish().unwrap(), &utf_16);
            let mut back = String::new();
            let reader = TranscodingReader::with_formats(utf_16.as_slice(), to, from, OnError::Strict);
            reader.unwrap().read_to_string(&mut back).unwrap();
            prop_assert_eq!(&*back, &*expected);
        }
    }

    #[test]
    fn events_are_those_of_the_slice(octets in stream(System::Utf8).prop_map(octets), at_once in 1..9_usize) {
        let file = Slow { bytes: &octets, at_once, error: None };
        let events: Result<Vec<Event>, _> = EventReader::new(file, System::Utf8).collect();
        prop_assert_eq!(events.unwrap(), System::Utf8.decode(&octets).collect::<Vec<_>>());
    }
}

/// Nine bits a unit, of which the last byte is filled with zeros: A and the euro sign.
#[test]
fn packed_nonets_are_padded() {
    let to = (system("utf-9"), UnitFormat::Packed);
    let from = (System::Utf8, UnitFormat::U8);
    let mut writer = TranscodingWriter::with_formats(Vec::new(), from, to, OnError::Strict).unwrap();
    writer.write_all("A€".as_bytes()).unwrap();
    let file = writer.finish().unwrap();
    // 0 0100 0001, 1 0010 0000, 0 1010 1100, 0 0000.
    assert_eq!(file, [0b0010_0000, 0b1100_1000, 0b0001_0101, 0b1000_0000]);
    let mut text = String::new();
    TranscodingReader::with_formats(file.as_slice(), to, from, OnError::Strict)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "A€");
}

fn ill_formed(error: &io::Error) -> IllFormed {
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    *error.get_ref().and_then(|error| error.downcast_ref()).expect("an ill-formed sequence")
}

#[test]
fn strict_readers_give_what_is_before_an_error() {
    let file: &[u8] = b"ok\xC0ok";
    let mut reader = TranscodingReader::new(file, System::Utf8, System::Utf8, OnError::Strict);
    let mut text = Vec::new();
    let error = reader.read_to_end(&mut text).unwrap_err();
    assert_eq!(text, b"ok");
    assert_eq!(ill_formed(&error), IllFormed { offset: 2, length: 1, kind: ErrorKind::Overlong });
    assert_eq!(reader.read(&mut [0; 4]).unwrap(), 0);
}

#[test]
fn strict_writers_refuse_a_sequence_that_the_end_cuts() {
    let mut writer = TranscodingWriter::new(Vec::new(), System::Utf8, system("utf-16le"), OnError::Strict);
    writer.write_all(b"A\xE2\x82").unwrap();
    let error = writer.finish().unwrap_err();
    assert_eq!(ill_formed(&error), IllFormed { offset: 1, length: 2, kind: ErrorKind::Truncated });

    let mut writer = TranscodingWriter::new(Vec::new(), System::Utf8, system("latin-1"), OnError::Strict);
    let error = writer.write_all("Zürich €".as_bytes()).unwrap_err();
    assert_eq!(ill_formed(&error), IllFormed { offset: 8, length: 3, kind: ErrorKind::Unencodable });
}

#[test]
fn errors_of_files_keep_their_kind() {
    let failing = || Slow { bytes: b"A\xE2", at_once: 9, error: Some(io::ErrorKind::ConnectionReset) };
    let mut text = Vec::new();
    let mut reader = TranscodingReader::new(failing(), System::Utf8, System::Utf8, OnError::Replace);
    let error = reader.read_to_end(&mut text).unwrap_err();
    assert_eq!((error.kind(), &*text), (io::ErrorKind::ConnectionReset, &b"A"[..]));

    let mut events = EventReader::new(failing(), System::Utf8);
    assert_eq!(events.next().unwrap().unwrap().length, 1);
    let error = events.next().unwrap().unwrap_err();
    assert!(matches!(error, UnitsError::Io(error) if error.kind() == io::ErrorKind::ConnectionReset));
    assert!(events.next().is_none());
}

#[test]
fn contents_that_are_no_units_are_invalid_data() {
    let from = (system("utf-9"), UnitFormat::Octal);
    let reader = TranscodingReader::with_formats(
        &b"101\n999\n"[..],
        from,
        (System::Utf8, UnitFormat::U8),
        OnError::Replace,
    );
    let mut text = Vec::new();
    let error = reader.unwrap().read_to_end(&mut text).unwrap_err();
    assert_eq!((error.kind(), &*text), (io::ErrorKind::InvalidData, &b"A"[..]));
    assert!(error.source().is_some() || error.to_string().starts_with("line 2"), "{error}");

    let to = (system("utf-32"), UnitFormat::U8);
    let writer =
        TranscodingWriter::with_formats(Vec::new(), (System::Utf8, UnitFormat::U8), to, OnError::Replace);
    assert_eq!(writer.unwrap_err().to_string(), "u8 files cannot hold units of 32 bits: use u32le");
}
