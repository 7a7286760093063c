// SPDX-License-Identifier: MIT OR Apache-2.0
//
// memory_4x1_transparent: 4 words of 1 bits. A read gives a word in the cycle after its address: as
// it is after a write at the same edge.
//
// Generator  utfhdl 0
// Command    none
//
// Port           Dir  Bits  Meaning
// clk            in      1  clock, rising edge
// write          in      1  the word is written at the edge
// write_address  in      2  the address of the word
// write_data     in      1  the word
// read_address   in      2  the address of a word
// read_data      out     1  that word

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module memory_4x1_transparent (
    input  wire        clk,           // clock, rising edge

    // Write port
    input  wire        write,         // the word is written at the edge
    input  wire [1:0]  write_address, // the address of the word
    input  wire        write_data,    // the word

    // Read port
    input  wire [1:0]  read_address,  // the address of a word
    output wire        read_data      // that word
);

    reg mem [0:3];
    reg [1:0] read_address_reg;

    always @(posedge clk) begin
        if (write) begin
            mem[write_address] <= write_data;
        end
        read_address_reg <= read_address;
    end

    assign read_data = mem[read_address_reg];

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
