//! The registers of an encoder or transcoder of several lanes, each with its pipeline stage. The stages are checked bit by bit. A netlist that is no
//! such pipeline is an error.
//!
//! There are three groups of registers. A register belongs to the group without whose enable the register keeps its value:
//!
//! - The stages up to the *windows* have an enable each. A register reads the stage before its own. A *loop* carries state from beat to beat: the
//!   registers that load with a loop read the value that the beat before left there.
//! - Other registers of the windows say which window of the beat is presented. They read the stage before as the beat arrives, and later
//!   themselves and the beat.
//! - The stages after the windows move together.
//!
//! All stages of a transcoder's decoding half come before these, and move with the first of them. The netlist gives their numbers.
//!
//! The value of a register is then a function of one beat, of the window in which the beat is presented, and of the loops.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Builder, Design, RegisterRole, Signal};
use utfhdl_sim::aig::{Leaf, Logic, RegisterBit};

use crate::prove::lanes::cells::{Cells, Place, Whole, constants_of, is_register, rebuilt, settled, sources};
use crate::prove::lanes::copy::{Copy, Substitute};

/// The bits of an encoder or a transcoder.
pub(super) struct EncoderCells {
    /// The bits with their places. `moving` is the core in cycles in which the windows load.
    pub(super) cells: Cells,
    /// The core in cycles in which the windows present another window of their beat.
    pub(super) shifting: Logic,
    /// The core in cycles in which no stage moves, and the output buffer gets room for the next cycle.
    resting: Logic,
    /// The stage of the windows.
    pub(super) windows: u32,
    /// The stages of the decoding half of a transcoder, which come first; 0 in an encoder.
    pub(super) half: u32,
    /// The register that says whether the decoding half offers a beat; `None` in an encoder.
    pub(super) offered: Option<usize>,
}

/// The registers that load together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// A stage up to the windows.
    Load(u32),
    /// The registers that say which window of the beat is presented.
    Windows,
    /// The stages after the windows.
    Flow,
}

impl Group {
    /// The group that a register enables, after `half` stages of a decoding half; `None` if the register is no enable.
    fn enabled_by(register: &RegisterBit, half: u32) -> Option<Self> {
        match register.role {
            RegisterRole::EnableUnits => stage_of(register, half).map(Self::Load),
            RegisterRole::Ready => Some(Self::Load(half + 1)),
            RegisterRole::EnableWindows => Some(Self::Windows),
            RegisterRole::Room => Some(Self::Flow),
            _ => None,
        }
    }
}

/// The stage of a register in a core whose decoding half has `half` stages.
fn stage_of(register: &RegisterBit, half: u32) -> Option<u32> {
    let before = if register.is_in_part { 0 } else { half };
    register.stage.map(|stage| before + stage)
}

