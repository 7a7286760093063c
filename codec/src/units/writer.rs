//! Units written to a file.

use std::io::Write;

use super::{UnitFormat, UnitsError};

/// Writes units to a file of some format, all units of a call at once.
#[derive(Debug)]
pub struct UnitWriter<W> {
    file: W,
    unit_bits: u8,
    state: WriteState,
    /// The bytes of the call at hand.
    bytes: Vec<u8>,
}

#[derive(Debug)]
enum WriteState {
    U8,
    U16Le,
    U16Be,
    /// The bits, fewer than eight, that do not fill a byte yet.
    Packed {
        bits: u32,
        count: u8,
    },
    Octal,
}

impl<W: Write> UnitWriter<W> {
    /// Writes units of `unit_bits` bits, 1 to 9, in `format`.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where the format is not made for such units.
    pub fn new(file: W, format: UnitFormat, unit_bits: u8) -> Result<UnitWriter<W>, UnitsError> {
        format.check(unit_bits)?;
        let state = match format {
            UnitFormat::U8 => WriteState::U8,
            UnitFormat::U16Le => WriteState::U16Le,
            UnitFormat::U16Be => WriteState::U16Be,
            UnitFormat::Packed => WriteState::Packed { bits: 0, count: 0 },
            UnitFormat::Octal => WriteState::Octal,
        };
        Ok(UnitWriter { file, unit_bits, state, bytes: Vec::new() })
    }

    /// Writes the next units; bits above the width of a unit are an error of the caller and are lost.
    ///
    /// # Errors
    ///
    /// The error of the file.
    pub fn write(&mut self, units: &[u16]) -> Result<(), UnitsError> {
        let bytes = &mut self.bytes;
        bytes.clear();
        match &mut self.state {
            WriteState::U8 => bytes.extend(units.iter().map(|&unit| unit as u8)),
            WriteState::U16Le => pairs(units, bytes, u16::to_le_bytes),
            WriteState::U16Be => pairs(units, bytes, u16::to_be_bytes),
            WriteState::Octal => units.iter().for_each(|&unit| octal_line(unit, bytes)),
            WriteState::Packed { bits, count } => {
                let mut units = units;
                while let Some((&unit, rest)) = units.split_first() {
                    // Eight nonets are nine bytes: without bits left over, they are put together at once.
                    if *count == 0 && self.unit_bits == 9 {
                        let (groups, _) = units.as_chunks();
                        bytes.extend(groups.iter().flat_map(|group| nine_bytes(*group)));
                        units = &units[groups.len() * 8..];
                        if !groups.is_empty() {
                            continue;
                        }
                    }
                    units = rest;
                    *bits = *bits << self.unit_bits | u32::from(unit);
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

    /// Flushes the file, so that its reader gets all units but those that share a byte with later ones.
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
        if let WriteState::Packed { bits, count: count @ 1.. } = self.state {
            self.file.write_all(&[(bits << (8 - count)) as u8])?;
        }
        self.file.flush()?;
        Ok(self.file)
    }
}

/// Puts two bytes a unit behind `bytes`.
fn pairs(units: &[u16], bytes: &mut Vec<u8>, pair: impl Fn(u16) -> [u8; 2]) {
    bytes.resize(2 * units.len(), 0);
    for (room, &unit) in bytes.as_chunks_mut().0.iter_mut().zip(units) {
        *room = pair(unit);
    }
}

/// Puts a line of octal digits behind `bytes`.
fn octal_line(unit: u16, bytes: &mut Vec<u8>) {
    let digit = |shift: u32| b'0' + (unit >> shift & 7) as u8;
    match unit {
        0..0o10 => bytes.extend([digit(0), b'\n']),
        0o10..0o100 => bytes.extend([digit(3), digit(0), b'\n']),
        0o100..0o1000 => bytes.extend([digit(6), digit(3), digit(0), b'\n']),
        _ => bytes.extend(format!("{unit:o}\n").bytes()),
    }
}

/// The nine packed bytes that eight nonets are.
fn nine_bytes(nonets: [u16; 8]) -> [u8; 9] {
    std::array::from_fn(|index| {
        // The low bits of the nonet in front, then the high bits of the next.
        let high = if index == 0 { 0 } else { nonets[index - 1] << (8 - index) };
        let low = if index == 8 { 0 } else { nonets[index] >> (index + 1) };
        (high | low) as u8
    })
}
