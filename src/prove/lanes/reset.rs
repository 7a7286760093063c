//! What is known behind a reset, by simulation with three values: 0, 1, and unknown.
//!
//! Registers without a reset value, and all inputs but the reset, are unknown. So what is known here holds in every run.

use utfhdl_hdl::netlist::RegisterRole;
use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

use super::cells::{Cells, Place, rebuilt};

/// What is known of a bit.
pub(super) type Known = Option<bool>;

/// The states behind a reset: that in its last cycle is the first.
pub(super) struct Reset {
    states: Vec<Vec<Known>>,
}

impl Reset {
    /// Follows a core until the beat that it takes first comes out, and checks that nothing of what it held before does.
    pub(super) fn follow(cells: &Cells) -> Result<Self, String> {
        let unknown = vec![None; cells.places.len()];
        // In reset, then the cycle that clears the stages; the first beat is taken in the cycle behind that.
        let mut states = vec![step(&cells.whole, &unknown, cells.reset.0, cells.reset.1)];
        for _ in 0..cells.last_stage + cells.shown {
            let last = states.last().expect("there is one");
            states.push(step(&cells.whole, last, cells.reset.0, !cells.reset.1));
        }
        let reset = Self { states };
        for state in &reset.states {
            let values =
                values(&cells.whole, state, |input| (input == cells.reset.0).then_some(!cells.reset.1));
            let offered = cells.whole.output_names.iter().position(|name| name == "m_axis_tvalid");
            let offered = cells.whole.outputs[offered.ok_or("there is no m_axis_tvalid")?];
            if of(&values, offered) != Some(false) {
                return Err("what the core held before a reset may come out".to_owned());
            }
        }
        for (age, state) in reset.states.iter().enumerate().skip(1) {
            // The first beat may make those behind it wait.
            let may_wait = age as u32 > cells.last_stage + 1;
            let stands = cells.registers(|place| place == Place::Pace).into_iter().find(|&index| {
                let must_move = match cells.whole.registers[index].role {
                    RegisterRole::EnableUnits | RegisterRole::Ready => !may_wait,
                    role => role == RegisterRole::Room,
                };
                must_move && state[index] != Some(true)
            });
            if let Some(index) = stands {
                return Err(format!("{} may be 0 behind a reset", cells.name(index)));
            }
        }
        reset.has_settled(cells)?;
        Ok(reset)
    }

    /// Checks that registers that keep one value have it by the time at which one that reads them loads something of a beat.
    fn has_settled(&self, cells: &Cells) -> Result<(), String> {
        for (index, constants) in cells.constants.iter().enumerate() {
            let from = match cells.places[index] {
                Place::Units { stage, is_loop } => stage + u32::from(is_loop),
                Place::Slots { stage } => cells.last_stage + stage,
                Place::State => cells.last_stage,
                Place::Constant | Place::Pace | Place::Buffer => continue,
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

    /// The value that a loop has when the first beat comes to its stage.
    pub(super) fn of_loop(&self, index: usize, stage: u32) -> Known {
        self.states[1 + stage as usize][index]
    }

    /// What registers load when the first beat comes to the last stage of units, where the registers of the stage before that are
    /// left open, since they hold the beat.
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

fn of(values: &[Known], lit: Lit) -> Known {
    values[lit.node()].map(|value| value != lit.is_complement())
}

/// The value of each node.
fn values(logic: &Logic, state: &[Known], input: impl Fn(u32) -> Known) -> Vec<Known> {
    let mut values: Vec<Known> = Vec::with_capacity(logic.aig.nodes().len());
    for node in logic.aig.nodes() {
        let value = match *node {
            Node::False => Some(false),
            Node::Leaf(Leaf::Input(index)) => input(index),
            Node::Leaf(Leaf::Register(index)) => state[index as usize],
            Node::And(a, b) => match (of(&values, a), of(&values, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        };
        values.push(value);
    }
    values
}

/// The state behind a cycle in which all inputs but the reset are unknown.
fn step(logic: &Logic, state: &[Known], reset: u32, level: bool) -> Vec<Known> {
    let values = values(logic, state, |input| (input == reset).then_some(level));
    logic.next.iter().map(|lit| of(&values, *lit)).collect()
}
