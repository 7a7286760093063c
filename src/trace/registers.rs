//! The rows of the registers: what each holds a part of.

use utfhdl_hdl::core::Core;
use utfhdl_sim::PortSlot;
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
    // Where a register holds something first: the mean cycle behind the one in which the sequence begins.
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
        (register.section.clone(), row, if count == 0 { f64::MAX } else { sum as f64 / count as f64 })
    });
    in_groups(rows)
}

/// Rows of one section in one group; the groups in the order in which data goes through them.
fn in_groups(rows: impl Iterator<Item = (String, Row, f64)>) -> Vec<Group> {
    let mut groups: Vec<(Group, f64)> = Vec::new();
    for (section, row, age) in rows {
        let title = if section.is_empty() { "Registers".to_owned() } else { section };
        match groups.iter_mut().find(|(group, _)| group.title == title) {
            Some((group, least)) => {
                group.rows.push(row);
                *least = least.min(age);
            }
            None => groups.push((Group { title, rows: vec![row] }, age)),
        }
    }
    groups.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    groups.into_iter().map(|(group, _)| group).collect()
}

fn value_of(register: &FlowRegister, held: &Held) -> Vec<u32> {
    let bits = &held.values[register.bits.clone()];
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, bit| word << 1 | u32::from(*bit));
    bits.chunks(32).map(word).collect()
}

/// The colour of what a register holds, and the first sequence in it.
fn colour_of(register: &FlowRegister, held: &Held, mixes: &mut Mixes) -> (u32, Option<u32>) {
    // The highest bit first. A bit of several sequences shows the one that entered first, which leaves first, too.
    let mut parts: Vec<(u32, u32)> = Vec::new();
    let mut free = 0;
    let mut before: Option<(usize, Option<u32>)> = None;
    for bit in register.bits.clone().rev() {
        let label = match before {
            Some((other, label)) if held.are_same(bit, other) => label,
            _ => held.labels(bit).next(),
        };
        before = Some((bit, label));
        // Bits of no sequence between those of one belong to it in the picture.
        let Some(label) = label else {
            free += 1;
            continue;
        };
        match parts.last_mut() {
            Some(last) if last.1 == Cells::FIRST + label => last.0 += 1 + free,
            _ => {
                if free > 0 {
                    parts.push((free, Cells::PLAIN));
                }
                parts.push((1, Cells::FIRST + label));
            }
        }
        free = 0;
    }
    let first = parts.iter().map(|part| part.1).filter(|colour| *colour >= Cells::FIRST).min();
    let first = first.map(|colour| colour - Cells::FIRST);
    if parts.iter().filter(|part| part.1 >= Cells::FIRST).count() <= 1 {
        return (first.map_or(Cells::PLAIN, |sequence| Cells::FIRST + sequence), first);
    }
    if free > 0 {
        parts.push((free, Cells::PLAIN));
    }
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
