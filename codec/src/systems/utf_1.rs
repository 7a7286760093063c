//! `utf-1`: one, two, three or five octets, up to U+10FFFF or U+7FFFFFFF, without surrogates.
//!
//! ISO/IEC 10646-1:1993, annex G; ISO-IR 178. Octets of control characters and of the space, 00..20 and 7F..9F, are no part of a longer
//! sequence. The 190 other octets are the digits of the longer forms, so that digits look like leads and like ASCII.

use crate::bulk::utf_1::Utf1Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// How many octets are digits.
const RADIX: u64 = 190;

/// The lead of code points that are their own second octet.
const LATIN_LEAD: u32 = 0xA0;

/// A form of several octets: its first lead, its first code point, and how many digits follow the lead.
struct Form {
    lead: u32,
    first: u32,
    digits: u32,
}

/// The forms with digits. The leads of each end where those of the next begin.
const FORMS: [Form; 3] = [
    Form { lead: 0xA1, first: 0x100, digits: 1 },
    Form { lead: 0xF6, first: 0x4016, digits: 2 },
    Form { lead: 0xFC, first: 0x3_8E2E, digits: 4 },
];

/// The value of a digit; `None` of octets that are no digits.
fn digit(octet: u32) -> Option<u64> {
    match octet {
        0x21..=0x7E => Some((octet - 0x21).into()),
        0xA0..=0xFF => Some((octet - 0xA0 + 0x5E).into()),
        _ => None,
    }
}

/// The octet of a digit: the function T of the document.
fn octet(digit: u64) -> u32 {
    let digit = digit as u32;
    if digit < 0x5E { 0x21 + digit } else { 0xA0 + digit - 0x5E }
}

/// The grammar: the last code point of the system, and the sequence that has been begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Utf1 {
    max: u32,
    state: State,
}

/// The octets that have been read of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// None.
    Start,
    /// The lead of U+00A0..U+00FF.
    Latin,
    /// A lead and some digits: the least code point whose sequence begins so, and how many digits follow.
    Digits { least: u64, missing: u32 },
}

impl Utf1 {
    pub(crate) fn new(max: u32) -> Utf1 {
        Utf1 { max, state: State::Start }
    }

    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if code_point > self.max.into() || SURROGATES.contains(&code_point) {
            return None;
        }
        let code_point = code_point as u32;
        let Some(form) = FORMS.iter().rfind(|form| form.first <= code_point) else {
            if code_point >= LATIN_LEAD {
                sequence.push(LATIN_LEAD);
            }
            sequence.push(code_point);
            return Some(());
        };
        let place = |index: u32| u64::from(code_point - form.first) / RADIX.pow(index);
        sequence.push(form.lead + place(form.digits) as u32);
        sequence.extend((0..form.digits).rev().map(|index| octet(place(index) % RADIX)));
        Some(())
    }

    /// Reads an octet where a lead is expected.
    fn lead(&mut self, unit: u32) -> Verdict {
        match unit {
            0..LATIN_LEAD => Verdict::Whole(unit),
            LATIN_LEAD => {
                self.state = State::Latin;
                Verdict::More
            }
            0x100.. => Verdict::Refused(ErrorKind::Invalid),
            _ => {
                let form = FORMS.iter().rfind(|form| form.lead <= unit).expect("the octet is A1 or more");
                let least = u64::from(form.first) + u64::from(unit - form.lead) * RADIX.pow(form.digits);
                self.on_range(least, form.digits)
            }
        }
    }

    /// The verdict on octets that begin the sequences of the code points from `least` on.
    fn on_range(&mut self, least: u64, missing: u32) -> Verdict {
        let most = least + RADIX.pow(missing) - 1;
        if least > self.max.into() {
            return Verdict::Refused(ErrorKind::OutOfRange);
        }
        if SURROGATES.contains(&least.into()) && SURROGATES.contains(&most.into()) {
            return Verdict::Refused(ErrorKind::Surrogate);
        }
        if missing == 0 {
            self.state = State::Start;
            return Verdict::Whole(least as u32);
        }
        self.state = State::Digits { least, missing };
        Verdict::More
    }
}

impl Grammar for Utf1 {
    type Sequences = Utf1Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match (self.state, digit(unit)) {
            (State::Start, _) => self.lead(unit),
            (_, None) => Verdict::Refused(ErrorKind::Truncated),
            (State::Latin, _) if unit < LATIN_LEAD => Verdict::Refused(ErrorKind::Overlong),
            (State::Latin, _) => {
                self.state = State::Start;
                Verdict::Whole(unit)
            }
            (State::Digits { least, missing }, Some(digit)) => {
                let missing = missing - 1;
                self.on_range(least + digit * RADIX.pow(missing), missing)
            }
        }
    }

    fn reset(&mut self) {
        self.state = State::Start;
    }

    fn sequences(&self) -> Utf1Sequences {
        Utf1Sequences { max: self.max }
    }
}
