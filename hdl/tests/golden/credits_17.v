// SPDX-License-Identifier: MIT OR Apache-2.0
//
// credits_17: Takes beats while fewer than 17 are under way, so that there is room for each at the
// end.
//
// Generator  utfhdl 0
// Command    none
//
// Port     Dir  Bits  Meaning
// clk      in      1  clock, rising edge
// rst      in      1  reset, synchronous, active high
// s_valid  in      1  beat is offered
// left     in      1  a beat has left
// gone     in      1  a beat has ended inside
// s_ready  out     1  beat is taken

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module credits_17 (
    input  wire        clk,     // clock, rising edge
    input  wire        rst,     // reset, synchronous, active high
    input  wire        s_valid, // beat is offered
    input  wire        left,    // a beat has left
    input  wire        gone,    // a beat has ended inside
    output wire        s_ready  // beat is taken
);

    reg       taken_reg;  // a beat was taken
    reg [1:0] back_reg;   // beats that were counted out
    reg [4:0] free_reg;   // beats that could be taken two cycles ago
    reg       ready_reg;  // a beat is taken

    always @(posedge clk) begin
        if (rst) begin
            taken_reg <= 1'b0;
            back_reg <= 2'd0;
            free_reg <= 5'd17;
            ready_reg <= 1'b0;
        end else begin
            taken_reg <= s_valid && ready_reg;
            back_reg <= {left && gone, left ^ gone};
            free_reg <= free_reg + {3'd0, back_reg} - {4'd0, taken_reg};
            ready_reg <= free_reg > 5'd2;
        end
    end

    assign s_ready = ready_reg;

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
