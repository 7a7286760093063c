//! A finished module as plain data, in which indices refer to nodes, registers and instances.

use std::sync::Arc;

use super::rom::{Rom, Words};
use super::{Bits, Mark, Memory, Pattern};

/// Index of a [`Node`] in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Equality, one bit.
    Eq,
    /// Inequality, one bit.
    Ne,
    /// Unsigned less-than, one bit.
    Lt,
    /// Unsigned less-or-equal, one bit.
    Le,
    /// Shift left by the second operand, zeros in.
    Shl,
    /// Shift right by the second operand, zeros in.
    Shr,
}

impl BinaryOp {
    /// The operator's symbol, in Rust's messages as in Verilog.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

/// Reductions of all bits of an operand to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// All bits are 1.
    And,
    /// Some bit is 1.
    Or,
    /// An odd number of bits is 1.
    Xor,
}

/// One choice of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The patterns that the key is compared with: at least one, each as wide as the key.
    pub labels: Vec<Pattern>,
    /// The value that is chosen where the key matches a label.
    pub value: NodeId,
    /// A comment for readers of the Verilog.
    pub note: Option<String>,
}

impl Arm {
    /// Whether the key in `words`, least significant word first, matches a label.
    pub fn matches(&self, words: &[u64]) -> bool {
        self.labels.iter().any(|label| label.matches(words))
    }
}

/// The operation that computes a node. The semantics are in the table of [`super`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Input port, by index in [`Module::inputs`].
    Input(usize),
    /// A constant.
    Const(Bits),
    /// The value a register holds, by index in [`Module::registers`].
    Register(usize),
    /// An output of an instance: index in [`Module::instances`], index of the output in its module.
    InstanceOutput(usize, usize),
    /// Another name for a node, or a node declared before it is driven (`None` only while building).
    Wire(Option<NodeId>),
    /// Bitwise complement.
    Not(NodeId),
    /// Two operands.
    Binary(BinaryOp, NodeId, NodeId),
    /// All bits to one.
    Reduce(ReduceOp, NodeId),
    /// Select (one bit), value where it is 1, value where it is 0.
    Mux(NodeId, NodeId, NodeId),
    /// Key, arms, default: the value of the first arm with a label that the key matches, else the default. The columns
    /// of a [`table`](super::Signal::table) are cases of one key and the same labels.
    Case(NodeId, Vec<Arm>, NodeId),
    /// Key, and the word for each of its values.
    Lookup(NodeId, Arc<[u64]>),
    /// Bits from this bit up, as many as the node is wide.
    Slice(NodeId, u32),
    /// First operand in the high bits.
    Concat(Vec<NodeId>),
}

impl Op {
    /// The nodes whose value this cycle decides this one's: none for a register.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => vec![],
            Op::Wire(driver) => driver.iter().copied().collect(),
            Op::Not(a) | Op::Reduce(_, a) | Op::Slice(a, _) | Op::Lookup(a, _) => vec![*a],
            Op::Binary(_, a, b) => vec![*a, *b],
            Op::Mux(select, one, zero) => vec![*select, *one, *zero],
            Op::Case(key, arms, default) => {
                let mut all = vec![*key];
                all.extend(arms.iter().map(|arm| arm.value));
                all.push(*default);
                all
            }
            Op::Concat(parts) => parts.clone(),
        }
    }
}

impl Op {
    /// The nodes of [`operands`](Self::operands), to be replaced.
    pub(super) fn operands_mut(&mut self) -> Vec<&mut NodeId> {
        match self {
            Self::Input(_) | Self::Const(_) | Self::Register(_) | Self::InstanceOutput(..) => vec![],
            Self::Wire(driver) => driver.iter_mut().collect(),
            Self::Not(a) | Self::Reduce(_, a) | Self::Slice(a, _) | Self::Lookup(a, _) => vec![a],
            Self::Binary(_, a, b) => vec![a, b],
            Self::Mux(select, one, zero) => vec![select, one, zero],
            Self::Case(key, arms, default) => {
                let mut all = vec![key];
                all.extend(arms.iter_mut().map(|arm| &mut arm.value));
                all.push(default);
                all
            }
            Self::Concat(parts) => parts.iter_mut().collect(),
        }
    }
}

/// Names for the values of a signal, shown by waveform viewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The subject of the labels, an identifier: `error_kind`.
    pub name: String,
    /// Value and name.
    pub values: Vec<(u64, String)>,
}

