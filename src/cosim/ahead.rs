//! The behaviour of source and sink, drawn ahead for a block of cycles.

use utfhdl_sim::feed::{Fed, Feed};

use super::driver::Sinks;
use super::prediction::Prediction;
use super::source::SourceError;
use super::supply::{Portion, Supply, SupplyThread};
use super::times::Times;
use crate::promise::Ports;

/// Portions that are drawn before a thread does it: no run ends sooner for a thread that is started at its end.
const PORTIONS_BEFORE_THREAD: usize = 32;

/// Blocks for which a thread draws at once: each time that it hands something over costs time.
const BLOCKS_OF_A_PORTION: usize = 4;

/// The cycles that are drawn and not used yet.
pub struct Ahead {
    supply: From,
    /// Whether a second thread may draw.
    may_have_thread: bool,
    /// Portions drawn.
    portions: usize,
    sinks: Sinks,
    /// Whether the core has a status.
    has_status: bool,
    /// Words of an input record.
    words: usize,
    /// Input records; the first `used` words are used up. A record is a beat, or a cycle without one.
    records: Vec<u64>,
    used: usize,
    /// Whether the sink takes a beat, for each cycle, and a status, if the core has one.
    sink_takes: Vec<bool>,
    status_takes: Vec<bool>,
    /// The portion drawn last, to be reused.
    portion: Portion,
    /// The error that ended the records.
    error: Option<SourceError>,
    /// Whether the stimulus has no further beat.
    is_end: bool,
    /// How long drawing took, where that is measured.
    pub times: Times,
}

/// Cycles that are drawn.
pub struct Drawn {
    records: Vec<u64>,
    sink_takes: Vec<bool>,
    status_takes: Vec<bool>,
}

/// The origin of the records.
enum From {
    Here(Box<Supply>),
    Thread(SupplyThread),
    /// Nowhere, while a thread begins or ends.
    Nowhere,
}

impl Ahead {
    /// Draws the input of `supply`, in records of `words` words, and the behaviour of `sinks`, that of a status if `has_status`.
    /// `may_have_thread` says that a long run may draw in a second thread.
    pub fn new(supply: Supply, sinks: Sinks, has_status: bool, words: usize, may_have_thread: bool) -> Self {
        Self {
            supply: From::Here(Box::new(supply)),
            may_have_thread,
            portions: 0,
            sinks,
            has_status,
            words,
            records: Vec::new(),
            used: 0,
            sink_takes: Vec::new(),
            status_takes: Vec::new(),
            portion: Portion::default(),
            error: None,
            is_end: false,
            times: Times::default(),
        }
    }

    /// Draws a cycle in reset, where nothing is drawn yet.
    pub fn draw_reset(&mut self) {
        if let From::Here(supply) = &mut self.supply {
            supply.draw_reset(&mut self.portion);
        }
        self.records.extend_from_slice(&self.portion.records);
        self.sink_takes.push(self.sinks.beats.takes_in_reset());
        if self.has_status {
            self.status_takes.push(self.sinks.status.takes_in_reset());
        }
    }

    /// Puts a cycle with these inputs before all that is drawn and not used yet, which is returned.
    pub fn put_first(&mut self, inputs: Vec<u64>, [takes_beat, takes_status]: [bool; 2]) -> Drawn {
        self.tidy();
        let status_takes = if self.has_status { vec![takes_status] } else { Vec::new() };
        Drawn {
            records: std::mem::replace(&mut self.records, inputs),
            sink_takes: std::mem::replace(&mut self.sink_takes, vec![takes_beat]),
            status_takes: std::mem::replace(&mut self.status_takes, status_takes),
        }
    }

    /// Puts back what [`put_first`](Self::put_first) returned, after its cycle.
    pub fn put_back(&mut self, drawn: Drawn) {
        let Drawn { records, sink_takes, status_takes } = drawn;
        (self.records, self.sink_takes, self.status_takes) = (records, sink_takes, status_takes);
        self.used = 0;
    }

