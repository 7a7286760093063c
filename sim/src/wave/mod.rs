//! Wave files: a dump of a run, VCD or FST, and beside it the files with which GTKWave and Surfer open the dump readably.
//!
//! # Time
//!
//! The time unit is a nanosecond, and a cycle takes [`CYCLE_NS`], so cycle 1234 begins at 12,340 ns. In a cycle the engines
//! settle the logic and then let the clock rise. The dump shows the values of a cycle from `10 * cycle` to `10 * (cycle + 1)`, at which
//! the clock rises and the values of the next cycle appear. A handshake is read as in RTL simulators, just left of a rising edge.
//!
//! A marker ([`WaveWriter::mark`]) is at the start of its cycle; the viewers open there.
//!
//! # Hierarchy
//!
//! | scope | what is in it |
//! | --- | --- |
//! | `tb` | `clk`, `cycle`, the inputs (reset among them), texts, and `engines_differ` if there are several engines |
//! | `tb.<engine>` | the outputs that this engine gave |
//! | `tb.<top module>` | every named signal of the netlist, by instance: registers as `reg`, the rest as `wire` |
//!
//! The ports of a beat (`x_tdata`, `x_tkeep` and so on) have no meaning in a cycle in which `x_tvalid` is low. In `tb` and `tb.<engine>`,
//! they are `z` there, which viewers draw as a thin line, unless the engines differ; the top module has what was on the wires.
//!
//! # Formats
//!
//! VCD and FST have the same signals with the same values at the same times. VCD is text, which every tool reads. FST is
//! compressed signal by signal, takes an eighth of the space or less, and viewers open it without reading the whole file. The writer of
//! FST ([`WaveFormat::Fst`]) is our own, since the crate `fst-writer` has no strings.
//!
//! # Text
//!
//! Texts are VCD string variables. The caller provides some ([`WaveSource::texts`]), such as code points and errors in words. Every
//! signal with labels has a text `<signal>_label` beside it, with the name of the signal's value. GTKWave could translate values by
//! filter files instead, and newer versions of Surfer by mappings. But each viewer looks for such files in places of its own, by a
//! path that breaks when the dump moves. A string is in the dump itself, every reader of VCD shows it, users can search for it, and
//! the number remains visible.
//!
//! Strings in VCD have no spaces, so spaces become `_`. VCD gives bytes above ASCII no meaning. GTKWave stops at such a byte unless the
//! byte is escaped, and shows escaped bytes as UTF-8; Surfer shows them as Latin-1 or as escapes. Each text is therefore in the dump
//! twice: `<text>`, for Surfer, has the ASCII part only, and `<text>_utf8`, for GTKWave, the whole text: `U+20AC` and `U+20AC_€`.
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

mod absent;
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