impl EncoderCells {
    /// Reads a design. The error names the register that breaks a rule.
    pub(super) fn read(design: &Design) -> Result<Self, String> {
        let core = Whole::read(design)?;
        let whole = &core.logic;
        let of_half = whole.registers.iter().filter(|register| register.is_in_part);
        let half = of_half.filter_map(|register| register.stage).max().unwrap_or(0);
        let enables = whole.registers.iter().filter(|register| register.role == RegisterRole::EnableUnits);
        let windows = enables.filter_map(|register| stage_of(register, half)).max();
        let windows = windows.ok_or("no stage has an enable")?;

        // The value of a leaf, if it is known, in cycles in which each group loads as `loads` says; `None`: the group may load or not.
        let known = |leaf: Leaf, loads: &dyn Fn(Group) -> Option<bool>| match leaf {
            Leaf::Input(index) => core.input(index),
            Leaf::Register(index) => match &whole.registers[index as usize] {
                register if matches!(register.role, RegisterRole::Flush | RegisterRole::BufferSkid) => {
                    Some(false)
                }
                register => Group::enabled_by(register, half).and_then(loads),
            },
        };
        // Constants have the same value whether the windows load or present another window.
        let load = Group::Load(windows);
        let (_, constants) = settled(whole, |leaf| known(leaf, &|group| (group != load).then_some(true)));
        let constant = |leaf| match leaf {
            Leaf::Register(index) => constants[index as usize],
            Leaf::Input(_) => None,
        };
        let with_windows = |is_loaded: bool| {
            let loads = move |group| Some(group != load || is_loaded);
            rebuilt(whole, |leaf| constant(leaf).or_else(|| known(leaf, &loads)))
        };
        let (moving, shifting) = (with_windows(true), with_windows(false));
        let resting = rebuilt(whole, |leaf| match leaf {
            Leaf::Register(index) if whole.registers[index as usize].role == RegisterRole::Pace => Some(true),
            Leaf::Register(index) if whole.registers[index as usize].role.is_pace() => Some(false),
            _ => constant(leaf).or_else(|| known(leaf, &|_| None)),
        });
        let place = |index: usize| {
            let constant = constants[index].map(|_| Place::Constant);
            Place::set_aside(whole.registers[index].role).or(constant)
        };
        let set_aside: Vec<Option<Place>> = (0..whole.registers.len()).map(place).collect();
        let in_groups = || (0..set_aside.len()).filter(|&index| set_aside[index].is_none());
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for group in (half + 1..=windows).map(Group::Load).chain([Group::Windows, Group::Flow]) {
            let without = rebuilt(whole, |leaf| known(leaf, &|of| (of == group).then_some(false)));
            for index in in_groups().filter(|&index| is_register(&without.aig, without.next[index], index)) {
                if let Some(before) = groups.insert(index, group) {
                    let name = &whole.registers[index].name;
                    return Err(format!("{name} waits for {before:?} and for {group:?}"));
                }
            }
        }
        if let Some(index) = in_groups().find(|index| !groups.contains_key(index)) {
            return Err(format!("{} loads where nothing moves", whole.registers[index].name));
        }
        // The registers of groups get their places below.
        let places: Vec<Place> = set_aside.iter().map(|place| place.unwrap_or(Place::Constant)).collect();
        let unsettled = rebuilt(whole, |leaf| known(leaf, &|_| Some(true)));
        let all =
            |index| constant(Leaf::Register(index)).or_else(|| known(Leaf::Register(index), &|_| Some(true)));
        let known = (0..places.len() as u32).map(all).collect();
        let Whole { logic: whole, reset, sink } = core;
        let constants = vec![Vec::new(); places.len()];
        let cells =
            Cells { whole, moving, known, places, constants, sink, last_stage: windows - 1, shown: 0, reset };
        let mut read = Self { cells, shifting, resting, windows, half, offered: None };
        read.place(&groups)?;
        read.cells.constants = constants_of(&unsettled, &read.cells.places);
        read.check()?;
        read.offered = read.find_offered()?;
        Ok(read)
    }

