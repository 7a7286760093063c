//! The lines of the bench about the status of frames: every status that is offered is compared.

use utfhdl_hdl::emit::ranged;

use super::{Frame, Package};
use crate::deliverables::PortEntry;

/// The ports and what they are compared with.
const PORTS: &str = "
    // The statuses of the frames.
    localparam FRAMES = @FRAMES@;

    wire [@HIGH@:0] status_tdata;
    wire         status_tvalid;
    reg          status_tready = 1'b0;
    reg  [@HIGH@:0] statuses [0:FRAMES-1];
    integer      taken = 0;            // statuses that were taken
    reg  [@HIGH@:0] status_waiting;
    reg          status_waits = 1'b0;  // a status was offered in the cycle before, and not taken
    wire         status_pauses = cycle[9] && noise[3:2] != 2'b00;

    always @(posedge clk)
        status_tready <= !in_reset && !status_pauses;
";

const CONNECTIONS: &str = ",
        .status_tdata  (status_tdata),
        .status_tvalid (status_tvalid),
        .status_tready (status_tready)";

const CHECKS: &str = "            if (!failed && status_tvalid !== 1'b0 && status_tvalid !== 1'b1) begin
                fail;
                $display(\"status_tvalid is %b\", status_tvalid);
            end
            if (!failed && status_waits && (!status_tvalid || status_tdata !== status_waiting)) begin
                fail;
                $display(\"a status changed that was offered and not taken\");
            end
            if (!failed && status_tvalid && taken == FRAMES) begin
                fail;
                $display(\"a status comes, and no frame is left\");
            end
            if (!failed && status_tvalid && status_tdata !== statuses[taken]) begin
                fail;
                $display(\"status %0d is %h, expected %h\", taken, status_tdata, statuses[taken]);
            end
            if (!failed && frames > taken && !(status_tvalid && frames == taken + 1)) begin
                fail;
                $display(\"a frame has ended before its status was offered\");
            end
            status_waits   = status_tvalid && !status_tready;
            status_waiting = status_tdata;
            if (status_tvalid && status_tready)
                taken = taken + 1;
";

const END: &str = "        if (!failed && came == ITEMS && taken != FRAMES) begin
            fail;
            $display(\"%0d statuses are missing\", FRAMES - taken);
        end
";

/// The bench with these lines, or without their marks for a core that has no status; and with the ports of a table or of registers.
pub fn filled(bench: &str, package: &Package, frames: &[Frame]) -> String {
    let is_there = package.core.spec.status;
    let of_status = |text: &str| if is_there { text.to_owned() } else { String::new() };
    let connections = of_status(CONNECTIONS) + &registers_at_rest(package);
    let high = package.width("status_tdata").saturating_sub(1).to_string();
    let ports = PORTS.replace("@FRAMES@", &frames.len().to_string()).replace("@HIGH@", &high);
    let ports = unread_outputs(package) + &of_status(&ports);
    let lines = [
        ("@STATUS_PORTS@\n", &*ports),
        ("@STATUS_CONNECTIONS@", &*connections),
        ("@STATUS_CHECKS@\n", &of_status(CHECKS)),
        ("@STATUS_END@\n", &of_status(END)),
    ];
    lines.iter().fold(bench.to_owned(), |bench, (mark, text)| bench.replace(mark, text))
}

/// The ports of the registers, if the core has some, and the stream of a status.
fn ports_of_registers<'p>(package: &'p Package) -> impl Iterator<Item = &'p PortEntry> {
    package.ports.iter().filter(|port| port.name.starts_with("s_axil_") || port.name == "status_tid")
}

/// Connections of the registers, which nobody reads here.
fn registers_at_rest(package: &Package) -> String {
    let connection = |port: &PortEntry| match port.is_input() {
        true => format!(",\n        .{} ({}'d0)", port.name, port.width),
        false => format!(",\n        .{0} (unused_{0})", port.name),
    };
    ports_of_registers(package).map(connection).collect()
}

/// The wires of the outputs of the registers.
fn unread_outputs(package: &Package) -> String {
    let outputs = ports_of_registers(package).filter(|port| !port.is_input());
    let wires =
        outputs.map(|port| format!("    wire {};\n", ranged(&format!("unused_{}", port.name), port.width)));
    wires.collect()
}

/// The statuses that are due, if the core has some.
pub fn vectors(frames: &[Frame]) -> String {
    let status = |(number, frame): (usize, &Frame)| {
        let digits = frame.status_digits()?;
        Some(format!("        statuses[{number}] = {}'h{digits};\n", 4 * digits.len()))
    };
    let lines: String = frames.iter().enumerate().filter_map(status).collect();
    if lines.is_empty() { lines } else { format!("    initial begin\n{lines}    end\n\n") }
}
