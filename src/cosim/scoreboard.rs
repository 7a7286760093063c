//! What goes into a core against what comes out, item by item, with the reference between them.

use std::collections::VecDeque;

use utfhdl_hdl::core::Core;

use super::beat::{Beat, Item};
use super::failure::{Difference, Failure};
use super::pace::Pace;
use super::ports::{Carries, Ports, lanes_in};
use super::reference::{Made, Origin, Reference};

/// What the core has still to say.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// The item; `None` for a beat that only ends its frame.
    item: Option<(Item, Origin)>,
    /// The item is the last of its frame.
    last: bool,
    /// If so: the frame held something that could not be written.
    amiss: bool,
    frame: u64,
    /// Cycle in which the beat that made it certain was taken.
    certain: u64,
    /// When it comes at the latest, by the clock of [`Pace`].
    due: u64,
}

impl Expected {
    fn in_words(&self) -> String {
        let frame = self.frame;
        match self.item {
            Some((_, origin)) => format!("frame {frame}, {}", origin.in_words()),
            None => format!("frame {frame}: its end"),
        }
    }
}

/// Feeds the reference with what a core takes, and compares what the core says.
#[derive(Debug)]
pub struct Scoreboard {
    /// What the reference makes of it.
    pub reference: Reference,
    pace: Pace,
    latency: u64,
    expected: VecDeque<Expected>,
    /// Room for what a beat makes.
    made: Vec<Made>,
    /// Items taken.
    pub taken: u64,
    /// Items that came out.
    pub given: u64,
    /// Frames taken.
    pub frames: u64,
}

