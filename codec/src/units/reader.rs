//! Units off a file.

use std::io::{self, Read};

use super::{UnitFormat, UnitsError};

/// How many bytes are asked of the file at once.
const CHUNK: usize = 64 * 1024;

/// No octal number of nine bits is anywhere as long, leading zeros and blanks included.
const LONGEST_LINE: usize = 32;

/// Reads units off a file of some format. Memory is constant, and nothing is read ahead that the file does not have ready.
#[derive(Debug)]
pub struct UnitReader<R> {
    file: R,
    unit_bits: u8,
    bytes: Box<[u8]>,
    /// Bytes read so far, where an error is to be placed.
    offset: u64,
    state: ReadState,
}

/// The format, with what is left over of a unit between two reads.
#[derive(Debug)]
enum ReadState {
    U8,
    U16 { big_endian: bool, half: Option<u8> },
    Packed { bits: u32, count: u8 },
    Octal { line: u64, text: Vec<u8> },
}

impl<R: Read> UnitReader<R> {
    /// Reads units of `unit_bits` bits, 1 to 9, in `format`.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where the format is not made for such units.
    pub fn new(file: R, format: UnitFormat, unit_bits: u8) -> Result<UnitReader<R>, UnitsError> {
        format.check(unit_bits)?;
        let state = match format {
            UnitFormat::U8 => ReadState::U8,
            UnitFormat::U16Le => ReadState::U16 { big_endian: false, half: None },
            UnitFormat::U16Be => ReadState::U16 { big_endian: true, half: None },
            UnitFormat::Packed => ReadState::Packed { bits: 0, count: 0 },
            UnitFormat::Octal => ReadState::Octal { line: 1, text: Vec::new() },
        };
        Ok(UnitReader { file, unit_bits, bytes: vec![0; CHUNK].into(), offset: 0, state })
    }

    /// Puts the next units behind what `units` holds; `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// Bytes that are no units, with their offset or line, and what the file itself says. The units in front of the
    /// fault are in `units`.
    pub fn read(&mut self, units: &mut Vec<u16>) -> Result<bool, UnitsError> {
        let count = loop {
            match self.file.read(&mut self.bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        let bytes = &self.bytes[..count];
        let check = UnitCheck { offset: self.offset, unit_bits: self.unit_bits };
        match &mut self.state {
            ReadState::U8 => check.octets(bytes, units)?,
            ReadState::U16 { big_endian, half } => check.pairs(bytes, *big_endian, half, units)?,
            ReadState::Packed { bits, count } => check.packed(bytes, bits, count, units)?,
            ReadState::Octal { line, text } => check.octal(bytes, line, text, units)?,
        }
        self.offset += count as u64;
        Ok(count > 0)
    }
}

/// Where the bytes at hand start in the file, and how wide their units should be. No bytes are the end of the file.
struct UnitCheck {
    offset: u64,
    unit_bits: u8,
}

impl UnitCheck {
    fn unit(&self, value: u16, offset: u64) -> Result<u16, UnitsError> {
        let unit_bits = self.unit_bits;
        if value >> unit_bits == 0 {
            Ok(value)
        } else {
            Err(UnitsError::TooWide { offset, value, unit_bits })
        }
    }

    fn octets(&self, bytes: &[u8], units: &mut Vec<u16>) -> Result<(), UnitsError> {
        if self.unit_bits == 8 {
            units.extend(bytes.iter().map(|&byte| u16::from(byte)));
            return Ok(());
        }
        for (&byte, offset) in bytes.iter().zip(self.offset..) {
            units.push(self.unit(byte.into(), offset)?);
        }
        Ok(())
    }

    fn pairs(
        &self,
        bytes: &[u8],
        big_endian: bool,
        half: &mut Option<u8>,
        units: &mut Vec<u16>,
    ) -> Result<(), UnitsError> {
        if bytes.is_empty() && half.is_some() {
            return Err(UnitsError::Partial { offset: self.offset - 1 });
        }
        for (&byte, offset) in bytes.iter().zip(self.offset..) {
            match half.take() {
                None => *half = Some(byte),
                Some(first) => {
                    let pair = [first, byte];
                    let value = if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
                    units.push(self.unit(value, offset - 1)?);
                }
            }
        }
        Ok(())
    }

    /// `bits` holds the `count` bits, fewer than a unit, that are left over so far.
    fn packed(
        &self,
        bytes: &[u8],
        bits: &mut u32,
        count: &mut u8,
        units: &mut Vec<u16>,
    ) -> Result<(), UnitsError> {
        for &byte in bytes {
            *bits = *bits << 8 | u32::from(byte);
            *count += 8;
            if *count >= self.unit_bits {
                *count -= self.unit_bits;
                units.push((*bits >> *count) as u16);
                *bits &= (1 << *count) - 1;
            }
        }
        match (bytes.len(), *count) {
            // A whole byte that no unit needed is not padding: there is half a unit.
            (0, 8..) => Err(UnitsError::Partial { offset: self.offset - 1 }),
            (0, 1..) if *bits != 0 => Err(UnitsError::Padding { offset: self.offset - 1 }),
            _ => Ok(()),
        }
    }

    fn octal(
        &self,
        bytes: &[u8],
        line: &mut u64,
        text: &mut Vec<u8>,
        units: &mut Vec<u16>,
    ) -> Result<(), UnitsError> {
        if bytes.is_empty() && !text.is_empty() {
            units.push(self.octal_line(text, *line)?);
            text.clear();
        }
        for &byte in bytes {
            if byte == b'\n' {
                units.push(self.octal_line(text, *line)?);
                text.clear();
                *line += 1;
            } else {
                text.push(byte);
                if text.len() > LONGEST_LINE {
                    return Err(self.bad_line(text, *line));
                }
            }
        }
        Ok(())
    }

    fn octal_line(&self, text: &[u8], line: u64) -> Result<u16, UnitsError> {
        let digits = text.trim_ascii();
        let value = digits.iter().try_fold(0_u16, |value, &digit| match digit {
            b'0'..=b'7' => {
                Some(value << 3 | u16::from(digit - b'0')).filter(|value| value >> self.unit_bits == 0)
            }
            _ => None,
        });
        value.filter(|_| !digits.is_empty()).ok_or_else(|| self.bad_line(text, line))
    }

    fn bad_line(&self, text: &[u8], line: u64) -> UnitsError {
        let text = String::from_utf8_lossy(text).into_owned();
        UnitsError::Octal { line, text, unit_bits: self.unit_bits }
    }
}
