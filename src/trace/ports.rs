//! The rows of both sides of a core, from the records of its ports.

use std::sync::Arc;

use utfhdl_codec::ErrorKind;
use utfhdl_hdl::netlist::Labels;

use super::cells::{Cells, Mixes};
use super::recorder::Recorded;
use super::sequences::Found;
use super::{Base, Group, Row, waits};
use crate::promise::{Beat, Carries, Item, Ports, marks_in_words};
use utfhdl_hdl::core::Verdict;

/// The rows of the ports, and why they wait.
pub(super) struct Sides {
    /// The text that goes in and the text that comes out.
    pub(super) text: Group,
    pub(super) input: Group,
    pub(super) output: Group,
    /// The output that the reference expects.
    pub(super) expected: Group,
    pub(super) waits: Vec<u8>,
}

impl Sides {
    pub(super) fn new(ports: &Ports, recorded: &Recorded, found: &Found, mixes: &mut Mixes) -> Self {
        let (carries_in, carries_out) = (ports.carries_in(), ports.carries_out());
        let mut input = Side::new("s_axis", carries_in, ports.lanes_in, "Input");
        let mut output = Side::new("m_axis", carries_out, ports.lanes_out, "Output");
        for passenger in ports.passengers() {
            let row = || (passenger.name(), passenger.bits(), Cells::new(passenger.bits()));
            input.passengers.push(row());
            output.passengers.push(row());
        }
        let mut expected = Side::new("expected", carries_out, ports.lanes_out, "Expected by the reference");
        let mut waits = Vec::new();
        let cycles = recorded.cycles();
        let last_taken = (0..cycles)
            .rev()
            .find(|&cycle| ports.offered(recorded.input(cycle)).is_some())
            .unwrap_or_default();
        for cycle in 0..cycles {
            let (inputs, outputs) = (recorded.input(cycle), recorded.output(cycle));
            let (offered, given) = (ports.offered(inputs), ports.beat(outputs));
            let (takes, is_taken) = (ports.takes(outputs), ports.sink_takes(inputs));
            let in_reset = ports.is_in_reset(inputs);
            let mut why = 0;
            if in_reset {
                why = waits::RESET;
            } else {
                if offered.is_none() && cycle < last_taken {
                    why |= waits::NO_INPUT;
                }
                if offered.is_some() && !takes {
                    why |= waits::INPUT_WAITS;
                }
                if given.is_some() && !is_taken {
                    why |= waits::OUTPUT_WAITS;
                }
            }
            waits.push(why);
            for (index, passenger) in ports.passengers().iter().enumerate() {
                let given = given.as_ref().map(|_| passenger.value_out(outputs));
                input.ride(cycle, index, offered.as_ref().map(|_| passenger.value_in(inputs)));
                output.ride(cycle, index, given);
            }
            input.push(cycle, offered.as_ref(), takes, &found.offered[cycle], mixes);
            output.push(cycle, given.as_ref(), is_taken, &found.given[cycle], mixes);
            let due = recorded.each[cycle].expected.as_ref().map(|expected| &expected.beat);
            let lanes: Vec<Option<u32>> = match due {
                Some(due) => {
                    due.items.iter().enumerate().map(|(at, _)| *found.given[cycle].get(at)?).collect()
                }
                None => Vec::new(),
            };
            expected.push(cycle, due, is_taken, &lanes, mixes);
        }
        let text = |side: &mut Side, name, note| {
            Row::of_lanes(name, note, ports.lanes_in, std::mem::replace(&mut side.text, Cells::new(1)))
        };
        let rows = vec![
            text(&mut input, "text in", "the characters whose units or slots go in"),
            text(&mut output, "text out", "the characters that come out"),
        ];
        let text = Group { title: "Text".to_owned(), rows, lanes: None };
        let (input, output, expected) =
            (input.into_group(true), output.into_group(true), expected.into_group(false));
        Self { text, input, output, expected, waits }
    }
}

