//! The registers of a decoder of several lanes, each with the pipeline stage that the netlist gives. The stages are checked
//! bit by bit. A netlist that is no such pipeline is an error.
//!
//! Two groups of registers are set aside: those of the output buffer, and those that control the movement of stages. All other
//! registers are of two kinds: *units* load in cycles in which a beat is taken, and *slots* in cycles in which the later stages move. In
//! cycles in which all stages move, every path to a register must pass through the same number of registers. The value of a register
//! is then a function of one beat, that which has advanced to the stage of the register, and of the *loops*: registers that carry
//! state from beat to beat. A loop reads only registers of its own stage. At the next move these belong to the beat before, so the
//! loop holds a function of the beat before.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Builder, Design, Mark, RegisterRole, Signal};
use utfhdl_sim::aig::{Aig, Leaf, Lit, Logic, Node, RegisterBit, Start, blast, blast_cut};

/// The position of a register in the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The register holds the same value in all cycles but the first ones after a reset.
    Constant,
    /// The register controls which stages move.
    Pace,
    /// The register is part of the output buffer.
    Buffer,
    /// The register is in stage `stage` and loads in cycles in which a beat is taken. A loop holds the state that the beat in this stage
    /// starts from.
    Units { stage: u32, is_loop: bool },
    /// The register loads in cycles in which the slots move; `stage` counts from 1, the stage after the last one of units.
    Slots { stage: u32 },
    /// The register loads in cycles in which the slots move, and belongs to the beat in the last stage of units.
    State,
    /// In an encoder or transcoder: the register belongs to the beat in the windows, and to the window that is presented.
    Windows,
    /// In an encoder or transcoder: the register carries state from cycle to cycle in which the stages after the windows move, and is read with stage
    /// `stage` of these. One that is read with the windows says in a transcoder how these go on, too.
    LeftOver { stage: u32 },
}

/// The bits of a core, with their positions in the pipeline.
pub(super) struct Cells {
    /// The core.
    pub(super) whole: Logic,
    /// The core in cycles in which all stages move and the constants have settled.
    pub(super) moving: Logic,
    /// The values of registers in such cycles, where they are known.
    pub(super) known: Vec<Option<bool>>,
    pub(super) places: Vec<Place>,
    /// The registers of [`Place::Constant`] that each register reads.
    pub(super) constants: Vec<Vec<usize>>,
    /// The last stage of units before those of slots.
    pub(super) last_stage: u32,
    /// The stage of slots that the outputs present.
    pub(super) shown: u32,
    /// The reset input, by number, and its active level.
    pub(super) reset: (u32, bool),
    /// The input `m_axis_tready`, by number.
    pub(super) sink: u32,
}

impl Place {
    /// The position of a register that is set aside; `None` for the others.
    pub(super) fn set_aside(role: RegisterRole) -> Option<Self> {
        match role {
            RegisterRole::Flush => Some(Self::Pace),
            role if role.is_pace() => Some(Self::Pace),
            role if role.is_buffer() => Some(Self::Buffer),
            _ => None,
        }
    }
}

/// A core bit by bit, with the inputs that decide what moves.
pub(super) struct Whole {
    pub(super) logic: Logic,
    /// The reset input, by number, and its active level.
    pub(super) reset: (u32, bool),
    /// The input `m_axis_tready`, by number.
    pub(super) sink: u32,
}

impl Whole {
    pub(super) fn read(design: &Design) -> Result<Self, String> {
        let logic = blast(design, Start::Zero).map_err(|error| error.to_string())?;
        let input = |name: &str| {
            let found = logic.inputs.iter().position(|input| input == name);
            found.map(|index| index as u32).ok_or_else(|| format!("there is no {name}"))
        };
        let reset = (input(design.reset.port())?, design.reset.active_level());
        let sink = input("m_axis_tready")?;
        Ok(Self { logic, reset, sink })
    }

