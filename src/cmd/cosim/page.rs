//! The page that shows a run.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use utfhdl::cosim::{Cosim, Failure};
use utfhdl::engines::EngineKind;
use utfhdl::shell;
use utfhdl::trace::{Recorder, Trace};
use utfhdl_hdl::core::Core;

use super::{Ran, run_engines, start};
use crate::cmd::output::message;
use crate::cmd::target::Target;

/// Cycles before a failure that its page holds.
const CYCLES_BEFORE_FAILURE: u64 = 2000;

/// A page that is to be written. What is wrong with its path is found out before the run.
pub(in crate::cmd) struct Page {
    target: Target,
}

/// A page whose run is recorded.
pub(super) struct RecordedPage {
    page: Page,
    recorder: Recorder,
}

impl Page {
    pub(in crate::cmd) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { target: Target::create(Some(path))? })
    }

    /// Records a run of `core` from a cycle on.
    pub(super) fn record(self, core: &Core, first: u64) -> anyhow::Result<RecordedPage> {
        Ok(RecordedPage { page: self, recorder: Recorder::new(core, first..=u64::MAX)? })
    }

    /// Writes the page, or whatever else is wanted in its place.
    pub(in crate::cmd) fn put(mut self, text: &str) -> anyhow::Result<()> {
        let name = self.target.name.clone();
        self.target.write_all(text.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        self.target.keep()
    }

    pub(in crate::cmd) fn name(&self) -> &str {
        &self.target.name
    }
}

impl RecordedPage {
    pub(super) fn recorder(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    pub(super) fn write(self, core: &Core, failure: Option<&Failure>) -> anyhow::Result<()> {
        let trace = Trace::new(core, self.recorder, failure)?;
        let said = shown(&trace, self.page.name());
        self.page.put(&trace.page(&command()))?;
        message(said);
        Ok(())
    }

    /// Writes the cycles around a failure. If these come after the recorded cycles, the run is repeated.
    pub(super) fn write_failure(
        self,
        cosim: &Cosim,
        kinds: &[EngineKind],
        failure: &Failure,
    ) -> anyhow::Result<()> {
        if self.recorder.include(failure.cycle) {
            return self.write(&cosim.core, Some(failure));
        }
        let first = failure.cycle.saturating_sub(CYCLES_BEFORE_FAILURE);
        let mut again = self.page.record(&cosim.core, first)?;
        let mut engines = start(kinds, cosim)?;
        match run_engines(cosim, &mut engines, vec![again.recorder()])? {
            Ran::Fails(failure) => again.write(&cosim.core, Some(&failure)),
            Ran::Agrees(_) => bail!("the same run, made again for the page, did not fail"),
        }
    }
}

/// The message about a page or drawing that was written.
pub(in crate::cmd) fn shown(trace: &Trace, name: &str) -> String {
    let last = trace.first + trace.cycles as u64 - 1;
    format!("{name}: cycles {} to {last} of {}", trace.first, trace.module)
}

/// The command line, as it was given.
pub(in crate::cmd) fn command() -> String {
    let words = std::env::args_os().skip(1);
    shell::command(std::iter::once("utfhdl".into()).chain(words))
}
