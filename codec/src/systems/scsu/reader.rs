//! The grammar of SCSU.

use crate::bulk::scsu::ScsuSequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::systems::utf_16::of_pair;
use crate::{ErrorKind, Slot};

use super::{is_plain_control, single, unicode, windows};

/// The grammar: the windows, the mode, and the octets of a tag or of a unit of UTF-16 that have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scsu {
    /// The first code points of the dynamic windows.
    windows: [u32; 8],
    /// The number of the window that octets of single-byte mode are of.
    active: u8,
    /// Whether the mode is Unicode mode.
    in_unicode: bool,
    state: State,
    /// A high surrogate whose low one is to follow.
    high: Option<u32>,
    /// How many units have been read after the high surrogate.
    after_high: u64,
}

/// The character, unit or tag that the next octet belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Nothing: it is the first.
    Start,
    /// A character that is quoted from the windows of this number.
    Quote(u8),
    /// The tag that quotes a unit of UTF-16.
    Unit,
    /// The high octet of a unit of UTF-16.
    UnitLow(u8),
    /// The tag that places the window of this number.
    Define(u8),
    /// The tag of an extended window.
    Extended,
    /// The first octet after the tag of an extended window.
    ExtendedLow(u8),
}

impl Default for Scsu {
    fn default() -> Scsu {
        let windows = windows::INITIAL;
        Scsu { windows, active: 0, in_unicode: false, state: State::Start, high: None, after_high: 0 }
    }
}

impl Scsu {
    /// Reads the first octet of a character or of a tag in single-byte mode.
    fn single(&mut self, octet: u8) -> Verdict {
        match octet {
            0x20..=0x7F => Verdict::Whole(octet.into()),
            _ if is_plain_control(octet) => Verdict::Whole(octet.into()),
            0x80.. => Verdict::Whole(self.windows[usize::from(self.active)] + u32::from(octet & 0x7F)),
            single::QUOTE..0x09 => self.more(State::Quote(octet - single::QUOTE)),
            single::DEFINE_EXTENDED => self.more(State::Extended),
            single::QUOTE_UNICODE => self.more(State::Unit),
            single::CHANGE_TO_UNICODE => {
                self.in_unicode = true;
                Verdict::More
            }
            single::CHANGE..single::DEFINE => self.change(octet - single::CHANGE),
            single::DEFINE..0x20 => self.more(State::Define(octet - single::DEFINE)),
            0x00..single::QUOTE | 0x09..=single::RESERVED | 0x0D => Verdict::Spoilt(ErrorKind::Reserved),
        }
    }

    /// Reads the first octet of a unit of UTF-16 or of a tag in Unicode mode.
    fn unicode(&mut self, octet: u8) -> Verdict {
        match octet {
            unicode::CHANGE..unicode::DEFINE => self.change(octet - unicode::CHANGE),
            unicode::DEFINE..unicode::QUOTE_UNICODE => self.more(State::Define(octet - unicode::DEFINE)),
            unicode::QUOTE_UNICODE => self.more(State::Unit),
            unicode::DEFINE_EXTENDED => self.more(State::Extended),
            unicode::RESERVED => Verdict::Spoilt(ErrorKind::Reserved),
            _ => self.more(State::UnitLow(octet)),
        }
    }

    fn more(&mut self, state: State) -> Verdict {
        self.state = state;
        Verdict::More
    }

    /// Makes a window the active one.
    fn change(&mut self, window: u8) -> Verdict {
        self.active = window;
        self.in_unicode = false;
        Verdict::More
    }

    /// Places a window, and makes it the active one.
    fn define(&mut self, window: u8, start: u32) -> Verdict {
        self.windows[usize::from(window)] = start;
        self.change(window)
    }

    /// Ends a unit of UTF-16.
    fn unit(&mut self, unit: u32) -> Verdict {
        match (self.high.take(), unit) {
            (Some(high), _) => Verdict::Whole(of_pair(high, unit)),
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                self.after_high = 0;
                Verdict::More
            }
            (None, 0xDC00..=0xDFFF) => Verdict::Spoilt(ErrorKind::Surrogate),
            (None, _) => Verdict::Whole(unit),
        }
    }

    /// Whether no low surrogate can follow the high one, if this octet comes next: it is a character, or the high octet of another unit.
    fn parts_pair(&self, octet: u8) -> bool {
        let is_low = matches!(octet, 0xDC..=0xDF);
        match self.state {
            State::Unit => !is_low,
            State::Start if self.in_unicode => {
                !is_low && !matches!(octet, unicode::CHANGE..=unicode::RESERVED)
            }
            State::Start => {
                let is_tag = matches!(octet, single::DEFINE_EXTENDED..0x20);
                !is_tag || is_plain_control(octet)
            }
            _ => false,
        }
    }

    /// Ends the high surrogate: the units after it begin the next sequence.
    fn part(&mut self) -> Cut {
        self.high = None;
        Cut { what: Slot::Error(ErrorKind::Surrogate), kept: self.after_high }
    }

    /// Reads an octet.
    fn octet(&mut self, octet: u8) -> Verdict {
        match core::mem::replace(&mut self.state, State::Start) {
            State::Start if self.in_unicode => self.unicode(octet),
            State::Start => self.single(octet),
            State::Quote(window) => {
                let starts = if octet < 0x80 { windows::STATIC } else { self.windows };
                Verdict::Whole(starts[usize::from(window)] + u32::from(octet & 0x7F))
            }
            State::Unit => self.more(State::UnitLow(octet)),
            State::UnitLow(high) => self.unit(u32::from(high) << 8 | u32::from(octet)),
            State::Define(window) => match windows::of_index(octet) {
                Some(start) => self.define(window, start),
                None => Verdict::Spoilt(ErrorKind::Reserved),
            },
            State::Extended => self.more(State::ExtendedLow(octet)),
            State::ExtendedLow(high) => {
                let (window, start) = windows::of_extended(high, octet);
                self.define(window, start)
            }
        }
    }
}

impl Grammar for Scsu {
    type Sequences = ScsuSequences;

    fn step(&mut self, unit: u32) -> Verdict {
        let octet = u8::try_from(unit);
        if self.high.is_some() && octet.is_ok_and(|octet| self.parts_pair(octet)) {
            return Verdict::Cut(self.part());
        }
        self.after_high += 1;
        let verdict = match octet {
            Ok(octet) => self.octet(octet),
            Err(_) => Verdict::Spoilt(ErrorKind::Invalid),
        };
        if verdict != Verdict::More {
            self.state = State::Start;
            self.high = None;
        }
        verdict
    }

    /// An error changes no more of the state than its octets do.
    fn reset(&mut self) {}

    fn start_stream(&mut self) {
        *self = Scsu::default();
    }

    fn is_open(&self) -> bool {
        self.state != State::Start || self.high.is_some()
    }

    fn at_end(&mut self) -> Cut {
        if self.state == State::Start {
            return self.part();
        }
        self.state = State::Start;
        self.high = None;
        ErrorKind::Truncated.into()
    }

    fn starts_afresh(&self) -> bool {
        !self.in_unicode
    }

    fn sequences(&self) -> ScsuSequences {
        ScsuSequences { window: Some(self.windows[usize::from(self.active)]) }
    }
}
