//! Makes a design from a recipe.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use utfhdl_hdl::netlist::{
    Bits, Builder, Collision, Design, InstanceHandle, Memory, Module, Pattern, Read, Reg, Row, Signal,
    disjoint,
};

use super::recipe::{MAX_WIDTH, ModuleRecipe, Recipe, RegisterRecipe, Step, StepKind};
use crate::common::stimulus::SplitMix;

impl Recipe {
    /// Makes the design.
    ///
    /// # Panics
    /// If it does not pass the netlist's checks, which is a mistake in this file or in the checks.
    pub fn design(&self) -> Design {
        Design { top: self.top("m"), reset: self.reset }
    }

    /// Makes the top module; names of all modules begin with `prefix`.
    ///
    /// # Panics
    /// As [`design`](Self::design).
    pub fn top(&self, prefix: &str) -> Arc<Module> {
        let mut made = Vec::new();
        for (index, recipe) in self.modules.iter().enumerate() {
            let module = make(&format!("{prefix}{index}"), recipe, &made);
            made.push(module);
        }
        made.pop().expect("at least one module").module
    }
}

/// A finished module, and for each output the inputs that it depends on within a cycle.
struct Made {
    module: Arc<Module>,
    through: Vec<BTreeSet<Source>>,
}

/// The modules of memories, each made once: in no design do two modules have one name.
static MEMORIES: LazyLock<Mutex<Memories>> = LazyLock::new(Mutex::default);

/// Modules by the shape of the memory, and whether it is RAM.
type Memories = HashMap<(Memory, bool), Arc<Module>>;

/// A memory, as RAM or as registers.
fn memory(step: &Step) -> Made {
    let reads = [
        Read::Asynchronous,
        Read::Registered(Collision::Old),
        Read::Registered(Collision::New),
        Read::Registered(Collision::Undefined),
    ];
    let draw =
        |from: u64, choices: u64| step.value.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> from & (choices - 1);
    let shape = Memory {
        words: 2 << draw(58, 4),
        width: step.width,
        read: reads[draw(56, 4) as usize],
        read_ports: 1 + draw(55, 2) as u32,
    };
    let is_ram = draw(52, 8) > 0;
    let make = || if is_ram { shape.module() } else { shape.registers() };
    let module =
        Arc::clone(MEMORIES.lock().expect("no test panics here").entry((shape, is_ram)).or_insert_with(make));
    let through = |port: u32| match shape.read {
        // The addresses come after the three inputs of the write port.
        Read::Asynchronous => BTreeSet::from([Source::Input(3 + port as usize)]),
        Read::Registered(_) => BTreeSet::new(),
    };
    Made { module, through: (0..shape.read_ports).map(through).collect() }
}

/// A signal that another may depend on within a cycle, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Input(usize),
    Wire(usize),
}

fn make(name: &str, recipe: &ModuleRecipe, below: &[Made]) -> Made {
    let builder = Builder::new(name, "Made at random.");
    let mut pool = Pool::new(&builder);
    for (index, &width) in recipe.inputs.iter().enumerate() {
        let input = builder.input(&format!("in{index}"), width, "");
        pool.add(input, BTreeSet::from([Source::Input(index)]));
    }
    let registers: Vec<Reg> = recipe.registers.iter().map(|register| pool.register(register)).collect();
    recipe.steps.iter().for_each(|step| pool.step(step, below));
    pool.drive_wires();
    for (register, recipe) in registers.into_iter().zip(&recipe.registers) {
        pool.load(register, recipe);
    }
    let through = pool.outputs();
    let module = builder.finish().unwrap_or_else(|errors| panic!("{errors}"));
    Made { module, through }
}

/// The signals of a module that is being made.
struct Pool<'m> {
    builder: &'m Builder,
    entries: Vec<Entry<'m>>,
    wires: Vec<Wire<'m>>,
    names: usize,
}

struct Entry<'m> {
    signal: Signal<'m>,
    reads: BTreeSet<Source>,
    /// Whether another signal of the pool reads all its bits; registers and wires do not count.
    read: bool,
}

struct Wire<'m> {
    signal: Signal<'m>,
    /// The index in the finished pool at which the search for the driver begins.
    driver: usize,
    /// The signals that the driver reads, if there is one.
    reads: Option<BTreeSet<Source>>,
}

