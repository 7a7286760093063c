//! A dump as VCD: its header, then the changes, gathered in a buffer. Most of a dump is made here, one line for each change,
//! and no line goes through a formatter.

use std::io::{self, Write};

use vcd::{IdCode, ReferenceIndex, TimescaleUnit, VarType};

use super::absent::Absent;
use super::catalogue::{Folder, Origin};
use super::changes::{Format, Prepared};
use super::format::{Id, Ids};

/// Bytes that are gathered before they are written.
const ENOUGH: usize = 1 << 16;

/// The identifier of a variable with the end of the line, as written after a value. The array has a fixed size, since one instruction
/// copies it.
#[derive(Clone, Copy, Debug)]
struct Code {
    bytes: [u8; 8],
    length: u8,
}

impl Code {
    /// # Panics
    /// If the identifier has more than seven characters, of which there are 94 to choose from.
    fn new(id: IdCode) -> Self {
        let text = format!("{id}\n");
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() as u8 }
    }
}

/// The most bytes of a value of one word: a letter, its digits, a space and an identifier.
const LINE: usize = 1 + u64::BITS as usize + 1 + size_of::<Code>();

/// The most bytes of the digits of a moment and the sign before them, and of its line.
const TIME: usize = 1 + 20;
const TIME_LINE: usize = TIME + 1;

/// A dump as text.
#[derive(Default)]
pub(super) struct Vcd {
    /// The identifier of each signal, by its number.
    codes: Vec<Code>,
    /// The gathered text, up to `end`, then room for more.
    text: Vec<u8>,
    end: usize,
}

impl Vcd {
    /// Writes the header.
    pub(super) fn declare(root: &Folder, file: &mut impl Write) -> io::Result<(Self, Ids)> {
        let mut header = vcd::Writer::new(file);
        header.version(concat!("utfhdl ", env!("CARGO_PKG_VERSION")))?;
        header.timescale(1, TimescaleUnit::NS)?;
        let (mut codes, mut ids) = (Vec::new(), Ids::default());
        declare(root, &mut header, &mut codes, &mut ids)?;
        header.enddefinitions()?;
        let codes = codes.into_iter().map(Code::new).collect();
        Ok((Self { codes, ..Self::default() }, ids))
    }

    pub(super) fn begin_first(&mut self) {
        self.put(b"$dumpvars\n");
    }

    pub(super) fn end_first(&mut self) {
        self.put(b"$end\n");
    }

