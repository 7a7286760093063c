// SPDX-License-Identifier: MIT OR Apache-2.0
//
// memory_16x44: 16 words of 44 bits. A read gives a word in the cycle of its address.
//
// Generator  utfhdl 0
// Command    none
//
// Port           Dir  Bits  Meaning
// clk            in      1  clock, rising edge
// write          in      1  the word is written at the edge
// write_address  in      4  the address of the word
// write_data     in     44  the word
// read_address   in      4  the address of a word
// read_data      out    44  that word

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module memory_16x44 (
    input  wire        clk,           // clock, rising edge

    // Write port
    input  wire        write,         // the word is written at the edge
    input  wire [3:0]  write_address, // the address of the word
    input  wire [43:0] write_data,    // the word

    // Read port
    input  wire [3:0]  read_address,  // the address of a word
    output wire [43:0] read_data      // that word
);

    reg [43:0] mem [0:15];

    always @(posedge clk) begin
        if (write) begin
            mem[write_address] <= write_data;
        end
    end

    assign read_data = mem[read_address];

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
