//! What goes into a core against what comes out, event by event, with the reference between them.

use std::collections::{BTreeMap, VecDeque};

use utfhdl_hdl::core::OnError;

use super::beat::{Beat, on_bus};
use super::failure::{Difference, Failure};
use super::ports::DecoderPorts;
use crate::codec::{Decoder, ErrorKind, Event, Slot};
use crate::system::System;

/// What the core has still to say.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// The slot; `None` for a beat that only ends its frame.
    event: Option<Event>,
    /// The slot is the last of its frame.
    last: bool,
    frame: u64,
    /// Cycle in which the beat that made it certain was taken.
    certain: u64,
}

impl Expected {
    fn in_words(&self) -> String {
        let frame = self.frame;
        match self.event {
            Some(Event { offset, length, what }) => {
                format!("frame {frame}, units {offset}..{}: {}", offset + length, in_words(what))
            }
            None => format!("frame {frame}: its end"),
        }
    }
}

/// Feeds the reference with what a core takes, and compares what the core says.
#[derive(Debug)]
pub struct Scoreboard {
    decoder: Decoder,
    on_error: OnError,
    latency: u64,
    expected: VecDeque<Expected>,
    /// The last cycle in which an output beat had to wait.
    held_up: Option<u64>,
    /// Units taken.
    pub units: u64,
    /// Frames taken.
    pub frames: u64,
    /// Code points that came out.
    pub code_points: u64,
    /// Errors that came out, or were dropped, by kind.
    pub errors: BTreeMap<ErrorKind, u64>,
}

impl Scoreboard {
    /// A scoreboard for a decoder of `system` with this treatment of errors and this latency in cycles.
    pub fn new(system: System, on_error: OnError, latency: u32) -> Self {
        Self {
            decoder: system.decoder(),
            on_error,
            latency: latency.into(),
            expected: VecDeque::new(),
            held_up: None,
            units: 0,
            frames: 0,
            code_points: 0,
            errors: BTreeMap::new(),
        }
    }

    /// Whether the core has said all it can.
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty()
    }

    /// What the core has to say next, in words.
    pub fn next_in_words(&self) -> Option<String> {
        self.expected.front().map(Expected::in_words)
    }

    /// A beat that the core took in `cycle`.
    pub fn taken(&mut self, cycle: u64, beat: &Beat) {
        self.units += beat.units().len() as u64;
        let before = self.expected.len();
        let mut rest = beat.units();
        while let Some(event) = self.decoder.next(&mut rest, beat.last) {
            match event.what {
                Slot::Error(kind) => *self.errors.entry(kind).or_default() += 1,
                Slot::CodePoint(_) | Slot::Head(_) => self.code_points += 1,
                Slot::Limb(_) => {}
            }
            if self.on_error == OnError::Flag || !matches!(event.what, Slot::Error(_)) {
                let (frame, last) = (self.frames, false);
                self.expected.push_back(Expected { event: Some(event), last, frame, certain: cycle });
            }
        }
        if !beat.last {
            return;
        }
        if self.expected.len() > before {
            self.expected.back_mut().expect("longer than before").last = true;
        } else {
            let frame = self.frames;
            self.expected.push_back(Expected { event: None, last: true, frame, certain: cycle });
        }
        self.frames += 1;
    }

    /// The outputs of `cycle`; `ready` says whether the sink took what was offered.
    pub fn seen(
        &mut self,
        ports: &DecoderPorts,
        cycle: u64,
        outputs: &[u64],
        ready: bool,
    ) -> Result<(), Failure> {
        if !ready {
            self.held_up = Some(cycle);
        }
        if !ports.offers(outputs) {
            return self.check_punctual(cycle);
        }
        if !ready {
            return Ok(());
        }
        let (keep, last) = (ports.keep(outputs), ports.last(outputs));
        let mut ends = false;
        for lane in ports.lanes_in(keep) {
            if ends {
                let found = format!("a further slot in lane {lane}");
                return Err(self.differs(cycle, "m_axis_tkeep", "the end of the frame", &found, None));
            }
            let (user, data) = ports.slot(outputs, lane);
            let Some(expected) = self.expected.pop_front() else {
                let found = format!("a slot of tuser {user}, tdata {data:x}");
                return Err(self.differs(
                    cycle,
                    "m_axis_tvalid",
                    "that nothing is certain yet",
                    &found,
                    None,
                ));
            };
            self.check_slot(cycle, user, data, &expected)?;
            ends = expected.last;
        }
        if keep == 0 {
            match self.expected.pop_front() {
                Some(Expected { event: None, .. }) => ends = true,
                Some(other) => {
                    return Err(self.differs(cycle, "m_axis_tkeep", "a slot", "an empty beat", Some(&other)));
                }
                None => {
                    let expected = "that nothing is certain yet";
                    return Err(self.differs(cycle, "m_axis_tvalid", expected, "an empty beat", None));
                }
            }
        }
        if last != ends {
            let text = |last: bool| if last { "the end of the frame" } else { "no end of the frame" };
            return Err(self.differs(cycle, "m_axis_tlast", text(ends), text(last), None));
        }
        self.check_punctual(cycle)
    }

    fn check_slot(&self, cycle: u64, user: u64, data: u64, expected: &Expected) -> Result<(), Failure> {
        let Some(event) = expected.event else {
            let found = format!("a slot of tuser {user}, tdata {data:x}");
            return Err(self.differs(cycle, "m_axis_tkeep", "an empty beat", &found, Some(expected)));
        };
        if cycle < expected.certain + self.latency {
            let (least, found) =
                (format!("cycle {} at the earliest", expected.certain + self.latency), "it now");
            return Err(self.differs(cycle, "m_axis_tvalid", &least, found, Some(expected)));
        }
        let (expected_user, expected_data) = on_bus(event.what);
        if user != expected_user {
            let (says, found) = (expected_user.to_string(), user.to_string());
            return Err(self.differs(cycle, "m_axis_tuser", &says, &found, Some(expected)));
        }
        if data != expected_data {
            let (says, found) = (format!("{expected_data:x}"), format!("{data:x}"));
            return Err(self.differs(cycle, "m_axis_tdata", &says, &found, Some(expected)));
        }
        Ok(())
    }

    /// A slot comes `latency` cycles after it is certain, or one later, unless the sink held it up.
    fn check_punctual(&self, cycle: u64) -> Result<(), Failure> {
        let Some(next) = self.expected.front() else { return Ok(()) };
        let due = next.certain.max(self.held_up.map_or(0, |held_up| held_up + 1)) + self.latency + 1;
        if cycle >= due {
            let expected = format!("a beat by cycle {}", due);
            return Err(self.differs(cycle, "m_axis_tvalid", &expected, "none", Some(next)));
        }
        Ok(())
    }

    fn differs(&self, cycle: u64, port: &str, expected: &str, found: &str, at: Option<&Expected>) -> Failure {
        let event = at.map(Expected::in_words);
        let difference = Difference::Reference { expected: expected.to_owned(), found: found.to_owned() };
        Failure { cycle, port: port.to_owned(), difference, event }
    }
}

/// A slot in words.
fn in_words(slot: Slot) -> String {
    match slot {
        Slot::CodePoint(code_point) => format!("U+{code_point:04X}"),
        Slot::Error(kind) => format!("error {kind}"),
        Slot::Head(limbs) => format!("head of {limbs} limbs"),
        Slot::Limb(limb) => format!("limb {limb:08X}"),
    }
}