    /// Begins a moment, in nanoseconds.
    #[inline]
    pub(super) fn time(&mut self, nanoseconds: u64) {
        // Enough room after the last digit that a line of any length is copied by a fixed number of bytes.
        let mut digits = [b'\n'; TIME + TIME_LINE];
        let (mut first, mut rest) = (TIME, nanoseconds);
        while rest >= 10 {
            first -= 2;
            digits[first..][..2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
        }
        // The first of an odd number of digits is still to come, and so is a zero that is all.
        if rest > 0 || first == TIME {
            first -= 1;
            digits[first] = b'0' + rest as u8;
        }
        first -= 1;
        digits[first] = b'#';
        self.room(TIME_LINE)[..TIME_LINE].copy_from_slice(&digits[first..][..TIME_LINE]);
        self.end += TIME + 1 - first;
    }

    /// Writes what has been gathered, if it is much.
    pub(super) fn write_enough(&mut self, file: &mut impl Write) -> io::Result<()> {
        if self.end < ENOUGH { Ok(()) } else { self.finish(file) }
    }

    /// Writes what has been gathered.
    pub(super) fn finish(&mut self, file: &mut impl Write) -> io::Result<()> {
        let written = file.write_all(&self.text[..self.end]);
        self.end = 0;
        written
    }

    #[inline]
    fn scalar(&mut self, id: Id, value: u8) {
        self.character_and_name(value, id);
    }

    #[inline]
    fn end(&mut self, id: Id) {
        self.character_and_name(b' ', id);
    }

    /// Writes a character, an identifier, and the end of the line.
    #[inline]
    fn character_and_name(&mut self, character: u8, id: Id) {
        let Code { bytes, length } = self.codes[id.index()];
        let room = self.room(1 + bytes.len());
        room[0] = character;
        room[1..1 + bytes.len()].copy_from_slice(&bytes);
        self.end += 1 + usize::from(length);
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Room for at least `bytes` bytes after the text.
    #[inline]
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.text.len() < self.end + bytes {
            self.text.resize(self.end + bytes + ENOUGH, 0);
        }
        &mut self.text[self.end..]
    }
}

impl Format for Vcd {
    /// The value of a variable of `width` bits, at most 64, without leading zeros: readers add them.
    #[inline(always)]
    fn number(&mut self, id: Id, width: u32, value: u64) {
        let Code { bytes, length } = self.codes[id.index()];
        let room: &mut [u8; LINE] = self.room(LINE).first_chunk_mut().expect("room for a line");
        // Which signals change is hard to foresee, so the branches are few. A variable of one bit has neither letter nor space: what comes
        // next is written over them.
        let is_vector = usize::from(width > 1);
        let digits = (u64::BITS - (value | 1).leading_zeros()) as usize;
        // Eight, 32 or 64 digits are copied, which is faster than to copy just as many as there are.
        let first = value << (u64::BITS as usize - digits);
        room[0] = b'b';
        if width <= 8 {
            room[is_vector..][..8].copy_from_slice(&eight_digits((first >> 56) as u8));
        } else if width <= 32 {
            write_binary(&mut room[1..33], first);
        } else {
            write_binary(&mut room[1..65], first);
        }
        let end = is_vector + digits;
        room[end] = b' ';
        let end = end + is_vector;
        room[end..][..bytes.len()].copy_from_slice(&bytes);
        self.end += end + usize::from(length);
    }

    /// The value of a variable of several words, least significant word first, without leading zeros.
    fn vector(&mut self, id: Id, value: &[u64]) {
        let top = value.iter().rposition(|&word| word != 0).unwrap_or(0);
        self.number(id, u64::BITS, value[top]);
        // The lower words have all their digits, in place of the end of the line.
        self.end -= 1 + usize::from(self.codes[id.index()].length);
        for &word in value[..top].iter().rev() {
            write_binary(&mut self.room(64)[..64], word);
            self.end += 64;
        }
        self.end(id);
    }

    /// Writes that a variable of `width` bits has no value.
    fn absent(&mut self, id: Id, width: u32, absent: Absent) {
        if width == 1 {
            // GTKWave does not show a vector of one bit.
            return self.scalar(id, absent as u8);
        }
        self.put(&[b'b', absent as u8]);
        self.end(id);
    }

    /// The value of a string variable. A space would end the text, a backslash begins an escape, and GTKWave takes a byte past
    /// ASCII for the end of the file unless the byte is escaped. An empty text is written as an escaped space, since some readers would
    /// take the identifier after it for the text.
    fn string(&mut self, id: Id, text: &str) {
        self.put(b"s");
        if text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
            self.put(text.as_bytes());
        } else {
            for byte in text.bytes() {
                match byte {
                    b'\\' => self.put(br"\\"),
                    b if b.is_ascii_graphic() => self.put(&[b]),
                    b => self.put(format!("\\x{b:02X}").as_bytes()),
                }
            }
        }
        if text.is_empty() {
            self.put(br"\x20");
        }
        self.end(id);
    }

    /// The whole line.
    fn bytes_of(&mut self, id: Id, text: &str) -> Vec<u8> {
        let before = self.end;
        self.string(id, text);
        let line = self.text[before..self.end].to_vec();
        self.end = before;
        line
    }

    #[inline(always)]
    fn prepared(&mut self, _id: Id, line: &Prepared) {
        let room = self.room(16 * line.chunks.len());
        for (room, chunk) in room.as_chunks_mut().0.iter_mut().zip(&line.chunks) {
            *room = *chunk;
        }
        self.end += line.length;
    }
}

