//! Units written to a file.

use std::io::Write;

use super::{Base, UnitFormat, UnitsError};
use crate::Unit;

/// Writes units to a file of some format, all units of a call at once.
#[derive(Debug)]
pub struct UnitWriter<W> {
    file: W,
    unit_bits: u32,
    state: WriteState,
    /// The bytes of the current call.
    bytes: Vec<u8>,
}

#[derive(Debug)]
enum WriteState {
    U8,
    U16Le,
    U16Be,
    U32Le,
    U32Be,
    /// The bits, fewer than eight, that do not fill a byte yet.
    Packed {
        bits: u32,
        count: u32,
    },
    Text(Base),
}

impl<W: Write> UnitWriter<W> {
    /// Writes units of `unit_bits` bits, 1 to 32, in `format`.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where the format is not made for such units.
    pub fn new(file: W, format: UnitFormat, unit_bits: u32) -> Result<UnitWriter<W>, UnitsError> {
        format.check(unit_bits)?;
        let state = match format {
            UnitFormat::U8 => WriteState::U8,
            UnitFormat::U16Le => WriteState::U16Le,
            UnitFormat::U16Be => WriteState::U16Be,
            UnitFormat::U32Le => WriteState::U32Le,
            UnitFormat::U32Be => WriteState::U32Be,
            UnitFormat::Packed => WriteState::Packed { bits: 0, count: 0 },
            UnitFormat::Octal => WriteState::Text(Base::Octal),
            UnitFormat::Hex => WriteState::Text(Base::Hexadecimal),
        };
        Ok(UnitWriter { file, unit_bits, state, bytes: Vec::new() })
    }

    /// Writes the next units; bits above the width of a unit are an error of the caller and are lost.
    ///
    /// # Errors
    ///
    /// The error of the file.
    pub fn write<U: Unit>(&mut self, units: &[U]) -> Result<(), UnitsError> {
        if matches!(self.state, WriteState::U8)
            && let Some(octets) = U::octets(units)
        {
            return Ok(self.file.write_all(octets)?);
        }
        let bytes = &mut self.bytes;
        bytes.clear();
        match &mut self.state {
            WriteState::U8 => words(units, bytes, |unit| [unit as u8]),
            WriteState::U16Le => words(units, bytes, |unit| (unit as u16).to_le_bytes()),
            WriteState::U16Be => words(units, bytes, |unit| (unit as u16).to_be_bytes()),
            WriteState::U32Le => words(units, bytes, u32::to_le_bytes),
            WriteState::U32Be => words(units, bytes, u32::to_be_bytes),
            WriteState::Text(base) => units.iter().for_each(|&unit| line(*base, unit.into(), bytes)),
            WriteState::Packed { bits, count } => {
                let mut units = units;
                while let Some((&unit, rest)) = units.split_first() {
                    // Eight nonets are nine bytes: without bits left over, they are put together at once.
                    if *count == 0 && self.unit_bits == 9 {
                        let (groups, _) = units.as_chunks();
                        bytes.extend(groups.iter().flat_map(|group| nine_bytes(group.map(Into::into))));
                        units = &units[groups.len() * 8..];
                        if !groups.is_empty() {
                            continue;
                        }
                    }
                    units = rest;
                    *bits = *bits << self.unit_bits | unit.into();
                    *count += self.unit_bits;
                    while *count >= 8 {
                        *count -= 8;
                        bytes.push((*bits >> *count) as u8);
                    }
                    *bits &= (1 << *count) - 1;
                }
            }
        }
        self.file.write_all(bytes)?;
        Ok(())
    }

    /// Flushes the file. Its reader then has every complete byte; bits of packed units that share a byte
    /// with later units are still held.
    ///
    /// # Errors
    ///
    /// The error of the file.
    pub fn flush(&mut self) -> Result<(), UnitsError> {
        Ok(self.file.flush()?)
    }

    /// Ends the file: fills the last byte of packed units with zero bits, and flushes.
    ///
    /// # Errors
    ///
    /// The error of the file.
    pub fn finish(mut self) -> Result<W, UnitsError> {
        self.pad()?;
        self.file.flush()?;
        Ok(self.file)
    }

    /// Fills the last byte of packed units with zero bits.
    pub(crate) fn pad(&mut self) -> Result<(), UnitsError> {
        if let WriteState::Packed { bits, count } = &mut self.state
            && *count > 0
        {
            self.file.write_all(&[(*bits << (8 - *count)) as u8])?;
            (*bits, *count) = (0, 0);
        }
        Ok(())
    }

    /// The file.
    pub(crate) fn file_mut(&mut self) -> &mut W {
        &mut self.file
    }
}

/// Appends `BYTES` bytes a unit to `bytes`.
fn words<U: Unit, const BYTES: usize>(units: &[U], bytes: &mut Vec<u8>, word: impl Fn(u32) -> [u8; BYTES]) {
    bytes.resize(BYTES * units.len(), 0);
    for (room, &unit) in bytes.as_chunks_mut().0.iter_mut().zip(units) {
        *room = word(unit.into());
    }
}

/// Appends a line of digits to `bytes`.
fn line(base: Base, unit: u32, bytes: &mut Vec<u8>) {
    let bits = base.bits();
    let digits = (u32::BITS - unit.leading_zeros()).div_ceil(bits).max(1);
    let digit = |index: u32| b"0123456789ABCDEF"[(unit >> (bits * index)) as usize & ((1 << bits) - 1)];
    bytes.extend((0..digits).rev().map(digit));
    bytes.push(b'\n');
}

/// The nine packed bytes that eight nonets are.
fn nine_bytes(nonets: [u32; 8]) -> [u8; 9] {
    std::array::from_fn(|index| {
        // The low bits of the nonet in front, then the high bits of the next.
        let high = if index == 0 { 0 } else { nonets[index - 1] << (8 - index) };
        let low = if index == 8 { 0 } else { nonets[index] >> (index + 1) };
        (high | low) as u8
    })
}
