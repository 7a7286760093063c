//! What is told while problems are being decided.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::prove::run::{Finding, Watch, Work};
use utfhdl::prove::verdict::Verdict;

use super::table::Row;
use crate::cmd::output::message;

/// Time between two pictures of the line on a terminal.
const TICK: Duration = Duration::from_millis(250);

/// Collects findings. A terminal shows the problem that is being decided, and for how long.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Whether each problem is told in lines that stay.
    is_told: bool,
    rows: Vec<Row>,
    refuted: Vec<Finding>,
    /// The problems that were proved, for certificates.
    proved: Vec<Finding>,
}

/// The results of all problems.
pub(super) struct Findings {
    /// A row of each finding.
    pub(super) rows: Vec<Row>,
    /// The findings that show that something does not hold.
    pub(super) refuted: Vec<Finding>,
    /// The problems that were proved.
    pub(super) proved: Vec<Finding>,
}

impl Progress {
    pub(super) fn new(is_told: bool) -> Self {
        let style =
            ProgressStyle::with_template("{wide_msg} {elapsed}").expect("the template is well-formed");
        let bar = ProgressBar::new_spinner().with_style(style);
        Self { bar, is_told, rows: Vec::new(), refuted: Vec::new(), proved: Vec::new() }
    }

    pub(super) fn findings(self) -> Findings {
        self.bar.finish_and_clear();
        let Self { rows, refuted, proved, .. } = self;
        Findings { rows, refuted, proved }
    }

    fn tell(&self, text: &str) {
        if self.is_told {
            self.bar.suspend(|| message(text));
        }
    }
}

impl Watch for Progress {
    fn begins(&mut self, work: &Work) {
        let Work { property, name, number, total, by } = work;
        let text = format!("{property}, problem {number} of {total}: {name}, by {by}");
        self.tell(&text);
        self.bar.set_message(text);
        self.bar.reset_elapsed();
        self.bar.enable_steady_tick(TICK);
    }

    fn found(&mut self, finding: Finding) {
        let row = Row::new(&finding);
        self.tell(&format!("{}: {}", finding.property, row.in_words()));
        self.rows.push(row);
        match finding.verdict {
            Verdict::Refuted(_) | Verdict::Differs { .. } => self.refuted.push(finding),
            Verdict::Proved { .. } if finding.problem.is_some() => self.proved.push(finding),
            Verdict::Proved { .. } | Verdict::Undecided { .. } => {}
        }
    }
}
