//! The cores that the proof applies to, with the machine of each.

use utfhdl_hdl::core::{Core, ErrorMode, Role, Verdict};
use utfhdl_hdl::netlist::{Builder, Reg, Signal};

use super::beat::{Beat, TDATA};
use super::is_plain;
use crate::prove::spec::{Machine, Read, State, Unit, has_few_limbs, machine_of};

/// The function of a core by its second description.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    /// The machine that reads the units.
    pub(super) machine: Machine,
    /// Bits of a unit.
    pub(super) bits: u32,
    /// Bits of a unit's lane on the bus, the unit in the low ones.
    pub(super) lane_bits: u32,
    /// Errors do not go out.
    pub(super) drops: bool,
    /// The marks of a validator.
    pub(super) verdict: Option<Verdict>,
}

impl Definition {
    /// The definition of a core, or of the decoding half of a transcoder, if there is a proof for such cores.
    pub(super) fn of(core: &Core) -> Option<Self> {
        let spec = core.spec;
        let (drops, verdict) = match spec.role {
            Role::Decoder => (spec.on_error == ErrorMode::Drop, None),
            Role::Validator(verdict) => (false, Some(verdict)),
            // The encoding half drops errors.
            Role::Transcoder { .. } => (false, None),
            Role::Encoder => return None,
        };
        // The decoding half of a transcoder has no heads and limbs: a slot of it has all bits of a code point.
        let is_half = matches!(spec.role, Role::Transcoder { .. });
        let can_be_followed =
            |machine: &Machine| !(is_half && machine.has_groups()) && has_few_limbs(spec.system);
        let machine = machine_of(spec.system).filter(can_be_followed).filter(|_| is_plain(&spec))?;
        let port = core.design.top.inputs().find(|port| port.name == TDATA)?;
        let lane_bits = port.width / spec.lanes;
        Some(Self { machine, bits: spec.system.unit_bits(), lane_bits, drops, verdict })
    }

    /// The places of the slots of a beat: one before the words that the beat ends, one for each such word, and, where units are octets, one for the octets
    /// that are left over of a word.
    pub(super) fn places(self, lanes: usize) -> usize {
        let units = self.machine.units_of_word();
        lanes.div_ceil(units) + if units > 1 { 2 } else { 1 }
    }

    /// Reads the lanes of a beat; gives the state after the last of them, too.
    pub(super) fn read<'m>(
        self,
        m: &'m Builder,
        mut state: State<'m>,
        beat: &Beat<'m>,
    ) -> (Vec<(Unit<'m>, Read<'m>)>, State<'m>) {
        let mut lanes = Vec::new();
        for (bits, lane) in beat.units(self.bits).into_iter().zip(0..) {
            let unit = Unit { is_there: beat.has(lane), bits };
            let read = self.machine.read_in(m, state, &unit);
            state = read.after;
            lanes.push((unit, read));
        }
        (lanes, state)
    }

    /// Registers for the state of the machine.
    pub(super) fn state<'m>(self, m: &'m Builder) -> StateRegisters<'m> {
        let start = self.machine.start(m);
        let register = |name, width| m.reg(name, width).reset(0);
        StateRegisters {
            position: register("position_reg", start.position.width()),
            value: register("value_reg", start.value.width()),
        }
    }
}

/// The state of a machine before the beat of a step.
pub(super) struct StateRegisters<'m> {
    position: Reg<'m>,
    value: Reg<'m>,
}

impl<'m> StateRegisters<'m> {
    /// The state now.
    pub(super) fn q(&self) -> State<'m> {
        State { position: self.position.q, value: self.value.q }
    }

    /// Lets the registers load the state after a beat that `moves` on, or that at the start of a frame if the beat `ends` one.
    pub(super) fn next(&self, after: State<'m>, moves: Signal<'m>, ends: Signal<'m>) {
        self.position.next_when(moves, after.position.when(!ends));
        self.value.next_when(moves, after.value);
    }
}
