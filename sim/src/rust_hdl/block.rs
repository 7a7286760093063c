//! A design as a block of rust-hdl.

use rust_hdl_core::ast::{Verilog, Wrapper};
use rust_hdl_core::block::Block;
use rust_hdl_core::clock::Clock;
use rust_hdl_core::direction::In;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::probe::Probe;
use rust_hdl_core::signal::Signal;
use utfhdl_hdl::netlist::Design;

use super::module::ModuleBlock;
use super::net::Port;

/// A design as a rust-hdl `Block`: its ports are atoms, and its instances are scopes with every named signal.
///
/// Registers load at the rising edge of [`clk`](Self::clk) and hold 0 before the first edge. An update evaluates each
/// module once, and rust-hdl's loop repeats updates until the design has settled: one or two updates if signals flow
/// in the order of the source, and one more for each step against that order. rust-hdl's `Simulation` gives up after
/// 100 updates.
///
/// To connect a design to blocks whose widths are types, declare it with [`netlist_block!`](crate::netlist_block).
#[derive(Debug)]
pub struct NetlistBlock {
    /// The clock port `clk`. In a design without registers it has no effect.
    pub clk: Signal<In, Clock>,
    /// The level of the reset port, `rst` or `rst_n`: inactive until it is driven. In a design without reset it has no
    /// effect.
    pub rst: Signal<In, bool>,
    /// The input ports, in the order of the top module's.
    pub inputs: Vec<Port>,
    /// The output ports, in the order of the top module's.
    pub outputs: Vec<Port>,
    top: ModuleBlock,
    name: String,
    /// Name of the reset port, if there is one.
    reset_port: Option<&'static str>,
    has_clock: bool,
    verilog: String,
    changed: bool,
}

impl NetlistBlock {
    /// A block for `design`. `verilog` is the emitted text of the design, with all its modules.
    pub fn new(design: &Design, verilog: impl Into<String>) -> Self {
        let Design { top, reset } = design;
        Self {
            clk: Signal::default(),
            rst: holding(!reset.active_level()),
            inputs: top.inputs().map(Port::new).collect(),
            outputs: top.outputs().map(Port::new).collect(),
            top: ModuleBlock::new(top, *reset),
            name: top.name().to_owned(),
            reset_port: top.has_reset().then(|| reset.port()),
            has_clock: top.has_clock(),
            verilog: verilog.into(),
            changed: false,
        }
    }

    /// Name of the top module.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name of the reset port, if the design has a reset.
    pub fn reset_port(&self) -> Option<&'static str> {
        self.reset_port
    }

    /// Whether the design has a clock port.
    pub fn has_clock(&self) -> bool {
        self.has_clock
    }

    /// The number of updates after which every design has settled: each brings at least one more node to its final
    /// value.
    pub fn updates_to_settle(&self) -> usize {
        self.top.node_count() + 4
    }

    /// Shows a probe the named signals and the instances, but not the ports.
    pub fn accept_inside(&self, probe: &mut dyn Probe) {
        self.top.accept_inside(probe);
    }

    /// The Verilog that instantiates the design in a module whose ports have the same names.
    fn instantiation(&self) -> String {
        let clock = self.has_clock.then_some("clk");
        let ports = self.inputs.iter().chain(&self.outputs).map(Port::name);
        let connections: Vec<String> = clock
            .into_iter()
            .chain(self.reset_port)
            .chain(ports)
            .map(|port| format!("    .{port}({port})"))
            .collect();
        // The name of the instance differs from those of all ports, which have no `$`.
        format!("{} {}$inst (\n{}\n);\n", self.name, self.name, connections.join(",\n"))
    }
}

/// A signal that has `level` from the start. Signals of rust-hdl begin with 0, which would reset a design whose reset
/// is asynchronous and active low.
fn holding(level: bool) -> Signal<In, bool> {
    let mut signal = Signal::default();
    signal.next = level;
    signal.update_all();
    signal.update_all();
    signal
}

impl Logic for NetlistBlock {
    fn update(&mut self) {
        // As in every block of rust-hdl, registers load the values from before all changes at the clock edge.
        if self.clk.pos_edge() {
            self.top.load();
        }
        if self.clk.changed || self.rst.changed {
            self.top.set_levels(self.clk.val().clk, self.rst.val());
        }
        for (index, port) in self.inputs.iter().enumerate().filter(|(_, port)| port.has_changed()) {
            self.top.set_input(index, port.val());
        }
        self.changed = !self.top.is_settled();
        if self.changed {
            self.top.update_all();
            for (index, port) in self.outputs.iter_mut().enumerate() {
                port.set_next(self.top.output(index));
            }
        }
    }

    fn connect(&mut self) {
        self.outputs.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper { code: self.instantiation(), cores: self.verilog.clone() })
    }
}

impl Block for NetlistBlock {
    fn connect_all(&mut self) {
        self.connect();
    }

    fn update_all(&mut self) {
        self.update();
        self.clk.update_all();
        self.rst.update_all();
        self.inputs.iter_mut().for_each(Block::update_all);
        self.outputs.iter_mut().for_each(Block::update_all);
    }

    fn has_changed(&self) -> bool {
        self.changed
            || self.clk.has_changed()
            || self.rst.has_changed()
            || self.inputs.iter().any(Block::has_changed)
            || self.outputs.iter().any(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        if self.has_clock {
            self.clk.accept("clk", probe);
        }
        if let Some(reset) = self.reset_port {
            self.rst.accept(reset, probe);
        }
        self.inputs.iter().chain(&self.outputs).for_each(|port| port.accept(port.name(), probe));
        self.accept_inside(probe);
        probe.visit_end_scope(name, self);
    }
}
