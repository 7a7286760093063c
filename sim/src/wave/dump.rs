//! The VCD dump.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use utfhdl_hdl::netlist::{Bits, Labels};
use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, Value, VarType};

use super::catalogue::{Folder, Origin, Variable};
use super::files::{PendingFile, beside};
use super::{CYCLE_NS, WaveCycle, WaveError, WaveFiles, WavePlan, WaveSource, gtkwave, surfer};
use crate::Layout;

/// Writes a run into a dump, cycle by cycle, and at the end the files that viewers open it with.
///
/// The files take their names in [`finish`](Self::finish); a writer dropped before leaves nothing behind.
pub struct WaveWriter {
    dump: PendingFile,
    gtkw: PendingFile,
    sucl: PendingFile,
    root: Folder,
    plan: WavePlan,
    layout: Layout,
    engines: usize,
    signals: Signals,
    /// First and last cycle written.
    cycles: Option<(u64, u64)>,
}

impl WaveWriter {
    /// Begins a dump of `source` at `path`, to be shown as `plan` says. What can be wrong with the path is found out
    /// here, before a long run.
    ///
    /// # Errors
    /// If the folder does not exist, the path is a folder, or either can't be written to; and if the plan has a
    /// signal that the dump does not.
    ///
    /// # Panics
    /// If a text or an engine is called like something else.
    pub fn create(path: &Path, source: &WaveSource, plan: &WavePlan) -> Result<Self, WaveError> {
        let root = Folder::of(source);
        plan.resolve(&by_path(&root))?;
        let mut dump = PendingFile::create(path)?;
        let gtkw = PendingFile::create(&beside(path, "gtkw"))?;
        let sucl = PendingFile::create(&beside(path, "sucl"))?;
        let signals = Signals::declare(&root, &mut dump).map_err(|error| dump.error(error))?;
        let (layout, engines) = (source.layout.clone(), source.engines.len());
        Ok(Self { dump, gtkw, sucl, root, plan: plan.clone(), layout, engines, signals, cycles: None })
    }

    /// Writes a cycle: of what changed since the last one, the new values.
    ///
    /// # Errors
    /// If the file can't be written to.
    ///
    /// # Panics
    /// If the cycle does not follow on the last one, or does not hold what the [`WaveSource`] announced.
    pub fn cycle(&mut self, cycle: &WaveCycle) -> Result<(), WaveError> {
        assert_eq!(cycle.outputs.len(), self.engines, "records of outputs, one an engine");
        assert_eq!(cycle.texts.len(), self.signals.texts.len(), "texts");
        let first = match self.cycles {
            None => cycle.cycle,
            Some((first, last)) => {
                assert_eq!(cycle.cycle, last + 1, "cycles follow on one another");
                first
            }
        };
        let written = self.write_cycle(cycle);
        self.cycles = Some((first, cycle.cycle));
        written.map_err(|error| self.dump.error(error))
    }

    fn write_cycle(&mut self, cycle: &WaveCycle) -> io::Result<()> {
        let time = cycle.cycle * CYCLE_NS;
        let clock = self.signals.clock;
        let mut vcd = vcd::Writer::new(&mut self.dump);
        vcd.timestamp(time)?;
        if self.cycles.is_some() {
            vcd.change_scalar(clock, Value::V1)?;
            self.signals.write(&mut vcd, &self.layout, cycle, false)?;
            vcd.timestamp(time + CYCLE_NS / 2)?;
            return vcd.change_scalar(clock, Value::V0);
        }
        // Before its first edge the clock is low: what is first shown is not the work of an edge in the dump.
        vcd.begin(SimulationCommand::Dumpvars)?;
        vcd.change_scalar(clock, Value::V0)?;
        self.signals.write(&mut vcd, &self.layout, cycle, true)?;
        vcd.end()
    }

    /// Ends the dump with the last cycle's rising edge, writes the viewers' files, and moves all to their places.
    ///
    /// # Errors
    /// If a file can't be written to or moved.
    pub fn finish(mut self) -> Result<WaveFiles, WaveError> {
        if let Some((_, last)) = self.cycles {
            let mut vcd = vcd::Writer::new(&mut self.dump);
            let ended = vcd.timestamp((last + 1) * CYCLE_NS);
            let ended = ended.and_then(|()| vcd.change_scalar(self.signals.clock, Value::V1));
            ended.map_err(|error| self.dump.error(error))?;
        }
        let groups = self.plan.resolve(&by_path(&self.root))?;
        let (first, end) = self.cycles.map_or((0, 0), |(first, last)| (first, last + 1));
        let gtkw = gtkwave::save_file(&self.dump.name(), &self.gtkw.name(), first, &groups);
        let sucl = surfer::command_file(first, end, &groups);
        self.gtkw.write_all(gtkw.as_bytes()).map_err(|error| self.gtkw.error(error))?;
        self.sucl.write_all(sucl.as_bytes()).map_err(|error| self.sucl.error(error))?;
        Ok(WaveFiles { gtkw: self.gtkw.persist()?, sucl: self.sucl.persist()?, vcd: self.dump.persist()? })
    }
}

fn by_path(root: &Folder) -> HashMap<String, &Variable> {
    let mut variables = HashMap::new();
    root.for_each(&mut |path, variable| {
        assert!(!variables.contains_key(&path), "two signals are called {path}");
        variables.insert(path, variable);
    });
    variables
}

