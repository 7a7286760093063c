//! The scoreboard: what goes into a core against what comes out, item by item, with the reference between them.

use utfhdl_hdl::core::Core;

use super::failure::{Difference, Failure};
use crate::promise::{
    Beat, Carries, Counts, Item, Made, Origin, Ports, Reference, Schedule, Untimely, lanes_in,
};

/// An item that the core owes, or a beat that only ends its frame.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// The item; `None` for a beat that only ends its frame.
    item: Option<(Item, Origin)>,
    /// Whether the item is the last of its frame.
    last: bool,
    /// Of the last item: whether the frame held something that could not be written.
    amiss: bool,
    /// The number of the frame.
    frame: u64,
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

/// A beat as the reference expects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedBeat {
    /// The items that may be on the output, up to the end of a frame or the number of lanes.
    pub beat: Beat,
    /// Whether the frame that ends with the beat held something that could not be written.
    pub amiss: bool,
}

/// Gives the reference what a core takes, and compares what the core gives.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    reference: Reference,
    schedule: Schedule<Expected>,
    /// Room for what a beat makes.
    made: Vec<Made>,
    /// What the reference found in the items that were taken.
    pub counts: Counts,
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
            schedule: Schedule::new(core, start),
            made: Vec::new(),
            counts: Counts::default(),
            taken: 0,
            given: 0,
            frames: 0,
        }
    }

    /// Whether the core owes nothing.
    pub fn is_empty(&self) -> bool {
        self.schedule.is_empty()
    }

    /// What the core has to give next, in words.
    pub fn next_in_words(&self) -> Option<String> {
        self.schedule.next().map(Expected::in_words)
    }

    /// The beat that may be on the output in `cycle`, if there is one.
    pub fn expected_beat(&self, ports: &Ports, cycle: u64) -> Option<ExpectedBeat> {
        let mut expected = ExpectedBeat { beat: Beat::default(), amiss: false };
        for Expected { item, last, amiss, .. } in self.schedule.certain(cycle).take(ports.lanes) {
            // A beat that only ends its frame holds nothing else.
            if item.is_none() && !expected.beat.items.is_empty() {
                break;
            }
            expected.beat.items.extend(item.map(|(item, _)| item));
            (expected.beat.last, expected.amiss) = (*last, *amiss);
            if *last {
                break;
            }
        }
        (expected.beat.last || !expected.beat.items.is_empty()).then_some(expected)
    }

    /// The core took `beat` in `cycle`, whose outputs were [seen](Self::seen) before.
    pub fn taken(&mut self, cycle: u64, beat: &Beat) {
        self.taken += beat.items.len() as u64;
        self.reference.take(&beat.items, beat.last, &mut self.made, &mut self.counts);
        self.schedule.beat(cycle);
        let expected = |item| Expected { item, last: false, amiss: false, frame: self.frames };
        for made in self.made.drain(..) {
            match made {
                Made::Slot => self.schedule.slot(),
                Made::WithheldSlot => self.schedule.withheld_slot(),
                Made::Dropped => self.schedule.dropped(),
                Made::Item(item, origin) => self.schedule.owe(expected(Some((item, origin)))),
                Made::BareEnd => self.schedule.owe_bare_end(expected(None)),
            }
        }
        if beat.last {
            let end = self.schedule.last_mut().expect("every frame has an end");
            (end.last, end.amiss) = (true, self.reference.frame_is_amiss());
            self.schedule.frame_ends();
            self.frames += 1;
        }
    }

    /// Checks the outputs of `cycle`; `ready` says whether the sink takes what is offered.
    pub fn seen(&mut self, ports: &Ports, cycle: u64, outputs: &[u64], ready: bool) -> Result<(), Failure> {
        let offers = ports.offers(outputs);
        if let Err(untimely) = self.schedule.cycle(cycle, offers && !ready, !ports.takes(outputs)) {
            let rule = "high, unless owed items keep the output busy";
            let difference = Difference::Rule { rule, found: untimely.to_string() };
            return Err(Failure { cycle, port: "s_axis_tready".to_owned(), difference, event: None });
        }
        if offers {
            self.check_certain(ports, cycle, outputs)?;
            if !ready {
                return Ok(());
            }
            self.check_beat(ports, cycle, outputs)?;
        }
        self.check_punctual(cycle)
    }

    fn check_certain(&self, ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
        self.schedule.check_certain(cycle).map_err(|untimely| {
            let first = lanes_in(ports.keep(outputs), ports.lanes).next();
            let item = first.map(|lane| in_words(ports.carries_out(), ports.item(outputs, lane)));
            let found = item.unwrap_or("an empty beat".to_owned());
            differs(cycle, "m_axis_tvalid", &untimely.to_string(), &found, self.schedule.next())
        })
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
            self.check_certain(ports, cycle, outputs)?;
            let expected = self.schedule.pop().expect("an item is certain");
            check_item(ports, cycle, item, &expected)?;
            self.given += 1;
            end = expected.last.then_some(expected);
        }
        if keep == 0 {
            let expected = self.schedule.pop().expect("the end of a frame is certain");
            if expected.item.is_some() {
                return Err(differs(cycle, "m_axis_tkeep", "lanes in use", "an empty beat", Some(&expected)));
            }
            end = Some(expected);
        }
        let last = ports.last(outputs);
        if last != end.is_some() {
            let text = |last: bool| if last { "the end of the frame" } else { "no end of the frame" };
            return Err(differs(cycle, "m_axis_tlast", text(end.is_some()), text(last), None));
        }
        let items = keep.count_ones() as usize;
        if !self.schedule.is_filled(items, last) {
            let found = format!("{items} of {} lanes in use", ports.lanes);
            return Err(differs(cycle, "m_axis_tkeep", "a full beat", &found, self.schedule.next()));
        }
        match (end, ports.amiss(outputs)) {
            (Some(end), Some(amiss)) if end.amiss != amiss => {
                let text = |amiss| if amiss { "1, since not all could be written" } else { "0" };
                let found = u8::from(amiss).to_string();
                Err(differs(cycle, "m_axis_tuser", text(end.amiss), &found, Some(&end)))
            }
            _ => Ok(()),
        }
    }

    fn check_punctual(&self, cycle: u64) -> Result<(), Failure> {
        let late = |untimely: Untimely| {
            differs(cycle, "m_axis_tvalid", &untimely.to_string(), "none", self.schedule.next())
        };
        self.schedule.check_punctual().map_err(late)
    }
}

fn check_item(ports: &Ports, cycle: u64, found: Item, expected: &Expected) -> Result<(), Failure> {
    let Some((item, _)) = expected.item else {
        let found = in_words(ports.carries_out(), found);
        return Err(differs(cycle, "m_axis_tkeep", "an empty beat", &found, Some(expected)));
    };
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

/// An item in words.
fn in_words(carries: Carries, Item { data, user }: Item) -> String {
    match carries {
        Carries::Slots => format!("a slot of tuser {user}, tdata {data:x}"),
        Carries::Units(_) => format!("a unit of {data:x}"),
    }
}

#[cold]
fn differs(cycle: u64, port: &str, expected: &str, found: &str, at: Option<&Expected>) -> Failure {
    let event = at.map(Expected::in_words);
    let difference = Difference::Reference { expected: expected.to_owned(), found: found.to_owned() };
    Failure { cycle, port: port.to_owned(), difference, event }
}
