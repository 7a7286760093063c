//! The longest path of a core in an FPGA: what limits its clock.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// The longest path from register to register, of a placed and routed core in its harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LongestPath {
    /// The seed of the placement that the path is of.
    pub seed: u32,
    /// The cells that the path goes through, from the register that it leaves to the one that it enters.
    pub steps: Vec<PathStep>,
    /// Time before the clock's edge at which the last register needs its input, in ns.
    pub setup_ns: f64,
}

/// A cell on a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// The signal that synthesis named the cell after, without the harness around the core.
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

    /// Cells between the two registers: levels of lookup tables, and of the multiplexers behind them.
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
                steps.push(PathStep {
                    signal: signal(&to.cell).to_owned(),
                    wire_ns: wire_ns + delay,
                    cell_ns: 0.0,
                });
                wire_ns = 0.0;
            }
            "setup" => setup_ns += delay,
            _ if steps.is_empty() => {
                steps.push(PathStep { signal: signal(&to.cell).to_owned(), wire_ns: 0.0, cell_ns: delay });
            }
            _ => {
                let step: &mut PathStep = steps.last_mut().expect("a path begins in a register");
                step.cell_ns += delay;
            }
        }
    }
    Some(LongestPath { seed, steps, setup_ns })
}

/// The signal in the name that Yosys gave to a cell: what stands before the kind of the cell, without the instance of the core.
fn signal(cell: &str) -> &str {
    const KINDS: [&str; 9] =
        ["_SB_", "_LUT4", "_TRELLIS_", "_PFUMX", "_L6MUX21", "_CCU2C", "_DP16KD", "_DFF", "_ALU"];
    let end = KINDS.iter().filter_map(|kind| cell.find(kind)).min().unwrap_or(cell.len());
    let name = &cell[..end];
    name.strip_prefix("core.").unwrap_or(name)
}
