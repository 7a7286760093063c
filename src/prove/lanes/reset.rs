//! The values of registers after a reset, by simulation with three values: 0, 1, and unknown.
//!
//! Registers without a reset value, and all inputs but the reset, are unknown. A value that is known here therefore holds in every run.

use utfhdl_hdl::netlist::RegisterRole;
use utfhdl_sim::aig::{Known, Leaf, Lit, Logic};

use super::cells::{Cells, Place, rebuilt, sources};

/// The states from the last cycle of a reset on.
pub(super) struct Reset {
    states: Vec<Vec<Known>>,
}

impl Reset {
    /// Simulates a core until its first beat is on the output, and checks that no value from before the reset can be output. `offered` is the register
    /// that says whether the decoding half of a transcoder offers a beat; in other cores, an input says so.
    pub(super) fn follow(cells: &Cells, offered: Option<usize>) -> Result<Self, String> {
        let offered = match offered {
            Some(register) => Some(Leaf::Register(register as u32)),
            None => {
                let input = cells.whole.inputs.iter().position(|input| input == "s_axis_tvalid");
                input.map(|index| Leaf::Input(index as u32))
            }
        };
        let step = |state: &[Known], level| step(&cells.whole, state, (cells.reset.0, level), offered);
        let unknown = vec![None; cells.places.len()];
        let constants = Constants::of(cells);
        // The last cycle of reset, then the cycle that clears the stages. The first beat is taken in the cycle after that.
        let mut states = vec![step(&unknown, cells.reset.1)];
        for _ in 0..cells.last_stage + cells.shown {
            let last = states.last().expect("there is one");
            let mut next = step(last, !cells.reset.1);
            constants.keep(last, &mut next);
            states.push(next);
        }
        let reset = Self { states };
        for state in &reset.states {
            let input = |input| (input == cells.reset.0).then_some(!cells.reset.1);
            let values = cells.whole.known_values(state, input);
            let offered = cells.whole.output_names.iter().position(|name| name == "m_axis_tvalid");
            let offered = cells.whole.outputs[offered.ok_or("there is no m_axis_tvalid")?];
            if cells.whole.known(&values, offered) != Some(false) {
                return Err("what the core held before a reset may come out".to_owned());
            }
        }
        for (age, state) in reset.states.iter().enumerate().skip(1) {
            // From this age on, the first beat may make the next ones wait.
            let may_wait = age as u32 > cells.last_stage + 1;
            let stopped = cells.registers(|place| place == Place::Pace).into_iter().find(|&index| {
                let must_move = match cells.whole.registers[index].role {
                    RegisterRole::EnableUnits | RegisterRole::Ready => !may_wait,
                    role => role == RegisterRole::Room,
                };
                must_move && state[index] != Some(true)
            });
            if let Some(index) = stopped {
                return Err(format!("{} may be 0 after a reset", cells.name(index)));
            }
        }
        reset.has_settled(cells)?;
        Ok(reset)
    }

    /// Checks that a constant register has settled before any register that reads it loads a value of a beat.
    fn has_settled(&self, cells: &Cells) -> Result<(), String> {
        for (index, constants) in cells.constants.iter().enumerate() {
            let from = match cells.places[index] {
                Place::Units { stage, is_loop } => stage + u32::from(is_loop),
                Place::Slots { stage } => cells.last_stage + stage,
                Place::State | Place::Windows => cells.last_stage,
                Place::LeftOver { stage } => cells.last_stage + stage + 1,
                Place::Buffer => cells.last_stage + cells.shown,
                Place::Constant | Place::Pace => continue,
            };
            for &constant in constants {
                let last = self.states[self.states.len() - 1][constant];
                let states = &self.states[from as usize..];
                if last.is_none() || states.iter().any(|state| state[constant] != last) {
                    return Err(format!("{} changes too long after a reset", cells.name(constant)));
                }
            }
        }
        Ok(())
    }

    /// The value in reset, where a register has one.
    pub(super) fn value(&self, index: usize) -> Known {
        self.states[0][index]
    }

