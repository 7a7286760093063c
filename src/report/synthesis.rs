//! Area of a core alone in an FPGA, by Yosys.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::block::Block;
use super::family::Family;
use super::recipe::{Recipe, contents};
use super::{Column, Figures, Measure, ReportError, Tools};

const STATISTICS: &str = "statistics.json";

/// Synthesises the core alone.
pub(super) fn recipe(family: Family, core: &Block, tools: &Tools) -> Option<Recipe> {
    let top = core.design().top.name();
    let script =
        format!("read_verilog core.v; {} -top {top}; tee -q -o {STATISTICS} stat -json", family.pass());
    Some(Recipe::default().file("core.v", core.verilog()).run(tools.yosys.as_ref()?, &["-q", "-p", &script]))
}

/// Reads the area. `column` is where a measure belongs.
pub(super) fn read(
    family: Family,
    folder: &Path,
    column: impl Fn(Measure) -> Column,
) -> Result<Figures, ReportError> {
    let measured = area(family, &contents(&folder.join(STATISTICS))?)?;
    Ok(measured.into_iter().map(|(measure, count)| (column(measure), count)).collect())
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

fn area(family: Family, text: &str) -> Result<Vec<(Measure, f64)>, ReportError> {
    let statistics: Statistics = serde_json::from_str(text).map_err(|_| ReportError::Silent {
        tool: "Yosys",
        what: "how many cells there are",
        said: text.to_owned(),
    })?;
    let cells = statistics.design.num_cells_by_type;
    let count = |cells_of: &dyn Fn(&str) -> u64| -> u64 {
        cells.iter().map(|(cell, count)| cells_of(cell) * count).sum()
    };
    let measured = |&measure| match measure {
        Measure::Lut4 | Measure::Lut => (measure, count(&|cell| family.luts(cell)) as f64),
        Measure::Ff => (measure, count(&|cell| family.is_flip_flop(cell).into()) as f64),
        _ => (measure, count(&|cell| (cell == "CARRY4").into()) as f64),
    };
    let block_rams = count(&|cell| family.block_rams(cell));
    let block_rams = (block_rams > 0).then_some((Measure::BlockRam, block_rams as f64));
    Ok(family.area().iter().map(measured).chain(block_rams).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_an_ice40_are_counted() {
        // 70 SB_DFFE, 38 SB_DFFESR, 15 SB_DFFESS and 4 SB_DFFSR.
        let text = include_str!("../../tests/data/report/ice40_statistics.json");
        assert_eq!(area(Family::Ice40, text).unwrap(), [(Measure::Lut4, 89.0), (Measure::Ff, 127.0)]);
    }

    #[test]
    fn carries_of_an_ecp5_take_two_luts_each() {
        // 31 LUT4 and 8 CCU2C.
        let text = include_str!("../../tests/data/report/ecp5_statistics.json");
        assert_eq!(area(Family::Ecp5, text).unwrap(), [(Measure::Lut4, 47.0), (Measure::Ff, 16.0)]);
    }

    /// Cells of a `utf-8` decoder and of a counter, as Yosys 0.23 counts them.
    #[test]
    fn cells_of_other_families_are_counted() {
        let area = |family, cells| {
            area(family, &format!(r#"{{"design":{{"num_cells_by_type":{cells}}}}}"#)).unwrap()
        };
        let xilinx =
            r#"{"BUFG":1,"CARRY4":2,"FDRE":132,"FDSE":1,"IBUF":14,"INV":1,"LUT2":20,"LUT6":10,"MUXF7":6}"#;
        let expected = [(Measure::Lut, 31.0), (Measure::Ff, 133.0), (Measure::Carry4, 2.0)];
        assert_eq!(area(Family::Xilinx7, xilinx), expected);
        let memories = r#"{"DP16KD":3,"LUT4":2,"PDPW16KD":1}"#;
        let expected = [(Measure::Lut4, 2.0), (Measure::Ff, 0.0), (Measure::BlockRam, 4.0)];
        assert_eq!(area(Family::Ecp5, memories), expected);
        let gowin = r#"{"ALU":8,"DFF":26,"DFFRE":36,"GND":1,"LUT1":33,"LUT4":33,"MUX2_LUT5":29,"OBUF":40}"#;
        assert_eq!(area(Family::Gowin, gowin), [(Measure::Lut4, 74.0), (Measure::Ff, 62.0)]);
    }

    #[test]
    fn statistics_that_say_nothing_are_shown() {
        let error = area(Family::Ice40, "Number of cells: 3").unwrap_err().to_string();
        assert_eq!(error, "Yosys did not say how many cells there are; it said:\nNumber of cells: 3");
    }
}