/// A signal of a module.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operation that computes the node.
    pub op: Op,
    /// Width in bits.
    pub width: u32,
    /// Name, where the source gave one; it survives into Verilog and waves.
    pub name: Option<String>,
    /// A comment for readers of the Verilog.
    pub note: Option<String>,
    /// Names of its values.
    pub labels: Option<Arc<Labels>>,
    /// Index in [`Module::sections`].
    pub section: usize,
}

/// Which way a port faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven by the module.
    Output,
}

/// A named port.
#[derive(Clone, Debug)]
pub struct Port {
    /// Name, as in Verilog.
    pub name: String,
    /// Which way it faces.
    pub direction: Direction,
    /// Width in bits.
    pub width: u32,
    /// Meaning, for port tables and comments.
    pub note: String,
    /// Heading of the port's group.
    pub group: String,
    /// The input's node, or the node that drives the output.
    pub node: NodeId,
}

/// A register: its node is [`Op::Register`].
#[derive(Clone, Debug)]
pub struct Register {
    /// The node of its value.
    pub node: NodeId,
    /// The next value (`None` only while building).
    pub next: Option<NodeId>,
    /// One bit: load only where 1.
    pub enable: Option<NodeId>,
    /// Value under reset; `None` leaves it alone.
    pub reset: Option<Bits>,
    /// Section in which it is driven, for the emitter.
    pub section: usize,
    /// The pipeline stage of the value: without stalls, the core took the data `stage` cycles ago. `None` for a register outside
    /// of the stages, such as one of the handshake.
    pub stage: Option<u32>,
    /// The lane of the beat that its value belongs to.
    pub lane: Option<u32>,
    /// The function of the register in the pipeline.
    pub role: RegisterRole,
    /// The stage that reads the register, if the register keeps state from beat to beat.
    pub carried: Option<u32>,
    /// A word for what it holds, the same in all lanes and stages: the name that it was made with, without numbers.
    pub family: String,
}

/// The function of a register in a pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RegisterRole {
    /// Data of a stage, or control that goes with it.
    #[default]
    Data,
    /// A beat waits in its stage, while what the beat before had no room for goes out.
    Waits,
    /// A beat is in its stage, and does not wait.
    GoesOn,
    /// A slot for which its beat has no room rides in the next beat of the frame.
    Rides,
    /// A slot for which the last beat of a frame has no room goes out alone.
    GoesAlone,
    /// 1 in the cycle after reset, which clears the stages.
    Flush,
    /// Enable of the stages up to the slots of the units.
    EnableUnits,
    /// Enable of the stages of slots.
    EnableSlots,
    /// Enable of the registers that say which window of a beat an encoder presents: the stage loads, or presents the next window.
    EnableWindows,
    /// Number of empty stages of an encoder, from the stage of the register to the windows, in unary: as many of the low bits are 1.
    Empty,
    /// Ready of the core's input.
    Ready,
    /// The output buffer has room for a beat.
    Room,
    /// Any other register that decides which stages move.
    Pace,
    /// Ready of a skid buffer.
    BufferReady,
    /// The second register of a skid buffer holds a beat.
    BufferSkid,
    /// Any other register of a buffer.
    Buffer,
}

impl RegisterRole {
    /// Decides which stages move.
    pub fn is_pace(self) -> bool {
        matches!(
            self,
            Self::EnableUnits
                | Self::EnableSlots
                | Self::EnableWindows
                | Self::Empty
                | Self::Ready
                | Self::Room
                | Self::Pace
        )
    }

    /// Belongs to a buffer.
    pub fn is_buffer(self) -> bool {
        matches!(self, Self::BufferReady | Self::BufferSkid | Self::Buffer)
    }
}

/// A module used inside another.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Name of the instance.
    pub name: String,
    /// The module that is instantiated.
    pub module: Arc<Module>,
    /// Driver of each input, in the order of [`Module::inputs`] (`None` only while building).
    pub inputs: Vec<Option<NodeId>>,
    /// Nodes of the outputs that are read, in the order of [`Module::outputs`].
    pub outputs: Vec<Option<NodeId>>,
    /// Index in [`Module::sections`].
    pub section: usize,
    /// The lane of the beat that all its registers belong to.
    pub lane: Option<u32>,
    /// The pipeline of the instance is a part of its own, with stages that are numbered from 1 on.
    pub is_part: bool,
}

/// A part of a module with a heading, such as a pipeline stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The pipeline stages whose work it describes, the first and the last.
    pub stages: Option<(u32, u32)>,
    /// The heading; empty for the part before the first heading.
    pub title: String,
}

impl Section {
    /// The pipeline stage, if the section is one.
    pub fn stage(&self) -> Option<u32> {
        self.stages.filter(|(first, last)| first == last).map(|(stage, _)| stage)
    }

