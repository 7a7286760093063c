//! Builds a module: its ports, registers, wires and sections. Operators are in [`signal`](super::signal), instances in
//! [`instance`](super::instance).

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::check::{self, CheckError, CheckErrors};
use super::graph::{Builder, Signal};
use super::module::{Direction, Module, NodeId, Op, Port, Register, RegisterRole, Section};
use super::registers::{Reg, Stage};
use super::{Bits, fold, tie, trim};

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
            memory: None,
            marks: Vec::new(),
        };
        Self {
            module: RefCell::new(module),
            group: RefCell::default(),
            delays: RefCell::default(),
            called: RefCell::default(),
            pipelines: RefCell::default(),
            folded: Cell::default(),
            stages_before: Cell::default(),
            left_out: RefCell::default(),
        }
    }

    /// Begins a part of the module with a heading. Everything made or driven after it goes under that heading.
    pub fn section(&self, title: impl Into<String>) {
        self.begin(None, title.into());
    }

    /// Begins the part of the module that does the work of a pipeline stage; `title` says what that is. A register that is driven in it
    /// and has no [stage](Reg::at_stage) of its own has this one.
    pub fn stage_section(&self, stage: u32, title: impl Into<String>) {
        self.stages_section(stage, stage, title);
    }

    /// Counts the stages of the sections that follow from after `count` stages: what they call stage 1 is stage `count` + 1.
    pub fn after_stages(&self, count: u32) {
        self.stages_before.set(count);
    }

    /// The same of all stages from `first` to `last`. Registers get no stage from it.
    pub fn stages_section(&self, first: u32, last: u32, title: impl Into<String>) {
        let number = |stage| self.stages_before.get() + self.folded().number(stage);
        self.begin(Some((number(first), number(last))), title.into());
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
            carried: None,
            family: name.split(|c: char| c.is_ascii_digit()).collect(),
        });
        drop(module);
        Reg { q: self.node(Op::Register(index), width).named(name), index }
    }

    /// Says of all registers that load with `enable` that they [carry](Reg::carried) something to beats of stage `stage`.
    pub fn carried_with(&self, enable: Signal<'_>, stage: u32) {
        self.owns(enable);
        for register in &mut self.module.borrow_mut().registers {
            if register.enable == Some(enable.id) {
                register.carried = Some(stage);
            }
        }
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
        Stage { builder: self, enable, pipeline: None, flush: None, at: None, lane: None, is_folded: false }
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

    /// [`built_trimmed`](Self::built_trimmed) for a netlist in which inputs of instances are tied to constants: modules below are built
    /// without such inputs.
    ///
    /// # Panics
    /// If the module that is left has errors, with all of them in the message.
    #[track_caller]
    pub fn built_tied(self) -> Arc<Module> {
        let module = trim::trimmed(tie::tied(self.completed()));
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
        fold::name_left_out(&mut module, self.left_out.into_inner());
        let of_sections: Vec<Option<u32>> = module.sections.iter().map(Section::stage).collect();
        for register in &mut module.registers {
            register.stage = register.stage.or(of_sections[register.section]);
        }
        name_instance_outputs(&mut module);
        module
    }

    #[track_caller]
    fn has_bits(&self, name: &str, width: u32) {
        assert!(width > 0, "`{name}` of module `{}` has no bits", self.module.borrow().name);
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
