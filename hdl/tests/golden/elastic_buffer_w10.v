// SPDX-License-Identifier: MIT OR Apache-2.0
//
// elastic_buffer_w10: Two registers used in turn between valid/ready neighbours: ready and valid
// are registers, and no payload moves when a beat is taken. Holds two beats, adds one cycle, never
// a bubble.
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

module elastic_buffer_w10 (
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

    reg       ready_reg;        // there is room for a beat
    reg       valid_reg;        // there is a beat
    reg       second_next_reg;  // the second register is the next to be taken
    reg [9:0] first_reg;
    reg [9:0] second_reg;

    wire fills_first = ready_reg && second_next_reg == valid_reg;
    wire fills_second = ready_reg && second_next_reg != valid_reg;

    always @(posedge clk) begin
        if (rst) begin
            ready_reg <= 1'b0;
            valid_reg <= 1'b0;
            second_next_reg <= 1'b0;
        end else begin
            ready_reg <= !(valid_reg && !m_ready && (s_valid || !ready_reg));
            valid_reg <= (s_valid && ready_reg) || (valid_reg && !(m_ready && ready_reg));
            second_next_reg <= second_next_reg ^ (valid_reg && m_ready);
        end
    end

    always @(posedge clk) begin
        if (fills_first) begin
            first_reg <= s_payload;
        end
    end

    always @(posedge clk) begin
        if (fills_second) begin
            second_reg <= s_payload;
        end
    end

    assign s_ready   = ready_reg;
    assign m_valid   = valid_reg;
    assign m_payload = second_next_reg ? second_reg : first_reg;

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
