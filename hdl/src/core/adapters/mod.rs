//! Adapters: cores that change the beats of a stream, and none of its units. An adapter knows units by their bits only, and no system.
//!
//! | adapter | what goes out |
//! | --- | --- |
//! | `fifo` | the beats that came in, later; whole frames, if that is asked for |
//! | `width` | beats of more lanes, or of fewer |
//! | `compactor` | beats that are full, but at the end of a frame |

mod beat;
mod compactor;
mod fifo;
mod options;
mod spec;
mod text;
mod width;

use crate::netlist::Design;

use super::{CoreError, name};
use beat::Shape;

pub use options::{AdapterName, AdapterOptions, PREFIX};
pub use spec::{
    AdapterError, AdapterKind, AdapterSpec, DEFAULT_DEPTH, Fifo, LANES, MOST_DEPTH, MOST_UNIT_BITS, Whole,
};

/// An adapter: its netlist, and the facts that a user needs.
#[derive(Clone, Debug)]
pub struct Adapter {
    /// The options that it was made from.
    pub spec: AdapterSpec,
    /// The netlist, with the wiring of its reset.
    pub design: Design,
    /// Cycles from the beat that completes an output beat to the cycle in which that is offered, if nothing waits: if the one is taken at
    /// the end of cycle 0, the other is offered in cycle `latency`.
    pub latency: u32,
}

impl Adapter {
    /// Builds an adapter, whose module gets the [name](AdapterSpec::module_name) that tells it from all others.
    ///
    /// # Errors
    /// If there is no such adapter.
    pub fn new(spec: AdapterSpec) -> Result<Self, AdapterError> {
        spec.check()?;
        Ok(Self::build(spec, &spec.module_name()))
    }

    /// Builds an adapter whose module is called `name`.
    ///
    /// # Errors
    /// If there is no such adapter, or the module cannot have the name.
    pub fn named(spec: AdapterSpec, name: &str) -> Result<Self, AdapterError> {
        spec.check()?;
        name::check(name)?;
        let adapter = Self::build(spec, name);
        name::check_text(name, &adapter.design, &adapter.verilog())?;
        Ok(adapter)
    }

    fn build(spec: AdapterSpec, name: &str) -> Self {
        let shape = Shape { lanes: spec.lanes, unit_bits: spec.unit_bits, passengers: spec.passengers };
        let (top, latency) = match spec.kind {
            AdapterKind::Fifo(of) => (fifo::fifo(name, &shape, of), fifo::LATENCY),
            AdapterKind::Compactor => (compactor::compactor(name, &shape), compactor::latency(spec.lanes)),
            AdapterKind::Width { to_lanes } => {
                let latency = if spec.lanes < to_lanes { width::LATENCY_UP } else { width::LATENCY_DOWN };
                (width::width(name, &shape, to_lanes), latency)
            }
        };
        Self { spec, design: Design { top, reset: spec.reset }, latency }
    }

    /// The command that generates the adapter, with all options.
    pub fn command(&self) -> String {
        let name = self.design.top.name();
        let name = if name == self.spec.module_name() { String::new() } else { format!(" --name {name}") };
        format!("utfhdl generate {}{name}", self.spec)
    }
}

impl From<CoreError> for AdapterError {
    fn from(error: CoreError) -> Self {
        Self::Name(error.to_string())
    }
}
