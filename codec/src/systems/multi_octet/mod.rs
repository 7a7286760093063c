//! `gbk`, `gb18030`, `shift-jis`, `euc-jp`, `euc-kr` and `big5`, as the Encoding Standard has them, §10 to §13.
//!
//! A decoder of the Encoding Standard says which octets an error takes, and those are not always a maximal subpart. An octet that a lead
//! cannot have after it belongs to the error unless it is ASCII. An ASCII octet is read again, also where it could have been the second
//! octet of some pair. Where four octets of `gb18030` break, only the first of them is an error: the second, a digit, is a code point, and the
//! third leads again.

mod forms;
mod index;

use core::hash::{Hash, Hasher};

use utfhdl_systems::MultiOctet;

use crate::bulk::Run;
use crate::bulk::multi_octet::MultiOctetSequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, Slot};
use forms::{Alone, Forms, Pair, forms};

/// The grammar of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indexed {
    forms: &'static Forms,
    state: State,
}

/// The units that have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// None.
    Start,
    /// A lead.
    Lead(u8),
    /// The two leads of three octets of `euc-jp`.
    Jis0212(u8),
    /// A lead and a digit.
    Two(u8, u8),
    /// A lead, a digit and a lead.
    Three(u8, u8, u8),
    /// A digit that an error left, and the lead after it.
    Left(u8, Option<u8>),
    /// The lead of two code points, of which this is the second.
    Second(u32),
}

impl Indexed {
    pub(crate) fn new(set: MultiOctet) -> Indexed {
        Indexed { forms: forms(set), state: State::Start }
    }

    /// Reads an octet that no lead precedes.
    #[inline(always)]
    fn alone(&mut self, octet: u8) -> Verdict {
        match self.forms.alone(octet) {
            Alone::CodePoint(code_point) => Verdict::Whole(code_point),
            Alone::Lead => self.more(State::Lead(octet)),
            Alone::Invalid => Verdict::Refused(ErrorKind::Invalid),
        }
    }

    #[inline(always)]
    fn more(&mut self, state: State) -> Verdict {
        self.state = state;
        Verdict::More
    }

    /// Reads the octet after a lead.
    #[inline(always)]
    fn after_lead(&mut self, lead: u8, octet: u8) -> Verdict {
        if self.forms.has_four() && octet.is_ascii_digit() {
            return self.more(State::Two(lead, octet));
        }
        if self.forms.leads_three(lead) && self.forms.leads_pair(octet) {
            return self.more(State::Jis0212(octet));
        }
        let pair = self.forms.pair(lead, octet);
        self.pair(pair, octet)
    }

    /// Ends a pair.
    #[inline(always)]
    fn pair(&mut self, pair: Pair, octet: u8) -> Verdict {
        self.state = State::Start;
        match pair {
            Pair::CodePoint(code_point) => Verdict::Whole(code_point),
            Pair::Two(first, second) => {
                self.state = State::Second(second);
                Verdict::FirstOfTwo(first)
            }
            Pair::Error(kind) if octet.is_ascii() => Verdict::Refused(kind),
            Pair::Error(kind) => Verdict::Spoilt(kind),
        }
    }

    /// The first of several octets is an error. The second is a digit, which stays, and so does the third.
    fn break_off(&mut self, second: u8, third: Option<u8>) -> Verdict {
        self.state = State::Left(second, third);
        let kept = 1 + u64::from(third.is_some());
        Verdict::Cut(Cut { what: Slot::Error(ErrorKind::Truncated), kept })
    }

    /// The digit that an error left is a code point.
    fn left(&mut self, digit: u8, lead: Option<u8>) -> Cut {
        self.state = lead.map_or(State::Start, State::Lead);
        Cut { what: Slot::CodePoint(digit.into()), kept: lead.is_some().into() }
    }

    /// Writes the sequence of a code point, if the set has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let (octets, count) = self.forms.write(u32::try_from(code_point).ok()?)?;
        sequence.extend(octets[..count].iter().copied().map(u32::from));
        Some(())
    }

    /// The octets that a code point is written as, and their number.
    #[inline(always)]
    pub(crate) fn write(self, code_point: u32) -> Option<([u8; 4], usize)> {
        self.forms.write(code_point)
    }

    /// The octet or the pair of octets of a code point, as a number; 0 where the code point has neither, and for U+0000.
    #[inline(always)]
    pub(crate) fn octet_or_pair(self, code_point: u32) -> u16 {
        self.forms.octet_or_pair(code_point)
    }

    /// Reads octets and pairs off the front of `octets` as code points, up to what is neither.
    pub(crate) fn read_points(self, octets: &[u8], code_points: &mut [u32]) -> Run {
        self.forms.read_points(octets, code_points)
    }

    /// How many octets, from 0 on, are their own code points.
    #[inline(always)]
    pub(crate) fn plain(self) -> u32 {
        self.forms.plain()
    }

    /// The code point of one or two octets, and their number; `None` of all else.
    #[inline(always)]
    pub(crate) fn read(self, octet: u8, next: impl FnOnce() -> Option<u8>) -> Option<(u32, usize)> {
        self.forms.read(octet, next)
    }
}

impl PartialEq for Indexed {
    fn eq(&self, other: &Indexed) -> bool {
        (self.forms.set, self.state) == (other.forms.set, other.state)
    }
}

impl Eq for Indexed {}

impl Hash for Indexed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.forms.set, self.state).hash(state);
    }
}

impl Grammar for Indexed {
    type Sequences = MultiOctetSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        let octet = u8::try_from(unit);
        match (self.state, octet) {
            (State::Start, Ok(octet)) => self.alone(octet),
            (State::Start, Err(_)) => Verdict::Refused(ErrorKind::Invalid),
            (State::Lead(lead), Ok(octet)) => self.after_lead(lead, octet),
            (State::Jis0212(lead), Ok(octet)) => {
                let pair = self.forms.of_jis_0212(lead, octet);
                self.pair(pair, octet)
            }
            (State::Two(first, second), Ok(third @ 0x81..=0xFE)) => {
                self.more(State::Three(first, second, third))
            }
            (State::Two(_, second), _) => self.break_off(second, None),
            (State::Three(first, second, third), Ok(fourth @ b'0'..=b'9')) => {
                self.state = State::Start;
                match self.forms.four([first, second, third, fourth]) {
                    Ok(code_point) => Verdict::Whole(code_point),
                    Err(kind) => Verdict::Spoilt(kind),
                }
            }
            (State::Three(_, second, third), _) => self.break_off(second, Some(third)),
            (State::Left(digit, lead), _) => Verdict::Cut(self.left(digit, lead)),
            (State::Second(code_point), _) => {
                self.state = State::Start;
                Verdict::Whole(code_point)
            }
            (State::Lead(_) | State::Jis0212(_), Err(_)) => Verdict::Refused(ErrorKind::Truncated),
        }
    }

    fn reset(&mut self) {
        self.state = State::Start;
    }

    fn at_end(&mut self) -> Cut {
        match self.state {
            State::Left(digit, lead) => self.left(digit, lead),
            _ => ErrorKind::Truncated.into(),
        }
    }

    fn sequences(&self) -> MultiOctetSequences {
        MultiOctetSequences(Indexed { state: State::Start, ..*self })
    }
}
