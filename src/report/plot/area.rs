//! Rectangles, of which labels and the lines to their points are made.

/// A rectangle: left, top, right and bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area(pub f64, pub f64, pub f64, pub f64);

impl Area {
    pub fn around((x, y): (f64, f64), half: f64) -> Self {
        Self(x - half, y - half, x + half, y + half)
    }

    pub fn meets(self, other: Self) -> bool {
        self.0 < other.2 && other.0 < self.2 && self.1 < other.3 && other.1 < self.3
    }

    /// Whether it meets none of these.
    pub fn is_clear(self, others: &[Self]) -> bool {
        !others.iter().any(|other| self.meets(*other))
    }

    pub fn is_inside(self, other: Self) -> bool {
        self.0 > other.0 && self.1 > other.1 && self.2 < other.2 && self.3 < other.3
    }

    /// The place in it that is next to a point.
    pub fn nearest(self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.0, self.2), y.clamp(self.1, self.3))
    }
}

/// A line, as small areas along it.
pub(super) fn steps(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = Area> + Clone {
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    let count = (length / 3.0) as u32;
    (1..count).map(move |step| {
        let share = f64::from(step) / f64::from(count);
        Area::around((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)), 1.0)
    })
}
