//! The parser of one line: its code point, or its error.

use num_bigint::BigUint;

use super::json;
use crate::Whole;

/// Parses a line into a code point or an error; `None` if it is neither.
///
/// A line is a code point in hexadecimal, with `U+` in front or without (`20AC`, `u+20ac`); or a line of `utfhdl decode`,
/// whose offset and length are ignored: text (`0<tab>3<tab>U+20AC`, `0<tab>1<tab>overlong`, `overlong`, `2000000 digits`) or
/// JSON (`{"offset":0,"length":3,"cp":"20AC"}`, `{"error":"overlong"}`, `{"digits":2000000}`).
///
/// ```
/// use utfhdl_codec::lines::whole;
/// use utfhdl_codec::{ErrorKind, Whole};
///
/// assert_eq!(whole("U+20AC"), Some(Whole::CodePoint(0x20AC)));
/// assert_eq!(whole(r#"{"error":"overlong"}"#), Some(Whole::Error(ErrorKind::Overlong)));
/// assert_eq!(whole("euro"), None);
/// ```
pub fn whole(line: &str) -> Option<Whole> {
    whole_of_bytes(line.as_bytes())
}

pub(super) fn whole_of_bytes(line: &[u8]) -> Option<Whole> {
    if line.starts_with(b"{") { of_json(line) } else { of_text(line) }
}

fn of_text(line: &[u8]) -> Option<Whole> {
    let mut fields = line.split(|&byte| byte == b'\t');
    let word = match (fields.next()?, fields.next(), fields.next(), fields.next()) {
        (word, None, None, None) => word,
        (offset, Some(length), Some(word), None) => {
            number(offset)?;
            number(length)?;
            word
        }
        _ => return None,
    };
    if let Some(code_point) = code_point(word) {
        return Some(code_point);
    }
    if let Some(digits) = word.strip_suffix(b" digits") {
        return number(digits).map(|digits| Whole::TooLong { digits });
    }
    error(word)
}

fn of_json(line: &[u8]) -> Option<Whole> {
    let fields = json::fields(line)?;
    match (fields.cp, fields.error, fields.digits) {
        (Some(digits), None, None) => code_point(&digits),
        (None, Some(name), None) => error(&name),
        (None, None, Some(digits)) => Some(Whole::TooLong { digits }),
        _ => None,
    }
}

fn number(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.parse().ok()
}

fn error(name: &[u8]) -> Option<Whole> {
    str::from_utf8(name).ok()?.parse().ok().map(Whole::Error)
}

fn code_point(word: &[u8]) -> Option<Whole> {
    let digits = word.strip_prefix(b"U+").or_else(|| word.strip_prefix(b"u+")).unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    if digits.len() > 8 {
        return BigUint::parse_bytes(digits, 16).map(Whole::from);
    }
    let value = |digit: u8| if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20) - b'a' + 10 };
    let code_point = digits.iter().fold(0, |bits, &digit| bits << 4 | u32::from(value(digit)));
    Some(Whole::CodePoint(code_point))
}
