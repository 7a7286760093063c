// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_encoder_x1: UTF-8 (RFC 3629) encoder, one unit a cycle
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 encoder --lanes 1 --reset sync-high --on-error replace
//            --axis lane
// Latency    4 cycles; the further units of a sequence follow one a cycle
// Frames     a frame is one text, and tlast ends it; each frame that comes in makes one that goes
//            out, with one tlast. A beat of which tkeep is 0 may come in, with or without tlast; it
//            goes out only to end a frame
// Lanes      tkeep is one bit: the beat holds something or, where it is 0, nothing
// Reset      rst is high for one rising edge of clk at least; s_axis_tready and m_axis_tvalid are 0
//            in it, and s_axis_tready is 1 from the first rising edge after it
//
// Port           Dir  Bits  Meaning
// clk            in      1  clock, rising edge
// rst            in      1  reset, synchronous, active high
// s_axis_tdata   in     32  the code point
// s_axis_tkeep   in      1  the beat holds a slot
// s_axis_tuser   in      4  0 for a code point, else an error
// s_axis_tvalid  in      1  a beat is offered
// s_axis_tlast   in      1  the beat ends its frame
// s_axis_tready  out     1  the beat is taken
// m_axis_tdata   out     8  the unit
// m_axis_tkeep   out     1  the beat holds a unit
// m_axis_tuser   out     1  with tlast: something in the frame could not be written
// m_axis_tvalid  out     1  a beat is offered
// m_axis_tlast   out     1  the beat ends its frame
// m_axis_tready  in      1  the beat is taken
//
// s_axis_tuser  Slot        Meaning
// 0             code-point  tdata is the code point
// 1 to 15       error       an error, whatever tdata holds
//
// Stage  Registers  Bits  Work
//     1         10    31  the event that is written
//     2          0     0  the unit

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module utf_8_encoder_x1 (
    input  wire        clk,           // clock, rising edge
    input  wire        rst,           // reset, synchronous, active high

    // AXI4-Stream input: slots
    input  wire [31:0] s_axis_tdata,  // the code point
    input  wire        s_axis_tkeep,  // the beat holds a slot
    input  wire [3:0]  s_axis_tuser,  // 0 for a code point, else an error
    input  wire        s_axis_tvalid, // a beat is offered
    input  wire        s_axis_tlast,  // the beat ends its frame
    output wire        s_axis_tready, // the beat is taken

    // AXI4-Stream output: units
    output wire [7:0]  m_axis_tdata,  // the unit
    output wire        m_axis_tkeep,  // the beat holds a unit
    output wire        m_axis_tuser,  // with tlast: something in the frame could not be written
    output wire        m_axis_tvalid, // a beat is offered
    output wire        m_axis_tlast,  // the beat ends its frame
    input  wire        m_axis_tready  // the beat is taken
);

    // ---------------------------------------------------------------------------------------------
    // Input: class of the slot
    // ---------------------------------------------------------------------------------------------
    wire slot_long = s_axis_tuser[3:1] == 3'b111;  // 14 or 15: part of a long code point
    wire slot_head = slot_long && !s_axis_tuser[0];
    wire slot_limb = slot_long && s_axis_tuser[0];
    wire slot_error = s_axis_tuser != 4'd0 && !slot_long;

    // ---------------------------------------------------------------------------------------------
    // Input: class of the code point in the system
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire slots_ready;

    reg [20:0] slot_code_reg;
    reg        slot_unfit_reg;

    // more bits than any code point of the system has
    wire too_wide = s_axis_tdata[31:21] != 11'd0;
    wire surrogate = s_axis_tdata[20:11] == 10'h1B;
    wire at_least_4 = s_axis_tdata[20:16] != 5'd0;
    wire at_least_3 = s_axis_tdata[15:11] != 5'd0 || at_least_4;
    wire at_least_2 = s_axis_tdata[10:7] != 4'd0 || at_least_3;
    wire [1:0] trailing_units = {at_least_3, (at_least_2 && !at_least_3) || at_least_4};
    wire past_last = s_axis_tdata[20] && s_axis_tdata[19:16] != 4'd0;

    always @(posedge clk) begin
        if (slots_ready) begin
            slot_code_reg <= s_axis_tdata[20:0];
            slot_unfit_reg <= too_wide || surrogate || past_last;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Groups: a code point of 2^32 or more is a head and at least two limbs
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire buffer_ready;

    reg       slot_opens_reg;
    reg       slot_continues_reg;
    reg       slot_valid_reg;
    reg       slot_last_reg;
    reg       slot_keep_reg;
    reg       slot_error_reg;
    reg       slot_head_reg;
    reg       slot_limb_reg;
    reg [1:0] slot_start_reg;

    wire slot_arrives = s_axis_tvalid && s_axis_tkeep && slots_ready;

    wire limb_counter_final_limb;
    utf_8_encoder_x1_limb_counter limb_counter (
        .clk        (clk),
        .slot_taken (slot_arrives),
        .is_limb    (slot_limb),
        .is_head    (slot_head),
        .limbs      (s_axis_tdata),
        .final_limb (limb_counter_final_limb)
    );

    wire group_continues = slot_limb && !limb_counter_final_limb;
    wire above_3 = s_axis_tdata[31:2] != 30'd0;
    wire group_opens = slot_head && (s_axis_tdata[1] || above_3);
    wire [1:0] slot_start = s_axis_tkeep ? trailing_units : 2'd0;
    wire slot_taken = slot_valid_reg && slot_keep_reg && buffer_ready;

    always @(posedge clk) begin
        if (slots_ready) begin
            slot_opens_reg <= group_opens;
            slot_continues_reg <= group_continues;
            slot_last_reg <= s_axis_tlast;
            slot_keep_reg <= s_axis_tkeep;
            slot_error_reg <= slot_error;
            slot_head_reg <= slot_head;
            slot_limb_reg <= slot_limb;
            slot_start_reg <= slot_start;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            slot_valid_reg <= 1'b0;
        end else if (slots_ready) begin
            slot_valid_reg <= s_axis_tvalid;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Groups: the position of the slot in a group
    // ---------------------------------------------------------------------------------------------
    reg group_open_reg;  // a group is open: limbs are still to come

    // a limb of the group, but not the last
    wire limb_awaited = group_open_reg && slot_continues_reg;
    wire frame_ends = slot_valid_reg && buffer_ready && slot_last_reg;

    always @(posedge clk) begin
        if (rst) begin
            group_open_reg <= 1'b0;
        end else if (slot_taken || frame_ends) begin
            group_open_reg <= (slot_opens_reg || limb_awaited) && !slot_last_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Events: the meaning of the slots
    // ---------------------------------------------------------------------------------------------
    // a slot in a group that neither belongs to it nor is an error
    wire slot_breaks = group_open_reg && slot_keep_reg && !(slot_error_reg || slot_limb_reg);
    wire unfinished = group_open_reg ? slot_continues_reg : slot_opens_reg;
    wire event_valid = slot_valid_reg && (slot_last_reg || (slot_keep_reg && !unfinished));
    wire is_code_point = slot_keep_reg && !(slot_error_reg || slot_head_reg || slot_limb_reg);
    // the end of a frame inside a group is an error
    wire event_keep = slot_keep_reg || group_open_reg;
    wire event_error = event_keep && !(is_code_point && !slot_unfit_reg);
    // an error comes before the event
    wire event_aborts = slot_breaks && (slot_last_reg || !slot_opens_reg);

    // ---------------------------------------------------------------------------------------------
    // Input buffer: makes ready a register
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire event_taken;

    wire        input_ready;
    wire        beat_valid;
    wire        beat_last;
    wire        beat_keep;
    wire        beat_error;
    wire        beat_aborts;
    wire [1:0]  beat_start;
    wire [20:0] beat_code;
    utf_8_encoder_x1_elastic_buffer_w27 input_buffer (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (event_valid),
        .s_payload ({slot_last_reg, event_keep, event_error, event_aborts, slot_start_reg,
            slot_code_reg}),
        .m_ready   (event_taken),
        .s_ready   (input_ready),
        .m_valid   (beat_valid),
        .m_payload ({beat_last, beat_keep, beat_error, beat_aborts, beat_start, beat_code})
    );

    assign buffer_ready = input_ready;  // the buffer after the slot register takes a beat

    // ---------------------------------------------------------------------------------------------
    // Ready: there is room in the slot register, or in the buffer after it
    // ---------------------------------------------------------------------------------------------
    reg slot_ready_reg;

    assign slots_ready = slot_ready_reg;  // a beat is taken

    always @(posedge clk) begin
        if (rst) begin
            slot_ready_reg <= 1'b0;
        end else begin
            slot_ready_reg <= !(beat_valid && !event_taken && (event_valid || !input_ready))
                || (slot_ready_reg && !s_axis_tvalid);
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 1: the event that is written
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire advance;

    reg        valid_reg;       // something is being written
    reg [1:0]  position_reg;    // units that follow the one being written
    reg        lead_reg;        // the unit is the first of its sequence
    reg        goes_on_reg;     // the unit is not the last of its sequence
    reg        waits_reg;       // a unit is in the output register, or others follow
    reg        abort_done_reg;  // the error before the event has been loaded
    reg        last_reg;        // the event ends its frame
    reg        keep_reg;        // the event is not only the end of a frame
    reg        fault_reg;       // something in the frame could not be written
    reg [20:0] code_reg;        // the code point

    // the last unit goes out, or there is none
    wire load = !waits_reg || (m_axis_tready && !goes_on_reg);
    wire event_starts = load && beat_valid;
    wire abort_now = beat_aborts && !abort_done_reg;
    wire replaced = beat_error || abort_now;
    assign event_taken = load && !abort_now;
    wire [1:0] start = replaced ? 2'd2 : beat_start;
    wire others_follow = beat_valid && start != 2'd0;

    always @(posedge clk) begin
        if (rst) begin
            valid_reg <= 1'b0;
        end else if (load) begin
            valid_reg <= beat_valid;
        end
    end

    always @(posedge clk) begin
        if (advance) begin
            position_reg <= load ? start : position_reg - 2'd1;
            lead_reg <= load;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            goes_on_reg <= 1'b0;
        end else if (advance) begin
            goes_on_reg <= load ? others_follow : position_reg != 2'd1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            waits_reg <= 1'b0;
        end else begin
            waits_reg <= !advance || valid_reg || others_follow;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            abort_done_reg <= 1'b0;
            fault_reg <= 1'b0;
        end else if (event_starts) begin
            abort_done_reg <= abort_now;
            fault_reg <= replaced || (fault_reg && !last_reg);
        end
    end

    always @(posedge clk) begin
        if (event_starts) begin
            last_reg <= beat_last && !abort_now;
            keep_reg <= beat_keep;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            code_reg <= ({21{replaced}} & 21'h00FFFD) | (beat_code & {21{!replaced}});
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: the unit
    // ---------------------------------------------------------------------------------------------
    wire frame_ends_here = last_reg && !goes_on_reg;

    reg [5:0] piece;        // the bits of the code point in the unit
    reg [7:0] lead_marker;
    always @* begin
        case (position_reg)
            2'd1:    {piece, lead_marker} = {code_reg[11:6],          8'hC0};
            2'd2:    {piece, lead_marker} = {code_reg[17:12],         8'hE0};
            2'd3:    {piece, lead_marker} = {{3'd0, code_reg[20:18]}, 8'hF0};
            default: {piece, lead_marker} = {code_reg[5:0],           {1'b0, code_reg[6], 6'd0}};
        endcase
    end

    wire [7:0] marker = lead_reg ? lead_marker : 8'h80;
    wire [7:0] unit = marker | {2'd0, piece};
    wire unit_fault = frame_ends_here && fault_reg;

    // ---------------------------------------------------------------------------------------------
    // Output register
    // ---------------------------------------------------------------------------------------------
    wire       output_ready;
    wire       output_valid;
    wire       output_fault;
    wire       output_last;
    wire       output_keep;
    wire [7:0] output_unit;
    utf_8_encoder_x1_register_slice_w11 output_slice (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (valid_reg),
        .s_payload ({unit_fault, frame_ends_here, keep_reg, keep_reg ? unit : 8'd0}),
        .m_ready   (m_axis_tready),
        .s_ready   (output_ready),
        .m_valid   (output_valid),
        .m_payload ({output_fault, output_last, output_keep, output_unit})
    );

    assign advance = output_ready;  // the output register takes a unit

    assign s_axis_tready = slots_ready;
    assign m_axis_tdata  = output_unit;
    assign m_axis_tkeep  = output_keep;
    assign m_axis_tuser  = output_fault;
    assign m_axis_tvalid = output_valid;
    assign m_axis_tlast  = output_last;

endmodule

// The modules below are parts of the one above and share its file.
/* verilator lint_off DECLFILENAME */

// One register between valid/ready neighbours: cuts the path forward and lets ready pass backward.
// Holds one beat, adds one cycle, never a bubble.
module utf_8_encoder_x1_register_slice_w11 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst,       // reset, synchronous, active high

    // Upstream
    input  wire        s_valid,   // beat is offered
    input  wire [10:0] s_payload, // payload of the beat
    output wire        s_ready,   // beat is taken

    // Downstream
    output wire        m_valid,   // beat is offered
    output wire [10:0] m_payload, // payload of the beat
    input  wire        m_ready    // beat is taken
);

    reg        valid_reg;
    reg [10:0] payload_reg;

    wire load = !valid_reg || m_ready;  // the register is empty, or emptied in this cycle

    always @(posedge clk) begin
        if (rst) begin
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

// Two registers used in turn between valid/ready neighbours: ready and valid are registers, and no
// payload moves when a beat is taken. Holds two beats, adds one cycle, never a bubble.
module utf_8_encoder_x1_elastic_buffer_w27 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst,       // reset, synchronous, active high

    // Upstream
    input  wire        s_valid,   // beat is offered
    input  wire [26:0] s_payload, // payload of the beat
    output wire        s_ready,   // beat is taken

    // Downstream
    output wire        m_valid,   // beat is offered
    output wire [26:0] m_payload, // payload of the beat
    input  wire        m_ready    // beat is taken
);

    reg        ready_reg;        // there is room for a beat
    reg        valid_reg;        // there is a beat
    reg        second_next_reg;  // the second register is the next to be taken
    reg [26:0] first_reg;
    reg [26:0] second_reg;

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

// Counts down the limbs that a head announces, and tells the last of them. Any slot but a limb
// loads the counter. The bits above the lowest four are a ring of 14 digits of two bits. While the
// lowest four bits go from 15 to 1, the ring turns once, and each digit passes the place where a
// borrow is subtracted.
module utf_8_encoder_x1_limb_counter (
    input  wire        clk,        // clock, rising edge

    // Slots
    input  wire        slot_taken, // a slot is taken
    input  wire        is_limb,    // the slot is a limb
    input  wire        is_head,    // the slot is a head
    input  wire [31:0] limbs,      // in a head: how many limbs follow
    output wire        final_limb  // a limb would be the last
);

    reg [3:0]  low_reg;  // limbs still to come, modulo 16
    // sixteens of limbs still to come: the seven digits at the low end of the ring
    reg [13:0] lower_digits_reg;
    reg [13:0] upper_digits_reg;  // the seven digits at the high end
    reg        moves_reg;         // the next limb moves the digits
    reg        borrow_reg;        // one is still to be subtracted from the digits
    reg        above_reg;         // what is left in the digits is not zero

    wire runs_over = low_reg == 4'd0;
    wire [1:0] digit_less = lower_digits_reg[1:0] - {1'b0, borrow_reg};
    wire lower_taken = slot_taken && !(is_limb && !moves_reg);
    wire upper_taken = slot_taken && (is_head || (is_limb && moves_reg));
    wire any_above = !runs_over && (above_reg || (moves_reg && digit_less != 2'd0));

    always @(posedge clk) begin
        if (slot_taken) begin
            low_reg <= is_limb ? low_reg - 4'd1 : limbs[3:0];
            moves_reg <= is_limb && (runs_over || (moves_reg && low_reg != 4'd2));
            borrow_reg <= runs_over || (borrow_reg && lower_digits_reg[1:0] == 2'd0);
            above_reg <= is_limb ? any_above : limbs[31:4] != 28'd0;
        end
    end

    always @(posedge clk) begin
        if (lower_taken) begin
            lower_digits_reg <= is_limb ? {upper_digits_reg[1:0], lower_digits_reg[13:2]}
                : limbs[17:4];
        end
    end

    always @(posedge clk) begin
        if (upper_taken) begin
            upper_digits_reg <= is_limb ? {digit_less, upper_digits_reg[13:2]} : limbs[31:18];
        end
    end

    assign final_limb = !above_reg && low_reg == 4'd1;

endmodule

/* verilator lint_on DECLFILENAME */

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
