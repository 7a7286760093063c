//! The cores that the proof applies to, with the machine of each.

use utfhdl_hdl::core::{Axis, Core, ErrorMode, Packing, Role, Steps};

use super::beat::TDATA;
use crate::prove::spec::{Machine, machine_of};

/// What a decoder has to do.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    /// The machine that makes the slots.
    pub(super) machine: Machine,
    /// Bits of a unit.
    pub(super) bits: u32,
    /// Bits of a unit's lane on the bus, the unit in the low ones.
    pub(super) lane_bits: u32,
    /// Errors do not go out.
    pub(super) drops: bool,
}

impl Definition {
    /// That of a core, if there is a proof for such cores.
    pub(super) fn of(core: &Core) -> Option<Self> {
        let spec = core.spec;
        let is_plain = spec.role == Role::Decoder
            && spec.lanes > 1
            && spec.axis == Axis::Lane
            && spec.pack == Packing::default()
            // Where steps share stages, the output buffer does the work of one, and its `buffer` part would need the stages before.
            && matches!(spec.pipeline, Steps::Auto | Steps::Number(1))
            && spec.passengers.is_empty();
        let machine = machine_of(spec.system).filter(|_| is_plain)?;
        let port = core.design.top.inputs().find(|port| port.name == TDATA)?;
        Some(Self {
            machine,
            bits: spec.system.unit_bits(),
            lane_bits: port.width / spec.lanes,
            drops: spec.on_error == ErrorMode::Drop,
        })
    }
}
