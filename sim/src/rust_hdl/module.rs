//! One module of the hierarchy as a block: its nodes are evaluated in the order of the source, and again as
//! often as rust-hdl's loop asks for it.

use std::sync::Arc;

use rust_hdl::core::ast::{BlackBox, Verilog};
use rust_hdl::core::atom::AtomKind;
use rust_hdl::core::block::Block;
use rust_hdl::core::logic::Logic;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::signal::get_signal_id;
use utfhdl_hdl::netlist::{Module, Node, NodeId, Op, ResetStyle};

use super::net::Net;
use super::values::Values;

/// An instance of a module with the values of its nodes. Values are up to date once an update changes nothing.
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
    /// Whether every node stands after all it reads, here and below: then one evaluation settles all.
    in_order: bool,
    /// Whether something that nodes read has changed since they were evaluated.
    stale: bool,
    /// Whether the last update changed a node, here or below.
    changed: bool,
}

/// What probes are shown of an instance.
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
            in_order: is_in_order(module) && children.iter().all(|child| child.in_order),
            children,
            values: Values::new(module),
            inputs: module.inputs().map(|port| port.node).collect(),
            outputs: module.outputs().map(|port| port.node).collect(),
            nets: ports(module, reset).chain(named_nodes(module)).collect(),
            clock_level: false,
            reset_level: !reset.active_level(),
            stale: true,
            changed: false,
        }
    }

    /// Gives input `index` a value.
    pub fn set_input(&mut self, index: usize, value: &[u64]) {
        self.stale |= self.values.set(self.inputs[index], value);
    }

    /// Value of output `index`.
    pub fn output(&self, index: usize) -> &[u64] {
        self.values.get(self.outputs[index])
    }

    /// The levels of the clock and of the reset port, which every instance has in common. An asynchronous reset
    /// acts at once.
    pub fn set_levels(&mut self, clock: bool, reset: bool) {
        (self.clock_level, self.reset_level) = (clock, reset);
        for child in &mut self.children {
            child.set_levels(clock, reset);
            self.stale |= child.stale;
        }
        if self.reset.is_asynchronous() && self.in_reset() {
            for register in self.module.registers() {
                if let Some(value) = &register.reset {
                    self.stale |= self.values.set(register.node, value.words());
                }
            }
        }
    }

    /// The rising edge: every register, here and below, loads.
    pub fn load(&mut self) {
        for child in &mut self.children {
            child.load();
            self.stale |= child.stale;
        }
        self.stale |= self.values.load(self.module.registers(), self.in_reset());
    }

    /// Whether an update would do anything.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Number of nodes, here and below.
    pub fn node_count(&self) -> usize {
        self.module.nodes().len() + self.children.iter().map(Self::node_count).sum::<usize>()
    }

    /// Shows a probe the named signals that are no ports, and the instances.
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

    /// Gives an instance its inputs as they are now, and updates it.
    fn refresh(&mut self, instance: usize) -> bool {
        let child = &mut self.children[instance];
        for (index, driver) in self.module.instances()[instance].inputs.iter().enumerate() {
            let driver = driver.expect("a finished module is driven");
            child.set_input(index, self.values.get(driver));
        }
        child.update();
        child.changed
    }

    /// Evaluates all nodes once, in order.
    fn evaluate(&mut self) -> bool {
        let module = Arc::clone(&self.module);
        let mut changed = false;
        for (index, node) in module.nodes().iter().enumerate() {
            let id = NodeId(index as u32);
            changed |= match node.op {
                Op::InstanceOutput(instance, port) => {
                    let inside = self.refresh(instance);
                    self.values.set(id, self.children[instance].output(port)) | inside
                }
                _ => self.values.evaluate(id, node),
            };
        }
        // What drives an instance may stand behind its outputs, or none of them be read.
        for instance in 0..self.children.len() {
            changed |= self.refresh(instance);
        }
        changed
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
    fn update(&mut self) {
        self.changed = self.stale && self.evaluate();
        self.stale = self.changed && !self.in_order;
    }

    /// Nothing: the text of the whole design defines this module, and a black box keeps rust-hdl from writing
    /// one of its own.
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

/// Whether every node stands after all it reads, and every output of an instance after all its inputs.
fn is_in_order(module: &Module) -> bool {
    module.nodes().iter().enumerate().all(|(index, node)| match node.op {
        Op::InstanceOutput(instance, _) => {
            module.instances()[instance].inputs.iter().flatten().all(|input| input.index() < index)
        }
        _ => node.op.operands().iter().all(|operand| operand.index() < index),
    })
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

fn named_nodes(module: &Module) -> impl Iterator<Item = NamedNet> {
    let inside = |(index, node): (usize, &Node)| {
        let source = Source::Node(NodeId(index as u32));
        let name = node.name.clone().filter(|_| !matches!(node.op, Op::Input(_)))?;
        Some(NamedNet { name, kind: AtomKind::LocalSignal, id: get_signal_id(), source })
    };
    module.nodes().iter().enumerate().filter_map(inside)
}
