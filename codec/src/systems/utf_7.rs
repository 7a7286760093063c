//! `utf-7`: ASCII characters by themselves, and UTF-16 in Base64 without padding between `+` and `-`.
//!
//! RFC 2152. A run of Base64 ends at the first octet that is no digit of it. That octet is a character, but for a `-`, which only ends the
//! run and counts to the next sequence. As §"UTF-7 Definition", rule 2 has it, bits at the end of a run that are no whole unit of UTF-16
//! are dropped, and are an error if they are not zero.
//!
//! A digit can hold the last bits of a unit and the first of the next. It counts to the next sequence if those bits are not all zero, so that
//! an error in the bits at the end of a run has a unit of its own.

use crate::bulk::utf_7::Utf7Sequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::utf_16;
use crate::{ErrorKind, SetO, Slot};

const PLUS: u32 = b'+' as u32;
const MINUS: u32 = b'-' as u32;

/// Bits of a unit of UTF-16.
const UNIT_BITS: u32 = 16;

/// Bits of a digit of Base64.
const DIGIT_BITS: u32 = 6;

/// The digits of Base64, set B.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of a digit of Base64.
fn digit(unit: u32) -> Option<u32> {
    let octet = u8::try_from(unit).ok()?;
    let value = match octet {
        b'A'..=b'Z' => octet - b'A',
        b'a'..=b'z' => octet - b'a' + 26,
        b'0'..=b'9' => octet - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// A set of ASCII characters, with a bit for each.
const fn set_of(characters: &[u8]) -> u128 {
    let mut set = 0;
    let mut index = 0;
    while index < characters.len() {
        set |= 1 << characters[index];
        index += 1;
    }
    set
}

/// The characters that encoders write by themselves, whatever they do with set O: set D, and rule 3.
const ALWAYS_DIRECT: u128 =
    set_of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:? \t\r\n");

/// The characters of set O. `\` and `~` are in neither set, since variants of ASCII lack them.
const OPTIONAL: u128 = set_of(b"!\"#$%&*;<=>@[]^_`{|}");

/// Whether an encoder that treats set O in this way writes a code point by itself.
#[inline(always)]
pub(crate) fn is_written_directly(code_point: u32, set_o: SetO) -> bool {
    let set = match set_o {
        SetO::Direct => ALWAYS_DIRECT | OPTIONAL,
        SetO::Base64 => ALWAYS_DIRECT,
    };
    code_point < u128::BITS && set >> code_point & 1 == 1
}

/// Whether a decoder takes an octet for the character itself.
fn is_direct(unit: u32) -> bool {
    is_written_directly(unit, SetO::Direct)
}

/// Writes characters, and knows how far a run of Base64 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Utf7Writer {
    set_o: SetO,
    /// Whether a run of Base64 is open.
    in_run: bool,
    /// The bits that are not written yet.
    bits: u32,
    /// How many bits those are.
    count: u32,
}

impl Utf7Writer {
    pub(crate) fn new(set_o: SetO) -> Utf7Writer {
        Utf7Writer { set_o, in_run: false, bits: 0, count: 0 }
    }

    /// Forgets what is written, and writes as at the start of a stream.
    pub(crate) fn start_afresh(&mut self) {
        *self = Utf7Writer::new(self.set_o);
    }

    /// Whether no run of Base64 is open.
    pub(crate) fn is_direct(&self) -> bool {
        !self.in_run
    }

    /// The fast path, which opens no run.
    pub(crate) fn sequences(&self) -> Utf7Sequences {
        Utf7Sequences(self.set_o)
    }

    /// Writes a code point, if the system has it.
    pub(crate) fn encode(&mut self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let character = char::from_u32(u32::try_from(code_point).ok()?)?;
        let code_point: u32 = character.into();
        if is_written_directly(code_point, self.set_o) {
            if self.in_run {
                self.end_run(digit(code_point).is_some() || code_point == MINUS, sequence);
            }
            sequence.push(code_point);
            return Some(());
        }
        if !self.in_run {
            sequence.push(PLUS);
            if code_point == PLUS {
                sequence.push(MINUS);
                return Some(());
            }
            self.in_run = true;
        }
        for &unit in character.encode_utf16(&mut [0; 2]).iter() {
            self.bits = self.bits << UNIT_BITS | u32::from(unit);
            self.count += UNIT_BITS;
            while self.count >= DIGIT_BITS {
                self.count -= DIGIT_BITS;
                self.push_digit(self.bits >> self.count, sequence);
            }
        }
        Some(())
    }

    fn push_digit(&mut self, value: u32, sequence: &mut Sequence) {
        sequence.push(DIGITS[value as usize].into());
        self.bits &= (1 << self.count) - 1;
    }

    /// Ends the run of Base64, with a `-` or without.
    fn end_run(&mut self, with_minus: bool, sequence: &mut Sequence) {
        if self.count > 0 {
            let missing = DIGIT_BITS - self.count;
            self.count = 0;
            self.push_digit(self.bits << missing, sequence);
        }
        if with_minus {
            sequence.push(MINUS);
        }
        self.in_run = false;
    }

    /// Writes what the end of a stream takes.
    pub(crate) fn close(&mut self, sequence: &mut Sequence) {
        if self.in_run {
            self.end_run(true, sequence);
        }
    }
}

/// The grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Utf7 {
    mode: Mode,
    /// The bits that are read and are no whole unit of UTF-16 yet.
    bits: u32,
    /// How many bits those are.
    count: u32,
    /// The high surrogate that comes before them.
    high: Option<u32>,
}

