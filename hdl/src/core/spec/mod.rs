//! The specification of a core: system, role, lanes and options.
//!
//! - [`role`](mod@role): what cores do, and the lanes that they come in.
//! - [`check`](mod@check): what goes together, with the reason where it does not.
//! - [`ends`](mod@ends): how a transcoder ends its frames.
//! - [`ports`]: widths that follow from a specification.
//! - [`names`](mod@names): the name of the module, and the arguments of the command line.
//! - [`lists`]: the specifications that tests and documentation go through.

mod check;
mod ends;
mod error;
mod lists;
mod names;
mod ports;
mod role;

use super::{Axis, Bus, Packing, Passengers, Registers, Stall, Steps, Storage, System};
use crate::netlist::ResetStyle;

pub use ends::EndApart;
pub use error::CoreError;
pub use role::{ErrorMode, Role};

/// The most bits of a slot's position.
pub const MOST_POSITION_BITS: u32 = 32;

/// The most streams whose beats come in any order.
pub const MOST_STREAMS: u32 = 1024;

/// The specification of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoreSpec {
    /// The system; in a transcoder, the system of the input.
    pub system: System,
    /// The role.
    pub role: Role,
    /// Units a cycle.
    pub lanes: u32,
    /// How its reset is wired.
    pub reset: ResetStyle,
    /// The treatment of errors.
    pub on_error: ErrorMode,
    /// The layout of its lanes on its ports.
    pub axis: Axis,
    /// The slots on its decoded side; in a transcoder there is no choice.
    pub bus: Bus,
    /// How much logic is between two registers; with one lane there is no choice.
    pub pipeline: Steps,
    /// How it fills its output beats; with one lane, and in encoders, there is no choice.
    pub pack: Packing,
    /// The signals of the user's that go with each frame.
    pub passengers: Passengers,
    /// The streams whose beats come in any order, by TID; 0 where a frame's beats follow one another.
    pub streams: u32,
    /// Bits of the position of a slot, in `tuser` above the kind; 0 without positions.
    pub position: u32,
    /// Bits of the line of a slot in the text that goes out, above the position; 0 without lines.
    pub line: u32,
    /// Bits of the column of a slot in its line, above the line; 0 without columns.
    pub column: u32,
    /// A stream with a status for each frame.
    pub status: bool,
    /// Registers of totals that software reads, which need a status.
    pub registers: Registers,
    /// How software reads and writes the table of a character set.
    pub table_port: Registers,
    /// How a stall of its output reaches its input.
    pub stall: Stall,
    /// The form of tables that several lanes read. With [`Storage::Registers`] they are logic, for a flow without RAM.
    pub tables: Storage,
}

impl CoreSpec {
    /// A core of one lane, with default options.
    pub fn new(system: System, role: Role) -> Self {
        let on_error = role.on_error()[0];
        Self {
            system,
            role,
            lanes: 1,
            reset: ResetStyle::default(),
            on_error,
            axis: Axis::default(),
            bus: Bus::default(),
            pipeline: Steps::default(),
            pack: Packing::default(),
            passengers: Passengers::default(),
            streams: 0,
            position: 0,
            line: 0,
            column: 0,
            status: false,
            registers: Registers::default(),
            table_port: Registers::default(),
            stall: Stall::default(),
            tables: Storage::default(),
        }
    }
}
