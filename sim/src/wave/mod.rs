//! Wave files: a VCD dump of a run and, beside it, what GTKWave and Surfer need to open it readably.
//!
//! # Time
//!
//! The unit is a nanosecond and a cycle takes [`CYCLE_NS`], so cycle 1234 begins at 12,340 ns. The engines settle a
//! cycle and then let the clock rise; so does the dump: what a cycle settled on stands from `10 * cycle` to
//! `10 * (cycle + 1)`, where the clock rises and the next cycle's values appear. A handshake is thus read where RTL
//! simulators show it, just left of a rising edge.
//!
//! # Hierarchy
//!
//! | scope | what is in it |
//! | --- | --- |
//! | `tb` | `clk`, `cycle`, the inputs (reset among them), text signals, `engines_differ` if there are several |
//! | `tb.<engine>` | the outputs as this engine gave them |
//! | `tb.<top module>` | every named signal of the netlist, by instance, registers as `reg`, the rest as `wire` |
//!
//! # Text
//!
//! What is text is a VCD string variable: code points and errors that the caller words
//! ([`WaveSource::texts`]), and beside every signal with labels one called `<signal>_label` that says the name of
//! its value. GTKWave could translate values through filter files instead, and newer Surfers through mappings, but
//! each looks for them in its own places, by a path that breaks when the dump moves. A string is in the
//! dump itself, is shown by both (and by all else that reads VCD), can be searched for, and leaves the number where
//! it was.
//!
//! VCD has no spaces in strings: they become `_`. Nor does it say what a byte past ASCII means. GTKWave stops at one
//! that is not escaped and shows escaped ones as UTF-8; Surfer shows escaped ones as Latin-1 or as escapes. So each
//! text stands in the dump twice: `<text>` without what is not ASCII, which Surfer is told to show, and
//! `<text>_utf8` with it, for GTKWave: `U+20AC` and `U+20AC_€`.
//!
//! # Example
//!
//! ```no_run
//! # use utfhdl_sim::{Engine, Layout, wave::*};
//! # fn dump(mut engine: utfhdl_sim::native::Native, inputs: &[u64]) -> Result<(), Box<dyn std::error::Error>> {
//! let layout = engine.layout().clone();
//! let scope = engine.probe().map(|probe| probe.scope().clone());
//! let engines = [engine.name()];
//! let source = WaveSource { layout: &layout, engines: &engines, scope: scope.as_ref(), texts: &["decoded"] };
//! let mut waves = WaveWriter::create("run.vcd".as_ref(), &source, &WavePlan::new(&source))?;
//! let mut outputs = vec![0; layout.output_words];
//! for (cycle, inputs) in (0..).zip(inputs.chunks(layout.input_words)) {
//!     engine.run(inputs, &mut outputs)?;
//!     let (outputs, probe) = ([&outputs[..]], engine.probe());
//!     waves.cycle(&WaveCycle { cycle, inputs, outputs: &outputs, probe, texts: &["U+20AC €"] })?;
//! }
//! let files = waves.finish()?;
//! println!("gtkwave {}", files.gtkw.display());
//! # Ok(())
//! # }
//! ```

mod catalogue;
mod derive;
mod dump;
mod files;
mod gtkwave;
mod plan;
mod signals;
mod surfer;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::flat::Scope;
use crate::{Layout, Probe};

pub use dump::WaveWriter;
pub use plan::{WaveGroup, WaveItem, WavePlan};

/// Length of a cycle in a dump, in nanoseconds.
pub const CYCLE_NS: u64 = 10;

/// What there is to see in a run.
#[derive(Clone, Copy, Debug)]
pub struct WaveSource<'a> {
    /// How records are packed, the same for all engines.
    pub layout: &'a Layout,
    /// The engines whose outputs are shown side by side.
    pub engines: &'a [&'a str],
    /// The names inside the design, if an engine has sight of them.
    pub scope: Option<&'a Scope>,
    /// Names of the text signals: identifiers, none of them a port's.
    pub texts: &'a [&'a str],
}

/// One cycle of a run.
#[derive(Clone, Copy)]
pub struct WaveCycle<'a> {
    /// Its number; any to begin with, then rising.
    pub cycle: u64,
    /// The record of the inputs.
    pub inputs: &'a [u64],
    /// For each of [`WaveSource::engines`] the record of its outputs.
    pub outputs: &'a [&'a [u64]],
    /// The values inside; needed where [`WaveSource::scope`] was given.
    pub probe: Option<&'a dyn Probe>,
    /// For each of [`WaveSource::texts`] what it shows in this cycle; an empty text shows nothing.
    pub texts: &'a [&'a str],
}

/// The files of a finished dump, in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveFiles {
    /// The dump.
    pub vcd: PathBuf,
    /// GTKWave's save file: `gtkwave X.gtkw`.
    pub gtkw: PathBuf,
    /// Surfer's command file: `surfer -c X.sucl X.vcd`, Surfer 0.4 or later.
    pub sucl: PathBuf,
}

/// Why a wave file can't be written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The folder to write into does not exist, or is none.
    #[error("{path} can't be written: there is no folder {parent}", path = path.display(), parent = parent.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder it should stand in.
        parent: PathBuf,
    },
    /// There is a folder, or a device, of this name.
    #[error("{path} can't be written: it is {what}", path = path.display())]
    NotAFile {
        /// The name.
        path: PathBuf,
        /// What stands there.
        what: &'static str,
    },
    /// There is a file of this name that must not be written.
    #[error("{path} can't be written: it is write-protected", path = path.display())]
    Protected {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("{path} can't be written: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A plan with a signal that the dump does not have.
    #[error("group `{group}` of the wave plan: there is no signal `{signal}`")]
    UnknownSignal {
        /// Title of the group.
        group: String,
        /// The signal's path.
        signal: String,
    },
}
