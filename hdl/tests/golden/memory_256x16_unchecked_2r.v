// SPDX-License-Identifier: MIT OR Apache-2.0
//
// memory_256x16_unchecked_2r: 256 words of 16 bits. A read gives a word in the cycle after its
// address. No word is read and written at the same edge.
//
// Generator  utfhdl 0
// Command    none
//
// Port            Dir  Bits  Meaning
// clk             in      1  clock, rising edge
// write           in      1  the word is written at the edge
// write_address   in      8  the address of the word
// write_data      in     16  the word
// read_address    in      8  the address of a word
// read_data       out    16  that word
// read_address_1  in      8  the address of a word
// read_data_1     out    16  that word

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module memory_256x16_unchecked_2r (
    input  wire        clk,            // clock, rising edge

    // Write port
    input  wire        write,          // the word is written at the edge
    input  wire [7:0]  write_address,  // the address of the word
    input  wire [15:0] write_data,     // the word

    // Read port
    input  wire [7:0]  read_address,   // the address of a word
    output wire [15:0] read_data,      // that word

    // Second read port
    input  wire [7:0]  read_address_1, // the address of a word
    output wire [15:0] read_data_1     // that word
);

    // No word is read and written at the same edge.
    (* no_rw_check *)
    reg [15:0] mem [0:255];
    reg [15:0] read_data_reg;
    reg [15:0] read_data_1_reg;

    always @(posedge clk) begin
        if (write) begin
            mem[write_address] <= write_data;
        end
        read_data_reg <= mem[read_address];
        read_data_1_reg <= mem[read_address_1];
    end

    assign read_data = read_data_reg;
    assign read_data_1 = read_data_1_reg;

endmodule

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
