//! The registers of an encoder of several lanes, each with its pipeline stage. The stages are checked bit by bit. A netlist that is no such
//! pipeline is an error.
//!
//! There are three groups of registers. A register belongs to the group without whose enable the register keeps its value:
//!
//! - The stages up to the *windows* have an enable each. A register reads the stage before its own. A *loop* carries state from beat to beat: the
//!   registers that load with a loop read the value that the beat before left there.
//! - Other registers of the windows say which window of the beat is presented. They read the stage before as the beat arrives, and later
//!   themselves and the beat.
//! - The stages after the windows move together.
//!
//! The value of a register is then a function of one beat, of the window in which the beat is presented, and of the loops.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_hdl::netlist::{Design, RegisterRole};
use utfhdl_sim::aig::{Leaf, Logic, RegisterBit};

use crate::prove::lanes::cells::{Cells, Place, Whole, is_register, rebuilt, sources};

/// The bits of an encoder.
pub(super) struct EncoderCells {
    /// The bits with their places. `moving` is the core in cycles in which the windows load.
    pub(super) cells: Cells,
    /// The core in cycles in which the windows present another window of their beat.
    pub(super) shifting: Logic,
    /// The stage of the windows.
    pub(super) windows: u32,
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
    /// The group that a register enables; `None` if the register is no enable.
    fn enabled_by(register: &RegisterBit) -> Option<Self> {
        match register.role {
            RegisterRole::EnableUnits => register.stage.map(Self::Load),
            RegisterRole::Ready => Some(Self::Load(1)),
            RegisterRole::EnableWindows => Some(Self::Windows),
            RegisterRole::Room => Some(Self::Flow),
            _ => None,
        }
    }
}

impl EncoderCells {
    /// Reads a design. The error names the register that breaks a rule.
    pub(super) fn read(design: &Design) -> Result<Self, String> {
        let core = Whole::read(design)?;
        let whole = &core.logic;
        let enables = whole.registers.iter().filter(|register| register.role == RegisterRole::EnableUnits);
        let windows = enables.filter_map(|register| register.stage).max().ok_or("no stage has an enable")?;

        // The core where each group loads as `loads` says; `None` leaves that open.
        let with = |loads: &dyn Fn(Group) -> Option<bool>| {
            rebuilt(whole, |leaf| match leaf {
                Leaf::Input(index) => core.input(index),
                Leaf::Register(index) => match &whole.registers[index as usize] {
                    register if matches!(register.role, RegisterRole::Flush | RegisterRole::BufferSkid) => {
                        Some(false)
                    }
                    register => Group::enabled_by(register).and_then(loads),
                },
            })
        };
        let moving = with(&|_| Some(true));
        let shifting = with(&|group| Some(group != Group::Load(windows)));
        let set_aside: Vec<Option<Place>> =
            whole.registers.iter().map(|register| Place::set_aside(register.role)).collect();
        let in_groups = || (0..set_aside.len()).filter(|&index| set_aside[index].is_none());
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for group in (1..=windows).map(Group::Load).chain([Group::Windows, Group::Flow]) {
            let without = with(&|of| (of == group).then_some(false));
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
        let Whole { logic: whole, reset, .. } = core;
        let constants = vec![Vec::new(); places.len()];
        let cells = Cells { whole, moving, places, constants, last_stage: windows - 1, shown: 0, reset };
        let mut read = Self { cells, shifting, windows };
        read.place(&groups)?;
        read.check()?;
        Ok(read)
    }

    /// Gives each register of a group its place.
    fn place(&mut self, groups: &BTreeMap<usize, Group>) -> Result<(), String> {
        let Self { cells, windows, .. } = self;
        let of: BTreeMap<usize, BTreeSet<(bool, usize)>> = groups
            .keys()
            .map(|&index| (index, sources(&cells.moving.aig, cells.moving.next[index])))
            .collect();
        // The registers that registers of their own group read.
        let read_by = |(index, of): (&usize, &BTreeSet<(bool, usize)>)| {
            let group = groups[index];
            of.iter()
                .filter(move |(is, source)| *is && groups.get(source) == Some(&group))
                .map(|(_, source)| *source)
                .collect::<Vec<_>>()
        };
        let read: BTreeSet<usize> = of.iter().flat_map(read_by).collect();
        let mut left = Vec::new();
        for (&index, group) in groups {
            let is_loop = read.contains(&index);
            cells.places[index] = match *group {
                Group::Load(stage) => Place::Units { stage: stage - u32::from(is_loop), is_loop },
                Group::Windows => Place::Windows,
                Group::Flow => {
                    left.push(index);
                    continue;
                }
            };
        }
        // A register after the windows is in the stage after that of its sources, and a loop is in the stage of its sources.
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
                cells.places[index] = match of[&index].contains(&(true, index)) {
                    true => Place::LeftOver { stage },
                    false => Place::Slots { stage: stage + 1 },
                };
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
        let Self { cells, shifting, windows } = self;
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
                    let of_beat = Place::Units { stage: *windows, is_loop: false };
                    if from != Some(Place::Windows) && from != Some(of_beat) {
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

    fn wrong(&self, index: usize, is_register: bool, source: usize) -> String {
        let Self { cells, .. } = self;
        let from = match is_register {
            true => format!("{} ({:?})", cells.name(source), cells.places[source]),
            false => cells.whole.inputs[source].clone(),
        };
        format!("{} ({:?}) reads {from}", cells.name(index), cells.places[index])
    }
}
