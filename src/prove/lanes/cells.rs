//! The registers of a decoder of several lanes: in which stage of its pipeline each stands. That is read off the netlist, bit by
//! bit, and it is an error if the netlist is not such a pipeline.
//!
//! Some registers are set aside: those of the output buffer, and those that say what moves. All others must be of two kinds:
//! *units* load where a beat is taken, and *slots* where the stages behind them move. In cycles in which they do, every path that
//! leads to a register must come through the same number of registers. Then its value is a function of the one beat that is so many
//! moves old, and of the registers that remember something of earlier beats, its *loops*.

use std::collections::BTreeSet;

use utfhdl_hdl::netlist::Design;
use utfhdl_sim::aig::{Aig, Leaf, Lit, Logic, Node, Start, blast};

/// Where a register stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has always the same value, but right behind a reset.
    Constant,
    /// It says what moves.
    Pace,
    /// It is of the output buffer.
    Buffer,
    /// It loads where a beat is taken: in this stage. A loop has the value that goes with the beat in this stage.
    Units { stage: u32, is_loop: bool },
    /// It loads where the stages of slots move: so many of them behind those of units.
    Slots { stage: u32 },
    /// It loads there, too, and goes with the beat that stands before the first of them.
    State,
}

/// The bits of a core, and where they stand.
pub(super) struct Cells {
    /// The core as it is.
    pub(super) whole: Logic,
    /// The core in cycles in which all moves, long enough behind a reset.
    pub(super) moving: Logic,
    pub(super) places: Vec<Place>,
    /// The registers of [`Place::Constant`] that each register reads.
    pub(super) constants: Vec<Vec<usize>>,
    /// The last stage of units before those of slots.
    pub(super) last_stage: u32,
    /// The stage of slots that the outputs show.
    pub(super) shown: u32,
    /// The instances that the decoder stands in, as part of the names of its registers.
    inside: String,
    /// The input that is the reset, and its level.
    pub(super) reset: (u32, bool),
}

/// The names of what is set aside.
const BUFFER: &str = "output_skid";
const PACE: &str = "pace";
const FLUSH: &str = "flush_reg";

/// What holds in cycles in which a group of stages moves or not.
#[derive(Clone, Copy)]
struct Moves {
    units: bool,
    slots: bool,
}

impl Cells {
    /// Reads a design; the error says what is not as it has to be.
    pub(super) fn read(design: &Design) -> Result<Self, String> {
        let whole = blast(design, Start::Zero).map_err(|error| error.to_string())?;
        let input = |name: &str| whole.inputs.iter().position(|input| input == name);
        let reset = input(design.reset.port()).ok_or("there is no reset")? as u32;
        let reset = (reset, design.reset.active_level());
        let sink = input("m_axis_tready").ok_or("there is no m_axis_tready")? as u32;

        let flush = whole.registers.iter().filter_map(|register| register.name.strip_suffix(FLUSH));
        let inside = flush.min_by_key(|name| name.len()).ok_or("nothing clears the stages behind a reset")?;
        let inside = inside.to_owned();
        let name_of = |index: usize| {
            let name = &whole.registers[index].name;
            name.strip_prefix(&inside).unwrap_or(name).to_owned()
        };
        let names: Vec<String> = (0..whole.registers.len()).map(name_of).collect();

        let known = |leaf: Leaf, Moves { units, slots }: Moves| match leaf {
            Leaf::Input(index) if index == reset.0 => Some(!reset.1),
            Leaf::Input(index) => (index == sink).then_some(true),
            Leaf::Register(index) => {
                let name = names[index as usize].as_str();
                match name.rsplit('.').next() {
                    _ if name == FLUSH => Some(false),
                    Some("take_reg" | "takes_reg") if name.starts_with(PACE) => Some(units),
                    Some("room_reg" | "advance_reg") if name.starts_with(PACE) => Some(slots),
                    Some("ready_reg") if name.starts_with(BUFFER) => Some(true),
                    Some("skid_valid_reg") if name.starts_with(BUFFER) => Some(false),
                    _ => None,
                }
            }
        };
        let with = |units, slots| rebuilt(&whole, |leaf| known(leaf, Moves { units, slots }));
        let set_aside = |index: usize| match names[index].as_str() {
            FLUSH => Some(Place::Pace),
            name if name.starts_with(PACE) => Some(Place::Pace),
            name if name.starts_with(BUFFER) => Some(Place::Buffer),
            _ => None,
        };
        // What stays the same long enough behind a reset.
        let mut constants = vec![None; whole.registers.len()];
        let moving = loop {
            let moving = rebuilt(&whole, |leaf| match leaf {
                Leaf::Register(index) if constants[index as usize].is_some() => constants[index as usize],
                _ => known(leaf, Moves { units: true, slots: true }),
            });
            let mut is_more = false;
            for (index, next) in moving.next.iter().enumerate() {
                if next.node() == 0 && constants[index].is_none() && set_aside(index).is_none() {
                    constants[index] = Some(next.is_complement());
                    is_more = true;
                }
            }
            if !is_more {
                break moving;
            }
        };
        let (only_slots, nothing) = (with(false, true), with(false, false));
        let mut places = Vec::new();
        for (index, constant) in constants.iter().enumerate() {
            let stays = |logic: &Logic| is_register(&logic.aig, logic.next[index], index);
            places.push(match set_aside(index) {
                Some(place) => place,
                None if constant.is_some() => Place::Constant,
                None if stays(&only_slots) && stays(&nothing) => Place::Units { stage: 0, is_loop: false },
                None if stays(&nothing) => Place::Slots { stage: 0 },
                None => return Err(format!("{} loads where nothing moves", names[index])),
            });
        }
        // What moves says all that stages know of the output.
        let driven = rebuilt(&whole, |leaf| match leaf {
            Leaf::Input(index) if index == sink => None,
            Leaf::Register(index) if places[index as usize] == Place::Buffer => None,
            _ => known(leaf, Moves { units: true, slots: true }),
        });
        let of: Vec<BTreeSet<(bool, usize)>> =
            driven.next.iter().map(|next| sources(&driven.aig, *next)).collect();
        for (index, of) in of.iter().enumerate().filter(|(index, _)| set_aside(*index).is_none()) {
            let of_output = |&(is_register, source): &(bool, usize)| match is_register {
                true => set_aside(source).is_some(),
                false => source == sink as usize,
            };
            if of.iter().any(of_output) {
                let name = &names[index];
                return Err(format!("{name} depends on the output in another way than by what moves"));
            }
        }
        let is_constant =
            |&&(is_register, source): &&(bool, usize)| is_register && places[source] == Place::Constant;
        let constants =
            of.iter().map(|of| of.iter().filter(is_constant).map(|(_, source)| *source).collect());
        let constants = constants.collect();
        let mut cells = Self { whole, moving, places, constants, last_stage: 0, shown: 0, inside, reset };
        cells.number_units()?;
        cells.number_slots()?;
        Ok(cells)
    }

