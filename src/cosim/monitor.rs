//! The rules of the handshake, checked in every cycle.

use utfhdl_hdl::core::Core;

use super::failure::{Difference, Failure};
use crate::promise::{Carries, Item, Ports, cycles_of_slot};

/// Cycles without a handshake after which a core is said to hang, if it has something to do and the sink is ready.
const PATIENCE: u64 = 128;

/// Watches the handshakes of a core.
#[derive(Debug, Default)]
pub struct Monitor {
    /// The outputs of the cycle before, if a beat waited then.
    before: Vec<u64>,
    waited: bool,
    /// Cycles with a ready sink in which no beat moved though one should.
    idle: u64,
    /// Cycles without a handshake after which this core is said to hang.
    patience: u64,
}

impl Monitor {
    /// A monitor of `core`, which leaves reset.
    pub fn new(core: &Core) -> Self {
        // A core that takes slots one by one can hold beats that are full of slots of which it writes nothing.
        let cycles_of_beat =
            cycles_of_slot(core.spec).map_or(0, |cycles| cycles as u64 * u64::from(core.spec.lanes));
        let patience = PATIENCE + u64::from(core.sweep) + u64::from(core.latency) * cycles_of_beat;
        Self { patience, ..Self::default() }
    }

    /// Checks the outputs of a cycle in reset.
    pub fn check_reset(&self, ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
        let rule = "low in reset";
        if ports.takes(outputs) {
            return Err(broken(cycle, "s_axis_tready", rule, "it is high"));
        }
        if ports.offers(outputs) {
            return Err(broken(cycle, "m_axis_tvalid", rule, "it is high"));
        }
        if ports.offers_status(outputs) {
            return Err(broken(cycle, "status_tvalid", rule, "it is high"));
        }
        Ok(())
    }

    /// Checks the outputs of a cycle; `ready` says whether the sink takes the beat, and `is_expected` whether the beat is known to
    /// be the expected one, which breaks no rule by itself.
    #[inline]
    pub fn check(
        &mut self,
        ports: &Ports,
        cycle: u64,
        outputs: &[u64],
        ready: bool,
        is_expected: bool,
    ) -> Result<(), Failure> {
        let offers = ports.offers(outputs);
        let waited = std::mem::replace(&mut self.waited, offers && !ready);
        if waited {
            self.check_held(ports, cycle, outputs)?;
        }
        if self.waited {
            self.before.clear();
            self.before.extend_from_slice(outputs);
        }
        if offers && !is_expected { check_beat(ports, cycle, outputs) } else { Ok(()) }
    }

    /// Checks that a beat that waited is still there.
    fn check_held(&self, ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
        match ports.held_while_waiting().find(|port| !port.is_same(&self.before, outputs)) {
            None => Ok(()),
            Some(port) => {
                let [old, new] = [&self.before, outputs].map(|record| hexadecimal(&port.value(record)));
                let found = format!("it went from {old} to {new}");
                Err(broken(cycle, &port.name, "stable while tvalid waits for tready", &found))
            }
        }
    }

    /// Checks that the core does not hang: a beat moves, unless nothing is `outstanding`.
    #[inline]
    pub fn check_progress(
        &mut self,
        cycle: u64,
        outstanding: bool,
        moved: bool,
        ready: bool,
    ) -> Result<(), Failure> {
        if moved || !outstanding {
            self.idle = 0;
        } else {
            self.idle += u64::from(ready);
        }
        let Self { patience, idle, .. } = *self;
        if idle > patience {
            let found = format!("no beat moved in {patience} cycles with m_axis_tready high");
            return Err(broken(cycle, "m_axis_tvalid", "high again while the output is taken", &found));
        }
        Ok(())
    }
}

fn check_beat(ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
    if let Some(port) = ports.uneven(outputs) {
        let found = format!("it is {}", hexadecimal(&port.value(outputs)));
        return Err(broken(cycle, &port.name, "alike in all bits that say one thing", &found));
    }
    let keep = ports.keep(outputs);
    if keep & keep.wrapping_add(1) != 0 {
        let found = format!("it is {keep:#b}");
        return Err(broken(cycle, "m_axis_tkeep", "contiguous from lane 0", &found));
    }
    let last = ports.last(outputs);
    if keep == 0 && !last {
        return Err(broken(cycle, "m_axis_tlast", "high on a beat without items", "it is low"));
    }
    if !last && ports.amiss(outputs) == Some(true) {
        return Err(broken(cycle, "m_axis_tuser", "low on all beats but the last of a frame", "it is high"));
    }
    for lane in 0..ports.lanes_out {
        let item = ports.item(outputs, lane);
        let is_kept = keep >> lane & 1 == 1;
        // The end of a frame without units can have errors in lane 0, which the scoreboard compares.
        let is_marked_end = keep == 0 && lane == 0 && matches!(ports.carries_out(), Carries::Marked { .. });
        let item = if is_marked_end { Item { user: 0, ..item } } else { item };
        if !is_kept && item != Item::default() {
            let found = format!("lane {lane} holds tuser {} and tdata {:#x}", item.user, item.data);
            return Err(broken(cycle, "m_axis_tdata", "zero in unused lanes, like tuser", &found));
        }
        if !is_kept && ports.has_places() && ports.places(outputs, lane).iter().any(|&(place, _)| place != 0)
        {
            let found = format!("lane {lane} holds a position, a line or a column");
            return Err(broken(cycle, "m_axis_tuser", "zero in unused lanes", &found));
        }
        if ports.carries_out().is_slots() && item.slot().is_none() {
            let found = format!("lane {lane} holds {}", item.user);
            return Err(broken(cycle, "m_axis_tuser", "0 to 10, 14 or 15", &found));
        }
    }
    Ok(())
}

#[cold]
fn broken(cycle: u64, port: &str, rule: &'static str, found: &str) -> Failure {
    let difference = Difference::Rule { rule, found: found.to_owned() };
    Failure { cycle, port: port.to_owned(), difference, event: None }
}

/// A value of any width in hexadecimal, as in Verilog; least significant word first.
pub fn hexadecimal(words: &[u64]) -> String {
    let text: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = text.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}
