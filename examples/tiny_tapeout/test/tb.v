`default_nettype none
`timescale 1ns / 1ps

// The design with its pins by name, for test.py. With GL_TEST, the design is the netlist of a
// shuttle's flow, which has pins for power.
module tb;

    reg        clk;
    reg        rst_n;
    reg        ena;
    reg  [7:0] ui_in;
    wire [7:0] uo_out;
    reg        put;
    reg        last;
    reg        get;
    reg  [1:0] part;
    wire [7:0] uio_out;
    wire [7:0] uio_oe;
    wire       taken = uio_out[5];
    wire       valid = uio_out[6];
    wire       error = uio_out[7];

    initial begin
        $dumpfile(`WAVES);
        $dumpvars(0, tb);
    end

`ifdef GL_TEST
    wire supply = 1'b1;
    wire ground = 1'b0;
`endif
    tt_um_utfhdl_utf8_decoder user_project (
`ifdef GL_TEST
        .VPWR    (supply),
        .VGND    (ground),
`endif
        .ui_in   (ui_in),
        .uo_out  (uo_out),
        .uio_in  ({3'b000, part, get, last, put}),
        .uio_out (uio_out),
        .uio_oe  (uio_oe),
        .ena     (ena),
        .clk     (clk),
        .rst_n   (rst_n)
    );

endmodule
