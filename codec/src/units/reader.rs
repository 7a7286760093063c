//! Units read from a file.

use std::io::{self, Read};

use super::{UnitFormat, UnitsError};

/// How many bytes are asked of the file at once.
const CHUNK: usize = 64 * 1024;

/// The longest line of octal text: no number of nine bits is anywhere as long, leading zeros and blanks included.
const LONGEST_LINE: usize = 32;

/// Reads units off a file of some format. Memory is constant, and no call waits for more of the file than the next units
/// need.
#[derive(Debug)]
pub struct UnitReader<R> {
    file: R,
    unit_bits: u8,
    bytes: Box<[u8]>,
    /// How many bytes were read in front of those at hand.
    offset: u64,
    state: ReadState,
}

/// The format, with what is left over of a unit between two reads.
#[derive(Debug)]
enum ReadState {
    U8,
    U16 {
        big_endian: bool,
        half: Option<u8>,
    },
    /// The `count` bits, fewer than a unit, that no unit has yet.
    Packed {
        bits: u32,
        count: u8,
    },
    /// The number of the current line, and the start of it.
    Octal {
        line: u64,
        start: Vec<u8>,
    },
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
            UnitFormat::Octal => ReadState::Octal { line: 1, start: Vec::new() },
        };
        Ok(UnitReader { file, unit_bits, bytes: vec![0; CHUNK].into(), offset: 0, state })
    }

    /// Puts the next units behind those that `units` holds; `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// [`UnitsError`] says which bytes are not units, or why the file could not be read. The units in front of the fault
    /// are in `units`.
    pub fn read(&mut self, units: &mut Vec<u16>) -> Result<bool, UnitsError> {
        let count = loop {
            match self.file.read(&mut self.bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        let piece = Piece { bytes: &self.bytes[..count], offset: self.offset, unit_bits: self.unit_bits };
        match &mut self.state {
            ReadState::U8 => piece.octets(units)?,
            ReadState::U16 { big_endian, half } => piece.pairs(*big_endian, half, units)?,
            ReadState::Packed { bits, count } => piece.packed(bits, count, units)?,
            ReadState::Octal { line, start } => piece.octal(line, start, units)?,
        }
        self.offset += count as u64;
        Ok(count > 0)
    }
}

/// The bytes of one read, where they start in the file, and how wide their units are. No bytes are the end of the file.
#[derive(Clone, Copy)]
struct Piece<'a> {
    bytes: &'a [u8],
    offset: u64,
    unit_bits: u8,
}

impl Piece<'_> {
    fn octets(self, units: &mut Vec<u16>) -> Result<(), UnitsError> {
        let start = units.len();
        units.extend(self.bytes.iter().map(|&byte| u16::from(byte)));
        self.check(units, start, self.offset, 1)
    }

    fn pairs(self, big_endian: bool, half: &mut Option<u8>, units: &mut Vec<u16>) -> Result<(), UnitsError> {
        let start = units.len();
        let first = self.offset - u64::from(half.is_some());
        let unit = |pair| if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
        let mut bytes = self.bytes;
        match (half.take(), bytes) {
            (Some(_), []) => return Err(UnitsError::Partial { offset: first }),
            (Some(byte), [second, rest @ ..]) => {
                units.push(unit([byte, *second]));
                bytes = rest;
            }
            (None, _) => {}
        }
        let (pairs, rest) = bytes.as_chunks();
        units.extend(pairs.iter().map(|&pair| unit(pair)));
        *half = rest.first().copied();
        self.check(units, start, first, 2)
    }

    /// Checks the units from `start` on, of which the first is at `offset` of the file, and takes the first that is too
    /// wide and all behind it away again.
    fn check(self, units: &mut Vec<u16>, start: usize, offset: u64, width: u64) -> Result<(), UnitsError> {
        let unit_bits = self.unit_bits;
        let new = &units[start..];
        // Without an early exit, for the sake of vector instructions.
        let fits = |unit: u16| u32::from(unit) >> unit_bits == 0;
        if fits(new.iter().fold(0, |all, &unit| all | unit)) {
            return Ok(());
        }
        let Some(index) = new.iter().position(|&unit| !fits(unit)) else { return Ok(()) };
        let value = new[index];
        units.truncate(start + index);
        Err(UnitsError::TooWide { offset: offset + width * index as u64, value, unit_bits })
    }

    fn packed(self, bits: &mut u32, count: &mut u8, units: &mut Vec<u16>) -> Result<(), UnitsError> {
        let mut bytes = self.bytes;
        while let Some((&byte, rest)) = bytes.split_first() {
            // Nine bytes are eight nonets: without bits left over, they are taken apart at once.
            if *count == 0 && self.unit_bits == 9 {
                let (groups, _) = bytes.as_chunks::<9>();
                units.extend(groups.iter().flat_map(|group| nonets(*group)));
                bytes = &bytes[groups.len() * 9..];
                if !groups.is_empty() {
                    continue;
                }
            }
            bytes = rest;
            *bits = *bits << 8 | u32::from(byte);
            *count += 8;
            if *count >= self.unit_bits {
                *count -= self.unit_bits;
                units.push((*bits >> *count) as u16);
                *bits &= (1 << *count) - 1;
            }
        }
        match (self.bytes.len(), *count) {
            // A whole byte that no unit needed is not padding: there is half a unit.
            (0, 8..) => Err(UnitsError::Partial { offset: self.offset - 1 }),
            (0, 1..) if *bits != 0 => Err(UnitsError::Padding { offset: self.offset - 1 }),
            _ => Ok(()),
        }
    }

    fn octal(self, line: &mut u64, start: &mut Vec<u8>, units: &mut Vec<u16>) -> Result<(), UnitsError> {
        if self.bytes.is_empty() && !start.is_empty() {
            units.push(self.octal_line(start, *line)?);
            start.clear();
        }
        for piece in self.bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, is_whole) = match piece {
                [text @ .., b'\n'] => (text, true),
                text => (text, false),
            };
            if start.len() + text.len() > LONGEST_LINE {
                start.extend_from_slice(&text[..text.len().min(LONGEST_LINE + 1 - start.len())]);
                return Err(self.bad_line(start, *line));
            }
            if is_whole && start.is_empty() {
                units.push(self.octal_line(text, *line)?);
                *line += 1;
                continue;
            }
            start.extend_from_slice(text);
            if is_whole {
                units.push(self.octal_line(start, *line)?);
                *line += 1;
                start.clear();
            }
        }
        Ok(())
    }

    fn octal_line(self, text: &[u8], line: u64) -> Result<u16, UnitsError> {
        let digits = text.trim_ascii();
        let value = digits.iter().try_fold(0_u32, |value, &digit| match digit {
            b'0'..=b'7' => {
                Some(value << 3 | u32::from(digit - b'0')).filter(|value| value >> self.unit_bits == 0)
            }
            _ => None,
        });
        value
            .map(|value| value as u16)
            .filter(|_| !digits.is_empty())
            .ok_or_else(|| self.bad_line(text, line))
    }

    fn bad_line(self, text: &[u8], line: u64) -> UnitsError {
        let text = String::from_utf8_lossy(text).into_owned();
        UnitsError::Octal { line, text, unit_bits: self.unit_bits }
    }
}

/// The eight nonets that nine packed bytes are.
fn nonets(bytes: [u8; 9]) -> [u16; 8] {
    std::array::from_fn(|index| {
        let pair = u16::from_be_bytes([bytes[index], bytes[index + 1]]);
        pair >> (7 - index) & 0o777
    })
}
