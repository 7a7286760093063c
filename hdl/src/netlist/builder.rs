//! Builds a module: its ports, registers, wires and sections. Operators are in [`signal`](super::signal), instances in
//! [`instance`](super::instance).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::check::{self, CheckError, CheckErrors};
use super::delay::Delay;
use super::module::{Direction, Module, Node, NodeId, Op, Port, Register, RegisterRole, Section};
use super::{Bits, Signal, trim};

/// A module that is being built.
pub struct Builder {
    pub(super) module: RefCell<Module>,
    group: RefCell<String>,
    /// Registers that delay a signal, and what those are named after.
    pub(super) delays: RefCell<HashMap<Delay, NodeId>>,
    pub(super) called: RefCell<HashMap<NodeId, String>>,
    /// The enables of the stages of each [pipeline](Self::pipeline).
    pipelines: RefCell<Vec<Vec<NodeId>>>,
}

impl Builder {
    /// Begins a module called `name`; `summary` says in a sentence or two what the module does and guarantees.
    pub fn new(name: impl Into<String>, summary: impl Into<String>) -> Self {
        let module = Module {
            name: name.into(),
            summary: summary.into(),
            nodes: Vec::new(),
            ports: Vec::new(),
            registers: Vec::new(),
            instances: Vec::new(),
            sections: vec![Section::default()],
        };
        Self {
            module: RefCell::new(module),
            group: RefCell::default(),
            delays: RefCell::default(),
            called: RefCell::default(),
            pipelines: RefCell::default(),
        }
    }

    /// Begins a part of the module with a heading. Everything made or driven after it goes under that heading.
    pub fn section(&self, title: impl Into<String>) {
        self.begin(None, title.into());
    }

    /// Begins the part of the module that does the work of a pipeline stage; `title` says what that is. A register that is driven in it
    /// and has no [stage](Reg::at_stage) of its own has this one.
    pub fn stage_section(&self, stage: u32, title: impl Into<String>) {
        self.begin(Some((stage, stage)), title.into());
    }

    /// The same of all stages from `first` to `last`. Registers get no stage from it.
    pub fn stages_section(&self, first: u32, last: u32, title: impl Into<String>) {
        self.begin(Some((first, last)), title.into());
    }

    fn begin(&self, stages: Option<(u32, u32)>, title: String) {
        self.module.borrow_mut().sections.push(Section { stages, title });
    }

    /// Begins a group of ports with a heading.
    pub fn port_group(&self, title: impl Into<String>) {
        *self.group.borrow_mut() = title.into();
    }

