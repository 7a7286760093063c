//! The input of a core, with the reference's output for it: drawn in portions, in this thread or in a second one.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use utfhdl_hdl::core::Core;

use super::driver::SourceEnd;
use super::source::SourceError;
use super::streams::References;
use super::times::{Stopwatch, Times};
use crate::promise::{Beat, Counts, Item, Made, Ports};

/// Portions that a thread draws ahead.
const PORTIONS_AHEAD: usize = 4;

/// Draws the input of a core.
pub struct Supply {
    ports: Ports,
    /// Words of an input record.
    words: usize,
    /// An input record of a core that is not in reset.
    out_of_reset: Vec<u64>,
    source: SourceEnd,
    references: Option<References>,
    /// Measures how long it takes, if that is asked for.
    stopwatch: Option<Stopwatch>,
}

/// The input that is drawn at once.
#[derive(Debug, Default)]
pub struct Portion {
    /// Input records. A record is a beat, or a cycle without one.
    pub records: Vec<u64>,
    /// The items of the beats drawn last, in order.
    items: Vec<Item>,
    /// The beats, and how many of them are predicted: all those that were drawn before.
    pub beats: Vec<PredictedBeat>,
    pub predicted: usize,
    /// The reference's output for the beats, in order.
    pub made: Vec<Made>,
    /// The code points and errors that the reference found in the beats.
    pub counts: Counts,
    /// Frames that end in the beats.
    pub frames: u64,
    /// The error that ended the records.
    pub error: Option<SourceError>,
    /// The last record is the first cycle after the stimulus proved to have no further beat, or a later one.
    pub is_end: bool,
    /// How long that took, where that is measured.
    pub times: Times,
}

/// A beat, and the number of its results.
#[derive(Clone, Copy, Debug)]
pub struct PredictedBeat {
    /// Items of the beat.
    pub items: u16,
    /// The stream that the beat is of.
    pub stream: u32,
    /// How many things the beat makes.
    pub made: u32,
    /// Whether the beat ends its frame.
    pub last: bool,
    /// Whether the frame, up to the beat, holds something that could not be written.
    pub amiss: bool,
}

impl PredictedBeat {
    /// A beat of `items` items, at most 64, of a stream.
    #[inline]
    fn new(items: usize, stream: u64, last: bool) -> Self {
        Self { items: items as u16, stream: stream as u32, made: 0, last, amiss: false }
    }
}

impl Supply {
    /// Supplies the input of `core` from `source`, in records of `words` words. Nothing is predicted.
    pub fn new(core: &Core, words: usize, source: SourceEnd) -> Self {
        let (ports, mut out_of_reset) = (Ports::new(core), vec![0; words]);
        ports.set_reset(&mut out_of_reset, false);
        Self { ports, words, out_of_reset, source, references: None, stopwatch: None }
    }

    /// Measures from now on how long it takes.
    pub fn measure(&mut self) {
        self.stopwatch = Some(Stopwatch::default());
    }

    /// Supplies the same input, with the output of the reference for `core`.
    pub fn predicted(core: &Core, words: usize, source: SourceEnd) -> Self {
        Self { references: Some(References::new(core)), ..Self::new(core, words, source) }
    }

    /// Draws a cycle in reset.
    pub fn draw_reset(&mut self, portion: &mut Portion) {
        portion.clear();
        portion.records.resize(self.words, 0);
        self.source.drive_reset(&self.ports, &mut portion.records);
    }

