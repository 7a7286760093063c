//! The guarantees of docs/interface.md as SystemVerilog assertions, in a separate module that is bound to the core: the
//! handshake, the slots or units of the output, and the frames. Requirements on the source are assumptions.

mod passengers;
mod registers;
mod rules;
mod status;

use super::{Core, Packing, Role};
use crate::emit::{comment, filled, heading};
use crate::netlist::Port;

/// The ports of a core in the terms of its interface.
struct Interface<'c> {
    core: &'c Core,
    /// Lanes of the input, and of the output.
    lanes_in: u32,
    lanes: u32,
}

impl Interface<'_> {
    fn module(&self) -> &str {
        self.core.design.top.name()
    }

    /// Whether a beat is full unless it ends its frame.
    fn is_dense(&self) -> bool {
        self.core.spec.role.has_encoder() || self.core.spec.pack == Packing::Dense
    }

    fn port(&self, name: &str) -> Option<&Port> {
        self.core.design.top.ports().iter().find(|port| port.name == name)
    }

    fn width(&self, name: &str) -> u32 {
        self.port(name).expect("a port of the core").width
    }

    /// The concatenation of all fields of a beat of `side`.
    fn beat(&self, side: &str) -> String {
        let names =
            ["tdata", "tkeep", "tuser", "tlast", "tid", "tdest"].map(|signal| format!("{side}_{signal}"));
        let present: Vec<String> = names.into_iter().filter(|name| self.port(name).is_some()).collect();
        format!("{{{}}}", present.join(", "))
    }

    /// The lanes of `side` that hold something, a bit for each.
    fn held(&self, side: &str) -> String {
        let tkeep = format!("{side}_tkeep");
        let lanes = if side == "s_axis" { self.lanes_in } else { self.lanes };
        match self.width(&tkeep) / lanes {
            1 => tkeep,
            bits => {
                let lanes = (0..lanes).rev().map(|lane| format!("{tkeep}[{}]", lane * bits));
                format!("{{{}}}", lanes.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The waiver of the file, in which there are no delays and so no timescale.
const NO_TIMESCALE: &str = "\n/* verilator lint_off TIMESCALEMOD */\n";

/// The text of the assertions of `core`, one file.
pub(super) fn text(core: &Core) -> String {
    let interface = Interface { core, lanes_in: core.spec.lanes, lanes: core.spec.lanes_out() };
    let module = interface.module();
    let mut text = head(&interface);
    text += &format!(
        "\n`default_nettype none\n{NO_TIMESCALE}\nmodule {module}_assertions (\n{});\n",
        ports(&interface)
    );
    text += &format!("\n{}", basics(&interface));
    text += &rules::handshake(&interface);
    text += &match core.spec.role {
        Role::Decoder => rules::slots(&interface),
        Role::Encoder | Role::Transcoder { .. } => rules::units(&interface),
        Role::Validator(verdict) => rules::marks(&interface, verdict),
    };
    text += &rules::frames(&interface);
    text += &passengers::rules(&interface);
    text += &status::rules(&interface);
    text += &registers::rules(&interface);
    text + &format!(
        "\nendmodule\n\nbind {module}\n    {module}_assertions\n    assertions (.*);\n\n\
         /* verilator lint_on TIMESCALEMOD */\n\n`default_nettype wire\n"
    )
}

fn head(interface: &Interface) -> String {
    let module = interface.module();
    let about = format!(
        "{module}_assertions: what {module} promises on its ports, and what it asks of the source of its input. The \
         last line binds the assertions to every instance of {module}: compile this file with {module}.v, in Verilator \
         with the option --assert."
    );
    let mut text = String::from("// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n");
    text += &comment(&about, 0);
    text += &format!("//\n// Generator  utfhdl {}\n", env!("CARGO_PKG_VERSION"));
    let command = interface.core.command() + " --assertions";
    let parts: Vec<String> = command.split(" --").map(str::to_owned).collect();
    let options = parts[1..].iter().map(|option| format!("--{option}"));
    let words: Vec<String> = [parts[0].clone()].into_iter().chain(options).collect();
    text + &filled("// Command    ", "//            ", words.iter().map(String::as_str))
}

/// The ports of the core, all of them inputs here. A port of lanes is a vector even with one bit.
fn ports(interface: &Interface) -> String {
    let design = &interface.core.design;
    let has_lanes = |port: &Port| ["tdata", "tkeep", "tuser"].iter().any(|name| port.name.ends_with(name));
    let range = |port: &Port| match has_lanes(port) || port.width > 1 {
        true => format!("[{}:0]", port.width - 1),
        false => String::new(),
    };
    let mut ports = vec![(String::new(), "clk".to_owned()), (String::new(), design.reset.port().to_owned())];
    let read = design.top.ports_by_group().into_iter().filter(|port| registers::is_read(port));
    ports.extend(read.map(|port| (range(port), port.name.clone())));
    let widest = ports.iter().map(|(range, _)| range.len()).max().unwrap_or_default();
    let count = ports.len();
    let line = |(index, (range, name)): (usize, &(String, String))| {
        let comma = if index + 1 < count { "," } else { "" };
        format!("    input wire {range:widest$} {name}{comma}\n")
    };
    ports.iter().enumerate().map(line).collect()
}

/// The signals that all rules are made with.
fn basics(interface: &Interface) -> String {
    let reset = interface.core.design.reset;
    let active = if reset.active_level() { "" } else { "!" };
    let held = |wire: &str, side: &str| {
        let range = match side {
            "s_axis" if interface.lanes_in != interface.lanes => format!("{}:0", interface.lanes_in - 1),
            _ => "LANES-1:0".to_owned(),
        };
        format!("    wire [{range}] {wire} = {};\n", interface.held(side))
    };
    // The lanes of the input count against slots, and have an order where there are several.
    let is_input_read = !interface.core.spec.role.has_encoder() || interface.lanes_in > 1;
    let input = if is_input_read { held("input_held", "s_axis") } else { String::new() };
    format!(
        "    localparam integer LANES = {lanes};

    wire in_reset = {active}{reset};

    // Until its first reset the core may do anything.
    logic was_reset = 1'b0;
    always_ff @(posedge clk) begin
        if (in_reset) was_reset <= 1'b1;
    end
    wire off = in_reset || !was_reset;

    wire input_taken = s_axis_tvalid && s_axis_tready;
    wire output_taken = m_axis_tvalid && m_axis_tready;

    // The lanes of a beat that hold something.
{input}{output}",
        lanes = interface.lanes,
        reset = reset.port(),
        output = held("output_held", "m_axis"),
    )
}

/// A rule: its statement, and the property that holds at every rising edge outside of reset.
fn rule(verb: &str, says: &str, name: &str, property: &str) -> String {
    let start = format!("    {name}: {verb} property (@(posedge clk) disable iff (off)\n");
    format!("\n{}{start}        {property});\n", comment(says, 4))
}

/// A rule that the core promises.
fn promise(says: &str, name: &str, property: &str) -> String {
    rule("assert", says, name, property)
}

/// A rule that the core asks of the source of its input.
fn assumption(says: &str, name: &str, property: &str) -> String {
    rule("assume", says, name, property)
}

/// Rules for each lane, which is called `lane` in them, after the signals that the rules use.
fn each_lane(signals: &str, rules: &str) -> String {
    let rules: String = rules
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect();
    format!("\n    for (genvar lane = 0; lane < LANES; lane++) begin : lanes\n{signals}{rules}    end\n")
}

/// The title of a group of rules.
fn section(title: &str) -> String {
    format!("\n{}", heading(title))
}