/// The rows of one side.
struct Side {
    name: &'static str,
    title: &'static str,
    carries: Carries,
    valid: Cells,
    ready: Cells,
    last: Cells,
    /// The whole beat, where there are several lanes.
    data: Cells,
    lanes: Vec<Cells>,
    users: Vec<Cells>,
    /// The passengers: name, bits and values.
    passengers: Vec<(&'static str, u32, Cells)>,
    /// Which sequence is in which lane.
    text: Cells,
    /// Whether the last beat was taken: the next one is another.
    is_new: bool,
}

impl Side {
    fn new(name: &'static str, carries: Carries, lanes: usize, title: &'static str) -> Self {
        let bit = || Cells::new(1);
        let width = carries.data_bits() as u32;
        Self {
            name,
            title,
            carries,
            valid: bit(),
            ready: bit(),
            last: bit(),
            data: Cells::new(width * lanes as u32),
            lanes: vec![Cells::new(width); lanes],
            users: vec![Cells::new(carries.user_bits().unwrap_or(1) as u32); lanes],
            passengers: Vec::new(),
            text: Cells::new(lanes as u32),
            is_new: true,
        }
    }

    /// Adds a cycle to the row of a passenger.
    fn ride(&mut self, cycle: usize, index: usize, value: Option<u64>) {
        let colour = if value.is_some() { Cells::PLAIN } else { Cells::IDLE };
        let (is_new, cells) = (self.is_new, &mut self.passengers[index].2);
        let value = value.unwrap_or_default();
        let words = [value as u32, (value >> 32) as u32];
        cells.push(cycle, &words[..cells.words], colour, is_new);
    }

    fn push(
        &mut self,
        cycle: usize,
        beat: Option<&Beat>,
        is_taken: bool,
        sequences: &[Option<u32>],
        mixes: &mut Mixes,
    ) {
        let is_new = self.is_new;
        let colour = |lane: usize| {
            sequences.get(lane).copied().flatten().map_or(Cells::PLAIN, |sequence| Cells::FIRST + sequence)
        };
        let item = |lane: usize| beat.and_then(|beat| beat.items.get(lane));
        let lanes = self.lanes.len();
        for lane in 0..lanes {
            let (Item { data, user }, colour) =
                item(lane).map_or((Item::default(), Cells::IDLE), |item| (*item, colour(lane)));
            self.lanes[lane].push(cycle, &[data], colour, is_new);
            self.users[lane].push(cycle, &[user.into()], colour, is_new);
        }
        let width = self.carries.data_bits() as u32;
        let mut words = vec![0_u32; self.data.words];
        let mut mix: Vec<(u32, u32)> = Vec::new();
        for lane in (0..lanes).rev() {
            let Some(item) = item(lane) else {
                mix.push((width, Cells::IDLE));
                continue;
            };
            for bit in (0..width).filter(|bit| item.data >> bit & 1 == 1) {
                let at = lane as u32 * width + bit;
                words[at as usize / 32] |= 1 << (at % 32);
            }
            mix.push((width, colour(lane)));
        }
        let has_items = beat.is_some_and(|beat| !beat.items.is_empty());
        let of_lanes = (0..lanes).map(|lane| (1, item(lane).map_or(Cells::IDLE, |_| colour(lane)))).collect();
        let mut mixed = |mix| if has_items { mixes.colour(merged(mix)) } else { Cells::IDLE };
        self.text.push(cycle, &vec![0; self.text.words], mixed(of_lanes), is_new);
        self.data.push(cycle, &words, mixed(mix), is_new);
        let bit = |value: bool| [u32::from(value)];
        self.valid.push(cycle, &bit(beat.is_some()), Cells::PLAIN, false);
        self.ready.push(cycle, &bit(is_taken), Cells::PLAIN, false);
        self.last.push(cycle, &bit(beat.is_some_and(|beat| beat.last)), Cells::PLAIN, false);
        self.is_new = beat.is_none() || is_taken;
    }

