//! One core as an engine of `utfhdl-sim`, verilated when this package is built, through the crates [`verilator`] and [`verilated`].
//!
//! The core is chosen by the variable `UTFHDL_CORE` while the package is built, and linked into the program. Its waves are those
//! that Verilator's own writer makes. `docs/design.md` says, under "Verilator", when that is of use.
//!
//! [`verilator`]: https://crates.io/crates/verilator

pub mod choice;

use std::io;
use std::path::Path;
use std::time::Duration;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::wave::CYCLE_NS;
use utfhdl_sim::{Engine, EngineError, Layout, PortSlot};

/// The output of the crate `verilator`: a struct with a function a port.
#[allow(missing_docs, dead_code, missing_abi, clippy::all)]
mod model {
    include!(concat!(env!("OUT_DIR"), "/Core.rs"));
}

/// Name, width in bits, and how it is set.
type Input = (&'static str, u32, fn(&mut model::Core, u64));

/// Name, width in bits, and how it is read.
type Output = (&'static str, u32, fn(&model::Core) -> u64);

include!(concat!(env!("OUT_DIR"), "/ports.rs"));

/// The levels of the hierarchy that are traced: all.
const LEVELS: i32 = 99;

/// The core that was verilated.
///
/// # Panics
/// Never: the build script has made the same core.
pub fn core() -> Core {
    choice::core(env!("UTFHDL_VERILATED")).expect("the build script made it")
}

/// A design that is not the one that was verilated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{design}` has other ports than `{verilated}`, which was verilated: set UTFHDL_CORE and build again"
)]
pub struct OtherPorts {
    /// Name of the design.
    pub design: String,
    /// The core that was verilated.
    pub verilated: &'static str,
}

/// The engine; see [the crate](self).
pub struct Verilated {
    layout: Layout,
    core: model::Core,
    /// Number of the next cycle.
    cycle: u64,
    clock: bool,
}

impl Verilated {
    /// An engine of the verilated core, in place of `design`.
    ///
    /// # Errors
    /// If the design has other ports.
    pub fn new(design: &Design) -> Result<Self, OtherPorts> {
        let layout = Layout::new(design);
        let inputs = INPUTS.iter().map(|&(name, width, _)| (name, width));
        let outputs = OUTPUTS.iter().map(|&(name, width, _)| (name, width));
        if !inputs.eq(names(&layout.inputs)) || !outputs.eq(names(&layout.outputs)) {
            let design = design.top.name().to_owned();
            return Err(OtherPorts { design, verilated: env!("UTFHDL_VERILATED") });
        }
        let mut engine = Self { layout, core: model::Core::default(), cycle: 0, clock: false };
        // One evaluation with reset inactive, so that an asynchronous reset in the first cycle has an edge.
        let reset = INPUTS.iter().find(|(name, ..)| *name == design.reset.port());
        if let Some((_, _, set)) = reset {
            set(&mut engine.core, u64::from(!design.reset.active_level()));
        }
        engine.core.eval();
        Ok(engine)
    }

    /// Has the crate `verilated` write a VCD file of all cycles from here on, with the times of those of `utfhdl-sim`. The file
    /// is complete when the engine is dropped.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn trace(&mut self, path: &Path) -> io::Result<()> {
        self.core.open_trace(path, LEVELS)
    }

    fn run_cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        for ((_, _, set), slot) in INPUTS.iter().zip(&self.layout.inputs) {
            set(&mut self.core, slot.get(inputs));
        }
        self.core.eval();
        for ((_, _, get), slot) in OUTPUTS.iter().zip(&self.layout.outputs) {
            slot.set(outputs, get(&self.core));
        }
        // A rising edge and the values of the next cycle have the same time, as in the waves of `utfhdl-sim`.
        let start = self.cycle * CYCLE_NS;
        self.core.trace_at(Duration::from_nanos(start));
        if self.clock {
            self.toggle();
            self.core.trace_at(Duration::from_nanos(start + CYCLE_NS / 2));
        }
        self.toggle();
        self.cycle += 1;
    }

    fn toggle(&mut self) {
        self.core.clock_toggle();
        self.core.eval();
        self.clock = !self.clock;
    }
}

fn names(slots: &[PortSlot]) -> impl Iterator<Item = (&str, u32)> {
    slots.iter().map(|slot| (slot.name.as_str(), slot.width))
}

impl Engine for Verilated {
    fn name(&self) -> &'static str {
        "verilated"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let (input_words, output_words) = self.layout.words();
        for cycle in 0..self.layout.cycles(inputs, outputs) {
            self.run_cycle(
                &inputs[cycle * input_words..][..input_words],
                &mut outputs[cycle * output_words..][..output_words],
            );
        }
        Ok(())
    }
}
