// SPDX-License-Identifier: MIT OR Apache-2.0
//
// register_slice_w10: One register between valid/ready neighbours: cuts the path forward and lets
// ready pass backward. Holds one beat, adds one cycle, never a bubble.
//
// Generator  utfhdl 0
// Command    none
//
// Port       Dir  Bits  Meaning
// clk        in      1  clock, rising edge
// rst        in      1  reset, synchronous, active high
// s_valid    in      1  beat is offered
// s_payload  in     10  payload of the beat
// s_ready    out     1  beat is taken
// m_valid    out     1  beat is offered
// m_payload  out    10  payload of the beat
// m_ready    in      1  beat is taken

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module register_slice_w10 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst,       // reset, synchronous, active high

    // Upstream
    input  wire        s_valid,   // beat is offered
    input  wire [9:0]  s_payload, // payload of the beat
    output wire        s_ready,   // beat is taken

    // Downstream
    output wire        m_valid,   // beat is offered
    output wire [9:0]  m_payload, // payload of the beat
    input  wire        m_ready    // beat is taken
);

    reg       valid_reg;
    reg [9:0] payload_reg;

    wire load = !valid_reg || m_ready;  // the register is empty, or emptied in this cycle

    always @(posedge clk) begin
        if (rst) begin
            valid_reg <= 1'b0;
        end else begin
            valid_reg <= !load || s_valid;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= s_payload;
        end
    end

    assign s_ready   = load;
    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