    /// The value of an input in cycles after a reset in which the sink takes what is offered.
    pub(super) fn input(&self, index: u32) -> Option<bool> {
        if index == self.reset.0 { Some(!self.reset.1) } else { (index == self.sink).then_some(true) }
    }
}

/// A kind of cycle, by the groups of stages that move.
#[derive(Clone, Copy)]
struct Moves {
    units: bool,
    slots: bool,
}

impl Cells {
    /// Reads a design. The error names the register that breaks a rule.
    pub(super) fn read(design: &Design) -> Result<Self, String> {
        let core = Whole::read(design)?;
        let whole = &core.logic;
        if !whole.registers.iter().any(|register| register.role == RegisterRole::Flush) {
            return Err("nothing clears the stages after a reset".to_owned());
        }
        let known = |leaf: Leaf, Moves { units, slots }: Moves| match leaf {
            Leaf::Input(index) => core.input(index),
            Leaf::Register(index) => match whole.registers[index as usize].role {
                RegisterRole::Flush | RegisterRole::BufferSkid => Some(false),
                RegisterRole::EnableUnits | RegisterRole::Ready => Some(units),
                RegisterRole::EnableSlots | RegisterRole::EnableWindows | RegisterRole::Room => Some(slots),
                RegisterRole::BufferReady => Some(true),
                RegisterRole::Pace
                | RegisterRole::Empty
                | RegisterRole::Buffer
                | RegisterRole::Data
                | RegisterRole::Waits
                | RegisterRole::GoesOn
                | RegisterRole::Rides
                | RegisterRole::GoesAlone => None,
            },
        };
        let with = |units, slots| rebuilt(whole, |leaf| known(leaf, Moves { units, slots }));
        let set_aside = |index: usize| Place::set_aside(whole.registers[index].role);
        let (moving, constants) = settled(whole, |leaf| known(leaf, Moves { units: true, slots: true }));
        let (only_slots, nothing) = (with(false, true), with(false, false));
        let mut places = Vec::new();
        for (index, constant) in constants.iter().enumerate() {
            let stays = |logic: &Logic| is_register(&logic.aig, logic.next[index], index);
            places.push(match set_aside(index) {
                Some(place) => place,
                None if constant.is_some() => Place::Constant,
                None if !stays(&nothing) => {
                    return Err(format!("{} loads where nothing moves", whole.registers[index].name));
                }
                None => {
                    let RegisterBit { name, stage, .. } = &whole.registers[index];
                    let stage = stage.ok_or_else(|| format!("{name} is of no stage"))?;
                    if stays(&only_slots) {
                        Place::Units { stage, is_loop: false }
                    } else {
                        Place::Slots { stage }
                    }
                }
            });
        }
        // Stages depend on the output only through the registers that control movement.
        let driven = rebuilt(whole, |leaf| match leaf {
            Leaf::Input(index) if index == core.sink => None,
            Leaf::Register(index) if places[index as usize] == Place::Buffer => None,
            _ => known(leaf, Moves { units: true, slots: true }),
        });
        let of: Vec<BTreeSet<(bool, usize)>> =
            driven.next.iter().map(|next| sources(&driven.aig, *next)).collect();
        for (index, of) in of.iter().enumerate().filter(|(index, _)| set_aside(*index).is_none()) {
            let of_output = |&(is_register, source): &(bool, usize)| match is_register {
                true => set_aside(source).is_some(),
                false => source == core.sink as usize,
            };
            if of.iter().any(of_output) {
                let name = &whole.registers[index].name;
                return Err(format!("{name} depends on the output in another way than by what moves"));
            }
        }
        let known = (0..).zip(&constants).map(|(index, constant)| {
            known(Leaf::Register(index), Moves { units: true, slots: true }).or(*constant)
        });
        let known = known.collect();
        let constants = constants_of(&driven, &places);
        let Whole { logic: whole, reset, sink } = core;
        let mut cells =
            Self { whole, moving, known, places, constants, sink, last_stage: 0, shown: 0, reset };
        cells.check_units(&cells.registers(|place| matches!(place, Place::Units { .. })))?;
        cells.check_slots()?;
        Ok(cells)
    }

