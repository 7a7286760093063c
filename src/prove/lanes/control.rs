//! The registers that control the movement of stages, and the output buffer. All other registers are free inputs.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Builder, Reg, RegisterRole, Signal};
use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

use super::alike::Ways;
use super::cells::{Cells, Place};
use super::copy::{Copy, Substitute, bits_of};
use super::reset::Reset;
use crate::prove::bench::Side;
use crate::prove::pick::{Item, differs_in};
use crate::prove::unary::UnaryRegister;

/// More beats than the output buffer holds.
const MOST_HELD: u64 = 4;

/// Copies of the control registers, of the output buffer, and of the last stage, which the buffer loads. All other registers are inputs.
pub(super) struct Control<'c, 'm> {
    cells: &'c Cells,
    pub(super) values: BTreeMap<usize, Signal<'m>>,
    sink: Signal<'m>,
    pub(super) now: Copy<'c, 'm>,
    /// The outputs without a buffer.
    shown: Copy<'c, 'm>,
}

impl<'c, 'm> Control<'c, 'm> {
    pub(super) fn new(m: &'m Builder, cells: &'c Cells, reset: &Reset) -> Self
    where
        'm: 'c,
    {
        Self::with(m, cells, reset, Vec::new(), &BTreeSet::new())
    }

    /// Has copies of the registers `further`, too. Those of `any` hold anything in each cycle.
    pub(super) fn with(
        m: &'m Builder,
        cells: &'c Cells,
        reset: &Reset,
        further: Vec<usize>,
        any: &BTreeSet<usize>,
    ) -> Self
    where
        'm: 'c,
    {
        let mut kept = cells.registers(|place| {
            matches!(place, Place::Pace | Place::Buffer | Place::State | Place::Windows)
                || cells.is_last(place)
        });
        kept.extend(further);
        kept.retain(|index| !any.contains(index));
        let registers: BTreeMap<usize, Reg<'m>> = kept
            .iter()
            .map(|&index| {
                let register = m.reg(&format!("bit_{index}_reg"), 1);
                (index, reset.value(index).map_or(register, |value| register.reset(value.into())))
            })
            .collect();
        let sink = m.input("m_axis_tready", 1, "the beat is taken");
        let any = any.iter().map(|&index| (index, m.input(&format!("any_{index}"), 1, "bit of a beat")));
        let values: BTreeMap<usize, Signal<'m>> =
            registers.iter().map(|(&index, register)| (index, register.q)).chain(any).collect();
        let (all, shown_of) = (values.clone(), values.clone());
        let now = Copy::new(m, &cells.whole, move |leaf| {
            Substitute::Signal(match leaf {
                Leaf::Input(index) if index == cells.reset.0 => m.lit(1, u64::from(!cells.reset.1)),
                Leaf::Input(index) if cells.whole.inputs[index as usize] == "m_axis_tready" => sink,
                Leaf::Input(index) => m.input(&format!("input_{index}"), 1, "input of the core"),
                Leaf::Register(index) => match (all.get(&(index as usize)), cells.constant(index as usize)) {
                    (Some(&value), _) => value,
                    (None, Some(constant)) => m.lit(1, constant.into()),
                    (None, None) => m.input(&format!("other_{index}"), 1, "register of a stage"),
                },
            })
        });
        for (&index, register) in &registers {
            register.next(now.next(index));
        }
        let shown = Copy::new(m, &cells.moving, move |leaf| match leaf {
            Leaf::Register(index) if cells.places[index as usize] == Place::Buffer => Substitute::Next,
            Leaf::Register(index) => Substitute::Signal(shown_of[&(index as usize)]),
            Leaf::Input(_) => unreachable!("the outputs depend on no input"),
        });
        Self { cells, values, sink, now, shown }
    }

