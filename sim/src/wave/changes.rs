//! The changes of a cycle as the text of a VCD, gathered in a buffer. Most of a dump is made here, one line for each change,
//! and no line goes through a formatter.

use std::io::{self, Write};

use vcd::IdCode;

/// Bytes that are gathered before they are written.
const ENOUGH: usize = 1 << 16;

/// The identifier of a variable, as it stands behind a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id {
    bytes: [u8; 7],
    length: u8,
}

impl Id {
    /// # Panics
    /// If the identifier has more than seven characters, of which there are 94 to choose from.
    pub(super) fn new(id: IdCode) -> Self {
        let text = id.to_string();
        let mut bytes = [0; 7];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() as u8 }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.length.into()]
    }
}

/// The buffer.
#[derive(Default)]
pub(super) struct Changes(Vec<u8>);

impl Changes {
    /// Begins a moment, in nanoseconds.
    pub(super) fn time(&mut self, nanoseconds: u64) {
        let mut digits = [0; 20];
        let mut first = digits.len();
        let mut rest = nanoseconds;
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.0.push(b'#');
        self.0.extend_from_slice(&digits[first..]);
        self.0.push(b'\n');
    }

    /// The value of a variable of one bit.
    pub(super) fn bit(&mut self, id: Id, value: bool) {
        self.scalar(id, b'0' + u8::from(value));
    }

    /// The value of a variable of several bits, least significant word first, without leading zeros: readers add them.
    pub(super) fn vector(&mut self, id: Id, value: &[u64]) {
        self.0.push(b'b');
        let top = value.iter().rposition(|&word| word != 0).unwrap_or(0);
        let digits = (u64::BITS - value[top].leading_zeros()).max(1) as usize;
        self.0.extend_from_slice(&binary(value[top])[64 - digits..]);
        for &word in value[..top].iter().rev() {
            self.0.extend_from_slice(&binary(word));
        }
        self.end(id);
    }

    /// That the value of a variable of so many bits is not known.
    pub(super) fn unknown(&mut self, id: Id, width: u32) {
        if width == 1 {
            // As a vector of one bit GTKWave does not show it.
            return self.scalar(id, b'x');
        }
        self.0.extend_from_slice(b"bx");
        self.end(id);
    }

    /// The value of a string variable, which has no spaces.
    pub(super) fn string(&mut self, id: Id, text: &str) {
        self.0.push(b's');
        self.0.extend_from_slice(text.as_bytes());
        self.end(id);
    }

    /// Writes what has been gathered, if it is much.
    pub(super) fn write_enough(&mut self, dump: &mut impl Write) -> io::Result<()> {
        if self.0.len() < ENOUGH { Ok(()) } else { self.write(dump) }
    }

    /// Writes what has been gathered.
    pub(super) fn write(&mut self, dump: &mut impl Write) -> io::Result<()> {
        let written = dump.write_all(&self.0);
        self.0.clear();
        written
    }

    fn scalar(&mut self, id: Id, value: u8) {
        self.0.push(value);
        self.0.extend_from_slice(id.text());
        self.0.push(b'\n');
    }

    fn end(&mut self, id: Id) {
        self.0.push(b' ');
        self.0.extend_from_slice(id.text());
        self.0.push(b'\n');
    }
}

/// The 64 digits of a word.
fn binary(word: u64) -> [u8; 64] {
    let mut digits = [0; 64];
    for (digits, byte) in digits.chunks_exact_mut(8).zip(word.to_be_bytes()) {
        // Each of the eight bytes keeps a bit of its own, the first the highest; then what is not zero becomes 1.
        let bits = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x0102_0408_1020_4080;
        let ones = (bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        digits.copy_from_slice(&(ones | 0x3030_3030_3030_3030).to_le_bytes());
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> Id {
        Id::new("a!".parse().unwrap())
    }

    fn written(change: impl FnOnce(&mut Changes)) -> String {
        let mut changes = Changes::default();
        change(&mut changes);
        let mut text = Vec::new();
        changes.write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_binary_without_leading_zeros() {
        for value in [0, 1, 2, 0x80, 0xa5, 0x1234_5678_9abc_def0, u64::MAX] {
            assert_eq!(written(|c| c.vector(id(), &[value])), format!("b{value:b} a!\n"));
            assert_eq!(written(|c| c.vector(id(), &[value, 0])), format!("b{value:b} a!\n"));
            assert_eq!(written(|c| c.vector(id(), &[value, 5])), format!("b101{value:064b} a!\n"));
        }
    }

    #[test]
    fn times_are_decimal() {
        for time in [0, 9, 10, 12_340, u64::MAX] {
            assert_eq!(written(|c| c.time(time)), format!("#{time}\n"));
        }
    }

    #[test]
    fn bits_texts_and_what_is_unknown() {
        assert_eq!(written(|c| c.bit(id(), true)), "1a!\n");
        assert_eq!(written(|c| c.unknown(id(), 1)), "xa!\n");
        assert_eq!(written(|c| c.unknown(id(), 7)), "bx a!\n");
        assert_eq!(written(|c| c.string(id(), "U+20AC")), "sU+20AC a!\n");
    }
}