    /// The core in cycles in which all stages move, cut at marks.
    pub(super) fn moving_cut(&self, design: &Design, is_cut: impl Fn(Mark) -> bool) -> Result<Logic, String> {
        let logic = blast_cut(design, Start::Zero, is_cut).map_err(|error| error.to_string())?;
        let cut = Whole { logic, reset: self.reset, sink: self.sink };
        Ok(rebuilt(&cut.logic, |leaf| match leaf {
            Leaf::Input(index) => cut.input(index),
            Leaf::Register(index) => self.known[index as usize],
        }))
    }

    /// The name of a register.
    pub(super) fn name(&self, index: usize) -> &str {
        &self.whole.registers[index].name
    }

    /// The value of a register that holds the same one as soon as it counts.
    pub(super) fn constant(&self, index: usize) -> Option<bool> {
        (self.places[index] == Place::Constant).then(|| self.moving.next[index].is_complement())
    }

    /// The registers of a role.
    pub(super) fn of_role(&self, role: RegisterRole) -> impl Iterator<Item = usize> {
        let registers = self.whole.registers.iter().enumerate();
        registers.filter(move |(_, register)| register.role == role).map(|(index, _)| index)
    }

    /// Whether a position is in the stage that the output buffer loads: the last one of slots, or of units where there are no slots.
    pub(super) fn is_last(&self, place: Place) -> bool {
        match place {
            Place::Slots { stage } | Place::LeftOver { stage } => stage + 1 == self.shown,
            Place::Units { stage, is_loop: false } => self.shown == 2 && stage == self.last_stage + 1,
            _ => false,
        }
    }

    /// Whether a register is one of units, of a stage.
    pub(super) fn is_units_of(&self, index: usize, stage: u32) -> bool {
        matches!(self.places[index], Place::Units { stage: of, .. } if of == stage)
    }

    /// The numbers of the registers at positions that `is` accepts.
    pub(super) fn registers(&self, is: impl Fn(Place) -> bool) -> Vec<usize> {
        (0..self.places.len()).filter(|&index| is(self.places[index])).collect()
    }

