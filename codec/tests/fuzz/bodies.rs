//! The bodies of the fuzz targets: properties of one input. The fuzz targets run them on inputs of libFuzzer, and
//! `tests/fuzz/main.rs` on random inputs, with a stable compiler.

#[path = "../common/marks.rs"]
mod marks;

use std::io::Read;

use marks::{bare_of, is_marked};
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitWriter, UnitsError};
use utfhdl_codec::{ByteOrder, Codec, Event, Max, OnError, Slot, Status, System, Utf8Bom};

/// Takes a byte off the front of the input, 0 at its end.
fn byte(data: &mut &[u8]) -> u8 {
    let Some((&first, rest)) = data.split_first() else { return 0 };
    *data = rest;
    first
}

fn system(data: &mut &[u8]) -> System {
    let options = [
        System::UtfInf8 { digits: 18 },
        System::UtfInf8 { digits: 300 },
        System::Utf9 { max: Max::Ucs4 },
        System::CorrectedUtf8 { document: true, private: false },
        System::Utf8Bom { bom: Utf8Bom::Add },
        System::Utf16Octets { order: ByteOrder::Big, bom: true },
        System::Utf16Octets { order: ByteOrder::Little, bom: true },
        System::Utf32Octets { order: ByteOrder::Big, bom: true, max: Max::Unicode },
        System::Utf32Octets { order: ByteOrder::Little, bom: true, max: Max::Ucs4 },
        System::Ucs2Octets { order: ByteOrder::Little, bom: true },
        System::Utf32 { max: Max::Ucs4 },
        System::UtfEbcdicI8 { max: Max::Ucs4 },
    ];
    let systems: Vec<System> = System::all().chain(options).chain(System::of_software()).collect();
    systems[usize::from(byte(data)) % systems.len()]
}

/// Bytes as units: two bytes each for nonets and units of 16 bits, four for units of 32, the low bits of one for hunks.
fn units(system: System, data: &[u8]) -> Vec<u32> {
    let mask = u32::MAX >> (32 - system.unit_bits());
    let words: Vec<u32> = match system.unit_bits() {
        0..=8 => data.iter().map(|&byte| byte.into()).collect(),
        9..=16 => data.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair).into()).collect(),
        _ => data.as_chunks().0.iter().map(|&four| u32::from_le_bytes(four)).collect(),
    };
    words.into_iter().map(|word| word & mask).collect()
}

/// Decoding in any system: every unit belongs to one event; single units and whole buffers give the same events; the
/// encoder writes back the well-formed sequences.
pub fn decode(mut data: &[u8]) {
    let system = system(&mut data);
    let units = units(system, data);
    let events: Vec<Event> = system.decode(&units).collect();

    let mut decoder = system.decoder();
    let mut one_by_one = Vec::new();
    for end in 1..=units.len() {
        let mut unit = &units[end - 1..end];
        one_by_one.extend(std::iter::from_fn(|| decoder.next(&mut unit, false)));
        assert!(unit.is_empty());
    }
    one_by_one.extend(std::iter::from_fn(|| decoder.next(&mut &[0_u8; 0][..], true)));
    assert_eq!(one_by_one, events, "{system}");

    let mut in_buffer = vec![Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; units.len() + 1];
    let progress = system.decoder().decode(&units, &mut in_buffer, true);
    assert_eq!(in_buffer[..progress.written], events, "{system}");

    let mut end = events.first().map_or(units.len() as u64, |event| event.offset);
    assert!(end == 0 || is_marked(system) || system.has_state());
    // The mark belongs to a stream as a whole.
    let bare = bare_of(system, &units);
    let mut group = Vec::new();
    for event in events {
        assert_eq!(event.offset, end);
        end += event.length;
        group.push(event);
        // A sequence of a system with a state is another one by itself.
        if event.length > 0 && !matches!(event.what, Slot::Error(_)) && !system.has_state() {
            let sequence = &units[event.offset as usize..end as usize];
            assert_eq!(bare.encode(&group, OnError::Strict).as_deref(), Ok(sequence), "{system}");
        }
        if event.length > 0 {
            group.clear();
        }
    }
    // The last units of a system with a state may only change it.
    assert!(end == units.len() as u64 || system.has_state() && end < units.len() as u64);
}

