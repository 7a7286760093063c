// SPDX-License-Identifier: MIT OR Apache-2.0
//
// skid_buffer_w10: Two registers between valid/ready neighbours: every output is a register, so
// that no path leads through. The beat that arrives while ready is still falling skids into the
// second register. Holds two beats, adds one cycle, never a bubble.
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

module skid_buffer_w10 (
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

    reg       ready_reg;         // there is room for a beat: none has skidded
    reg       valid_reg;
    reg [9:0] payload_reg;
    reg       skid_valid_reg;
    reg [9:0] skid_payload_reg;

    wire accept = s_valid && ready_reg;
    wire load = !valid_reg || m_ready;  // the first register is empty, or emptied in this cycle
    wire skids = !load && (skid_valid_reg || accept);  // the second register holds a beat

    always @(posedge clk) begin
        if (rst) begin
            ready_reg <= 1'b0;
            valid_reg <= 1'b0;
            skid_valid_reg <= 1'b0;
        end else begin
            ready_reg <= !skids;
            valid_reg <= !load || skid_valid_reg || accept;
            skid_valid_reg <= skids;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= skid_valid_reg ? skid_payload_reg : s_payload;
        end
    end

    always @(posedge clk) begin
        if (!skid_valid_reg) begin
            skid_payload_reg <= s_payload;
        end
    end

    assign s_ready   = ready_reg;
    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
