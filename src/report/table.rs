//! The rows and columns of a report, and its table in Markdown and CSV.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::block::Block;
use super::device::Device;
use super::family::Family;
use super::longest_path::LongestPath;
use super::measure::Measure;
use super::recipe::Findings;

/// A column of a report: a figure of a core. In JSON and CSV a column has another name than in a table: a key without spaces and
/// with the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// Cycles.
    Latency,
    /// Units a cycle.
    UnitsPerCycle,
    /// LUT4s of an ice40.
    Ice40Lut4,
    /// LUT4s of an ice40 for each lane.
    Ice40Lut4PerLane,
    /// Flip-flops of an ice40.
    Ice40Ff,
    /// Block RAMs of an ice40; not known of a core without.
    Ice40BlockRam,
    /// Clock in an iCE40 HX8K, MHz.
    Hx8kMhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    Hx8kCeiling,
    /// Megabytes of units a second at the clock of the core.
    Hx8kMbps,
    /// Throughput over LUT4s of the ice40: gigabytes a second for a thousand LUT4s.
    Hx8kMbpsPerLut4,
    /// LUT4s of an ECP5.
    Ecp5Lut4,
    /// LUT4s of an ECP5 for each lane.
    Ecp5Lut4PerLane,
    /// Flip-flops of an ECP5.
    Ecp5Ff,
    /// Block RAMs of an ECP5; not known of a core without.
    Ecp5BlockRam,
    /// Clock in an ECP5, MHz.
    Ecp5Mhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    Ecp5Ceiling,
    /// Megabytes of units a second at the clock of the core.
    Ecp5Mbps,
    /// Throughput over LUT4s of the ECP5: gigabytes a second for a thousand LUT4s.
    Ecp5MbpsPerLut4,
    /// Area in osu018, in that of its smallest NAND.
    Osu018Gates,
    /// Clock in osu018, MHz.
    Osu018Mhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    Osu018Ceiling,
    /// Megabytes of units a second at the clock of the core.
    Osu018Mbps,
    /// Placements, of which a clock is the median.
    Seeds,
    /// A measure in a device that was chosen by name.
    Device(Device, Measure),
    /// A measure in a library of cells that was chosen by its file.
    Library(Measure),
}

/// The columns of the tables, in the order of a full table, with their keys and their heads.
const OF_TABLES: [(Column, &str, &str); 23] = [
    (Column::Latency, "latency_cycles", "latency"),
    (Column::UnitsPerCycle, "units_per_cycle", "units/cycle"),
    (Column::Ice40Lut4, "ice40_lut4", "LUT4"),
    (Column::Ice40Lut4PerLane, "ice40_lut4_per_lane", "LUT4 per lane"),
    (Column::Ice40Ff, "ice40_ff", "FF"),
    (Column::Ice40BlockRam, "ice40_block_ram", "RAM40"),
    (Column::Hx8kMhz, "hx8k_mhz", "hx8k MHz"),
    (Column::Hx8kCeiling, "hx8k_ceiling_mhz", "hx8k ceiling"),
    (Column::Hx8kMbps, "hx8k_mb_per_s", "hx8k MB/s"),
    (Column::Hx8kMbpsPerLut4, "hx8k_mb_per_s_per_lut4", "hx8k MB/s per LUT4"),
    (Column::Ecp5Lut4, "ecp5_lut4", "ECP5 LUT4"),
    (Column::Ecp5Lut4PerLane, "ecp5_lut4_per_lane", "ECP5 LUT4 per lane"),
    (Column::Ecp5Ff, "ecp5_ff", "ECP5 FF"),
    (Column::Ecp5BlockRam, "ecp5_block_ram", "ECP5 EBR"),
    (Column::Ecp5Mhz, "ecp5_mhz", "ECP5 MHz"),
    (Column::Ecp5Ceiling, "ecp5_ceiling_mhz", "ECP5 ceiling"),
    (Column::Ecp5Mbps, "ecp5_mb_per_s", "ECP5 MB/s"),
    (Column::Ecp5MbpsPerLut4, "ecp5_mb_per_s_per_lut4", "ECP5 MB/s per LUT4"),
    (Column::Osu018Gates, "osu018_gates", "osu018 gates"),
    (Column::Osu018Mhz, "osu018_mhz", "osu018 MHz"),
    (Column::Osu018Ceiling, "osu018_ceiling_mhz", "osu018 ceiling"),
    (Column::Osu018Mbps, "osu018_mb_per_s", "osu018 MB/s"),
    (Column::Seeds, "seeds", "seeds"),
];

