//! Choices by the value of a signal: cases of single values, and tables whose rows leave bits open.

use super::module::{Arm, Op};
use super::pattern::{Pattern, disjoint};
use super::{Bits, Signal};

/// A row of a [`table`](Signal::table): the patterns of its keys, a comment, and a value for each column.
#[derive(Clone)]
pub struct Row<'m, const N: usize> {
    patterns: Vec<Pattern>,
    note: String,
    values: [Signal<'m>; N],
}

impl<'m, const N: usize> Row<'m, N> {
    /// A row for the keys that match `patterns`: one [`Pattern`] such as `110xxxxx`, or several separated by commas.
    ///
    /// # Panics
    /// If that is no pattern.
    #[track_caller]
    pub fn new(patterns: &str, note: &str, values: [Signal<'m>; N]) -> Self {
        let patterns = patterns.split(',').map(|text| Pattern::new(text.trim())).collect();
        Self { patterns, note: note.to_owned(), values }
    }
}

impl<'m> Signal<'m> {
    /// The value of the arm whose label the signal equals, else `default`.
    ///
    /// # Panics
    /// If there is no arm, an arm has no label, a label does not fit or occurs twice, or the widths of the arms differ.
    #[track_caller]
    pub fn case<const N: usize>(self, arms: [(&[u64], Self); N], default: Self) -> Self {
        self.case_of(arms, default)
    }

    /// [`case`](Self::case) with arms that come from a list made at run time.
    ///
    /// # Panics
    /// As [`case`](Self::case).
    #[track_caller]
    pub fn case_of<L: AsRef<[u64]>>(self, arms: impl IntoIterator<Item = (L, Self)>, default: Self) -> Self {
        let what = || format!("case on {} (module `{}`)", self.describe(), self.builder.module.borrow().name);
        let mut seen = Vec::new();
        let mut built = Vec::new();
        for (labels, value) in arms {
            self.builder.same_width("case", default, value);
            let labels = labels.as_ref();
            assert!(!labels.is_empty(), "{}: an arm has no label", what());
            for label in labels {
                let fits = self.width >= 64 || label >> self.width == 0;
                assert!(fits, "{}: the label {label:#x} does not fit in {} bits", what(), self.width);
                assert!(!seen.contains(label), "{}: the label {label:#x} occurs twice", what());
                seen.push(*label);
            }
            let labels = labels.iter().map(|label| Pattern::exact(Bits::new(self.width, *label)));
            built.push(Arm { labels: labels.collect(), value: value.id, note: None });
        }
        assert!(!built.is_empty(), "{}: there is no arm", what());
        self.builder.node(Op::Case(self.id, built, default.id), default.width)
    }

    /// Looks the signal up in a table. The result has a value for each column: that of the first row with a pattern that the
    /// signal matches, else that of `default`. In Verilog the table is one `casez` with a line and a comment for each row.
    ///
    /// Overlapping rows are separated in Verilog, where overlapping labels give a warning: after `1100000x`, the row
    /// `110xxxxx` becomes four labels.
    ///
    /// # Panics
    /// If there is no column or no row, a pattern is not as wide as the signal, a row is never reached, or the widths of a
    /// column's values differ.
    #[track_caller]
    pub fn table<const N: usize>(
        self,
        columns: [&str; N],
        rows: impl IntoIterator<Item = Row<'m, N>>,
        default: [Self; N],
    ) -> [Self; N] {
        let rows: Vec<Row<'m, N>> = rows.into_iter().collect();
        let what = || {
            let module = &self.builder.module.borrow().name;
            format!("table of {} by {} (module `{module}`)", columns.join(", "), self.describe())
        };
        assert!(N > 0, "{}: there is no column", what());
        assert!(!rows.is_empty(), "{}: there is no row", what());
        for row in &rows {
            for pattern in &row.patterns {
                assert!(
                    pattern.width() == self.width,
                    "{}: the pattern {pattern} has {} bits, {} has {}",
                    what(),
                    pattern.width(),
                    self.describe(),
                    self.width
                );
            }
            for (value, default) in row.values.iter().zip(default) {
                self.builder.same_width("table", default, *value);
            }
        }
        let patterns: Vec<Vec<Pattern>> = rows.iter().map(|row| row.patterns.clone()).collect();
        if let Some(row) = disjoint(&patterns).iter().position(Vec::is_empty) {
            let row = patterns[row].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            panic!(
                "{}: the row {row} is never reached, since rows before it match all that it matches",
                what()
            );
        }
        std::array::from_fn(|column| {
            let arm = |row: &Row<'m, N>| {
                let (labels, note) = (row.patterns.clone(), Some(row.note.clone()));
                Arm { labels, value: row.values[column].id, note: note.filter(|note| !note.is_empty()) }
            };
            let op = Op::Case(self.id, rows.iter().map(arm).collect(), default[column].id);
            self.builder.node(op, default[column].width).named(columns[column])
        })
    }
}
