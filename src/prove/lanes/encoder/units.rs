//! The units that a core makes of a beat of slots, before it puts them into lanes. The netlist marks them.
//!
//! With many lanes, a checker takes too long for a proof of the units and of their lanes at once. In the problem, the stages that put units into lanes therefore get
//! any units, and the units that the core makes of each slot are compared with the definition.

use std::collections::BTreeMap;

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Builder, Mark, Signal};
use utfhdl_sim::aig::{Lit, Logic};

use crate::prove::lanes::cells::Cells;
use crate::prove::lanes::copy::{Copy, any};
use crate::prove::spec::Written;

/// A core, cut where it has made the units of a beat.
pub(super) struct UnitsMade {
    /// The core after the cut: the units are inputs.
    pub(super) after: Logic,
    /// The units by the number of their slot in the beat, and their number from the end of its sequence.
    units: BTreeMap<(usize, usize), Bits>,
    /// The number of slots before that of lane 0.
    pub(super) before: usize,
}

/// The output of a decoding half that says whether an error comes before the slots of lanes.
const CUT_BEFORE: &str = "m_cut_before";

/// The bits of a unit, low bits first.
struct Bits {
    /// In the whole core.
    made: Vec<Lit>,
    /// The inputs at the cut.
    inputs: Vec<Lit>,
}

/// A unit of a slot.
#[derive(Clone, Copy)]
pub(super) struct Unit<'m> {
    /// The unit that the core makes.
    made: Signal<'m>,
    /// The unit that the stages after the cut are given.
    given: Signal<'m>,
}

impl UnitsMade {
    /// The core, cut at the units that its netlist marks.
    ///
    /// # Errors
    /// If the design is too large.
    pub(super) fn of(core: &Core, cells: &Cells) -> Result<Self, String> {
        let after = cells.moving_cut(&core.design, |mark| matches!(mark, Mark::Unit { .. }))?;
        let [made, cut] = [&cells.moving, &after]
            .map(|logic| logic.marks.iter().map(|(mark, bits)| (*mark, bits)).collect::<BTreeMap<_, _>>());
        // The slot of a transcoder before the words of its beat has no lane, or the first one.
        let halves = core.design.top.instances().iter().filter(|instance| instance.is_part);
        let has_cut = halves.flat_map(|half| half.module.outputs()).any(|port| port.name == CUT_BEFORE);
        let is_in_lane = !has_cut && made.contains_key(&Mark::MakesSlot(0));
        let before = usize::from(matches!(core.spec.role, Role::Transcoder { .. }) && !is_in_lane);
        let unit = |(mark, inputs): &(Mark, Vec<Lit>)| match *mark {
            // A register stays, and loads the inputs.
            Mark::Unit { lane, number } if cut[mark] == inputs => {
                Some(((before + lane, number), Bits { made: made[mark].clone(), inputs: inputs.clone() }))
            }
            _ => None,
        };
        let units = after.cuts.iter().filter_map(unit).collect();
        Ok(Self { after, units, before })
    }

    /// The units of a beat: those that the core makes of what the windows hold, and any others for the stages after the cut.
    pub(super) fn any<'m>(&self, m: &'m Builder, held: &Copy<'_, 'm>) -> BTreeMap<(usize, usize), Unit<'m>> {
        let of = |(&(slot, number), bits): (&(usize, usize), &Bits)| {
            let made = m.concat(bits.made.iter().rev().map(|bit| held.value(*bit)));
            let given = any(m, &format!("unit_{slot}_{number}"), &bits.made, "any unit");
            ((slot, number), Unit { made, given })
        };
        self.units.iter().map(of).collect()
    }

    /// The inputs at the cut, each with the bit that it is to be.
    pub(super) fn cuts<'m>(&self, units: &BTreeMap<(usize, usize), Unit<'m>>) -> Vec<(Lit, Signal<'m>)> {
        let of_unit = |(at, bits): (&(usize, usize), &Bits)| {
            let given = units[at].given;
            let bits = (0..).zip(&bits.inputs).map(|(at, input)| (*input, given.bit(at)));
            bits.collect::<Vec<_>>()
        };
        self.units.iter().flat_map(of_unit).collect()
    }
}

impl<'m> Unit<'m> {
    /// The units of a slot as the stages after the cut have them, in place of `written` by the definition; and 1 where the core makes another one
    /// than the definition.
    pub(super) fn of_slot(
        m: &'m Builder,
        units: &BTreeMap<(usize, usize), Self>,
        slot: usize,
        written: &[Written<'m>],
    ) -> (Vec<Written<'m>>, Signal<'m>) {
        let mut differs = m.lit(1, 0);
        let mut given = written.to_vec();
        for (number, written) in given.iter_mut().rev().enumerate() {
            if let Some(unit) = units.get(&(slot, number)) {
                differs = differs | written.is_there & unit.made.ne(written.bits);
                written.bits = unit.given;
            }
        }
        (given, differs)
    }
}
