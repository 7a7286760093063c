//! The clock of a core, the cycles in which the core may refuse its input, and those in which beats enter.

/// Cycles in which a core may refuse its input because it releases withheld slots, once a frame.
const RELEASE_CYCLES: u64 = 4;

/// A count of the cycles in which the core moves. A cycle in which its output waits doesn't count.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// The latency of the core.
    pub(super) latency: u64,
    /// The current cycle, less the cycles that didn't count.
    pub(super) now: u64,
    /// The number of cycles that didn't count.
    uncounted: u64,
    /// The number of cycles since the output last waited.
    since_wait: u64,
    /// The number of cycles in which the core may still refuse its input though that may cost time.
    spare: u64,
    /// The cycle up to which it may do so even if no item has still to go out.
    kept_until: u64,
}

impl Clock {
    /// The clock of a core that leaves reset in cycle `start`.
    pub(super) fn new(latency: u64, start: u64) -> Self {
        Self { latency, now: start, uncounted: 0, since_wait: 0, spare: 0, kept_until: 0 }
    }

    /// The same for a core that refuses its input in the first `cycles` cycles, in which it clears states.
    pub(super) fn swept(self, cycles: u64) -> Self {
        Self { spare: cycles, kept_until: self.now + cycles, ..self }
    }

    /// A cycle passes. `waits`: the output waits; `stops`: the core stops, so that the cycle doesn't count.
    #[inline]
    pub(super) fn cycle(&mut self, cycle: u64, waits: bool, stops: bool) {
        self.now = cycle - self.uncounted;
        self.uncounted += u64::from(stops);
        self.since_wait = if waits { 0 } else { self.since_wait + 1 };
    }

    /// The cycle in which `due` comes if the output never waits from now on.
    pub(super) fn cycle_of(&self, due: u64) -> u64 {
        due + self.uncounted
    }

    /// The core may refuse its input in `cycles` more cycles.
    #[inline]
    pub(super) fn grant(&mut self, cycles: u64) {
        self.spare += cycles;
    }

    /// The core releases withheld slots, and may refuse its input for that, also if the encode stages write none of them.
    pub(super) fn grant_release(&mut self) {
        self.grant_until(RELEASE_CYCLES, self.now + self.latency + RELEASE_CYCLES);
    }

    /// The core may refuse its input in `cycles` more cycles, up to cycle `until` even if no item has still to go out.
    pub(super) fn grant_until(&mut self, cycles: u64, until: u64) {
        self.grant(cycles);
        self.kept_until = self.kept_until.max(until);
    }

    /// Whether the core may refuse its input in this cycle. `owes`: some item has still to go out; `is_free`: no item is delayed.
    #[inline]
    pub(super) fn may_refuse(&mut self, owes: bool, is_free: bool) -> bool {
        if self.since_wait <= self.latency {
            return true;
        }
        if !owes && self.now > self.kept_until {
            self.spare = 0;
        }
        let may = is_free || self.spare > 0;
        self.spare = self.spare.saturating_sub(1);
        may
    }

    #[cfg(test)]
    pub(super) fn spare(&self) -> u64 {
        self.spare
    }
}

/// The entry of beats into a core. In encoders and transcoders of one lane, a beat is a slot or a unit.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) clock: Clock,
    /// The cycle in which the last beat, or step of a beat, entered.
    pub(super) entered: u64,
    /// The next beat enters after this cycle.
    pub(super) busy_until: u64,
}

impl Entry {
    pub(super) fn new(clock: Clock) -> Self {
        Self { entered: clock.now, busy_until: clock.now, clock }
    }

    /// The first cycle in which a beat that is taken now can enter.
    #[inline]
    pub(super) fn earliest(&self) -> u64 {
        self.clock.now.max(self.busy_until + 1)
    }

    /// A beat is taken, and enters as early as possible.
    #[inline]
    pub(super) fn enter(&mut self) {
        self.entered = self.earliest();
        self.busy_until = self.entered;
    }

    /// The next beat enters after `cycle`.
    #[inline]
    pub(super) fn hold(&mut self, cycle: u64) {
        self.busy_until = self.busy_until.max(cycle);
    }

    /// The cycle in which items of the last beat are on the output, if no item before them keeps it busy.
    #[inline]
    pub(super) fn due(&self) -> u64 {
        self.entered + self.clock.latency
    }

    /// Whether beats that were taken have still to enter, or items that are owed keep the output busy, up to cycle `output`, until an
    /// item of a beat taken now could get there.
    #[inline]
    pub(super) fn is_busy(&self, output: u64) -> bool {
        let now = self.clock.now;
        self.busy_until >= now || output >= now + self.clock.latency
    }
}
