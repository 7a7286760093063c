//! The inputs that lines of results cover, as ranges: neighbours are joined, so that few ranges cover many lines.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The file.
    pub file: Arc<str>,
    /// The first line, counted from 1.
    pub first: u64,
    /// The last line.
    pub last: u64,
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { file, first, last } if first == last => write!(f, "{file}, line {first}"),
            Self { file, first, last } => write!(f, "{file}, lines {first} to {last}"),
        }
    }
}

/// Inputs that are covered already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The inputs.
    pub inputs: Range<u64>,
    /// The lines that cover them.
    pub lines: Lines,
}

/// The inputs that are covered, and by which lines.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Keyed by the first input of each range. Ranges neither overlap nor, within one file, touch.
    ranges: BTreeMap<u64, Covered>,
}

#[derive(Clone, Debug)]
struct Covered {
    end: u64,
    lines: Lines,
}

impl Coverage {
    /// Covers `inputs`, which are not empty, by a line.
    ///
    /// # Errors
    /// If some of them are covered already.
    pub fn insert(&mut self, inputs: Range<u64>, lines: Lines) -> Result<(), Overlap> {
        let before = self.ranges.range(..inputs.end).next_back().map(|(start, covered)| (*start, covered));
        if let Some((start, covered)) = before.filter(|(_, covered)| covered.end > inputs.start) {
            let both = start.max(inputs.start)..covered.end.min(inputs.end);
            return Err(Overlap { inputs: both, lines: covered.lines.clone() });
        }
        let (mut start, mut covered) = (inputs.start, Covered { end: inputs.end, lines });
        if let Some((first, before)) = before
            && before.end == start
            && before.lines.file == covered.lines.file
        {
            (start, covered.lines) = (first, joined(&before.lines, &covered.lines));
        }
        if let Some(after) = self.ranges.get(&covered.end)
            && after.lines.file == covered.lines.file
        {
            let lines = joined(&covered.lines, &after.lines);
            let end = covered.end;
            covered = Covered { end: after.end, lines };
            self.ranges.remove(&end);
        }
        self.ranges.insert(start, covered);
        Ok(())
    }

    /// The ranges of `whole` that are not covered.
    pub fn gaps(&self, whole: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = whole.start;
        for (&start, covered) in self.ranges.range(..whole.end) {
            if start > at {
                gaps.push(at..start);
            }
            at = at.max(covered.end);
        }
        if at < whole.end {
            gaps.push(at..whole.end);
        }
        gaps
    }
}

/// The lines from the first to the last of both, which are of one file.
fn joined(a: &Lines, b: &Lines) -> Lines {
    Lines { file: Arc::clone(&a.file), first: a.first.min(b.first), last: a.last.max(b.last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(file: &str, number: u64) -> Lines {
        Lines { file: file.into(), first: number, last: number }
    }

    #[test]
    fn a_million_lines_are_one_range() {
        let mut coverage = Coverage::default();
        // Pairs in the wrong order, as two threads leave them.
        for number in (0..1_000_000_u64).map(|number| number ^ 1) {
            coverage
                .insert(number * 512..(number + 1) * 512, line("a", number + 1))
                .expect("the range is not covered yet");
            assert!(coverage.ranges.len() <= 2);
        }
        assert_eq!(coverage.gaps(0..512_000_000), []);
        assert_eq!(coverage.gaps(0..512_000_001), std::slice::from_ref(&(512_000_000..512_000_001)));
        let overlap = coverage.insert(1000..1001, line("b", 7)).expect_err("covered already");
        assert_eq!(overlap.inputs, 1000..1001);
        assert_eq!(overlap.lines.to_string(), "a, lines 1 to 1000000");
    }

    #[test]
    fn what_is_covered_twice_or_not_at_all_is_told() {
        let mut coverage = Coverage::default();
        assert_eq!(coverage.gaps(5..10), std::slice::from_ref(&(5..10)));
        coverage.insert(10..20, line("a", 1)).unwrap();
        coverage.insert(20..30, line("b", 1)).unwrap();
        coverage.insert(40..50, line("b", 2)).unwrap();
        assert_eq!(coverage.gaps(0..60), [0..10, 30..40, 50..60]);
        assert_eq!(coverage.gaps(12..45), std::slice::from_ref(&(30..40)));
        for (inputs, both, of) in [
            (5..11, 10..11, "a, line 1"),
            (19..21, 20..21, "b, line 1"),
            (15..16, 15..16, "a, line 1"),
            (0..100, 40..50, "b, line 2"),
            (29..41, 40..41, "b, line 2"),
        ] {
            let overlap = coverage.insert(inputs.clone(), line("c", 1)).expect_err("covered already");
            assert_eq!((overlap.inputs, overlap.lines.to_string().as_str()), (both, of), "{inputs:?}");
        }
        coverage.insert(30..40, line("b", 3)).unwrap();
        assert_eq!(coverage.gaps(0..60), [0..10, 50..60]);
        assert_eq!(coverage.insert(49..50, line("c", 1)).unwrap_err().lines.to_string(), "b, lines 1 to 3");
    }
}
