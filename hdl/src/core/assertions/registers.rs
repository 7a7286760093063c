//! The rules of the bus at which software reads registers.

use super::{Interface, promise, section};
use crate::netlist::Port;

/// The beginning of the names of the bus's ports.
const BUS: &str = "s_axil_";

/// The ports that the rules are about.
const READ: [&str; 5] = ["s_axil_bvalid", "s_axil_bready", "s_axil_rdata", "s_axil_rvalid", "s_axil_rready"];

/// Whether a port is one that rules are about, of the bus or of a stream.
pub(super) fn is_read(port: &Port) -> bool {
    !port.name.starts_with(BUS) || READ.contains(&port.name.as_str())
}

/// The rules; nothing for a core without registers.
pub(super) fn rules(interface: &Interface) -> String {
    if !interface.core.spec.registers.is_there() {
        return String::new();
    }
    section("Registers")
        + &promise(
            "A response to a write stays offered until it is taken.",
            "s_axil_bvalid_stays",
            "s_axil_bvalid && !s_axil_bready |=> s_axil_bvalid",
        )
        + &promise(
            "Data that was read stays offered until it is taken.",
            "s_axil_rvalid_stays",
            "s_axil_rvalid && !s_axil_rready |=> s_axil_rvalid",
        )
        + &promise(
            "Data that waits does not change.",
            "s_axil_rdata_is_stable",
            "s_axil_rvalid && !s_axil_rready |=> $stable(s_axil_rdata)",
        )
}
