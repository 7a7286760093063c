//! The scoreboard: compares the output of a core, item by item, with the reference's output for the core's input.

use std::collections::HashMap;

use utfhdl_hdl::core::{Core, Role};

use super::failure::{Difference, Failure};
use super::prediction::{Predicted, Prediction};
use crate::promise::{
    Beat, BeatWord, Caret, Carries, Item, Made, Origin, Ports, Schedule, Untimely, lanes_in, low_bits,
};

/// An item that the core owes, or a beat that only ends its frame.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// The number of the item in the [`Prediction`].
    made: usize,
    /// Whether the item is the last of its frame.
    last: bool,
    /// Whether the item is the last of its beat, in a core whose beats stay apart.
    ends_beat: bool,
    /// Valid with `last`: the frame held something that could not be written.
    amiss: bool,
    /// The number of the frame.
    frame: u64,
    /// The number of the stream; 0 in a core of one stream.
    stream: u64,
    /// The beat that has to come, as [`BeatWord`] has it, if all beats of the core have such words.
    word: u64,
}

impl Expected {
    /// The item; `None` for a beat that only ends its frame.
    fn item(&self, prediction: &Prediction) -> Option<(Item, Origin)> {
        match prediction.made(self.made) {
            Made::Item(item, origin) | Made::SlotItem(item, origin) => Some((item, origin)),
            _ => None,
        }
    }

    /// The marks of a beat that only ends its frame.
    fn marks_of_end(&self, prediction: &Prediction) -> u16 {
        match prediction.made(self.made) {
            Made::BareEnd(marks) => marks,
            _ => 0,
        }
    }

