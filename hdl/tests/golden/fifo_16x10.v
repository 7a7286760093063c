// SPDX-License-Identifier: MIT OR Apache-2.0
//
// fifo_16x10: 16 beats in a memory, and two in registers, of which one is offered. The source
// offers a beat only where there is room: there is no ready. Adds three cycles, never a bubble.
//
// Generator  utfhdl 0
// Command    none
//
// Port       Dir  Bits  Meaning
// clk        in      1  clock, rising edge
// rst        in      1  reset, synchronous, active high
// s_valid    in      1  beat is offered
// s_payload  in     10  payload of the beat
// s_two      in      1  a second beat follows
// s_second   in      5  bits of that beat; the others are zero
// m_valid    out     1  beat is offered
// m_payload  out    10  payload of the beat
// m_first    out     1  beat is the first of two
// m_ready    in      1  beat is taken

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module fifo_16x10 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst,       // reset, synchronous, active high

    // Upstream
    input  wire        s_valid,   // beat is offered
    input  wire [9:0]  s_payload, // payload of the beat
    input  wire        s_two,     // a second beat follows
    input  wire [4:0]  s_second,  // bits of that beat; the others are zero

    // Downstream
    output wire        m_valid,   // beat is offered
    output wire [9:0]  m_payload, // payload of the beat
    output wire        m_first,   // beat is the first of two
    input  wire        m_ready    // beat is taken
);

    reg [3:0]  write_address_reg;
    reg [3:0]  read_address_reg;
    reg [3:0]  address_after_reg;  // the read address after this one
    reg        some_reg;           // there is an entry in the memory
    reg        head_valid_reg;     // there is a head
    reg        head_full_reg;      // the same, for the head alone
    reg [15:0] head_reg;           // the first entry
    reg        valid_reg;          // the register holds a beat
    reg        full_reg;           // the same, for the payload alone
    reg [9:0]  payload_reg;
    reg        two_reg;            // the second beat of the entry is still to come
    reg [4:0]  second_reg;         // the bits of the second beat

    wire stays = valid_reg && !m_ready;  // the beat in the register is not taken
    wire waits = stays || two_reg;       // no entry moves into the register
    wire valid_next = stays || head_valid_reg || two_reg;
    // an entry of the memory becomes the head
    wire fetches = some_reg && !(head_valid_reg && waits);
    wire head_next = some_reg || (head_valid_reg && waits);
    // an entry that is there is the only one
    wire only_one = write_address_reg == address_after_reg;
    wire more = s_valid || (some_reg && !only_one);  // an entry is there even if one leaves
    wire load_head = !head_full_reg || !waits;       // there is no head, or it moves in this cycle

    wire [15:0] entries_read_data;
    fifo_16x10_memory_16x16 entries (
        .clk           (clk),
        .write         (s_valid),
        .write_address (write_address_reg),
        .write_data    ({s_two, s_second, s_payload}),
        .read_address  (read_address_reg),
        .read_data     (entries_read_data)
    );

    wire load = !full_reg || m_ready;       // the register is empty, or emptied in this cycle
    wire moves = head_valid_reg && !waits;  // the head moves into the register
    wire [4:0] second_beat = second_reg & {5{two_reg}};

    always @(posedge clk) begin
        if (rst) begin
            write_address_reg <= 4'd0;
        end else if (s_valid) begin
            write_address_reg <= write_address_reg + 4'd1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            read_address_reg <= 4'd0;
            address_after_reg <= 4'd1;
        end else if (fetches) begin
            read_address_reg <= address_after_reg;
            address_after_reg <= address_after_reg + 4'd1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            some_reg <= 1'b0;
            head_valid_reg <= 1'b0;
            valid_reg <= 1'b0;
            two_reg <= 1'b0;
        end else begin
            some_reg <= more || (some_reg && !fetches);
            head_valid_reg <= head_next;
            valid_reg <= valid_next;
            two_reg <= (stays && two_reg) || (moves && head_reg[15]);
        end
    end

    always @(posedge clk) begin
        head_full_reg <= head_next;
        full_reg <= valid_next;
    end

    always @(posedge clk) begin
        if (load_head) begin
            head_reg <= entries_read_data;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= (head_reg[9:0] & {10{!two_reg}})
                | {second_beat[4], 5'd0, second_beat[3:0]};
            second_reg <= head_reg[14:10];
        end
    end

    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;
    assign m_first   = two_reg;

endmodule

// The modules below are parts of the one above and share its file.
/* verilator lint_off DECLFILENAME */

// 16 words of 16 bits. A read gives a word in the cycle of its address.
module fifo_16x10_memory_16x16 (
    input  wire        clk,           // clock, rising edge

    // Write port
    input  wire        write,         // the word is written at the edge
    input  wire [3:0]  write_address, // the address of the word
    input  wire [15:0] write_data,    // the word

    // Read port
    input  wire [3:0]  read_address,  // the address of a word
    output wire [15:0] read_data      // that word
);

    reg [15:0] mem [0:15];

    always @(posedge clk) begin
        if (write) begin
            mem[write_address] <= write_data;
        end
    end

    assign read_data = mem[read_address];

endmodule

/* verilator lint_on DECLFILENAME */

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
