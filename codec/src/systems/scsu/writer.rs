//! The encoder of SCSU. It writes each code point as the code point comes, and never looks at the next.
//!
//! A code point that the mode and the active window lack is quoted, or the mode or the window changes to where the code point is. Which of the
//! two takes fewer octets depends on how many code points in a row are from there. The writer expects as many as the last time: after a single
//! one, the next is quoted, and after more, it changes at once. Where it has quoted one and a second follows, it changes.

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
    /// The place of the code points since the last change of the mode or the window.
    visit: Place,
    /// How many of them there were, up to 2.
    count: u8,
    /// The place of the last code point that was quoted, if none of another place has been written since but ASCII.
    quoted: Option<Place>,
    /// Whether the last code points in a row from each of these places were more than one: those of [`Place::number`].
    expected: [bool; 10],
}

/// The place of a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// In ASCII.
    Ascii,
    /// In the dynamic window of this number.
    Window(u8),
    /// In a window with this index octet, which is not there.
    Index(u8),
    /// In an extended window, which is not there.
    Extended,
    /// In no window, but a unit of UTF-16.
    Unit,
}

impl Place {
    /// The number of a place that code points are expected from.
    fn number(self) -> Option<usize> {
        match self {
            Place::Window(window) => Some(window.into()),
            Place::Unit => Some(8),
            Place::Ascii => Some(9),
            Place::Index(_) | Place::Extended => None,
        }
    }
}

impl Default for ScsuWriter {
    fn default() -> ScsuWriter {
        ScsuWriter {
            windows: windows::INITIAL,
            order: [0, 1, 2, 3, 4, 5, 6, 7],
            in_unicode: false,
            visit: Place::Window(0),
            count: 0,
            quoted: None,
            expected: [false; 10],
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

    /// Whether ASCII does not change the state, so that the fast path can write it.
    pub(crate) fn is_settled(&self) -> bool {
        !self.in_unicode && (self.visit != Place::Ascii || self.count > 1)
    }

    /// The fast path. It does not write code points that change the state.
    pub(crate) fn sequences(&self) -> ScsuSequences {
        let is_settled = self.count > 1 && self.quoted.is_none();
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

    /// The place of a code point above ASCII.
    fn place(&self, code_point: u32) -> Place {
        let found = self.order.iter().find(|&&window| windows::has(self.start_of(window), code_point));
        match (found, windows::index_of(code_point)) {
            (Some(&window), _) => Place::Window(window),
            (None, Some(index)) => Place::Index(index),
            (None, None) if code_point > 0xFFFF => Place::Extended,
            (None, None) => Place::Unit,
        }
    }

    /// Whether more than one code point in a row is expected from a place, of which this is the next.
    fn is_run(&self, place: Place) -> bool {
        // Nothing has been written since the last change, so that it is as good as none.
        self.count == 0
            || self.quoted == Some(place)
            || place.number().is_some_and(|number| self.expected[number])
    }

    /// Notes the place of a code point that is written by itself.
    fn stay(&mut self) {
        self.count = (self.count + 1).min(2);
        self.quoted = None;
    }

    /// Notes how many code points there were in the place that the next code point is not in.
    fn look_back(&mut self) {
        if let (1.., Some(number)) = (self.count, self.visit.number()) {
            self.expected[number] = self.count > 1;
        }
    }

    /// Notes a change to a place.
    fn enter(&mut self, place: Place) {
        let is_second = self.quoted.is_some();
        (self.visit, self.count, self.quoted) = (place, 1 + u8::from(is_second), None);
    }

    /// Makes a window active that has the code point, and writes this after the tags of the mode.
    fn change_window(&mut self, place: Place, code_point: u32, tags: Tags, octets: &mut Octets) {
        let window = match place {
            Place::Ascii | Place::Unit => unreachable!("it is in no window"),
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
        };
        self.in_unicode = false;
        self.touch(window, true);
        self.enter(Place::Window(window));
        octets.of_window(self.start_of(window), code_point);
    }

    fn in_single_mode(&mut self, character: char, octets: &mut Octets) {
        let code_point: u32 = character.into();
        if let Ok(octet @ 0..0x80) = u8::try_from(code_point) {
            if octet < 0x20 && !is_plain_control(octet) {
                octets.push(single::QUOTE);
            }
            if self.visit == Place::Ascii {
                self.count = (self.count + 1).min(2);
            }
            return octets.push(octet);
        }
        let place = self.place(code_point);
        if place == Place::Window(self.active()) {
            self.stay();
            return octets.of_window(self.start_of(self.active()), code_point);
        }
        self.look_back();
        let is_run = self.is_run(place);
        let static_window = windows::STATIC.iter().position(|&start| windows::has(start, code_point));
        match (place, static_window) {
            (Place::Window(window), _) if !is_run => {
                self.touch(window, false);
                octets.push(single::QUOTE + window);
                octets.of_window(self.start_of(window), code_point);
            }
            (Place::Index(_), Some(window)) if self.quoted != Some(place) => {
                octets.extend([single::QUOTE + window as u8, (code_point - windows::STATIC[window]) as u8]);
            }
            (Place::Unit | Place::Index(_), _) if !is_run => {
                octets.push(single::QUOTE_UNICODE);
                octets.utf_16(character);
            }
            (Place::Unit, _) => {
                octets.push(single::CHANGE_TO_UNICODE);
                octets.utf_16(character);
                self.in_unicode = true;
                return self.enter(place);
            }
            _ => return self.change_window(place, code_point, Tags::SINGLE, octets),
        }
        self.quoted = Some(place);
    }

    /// Writes a code point in Unicode mode, or changes to single-byte mode. A single code point that has a window, or is in ASCII, stays in UTF-16.
    fn in_unicode_mode(&mut self, character: char, octets: &mut Octets) {
        let code_point: u32 = character.into();
        let place = match code_point {
            0..0x20 => Place::Unit,
            0x20..0x80 => Place::Ascii,
            _ => self.place(code_point),
        };
        if place == Place::Unit {
            self.stay();
            return octets.unit_mode(character);
        }
        self.look_back();
        if !self.is_run(place) && self.quoted.is_none() {
            self.quoted = Some(place);
            return octets.unit_mode(character);
        }
        if place == Place::Ascii {
            octets.extend([unicode::CHANGE + self.active(), code_point as u8]);
            self.in_unicode = false;
            return self.enter(place);
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

    /// Pushes the units of UTF-16 in Unicode mode, where the high octet can look like a tag.
    fn unit_mode(&mut self, character: char) {
        if matches!(u32::from(character) >> 8, 0xE0..=0xF2) {
            self.push(unicode::QUOTE_UNICODE);
        }
        self.utf_16(character);
    }

    /// Pushes the units of UTF-16, the high octet of each first.
    fn utf_16(&mut self, character: char) {
        for &unit in character.encode_utf16(&mut [0; 2]).iter() {
            self.extend(unit.to_be_bytes());
        }
    }
}