/// Figures of a core, as far as they are known.
pub type Figures = BTreeMap<Column, f64>;

impl Column {
    /// Every column of the tables, in the order of a full table.
    pub fn of_tables() -> Vec<Self> {
        OF_TABLES.map(|(column, ..)| column).to_vec()
    }

    /// The columns in their order, without those that came before.
    pub fn each_once(columns: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut once = Vec::new();
        for column in columns {
            if !once.contains(&column) {
                once.push(column);
            }
        }
        once
    }

    /// The columns without those of block RAMs and of placements that no row has.
    pub fn of_rows(columns: Vec<Self>, rows: &[Row]) -> Vec<Self> {
        let is_rare = |column: &Self| {
            let block_ram = matches!(column, Self::Ice40BlockRam | Self::Ecp5BlockRam);
            block_ram || matches!(column, Self::Device(_, Measure::BlockRam) | Self::Seeds)
        };
        let is_shown =
            |column: &Self| !is_rare(column) || rows.iter().any(|row| row.figures.contains_key(column));
        columns.into_iter().filter(is_shown).collect()
    }

    /// The columns of a report on these devices and a library of cells.
    pub fn of_choice(devices: &[Device], library: bool) -> Vec<Self> {
        let mut columns = vec![Self::Latency, Self::UnitsPerCycle];
        for &device in devices {
            let clock: &[Measure] = if device.has_clock() { &Measure::OF_CLOCK } else { &[] };
            let measures = device.family().area().iter().chain(&[Measure::BlockRam]).chain(clock);
            columns.extend(measures.map(|&measure| Self::Device(device, measure)));
        }
        if library {
            let area = [Measure::Area, Measure::Gates];
            columns.extend(area.into_iter().chain(Measure::OF_CLOCK).map(Self::Library));
        }
        columns.push(Self::Seeds);
        columns
    }

    fn of_tables_row(self) -> (Self, &'static str, &'static str) {
        OF_TABLES
            .into_iter()
            .find(|(column, ..)| *column == self)
            .expect("every column of the tables is in the list")
    }

    /// The head of the column in a table.
    pub fn head(self) -> String {
        match self {
            Self::Device(device, measure) => format!("{device} {}", measure.row().2),
            Self::Library(measure) => format!("cells {}", measure.row().2),
            _ => self.of_tables_row().2.to_owned(),
        }
    }

    /// The name of the column in JSON and CSV.
    pub fn key(self) -> String {
        match self {
            Self::Device(device, measure) => format!("{}_{}", device.key(), measure.row().1),
            Self::Library(measure) => format!("cells_{}", measure.row().1),
            _ => self.of_tables_row().1.to_owned(),
        }
    }

    /// The column with a key.
    fn of_key(key: &str) -> Option<Self> {
        let by_name = || {
            let measures = Measure::ALL.map(|(measure, ..)| measure);
            let devices =
                Device::all().flat_map(|device| measures.map(|measure| Self::Device(device, measure)));
            devices.chain(measures.map(Self::Library)).find(|column| column.key() == key)
        };
        OF_TABLES.into_iter().find(|(_, known, _)| *known == key).map(|(column, ..)| column).or_else(by_name)
    }

