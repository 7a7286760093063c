//! The command that repeats a run.

use std::fmt::Write;

use super::lockstep::Cosim;
use super::stimulus::{Framing, Source};
use crate::engines::EngineKind;

impl Cosim {
    /// The command that repeats the run in these engines, with everything that decides it spelled out. What was given from
    /// within a program has none.
    pub fn replay(&self, engines: &[EngineKind]) -> Option<String> {
        let source = match &self.source {
            Source::Units { path, format } => format!("{} --units {}", path.display(), format.name()),
            Source::Lines { path } => path.display().to_string(),
            Source::Random { count } => format!("--random {count}"),
            Source::Given(_) => return None,
        };
        let framing = match &self.framing {
            Framing::Whole => "whole".to_owned(),
            Framing::Random => "random".to_owned(),
            Framing::Lengths(lengths) => lengths.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        };
        let stall = self.stalls.source.max(self.stalls.sink);
        let mut command = format!(
            "utfhdl cosim {} {source} --seed {} --stall {stall} --frames {framing}",
            self.core.spec, self.seed
        );
        for engine in engines {
            write!(command, " --engine {engine}").expect("writing to a string");
        }
        Some(command)
    }
}
