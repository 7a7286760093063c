//! The points of the picture.

use std::fmt::Write;

use crate::report::table::{Column, Row};

/// Half of the width of a point.
pub(super) const POINT: f64 = 4.0;

/// A core in the picture.
pub(super) struct Point {
    pub(super) system: String,
    /// `decoder` or `encoder`.
    pub(super) role: String,
    pub(super) lanes: f64,
    /// The figures as the table shows them.
    pub(super) luts: f64,
    pub(super) megabytes: f64,
    pub(super) label: String,
}

impl Point {
    pub(super) fn of(row: &Row, luts: Column, throughput: Column) -> Option<Self> {
        let lanes = row.figures.get(&Column::UnitsPerCycle).copied()?;
        let plain = format!("{} {}", row.system, row.role);
        let is_default = row.core == plain || row.core == format!("{plain} --lanes {lanes}");
        if !is_default || !matches!(row.role.as_str(), "decoder" | "encoder") || row.system.contains(',') {
            return None;
        }
        let shown = |column| row.cell(column).parse::<f64>().ok().filter(|figure| *figure > 0.0);
        let label = if lanes > 1.0 { format!("{}, {lanes} lanes", row.system) } else { row.system.clone() };
        let (system, role) = (row.system.clone(), row.role.clone());
        Some(Self { system, role, lanes, luts: shown(luts)?, megabytes: shown(throughput)?, label })
    }
}

/// Adds a line to the picture.
pub(super) fn put(text: &mut String, line: std::fmt::Arguments) {
    text.write_fmt(line).expect("writing to a string");
    text.push('\n');
}
