//! A bench in Verilog-2001 that checks itself: it plays frames into the core and compares the output.

use std::fmt::Write;

use num_bigint::BigUint;
use utfhdl_hdl::core::Role;
use utfhdl_hdl::emit::{filled, heading};

use self::passengers::Passengers;
use super::frames::Frame;
use super::{Deliverable, Package, SLOT_USER_BITS, TextFile, verification};
use crate::promise::{Beat, Item};

mod passengers;
mod status;

pub use passengers::own_user_bits;

/// The bench below the lines that depend on the core.
const BENCH: &str = include_str!("testbench.v");

/// The bench's path in the folder.
pub fn path(module: &str) -> String {
    format!("tb/{}.v", top(module))
}

/// The module of the bench.
pub fn top(module: &str) -> String {
    format!("{module}_tb")
}

pub fn files(package: &Package, frames: &[Frame]) -> Vec<TextFile> {
    let text = text(package, frames);
    vec![TextFile { path: path(package.module), text, about: "a bench that checks itself, in Verilog-2001" }]
}

/// Cycles without a beat after which the bench gives up.
const PATIENCE: u32 = 1000;

/// The timescale of the bench where the core has none.
const TIMESCALE: &str = "1ns / 1ps";

/// The options of Icarus Verilog with which it has nothing to warn about. It warns where some modules have a timescale and others
/// have none, as the bench has one and the core by default has none.
pub fn icarus_options(package: &Package) -> &'static str {
    match package.settings.text.timescale {
        Some(_) => "-g2001 -Wall",
        None => "-g2001 -Wall -Wno-timescale",
    }
}

/// The arguments of Verilator that make a program of the bench; the assertions of the core are in it if they are written.
pub fn verilator_arguments(package: &Package) -> String {
    let module = package.module;
    let (tb, path) = (top(module), path(module));
    let (assert, assertions) = match package.wanted.contains(&Deliverable::Assertions) {
        true => ("--assert ", format!(" {}", verification::assertions_path(module))),
        false => ("", String::new()),
    };
    format!("--binary -Wall {assert}--top-module {tb} {path} {module}.v{assertions}")
}

/// How one side of the core is packed.
struct Side {
    lanes: u32,
    data_bits: u32,
    keep_bits: u32,
    /// At least one, which goes nowhere where there is no such port.
    user_bits: u32,
    /// Bits of a lane's tuser, if lanes have one.
    lane_user_bits: u32,
}

impl Side {
    fn of(package: &Package, name: &str) -> Self {
        let spec = package.core.spec;
        let lanes = if name == "m_axis" { spec.lanes_out() } else { spec.lanes };
        let width = |port: &str| package.width(&format!("{name}_{port}"));
        // The number of a frame's system is above the octet.
        let number_bits = if name == "s_axis" { package.system_bits() } else { 0 };
        Self {
            lanes,
            data_bits: width("tdata") / lanes + number_bits,
            keep_bits: width("tkeep") / lanes,
            user_bits: own_user_bits(package, name).max(1),
            lane_user_bits: if name == "m_axis" { package.lane_user_bits() } else { SLOT_USER_BITS },
        }
    }

    /// A beat as the bench keeps it: {tlast, tkeep, tuser, tdata}.
    fn beat(&self, beat: &Beat) -> String {
        let (mut data, mut user, mut keep) = (BigUint::ZERO, BigUint::ZERO, BigUint::ZERO);
        for (lane, item) in (0..self.lanes).zip(&beat.items) {
            data |= BigUint::from(item.data) << (lane * self.data_bits);
            user |= BigUint::from(item.user) << (lane * self.user_bits / self.lanes);
            keep |= ((BigUint::from(1_u32) << self.keep_bits) - 1_u32) << (lane * self.keep_bits);
        }
        let fields = [
            (1, BigUint::from(u8::from(beat.last))),
            (self.keep_bits * self.lanes, keep),
            (self.user_bits, user),
            (self.data_bits * self.lanes, data),
        ];
        fields.iter().map(literal).collect::<Vec<_>>().join(", ")
    }

    /// The expected contents of one lane: {alone, last, tuser, tdata}.
    fn item(&self, item: Item, user: u32, alone: bool, last: bool) -> String {
        let flags = [(1, BigUint::from(u8::from(alone))), (1, BigUint::from(u8::from(last)))];
        let values = [(self.lane_user_bits, BigUint::from(user)), (self.data_bits, BigUint::from(item.data))];
        flags.iter().chain(&values).map(literal).collect::<Vec<_>>().join(", ")
    }
}

/// Marks of a lane that is not in use belong to the end of the frame.
const UNUSED_MARKS: &str =
    "                if (m_axis_tkeep == 0 && lane == 0) lane_user = {@USER@{1'b0}};\n";

