//! The rows of the registers: what each holds a part of.

use std::collections::{BTreeMap, HashMap};

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::ScheduledStage;
use utfhdl_sim::PortSlot;
use utfhdl_sim::flow::{Flow, FlowCycle, FlowRegister, Held, Labelled};

use super::cells::{Cells, Mixes};
use super::ports::merged;
use super::recorder::Recorded;
use super::sequences::{Found, Sequence};
use super::{Base, Group, Row};
use crate::promise::{Carries, Ports};

/// Cycles by which what is under way in a core outlasts its latency.
const MARGIN: u32 = 8;

/// How many sequences can be under way in a core at once. In a core of several streams, as many can come in as do before one that is open goes on.
pub(super) fn labels_under_way(core: &Core, found: &Found) -> u32 {
    let in_core = core.spec.lanes * (core.latency + MARGIN);
    if core.spec.streams == 0 {
        return in_core;
    }
    let came_in = |sequence: &Sequence| match (sequence.taken, sequence.given) {
        (Some((first, _)), _) => first,
        // Before the first cycle, or not yet.
        (None, Some(_)) => 0,
        (None, None) => u32::MAX,
    };
    let came_in_until = |cycle: u32| found.sequences.partition_point(|sequence| came_in(sequence) <= cycle);
    let younger = |(at, sequence): (usize, &Sequence)| {
        let end = sequence.given.map_or(found.sequences.len(), |(_, last)| came_in_until(last));
        end.saturating_sub(at) as u32
    };
    found.sequences.iter().enumerate().map(younger).max().unwrap_or(0) + in_core
}

/// The rows of the registers, in the groups that the netlist has.
pub(super) fn groups(
    core: &Core,
    flow: &Flow,
    ports: &Ports,
    recorded: &Recorded,
    found: &Found,
    mixes: &mut Mixes,
) -> Vec<Group> {
    let registers = flow.registers();
    let mut cells: Vec<Cells> =
        registers.iter().map(|register| Cells::new(register.bits.len() as u32)).collect();
    let mut known: Vec<Option<(Vec<u32>, u32)>> = vec![None; registers.len()];
    // Cells are found from the last to the first: each is pushed when the one before it is seen to be another.
    let cycles = labelled(flow, ports, recorded, found);
    let mut stages = Stages::new(registers, ports.lanes_in);
    flow.follow(
        recorded.state.clone(),
        &recorded.inputs,
        &cycles,
        labels_under_way(core, found),
        &mut |cycle, held| {
            for (at, register) in registers.iter().enumerate() {
                let value = value_of(register, &held);
                let colour = colour_of(register, &held, mixes);
                stages.add(register, colour, mixes);
                let is_same = known[at].as_ref().is_some_and(|(known, known_colour)| {
                    *known_colour == colour && known.iter().copied().eq(value.clone())
                });
                if !is_same && let Some((known, colour)) = known[at].replace((value.collect(), colour)) {
                    cells[at].push(cycle + 1, &known, colour, true);
                }
            }
            stages.end_cycle(cycle, mixes);
        },
    );
    for (cells, known) in cells.iter_mut().zip(known) {
        if let Some((value, colour)) = known {
            cells.push(0, &value, colour, true);
        }
    }
    let rows = registers.iter().zip(cells).map(|(register, cells)| {
        let row = Row {
            name: register.path.clone(),
            note: register.note.clone().unwrap_or_default(),
            width: register.bits.len() as u32,
            base: Base::of_register(register.bits.len() as u32, ports.carries_in()),
            labels: register.labels.clone(),
            is_lane: false,
            is_register: true,
            cells: cells.reversed(),
        };
        (register, row)
    });
    in_groups(rows, stages.into_rows(), &core.design.top.schedule())
}

/// A group under way: the stage, or the last one before it in the netlist; whether it is one; its title; its rows with their registers.
struct Gathered<'f> {
    stage: u32,
    is_stage: bool,
    title: String,
    rows: Vec<(&'f FlowRegister, Row)>,
}

/// The groups in the order of the pipeline. Each stage is a group. A section without a stage is a group, too, after the stage that
/// precedes the section in the netlist.
fn in_groups<'f>(
    rows: impl Iterator<Item = (&'f FlowRegister, Row)>,
    mut lanes: BTreeMap<u32, Row>,
    schedule: &[ScheduledStage],
) -> Vec<Group> {
    let mut groups: Vec<Gathered> = Vec::new();
    let mut last = 0;
    for (register, row) in rows {
        let title = if register.section.is_empty() { "Registers" } else { &register.section };
        let of_group = |group: &Gathered| match register.stage {
            Some(stage) => group.is_stage && group.stage == stage,
            None => !group.is_stage && group.title == title,
        };
        last = register.stage.unwrap_or(last);
        let at = groups.iter().position(of_group).unwrap_or_else(|| {
            // Registers without a stage in a module below the top, such as a buffer, come last.
            let is_below = register.stage.is_none() && register.path.contains('.');
            let stage = if is_below { u32::MAX } else { last };
            let title = register.stage.map_or_else(|| title.to_owned(), |stage| title_of(stage, schedule));
            groups.push(Gathered { stage, is_stage: register.stage.is_some(), title, rows: Vec::new() });
            groups.len() - 1
        });
        groups[at].rows.push((register, row));
    }
    groups.sort_by_key(|group| (group.stage, !group.is_stage));
    let group = |group: Gathered| {
        let lanes = if group.is_stage { lanes.remove(&group.stage) } else { None };
        Group { title: group.title, rows: side_by_side(group.rows), lanes }
    };
    groups.into_iter().map(group).collect()
}