    /// Wires for what the loops hold after a beat, by number.
    pub(super) fn loop_wires<'m>(&self, m: &'m Builder) -> BTreeMap<usize, Signal<'m>> {
        let loops = self.registers(|place| matches!(place, Place::Units { is_loop: true, .. }));
        loops.into_iter().map(|index| (index, m.wire(&format!("loop_{index}_next"), 1))).collect()
    }

    /// The leaves on which the next value of a register depends in a cycle in which all stages move.
    fn sources(&self, index: usize) -> BTreeSet<(bool, usize)> {
        sources(&self.moving.aig, self.moving.next[index])
    }

    /// Finds the loops among registers in stages of units, and checks the stages: a register reads the stage before its own, and a loop its own
    /// stage.
    pub(super) fn check_units(&mut self, registers: &[usize]) -> Result<(), String> {
        self.place_loops(registers);
        for &index in registers {
            let Place::Units { stage, .. } = self.places[index] else { unreachable!("they were asked for") };
            let mut from = BTreeSet::new();
            let of = self.sources(index);
            for &(is_register, source) in &of {
                from.insert(match self.places.get(source) {
                    _ if !is_register => 0,
                    Some(&Place::Units { stage, .. }) => stage,
                    _ => return Err(format!("{} reads {}", self.name(index), self.name(source))),
                });
            }
            // A register that reads only other registers of its own stage is a loop, too: it holds their values of the beat before.
            let is_loop = of.contains(&(true, index)) || from.iter().eq([&stage]);
            if let Some(from) = from.iter().find(|from| **from + u32::from(!is_loop) != stage) {
                let name = self.name(index);
                return Err(format!("{name} of stage {stage} has a source in stage {from}"));
            }
            self.places[index] = Place::Units { stage, is_loop };
        }
        Ok(())
    }

    /// Puts the registers of units that read themselves into the stage of the other registers that they read.
    fn place_loops(&mut self, registers: &[usize]) {
        for &index in registers {
            let of = self.sources(index);
            let stages: BTreeSet<u32> = of
                .iter()
                .filter(|&&(is_register, source)| is_register && source != index)
                .filter_map(|&(_, source)| match self.places[source] {
                    Place::Units { stage, is_loop: false } => Some(stage),
                    _ => None,
                })
                .collect();
            if let (true, [stage]) =
                (of.contains(&(true, index)), &stages.iter().copied().collect::<Vec<_>>()[..])
            {
                self.places[index] = Place::Units { stage: *stage, is_loop: true };
            }
        }
    }

    /// Numbers the stages of slots from the last one of units on, and checks them: each register loads what is in the stage before
    /// its own.
    fn check_slots(&mut self) -> Result<(), String> {
        let slots = self.registers(|place| matches!(place, Place::Slots { .. }));
        let of: Vec<BTreeSet<(bool, usize)>> = slots.iter().map(|&index| self.sources(index)).collect();
        let read = of.iter().flatten().filter_map(|&(is, source)| match self.places[source] {
            Place::Units { stage, .. } if is => Some(stage),
            _ => None,
        });
        let last = self.registers(|place| matches!(place, Place::Units { .. })).into_iter();
        let last = last.filter_map(|index| match self.places[index] {
            Place::Units { stage, .. } => Some(stage),
            _ => None,
        });
        // Without stages of slots, the output buffer reads the units.
        let read = if slots.is_empty() { last.max() } else { read.max() };
        let last_stage = read.ok_or("no slot depends on a unit")? - 1;
        for &index in &slots {
            let Place::Slots { stage } = self.places[index] else { unreachable!("they were asked for") };
            self.places[index] = match stage.checked_sub(last_stage) {
                None => return Err(format!("{} of stage {stage} is among units", self.name(index))),
                // A register that is read together with the last stage of units belongs to the beat in that stage.
                Some(0) => Place::State,
                Some(stage) => Place::Slots { stage },
            };
        }
        for (&index, of) in slots.iter().zip(&of) {
            self.check_slot(index, of, last_stage)?;
        }
        let stage_of = |&index: &usize| match self.places[index] {
            Place::Slots { stage } => Some(stage),
            _ => None,
        };
        let shown = slots.iter().filter_map(stage_of).max().unwrap_or(1) + 1;
        (self.last_stage, self.shown) = (last_stage, shown);
        for index in self.registers(|place| place == Place::Buffer) {
            for (is_register, source) in self.sources(index) {
                let is_right = |place| place == Place::Buffer || self.is_last(place);
                if !(is_register && is_right(self.places[source])) {
                    return Err(format!("{} holds another stage than the last", self.name(index)));
                }
            }
        }
        Ok(())
    }

    fn check_slot(&self, index: usize, of: &BTreeSet<(bool, usize)>, last_stage: u32) -> Result<(), String> {
        let stage = match self.places[index] {
            Place::Slots { stage } => stage,
            _ => 0,
        };
        for &(is_register, source) in of {
            if !is_register {
                return Err(format!("{} depends on an input", self.name(index)));
            }
            let is_right = match self.places[source] {
                Place::Units { is_loop: true, .. } => false,
                // The units of the stage after the last are read in the stage of slots that follows, too.
                Place::Units { stage: from, .. } if from == last_stage + 1 => stage <= 2,
                Place::Units { stage: from, .. } => {
                    stage <= 1 && (from == last_stage || from + 1 == last_stage)
                }
                Place::State => stage <= 1,
                Place::Slots { stage: from } => from + 1 == stage,
                Place::Constant | Place::Pace | Place::Buffer | Place::Windows | Place::LeftOver { .. } => {
                    false
                }
            };
            if !is_right {
                let (name, source) = (self.name(index), self.name(source));
                return Err(format!("{name}, in stage {stage} of slots, reads {source}"));
            }
        }
        Ok(())
    }
}

