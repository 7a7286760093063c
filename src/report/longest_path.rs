//! The longest path of a core in an FPGA: what limits its clock.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// The longest path from register to register, of a placed and routed core in its harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LongestPath {
    /// The seed of the placement that the path is of.
    pub seed: u32,
    /// The cells on the path, from the register in which it begins to the register in which it ends.
    pub steps: Vec<PathStep>,
    /// Time before the clock's edge at which the last register needs its input, in ns.
    pub setup_ns: f64,
}

/// A cell on a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// The signal that the cell drives; or, of logic that drives no signal with a name, "near" the signal that synthesis named it after.
    pub signal: String,
    /// The time in the wire to the cell, in ns; 0 for the register that the path leaves.
    pub wire_ns: f64,
    /// The time in the cell, in ns; 0 for the register that the path enters.
    pub cell_ns: f64,
}

impl LongestPath {
    /// The period of the clock that the path allows, in ns.
    pub fn period_ns(&self) -> f64 {
        self.wires_ns() + self.steps.iter().map(|step| step.cell_ns).sum::<f64>() + self.setup_ns
    }

    /// The part of the period that is spent in wires, in ns.
    pub fn wires_ns(&self) -> f64 {
        self.steps.iter().map(|step| step.wire_ns).sum()
    }

    /// Cells between the two registers: lookup tables, and multiplexers.
    pub fn levels(&self) -> usize {
        self.steps.iter().skip(1).filter(|step| step.cell_ns > 0.0).count()
    }
}

/// A line of totals, and a line for each cell with the time at which its output is there.
impl Display for LongestPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { seed, setup_ns, .. } = self;
        let (period, wires, levels) = (self.period_ns(), self.wires_ns(), self.levels());
        let cells = if levels == 1 { "cell" } else { "cells" };
        writeln!(f, "{period:.2} ns, {wires:.2} of them in wires, through {levels} {cells} (seed {seed})")?;
        let mut arrival = 0.0;
        for PathStep { signal, wire_ns, cell_ns } in &self.steps {
            arrival += wire_ns + cell_ns;
            writeln!(f, "  {arrival:5.2}  {signal}")?;
        }
        writeln!(f, "  {:5.2}  setup", arrival + setup_ns)
    }
}

/// The part of nextpnr's report that has the critical paths.
#[derive(Deserialize)]
struct Report {
    critical_paths: Vec<CriticalPath>,
}

/// A path between two clocks, or between a clock and a pin, which has no clock.
#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    delay: f64,
    to: Pin,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

/// The path from register to register in the report that nextpnr wrote with this seed; `None` if it has none.
pub(super) fn of_report(text: &str, seed: u32) -> Option<LongestPath> {
    let report: Report = serde_json::from_str(text).ok()?;
    let critical = report.critical_paths.into_iter().find(|path| path.from == path.to)?;
    let (mut steps, mut setup_ns, mut wire_ns) = (Vec::new(), 0.0, 0.0);
    for Segment { delay, to, kind } in critical.path {
        match kind.as_str() {
            "routing" => {
                steps.push(PathStep { signal: signal(&to.cell), wire_ns: wire_ns + delay, cell_ns: 0.0 });
                wire_ns = 0.0;
            }
            "setup" => setup_ns += delay,
            _ if steps.is_empty() => {
                steps.push(PathStep { signal: signal(&to.cell), wire_ns: 0.0, cell_ns: delay });
            }
            _ => {
                let step: &mut PathStep = steps.last_mut().expect("a path begins in a register");
                step.cell_ns += delay;
            }
        }
    }
    Some(LongestPath { seed, steps, setup_ns })
}

/// The signal that a cell is named after. Yosys names cells after signals: `own_error_LUT4_Z` drives `own_error`; `own_error_LUT4_D` reads it, and
/// `open_reg_SB_DFFESR_Q_D_SB_LUT4_O` is in front of `open_reg`, so both are only near a signal.
fn signal(cell: &str) -> String {
    const KINDS: [&str; 9] =
        ["_SB_", "_LUT4", "_TRELLIS_", "_PFUMX", "_L6MUX21", "_CCU2C", "_DP16KD", "_DFF", "_ALU"];
    const OUTPUTS: [&str; 6] = ["O", "Q", "Z", "S0", "S1", "COUT"];
    if let Some(enable) = cell.strip_prefix("$gbuf_") {
        let end = enable.find("_$glb").unwrap_or(enable.len());
        return format!("global buffer of {}", signal(&enable[..end]));
    }
    let end = KINDS.iter().filter_map(|kind| cell.find(kind)).min().unwrap_or(cell.len());
    let (name, rest) = cell.split_at(end);
    let name = name.strip_prefix("core.").unwrap_or(name);
    // A kind of one or two words, the port, and perhaps the number of a bit. nextpnr adds that a cell is a logic cell.
    let words: Vec<&str> = rest.split('_').skip(1).filter(|word| !word.ends_with("LC")).collect();
    let port = match words.first() {
        Some(&("SB" | "TRELLIS")) => 2,
        _ => 1,
    };
    let drives = words.get(port).is_none_or(|port| OUTPUTS.contains(port))
        && words.iter().skip(port + 1).all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if drives { name.to_owned() } else { format!("near {name}") }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// Paths to pins come first in these reports.
    #[test]
    fn paths_from_register_to_register_are_read_from_reports() {
        let path = of_report(include_str!("../../tests/data/report/hx8k_timing.json"), 1).unwrap();
        expect![[r#"
            5.33 ns, 3.26 of them in wires, through 3 cells (seed 1)
               0.54  open_reg
               2.41  near trailing_reg
               3.38  near held_user_reg
               4.28  near open_reg
               4.87  open_reg
               5.33  setup
        "#]]
        .assert_eq(&path.to_string());
        assert!((1000.0 / path.period_ns() - 187.4765625).abs() < 0.1);
        let path = of_report(include_str!("../../tests/data/report/ecp5_timing.json"), 1).unwrap();
        expect![[r#"
            3.15 ns, 2.09 of them in wires, through 3 cells (seed 1)
               0.40  unit_valid_reg
               1.57  own_error
               2.26  near own_error
               2.88  near held_error_reg
               3.15  slot_error_reg
               3.15  setup
        "#]]
        .assert_eq(&path.to_string());
        assert!((1000.0 / path.period_ns() - 317.6620178222656).abs() < 0.1);
        assert_eq!(of_report(r#"{"critical_paths":[]}"#, 1), None);
    }
}