/// The marks of the end of a frame on a beat without units.
const END_MARKS: &str = "                if (!failed && lane_users[@USER_HIGH@:0] !== user) begin
                    fail;
                    $display(\"tuser of the end is %0d, expected %0d\", lane_users[@USER_HIGH@:0], user);
                end
";

/// A sized literal.
fn literal((width, value): &(u32, BigUint)) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ => format!("{width}'h{value:0digits$x}", digits = width.div_ceil(4) as usize),
    }
}

/// The connection of the data that goes in, and of the number of its system.
fn data_in(package: &Package) -> String {
    match package.system_bits() {
        0 => "        .s_axis_tdata  (s_axis_tdata),\n".to_owned(),
        bits => {
            // A lane of the bench has the octet, and the number above it.
            let lanes = package.core.spec.lanes;
            let octet = package.width("s_axis_tdata") / lanes;
            let low = |lane: u32| lane * (octet + bits);
            let of_lane = |lane: u32| format!("s_axis_tdata[{}:{}]", low(lane) + octet - 1, low(lane));
            let octets: Vec<String> = (0..lanes).rev().map(of_lane).collect();
            let octets = match &octets[..] {
                [only] => only.clone(),
                _ => format!("{{{}}}", octets.join(",\n                         ")),
            };
            format!(
                "        .s_axis_tdata  ({octets}),\n        .system        (s_axis_tdata[{}:{octet}]),\n",
                octet + bits - 1
            )
        }
    }
}

fn text(package: &Package, frames: &[Frame]) -> String {
    let Package { module, core, .. } = package;
    let (input, output) = (Side::of(package, "s_axis"), Side::of(package, "m_axis"));
    let has_users = package.lanes_have_users();
    let (sent, due) = vectors(frames, &input, &output, has_users);
    let is_marked = matches!(core.spec.role, Role::Validator(_));
    let reset = core.design.reset;
    let tb = top(module);
    let user_of_lane = package.core.spec.lane_user_stride();
    let lanes_out = lanes_out(package);
    let about = format!(
        "{tb}: bench of {module}. It plays frames into the core, with pauses on both sides, and compares what comes out with \
         what the software reference of utfhdl made of the same frames. Prints PASS, or FAIL and the first difference."
    );
    let mut text = package.head("//", &about);
    let path = path(module);
    let icarus = format!("{} -o {tb}.vvp {path} {module}.v && vvp -N {tb}.vvp", icarus_options(package));
    let verilator = format!("{} && obj_dir/V{tb}", verilator_arguments(package));
    let timescale =
        package.settings.text.timescale.map_or(TIMESCALE.to_owned(), |timescale| timescale.to_string());
    text += "//\n";
    for (mark, command) in
        [("// In Icarus     iverilog ", icarus), ("// In Verilator  verilator ", verilator)]
    {
        text += &filled(mark, "//               ", command.split(' '));
    }
    write!(
        text,
        "\n`timescale {timescale}\n`default_nettype none\n\nmodule {tb};\n\n\
         {i}localparam LANES = {lanes};\n{lanes_out}\
         {i}localparam BEATS = {beats};  // beats that go in\n\
         {i}localparam ITEMS = {items};  // {what} that have to come out, and ends of frames that come alone\n\n\
         {i}// Bits of a lane, and of the tuser of all lanes. An input without tuser is given a bit that\n\
         {i}// goes nowhere.\n\
         {i}localparam IN_DATA   = {in_data};\n{i}localparam IN_KEEP   = {in_keep};\n\
         {i}localparam IN_USER   = {in_user};\n{i}localparam OUT_DATA  = {out_data};\n\
         {i}localparam OUT_KEEP  = {out_keep};\n{i}localparam OUT_USER  = {out_user};\n\
         {i}localparam SLOTS_OUT = {slots_out};  // tuser has {user} bits a lane; otherwise it is about the frame\n\n",
        i = "    ",
        lanes = core.spec.lanes,
        lanes_out = match lanes_out {
            LANES => String::new(),
            name => format!("    localparam {name} = {};\n", core.spec.lanes_out()),
        },
        beats = sent.lines.len(),
        items = due.lines.len(),
        what = if core.spec.role == Role::Decoder { "slots" } else { "units" },
        in_data = input.data_bits,
        in_keep = input.keep_bits,
        in_user = input.user_bits,
        out_data = output.data_bits,
        out_keep = output.keep_bits,
        out_user = output.user_bits,
        slots_out = u8::from(has_users),
        user = match user_of_lane {
            4 if !is_marked => "four".to_owned(),
            6 if !is_marked => "six".to_owned(),
            stride => stride.to_string(),
        },
    )
    .expect("writing to a string");
    let passengers = Passengers::new(package);
    text += &status::filled(BENCH, package, frames)
        .replace("        .s_axis_tdata  (s_axis_tdata),\n", &data_in(package))
        .replace("@CORE@", module)
        .replace("@RESET@", reset.port())
        .replace("@RESET_VALUE@", if reset.active_level() { "reset" } else { "!reset" })
        .replace("@USER_IN@\n", &passengers.inputs())
        .replace("@USER_OUT@\n", &passengers.outputs())
        .replace("@PATIENCE@", &(PATIENCE + package.core.sweep).to_string())
        .replace("@PASSENGERS@\n", &passengers.declarations())
        .replace("@PASSENGER_CHECKS@\n", &passengers.checks())
        .replace("@LANE_USERS@", &lane_users(package))
        .replace("@LANES_OUT@", lanes_out)
        .replace("@UNUSED_USER@\n", if is_marked { UNUSED_MARKS } else { "" })
        .replace("@END_MARKS@\n", if is_marked { END_MARKS } else { "" })
        .replace("@USER_HIGH@", &(output.lane_user_bits - 1).to_string())
        .replace("@ITEM_HIGH@", &(output.lane_user_bits + 1).to_string())
        .replace("@USER@", &output.lane_user_bits.to_string());
    text += &format!("\n{}", heading("What goes in: {tlast, tkeep, tuser, tdata}"));
    text += "    initial begin\n";
    for (index, (about, beat)) in sent.lines.iter().enumerate() {
        text += &about.as_ref().map(|about| format!("        // {about}\n")).unwrap_or_default();
        text += &format!("        beats[{index}] = {{{beat}}};\n");
    }
    text += "    end\n\n";
    text += &heading("What has to come out, lane by lane: {the end of a frame alone, tlast, tuser, tdata}");
    text += "    initial begin\n";
    for (index, (about, item)) in due.lines.iter().enumerate() {
        text += &about.as_ref().map(|about| format!("        // {about}\n")).unwrap_or_default();
        text += &format!("        items[{index}] = {{{item}}};\n");
    }
    text += "    end\n\n";
    text += &status::vectors(frames);
    text + "endmodule\n\n`default_nettype wire\n"
}

