//! Records a run while co-simulation makes it.

use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;

use utfhdl_hdl::core::Core;
use utfhdl_sim::Engine;
use utfhdl_sim::flow::Flow;
use utfhdl_sim::native::Native;

use super::TraceError;
use crate::cosim::{ExpectedBeat, Observer, References, Seen};
use crate::promise::{Counts, Item, Made, Ports};

/// The number of cycles that are recorded after the cycle of a failure.
const CYCLES_AFTER_FAILURE: u64 = 20;

/// The place of an item: the number of its frame, and its number in the frame. An output item has the number of the first input item
/// from which it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) frame: usize,
    pub(super) offset: u64,
}

/// The places of the items that go in, or out, in a cycle, lane 0 first.
pub(super) type Moved = Vec<Option<Place>>;

/// A cycle that was recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Cycle {
    /// The items that are taken, or offered, in this cycle.
    pub(super) offered: Moved,
    pub(super) given: Moved,
    pub(super) expected: Option<ExpectedBeat>,
}

/// A recording.
pub(super) struct Recorded {
    pub(super) first: u64,
    /// The state of the registers before the first cycle.
    pub(super) state: Option<Vec<bool>>,
    pub(super) input_words: usize,
    pub(super) output_words: usize,
    /// The records of the cycles.
    pub(super) inputs: Vec<u64>,
    pub(super) outputs: Vec<u64>,
    pub(super) each: Vec<Cycle>,
    /// The items of the frames, from the one that was open in the first cycle on.
    pub(super) first_frame: usize,
    pub(super) frames: Vec<Vec<Item>>,
}

impl Recorded {
    pub(super) fn cycles(&self) -> usize {
        self.each.len()
    }

    pub(super) fn input(&self, cycle: usize) -> &[u64] {
        &self.inputs[cycle * self.input_words..][..self.input_words]
    }

    pub(super) fn output(&self, cycle: usize) -> &[u64] {
        &self.outputs[cycle * self.output_words..][..self.output_words]
    }
}

/// Records some cycles of a run.
pub struct Recorder {
    ports: Ports,
    flow: Flow,
    cycles: RangeInclusive<u64>,
    /// Runs the cycles before the first, if there are any: what goes in decides what is under way.
    silent: Option<Native>,
    streams: Streams,
    recorded: Recorded,
}

impl Recorder {
    /// Records these cycles of a run of `core`, and no more than [`MOST_CYCLES`](super::MOST_CYCLES).
    ///
    /// # Errors
    /// If the core is too large.
    pub fn new(core: &Core, cycles: RangeInclusive<u64>) -> Result<Self, TraceError> {
        let silent = (*cycles.start() > 0).then(|| Native::new(&core.design)).transpose();
        let silent = silent.map_err(|_| TraceError::TooLong { cycles: 1 })?;
        let flow = Flow::new(&core.design)?;
        let last = (*cycles.end()).min(cycles.start().saturating_add(super::MOST_CYCLES as u64 - 1));
        let recorded = Recorded {
            first: *cycles.start(),
            state: None,
            input_words: flow.layout().input_words,
            output_words: flow.layout().output_words,
            inputs: Vec::new(),
            outputs: Vec::new(),
            each: Vec::new(),
            first_frame: 0,
            frames: Vec::new(),
        };
        Ok(Self {
            ports: Ports::new(core),
            flow,
            cycles: *cycles.start()..=last,
            silent,
            streams: Streams::new(core),
            recorded,
        })
    }

    /// How many cycles were recorded.
    pub fn len(&self) -> usize {
        self.recorded.cycles()
    }

    /// Whether no cycle was recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a cycle is one of those to be recorded.
    pub fn include(&self, cycle: u64) -> bool {
        self.cycles.contains(&cycle)
    }

    /// Ends the recording. The ports and the flow are those of the core.
    pub(super) fn finish(mut self) -> (Recorded, Ports, Flow) {
        let Streams { first_frame, frames, .. } = self.streams;
        self.recorded.first_frame = first_frame;
        self.recorded.frames = frames;
        (self.recorded, self.ports, self.flow)
    }
}

impl Observer for Recorder {
    fn first_cycle(&self) -> u64 {
        *self.cycles.start()
    }

    fn last_cycle(&self) -> u64 {
        *self.cycles.end()
    }

    fn cycles_behind_failure(&self) -> u64 {
        CYCLES_AFTER_FAILURE
    }