    /// The records that are not used.
    fn unused(&self) -> &[u64] {
        &self.records[self.used..]
    }

    /// Removes the records that are used: before more are added, and not block by block, where many that are not used would be moved.
    fn tidy(&mut self) {
        self.records.drain(..self.used);
        self.used = 0;
    }

    /// Draws up to `cycles` cycles, at least one, and adds the expected output to `prediction`.
    ///
    /// After the cycle in which the stimulus proves to have no further beat, a cycle is drawn only if no other is left. A run
    /// therefore ends where the stimulus does.
    ///
    /// # Errors
    /// If the stimulus can't be read, and all cycles drawn before are used.
    pub fn draw(&mut self, cycles: usize, prediction: &mut Prediction) -> Result<(), SourceError> {
        self.sinks.beats.draw(&mut self.sink_takes, cycles);
        if self.has_status {
            self.sinks.status.draw(&mut self.status_takes, cycles);
        }
        while self.unused().len() < cycles * self.words && self.error.is_none() {
            self.tidy();
            if self.is_end && !self.records.is_empty() {
                break;
            }
            self.draw_portion(cycles - self.records.len() / self.words, cycles, prediction);
            self.records.extend_from_slice(&self.portion.records);
            prediction.count(&self.portion);
            self.times.add(&self.portion.times);
            self.error = self.portion.error.take();
            self.is_end = self.portion.is_end;
        }
        if self.unused().is_empty() { self.error.take().map_or(Ok(()), Err) } else { Ok(()) }
    }

    /// Draws `records` records, or, in a thread, any number.
    fn draw_portion(&mut self, records: usize, cycles: usize, prediction: &mut Prediction) {
        self.portions += 1;
        if self.may_have_thread && self.portions == PORTIONS_BEFORE_THREAD && cycles > 1 && !self.is_end {
            self.begin_thread(cycles * BLOCKS_OF_A_PORTION);
        }
        if let From::Thread(thread) = &mut self.supply {
            match thread.next(std::mem::take(&mut self.portion)) {
                Some(portion) => {
                    prediction.add(&portion);
                    self.portion = portion;
                    return;
                }
                None => self.end_thread(),
            }
        }
        if let From::Here(supply) = &mut self.supply {
            prediction.swap(&mut self.portion);
            supply.draw(&mut self.portion, records);
            prediction.swap(&mut self.portion);
        }
    }

    fn begin_thread(&mut self, records: usize) {
        if let From::Here(supply) = std::mem::replace(&mut self.supply, From::Nowhere) {
            self.supply = supply.in_thread(records).map_or_else(From::Here, From::Thread);
        }
    }

    fn end_thread(&mut self) {
        if let From::Thread(thread) = std::mem::replace(&mut self.supply, From::Nowhere) {
            self.supply = From::Here(thread.join());
        }
    }

    /// Puts the record that comes next into reset, or takes it out.
    pub fn set_reset(&mut self, ports: &Ports, reset: bool) {
        ports.set_reset(&mut self.records[self.used..][..self.words], reset);
    }

    /// The drawn behaviour, for up to `cycles` cycles.
    pub fn feed(&self, ports: &Ports, cycles: usize) -> Feed<'_> {
        let sink_takes = &self.sink_takes[..cycles.min(self.sink_takes.len())];
        let status_takes = &self.status_takes[..cycles.min(self.status_takes.len())];
        Feed { handshakes: ports.handshakes(), records: self.unused(), sink_takes, status_takes }
    }

    /// Removes the cycles that an engine has run.
    pub fn forget(&mut self, fed: &Fed) {
        self.used += fed.records * self.words;
        self.sink_takes.drain(..fed.cycles);
        self.status_takes.drain(..fed.cycles.min(self.status_takes.len()));
    }

    /// Whether all beats are taken.
    pub fn is_done(&self) -> bool {
        self.is_end && self.unused().is_empty()
    }
}
