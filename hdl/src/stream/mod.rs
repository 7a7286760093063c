//! Handshake blocks: what cuts paths and keeps beats between valid/ready neighbours.
//!
//! | block | cuts | holds |
//! | --- | --- | --- |
//! | [`register_slice`] | valid and payload; ready passes through | one beat |
//! | [`skid_buffer`] | everything, ready included | two beats |
//! | [`skid_buffer_ahead`] | the same; the ready of the next cycle comes out of logic | two beats |
//! | [`elastic_buffer`] | everything; the payload comes out of a multiplexer | two beats |
//!
//! They know nothing of the payload, so a block serves any bus and any number of lanes. Of every block holds, whenever
//! either side stalls (`sim/tests/stream.rs` tests it so):
//!
//! - beats come out whole, in order, each once, the first cycle after they went in;
//! - what is offered stays as it is until it is taken;
//! - while both sides go, a beat goes in and one comes out each cycle, also right after a stall;
//! - it takes as many beats as it holds, and no more, while none is taken from it;
//! - reset empties it.

mod elastic_buffer;
mod fields;
mod register_slice;
mod skid_buffer;

pub use elastic_buffer::elastic_buffer;
pub use fields::Fields;
pub use register_slice::register_slice;
pub use skid_buffer::{skid_buffer, skid_buffer_ahead};

use crate::netlist::{Builder, InstanceHandle, Signal};

/// The upstream ports of a block: `s_valid`, `s_ready`, `s_payload`.
struct Upstream<'m> {
    valid: Signal<'m>,
    payload: Signal<'m>,
}

fn upstream(m: &Builder, width: u32) -> Upstream<'_> {
    m.port_group("Upstream");
    Upstream {
        valid: m.input("s_valid", 1, "a beat is offered"),
        payload: m.input("s_payload", width, "the beat"),
    }
}

fn downstream<'m>(m: &'m Builder, valid: Signal<'m>, payload: Signal<'m>) {
    m.output("m_valid", valid, "a beat is offered");
    m.output("m_payload", payload, "the beat");
}

/// Connects an instance of a block: what goes in upstream, and whether what comes out is taken.
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
    /// It offers a beat.
    pub valid: Signal<'m>,
    /// The beat.
    pub payload: Signal<'m>,
}
