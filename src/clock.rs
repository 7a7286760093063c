//! The fewest pipeline stages with which a core of several lanes reaches a clock, by measured delays of a device.
//!
//! The core is built with each number of steps a stage. A cycle takes as long as the most lookup tables in a row between two registers
//! do in the device, as measured on cores that were placed and routed. The answer is an estimate: seeds of the placement spread by 7 %.

use utfhdl_hdl::core::{Core, CoreError, CoreSpec, Steps};
use utfhdl_sim::aig::{Start, TooLarge, blast};

use crate::report::Device;

/// The delays of a device in nanoseconds, of cores that were measured: docs/performance.md has the figures and the command.
struct Delays {
    device: &'static str,
    /// The cycle of a core with a step a stage, of 2 lanes, of 4 and so on, with [`FEW_LEVELS`].
    one_step: &'static [f64],
    /// The least that sharing stages adds to `one_step`: the output and the enables of all stages become longer paths.
    shared: f64,
    /// The cycle of two lanes without lookup tables, where steps share stages.
    fixed: f64,
    /// The delay of each level of lookup tables, where steps share stages.
    level: f64,
    /// The delay that each doubling of two lanes adds where steps share stages, since nets become longer.
    doubling: f64,
}

/// The levels of decoders of `utf-8` with a step a stage.
const FEW_LEVELS: u32 = 5;

const DELAYS: [Delays; 2] = [
    Delays {
        device: "ecp5-85k",
        one_step: &[3.0, 3.1, 3.5, 3.6, 4.0, 5.1],
        shared: 0.9,
        fixed: 0.45,
        level: 0.47,
        doubling: 0.72,
    },
    Delays {
        device: "hx8k",
        one_step: &[5.5, 5.6, 5.4],
        shared: 0.0,
        fixed: 1.7,
        level: 0.68,
        doubling: 1.0,
    },
];

/// A choice of stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Steps that share a stage.
    pub pipeline: Steps,
    /// The clock in MHz that the core reaches by the table.
    pub mhz: f64,
}

/// The reason for which no stages are chosen.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// Nothing is known of the device.
    #[error("delays in {device} were not measured, only in {}: choose one of these, or --pipeline", known())]
    Device {
        /// The device.
        device: Device,
    },
    /// Cores of as many lanes were not measured.
    #[error("delays of {lanes} lanes in {device} were not measured: choose --pipeline, or another --device")]
    Lanes {
        /// The lanes.
        lanes: u32,
        /// The device.
        device: Device,
    },
    /// The core has one lane.
    #[error("the stages of a core of one lane are fixed: leave --clock out, or choose more lanes")]
    OneLane,
    /// The core is slower with any number of stages.
    #[error("{core} reaches {:.0} MHz in {device} at most, by measured delays: ask for that or less", best.floor())]
    TooFast {
        /// The name of the core.
        core: String,
        /// The device.
        device: Device,
        /// The highest clock in MHz.
        best: f64,
    },
    /// There is no such core.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The core is too large to be measured.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

fn known() -> String {
    DELAYS.map(|delays| delays.device).join(" and ")
}

/// The fewest stages with which `spec` reaches `mhz` in `device`.
///
/// # Errors
/// If there are none, or nothing is known of the device.
pub fn fewest_stages(spec: CoreSpec, device: Device, mhz: u32) -> Result<Choice, ClockError> {
    let name = device.to_string();
    let delays = DELAYS.iter().find(|delays| delays.device == name).ok_or(ClockError::Device { device })?;
    if spec.lanes == 1 {
        return Err(ClockError::OneLane);
    }
    let (mut best, mut shortest): (f64, Option<(u32, Choice)>) = (0.0, None);
    for steps in 1..=Steps::MOST_STEPS {
        let pipeline = if steps == 1 { Steps::Auto } else { Steps::Number(steps) };
        let core = Core::new(CoreSpec { pipeline, ..spec })?;
        let levels = blast(&core.design, Start::Zero)?.levels();
        let not_measured = || ClockError::Lanes { lanes: spec.lanes, device };
        let reached = delays.mhz(levels, spec.lanes, steps).ok_or_else(not_measured)?;
        best = best.max(reached);
        let is_shorter = shortest.is_none_or(|(latency, _)| core.latency < latency);
        if reached >= f64::from(mhz) && is_shorter {
            shortest = Some((core.latency, Choice { pipeline, mhz: reached }));
        }
    }
    let too_fast = || ClockError::TooFast { core: spec.to_string(), device, best };
    shortest.map(|(_, choice)| choice).ok_or_else(too_fast)
}

impl Delays {
    /// The clock of a core with as many levels on its longest path, and as many steps a stage; `None` of lanes that were not measured.
    fn mhz(&self, levels: u32, lanes: u32, steps: u32) -> Option<f64> {
        let doublings = lanes.ilog2() - 1;
        let one_step = self.one_step.get(doublings as usize)?;
        let cycle = if steps == 1 {
            one_step + f64::from(levels.saturating_sub(FEW_LEVELS)) * self.level
        } else {
            let of_levels =
                self.fixed + f64::from(levels) * self.level + f64::from(doublings) * self.doubling;
            of_levels.max(one_step + self.shared)
        };
        Some(1000.0 / cycle)
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{Role, System};

    use super::*;

    fn choice(lanes: u32, device: &str, mhz: u32) -> Result<(u32, f64), ClockError> {
        let spec = CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) };
        let Choice { pipeline, mhz } = fewest_stages(spec, device.parse().expect("a device"), mhz)?;
        Ok((Core::new(CoreSpec { pipeline, ..spec })?.latency, mhz))
    }

    /// Clocks that nextpnr found for `utf-8` decoders, in the table of docs/performance.md.
    #[test]
    fn a_chosen_core_reaches_its_clock() {
        for (lanes, device, cycles, measured) in [
            (2, "ecp5-85k", 5, 178.0),
            (2, "ecp5-85k", 12, 321.7),
            (2, "ecp5-85k", 6, 255.7),
            (8, "ecp5-85k", 5, 132.0),
            (8, "ecp5-85k", 6, 192.0),
            (2, "hx8k", 5, 115.0),
            (2, "hx8k", 6, 166.0),
            (8, "hx8k", 5, 86.5),
            (8, "hx8k", 6, 124.3),
        ] {
            let asked = measured as u32 * 9 / 10;
            let (latency, mhz) = choice(lanes, device, asked).expect("it is slower than was measured");
            assert_eq!(latency, cycles, "{lanes} lanes in {device}");
            assert!((mhz / measured - 1.0).abs() < 0.1, "{mhz} MHz, where {measured} were measured");
        }
    }

    #[test]
    fn faster_clocks_take_more_stages_until_there_are_no_more() {
        let latencies = [100, 200, 280, 320].map(|mhz| choice(2, "ecp5-85k", mhz).expect("it is reached").0);
        assert!(latencies.is_sorted() && latencies[0] < latencies[1] && latencies[1] < latencies[2]);
        let error =
            |lanes, device: &str, mhz| choice(lanes, device, mhz).expect_err("it is refused").to_string();
        assert!(error(2, "ecp5-85k", 500).contains("reaches 333 MHz in ecp5-85k at most"));
        assert!(error(1, "ecp5-85k", 100).contains("one lane are fixed"));
        assert!(error(2, "up5k", 100).contains("only in ecp5-85k and hx8k"));
        assert!(error(16, "hx8k", 10).contains("of 16 lanes in hx8k were not measured"));
    }
}
