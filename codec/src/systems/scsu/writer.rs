//! The encoder of SCSU. It writes each code point as the code point comes, and never looks at the next.
//!
//! A code point that the mode and the active window lack is quoted, which changes neither. The second one in a row from the same place changes
//! to there. So a run of such code points takes an octet more than it would if its length were known, and a single one none. A
//! window that has not been used yet is left at once.

use crate::bulk::scsu::ScsuSequences;
use crate::sequence::Sequence;

use super::{is_plain_control, single, unicode, windows};

/// The state of a stream, and what the last code points were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScsuWriter {
    /// The first code points of the dynamic windows.
    windows: [u32; 8],
    /// The numbers of the windows, the one used last in front.
    order: [u8; 8],
    /// Whether the mode is Unicode mode.
    in_unicode: bool,
    /// Whether a code point of the active window, which is the first in order, has been written since it became active.
    is_used: bool,
    /// The place of the last code point that was quoted, if none of another place has been written since but ASCII.
    quoted: Option<Place>,
}

/// Where a code point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// In the dynamic window of this number.
    Window(u8),
    /// In a window with this index octet, which is not there.
    Index(u8),
    /// In an extended window, which is not there.
    Extended,
    /// In no window, but a unit of UTF-16.
    Unit,
}

impl Default for ScsuWriter {
    fn default() -> ScsuWriter {
        ScsuWriter {
            windows: windows::INITIAL,
            order: [0, 1, 2, 3, 4, 5, 6, 7],
            in_unicode: false,
            is_used: false,
            quoted: None,
        }
    }
}

impl ScsuWriter {
    /// Writes a code point, if the system has it.
    pub(crate) fn encode(&mut self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let character = char::from_u32(u32::try_from(code_point).ok()?)?;
        let mut octets = Octets(sequence);
        if self.in_unicode {
            self.in_unicode_mode(character, &mut octets);
        } else {
            self.in_single_mode(character, &mut octets);
        }
        Some(())
    }

    /// Whether the mode is single-byte mode, which has a fast path.
    pub(crate) fn is_single(&self) -> bool {
        !self.in_unicode
    }

    /// The fast path. It does not write code points that change the state.
    pub(crate) fn sequences(&self) -> ScsuSequences {
        let is_settled = self.is_used && self.quoted.is_none();
        ScsuSequences { window: is_settled.then_some(self.start_of(self.active())) }
    }

    fn active(&self) -> u8 {
        self.order[0]
    }

    fn start_of(&self, window: u8) -> u32 {
        self.windows[usize::from(window)]
    }

    /// Makes a window the one used last, and the active one if `is_active`.
    fn touch(&mut self, window: u8, is_active: bool) {
        let first = usize::from(!is_active);
        let found = self.order.iter().position(|&other| other == window).expect("every window is in order");
        if found >= first {
            self.order[first..=found].rotate_right(1);
        }
    }

    /// Places the window that has not been used for the longest time, and returns its number.
    fn replace_window(&mut self, code_point: u32, start: u32) -> u8 {
        debug_assert!(windows::has(start, code_point));
        let window = self.order[7];
        self.windows[usize::from(window)] = start;
        window
    }

    /// Where a code point above ASCII is.
    fn place(&self, code_point: u32) -> Place {
        let found = self.order.iter().find(|&&window| windows::has(self.start_of(window), code_point));
        match (found, windows::index_of(code_point)) {
            (Some(&window), _) => Place::Window(window),
            (None, Some(index)) => Place::Index(index),
            (None, None) if code_point > 0xFFFF => Place::Extended,
            (None, None) => Place::Unit,
        }
    }

    /// Writes a character of a window after the tag that made the window active.
    fn enter(&mut self, window: u8, code_point: u32, octets: &mut Octets) {
        self.touch(window, true);
        (self.in_unicode, self.is_used, self.quoted) = (false, true, None);
        octets.of_window(self.start_of(window), code_point);
    }

