//! The VCD itself: its header, then the changes of each cycle.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use utfhdl_hdl::netlist::{Bits, Labels};
use vcd::{IdCode, ReferenceIndex, TimescaleUnit, Value, VarType};

use super::catalogue::{Folder, Origin};
use super::source::WaveCycle;
use crate::Layout;

/// The signals of a dump with their last values. Each stands here once, however many names it has.
pub(super) struct Signals {
    pub(super) clock: IdCode,
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
    id: IdCode,
    width: u32,
    origin: Origin,
    /// Words of its last value.
    last: Range<usize>,
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
    labels: Arc<Labels>,
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
    id: IdCode,
    last: Option<String>,
}

impl Shown {
    fn new(id: IdCode) -> Self {
        Self { id, last: None }
    }

    fn show(&mut self, vcd: &mut vcd::Writer<impl Write>, text: &str) -> io::Result<()> {
        let text = vcd_text(text);
        if self.last.as_ref() == Some(&text) {
            return Ok(());
        }
        vcd.change_string(self.id, &text)?;
        self.last = Some(text);
        Ok(())
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
                    labels.push(Label {
                        shown: Shown::new(id),
                        number: number.expect("a label stands behind its signal"),
                        labels: Arc::clone(variable.labels.as_ref().expect("what a label is made from")),
                    });
                }
                origin => {
                    let last = words..words + variable.width.div_ceil(64) as usize;
                    (words, widest) = (last.end, widest.max(last.len()));
                    let (width, origin) = (variable.width, origin.clone());
                    numbers.push(Number { id, width, origin, last, known: true, changed: false });
                }
            }
        });
        Self {
            clock: ids[&Origin::Clock],
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
    pub(super) fn write(
        &mut self,
        vcd: &mut vcd::Writer<impl Write>,
        layout: &Layout,
        cycle: &WaveCycle,
        all: bool,
    ) -> io::Result<()> {
        for number in &mut self.numbers {
            let last = &mut self.last[number.last.clone()];
            let value = number.value(layout, cycle, &mut self.value);
            number.changed =
                all || number.known != value.is_some() || value.is_some_and(|value| last != value);
            number.known = value.is_some();
            if number.changed {
                if let Some(value) = value {
                    last.copy_from_slice(value);
                }
                change_number(vcd, number, value)?;
            }
        }
        for label in &mut self.labels {
            let number = &self.numbers[label.number];
            if number.changed {
                let value = &self.last[number.last.clone()];
                let name = number.known.then(|| name_of(&label.labels, number.width, value));
                label.shown.show(vcd, &ascii(&name.unwrap_or_else(|| "unknown".to_owned())))?;
            }
        }
        for (text, now) in self.texts.iter_mut().zip(cycle.texts) {
            if text.last.as_deref() != Some(*now) {
                text.ascii.show(vcd, &ascii(now))?;
                text.utf8.show(vcd, now)?;
                text.last = Some((*now).to_owned());
            }
        }
        Ok(())
    }
}

impl Number {
    /// The value in this cycle, if it is known; `room` is for values that have to be unpacked.
    fn value<'v>(&self, layout: &Layout, cycle: &WaveCycle<'v>, room: &'v mut [u64]) -> Option<&'v [u64]> {
        let room = &mut room[..self.last.len()];
        match self.origin {
            Origin::Cycle => room[0] = cycle.cycle,
            Origin::Differ => {
                room[0] = u64::from(cycle.outputs[1..].iter().any(|other| *other != cycle.outputs[0]));
            }
            Origin::Input(port) => layout.inputs[port].read(cycle.inputs, room),
            Origin::Output(engine, port) => layout.outputs[port].read(cycle.outputs[engine], room),
            Origin::Signal(signal) => return cycle.probe.map(|probe| probe.value(signal)),
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

/// Writes a value, or that it is unknown. Readers add the leading zeros of a vector.
fn change_number(
    vcd: &mut vcd::Writer<impl Write>,
    number: &Number,
    value: Option<&[u64]>,
) -> io::Result<()> {
    let Some(value) = value else {
        return match number.width {
            1 => vcd.change_scalar(number.id, Value::X),
            _ => writeln!(vcd.writer(), "bx {}", number.id),
        };
    };
    let bit = |index: u32| Value::from(value[index as usize / 64] >> (index % 64) & 1 == 1);
    if number.width == 1 {
        // As a vector of one bit GTKWave does not show it.
        return vcd.change_scalar(number.id, bit(0));
    }
    let zeros = (0..number.width).rev().take_while(|&index| bit(index) == Value::V0).count() as u32;
    let digits = (number.width - zeros).max(1);
    // As `change_vector` writes it, but in one piece: that formats bit by bit.
    let text: String =
        (0..digits).rev().map(|index| if bit(index) == Value::V1 { '1' } else { '0' }).collect();
    writeln!(vcd.writer(), "b{text} {}", number.id)
}

/// What `labels` calls a value; one without a name is shown in hexadecimal.
fn name_of(labels: &Labels, width: u32, value: &[u64]) -> String {
    let bits = Bits::from_words(width, value);
    let name = labels.values.iter().find(|(named, _)| bits.to_u64() == Some(*named));
    name.map_or_else(|| format!("0x{bits:x}"), |(_, name)| name.clone())
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
