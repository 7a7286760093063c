//! The registers that control the movement of stages, and the output buffer. All other registers are free inputs.

use std::collections::BTreeMap;

use utfhdl_hdl::netlist::{Builder, Reg, RegisterRole, Signal};
use utfhdl_sim::aig::Leaf;

use super::cells::{Cells, Place};
use super::copy::{Copy, Substitute};
use super::reset::Reset;
use crate::prove::bench::Side;
use crate::prove::pick::{Item, differs};
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
        Self::with(m, cells, reset, Vec::new())
    }

    /// Has copies of the registers `further`, too.
    pub(super) fn with(m: &'m Builder, cells: &'c Cells, reset: &Reset, further: Vec<usize>) -> Self
    where
        'm: 'c,
    {
        let mut kept = cells.registers(|place| {
            matches!(place, Place::Pace | Place::Buffer | Place::State | Place::Windows)
                || cells.is_last(place)
        });
        kept.extend(further);
        let registers: BTreeMap<usize, Reg<'m>> = kept
            .iter()
            .map(|&index| {
                let register = m.reg(&format!("bit_{index}_reg"), 1);
                (index, reset.value(index).map_or(register, |value| register.reset(value.into())))
            })
            .collect();
        let sink = m.input("m_axis_tready", 1, "the beat is taken");
        let values: BTreeMap<usize, Signal<'m>> =
            registers.iter().map(|(&index, register)| (index, register.q)).collect();
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

/// The failures, a bit each: the output differs from the beats that entered the buffer, in each lane, or in the end of a frame or the number of
/// beats; or a beat is late.
pub(super) fn buffer<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    lanes: u32,
) -> Result<Signal<'m>, String> {
    let control = Control::new(m, cells, reset);
    let room = control.value(RegisterRole::Room)?;
    let shown = Control::side(&control.shown, room);
    let item = Item { is_there: shown.taken(), word: shown.beat(m) };
    let output = Control::side(&control.now, control.sink);
    let differs = differs(m, &output, output.tvalid, &[item], MOST_HELD);
    // After the bit for the number of beats, those of the fields as `Side::items` has them, the lowest first.
    let mut low = 1;
    let mut of_lane = vec![m.lit(1, 0); lanes as usize + 1];
    for field in [Some(output.tdata), Some(output.tkeep), output.tuser].into_iter().flatten() {
        let field = differs.bits(low..low + field.width());
        low += field.width();
        // The mark of an encoder's frame is one for all lanes.
        if field.width() < lanes {
            of_lane[0] = of_lane[0] | field.any();
            continue;
        }
        for (lane, bad) in (0..lanes).zip(&mut of_lane[1..]) {
            *bad = *bad | Side::lane(field, lane, lanes).any();
        }
    }
    of_lane[0] = differs.bit(0) | differs.bits(low..differs.width()).any();
    of_lane.push(late(m, &output, room, item.is_there));
    Ok(m.concat(of_lane))
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