/// The number of a stage and its work, that of parts of the pipeline first.
fn title_of(stage: u32, schedule: &[ScheduledStage]) -> String {
    let of_stage = schedule.iter().filter(|of| of.stage == stage);
    let work = of_stage.flat_map(|of| of.work.iter().map(String::as_str)).collect::<Vec<_>>().join("; ");
    if work.is_empty() { format!("Stage {stage}") } else { format!("Stage {stage}: {work}") }
}

/// Brings together the registers that are the same in different lanes, in the order of the lanes.
fn side_by_side(rows: Vec<(&FlowRegister, Row)>) -> Vec<Row> {
    let (mut counts, mut first) = (HashMap::new(), HashMap::new());
    let mut placed = Vec::new();
    for (at, (register, row)) in rows.into_iter().enumerate() {
        let Some(lane) = register.lane else {
            placed.push(((at, 0), row));
            continue;
        };
        // The number of the register among those of its template in its lane.
        let count: &mut u32 = counts.entry((register.template, lane)).or_default();
        *count += 1;
        placed.push(((*first.entry((register.template, *count)).or_insert(at), lane), row));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, row)| row).collect()
}

/// Which sequence each lane of each stage holds most of, cycle by cycle from the last to the first.
struct Stages {
    lanes: usize,
    stages: BTreeMap<u32, Stage>,
}

struct Stage {
    /// For each lane in the current cycle: the colour of each sequence, and the number of bits of that colour.
    held: Vec<Vec<(u32, u32)>>,
    cells: Cells,
    /// The colour of the cycle that follows.
    known: Option<u32>,
}

impl Stages {
    /// All stages with registers that belong to lanes.
    fn new(registers: &[FlowRegister], lanes: usize) -> Self {
        let stage = || Stage { held: vec![Vec::new(); lanes], cells: Cells::new(lanes as u32), known: None };
        let in_lanes = registers.iter().filter(|register| lanes > 1 && register.lane.is_some());
        Self { lanes, stages: in_lanes.filter_map(|register| Some((register.stage?, stage()))).collect() }
    }

    /// Adds the sequences that a register holds in the current cycle.
    fn add(&mut self, register: &FlowRegister, colour: u32, mixes: &Mixes) {
        let (Some(stage), Some(lane)) = (register.stage, register.lane) else { return };
        let Some(held) = self.stages.get_mut(&stage).and_then(|stage| stage.held.get_mut(lane as usize))
        else {
            return;
        };
        let whole = [(register.bits.len() as u32, colour)];
        for &(bits, colour) in mixes.parts(colour).unwrap_or(&whole) {
            if colour >= Cells::FIRST {
                match held.iter_mut().find(|(of, _)| *of == colour) {
                    Some((_, sum)) => *sum += bits,
                    None => held.push((colour, bits)),
                }
            }
        }
    }

    /// Ends a cycle: each lane has the colour that it holds most of.
    fn end_cycle(&mut self, cycle: usize, mixes: &mut Mixes) {
        for Stage { held, cells, known } in self.stages.values_mut() {
            let most = |held: &Vec<(u32, u32)>| {
                let most = held.iter().max_by_key(|(colour, bits)| (*bits, std::cmp::Reverse(*colour)));
                (1, most.map_or(Cells::IDLE, |(colour, _)| *colour))
            };
            let mix = merged(held.iter().map(most).collect());
            held.iter_mut().for_each(Vec::clear);
            let colour = mixes.colour(mix);
            if let Some(next) = known.replace(colour).filter(|next| *next != colour) {
                cells.push(cycle + 1, &vec![0; cells.words], next, true);
            }
        }
    }

    /// A row for each stage.
    fn into_rows(self) -> BTreeMap<u32, Row> {
        let lanes = self.lanes;
        let row = |(number, Stage { mut cells, known, .. }): (u32, Stage)| {
            if let Some(colour) = known {
                cells.push(0, &vec![0; cells.words], colour, true);
            }
            let note = "what the registers of each lane hold most of, lane 0 on the left";
            (number, Row::of_lanes(&format!("stage {number}"), note, lanes, cells.reversed()))
        };
        self.stages.into_iter().map(row).collect()
    }
}