/// The logic where leaves have the values that `known` gives, and where registers are constant whose next value then is, given the others; and
/// the values of these registers.
pub(super) fn settled(logic: &Logic, known: impl Fn(Leaf) -> Option<bool>) -> (Logic, Vec<Option<bool>>) {
    let mut constants = vec![None; logic.registers.len()];
    loop {
        let settled = rebuilt(logic, |leaf| match leaf {
            Leaf::Register(index) if constants[index as usize].is_some() => constants[index as usize],
            _ => known(leaf),
        });
        let mut is_more = false;
        for (index, next) in settled.next.iter().enumerate() {
            let is_of_stage = Place::set_aside(logic.registers[index].role).is_none();
            if next.node() == 0 && constants[index].is_none() && is_of_stage {
                constants[index] = Some(next.is_complement());
                is_more = true;
            }
        }
        if !is_more {
            return (settled, constants);
        }
    }
}

/// The registers of [`Place::Constant`] that each register reads.
pub(super) fn constants_of(logic: &Logic, places: &[Place]) -> Vec<Vec<usize>> {
    let of = |next: &Lit| {
        let of = sources(&logic.aig, *next).into_iter();
        let constants = of.filter(|&(is, source)| is && places[source] == Place::Constant);
        constants.map(|(_, source)| source).collect()
    };
    logic.next.iter().map(of).collect()
}

/// The leaves that a bit depends on: whether it is a register, and its number.
pub(super) fn sources(aig: &Aig, root: Lit) -> BTreeSet<(bool, usize)> {
    let (mut seen, mut found, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![root.node()]);
    while let Some(node) = left.pop() {
        if !seen.insert(node) {
            continue;
        }
        match aig.nodes()[node] {
            Node::False => {}
            Node::Leaf(Leaf::Input(index)) => {
                found.insert((false, index as usize));
            }
            Node::Leaf(Leaf::Register(index)) => {
                found.insert((true, index as usize));
            }
            Node::And(a, b) => left.extend([a.node(), b.node()]),
        }
    }
    found
}

pub(super) fn is_register(aig: &Aig, lit: Lit, index: usize) -> bool {
    !lit.is_complement() && aig.nodes()[lit.node()] == Node::Leaf(Leaf::Register(index as u32))
}

