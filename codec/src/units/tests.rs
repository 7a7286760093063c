use std::io::{self, Read};

use proptest::prelude::*;

use super::*;

fn read(bytes: &[u8], format: UnitFormat, unit_bits: u32) -> Result<Vec<u32>, UnitsError> {
    read_from(bytes, format, unit_bits)
}

fn read_from(file: impl Read, format: UnitFormat, unit_bits: u32) -> Result<Vec<u32>, UnitsError> {
    let mut reader = UnitReader::new(file, format, unit_bits)?;
    let mut units = Vec::new();
    while reader.read(&mut units)? {}
    Ok(units)
}

fn write(units: &[u32], format: UnitFormat, unit_bits: u32) -> Vec<u8> {
    let mut writer = UnitWriter::new(Vec::new(), format, unit_bits).unwrap();
    writer.write(units).unwrap();
    writer.finish().unwrap()
}

/// A file that gives this many bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (now, later) = self.0.split_at(self.0.len().min(self.1));
        self.0 = later;
        buffer[..now.len()].copy_from_slice(now);
        Ok(now.len())
    }
}

#[test]
fn each_format_stands_on_disk_as_it_should() {
    // U+10330 in UTF-9: octal 401 403 60.
    let units = [0o401, 0o403, 0o60];
    assert_eq!(write(&units, UnitFormat::U16Le, 9), [0x01, 0x01, 0x03, 0x01, 0x30, 0x00]);
    assert_eq!(write(&units, UnitFormat::U16Be, 9), [0x01, 0x01, 0x01, 0x03, 0x00, 0x30]);
    assert_eq!(write(&units, UnitFormat::Octal, 9), b"401\n403\n60\n");
    // 100000001 100000011 000110000, then five zero bits.
    assert_eq!(write(&units, UnitFormat::Packed, 9), [0b1000_0000, 0b1100_0000, 0b1100_0110, 0b0000_0000]);
    assert_eq!(write(&[0x1F, 0x02], UnitFormat::U8, 5), [0x1F, 0x02]);
    assert_eq!(write(&[0xFF, 0x41], UnitFormat::Packed, 8), [0xFF, 0x41]);
    let units = [0xD83D, 0xDE00, 0x41];
    assert_eq!(write(&units, UnitFormat::U16Le, 16), [0x3D, 0xD8, 0x00, 0xDE, 0x41, 0x00]);
    assert_eq!(write(&units, UnitFormat::U16Be, 16), [0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x41]);
    assert_eq!(write(&units, UnitFormat::Hex, 16), b"D83D\nDE00\n41\n");
    assert_eq!(write(&units, UnitFormat::Octal, 16), b"154075\n157000\n101\n");
    assert_eq!(write(&[0x1_F600], UnitFormat::U32Le, 32), [0x00, 0xF6, 0x01, 0x00]);
    assert_eq!(write(&[0x1_F600], UnitFormat::U32Be, 32), [0x00, 0x01, 0xF6, 0x00]);
    assert_eq!(write(&[0x1_F600, 0, u32::MAX], UnitFormat::Hex, 32), b"1F600\n0\nFFFFFFFF\n");
}

#[test]
fn packed_nonets_are_bits_in_a_row() {
    // Strings of bits give the expected bytes. Runs start at any nonet, so that groups of eight
    // start everywhere.
    let units: Vec<u32> = (0..60).map(|index: u32| index.wrapping_mul(0x9E37) >> 7 & 0o777).collect();
    for count in 0..units.len() {
        let bits: String = units[..count].iter().map(|unit| format!("{unit:09b}")).collect();
        let bytes = bits.as_bytes().chunks(8).map(|bits| {
            let bits = str::from_utf8(bits).unwrap();
            u8::from_str_radix(&format!("{bits:0<8}"), 2).unwrap()
        });
        assert_eq!(write(&units[..count], UnitFormat::Packed, 9), bytes.collect::<Vec<u8>>());
    }
}

#[test]
fn units_in_front_of_a_fault_are_read() {
    let mut bytes = [0x1F; 100];
    bytes[70] = 0x20;
    let mut reader = UnitReader::new(&bytes[..], UnitFormat::U8, 5).unwrap();
    let mut units = vec![7_u16];
    assert!(reader.read(&mut units).is_err());
    assert_eq!(units, [&[7][..], &[0x1F; 70]].concat());
}

#[test]
fn octal_lines_may_be_padded_and_the_last_may_end_the_file() {
    assert_eq!(read(b"000101\r\n 7 \n777", UnitFormat::Octal, 9).unwrap(), [0o101, 7, 0o777]);
    assert!(read(b"", UnitFormat::Octal, 9).unwrap().is_empty());
}

