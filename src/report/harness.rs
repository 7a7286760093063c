//! The harness: the module around a core while its clock is measured.
//!
//! Only paths from register to register are timed. Every input of the core therefore comes from a register and every output goes into
//! one, as in a design with registered neighbours on both sides. The harness has three pins whatever ports the core has, so that wide
//! ports add no paths to far pads. It avoids three traps:
//!
//! - Synthesis would merge a plain shift register with the first registers of the core, which hold the same bits one cycle later.
//!   Each input of the core is therefore a bit of the shift register XORed with some of its neighbours.
//! - Placement puts the bits of the shift register close together, but the inputs of a core of several lanes belong to opposite ends
//!   of the core. Such an input goes through one more register, which can be placed near its use.
//! - Synthesis removes logic whose result is not used. Every output is therefore folded into the one output pin, a few bits a cycle,
//!   so that folding is not the slowest path.

use std::fmt::Write;

use utfhdl_hdl::netlist::Direction;

use super::block::Block;

/// Name of the harness's module.
pub(super) const TOP: &str = "harness";

/// The Verilog of the harness around `core`, without the Verilog of the core itself. `clock_buffer` is an instance that drives `clk` from the pin
/// `clk_pin`; without it, `clk` is the pin.
pub fn harness(core: &Block, clock_buffer: Option<&str>) -> String {
    // Reset is an input like any other.
    let mut connections = format!("        .clk(clk),\n        .{}(in[0])", core.design().reset.port());
    let (mut inputs, mut outputs) = (1, 0);
    for port in core.design().top.ports_by_group() {
        let (bus, width) = match port.direction {
            Direction::Input => ("in", &mut inputs),
            Direction::Output => ("out", &mut outputs),
        };
        let low = *width;
        *width += port.width;
        write!(connections, ",\n        .{}({bus}[{}:{low}])", port.name, *width - 1).expect(STRING);
    }
    let (input, output) = (inputs - 1, outputs - 1);
    let (declarations, statements) = folds(outputs);
    let mixed = format!("shift ^ {{shift[0], shift[{input}:1]}} ^ {{shift[2:0], shift[{input}:3]}}");
    let (far, mixes) = match core.lanes() {
        1 => (String::new(), format!("in <= {mixed};")),
        _ => (format!("    reg  [{input}:0] far;\n"), format!("far <= {mixed};\n        in <= far;")),
    };
    let pin = if clock_buffer.is_some() { "clk_pin" } else { "clk" };
    let buffer = clock_buffer.map_or(String::new(), |instance| format!("    wire clk;\n    {instance}\n\n"));
    format!(
        "\
module {TOP} (
    input  wire {pin},
    input  wire din,
    output reg  dout
);

{buffer}    reg  [{input}:0] shift;
{far}    reg  [{input}:0] in;
    wire [{output}:0] out;
{declarations}    integer i;

    {module} core (
{connections}
    );

    always @(posedge clk) begin
        shift <= {{shift[{}:0], din}};
        {mixes}
{statements}    end

endmodule
",
        input - 1,
        module = core.design().top.name(),
    )
}

/// Declarations and statements of the registers that fold `out` into `dout`: each stage makes one bit of four.
fn folds(width: u32) -> (String, String) {
    let (mut declarations, mut statements) = (String::new(), String::from("        held_0 <= out;\n"));
    let (mut width, mut stage) = (width, 0);
    loop {
        let groups = width.div_ceil(4);
        writeln!(declarations, "    reg  [{}:0] held_{stage};", 4 * groups - 1).expect(STRING);
        if groups == 1 {
            writeln!(statements, "        dout <= ^held_{stage};").expect(STRING);
            return (declarations, statements);
        }
        // The next stage is padded with zeros to a multiple of four bits.
        let padding = groups.next_multiple_of(4) - groups;
        let next = stage + 1;
        writeln!(
            statements,
            "        for (i = 0; i < {groups}; i = i + 1) held_{next}[i] <= ^held_{stage}[4*i +: 4];"
        )
        .expect(STRING);
        if padding > 0 {
            let (high, low) = (groups + padding - 1, groups);
            writeln!(statements, "        held_{next}[{high}:{low}] <= 0;").expect(STRING);
        }
        (width, stage) = (groups, next);
    }
}

const STRING: &str = "writing to a string";
