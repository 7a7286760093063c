// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_decoder_x1: UTF-8 (RFC 3629) decoder, one unit a cycle, errors by maximal subpart as in
// Unicode
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 decoder --lanes 1 --reset async-low --on-error drop
// Latency    2 cycles; one beat more for the second of two slots made at once
//
// Port           Dir  Bits  Meaning
// clk            in      1  clock, rising edge
// rst_n          in      1  reset, asynchronous, active low
// s_axis_tdata   in      8  units
// s_axis_tkeep   in      1  lane holds a unit
// s_axis_tvalid  in      1  beat is offered
// s_axis_tlast   in      1  beat ends the frame
// s_axis_tready  out     1  beat is taken
// m_axis_tdata   out    32  code points; U+FFFD for an error
// m_axis_tkeep   out     1  lane holds a slot
// m_axis_tuser   out     4  0: code point; 1 to 10: kind of error; 14, 15: head, limb
// m_axis_tvalid  out     1  beat is offered
// m_axis_tlast   out     1  beat ends the frame
// m_axis_tready  in      1  beat is taken

`default_nettype none

module utf_8_decoder_x1 (
    input  wire        clk,           // clock, rising edge
    input  wire        rst_n,         // reset, asynchronous, active low

    // Encoded side: AXI4-Stream of units, lane 0 first in time
    input  wire [7:0]  s_axis_tdata,  // units
    input  wire        s_axis_tkeep,  // lane holds a unit
    input  wire        s_axis_tvalid, // beat is offered
    input  wire        s_axis_tlast,  // beat ends the frame
    output wire        s_axis_tready, // beat is taken

    // Decoded side: AXI4-Stream of slots, lane 0 first in time
    output wire [31:0] m_axis_tdata,  // code points; U+FFFD for an error
    output wire        m_axis_tkeep,  // lane holds a slot
    output wire [3:0]  m_axis_tuser,  // 0: code point; 1 to 10: kind of error; 14, 15: head, limb
    output wire        m_axis_tvalid, // beat is offered
    output wire        m_axis_tlast,  // beat ends the frame
    input  wire        m_axis_tready  // beat is taken
);

    // driven further down, against the order of the text
    wire advance;

    // ---------------------------------------------------------------------------------------------
    // Input: the skid buffer makes s_axis_tready a register. A lane without a unit becomes zeros.
    // ---------------------------------------------------------------------------------------------
    wire       input_ready;
    wire       beat_valid;
    wire [9:0] beat;
    utf_8_decoder_x1_skid_buffer_w10 input_skid (
        .clk       (clk),
        .rst_n     (rst_n),
        .s_valid   (s_axis_tvalid),
        .s_payload ({s_axis_tlast, s_axis_tkeep, s_axis_tkeep ? s_axis_tdata : 8'd0}),
        .m_ready   (advance),
        .s_ready   (input_ready),
        .m_valid   (beat_valid),
        .m_payload (beat)
    );

    wire [7:0] unit = beat[7:0];
    wire unit_valid = beat_valid && beat[8];
    wire frame_ends = beat_valid && beat[9];

    // ---------------------------------------------------------------------------------------------
    // The unit by itself
    // ---------------------------------------------------------------------------------------------
    wire ascii = !unit[7];
    wire trailing = unit[7:6] == 2'b10;
    wire lead_of_2 = unit[7:5] == 3'b110 && (|unit[4:1]);                        // C2..DF
    wire lead_of_3 = unit[7:4] == 4'b1110;                                       // E0..EF
    wire lead_of_4 = unit[7:3] == 5'b11110 && (!unit[2] || unit[1:0] == 2'b00);  // F0..F4
    wire lead = lead_of_2 || lead_of_3 || lead_of_4;
    wire is_ed = unit == 8'hED;  // else surrogates would follow
    // not every trailing unit may follow
    wire narrows = unit == 8'hE0 || is_ed || unit == 8'hF0 || unit == 8'hF4;
    // its bits of the code point
    wire [5:0] payload = {unit[5] && !unit[6], unit[4] && !(unit[6] && unit[5]), unit[3:0]};

    // ---------------------------------------------------------------------------------------------
    // The sequence so far
    // ---------------------------------------------------------------------------------------------
    reg [1:0]  missing_reg;   // trailing units still to come; 0: in no sequence
    reg        narrow_reg;    // the next unit must be in one half of 80..BF
    reg [14:0] gathered_reg;  // bits of the code point; 0 in no sequence

    wire in_sequence = |missing_reg;
    wire of_4 = missing_reg[0];  // where narrow_reg: after F0 or F4, else after E0 or ED
    wire upper = of_4 ? gathered_reg[2] : gathered_reg[0];  // after F4 or ED
    wire high = of_4 ? (|unit[5:4]) : unit[5];              // upper half of 80..BF
    wire misfit = narrow_reg && high == upper;              // not in the half that may follow
    wire fits = in_sequence && trailing && !misfit;
    wire unfinished = lead || (fits && missing_reg != 2'd1);  // a sequence goes on after the unit
    wire goes_on = unfinished && !frame_ends;
    wire load = advance && (unit_valid || frame_ends);
    wire [1:0] missing_next = fits ? {&missing_reg, !missing_reg[0]}
        : {lead_of_3 || lead_of_4, lead_of_2 || lead_of_4};
    wire [14:0] gathered_next = {fits ? gathered_reg[8:0] : 9'd0, payload};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            missing_reg <= 2'd0;
            narrow_reg <= 1'b0;
            gathered_reg <= 15'd0;
        end else if (load) begin
            missing_reg <= goes_on ? missing_next : 2'd0;
            narrow_reg <= narrows && goes_on;
            gathered_reg <= goes_on ? gathered_next : 15'd0;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // The slot that goes out, unless it is an error
    // ---------------------------------------------------------------------------------------------
    wire slot_keep = unit_valid && (ascii || fits) && !unfinished;  // a code point is whole
    wire [20:0] slot_code = {fits ? gathered_reg : 15'd0, unit[5:0]} | {14'd0, unit[6:0]};
    wire slot_valid = slot_keep || frame_ends;

    // ---------------------------------------------------------------------------------------------
    // Output register
    // ---------------------------------------------------------------------------------------------
    wire        output_ready;
    wire        output_valid;
    wire [23:0] output_slot;
    utf_8_decoder_x1_register_slice_w24 output_slice (
        .clk       (clk),
        .rst_n     (rst_n),
        .s_valid   (slot_valid),
        .s_payload ({frame_ends, slot_keep, 1'b0, slot_keep ? slot_code : 21'd0}),
        .m_ready   (m_axis_tready),
        .s_ready   (output_ready),
        .m_valid   (output_valid),
        .m_payload (output_slot)
    );

    assign advance = output_ready;  // the output register takes what is decoded now

    assign s_axis_tready = input_ready;
    assign m_axis_tdata  = {11'd0, output_slot[20:0]};
    assign m_axis_tkeep  = output_slot[22];
    assign m_axis_tuser  = {3'd0, output_slot[21]};
    assign m_axis_tvalid = output_valid;
    assign m_axis_tlast  = output_slot[23];

endmodule

`line 1 "utf_8_decoder_x1_register_slice_w24.v" 0
// One register between valid/ready neighbours: cuts the path forward and lets ready pass backward.
// Holds one beat, adds one cycle, never a bubble.
module utf_8_decoder_x1_register_slice_w24 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst_n,     // reset, asynchronous, active low

    // Upstream
    input  wire        s_valid,   // a beat is offered
    input  wire [23:0] s_payload, // the beat
    output wire        s_ready,   // the beat is taken

    // Downstream
    output wire        m_valid,   // a beat is offered
    output wire [23:0] m_payload, // the beat
    input  wire        m_ready    // the beat is taken
);

    reg        valid_reg;
    reg [23:0] payload_reg;

    wire load = !valid_reg || m_ready;  // empty, or emptied in this cycle

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_reg <= 1'b0;
        end else if (load) begin
            valid_reg <= s_valid;
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

