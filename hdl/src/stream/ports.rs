//! Ports that all blocks have.

use crate::netlist::{Builder, Signal};

/// The inputs at the upstream side of a block.
pub(super) struct Upstream<'m> {
    pub(super) valid: Signal<'m>,
    pub(super) payload: Signal<'m>,
}

/// Declares the inputs at the upstream side.
pub(super) fn upstream(m: &Builder, width: u32) -> Upstream<'_> {
    m.port_group("Upstream");
    Upstream {
        valid: m.input("s_valid", 1, "beat is offered"),
        payload: m.input("s_payload", width, "payload of the beat"),
    }
}

/// Declares the outputs at the downstream side.
pub(super) fn downstream<'m>(m: &'m Builder, valid: Signal<'m>, payload: Signal<'m>) {
    m.output("m_valid", valid, "beat is offered");
    m.output("m_payload", payload, "payload of the beat");
}