    /// Gives each register of a group its place.
    fn place(&mut self, groups: &BTreeMap<usize, Group>) -> Result<(), String> {
        let Self { cells, windows, half, .. } = self;
        let of: BTreeMap<usize, BTreeSet<(bool, usize)>> = groups
            .keys()
            .map(|&index| (index, sources(&cells.moving.aig, cells.moving.next[index])))
            .collect();
        let is_in_part = |index: usize| cells.whole.registers[index].is_in_part;
        // The registers that registers of their own group read, outside the decoding half.
        let read_by = |(index, of): (&usize, &BTreeSet<(bool, usize)>)| {
            let group = groups[index];
            of.iter()
                .filter(move |(is, source)| *is && groups.get(source) == Some(&group) && !is_in_part(*source))
                .map(|(_, source)| *source)
                .collect::<Vec<_>>()
        };
        let read: BTreeSet<usize> = of.iter().flat_map(read_by).collect();
        let (of_half, others): (Vec<usize>, Vec<usize>) =
            groups.keys().copied().partition(|&index| is_in_part(index));
        for &index in &of_half {
            let RegisterBit { stage, name, .. } = &cells.whole.registers[index];
            let stage = stage.ok_or_else(|| format!("{name} is of no stage"))?;
            if groups[&index] != Group::Load(*half + 1) {
                return Err(format!("{name} does not load with the first stage after the decoding half"));
            }
            cells.places[index] = Place::Units { stage, is_loop: false };
        }
        cells.check_units(&of_half)?;
        let mut left = Vec::new();
        for index in others {
            let is_loop = read.contains(&index);
            cells.places[index] = match groups[&index] {
                Group::Load(stage) => Place::Units { stage: stage - u32::from(is_loop), is_loop },
                Group::Windows => Place::Windows,
                Group::Flow => {
                    left.push(index);
                    continue;
                }
            };
        }
        // A register after the windows is in the stage after that of its sources. One that reads itself is in the stage of its sources, and so is one
        // that is read together with registers of the windows.
        let is_flow = |&(is, source): &(bool, usize)| is && groups.get(&source) == Some(&Group::Flow);
        let read_with_windows: BTreeSet<usize> = of
            .iter()
            .filter(|(index, of)| groups[index] == Group::Flow && !of.iter().all(is_flow))
            .flat_map(|(_, of)| of.iter().filter(|source| is_flow(source)).map(|(_, source)| *source))
            .collect();
        let first = *windows - cells.last_stage;
        while !left.is_empty() {
            let before = left.len();
            left.retain(|&index| {
                let others = of[&index].iter().filter(|(_, source)| *source != index);
                let mut stage = Some(first);
                for &(is_register, source) in others {
                    let of_source = match (is_register, groups.get(&source), cells.places[source]) {
                        (true, _, Place::Slots { stage } | Place::LeftOver { stage }) => Some(stage),
                        (true, Some(Group::Flow), _) => None,
                        _ => Some(first),
                    };
                    stage = stage.zip(of_source).map(|(a, b)| a.max(b));
                }
                let Some(stage) = stage else { return true };
                let is_left_over = of[&index].contains(&(true, index)) || read_with_windows.contains(&index);
                cells.places[index] =
                    if is_left_over { Place::LeftOver { stage } } else { Place::Slots { stage: stage + 1 } };
                false
            });
            if left.len() == before {
                return Err(format!("{} is in a loop of several registers", cells.name(left[0])));
            }
        }
        let stage_of = |place: &Place| if let Place::Slots { stage } = place { Some(*stage) } else { None };
        cells.shown = cells.places.iter().filter_map(stage_of).max().unwrap_or(first) + 1;
        Ok(())
    }

