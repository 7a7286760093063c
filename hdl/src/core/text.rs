//! The text of a core: its Verilog, with what a user has to know in the head of the file, and options that are about the text alone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{BitField, Core, Packing, Register, Role, registers, status_fields};
use crate::emit::{Header, Table, verilog};
use crate::netlist::{Port, ResetStyle};

/// Bits of a byte of AXI4-Stream.
const BYTE: u32 = 8;

/// Options of the text. They change nothing that the core does, and so its name stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// A `` `timescale `` for the modules of the file. By default they have none: there are no delays in them.
    pub timescale: Option<Timescale>,
    /// The attributes `X_INTERFACE_INFO` and `X_INTERFACE_PARAMETER` on the ports, which Vivado reads.
    pub x_interface: bool,
}

impl fmt::Display for TextOptions {
    /// The options as arguments of the command line, each with a space in front; those that are as by default are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Timescale { unit, precision }) = self.timescale {
            write!(f, " --timescale {}/{}", Time(unit), Time(precision))?;
        }
        if self.x_interface { f.write_str(" --x-interface") } else { Ok(()) }
    }
}

/// A unit of time and the precision of delays, as powers of ten of a femtosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timescale {
    unit: u32,
    precision: u32,
}

/// A power of ten of a femtosecond, as Verilog spells it: `100ps`.
struct Time(u32);

/// The units of time of Verilog, each a thousand of the one before it.
const TIMES: [&str; 6] = ["fs", "ps", "ns", "us", "ms", "s"];

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", 10_u32.pow(self.0 % 3), TIMES[self.0 as usize / 3])
    }
}

impl fmt::Display for Timescale {
    /// The arguments of the directive: `1ns / 1ps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", Time(self.unit), Time(self.precision))
    }
}

impl FromStr for Timescale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time =
            |text: &str| (0..3 * TIMES.len() as u32).find(|&power| Time(power).to_string() == text.trim());
        let times = text.split_once('/').and_then(|(unit, precision)| time(unit).zip(time(precision)));
        match times {
            Some((unit, precision)) if precision <= unit => Ok(Self { unit, precision }),
            Some(_) => Err("the precision is longer than the unit: expected one such as 1ns/1ps".to_owned()),
            None => {
                let expected = "expected a unit and a precision, each 1, 10 or 100 of s, ms, us, ns, ps or fs, such as 1ns/1ps";
                Err(expected.to_owned())
            }
        }
    }
}

impl Core {
    /// The Verilog of the core, as one file.
    pub fn verilog(&self) -> String {
        self.verilog_with(&TextOptions::default())
    }

    /// The Verilog of the core with options of its text.
    pub fn verilog_with(&self, options: &TextOptions) -> String {
        let header = Header {
            command: self.command() + &options.to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: self.facts().into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect(),
            lane_bits: self.lane_bits_of_ports(),
            tables: [self.verdict_table(), self.slot_table(), self.status_table(), self.register_table()]
                .into_iter()
                .flatten()
                .collect(),
            timescale: options.timescale.map(|timescale| timescale.to_string()),
            attributes: if options.x_interface { self.x_interface() } else { BTreeMap::new() },
        };
        verilog(&self.design, &header)
    }