/// The meaning of the next octet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Mode {
    /// Octets are characters.
    #[default]
    Direct,
    /// The octet follows a `+`.
    Plus,
    /// Octets are digits of Base64.
    Run,
}

impl Utf7 {
    /// Reads a character, or a `+`.
    fn direct(&mut self, unit: u32) -> Verdict {
        match unit {
            PLUS => {
                self.mode = Mode::Plus;
                Verdict::More
            }
            _ if is_direct(unit) => Verdict::Whole(unit),
            // The octets that ended a run before it count to the error.
            _ => Verdict::Spoilt(ErrorKind::Invalid),
        }
    }

    /// Reads the octet after a `+`.
    fn after_plus(&mut self, unit: u32) -> Verdict {
        self.mode = Mode::Direct;
        match digit(unit) {
            _ if unit == MINUS => Verdict::Whole(PLUS),
            Some(digit) => {
                self.mode = Mode::Run;
                self.digit(digit)
            }
            None => Verdict::Refused(ErrorKind::Truncated),
        }
    }

    /// Reads a digit of Base64.
    fn digit(&mut self, digit: u32) -> Verdict {
        let bits = self.bits << DIGIT_BITS | digit;
        let count = self.count + DIGIT_BITS;
        let is_first = self.count < DIGIT_BITS;
        // The first digit of a unit has the six bits that make it a low surrogate.
        if self.high.is_some() && is_first && bits >> (count - DIGIT_BITS) != 0b11_0111 {
            self.high = None;
            return Verdict::Cut(Cut { what: Slot::Error(ErrorKind::Surrogate), kept: self.shared() });
        }
        (self.bits, self.count) = (bits, count);
        if count < UNIT_BITS {
            return Verdict::More;
        }
        self.count -= UNIT_BITS;
        let unit = bits >> self.count;
        self.bits &= (1 << self.count) - 1;
        let what = match (self.high.take(), unit) {
            (Some(high), _) => Slot::CodePoint(utf_16::of_pair(high, unit)),
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                return Verdict::More;
            }
            (None, 0xDC00..=0xDFFF) => Slot::Error(ErrorKind::Surrogate),
            (None, _) => Slot::CodePoint(unit),
        };
        match what {
            _ if self.shared() > 0 => Verdict::Shared(what),
            Slot::CodePoint(code_point) => Verdict::Whole(code_point),
            _ => Verdict::Spoilt(ErrorKind::Surrogate),
        }
    }

    /// Whether the last digit counts to the next sequence, as a number of units: only where a unit of UTF-16 ends.
    fn shared(&self) -> u64 {
        u64::from(self.bits != 0)
    }

    /// The error if a run of Base64 ends here.
    fn error(&self) -> Option<ErrorKind> {
        match self.high {
            Some(_) => Some(ErrorKind::Surrogate),
            None if self.bits == 0 => None,
            None if self.count < DIGIT_BITS => Some(ErrorKind::Invalid),
            None => Some(ErrorKind::Truncated),
        }
    }

    /// Reads an octet that ends a run of Base64.
    fn after_run(&mut self, unit: u32) -> Verdict {
        let error = self.error();
        (self.bits, self.count, self.high) = (0, 0, None);
        if let Some(kind) = error {
            // The octet is read again in this mode, without bits.
            return Verdict::Refused(kind);
        }
        self.mode = Mode::Direct;
        if unit == MINUS { Verdict::More } else { self.direct(unit) }
    }
}

impl Grammar for Utf7 {
    type Sequences = Utf7Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match self.mode {
            Mode::Direct => self.direct(unit),
            Mode::Plus => self.after_plus(unit),
            Mode::Run => match digit(unit) {
                Some(digit) => self.digit(digit),
                None => self.after_run(unit),
            },
        }
    }

    /// An error changes no more of the state than its octets do.
    fn reset(&mut self) {}

    fn start_stream(&mut self) {
        *self = Utf7::default();
    }

    fn is_open(&self) -> bool {
        self.mode == Mode::Plus || self.error().is_some()
    }

    fn at_end(&mut self) -> Cut {
        let kind = self.error().unwrap_or(ErrorKind::Truncated);
        *self = Utf7::default();
        kind.into()
    }

    fn starts_afresh(&self) -> bool {
        self.mode == Mode::Direct
    }

    fn sequences(&self) -> Utf7Sequences {
        Utf7Sequences(SetO::Direct)
    }
}
