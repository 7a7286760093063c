//! Units read from a file.

use std::io::{self, Read};

use super::{Base, UnitFormat, UnitsError};
use crate::Unit;

/// How many bytes are asked of the file at once.
const CHUNK: usize = 64 * 1024;

/// The longest line of text: no number of 32 bits is anywhere as long, leading zeros and blanks included.
const LONGEST_LINE: usize = 32;

/// Reads units off a file of some format. Memory is constant, and no call waits for more of the file than the next units
/// need.
#[derive(Debug)]
pub struct UnitReader<R> {
    file: R,
    unit_bits: u32,
    bytes: Box<[u8]>,
    /// How many bytes were read before those at hand.
    offset: u64,
    state: ReadState,
}

/// The format, with what is left over of a unit between two reads.
#[derive(Debug)]
enum ReadState {
    U8,
    U16 {
        big_endian: bool,
        start: Start,
    },
    U32 {
        big_endian: bool,
        start: Start,
    },
    /// The `count` bits, fewer than a unit, that no unit has yet.
    Packed {
        bits: u32,
        count: u32,
    },
    /// The number of the current line, and the start of it.
    Text {
        base: Base,
        line: u64,
        start: Vec<u8>,
    },
}

/// The first bytes of a unit whose last ones are not read yet.
#[derive(Debug, Default)]
struct Start {
    bytes: [u8; 4],
    count: usize,
}

impl<R: Read> UnitReader<R> {
    /// Reads units of `unit_bits` bits, 1 to 32, in `format`.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where the format is not made for such units.
    pub fn new(file: R, format: UnitFormat, unit_bits: u32) -> Result<UnitReader<R>, UnitsError> {
        format.check(unit_bits)?;
        let state = match format {
            UnitFormat::U8 => ReadState::U8,
            UnitFormat::U16Le => ReadState::U16 { big_endian: false, start: Start::default() },
            UnitFormat::U16Be => ReadState::U16 { big_endian: true, start: Start::default() },
            UnitFormat::U32Le => ReadState::U32 { big_endian: false, start: Start::default() },
            UnitFormat::U32Be => ReadState::U32 { big_endian: true, start: Start::default() },
            UnitFormat::Packed => ReadState::Packed { bits: 0, count: 0 },
            UnitFormat::Octal => ReadState::Text { base: Base::Octal, line: 1, start: Vec::new() },
            UnitFormat::Hex => ReadState::Text { base: Base::Hexadecimal, line: 1, start: Vec::new() },
        };
        Ok(UnitReader { file, unit_bits, bytes: vec![0; CHUNK].into(), offset: 0, state })
    }

    /// The file.
    pub(crate) fn file_mut(&mut self) -> &mut R {
        &mut self.file
    }

    /// Appends the next units of the file to `units`; `false` at the end of the file. `U` has room for units of
    /// `unit_bits` bits.
    ///
    /// # Errors
    ///
    /// [`UnitsError`] says which bytes are not units, or why the file could not be read. The units before the fault are
    /// in `units`.
    pub fn read<U: Unit>(&mut self, units: &mut Vec<U>) -> Result<bool, UnitsError> {
        self.read_from(units.len(), units)
    }

    /// Puts the next units of the file in the place of those in `units`. All else is as [`read`](Self::read) has it, but units that are octets
    /// are read without clearing the room for them first.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    pub fn replace<U: Unit>(&mut self, units: &mut Vec<U>) -> Result<bool, UnitsError> {
        self.read_from(0, units)
    }

    /// Puts the next units of the file in the place of those from `start` on.
    fn read_from<U: Unit>(&mut self, start: usize, units: &mut Vec<U>) -> Result<bool, UnitsError> {
        if matches!(self.state, ReadState::U8) && self.unit_bits == u8::BITS && U::octets(units).is_some() {
            // Octets need no room between.
            units.resize(start + CHUNK, U::default());
            let room = U::octets_mut(&mut units[start..]).expect("the units are octets");
            let read = read_some(&mut self.file, room);
            units.truncate(start + read.as_ref().copied().unwrap_or_default());
            let count = read?;
            self.offset += count as u64;
            return Ok(count > 0);
        }
        units.truncate(start);
        let count = read_some(&mut self.file, &mut self.bytes)?;
        let piece = Piece { bytes: &self.bytes[..count], offset: self.offset, unit_bits: self.unit_bits };
        match &mut self.state {
            ReadState::U8 => piece.words(&mut Start::default(), units, |[byte]| byte.into())?,
            ReadState::U16 { big_endian: false, start } => {
                piece.words(start, units, |bytes| u16::from_le_bytes(bytes).into())?;
            }
            ReadState::U16 { big_endian: true, start } => {
                piece.words(start, units, |bytes| u16::from_be_bytes(bytes).into())?;
            }
            ReadState::U32 { big_endian: false, start } => piece.words(start, units, u32::from_le_bytes)?,
            ReadState::U32 { big_endian: true, start } => piece.words(start, units, u32::from_be_bytes)?,
            ReadState::Packed { bits, count } => piece.packed(bits, count, units)?,
            ReadState::Text { base, line, start } => piece.text(*base, line, start, units)?,
        }
        self.offset += count as u64;
        Ok(count > 0)
    }
}

