//! A decoder of several lanes without its pipeline: in one cycle, the beat in the last stage of units becomes the output that the
//! decoder presents for it some cycles later.
//!
//! Only cycles in which the stages of slots move are counted. In the first of these, the first beat after a reset reaches the last
//! stage of units.

use std::collections::BTreeMap;

use utfhdl_hdl::netlist::{Builder, RegisterRole, Signal};
use utfhdl_sim::aig::Leaf;

use super::beat::Beat;
use super::boundary::{Boundary, Made};
use super::cells::{Cells, Place, sources};
use super::copy::{Copy, Substitute, any_bit};
use super::given::Given;
use super::reset::Reset;
use crate::prove::bench::Side;

/// How much of a decoder a step has.
pub(super) enum Extent<'a, 'm> {
    /// All of it.
    All,
    /// All of it; the step has the slots at the boundary, too.
    UpTo(&'a Boundary),
    /// The stages after the boundary, with a function that gives the slots of a beat.
    From(&'a Boundary, MakeOf<'a, 'm>),
}

/// Gives the slots of a beat that are made at the boundary. The last argument is 1 if the beat moves on.
type MakeOf<'a, 'm> = Box<dyn Fn(&Beat<'m>, Signal<'m>) -> Given<'m> + 'a>;

/// The step of a decoder.
pub(super) struct Step<'m> {
    /// The beat in the last stage of units.
    pub(super) beat: Beat<'m>,
    /// The beat before that.
    pub(super) before: Beat<'m>,
    /// The beat waits, since the output is the rest of the beat before. In a core whose beats make no slot too many, none waits.
    pub(super) waits: Signal<'m>,
    /// The output.
    pub(super) output: Side<'m>,
    /// The slots of the beat at the boundary, in a step up to a boundary.
    pub(super) made: Vec<Made<'m>>,
    /// The slots that go out, as the core has them before the ports show them, in a step from the boundary on.
    pub(super) out: Vec<Made<'m>>,
    /// Two registers of the core about a slot for which the beat before has no room: the slot rides in this beat; the slot goes out alone.
    pub(super) carried: [Signal<'m>; 2],
    /// A register does not hold what its meaning demands.
    pub(super) is_disturbed: Signal<'m>,
    /// A beat has come.
    pub(super) has_begun: Signal<'m>,
}

impl<'m> Step<'m> {
    pub(super) fn new(
        m: &'m Builder,
        cells: &'m Cells,
        reset: &Reset,
        lanes: u32,
        lane_bits: u32,
        extent: &Extent<'_, 'm>,
    ) -> Self {
        let begins = m.reg("begins_reg", 1).reset(1);
        begins.next(m.lit(1, 0));
        let begins = begins.q;
        let first = m.reg("first_reg", 1).reset(0);
        first.next(begins);
        let wires = cells.loop_wires(m);
        let mut given = Beat::given(m, lanes, lane_bits, None, wires.clone());

        let states = cells.registers(|place| place == Place::State);
        let waits = cells.of_role(RegisterRole::Waits).find(|index| states.contains(index));
        let state: BTreeMap<usize, _> =
            states.iter().map(|&index| (index, m.reg(&format!("state_{index}_reg"), 1).reset(0))).collect();
        let waits_wire = m.wire("waits", 1);
        let moves = !waits_wire;
        if let Extent::From(_, make) = extent {
            given.slots = Some(make(&given, moves));
        }
        let start = |index| reset.of_loop(cells, index);
        let beat = Beat::registers(m, "beat", &given, moves, Some(false), start);
        let before = Beat::registers(m, "before", &beat, moves, None, |_| None);
        let cut = match extent {
            Extent::From(boundary, _) => Some(*boundary),
            Extent::All | Extent::UpTo(_) => None,
        };
        let (next_stages, stages, before_stages) = (
            given.stages(m, cells, "given", cut),
            beat.stages(m, cells, "beat", cut),
            before.stages(m, cells, "before", cut),
        );
        for (index, next) in beat.next_loops(&stages) {
            m.drive(wires[&index], next);
        }

        // The state registers start with the values that they loaded as the first beat arrived, if known, and are free otherwise.
        let loaded = reset.loaded_with_first(cells);
        let at_first = Copy::new(m, &loaded, |leaf| match leaf {
            Leaf::Register(index) => Substitute::Signal(stages.next(index as usize)),
            Leaf::Input(_) => unreachable!("no input is read"),
        });
        // The registers of the stage before the last are read as the last stage has loaded them.
        let mut state_now: BTreeMap<usize, Signal<'m>> = state
            .iter()
            .map(|(&index, register)| {
                let is_known =
                    sources(&loaded.aig, loaded.next[index]).into_iter().all(|(is_register, source)| {
                        is_register && cells.is_units_of(source, cells.last_stage - 1)
                    });
                let start = if is_known {
                    at_first.next(index)
                } else {
                    m.input(&format!("left_{index}"), 1, "value from before the reset")
                };
                (index, first.q.mux(start, register.q))
            })
            .collect();

        let waits = waits.map_or(m.lit(1, 0), |waits| state_now[&waits]);
        m.drive(waits_wire, waits & !begins);
        // A beat goes on if it does not wait. The registers that say so are given that value, and must have it.
        let goes = beat.tvalid & moves;
        let mut is_disturbed = m.lit(1, 0);
        for index in cells.of_role(RegisterRole::GoesOn).filter(|index| states.contains(index)) {
            let held = state_now.insert(index, goes).expect("it is a state");
            is_disturbed = is_disturbed | held ^ goes;
        }

        // The stage after the last one of units starts with unknown values.
        let mut after_last = BTreeMap::new();
        for index in cells
            .registers(|place| matches!(place, Place::Units { stage, .. } if stage == cells.last_stage + 1))
        {
            let left = m.input(&format!("left_{index}"), 1, "value from before the reset");
            after_last.insert(index, first.q.mux(left, before_stages.next(index)));
        }
        let carried = [RegisterRole::Rides, RegisterRole::GoesAlone].map(|role| {
            let held = cells.of_role(role).next();
            let held = held.and_then(|index| state_now.get(&index).or_else(|| beat.loops.get(&index)));
            held.copied().unwrap_or(m.lit(1, 0))
        });
        let logic = cut.map_or(&cells.moving, Boundary::after);
        let made =
            |beat: &Beat<'m>, place: usize| beat.slots.as_ref().expect("there is a boundary").made[place];
        let beat_of = |stage: u32| match stage.checked_sub(cells.last_stage) {
            Some(0) => Some(&beat),
            Some(1) => Some(&before),
            None if stage + 1 == cells.last_stage => Some(&given),
            _ => None,
        };
        let of_stage = |stage: u32, place: usize| Some(made(beat_of(stage)?, place));
        let is_there = |stage: u32| Some(beat_of(stage)?.tvalid);
        let cuts = cut
            .map(|boundary| boundary.cuts_by_stage(m, "slots", cells, of_stage, is_there))
            .unwrap_or_default();
        let slots = Copy::new(m, logic, |leaf| {
            let index = match leaf {
                Leaf::Register(index) => index as usize,
                Leaf::Input(index) => return Substitute::Signal(any_bit(m, "slots", index)),
            };
            match cells.places[index] {
                Place::State => Substitute::Signal(state_now[&index]),
                Place::Units { stage, .. } if stage == cells.last_stage + 1 => {
                    Substitute::Signal(after_last[&index])
                }
                Place::Units { stage, is_loop: false } if stage == cells.last_stage => {
                    Substitute::Signal(stages.next(index))
                }
                Place::Units { stage, is_loop: false } if stage + 1 == cells.last_stage => {
                    Substitute::Signal(next_stages.next(index))
                }
                place => unreachable!("the first slots depend on no register of {place:?}"),
            }
        });
        let slots = slots.cut(cuts);
        for (index, register) in &state {
            register.next(slots.next(*index) & !begins);
        }
        let outputs = Copy::new(m, logic, |leaf| {
            let index = match leaf {
                Leaf::Register(index) => index as usize,
                Leaf::Input(index) => return Substitute::Signal(any_bit(m, "outputs", index)),
            };
            match cells.places[index] {
                Place::Slots { stage: 1 } => Substitute::Signal(slots.next(index)),
                Place::Slots { .. } | Place::Buffer => Substitute::Next,
                Place::Units { stage, .. } if stage == cells.last_stage + 1 => {
                    Substitute::Signal(moves.mux(stages.next(index), after_last[&index]))
                }
                place => unreachable!("slots depend on no register of {place:?}"),
            }
        });
        let after_last = |stage: u32, place: usize| {
            let picked = || Made::pick(moves, made(&beat, place), made(&before, place));
            (stage == cells.last_stage + 1).then(picked)
        };
        let is_there =
            |stage: u32| (stage == cells.last_stage + 1).then(|| moves.mux(beat.tvalid, before.tvalid));
        let cuts = cut
            .map(|boundary| boundary.cuts_by_stage(m, "outputs", cells, after_last, is_there))
            .unwrap_or_default();
        let outputs = outputs.cut(cuts);
        // In a step from a boundary on, slots are compared as the core has them before the ports show them.
        let is_compared = |name: &str| cut.is_none() || !["m_axis_tdata", "m_axis_tuser"].contains(&name);
        let output = |name: &str| if is_compared(name) { outputs.output(name) } else { m.lit(1, 0) };
        let output = Side::of_outputs(output, m.lit(1, 1));
        let made = match extent {
            Extent::UpTo(boundary) => boundary.made(m, &stages),
            Extent::All | Extent::From(..) => Vec::new(),
        };
        let out = cut.map(|boundary| boundary.out(m, &outputs)).unwrap_or_default();

        m.output("s_axis_tready", moves, "the beat is taken");
        Self { beat, before, waits: waits_wire, output, made, out, carried, is_disturbed, has_begun: !begins }
    }
}
