//! A design in rust-hdl: the netlist as one of its `Block`s, and the `rust-hdl` engine over that.
//!
//! This is a second opinion: it shares no code with [`native`](crate::native) and never flattens. Each module is
//! a block that evaluates its own nodes in the order of the source, and rust-hdl's loop asks all of them again until
//! nothing changes. rust-hdl's probes, wave dumps and checks see the hierarchy and every named signal.
//!
//! It is also a door: [`netlist_block!`](crate::netlist_block) makes a design a field of anyone's `LogicBlock`.

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

// For `netlist_block!`, whose users may know rust-hdl by another name.
#[doc(hidden)]
pub use ::rust_hdl::core;