/// Reads what there is of the file, at most as much as there is room for. Nothing is the end of the file.
fn read_some(file: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// The bytes of one read, where they start in the file, and how wide their units are. No bytes are the end of the file.
#[derive(Clone, Copy)]
struct Piece<'a> {
    bytes: &'a [u8],
    offset: u64,
    unit_bits: u32,
}

impl Piece<'_> {
    /// Reads units of `BYTES` bytes each.
    fn words<U: Unit, const BYTES: usize>(
        self,
        start: &mut Start,
        units: &mut Vec<U>,
        word: impl Fn([u8; BYTES]) -> u32,
    ) -> Result<(), UnitsError> {
        let mut bytes = self.bytes;
        let mut offset = self.offset - start.count as u64;
        if start.count > 0 {
            if bytes.is_empty() {
                return Err(UnitsError::Partial { offset });
            }
            let (end, rest) = bytes.split_at(bytes.len().min(BYTES - start.count));
            start.bytes[start.count..][..end.len()].copy_from_slice(end);
            start.count += end.len();
            bytes = rest;
            if start.count < BYTES {
                return Ok(());
            }
            start.count = 0;
            let whole = start.bytes.first_chunk().expect("no unit has more than four bytes");
            units.push(self.fit(word(*whole), offset)?);
            offset += BYTES as u64;
        }
        let (words, rest) = bytes.as_chunks();
        // Without an early exit, for the sake of vector instructions.
        let fits = self.fits(words.iter().fold(0, |all, &bytes| all | word(bytes)));
        if fits {
            units.extend(words.iter().map(|&bytes| U::of_low_bits(word(bytes))));
        } else {
            for &bytes in words {
                units.push(self.fit(word(bytes), offset)?);
                offset += BYTES as u64;
            }
        }
        start.bytes[..rest.len()].copy_from_slice(rest);
        start.count = rest.len();
        Ok(())
    }

    /// Whether a number has no more bits than a unit.
    fn fits(self, value: u32) -> bool {
        u64::from(value) >> self.unit_bits == 0
    }

    /// The unit of this value at this offset, if it is not too wide.
    fn fit<U: Unit>(self, value: u32, offset: u64) -> Result<U, UnitsError> {
        if self.fits(value) {
            Ok(U::of_low_bits(value))
        } else {
            Err(UnitsError::TooWide { offset, value, unit_bits: self.unit_bits })
        }
    }

    fn packed<U: Unit>(self, bits: &mut u32, count: &mut u32, units: &mut Vec<U>) -> Result<(), UnitsError> {
        let mut bytes = self.bytes;
        while let Some((&byte, rest)) = bytes.split_first() {
            // Nine bytes are eight nonets: without bits left over, they are taken apart at once.
            if *count == 0 && self.unit_bits == 9 {
                let (groups, _) = bytes.as_chunks::<9>();
                units.extend(groups.iter().flat_map(|group| nonets(*group)).map(U::of_low_bits));
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
                units.push(U::of_low_bits(*bits >> *count));
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

    fn text<U: Unit>(
        self,
        base: Base,
        line: &mut u64,
        start: &mut Vec<u8>,
        units: &mut Vec<U>,
    ) -> Result<(), UnitsError> {
        if self.bytes.is_empty() && !start.is_empty() {
            units.push(self.line(base, start, *line)?);
            start.clear();
        }
        for piece in self.bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, is_whole) = match piece {
                [text @ .., b'\n'] => (text, true),
                text => (text, false),
            };
            if start.len() + text.len() > LONGEST_LINE {
                start.extend_from_slice(&text[..text.len().min(LONGEST_LINE + 1 - start.len())]);
                return Err(self.bad_line(base, start, *line));
            }
            if is_whole && start.is_empty() {
                units.push(self.line(base, text, *line)?);
                *line += 1;
                continue;
            }
            start.extend_from_slice(text);
            if is_whole {
                units.push(self.line(base, start, *line)?);
                *line += 1;
                start.clear();
            }
        }
        Ok(())
    }

    fn line<U: Unit>(self, base: Base, text: &[u8], line: u64) -> Result<U, UnitsError> {
        let digits = text.trim_ascii();
        let value = digits.iter().try_fold(0_u64, |value, &digit| {
            let digit = char::from(digit).to_digit(1 << base.bits())?;
            Some(value << base.bits() | u64::from(digit)).filter(|value| value >> self.unit_bits == 0)
        });
        let value = value.filter(|_| !digits.is_empty()).map(|value| U::of_low_bits(value as u32));
        value.ok_or_else(|| self.bad_line(base, text, line))
    }

    fn bad_line(self, base: Base, text: &[u8], line: u64) -> UnitsError {
        let text = String::from_utf8_lossy(text).into_owned();
        UnitsError::NoNumber { line, text, number: base.number(), unit_bits: self.unit_bits }
    }
}

/// The eight nonets that nine packed bytes are.
fn nonets(bytes: [u8; 9]) -> [u32; 8] {
    std::array::from_fn(|index| {
        let pair = u16::from_be_bytes([bytes[index], bytes[index + 1]]);
        u32::from(pair >> (7 - index) & 0o777)
    })
}
