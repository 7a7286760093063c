//! Area of a core alone in an FPGA, by Yosys.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use utfhdl_hdl::core::Core;

use super::recipe::{Recipe, contents};
use super::{Column, Figures, ReportError, Tools};

/// A family of FPGAs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Ice40,
    Ecp5,
}

impl Family {
    /// The Yosys pass that maps to the family, for area and for clock. Without `-abc9`, wide multiplexers take several times as
    /// many LUTs of an ECP5.
    pub(super) fn pass(self) -> &'static str {
        match self {
            Self::Ice40 => "synth_ice40 -abc9 -device hx",
            Self::Ecp5 => "synth_ecp5 -abc9",
        }
    }

    /// The number of LUTs that a cell takes.
    fn luts(self, cell: &str) -> u64 {
        match (self, cell) {
            (Self::Ice40, "SB_LUT4") | (Self::Ecp5, "LUT4") => 1,
            // In an ice40, carry logic is beside the LUTs. In an ECP5, a carry cell is made of two LUTs.
            (Self::Ecp5, "CCU2C") => 2,
            _ => 0,
        }
    }

    fn is_flip_flop(self, cell: &str) -> bool {
        match self {
            Self::Ice40 => cell.starts_with("SB_DFF"),
            Self::Ecp5 => cell == "TRELLIS_FF",
        }
    }
}

const STATISTICS: &str = "statistics.json";

/// Synthesises the core alone.
pub(super) fn recipe(family: Family, core: &Core, tools: &Tools) -> Option<Recipe> {
    let top = core.design.top.name();
    let script =
        format!("read_verilog core.v; {} -top {top}; tee -q -o {STATISTICS} stat -json", family.pass());
    Some(Recipe::default().file("core.v", core.verilog()).run(tools.yosys.as_ref()?, &["-q", "-p", &script]))
}

/// Reads the area.
pub(super) fn read(family: Family, folder: &Path) -> Result<Figures, ReportError> {
    area(family, &contents(&folder.join(STATISTICS))?)
}

/// The part of `stat -json` that matters.
#[derive(Deserialize)]
struct Statistics {
    design: DesignStatistics,
}

#[derive(Deserialize)]
struct DesignStatistics {
    num_cells_by_type: BTreeMap<String, u64>,
}

fn area(family: Family, text: &str) -> Result<Figures, ReportError> {
    let statistics: Statistics = serde_json::from_str(text).map_err(|_| ReportError::Silent {
        tool: "Yosys",
        what: "how many cells there are",
        said: text.to_owned(),
    })?;
    let cells = statistics.design.num_cells_by_type;
    let luts: u64 = cells.iter().map(|(cell, count)| family.luts(cell) * count).sum();
    let flip_flops: u64 =
        cells.iter().filter(|(cell, _)| family.is_flip_flop(cell)).map(|(_, count)| count).sum();
    let (lut4, ff) = match family {
        Family::Ice40 => (Column::Ice40Lut4, Column::Ice40Ff),
        Family::Ecp5 => (Column::Ecp5Lut4, Column::Ecp5Ff),
    };
    Ok(Figures::from([(lut4, luts as f64), (ff, flip_flops as f64)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_an_ice40_are_counted() {
        // 70 SB_DFFE, 38 SB_DFFESR, 15 SB_DFFESS and 4 SB_DFFSR.
        let text = include_str!("../../tests/data/report/ice40_statistics.json");
        let expected = [(Column::Ice40Lut4, 89.0), (Column::Ice40Ff, 127.0)];
        assert_eq!(area(Family::Ice40, text).unwrap(), Figures::from(expected));
    }

    #[test]
    fn carries_of_an_ecp5_take_two_luts_each() {
        // 31 LUT4 and 8 CCU2C.
        let text = include_str!("../../tests/data/report/ecp5_statistics.json");
        let expected = [(Column::Ecp5Lut4, 47.0), (Column::Ecp5Ff, 16.0)];
        assert_eq!(area(Family::Ecp5, text).unwrap(), Figures::from(expected));
    }

    #[test]
    fn statistics_that_say_nothing_are_shown() {
        let error = area(Family::Ice40, "Number of cells: 3").unwrap_err().to_string();
        assert_eq!(error, "Yosys did not say how many cells there are; it said:\nNumber of cells: 3");
    }
}
