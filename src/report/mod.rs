//! Area and clock of the cores and adapters, measured with other people's tools: what `utfhdl report` prints, and the tables of the
//! documentation.
//!
//! ```text
//!  Selection ──> cores ──┐           ┌─ synthesis (area) ────────┐
//!  (names)               ├─> flows ──┼─ place_and_route (clock) ─┼──> rows ──> table, page
//!  Tools (what is here) ─┘           └─ asic (area, clock) ──────┘
//! ```
//!
//! A flow makes a recipe for a core: the files and the commands that give its figures. Figures are kept under a hash of everything
//! in the recipe, so that a second report measures only what has changed.

mod asic;
mod block;
mod boolean;
mod ceiling;
mod device;
mod error;
mod family;
mod flow;
mod harness;
mod liberty;
mod library;
mod longest_path;
mod measure;
mod page;
mod place_and_route;
mod plot;
mod recipe;
mod request;
mod selection;
mod subject;
mod synthesis;
mod table;
mod tools;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use utfhdl_sim::tool::Cache;

use recipe::{Findings, Recipe};

pub use block::Block;
pub use device::{Device, ParseDeviceError};
pub use error::ReportError;
pub use flow::Flow;
pub use harness::harness;
pub use library::Library;
pub use longest_path::{LongestPath, PathStep};
pub use measure::Measure;
pub use page::Page;
pub use plot::{PlotError, plot};
pub use request::Request;
pub use selection::{AdapterVariant, ParseSelectionError, Selection, Variant};
pub use table::{Column, Figures, Row, csv, markdown, paths};
pub use tools::{Missing, Tool, Tools};

/// How to measure.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Number of placements, with seeds from 1 on; of cores of 32 lanes three at most, of 64 one. The clock of a core is their median.
    pub seeds: NonZeroU32,
    /// The most tools that run at the same time.
    pub jobs: NonZeroU32,
    /// The cache of figures.
    pub cache: Cache,
}

/// Measures `cores` with those of `flows` whose tools were found. Calls `progress`, from any thread, with the number of runs that
/// are done and the number of all.
///
/// # Errors
/// The error of the first run that failed, in the order of cores and flows.
pub fn measure(
    cores: &[Block],
    flows: &[Flow],
    tools: &Tools,
    effort: &Effort,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Row>, ReportError> {
    let mut jobs = Vec::new();
    for (row, core) in cores.iter().enumerate() {
        for flow in flows {
            jobs.extend(flow.recipe(core, tools, effort.seeds).map(|recipe| Job { row, flow, recipe }));
        }
    }
    let measured = Mutex::new(Measured { rows: cores.iter().map(Row::new).collect(), failed: None });
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(place) else { return };
        let found = job
            .recipe
            .findings(&effort.cache, |folder: &Path| job.flow.read(folder, &cores[job.row], effort.seeds));
        let seeds = job.flow.placements(&cores[job.row], effort.seeds);
        let found = found.map(|mut found| {
            if let Some(seeds) = seeds.filter(|_| !found.figures.is_empty()) {
                found.figures.insert(Column::Seeds, f64::from(seeds.get()));
            }
            found
        });
        if !measured.lock().expect(UNPOISONED).enter(place, job.row, found) {
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
struct Job<'a> {
    row: usize,
    flow: &'a Flow,
    recipe: Recipe,
}

const UNPOISONED: &str = "no thread panics while it holds the rows";

/// The rows measured, and the first error.
struct Measured {
    rows: Vec<Row>,
    /// The error of the first job that failed, and the place of the job. Jobs begin in order, so all jobs before it have begun, and
    /// the error is the same however the threads run.
    failed: Option<(usize, ReportError)>,
}

impl Measured {
    /// Enters what was found by the job at `place`. The result says whether to continue.
    fn enter(&mut self, place: usize, row: usize, found: Result<Findings, ReportError>) -> bool {
        match found {
            Ok(found) => self.rows[row].add(found),
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