/// The signals of a dump with their last values: each once, however many names it has.
struct Signals {
    clock: IdCode,
    numbers: Vec<Number>,
    /// The last values of the numbers, one after the other.
    last: Vec<u64>,
    /// Room for one value.
    value: Vec<u64>,
    labels: Vec<Label>,
    texts: Vec<Text>,
}

/// A signal that is no text.
struct Number {
    id: IdCode,
    width: u32,
    origin: Origin,
    /// Words of its last value.
    last: Range<usize>,
    /// Whether it changed in this cycle.
    changed: bool,
}

/// The name of a number's value.
struct Label {
    id: IdCode,
    /// Index of the number.
    number: usize,
    labels: Arc<Labels>,
}

/// A text of the caller's: as far as it is ASCII, and whole.
struct Text {
    ascii: IdCode,
    utf8: IdCode,
    last: String,
}

impl Signals {
    /// Writes the header.
    fn declare(root: &Folder, dump: &mut PendingFile) -> io::Result<Self> {
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
                    let utf8 = ids[&Origin::Utf8(*index)];
                    texts.push(Text { ascii: id, utf8, last: String::new() });
                }
                Origin::Label(of, _) => {
                    let number = numbers.iter().position(|number| number.origin == **of);
                    labels.push(Label {
                        id,
                        number: number.expect("a label stands behind its signal"),
                        labels: Arc::clone(variable.labels.as_ref().expect("what a label is made from")),
                    });
                }
                origin => {
                    let last = words..words + variable.width.div_ceil(64) as usize;
                    (words, widest) = (last.end, widest.max(last.len()));
                    let (width, origin) = (variable.width, origin.clone());
                    numbers.push(Number { id, width, origin, last, changed: false });
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

    /// Writes what changed, or `all`.
    fn write(
        &mut self,
        vcd: &mut vcd::Writer<impl Write>,
        layout: &Layout,
        cycle: &WaveCycle,
        all: bool,
    ) -> io::Result<()> {
        for number in &mut self.numbers {
            let last = &mut self.last[number.last.clone()];
            let value = number.value(layout, cycle, &mut self.value);
            number.changed = all || last != value;
            if number.changed {
                last.copy_from_slice(value);
                change_number(vcd, number, value)?;
            }
        }
        for label in &self.labels {
            let number = &self.numbers[label.number];
            if number.changed {
                let name = name_of(&label.labels, number.width, &self.last[number.last.clone()]);
                vcd.change_string(label.id, &vcd_text(&ascii(&name)))?;
            }
        }
        for (text, now) in self.texts.iter_mut().zip(cycle.texts) {
            if all || text.last != *now {
                (*now).clone_into(&mut text.last);
                vcd.change_string(text.ascii, &vcd_text(&ascii(now)))?;
                vcd.change_string(text.utf8, &vcd_text(now))?;
            }
        }
        Ok(())
    }
}

impl Number {
    /// The value in this cycle; `room` is for what has to be unpacked.
    fn value<'v>(&self, layout: &Layout, cycle: &WaveCycle<'v>, room: &'v mut [u64]) -> &'v [u64] {
        let room = &mut room[..self.last.len()];
        match self.origin {
            Origin::Cycle => room[0] = cycle.cycle,
            Origin::Differ => {
                room[0] = u64::from(cycle.outputs[1..].iter().any(|other| *other != cycle.outputs[0]));
            }
            Origin::Input(port) => layout.inputs[port].read(cycle.inputs, room),
            Origin::Output(engine, port) => layout.outputs[port].read(cycle.outputs[engine], room),
            Origin::Signal(signal) => {
                return cycle.probe.expect("a probe, since its scope was announced").value(signal);
            }
            Origin::Clock | Origin::Text(_) | Origin::Utf8(_) | Origin::Label(..) => {
                unreachable!("no number")
            }
        }
        room
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

/// Writes a value; leading zeros of a vector go without saying.
fn change_number(vcd: &mut vcd::Writer<impl Write>, number: &Number, value: &[u64]) -> io::Result<()> {
    let bit = |index: u32| Value::from(value[index as usize / 64] >> (index % 64) & 1 == 1);
    if number.width == 1 {
        // As a vector of one bit GTKWave does not show it.
        return vcd.change_scalar(number.id, bit(0));
    }
    let zeros = (0..number.width).rev().take_while(|&index| bit(index) == Value::V0).count() as u32;
    let digits = (number.width - zeros).max(1);
    vcd.change_vector(number.id, (0..digits).rev().map(bit))
}

/// What `labels` calls a value; one without a name is shown in hexadecimal.
fn name_of(labels: &Labels, width: u32, value: &[u64]) -> String {
    let bits = Bits::from_words(width, value);
    let name = labels.values.iter().find(|(named, _)| bits.to_u64() == Some(*named));
    name.map_or_else(|| format!("0x{bits:x}"), |(_, name)| name.clone())
}

/// What of a text is ASCII, without the separator before what is not: `U+20AC` of `U+20AC_€`.
fn ascii(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii() || c.is_whitespace()).collect();
    if kept.len() == text.len() {
        kept
    } else {
        kept.trim_end_matches(|c: char| c == '_' || c.is_whitespace()).to_owned()
    }
}

/// A text as a dump can hold it: a space would end it, a backslash begins an escape, and GTKWave takes a byte past
/// ASCII for the end of the file unless it is escaped. Nothing is written as an escaped space: some readers take the
/// id for an empty string.
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
