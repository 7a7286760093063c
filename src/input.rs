//! Input as people write it: a text, or the digits of units.

use utfhdl_codec::{Codec, ErrorKind, OnError, Slot, System};

/// Why written input is no input of a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// The system does not have a character of the text.
    #[error("{0}")]
    Refused(String),
    /// A word is no number.
    #[error("`{word}` is no {base} number: write units as {base} digits, or with 0x, 0o or 0b in front")]
    NoNumber {
        /// The word.
        word: String,
        /// The name of the base.
        base: &'static str,
    },
    /// A word has more digits than a unit, and no multiple of them.
    #[error("`{word}` has {digits} digits: units of {bits} bits have {of_unit} each")]
    Digits {
        /// The word.
        word: String,
        /// The number of digits of the word.
        digits: usize,
        /// Bits of a unit.
        bits: u32,
        /// The number of digits of a unit.
        of_unit: usize,
    },
    /// A number is larger than a unit.
    #[error("`{word}` does not fit: a unit of {system} has {} bits", system.unit_bits())]
    TooLarge {
        /// The word.
        word: String,
        /// The system.
        system: System,
    },
}

/// The slots of a text.
pub fn slots_of_text(text: &str) -> Vec<Slot> {
    text.chars().map(|character| Slot::CodePoint(character.into())).collect()
}

/// The units of a text.
///
/// # Errors
/// If the system does not have one of the characters.
pub fn units_of_text(system: System, text: &str) -> Result<Vec<u32>, InputError> {
    let slots = slots_of_text(text);
    system.encode(&slots, OnError::Strict).map_err(|refused| {
        InputError::Refused(refusal(refused.kind, slots.get(refused.index).copied(), system))
    })
}

/// The reason why a slot has no form in `system`, in words.
pub fn refusal(kind: ErrorKind, slot: Option<Slot>, system: System) -> String {
    match (kind, slot) {
        (ErrorKind::Unencodable, Some(Slot::CodePoint(code_point))) => {
            format!("U+{code_point:X} has no form in {system}")
        }
        (ErrorKind::Unencodable, _) => format!("a code point that has no form in {system}"),
        (kind, _) => kind.to_string(),
    }
}

/// The units that words name. Units of nine bits are octal, as in the documents on nonets, all others hexadecimal; `0x`, `0o` and
/// `0b` give another base. Octets, and units of 16 and 32 bits, can follow on each other in a word.
///
/// # Errors
/// If a word names no units of the system.
pub fn units_of_words<W: AsRef<str>>(
    system: System,
    words: impl IntoIterator<Item = W>,
) -> Result<Vec<u32>, InputError> {
    let mut units = Vec::new();
    for word in words {
        add_word(system, word.as_ref(), &mut units)?;
    }
    Ok(units)
}

/// Whether units of `bits` bits are written in octal digits, as in the documents on nonets.
pub fn is_octal(bits: u32) -> bool {
    bits == 9
}

fn add_word(system: System, word: &str, units: &mut Vec<u32>) -> Result<(), InputError> {
    let bits = system.unit_bits();
    let lower = word.to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)];
    let found = based.iter().find_map(|(prefix, base)| Some((lower.strip_prefix(prefix)?, *base)));
    let (digits, base) = found.unwrap_or((&lower, if is_octal(bits) { 8 } else { 16 }));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        let name = match base {
            16 => "hexadecimal",
            8 => "octal",
            _ => "binary",
        };
        return Err(InputError::NoNumber { word: word.to_owned(), base: name });
    }
    // Octets, and words of 16 and 32 bits, have a number of digits of their own.
    let of_unit = bits as usize / 4;
    let is_split = base == 16 && bits.is_multiple_of(8) && digits.len() > of_unit;
    if is_split && !digits.len().is_multiple_of(of_unit) {
        return Err(InputError::Digits { word: word.to_owned(), digits: digits.len(), bits, of_unit });
    }
    let step = if is_split { of_unit } else { digits.len() };
    for at in (0..digits.len()).step_by(step) {
        match u32::from_str_radix(&digits[at..at + step], base) {
            Ok(unit) if u64::from(unit) >> bits == 0 => units.push(unit),
            _ => return Err(InputError::TooLarge { word: word.to_owned(), system }),
        }
    }
    Ok(())
}
