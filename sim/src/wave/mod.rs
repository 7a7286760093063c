//! Wave files: a dump of a run, VCD or FST, and beside it the files with which GTKWave and Surfer open the dump readably.
//!
//! # Time
//!
//! The time unit is a nanosecond, and a cycle takes [`CYCLE_NS`], so cycle 1234 begins at 12,340 ns. In a cycle the engines
//! settle the logic and then let the clock rise, and the dump shows just that: the values of a cycle stand from `10 * cycle`
//! to `10 * (cycle + 1)`, where the clock rises and the values of the next cycle appear. A handshake is read where RTL
//! simulators show it, just left of a rising edge.
//!
//! A marker ([`WaveWriter::mark`]) stands at the start of its cycle; the viewers open there.
//!
//! # Hierarchy
//!
//! | scope | what is in it |
//! | --- | --- |
//! | `tb` | `clk`, `cycle`, the inputs (reset among them), texts, and `engines_differ` if there are several engines |
//! | `tb.<engine>` | the outputs that this engine gave |
//! | `tb.<top module>` | every named signal of the netlist, by instance: registers as `reg`, the rest as `wire` |
//!
//! # Formats
//!
//! VCD and FST have the same signals with the same values at the same times. VCD is text, which every tool reads; FST is
//! compressed signal by signal, takes a tenth of the room or less, and is opened without being read as a whole. The writer of
//! FST ([`WaveFormat::Fst`]) is our own, since the crate `fst-writer` has no strings.
//!
//! # Text
//!
//! Texts are VCD string variables. The caller provides some ([`WaveSource::texts`]), such as code points and errors in words;
//! and beside every signal with labels stands one called `<signal>_label` with the name of the signal's value. GTKWave could
//! translate values through filter files instead, and newer Surfers through mappings, but each viewer looks for such files in
//! its own places, by a path that breaks when the dump moves. A string is in the dump itself, every reader of VCD shows it, it
//! can be searched for, and the number stays beside it.
//!
//! Strings in VCD have no spaces: they become `_`. And VCD does not say what a byte past ASCII means: GTKWave stops at such a
//! byte unless it is escaped, and shows escaped ones as UTF-8; Surfer shows escaped ones as Latin-1 or as escapes. So each
//! text stands in the dump twice: `<text>`, for Surfer, has its ASCII part only, and `<text>_utf8`, for GTKWave, all of it:
//! `U+20AC` and `U+20AC_€`.
//!
//! # Example
//!
//! ```no_run
//! # use utfhdl_sim::{Engine, Layout, wave::*};
//! # fn dump(mut engine: utfhdl_sim::native::Native, inputs: &[u64]) -> Result<(), Box<dyn std::error::Error>> {
//! let layout = engine.layout().clone();
//! let scope = engine.probe().map(|probe| probe.scope().clone());
//! let engines = [engine.name()];
//! let source = WaveSource { layout: &layout, engines: &engines, scope: scope.as_ref(), texts: &["decoded"], globs: &[] };
//! let mut waves = WaveWriter::create("run.vcd".as_ref(), WaveFormat::Vcd, &source, &WavePlan::new(&source))?;
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
mod changes;
mod derive;
mod dump;
mod error;
mod files;
mod format;
mod fst;
mod gtkwave;
mod plan;
mod signals;
mod source;
mod surfer;
#[cfg(test)]
mod tests;
mod texts;
mod vcd;

pub use catalogue::glob_matches;
pub use dump::WaveWriter;
pub use error::WaveError;
pub use files::WaveFiles;
pub use format::WaveFormat;
pub use plan::{WaveGroup, WaveItem, WavePlan};
pub use source::{CYCLE_NS, WaveCycle, WaveSource};
