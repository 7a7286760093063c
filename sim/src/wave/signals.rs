//! The signals of a dump, and what changes in each cycle.

use std::collections::HashSet;
use std::ops::Range;

use utfhdl_hdl::netlist::Bits;

use super::absent::Absent;
use super::catalogue::{Folder, Origin};
use super::changes::{Format, Prepared};
use super::format::{Id, Ids};
use super::source::WaveCycle;
use super::texts::{Texts, ascii, printed};
use crate::{Layout, Probe};

/// Words inside of the design that are compared at once.
const BLOCK: usize = 8;

/// The signals of a dump with their last values, one entry for all names of a signal.
pub(super) struct Signals {
    pub(super) clock: Id,
    outside: Vec<Outside>,
    /// The last values of those outside, one after the other.
    last: Vec<u64>,
    /// Room for one value.
    value: Vec<u64>,
    inside: Inside,
    labels: Vec<Label>,
    pub(super) texts: Texts,
}

/// A signal with a number as its value.
struct Number {
    id: Id,
    width: u32,
    /// Indices of its labels.
    labels: Vec<usize>,
}

/// A number that is no signal of the design: a port as an engine has it, the cycle.
struct Outside {
    number: Number,
    origin: Origin,
    /// Words of its last value.
    last: Range<usize>,
    /// `tvalid` of the stream, if the signal is a part of its beats; and whether that was 0 when last written.
    valid: Option<Origin>,
    is_idle: bool,
}

/// The ports of a handshake that have no meaning without a beat.
const PAYLOAD: [&str; 6] = ["data", "keep", "last", "user", "id", "dest"];

/// The port that says whether there is a beat, for a part of its payload.
fn valid_of(layout: &Layout, origin: &Origin) -> Option<Origin> {
    let (slots, port) = match *origin {
        Origin::Input(port) => (&layout.inputs, port),
        Origin::Output(_, port) => (&layout.outputs, port),
        _ => return None,
    };
    let name = &slots[port].name;
    let prefix = PAYLOAD.iter().find_map(|part| name.strip_suffix(part)?.strip_suffix("_t"))?;
    let valid = slots.iter().position(|slot| slot.name == format!("{prefix}_tvalid"))?;
    Some(match *origin {
        Origin::Output(engine, _) => Origin::Output(engine, valid),
        _ => Origin::Input(valid),
    })
}

/// The numbers that are signals of the design.
#[derive(Default)]
struct Inside {
    /// The numbers, each with its flat index.
    numbers: Vec<(usize, Number)>,
    /// For each word of the probe, the index of its number, if the number is in the dump; empty before the first probe.
    owners: Vec<Option<u32>>,
    /// The last words of the probe.
    last: Vec<u64>,
    /// Whether the last values were known: they are not, without a probe. `None` before the first cycle.
    known: Option<bool>,
}

/// The name of a number's value.
struct Label {
    id: Id,
    /// The text that is shown; none before the first value, and while the number is idle.
    last: Option<Shown>,
    /// The named values, and the index in `texts` of the name of each.
    names: Vec<(u64, usize)>,
    /// The index in `texts` by value, up to the last value that has a name, if that is small; [`NAMELESS`] for a value without a name.
    of_value: Vec<usize>,
    /// The text of a number that is unknown, then the names. Different values can have the same name.
    texts: Vec<String>,
    /// The texts as the dump has them, from the first value on.
    prepared: Vec<Prepared>,
}

/// In place of the index of a text: the value has no name.
const NAMELESS: usize = usize::MAX;

/// The most values whose names are in a table.
const MOST_IN_TABLE: u64 = 256;

/// The text of a label.
#[derive(PartialEq, Eq)]
enum Shown {
    /// The text with this index.
    Text(usize),
    /// A value that has no name.
    Number(String),
}

/// The index of the text of a number that is unknown.
const UNKNOWN: usize = 0;

impl Label {
    /// The label with these names of values.
    fn new(id: Id, names: impl Iterator<Item = (u64, String)>) -> Self {
        let mut label = Self {
            id,
            last: None,
            names: Vec::new(),
            of_value: Vec::new(),
            texts: Vec::new(),
            prepared: Vec::new(),
        };
        label.texts.push("unknown".to_owned());
        for (value, name) in names {
            let text = label.texts.iter().position(|text| *text == name).unwrap_or(label.texts.len());
            if text == label.texts.len() {
                label.texts.push(name);
            }
            label.names.push((value, text));
        }
        let values = label.names.iter().map(|(value, _)| value + 1).max().unwrap_or(0);
        if values <= MOST_IN_TABLE {
            label.of_value = vec![NAMELESS; values as usize];
            label.names.iter().rev().for_each(|&(value, text)| label.of_value[value as usize] = text);
        }
        label
    }