    fn pass(&mut self, inputs: &[u64]) {
        let (inside, outside) = (self.recorded.input_words, self.recorded.output_words);
        let mut outputs = vec![0; inputs.len() / inside * outside];
        let silent = self.silent.as_mut().expect("cycles before the first");
        silent.run(inputs, &mut outputs).expect("native does not fail in a run");
        for (inputs, outputs) in inputs.chunks(inside).zip(outputs.chunks(outside)) {
            self.streams.cycle(&self.ports, inputs, outputs);
            self.streams.forget_past_frames();
        }
        self.recorded.state = Some(self.flow.state_after(self.recorded.state.take(), inputs));
    }

    fn see(&mut self, seen: &Seen) {
        if !self.include(seen.cycle) {
            return;
        }
        let (inputs, outputs) = (seen.inputs, seen.outputs[0]);
        if self.recorded.each.is_empty() {
            self.recorded.first = seen.cycle;
        }
        let (offered, given) = self.streams.cycle(&self.ports, inputs, outputs);
        self.recorded.inputs.extend_from_slice(inputs);
        self.recorded.outputs.extend_from_slice(outputs);
        self.recorded.each.push(Cycle { offered, given, expected: seen.expected.clone() });
    }
}

/// The streams of a run: which item each item that comes out comes from.
struct Streams {
    references: References,
    made: Vec<Made>,
    counts: Counts,
    /// The places of the items that are owed, and of ends of frames.
    owed: VecDeque<Option<Place>>,
    first_frame: usize,
    /// The items of the frames from that one on.
    frames: Vec<Vec<Item>>,
    /// The number of the open frame of each stream that has one; in a core of one stream, of stream 0.
    open: HashMap<u64, usize>,
}

impl Streams {
    fn new(core: &Core) -> Self {
        Self {
            references: References::new(core),
            made: Vec::new(),
            counts: Counts::default(),
            owed: VecDeque::new(),
            first_frame: 0,
            frames: Vec::new(),
            open: HashMap::new(),
        }
    }

    fn forget_past_frames(&mut self) {
        // Items that are owed of past frames keep their places.
        let owed = self.owed.iter().flatten().map(|place| place.frame);
        let oldest = owed.chain(self.open.values().copied()).min();
        let past = oldest.map_or(self.frames.len(), |frame| frame - self.first_frame);
        self.frames.drain(..past);
        self.first_frame += past;
    }

    /// The places of what is offered to the core and of what it offers.
    fn cycle(&mut self, ports: &Ports, inputs: &[u64], outputs: &[u64]) -> (Moved, Moved) {
        let given = self.give(ports, inputs, outputs);
        let Some(beat) = ports.offered(inputs) else { return (Vec::new(), given) };
        let stream = ports.stream_in(inputs);
        let frame = *self.open.entry(stream).or_insert_with(|| {
            self.frames.push(Vec::new());
            self.first_frame + self.frames.len() - 1
        });
        let open = &mut self.frames[frame - self.first_frame];
        let first = open.len() as u64;
        let offered =
            (first..first + beat.items.len() as u64).map(|offset| Some(Place { frame, offset })).collect();
        if ports.takes(outputs) {
            open.extend_from_slice(&beat.items);
            if beat.last {
                self.open.remove(&stream);
            }
            let reference = self.references.of(stream);
            reference.take(&beat.items, beat.last, &mut self.made, &mut self.counts);
            self.owed.extend(self.made.drain(..).filter_map(|made| match made {
                Made::Item(_, origin) | Made::SlotItem(_, origin)
                    if origin.slot.is_some() || origin.length > 0 =>
                {
                    Some(Some(Place { frame, offset: origin.offset }))
                }
                Made::Item(..) | Made::SlotItem(..) | Made::BareEnd(_) => Some(None),
                Made::Slot | Made::WithheldSlot | Made::Step | Made::Dropped => None,
            }));
        }
        (offered, given)
    }

    fn give(&mut self, ports: &Ports, inputs: &[u64], outputs: &[u64]) -> Moved {
        let Some(beat) = ports.beat(outputs) else { return Vec::new() };
        let items = beat.items.len();
        let given = (0..items).map(|at| self.owed.get(at).copied().flatten()).collect();
        if ports.sink_takes(inputs) {
            self.owed.drain(..items.max(1).min(self.owed.len()));
        }
        given
    }
}