    /// An input port of `width` bits.
    ///
    /// # Panics
    /// If `width` is 0.
    #[track_caller]
    pub fn input(&self, name: &str, width: u32, note: &str) -> Signal<'_> {
        self.has_bits(name, width);
        let index = self.module.borrow().inputs().count();
        let signal = self.node(Op::Input(index), width);
        self.module.borrow_mut().nodes[signal.id.index()].name = Some(name.to_owned());
        self.port(name, Direction::Input, note, signal);
        signal
    }

    /// An output port that `signal` drives; the port is as wide as `signal`.
    pub fn output(&self, name: &str, signal: Signal<'_>, note: &str) {
        self.owns(signal);
        self.port(name, Direction::Output, note, signal);
    }

    fn port(&self, name: &str, direction: Direction, note: &str, signal: Signal<'_>) {
        self.module.borrow_mut().ports.push(Port {
            name: name.to_owned(),
            direction,
            width: signal.width,
            note: note.to_owned(),
            group: self.group.borrow().clone(),
            node: signal.id,
        });
    }

    /// A constant.
    pub fn constant(&self, value: Bits) -> Signal<'_> {
        let width = value.width();
        self.node(Op::Const(value), width)
    }

    /// The constant `value` in `width` bits.
    ///
    /// # Panics
    /// If `value` does not fit.
    #[track_caller]
    pub fn lit(&self, width: u32, value: u64) -> Signal<'_> {
        self.constant(Bits::new(width, value))
    }

    /// Declares a signal before it is driven, such as `ready`, which flows against the order of the source.
    ///
    /// # Panics
    /// If `width` is 0.
    #[track_caller]
    pub fn wire(&self, name: &str, width: u32) -> Signal<'_> {
        self.has_bits(name, width);
        self.node(Op::Wire(None), width).named(name)
    }

    /// Drives a [`wire`](Self::wire).
    ///
    /// # Panics
    /// If `wire` is no wire or is driven already, or the widths differ.
    #[track_caller]
    pub fn drive(&self, wire: Signal<'_>, driver: Signal<'_>) {
        self.same_width("drive", wire, driver);
        let mut module = self.module.borrow_mut();
        let section = module.sections.len() - 1;
        let node = &mut module.nodes[wire.id.index()];
        match &mut node.op {
            Op::Wire(slot @ None) => *slot = Some(driver.id),
            _ => {
                drop(module);
                panic!("{} can't be driven: it is driven already, or is no wire", wire.describe())
            }
        }
        node.section = section;
    }

    /// A register of `width` bits without reset value; [`Reg::next`] gives it its next value.
    ///
    /// # Panics
    /// If `width` is 0.
    #[track_caller]
    pub fn reg(&self, name: &str, width: u32) -> Reg<'_> {
        self.has_bits(name, width);
        let mut module = self.module.borrow_mut();
        let index = module.registers.len();
        let (node, section) = (NodeId(module.nodes.len() as u32), module.sections.len() - 1);
        module.registers.push(Register {
            node,
            next: None,
            enable: None,
            reset: None,
            section,
            stage: None,
            lane: None,
            role: RegisterRole::Data,
            family: name.split(|c: char| c.is_ascii_digit()).collect(),
        });
        drop(module);
        Reg { q: self.node(Op::Register(index), width).named(name), index }
    }

    /// The registers of a pipeline whose stages load one by one: `enables` has the enable of stage 1, of stage 2 and so on, the last one for
    /// all later stages, too. [`Stage::at`] picks the stage.
    ///
    /// # Panics
    /// If there are no enables.
    pub fn pipeline<'m>(&'m self, enables: &[Signal<'m>]) -> Stage<'m> {
        let mut pipelines = self.pipelines.borrow_mut();
        pipelines.push(enables.iter().map(|enable| enable.id).collect());
        Stage { pipeline: Some(pipelines.len() - 1), ..self.stage(enables[0]) }
    }

    /// The registers of a pipeline stage, which load together in the cycles in which `enable`, of one bit, is 1.
    pub fn stage<'m>(&'m self, enable: Signal<'m>) -> Stage<'m> {
        Stage { builder: self, enable, pipeline: None, flush: None, at: None, lane: None }
    }

    /// The operands side by side, the first in the high bits.
    #[track_caller]
    pub fn concat<'m>(&'m self, parts: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
        let parts: Vec<Signal> = parts.into_iter().collect();
        assert!(!parts.is_empty(), "a concatenation of nothing in module `{}`", self.module.borrow().name);
        if let [only] = parts[..] {
            return only;
        }
        parts.iter().for_each(|part| self.owns(*part));
        let width = parts.iter().map(|part| part.width).sum();
        self.node(Op::Concat(parts.iter().map(|part| part.id).collect()), width)
    }

    /// Ends the module and checks it as a whole.
    ///
    /// # Errors
    /// Every fault in the structure of the module: see [`CheckErrors`].
    pub fn finish(self) -> Result<Arc<Module>, CheckErrors> {
        let module = self.completed();
        let errors = check::check(&module);
        if errors.is_empty() { Ok(Arc::new(module)) } else { Err(CheckErrors::new(errors)) }
    }

    /// [`finish`](Self::finish) for a generator in which an error would be a mistake of the generator itself.
    ///
    /// # Panics
    /// If the module has errors, with all of them in the message.
    #[track_caller]
    pub fn built(self) -> Arc<Module> {
        self.finish().unwrap_or_else(|errors| panic!("{errors}"))
    }

    /// [`built`](Self::built) for a netlist that was made with parts of another, of which some outputs are not used: what no output depends
    /// on is left out.
    ///
    /// # Panics
    /// If the module that is left has errors, with all of them in the message.
    #[track_caller]
    pub fn built_trimmed(self) -> Arc<Module> {
        let module = trim::trimmed(self.completed());
        let errors = check::check(&module);
        assert!(errors.is_empty(), "{}", CheckErrors::new(errors));
        Arc::new(module)
    }

    /// [`built`](Self::built) for a netlist in which something may be unused, such as a part of a proof.
    ///
    /// # Panics
    /// If the module has other errors, with all of them in the message.
    #[track_caller]
    pub fn built_with_unused(self) -> Arc<Module> {
        let module = self.completed();
        let mut errors = check::check(&module);
        errors.retain(|error| !matches!(error, CheckError::Unused { .. }));
        assert!(errors.is_empty(), "{}", CheckErrors::new(errors));
        Arc::new(module)
    }

    /// The module, in which registers without a stage have that of their section, and outputs of instances have names.
    fn completed(self) -> Module {
        let mut module = self.module.into_inner();
        let of_sections: Vec<Option<u32>> = module.sections.iter().map(Section::stage).collect();
        for register in &mut module.registers {
            register.stage = register.stage.or(of_sections[register.section]);
        }
        name_instance_outputs(&mut module);
        module
    }

    pub(super) fn node(&self, op: Op, width: u32) -> Signal<'_> {
        let mut module = self.module.borrow_mut();
        let id = NodeId(u32::try_from(module.nodes.len()).expect("fewer than 2^32 nodes"));
        let section = module.sections.len() - 1;
        module.nodes.push(Node { op, width, name: None, note: None, labels: None, section });
        Signal { builder: self, id, width }
    }

    #[track_caller]
    fn has_bits(&self, name: &str, width: u32) {
        assert!(width > 0, "`{name}` of module `{}` has no bits", self.module.borrow().name);
    }

    #[track_caller]
    pub(super) fn same_width(&self, what: &str, a: Signal<'_>, b: Signal<'_>) {
        self.owns(a);
        self.owns(b);
        assert!(
            a.width == b.width,
            "width mismatch in `{what}` of module `{}`: {} has {} bits, {} has {}",
            self.module.borrow().name,
            a.describe(),
            a.width,
            b.describe(),
            b.width
        );
    }

    #[track_caller]
    pub(super) fn owns(&self, signal: Signal<'_>) {
        assert!(
            std::ptr::eq(self, signal.builder),
            "{} belongs to module `{}`, not to `{}`",
            signal.describe(),
            signal.builder.module.borrow().name,
            self.module.borrow().name
        );
    }
}

