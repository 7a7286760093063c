//! The timing rules: the cycle by which each item has to be on the output, and when a core may refuse its input.
//!
//! A core owes full throughput. An item is on the output `latency` cycles after the beat that made it certain was taken, or
//! in the beat behind the item before it: between two items that are owed there is never a bubble. A cycle in which the
//! output waits for `tready` delays everything behind it by that cycle. So these rules count time without such cycles. On
//! this clock
//!
//! - a beat enters the core in the cycle in which it is taken, or in the cycle behind the beat before it (beats that were
//!   taken while the output waited enter one after the other);
//! - the slots of one input beat fill output beats from the beat `latency` cycles later on; a slot for which there is no room
//!   left (a *carry*) goes into the next output beat, before the slots of the next input beat. With one lane the n-th slot of
//!   a beat so comes n - 1 cycles after the first;
//! - slots that were withheld go out before the unit that released them enters. Units behind that one keep their
//!   distance: a unit that makes no slot leaves a gap, even between two items that are owed;
//! - the units that an encoder writes for one slot follow one another; they wait for the units of the slot before, and the
//!   units of a slot that cuts a group wait for the replacement of that group. An error that an encoder drops takes the time of
//!   one unit, because what the slot is shows only where it would be written. Heads and limbs take no time;
//! - a dense core ([`Packing::Dense`]) sends a beat when the beat is full or the frame ends;
//! - with several lanes, an encoder takes a beat for as many cycles as output beats are made of it, one at least: the next beat enters
//!   behind the last of these. In a transcoder, the next beat enters beside the last of these if nothing else of the beat is left over,
//!   and a beat without slots takes no cycle;
//! - with several lanes, an encoder of `utf-inf-8` takes a beat in which a slot is a head or a limb, or stands behind one, slot by slot.
//!   A slot enters a cycle behind the one before it, with two lanes two cycles, and behind the output beats that were made of that; one
//!   that writes nothing takes no time behind those. Where errors are dropped, a slot of a frame's last beat enters with the slots behind
//!   it that write nothing.
//!
//! A core may keep its source waiting
//!
//! - up to `latency` cycles behind a wait of its output, since a wait takes that long from one end of the pipeline to the other;
//! - where that delays no item: while beats that it took have still to enter, or while the items that are owed keep the output
//!   busy until an item of the refused beat could get there;
//! - for one cycle where a core of several lanes sends one beat more than a frame had. That cycle, up to `latency` cycles behind
//!   the frame's last beat, delays everything that the core holds, gaps between beats included;
//! - for as many cycles as it has more units to write than lanes for the slots that came in, or in a transcoder of several lanes more
//!   output beats than beats that came in, until it owes nothing;
//! - for four cycles where it releases withheld slots.
//!
//! A transcoder of one lane stops its decoding stages, gaps between units included, while there is no room behind them. What they hold is
//! delayed by the cycles in which a transcoder keeps its source waiting, so these cycles don't count either. In a transcoder
//! of documents the unit that waits for withheld slots makes room for others in front of it, which hides such cycles from the
//! outside: items may be up to `latency` cycles late there. So they may in a transcoder of several lanes that has kept its source
//! waiting, until it owes nothing.
//!
//! [`Packing::Dense`]: utfhdl_hdl::core::Packing::Dense

use utfhdl_hdl::core::{Packing, Role};

use super::beats::Beats;
use super::timing::Timing;

/// Cycles in which a core may refuse its input because it releases withheld slots, once a frame.
const RELEASE_CYCLES: u64 = 4;

/// The clock of a core, and how far its input and its output have come by that clock.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    timing: Timing,
    /// Cycles that don't count: the output waited, or a transcoder refused its input.
    uncounted: u64,
    /// The cycle at hand less those.
    now: u64,
    /// Cycles since the output waited last.
    since_wait: u64,
    /// Items may be late since a transcoder of several lanes has refused its input, and still owes something.
    is_delayed: bool,
    /// When the last beat entered.
    entered: u64,
    /// When its step at hand could, so many cycles behind the last step that made an item.
    arrived: u64,
    /// The next beat enters behind this cycle.
    busy_until: u64,
    /// What these two were before the beat at hand, if that has no step yet.
    before_beat: Option<(u64, u64)>,
    /// Slots, and items, that the beat at hand has made.
    slots_made: usize,
    items_made: usize,
    /// Whether the beat at hand releases withheld slots.
    releases: bool,
    /// Cycles in which the core may keep its source waiting though that may cost time.
    spare: u64,
    /// The beats that are still to go out because a frame needed one more than it had.
    extra: Vec<u64>,
    /// Whether the output beat that is not complete holds the first unit of a slot, and whether that slot keeps the next
    /// input beat out.
    begins_slot: bool,
    /// When the beat at hand has made its last output beat, less the latency, if it has made one.
    made_beat: Option<u64>,
    keeps_out: bool,
    /// The slots of a decoder or transcoder, by the cycle in which a decoder would put them out, less the latency.
    slots: Beats,
    /// What goes out.
    out: Beats,
}

