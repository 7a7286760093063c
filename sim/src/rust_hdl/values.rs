//! The values of a module's nodes, and the tasks that compute them.

use utfhdl_hdl::netlist::{Module, NodeId, Op, Register};

use super::narrow::Narrow;
use super::tasks::{Due, Task, first_readers, tasks};
use super::words::{self, Span, copy_bits, words_of};

/// A task, with everything that is needed to do it.
#[derive(Debug)]
enum Work {
    /// Compute a node of at most 64 bits from such nodes. All its readers come later.
    Narrow { to: u32, narrow: Narrow },
    /// Compute such a node that has a reader earlier in the order.
    NarrowAgainstOrder { to: u32, first_reader: u32, narrow: Narrow },
    /// Compute a node of more than 64 bits, or from an operand of more.
    Wide(NodeId, Op),
    /// Update an instance.
    Instance(usize),
}

/// A register whose value has at most 64 bits.
#[derive(Clone, Copy, Debug)]
struct NarrowRegister {
    to: u32,
    next: u32,
    enable: Option<u32>,
    reset: Option<u64>,
    first_reader: u32,
}

/// The value of every node of a module; bits past a width are zero.
#[derive(Debug)]
struct Nodes {
    /// The position of each node in `words`.
    spans: Vec<Span>,
    words: Vec<u64>,
}

/// The values of a module and the tasks that compute them.
#[derive(Debug)]
pub(super) struct Values {
    nodes: Nodes,
    /// The first task that reads each node.
    first_readers: Vec<u32>,
    /// The tasks by their numbers.
    work: Vec<Work>,
    /// The number of each instance's task.
    instances: Vec<u32>,
    due: Due,
    narrow_registers: Vec<NarrowRegister>,
    wide_registers: Vec<Register>,
    /// Room for one value that is being computed.
    scratch: Vec<u64>,
    /// Room for the next values of the registers.
    loading: Vec<u64>,
}

impl Values {
    /// All values are 0 except constants, and all tasks are due.
    pub fn new(module: &Module) -> Self {
        let nodes = module.nodes();
        let (mut spans, mut words) = (Vec::with_capacity(nodes.len()), Vec::new());
        for node in nodes {
            spans.push(Span { first: words.len() as u32, width: node.width });
            match &node.op {
                Op::Const(value) => words.extend_from_slice(value.words()),
                _ => words.resize(words.len() + words_of(node.width), 0),
            }
        }
        let tasks = tasks(module);
        let first_readers = first_readers(module, &tasks);
        let work = (0..).zip(&tasks).map(|(number, task)| match *task {
            Task::Instance(instance) => Work::Instance(instance),
            Task::Node(id) => {
                let (op, span) = (&module.node(id).op, spans[id.index()]);
                let (to, first_reader) = (span.first, first_readers[id.index()]);
                match Narrow::new(op, span, &spans) {
                    Some(narrow) if first_reader > number => Work::Narrow { to, narrow },
                    Some(narrow) => Work::NarrowAgainstOrder { to, first_reader, narrow },
                    None => Work::Wide(id, op.clone()),
                }
            }
        });
        let work: Vec<Work> = work.collect();
        let mut instances = vec![0; module.instances().len()];
        for (number, task) in (0..).zip(&tasks) {
            if let Task::Instance(instance) = task {
                instances[*instance] = number;
            }
        }
        let is_narrow = |register: &&Register| spans[register.node.index()].width <= 64;
        let (narrow, wide): (Vec<_>, Vec<_>) = module.registers().iter().partition(is_narrow);
        let at = |id: NodeId| spans[id.index()].first;
        let narrow_registers = narrow.into_iter().map(|register| NarrowRegister {
            to: at(register.node),
            next: at(register.next.expect("a finished module is driven")),
            enable: register.enable.map(at),
            reset: register.reset.as_ref().map(|reset| reset.words()[0]),
            first_reader: first_readers[register.node.index()],
        });
        let narrow_registers = narrow_registers.collect();
        let wide_registers = wide.into_iter().cloned().collect();
        let scratch = vec![0; nodes.iter().map(|node| words_of(node.width)).max().unwrap_or(0)];
        Self {
            nodes: Nodes { spans, words },
            first_readers,
            work,
            instances,
            due: Due::ALL,
            narrow_registers,
            wide_registers,
            scratch,
            loading: Vec::new(),
        }
    }

    /// Whether every value is up to date and none has changed since the last round.
    pub fn is_settled(&self) -> bool {
        self.due.is_empty()
    }

    /// Begins a round, and gives the number of the first task that is due.
    pub fn start_round(&mut self) -> u32 {
        self.due.take()
    }

    /// Makes the task of an instance due.
    pub fn add_instance(&mut self, instance: usize) {
        self.due.add(self.instances[instance]);
    }

    /// Value of a node, least significant word first.
    pub fn get(&self, id: NodeId) -> &[u64] {
        self.nodes.get(id)
    }

    /// Sets a node. If the value is new, the tasks that read it become due.
    pub fn set(&mut self, id: NodeId, value: &[u64]) {
        let old = self.nodes.get_mut(id);
        if words::differ(old, value) {
            old.copy_from_slice(value);
            self.due.add(self.first_readers[id.index()]);
        }
    }

