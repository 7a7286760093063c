//! A bench that judges a trace by the [`Schedule`] alone.

use utfhdl_hdl::core::CoreSpec;

use crate::promise::drawn::{Cycle, Drawn};
use crate::promise::{Beat, Item, Made, Reference, Schedule, Timing};

/// An item owed, as the traces have it.
pub(in crate::promise) struct Expected {
    item: Option<Item>,
    last: bool,
    amiss: bool,
}

/// The schedule of a core with its reference.
pub(in crate::promise) struct Judge {
    reference: Reference,
    schedule: Schedule<Expected>,
    decodes: bool,
}

impl Judge {
    /// Returns the cycle in which the trace breaks a rule, and the port at which that shows. The core has been idle long before the
    /// trace. `look` is called before the trace and after each cycle of it, with the first cycle of the trace and the schedule.
    pub(in crate::promise) fn run(
        spec: CoreSpec,
        latency: u32,
        trace: &Drawn,
        mut look: impl FnMut(u64, &Schedule<Expected>),
    ) -> Option<(usize, String)> {
        let mut judge = Self {
            reference: Reference::of_spec(spec),
            schedule: Schedule::new(Timing::new(spec, latency), 0),
            decodes: !spec.role.has_encoder(),
        };
        let start = u64::from(latency) + 2;
        for cycle in 0..start {
            judge.schedule.cycle(cycle, false, false).expect("the core is ready");
        }
        look(start, &judge.schedule);
        for (at, cycle) in trace.cycles.iter().enumerate() {
            let now = start + at as u64;
            if let Err(port) = judge.see(now, cycle) {
                return Some((at, port.to_owned()));
            }
            if let Some(beat) = cycle.input.as_ref().filter(|_| cycle.input_ready) {
                judge.take(now, beat);
            }
            look(start, &judge.schedule);
        }
        (!judge.schedule.is_empty()).then(|| (trace.cycles.len(), "m_axis_tvalid".to_owned()))
    }

    /// Judges the outputs of a cycle; the error is the port that breaks a rule.
    fn see(&mut self, now: u64, cycle: &Cycle) -> Result<(), &'static str> {
        let waits = cycle.output.is_some() && !cycle.output_ready;
        self.schedule.cycle(now, waits, !cycle.input_ready).map_err(|_| "s_axis_tready")?;
        if let Some(beat) = &cycle.output {
            self.schedule.check_certain(now).map_err(|_| "m_axis_tvalid")?;
            if waits {
                return Ok(());
            }
            self.compare(now, beat, cycle.amiss)?;
        }
        self.schedule.check_punctual().map_err(|_| "m_axis_tvalid")
    }

    fn compare(&mut self, now: u64, beat: &Beat, amiss: bool) -> Result<(), &'static str> {
        let mut end = None;
        for item in &beat.items {
            if end.is_some() {
                return Err("m_axis_tkeep");
            }
            self.schedule.check_certain(now).map_err(|_| "m_axis_tvalid")?;
            let expected = self.schedule.pop().expect("an item is certain");
            match expected.item {
                None => return Err("m_axis_tkeep"),
                Some(owed) if owed.user != item.user => return Err("m_axis_tuser"),
                Some(owed) if owed.data != item.data => return Err("m_axis_tdata"),
                Some(_) => end = expected.last.then_some(expected),
            }
        }
        if beat.items.is_empty() {
            end = self.schedule.pop().filter(|expected| expected.item.is_none());
            end.as_ref().ok_or("m_axis_tkeep")?;
        }
        if end.is_some() != beat.last {
            return Err("m_axis_tlast");
        }
        if !self.schedule.is_filled(beat.items.len(), beat.last) {
            return Err("m_axis_tkeep");
        }
        match end {
            Some(end) if end.amiss != amiss && !self.decodes => Err("m_axis_tuser"),
            _ => Ok(()),
        }
    }

    fn take(&mut self, now: u64, beat: &Beat) {
        let mut made = Vec::new();
        self.reference.take(&beat.items, beat.last, &mut made, &mut Default::default());
        self.schedule.beat(now);
        let expected = |item| Expected { item, last: false, amiss: false };
        for made in made {
            match made {
                Made::Slot => self.schedule.slot(),
                Made::Step => self.schedule.step(),
                Made::WithheldSlot => self.schedule.withheld_slot(),
                Made::Item(item, _) => self.schedule.owe(expected(Some(item))),
                Made::SlotItem(item, _) => {
                    self.schedule.slot();
                    self.schedule.owe(expected(Some(item)));
                }
                Made::Dropped => self.schedule.dropped(),
                Made::BareEnd(_) => self.schedule.owe_bare_end(expected(None)),
            }
        }
        if beat.last {
            let end = self.schedule.last_mut().expect("a frame has an end");
            (end.last, end.amiss) = (true, self.reference.frame_is_amiss());
            self.schedule.frame_ends();
        }
    }
}
