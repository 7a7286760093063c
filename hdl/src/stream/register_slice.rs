//! One register in the forward direction.

use std::sync::Arc;

use super::ports::{downstream, upstream};
use crate::netlist::{Builder, Module};

/// A register for `width` bits of payload and their valid bit. It cuts the path forward and lets ready pass backward.
///
/// The register loads in each cycle in which it is empty or its beat is taken, and offers the new beat from the next
/// cycle on. Module name `register_slice_w<width>`.
///
/// # Panics
/// If `width` is 0.
pub fn register_slice(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("register_slice_w{width}"),
        "One register between valid/ready neighbours: cuts the path forward and lets ready pass backward. Holds one \
         beat, adds one cycle, never a bubble.",
    );
    let input = upstream(&m, width);
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let valid = m.reg("valid_reg", 1).reset(0);
    let payload = m.reg("payload_reg", width);
    let load = (!valid.q | m_ready).named("load").note("the register is empty, or emptied in this cycle");
    valid.next(!load | input.valid);
    payload.next_when(load, input.payload);

    m.port_group("Upstream");
    m.output("s_ready", load, "beat is taken");
    m.port_group("Downstream");
    downstream(&m, valid.q, payload.q);
    m.built()
}