    fn in_words(&self, prediction: &Prediction) -> String {
        let frame = self.frame;
        match self.item(prediction) {
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

/// Compares the output of a core with the reference's output for the beats that the core took.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    schedule: Schedule<Expected>,
    beat_word: Option<BeatWord>,
    /// Whether all items of a beat go out together, and no others with them.
    keeps_beats: bool,
    /// Items taken.
    pub taken: u64,
    /// Items that came out.
    pub given: u64,
    /// Frames taken.
    pub frames: u64,
    /// The place of the next slot of each stream, in a core whose slots have places.
    carets: HashMap<u64, Caret>,
}

impl Scoreboard {
    /// A scoreboard for `core`, which leaves reset in cycle `start`.
    pub fn new(core: &Core, start: u64) -> Self {
        Self {
            schedule: Schedule::new(core, start),
            beat_word: Ports::new(core).beat_word(),
            keeps_beats: matches!(core.spec.role, Role::Validator(_)) || core.spec.has_slots_of_streams(),
            taken: 0,
            given: 0,
            frames: 0,
            carets: HashMap::new(),
        }
    }

    /// The core was reset, and leaves the reset in cycle `start`: it owes nothing of what it took before.
    pub fn restart(&mut self, core: &Core, start: u64) {
        self.schedule = Schedule::new(core, start);
        self.carets.clear();
    }

    /// Whether the core owes nothing.
    pub fn is_empty(&self) -> bool {
        self.schedule.is_empty()
    }

    /// Whether the core owes something that waits for no more input.
    pub fn owes(&self) -> bool {
        self.schedule.is_due()
    }

    /// The next item that the core owes, in words.
    pub fn next_in_words(&self, prediction: &Prediction) -> Option<String> {
        self.schedule.next().map(|next| next.in_words(prediction))
    }

    /// The number of the item that the core has to give next.
    pub fn next(&self) -> Option<usize> {
        self.schedule.next().map(|next| next.made)
    }

    /// The beat that may be on the output in `cycle`, if any.
    pub fn expected_beat(&self, ports: &Ports, prediction: &Prediction, cycle: u64) -> Option<ExpectedBeat> {
        let mut expected = ExpectedBeat { beat: Beat::default(), amiss: false };
        for owed in self.schedule.certain(cycle).take(ports.lanes_out) {
            let item = owed.item(prediction);
            // A beat that only ends its frame holds nothing else.
            if item.is_none() && !expected.beat.items.is_empty() {
                break;
            }
            expected.beat.items.extend(item.map(|(item, _)| item));
            (expected.beat.last, expected.amiss) = (owed.last, owed.amiss);
            if owed.last || self.keeps_beats && owed.ends_beat {
                break;
            }
        }
        (expected.beat.last || !expected.beat.items.is_empty()).then_some(expected)
    }

    /// The core took a beat in `cycle`, whose outputs were [seen](Self::seen) before.
    #[inline(always)]
    pub fn taken(&mut self, cycle: u64, beat: Predicted) {
        self.taken += beat.items as u64;
        self.schedule.beat(cycle);
        let mut makes_items = false;
        for (number, made) in (beat.first..).zip(beat.made) {
            // The fast path: nearly all beats make slots and items only.
            match made {
                Made::SlotItem(item, _) => {
                    self.schedule.slot();
                    self.schedule.owe(self.expected(number, Some(*item), beat.stream));
                    makes_items = true;
                }
                Made::Slot => self.schedule.slot(),
                Made::Item(item, _) => {
                    self.schedule.owe(self.expected(number, Some(*item), beat.stream));
                    makes_items = true;
                }
                _ => self.take_rare(number, made, beat.stream),
            }
        }
        if self.keeps_beats && makes_items {
            self.schedule.last_mut().expect("an item goes out").ends_beat = true;
        }
        if let Some(amiss) = beat.end {
            let end = self.schedule.last_mut().expect("every frame has an end");
            (end.last, end.amiss) = (true, amiss);
            end.word |= self.beat_word.map_or(0, |word| word.end(amiss));
            self.schedule.frame_ends();
            self.frames += 1;
        }
    }

    fn take_rare(&mut self, number: usize, made: &Made, stream: u64) {
        match made {
            Made::Step => self.schedule.step(),
            Made::WithheldSlot => self.schedule.withheld_slot(),
            Made::Dropped => self.schedule.dropped(),
            Made::BareEnd(marks) => {
                let word = self.beat_word.map_or(0, |word| word.bare_end(*marks));
                self.schedule.owe_bare_end(Expected { word, ..self.expected(number, None, stream) });
            }
            Made::Slot | Made::Item(..) | Made::SlotItem(..) => {
                unreachable!("slots and items take the fast path")
            }
        }
    }

    #[inline]
    fn expected(&self, made: usize, item: Option<Item>, stream: u64) -> Expected {
        let word = self.beat_word.map_or(0, |word| word.of(item));
        Expected { made, last: false, ends_beat: false, amiss: false, frame: self.frames, stream, word }
    }

    /// Whether the core offers the expected beat in `cycle`, equal to the bit and not too early. Always `false` for a core of
    /// several lanes, whose beats have no single word.
    #[inline]
    pub fn is_expected(&self, cycle: u64, outputs: &[u64]) -> bool {
        match (&self.beat_word, self.schedule.next()) {
            (Some(word), Some(next)) => {
                word.found(outputs) == next.word && self.schedule.check_certain(cycle).is_ok()
            }
            _ => false,
        }
    }

    /// Checks the outputs of `cycle`; `ready` says whether the sink takes the beat, `is_expected` is the result of
    /// [`is_expected`](Self::is_expected), and `held_up` says that a status waits, which can hold up the beat.
    #[expect(clippy::too_many_arguments, reason = "what is seen in a cycle")]
    #[inline(always)]
    pub fn seen(
        &mut self,
        ports: &Ports,
        prediction: &Prediction,
        cycle: u64,
        outputs: &[u64],
        ready: bool,
        is_expected: bool,
        held_up: bool,
    ) -> Result<(), Failure> {
        let offers = ports.offers(outputs);
        let waits = offers && !ready || held_up;
        if let Err(untimely) = self.schedule.cycle(cycle, waits, !ports.takes(outputs)) {
            return Err(refuses(cycle, untimely));
        }
        if is_expected && ready {
            self.schedule.pop();
            self.given += ports.keep(outputs);
        } else if offers && !is_expected {
            self.check_certain(ports, prediction, cycle, outputs)?;
            if ready {
                self.check_beat(ports, prediction, cycle, outputs)?;
            }
        }
        if waits { Ok(()) } else { self.check_punctual(prediction, cycle) }
    }

    fn check_certain(
        &self,
        ports: &Ports,
        prediction: &Prediction,
        cycle: u64,
        outputs: &[u64],
    ) -> Result<(), Failure> {
        self.schedule.check_certain(cycle).map_err(|untimely| {
            let first = lanes_in(ports.keep(outputs), ports.lanes_out).next();
            let item = first.map(|lane| in_words(ports.carries_out(), ports.item(outputs, lane)));
            let found = item.unwrap_or("an empty beat".to_owned());
            differs(cycle, "m_axis_tvalid", &untimely.to_string(), &found, self.next_in_words(prediction))
        })
    }

    fn check_beat(
        &mut self,
        ports: &Ports,
        prediction: &Prediction,
        cycle: u64,
        outputs: &[u64],
    ) -> Result<(), Failure> {
        let keep = ports.keep(outputs);
        let (mut end, mut ends_beat) = (None, false);
        for lane in lanes_in(keep, ports.lanes_out) {
            let item = ports.item(outputs, lane);
            if ends_beat {
                let found = format!("{} in lane {lane}", in_words(ports.carries_out(), item));
                return Err(differs(cycle, "m_axis_tkeep", "the end of the beat", &found, None));
            }
            if end.is_some() {
                let found = format!("{} in lane {lane}", in_words(ports.carries_out(), item));
                return Err(differs(cycle, "m_axis_tkeep", "the end of the frame", &found, None));
            }
            self.check_certain(ports, prediction, cycle, outputs)?;
            let expected = self.schedule.pop().expect("an item is certain");
            check_item(ports, prediction, cycle, item, &expected)?;
            if ports.has_places() {
                self.check_places(prediction, cycle, ports.places(outputs, lane), &expected)?;
            }
            self.given += 1;
            ends_beat = expected.ends_beat;
            end = expected.last.then_some(expected);
        }
        if keep == 0 {
            let expected = self.schedule.pop().expect("the end of a frame is certain");
            if expected.item(prediction).is_some() {
                let due = Some(expected.in_words(prediction));
                return Err(differs(cycle, "m_axis_tkeep", "lanes in use", "an empty beat", due));
            }
            let (found, due) = (ports.marks_of_end(outputs), expected.marks_of_end(prediction));
            if found != due {
                let event = Some(expected.in_words(prediction));
                return Err(differs(cycle, "m_axis_tuser", &due.to_string(), &found.to_string(), event));
            }
            self.carets.remove(&expected.stream);
            end = Some(expected);
        }
        if self.keeps_beats && keep > 0 && !ends_beat {
            let found = format!("{} items", keep.count_ones());
            let due = self.next_in_words(prediction);
            return Err(differs(cycle, "m_axis_tkeep", "all items of the beat", &found, due));
        }
        let last = ports.last(outputs);
        if last != end.is_some() {
            let text = |last: bool| if last { "the end of the frame" } else { "no end of the frame" };
            return Err(differs(cycle, "m_axis_tlast", text(end.is_some()), text(last), None));
        }
        let items = keep.count_ones() as usize;
        if !self.schedule.is_filled(items, last) {
            let found = format!("{items} of {} lanes in use", ports.lanes_out);
            return Err(differs(
                cycle,
                "m_axis_tkeep",
                "a full beat",
                &found,
                self.next_in_words(prediction),
            ));
        }
        match (end, ports.amiss(outputs)) {
            (Some(end), Some(amiss)) if end.amiss != amiss => {
                let text = |amiss| if amiss { "1, since not all could be written" } else { "0" };
                let found = u8::from(amiss).to_string();
                Err(differs(cycle, "m_axis_tuser", text(end.amiss), &found, Some(end.in_words(prediction))))
            }
            _ => Ok(()),
        }
    }

    /// Compares the place of a slot with that of the reference's event.
    fn check_places(
        &mut self,
        prediction: &Prediction,
        cycle: u64,
        found: [(u64, u32); 3],
        expected: &Expected,
    ) -> Result<(), Failure> {
        let Some((item, origin)) = expected.item(prediction) else { return Ok(()) };
        let due = self.carets.entry(expected.stream).or_default().place(item, origin.offset);
        if expected.last {
            self.carets.remove(&expected.stream);
        }
        for (((found, bits), due), name) in found.into_iter().zip(due).zip(["position", "line", "column"]) {
            let due = low_bits(due, bits);
            if found != due {
                let (says, found) = (format!("the {name} {due:#x}"), format!("{found:#x}"));
                let event = Some(expected.in_words(prediction));
                return Err(differs(cycle, "m_axis_tuser", &says, &found, event));
            }
        }
        Ok(())
    }

    #[inline]
    fn check_punctual(&self, prediction: &Prediction, cycle: u64) -> Result<(), Failure> {
        let late = |untimely: Untimely| {
            differs(cycle, "m_axis_tvalid", &untimely.to_string(), "none", self.next_in_words(prediction))
        };
        self.schedule.check_punctual().map_err(late)
    }
}

fn check_item(
    ports: &Ports,
    prediction: &Prediction,
    cycle: u64,
    found: Item,
    expected: &Expected,
) -> Result<(), Failure> {
    let due = || Some(expected.in_words(prediction));
    let Some((item, _)) = expected.item(prediction) else {
        let found = in_words(ports.carries_out(), found);
        return Err(differs(cycle, "m_axis_tkeep", "an empty beat", &found, due()));
    };
    if found.user != item.user {
        let (says, found) = (item.user.to_string(), found.user.to_string());
        return Err(differs(cycle, "m_axis_tuser", &says, &found, due()));
    }
    if found.data != item.data {
        let (says, found) = (format!("{:x}", item.data), format!("{:x}", found.data));
        return Err(differs(cycle, "m_axis_tdata", &says, &found, due()));
    }
    Ok(())
}

#[cold]
fn refuses(cycle: u64, untimely: Untimely) -> Failure {
    let rule = "high, unless owed items keep the output busy";
    let difference = Difference::Rule { rule, found: untimely.to_string() };
    Failure { cycle, port: "s_axis_tready".to_owned(), difference, event: None }
}

/// An item in words.
fn in_words(carries: Carries, Item { data, user }: Item) -> String {
    match carries {
        Carries::Slots(_) => format!("a slot of tuser {user}, tdata {data:x}"),
        Carries::Units(_) => format!("a unit of {data:x}"),
        Carries::Marked { .. } => format!("a unit of {data:x} with tuser {user}"),
    }
}

#[cold]
fn differs(cycle: u64, port: &str, expected: &str, found: &str, event: Option<String>) -> Failure {
    let difference = Difference::Reference { expected: expected.to_owned(), found: found.to_owned() };
    Failure { cycle, port: port.to_owned(), difference, event }
}