    /// The index of the name of a value.
    #[inline]
    fn name(&self, value: u64) -> Option<usize> {
        if !self.of_value.is_empty() {
            let text = self.of_value.get(usize::try_from(value).ok()?).copied()?;
            return (text != NAMELESS).then_some(text);
        }
        self.names.iter().find(|(named, _)| *named == value).map(|(_, text)| *text)
    }

    fn show(&mut self, changes: &mut impl Format, width: u32, value: Option<&[u64]>) {
        let text = match value {
            None => Some(UNKNOWN),
            Some(&[value]) => self.name(value),
            Some(_) => None,
        };
        let Some(text) = text else {
            let number = format!("0x{:x}", Bits::from_words(width, value.unwrap_or_default()));
            if !matches!(&self.last, Some(Shown::Number(last)) if *last == number) {
                changes.string(self.id, &number);
                self.last = Some(Shown::Number(number));
            }
            return;
        };
        if self.last != Some(Shown::Text(text)) {
            if self.prepared.is_empty() {
                self.prepared = self.texts.iter().map(|text| Prepared::new(changes, self.id, text)).collect();
            }
            changes.prepared(self.id, &self.prepared[text]);
            self.last = Some(Shown::Text(text));
        }
    }

    fn show_idle(&mut self, changes: &mut impl Format) {
        changes.string(self.id, "");
        self.last = None;
    }
}

impl Number {
    #[inline]
    fn write(&self, changes: &mut impl Format, labels: &mut [Label], value: Option<&[u64]>) {
        match value {
            Some(&[value]) => changes.number(self.id, self.width, value),
            Some(value) => changes.vector(self.id, value),
            None => changes.absent(self.id, self.width, Absent::Unknown),
        }
        for &label in &self.labels {
            labels[label].show(changes, self.width, value);
        }
    }

    fn write_idle(&self, changes: &mut impl Format, labels: &mut [Label]) {
        changes.absent(self.id, self.width, Absent::Idle);
        for &label in &self.labels {
            labels[label].show_idle(changes);
        }
    }
}

impl Signals {
    /// The signals of `root`. Where the inside of the design is in the dump, payload of ports is idle in cycles without a beat: the module
    /// has its value.
    pub(super) fn new(root: &Folder, ids: &Ids, layout: &Layout) -> Self {
        let has_inside = root.children.iter().any(|child| child.module);
        let mut signals = Self {
            clock: ids.of(&Origin::Clock),
            outside: Vec::new(),
            last: Vec::new(),
            value: Vec::new(),
            inside: Inside::default(),
            labels: Vec::new(),
            texts: Texts::default(),
        };
        let mut done = HashSet::new();
        root.for_each(&mut |_, variable| {
            let id = ids.of(&variable.origin);
            if !done.insert(id) {
                return;
            }
            let number = || Number { id, width: variable.width, labels: Vec::new() };
            match &variable.origin {
                Origin::Clock => {}
                Origin::Text(index) => signals.texts.add(*index, id, true),
                Origin::Utf8(index) => signals.texts.add(*index, id, false),
                Origin::Label(of, _) => {
                    let named = variable.labels.as_ref().expect("what a label is made from");
                    let names = named.values.iter().map(|(value, name)| (*value, printed(&ascii(name))));
                    let label = signals.labels.len();
                    signals.number(of).expect("a label stands behind its signal").labels.push(label);
                    signals.labels.push(Label::new(id, names));
                }
                Origin::Signal(signal) => signals.inside.numbers.push((*signal, number())),
                origin => {
                    let words = variable.width.div_ceil(64) as usize;
                    let last = signals.last.len()..signals.last.len() + words;
                    signals.last.resize(last.end, 0);
                    signals.value.resize(signals.value.len().max(words), 0);
                    let valid = if has_inside { valid_of(layout, origin) } else { None };
                    let (number, origin) = (number(), origin.clone());
                    signals.outside.push(Outside { number, origin, last, valid, is_idle: false });
                }
            }
        });
        signals
    }

    fn number(&mut self, origin: &Origin) -> Option<&mut Number> {
        if let Origin::Signal(of) = origin {
            return self.inside.numbers.iter_mut().find(|(signal, _)| signal == of).map(|(_, number)| number);
        }
        let outside = self.outside.iter_mut().find(|outside| outside.origin == *origin);
        outside.map(|outside| &mut outside.number)
    }

