//! A module of the hierarchy as a block. An update evaluates the nodes once, in the order of the source; rust-hdl's
//! loop updates the block again until nothing is left to do.

use std::sync::Arc;

use rust_hdl_core::ast::{BlackBox, Verilog};
use rust_hdl_core::atom::AtomKind;
use rust_hdl_core::block::Block;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::probe::Probe;
use rust_hdl_core::signal::get_signal_id;
use utfhdl_hdl::netlist::{Instance, Module, Node, NodeId, Op, ResetStyle};

use super::net::Net;
use super::values::Values;

/// An instance of a module with the values of its nodes.
#[derive(Debug)]
pub(super) struct ModuleBlock {
    module: Arc<Module>,
    reset: ResetStyle,
    children: Vec<ModuleBlock>,
    values: Values,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
    nets: Vec<NamedNet>,
    clock_level: bool,
    reset_level: bool,
    /// Whether the last update found anything to do.
    changed: bool,
}

/// A signal of an instance as a probe sees it.
#[derive(Debug)]
struct NamedNet {
    name: String,
    kind: AtomKind,
    id: usize,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Clock,
    Reset,
    Node(NodeId),
}

impl ModuleBlock {
    pub fn new(module: &Arc<Module>, reset: ResetStyle) -> Self {
        let children: Vec<Self> = module.instances().iter().map(|i| Self::new(&i.module, reset)).collect();
        Self {
            module: Arc::clone(module),
            reset,
            children,
            values: Values::new(module),
            inputs: module.inputs().map(|port| port.node).collect(),
            outputs: module.outputs().map(|port| port.node).collect(),
            nets: ports(module, reset).chain(named_nodes(module)).collect(),
            clock_level: false,
            reset_level: !reset.active_level(),
            changed: false,
        }
    }

    /// Gives input `index` a value.
    pub fn set_input(&mut self, index: usize, value: &[u64]) {
        self.values.set(self.inputs[index], value);
    }

    /// Value of output `index`.
    pub fn output(&self, index: usize) -> &[u64] {
        self.values.get(self.outputs[index])
    }

    /// Sets the levels of the clock and of the reset port, here and in all instances below. An asynchronous reset
    /// acts at once.
    pub fn set_levels(&mut self, clock: bool, reset: bool) {
        (self.clock_level, self.reset_level) = (clock, reset);
        self.for_each_child(|child| child.set_levels(clock, reset));
        if self.reset.is_asynchronous() && self.in_reset() {
            for register in self.module.registers() {
                if let Some(value) = &register.reset {
                    self.values.set(register.node, value.words());
                }
            }
        }
    }

    /// The rising edge: every register, here and below, loads.
    pub fn load(&mut self) {
        self.for_each_child(Self::load);
        self.values.load(self.in_reset());
    }

    /// Whether all values, here and below, are up to date, and none has changed since the last update.
    pub fn is_settled(&self) -> bool {
        self.values.is_settled()
    }

    /// Number of nodes, here and below.
    pub fn node_count(&self) -> usize {
        self.module.nodes().len() + self.children.iter().map(Self::node_count).sum::<usize>()
    }

    /// Shows a probe the named signals, but not the ports, and the instances.
    pub fn accept_inside(&self, probe: &mut dyn Probe) {
        self.nets
            .iter()
            .filter(|net| net.kind == AtomKind::LocalSignal)
            .for_each(|net| self.show(net, probe));
        for (instance, child) in self.module.instances().iter().zip(&self.children) {
            child.accept(&instance.name, probe);
        }
    }

    fn in_reset(&self) -> bool {
        self.reset_level == self.reset.active_level()
    }

    /// Does something to each instance. An instance that then has something to do makes its task in this module due.
    fn for_each_child(&mut self, action: impl Fn(&mut Self)) {
        for (index, child) in self.children.iter_mut().enumerate() {
            action(child);
            if !child.is_settled() {
                self.values.add_instance(index);
            }
        }
    }

    /// Updates an instance with its current inputs, and takes its outputs. `number` is the task's number.
    fn refresh(&mut self, instance: usize, number: u32) {
        let (child, Instance { inputs, outputs, .. }) =
            (&mut self.children[instance], &self.module.instances()[instance]);
        for (index, driver) in inputs.iter().enumerate() {
            child.set_input(index, self.values.get(driver.expect("a finished module is driven")));
        }
        child.update();
        for (index, node) in outputs.iter().enumerate() {
            if let Some(node) = node {
                self.values.set_output(*node, child.output(index), number);
            }
        }
        if !child.is_settled() {
            self.values.add_instance(instance);
        }
    }

    fn show(&self, net: &NamedNet, probe: &mut dyn Probe) {
        let levels = [[u64::from(self.clock_level)], [u64::from(self.reset_level)]];
        let (value, width) = match net.source {
            Source::Clock => (&levels[0][..], 1),
            Source::Reset => (&levels[1][..], 1),
            Source::Node(id) => (self.values.get(id), self.module.node(id).width),
        };
        let (kind, id, changed) = (net.kind, net.id, self.changed);
        probe.visit_atom(&net.name, &Net { kind, id, width, value, connected: true, changed });
    }
}

impl Logic for ModuleBlock {
    /// One round: the tasks that are due, in order. A task that becomes due after its turn waits for the next round.
    fn update(&mut self) {
        self.changed = !self.is_settled();
        let mut first = self.values.start_round();
        while let Some((number, instance)) = self.values.evaluate(first) {
            self.refresh(instance, number);
            first = number + 1;
        }
    }

    /// No text, since the text of the whole design defines this module. As a black box it gets none from rust-hdl
    /// either.
    fn hdl(&self) -> Verilog {
        Verilog::Blackbox(BlackBox { code: String::new(), name: self.module.name().to_owned() })
    }
}

impl Block for ModuleBlock {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.update();
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.nets
            .iter()
            .filter(|net| net.kind != AtomKind::LocalSignal)
            .for_each(|net| self.show(net, probe));
        self.accept_inside(probe);
        probe.visit_end_scope(name, self);
    }
}

fn ports(module: &Module, reset: ResetStyle) -> impl Iterator<Item = NamedNet> {
    let net =
        |name: &str, kind, source| NamedNet { name: name.to_owned(), kind, id: get_signal_id(), source };
    let clock = module.has_clock().then(|| net("clk", AtomKind::InputParameter, Source::Clock));
    let reset = module.has_reset().then(|| net(reset.port(), AtomKind::InputParameter, Source::Reset));
    let inputs = module.inputs().map(move |p| net(&p.name, AtomKind::InputParameter, Source::Node(p.node)));
    let outputs =
        module.outputs().map(move |p| net(&p.name, AtomKind::OutputParameter, Source::Node(p.node)));
    clock.into_iter().chain(reset).chain(inputs).chain(outputs)
}

/// The named nodes except inputs, which are ports, and constants, which are parameters.
fn named_nodes(module: &Module) -> impl Iterator<Item = NamedNet> {
    let inside = |(index, node): (usize, &Node)| {
        let source = Source::Node(NodeId(index as u32));
        let name = node.name.clone().filter(|_| !matches!(node.op, Op::Input(_) | Op::Const(_)))?;
        Some(NamedNet { name, kind: AtomKind::LocalSignal, id: get_signal_id(), source })
    };
    module.nodes().iter().enumerate().filter_map(inside)
}
