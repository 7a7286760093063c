//! The codec cores. A core is an AXI4-Stream module: a decoder, an encoder or a transcoder of a system.
//!
//! | folder | what is in it |
//! | --- | --- |
//! | `shared` | parts of cores with any number of lanes: ports, tags, tables of units, formats |
//! | `lanes` | what cores of several lanes are written with: signals with their stage, and values with their lane |
//! | `one_lane` | cores of one unit or slot a cycle |
//! | `many_lanes` | decoders and transcoders of several units a cycle, and encoders of several slots |
//! | `layers` | layers of wiring around a core: whole bytes on its ports, signals of the user's |
//! | `adapters` | cores that change the beats of a stream, and none of its units |
//! | `status` | the status of frames: a layer around a core, and the counters of its observer |
//! | `registers` | registers of totals that software reads: a layer around a core with a status |

pub mod adapters;
mod assertions;
mod axis;
mod bit_field;
mod bus;
mod lanes;
mod layers;
mod many_lanes;
mod name;
mod one_lane;
mod packing;
mod passengers;
mod ranges;
mod registers;
mod shared;
mod slots;
mod spec;
mod stall;
mod status;
mod steps;
mod text;
mod verdict;

use crate::netlist::Design;
use layers::strict;

pub use axis::Axis;
pub use bit_field::BitField;
pub use bus::Bus;
pub use packing::Packing;
pub use passengers::{MOST_TID_BITS, MOST_TUSER_BITS, Passengers};
pub use registers::{ADDRESS_BITS, Access, Register, Registers, registers};
pub use shared::code_points::LAST_OF_UNICODE;
pub use shared::error_kind::{ErrorKind, slot_labels};
pub use shared::forms::is_long;
pub use slots::{SlotKind, error_kinds};
pub use spec::{CoreError, CoreSpec, EndApart, ErrorMode, MOST_POSITION_BITS, MOST_STREAMS, Role};
pub use stall::{Stall, Storage};
pub use status::{STATUS_BITS, status_fields};
pub use steps::Steps;
pub use text::{TextOptions, Timescale};
pub use utfhdl_systems::{
    Auto, ByteOrder, Choose, DEFAULT_DIGITS, FEWEST_DIGITS, HunkWidth, MOST_DIGITS, Max, MultiOctet, System,
    Table, Utf8Bom, decoded_only, software_only,
};
pub use verdict::{Mark, Verdict};

/// The observer of a core with a status, and the cycles from a frame's last beat to its status; and the cycles after reset in which it takes no beat.
fn observer(spec: &CoreSpec) -> (status::Part, u32) {
    let name = if spec.streams > 0 { layers::streams::INNER } else { status::OBSERVER };
    let (top, latency) = match (spec.role, spec.lanes) {
        (Role::Encoder, _) => many_lanes::observer_of_slots(name, spec),
        (_, 1) => one_lane::observer(name, spec),
        _ => many_lanes::observer(name, spec),
    };
    let (top, sweep) = match spec.streams {
        0 => (top, 0),
        _ => layers::streams::around(status::OBSERVER, &top, spec),
    };
    (part_of(spec, (top, latency)), sweep)
}

/// A core or an observer as a part of a layer: each has modules of the same names.
fn part_of(spec: &CoreSpec, (top, latency): status::Part) -> status::Part {
    (Design { top, reset: spec.reset }.part(), latency)
}

/// A core: its netlist, and the facts that a user needs.
#[derive(Clone, Debug)]
pub struct Core {
    /// The options that it was made from.
    pub spec: CoreSpec,
    /// The netlist, with the wiring of its reset.
    pub design: Design,
    /// Cycles from the beat that makes a slot or unit certain to the output beat that holds it: if the one is taken at
    /// the end of cycle 0, the other is offered in cycle `latency`. What has no room in that output beat follows in the
    /// next.
    pub latency: u32,
    /// Cycles after reset in which the core takes no beat, since it clears the states of its streams, or writes its
    /// table; 0 in most cores.
    pub sweep: u32,
}

impl Core {
    /// Builds a core, whose top module gets the [name](CoreSpec::module_name) that tells it from all others.
    ///
    /// # Errors
    /// If there is no such core.
    pub fn new(spec: CoreSpec) -> Result<Self, CoreError> {
        Self::build(spec, &spec.module_name())
    }

    /// Builds a core whose top module is called `name`.
    ///
    /// # Errors
    /// If there is no such core, or the name is no identifier of Verilog or SystemVerilog, too long, or that of a
    /// port or signal of the core.
    pub fn named(spec: CoreSpec, name: &str) -> Result<Self, CoreError> {
        name::check(name)?;
        let core = Self::build(spec, name)?;
        name::check_core(name, &core)?;
        Ok(core)
    }

    fn build(spec: CoreSpec, name: &str) -> Result<Self, CoreError> {
        spec.check()?;
        let streaming = if spec.registers.is_there() { registers::INNER } else { name };
        let in_layer = if spec.axis == Axis::Strict { strict::INNER } else { streaming };
        let inside = if spec.passengers.is_empty() { in_layer } else { layers::passengers::INNER };
        let plain = if spec.status { status::INNER } else { inside };
        let inner = if spec.streams > 0 { layers::streams::INNER } else { plain };
        let (core, latency) = match spec.lanes {
            1 => one_lane::build(&spec, inner),
            _ => many_lanes::build(&spec, inner),
        };
        let (core, sweep) = match spec.streams {
            0 if spec.table_port.is_there() => (core, one_lane::SWEEP_OF_TABLE),
            0 => (core, 0),
            _ => layers::streams::around(plain, &core, &spec),
        };
        let ((core, latency), sweep) = match spec.status {
            false => ((core, latency), sweep),
            true => {
                let (observer, sweep_of_observer) = observer(&spec);
                let core = part_of(&spec, (core, latency));
                let core = status::around(inside, core, observer, spec.hides_ready());
                (core, sweep.max(sweep_of_observer))
            }
        };
        let core = match spec.passengers.is_empty() {
            true => core,
            false => layers::passengers::around(in_layer, &core, &spec, latency),
        };
        let top = match spec.axis {
            Axis::Lane => core,
            Axis::Strict => strict::strict(streaming, &core, &spec),
        };
        let top = if spec.registers.is_there() { registers::around(name, &top, &spec) } else { top };
        let design = Design { top, reset: spec.reset };
        let design = if spec.tables == Storage::Registers { design.with_tables_in_logic() } else { design };
        Ok(Self { spec, design, latency, sweep })
    }

    /// The guarantees of the core's interface as SystemVerilog assertions: one file, with a module that is bound to the
    /// core's.
    pub fn assertions(&self) -> String {
        assertions::text(self)
    }

    /// The command that generates the core, with all options.
    pub fn command(&self) -> String {
        let name = self.design.top.name();
        let name = if name == self.spec.module_name() { String::new() } else { format!(" --name {name}") };
        format!("utfhdl generate {}{name}", self.spec)
    }
}
