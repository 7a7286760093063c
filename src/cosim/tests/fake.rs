//! A core of several lanes, written as software: the codec with a queue after it, in beats as docs/interface.md has them.

use std::collections::VecDeque;

use utfhdl_codec::{Codec as _, Decoder, Encoder, ErrorKind, OnError, Slot};
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::{Engine, EngineError, Layout};

use super::set_outputs;
use crate::promise::{Beat, Item, Ports};

/// The defect of the fake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Nothing,
    /// The slots of two lanes change places.
    SwapsLanes,
    /// A slot for which a beat has no room is lost.
    LosesCarry,
    /// The slot that had no room in its beat comes after the slots of the next beat, not before them.
    LateCarry,
    /// The slots of two frames share a beat.
    JoinsFrames,
    /// A beat goes out before it is full.
    Hurries,
    /// A beat that is full waits for another slot.
    Dawdles,
}

/// An item in the queue.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// The item; `None` for a beat that only ends its frame.
    item: Option<Item>,
    /// The first cycle in which it may be on the output.
    from: u64,
    /// The number of the input beat that made it.
    beat: u64,
    last: bool,
}

/// The core as an engine.
pub(super) struct Fake {
    layout: Layout,
    ports: Ports,
    codec: Codec,
    latency: u64,
    wrong: Wrong,
    queue: VecDeque<Queued>,
    /// The input beat whose items were sent last.
    sent: Option<u64>,
    /// Items that the current frame has made.
    made: usize,
    beats: u64,
    cycle: u64,
    output: Option<Beat>,
    /// Whether something in the frame could not be written, and in the frames whose ends are queued.
    amiss: bool,
    queued_amiss: VecDeque<bool>,
    output_amiss: bool,
    ready: bool,
}

enum Codec {
    Decoder(Decoder),
    Encoder(Box<Encoder>),
}

impl Fake {
    pub(super) fn new(core: &Core, wrong: Wrong) -> Self {
        let system = core.spec.system;
        let codec = match core.spec.role {
            Role::Decoder => Codec::Decoder(system.decoder()),
            Role::Encoder => Codec::Encoder(Box::new(system.encoder(OnError::Replace))),
            Role::Transcoder { .. } | Role::Validator(_) => panic!("there is no fake of such a core"),
        };
        Self {
            layout: Layout::new(&core.design),
            ports: Ports::new(core),
            codec,
            latency: core.latency.into(),
            wrong,
            queue: VecDeque::new(),
            sent: None,
            made: 0,
            beats: 0,
            cycle: 0,
            output: None,
            amiss: false,
            queued_amiss: VecDeque::new(),
            output_amiss: false,
            ready: false,
        }
    }

    fn lanes(&self) -> usize {
        self.ports.lanes_in
    }

    fn is_dense(&self) -> bool {
        matches!(self.codec, Codec::Encoder(_))
    }

    /// Takes a beat, and puts its output into the queue.
    fn take(&mut self, beat: &Beat) {
        self.beats += 1;
        let from = self.cycle + self.latency;
        let items: Vec<Item> = match &mut self.codec {
            Codec::Decoder(decoder) => {
                let units: Vec<u32> = beat.items.iter().map(|item| item.unit()).collect();
                let mut rest = &units[..];
                std::iter::from_fn(|| decoder.next(&mut rest, beat.last))
                    .map(|event| event.what.into())
                    .collect()
            }
            Codec::Encoder(encoder) => {
                let slot = |item: &Item| item.slot().unwrap_or(Slot::Error(ErrorKind::Invalid));
                let slots: Vec<Slot> = beat.items.iter().map(slot).collect();
                let mut room = vec![0_u32; 4096];
                let progress = encoder.encode(&slots, &mut room, beat.last);
                self.amiss |= encoder.errors() > 0;
                encoder.forget_errors();
                room[..progress.written].iter().map(|&unit| unit.into()).collect()
            }
        };
        self.made += items.len();
        let count = items.len();
        for (index, item) in items.into_iter().enumerate() {
            let last = beat.last && index + 1 == count;
            self.queue.push_back(Queued { item: Some(item), from, beat: self.beats, last });
        }
        if !beat.last {
            return;
        }
        let waits = self.is_dense() && !self.made.is_multiple_of(self.lanes());
        match self.queue.back_mut() {
            // A beat that waits for more items takes the end.
            Some(back) if count == 0 && waits => (back.last, back.from) = (true, from),
            _ if count == 0 => {
                self.queue.push_back(Queued { item: None, from, beat: self.beats, last: true });
            }
            _ => {}
        }
        self.queued_amiss.push_back(std::mem::take(&mut self.amiss));
        self.made = 0;
    }

