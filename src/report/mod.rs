//! How large and how fast the cores are in other people's flows: what `utfhdl report` prints, and the tables of the
//! documentation.
//!
//! ```text
//!  Selection ──> cores ──┐           ┌─ synthesis (area) ────────┐
//!  (names)               ├─> flows ──┼─ place_and_route (clock) ─┼──> rows ──> table, page
//!  Tools (what is here) ─┘           └─ asic (area, clock) ──────┘
//! ```
//!
//! A flow says what to run for a core, a recipe; what comes of a recipe is kept under the hash of
//! everything in it, so that a second report measures only what has changed.

mod asic;
mod flow;
mod harness;
mod page;
mod place_and_route;
mod recipe;
mod selection;
mod synthesis;
mod table;
mod tools;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use utfhdl_hdl::core::{Core, CoreError};
use utfhdl_sim::tool::{Cache, ToolError};

use recipe::Recipe;

pub use flow::Flow;
pub use harness::harness;
pub use page::Page;
pub use selection::{ParseSelectionError, Selection};
pub use table::{Column, Figures, Row, markdown};
pub use tools::{Missing, Tool, Tools};

/// How to measure.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Placements of which the median counts: those of seeds 1 to this.
    pub seeds: NonZeroU32,
    /// Tools run at a time, at most.
    pub jobs: NonZeroU32,
    /// Where results are kept.
    pub cache: Cache,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A core that can't be had.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A tool that failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A tool that ended well, but did not say what was asked of it.
    #[error("{tool} did not say {what}; it said:\n{said}")]
    Silent {
        /// The tool.
        tool: &'static str,
        /// What was to be read.
        what: &'static str,
        /// Where it should have stood.
        said: String,
    },
    /// A page whose tables can't be read.
    #[error("{path}:{line}: {what}")]
    Page {
        /// The file.
        path: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong, and what would be right.
        what: String,
    },
}

/// Measures `cores` in those of `flows` that `tools` are there for. Tells `progress` what is done, and of how much, from any
/// thread.
///
/// # Errors
/// The first, in the order of cores and flows, that a tool made.
pub fn measure(
    cores: &[Core],
    flows: &[Flow],
    tools: &Tools,
    effort: &Effort,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Row>, ReportError> {
    let mut jobs = Vec::new();
    for (row, core) in cores.iter().enumerate() {
        for &flow in flows {
            jobs.extend(flow.recipe(core, tools, effort.seeds).map(|recipe| Job { row, flow, recipe }));
        }
    }
    let measured = Mutex::new(Measured { rows: cores.iter().map(Row::new).collect(), failed: None });
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(place) else { return };
        let figures = job.recipe.figures(&effort.cache, |folder: &Path| job.flow.read(folder, effort.seeds));
        if !measured.lock().expect(UNPOISONED).enter(place, job.row, figures) {
            return;
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
    };
    thread::scope(|scope| {
        for _ in 0..effort.jobs.get() {
            scope.spawn(work);
        }
    });
    measured.into_inner().expect(UNPOISONED).rows()
}

/// A flow to run for the core of a row.
struct Job {
    row: usize,
    flow: Flow,
    recipe: Recipe,
}

const UNPOISONED: &str = "no thread panics while it holds the rows";

/// What the jobs gave.
struct Measured {
    rows: Vec<Row>,
    /// The error of the first job that failed, and that job's place. Jobs begin in order, so that those in front of it have all
    /// been begun, and it is the same error however the threads run.
    failed: Option<(usize, ReportError)>,
}

impl Measured {
    /// Enters what the job at `place` gave; gives whether to go on.
    fn enter(&mut self, place: usize, row: usize, figures: Result<Figures, ReportError>) -> bool {
        match figures {
            Ok(figures) => self.rows[row].add(figures),
            Err(error) if self.failed.as_ref().is_none_or(|(first, _)| place < *first) => {
                self.failed = Some((place, error));
            }
            Err(_) => {}
        }
        self.failed.is_none()
    }

    fn rows(self) -> Result<Vec<Row>, ReportError> {
        match self.failed {
            Some((_, error)) => Err(error),
            None => Ok(self.rows),
        }
    }
}
