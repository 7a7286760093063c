//! The ports of a core, in the order of its module.

use serde::Serialize;
use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Design, Direction, Port};

/// A port.
#[derive(Clone, Debug, Serialize)]
pub struct PortEntry {
    /// The port's name.
    pub name: String,
    /// `input` or `output`.
    pub direction: &'static str,
    /// The port's width in bits.
    pub width: u32,
    /// The bits of a lane, of ports that have lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane_bits: Option<u32>,
    /// The meaning of the port's data.
    pub meaning: String,
}

impl PortEntry {
    /// Whether it is an input of the core.
    pub fn is_input(&self) -> bool {
        self.direction == "input"
    }
}

/// Clock, reset, and all others.
pub fn port_list(core: &Core) -> Vec<PortEntry> {
    ports_of(&core.design, |port| core.lane_bits(port))
}

/// The same of any design; `lane_bits` gives the bits of a lane, of ports that have lanes.
pub(super) fn ports_of(design: &Design, lane_bits: impl Fn(&Port) -> Option<u32>) -> Vec<PortEntry> {
    let single = |name: &str, meaning: &str| PortEntry {
        name: name.to_owned(),
        direction: "input",
        width: 1,
        lane_bits: None,
        meaning: meaning.to_owned(),
    };
    let of = |port: &Port| PortEntry {
        name: port.name.clone(),
        direction: match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        },
        width: port.width,
        lane_bits: lane_bits(port),
        meaning: port.note.clone(),
    };
    let clock_and_reset = [single("clk", "clock, rising edge"), single(design.reset.port(), "reset")];
    clock_and_reset.into_iter().chain(design.top.ports_by_group().into_iter().map(of)).collect()
}