    /// Makes a window active that has the code point, and writes this. `change` and the tags after it are those of the mode.
    fn change_window(&mut self, place: Place, code_point: u32, tags: Tags, octets: &mut Octets) {
        let window = match place {
            Place::Window(window) => {
                octets.push(tags.change + window);
                window
            }
            Place::Index(index) => {
                let start = windows::of_index(index).expect("the index of a window is not reserved");
                let window = self.replace_window(code_point, start);
                octets.extend([tags.define + window, index]);
                window
            }
            Place::Extended => {
                let window = self.replace_window(code_point, code_point & !(windows::SIZE - 1));
                let [high, low] = windows::extended_of(window, code_point);
                octets.extend([tags.define_extended, high, low]);
                window
            }
            Place::Unit => unreachable!("it is in no window"),
        };
        self.enter(window, code_point, octets);
    }

    fn in_single_mode(&mut self, character: char, octets: &mut Octets) {
        let code_point: u32 = character.into();
        if let Ok(octet @ 0..0x80) = u8::try_from(code_point) {
            if octet < 0x20 && !is_plain_control(octet) {
                octets.push(single::QUOTE);
            }
            return octets.push(octet);
        }
        let place = self.place(code_point);
        if place == Place::Window(self.active()) {
            (self.is_used, self.quoted) = (true, None);
            return octets.of_window(self.start_of(self.active()), code_point);
        }
        let is_second = self.quoted == Some(place);
        let static_window = windows::STATIC.iter().position(|&start| windows::has(start, code_point));
        match (place, static_window) {
            (Place::Window(window), _) if self.is_used && !is_second => {
                self.touch(window, false);
                octets.push(single::QUOTE + window);
                octets.of_window(self.start_of(window), code_point);
            }
            (Place::Index(_), Some(window)) if !is_second => {
                octets.extend([single::QUOTE + window as u8, (code_point - windows::STATIC[window]) as u8]);
            }
            (Place::Unit | Place::Index(_), _) if self.is_used && !is_second => {
                octets.push(single::QUOTE_UNICODE);
                octets.utf_16(character);
            }
            (Place::Unit, _) => {
                octets.push(single::CHANGE_TO_UNICODE);
                octets.utf_16(character);
                (self.in_unicode, self.quoted) = (true, None);
                return;
            }
            _ => return self.change_window(place, code_point, Tags::SINGLE, octets),
        }
        self.quoted = Some(place);
    }

    /// The first code point in a row that has a window, or is in ASCII, is written in UTF-16; the second one changes to single-byte mode.
    fn in_unicode_mode(&mut self, character: char, octets: &mut Octets) {
        let code_point: u32 = character.into();
        let place = match code_point {
            0..0x20 => Place::Unit,
            0x20..0x80 => Place::Window(self.active()),
            _ => self.place(code_point),
        };
        if place == Place::Unit || self.quoted.is_none() {
            self.quoted = (place != Place::Unit).then_some(place);
            if matches!(code_point >> 8, 0xE0..=0xF2) {
                octets.push(unicode::QUOTE_UNICODE);
            }
            return octets.utf_16(character);
        }
        if code_point < 0x80 {
            octets.extend([unicode::CHANGE + self.active(), code_point as u8]);
            (self.in_unicode, self.quoted) = (false, None);
            return;
        }
        self.change_window(place, code_point, Tags::UNICODE, octets);
    }
}

/// The tags of a mode that make a window active.
#[derive(Clone, Copy)]
struct Tags {
    change: u8,
    define: u8,
    define_extended: u8,
}

impl Tags {
    const SINGLE: Tags =
        Tags { change: single::CHANGE, define: single::DEFINE, define_extended: single::DEFINE_EXTENDED };
    const UNICODE: Tags =
        Tags { change: unicode::CHANGE, define: unicode::DEFINE, define_extended: unicode::DEFINE_EXTENDED };
}

/// The octets that a code point makes.
struct Octets<'a>(&'a mut Sequence);

impl Octets<'_> {
    fn push(&mut self, octet: u8) {
        self.0.push(octet.into());
    }

    fn extend<const COUNT: usize>(&mut self, octets: [u8; COUNT]) {
        self.0.extend(octets.map(u32::from));
    }

    /// Pushes the octet of a code point in the window from `start` on.
    fn of_window(&mut self, start: u32, code_point: u32) {
        self.0.push(0x80 + code_point - start);
    }

    /// Pushes the units of UTF-16, the high octet of each first.
    fn utf_16(&mut self, character: char) {
        for &unit in character.encode_utf16(&mut [0; 2]).iter() {
            self.extend(unit.to_be_bytes());
        }
    }
}