/// Rebuilds the logic with constants for the leaves whose value is known.
pub(super) fn rebuilt(logic: &Logic, known: impl Fn(Leaf) -> Option<bool>) -> Logic {
    let mut aig = Aig::new();
    let mut lits: Vec<Lit> = Vec::with_capacity(logic.aig.nodes().len());
    let of = |lits: &[Lit], lit: Lit| {
        let plain = lits[lit.node()];
        if lit.is_complement() { !plain } else { plain }
    };
    for node in logic.aig.nodes() {
        let lit = match *node {
            Node::False => Lit::FALSE,
            Node::Leaf(leaf) => match known(leaf) {
                Some(value) => Lit::constant(value),
                None => aig.leaf(leaf),
            },
            Node::And(a, b) => aig.and(of(&lits, a), of(&lits, b)),
        };
        lits.push(lit);
    }
    let renumbered = |marks: &[(Mark, Vec<Lit>)]| {
        let of_mark =
            |(mark, bits): &(Mark, Vec<Lit>)| (*mark, bits.iter().map(|bit| of(&lits, *bit)).collect());
        marks.iter().map(of_mark).collect()
    };
    Logic {
        aig,
        inputs: logic.inputs.clone(),
        registers: logic.registers.clone(),
        next: logic.next.iter().map(|lit| of(&lits, *lit)).collect(),
        outputs: logic.outputs.iter().map(|lit| of(&lits, *lit)).collect(),
        output_names: logic.output_names.clone(),
        marks: renumbered(&logic.marks),
        cuts: renumbered(&logic.cuts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfhdl_hdl::netlist::ResetStyle;

    /// A pipeline of two stages of units and one of slots. In stage 1, `near_reg` reads only `unit_reg`, of its own stage; so it holds
    /// the bit of the beat before. With `is_mixed`, it reads the input, too, which is of the stage before.
    fn pipeline(is_mixed: bool) -> Design {
        let m = Builder::new("pipeline", "Two stages of units and a stage of slots.");
        let (bit, ready) = (m.input("unit", 1, "a unit"), m.input("m_axis_tready", 1, "the slot is taken"));
        let control = |name, role, next| {
            let register = m.reg(name, 1).reset(0).role(role);
            register.next(next);
            register.q
        };
        let take = control("take_reg", RegisterRole::EnableUnits, ready);
        let moves = control("move_reg", RegisterRole::EnableSlots, ready);
        let flush = control("flush_reg", RegisterRole::Flush, m.lit(1, 0));
        let data = |name, stage, enable, next| {
            let register = m.reg(name, 1).at_stage(stage);
            register.next_when(enable, next);
            register.q
        };
        let unit = data("unit_reg", 1, take, bit);
        let near = data("near_reg", 1, take, if is_mixed { unit & bit } else { unit });
        let both = data("both_reg", 2, take, unit & near & !flush);
        let slot = data("slot_reg", 3, moves, both);
        m.output("slot", slot, "the slot");
        Design { top: m.built_with_unused(), reset: ResetStyle::SyncHigh }
    }

    fn index_of(cells: &Cells, name: &str) -> usize {
        (0..cells.places.len()).find(|&index| cells.name(index) == name).expect("a register")
    }

    #[test]
    fn a_register_that_reads_its_own_stage_remembers_the_beat_before() {
        let cells = Cells::read(&pipeline(false)).unwrap();
        let [unit, near, both] = ["unit_reg", "near_reg", "both_reg"].map(|name| index_of(&cells, name));
        assert_eq!(cells.places[unit], Place::Units { stage: 1, is_loop: false });
        assert_eq!(cells.places[near], Place::Units { stage: 1, is_loop: true });
        assert_eq!(cells.places[both], Place::Units { stage: 2, is_loop: false });

        // Evaluation by stages gives a loop the state after the beat before, and `both_reg` is a function of loop and beat. Evaluation by
        // clock loads all registers at once. Both must give the same values for any beats.
        let next = |index: usize, bit: bool, registers: &[bool]| {
            let value = |leaf| match leaf {
                Leaf::Input(of) => Some(cells.moving.inputs[of as usize] == "unit" && bit),
                Leaf::Register(of) => Some(registers[of as usize]),
            };
            rebuilt(&cells.moving, value).next[index] == Lit::constant(true)
        };
        let beats = [true, true, false, true, true, true, false, false, true, true];
        let (mut clocked, mut by_clock) = (vec![false; cells.places.len()], Vec::new());
        let (mut loop_of_beat, mut by_stages) = (false, Vec::new());
        for bit in beats {
            clocked = (0..clocked.len()).map(|index| next(index, bit, &clocked)).collect();
            by_clock.push(clocked[both]);
            let mut of_beat = vec![false; clocked.len()];
            of_beat[unit] = next(unit, bit, &of_beat);
            of_beat[near] = loop_of_beat;
            by_stages.push(next(both, bit, &of_beat));
            loop_of_beat = next(near, bit, &of_beat);
        }
        assert_eq!(by_clock[1..], by_stages[..beats.len() - 1]);
        assert!(by_stages.contains(&true) && by_stages.contains(&false));
    }

    #[test]
    fn a_register_of_two_stages_is_an_error() {
        let error = Cells::read(&pipeline(true)).err();
        assert_eq!(error.as_deref(), Some("near_reg of stage 1 has a source in stage 1"));
    }
}
