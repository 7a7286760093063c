//! The VCD itself: its header, then the changes of each cycle.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;

use utfhdl_hdl::netlist::Bits;
use vcd::{IdCode, ReferenceIndex, TimescaleUnit, VarType};

use super::catalogue::{Folder, Origin};
use super::changes::{Changes, Id};
use super::source::WaveCycle;
use crate::{Layout, Probe};

/// The signals of a dump with their last values. Each stands here once, however many names it has.
pub(super) struct Signals {
    pub(super) clock: Id,
    numbers: Vec<Number>,
    /// The last values of the numbers, one after the other.
    last: Vec<u64>,
    /// Room for one value.
    value: Vec<u64>,
    labels: Vec<Label>,
    texts: Vec<Text>,
}

/// A signal with a number as its value.
struct Number {
    id: Id,
    width: u32,
    origin: Origin,
    /// Words of its last value.
    last: Range<usize>,
    /// Of a signal inside of the design, the words among those of the probe.
    place: Option<Range<usize>>,
    /// Whether that value is known: a signal inside of the design is not, without a probe.
    known: bool,
    /// Whether it changed in this cycle.
    changed: bool,
}

/// The name of a number's value.
struct Label {
    shown: Shown,
    /// Index of the number.
    number: usize,
    /// The named values and what is shown for each.
    names: Vec<(u64, String)>,
}

/// A text of the caller's: its ASCII part, and all of it.
struct Text {
    ascii: Shown,
    utf8: Shown,
    /// The text as the caller gave it last.
    last: Option<String>,
}

/// A string variable, with the last text that was written for it. Different values can have the same text.
struct Shown {
    id: Id,
    last: Option<String>,
}

impl Shown {
    fn new(id: IdCode) -> Self {
        Self { id: Id::new(id), last: None }
    }

    fn show(&mut self, changes: &mut Changes, text: &str) {
        if self.last.as_deref() == Some(text) {
            return;
        }
        changes.string(self.id, text);
        let last = self.last.get_or_insert_default();
        last.clear();
        last.push_str(text);
    }
}

impl Signals {
    /// Writes the header.
    pub(super) fn declare(root: &Folder, dump: impl Write) -> io::Result<Self> {
        let mut vcd = vcd::Writer::new(dump);
        vcd.version(concat!("utfhdl ", env!("CARGO_PKG_VERSION")))?;
        vcd.timescale(1, TimescaleUnit::NS)?;
        let mut ids = HashMap::new();
        declare(root, &mut vcd, &mut ids)?;
        vcd.enddefinitions()?;
        Ok(Self::new(root, &ids))
    }

    fn new(root: &Folder, ids: &HashMap<Origin, IdCode>) -> Self {
        let (mut numbers, mut labels, mut texts) = (Vec::<Number>::new(), Vec::new(), Vec::new());
        let (mut words, mut widest) = (0, 1);
        let mut done = HashSet::new();
        root.for_each(&mut |_, variable| {
            let id = ids[&variable.origin];
            if !done.insert(id) {
                return;
            }
            match &variable.origin {
                Origin::Clock | Origin::Utf8(_) => {}
                Origin::Text(index) => {
                    let utf8 = Shown::new(ids[&Origin::Utf8(*index)]);
                    texts.push(Text { ascii: Shown::new(id), utf8, last: None });
                }
                Origin::Label(of, _) => {
                    let number = numbers.iter().position(|number| number.origin == **of);
                    let of = variable.labels.as_ref().expect("what a label is made from");
                    let names = of.values.iter().map(|(value, name)| (*value, vcd_text(&ascii(name))));
                    labels.push(Label {
                        shown: Shown::new(id),
                        number: number.expect("a label stands behind its signal"),
                        names: names.collect(),
                    });
                }
                origin => {
                    let last = words..words + variable.width.div_ceil(64) as usize;
                    (words, widest) = (last.end, widest.max(last.len()));
                    let (id, width, origin) = (Id::new(id), variable.width, origin.clone());
                    numbers.push(Number {
                        id,
                        width,
                        origin,
                        last,
                        place: None,
                        known: true,
                        changed: false,
                    });
                }
            }
        });
        Self {
            clock: Id::new(ids[&Origin::Clock]),
            numbers,
            last: vec![0; words],
            value: vec![0; widest],
            labels,
            texts,
        }
    }

    /// How many texts there are.
    pub(super) fn texts(&self) -> usize {
        self.texts.len()
    }

