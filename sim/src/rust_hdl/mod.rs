//! A design in rust-hdl: the netlist as one of its `Block`s, and the `rust-hdl` engine, which runs that block.
//!
//! The engine is a second implementation of the netlist's semantics. It shares no code with
//! [`native`](crate::native) and keeps the hierarchy: a module is a block that evaluates its nodes in the order of
//! the source, and rust-hdl's loop updates the design again until nothing changes. rust-hdl's probes, wave dumps and
//! checks see the hierarchy and every named signal.
//!
//! Designs written in rust-hdl can instantiate a netlist: [`netlist_block!`](crate::netlist_block) declares it as a
//! block with signals whose widths are types.

mod block;
mod engine;
mod module;
mod narrow;
mod net;
mod netlist_block;
mod tasks;
mod typed;
mod values;
mod words;

pub use block::NetlistBlock;
pub use engine::RustHdl;
pub use net::Port;
pub use typed::{Adapter, PortError, PortKind, TypedPort};

// For `netlist_block!`: its users may have rust-hdl under another name.
#[doc(hidden)]
pub use ::rust_hdl_core as core;