`line 1 "utf_8_decoder_x1_skid_buffer_w10.v" 0
// Two registers between valid/ready neighbours: every output is a register, so that no path leads
// through. The beat that arrives while ready is still falling skids into the second register. Holds
// two beats, adds one cycle, never a bubble.
module utf_8_decoder_x1_skid_buffer_w10 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst_n,     // reset, asynchronous, active low

    // Upstream
    input  wire        s_valid,   // a beat is offered
    input  wire [9:0]  s_payload, // the beat
    output wire        s_ready,   // the beat is taken

    // Downstream
    output wire        m_valid,   // a beat is offered
    output wire [9:0]  m_payload, // the beat
    input  wire        m_ready    // the beat is taken
);

    reg       ready_reg;         // room for a beat: nothing has skidded
    reg       valid_reg;
    reg [9:0] payload_reg;
    reg       skid_valid_reg;
    reg [9:0] skid_payload_reg;

    wire accept = s_valid && ready_reg;
    wire load = !valid_reg || m_ready;  // the first register is empty, or emptied now
    wire skids = !load && (skid_valid_reg || accept);  // the second register is in use

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ready_reg <= 1'b0;
            skid_valid_reg <= 1'b0;
        end else begin
            ready_reg <= !skids;
            skid_valid_reg <= skids;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_reg <= 1'b0;
        end else if (load) begin
            valid_reg <= skid_valid_reg || accept;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= skid_valid_reg ? skid_payload_reg : s_payload;
        end
    end

    always @(posedge clk) begin
        if (ready_reg) begin
            skid_payload_reg <= s_payload;
        end
    end

    assign s_ready   = ready_reg;
    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;

endmodule

`default_nettype wire
