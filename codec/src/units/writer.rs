//! Units onto a file.

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
    /// What the file itself says.
    pub fn write(&mut self, units: &[u16]) -> Result<(), UnitsError> {
        let bytes = &mut self.bytes;
        bytes.clear();
        match &mut self.state {
            WriteState::U8 => bytes.extend(units.iter().map(|&unit| unit as u8)),
            WriteState::U16Le => bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes())),
            WriteState::U16Be => bytes.extend(units.iter().flat_map(|unit| unit.to_be_bytes())),
            WriteState::Octal => units.iter().try_for_each(|unit| writeln!(bytes, "{unit:o}"))?,
            WriteState::Packed { bits, count } => {
                for &unit in units {
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

    /// Ends the file: fills the last byte of packed units with zero bits, and flushes.
    ///
    /// # Errors
    ///
    /// What the file itself says.
    pub fn finish(mut self) -> Result<W, UnitsError> {
        if let WriteState::Packed { bits, count: count @ 1.. } = self.state {
            self.file.write_all(&[(bits << (8 - count)) as u8])?;
        }
        self.file.flush()?;
        Ok(self.file)
    }
}
