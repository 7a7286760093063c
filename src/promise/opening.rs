//! The octets that open a frame. Some cores hold such octets back until it is known how the frame is to be decoded.

use utfhdl_codec::{Auto, ErrorKind, Event, Slot, System, chosen_by_mark};
use utfhdl_hdl::core::CoreSpec;

use super::timing::{chooses_by_mark, reads_documents};
use crate::noise::MAGIC;

/// The octets that open a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Opening {
    by: Decides,
    /// Octets that are held back.
    held: Vec<u32>,
    /// Octets of the mark, once it is known whether there is one.
    mark: Option<u64>,
}

/// The decision that depends on the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decides {
    /// A byte order mark chooses among these systems.
    Choice(Auto),
    /// A magic number is dropped. Text is decoded by this system, and U+0000 is an error.
    MagicNumber(System),
}

/// The decision, and the octets that go to the stages with it.
pub(super) struct Found {
    /// The system of the frame.
    pub(super) system: System,
    /// How many of `octets` were held back.
    pub(super) held: usize,
    /// The octets held back, without the mark, and those of the beat.
    pub(super) octets: Vec<u32>,
}

impl Opening {
    /// The opening of frames in a core of this specification, if it looks at that.
    pub(super) fn of(spec: CoreSpec) -> Option<Self> {
        let by = match (chooses_by_mark(spec.system), spec.system) {
            (Some(auto), _) => Decides::Choice(auto),
            (None, System::CorrectedUtf8 { private, .. }) if spec.lanes > 1 && reads_documents(spec) => {
                Decides::MagicNumber(System::CorrectedUtf8 { document: false, private })
            }
            _ => return None,
        };
        Some(Self { by, held: Vec::new(), mark: None })
    }

    /// Whether the opening of the frame is past.
    pub(super) fn is_past(&self) -> bool {
        self.mark.is_some()
    }

    /// Octets of the mark that opened the frame.
    pub(super) fn mark(&self) -> u64 {
        self.mark.unwrap_or_default()
    }

    pub(super) fn end_frame(&mut self) {
        self.mark = None;
    }

    /// Takes a beat; gives what is found if the beat decides.
    pub(super) fn take(&mut self, units: &[u32], last: bool) -> Option<Found> {
        let held = self.held.len();
        self.held.extend(units);
        let (mark, system) = self.found(last)?;
        self.mark = Some(mark as u64);
        let octets = self.held.drain(..).skip(mark).collect();
        Some(Found { system, held: held.saturating_sub(mark), octets })
    }

    /// The length of the mark, 0 without one, and the system of the frame; `None` if more octets decide.
    fn found(&self, last: bool) -> Option<(usize, System)> {
        match self.by {
            Decides::Choice(auto) => {
                let octets: Vec<u8> = self.held.iter().map(|&unit| unit as u8).collect();
                chosen_by_mark(auto, &octets, last)
            }
            Decides::MagicNumber(text) if self.held.starts_with(MAGIC) => Some((MAGIC.len(), text)),
            Decides::MagicNumber(_) if !last && MAGIC.starts_with(&self.held) => None,
            Decides::MagicNumber(text) => Some((0, text)),
        }
    }

    /// An event of the text, as the core has it.
    pub(super) fn event(&self, event: Event) -> Event {
        match (self.by, event.what) {
            (Decides::MagicNumber(_), Slot::CodePoint(0)) => {
                Event { what: Slot::Error(ErrorKind::Nul), ..event }
            }
            _ => event,
        }
    }
}