    /// The column of the throughput at this clock.
    fn throughput(self) -> Option<Self> {
        match self {
            Self::Hx8kMhz => Some(Self::Hx8kMbps),
            Self::Ecp5Mhz => Some(Self::Ecp5Mbps),
            Self::Osu018Mhz => Some(Self::Osu018Mbps),
            Self::Device(device, Measure::Mhz) => Some(Self::Device(device, Measure::Mbps)),
            Self::Library(Measure::Mhz) => Some(Self::Library(Measure::Mbps)),
            _ => None,
        }
    }

    /// The columns whose ratio this figure is: throughput and area, or area and lanes.
    fn ratio(self) -> Option<(Self, Self)> {
        match self {
            // A lane takes a unit a cycle.
            Self::Ice40Lut4PerLane => Some((Self::Ice40Lut4, Self::UnitsPerCycle)),
            Self::Ecp5Lut4PerLane => Some((Self::Ecp5Lut4, Self::UnitsPerCycle)),
            Self::Hx8kMbpsPerLut4 => Some((Self::Hx8kMbps, Self::Ice40Lut4)),
            Self::Ecp5MbpsPerLut4 => Some((Self::Ecp5Mbps, Self::Ecp5Lut4)),
            _ => None,
        }
    }

    /// The columns, and those whose figures theirs are made of.
    pub(super) fn with_sources(columns: &[Self]) -> Vec<Self> {
        let ratios = columns.iter().filter_map(|column| column.ratio());
        let all: Vec<Self> =
            ratios.flat_map(|(above, below)| [above, below]).chain(columns.iter().copied()).collect();
        let devices = all.iter().filter_map(|column| match column {
            Self::Device(device, _) => Some(*device),
            _ => None,
        });
        let devices: Vec<Device> = devices.collect();
        let clocks = Self::of_tables().into_iter().chain(Self::of_choice(&devices, false));
        let clocks = clocks.filter(|clock| clock.throughput().is_some_and(|column| all.contains(&column)));
        clocks.chain(all.iter().copied()).collect()
    }

    /// The column with the same area in the FPGAs of the tables: synthesis is the same for all devices of a family.
    pub(super) fn of_family(self) -> Self {
        let Self::Device(device, measure) = self else { return self };
        match (device.family(), measure) {
            (Family::Ice40, Measure::Lut4) => Self::Ice40Lut4,
            (Family::Ice40, Measure::Ff) => Self::Ice40Ff,
            (Family::Ice40, Measure::BlockRam) => Self::Ice40BlockRam,
            (Family::Ecp5, Measure::Lut4) => Self::Ecp5Lut4,
            (Family::Ecp5, Measure::Ff) => Self::Ecp5Ff,
            (Family::Ecp5, Measure::BlockRam) => Self::Ecp5BlockRam,
            _ => self,
        }
    }

    /// Whether figures depend on the number of placements.
    pub(super) fn is_placed(self) -> bool {
        matches!(
            self,
            Self::Hx8kMhz
                | Self::Hx8kCeiling
                | Self::Hx8kMbps
                | Self::Hx8kMbpsPerLut4
                | Self::Ecp5Mhz
                | Self::Ecp5Ceiling
                | Self::Ecp5Mbps
                | Self::Ecp5MbpsPerLut4
                | Self::Seeds
                | Self::Device(_, Measure::Mhz | Measure::Ceiling | Measure::Mbps)
        )
    }

    /// Decimal places in a table.
    fn digits(self) -> usize {
        match self {
            Self::Hx8kMbpsPerLut4 | Self::Ecp5MbpsPerLut4 => 2,
            _ => 0,
        }
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.key())
    }
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        Self::of_key(&key).ok_or_else(|| D::Error::custom(format!("there is no column {key:?}")))
    }
}

