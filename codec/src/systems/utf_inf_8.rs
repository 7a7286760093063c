//! `utf-inf-8`: UTF-∞-8, code points of any size.
//!
//! Bishop and Cook, *Draft Proposal for UTF-∞-8 Specification*; the sections named here are its own. Its USV (Unicode scalar
//! value) is the code point, NUD the number of hexadecimal digits of the USV, and NME is NUD less 18.
//!
//! "Conversion between UTF-∞-8 and other formats does not require storing the entire USV" (§2): a code point of eighteen
//! hexadecimal digits or more passes through in limbs.

use crate::lazy::Lazy;

use crate::ErrorKind;
use crate::MOST_DIGITS;
use crate::bulk::prefix::PrefixSequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::prefix::{Pattern, Prefix, PrefixTables, SequenceForm, Surrogates, form, on_bits};

/// §3.2, §3.3: the forms of RFC 2279, and FE with six trailing bytes.
const SHORT_FORMS: [SequenceForm; 7] = [
    form("zddd'dddd", 0),
    form("wwzd'dddd", 1),
    form("wwwz'dddd", 2),
    form("wwww'zddd", 3),
    form("wwww'wzdd", 4),
    form("wwww'wwzd", 5),
    form("wwww'wwwz", 6),
];

/// §2: "All trailing bytes have the bit pattern 10xxxxxx."
const TRAILING: Pattern = Pattern::new("wzdd'dddd");

/// §3.4, §3.5.1: the lead byte of all longer sequences.
const LONG: u32 = 0xFF;

/// §3.4: the first code point of thirteen bytes, and how many bits thirteen bytes hold.
const FIRST_OF_THIRTEEN: u128 = 0x10_0000_0000;
const BITS_OF_THIRTEEN: u32 = 71;

/// §3.5.2: the byte before the Ax bytes, once less often than there are of them.
const BEFORE: u32 = 0xB4;

/// §3.5.3: NME is NUD less this.
const LEAST_DIGITS: u64 = 18;

/// §3.5.7: the number of USV-storage bytes.
fn storage_bytes(digits: u64) -> u64 {
    digits.div_ceil(3) * 2
}

/// §3.5.7: the zero bits before the first digit.
fn padding(digits: u64) -> u32 {
    (digits.next_multiple_of(3) - digits) as u32 * 4
}

/// How many bits the first limb has: all other limbs have eight digits.
fn bits_of_first_limb(digits: u64) -> u32 {
    ((digits - 1) % 8 + 1) as u32 * 4
}

/// The grammar: how far into a sequence the decoder is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UtfInf8 {
    /// The most digits (NUD) allowed.
    limit: u64,
    short: Prefix,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// A lead byte is expected, or a byte of a sequence of up to seven bytes.
    Short,
    /// FF has been read.
    Second,
    /// A byte of a sequence of thirteen bytes is expected.
    Thirteen { value: u128, missing: u32 },
    /// FF and `count` B4 bytes, at least one, have been read.
    Before { count: u32 },
    /// The digits `nme` of NME have been read, and `missing` Ax bytes are still to come.
    Length { nme: u64, missing: u32 },
    /// A USV-storage byte is expected.
    Storage(Storage),
}

/// §3.5.6, §3.5.7: the bits of storage bytes, which become limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Storage {
    digits: u64,
    /// How many storage bytes are still to come.
    missing: u64,
    /// How many bits of padding are still to come.
    padding: u32,
    /// Whether the first digit has been read and is not too small.
    started: bool,
    /// The `count` bits that are not part of a limb yet.
    bits: u64,
    count: u32,
    /// How many bits the next limb has.
    wanted: u32,
}

impl UtfInf8 {
    pub(crate) fn new(limit: u64) -> UtfInf8 {
        // A longer code point has more limbs than a head can count.
        UtfInf8 { limit: limit.min(MOST_DIGITS), short: Prefix::new(&SHORT_TABLES), state: State::Short }
    }

    /// §3.5.2, §3.4: the byte after FF tells a length header from a sequence of thirteen bytes.
    fn second(&mut self, unit: u32) -> Verdict {
        match unit {
            0x80..=0x9F => self.thirteen(u128::from(unit & 0x1F), 11),
            0xA0..=0xAF => self.length(u64::from(unit & 0x0F), 0),
            BEFORE => self.before(1),
            0xB0..=0xBF => Verdict::Refused(ErrorKind::Invalid),
            _ => Verdict::Refused(ErrorKind::Truncated),
        }
    }

    fn thirteen(&mut self, value: u128, missing: u32) -> Verdict {
        self.state = if missing > 0 { State::Thirteen { value, missing } } else { State::Short };
        on_bits(value, 6 * missing, FIRST_OF_THIRTEEN, Surrogates::Allowed)
    }

    /// §3.5.5: `count` B4 bytes are followed by `count + 1` Ax bytes, so that NME is at least 10…0 hexadecimal.
    fn before(&mut self, count: u32) -> Verdict {
        self.state = State::Before { count };
        self.within_limit(1, count)
    }

    fn length(&mut self, nme: u64, missing: u32) -> Verdict {
        self.state = State::Length { nme, missing };
        match self.within_limit(nme, missing) {
            Verdict::More if missing == 0 => self.storage(nme + LEAST_DIGITS),
            verdict => verdict,
        }
    }

    /// Refuses a header if NME, which starts with the digits of `nme` and has `missing` more, must be past the limit.
    fn within_limit(&self, nme: u64, missing: u32) -> Verdict {
        let least = u128::from(nme) << (4 * missing);
        if least + u128::from(LEAST_DIGITS) > u128::from(self.limit) {
            Verdict::Refused(ErrorKind::Length)
        } else {
            Verdict::More
        }
    }

