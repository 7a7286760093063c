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
    /// Megabytes of units a second at that clock.
    #[serde(rename = "hx8k_mb_per_s")]
    Hx8kMbps,
    /// LUT4s of an ECP5.
    #[serde(rename = "ecp5_lut4")]
    Ecp5Lut4,
    /// Flip-flops of an ECP5.
    #[serde(rename = "ecp5_ff")]
    Ecp5Ff,
    /// Clock in an ECP5, MHz.
    #[serde(rename = "ecp5_mhz")]
    Ecp5Mhz,
    /// Megabytes of units a second at that clock.
    #[serde(rename = "ecp5_mb_per_s")]
    Ecp5Mbps,
    /// Area in osu018, in that of its smallest NAND.
    #[serde(rename = "osu018_gates")]
    Osu018Gates,
    /// Clock in osu018, MHz.
    #[serde(rename = "osu018_mhz")]
    Osu018Mhz,
    /// Megabytes of units a second at that clock.
    #[serde(rename = "osu018_mb_per_s")]
    Osu018Mbps,
}

/// Figures of a core, as far as they are known.
pub type Figures = BTreeMap<Column, f64>;

impl Column {
    /// Every column, in the order of a full table.
    pub const ALL: [Self; 13] = [
        Self::Latency,
        Self::UnitsPerCycle,
        Self::Ice40Lut4,
        Self::Ice40Ff,
        Self::Hx8kMhz,
        Self::Hx8kMbps,
        Self::Ecp5Lut4,
        Self::Ecp5Ff,
        Self::Ecp5Mhz,
        Self::Ecp5Mbps,
        Self::Osu018Gates,
        Self::Osu018Mhz,
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
            Self::Hx8kMbps => "hx8k MB/s",
            Self::Ecp5Lut4 => "ECP5 LUT4",
            Self::Ecp5Ff => "ECP5 FF",
            Self::Ecp5Mhz => "ECP5 MHz",
            Self::Ecp5Mbps => "ECP5 MB/s",
            Self::Osu018Gates => "osu018 gates",
            Self::Osu018Mhz => "osu018 MHz",
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

    /// Adds figures, and the throughput that follows from a clock.
    pub(super) fn add(&mut self, figures: Figures) {
        self.figures.extend(figures);
        for column in Column::ALL {
            let mhz = column.clock().and_then(|clock| self.figures.get(&clock));
            if let Some(mhz) = mhz {
                let units = mhz * self.figures[&Column::UnitsPerCycle];
                self.figures.insert(column, units * f64::from(self.unit_bits) / 8.0);
            }
        }
    }

    /// The text of the row's cell in a column: empty where nothing was measured.
    pub(super) fn cell(&self, column: Column) -> String {
        self.figures.get(&column).map_or_else(String::new, |figure| format!("{figure:.0}"))
    }
}

/// Writes figures: counts as whole numbers, measures with one digit behind the point.
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
            Number::Measure((figure * 10.0).round() / 10.0)
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