/// Lines of vectors; the first line of a frame says what the frame tests.
#[derive(Default)]
struct Vectors {
    lines: Vec<(Option<String>, String)>,
}

impl Vectors {
    fn add(&mut self, about: &str, lines: impl Iterator<Item = String>) {
        let about = std::iter::once(Some(about.to_owned())).chain(std::iter::repeat(None));
        self.lines.extend(about.zip(lines));
    }
}

fn vectors(frames: &[Frame], input: &Side, output: &Side, has_users: bool) -> (Vectors, Vectors) {
    let (mut sent, mut due) = (Vectors::default(), Vectors::default());
    for (number, frame) in frames.iter().enumerate() {
        let about = format!("Frame {number}: {}", frame.about);
        sent.add(&about, frame.input.iter().map(|beat| input.beat(beat)));
        let alone = frame.ends_bare.then_some(Item { data: 0, user: frame.end_marks });
        let count = frame.output.len() + usize::from(frame.ends_bare);
        let items = frame.output.iter().copied().chain(alone).enumerate();
        due.add(
            &about,
            items.map(|(index, item)| {
                let last = index + 1 == count;
                let user = if has_users { item.user.into() } else { u32::from(last && frame.amiss) };
                output.item(item, user, last && frame.ends_bare, last)
            }),
        );
    }
    (sent, due)
}

/// The name of the number of lanes, of the input and mostly of both sides.
const LANES: &str = "LANES";

/// The name of the number of lanes of the output.
fn lanes_out(package: &Package) -> &'static str {
    if package.core.spec.lanes_out() == package.core.spec.lanes { LANES } else { "LANES_OUT" }
}

/// The kinds of the slots of all lanes, or the marks of their units, side by side.
fn lane_users(package: &Package) -> String {
    let spec = package.core.spec;
    let lanes = lanes_out(package);
    match spec.lane_user_stride() {
        bits if matches!(spec.role, Role::Validator(_)) => format!("m_axis_tuser[LANES*{bits}-1:0]"),
        _ if !package.lanes_have_users() => format!("{{{lanes}{{4'd0}}}}"),
        4 => format!("m_axis_tuser[{lanes}*4-1:0]"),
        // Positions, or padding, are above the kinds.
        stride => {
            let kinds =
                (0..spec.lanes_out()).rev().map(|lane| format!("m_axis_tuser[{} +: 4]", stride * lane));
            format!("{{{}}}", kinds.collect::<Vec<_>>().join(", "))
        }
    }
}