/// When an item is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The item and all that wait in its beat go out by this cycle, on the core's clock.
    By(u64),
    /// The beat of the item is not full yet.
    Waiting,
}

impl Pace {
    /// The pace of a core that leaves reset in cycle `start`. Such a core is ready a cycle later.
    pub(super) fn new(timing: Timing, start: u64) -> Self {
        Self {
            uncounted: 0,
            now: start,
            since_wait: 0,
            is_delayed: false,
            entered: start,
            arrived: start,
            busy_until: start,
            before_beat: None,
            slots_made: 0,
            items_made: 0,
            releases: false,
            spare: 0,
            extra: Vec::new(),
            begins_slot: false,
            made_beat: None,
            keeps_out: false,
            slots: Beats::new(timing.lanes, Packing::Beat),
            out: Beats::new(timing.lanes, timing.packing),
            timing,
        }
    }

    /// A cycle goes by. `waits` says whether the core offers a beat that is not taken, `refuses` whether its `tready` is low.
    #[inline]
    pub(super) fn cycle(&mut self, cycle: u64, waits: bool, refuses: bool) {
        self.now = cycle - self.uncounted;
        self.uncounted += u64::from(waits || refuses && self.timing.is_narrow_transcoder());
        self.since_wait = if waits { 0 } else { self.since_wait + 1 };
        self.is_delayed |= refuses && self.timing.is_wide_transcoder();
    }

    /// Nothing is owed.
    #[inline]
    pub(super) fn owes_nothing(&mut self) {
        self.is_delayed = false;
    }

    /// Whether an item that is due in cycle `due` of the core's clock is late, if it has not come by now.
    pub(super) fn is_late(&self, due: u64) -> bool {
        let latency = self.timing.latency;
        let may_be = match self.timing.lanes {
            1 => self.timing.withholds && self.timing.is_narrow_transcoder(),
            _ => self.is_delayed,
        };
        let hidden = if may_be { latency } else { 0 };
        due + hidden <= self.now
    }

    /// The cycle in which `due` comes if the output never waits from now on.
    pub(super) fn cycle_of(&self, due: u64) -> u64 {
        due + self.uncounted
    }

    /// Whether the core may keep its source waiting in this cycle, which it does. `owes` says whether any item is still to go out.
    #[inline]
    pub(super) fn may_refuse(&mut self, owes: bool) -> bool {
        let latency = self.timing.latency;
        if self.since_wait <= latency {
            return true;
        }
        if !owes {
            self.spare = 0;
        }
        let costs_nothing = !self.timing.is_narrow_transcoder()
            && (self.busy_until.max(self.arrived) >= self.now || self.out.complete() >= self.now + latency);
        let may = costs_nothing || self.spare > 0;
        self.spare = self.spare.saturating_sub(1);
        may
    }

    /// A beat is taken in this cycle.
    #[inline]
    pub(super) fn beat(&mut self) {
        self.before_beat = Some((self.arrived, self.busy_until));
        self.entered = self.now.max(self.busy_until + 1);
        if self.timing.role == Role::Encoder {
            self.entered = self.entered.max(self.arrived + 1);
            self.arrived = self.entered;
        }
        // In a transcoder of several lanes, a beat without slots leaves a gap.
        if !self.timing.is_wide_transcoder() {
            self.busy_until = self.entered;
        }
        // Each beat that a frame needed more may hold this one up for a cycle.
        if !self.extra.is_empty() {
            self.extra.retain(|&cycle| cycle > self.now);
            self.entered += self.extra.len() as u64;
        }
        self.slots_made = 0;
        self.items_made = 0;
        self.made_beat = None;
        self.releases = false;
    }

    /// A slot that was withheld is released. All of these go out before the unit that released them enters.
    pub(super) fn withheld_slot(&mut self) {
        self.slots.place(self.entered, true);
        self.entered = self.slots.cycle() + 1;
        self.busy_until = self.entered;
        if !std::mem::replace(&mut self.releases, true) {
            self.spare += RELEASE_CYCLES;
        }
    }

    /// The beat makes a slot; the beat of an encoder holds one.
    #[inline]
    pub(super) fn slot(&mut self) {
        self.slots_made += 1;
        if self.timing.is_wide_transcoder() {
            self.busy_until = self.busy_until.max(self.entered);
        }
        if self.timing.role == Role::Encoder || self.timing.is_wide_transcoder() {
            return;
        }
        let cycle = self.slots.place(self.entered, self.slots_made == 1);
        // There is room for a slot or two in the core; more keep the next beat out.
        if self.slots_made > 2 * self.timing.lanes {
            self.busy_until = cycle;
        }
    }

