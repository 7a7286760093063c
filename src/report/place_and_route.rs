//! Clock of a core in an FPGA, by nextpnr.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;

use serde::Deserialize;

use super::block::Block;
use super::device::CONSTRAINTS;
use super::family::Family;
use super::harness::{TOP, harness};
use super::longest_path;
use super::recipe::{Findings, Recipe, contents};
use super::subject::Subject;
use super::{Column, Figures, ReportError, Tool, Tools};

/// The target of placement and routing: a family for synthesis, and the options that name the device and allow pins without
/// constraints. nextpnr also has a target clock and says whether it is met; that is ignored here, since placement and routing do not
/// depend on it.
pub(super) struct Target {
    pub(super) family: Family,
    pub(super) options: Vec<String>,
    /// The text of [`CONSTRAINTS`], if the device needs it.
    pub(super) constraints: Option<String>,
    /// An instance that drives the clock of the harness.
    pub(super) clock_buffer: Option<&'static str>,
}

impl Target {
    /// The device of the tables. Cores of several lanes use the larger ECP5; the widest core fills a quarter of it.
    pub(super) fn of_tables(family: Family, lanes: u32) -> Self {
        let options: &[&str] = match (family, lanes) {
            (Family::Ecp5, 1) => {
                &["--25k", "--package", "CABGA381", "--speed", "8", "--lpf-allow-unconstrained"]
            }
            (Family::Ecp5, _) => {
                &["--85k", "--package", "CABGA381", "--speed", "8", "--lpf-allow-unconstrained"]
            }
            _ => &["--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
        };
        let options = options.iter().map(|&option| option.to_owned()).collect();
        Self { family, options, constraints: None, clock_buffer: None }
    }

    fn nextpnr<'a>(&self, tools: &'a Tools) -> Option<&'a Tool> {
        match self.family {
            Family::Ice40 | Family::Ice40Up => tools.nextpnr_ice40.as_ref(),
            Family::Ecp5 => tools.nextpnr_ecp5.as_ref(),
            Family::Gowin => tools.nextpnr_himbaechel.as_ref(),
            Family::Xilinx7 => None,
        }
    }
}

/// The number of seeds for a core: three at most where a run takes minutes, and one where it takes ten.
pub(super) fn placements(core: &Block, seeds: NonZeroU32) -> NonZeroU32 {
    const FEW: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");
    match core.lanes() {
        ..32 => seeds,
        32..64 => seeds.min(FEW),
        _ => NonZeroU32::MIN,
    }
}

/// The weight of timing against the length of wires in nextpnr's placer for the ECP5, for cores of 32 lanes and more; `None`: the default, which is 10.
/// In these cores the wires decide: with the default, the decoder of `utf-8` with 64 lanes is not routed in half an hour.
fn timing_weight(core: &Block) -> Option<&'static str> {
    match core.lanes() {
        ..32 => None,
        32..64 => Some("30"),
        _ => Some("60"),
    }
}

fn report(seed: u32) -> String {
    format!("report_{seed}.json")
}

/// Synthesises the core, or the pipeline of the ceiling, in its harness, and places and routes the result once for each seed; at
/// 32 lanes for three at most, at 64 for one.
pub(super) fn recipe(
    target: &Target,
    core: &Block,
    subject: Subject,
    tools: &Tools,
    seeds: NonZeroU32,
) -> Option<Recipe> {
    let nextpnr = target.nextpnr(tools)?;
    let script =
        format!("read_verilog core.v harness.v; {} -top {TOP} -json netlist.json", target.family.pass());
    let mut options: Vec<&str> = target.options.iter().map(String::as_str).collect();
    if let Some(weight) = timing_weight(core).filter(|_| target.family == Family::Ecp5) {
        options.extend(["--placer-heap-timingweight", weight]);
    }
    let mut recipe = Recipe::default()
        .file("core.v", subject.verilog(core))
        .file("harness.v", harness(core, target.clock_buffer))
        .run(tools.yosys.as_ref()?, &["-q", "-p", &script]);
    if let Some(text) = &target.constraints {
        recipe = recipe.file(CONSTRAINTS, text.as_str());
    }
    for seed in 1..=placements(core, seeds).get() {
        let (report, seed) = (report(seed), seed.to_string());
        let common =
            ["-q", "--json", "netlist.json", "--timing-allow-fail", "--seed", &seed, "--report", &report];
        recipe = recipe.run(nextpnr, &[&common[..], &options].concat());
    }
    Some(recipe)
}

/// Reads the clock of every seed. The figure is the median clock. The path is of the placement in the middle; of two in the middle, of
/// the faster one.
pub(super) fn read(
    column: Column,
    folder: &Path,
    core: &Block,
    seeds: NonZeroU32,
) -> Result<Findings, ReportError> {
    let text = |seed| contents(&folder.join(report(seed)));
    let mut clocks: Vec<(f64, u32)> = (1..=placements(core, seeds).get())
        .map(|seed| Ok((clock(&text(seed)?)?, seed)))
        .collect::<Result<_, ReportError>>()?;
    clocks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (_, seed) = clocks[clocks.len() / 2];
    let path = longest_path::of_report(&text(seed)?, seed).map(|path| (column, path));
    let clocks = clocks.into_iter().map(|(clock, _)| clock).collect();
    Ok(Findings { figures: Figures::from([(column, median(clocks))]), path })
}

/// The part of `--report` that matters.
#[derive(Deserialize)]
struct Timing {
    fmax: BTreeMap<String, Fmax>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

/// The frequency of the only clock of the design, in MHz.
fn clock(text: &str) -> Result<f64, ReportError> {
    let timing: Option<Timing> = serde_json::from_str(text).ok();
    let fmax = timing.and_then(|timing| timing.fmax.into_values().next());
    let silent =
        || ReportError::Silent { tool: "nextpnr", what: "how fast the clock can be", said: text.to_owned() };
    Ok(fmax.ok_or_else(silent)?.achieved)
}

/// The value in the middle; of an even number of values, the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let upper = values.len() / 2;
    let lower = (values.len() - 1) / 2;
    f64::midpoint(values[lower], values[upper])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_from_reports() {
        let ice40 = include_str!("../../tests/data/report/hx8k_timing.json");
        assert_eq!(clock(ice40).unwrap(), 187.4765625);
        let ecp5 = include_str!("../../tests/data/report/ecp5_timing.json");
        assert_eq!(clock(ecp5).unwrap(), 317.6620178222656);
    }

    #[test]
    fn a_report_without_a_clock_is_shown() {
        let error = clock(r#"{"fmax":{}}"#).unwrap_err().to_string();
        assert!(error.contains("nextpnr did not say how fast") && error.contains("fmax"), "{error}");
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![100.0, 3.0, 4.0]), 4.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 100.0]), 3.5);
    }
}
