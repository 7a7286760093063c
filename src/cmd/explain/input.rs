//! The units to be explained: words of the command line, a text, or standard input.

use anyhow::bail;
use utfhdl_codec::System;

use super::table::is_octal;
use crate::cmd::files;

/// Reads the units of standard input, in the format that files of the system have. Calls `each` with every piece that comes,
/// and with whether it is the last.
pub(super) fn read(
    system: System,
    mut each: impl FnMut(&[u32], bool) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let input = files::open(None)?;
    let name = input.name.clone();
    let mut reader = input.units(system, None)?;
    let mut units = Vec::new();
    loop {
        units.clear();
        let read = reader.read(&mut units);
        each(&units, matches!(read, Ok(false)))?;
        if !read.map_err(|error| files::in_file(&name, error))? {
            return Ok(());
        }
    }
}

/// The units that words name.
pub(super) fn parse(system: System, words: &[String]) -> anyhow::Result<Vec<u32>> {
    let units = words.iter().map(|word| parse_word(system, word));
    Ok(units.collect::<anyhow::Result<Vec<_>>>()?.concat())
}

fn parse_word(system: System, word: &str) -> anyhow::Result<Vec<u32>> {
    let bits = system.unit_bits();
    let lower = word.to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)];
    let found = based.iter().find_map(|(prefix, base)| Some((lower.strip_prefix(prefix)?, *base)));
    let (digits, base) = found.unwrap_or((&lower, if is_octal(bits) { 8 } else { 16 }));
    let name = match base {
        16 => "hexadecimal",
        8 => "octal",
        _ => "binary",
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        bail!("`{word}` is no {name} number: write units as {name} digits, or with 0x, 0o or 0b in front");
    }
    // Octets, and words of 16 and 32 bits, have a number of digits of their own.
    let of_unit = bits as usize / 4;
    let is_split = base == 16 && bits.is_multiple_of(8) && digits.len() > of_unit;
    if is_split && !digits.len().is_multiple_of(of_unit) {
        bail!("`{word}` has {} digits: units of {bits} bits have {of_unit} each", digits.len());
    }
    let step = if is_split { of_unit } else { digits.len() };
    let unit = |at: usize| match u32::from_str_radix(&digits[at..at + step], base) {
        Ok(unit) if u64::from(unit) >> bits == 0 => Ok(unit),
        _ => bail!("`{word}` does not fit: a unit of {system} has {bits} bits"),
    };
    (0..digits.len()).step_by(step).map(unit).collect()
}
