//! Area and clock of a core in standard cells: Yosys maps the core to osu018, an open library for 0.18 µm, or to another library, and
//! OpenSTA times it.
//!
//! The corner is that of the liberty file; of osu018 the typical one. Nothing is placed, so wires have neither delay nor load.

use std::path::Path;
use std::sync::Arc;

use super::block::Block;
use super::harness::{TOP, harness};
use super::recipe::{Recipe, contents};
use super::subject::Subject;
use super::{Column, Figures, Library, ReportError, Tools};

/// Area of NAND2X1 in the liberty file of osu018, in µm². An area in gates is in multiples of it.
pub(super) const GATE: f64 = 24.0;

/// The ABC script, which maps for speed. Two rounds of `if -g` balance the logic for delay after `dc2` has made it small. The last
/// four commands insert buffers where fan-out is wide and choose the strength of each cell, as the script of Yosys does when it
/// has loads.
const ABC: &str = "\
strash
ifraig
scorr
dc2
strash
if -g -K 6 -C 8
strash
if -g -K 6 -C 8
strash
&get -n
&dch -f
&nf
&put
buffer -c
topo
upsize
dnsize
";

/// The cells of a flow, and the loads that ABC assumes around the logic: a register of medium strength drives the inputs, and
/// outputs drive a flip-flop.
pub(super) struct Cells {
    liberty: Arc<str>,
    loads: String,
    /// The OpenSTA commands that set its units.
    units: &'static str,
}

impl Cells {
    /// The cells of osu018, if the library was found.
    pub(super) fn of_osu018(tools: &Tools) -> Option<Self> {
        let loads = "set_driving_cell INVX4\nset_load 10 [all_outputs]\n".to_owned();
        // Nanoseconds are the unit of this library.
        Some(Self { liberty: tools.liberty.clone()?, loads, units: "" })
    }

    /// The cells of another library.
    pub(super) fn of(library: &Library) -> Self {
        let Library { inverter, load, .. } = library;
        let loads = format!("set_driving_cell {inverter}\nset_load {load} [all_outputs]\n");
        Self { liberty: library.text.clone(), loads, units: "set_cmd_units -time ns\n" }
    }
}

/// The clock period that OpenSTA is given, in ns. Any would do: the shortest period is this one less the slack.
const PERIOD: f64 = 1.0;

const STATISTICS: &str = "statistics.txt";
const TIMING: &str = "timing.txt";
const SLACK: &str = "worst slack:";

/// Maps the core alone.
pub(super) fn area_recipe(core: &Block, cells: &Cells, tools: &Tools) -> Option<Recipe> {
    let tail = format!("tee -q -o {STATISTICS} stat -liberty cells.lib");
    map(
        Recipe::default().file("core.v", core.verilog()),
        "core.v",
        core.design().top.name(),
        &tail,
        cells,
        tools,
    )
}

/// Maps the core, or the pipeline of the ceiling, in its harness, and times it.
pub(super) fn clock_recipe(core: &Block, subject: Subject, cells: &Cells, tools: &Tools) -> Option<Recipe> {
    let opensta = tools.opensta.as_ref()?;
    let units = cells.units;
    let timing = format!(
        "\
read_liberty cells.lib
{units}read_verilog mapped.v
link_design {TOP}
create_clock -name clk -period {PERIOD} [get_ports clk]
puts \"{SLACK} [worst_slack -max]\"
"
    );
    let recipe = Recipe::default()
        .file("core.v", subject.verilog(core))
        .file("harness.v", harness(core, None))
        .file("timing.tcl", timing);
    let recipe =
        map(recipe, "core.v harness.v", TOP, "write_verilog -noattr -noexpr mapped.v", cells, tools)?;
    Some(recipe.run(opensta, &["-no_splash", "-no_init", "-exit", "timing.tcl"]).log(TIMING))
}

/// Maps `top` to cells, flip-flops first: a flip-flop of the library has no enable, so that an enable becomes logic before
/// it, which is then mapped with the rest.
fn map(recipe: Recipe, sources: &str, top: &str, tail: &str, cells: &Cells, tools: &Tools) -> Option<Recipe> {
    let script = format!(
        "read_verilog {sources}; synth -flatten -noabc -top {top}; dfflibmap -liberty cells.lib; \
         abc -liberty cells.lib -script cells.abc -constr cells.constr; \
         opt_clean; setundef -zero; splitnets -ports; clean; {tail}"
    );
    let recipe = recipe.file("cells.lib", cells.liberty.clone());
    let recipe = recipe.file("cells.abc", ABC).file("cells.constr", cells.loads.as_str());
    Some(recipe.run(tools.yosys.as_ref()?, &["-q", "-p", &script]))
}

/// Reads the area, in the unit of the library.
pub(super) fn read_area(folder: &Path) -> Result<f64, ReportError> {
    let text = contents(&folder.join(STATISTICS))?;
    number_after(&text, "Chip area for", "Yosys", "how large the core is")
}

/// Reads the clock.
pub(super) fn read_clock(column: Column, folder: &Path) -> Result<Figures, ReportError> {
    let text = contents(&folder.join(TIMING))?;
    let slack = number_after(&text, SLACK, "OpenSTA", "the worst slack")?;
    Ok(Figures::from([(column, 1000.0 / (PERIOD - slack))]))
}

/// The number at the end of the line that begins with `label`.
fn number_after(text: &str, label: &str, tool: &'static str, what: &'static str) -> Result<f64, ReportError> {
    let line = text.lines().map(str::trim).find(|line| line.starts_with(label));
    let number = line.and_then(|line| line.split_whitespace().last()?.parse::<f64>().ok());
    number.ok_or_else(|| ReportError::Silent { tool, what, said: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures<T>(
        read: impl Fn(&Path) -> Result<T, ReportError>,
        name: &str,
        text: &str,
    ) -> Result<T, ReportError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        read(folder.path())
    }

    fn osu018(folder: &Path) -> Result<Figures, ReportError> {
        read_clock(Column::Osu018Mhz, folder)
    }

    #[test]
    fn area_is_read_in_the_unit_of_the_library() {
        let text = include_str!("../../tests/data/report/osu018_statistics.txt");
        assert_eq!(figures(read_area, STATISTICS, text).unwrap(), 36119.0);
    }

    #[test]
    fn a_slack_of_minus_0_1216_at_one_ns_is_892_mhz() {
        let text = include_str!("../../tests/data/report/osu018_timing.txt");
        let mhz = figures(osu018, TIMING, text).unwrap()[&Column::Osu018Mhz];
        assert!((mhz - 891.59).abs() < 0.01, "{mhz}");
    }

    /// OpenSTA ends well, whatever happens.
    #[test]
    fn what_opensta_says_in_place_of_a_slack_is_shown() {
        let error = figures(osu018, TIMING, "Error: no network has been linked.\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "OpenSTA did not say the worst slack; it said:\nError: no network has been linked.\n"
        );
    }
}