    /// The heading for readers: the stages, if there are any, and the title.
    pub fn heading(&self) -> String {
        match self.stages {
            None => self.title.clone(),
            Some((first, last)) if first == last => format!("Stage {first}: {}", self.title),
            Some((first, last)) => format!("Stages {first} to {last}: {}", self.title),
        }
    }
}

/// A finished, checked module.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) nodes: Vec<Node>,
    pub(super) ports: Vec<Port>,
    pub(super) registers: Vec<Register>,
    pub(super) instances: Vec<Instance>,
    pub(super) sections: Vec<Section>,
    /// The memory that the module is; its nodes and registers are the same as logic.
    pub(super) memory: Option<Words>,
    /// Signals at boundaries between parts of the pipeline.
    pub(super) marks: Vec<(Mark, NodeId)>,
}

impl Module {
    /// Name, unique in a design.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The module's purpose and guarantees, for the comment at its head.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The module's signals.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The signals at boundaries between parts of the pipeline.
    pub fn marks(&self) -> &[(Mark, NodeId)] {
        &self.marks
    }

    /// One signal.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All ports, in order of declaration.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// All ports, group by group, in order of declaration. In a group, ports that go with the flow of most come first:
    /// ready follows the signals that it answers.
    pub fn ports_by_group(&self) -> Vec<&Port> {
        let first = |port: &Port| self.ports.iter().position(|other| other.group == port.group);
        let against = |port: &Port| {
            let (with, against): (Vec<&Port>, Vec<&Port>) = self
                .ports
                .iter()
                .filter(|other| other.group == port.group)
                .partition(|other| other.direction == port.direction);
            with.len() < against.len()
        };
        let mut ports: Vec<&Port> = self.ports.iter().collect();
        ports.sort_by_key(|port| (first(port), against(port)));
        ports
    }

    /// Input ports, in order; clock and reset are not among them.
    pub fn inputs(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(|port| port.direction == Direction::Input)
    }

    /// Output ports, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(|port| port.direction == Direction::Output)
    }

    /// The module's registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers
    }

    /// The module's instances.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The module's sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The memory that the module is, to be written as an array.
    pub fn memory(&self) -> Option<Memory> {
        match self.memory {
            Some(Words::Written(memory)) => Some(memory),
            _ => None,
        }
    }

    /// The table that the module is, to be written as an array with initial contents.
    pub fn rom(&self) -> Option<&Rom> {
        match &self.memory {
            Some(Words::Constant(rom)) => Some(rom),
            _ => None,
        }
    }

    /// Whether it, or a module in it, has a register.
    pub fn has_clock(&self) -> bool {
        !self.registers.is_empty() || self.instances.iter().any(|i| i.module.has_clock())
    }

    /// Whether it, or a module in it, has a register with a reset value.
    pub fn has_reset(&self) -> bool {
        self.registers.iter().any(|r| r.reset.is_some())
            || self.instances.iter().any(|i| i.module.has_reset())
    }
}

impl Module {
    /// A node by its name, or by its operation on the names of its operands.
    pub(super) fn describe(&self, id: NodeId, depth: u32) -> String {
        let node = self.node(id);
        if let Some(name) = &node.name {
            return name.clone();
        }
        if depth == 0 {
            return "…".to_owned();
        }
        let text = |id: &NodeId| self.describe(*id, depth - 1);
        match &node.op {
            Op::Const(value) => format!("{value:?}"),
            Op::InstanceOutput(instance, port) => {
                let instance = &self.instances()[*instance];
                let port = instance.module.outputs().nth(*port).expect("a port of the module");
                format!("{}.{}", instance.name, port.name)
            }
            Op::Not(a) => format!("!{}", text(a)),
            Op::Binary(op, a, b) => format!("({} {} {})", text(a), op.symbol(), text(b)),
            Op::Reduce(op, a) => format!("{op:?} of {}", text(a)),
            Op::Mux(select, one, zero) => format!("({} ? {} : {})", text(select), text(one), text(zero)),
            Op::Case(key, ..) => format!("case of {}", text(key)),
            Op::Lookup(key, _) => format!("look-up of {}", text(key)),
            Op::Slice(of, low) => format!("{}[{}:{low}]", text(of), low + node.width - 1),
            Op::Concat(parts) => format!("{{{}}}", parts.iter().map(text).collect::<Vec<_>>().join(", ")),
            Op::Input(_) | Op::Register(_) | Op::Wire(_) => format!("unnamed {}", id.0),
        }
    }
}