    /// The beat that goes out next, which is on the output in the next cycle.
    fn next_beat(&mut self) -> Option<Beat> {
        let now = self.cycle + 1;
        let front = *self.queue.front().filter(|front| front.from <= now)?;
        if front.item.is_none() {
            self.queue.pop_front();
            return Some(Beat { items: Vec::new(), last: true });
        }
        let is_carry = self.sent == Some(front.beat);
        let joins = self.wrong == Wrong::JoinsFrames;
        let (mut count, mut last) = (0, false);
        // The input beat whose slots go out after the carry, or from the first lane on.
        let mut beat = (!is_carry).then_some(front.beat);
        for queued in &self.queue {
            let is_other = queued.beat != front.beat && *beat.get_or_insert(queued.beat) != queued.beat;
            let ends = last || is_other && !self.is_dense();
            if count == self.lanes() || queued.item.is_none() || queued.from > now || ends && !joins {
                break;
            }
            count += 1;
            last = queued.last;
        }
        let full = count == self.lanes();
        if self.is_dense() && !full && !last && self.wrong != Wrong::Hurries {
            return None;
        }
        if self.wrong == Wrong::Dawdles && full && !last && self.queue.len() == count {
            return None;
        }
        let taken: Vec<Queued> = self.queue.drain(..count).collect();
        self.sent = taken.last().map(|queued| queued.beat);
        let mut items: Vec<Item> = taken.iter().filter_map(|queued| queued.item).collect();
        match self.wrong {
            Wrong::SwapsLanes if items.len() > 2 => items.swap(1, 2),
            Wrong::LosesCarry if full && !last && self.queue.front().map(|next| next.beat) == self.sent => {
                self.queue.pop_front();
            }
            Wrong::LateCarry if is_carry && items.len() > 1 => items.rotate_left(1),
            _ => {}
        }
        Some(Beat { items, last })
    }

    fn cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let amiss = self.output_amiss && self.output.as_ref().is_some_and(|beat| beat.last);
        set_outputs(&self.layout, &self.ports, outputs, self.output.as_ref(), amiss, self.ready);
        let port = |name: &str| self.layout.input(name).expect("a port").get(inputs) == 1;
        if port("rst") {
            (self.output, self.ready) = (None, false);
        } else {
            let takes = port("m_axis_tready");
            let accepted = self.ports.offered(inputs).filter(|_| self.ready);
            if let Some(beat) = accepted {
                self.take(&beat);
            }
            if takes && self.output.take().is_some_and(|beat| beat.last) {
                self.queued_amiss.pop_front();
            }
            if self.output.is_none() {
                self.output = self.next_beat();
                if self.output.as_ref().is_some_and(|beat| beat.last) {
                    self.output_amiss = self.queued_amiss.front().copied().unwrap_or(false);
                }
            }
            // `tready` is high while the queue is short: the output is busy no longer than the next beat takes.
            let busy = self.queue.len() / self.lanes() + self.queued_amiss.len();
            self.ready = (busy as u64) < 2 * self.latency;
        }
        self.cycle += 1;
    }
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let layout = self.layout.clone();
        for (inputs, outputs) in
            inputs.chunks(layout.input_words).zip(outputs.chunks_mut(layout.output_words))
        {
            self.cycle(inputs, outputs);
        }
        Ok(())
    }
}
