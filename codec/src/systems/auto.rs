//! Streams of one of several systems, which the byte order mark at the start of a stream chooses, or the number above its first octet.
//!
//! The units go one by one to the decoder of the chosen system.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bulk::skip::Tally;
use crate::bulk::utf_8::Utf8Sequences;
use crate::systems::octets::{MARKS_OF_FOUR, MARKS_OF_TWO};
use crate::systems::opening::{MARK_OF_UTF_8, Mark};
use crate::{Auto, ByteOrder, Choose, Decoder, Event, System, Unit};

/// Bits of an octet; the number of a system is above them.
const OCTET: u32 = 8;

/// A decoder that chooses its system at the start of each stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AutoDecoder {
    auto: Auto,
    /// The decoder of the system, once that is chosen.
    chosen: Option<Box<Decoder>>,
    /// Octets that the decoder has still to read: before the choice, those that may be a mark.
    held: Vec<u8>,
    /// Octets of the mark, which are in front of the text.
    mark: u64,
}

impl AutoDecoder {
    pub(crate) fn new(auto: Auto) -> AutoDecoder {
        AutoDecoder { auto, chosen: None, held: Vec::new(), mark: 0 }
    }

    /// Reads units off the front of `input` up to the next event.
    pub(crate) fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        loop {
            let unit = input.split_first().map(|(&unit, rest)| (unit.into(), rest));
            let Some(decoder) = &mut self.chosen else {
                match unit {
                    Some((unit, rest)) => {
                        *input = rest;
                        self.held.push(unit as u8);
                        self.choose(unit, last && rest.is_empty());
                    }
                    None if last && !self.held.is_empty() => self.choose(0, true),
                    None => return None,
                }
                continue;
            };
            let waits = !self.held.is_empty();
            let octet = if waits { Some(self.held[0]) } else { unit.map(|(unit, _)| unit as u8) };
            let octet = octet.as_slice();
            let is_last = last && self.held.len() + input.len() == octet.len();
            let mut piece = octet;
            let event = decoder.next(&mut piece, is_last);
            if piece.len() < octet.len() {
                match unit {
                    _ if waits => drop(self.held.remove(0)),
                    Some((_, rest)) => *input = rest,
                    None => {}
                }
            }
            if let Some(event) = event {
                return Some(Event { offset: event.offset + self.mark, ..event });
            }
            if is_last {
                *self = AutoDecoder::new(self.auto);
                return None;
            }
            if octet.is_empty() {
                return None;
            }
        }
    }

    /// Chooses the system, if `unit`, the first or another of the stream, decides it, or if the stream `ends`.
    fn choose(&mut self, unit: u32, ends: bool) {
        let system = match self.auto.choose() {
            Choose::Port => self.auto.with_number((unit >> OCTET) as usize),
            Choose::Mark => {
                let Some((mark, system)) = chosen_by_mark(self.auto, &self.held, ends) else { return };
                self.mark = mark as u64;
                self.held.drain(..mark);
                system
            }
        };
        self.chosen = Some(Box::new(Decoder::new(system)));
    }

    /// Reads no run: streams are short, and their units go to the decoder one by one.
    pub(crate) fn read_run<U: Unit, E: From<Event>>(&mut self, _: &mut &[U], _: &mut [E]) -> usize {
        0
    }

    /// Skips no run, as [`read_run`](Self::read_run) reads none.
    pub(crate) fn skip_run<U: Unit>(&mut self, _: &mut &[U], _: &mut impl Tally) -> usize {
        0
    }

    /// No fast path, as [`read_run`](Self::read_run) reads no run.
    pub(crate) fn sequences(&self) -> Option<Utf8Sequences> {
        None
    }

    /// Passes over units that a fast path has read: there are none.
    pub(crate) fn skip(&mut self, units: u64) {
        debug_assert_eq!(units, 0, "there is no fast path");
    }
}

/// The octets of the mark in front of a stream that begins with `octets`, 0 without a mark, and the system that it chooses. `None` if further octets decide;
/// `ends` says that there are none.
///
/// ```
/// use utfhdl_codec::{System, chosen_by_mark};
///
/// let Ok(System::Auto(auto)) = "auto:utf-8+utf-16le+utf-32le,choose=bom".parse() else { panic!("a list") };
/// let chosen = |octets: &[u8], ends| chosen_by_mark(auto, octets, ends).map(|(mark, system)| (mark, system.to_string()));
/// assert_eq!(chosen(b"a", false), Some((0, "utf-8".to_string())));
/// assert_eq!(chosen(b"\xFF\xFE\x00", false), None);
/// assert_eq!(chosen(b"\xFF\xFE\x00", true), Some((2, "utf-16le".to_string())));
/// ```
pub fn chosen_by_mark(auto: Auto, octets: &[u8], ends: bool) -> Option<(usize, System)> {
    let marks = || auto.among().iter().filter_map(|&of| Some((mark(of)?, of)));
    let agree = |mark: Mark| mark.iter().zip(octets).all(|(&unit, &octet)| unit == u32::from(octet));
    if !ends && marks().any(|(mark, _)| mark.len() > octets.len() && agree(mark)) {
        return None;
    }
    let whole = marks().filter(|(mark, _)| mark.len() <= octets.len() && agree(mark));
    let found = whole.max_by_key(|(mark, _)| mark.len());
    Some(found.map_or((0, auto.among()[0]), |(mark, system)| (mark.len(), system)))
}

/// The byte order mark of a system; `None` if it has none.
fn mark(system: System) -> Option<Mark> {
    let of_order = |[big, little]: [Mark; 2], order| if order == ByteOrder::Big { big } else { little };
    match system {
        System::Utf8 => Some(MARK_OF_UTF_8),
        System::Utf16Octets { order, .. } | System::Ucs2Octets { order, .. } => {
            Some(of_order(MARKS_OF_TWO, order))
        }
        System::Utf32Octets { order, .. } => Some(of_order(MARKS_OF_FOUR, order)),
        _ => None,
    }
}

/// The system that an encoder writes for a list: the first, whose streams need no mark and have the number 0.
pub(crate) fn written(auto: Auto) -> System {
    auto.among()[0]
}