    /// Sets a node that is an output of an instance, whose task has this number. Only readers with a lower number
    /// become due: the others are still to come in this round.
    pub fn set_output(&mut self, id: NodeId, value: &[u64], number: u32) {
        let (first_reader, old) = (self.first_readers[id.index()], self.nodes.get_mut(id));
        if first_reader <= number && words::differ(old, value) {
            self.due.add(first_reader);
        }
        old.copy_from_slice(value);
    }

    /// The rising edge: all registers load at once.
    pub fn load(&mut self, in_reset: bool) {
        // One register may load another's value: all are read before any is written.
        let Self { nodes, first_readers, due, narrow_registers, wide_registers, loading, .. } = self;
        loading.clear();
        loading.extend(narrow_registers.iter().map(|register| {
            let enabled = register.enable.is_none_or(|enable| nodes.words[enable as usize] == 1);
            match register.reset {
                Some(reset) if in_reset => reset,
                _ => nodes.words[if enabled { register.next } else { register.to } as usize],
            }
        }));
        for register in &*wide_registers {
            loading.extend_from_slice(nodes.loaded(register, in_reset));
        }
        let (narrow, mut wide) = loading.split_at(narrow_registers.len());
        for (register, &value) in narrow_registers.iter().zip(narrow) {
            if std::mem::replace(&mut nodes.words[register.to as usize], value) != value {
                due.add(register.first_reader);
            }
        }
        for register in &*wide_registers {
            let old = nodes.get_mut(register.node);
            let (value, others) = wide.split_at(old.len());
            if words::differ(old, value) {
                old.copy_from_slice(value);
                due.add(first_readers[register.node.index()]);
            }
            wide = others;
        }
    }

    /// Does the tasks from this number on, up to the next instance. Gives the number of its task, and the instance.
    pub fn evaluate(&mut self, first: u32) -> Option<(u32, usize)> {
        let Self { nodes, first_readers, work, due, scratch, .. } = self;
        for (number, work) in (first..).zip(work.get(first as usize..)?) {
            match work {
                Work::Narrow { to, narrow } => nodes.words[*to as usize] = narrow.compute(&nodes.words),
                Work::NarrowAgainstOrder { to, first_reader, narrow } => {
                    let value = narrow.compute(&nodes.words);
                    if std::mem::replace(&mut nodes.words[*to as usize], value) != value {
                        due.add(*first_reader);
                    }
                }
                Work::Wide(id, op) => {
                    let width = nodes.width(*id);
                    let value = &mut scratch[..words_of(width)];
                    value.fill(0);
                    nodes.wide(op, width, value);
                    let first_reader = first_readers[id.index()];
                    let old = nodes.get_mut(*id);
                    if first_reader <= number && words::differ(old, value) {
                        due.add(first_reader);
                    }
                    old.copy_from_slice(value);
                }
                Work::Instance(instance) => return Some((number, *instance)),
            }
        }
        None
    }
}

impl Nodes {
    /// Value of a node, least significant word first.
    fn get(&self, id: NodeId) -> &[u64] {
        &self.words[self.spans[id.index()].range()]
    }

    fn get_mut(&mut self, id: NodeId) -> &mut [u64] {
        &mut self.words[self.spans[id.index()].range()]
    }

    /// The value of a register after the edge.
    fn loaded<'v>(&'v self, register: &'v Register, in_reset: bool) -> &'v [u64] {
        let enabled = register.enable.is_none_or(|enable| self.word(enable) == 1);
        match &register.reset {
            Some(reset) if in_reset => reset.words(),
            _ if enabled => self.get(register.next.expect("a finished module is driven")),
            _ => self.get(register.node),
        }
    }

    fn word(&self, id: NodeId) -> u64 {
        self.words[self.spans[id.index()].first as usize]
    }

    fn width(&self, id: NodeId) -> u32 {
        self.spans[id.index()].width
    }

    /// Computes `op` at any width into `to`, which holds zeros.
    fn wide(&self, op: &Op, width: u32, to: &mut [u64]) {
        match op {
            Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => {
                unreachable!("inputs, constants, registers and outputs of instances are not computed")
            }
            Op::Wire(driver) => to.copy_from_slice(self.get(driver.expect("a finished module is driven"))),
            Op::Not(a) => words::not(self.get(*a), to, width),
            Op::Binary(op, a, b) => words::binary(*op, self.get(*a), self.get(*b), to, width),
            Op::Reduce(op, a) => to[0] = u64::from(words::reduce(*op, self.get(*a), self.width(*a))),
            Op::Mux(select, one, zero) => {
                to.copy_from_slice(self.get(if self.word(*select) == 1 { *one } else { *zero }));
            }
            Op::Case(key, arms, default) => {
                let key = self.get(*key);
                let arm = arms.iter().find(|arm| arm.matches(key));
                to.copy_from_slice(self.get(arm.map_or(*default, |arm| arm.value)));
            }
            Op::Lookup(key, words) => to[0] = words[self.word(*key) as usize],
            Op::Slice(of, low) => copy_bits(to, 0, self.get(*of), *low, width),
            Op::Concat(parts) => {
                let mut at = width;
                for part in parts {
                    at -= self.width(*part);
                    copy_bits(to, at, self.get(*part), 0, self.width(*part));
                }
            }
        }
    }
}