    fn into_group(self, has_handshake: bool) -> Group {
        let Self { name, title, carries, .. } = self;
        let width = carries.data_bits() as u32;
        let row = |name: String, note: &str, width: u32, base: Base, is_lane: bool, cells: Cells| Row {
            name,
            note: note.to_owned(),
            width,
            base,
            labels: None,
            is_lane,
            is_register: false,
            cells,
        };
        let wave =
            |port: &str, note: &str, cells| row(format!("{name}_{port}"), note, 1, Base::Wave, false, cells);
        let mut rows = Vec::new();
        if has_handshake {
            rows.push(wave("tvalid", "a beat is offered", self.valid));
            rows.push(wave("tready", "the beat is taken", self.ready));
        }
        let base = Base::of_carried(carries);
        let what = if carries.is_slots() { "slots" } else { "units" };
        let is_wide = self.lanes.len() > 1;
        if is_wide {
            let all = width * self.lanes.len() as u32;
            let note = format!("{what}, lane 0 in the low bits");
            rows.push(row(format!("{name}_tdata"), &note, all, Base::Hexadecimal, false, self.data));
        }
        for (lane, (data, user)) in self.lanes.into_iter().zip(self.users).enumerate() {
            let of_lane = |port: &str| {
                if is_wide { format!("{name}_{port} lane {lane}") } else { format!("{name}_{port}") }
            };
            rows.push(row(of_lane("tdata"), what, width, base, is_wide, data));
            if carries.is_slots() {
                let note = "0: a code point, 14: a head, 15: a limb, else the kind of an error";
                let tuser = row(of_lane("tuser"), note, 4, Base::Hexadecimal, is_wide, user);
                rows.push(Row { labels: Some(slot_labels()), ..tuser });
            } else if let Some(verdict) = carries.verdict() {
                let note = "marks of the unit";
                let tuser =
                    row(of_lane("tuser"), note, verdict.lane_bits(), Base::Hexadecimal, is_wide, user);
                rows.push(Row { labels: mark_labels(verdict), ..tuser });
            }
        }
        rows.push(wave("tlast", "the beat ends its frame", self.last));
        for (port, bits, cells) in self.passengers {
            let note = if port == "tuser" { "the user's bits, with tlast" } else { "of the frame" };
            let name =
                if port == "tuser" { format!("{name}_tuser of the user") } else { format!("{name}_{port}") };
            rows.push(row(name, note, bits, Base::Hexadecimal, false, cells));
        }
        Group { title: title.to_owned(), rows, lanes: None }
    }
}

/// Names of the values of `tuser`, but for code points, which are what most slots are.
pub(super) fn slot_labels() -> Arc<Labels> {
    let kinds = (1..14).filter_map(|code| Some((code.into(), ErrorKind::from_code(code)?.name().to_owned())));
    let limbs = [(14, "head".to_owned()), (15, "limb".to_owned())];
    Arc::new(Labels { name: "slot".to_owned(), values: kinds.chain(limbs).collect() })
}

/// Names of the values of marks, if there are few.
fn mark_labels(verdict: Verdict) -> Option<Arc<Labels>> {
    let values = (1..1_u16 << verdict.lane_bits()).filter(|_| !verdict.kinds);
    let label = |value| (u64::from(value), marks_in_words(verdict, value).trim_start().to_owned());
    let labels = Labels { name: "marks".to_owned(), values: values.map(label).collect() };
    (!verdict.kinds).then(|| Arc::new(labels))
}

/// Parts side by side of one colour are one part.
pub(super) fn merged(parts: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (bits, colour) in parts {
        match merged.last_mut() {
            Some(last) if last.1 == colour => last.0 += bits,
            _ => merged.push((bits, colour)),
        }
    }
    merged
}