    /// The name of a register, within the decoder.
    pub(super) fn name(&self, index: usize) -> &str {
        let name = &self.whole.registers[index].name;
        name.strip_prefix(&self.inside).unwrap_or(name)
    }

    /// Whether a register is one of units, of a stage.
    pub(super) fn is_units_of(&self, index: usize, stage: u32) -> bool {
        matches!(self.places[index], Place::Units { stage: of, .. } if of == stage)
    }

    /// The registers, by number, in places that are asked for.
    pub(super) fn registers(&self, is: impl Fn(Place) -> bool) -> Vec<usize> {
        (0..self.places.len()).filter(|&index| is(self.places[index])).collect()
    }

    /// What the next value of a register depends on in a cycle in which all moves.
    fn sources(&self, index: usize) -> BTreeSet<(bool, usize)> {
        sources(&self.moving.aig, self.moving.next[index])
    }

    fn number_units(&mut self) -> Result<(), String> {
        let units = self.registers(|place| matches!(place, Place::Units { .. }));
        let of: Vec<BTreeSet<(bool, usize)>> =
            (0..self.places.len()).map(|index| self.sources(index)).collect();
        let is_loop: Vec<bool> = (0..of.len()).map(|index| of[index].contains(&(true, index))).collect();
        let mut stages: Vec<Option<u32>> = vec![None; of.len()];
        let mut left = units.clone();
        while !left.is_empty() {
            let before = left.len();
            for &index in &left {
                // A loop has the stage of what comes to it, and others stand behind that.
                let others = of[index].iter().filter(|(_, source)| !is_loop[index] || !is_loop[*source]);
                let found: Option<BTreeSet<u32>> = others
                    .map(|&(is_register, source)| if is_register { stages[source] } else { Some(0) })
                    .collect();
                let Some(found) = found else { continue };
                let [stage] = found.iter().copied().collect::<Vec<_>>()[..] else {
                    return Err(format!("{} has sources in the stages {found:?}", self.name(index)));
                };
                stages[index] = Some(stage + u32::from(!is_loop[index]));
            }
            left.retain(|&index| stages[index].is_none());
            if left.len() == before {
                return Err(format!("{} is in a loop of several registers", self.name(left[0])));
            }
        }
        for &index in &units {
            let stage = stages[index].expect("all have one");
            // Loops that read each other stand in one stage.
            let reads = of[index].iter().filter(|(is_register, source)| *is_register && is_loop[*source]);
            for &(_, source) in reads.filter(|_| is_loop[index]) {
                if stages[source] != Some(stage) {
                    return Err(format!("{} reads {} of another stage", self.name(index), self.name(source)));
                }
            }
            self.places[index] = Place::Units { stage, is_loop: is_loop[index] };
        }
        Ok(())
    }

