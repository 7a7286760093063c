//! `bocu-1`: the difference of each code point to one near the code point before it, in one to four octets.
//!
//! Unicode Technical Note #6, *BOCU-1: MIME-Compatible Unicode Compression*.
//!
//! The length of a sequence follows from its lead, but whether its code point exists follows from the code points before it too. An error
//! has all octets of such a sequence, as in ICU, and not a maximal subpart of it. After an error, the state is that of the start of a stream.

use core::ops::RangeInclusive;

use crate::bulk::none::NoSequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// The code point that differences are taken to at the start of a stream, after a control character, and after the reset octet.
const INITIAL: i32 = 0x40;

/// The octet that sets the state to that of the start of a stream, and is no code point.
const RESET: u32 = 0xFF;

/// The octets up to this one are the code points themselves.
const SPACE: u32 = 0x20;

/// How many octets are digits.
const RADIX: i32 = 243;

/// The octets below the space that are digits, in order. The first octet after them that is one is 21.
const CONTROLS: [u8; 20] =
    [1, 2, 3, 4, 5, 6, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1C, 0x1D, 0x1E, 0x1F];

/// A form: its leads, the difference of the first lead with digits of zero, and how many digits follow the lead.
struct Form {
    leads: RangeInclusive<i32>,
    first: i32,
    digits: u32,
}

/// The forms in the order of their differences, without gaps.
const FORMS: [Form; 7] = {
    const ONE: i32 = 64;
    const TWO: i32 = ONE + 43 * RADIX;
    const THREE: i32 = TWO + 3 * RADIX * RADIX;
    [
        Form { leads: 0x21..=0x21, first: -THREE - RADIX * RADIX * RADIX, digits: 3 },
        Form { leads: 0x22..=0x24, first: -THREE, digits: 2 },
        Form { leads: 0x25..=0x4F, first: -TWO, digits: 1 },
        Form { leads: 0x50..=0xCF, first: -ONE, digits: 0 },
        Form { leads: 0xD0..=0xFA, first: ONE, digits: 1 },
        Form { leads: 0xFB..=0xFD, first: TWO, digits: 2 },
        Form { leads: 0xFE..=0xFE, first: THREE, digits: 3 },
    ]
};

/// The value of a digit; `None` of octets that are no digits.
fn digit(octet: u32) -> Option<i32> {
    match octet {
        0..=SPACE => {
            CONTROLS.iter().position(|&control| u32::from(control) == octet).map(|digit| digit as i32)
        }
        0x21..=0xFF => Some(octet as i32 - 0x21 + CONTROLS.len() as i32),
        _ => None,
    }
}

/// The octet of a digit.
fn octet(digit: i32) -> u32 {
    match CONTROLS.get(digit as usize) {
        Some(&control) => control.into(),
        None => (digit - CONTROLS.len() as i32 + 0x21) as u32,
    }
}

/// The code point that the difference to the next one is taken to.
fn state_after(code_point: u32) -> i32 {
    let state = match code_point {
        // Hiragana is not aligned to 128 code points.
        0x3040..=0x309F => 0x3070,
        // The state is as far from the first ideographs as two octets reach.
        0x4E00..=0x9FA5 => 0x4E00 + 64 + 43 * RADIX as u32,
        // The middle of the Hangul syllables.
        0xAC00..=0xD7A3 => 0xAC00_u32.midpoint(0xD7A3),
        _ => code_point & !0x7F | 0x40,
    };
    state as i32
}

/// The state of a stream: the code point that the next difference is taken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bocu1Writer(i32);

impl Default for Bocu1Writer {
    fn default() -> Bocu1Writer {
        Bocu1Writer(INITIAL)
    }
}

impl Bocu1Writer {
    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(&mut self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let code_point: u32 = char::from_u32(u32::try_from(code_point).ok()?)?.into();
        if code_point <= SPACE {
            sequence.push(code_point);
            if code_point != SPACE {
                self.0 = INITIAL;
            }
            return Some(());
        }
        let difference = code_point as i32 - self.0;
        let form = FORMS.iter().rfind(|form| form.first <= difference).expect("the first form is for all");
        let place = |index: u32| (difference - form.first) / RADIX.pow(index);
        sequence.push((form.leads.start() + place(form.digits)) as u32);
        sequence.extend((0..form.digits).rev().map(|index| octet(place(index) % RADIX)));
        self.0 = state_after(code_point);
        Some(())
    }
}

/// The grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bocu1 {
    /// The code point that the next difference is taken to.
    state: i32,
    /// The least difference whose sequence begins with the octets that have been read.
    least: i32,
    /// How many digits are still to come; 0 where a lead is expected.
    missing: u32,
}

impl Default for Bocu1 {
    fn default() -> Bocu1 {
        Bocu1 { state: INITIAL, least: 0, missing: 0 }
    }
}

impl Bocu1 {
    /// Reads an octet where a lead is expected.
    fn lead(&mut self, unit: u32) -> Verdict {
        match unit {
            0..=SPACE => {
                if unit != SPACE {
                    self.state = INITIAL;
                }
                Verdict::Whole(unit)
            }
            RESET => {
                self.state = INITIAL;
                Verdict::More
            }
            0x100.. => Verdict::Spoilt(ErrorKind::Invalid),
            _ => {
                let lead = unit as i32;
                let form = FORMS.iter().find(|form| form.leads.contains(&lead)).expect("21..FE are leads");
                self.least = form.first + (lead - form.leads.start()) * RADIX.pow(form.digits);
                self.missing = form.digits;
                self.verdict()
            }
        }
    }

    /// The verdict on the octets of a sequence.
    fn verdict(&mut self) -> Verdict {
        if self.missing > 0 {
            return Verdict::More;
        }
        let code_point = u32::try_from(self.state + self.least);
        let kind = match code_point {
            Ok(code_point) if SURROGATES.contains(&code_point.into()) => ErrorKind::Surrogate,
            Ok(0..=SPACE) => ErrorKind::Overlong,
            Ok(code_point @ 0..=0x10_FFFF) => {
                self.state = state_after(code_point);
                return Verdict::Whole(code_point);
            }
            _ => ErrorKind::OutOfRange,
        };
        self.state = INITIAL;
        Verdict::Spoilt(kind)
    }
}

impl Grammar for Bocu1 {
    type Sequences = NoSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        if self.missing == 0 {
            return self.lead(unit);
        }
        let Some(digit) = digit(unit) else { return Verdict::Refused(ErrorKind::Truncated) };
        self.missing -= 1;
        self.least += digit * RADIX.pow(self.missing);
        self.verdict()
    }

    fn reset(&mut self) {
        *self = Bocu1::default();
    }

    fn is_open(&self) -> bool {
        self.missing > 0
    }

    fn starts_afresh(&self) -> bool {
        false
    }

    fn sequences(&self) -> NoSequences {
        NoSequences
    }
}