/// Gives each output of an instance that has no name the names of instance and port.
fn name_instance_outputs(module: &mut Module) {
    for instance in &module.instances {
        for (port, node) in instance.module.outputs().zip(&instance.outputs) {
            if let Some(node) = node {
                let name = &mut module.nodes[node.index()].name;
                name.get_or_insert_with(|| format!("{}_{}", instance.name, port.name));
            }
        }
    }
}

/// A register that is being built: [`q`](Self::q) is its value.
#[derive(Clone, Copy)]
pub struct Reg<'m> {
    /// The value that the register holds.
    pub q: Signal<'m>,
    index: usize,
}

impl<'m> Reg<'m> {
    /// Lets the register take `value` under reset.
    ///
    /// # Panics
    /// If `value` does not fit.
    #[track_caller]
    pub fn reset(self, value: u64) -> Self {
        let value = Bits::new(self.q.width, value);
        self.q.builder.module.borrow_mut().registers[self.index].reset = Some(value);
        self
    }

    /// Comments the register, at its declaration.
    pub fn note(self, note: &str) -> Self {
        self.q.note(note);
        self
    }

    /// Says which pipeline stage the register's value is of: it was taken by the core `stage` cycles ago, where nothing waited.
    pub fn at_stage(self, stage: u32) -> Self {
        self.placed(Some(stage), None)
    }

    /// Says which lane of the beat the register's value belongs to.
    pub fn in_lane(self, lane: usize) -> Self {
        self.placed(None, Some(lane as u32))
    }

    /// Says what function the register has in the pipeline.
    pub fn role(self, role: RegisterRole) -> Self {
        self.q.builder.module.borrow_mut().registers[self.index].role = role;
        self
    }

    /// Sets the stage and the lane that are given, and keeps what is not.
    fn placed(self, stage: Option<u32>, lane: Option<u32>) -> Self {
        let register = &mut self.q.builder.module.borrow_mut().registers[self.index];
        register.stage = stage.or(register.stage);
        register.lane = lane.or(register.lane);
        self
    }

