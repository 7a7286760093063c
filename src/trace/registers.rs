//! The rows of the registers: what each holds a part of.

use std::collections::HashMap;

use utfhdl_hdl::core::Core;
use utfhdl_sim::PortSlot;
use utfhdl_sim::flat::Template;
use utfhdl_sim::flow::{Flow, FlowCycle, FlowRegister, Held, Labelled};

use super::cells::{Cells, Mixes};
use super::ports::merged;
use super::recorder::Recorded;
use super::sequences::Found;
use super::{Base, Group, Row};
use crate::promise::{Carries, Ports};

/// Cycles by which what is under way in a core outlasts its latency.
const MARGIN: u32 = 8;

/// How many sequences can be under way in a core at once.
pub(super) fn labels_under_way(core: &Core) -> u32 {
    core.spec.lanes * (core.latency + MARGIN)
}

/// The rows of the registers, in the groups that the netlist has.
pub(super) fn groups(
    flow: &Flow,
    ports: &Ports,
    recorded: &Recorded,
    found: &Found,
    most: u32,
    mixes: &mut Mixes,
) -> Vec<Group> {
    let registers = flow.registers();
    let mut cells: Vec<Cells> =
        registers.iter().map(|register| Cells::new(register.bits.len() as u32)).collect();
    let mut known: Vec<Option<(Vec<u32>, u32)>> = vec![None; registers.len()];
    // Cells are found from the last to the first: each is pushed when the one before it is seen to be another.
    let cycles = labelled(flow, ports, recorded, found);
    // Of what a register holds, the cycles since the sequence began, added up, and how many there are.
    let mut ages = vec![(0_u64, 0_u64); registers.len()];
    flow.follow(recorded.state.clone(), &recorded.inputs, &cycles, most, &mut |cycle, held| {
        for (at, register) in registers.iter().enumerate() {
            let value = value_of(register, &held);
            let (colour, first) = colour_of(register, &held, mixes);
            if let Some(sequence) = first
                && let Some((began, _)) = found.sequences[sequence as usize].taken
            {
                ages[at].0 += (cycle as u64).saturating_sub(began.into());
                ages[at].1 += 1;
            }
            let is_same = known[at]
                .as_ref()
                .is_some_and(|(held, held_colour)| *held == value && *held_colour == colour);
            if !is_same && let Some((held, held_colour)) = known[at].replace((value, colour)) {
                cells[at].push(cycle + 1, &held, held_colour, true);
            }
        }
    });
    for (cells, known) in cells.iter_mut().zip(known) {
        if let Some((value, colour)) = known {
            cells.push(0, &value, colour, true);
        }
    }
    let rows = registers.iter().zip(cells).zip(ages).map(|((register, cells), (sum, count))| {
        let row = Row {
            name: register.path.clone(),
            note: register.note.clone().unwrap_or_default(),
            width: register.bits.len() as u32,
            base: Base::of(register.bits.len() as u32),
            labels: register.labels.clone(),
            is_lane: false,
            is_register: true,
            cells: cells.reversed(),
        };
        (register.section.clone(), (register.template, row), (sum, count))
    });
    in_groups(rows)
}

/// Rows of one section in one group; the groups in the order in which data goes through them, which is that of the mean number of
/// cycles that what they hold is under way.
fn in_groups(rows: impl Iterator<Item = (String, (Template, Row), (u64, u64))>) -> Vec<Group> {
    let mut groups: Vec<(String, Vec<(Template, Row)>, (u64, u64))> = Vec::new();
    for (section, row, (sum, count)) in rows {
        let title = if section.is_empty() { "Registers".to_owned() } else { section };
        match groups.iter_mut().find(|(of, ..)| *of == title) {
            Some((_, rows, age)) => {
                rows.push(row);
                *age = (age.0 + sum, age.1 + count);
            }
            None => groups.push((title, vec![row], (sum, count))),
        }
    }
    let mean = |(sum, count): (u64, u64)| if count == 0 { f64::MAX } else { sum as f64 / count as f64 };
    groups.sort_by(|(.., a), (.., b)| mean(*a).total_cmp(&mean(*b)));
    groups.into_iter().map(|(title, rows, _)| Group { title, rows: side_by_side(rows) }).collect()
}

/// Brings together the registers that are the same in instances of one module for different lanes.
fn side_by_side(rows: Vec<(Template, Row)>) -> Vec<Row> {
    let mut first = HashMap::new();
    let mut placed: Vec<(usize, Row)> = Vec::new();
    for (at, (template, row)) in rows.into_iter().enumerate() {
        let at = if template.register.is_some() { *first.entry(template).or_insert(at) } else { at };
        placed.push((at, row));
    }
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, row)| row).collect()
}

fn value_of(register: &FlowRegister, held: &Held) -> Vec<u32> {
    let bits = &held.values[register.bits.clone()];
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, bit| word << 1 | u32::from(*bit));
    bits.chunks(32).map(word).collect()
}

/// The colour of what a register holds, and the first sequence in it.
fn colour_of(register: &FlowRegister, held: &Held, mixes: &mut Mixes) -> (u32, Option<u32>) {
    // Bits side by side of the same sequences, the highest first. Bits of none between those of one are drawn with it.
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    let (mut free, mut before): (u32, Option<usize>) = (0, None);
    for bit in register.bits.clone().rev() {
        let same = before.replace(bit).filter(|other| held.are_same(bit, *other));
        if same.is_some() && free > 0 {
            free += 1;
            continue;
        }
        let labels: Vec<u32> = match (same, runs.last()) {
            (Some(_), Some((_, labels))) => labels.clone(),
            _ => held.labels(bit).collect(),
        };
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
    let first = sequences.first().copied();
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
    (mixes.colour(merged(parts)), first)
}

/// The labels of the ports: of the units or slots that are taken, and of the items that come out.
fn labelled(flow: &Flow, ports: &Ports, recorded: &Recorded, found: &Found) -> Vec<FlowCycle> {
    let layout = flow.layout();
    let input =
        Places::of("s_axis", &layout.inputs, ports.lanes, ports.carries_in(), |name| flow.input(name));
    let output =
        Places::of("m_axis", &layout.outputs, ports.lanes, ports.carries_out(), |name| flow.output(name));
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

/// Where the lanes of a side stand among the bits of all inputs or outputs.
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
        if carries == Carries::Slots {
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
