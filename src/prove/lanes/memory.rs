//! What is known of the units before a beat, in a decoder of several lanes.

use utfhdl_hdl::netlist::{Builder, RegisterRole, Signal};

use super::beat::Beat;
use super::cells::Cells;
use super::reset::Reset;
use super::step::Step;
use super::window::{Memory, Window};
use crate::prove::spec::State;

/// What is known before a beat.
pub(super) enum Before<'m> {
    /// The last units of the frame, the nearest last.
    Units(Vec<Signal<'m>>),
    /// The state of the machine.
    State(State<'m>),
}

/// What is known before the beat of a step, and before the beat before that.
pub(super) struct Remembered<'m> {
    pub(super) of_beat: Before<'m>,
    pub(super) of_beat_before: Before<'m>,
}

/// A bit of a history register, if the core has one: of the unit that is `back` units before the beat.
fn kept<'m>(cells: &Cells, beat: &Beat<'m>, back: usize, bit: u32) -> Option<Signal<'m>> {
    let of_unit = cells.of_role(RegisterRole::History(back as u32));
    let mut of_bit = of_unit.filter(|&index| cells.whole.registers[index].bit == bit);
    of_bit.find_map(|index| beat.loops.get(&index)).copied()
}

/// Registers that remember the last `count` units of the frame, the nearest last, or zeros where it has fewer.
fn last_units<'m>(m: &'m Builder, window: Window, count: usize, step: &Step<'m>) -> Vec<Signal<'m>> {
    let registers: Vec<_> =
        (0..count).map(|index| m.reg(&format!("unit_before_{index}_reg"), window.bits).reset(0)).collect();
    let before: Vec<Signal<'m>> = registers.iter().map(|register| register.q).collect();
    let mut row = before.clone();
    for (unit, lane) in step.beat.units(window.bits).into_iter().zip(0..) {
        let comes = step.beat.has(lane);
        let moved: Vec<Signal<'m>> = row[1..].iter().copied().chain([unit]).collect();
        row = row.iter().zip(moved).map(|(stays, moves)| comes.mux(moves, *stays)).collect();
    }
    for (register, unit) in registers.into_iter().zip(row) {
        register.next_when(!step.waits, unit.when(!step.beat.ends()));
    }
    before
}

/// Remembers what comes before the beats of a step. Bits of units that the core keeps are those of its history registers.
pub(super) fn before<'m>(m: &'m Builder, cells: &Cells, window: Window, step: &Step<'m>) -> Remembered<'m> {
    let moves = !step.waits;
    let of_beat_before = |name: &str, value: Signal<'m>| {
        let register = m.reg(name, value.width());
        register.next_when(moves, value);
        register.q
    };
    match window.memory {
        Memory::Units(count) => {
            let row = last_units(m, window, count, step);
            let older = |index: usize| of_beat_before(&format!("unit_before_that_{index}_reg"), row[index]);
            let older: Vec<Signal<'m>> = (0..count).map(older).collect();
            let units = |beat: &Beat<'m>, row: &[Signal<'m>]| {
                let unit = |(index, unit): (usize, &Signal<'m>)| {
                    let bit = |bit| kept(cells, beat, count - index, bit).unwrap_or_else(|| unit.bit(bit));
                    m.concat((0..window.bits).rev().map(bit).collect::<Vec<_>>())
                };
                Before::Units(row.iter().enumerate().map(unit).collect())
            };
            Remembered { of_beat: units(&step.beat, &row), of_beat_before: units(&step.before, &older) }
        }
        Memory::State => {
            let start = window.machine.start(m);
            let position = m.reg("position_reg", start.position.width()).reset(0);
            let value = m.reg("value_reg", start.value.width()).reset(0);
            let state = State { position: position.q, value: value.q };
            let of_beat = Before::State(state);
            let states = window.states(m, &of_beat, &step.beat.units(window.bits));
            let mut after = state;
            for (state, lane) in states[1..].iter().zip(0..) {
                let has = step.beat.has(lane);
                after = State {
                    position: has.mux(state.position, after.position),
                    value: has.mux(state.value, after.value),
                };
            }
            position.next_when(moves, after.position.when(!step.beat.ends()));
            value.next_when(moves, after.value);
            let of_beat_before = Before::State(State {
                position: of_beat_before("position_before_reg", state.position),
                value: of_beat_before("value_before_reg", state.value),
            });
            Remembered { of_beat, of_beat_before }
        }
    }
}

/// 1 in cycles in which the history registers differ from the last `count` units of the frame, or from zeros where the frame has fewer units.
pub(super) fn bad<'m>(
    m: &'m Builder,
    cells: &'m Cells,
    reset: &Reset,
    window: Window,
    (lanes, count): (u32, usize),
) -> Result<Signal<'m>, String> {
    let step = Step::new(m, cells, reset, lanes, window.lane_bits)?;
    let row = last_units(m, window, count, &step);
    let bits = (0..count).flat_map(|index| (0..window.bits).map(move |bit| (index, bit)));
    let differs = bits.filter_map(|(index, bit)| {
        let kept = kept(cells, &step.beat, count - index, bit)?;
        Some(row[index].bit(bit) ^ kept)
    });
    let differs = differs.reduce(|a, b| a | b).ok_or("the core remembers no units")?;
    Ok(step.is_assumed & differs)
}