/// A core and its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The core, as the arguments of `generate`, without options that are as by default.
    pub core: String,
    /// The core's system; of a transcoder, the system of the input.
    pub system: String,
    /// The core's role.
    pub role: String,
    /// Bits of a unit of the system.
    pub unit_bits: u32,
    /// The figures that were measured.
    #[serde(serialize_with = "rounded")]
    pub figures: Figures,
    /// The longest path in each FPGA, under the column of the clock that it allows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub paths: BTreeMap<Column, LongestPath>,
}

impl Row {
    /// The row of a core of which nothing is measured yet: latency and units per cycle.
    pub(super) fn new(core: &Block) -> Self {
        let figures = [(Column::Latency, core.latency()), (Column::UnitsPerCycle, core.units_per_cycle())];
        let figures = figures.map(|(column, number)| (column, f64::from(number)));
        Self {
            core: core.in_short(),
            system: core.system(),
            role: core.role(),
            unit_bits: core.unit_bits(),
            figures: figures.into(),
            paths: BTreeMap::new(),
        }
    }

    /// Adds figures, and what follows from them: throughput from a clock, throughput by area, and area by lane.
    pub(super) fn add(&mut self, found: impl Into<Findings>) {
        let Findings { figures, path } = found.into();
        self.paths.extend(path);
        let megabytes = self.figures[&Column::UnitsPerCycle] * f64::from(self.unit_bits) / 8.0;
        let throughput =
            figures.iter().filter_map(|(column, mhz)| Some((column.throughput()?, mhz * megabytes)));
        let throughput: Vec<_> = throughput.collect();
        self.figures.extend(figures);
        self.figures.extend(throughput);
        for (column, ..) in OF_TABLES {
            let parts =
                column.ratio().map(|(above, below)| [above, below].map(|part| self.figures.get(&part)));
            if let Some([Some(above), Some(below)]) = parts {
                self.figures.insert(column, above / below);
            }
        }
    }

    /// The LUTs and the throughput of the row in an FPGA: in the ECP5 of the tables if they are known, else in the first with both.
    pub(super) fn axes(&self) -> Option<(Column, Column)> {
        let of_tables = [(Column::Ecp5Lut4, Column::Ecp5Mbps), (Column::Ice40Lut4, Column::Hx8kMbps)];
        let of_devices = self.figures.keys().filter_map(|&column| match column {
            Column::Device(device, Measure::Lut4 | Measure::Lut) => {
                Some((column, Column::Device(device, Measure::Mbps)))
            }
            _ => None,
        });
        let mut pairs = of_tables.into_iter().chain(of_devices);
        pairs.find(|(luts, throughput)| {
            [luts, throughput].iter().all(|column| self.figures.contains_key(column))
        })
    }

    /// The text of the row's cell in a column: empty where nothing was measured.
    pub(super) fn cell(&self, column: Column) -> String {
        self.figures.get(&column).map_or_else(String::new, |figure| format!("{figure:.*}", column.digits()))
    }
}

/// Writes figures: counts as whole numbers, measures with two decimal places.
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
            Number::Measure(hundredths(figure))
        };
        (column, number)
    }))
}

