//! A design without its hierarchy: a list of all signals, and an order in which each signal can be computed from
//! earlier ones.

use std::collections::HashMap;
use std::sync::Arc;

use utfhdl_hdl::netlist::{
    BinaryOp, Bits, Design, Labels, Mark, Module, Node, NodeId, Op, Pattern, ReduceOp, RegisterRole, Section,
};

/// The operation that computes a flat signal; operands are indices in [`Flat::signals`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlatOp {
    /// An input of the design, by index in [`Flat::inputs`].
    Input(usize),
    /// A constant.
    Const(Bits),
    /// The value of a register, by index in [`Flat::registers`].
    Register(usize),
    /// Bitwise complement.
    Not(usize),
    /// Two operands.
    Binary(BinaryOp, usize, usize),
    /// All bits to one.
    Reduce(ReduceOp, usize),
    /// Select, value where it is 1, value where it is 0.
    Mux(usize, usize, usize),
    /// Key, arms with their labels, default: the value of the first arm with a label that the key matches.
    Case(usize, Vec<(Vec<Pattern>, usize)>, usize),
    /// Key, and the word for each of its values.
    Lookup(usize, Arc<[u64]>),
    /// Bits from this bit up, as many as the signal is wide.
    Slice(usize, u32),
    /// First operand in the high bits.
    Concat(Vec<usize>),
}

impl FlatOp {
    /// The signals that it reads within the cycle.
    pub fn operands(&self) -> Vec<usize> {
        match self {
            Self::Input(_) | Self::Const(_) | Self::Register(_) => vec![],
            Self::Not(a) | Self::Reduce(_, a) | Self::Slice(a, _) | Self::Lookup(a, _) => vec![*a],
            Self::Binary(_, a, b) => vec![*a, *b],
            Self::Mux(a, b, c) => vec![*a, *b, *c],
            Self::Case(key, arms, default) => {
                let values = arms.iter().map(|(_, value)| *value);
                [*key].into_iter().chain(values).chain([*default]).collect()
            }
            Self::Concat(parts) => parts.clone(),
        }
    }
}

/// A signal of the flat design.
#[derive(Clone, Debug)]
pub struct FlatSignal {
    /// The operation that computes the signal.
    pub op: FlatOp,
    /// Width in bits.
    pub width: u32,
}

/// A register of the design, by indices in [`Flat::signals`].
#[derive(Clone, Debug)]
pub struct FlatRegister {
    /// The signal of its value.
    pub value: usize,
    /// The signal that it loads.
    pub next: usize,
    /// A signal that is 0 in cycles in which the register keeps its value.
    pub enable: Option<usize>,
    /// The value under reset; `None` for a register without reset.
    pub reset: Option<Bits>,
    /// The pipeline stage of its value.
    pub stage: Option<u32>,
    /// The lane of the beat that its value belongs to.
    pub lane: Option<u32>,
    /// Whether it is in an instance whose pipeline is a part of its own, with stages from 1 on.
    pub is_in_part: bool,
    /// Its function in the pipeline.
    pub role: RegisterRole,
    /// A register of a module: instances of the module for different lanes have the same.
    pub template: Template,
}

/// A register of a module, whichever lane an instance of the module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template {
    /// The instances that lead to the module, those for lanes as one.
    pub scope: usize,
    /// The register's index in the module; `None` in one that is not instantiated for lanes.
    pub register: Option<usize>,
    /// A number for the register's [family](utfhdl_hdl::netlist::Register::family).
    pub family: usize,
}

/// A name for a signal. One signal can have several: a net has a name in each module it passes through.
#[derive(Clone, Debug)]
pub struct NamedSignal {
    /// The name in its module.
    pub name: String,
    /// Index in [`Flat::signals`].
    pub signal: usize,
    /// Width in bits.
    pub width: u32,
    /// The comment on it in the source.
    pub note: Option<String>,
    /// Names of its values, such as those of states.
    pub labels: Option<Arc<Labels>>,
    /// Whether it is a register of its module.
    pub register: bool,
    /// Index in [`Scope::sections`].
    pub section: usize,
}

/// An instance, or the top, with the names in it.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Name of the instance; of the module, for the top.
    pub name: String,
    /// The sections of the module, such as pipeline stages. Signals before the first heading are in a section with an
    /// empty title.
    pub sections: Vec<Section>,
    /// Signals in the order of the source: inputs, signals inside, outputs.
    pub signals: Vec<NamedSignal>,
    /// The instances in it.
    pub children: Vec<Scope>,
}

/// A flattened design.
#[derive(Clone, Debug)]
pub struct Flat {
    /// All signals.
    pub signals: Vec<FlatSignal>,
    /// Every signal that is needed, once, after all signals that it reads.
    pub order: Vec<usize>,
    /// All registers.
    pub registers: Vec<FlatRegister>,
    /// The signal of each input, in the order of the ports; reset is not among them.
    pub inputs: Vec<usize>,
    /// The signal of each output, in the order of the ports.
    pub outputs: Vec<usize>,
    /// The signals at boundaries between parts of a pipeline.
    pub marks: Vec<(Mark, usize)>,
    /// The names.
    pub scope: Scope,
}

