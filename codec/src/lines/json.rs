//! The JSON of a line: one flat object with the fields that `utfhdl decode --json` prints, in any order.
//!
//! Any other JSON is refused: nested values, fields of other names, a field twice, numbers that are not whole. A field whose
//! value is `null` counts as missing.

use std::borrow::Cow;

/// The fields of a line that say something. The text of `cp` and `error` is unescaped, and not checked any further.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fields<'a> {
    pub cp: Option<Cow<'a, [u8]>>,
    pub error: Option<Cow<'a, [u8]>>,
    pub digits: Option<u64>,
}

const NAMES: [&[u8]; 5] = [b"offset", b"length", b"digits", b"cp", b"error"];

/// Reads a line; `None` if it is not such an object.
pub(super) fn fields(line: &[u8]) -> Option<Fields<'_>> {
    let mut scanner = Scanner { rest: line };
    let mut fields = Fields::default();
    let mut seen = [false; NAMES.len()];
    scanner.token(b'{')?;
    if scanner.token(b'}').is_none() {
        loop {
            let name = scanner.string()?;
            let index = NAMES.iter().position(|known| *known == &*name)?;
            if std::mem::replace(&mut seen[index], true) {
                return None;
            }
            scanner.token(b':')?;
            match NAMES[index] {
                b"cp" => fields.cp = scanner.string_or_null()?,
                b"error" => fields.error = scanner.string_or_null()?,
                b"digits" => fields.digits = scanner.number_or_null()?,
                _ => _ = scanner.number_or_null()?,
            }
            if scanner.token(b',').is_none() {
                scanner.token(b'}')?;
                break;
            }
        }
    }
    scanner.skip_blanks();
    scanner.rest.is_empty().then_some(fields)
}

/// Reads tokens off the front of a line.
struct Scanner<'a> {
    rest: &'a [u8],
}

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) {
        while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// One character that is a token of its own.
    fn token(&mut self, expected: u8) -> Option<()> {
        self.skip_blanks();
        let (&first, rest) = self.rest.split_first()?;
        (first == expected).then(|| self.rest = rest)
    }

    fn null(&mut self) -> Option<()> {
        self.skip_blanks();
        self.rest = self.rest.strip_prefix(b"null")?;
        Some(())
    }

    /// A whole number of up to 64 bits, or `null`.
    fn number_or_null(&mut self) -> Option<Option<u64>> {
        if self.null().is_some() {
            return Some(None);
        }
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(length);
        // `01` is not JSON; a fraction or an exponent is refused as what should be a comma.
        if digits.len() > 1 && digits[0] == b'0' {
            return None;
        }
        self.rest = rest;
        str::from_utf8(digits).ok()?.parse().ok().map(Some)
    }

    fn string_or_null(&mut self) -> Option<Option<Cow<'a, [u8]>>> {
        if self.null().is_some() { Some(None) } else { self.string().map(Some) }
    }

    /// A string without its quotes.
    fn string(&mut self) -> Option<Cow<'a, [u8]>> {
        self.token(b'"')?;
        let end = self.rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        if self.rest[end] != b'"' {
            return self.escaped_string().map(Cow::Owned);
        }
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(Cow::Borrowed(text))
    }

    /// The rest of a string that has escapes. No field and no value has a character outside ASCII, or one of those that the
    /// escapes of two characters (`\n`) stand for: such a string is refused here.
    fn escaped_string(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            match self.rest {
                [b'"', rest @ ..] => {
                    self.rest = rest;
                    return Some(text);
                }
                [b'\\', b'u', b'0', b'0', high, low, rest @ ..] => {
                    let digits = [*high, *low];
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    let value = u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?;
                    text.push(Some(value).filter(u8::is_ascii)?);
                    self.rest = rest;
                }
                [byte @ (b' '..=b'[' | b']'..=b'~'), rest @ ..] => {
                    text.push(*byte);
                    self.rest = rest;
                }
                _ => return None,
            }
        }
    }
}
