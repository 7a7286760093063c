//! Labels of points: each is put where there is room.

use super::area::{Area, steps};
use super::point::{POINT, Point, put};

/// Width of a character of a label, and height of a label.
const CHARACTER: f64 = 5.6;
const LINE: f64 = 12.0;
/// The candidate positions of a label: directions from its point, the best first, and distances.
const DIRECTIONS: [(f64, f64); 32] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.71, -0.71),
    (0.71, 0.71),
    (-0.71, -0.71),
    (-0.71, 0.71),
    (0.92, -0.38),
    (0.92, 0.38),
    (-0.92, -0.38),
    (-0.92, 0.38),
    (0.38, -0.92),
    (0.38, 0.92),
    (-0.38, -0.92),
    (-0.38, 0.92),
    (0.98, -0.2),
    (0.98, 0.2),
    (-0.98, -0.2),
    (-0.98, 0.2),
    (0.83, -0.56),
    (0.83, 0.56),
    (-0.83, -0.56),
    (-0.83, 0.56),
    (0.56, -0.83),
    (0.56, 0.83),
    (-0.56, -0.83),
    (-0.56, 0.83),
    (0.2, -0.98),
    (0.2, 0.98),
    (-0.2, -0.98),
    (-0.2, 0.98),
];
const DISTANCES: [f64; 20] = [
    7.0, 12.0, 18.0, 26.0, 36.0, 48.0, 62.0, 78.0, 96.0, 116.0, 138.0, 162.0, 190.0, 220.0, 250.0, 280.0,
    310.0, 340.0, 370.0, 400.0,
];
/// The distance from which on a label has a line to its point.
const NEAR: f64 = 13.0;

/// The penalties of a label's line that crosses another line or a point, and of a label that is left out. The penalty of a line
/// itself is its length.
const CROSSING: f64 = 300.0;
const LEFT_OUT: f64 = 10_000.0;
/// Orders of labels that are tried.
const ORDERS: u32 = 100;

/// A place in the picture with one point or more, and their labels as one.
#[derive(Clone)]
struct Spot {
    place: (f64, f64),
    label: String,
}

fn spots(points: &[Point], places: &[(f64, f64)]) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for (Point { label, .. }, &place) in points.iter().zip(places) {
        match spots.iter_mut().find(|spot| spot.place == place) {
            Some(spot) => spot.label = format!("{} and {label}", spot.label),
            None => spots.push(Spot { place, label: label.clone() }),
        }
    }
    spots
}

/// Labels with their places, and the penalty of the places.
#[derive(Default)]
struct Layout {
    labels: Vec<(Spot, Area, bool)>,
    taken: Vec<Area>,
    leads: Vec<Area>,
    badness: f64,
}

impl Layout {
    /// Puts one label after the other where there is room: not on a point, on another label or on one of `lines`. A line from a
    /// label to its point crosses no label; where there is no other way, it crosses another such line or a point. Where there is
    /// no place at all, the label is left out; the title of its point, which viewers show under the mouse, has the name.
    fn of(spots: &[Spot], frame: Area, lines: &[Area]) -> Self {
        let marks: Vec<Area> = spots.iter().map(|spot| Area::around(spot.place, POINT + 1.0)).collect();
        let mut layout = Self::default();
        for spot in spots {
            let others: Vec<Area> =
                marks.iter().copied().filter(|mark| !mark.meets(Area::around(spot.place, 0.1))).collect();
            let Self { taken, leads, .. } = &layout;
            let is_free = |(area, has_lead): (Area, bool), crossing: bool| {
                let crosses = |areas: &[Area]| lead(spot.place, area).any(|step| !step.is_clear(areas));
                area.is_inside(frame)
                    && [&marks[..], taken, leads, lines].into_iter().all(|areas| area.is_clear(areas))
                    && (!has_lead || !crosses(taken) && (crossing || !crosses(leads) && !crosses(&others)))
            };
            let find = |crossing| {
                candidates(spot.place, &spot.label).find(|&candidate| is_free(candidate, crossing))
            };
            let (found, badness) = match find(false) {
                Some(found) => (Some(found), 0.0),
                None => (find(true), CROSSING),
            };
            match found {
                Some((area, has_lead)) => layout.put(spot, area, has_lead, badness),
                None => layout.badness += LEFT_OUT,
            }
        }
        layout
    }

    fn put(&mut self, spot: &Spot, area: Area, has_lead: bool, badness: f64) {
        let steps = lead(spot.place, area);
        self.badness += badness + 3.0 * steps.clone().count() as f64;
        if has_lead {
            // Beside its point, a line may be near that of a neighbour.
            self.leads.extend(steps.skip(3));
        }
        self.taken.push(area);
        self.labels.push((spot.clone(), area, has_lead));
    }
}

/// Writes the labels. Many orders of placing them are tried, and the best result is kept.
pub(super) fn labels(
    text: &mut String,
    frame: Area,
    points: &[Point],
    places: &[(f64, f64)],
    lines: &[Area],
) {
    let mut spots = spots(points, places);
    let mut best = Layout::of(&spots, frame, lines);
    let mut random = 1u64;
    for _ in 0..ORDERS {
        for last in (1..spots.len()).rev() {
            // The generator of Knuth's MMIX.
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            spots.swap(last, (random >> 33) as usize % (last + 1));
        }
        let other = Layout::of(&spots, frame, lines);
        if other.badness < best.badness {
            best = other;
        }
    }
    for (Spot { place: (x, y), label }, area, has_lead) in best.labels {
        if has_lead {
            let (to_x, to_y) = area.nearest((x, y));
            put(text, format_args!("<path class=\"lead\" d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/>"));
        }
        let (left, base) = (area.0, area.3 - 3.0);
        put(text, format_args!("<text class=\"label\" x=\"{left:.1}\" y=\"{base:.1}\">{label}</text>"));
    }
}

/// The line from a point to the edge of its label, as small areas along it.
fn lead(place: (f64, f64), label: Area) -> impl Iterator<Item = Area> + Clone {
    steps(place, label.nearest(place))
}

/// The candidate places for the label of a point, the best first, and for each whether it needs a line to the point.
fn candidates((x, y): (f64, f64), label: &str) -> impl Iterator<Item = (Area, bool)> {
    let (half_width, half_height) = (label.chars().count() as f64 * CHARACTER / 2.0, LINE / 2.0);
    DISTANCES.into_iter().flat_map(move |distance| {
        DIRECTIONS.into_iter().map(move |(right, down)| {
            // The edge of the label that looks at the point is as far away as the distance says.
            let (x, y) = (x + right * (distance + half_width), y + down * (distance + half_height));
            (Area(x - half_width, y - half_height, x + half_width, y + half_height), distance >= NEAR)
        })
    })
}
