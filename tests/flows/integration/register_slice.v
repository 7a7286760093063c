// SPDX-License-Identifier: MIT
//
// A register slice for AXI4-Stream as libraries of Verilog have it: full throughput, every output
// from a register. Its file resets all directives at both ends, and has a timescale.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module register_slice #(
    parameter DATA_WIDTH = 8,
    parameter KEEP_WIDTH = 1,
    parameter USER_WIDTH = 1
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [DATA_WIDTH-1:0] s_axis_tdata,
    input  wire [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  wire [USER_WIDTH-1:0] s_axis_tuser,
    input  wire                  s_axis_tvalid,
    input  wire                  s_axis_tlast,
    output wire                  s_axis_tready,

    output wire [DATA_WIDTH-1:0] m_axis_tdata,
    output wire [KEEP_WIDTH-1:0] m_axis_tkeep,
    output wire [USER_WIDTH-1:0] m_axis_tuser,
    output wire                  m_axis_tvalid,
    output wire                  m_axis_tlast,
    input  wire                  m_axis_tready
);

    localparam WIDTH = DATA_WIDTH + KEEP_WIDTH + USER_WIDTH + 1;

    reg [WIDTH-1:0] out_reg;
    reg [WIDTH-1:0] spare_reg;
    reg             out_valid_reg;
    reg             spare_valid_reg;
    reg             ready_reg;

    wire [WIDTH-1:0] in       = {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
    wire             in_taken = s_axis_tvalid && ready_reg;
    wire             out_free = m_axis_tready || !out_valid_reg;

    assign s_axis_tready = ready_reg;
    assign m_axis_tvalid = out_valid_reg;
    assign {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} = out_reg;

    // A beat that comes while the output waits goes to the spare register.
    always @(posedge clk) begin
        if (out_free) begin
            out_reg       <= spare_valid_reg ? spare_reg : in;
            out_valid_reg <= spare_valid_reg || in_taken;
        end
        if (in_taken)
            spare_reg <= in;
        spare_valid_reg <= !out_free && (spare_valid_reg || in_taken);
        ready_reg       <= out_free || !(spare_valid_reg || in_taken);

        if (rst) begin
            out_valid_reg   <= 1'b0;
            spare_valid_reg <= 1'b0;
            ready_reg       <= 1'b0;
        end
    end

endmodule

`resetall
