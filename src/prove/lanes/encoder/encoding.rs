//! The function of the cores that write units.

use std::collections::BTreeMap;

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Builder, Signal};

use crate::prove::bench::Side;
use crate::prove::lanes::beat::{Beat, TDATA};
use crate::prove::lanes::boundary::{Boundary, Made};
use crate::prove::lanes::codes::{Codes, Held};
use crate::prove::lanes::definition::Definition;
use crate::prove::lanes::given::Making;
use crate::prove::lanes::slots::{Candidate, Slots};
use crate::prove::lanes::{SLOT_DATA_BITS, is_plain};
use crate::prove::spec::Writer;

/// The function of a core that writes units, by the second descriptions of its systems.
#[derive(Clone, Copy)]
pub(in crate::prove::lanes) struct Encoding {
    pub(super) writer: Writer,
    /// The function of the decoding half, in a transcoder.
    pub(super) half: Option<Definition>,
    /// The writer of the system that is read, in a transcoder, if there is one.
    source: Option<Writer>,
}

impl Encoding {
    /// The function of a core, if the proof applies to the core.
    pub(in crate::prove::lanes) fn of(core: &Core) -> Option<Self> {
        let spec = core.spec;
        let (to, half) = match spec.role {
            Role::Encoder => (spec.system, None),
            Role::Transcoder { to } => (to, Some(Definition::of(core)?)),
            Role::Decoder | Role::Validator(_) => return None,
        };
        let source = Writer::of(spec.system).filter(|_| half.is_some());
        // Code points are compared that are one slot each.
        let writer = Writer::of(to).filter(|writer| writer.code_bits() <= SLOT_DATA_BITS);
        writer.filter(|_| is_plain(&spec)).map(|writer| Self { writer, half, source })
    }

    /// An unknown beat at the input of a core, with the wires of its loops.
    pub(super) fn beat<'m>(
        self,
        m: &'m Builder,
        core: &Core,
        loops: BTreeMap<usize, Signal<'m>>,
    ) -> Result<Beat<'m>, String> {
        let spec = core.spec;
        if let Some(half) = self.half {
            return Ok(Beat::given(m, spec.lanes, half.lane_bits, None, loops));
        }
        let port = core.design.top.inputs().find(|port| port.name == TDATA);
        let lane_bits = port.ok_or("there is no s_axis_tdata")?.width / spec.lanes;
        Ok(Beat::given(m, spec.lanes, lane_bits, Some(spec.bus), loops))
    }

    /// The rules for the slots of the decoding half, if the proof is in two halves.
    pub(super) fn making(self, boundary: &Boundary) -> Option<Making> {
        let (definition, has_first_place) = (self.half?, boundary.has_first_place());
        let codes = Codes { source: self.source? };
        Some(Making { definition, has_first_place, codes: Some(codes) })
    }

    /// The most slots of a beat.
    pub(super) fn most_slots(self, lanes: usize) -> usize {
        self.half.map_or(lanes, |half| half.places(lanes))
    }

    /// The slots of a beat that `moves` on in this cycle, in their order: for each slot, whether the beat has the slot, the data and the kind. The last
    /// signal is 1 if the beat has two slots that exclude each other.
    pub(super) fn slots<'m>(
        self,
        m: &'m Builder,
        beat: &Beat<'m>,
        moves: Signal<'m>,
    ) -> (Vec<[Signal<'m>; 3]>, Signal<'m>) {
        let Some(half) = self.half else {
            let lanes = beat.tkeep.width();
            let tuser = beat.tuser.expect("slots have kinds");
            let of_lane = |lane| {
                let [data, user] = [beat.tdata, tuser].map(|port| Side::lane(port, lane, lanes));
                [beat.has(lane), data, user]
            };
            return ((0..lanes).map(of_lane).collect(), m.lit(1, 0));
        };
        if let Some((given, source)) = beat.slots.as_ref().zip(self.source) {
            let codes = Codes { source };
            let parted = |(place, made): (usize, &Made<'m>)| {
                let Held { is_error, code_point } = codes.held(m, place, made.slot);
                [beat.tvalid & made.is_there, code_point, is_error]
            };
            return (given.made.iter().enumerate().map(parted).collect(), m.lit(1, 0));
        }
        let state = half.state(m);
        let slots = Slots::of(m, half, state.q(), beat);
        state.next(slots.after, moves, beat.ends());
        let parted = |slot: &Candidate<'m>| {
            let (data, user) =
                (slot.shown.bits(0..SLOT_DATA_BITS), slot.shown.bits(SLOT_DATA_BITS..slot.shown.width()));
            [slot.is_there, data, user]
        };
        (slots.all.iter().map(parted).collect(), slots.is_two_in_one)
    }
}
