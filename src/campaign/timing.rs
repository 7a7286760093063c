//! The clock of a campaign: checks when beats come, by the same [schedule](crate::promise) as co-simulation.
//!
//! The bench compares values in all streams at once; time is checked afterwards from the handshakes, stream by stream. Where
//! neither side stalls, streams whose frames have the same [pattern](super::patterns) must have the same handshakes. So each
//! pattern is checked once with each trace, and streams that repeat both are found by comparing slices.

use rustc_hash::{FxHashMap, FxHashSet};
use utfhdl_hdl::core::Core;
use utfhdl_sim::batch::Slice;

use super::expected::Tick;
use super::patterns::{OfGroup, Patterns};
use super::record::Stalls;
use crate::promise::Schedule;

/// The most pairs of pattern and trace that are remembered.
const MOST_KNOWN: usize = 1 << 16;
/// The most blocks whose trace is remembered.
const MOST_KNOWN_BLOCKS: usize = 1 << 10;

/// The handshakes of a block of frames, cycle by cycle, in all streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The core offers a beat.
    pub valid: Vec<Slice>,
    /// The core takes the offered beat.
    pub ready: Vec<Slice>,
    /// How many items the beat holds, bit by bit from the lowest on; no bits with one lane.
    pub counts: Vec<Vec<Slice>>,
    /// The core offers a status; empty for a core that has none.
    pub statuses: Vec<Slice>,
    /// Whether source and sinks stall; empty where they never do.
    pub stalls: Vec<Stalls<Slice>>,
}

impl Trace {
    /// An empty trace of a core whose beats hold a number of items of `bits` bits.
    pub fn of_count_bits(bits: usize) -> Self {
        Self { counts: vec![Vec::new(); bits], ..Self::default() }
    }

    /// Empties the trace.
    pub fn clear(&mut self) {
        self.valid.clear();
        self.ready.clear();
        self.counts.iter_mut().for_each(Vec::clear);
        self.statuses.clear();
        self.stalls.clear();
    }

    /// The handshakes of one stream in one cycle.
    fn moment(&self, stream: usize, cycle: usize) -> Moment {
        let stalls = self.stalls.get(cycle);
        let offers_status = self.statuses.get(cycle).is_some_and(|offers| offers.get(stream));
        Moment {
            valid: self.valid[cycle].get(stream),
            ready: self.ready[cycle].get(stream),
            offer: stalls.is_none_or(|stalls| stalls.offer.get(stream)),
            take: stalls.is_none_or(|stalls| stalls.take.get(stream)),
            held_up: offers_status && stalls.is_some_and(|stalls| !stalls.take_status.get(stream)),
            items: (0..)
                .zip(&self.counts)
                .map(|(bit, plane)| usize::from(plane[cycle].get(stream)) << bit)
                .sum(),
        }
    }
}

/// The observed behaviour of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Seen {
    /// The two numbers of the stream's pattern, then `valid` and `ready`, each with a bit a cycle from the lowest bit up.
    /// `valid` has a 1 after its last cycle.
    numbers: [u128; 4],
    /// The bits of the items of its beats; none with one lane.
    counts: Vec<u128>,
}

impl Seen {
    fn number(&mut self, index: usize) -> &mut u128 {
        match index.checked_sub(self.numbers.len()) {
            None => &mut self.numbers[index],
            Some(count) => &mut self.counts[count],
        }
    }
}

/// A plane that is not the same in all streams, and its position in [`Seen`].
struct TellingPlane<'p> {
    /// Which number.
    number: usize,
    /// The bit in it that is set.
    at: u128,
    plane: &'p Slice,
}

/// Both handshakes of one stream in one cycle.
struct Moment {
    valid: bool,
    take: bool,
    /// A status waits, which can hold up the beat.
    held_up: bool,
    offer: bool,
    ready: bool,
    /// The items of a beat of several lanes; 0 for an empty beat, and with one lane.
    items: usize,
}

/// Checks the handshakes of one stream after the other against the schedule.
pub struct Clock {
    /// The schedule of a core that has been idle for long.
    idle: Schedule<()>,
    /// The first cycle of a block.
    start: u64,
    schedule: Schedule<()>,
    /// Patterns and traces that agree.
    known: FxHashSet<Seen>,
    /// For the patterns of a block, a trace of the block with which they agree.
    known_blocks: FxHashMap<Vec<OfGroup>, Trace>,
}

impl Clock {
    /// The clock of a core.
    pub fn new(core: &Core) -> Self {
        let mut idle = Schedule::new(core, 0);
        // Until then the core may still be busy with what came before.
        let start = u64::from(core.latency) + 2;
        for cycle in 0..start {
            idle.cycle(cycle, false, false).expect("a core that is ready stalls nobody");
        }
        Self {
            schedule: idle.clone(),
            idle,
            start,
            known: FxHashSet::default(),
            known_blocks: FxHashMap::default(),
        }
    }

    /// Whether a stream is in time, where a frame that makes `ticks` goes in from the first cycle of the trace on.
    pub fn agrees(&mut self, ticks: impl IntoIterator<Item = Tick>, trace: &Trace, stream: usize) -> bool {
        self.schedule.restart(&self.idle);
        let mut ticks = ticks.into_iter().peekable();
        (0..trace.valid.len()).all(|index| {
            let (cycle, moment) = (self.start + index as u64, trace.moment(stream, index));
            let seen = self.see(cycle, &moment);
            if moment.offer && moment.ready && ticks.next_if_eq(&Tick::Beat).is_some() {
                self.schedule.beat(cycle);
                while let Some(tick) = ticks.next_if(|tick| *tick != Tick::Beat) {
                    match tick {
                        Tick::Slot => self.schedule.slot(),
                        Tick::Step => self.schedule.step(),
                        Tick::WithheldSlot => self.schedule.withheld_slot(),
                        Tick::Item => self.schedule.owe(()),
                        Tick::Dropped => self.schedule.dropped(),
                        Tick::BareEnd => self.schedule.owe_bare_end(()),
                        Tick::Beat => unreachable!("results end before the next beat"),
                    }
                }
                if ticks.peek().is_none() {
                    self.schedule.frame_ends();
                }
            }
            seen
        })
    }

