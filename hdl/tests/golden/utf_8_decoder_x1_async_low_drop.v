// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_decoder_x1: UTF-8 (RFC 3629) decoder, one unit a cycle, errors by maximal subpart as in
// Unicode
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 decoder --lanes 1 --reset async-low --on-error drop
// Latency    4 cycles; one beat more for the second of two slots made at once
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
    // Input: the skid buffer makes s_axis_tready a register; a lane without a unit becomes zeros
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
    // Stage 1: what the unit is by itself
    // ---------------------------------------------------------------------------------------------
    wire trailing = unit[7:6] == 2'b10;
    wire past_c1 = |unit[4:1];                            // of C0..DF: C2..DF
    wire past_f4 = unit[3] || (unit[2] && (|unit[1:0]));  // of F0..FF: F5..FF
    wire lead = unit[7:6] == 2'b11 && (unit[5] ? !(unit[4] && past_f4) : past_c1);
    wire [1:0] follow = {unit[5], !unit[5] || unit[4]};  // C2..DF 1, E0..EF 2, F0..F4 3
    wire low_is_d = unit[3:0] == 4'b1101;                // of E0..EF: ED, lest surrogates follow
    // E0, ED, F0 and F4
    wire narrows = unit[5] && (unit[4] ? unit[1:0] == 2'b00 : (unit[3:0] == 4'b0000 || low_is_d));
    wire lower = unit[2];  // of these, ED and F4
    // the unit without its marker
    wire [6:0] payload = {unit[6] && !unit[7], unit[5] && !(unit[7] && unit[6]),
        unit[4] && !(&unit[7:5]), unit[3:0]};
    wire alone = unit[7];

    reg       present_reg;
    reg       unit_valid_reg;
    reg       frame_ends_reg;
    reg [6:0] payload_reg;
    reg       trailing_reg;
    reg       lead_reg;
    reg [1:0] follow_reg;
    reg       narrows_reg;
    reg       lower_reg;
    reg       alone_reg;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            present_reg <= 1'b0;
            unit_valid_reg <= 1'b0;
            frame_ends_reg <= 1'b0;
        end else if (advance) begin
            present_reg <= unit_valid || frame_ends;
            unit_valid_reg <= unit_valid;
            frame_ends_reg <= frame_ends;
        end
    end

    always @(posedge clk) begin
        if (advance) begin
            payload_reg <= payload;
            trailing_reg <= trailing;
            lead_reg <= lead;
            follow_reg <= follow;
            narrows_reg <= narrows;
            lower_reg <= lower;
            alone_reg <= alone;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: the sequence that the unit stands in
    // ---------------------------------------------------------------------------------------------
    reg        open_reg;        // in a sequence; the four below mean nothing elsewhere
    reg [1:0]  missing_reg;     // trailing units still to come
    reg        narrow_reg;      // not every trailing unit may follow
    reg        lower_only_reg;  // if so: only the lower ones
    reg [14:0] gathered_reg;    // bits of the code point

    wire of_4 = missing_reg[0];  // where narrow_reg: after F0 or F4
    wire is_upper = payload_reg[5] || (payload_reg[4] && of_4);
    wire misfit = narrow_reg && is_upper == lower_only_reg;
    wire fits = open_reg && trailing_reg && !misfit;
    wire last_missing = missing_reg == 2'd1;
    wire unfinished = lead_reg || (fits && !last_missing);  // open after the unit
    wire load = advance && present_reg;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            open_reg <= 1'b0;
        end else if (load) begin
            open_reg <= unfinished && !frame_ends_reg;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            missing_reg <= lead_reg ? follow_reg : {&missing_reg, !missing_reg[0]};
            narrow_reg <= lead_reg && narrows_reg;
            lower_only_reg <= lower_reg;
            gathered_reg <= {lead_reg ? 9'd0 : gathered_reg[8:0], payload_reg[5:0]};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // The slot that goes out, unless it is an error
    // ---------------------------------------------------------------------------------------------
    wire whole = fits ? last_missing : !alone_reg;  // a code point
    wire next_keep = unit_valid_reg && whole;

    reg        slot_valid_reg;
    reg        slot_last_reg;
    reg        slot_keep_reg;
    reg [20:0] slot_code_reg;   // where nothing is kept, anything

    wire gathers = open_reg && trailing_reg;
    wire [14:0] above = gathers ? gathered_reg : 15'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            slot_valid_reg <= 1'b0;
        end else if (advance) begin
            slot_valid_reg <= next_keep || frame_ends_reg;
        end
    end

    always @(posedge clk) begin
        if (advance) begin
            slot_last_reg <= frame_ends_reg;
            slot_keep_reg <= next_keep;
            slot_code_reg <= {above[14:1], above[0] || payload_reg[6], payload_reg[5:0]};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 3: the output register
    // ---------------------------------------------------------------------------------------------
    wire        output_ready;
    wire        output_valid;
    wire [23:0] output_slot;
    utf_8_decoder_x1_register_slice_w24 output_slice (
        .clk       (clk),
        .rst_n     (rst_n),
        .s_valid   (slot_valid_reg),
        .s_payload ({slot_last_reg, slot_keep_reg, 1'b0, slot_keep_reg ? slot_code_reg : 21'd0}),
        .m_ready   (m_axis_tready),
        .s_ready   (output_ready),
        .m_valid   (output_valid),
        .m_payload (output_slot)
    );

    assign advance = output_ready;  // all stages move

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
        end else begin
            valid_reg <= !load || s_valid;
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
        if (ready_reg) begin
            skid_payload_reg <= s_payload;
        end
    end

    assign s_ready   = ready_reg;
    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;

endmodule

`default_nettype wire
