//! The manifest of an adapter: a description for tools, as JSON.

use serde::Serialize;
use utfhdl_hdl::core::adapters::{Adapter, AdapterKind, Fifo, Whole};

use super::port_list::{PortEntry, ports_of};

/// The manifest of `adapter`.
pub fn adapter_manifest(adapter: &Adapter) -> String {
    serde_json::to_string_pretty(&Manifest::new(adapter)).expect("a manifest has names for keys") + "\n"
}

/// The description of a generated module for tools.
#[derive(Serialize)]
struct Manifest {
    module: String,
    generator: &'static str,
    version: &'static str,
    command: String,
    license: &'static str,
    adapter: &'static str,
    lanes: u32,
    /// Units in a beat of the output.
    lanes_out: u32,
    unit_bits: u32,
    /// Cycles.
    latency: u32,
    options: Options,
    ports: Vec<PortEntry>,
}

#[derive(Serialize)]
struct Options {
    reset: String,
    /// Of a FIFO.
    #[serde(flatten)]
    fifo: Option<FifoOptions>,
    tid: u32,
    tdest: u32,
    tuser: u32,
}

#[derive(Serialize)]
struct FifoOptions {
    /// Beats in the memory.
    depth: u32,
    /// A frame goes out only when all of it is in.
    frames: bool,
    /// A frame that has no room is dropped.
    drop: bool,
    memory: String,
}

impl From<Fifo> for FifoOptions {
    fn from(Fifo { depth, whole, memory }: Fifo) -> Self {
        Self { depth, frames: whole.is_some(), drop: whole == Some(Whole::Drops), memory: memory.to_string() }
    }
}

impl Manifest {
    fn new(adapter: &Adapter) -> Self {
        let spec = adapter.spec;
        let fifo = if let AdapterKind::Fifo(fifo) = spec.kind { Some(fifo.into()) } else { None };
        Self {
            module: adapter.design.top.name().to_owned(),
            generator: "utfhdl",
            version: env!("CARGO_PKG_VERSION"),
            command: adapter.command(),
            license: "MIT OR Apache-2.0",
            adapter: spec.kind.name(),
            lanes: spec.lanes,
            lanes_out: spec.lanes_out(),
            unit_bits: spec.unit_bits,
            latency: adapter.latency,
            options: Options {
                reset: spec.reset.to_string(),
                fifo,
                tid: spec.passengers.tid,
                tdest: spec.passengers.tdest,
                tuser: spec.passengers.tuser,
            },
            ports: ports_of(&adapter.design, |port| adapter.lane_bits(port)),
        }
    }
}
