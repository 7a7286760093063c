//! The inputs of a dump: names, then values cycle by cycle.

use crate::flat::Scope;
use crate::{Layout, Probe};

/// Length of a cycle in a dump, in nanoseconds.
pub const CYCLE_NS: u64 = 10;

/// The names in a run, fixed before the first cycle.
#[derive(Clone, Copy, Debug)]
pub struct WaveSource<'a> {
    /// How records are packed; the same for all engines.
    pub layout: &'a Layout,
    /// The engines whose outputs are shown side by side.
    pub engines: &'a [&'a str],
    /// The signals inside of the design, if an engine has sight of them.
    pub scope: Option<&'a Scope>,
    /// Names of the text signals: identifiers, none of them a port's.
    pub texts: &'a [&'a str],
    /// Globs that select signals by path; `*` matches any characters, and `?` one. The path may leave out the outermost scope. The clock is
    /// always in the dump. Without globs, all signals are.
    pub globs: &'a [&'a str],
}

/// One cycle of a run: the values.
#[derive(Clone, Copy)]
pub struct WaveCycle<'a> {
    /// The number of the cycle: any for the first, then one more each.
    pub cycle: u64,
    /// The record of the inputs.
    pub inputs: &'a [u64],
    /// For each of [`WaveSource::engines`] the record of its outputs.
    pub outputs: &'a [&'a [u64]],
    /// The values inside of the design. Without them, signals that [`WaveSource::scope`] announced are unknown (`x`).
    pub probe: Option<&'a dyn Probe>,
    /// The text of this cycle for each of [`WaveSource::texts`]; an empty one shows nothing.
    pub texts: &'a [&'a str],
}
