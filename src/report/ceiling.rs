//! The ceiling of a clock: a pipeline with the ports of a core and one LUT between two registers, to be measured in the same harness.
//! The difference from the device's limit is the cost of the width alone: of routing, and of the harness.

use std::fmt::Write;

use utfhdl_hdl::netlist::Direction;

use super::block::Block;

/// Register stages between the ports.
const STAGES: usize = 4;

/// The Verilog of the pipeline: a module with the name and the ports of `core`. Each bit of a stage is a function of three
/// neighbouring bits of the stage before.
pub(super) fn ceiling(core: &Block) -> String {
    let reset = core.design().reset.port();
    let mut ports = format!("    input wire clk,\n    input wire {reset}");
    let (mut inputs, mut outputs) = (vec![reset.to_owned()], Vec::new());
    let mut output_width = 0;
    let mut input_width = 1;
    for port in core.design().top.ports_by_group() {
        let (direction, names, width) = match port.direction {
            Direction::Input => ("input", &mut inputs, &mut input_width),
            Direction::Output => ("output", &mut outputs, &mut output_width),
        };
        names.push(port.name.clone());
        *width += port.width;
        write!(ports, ",\n    {direction} wire [{}:0] {}", port.width - 1, port.name).expect(STRING);
    }
    let width = input_width.max(output_width).max(3);
    let last = width - 1;
    let mut text = format!("module {} (\n{ports}\n);\n\n", core.design().top.name());
    // The narrower side is repeated to as many bits as the wider one has.
    let copies = width.div_ceil(input_width);
    writeln!(text, "    wire [{}:0] in = {{{copies}{{{}}}}};", copies * input_width - 1, inputs.join(", "))
        .expect(STRING);
    for stage in 0..STAGES {
        writeln!(text, "    reg [{last}:0] stage_{stage};").expect(STRING);
    }
    writeln!(text, "\n    always @(posedge clk) begin\n        stage_0 <= in[{last}:0];").expect(STRING);
    for (stage, before) in (1..STAGES).zip(0..) {
        writeln!(
            text,
            "        stage_{stage} <= stage_{before} ^ ({{stage_{before}[0], stage_{before}[{last}:1]}}\n            \
             & {{stage_{before}[1:0], stage_{before}[{last}:2]}});"
        )
        .expect(STRING);
    }
    let end = STAGES - 1;
    let (top, outputs) = (output_width - 1, outputs.join(", "));
    write!(text, "    end\n\n    assign {{{outputs}}} = stage_{end}[{top}:0];\n\nendmodule\n").expect(STRING);
    text
}

const STRING: &str = "writing to a string";

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{Core, CoreSpec, Role, System};

    use super::*;

    /// A beat of two lanes comes in as 16 bits of data, two of `tkeep`, `tlast` and `tvalid`, with reset and `m_tready`; more bits
    /// go out, and they decide how wide the pipeline is.
    #[test]
    fn the_pipeline_is_as_wide_as_the_wider_side() {
        let core = Core::new(CoreSpec { lanes: 2, ..CoreSpec::new(System::Utf8, Role::Decoder) })
            .expect("it exists");
        let width = |direction| {
            let ports = core.design.top.ports_by_group().into_iter();
            ports.filter(|port| port.direction == direction).map(|port| port.width).sum::<u32>()
        };
        let (inputs, outputs) = (width(Direction::Input) + 1, width(Direction::Output));
        assert_eq!(inputs, 16 + 2 + 1 + 1 + 1 + 1);
        assert!(outputs > inputs);
        let text = ceiling(&core.clone().into());
        for stage in 0..STAGES {
            assert!(text.contains(&format!("reg [{}:0] stage_{stage};", outputs - 1)), "{text}");
        }
        for port in core.design.top.ports_by_group() {
            let direction = if port.direction == Direction::Input { "input" } else { "output" };
            let declared = format!("{direction} wire [{}:0] {}", port.width - 1, port.name);
            assert!(text.contains(&declared), "{declared}\n{text}");
        }
    }
}