    /// The slots that follow are a step of the beat, and enter a cycle behind the step before. A step that makes no item takes no time
    /// behind that.
    pub(super) fn step(&mut self) {
        match self.before_beat.take() {
            Some((arrived, busy_until)) => {
                (self.arrived, self.busy_until) = (self.now.max(arrived + 1), busy_until);
            }
            None => self.arrived += 1,
        }
        self.entered = self.arrived.max(self.busy_until + 1);
    }

    /// An encoder drops an error, which takes the time of one unit, but no lane where there are several. `first` says that no item
    /// of the slot went out before.
    pub(super) fn dropped(&mut self, first: bool) {
        if self.timing.lanes == 1 {
            self.item(first);
        }
    }

    /// An item of the last slot goes out. `first` says that no item of the slot went out before.
    #[inline]
    pub(super) fn item(&mut self, first: bool) -> Due {
        let latency = self.timing.latency;
        self.items_made += 1;
        // Units that are left over behind the last output beat keep the next beat out of the cycle in which that is made.
        if let Some(made) = self.made_beat {
            self.busy_until = self.busy_until.max(made);
        }
        if self.items_made > self.timing.lanes
            && self.timing.role.has_encoder()
            && !self.timing.is_wide_transcoder()
        {
            self.spare += 1;
        }
        if !self.timing.role.has_encoder() {
            let cycle = self.out.place(self.slots.cycle() + latency, self.items_made == 1);
            return if self.out.is_open() { Due::Waiting } else { Due::By(cycle) };
        }
        let entered = if self.timing.is_narrow_transcoder() { self.slots.cycle() } else { self.entered };
        self.out.place(entered.max(self.entered) + latency, false);
        if self.timing.takes_by_output_beats() {
            self.keeps_out = true;
            self.busy_until = self.busy_until.max(self.entered);
            self.arrived = self.arrived.max(self.entered);
        }
        if first {
            self.begins_slot = true;
            // A transcoder has room for a second slot of the same beat.
            self.keeps_out |= self.timing.role == Role::Encoder
                || self.slots_made <= 1
                || self.slots_made > 2 * self.timing.lanes;
        }
        if self.out.is_open() {
            return Due::Waiting;
        }
        Due::By(self.complete())
    }

    /// The output beat is complete: a slot whose first unit is in that beat has waited for the units of the slot before, and so
    /// has everything behind it. Returns the cycle of the output beat.
    fn complete(&mut self) -> u64 {
        let cycle = self.out.complete();
        let entered = cycle - self.timing.latency;
        if std::mem::take(&mut self.begins_slot) {
            self.slots.move_to(entered);
        }
        let keeps_out = std::mem::take(&mut self.keeps_out);
        if self.timing.is_wide_transcoder() {
            self.spare += u64::from(self.made_beat.is_some());
            self.made_beat = Some(entered);
            self.busy_until = self.busy_until.max(entered.saturating_sub(1));
        } else if keeps_out {
            self.busy_until = self.busy_until.max(entered);
        }
        cycle
    }

    /// The last beat of the frame made nothing that could carry the frame's end. Returns when a beat that only ends the frame
    /// is due, or [`Due::Waiting`] if units still wait for others, which then carry the end.
    pub(super) fn bare_end(&mut self) -> Due {
        if self.out.is_open() {
            return Due::Waiting;
        }
        self.out.close(0);
        let cycle = self.out.place(self.entered + self.timing.latency, false);
        self.out.close(0);
        Due::By(cycle)
    }

    /// The frame ends: no beat holds items of two frames. Returns when the items are due that waited for more.
    pub(super) fn frame_ends(&mut self) -> Option<u64> {
        self.busy_until = self.busy_until.max(self.entered);
        let waiting = self.out.is_open();
        let made = if self.timing.role.has_encoder() { 0 } else { self.slots.cycle() };
        self.out.close(made.max(self.entered) + self.timing.latency);
        let begins = self.slots.opened().filter(|_| self.slots_made > 0);
        let needs_more = self.out.cycle() > begins.unwrap_or(self.entered) + self.timing.latency;
        if needs_more && self.timing.lanes > 1 && !self.timing.is_wide_transcoder() {
            self.spare += 1;
            if !self.timing.role.has_encoder() {
                self.extra.push(self.out.cycle());
            }
        }
        let due = waiting.then(|| self.complete());
        self.slots.close(0);
        due
    }
}