    fn number_slots(&mut self) -> Result<(), String> {
        let slots = self.registers(|place| matches!(place, Place::Slots { .. } | Place::Buffer));
        let of: Vec<BTreeSet<(bool, usize)>> =
            (0..self.places.len()).map(|index| self.sources(index)).collect();
        let unit_stage = |source: usize| match self.places[source] {
            Place::Units { stage, .. } => Some(stage),
            _ => None,
        };
        let read = slots.iter().flat_map(|&index| of[index].iter());
        let furthest = read.filter_map(|&(is, source)| unit_stage(source).filter(|_| is)).max();
        let last_stage = furthest.ok_or("no slot depends on a unit")? - 1;
        let mut is_state: Vec<bool> = (0..of.len()).map(|index| of[index].contains(&(true, index))).collect();
        // What is read together with the last stage of units goes with its beat.
        loop {
            let is_first = |index: usize| {
                let by = |&(is, source): &(bool, usize)| {
                    is && (unit_stage(source).is_some_and(|stage| stage <= last_stage) || is_state[source])
                };
                of[index].iter().any(by)
            };
            let more: Vec<usize> = slots
                .iter()
                .filter(|&&index| is_first(index))
                .flat_map(|&index| of[index].iter().copied())
                .filter(|&(is, source)| is && unit_stage(source).is_none() && !is_state[source])
                .map(|(_, source)| source)
                .collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|index| is_state[index] = true);
        }
        let mut stages: Vec<Option<u32>> = vec![None; of.len()];
        for _ in 0..=slots.len() {
            for &index in slots.iter().filter(|&&index| stages[index].is_none()).collect::<Vec<_>>() {
                let mut found = BTreeSet::new();
                for &(is_register, source) in &of[index] {
                    if !is_register {
                        return Err(format!("{} depends on an input", self.name(index)));
                    }
                    if matches!(self.places[source], Place::Units { is_loop: true, .. }) {
                        return Err(format!("{} reads the loop {}", self.name(index), self.name(source)));
                    }
                    found.insert(match unit_stage(source) {
                        _ if is_state[source] => Some(0),
                        // The units of the stage behind the last are read in the stage of slots that follows, too.
                        Some(stage) if stage == last_stage + 1 => None,
                        Some(stage) if stage + 1 == last_stage || stage == last_stage => Some(0),
                        Some(stage) => {
                            return Err(format!("{} reads units of stage {stage}", self.name(index)));
                        }
                        None => match stages[source] {
                            Some(stage) => Some(stage),
                            None => continue,
                        },
                    });
                }
                let resolved = of[index].iter().all(|&(_, source)| {
                    is_state[source] || unit_stage(source).is_some() || stages[source].is_some()
                });
                if !resolved {
                    continue;
                }
                let reads_units_behind = found.remove(&None);
                let found: Vec<u32> = found.into_iter().flatten().collect();
                let stage = match found[..] {
                    [] => 1,
                    [stage] => stage,
                    _ => {
                        return Err(format!("{} has sources in the stages {found:?}", self.name(index)));
                    }
                };
                if reads_units_behind && stage > 1 {
                    return Err(format!("{} reads units in stage {stage} of slots", self.name(index)));
                }
                stages[index] = Some(stage + 1);
            }
        }
        for &index in &slots {
            let stage = stages[index].filter(|_| of[index].iter().all(|(is_register, _)| *is_register));
            let is_buffer = self.places[index] == Place::Buffer;
            match (is_state[index], stage) {
                (true, Some(1)) => self.places[index] = Place::State,
                (true, _) if is_buffer => {}
                (false, Some(_)) if is_buffer => {}
                (false, Some(stage)) => self.places[index] = Place::Slots { stage },
                _ => return Err(format!("{} stands in no stage", self.name(index))),
            }
        }
        let shown: BTreeSet<Option<u32>> = self
            .moving
            .outputs
            .iter()
            .zip(&self.moving.output_names)
            .filter(|(_, name)| name.starts_with("m_axis"))
            .flat_map(|(lit, _)| sources(&self.moving.aig, *lit))
            .map(|(is_register, source)| stages[source].filter(|_| is_register))
            .collect();
        let [Some(shown)] = shown.iter().copied().collect::<Vec<_>>()[..] else {
            return Err(format!("the outputs show the stages {shown:?}"));
        };
        (self.last_stage, self.shown) = (last_stage, shown);
        Ok(())
    }
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

fn is_register(aig: &Aig, lit: Lit, index: usize) -> bool {
    !lit.is_complement() && aig.nodes()[lit.node()] == Node::Leaf(Leaf::Register(index as u32))
}

/// The same logic, where some leaves have values that are known.
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
    Logic {
        aig,
        inputs: logic.inputs.clone(),
        registers: logic.registers.clone(),
        next: logic.next.iter().map(|lit| of(&lits, *lit)).collect(),
        outputs: logic.outputs.iter().map(|lit| of(&lits, *lit)).collect(),
        output_names: logic.output_names.clone(),
    }
}
