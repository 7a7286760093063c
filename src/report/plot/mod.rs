//! A picture of rows: area against throughput, on logarithmic axes, as an SVG with a panel for decoders and one for encoders. Every
//! point has a label, which is put where there is room, with a line to its point where that is further away.

mod area;
mod labels;
mod point;

use area::{Area, steps};
use labels::labels;
use point::{POINT, Point, put};

use super::table::Row;

/// Width of the picture, height of a panel, and margins around its axes. All lengths are in pixels.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 620.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 52.0;
/// The room around all points, as a factor.
const ROOM: f64 = 1.35;

const STYLE: &str = "\
text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;font-size:12px;fill:#57606a}
.label{font-size:10.5px;fill:#1f2328}
.head{font-size:14px;font-weight:600;fill:#1f2328}
.mid{text-anchor:middle}
.end{text-anchor:end}
.paper{fill:#ffffff;stroke:#d0d7de}
.grid{stroke:#d0d7de;stroke-width:.6;fill:none}
.fine{stroke:#eaeef2;stroke-width:.5;fill:none}
.lead{stroke:#8c959f;stroke-width:.7;fill:none}
.decoder{fill:#0969da;stroke:#0969da}
.encoder{fill:#bc4c00;stroke:#bc4c00}
.lanes{stroke:#0969da;stroke-width:1;stroke-dasharray:3 3;fill:none}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.label,.head{fill:#e6edf3}
.paper{fill:#0d1117;stroke:#30363d}
.grid{stroke:#30363d}
.fine{stroke:#1c2128}
.lead{stroke:#6e7681}
.decoder{fill:#58a6ff;stroke:#58a6ff}
.encoder{fill:#f0883e;stroke:#f0883e}
.lanes{stroke:#58a6ff}
}
";

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// No row has the figures that a point needs.
    #[error(
        "there is nothing to draw: a picture shows decoders and encoders with default options whose LUTs and throughput in an FPGA \
         are known"
    )]
    NoPoints,
}

/// An axis: the range of its values, and that of its pixels.
struct Axis {
    values: (f64, f64),
    pixels: (f64, f64),
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone, pixels: (f64, f64)) -> Self {
        let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(0.0, f64::max));
        Self { values: (low / ROOM, high * ROOM), pixels }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value / self.values.0).ln() / (self.values.1 / self.values.0).ln();
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }

    /// One to nine times each power of ten within the axis; with it, whether the line has its value beside it.
    fn lines(&self) -> Vec<(f64, bool)> {
        let powers = (-6..12).map(|power| 10f64.powi(power));
        let lines = powers.flat_map(|power| (1..10).map(move |digit| (power * f64::from(digit), digit)));
        lines
            .filter(|(value, _)| (self.values.0..=self.values.1).contains(value))
            .map(|(value, digit)| (value, matches!(digit, 1 | 2 | 5)))
            .collect()
    }
}

/// The picture of `rows`: their LUTs against their throughput in the FPGA that comes first among the columns, the ECP5 of the tables
/// before all others. Rows with options other than lanes, and transcoders, are left out.
///
/// # Errors
/// If no row has both figures.
pub fn plot(rows: &[Row]) -> Result<String, PlotError> {
    let (luts, throughput) = rows.iter().find_map(Row::axes).ok_or(PlotError::NoPoints)?;
    let mut points: Vec<Point> = rows.iter().filter_map(|row| Point::of(row, luts, throughput)).collect();
    points.sort_by(|one, other| other.megabytes.total_cmp(&one.megabytes));
    let panels =
        ["decoder", "encoder"].map(|role| points.extract_if(.., |point| point.role == role).collect());
    let panels: Vec<Vec<Point>> = panels.into_iter().filter(|points: &Vec<_>| !points.is_empty()).collect();
    if panels.is_empty() {
        return Err(PlotError::NoPoints);
    }
    let mut text =
        head(&format!("{} and GB/s of decoders and encoders", luts.head()), HEIGHT * panels.len() as f64);
    for (place, points) in panels.iter().enumerate() {
        let top = HEIGHT * place as f64;
        let frame = Area(LEFT, top + TOP, WIDTH - RIGHT, top + HEIGHT - BOTTOM);
        panel(&mut text, frame, points, &luts.head());
    }
    Ok(text + "</svg>\n")
}

/// Draws the points of one role.
fn panel(text: &mut String, frame: Area, points: &[Point], luts: &str) {
    let x = Axis::of(points.iter().map(|point| point.luts), (frame.0, frame.2));
    let y = Axis::of(points.iter().map(|point| point.megabytes / 1000.0), (frame.3, frame.1));
    let places: Vec<(f64, f64)> =
        points.iter().map(|point| (x.place(point.luts), y.place(point.megabytes / 1000.0))).collect();
    let role = &points[0].role;
    put(
        text,
        format_args!(
            "<text class=\"head\" x=\"{LEFT}\" y=\"{}\">{luts} and GB/s of {role}s</text>",
            frame.1 - 22.0
        ),
    );
    axes(text, frame, &x, &y, luts);
    let lines = lanes(text, points, &places);
    labels(text, frame, points, &places, &lines);
    for (point, &(x, y)) in points.iter().zip(&places) {
        mark(text, point, x, y);
    }
}

fn head(title: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\"/>\n",
        WIDTH - 1.0,
        height - 1.0
    )
}

fn axes(text: &mut String, frame: Area, x: &Axis, y: &Axis, luts: &str) {
    let Area(left, top, right, bottom) = frame;
    for (value, named) in x.lines() {
        let (at, class) = (x.place(value), if named { "grid" } else { "fine" });
        put(text, format_args!("<path class=\"{class}\" d=\"M{at:.1} {top}V{bottom}\"/>"));
        if named {
            put(
                text,
                format_args!("<text class=\"mid\" x=\"{at:.1}\" y=\"{}\">{value}</text>", bottom + 17.0),
            );
        }
    }
    for (value, named) in y.lines() {
        let (at, class) = (y.place(value), if named { "grid" } else { "fine" });
        put(text, format_args!("<path class=\"{class}\" d=\"M{left} {at:.1}H{right}\"/>"));
        if named {
            let value = (value * 1e6).round() / 1e6;
            put(
                text,
                format_args!("<text class=\"end\" x=\"{}\" y=\"{:.1}\">{value}</text>", left - 6.0, at + 4.0),
            );
        }
    }
    let middle = f64::midpoint(left, right);
    put(text, format_args!("<text class=\"mid\" x=\"{middle}\" y=\"{}\">{luts}</text>", bottom + 38.0));
    let middle = f64::midpoint(top, bottom);
    put(
        text,
        format_args!("<text class=\"mid\" transform=\"translate(18 {middle})rotate(-90)\">GB/s</text>"),
    );
}

/// Joins the points of a system and role that differ in lanes; gives the room that the lines take.
fn lanes(text: &mut String, points: &[Point], places: &[(f64, f64)]) -> Vec<Area> {
    let mut drawn: Vec<(&str, &str)> = Vec::new();
    let mut room = Vec::new();
    for several in points.iter().filter(|point| point.lanes > 1.0) {
        let name = (several.system.as_str(), several.role.as_str());
        if drawn.contains(&name) {
            continue;
        }
        drawn.push(name);
        let same = |point: &Point| (point.system.as_str(), point.role.as_str()) == name;
        let mut same: Vec<_> = points.iter().zip(places).filter(|(point, _)| same(point)).collect();
        same.sort_by(|(one, _), (other, _)| one.lanes.total_cmp(&other.lanes));
        let path: Vec<String> = same.iter().map(|(_, (x, y))| format!("{x:.1} {y:.1}")).collect();
        put(text, format_args!("<path class=\"lanes\" d=\"M{}\"/>", path.join("L")));
        room.extend(same.windows(2).flat_map(|pair| steps(*pair[0].1, *pair[1].1)));
    }
    room
}

fn mark(text: &mut String, point: &Point, x: f64, y: f64) {
    let Point { role, label, luts, megabytes, .. } = point;
    let title = format!("<title>{label}: {luts} LUTs, {megabytes} MB/s</title>");
    let place = format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{POINT}\"");
    put(text, format_args!("<circle class=\"{role}\" {place}>{title}</circle>"));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Role, System};

    use super::super::{Figures, Page};
    use super::*;
    use crate::report::table::Column;

    fn row(system: System, role: Role, lanes: u32, luts: f64, megabytes: f64) -> Row {
        let mut row = Row::new(&Core::new(CoreSpec { lanes, ..CoreSpec::new(system, role) }).unwrap().into());
        row.figures.extend(Figures::from([(Column::Ecp5Lut4, luts), (Column::Ecp5Mbps, megabytes)]));
        row
    }

    fn rows() -> Vec<Row> {
        vec![
            row(System::Utf8, Role::Decoder, 1, 100.0, 1000.0),
            row(System::Utf8, Role::Decoder, 2, 1000.0, 2000.0),
            row(System::Utf18, Role::Encoder, 1, 100.0, 1000.0),
        ]
    }

    #[test]
    fn points_stand_where_the_axes_say() {
        let picture = plot(&rows()).unwrap();
        // From 100 to 1000, with room of 1.35 on either side, over 916 pixels.
        let left = 64.0 + 916.0 * 1.35f64.ln() / (10.0 * 1.35 * 1.35f64).ln();
        let circles: Vec<_> =
            picture.lines().filter(|line| line.starts_with("<circle class=\"decoder\" cx")).collect();
        let x = |text: &str| {
            text.split("cx=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
        };
        // The fastest comes first.
        assert_eq!(circles.len(), 2);
        assert!((x(circles[0]) - (1044.0 - left)).abs() < 0.1, "{picture}");
        assert!((x(circles[1]) - left).abs() < 0.1, "{picture}");
    }

    #[test]
    fn every_point_has_a_label_of_its_own() {
        let picture = plot(&rows()).unwrap();
        for label in ["utf-8", "utf-8, 2 lanes", "utf-18"] {
            assert_eq!(picture.matches(&format!(">{label}</text>")).count(), 1, "{picture}");
        }
        assert!(picture.contains("<title>utf-8, 2 lanes: 1000 LUTs, 2000 MB/s</title>"), "{picture}");
    }

    #[test]
    fn points_at_one_place_share_a_label() {
        let other = row(System::Utf18, Role::Decoder, 1, 100.0, 1000.0);
        let picture = plot(&[rows(), vec![other]].concat()).unwrap();
        assert!(picture.contains(">utf-8 and utf-18</text>"), "{picture}");
    }

    /// The picture of docs/performance.md has room for all labels.
    #[test]
    fn every_point_of_the_documentation_has_a_label() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
        let picture = plot(&Page::read(&page).unwrap().rows()).unwrap();
        let between =
            |line: &str, from: &str, to: &str| Some(line.split_once(from)?.1.split_once(to)?.0.to_owned());
        let labels = picture
            .lines()
            .filter(|line| line.contains("\"label\""))
            .filter_map(|line| between(line, "\">", "<"));
        let mut labels: Vec<String> =
            labels.flat_map(|label| label.split(" and ").map(str::to_owned).collect::<Vec<_>>()).collect();
        let mut points: Vec<String> =
            picture.lines().filter_map(|line| between(line, "<title>", ": ")).collect();
        labels.sort();
        points.sort();
        assert_eq!(labels, points);
        assert!(points.len() > 50, "{points:?}");
    }

    #[test]
    fn what_has_options_or_no_figures_is_left_out() {
        let drop = CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(System::Utf8, Role::Decoder) };
        let mut other = Row::new(&Core::new(drop).unwrap().into());
        other.figures.extend(Figures::from([(Column::Ecp5Lut4, 80.0), (Column::Ecp5Mbps, 900.0)]));
        assert_eq!(plot(std::slice::from_ref(&other)), Err(PlotError::NoPoints));
        let unknown = Row::new(&Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).unwrap().into());
        assert_eq!(plot(&[unknown]), Err(PlotError::NoPoints));
        assert_eq!(plot(&[rows(), vec![other]].concat()), plot(&rows()));
    }
}
