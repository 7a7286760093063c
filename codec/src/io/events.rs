//! The events of a file.

use std::io::Read;

use super::default_format;
use crate::units::{UnitFormat, UnitReader, UnitsError};
use crate::{Decoder, Event, System};

/// An iterator over the events of a file.
///
/// After an error of the file, the iterator ends: a sequence that the error cuts short is no event.
///
/// ```
/// use utfhdl_codec::io::EventReader;
/// use utfhdl_codec::{Event, Slot, System};
///
/// let file: &[u8] = b"\xE2\x82\xAC";
/// let events: Vec<Event> = EventReader::new(file, System::Utf8).collect::<Result<_, _>>()?;
/// assert_eq!(events, [Event { offset: 0, length: 3, what: Slot::CodePoint(0x20AC) }]);
/// # Ok::<(), utfhdl_codec::units::UnitsError>(())
/// ```
#[derive(Debug)]
pub struct EventReader<R> {
    file: UnitReader<R>,
    decoder: Decoder,
    units: Vec<u32>,
    /// How many of the units are decoded.
    used: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Reading,
    /// The file has failed after the units at hand.
    Failed(UnitsError),
    /// The units at hand are the last.
    Last,
    Ended,
}

impl<R: Read> EventReader<R> {
    /// The events of a file of `system`, in the [default format](UnitFormat::default_for) of its units.
    pub fn new(file: R, system: System) -> EventReader<R> {
        EventReader::with_format(file, system, default_format(system))
            .expect("the default format holds the units")
    }

    /// The events of a file whose units are in `format`.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where the format is not made for the units of `system`.
    pub fn with_format(file: R, system: System, format: UnitFormat) -> Result<EventReader<R>, UnitsError> {
        let file = UnitReader::new(file, format, system.unit_bits())?;
        Ok(EventReader {
            file,
            decoder: Decoder::new(system),
            units: Vec::new(),
            used: 0,
            state: State::Reading,
        })
    }
}

impl<R: Read> Iterator for EventReader<R> {
    type Item = Result<Event, UnitsError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut rest = &self.units[self.used..];
            let event = self.decoder.next(&mut rest, matches!(self.state, State::Last));
            self.used = self.units.len() - rest.len();
            if event.is_some() {
                return event.map(Ok);
            }
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Reading => {}
                State::Failed(error) => return Some(Err(error)),
                State::Last | State::Ended => return None,
            }
            self.units.clear();
            self.used = 0;
            self.state = match self.file.read(&mut self.units) {
                Ok(true) => State::Reading,
                Ok(false) => State::Last,
                Err(error) => State::Failed(error),
            };
        }
    }
}