    /// Checks that each register reads what its place allows.
    fn check(&self) -> Result<(), String> {
        let Self { cells, shifting, windows, .. } = self;
        let first = windows - cells.last_stage;
        for (index, &place) in cells.places.iter().enumerate() {
            let in_moving = sources(&cells.moving.aig, cells.moving.next[index]);
            for (is_register, source) in in_moving {
                let from = is_register.then(|| cells.places[source]);
                let is_right = match (place, from) {
                    (Place::Units { stage, is_loop }, from) => {
                        let before = stage - u32::from(!is_loop);
                        match from {
                            None => before == 0,
                            Some(Place::Units { stage: from, .. }) => from == before,
                            _ => false,
                        }
                    }
                    (Place::Windows, Some(Place::Units { stage, .. })) => stage + 1 == *windows,
                    (Place::Slots { stage }, Some(from)) => self.is_read(from, stage - 1, first),
                    (Place::LeftOver { stage }, Some(from)) => {
                        source == index || self.is_read(from, stage, first)
                    }
                    (Place::Buffer, Some(from)) => from == Place::Buffer || cells.is_last(from),
                    (Place::Pace, _) => true,
                    _ => false,
                };
                if !is_right {
                    return Err(self.wrong(index, is_register, source));
                }
            }
            if place == Place::Windows {
                for (is_register, source) in sources(&shifting.aig, shifting.next[index]) {
                    let from = is_register.then(|| cells.places[source]);
                    let is_right = from.is_some_and(|from| self.is_read(from, first, first));
                    if !is_right {
                        return Err(self.wrong(index, is_register, source));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a register after stage `stage` of the stages after the windows may read one at `from`; `first` is the stage of the windows.
    fn is_read(&self, from: Place, stage: u32, first: u32) -> bool {
        match from {
            Place::Units { stage: of, is_loop: false } => of == self.windows && stage == first,
            Place::Windows => stage == first,
            Place::Slots { stage: of } | Place::LeftOver { stage: of } => of == stage,
            _ => false,
        }
    }

    /// Whether the beat in the windows has another window, in cycles in which the stages after the windows move.
    ///
    /// # Errors
    /// If something else than the windows decides.
    pub(super) fn goes_on<'m>(
        &self,
        m: &'m Builder,
        value: impl Fn(usize) -> Option<Signal<'m>>,
    ) -> Result<Signal<'m>, String> {
        let Self { cells, resting, windows, .. } = self;
        if let Some(waits) = cells.of_role(RegisterRole::Waits).next() {
            return value(waits).ok_or("nothing reads whether a beat waits".to_owned());
        }
        // The windows would load in the next cycle, in which the stages after them move.
        let is_load = |&index: &usize| self.stage(index) == Some(*windows);
        let load =
            cells.of_role(RegisterRole::EnableUnits).find(is_load).ok_or("the windows have no enable")?;
        for (is_register, source) in sources(&resting.aig, resting.next[load]) {
            if !is_register || value(source).is_none() {
                return Err(self.wrong(load, is_register, source));
            }
        }
        let copy = Copy::new(m, resting, |leaf| match leaf {
            Leaf::Register(index) => Substitute::Signal(value(index as usize).expect("it was checked")),
            Leaf::Input(_) => unreachable!("it was checked"),
        });
        Ok(!copy.next(load))
    }

    /// The registers that carry state from cycle to cycle and say how the windows go on.
    pub(super) fn of_windows(&self) -> BTreeSet<usize> {
        let Self { cells, shifting, .. } = self;
        let windows = cells.registers(|place| place == Place::Windows).into_iter();
        let read = windows.flat_map(|index| sources(&shifting.aig, shifting.next[index]));
        let is_left_over =
            |&(is, source): &(bool, usize)| is && matches!(cells.places[source], Place::LeftOver { .. });
        read.filter(is_left_over).map(|(_, source)| source).collect()
    }

    /// The stage of a register, counted from the first one of the core.
    pub(super) fn stage(&self, index: usize) -> Option<u32> {
        stage_of(&self.cells.whole.registers[index], self.half)
    }

    /// The register that says whether the decoding half offers a beat; `None` in an encoder. It must be the only register of the half by which the stages
    /// move.
    fn find_offered(&self) -> Result<Option<usize>, String> {
        let Self { cells, half, .. } = self;
        let of_pace = cells.registers(|place| place == Place::Pace).into_iter();
        let read: BTreeSet<(bool, usize)> =
            of_pace.flat_map(|index| sources(&cells.whole.aig, cells.whole.next[index])).collect();
        let of_half = read.into_iter().filter(|&(is_register, source)| {
            is_register && matches!(cells.places[source], Place::Units { stage, .. } if stage <= *half)
        });
        match of_half.map(|(_, source)| source).collect::<Vec<_>>()[..] {
            [] if *half == 0 => Ok(None),
            [offered] if cells.is_units_of(offered, *half) => Ok(Some(offered)),
            _ => Err("several registers of the decoding half say what moves, or none does".to_owned()),
        }
    }

    fn wrong(&self, index: usize, is_register: bool, source: usize) -> String {
        let Self { cells, .. } = self;
        let from = match is_register {
            true => format!("{} ({:?})", cells.name(source), cells.places[source]),
            false => cells.whole.inputs[source].clone(),
        };
        format!("{} ({:?}) reads {from}", cells.name(index), cells.places[index])
    }
}