fn message(bytes: &[u8], format: UnitFormat, unit_bits: u32) -> String {
    let whole = read(bytes, format, unit_bits).unwrap_err().to_string();
    for count in 1..40 {
        let in_pieces = read_from(Pieces(bytes, count), format, unit_bits).unwrap_err().to_string();
        assert_eq!(in_pieces, whole, "{count} bytes at a time");
    }
    whole
}

#[test]
fn bad_files_are_errors_with_a_place() {
    assert_eq!(message(&[0x1F, 0x20], UnitFormat::U8, 5), "byte 1: unit 0x20 has more than 5 bits");
    assert_eq!(message(&[0, 0, 0, 2], UnitFormat::U16Le, 9), "byte 2: unit 0x200 has more than 9 bits");
    assert_eq!(message(&[0, 0, 1], UnitFormat::U16Be, 9), "byte 2: the file ends inside a unit");
    assert_eq!(message(&[0xFF], UnitFormat::Packed, 9), "byte 0: the file ends inside a unit");
    assert_eq!(message(&[0; 10], UnitFormat::Packed, 9), "byte 9: the file ends inside a unit");
    assert_eq!(
        message(&[0xFF, 0x81], UnitFormat::Packed, 9),
        "byte 1: the padding behind the last unit is not zero"
    );
    let octal = |text: &[u8]| message(text, UnitFormat::Octal, 9);
    assert_eq!(octal(b"101\n128\n"), r#"line 2: "128" is not an octal number of up to 9 bits"#);
    assert_eq!(octal(b"1000"), r#"line 1: "1000" is not an octal number of up to 9 bits"#);
    assert_eq!(octal(b"7\n\n7\n"), r#"line 2: "" is not an octal number of up to 9 bits"#);
    assert_eq!(octal(b"+7\n"), r#"line 1: "+7" is not an octal number of up to 9 bits"#);
    let hex = |text: &[u8], bits| message(text, UnitFormat::Hex, bits);
    assert_eq!(hex(b"FFFF\n10000\n", 16), r#"line 2: "10000" is not a hexadecimal number of up to 16 bits"#);
    assert_eq!(
        hex(b"fffFffff\n1ffffFFFF\n", 32),
        r#"line 2: "1ffffFFFF" is not a hexadecimal number of up to 32 bits"#
    );
    assert_eq!(hex(b"0x41", 32), r#"line 1: "0x41" is not a hexadecimal number of up to 32 bits"#);
    assert_eq!(message(&[0, 0, 1, 0, 0], UnitFormat::U16Le, 16), "byte 4: the file ends inside a unit");
    assert_eq!(message(&[0; 7], UnitFormat::U32Be, 32), "byte 4: the file ends inside a unit");
    assert_eq!(
        message(&[0, 0, 0, 0, 0, 0, 2, 0], UnitFormat::U32Be, 9),
        "byte 4: unit 0x200 has more than 9 bits"
    );
    assert_eq!(
        message(&[0x41, 0, 1, 0], UnitFormat::U32Le, 16),
        "byte 0: unit 0x10041 has more than 16 bits"
    );
    assert!(octal(&[b'0'; 1000]).starts_with("line 1: \"000"));
}

#[test]
fn formats_are_refused_for_units_they_cannot_hold() {
    let message = |format, bits| UnitReader::new(io::empty(), format, bits).unwrap_err().to_string();
    assert_eq!(message(UnitFormat::U8, 9), "u8 files cannot hold units of 9 bits: use u16le");
    assert_eq!(message(UnitFormat::Packed, 7), "packed files cannot hold units of 7 bits: use u8");
    assert_eq!(message(UnitFormat::Packed, 16), "packed files cannot hold units of 16 bits: use u16le");
    assert_eq!(message(UnitFormat::U16Be, 32), "u16be files cannot hold units of 32 bits: use u32le");
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        unit_bits in prop_oneof![1..=9_u32, Just(16), Just(32)],
        raw in prop::collection::vec(any::<u32>(), 0..80),
        cuts in prop::collection::vec(0..30_usize, 0..4),
        piece in 1..30_usize,
    ) {
        let units: Vec<u32> = raw.iter().map(|unit| unit >> (32 - unit_bits)).collect();
        for format in UnitFormat::ALL.into_iter().filter(|format| format.check(unit_bits).is_ok()) {
            let bytes = write(&units, format, unit_bits);
            prop_assert_eq!(&read(&bytes, format, unit_bits).unwrap(), &units);
            prop_assert_eq!(&read_from(Pieces(&bytes, piece), format, unit_bits).unwrap(), &units);
            let mut writer = UnitWriter::new(Vec::new(), format, unit_bits).unwrap();
            let mut rest = units.as_slice();
            for cut in &cuts {
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                writer.write(now).unwrap();
                rest = later;
            }
            writer.write(rest).unwrap();
            prop_assert_eq!(writer.finish().unwrap(), bytes);
        }
    }
}
