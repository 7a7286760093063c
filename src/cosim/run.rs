//! Runs a co-simulation.

use utfhdl_sim::Engine;

use super::blocks::Run;
use super::observer::Observer;
use super::report::Report;
use super::setup::{Cosim, CosimError, Manner};
use super::times::Times;

impl Cosim {
    /// Runs the whole stimulus through `engines`; the first one leads. Now and then, `progress` is called with the number of
    /// units or slots that went in.
    ///
    /// # Errors
    /// The first thing that goes wrong; see [`CosimError`].
    ///
    /// # Panics
    /// If there is no engine.
    pub fn run(
        &self,
        engines: &mut [Box<dyn Engine>],
        observer: Option<&mut dyn Observer>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report, CosimError> {
        self.run_as(Manner::default(), engines, observer, progress)
    }

    /// [Runs](Self::run) in this manner, which decides nothing but how fast that is.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// # Panics
    /// If there is no engine.
    pub fn run_as(
        &self,
        manner: Manner,
        engines: &mut [Box<dyn Engine>],
        observer: Option<&mut dyn Observer>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report, CosimError> {
        self.run_with(manner, engines, observer, progress, None)
    }

    /// [Runs](Self::run) in this manner, and measures how long each part takes.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// # Panics
    /// If there is no engine.
    pub fn run_timed(
        &self,
        manner: Manner,
        engines: &mut [Box<dyn Engine>],
    ) -> Result<(Report, Times), CosimError> {
        let mut times = Times::default();
        let report = self.run_with(manner, engines, None, &mut |_| (), Some(&mut times))?;
        Ok((report, times))
    }

    fn run_with(
        &self,
        manner: Manner,
        engines: &mut [Box<dyn Engine>],
        observer: Option<&mut dyn Observer>,
        progress: &mut dyn FnMut(u64),
        times: Option<&mut Times>,
    ) -> Result<Report, CosimError> {
        let mut run = Run::new(self, manner, engines, observer, times.is_some())?;
        let ended = run.run_all(progress);
        if let Err(CosimError::Failure(_)) = ended {
            run.go_on_behind_failure();
        }
        ended?;
        if let Some(times) = times {
            *times = run.times();
        }
        run.report(self)
    }
}
