//! A run as a picture: every cycle, every register, and what part of the text each of them holds.
//!
//! ```text
//! cosim ── Recorder ──> records of the cycles ──> flow ──> Trace ──> svg: a drawing
//!          (an observer)   and what went in and out               └─> page: a page for a browser
//! ```
//!
//! A *sequence* is the units of one code point or error, or the slots of one. [`Recorder`] learns from the reference to which
//! sequence each input unit and each output item belongs. The [flow](utfhdl_sim::flow) finds the registers in between that hold a
//! part of the sequence. The picture therefore needs no knowledge of the core but the ports.

mod cells;
mod page;
mod ports;
mod recorder;
mod registers;
mod sequences;
mod status;
mod svg;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::Labels;

pub use cells::{Cell, Cells, Mix, Mixes};
pub use recorder::Recorder;
pub use sequences::{Kind, Sequence};

use crate::cosim::{Difference, Failure};
use crate::promise::Carries;

/// The most cycles of a page.
pub const MOST_CYCLES: usize = 100_000;
/// The most cycles of a drawing.
pub const MOST_DRAWN: usize = 400;

/// Bits of a code point of Unicode.
const CODE_POINT_BITS: u32 = 21;

/// The most memory for the flow of a run.
const MOST_BYTES: usize = 2 << 30;

/// Why there is no picture of a run.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The core is too large.
    #[error(transparent)]
    Core(#[from] utfhdl_sim::aig::TooLarge),
    /// The run is too long for so large a core.
    #[error(
        "a picture of {cycles} cycles of a core of this size takes too much memory: make the run shorter"
    )]
    TooLong {
        /// Cycles to be shown.
        cycles: usize,
    },
    /// The run is too long for a drawing.
    #[error(
        "the run has {cycles} cycles, and an SVG shows {MOST_DRAWN} at most: make the run shorter, or write a .html"
    )]
    TooLongToDraw {
        /// Cycles to be shown.
        cycles: usize,
    },
    /// No cycle was recorded.
    #[error("no cycle was recorded")]
    Empty,
}

/// A run as a picture shows it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The name of the core's module.
    pub module: String,
    /// Cycles from the beat that makes an item certain to that item.
    pub latency: u32,
    /// Lanes of a beat.
    pub lanes: usize,
    /// The number of the first cycle, counted from the first in reset.
    pub first: u64,
    /// The number of cycles.
    pub cycles: usize,
    /// The sequences, in order.
    pub sequences: Vec<Sequence>,
    /// The signals, from input to output.
    pub groups: Vec<Group>,
    /// The mixes of sequences that cells have.
    pub mixes: Vec<Mix>,
    /// Why a side waits, for each cycle: bits of [`waits`].
    pub waits: Vec<u8>,
    /// The failure, if the run failed.
    pub failure: Option<Wrong>,
}

/// Bits of [`Trace::waits`].
pub mod waits {
    /// The source offers nothing, and has not ended.
    pub const NO_INPUT: u8 = 1;
    /// The core does not take the beat that the source offers.
    pub const INPUT_WAITS: u8 = 2;
    /// The sink does not take the beat that the core offers.
    pub const OUTPUT_WAITS: u8 = 4;
    /// The core is in reset.
    pub const RESET: u8 = 8;
}

/// Signals that belong together, such as those of a pipeline stage.
#[derive(Clone, Debug)]
pub struct Group {
    /// The title.
    pub title: String,
    /// The signals.
    pub rows: Vec<Row>,
    /// The sequence of which each lane holds a part, lane 0 on the left; for pipeline stages of a core with several lanes.
    pub lanes: Option<Row>,
}

/// A signal, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name.
    pub name: String,
    /// A description.
    pub note: String,
    /// The width in bits.
    pub width: u32,
    /// How its values are written.
    pub base: Base,
    /// Names of its values.
    pub labels: Option<Arc<Labels>>,
    /// Whether it is a lane of the row above it.
    pub is_lane: bool,
    /// Whether it is a register inside of the core.
    pub is_register: bool,
    /// The values.
    pub cells: Cells,
}

impl Row {
    /// A row of the characters that lanes hold; its cells have no values.
    fn of_lanes(name: &str, note: &str, lanes: usize, cells: Cells) -> Self {
        Self {
            name: name.to_owned(),
            note: note.to_owned(),
            width: lanes as u32,
            base: Base::Text,
            labels: None,
            is_lane: false,
            is_register: false,
            cells,
        }
    }