    /// Lets the register load `next` at every edge.
    ///
    /// # Panics
    /// If the register has a next value already, or the widths differ.
    #[track_caller]
    pub fn next(self, next: Signal<'m>) {
        self.load(None, next);
    }

    /// Lets the register load `next` at the edges where `enable`, of one bit, is 1.
    ///
    /// # Panics
    /// As [`next`](Self::next), and if `enable` has more than one bit.
    #[track_caller]
    pub fn next_when(self, enable: Signal<'m>, next: Signal<'m>) {
        self.q.builder.owns(enable);
        enable.expect_one_bit("enable");
        self.load(Some(enable), next);
    }

    #[track_caller]
    fn load(self, enable: Option<Signal<'m>>, next: Signal<'m>) {
        let builder = self.q.builder;
        builder.same_width("next", self.q, next);
        let mut module = builder.module.borrow_mut();
        let section = module.sections.len() - 1;
        let register = &mut module.registers[self.index];
        let already = register.next.is_some();
        register.next = Some(next.id);
        register.enable = enable.map(|signal| signal.id);
        register.section = section;
        drop(module);
        assert!(!already, "register {} has a next value already", self.q.describe());
    }
}

/// The registers of a pipeline stage. Each is made, named and given its next value in one call.
#[derive(Clone, Copy)]
pub struct Stage<'m> {
    pub(super) builder: &'m Builder,
    /// The registers load in the cycles in which this bit is 1.
    pub enable: Signal<'m>,
    /// The pipeline whose stages load one by one, by its index.
    pipeline: Option<usize>,
    /// The bit that clears flags and states in place of reset.
    flush: Option<Signal<'m>>,
    /// The pipeline stage of the registers.
    at: Option<u32>,
    /// The lane of the beat that the registers belong to.
    lane: Option<u32>,
}

impl<'m> Stage<'m> {
    /// Makes a stage whose flags and states are cleared by `flush`, of one bit, in cycles in which the registers load, and not by
    /// reset. Reset is then no part of the enable, a net that is slow if it is wide. `flush` must be 1 in the cycle after reset,
    /// and the registers must load then.
    pub fn flushed_by(self, flush: Signal<'m>) -> Self {
        Self { flush: Some(flush), ..self }
    }

    /// Makes a stage for registers of pipeline stage `stage`: without stalls, the core took their data `stage` cycles ago.
    pub fn at(self, stage: u32) -> Self {
        let enable = self.pipeline.map_or(self.enable, |pipeline| {
            let enables = &self.builder.pipelines.borrow()[pipeline];
            Signal { id: enables[(stage as usize).clamp(1, enables.len()) - 1], ..self.enable }
        });
        Self { enable, at: Some(stage), ..self }
    }

    /// The same for registers that belong to a lane of the beat.
    pub fn lane(self, lane: usize) -> Self {
        Self { lane: Some(lane as u32), ..self }
    }

    /// The bit that clears flags and states, where that is not reset.
    pub fn flush(self) -> Option<Signal<'m>> {
        self.flush
    }

    /// A register of data, which reset does not change; returns the value of the register.
    #[track_caller]
    pub fn data(self, name: &str, next: Signal<'m>) -> Signal<'m> {
        let register = self.register(name, next.width);
        register.next_when(self.enable, next);
        register.q
    }

    /// A register that says whether something is there, which reset clears; returns the value of the register.
    #[track_caller]
    pub fn flag(self, name: &str, next: Signal<'m>) -> Signal<'m> {
        let register = self.state(name, next.width);
        self.load(register, next);
        register.q
    }

    /// A register that reset clears, for [`load`](Self::load).
    #[track_caller]
    pub fn state(self, name: &str, width: u32) -> Reg<'m> {
        let register = self.register(name, width);
        if self.flush.is_some() { register } else { register.reset(0) }
    }

    #[track_caller]
    fn register(self, name: &str, width: u32) -> Reg<'m> {
        self.builder.reg(name, width).placed(self.at, self.lane)
    }

    /// Lets a [`state`](Self::state) load `next` with the other registers of the stage.
    #[track_caller]
    pub fn load(self, register: Reg<'m>, next: Signal<'m>) {
        let zero = || self.builder.lit(next.width, 0);
        register.next_when(self.enable, self.flush.map_or(next, |flush| flush.mux(zero(), next)));
    }
}