impl Flat {
    /// Flattens `design`.
    pub fn new(design: &Design) -> Self {
        let mut flattener = Flattener::default();
        let (base, mut scope) = flattener.module(&design.top, design.top.name(), None, Way::default());
        let canonical = flattener.canonical();
        let mut signals: Vec<FlatSignal> = flattener.signals.into_iter().map(|(signal, _)| signal).collect();
        signals.iter_mut().for_each(|signal| rename(&mut signal.op, &canonical));
        let mut registers = flattener.registers;
        for register in &mut registers {
            register.next = canonical[register.next];
            register.enable = register.enable.map(|enable| canonical[enable]);
        }
        let inputs = design.top.inputs().map(|port| base + port.node.index()).collect();
        let outputs: Vec<usize> =
            design.top.outputs().map(|port| canonical[base + port.node.index()]).collect();
        let marks: Vec<(Mark, usize)> =
            flattener.marks.iter().map(|&(mark, signal)| (mark, canonical[signal])).collect();
        let mut named = Vec::new();
        scope.for_each_signal(&mut |signal| {
            signal.signal = canonical[signal.signal];
            named.push(signal.signal);
        });
        named.extend(marks.iter().map(|&(_, signal)| signal));
        let loads = registers.iter().flat_map(|r| [Some(r.value), Some(r.next), r.enable]).flatten();
        let roots: Vec<usize> = outputs.iter().copied().chain(loads).chain(named).collect();
        let order = levelise(&signals, &roots);
        Self { signals, order, registers, inputs, outputs, marks, scope }
    }
}

impl Scope {
    fn for_each_signal(&mut self, visit: &mut impl FnMut(&mut NamedSignal)) {
        self.signals.iter_mut().for_each(&mut *visit);
        self.children.iter_mut().for_each(|child| child.for_each_signal(visit));
    }
}

/// Copies module after module into one list. A wire or a port of an instance is replaced by its driver at the end,
/// since instances may be connected in cycles that only registers break.
#[derive(Default)]
struct Flattener {
    signals: Vec<(FlatSignal, Option<usize>)>,
    registers: Vec<FlatRegister>,
    marks: Vec<(Mark, usize)>,
    /// The scopes by the one above, and the module or the instance in it.
    scopes: HashMap<(usize, Result<*const Module, usize>), usize>,
    families: HashMap<String, usize>,
}

/// The way to a module.
#[derive(Clone, Copy, Default)]
struct Way {
    scope: usize,
    lane: Option<u32>,
    is_in_part: bool,
}

/// The drivers of an instance's inputs: the flat index of the parent's first node, and the node that drives each
/// input.
type Drivers<'m> = (usize, &'m [Option<NodeId>]);

impl Flattener {
    /// Copies `module`; gives the flat index of its first node, and its names.
    fn module(&mut self, module: &Module, name: &str, drivers: Option<Drivers>, way: Way) -> (usize, Scope) {
        let base = self.signals.len();
        for node in module.nodes() {
            let (op, alias) = flat_op(&node.op, base, self.registers.len(), drivers);
            self.signals.push((FlatSignal { op, width: node.width }, alias));
        }
        let at = |id: NodeId| base + id.index();
        let in_lane = |mark: Mark| way.lane.map_or(mark, |lane| mark.in_lane(lane as usize));
        self.marks.extend(module.marks().iter().map(|&(mark, node)| (in_lane(mark), at(node))));
        for (index, register) in module.registers().iter().enumerate() {
            let families = self.families.len();
            let family = *self.families.entry(register.family.clone()).or_insert(families);
            self.registers.push(FlatRegister {
                value: at(register.node),
                next: at(register.next.expect("a finished module is driven")),
                enable: register.enable.map(at),
                reset: register.reset.clone(),
                stage: register.stage,
                role: register.role,
                lane: way.lane.or(register.lane),
                is_in_part: way.is_in_part,
                template: Template { scope: way.scope, register: way.lane.map(|_| index), family },
            });
        }
        let sections = module.sections().to_vec();
        let (name, signals) = (name.to_owned(), names(module, base));
        let mut scope = Scope { name, sections, signals, children: Vec::new() };
        for (index, instance) in module.instances().iter().enumerate() {
            let step = if instance.lane.is_some() { Ok(Arc::as_ptr(&instance.module)) } else { Err(index) };
            let scopes = self.scopes.len() + 1;
            let inner = *self.scopes.entry((way.scope, step)).or_insert(scopes);
            let is_in_part = way.is_in_part || instance.is_part;
            let way = Way { scope: inner, lane: way.lane.or(instance.lane), is_in_part };
            let (child_base, child) =
                self.module(&instance.module, &instance.name, Some((base, &instance.inputs)), way);
            for (port, node) in instance.module.outputs().zip(&instance.outputs) {
                if let Some(node) = node {
                    self.signals[at(*node)].1 = Some(child_base + port.node.index());
                }
            }
            scope.children.push(child);
        }
        (base, scope)
    }