fn hundredths(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

/// A table in CSV, with a head line. What was not measured is empty.
pub fn csv(rows: &[Row], columns: &[Column]) -> String {
    let heads = ["core", "system", "role", "unit_bits"].map(str::to_owned);
    let heads: Vec<String> = heads.into_iter().chain(columns.iter().map(|column| column.key())).collect();
    let mut text = heads.join(",") + "\n";
    for row in rows {
        let names = [quoted(&row.core), quoted(&row.system), quoted(&row.role), row.unit_bits.to_string()];
        let figure = |column| row.figures.get(column).map(|&figure| hundredths(figure).to_string());
        let figures = columns.iter().map(|column| figure(column).unwrap_or_default());
        text += &(names.into_iter().chain(figures).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// A field of CSV, in quotes if it has to be: the options of systems have commas.
fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Head of the column that names cores.
pub(super) const CORE: &str = "core";

/// A table in Markdown.
pub fn markdown(rows: &[Row], columns: &[Column]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heads = std::iter::once(CORE.to_owned()).chain(columns.iter().map(|column| column.head()));
    let mut text = line(heads.collect());
    text += &line(vec!["---".to_owned(); columns.len() + 1]);
    for row in rows {
        let cells = columns.iter().map(|&column| row.cell(column));
        text += &line(std::iter::once(format!("`{}`", row.core)).chain(cells).collect());
    }
    text
}

/// The longest paths of rows, as text.
pub fn paths(rows: &[Row]) -> String {
    let all = rows.iter().flat_map(|row| row.paths.iter().map(move |(column, path)| (row, column, path)));
    all.map(|(row, column, path)| format!("\n{}, {}: {path}", row.core, column.head())).collect()
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Max, Role, System};

    use super::*;

    fn device(name: &str) -> Device {
        name.parse().unwrap()
    }

    #[test]
    fn every_column_is_found_by_its_key() {
        let devices: Vec<Device> = Device::all().collect();
        let columns = [Column::of_tables(), Column::of_choice(&devices, true)].concat();
        for column in columns {
            assert_eq!(Column::of_key(&column.key()), Some(column), "{}", column.key());
        }
        assert_eq!(Column::of_key("hx9k_mhz"), None);
    }

    #[test]
    fn keys_and_heads_name_device_and_unit() {
        let columns = Column::of_choice(&[device("ecp5-45k:7"), device("xc7")], true);
        let heads: Vec<String> = columns.iter().map(|column| column.head()).collect();
        let keys: Vec<String> = columns.iter().map(|column| column.key()).collect();
        assert_eq!(
            heads[2..8],
            ["LUT4", "FF", "block RAM", "MHz", "ceiling", "MB/s"].map(|head| format!("ecp5-45k:7 {head}"))
        );
        assert_eq!(heads[8..12], ["xc7 LUT", "xc7 FF", "xc7 CARRY4", "xc7 block RAM"]);
        assert_eq!(heads[12..14], ["cells area", "cells gates"]);
        assert_eq!(
            keys[..5],
            ["latency_cycles", "units_per_cycle", "ecp5_45k_7_lut4", "ecp5_45k_7_ff", "ecp5_45k_7_block_ram"]
        );
        assert_eq!(keys[8], "xc7_lut");
        assert_eq!(keys[keys.len() - 2..], ["cells_mb_per_s", "seeds"]);
    }

    #[test]
    fn throughput_follows_from_any_clock() {
        let core = Core::new(CoreSpec::new(System::Utf9 { max: Max::Unicode }, Role::Decoder)).unwrap();
        let mut row = Row::new(&core.into());
        let clock =
            |measure| [Column::Device(device("hx1k"), measure), Column::Library(measure), Column::Ecp5Mhz];
        row.add(Figures::from(clock(Measure::Mhz).map(|column| (column, 80.0))));
        for column in
            [Column::Device(device("hx1k"), Measure::Mbps), Column::Library(Measure::Mbps), Column::Ecp5Mbps]
        {
            assert_eq!(row.figures[&column], 90.0);
        }
    }

    #[test]
    fn csv_has_quotes_where_names_have_commas() {
        let spec = CoreSpec {
            on_error: ErrorMode::Drop,
            ..CoreSpec::new(System::Utf9 { max: Max::Ucs4 }, Role::Decoder)
        };
        let mut row = Row::new(&Core::new(spec).unwrap().into());
        row.figures.insert(Column::Hx8kMhz, 186.456);
        let columns = [Column::UnitsPerCycle, Column::Ice40Lut4, Column::Hx8kMhz];
        let expected = "core,system,role,unit_bits,units_per_cycle,ice40_lut4,hx8k_mhz\n\
                        \"utf-9,max=7fffffff decoder --on-error drop\",\"utf-9,max=7fffffff\",decoder,9,1,,186.46\n";
        assert_eq!(csv(&[row], &columns), expected);
    }
}
