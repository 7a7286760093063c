//! Handshake blocks: registers and buffers between valid/ready neighbours.
//!
//! | block | cuts | holds |
//! | --- | --- | --- |
//! | [`register_slice`] | valid and payload; ready passes through | one beat |
//! | [`skid_buffer`] | everything, ready included | two beats |
//! | [`skid_buffer_ahead`] | the same; the ready of the next cycle comes out of logic | two beats |
//! | [`skid_buffer_told`] | the same; it hears the ready of the next cycle | two beats |
//! | [`elastic_buffer`] | everything; the payload comes out of a multiplexer | two beats |
//!
//! The blocks know nothing of the payload, so each serves any bus and any number of lanes. Whenever either side stalls,
//! each of them guarantees (`sim/tests/engines/stream.rs` tests it):
//!
//! - beats come out whole, in order, each once, at the earliest in the cycle after they went in;
//! - a beat that is offered stays as it is until it is taken;
//! - while neither side stalls, a beat goes in and one comes out each cycle, also right after a stall;
//! - while no beat is taken from it, the block takes as many beats as it holds, and no more;
//! - reset empties the block.
//!
//! A pipeline without enables ends in a [`fifo`], whose [`credits`](fifo::credits) say when the pipeline takes a beat.
//!
//! [`AxiBeat`] connects cores with each other and with logic in between.

mod axi_beat;
mod elastic_buffer;
mod fields;
pub mod fifo;
mod ports;
mod register_slice;
mod skid_buffer;

pub use axi_beat::AxiBeat;
pub use elastic_buffer::elastic_buffer;
pub use fields::Fields;
pub use register_slice::register_slice;
pub use skid_buffer::{skid_buffer, skid_buffer_ahead, skid_buffer_told};

use crate::netlist::{InstanceHandle, Signal};

/// Connects an instance of a block: the beat that is offered upstream, and whether the beat downstream is taken.
pub fn connect<'m>(
    block: InstanceHandle<'m>,
    valid: Signal<'m>,
    payload: Signal<'m>,
    taken: Signal<'m>,
) -> Connected<'m> {
    block.input("s_valid", valid).input("s_payload", payload).input("m_ready", taken);
    Connected {
        ready: block.output("s_ready"),
        valid: block.output("m_valid"),
        payload: block.output("m_payload"),
    }
}

/// The outputs of a connected block.
#[derive(Clone, Copy)]
pub struct Connected<'m> {
    /// The block takes the beat offered to it.
    pub ready: Signal<'m>,
    /// The block offers a beat.
    pub valid: Signal<'m>,
    /// The payload of that beat.
    pub payload: Signal<'m>,
}