impl<'m> Pool<'m> {
    fn new(builder: &'m Builder) -> Self {
        Self { builder, entries: Vec::new(), wires: Vec::new(), names: 0 }
    }

    fn add(&mut self, signal: Signal<'m>, reads: BTreeSet<Source>) {
        self.entries.push(Entry { signal, reads, read: false });
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn index(&self, pick: u16) -> usize {
        self.entries.len() - 1 - usize::from(pick) % self.entries.len()
    }

    /// The signal picked, as it is.
    fn operand(&mut self, pick: u16, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let index = self.index(pick);
        let entry = &mut self.entries[index];
        entry.read = true;
        reads.extend(&entry.reads);
        entry.signal
    }

    /// The signal picked, cut or extended to `width` bits.
    fn fitted(&mut self, pick: u16, width: u32, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let index = self.index(pick);
        let entry = &mut self.entries[index];
        entry.read |= entry.signal.width() <= width;
        reads.extend(&entry.reads);
        fit(entry.signal, width)
    }

    /// The signal picked, cut or extended to a width where one is given; it becomes an output unless another reads it.
    fn unread(&mut self, pick: u16, width: Option<u32>, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let entry = &self.entries[self.index(pick)];
        reads.extend(&entry.reads);
        width.map_or(entry.signal, |width| fit(entry.signal, width))
    }

    fn register(&mut self, recipe: &RegisterRecipe) -> Reg<'m> {
        let name = self.name("r");
        let register = self.builder.reg(&name, recipe.width);
        self.add(register.q, BTreeSet::new());
        match recipe.reset {
            Some(value) if recipe.width < 64 => register.reset(value & ((1 << recipe.width) - 1)),
            Some(value) => register.reset(value),
            None => register,
        }
    }

    /// Gives a register its next value. That does not count as reading: registers may read each other in circles.
    fn load(&self, register: Reg<'m>, recipe: &RegisterRecipe) {
        let next = fit(self.entries[self.index(recipe.next)].signal, recipe.width);
        match recipe.enable {
            Some(enable) => {
                register.next_when(self.entries[self.index(enable)].signal.bit(0), next);
            }
            None => register.next(next),
        }
    }

    fn step(&mut self, step: &Step, below: &[Made]) {
        let reads = &mut BTreeSet::new();
        match step.kind {
            StepKind::Section => self.builder.section(format!("Part {}", step.value % 8)),
            StepKind::Wire => {
                let later = self.entries.len() + usize::from(step.picks[0]);
                self.wire(step.width, later);
            }
            StepKind::Instance => {
                if !below.is_empty() {
                    self.instance(step, &below[step.value as usize % below.len()]);
                }
            }
            StepKind::Memory => {
                let made = memory(step);
                // No output drives an input: the only output would be read by nothing else.
                let forward = 8 * made.module.inputs().count() as u64;
                self.instance(&Step { value: forward, ..step.clone() }, &made);
            }
            StepKind::Table => self.table(step),
            _ => {
                let signal = self.signal(step, reads);
                self.add(signal, std::mem::take(reads));
            }
        }
    }

    /// Declares a wire, to be driven in the end.
    fn wire(&mut self, width: u32, driver: usize) {
        let name = self.name("w");
        let signal = self.builder.wire(&name, width);
        self.add(signal, BTreeSet::from([Source::Wire(self.wires.len())]));
        self.wires.push(Wire { signal, driver, reads: None });
    }

    /// An instance with its inputs connected to signals picked, and all its outputs. In every second instance an
    /// output drives an input, if the output does not depend on the input.
    fn instance(&mut self, step: &Step, made: &Made) {
        let name = self.name("u");
        let mut handle: InstanceHandle = self.builder.instance(&name, &made.module);
        let mut driver_reads = Vec::new();
        let backward = (step.value / 8) as usize % (2 * made.module.inputs().count());
        for (index, port) in made.module.inputs().enumerate() {
            let mut reads = BTreeSet::new();
            let pick = if index == backward {
                let first_output = self.entries.len() + 1;
                self.wire(port.width, first_output);
                0
            } else {
                step.picks[index % 4].wrapping_add(index as u16 / 4)
            };
            let driver = self.fitted(pick, port.width, &mut reads);
            handle = handle.input(&port.name, driver);
            driver_reads.push(reads);
        }
        for (port, through) in made.module.outputs().zip(&made.through) {
            let reads = through.iter().flat_map(|source| match source {
                Source::Input(index) => driver_reads[*index].clone(),
                Source::Wire(_) => unreachable!("wires of the instance are resolved"),
            });
            self.add(handle.output(&port.name), reads.collect());
        }
    }