/// Writes a scope with all below it; names of one origin share a code.
fn declare(
    folder: &Folder,
    vcd: &mut vcd::Writer<impl Write>,
    codes: &mut Vec<IdCode>,
    ids: &mut Ids,
) -> io::Result<()> {
    if folder.is_empty() {
        return Ok(());
    }
    vcd.add_module(&folder.name)?;
    for variable in &folder.variables {
        let (kind, width) = match variable.origin {
            Origin::Cycle => (VarType::Integer, variable.width),
            _ if variable.is_text() => (VarType::String, 1),
            _ if variable.register => (VarType::Reg, variable.width),
            _ => (VarType::Wire, variable.width),
        };
        let range =
            (kind != VarType::Integer && width > 1).then(|| ReferenceIndex::Range(width as i32 - 1, 0));
        match ids.add(&variable.origin) {
            (id, false) => vcd.var_def(kind, width, codes[id.index()], &variable.name, range)?,
            (_, true) => codes.push(vcd.add_var(kind, width, &variable.name, range)?),
        }
    }
    folder.children.iter().try_for_each(|child| declare(child, vcd, codes, ids))?;
    vcd.upscope()
}

/// Writes as many digits of a word as there is room for, eight or a multiple, from the highest on.
#[inline]
fn write_binary(room: &mut [u8], word: u64) {
    for (digits, byte) in room.chunks_exact_mut(8).zip(word.to_be_bytes()) {
        digits.copy_from_slice(&eight_digits(byte));
    }
}

/// The digits of each number below 100.
const PAIRS: [[u8; 2]; 100] = {
    let (mut pairs, mut number) = ([[b'0'; 2]; 100], 0);
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// The digits of a byte.
#[inline]
fn eight_digits(byte: u8) -> [u8; 8] {
    // Each of the eight bytes keeps a bit of its own, the first the highest; then what is not zero becomes 1.
    let bits = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x0102_0408_1020_4080;
    let ones = (bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> Id {
        Id(0)
    }

    fn written(change: impl FnOnce(&mut Vcd)) -> String {
        let mut changes = Vcd { codes: vec![Code::new("a!".parse().unwrap())], ..Vcd::default() };
        change(&mut changes);
        let mut text = Vec::new();
        changes.finish(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_binary_without_leading_zeros() {
        for value in [0, 1, 2, 0x80, 0xa5, 0x1234_5678_9abc_def0, u64::MAX] {
            assert_eq!(written(|c| c.number(id(), 64, value)), format!("b{value:b} a!\n"));
            let (half, low) = (value as u32, value as u8);
            assert_eq!(written(|c| c.number(id(), 32, half.into())), format!("b{half:b} a!\n"));
            assert_eq!(written(|c| c.number(id(), 8, low.into())), format!("b{low:b} a!\n"));
            assert_eq!(written(|c| c.vector(id(), &[value, 0])), format!("b{value:b} a!\n"));
            assert_eq!(written(|c| c.vector(id(), &[value, 5])), format!("b101{value:064b} a!\n"));
        }
    }

    #[test]
    fn times_are_decimal() {
        for time in [0, 9, 10, 99, 100, 101, 999, 12_340, 123_405, u64::MAX] {
            assert_eq!(written(|c| c.time(time)), format!("#{time}\n"));
        }
    }

    #[test]
    fn bits_texts_and_what_is_unknown() {
        assert_eq!(written(|c| c.number(id(), 1, 1)), "1a!\n");
        assert_eq!(written(|c| c.number(id(), 1, 0)), "0a!\n");
        assert_eq!(written(|c| c.absent(id(), 1, Absent::Unknown)), "xa!\n");
        assert_eq!(written(|c| c.absent(id(), 7, Absent::Unknown)), "bx a!\n");
        assert_eq!(written(|c| c.absent(id(), 1, Absent::Idle)), "za!\n");
        assert_eq!(written(|c| c.absent(id(), 7, Absent::Idle)), "bz a!\n");
        assert_eq!(written(|c| c.string(id(), "U+20AC_€")), "sU+20AC_\\xE2\\x82\\xAC a!\n");
        assert_eq!(written(|c| c.string(id(), "\\x")), "s\\\\x a!\n");
        assert_eq!(written(|c| c.string(id(), "")), "s\\x20 a!\n");
    }
}