    /// The value of a loop as the first beat reaches the stage of the loop.
    pub(super) fn of_loop(&self, cells: &Cells, index: usize) -> Known {
        let stage = match cells.places[index] {
            Place::Units { stage, is_loop: true } => stage,
            Place::LeftOver { stage } => cells.last_stage + stage,
            place => unreachable!("no loop is at {place:?}"),
        };
        self.states[1 + stage as usize][index]
    }

    /// The next values of registers as the first beat reaches the last stage of units, as functions of the stage before the last,
    /// which holds the beat.
    pub(super) fn loaded_with_first(&self, cells: &Cells) -> Logic {
        let before = &self.states[cells.last_stage as usize];
        rebuilt(&cells.moving, |leaf| match leaf {
            Leaf::Register(index) if !cells.is_units_of(index as usize, cells.last_stage - 1) => {
                before[index as usize]
            }
            _ => None,
        })
    }
}

/// The constant registers. Each comes with its value, and with a condition under which the register keeps the value: the values of other constants and
/// of registers that clear stages.
struct Constants {
    all: Vec<(Held, Vec<Held>)>,
}

/// A register, by number, and the value that it holds.
type Held = (usize, bool);

impl Constants {
    fn of(cells: &Cells) -> Self {
        let whole = &cells.whole;
        let is_flush = |index: usize| whole.registers[index].role == RegisterRole::Flush;
        let settled = |leaf| match leaf {
            Leaf::Input(index) => (index == cells.reset.0).then_some(!cells.reset.1),
            Leaf::Register(index) if is_flush(index as usize) => Some(false),
            Leaf::Register(index) => cells.constant(index as usize),
        };
        let kept = rebuilt(whole, settled);
        let of = |index: usize| {
            let value = cells.constant(index).filter(|&value| kept.next[index] == Lit::constant(value))?;
            let read =
                sources(&whole.aig, whole.next[index]).into_iter().filter(|&(is_register, _)| is_register);
            let needs = read.filter_map(|(_, source)| {
                settled(Leaf::Register(source as u32)).map(|value| (source, value))
            });
            Some(((index, value), needs.collect()))
        };
        Self { all: (0..cells.places.len()).filter_map(of).collect() }
    }

    /// Enters the constants into the state after `state`. Simulation with three values loses those that depend on the same unknown value in several ways.
    fn keep(&self, state: &[Known], next: &mut [Known]) {
        let is = |&(index, value): &Held| state[index] == Some(value);
        for (held, needs) in &self.all {
            if is(held) && needs.iter().all(is) {
                next[held.0] = Some(held.1);
            }
        }
    }
}

/// The state after a cycle in which all inputs are unknown but the reset, which is given by its number and its level. A register is known, too, if
/// its next value is the same whether a register of the pace is 0 or 1, or whether a beat is `offered` or not.
fn step(logic: &Logic, state: &[Known], (reset, level): (u32, bool), offered: Option<Leaf>) -> Vec<Known> {
    let next_of = |state: &[Known], decided: Option<(Leaf, bool)>| {
        let mut state = state.to_vec();
        if let Some((Leaf::Register(index), value)) = decided {
            state[index as usize] = Some(value);
        }
        let input = |input| match decided {
            Some((Leaf::Input(of), value)) if of == input => Some(value),
            _ => (input == reset).then_some(level),
        };
        logic.known_next(&logic.known_values(&state, input))
    };
    let mut next = next_of(state, None);
    let decides = |index: &usize| logic.registers[*index].role.is_pace() && state[*index].is_none();
    let registers = (0..state.len()).filter(decides).map(|index| Leaf::Register(index as u32));
    for leaf in offered.into_iter().chain(registers) {
        let [without, with] = [false, true].map(|value| next_of(state, Some((leaf, value))));
        for ((next, without), with) in next.iter_mut().zip(without).zip(with) {
            *next = next.or(without.filter(|_| without == with));
        }
    }
    next
}