    /// Draws up to `records` records in place of those in `portion`, and adds their beats to the portion's. Draws fewer at the
    /// end of the stimulus, or if it can't be read; the last record is then one without a beat.
    pub fn draw(&mut self, portion: &mut Portion, records: usize) {
        portion.clear();
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.start();
        }
        let Portion { records: room, items, beats, .. } = portion;
        match self.out_of_reset[..] {
            // Most records are one word, for which a call that copies takes longer than the copy.
            [word] => room.resize(records, word),
            _ => (0..records).for_each(|_| room.extend_from_slice(&self.out_of_reset)),
        }
        let mut end = 0;
        for record in room.chunks_exact_mut(self.words) {
            if end > 0 && self.source.is_exhausted() {
                break;
            }
            let before = items.len();
            match self.source.drive(&self.ports, record, items) {
                Ok(drawn) => {
                    end += self.words;
                    if let Some(last) = drawn {
                        let stream = self.ports.stream_in(record);
                        beats.push(PredictedBeat::new(items.len() - before, stream, last));
                    }
                }
                Err(error) => {
                    portion.error = Some(error);
                    break;
                }
            }
        }
        portion.records.truncate(end);
        portion.is_end = self.source.is_exhausted();
        self.lap(|times| &mut times.driver);
        if let Some(references) = &mut self.references {
            portion.predict(references);
        }
        self.lap(|times| &mut times.reference);
        portion.times = self.stopwatch.as_mut().map(Stopwatch::take).unwrap_or_default();
    }

    fn lap(&mut self, of: impl FnOnce(&mut Times) -> &mut Duration) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.lap(of);
        }
    }

    /// Continues in a second thread, in portions of `records` records, up to the end of the stimulus. Returns itself if there can't be
    /// a thread.
    pub fn in_thread(self, records: usize) -> Result<SupplyThread, Box<Self>> {
        let (fill, filled) = sync_channel(PORTIONS_AHEAD);
        let (empty, emptied) = sync_channel(PORTIONS_AHEAD);
        let (hand_over, taken_over) = sync_channel(1);
        let work = move || {
            let mut supply: Box<Self> = taken_over.recv().expect("the thread gets the supply when it starts");
            supply.draw_all(records, &fill, &emptied);
            supply
        };
        match Builder::new().name("supply".to_owned()).spawn(work) {
            Ok(thread) => {
                hand_over.send(Box::new(self)).expect("the thread waits for it");
                Ok(SupplyThread { filled, empty, thread })
            }
            Err(_) => Err(Box::new(self)),
        }
    }

    /// Draws until the stimulus ends, or nobody wants to know.
    fn draw_all(&mut self, records: usize, fill: &SyncSender<Portion>, emptied: &Receiver<Portion>) {
        loop {
            let mut portion: Portion = emptied.try_recv().unwrap_or_default();
            portion.beats.clear();
            portion.made.clear();
            self.draw(&mut portion, records);
            let is_last = portion.is_end || portion.error.is_some();
            if fill.send(portion).is_err() || is_last {
                return;
            }
        }
    }
}

impl Portion {
    /// Removes everything but the beats and their results.
    fn clear(&mut self) {
        self.records.clear();
        self.items.clear();
        self.predicted = self.beats.len();
        (self.counts, self.frames) = (Counts::default(), 0);
        (self.error, self.is_end) = (None, false);
    }

    /// Removes everything.
    pub fn empty(&mut self) {
        self.beats.clear();
        self.made.clear();
        self.clear();
    }

    /// Adds a beat.
    pub fn add(&mut self, beat: &Beat, stream: u64) {
        self.items.extend_from_slice(&beat.items);
        self.beats.push(PredictedBeat::new(beat.items.len(), stream, beat.last));
    }

    /// Adds the reference's output for the beats that were added since the last call.
    pub fn predict(&mut self, references: &mut References) {
        let beats = &mut self.beats[self.predicted..];
        self.predicted += beats.len();
        self.frames += beats.iter().filter(|beat| beat.last).count() as u64;
        let (mut rest, mut before) = (&self.items[..], self.made.len());
        for beats in beats.chunk_by_mut(|one, next| one.stream == next.stream) {
            let drawn = beats.iter().map(|beat| (usize::from(beat.items), beat.last));
            let drawn: Vec<(usize, bool)> = drawn.collect();
            let (items, behind) = rest.split_at(drawn.iter().map(|(items, _)| items).sum());
            rest = behind;
            let (reference, mut beats) = (references.of(beats[0].stream.into()), beats.iter_mut());
            reference.take_all(items, drawn.into_iter(), &mut self.made, &mut self.counts, |made, amiss| {
                let beat = beats.next().expect("every beat is taken once");
                (beat.made, beat.amiss) = ((made - before) as u32, amiss);
                before = made;
            });
        }
    }
}

/// A [`Supply`] in a thread of its own.
pub struct SupplyThread {
    filled: Receiver<Portion>,
    empty: SyncSender<Portion>,
    thread: JoinHandle<Box<Supply>>,
}

impl SupplyThread {
    /// The next portion, in exchange for a used one. `None` after the end of the stimulus, and after an error.
    pub fn next(&mut self, used: Portion) -> Option<Portion> {
        // A used portion is dropped if the thread has enough of them.
        let _ = self.empty.try_send(used);
        self.filled.recv().ok()
    }

    /// The supply, where [`next`](Self::next) gives no more.
    pub fn join(self) -> Box<Supply> {
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
