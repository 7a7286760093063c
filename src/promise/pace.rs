//! When a core has to say what: the promises about time that the scoreboard holds it to.
//!
//! What a beat makes certain is on the output `latency` cycles later, or in the beat behind what comes before it: no bubble is
//! ever between two things that are owed. A cycle in which the output waits for its taker delays all behind it by that
//! cycle. So time is counted here without those cycles, and on this clock
//!
//! - a beat enters the core in the cycle in which it is taken, or in the one behind the beat before it (beats that came
//!   while the core stood still enter one after the other);
//! - the n-th slot made by one beat of a core of one lane comes n cycles after the first;
//! - slots that were withheld go out before the unit that told enters; units behind it keep their distance, so one that
//!   makes no slot leaves a gap even between two things that are owed;
//! - the n-th unit of a slot, too; and a slot's units wait for those of the slot before, as those of a slot that cuts a group
//!   wait for what stands for the group. An error that an encoder drops takes as long as one unit, since what it is shows
//!   only where it would be written. Heads and limbs take no time.
//!
//! A core may keep its source waiting only where that costs nothing: while beats that it took have still to enter, or while
//! what is owed keeps the output busy until what it could have taken would get there. The last is `latency` beats, so a
//! core can hold no more than these without being late. And it may pass on that its output waited, or that slots it had
//! withheld went out, up to `latency` cycles later: so long it takes from one end to the other.
//!
//! A transcoder stops the stages that decode, gaps between units and all, while what they made has no room behind them. So
//! it may keep its source waiting as long as it owes anything, and those cycles do not count either.

use utfhdl_hdl::core::{Core, CoreSpec, Role, System};

/// Whether a core withholds slots while a frame may open with the magic number of a document.
pub fn withholds(core: &Core) -> bool {
    let CoreSpec { system, role, .. } = core.spec;
    system == System::CorrectedUtf8 { document: true } && role != Role::Encoder
}

/// The beats of a stream that never stalls, of some number of lanes: which of them something goes into.
#[derive(Clone, Copy, Debug)]
struct Beats {
    lanes: usize,
    /// The beat at hand, and how many of its lanes are in use.
    at: u64,
    used: usize,
}

impl Beats {
    fn new(lanes: usize) -> Self {
        Self { lanes, at: 0, used: lanes }
    }

    /// The next lane, in a beat not before `earliest`.
    fn place(&mut self, earliest: u64) -> u64 {
        if earliest > self.at {
            (self.at, self.used) = (earliest, 0);
        } else if self.used == self.lanes {
            (self.at, self.used) = (self.at + 1, 0);
        }
        self.used += 1;
        self.at
    }

    /// What comes next goes into a beat of its own.
    fn close(&mut self) {
        self.used = self.lanes;
    }
}

/// The clock of a core, and what it has promised.
#[derive(Clone, Debug)]
pub struct Pace {
    role: Role,
    lanes: usize,
    latency: u64,
    /// Beats that the core may be short of keeping its output busy when it stalls: an encoder has registers for one less than it
    /// is long.
    slack: u64,
    /// Cycles in which the output waited, and the cycle at hand less those.
    held_up: u64,
    now: u64,
    /// Cycles since the output waited.
    went: u64,
    /// When the last beat entered, and when it makes way for the next.
    entered: u64,
    left: u64,
    /// Slots that the beat at hand has made.
    made: usize,
    /// The core withholds slots: the magic number of a document.
    withholds: bool,
    /// Slots that the frame had made before the beat at hand.
    made_before: usize,
    /// When slots went out last that the core had withheld.
    crowded: Option<u64>,
    /// Slots inside a transcoder, as of the cycle in which they would go out if it were no more than its decoder, less
    /// the latency.
    slots: Beats,
    out: Beats,
    overflows: Vec<u64>,
}

impl Pace {
    /// The pace of a core that leaves reset in `start`: it may be ready a cycle later.
    pub fn new(core: &Core, start: u64) -> Self {
        let CoreSpec { role, lanes, .. } = core.spec;
        let lanes = lanes as usize;
        Self {
            role,
            lanes,
            withholds: withholds(core),
            latency: core.latency.into(),
            slack: u64::from(role != Role::Decoder),
            held_up: 0,
            now: start,
            went: 0,
            entered: start,
            left: start,
            made: 0,
            made_before: 0,
            crowded: None,
            slots: Beats::new(lanes),
            out: Beats::new(lanes),
            overflows: Vec::new(),
        }
    }