impl Scoreboard {
    /// A scoreboard for `core`, which leaves reset in cycle `start`.
    pub fn new(core: &Core, start: u64) -> Self {
        Self {
            reference: Reference::new(core),
            pace: Pace::new(core, start),
            latency: core.latency.into(),
            expected: VecDeque::new(),
            made: Vec::new(),
            taken: 0,
            given: 0,
            frames: 0,
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

    /// A beat that the core took in `cycle`, whose outputs were seen before.
    pub fn taken(&mut self, cycle: u64, beat: &Beat) {
        self.taken += beat.items.len() as u64;
        let mut made = std::mem::take(&mut self.made);
        self.reference.take(beat, &mut made);
        self.pace.beat();
        let (mut any, mut first) = (false, true);
        let (frame, last, amiss, certain) = (self.frames, false, false, cycle);
        for made in made.drain(..) {
            match made {
                Made::Slot => {
                    self.pace.slot();
                    first = true;
                }
                Made::Dropped => {
                    self.pace.item(first);
                    first = false;
                    // What was withheld is gone by the time that the error behind it is dropped.
                    any &= !self.pace.ends_behind_withheld();
                }
                Made::Item(item, origin) => {
                    let due = self.pace.item(first);
                    let item = Some((item, origin));
                    self.expected.push_back(Expected { item, last, amiss, frame, certain, due });
                    (any, first) = (true, false);
                }
            }
        }
        self.made = made;
        if beat.last {
            if !any {
                let due = self.pace.bare_end();
                self.expected.push_back(Expected { item: None, last, amiss, frame, certain, due });
            }
            let end = self.expected.back_mut().expect("the beat made something");
            (end.last, end.amiss) = (true, self.reference.frame_was_amiss());
            self.pace.frame_ends();
            self.frames += 1;
        }
    }

    /// The outputs of `cycle`; `ready` says whether the sink took what was offered.
    pub fn seen(&mut self, ports: &Ports, cycle: u64, outputs: &[u64], ready: bool) -> Result<(), Failure> {
        let offers = ports.offers(outputs);
        self.pace.cycle(cycle, offers && !ready, !ports.takes(outputs));
        if !ports.takes(outputs) && !self.pace.may_stall(!self.expected.is_empty()) {
            let rule = "high, but where what is owed keeps the output busy";
            let found = format!("it is low, and {} are owed", self.expected.len());
            let difference = Difference::Rule { rule, found };
            return Err(Failure { cycle, port: "s_axis_tready".to_owned(), difference, event: None });
        }
        if offers && !ready {
            return Ok(());
        }
        if offers {
            self.check_beat(ports, cycle, outputs)?;
        }
        self.check_punctual(cycle)
    }

    fn check_beat(&mut self, ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
        let keep = ports.keep(outputs);
        let mut end = None;
        for lane in lanes_in(keep, ports.lanes) {
            let item = ports.item(outputs, lane);
            if end.is_some() {
                let found = format!("{} in lane {lane}", in_words(ports.carries_out(), item));
                return Err(differs(cycle, "m_axis_tkeep", "the end of the frame", &found, None));
            }
            let Some(expected) = self.expected.pop_front() else {
                return Err(too_early(cycle, &in_words(ports.carries_out(), item)));
            };
            self.check_item(ports, cycle, item, &expected)?;
            self.given += 1;
            end = expected.last.then_some(expected);
        }
        if keep == 0 {
            match self.expected.pop_front() {
                Some(bare @ Expected { item: None, .. }) => end = Some(bare),
                Some(other) => {
                    return Err(differs(
                        cycle,
                        "m_axis_tkeep",
                        "lanes in use",
                        "an empty beat",
                        Some(&other),
                    ));
                }
                None => return Err(too_early(cycle, "an empty beat")),
            }
        }
        let last = ports.last(outputs);
        if last != end.is_some() {
            let text = |last: bool| if last { "the end of the frame" } else { "no end of the frame" };
            return Err(differs(cycle, "m_axis_tlast", text(end.is_some()), text(last), None));
        }
        match (end, ports.amiss(outputs)) {
            (Some(end), Some(amiss)) if end.amiss != amiss => {
                let text =
                    |amiss| if amiss { "a frame that was not all written" } else { "a frame all written" };
                Err(differs(cycle, "m_axis_tuser", text(end.amiss), text(amiss), Some(&end)))
            }
            _ => Ok(()),
        }
    }

    fn check_item(&self, ports: &Ports, cycle: u64, found: Item, expected: &Expected) -> Result<(), Failure> {
        let Some((item, _)) = expected.item else {
            let found = in_words(ports.carries_out(), found);
            return Err(differs(cycle, "m_axis_tkeep", "an empty beat", &found, Some(expected)));
        };
        if cycle < expected.certain + self.latency {
            let least = format!("cycle {} at the earliest", expected.certain + self.latency);
            return Err(differs(cycle, "m_axis_tvalid", &least, "it now", Some(expected)));
        }
        if found.user != item.user {
            let (says, found) = (item.user.to_string(), found.user.to_string());
            return Err(differs(cycle, "m_axis_tuser", &says, &found, Some(expected)));
        }
        if found.data != item.data {
            let (says, found) = (format!("{:x}", item.data), format!("{:x}", found.data));
            return Err(differs(cycle, "m_axis_tdata", &says, &found, Some(expected)));
        }
        Ok(())
    }

    fn check_punctual(&self, cycle: u64) -> Result<(), Failure> {
        match self.expected.front() {
            Some(next) if self.pace.is_late(next.due) => {
                let expected = format!("a beat by cycle {}", self.pace.cycle_of(next.due));
                Err(differs(cycle, "m_axis_tvalid", &expected, "none", Some(next)))
            }
            _ => Ok(()),
        }
    }
}

/// An item in words.
fn in_words(carries: Carries, Item { data, user }: Item) -> String {
    match carries {
        Carries::Slots => format!("a slot of tuser {user}, tdata {data:x}"),
        Carries::Units(_) => format!("a unit of {data:x}"),
    }
}

fn too_early(cycle: u64, found: &str) -> Failure {
    differs(cycle, "m_axis_tvalid", "that nothing is certain yet", found, None)
}

fn differs(cycle: u64, port: &str, expected: &str, found: &str, at: Option<&Expected>) -> Failure {
    let event = at.map(Expected::in_words);
    let difference = Difference::Reference { expected: expected.to_owned(), found: found.to_owned() };
    Failure { cycle, port: port.to_owned(), difference, event }
}