    /// Facts that a user needs beyond the ports: pairs of a subject and a sentence or two.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let latency = format!("{} cycles; {}", self.latency, self.second_beat());
        let frames = "a frame is one text, and tlast ends it; each frame that comes in makes one that goes out, with one tlast. A beat \
                      of which tkeep is 0 may come in, with or without tlast; it goes out only to end a frame";
        let lanes = match (self.spec.lanes_out(), self.lane_bytes()) {
            (1, None) => "tkeep is one bit: the beat holds something or, where it is 0, nothing".to_owned(),
            (1, Some(_)) => "tkeep has a bit for each byte of a lane, all alike".to_owned(),
            (_, None) => "tkeep has a bit for each lane, and fills from lane 0: no lane in use follows one that is not".to_owned(),
            (_, Some(_)) => "tkeep has a bit for each byte, those of a lane alike, and fills from lane 0: no lane in use follows one that \
                      is not, so null bytes have their place at a beat's end"
                .to_owned(),
        };
        let lanes = match self.spec.has_slots_of_streams() {
            true => format!("{lanes}. An output beat holds all slots that an input beat makes certain"),
            false => lanes,
        };
        let reset = reset_fact(self.design.reset, self.sweep);
        let status = "status_tdata has a beat for each frame, in order, offered no later than the frame's last beat leaves. That beat \
                      waits where the status of the frame before has not been taken";
        let facts = [("Latency", latency), ("Frames", frames.to_owned()), ("Lanes", lanes), ("Reset", reset)]
            .into_iter();
        let registers = "software reads and clears totals at s_axil, a slave of AXI4-Lite; a frame is counted when its status is taken";
        let registers = self.spec.registers.is_there().then(|| ("Registers", registers.to_owned()));
        let table = "software reads and writes the code point of each octet at s_axil, a slave of AXI4-Lite, at four times the octet; in the cycles \
                     after reset the core writes those of its set";
        let registers =
            registers.or_else(|| self.spec.table_port.is_there().then(|| ("Table", table.to_owned())));
        facts.chain(self.spec.status.then(|| ("Status", status.to_owned()))).chain(registers).collect()
    }

    /// The reason for which a slot or unit comes later than the latency says.
    fn second_beat(&self) -> &'static str {
        match self.spec.role {
            Role::Decoder if self.spec.pack == Packing::Dense => {
                "one beat more for what is left over at a frame's end"
            }
            Role::Decoder if self.spec.streams > 0 => "every beat takes as long",
            Role::Decoder if self.spec.lanes > 1 => "one beat more for a slot that has no room in its beat",
            Role::Decoder => "one beat more for the second of two slots made at once",
            Role::Validator(_) => "every beat takes as long",
            Role::Encoder | Role::Transcoder { .. } if self.spec.lanes > 1 => {
                "the further output beats of a beat follow one a cycle"
            }
            Role::Encoder | Role::Transcoder { .. } => "the further units of a sequence follow one a cycle",
        }
    }

    /// Bits of each lane in a port; none where the port is about the whole beat.
    pub fn lane_bits(&self, port: &Port) -> Option<u32> {
        match port.name.rsplit_once('_')? {
            ("status", _) => None,
            ("m_axis", "tdata" | "tkeep") => Some(port.width / self.spec.lanes_out()),
            (_, "tdata" | "tkeep") => Some(port.width / self.spec.lanes),
            (side, "tuser") => {
                let is_of_lanes = match self.spec.role {
                    Role::Encoder => side == "s_axis",
                    Role::Decoder | Role::Validator(_) => side == "m_axis",
                    Role::Transcoder { .. } => false,
                };
                is_of_lanes.then(|| self.spec.lane_user_stride())
            }
            _ => None,
        }
    }

    fn lane_bits_of_ports(&self) -> BTreeMap<String, u32> {
        if self.spec.lanes_out() == 1 {
            return BTreeMap::new();
        }
        let ports = self.design.top.ports().iter();
        ports.filter_map(|port| Some((port.name.clone(), self.lane_bits(port)?))).collect()
    }

    /// The most bytes of a lane, if the ports count in bytes and some lane has several.
    fn lane_bytes(&self) -> Option<u32> {
        let keeps = self.design.top.ports().iter().filter(|port| port.name.ends_with("_tkeep"));
        keeps.filter_map(|port| self.lane_bits(port)).max().filter(|&bits| bits > 1)
    }

    /// Whether the ports count as AXI4-Stream does: TDATA of whole bytes, and a bit of TKEEP for each.
    pub fn counts_in_bytes(&self) -> bool {
        ["s_axis", "m_axis"].iter().all(|side| {
            let width = |port: &str| self.port_width(&format!("{side}_{port}"));
            width("tdata") == BYTE * width("tkeep")
        })
    }

    fn port_width(&self, name: &str) -> u32 {
        self.design.top.ports().iter().find(|port| port.name == name).map_or(0, |port| port.width)
    }

    /// The kinds of slots, for the head of the file.
    fn slot_table(&self) -> Option<Table> {
        let (title, item) = match self.spec.role {
            Role::Encoder => ("s_axis_tuser", "Slot"),
            Role::Validator(_) => ("cut, bad", "Error"),
            Role::Decoder | Role::Transcoder { .. } => ("m_axis_tuser", "Slot"),
        };
        let kinds = self.slot_kinds();
        let rows = kinds.iter().map(|kind| [kind.values(), kind.name.to_owned(), kind.meaning.to_owned()]);
        let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
        (!rows.is_empty())
            .then(|| Table { heading: [title, item, "Meaning"].map(str::to_owned).to_vec(), rows })
    }

    /// The marks of a validator, for the head of the file.
    fn verdict_table(&self) -> Option<Table> {
        let Role::Validator(verdict) = self.spec.role else { return None };
        Some(field_table("m_axis_tuser", "Mark", verdict.fields()))
    }

    /// The fields of the status, for the head of the file.
    fn status_table(&self) -> Option<Table> {
        self.spec.status.then(|| field_table("status_tdata", "Field", status_fields()))
    }

    /// The registers, for the head of the file.
    fn register_table(&self) -> Option<Table> {
        let row = |one: Register| vec![format!("0x{:02x}", one.address), one.name, one.meaning];
        let heading = ["s_axil", "Register", "Meaning"].map(str::to_owned).to_vec();
        let rows = || registers(&self.spec).into_iter().map(row).collect();
        self.spec.registers.is_there().then(|| Table { heading, rows: rows() })
    }

    /// The attributes by which Vivado knows the interfaces, by port.
    fn x_interface(&self) -> BTreeMap<String, Vec<String>> {
        let reset = self.design.reset;
        let info = |text: String| format!("X_INTERFACE_INFO = \"{text}\"");
        let parameter = |text: String| format!("X_INTERFACE_PARAMETER = \"{text}\"");
        let name = reset.port();
        let status = if self.spec.status { ":status" } else { "" };
        let registers = if self.spec.registers.is_there() { ":s_axil" } else { "" };
        let polarity = if reset.active_level() { "ACTIVE_HIGH" } else { "ACTIVE_LOW" };
        let mut attributes = BTreeMap::from([
            (
                "clk".to_owned(),
                vec![
                    info("xilinx.com:signal:clock:1.0 clk CLK".to_owned()),
                    parameter(format!(
                        "ASSOCIATED_BUSIF s_axis:m_axis{status}{registers}, ASSOCIATED_RESET {name}"
                    )),
                ],
            ),
            (
                name.to_owned(),
                vec![
                    info(format!("xilinx.com:signal:reset:1.0 {name} RST")),
                    parameter(format!("POLARITY {polarity}")),
                ],
            ),
        ]);
        for port in self.design.top.ports() {
            let Some((side, signal)) = port.name.rsplit_once('_') else { continue };
            let bus = if side == "s_axil" { "aximm" } else { "axis" };
            let mut of_port =
                vec![info(format!("xilinx.com:interface:{bus}:1.0 {side} {}", signal.to_uppercase()))];
            if (side, signal) == ("s_axil", "awaddr") {
                let widths = format!("DATA_WIDTH 32, ADDR_WIDTH {}", port.width);
                of_port.push(parameter(format!("XIL_INTERFACENAME {side}, PROTOCOL AXI4LITE, {widths}")));
            }
            if signal == "tdata" {
                let bits = |signal: &str| self.port_width(&format!("{side}_{signal}"));
                let of_frame = [("TID", bits("tid")), ("TDEST", bits("tdest"))].into_iter();
                let of_frame = of_frame
                    .filter(|&(_, bits)| bits > 0)
                    .map(|(name, bits)| format!("{name}_WIDTH {bits}, "));
                let has = u32::from(side != "status");
                of_port.push(parameter(format!(
                    "XIL_INTERFACENAME {side}, TDATA_NUM_BYTES {}, {}TUSER_WIDTH {}, HAS_TREADY 1, HAS_TKEEP {has}, HAS_TLAST {has}",
                    port.width / BYTE,
                    of_frame.collect::<String>(),
                    bits("tuser"),
                )));
            }
            attributes.insert(port.name.clone(), of_port);
        }
        attributes
    }
}

