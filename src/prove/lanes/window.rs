//! What a decoder of several lanes remembers of the units before a beat: the last few of them, or the state of the machine.

use utfhdl_hdl::core::{Axis, Core, ErrorMode, Max, Packing, Role, Steps, System};
use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::TDATA;
use super::memory::Before;
use crate::prove::spec::{Machine, Slot, State, Step, Unit, machine_of};

/// How the state of a machine before a beat is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// The state after this number of units does not depend on earlier ones. Zeros stand in for missing units, since a zero leaves no
    /// sequence open.
    Units(usize),
    /// The checker follows the state.
    State,
}

/// The memory of a system with a proof.
fn memory_of(system: System) -> Option<Memory> {
    let memory = match system {
        System::Utf8 => Memory::Units(3),
        System::Utf8Rfc2279 => Memory::Units(5),
        System::UtfEbcdicI8 { max: Max::Unicode } => Memory::Units(4),
        System::UtfEbcdicI8 { max: Max::Ucs4 } => Memory::Units(6),
        // A high surrogate of three units counts as long as the next sequence is open, of four units at most.
        System::Wtf8 => Memory::Units(6),
        System::Utf16 => Memory::Units(1),
        System::Hunk(width) => match width.bits() {
            1..=3 => Memory::State,
            4 => Memory::Units(3),
            5 => Memory::Units(4),
            6 => Memory::Units(5),
            7 => Memory::Units(6),
            _ => return None,
        },
        System::Utf9 { .. }
        | System::Cesu8
        | System::Mutf8
        | System::Utf18
        | System::CorrectedUtf8 { .. }
        | System::Utf32 { .. }
        | System::Ucs2
        | System::Latin1
        | System::Ascii
        | System::Table(_) => Memory::State,
        _ => return None,
    };
    Some(memory)
}

/// A machine, and what is remembered for it.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) machine: Machine,
    pub(super) memory: Memory,
    /// Bits of a unit.
    pub(super) bits: u32,
    /// Bits of a unit's lane on the bus, the unit in the low ones.
    pub(super) lane_bits: u32,
    /// Errors do not go out.
    pub(super) drops: bool,
}

impl Window {
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
        let memory = memory_of(spec.system).filter(|_| is_plain)?;
        Some(Self {
            machine: machine_of(spec.system)?,
            memory,
            bits: spec.system.unit_bits(),
            lane_bits: lane_bits(core)?,
            drops: spec.on_error == ErrorMode::Drop,
        })
    }

    /// The state after `units`, in order of time.
    fn state_after<'m>(self, m: &'m Builder, units: &[Signal<'m>]) -> State<'m> {
        let read = |state, &bits: &Signal<'m>| self.step(m, state, m.lit(1, 1), bits).next;
        units.iter().fold(self.machine.start(m), read)
    }

    /// The states before each of `units`, and after the last of them, where `before` is known.
    pub(super) fn states<'m>(
        self,
        m: &'m Builder,
        before: &Before<'m>,
        units: &[Signal<'m>],
    ) -> Vec<State<'m>> {
        match before {
            Before::Units(before) => {
                let row: Vec<Signal<'m>> = before.iter().chain(units).copied().collect();
                row.windows(before.len()).map(|units| self.state_after(m, units)).collect()
            }
            Before::State(state) => {
                let after = |state: &mut State<'m>, &bits: &Signal<'m>| {
                    *state = self.step(m, *state, m.lit(1, 1), bits).next;
                    Some(*state)
                };
                [*state].into_iter().chain(units.iter().scan(*state, after)).collect()
            }
        }
    }

    pub(super) fn step<'m>(
        self,
        m: &'m Builder,
        state: State<'m>,
        is_there: Signal<'m>,
        bits: Signal<'m>,
    ) -> Step<'m> {
        self.machine.step(m, state, &Unit { is_there, bits })
    }

    /// 1 if the last few units do not determine the state of the machine. By induction they do, if three properties hold: equivalent
    /// states make the same slots of a unit and lead to equivalent states; the state after a window and another unit is equivalent to
    /// the state after the window shifted by that unit; and the state at the start of a frame is equivalent to the state after zeros.
    pub(super) fn bad<'m>(self, m: &'m Builder, units: usize) -> Signal<'m> {
        let bits = m.input("unit", self.bits, "a unit");
        let there = m.lit(1, 1);
        let [one, other] = ["one", "other"].map(|name| self.machine.any(m, name));
        let [of_one, of_other] = [one, other].map(|state| self.step(m, state, there, bits));
        let slots = [(&of_one.cut, &of_other.cut), (&of_one.own, &of_other.own)];
        let says_other = slots.into_iter().map(|(a, b)| differ(m, a, b)).reduce(|a, b| a | b);
        let forgets =
            alike(one, other) & (says_other.expect("two slots") | !alike(of_one.next, of_other.next));

        let given: Vec<Signal<'m>> =
            (0..units).map(|index| m.input(&format!("before_{index}"), self.bits, "a unit")).collect();
        let whole = self.step(m, self.state_after(m, &given), there, bits).next;
        let moved: Vec<Signal<'m>> = given[1..].iter().copied().chain([bits]).collect();
        let depends = !alike(whole, self.state_after(m, &moved));

        let none = vec![m.lit(self.bits, 0); units];
        let begins = !alike(self.machine.start(m), self.state_after(m, &none));
        forgets | depends | begins
    }
}

/// Bits of a unit's lane on the bus of a core.
fn lane_bits(core: &Core) -> Option<u32> {
    let port = core.design.top.inputs().find(|port| port.name == TDATA)?;
    Some(port.width / core.spec.lanes)
}

/// Whether two states are equivalent: the same position and, within a sequence, the same value.
fn alike<'m>(one: State<'m>, other: State<'m>) -> Signal<'m> {
    one.position.eq(other.position) & (!one.position.any() | one.value.eq(other.value))
}

fn differ<'m>(m: &'m Builder, one: &Slot<'m>, other: &Slot<'m>) -> Signal<'m> {
    one.is_there ^ other.is_there | one.is_there & one.shown(m).ne(other.shown(m))
}