    pub(super) fn value(&self, role: RegisterRole) -> Result<Signal<'m>, String> {
        let found = self.cells.of_role(role).find_map(|index| self.values.get(&index));
        found.copied().ok_or_else(|| format!("there is no register {role:?}"))
    }

    /// Whether registers of a role, the copies for groups of lanes, differ.
    fn are_unlike(&self, m: &'m Builder, role: RegisterRole) -> Signal<'m> {
        let values: Vec<Signal<'m>> = self.cells.of_role(role).map(|index| self.values[&index]).collect();
        values.windows(2).map(|pair| pair[0] ^ pair[1]).fold(m.lit(1, 0), |any, unlike| any | unlike)
    }

    fn side(copy: &Copy<'c, 'm>, tready: Signal<'m>) -> Side<'m> {
        Side::of_outputs(|name| copy.output(name), tready)
    }
}

/// 1 in cycles in which the wrong stages move, or those of some lanes alone. Slots must move if the buffer has room; units must move if, besides, no beat waits; and
/// a beat must be taken if units move. The property is checked from the second cycle after a reset on.
pub(super) fn pace<'m>(m: &'m Builder, cells: &'m Cells, reset: &Reset) -> Result<Signal<'m>, String> {
    let control = Control::new(m, cells, reset);
    let [room, take, takes, flush] =
        [RegisterRole::Room, RegisterRole::EnableUnits, RegisterRole::Ready, RegisterRole::Flush]
            .map(|role| control.value(role));
    let (take, flush) = (take?, flush?);
    // No beat waits in a core whose beats make no slot too many.
    let waits = control.value(RegisterRole::Waits).unwrap_or(m.lit(1, 0));
    let expected = room? & !waits;
    let ready = control.now.output("s_axis_tready");
    let unlike = [RegisterRole::Room, RegisterRole::EnableUnits, RegisterRole::EnableSlots]
        .map(|role| control.are_unlike(m, role))
        .into_iter()
        .reduce(|a, b| a | b)
        .expect("three roles");
    Ok(unlike | !flush & (take ^ expected | takes? ^ take | ready ^ take))
}

/// The failures, a bit each: the output differs from the beats that entered the buffer, in a bit or in the number of beats; or a beat is late. Of bits
/// that go the same way through the buffer, one stands for all.
pub(super) fn buffer<'m>(m: &'m Builder, cells: &'m Cells, reset: &Reset) -> Result<Signal<'m>, String> {
    let Through { few, sources } = Through::of(cells);
    // The bits of a beat are free in each cycle, so that the proof does not depend on how their registers load.
    let control = Control::with(m, cells, reset, Vec::new(), &sources);
    let room = control.value(RegisterRole::Room)?;
    let shown = Control::side(&control.shown, room);
    let output = Control::side(&control.now, control.sink);
    let bits = |copy: &Copy<'_, 'm>, logic: &Logic| {
        m.concat(few.iter().map(|&bit| copy.value(logic.outputs[bit])).collect::<Vec<_>>())
    };
    let item = Item { is_there: shown.taken(), word: bits(&control.shown, &cells.moving) };
    let offered = bits(&control.now, &cells.whole);
    let differs = differs_in(m, &output, offered, output.tvalid, &[item], MOST_HELD);
    Ok(m.concat([late(m, &output, room, item.is_there), differs]))
}

/// The bits of beats that go through the output buffer.
struct Through {
    /// The bits, by number among the outputs, that stand for all.
    few: Vec<usize>,
    /// The registers of the last stage that the bits come from.
    sources: BTreeSet<usize>,
}

impl Through {
    fn of(cells: &Cells) -> Self {
        const BEAT: [&str; 4] = ["m_axis_tdata", "m_axis_tuser", "m_axis_tkeep", "m_axis_tlast"];
        let all: Vec<usize> = BEAT.iter().flat_map(|port| bits_of(&cells.whole, port)).collect();
        let sources: Vec<Option<usize>> = all.iter().map(|&bit| shown_by(cells, bit)).collect();
        let of_sources: BTreeSet<usize> = sources.iter().flatten().copied().collect();
        let nodes = cells.whole.aig.nodes().iter().enumerate();
        let registers: BTreeMap<usize, Lit> = nodes
            .filter_map(|(node, of)| match *of {
                Node::Leaf(Leaf::Register(index)) if of_sources.contains(&(index as usize)) => {
                    Some((index as usize, Lit::of(node)))
                }
                _ => None,
            })
            .collect();
        let is_buffer = |place| place == Place::Buffer;
        let ways = Ways::new(&cells.whole, &cells.places, is_buffer, registers.values().copied());
        let few = ways.few(all.len(), |one, other| {
            let end = |at: usize| cells.whole.outputs[all[at]];
            let source = |at: usize| registers.get(&sources[at]?).copied();
            Some([source(one).zip(source(other)).into_iter().collect(), vec![(end(one), end(other))]])
        });
        Self { few: few.into_iter().map(|at| all[at]).collect(), sources: of_sources }
    }
}

/// The register of the last stage that a bit of the output shows, if it shows one.
fn shown_by(cells: &Cells, bit: usize) -> Option<usize> {
    let mut lit = cells.moving.outputs[bit];
    loop {
        let Node::Leaf(Leaf::Register(index)) = cells.moving.aig.nodes()[lit.node()] else { return None };
        let index = index as usize;
        match cells.places[index] {
            _ if lit.is_complement() => return None,
            Place::Buffer => lit = cells.moving.next[index],
            place => return cells.is_last(place).then_some(index),
        }
    }
}

/// 1 in cycles in which a beat is late: the buffer holds one and offers none, or the stages before have waited in more cycles than the sink has. The cycle
/// after a reset is left out.
fn late<'m>(m: &'m Builder, output: &Side<'m>, room: Signal<'m>, enters: Signal<'m>) -> Signal<'m> {
    let held = UnaryRegister::new(m, "held_reg", MOST_HELD);
    held.next(held.q.minus(output.taken()).plus(enters));
    // Cycles in which the sink has waited, and the stages have not yet.
    let waited = UnaryRegister::new(m, "waited_reg", MOST_HELD);
    waited.next(waited.q.minus(!room).plus(output.tvalid & !output.tready));
    let started = m.reg("started_reg", 1).reset(0);
    started.next(m.lit(1, 1));
    started.q & !room & waited.q.is_zero() | !output.tvalid & !held.q.is_zero()
}
