//! The rules of the handshake, checked in every cycle.

use super::failure::{Difference, Failure};
use crate::promise::Item;
use crate::promise::{Carries, Ports};

/// Cycles without a handshake that a core is given where something is to be done and the sink is ready.
const PATIENCE: u64 = 64;

/// Watches the output of a core.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Outputs of the cycle before, where a beat was offered then and not taken.
    waiting: Option<Vec<u64>>,
    idle: u64,
}

impl Monitor {
    /// Checks the outputs of a cycle in reset.
    pub fn check_reset(&self, ports: &Ports, cycle: u64, outputs: &[u64]) -> Result<(), Failure> {
        let rule = "low in reset";
        if ports.takes(outputs) {
            return Err(broken(cycle, "s_axis_tready", rule, "it is high"));
        }
        if ports.offers(outputs) {
            return Err(broken(cycle, "m_axis_tvalid", rule, "it is high"));
        }
        Ok(())
    }

    /// Checks the outputs of a cycle; `ready` says whether the sink was.
    pub fn check(&mut self, ports: &Ports, cycle: u64, outputs: &[u64], ready: bool) -> Result<(), Failure> {
        if let Some(before) = &self.waiting {
            for port in ports.held_while_waiting() {
                if !port.is_same(before, outputs) {
                    let [old, new] = [before, outputs].map(|record| hexadecimal(&port.value(record)));
                    let found = format!("it went from {old} to {new}");
                    return Err(broken(cycle, &port.name, "stable while tvalid waits for tready", &found));
                }
            }
        }
        if ports.offers(outputs) {
            check_beat(ports, cycle, outputs)?;
        }
        self.waiting = (ports.offers(outputs) && !ready).then(|| outputs.to_vec());
        Ok(())
    }

    /// Checks that something happens as long as `outstanding` says that it should.
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
        if self.idle > PATIENCE {
            let found = format!("no beat moved in {PATIENCE} cycles with m_axis_tready high");
            return Err(broken(cycle, "m_axis_tvalid", "a core goes on while its output is taken", &found));
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
        return Err(broken(cycle, "m_axis_tlast", "a beat that holds nothing ends a frame", "it is low"));
    }
    if !last && ports.amiss(outputs) == Some(true) {
        return Err(broken(cycle, "m_axis_tuser", "low on all beats but the last of a frame", "it is high"));
    }
    for lane in 0..ports.lanes {
        let item = ports.item(outputs, lane);
        let kept = keep >> lane & 1 == 1;
        if !kept && item != Item::default() {
            let found = format!("lane {lane} holds tuser {} and tdata {:#x}", item.user, item.data);
            return Err(broken(cycle, "m_axis_tdata", "unused lanes are zero", &found));
        }
        if ports.carries_out() == Carries::Slots && item.slot().is_none() {
            let found = format!("lane {lane} holds {}", item.user);
            return Err(broken(cycle, "m_axis_tuser", "0 to 10, 14 or 15", &found));
        }
    }
    Ok(())
}

fn broken(cycle: u64, port: &str, rule: &'static str, found: &str) -> Failure {
    let difference = Difference::Rule { rule, found: found.to_owned() };
    Failure { cycle, port: port.to_owned(), difference, event: None }
}

/// A value of any width, as in Verilog.
pub fn hexadecimal(words: &[u64]) -> String {
    let text: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = text.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}