    /// Writes what changed, or `all`.
    pub(super) fn write(&mut self, changes: &mut impl Format, layout: &Layout, cycle: &WaveCycle, all: bool) {
        // In a cycle in which engines differ, each shows its values, even those without meaning.
        let differ = cycle.outputs.iter().any(|other| *other != cycle.outputs[0]);
        for Outside { number, origin, last, valid, is_idle } in &mut self.outside {
            let was_idle = *is_idle;
            *is_idle = !differ && valid.as_ref().is_some_and(|valid| !is_set(layout, cycle, valid));
            if *is_idle {
                if all || !was_idle {
                    number.write_idle(changes, &mut self.labels);
                }
                continue;
            }
            let value = &mut self.value[..last.len()];
            let last = &mut self.last[last.clone()];
            match *origin {
                Origin::Cycle => value[0] = cycle.cycle,
                Origin::Differ => value[0] = u64::from(differ),
                Origin::Input(port) => layout.inputs[port].read(cycle.inputs, value),
                Origin::Output(engine, port) => layout.outputs[port].read(cycle.outputs[engine], value),
                Origin::Clock | Origin::Signal(_) | Origin::Text(_) | Origin::Utf8(_) | Origin::Label(..) => {
                    unreachable!("no number outside of the design")
                }
            }
            let is_same = match (&*value, &*last) {
                ([now], [last]) => now == last,
                (now, last) => now == last,
            };
            if all || was_idle || !is_same {
                number.write(changes, &mut self.labels, Some(value));
                // Most are one word, for which a call that copies takes longer than the copy.
                match (last, &*value) {
                    ([last], [now]) => *last = *now,
                    (last, now) => last.copy_from_slice(now),
                }
            }
        }
        self.inside.write(changes, &mut self.labels, cycle.probe);
        self.texts.write(changes, cycle.texts);
    }
}

/// Whether a port of one bit is 1.
fn is_set(layout: &Layout, cycle: &WaveCycle, port: &Origin) -> bool {
    let mut value = [0];
    match *port {
        Origin::Input(port) => layout.inputs[port].read(cycle.inputs, &mut value),
        Origin::Output(engine, port) => layout.outputs[port].read(cycle.outputs[engine], &mut value),
        _ => unreachable!("only ports say whether there is a beat"),
    }
    value[0] != 0
}

/// A bit for each word that changed: which words do is hard to foresee, and a branch on each would be dear.
#[inline(always)]
fn changed(now: &[u64], last: &[u64]) -> u32 {
    let changed = now.iter().zip(last).map(|(now, last)| u32::from(now != last)).enumerate();
    changed.fold(0, |all, (index, is_changed)| all | is_changed << index)
}

impl Inside {
    fn write(&mut self, changes: &mut impl Format, labels: &mut [Label], probe: Option<&dyn Probe>) {
        if self.numbers.is_empty() {
            return;
        }
        let Some(probe) = probe else {
            if self.known.replace(false) != Some(false) {
                self.numbers.iter().for_each(|(_, number)| number.write(changes, labels, None));
            }
            return;
        };
        let values = probe.values();
        if self.owners.is_empty() {
            self.owners = vec![None; values.len()];
            for (index, (signal, _)) in self.numbers.iter().enumerate() {
                self.owners[probe.place(*signal)].fill(Some(index as u32));
            }
        }
        if self.known.replace(true) != Some(true) {
            for (signal, number) in &self.numbers {
                number.write(changes, labels, Some(&values[probe.place(*signal)]));
            }
            values.clone_into(&mut self.last);
            return;
        }
        let (blocks, rest) = values.as_chunks::<BLOCK>();
        for (index, block) in blocks.iter().enumerate() {
            let start = index * BLOCK;
            let last: &[u64; BLOCK] = self.last[start..].first_chunk().expect("as many as there are values");
            let changed = changed(block, last);
            self.write_changed(changes, labels, probe, values, (start, changed));
        }
        let start = blocks.len() * BLOCK;
        let changed = changed(rest, &self.last[start..]);
        self.write_changed(changes, labels, probe, values, (start, changed));
    }

    /// Writes the numbers of changed words: `changed` has a bit for each word from `start` on.
    #[inline(always)]
    fn write_changed(
        &mut self,
        changes: &mut impl Format,
        labels: &mut [Label],
        probe: &dyn Probe,
        values: &[u64],
        (start, mut changed): (usize, u32),
    ) {
        while changed != 0 {
            let word = start + changed.trailing_zeros() as usize;
            changed &= changed - 1;
            self.write_word(changes, labels, probe, values, word);
        }
    }

    /// Writes the number that a changed word belongs to, unless it has been written for another of its words.
    #[inline]
    fn write_word(
        &mut self,
        changes: &mut impl Format,
        labels: &mut [Label],
        probe: &dyn Probe,
        values: &[u64],
        word: usize,
    ) {
        let owner = self.owners[word];
        if values[word] == self.last[word] {
            return;
        }
        self.last[word] = values[word];
        let Some(owner) = owner else { return };
        let (signal, number) = &self.numbers[owner as usize];
        if number.width <= 64 {
            number.write(changes, labels, Some(&values[word..=word]));
        } else {
            let place = probe.place(*signal);
            number.write(changes, labels, Some(&values[place.clone()]));
            self.last[place.clone()].copy_from_slice(&values[place]);
        }
    }
}