/// `utf-8` as the standard library and encoding_rs read it, and as systems that contain it do.
pub fn utf_8(data: &[u8]) {
    let events: Vec<Event> = System::Utf8.decode(data).collect();
    let ours = events.iter().map(|event| match event.what {
        Slot::CodePoint(code_point) => char::from_u32(code_point).expect("no surrogate, and in range"),
        _ => '\u{FFFD}',
    });
    let ours: String = ours.collect();
    assert_eq!(ours, String::from_utf8_lossy(data));
    assert_eq!(ours, encoding_rs::UTF_8.decode_without_bom_handling(data).0);
    if str::from_utf8(data).is_ok() {
        for wider in [System::Utf8Rfc2279, System::Utf8EightByte, System::UtfInf8 { digits: 18 }] {
            assert_eq!(wider.decode(data).collect::<Vec<_>>(), events, "{wider}");
        }
    }
}

/// Encoding in any system: slots make the same units in pieces of any size, and the decoder finds no error in them.
pub fn encode(mut data: &[u8]) {
    let system = system(&mut data);
    let room = usize::from(byte(&mut data) % 8) + 1;
    let mut slots = Vec::new();
    while !data.is_empty() {
        let kind = byte(&mut data);
        let number = u32::from_le_bytes([byte(&mut data), byte(&mut data), byte(&mut data), byte(&mut data)]);
        slots.push(match kind % 4 {
            0 => Slot::CodePoint(number >> (kind / 8)),
            1 => Slot::Head(number % 8),
            2 => Slot::Limb(number),
            _ => Slot::Error(utfhdl_codec::ErrorKind::Truncated),
        });
    }
    let whole: Vec<u32> = system.encode(&slots, OnError::Replace).expect("errors are replaced");

    let mut encoder = system.encoder(OnError::Replace);
    let mut buffer = vec![0; room];
    let mut written = Vec::new();
    for index in 0..=slots.len() {
        let last = index == slots.len();
        let mut slot = slots.get(index..index + 1).unwrap_or_default();
        loop {
            let progress = encoder.encode(slot, &mut buffer, last);
            written.extend_from_slice(&buffer[..progress.written]);
            slot = &slot[progress.read..];
            if progress.status == Status::Finished {
                break;
            }
        }
    }
    assert_eq!(written, whole, "{system}");

    // A long code point that is cut short leaves its start in UTF-∞-8.
    if !matches!(system, System::UtfInf8 { .. }) {
        assert!(system.decode(&whole).all(|event| !matches!(event.what, Slot::Error(_))), "{system}");
    }
}

/// Reads a file to its end or its fault.
fn read(file: impl Read, format: UnitFormat, unit_bits: u32) -> (Vec<u32>, Option<UnitsError>) {
    let mut units = Vec::new();
    let mut reader = match UnitReader::new(file, format, unit_bits) {
        Ok(reader) => reader,
        Err(error) => return (units, Some(error)),
    };
    loop {
        match reader.read(&mut units) {
            Ok(true) => {}
            Ok(false) => return (units, None),
            Err(error) => return (units, Some(error)),
        }
    }
}

/// A file that gives a byte at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

/// Files of units: pieces of any size give the same units, units are in range, and what is written is read again.
pub fn units_on_disk(mut data: &[u8]) {
    let format = UnitFormat::ALL[usize::from(byte(&mut data)) % UnitFormat::ALL.len()];
    let widths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32];
    let unit_bits = widths[usize::from(byte(&mut data)) % widths.len()];
    let (units, error) = read(data, format, unit_bits);
    let (by_bytes, by_bytes_error) = read(Drops(data), format, unit_bits);
    assert_eq!(units, by_bytes);
    assert_eq!(error.as_ref().map(ToString::to_string), by_bytes_error.map(|error| error.to_string()));
    assert!(units.iter().all(|&unit| u64::from(unit) >> unit_bits == 0));

    let Ok(mut writer) = UnitWriter::new(Vec::new(), format, unit_bits) else { return };
    writer.write(&units).expect("memory takes all");
    let file = writer.finish().expect("memory takes all");
    assert_eq!(read(&file[..], format, unit_bits).0, units);
    if error.is_none() && !matches!(format, UnitFormat::Octal | UnitFormat::Hex) {
        assert_eq!(file, data);
    }
}

/// Names of systems: a system that is printed is parsed as the same system.
pub fn names(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match text.parse::<System>() {
        Ok(system) => assert_eq!(system.to_string().parse(), Ok(system)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
