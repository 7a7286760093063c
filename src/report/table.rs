//! The rows and columns of a report, and its table in Markdown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use utfhdl_hdl::core::Core;

/// A column of a report: a figure of a core. In JSON a column has another name than in a table, without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Cycles.
    Latency,
    /// Units a cycle.
    UnitsPerCycle,
    /// LUT4s of an ice40.
    #[serde(rename = "ice40_lut4")]
    Ice40Lut4,
    /// Flip-flops of an ice40.
    #[serde(rename = "ice40_ff")]
    Ice40Ff,
    /// Clock in an iCE40 HX8K, MHz.
    #[serde(rename = "hx8k_mhz")]
    Hx8kMhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    #[serde(rename = "hx8k_ceiling_mhz")]
    Hx8kCeiling,
    /// Megabytes of units a second at the clock of the core.
    #[serde(rename = "hx8k_mb_per_s")]
    Hx8kMbps,
    /// That throughput over the LUT4s of the ice40: gigabytes a second for a thousand of them.
    #[serde(rename = "hx8k_mb_per_s_per_lut4")]
    Hx8kMbpsPerLut4,
    /// LUT4s of an ECP5.
    #[serde(rename = "ecp5_lut4")]
    Ecp5Lut4,
    /// Flip-flops of an ECP5.
    #[serde(rename = "ecp5_ff")]
    Ecp5Ff,
    /// Clock in an ECP5, MHz.
    #[serde(rename = "ecp5_mhz")]
    Ecp5Mhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    #[serde(rename = "ecp5_ceiling_mhz")]
    Ecp5Ceiling,
    /// Megabytes of units a second at the clock of the core.
    #[serde(rename = "ecp5_mb_per_s")]
    Ecp5Mbps,
    /// That throughput over the LUT4s of the ECP5: gigabytes a second for a thousand of them.
    #[serde(rename = "ecp5_mb_per_s_per_lut4")]
    Ecp5MbpsPerLut4,
    /// Area in osu018, in that of its smallest NAND.
    #[serde(rename = "osu018_gates")]
    Osu018Gates,
    /// Clock in osu018, MHz.
    #[serde(rename = "osu018_mhz")]
    Osu018Mhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    #[serde(rename = "osu018_ceiling_mhz")]
    Osu018Ceiling,
    /// Megabytes of units a second at the clock of the core.
    #[serde(rename = "osu018_mb_per_s")]
    Osu018Mbps,
}

/// Figures of a core, as far as they are known.
pub type Figures = BTreeMap<Column, f64>;

impl Column {
    /// Every column, in the order of a full table.
    pub const ALL: [Self; 18] = [
        Self::Latency,
        Self::UnitsPerCycle,
        Self::Ice40Lut4,
        Self::Ice40Ff,
        Self::Hx8kMhz,
        Self::Hx8kCeiling,
        Self::Hx8kMbps,
        Self::Hx8kMbpsPerLut4,
        Self::Ecp5Lut4,
        Self::Ecp5Ff,
        Self::Ecp5Mhz,
        Self::Ecp5Ceiling,
        Self::Ecp5Mbps,
        Self::Ecp5MbpsPerLut4,
        Self::Osu018Gates,
        Self::Osu018Mhz,
        Self::Osu018Ceiling,
        Self::Osu018Mbps,
    ];