    fn see(&mut self, cycle: u64, moment: &Moment) -> bool {
        let &Moment { valid, take, held_up, ready, items, .. } = moment;
        if self.schedule.cycle(cycle, valid && !take || held_up, !ready).is_err() {
            return false;
        }
        if valid {
            if self.schedule.check_certain(cycle).is_err() {
                return false;
            }
            if !take {
                return true;
            }
            self.schedule.pop();
            for _ in 1..items {
                if self.schedule.check_certain(cycle).is_err() {
                    return false;
                }
                self.schedule.pop();
            }
        }
        held_up || self.schedule.check_punctual().is_ok()
    }

    /// The streams that are not in time, where the frames have these patterns and neither side stalls.
    pub fn untimely(&mut self, patterns: &Patterns, trace: &Trace) -> Slice {
        if self.known_blocks.get(patterns.of_groups()).is_some_and(|known| known == trace) {
            return Slice::ZERO;
        }
        let untimely = self.untimely_streams(patterns, trace);
        if untimely.is_zero() {
            if self.known_blocks.len() == MOST_KNOWN_BLOCKS {
                self.known_blocks.clear();
            }
            self.known_blocks.insert(patterns.of_groups().to_vec(), trace.clone());
        }
        untimely
    }

    fn untimely_streams(&mut self, patterns: &Patterns, trace: &Trace) -> Slice {
        let mut untimely = Slice::ZERO;
        // The trace of a core that hangs is too long to be remembered.
        let length = trace.valid.len();
        let fits = length < u128::BITS as usize;
        let handshakes =
            [&trace.valid[..], &trace.ready].into_iter().chain(trace.counts.iter().map(Vec::as_slice));
        let numbers = patterns.planes().chain(handshakes);
        // Most planes are the same in all streams; only the others tell streams apart.
        let (mut common, mut telling): (Seen, Vec<TellingPlane>) =
            (Seen { counts: vec![0; trace.counts.len()], ..Seen::default() }, Vec::with_capacity(64));
        if fits {
            // A 1 marks the end of the trace.
            *common.number(2) = 1 << length;
        }
        for (number, planes) in numbers.enumerate() {
            for (bit, plane) in planes.iter().enumerate() {
                let at = 1_u128.checked_shl(bit as u32).unwrap_or(0);
                match plane.common() {
                    Some(true) => *common.number(number) |= at,
                    Some(false) => {}
                    None => telling.push(TellingPlane { number, at, plane }),
                }
            }
        }
        let mut left = Slice::ONES;
        while let Some(stream) = left.streams().next() {
            let (mut seen, mut alike) = (common.clone(), left);
            for &TellingPlane { number, at, plane } in &telling {
                let bit = plane.get(stream);
                alike.retain(plane, bit);
                if bit {
                    *seen.number(number) |= at;
                }
            }
            if !(fits && self.known.contains(&seen)) {
                if !self.agrees(patterns.ticks_of(stream), trace, stream) {
                    untimely |= &alike;
                } else if fits {
                    if self.known.len() == MOST_KNOWN {
                        self.known.clear();
                    }
                    self.known.insert(seen);
                }
            }
            left.remove(&alike);
        }
        untimely
    }

    /// Forgets what was seen, because the patterns get other numbers.
    pub fn forget(&mut self) {
        self.known.clear();
        self.known_blocks.clear();
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{CoreSpec, Role, System};
    use utfhdl_sim::batch::STREAMS;

    use super::*;
    use crate::campaign::record::Group;

    /// One frame of one unit, which makes a slot in the given cycle, in some streams in another.
    #[test]
    fn streams_that_are_late_or_early_or_refuse_are_told() {
        let core = Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).unwrap();
        let latency = core.latency as usize;
        let mut patterns = Patterns::default();
        let number = patterns.number(&[Tick::Beat, Tick::Slot, Tick::Item]);
        patterns.set_beginning(Group::ALL, number);
        let quiet = Slice::ZERO;
        let good = |length: usize| {
            let mut trace =
                Trace { ready: vec![Slice::ONES; length], valid: vec![quiet; length], ..Trace::default() };
            trace.valid[latency] = Slice::ONES;
            trace
        };
        let mut clock = Clock::new(&core);
        let mut untimely =
            |trace: &Trace| -> Vec<usize> { clock.untimely(&patterns, trace).streams().collect() };
        // Twice, since what was seen is remembered; and where a trace is too long for that.
        for length in [latency + 2, latency + 2, latency + 3, 200] {
            assert!(untimely(&good(length)).is_empty(), "{length} cycles");
            let mut trace = good(length);
            for (stream, cycle) in [(3, latency + 1), (300, latency - 1)] {
                trace.valid[latency].set(stream, false);
                trace.valid[cycle].set(stream, true);
            }
            trace.ready[latency + 1].set(511, false);
            assert_eq!(untimely(&trace), [3, 300, 511], "{length} cycles");
        }
        // The trace is good up to its end; then `tready` is low one cycle too long.
        let mut trace = good(latency + 3);
        trace.ready[latency + 2] = quiet;
        assert_eq!(untimely(&trace).len(), STREAMS);
    }
}