    fn storage(&mut self, digits: u64) -> Verdict {
        self.state = State::Storage(Storage {
            digits,
            missing: storage_bytes(digits),
            padding: padding(digits),
            started: false,
            bits: 0,
            count: 0,
            wanted: bits_of_first_limb(digits),
        });
        Verdict::Head(digits.div_ceil(8) as u32)
    }
}

impl Grammar for UtfInf8 {
    type Sequences = PrefixSequences;

    const LONG: bool = true;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        let is_trailing = matches!(unit, 0x80..=0xBF);
        match &mut self.state {
            State::Short if unit == LONG && self.short.at_lead() => {
                self.state = State::Second;
                Verdict::More
            }
            State::Short => self.short.step(unit),
            State::Second => self.second(unit),
            _ if !is_trailing => Verdict::Refused(ErrorKind::Truncated),
            &mut State::Thirteen { value, missing } => {
                self.thirteen(value << 6 | u128::from(unit & 0x3F), missing - 1)
            }
            &mut State::Before { count } => match unit {
                BEFORE => self.before(count + 1),
                0xA0 => Verdict::Refused(ErrorKind::Overlong),
                0xA1..=0xAF => self.length(u64::from(unit & 0x0F), count),
                _ => Verdict::Refused(ErrorKind::Invalid),
            },
            &mut State::Length { nme, missing } => match unit {
                0xA0..=0xAF => self.length(nme << 4 | u64::from(unit & 0x0F), missing - 1),
                _ => Verdict::Refused(ErrorKind::Invalid),
            },
            State::Storage(storage) => {
                let verdict = storage.step(unit & 0x3F);
                if matches!(verdict, Verdict::LastLimb(_)) {
                    self.state = State::Short;
                }
                verdict
            }
        }
    }

    fn reset(&mut self) {
        self.short.reset();
        self.state = State::Short;
    }

    fn sequences(&self) -> PrefixSequences {
        self.short.sequences()
    }
}

impl Storage {
    /// Takes the six data bits of a storage byte.
    fn step(&mut self, six: u32) -> Verdict {
        let padding = self.padding.min(6);
        if six >> (6 - padding) != 0 {
            return Verdict::Refused(ErrorKind::Invalid);
        }
        self.padding -= padding;
        self.missing -= 1;
        self.bits = self.bits << 6 | u64::from(six);
        self.count += 6 - padding;
        if !self.started && self.count >= 4 {
            // A code point of eighteen digits whose first digit is below 8 fits in thirteen bytes.
            let least = if self.digits == LEAST_DIGITS { 8 } else { 1 };
            if self.bits >> (self.count - 4) < least {
                return Verdict::Refused(ErrorKind::Overlong);
            }
            self.started = true;
        }
        if self.count < self.wanted {
            return Verdict::More;
        }
        self.count -= self.wanted;
        self.wanted = u32::BITS;
        let limb = (self.bits >> self.count) as u32;
        self.bits &= !(u64::MAX << self.count);
        if self.missing == 0 { Verdict::LastLimb(limb) } else { Verdict::Limb(limb) }
    }
}

/// The tables for sequences of up to seven bytes.
pub(crate) static SHORT_TABLES: Lazy<PrefixTables> =
    Lazy::new(|| PrefixTables::new(8, &SHORT_FORMS, TRAILING, Surrogates::Allowed));

/// Writes the sequence of a code point of up to thirteen bytes.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    if code_point < FIRST_OF_THIRTEEN {
        return SHORT_TABLES.encode(code_point, sequence);
    }
    if code_point >> BITS_OF_THIRTEEN != 0 {
        return None;
    }
    sequence.push(LONG);
    sequence.push(0x80 | (code_point >> 66) as u32);
    sequence.extend((0..11).rev().map(|index| storage_byte(code_point >> (6 * index))));
    Some(())
}

fn storage_byte(bits: u128) -> u32 {
    0x80 | bits as u32 & 0x3F
}

/// Writes a code point of eighteen digits or more, limb by limb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LongWriter {
    /// The `count` bits that are not part of a storage byte yet.
    bits: u64,
    count: u32,
}

impl LongWriter {
    /// Writes the length header, and the storage bytes that the first limb fills.
    pub(crate) fn start(digits: u64, first_limb: u32, sequence: &mut Sequence) -> LongWriter {
        let nme = digits - LEAST_DIGITS;
        let length_digits = (u64::BITS - nme.leading_zeros()).div_ceil(4).max(1);
        sequence.push(LONG);
        sequence.extend((1..length_digits).map(|_| BEFORE));
        sequence.extend((0..length_digits).rev().map(|index| 0xA0 | (nme >> (4 * index)) as u32 & 0x0F));
        let mut writer = LongWriter { bits: 0, count: padding(digits) };
        writer.bits(first_limb, bits_of_first_limb(digits), sequence);
        writer
    }

    /// Writes the storage bytes that another limb fills.
    pub(crate) fn limb(&mut self, limb: u32, sequence: &mut Sequence) {
        self.bits(limb, u32::BITS, sequence);
    }

    fn bits(&mut self, bits: u32, count: u32, sequence: &mut Sequence) {
        self.bits = self.bits << count | u64::from(bits);
        self.count += count;
        while self.count >= 6 {
            self.count -= 6;
            sequence.push(storage_byte((self.bits >> self.count).into()));
        }
        self.bits &= !(u64::MAX << self.count);
    }
}