    /// The head of the column.
    pub fn head(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::UnitsPerCycle => "units/cycle",
            Self::Ice40Lut4 => "LUT4",
            Self::Ice40Ff => "FF",
            Self::Hx8kMhz => "hx8k MHz",
            Self::Hx8kCeiling => "hx8k ceiling",
            Self::Hx8kMbps => "hx8k MB/s",
            Self::Hx8kMbpsPerLut4 => "hx8k MB/s per LUT4",
            Self::Ecp5Lut4 => "ECP5 LUT4",
            Self::Ecp5Ff => "ECP5 FF",
            Self::Ecp5Mhz => "ECP5 MHz",
            Self::Ecp5Ceiling => "ECP5 ceiling",
            Self::Ecp5Mbps => "ECP5 MB/s",
            Self::Ecp5MbpsPerLut4 => "ECP5 MB/s per LUT4",
            Self::Osu018Gates => "osu018 gates",
            Self::Osu018Mhz => "osu018 MHz",
            Self::Osu018Ceiling => "osu018 ceiling",
            Self::Osu018Mbps => "osu018 MB/s",
        }
    }

    /// Of a throughput, the column of the clock that it is computed from.
    fn clock(self) -> Option<Self> {
        match self {
            Self::Hx8kMbps => Some(Self::Hx8kMhz),
            Self::Ecp5Mbps => Some(Self::Ecp5Mhz),
            Self::Osu018Mbps => Some(Self::Osu018Mhz),
            _ => None,
        }
    }

    /// Of a throughput by area, the columns of the throughput and of the area.
    fn ratio(self) -> Option<(Self, Self)> {
        match self {
            Self::Hx8kMbpsPerLut4 => Some((Self::Hx8kMbps, Self::Ice40Lut4)),
            Self::Ecp5MbpsPerLut4 => Some((Self::Ecp5Mbps, Self::Ecp5Lut4)),
            _ => None,
        }
    }

    /// Digits behind the point in a table.
    fn digits(self) -> usize {
        if self.ratio().is_some() { 2 } else { 0 }
    }
}

/// A core and its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The core, as the arguments of `generate`, without options that are as by default.
    pub core: String,
    /// Its system; of a transcoder, that of what comes in.
    pub system: String,
    /// Its role.
    pub role: String,
    /// Bits of a unit of the system.
    pub unit_bits: u32,
    /// The figures that were measured.
    #[serde(serialize_with = "rounded")]
    pub figures: Figures,
}

impl Row {
    /// The row of a core of which nothing is measured yet: latency and units per cycle.
    pub(super) fn new(core: &Core) -> Self {
        let figures = [(Column::Latency, core.latency), (Column::UnitsPerCycle, core.spec.lanes)];
        let figures = figures.map(|(column, number)| (column, f64::from(number)));
        Self {
            core: core.spec.in_short(),
            system: core.spec.system.to_string(),
            role: core.spec.role.to_string(),
            unit_bits: core.spec.system.unit_bits(),
            figures: figures.into(),
        }
    }

    /// Adds figures, and what follows from them: throughput from a clock, and throughput by area.
    pub(super) fn add(&mut self, figures: Figures) {
        self.figures.extend(figures);
        for column in Column::ALL {
            let mhz = column.clock().and_then(|clock| self.figures.get(&clock));
            if let Some(mhz) = mhz {
                let units = mhz * self.figures[&Column::UnitsPerCycle];
                self.figures.insert(column, units * f64::from(self.unit_bits) / 8.0);
            }
        }
        for column in Column::ALL {
            let parts =
                column.ratio().map(|(above, below)| [above, below].map(|part| self.figures.get(&part)));
            if let Some([Some(above), Some(below)]) = parts {
                self.figures.insert(column, above / below);
            }
        }
    }

    /// The text of the row's cell in a column: empty where nothing was measured.
    pub(super) fn cell(&self, column: Column) -> String {
        self.figures.get(&column).map_or_else(String::new, |figure| format!("{figure:.*}", column.digits()))
    }
}

/// Writes figures: counts as whole numbers, measures with two digits behind the point.
fn rounded<S: Serializer>(figures: &Figures, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Count(u64),
        Measure(f64),
    }
    serializer.collect_map(figures.iter().map(|(column, &figure)| {
        let number = if figure.fract() == 0.0 {
            Number::Count(figure as u64)
        } else {
            Number::Measure((figure * 100.0).round() / 100.0)
        };
        (column, number)
    }))
}

/// Head of the column that names cores.
pub(super) const CORE: &str = "core";

/// A table in Markdown.
pub fn markdown(rows: &[Row], columns: &[Column]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heads = std::iter::once(CORE).chain(columns.iter().map(|column| column.head()));
    let mut text = line(heads.map(str::to_owned).collect());
    text += &line(vec!["---".to_owned(); columns.len() + 1]);
    for row in rows {
        let cells = columns.iter().map(|&column| row.cell(column));
        text += &line(std::iter::once(format!("`{}`", row.core)).chain(cells).collect());
    }
    text
}