    /// The driver that replaces each signal in the end; a signal that is not replaced maps to itself.
    fn canonical(&self) -> Vec<usize> {
        let resolve = |mut index: usize| {
            while let Some(other) = self.signals[index].1 {
                index = other;
            }
            index
        };
        (0..self.signals.len()).map(resolve).collect()
    }
}

/// The operation of a node, with `base` added to its operands, and the driver that replaces the signal, if any.
fn flat_op(op: &Op, base: usize, first_register: usize, drivers: Option<Drivers>) -> (FlatOp, Option<usize>) {
    let at = |id: &NodeId| base + id.index();
    let flat = match op {
        Op::Input(index) => {
            let driver = drivers.map(|(parent, inputs)| {
                parent + inputs[*index].expect("a finished module is driven").index()
            });
            return (FlatOp::Input(*index), driver);
        }
        Op::Wire(driver) => {
            return (FlatOp::Concat(vec![]), Some(at(&driver.expect("a finished module is driven"))));
        }
        // The instance is flattened later, and the signal of its output is filled in then.
        Op::InstanceOutput(..) => FlatOp::Concat(vec![]),
        Op::Const(value) => FlatOp::Const(value.clone()),
        Op::Register(index) => FlatOp::Register(first_register + index),
        Op::Not(a) => FlatOp::Not(at(a)),
        Op::Binary(op, a, b) => FlatOp::Binary(*op, at(a), at(b)),
        Op::Reduce(op, a) => FlatOp::Reduce(*op, at(a)),
        Op::Mux(select, one, zero) => FlatOp::Mux(at(select), at(one), at(zero)),
        Op::Case(key, arms, default) => {
            let arms = arms.iter().map(|arm| (arm.labels.clone(), at(&arm.value))).collect();
            FlatOp::Case(at(key), arms, at(default))
        }
        Op::Lookup(key, words) => FlatOp::Lookup(at(key), Arc::clone(words)),
        Op::Slice(of, low) => FlatOp::Slice(at(of), *low),
        Op::Concat(parts) => FlatOp::Concat(parts.iter().map(at).collect()),
    };
    (flat, None)
}

fn rename(op: &mut FlatOp, canonical: &[usize]) {
    let rename = |index: &mut usize| *index = canonical[*index];
    match op {
        FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_) => {}
        FlatOp::Not(a) | FlatOp::Reduce(_, a) | FlatOp::Slice(a, _) | FlatOp::Lookup(a, _) => rename(a),
        FlatOp::Binary(_, a, b) => [a, b].into_iter().for_each(rename),
        FlatOp::Mux(a, b, c) => [a, b, c].into_iter().for_each(rename),
        FlatOp::Case(key, arms, default) => {
            let values = arms.iter_mut().map(|(_, value)| value);
            [key, default].into_iter().chain(values).for_each(rename);
        }
        FlatOp::Concat(parts) => parts.iter_mut().for_each(rename),
    }
}

/// The names of a module: its named nodes, then its outputs. Named constants are parameters, not signals.
fn names(module: &Module, base: usize) -> Vec<NamedSignal> {
    // A register belongs to the section in which it is driven, since it is often declared long before.
    let section = |node: &Node| match node.op {
        Op::Register(index) => module.registers()[index].section,
        _ => node.section,
    };
    let register = |node: &Node| matches!(node.op, Op::Register(_));
    let nodes = module.nodes().iter().enumerate().filter(|(_, node)| !matches!(node.op, Op::Const(_)));
    let nodes = nodes.filter_map(|(index, node)| {
        Some(NamedSignal {
            name: node.name.clone()?,
            signal: base + index,
            width: node.width,
            note: node.note.clone(),
            labels: node.labels.clone(),
            register: register(node),
            section: section(node),
        })
    });
    let outputs = module.outputs().map(|port| NamedSignal {
        name: port.name.clone(),
        signal: base + port.node.index(),
        width: port.width,
        note: Some(port.note.clone()),
        labels: module.node(port.node).labels.clone(),
        register: register(module.node(port.node)),
        section: section(module.node(port.node)),
    });
    nodes.chain(outputs).collect()
}

/// Orders the signals that `roots` need so that operands come first: depth-first, with a stack on the heap.
fn levelise(signals: &[FlatSignal], roots: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; signals.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
    for &root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        stack.push((root, signals[root].op.operands()));
        while let Some((signal, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if seen[next] => {}
                Some(next) => {
                    seen[next] = true;
                    stack.push((next, signals[next].op.operands()));
                }
                None => {
                    order.push(*signal);
                    stack.pop();
                }
            }
        }
    }
    order
}