    fn signal(&mut self, step: &Step, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let [first, second, third, _] = step.picks;
        match step.kind {
            StepKind::Constant => self
                .builder
                .constant(Bits::from_words(step.width, &[step.value; MAX_WIDTH.div_ceil(64) as usize])),
            StepKind::Name => {
                let name = self.name("n");
                self.operand(first, reads).named(&name).note("A note.")
            }
            StepKind::Not => !self.operand(first, reads),
            StepKind::All => self.operand(first, reads).all(),
            StepKind::Any => self.operand(first, reads).any(),
            StepKind::Parity => self.operand(first, reads).parity(),
            StepKind::Slice => {
                // Bits that are cut off count as unread.
                let index = self.index(first);
                let entry = &self.entries[index];
                reads.extend(&entry.reads);
                let low = step.value as u32 % entry.signal.width();
                entry.signal.bits(low..entry.signal.width().min(low + step.width))
            }
            StepKind::Zext => {
                let operand = self.operand(first, reads);
                operand.zext(operand.width().max(step.width))
            }
            StepKind::Repeat => {
                let operand = self.operand(first, reads);
                let most = (MAX_WIDTH / operand.width()).min(5);
                operand.repeat(1 + (step.value % u64::from(most)) as usize)
            }
            StepKind::Concat => self.concat(step, reads),
            StepKind::Mux => {
                // A multiplexer between a signal and itself, or between constants, may read less than its operands,
                // so they count as unread.
                let one = self.unread(second, None, reads);
                let zero = self.unread(third, Some(one.width()), reads);
                self.unread(first, Some(1), reads).mux(one, zero)
            }
            StepKind::Case => self.case(step, reads),
            StepKind::Lookup => self.lookup(step, reads),
            _ => self.binary(step, reads),
        }
    }

    fn binary(&mut self, step: &Step, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let a = self.operand(step.picks[0], reads);
        if matches!(step.kind, StepKind::Shl | StepKind::Shr) {
            // An amount that mostly does not shift out every bit.
            let width = if step.value.is_multiple_of(4) { step.width } else { step.width.min(6) };
            let amount = self.fitted(step.picks[1], width, reads);
            return if step.kind == StepKind::Shl { a << amount } else { a >> amount };
        }
        let b = self.fitted(step.picks[1], a.width(), reads);
        match step.kind {
            StepKind::And => a & b,
            StepKind::Or => a | b,
            StepKind::Xor => a ^ b,
            StepKind::Add => a + b,
            StepKind::Sub => a - b,
            StepKind::Eq => a.eq(b),
            StepKind::Ne => a.ne(b),
            StepKind::Lt => a.lt(b),
            StepKind::Le => a.le(b),
            kind => unreachable!("{kind:?} is no binary operation"),
        }
    }

    fn concat(&mut self, step: &Step, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let mut parts = vec![self.operand(step.picks[0], reads)];
        for &pick in &step.picks[1..] {
            let room = MAX_WIDTH - parts.iter().map(|part| part.width()).sum::<u32>();
            let width = self.entries[self.index(pick)].signal.width().min(room);
            if width > 0 {
                parts.push(self.fitted(pick, width, reads));
            }
        }
        self.builder.concat(parts)
    }

    /// Two arms, one with two labels, near each other and, for a narrow key, likely to be met.
    fn case(&mut self, step: &Step, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        let width = if step.value.is_multiple_of(4) { step.width } else { step.width.min(4) };
        let key = self.fitted(step.picks[0], width, reads);
        let default = self.operand(step.picks[1], reads);
        let first = self.fitted(step.picks[2], default.width(), reads);
        let label = |offset: u64| step.value.wrapping_add(offset) & (u64::MAX >> (64 - width.min(64)));
        if width == 1 {
            return key.case([(&[label(0)], first)], default);
        }
        let second = self.fitted(step.picks[3], default.width(), reads);
        key.case([(&[label(0), label(2)], first), (&[label(1)], second)], default)
    }