    /// Whether any sequence is in it.
    pub fn has_sequences(&self) -> bool {
        self.cells.colours.iter().any(|colour| *colour != Cells::IDLE && *colour != Cells::PLAIN)
    }
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A wave of one bit.
    Wave,
    /// Hexadecimal digits.
    Hexadecimal,
    /// Octal digits, as documents write nonets.
    Octal,
    /// Hexadecimal digits of a slot; the name of the kind for an error, whose number is U+FFFD, or what had been gathered, with a code.
    Slots,
    /// The characters of the sequences, each in its lanes, lane 0 on the left.
    Text,
}

impl Base {
    /// The base of a register: a register with room for a code point, and for more than a unit, holds a slot.
    fn of_register(width: u32, carries_in: Carries) -> Self {
        let is_unit = matches!(carries_in, Carries::Units(bits) if width <= bits as u32);
        match width {
            1 => Self::Wave,
            CODE_POINT_BITS.. if !is_unit => Self::Slots,
            _ => Self::Hexadecimal,
        }
    }

    fn of_carried(carries: Carries) -> Self {
        match carries {
            Carries::Units(9) | Carries::Marked { bits: 9, .. } => Self::Octal,
            Carries::Units(_) | Carries::Marked { .. } => Self::Hexadecimal,
            Carries::Slots(_) => Self::Slots,
        }
    }
}

/// A failure of a run.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The cycle.
    pub cycle: u64,
    /// The port.
    pub port: String,
    /// All of it, in words.
    pub text: String,
    /// The expected and the actual value, or the values of all engines: a heading and a text for each.
    pub sides: Vec<(String, String)>,
}

impl From<&Failure> for Wrong {
    fn from(failure: &Failure) -> Self {
        let sides = match &failure.difference {
            Difference::Engines(values) => {
                values.iter().map(|(engine, value)| ((*engine).to_owned(), value.clone())).collect()
            }
            Difference::Reference { expected, found } => {
                vec![("expected".to_owned(), expected.clone()), ("actual".to_owned(), found.clone())]
            }
            Difference::Rule { rule, found } => {
                vec![("expected".to_owned(), (*rule).to_owned()), ("actual".to_owned(), found.clone())]
            }
        };
        let (cycle, port) = (failure.cycle, failure.port.clone());
        Self { cycle, port, text: failure.to_string(), sides }
    }
}

impl Trace {
    /// The picture of what was recorded, and of what went wrong.
    ///
    /// # Errors
    /// If nothing was recorded, or more than there is memory for.
    pub fn new(core: &Core, recorder: Recorder, failure: Option<&Failure>) -> Result<Self, TraceError> {
        let (recorded, ports, flow) = recorder.finish();
        let cycles = recorded.cycles();
        if cycles == 0 {
            return Err(TraceError::Empty);
        }
        let found = sequences::Found::new(core, &recorded);
        let most = registers::labels_under_way(core, &found);
        if flow.bytes(cycles, most) > MOST_BYTES {
            return Err(TraceError::TooLong { cycles });
        }
        let mut mixes = Mixes::default();
        let inside = registers::groups(core, &flow, &ports, &recorded, &found, &mut mixes);
        let sides = ports::Sides::new(&ports, &recorded, &found, &mut mixes);
        let mut groups = vec![sides.text, sides.input];
        groups.extend(inside);
        groups.push(sides.output);
        groups.extend(status::group(&ports, &recorded));
        if failure.is_some() {
            groups.push(sides.expected);
        }
        Ok(Self {
            module: core.design.top.name().to_owned(),
            latency: core.latency,
            lanes: core.spec.lanes as usize,
            first: recorded.first,
            cycles,
            sequences: found.sequences,
            groups,
            mixes: mixes.into_list(),
            waits: sides.waits,
            failure: failure.map(Wrong::from),
        })
    }

    /// Keeps those registers whose names a glob matches: `*` stands for any characters, `?` for one. Returns the first glob that
    /// matches none.
    pub fn keep_registers<'g>(&mut self, globs: &'g [String]) -> Option<&'g str> {
        let matches = |glob: &str, row: &Row| utfhdl_sim::wave::glob_matches(glob, &row.name);
        let rows = || self.groups.iter().flat_map(|group| &group.rows).filter(|row| row.is_register);
        let missing = globs.iter().find(|glob| !rows().any(|row| matches(glob, row)));
        if missing.is_none() && !globs.is_empty() {
            for group in &mut self.groups {
                group.rows.retain(|row| !row.is_register || globs.iter().any(|glob| matches(glob, row)));
                group.lanes = None;
            }
            self.groups.retain(|group| !group.rows.is_empty());
        }
        missing.map(String::as_str)
    }
}