/// The sentence about the reset in the head of a file, of a core that takes no beat for `sweep` cycles after it.
pub(super) fn reset_fact(reset: ResetStyle, sweep: u32) -> String {
    let from = match sweep {
        0 => "the first rising edge after it".to_owned(),
        cycles => format!("{cycles} cycles after the first rising edge after it"),
    };
    let held = match reset.is_asynchronous() {
        true => "at any time, for one rising edge of clk at least, and ends in time with clk",
        false => "for one rising edge of clk at least",
    };
    format!(
        "{} is {} {held}; s_axis_tready and m_axis_tvalid are 0 in it, and s_axis_tready is 1 from {from}",
        reset.port(),
        if reset.active_level() { "high" } else { "low" },
    )
}

/// The fields of a port.
fn field_table(port: &str, item: &str, fields: Vec<BitField>) -> Table {
    let row = |field: BitField| vec![field.place(), field.name.to_owned(), field.meaning.to_owned()];
    let heading = [port, item, "Meaning"].map(str::to_owned).to_vec();
    Table { heading, rows: fields.into_iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::Timescale;

    /// IEEE 1364-2001, §19.8: 1, 10 or 100, and a precision at most as long as the unit.
    #[test]
    fn a_timescale_is_as_verilog_has_it() {
        for (text, spelled) in [
            ("1ns/1ps", "1ns / 1ps"),
            ("100us / 10us", "100us / 10us"),
            ("1s/1fs", "1s / 1fs"),
            ("1ps/1ps", "1ps / 1ps"),
        ] {
            assert_eq!(text.parse::<Timescale>().unwrap().to_string(), spelled);
        }
        for text in ["1ps/1ns", "2ns/1ps", "1ns", "", "1ns/", "1000ns/1ps", "1 ns/1ps/1fs", "1ns/0ps"] {
            assert!(text.parse::<Timescale>().is_err(), "{text}");
        }
    }
}