    /// A cycle goes by: `waits` says whether the core offers a beat that is not taken, `stalls` whether it takes none.
    pub fn cycle(&mut self, cycle: u64, waits: bool, stalls: bool) {
        self.now = cycle - self.held_up;
        self.held_up += u64::from(waits || stalls && self.is_transcoder());
        self.went = if waits { 0 } else { self.went + 1 };
    }

    fn is_transcoder(&self) -> bool {
        matches!(self.role, Role::Transcoder { .. })
    }

    /// Whether something that is due then, and did not come up to this cycle, is late.
    pub fn is_late(&self, due: u64) -> bool {
        // Units that wait for what was withheld leave gaps in the stages behind them.
        let gaps = if self.withholds && self.is_transcoder() { self.latency } else { 0 };
        due + gaps <= self.now
    }

    /// The cycle in which it comes at the latest, if the output never waits from now on.
    pub fn cycle_of(&self, due: u64) -> u64 {
        due + self.held_up
    }

    /// Whether the core may keep its source waiting in this cycle; `owes` says whether anything is still to go out.
    pub fn may_stall(&self, owes: bool) -> bool {
        if self.is_transcoder() {
            return owes || self.withholds || self.went <= self.latency;
        }
        let passes_on = self.crowded.is_some_and(|crowded| crowded + self.latency >= self.now);
        self.left >= self.now
            || self.overflows.last().is_some_and(|due| due + 2 > self.now)
            || self.out.at + self.slack >= self.now + self.latency
            || self.went <= self.latency
            || passes_on
    }

    /// A beat is taken in this cycle.
    pub fn beat(&mut self) {
        self.entered = self.now.max(self.left + 1);
        self.left = self.entered;
        self.overflows.retain(|due| *due > self.now);
        self.entered += self.overflows.len() as u64;
        self.made_before += self.made;
        self.made = 0;
    }

    /// The beat makes a slot, or of an encoder, holds one.
    pub fn slot(&mut self) {
        self.made += 1;
        if self.role != Role::Encoder {
            let at = self.slots.place(self.entered);
            // A slot or two have room in the core, more keep what is behind them out.
            if self.made > 2 * self.lanes {
                self.left = at;
            }
            // All that was withheld goes out before the unit that told, which may make no slot.
            if self.withholds && self.made_before == 0 {
                self.left = at + 1;
                self.crowded = Some(at + 1);
            }
        }
    }

    /// The last slot goes out; or a unit of it, the first or another (or none, in the time of one). Gives when it is due.
    pub fn item(&mut self, first: bool) -> u64 {
        match self.role {
            Role::Decoder => self.out.place(self.slots.at + self.latency),
            Role::Encoder | Role::Transcoder { .. } => {
                let entered = if self.role == Role::Encoder { self.entered } else { self.slots.at };
                let due = self.out.place(entered.max(self.entered) + self.latency);
                if first {
                    // A slot waits for the units of the one before it, and what is behind it waits, too.
                    let entered = due - self.latency;
                    if entered > self.slots.at {
                        (self.slots.at, self.slots.used) = (entered, 1);
                    }
                    if self.role == Role::Encoder || self.made <= 1 || self.made > 2 * self.lanes {
                        self.left = self.left.max(entered);
                    }
                }
                due
            }
        }
    }

    /// A beat that only ends its frame. Gives when it is due.
    pub fn bare_end(&mut self) -> u64 {
        self.out.close();
        self.out.place(self.entered + self.latency)
    }

    /// The frame ends: no beat holds two frames.
    pub fn frame_ends(&mut self) {
        if self.role == Role::Decoder && self.lanes > 1 && self.out.at > self.entered + self.latency {
            self.overflows.push(self.out.at);
        }
        self.out.close();
        self.slots.close();
        (self.made, self.made_before) = (0, 0);
    }
}