    /// Writes what changed, or `all`.
    pub(super) fn write(&mut self, changes: &mut Changes, layout: &Layout, cycle: &WaveCycle, all: bool) {
        let inside = cycle.probe.map(|probe| (probe, probe.values()));
        for number in &mut self.numbers {
            let last = &mut self.last[number.last.clone()];
            let value = number.value(layout, cycle, inside, &mut self.value);
            let is_same = match (value, &*last) {
                (Some(&[now]), &[last]) => now == last,
                (Some(now), last) => now == last,
                (None, _) => true,
            };
            number.changed = all || number.known != value.is_some() || !is_same;
            number.known = value.is_some();
            if number.changed {
                match value {
                    Some(value) if number.width == 1 => changes.bit(number.id, value[0] != 0),
                    Some(value) => changes.vector(number.id, value),
                    None => changes.unknown(number.id, number.width),
                }
                if let Some(value) = value {
                    last.copy_from_slice(value);
                }
            }
        }
        for Label { shown, number, names } in &mut self.labels {
            let number = &self.numbers[*number];
            if !number.changed {
                continue;
            }
            let value = &self.last[number.last.clone()];
            let name = match value {
                _ if !number.known => Some("unknown"),
                [value] => names.iter().find(|(named, _)| named == value).map(|(_, name)| name.as_str()),
                _ => None,
            };
            match name {
                Some(name) => shown.show(changes, name),
                None => shown.show(changes, &format!("0x{:x}", Bits::from_words(number.width, value))),
            }
        }
        for (text, now) in self.texts.iter_mut().zip(cycle.texts) {
            if text.last.as_deref() != Some(*now) {
                text.ascii.show(changes, &vcd_text(&ascii(now)));
                text.utf8.show(changes, &vcd_text(now));
                text.last = Some((*now).to_owned());
            }
        }
    }
}

impl Number {
    /// The value in this cycle, if it is known; `room` is for values that have to be unpacked.
    fn value<'v>(
        &mut self,
        layout: &Layout,
        cycle: &WaveCycle<'v>,
        inside: Option<(&dyn Probe, &'v [u64])>,
        room: &'v mut [u64],
    ) -> Option<&'v [u64]> {
        let room = &mut room[..self.last.len()];
        match self.origin {
            Origin::Cycle => room[0] = cycle.cycle,
            Origin::Differ => {
                room[0] = u64::from(cycle.outputs[1..].iter().any(|other| *other != cycle.outputs[0]));
            }
            Origin::Input(port) => layout.inputs[port].read(cycle.inputs, room),
            Origin::Output(engine, port) => layout.outputs[port].read(cycle.outputs[engine], room),
            Origin::Signal(signal) => {
                let (probe, values) = inside?;
                let place = self.place.get_or_insert_with(|| probe.place(signal));
                return Some(&values[place.clone()]);
            }
            Origin::Clock | Origin::Text(_) | Origin::Utf8(_) | Origin::Label(..) => {
                unreachable!("no number")
            }
        }
        Some(room)
    }
}

/// Writes a scope with all below it; names of one origin share an id.
fn declare(
    folder: &Folder,
    vcd: &mut vcd::Writer<impl Write>,
    ids: &mut HashMap<Origin, IdCode>,
) -> io::Result<()> {
    vcd.add_module(&folder.name)?;
    for variable in &folder.variables {
        let (kind, width) = match variable.origin {
            Origin::Cycle => (VarType::Integer, variable.width),
            _ if variable.is_text() => (VarType::String, 1),
            _ if variable.register => (VarType::Reg, variable.width),
            _ => (VarType::Wire, variable.width),
        };
        let range =
            (kind != VarType::Integer && width > 1).then(|| ReferenceIndex::Range(width as i32 - 1, 0));
        match ids.get(&variable.origin) {
            Some(&id) => vcd.var_def(kind, width, id, &variable.name, range)?,
            None => {
                let id = vcd.add_var(kind, width, &variable.name, range)?;
                ids.insert(variable.origin.clone(), id);
            }
        }
    }
    folder.children.iter().try_for_each(|child| declare(child, vcd, ids))?;
    vcd.upscope()
}

/// The ASCII part of a text, without the separator before the rest: `U+20AC` of `U+20AC_€`.
fn ascii(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii() || c.is_whitespace()).collect();
    if kept.len() == text.len() {
        kept
    } else {
        kept.trim_end_matches(|c: char| c == '_' || c.is_whitespace()).to_owned()
    }
}

/// A text as a dump can hold it. A space would end the text, a backslash begins an escape, and GTKWave takes a byte past ASCII
/// for the end of the file unless it is escaped. An empty text is written as an escaped space: some readers would take
/// the identifier behind it for the text.
fn vcd_text(text: &str) -> String {
    if text.is_empty() {
        return r"\x20".to_owned();
    }
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => written.push_str(r"\\"),
            c if c.is_ascii_graphic() => written.push(c),
            c if c.is_whitespace() || c.is_control() => written.push('_'),
            c => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    written.push_str(&format!("\\x{byte:02X}"));
                }
            }
        }
    }
    written
}