    /// A table of up to 64 words, of which some may be left out at the end.
    fn lookup(&mut self, step: &Step, reads: &mut BTreeSet<Source>) -> Signal<'m> {
        // An input is part of the key: Icarus warns of a table that is read at a constant.
        let width = step.width.min(6);
        let oldest = self.entries.len() as u16 - 1;
        let key = self.fitted(step.picks[0], width, reads) ^ self.fitted(oldest, width, reads);
        let width = step.width.min(u64::BITS);
        let mut random = SplitMix(step.value);
        let count = 1 + random.next() % (1 << key.width());
        let words: Vec<u64> = (0..count).map(|_| random.next() >> (u64::BITS - width)).collect();
        key.lookup(&words, width)
    }

    /// Two columns by up to four rows that are often met, some of which meet each other.
    fn table(&mut self, step: &Step) {
        let reads = &mut BTreeSet::new();
        let width = if step.value.is_multiple_of(4) { step.width } else { step.width.min(6) };
        let key = self.fitted(step.picks[0], width, reads);
        let values = [1, 2].map(|pick| self.operand(step.picks[pick], reads));
        // There may be one row only, so these count as unread.
        let others = values.map(|value| self.unread(step.picks[3], Some(value.width()), reads));
        let mut patterns: Vec<Vec<Pattern>> = Vec::new();
        let mut random = SplitMix(step.value);
        for labels in [1, 2, 1, 1] {
            let label = |random: &mut SplitMix| {
                let open = 3.max(u64::from(width).saturating_sub(2));
                let bit = |_| match random.next() % (open + 2) {
                    0 => '0',
                    1 => '1',
                    _ => 'x',
                };
                Pattern::new(&(0..width).map(bit).collect::<String>())
            };
            patterns.push((0..labels).map(|_| label(&mut random)).collect());
            // A row that is never reached is refused.
            if disjoint(&patterns).iter().any(Vec::is_empty) {
                patterns.pop();
            }
        }
        let rows: Vec<Row<2>> = patterns
            .iter()
            .enumerate()
            .map(|(index, labels)| {
                let labels = labels.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let note = if index % 2 == 0 { "A note." } else { "" };
                Row::new(&labels, note, if index % 2 == 0 { values } else { others })
            })
            .collect();
        let names = [self.name("n"), self.name("n")];
        let default = [!values[0], values[1]];
        for column in key.table(names.each_ref().map(String::as_str), rows, default) {
            self.add(column, reads.clone());
        }
    }

    /// Drives each wire by the signal picked or, where that reads the wire, the next that does not.
    fn drive_wires(&mut self) {
        for index in 0..self.wires.len() {
            let (wire, start) = (self.wires[index].signal, self.wires[index].driver % self.entries.len());
            let order = (start..self.entries.len()).chain(0..start);
            let free = order
                .into_iter()
                .find(|&e| !self.reach(&self.entries[e].reads).contains(&Source::Wire(index)));
            let (driver, reads) = match free {
                // The driver stays unread: the wire may lead to nothing but what the driver is an output of.
                Some(entry) => {
                    let entry = &self.entries[entry];
                    (fit(entry.signal, wire.width()), entry.reads.clone())
                }
                None => (fit(self.builder.lit(1, 1), wire.width()), BTreeSet::new()),
            };
            self.builder.drive(wire, driver);
            self.wires[index].reads = Some(reads);
        }
    }

    /// `reads`, and what the wires among them read through their drivers.
    fn reach(&self, reads: &BTreeSet<Source>) -> BTreeSet<Source> {
        let mut reached = BTreeSet::new();
        let mut rest: Vec<Source> = reads.iter().copied().collect();
        while let Some(source) = rest.pop() {
            if reached.insert(source)
                && let Source::Wire(index) = source
            {
                rest.extend(self.wires[index].reads.iter().flatten());
            }
        }
        reached
    }

    /// Makes an output of every signal with bits that no other signal reads, and gives the inputs on which each
    /// depends.
    fn outputs(&self) -> Vec<BTreeSet<Source>> {
        let unread = self.entries.iter().filter(|entry| !entry.read);
        let mut through = Vec::new();
        for (index, entry) in unread.enumerate() {
            self.builder.output(&format!("out{index}"), entry.signal, "");
            let is_input = |source: &Source| matches!(source, Source::Input(_));
            through.push(self.reach(&entry.reads).into_iter().filter(is_input).collect());
        }
        through
    }
}

fn fit(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if signal.width() > width { signal.bits(0..width) } else { signal.zext(width) }
}