/// The words of a register's value, the lowest first.
fn value_of<'h>(register: &FlowRegister, held: &Held<'h>) -> impl Iterator<Item = u32> + Clone + use<'h> {
    let bits: &'h [bool] = &held.values[register.bits.clone()];
    bits.chunks(32).map(|bits| bits.iter().rev().fold(0, |word, bit| word << 1 | u32::from(*bit)))
}

/// The colour of what a register holds.
fn colour_of(register: &FlowRegister, held: &Held, mixes: &mut Mixes) -> u32 {
    // Bits side by side of the same sequences, the highest first. Bits of none between those of one are drawn with it.
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    let (mut free, mut before): (u32, Option<usize>) = (0, None);
    for bit in register.bits.clone().rev() {
        if before.replace(bit).is_some_and(|other| held.are_same(bit, other)) {
            let count = if free > 0 { &mut free } else { &mut runs.last_mut().expect("the bit before").0 };
            *count += 1;
            continue;
        }
        let labels: Vec<u32> = held.labels(bit).collect();
        match runs.last_mut() {
            _ if labels.is_empty() => free += 1,
            Some(last) if last.1 == labels => last.0 += 1 + std::mem::take(&mut free),
            _ => {
                if free > 0 {
                    runs.push((std::mem::take(&mut free), Vec::new()));
                }
                runs.push((1, labels));
            }
        }
    }
    let mut sequences: Vec<u32> = runs.iter().flat_map(|(_, labels)| labels).copied().collect();
    sequences.sort_unstable();
    sequences.dedup();
    let parts: Vec<(u32, u32)> = match sequences[..] {
        [] => Vec::new(),
        [sequence] => vec![(1, Cells::FIRST + sequence)],
        _ if runs.iter().all(|(_, labels)| labels.len() <= 1) => {
            let free = (free, Vec::new());
            let runs = runs.iter().chain((free.0 > 0).then_some(&free));
            runs.map(|(bits, labels)| {
                (*bits, labels.first().map_or(Cells::PLAIN, |sequence| Cells::FIRST + sequence))
            })
            .collect()
        }
        // Bits that are of several sequences at once: each sequence has its share.
        _ => {
            let share = |sequence: &u32| {
                let bits = runs.iter().filter(|(_, labels)| labels.contains(sequence)).map(|run| run.0).sum();
                (bits, Cells::FIRST + sequence)
            };
            sequences.iter().map(share).collect()
        }
    };
    mixes.colour(merged(parts))
}

/// The labels of the ports: of the units or slots that are taken, and of the items that come out.
fn labelled(flow: &Flow, ports: &Ports, recorded: &Recorded, found: &Found) -> Vec<FlowCycle> {
    let layout = flow.layout();
    let input =
        Places::of("s_axis", &layout.inputs, ports.lanes_in, ports.carries_in(), |name| flow.input(name));
    let output =
        Places::of("m_axis", &layout.outputs, ports.lanes_out, ports.carries_out(), |name| flow.output(name));
    let cycle = |cycle: usize| {
        let (inputs, outputs) = (recorded.input(cycle), recorded.output(cycle));
        let mut labels = FlowCycle::default();
        if ports.takes(outputs) {
            input.label(&found.offered[cycle], &mut labels.inputs);
        }
        if ports.sink_takes(inputs) {
            output.label(&found.given[cycle], &mut labels.outputs);
        }
        labels
    };
    (0..recorded.cycles()).map(cycle).collect()
}

/// The bits of the lanes of a side, among the bits of all inputs or outputs.
struct Places {
    /// The first bit of each port that has a field for each lane, and the bits of a field.
    fields: Vec<(usize, usize)>,
    valid: usize,
}

impl Places {
    fn of(
        side: &str,
        slots: &[PortSlot],
        lanes: usize,
        carries: Carries,
        first: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut names = vec!["tdata", "tkeep"];
        if carries.is_slots() {
            names.push("tuser");
        }
        let field = |port: &&str| {
            let name = format!("{side}_{port}");
            let width = slots.iter().find(|slot| slot.name == name)?.width as usize;
            Some((first(&name)?, width / lanes))
        };
        let valid = first(&format!("{side}_tvalid")).expect("every side has tvalid");
        Self { fields: names.iter().filter_map(field).collect(), valid }
    }

    fn label(&self, lanes: &[Option<u32>], labels: &mut Vec<Labelled>) {
        for (lane, label) in lanes.iter().enumerate() {
            let Some(label) = *label else { continue };
            for (first, width) in &self.fields {
                let low = first + lane * width;
                labels.push(Labelled { bits: low..low + width, label });
            }
            labels.push(Labelled { bits: self.valid..self.valid + 1, label });
        }
    }
}
