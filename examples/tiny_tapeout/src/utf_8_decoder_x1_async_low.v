// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_decoder_x1_async_low: UTF-8 (RFC 3629) decoder, one unit a cycle, errors by maximal subpart
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 decoder --lanes 1 --reset async-low --on-error flag --axis lane
// Latency    3 cycles; one beat more for the second of two slots made at once
// Frames     a frame is one text, and tlast ends it; each frame that comes in makes one that goes
//            out, with one tlast. A beat of which tkeep is 0 may come in, with or without tlast; it
//            goes out only to end a frame
// Lanes      tkeep is one bit: the beat holds something or, where it is 0, nothing
// Reset      rst_n is low at any time, for one rising edge of clk at least, and ends in time with
//            clk; s_axis_tready and m_axis_tvalid are 0 in it, and s_axis_tready is 1 from the
//            first rising edge after it
//
// Port           Dir  Bits  Meaning
// clk            in      1  clock, rising edge
// rst_n          in      1  reset, asynchronous, active low
// s_axis_tdata   in      8  the unit
// s_axis_tkeep   in      1  the beat holds a unit
// s_axis_tvalid  in      1  a beat is offered
// s_axis_tlast   in      1  the beat ends its frame
// s_axis_tready  out     1  the beat is taken
// m_axis_tdata   out    32  the code point, U+FFFD for an error
// m_axis_tkeep   out     1  the beat holds a slot
// m_axis_tuser   out     4  0 for a code point, else the kind of the error
// m_axis_tvalid  out     1  a beat is offered
// m_axis_tlast   out     1  the beat ends its frame
// m_axis_tready  in      1  the beat is taken
//
// m_axis_tuser  Slot          Meaning
//            0  code-point    tdata is the code point
//            1  unexpected    a trailing unit where a lead must be
//            2  truncated     a sequence cut short, by a unit or by the end of the frame
//            3  overlong      every continuation would be longer than need be
//            4  surrogate     every continuation would be a surrogate, or one half of a pair is
//                             missing
//            5  out-of-range  every continuation would be past the last code point
//            6  invalid       a unit that the system does not have
//
// Stage  Registers  Bits  Work
//     1         12    21  what the unit is by itself
//     2          5    21  the open sequence

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

module utf_8_decoder_x1_async_low (
    input  wire        clk,           // clock, rising edge
    input  wire        rst_n,         // reset, asynchronous, active low

    // AXI4-Stream input: units
    input  wire [7:0]  s_axis_tdata,  // the unit
    input  wire        s_axis_tkeep,  // the beat holds a unit
    input  wire        s_axis_tvalid, // a beat is offered
    input  wire        s_axis_tlast,  // the beat ends its frame
    output wire        s_axis_tready, // the beat is taken

    // AXI4-Stream output: slots
    output wire [31:0] m_axis_tdata,  // the code point, U+FFFD for an error
    output wire        m_axis_tkeep,  // the beat holds a slot
    output wire [3:0]  m_axis_tuser,  // 0 for a code point, else the kind of the error
    output wire        m_axis_tvalid, // a beat is offered
    output wire        m_axis_tlast,  // the beat ends its frame
    input  wire        m_axis_tready  // the beat is taken
);

    wire unit_valid = s_axis_tvalid && s_axis_tkeep;
    wire frame_ends = s_axis_tvalid && s_axis_tlast;

    // ---------------------------------------------------------------------------------------------
    // Codes of tuser
    // ---------------------------------------------------------------------------------------------
    localparam [2:0] CODE_POINT   = 3'd0;
    localparam [2:0] UNEXPECTED   = 3'd1;
    localparam [2:0] TRUNCATED    = 3'd2;
    localparam [2:0] OVERLONG     = 3'd3;
    localparam [2:0] SURROGATE    = 3'd4;
    localparam [2:0] OUT_OF_RANGE = 3'd5;
    localparam [2:0] INVALID      = 3'd6;

    // ---------------------------------------------------------------------------------------------
    // Stage 1: what the unit is by itself
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire advance;
    wire advance_next;

    reg       present_reg;      // a beat is in the registers of stage 1
    reg       load_reg;         // the beat in stage 1 moves into stage 2
    reg       trailing_reg;
    reg       lead_reg;
    reg [1:0] follow_reg;
    reg       restricts_reg;
    reg       low_only_reg;
    reg       unit_valid_reg;
    reg       frame_ends_reg;
    reg [6:0] payload_reg;
    reg [2:0] alone_user_reg;
    reg       alone_error_reg;

    reg [2:0] alone_user;
    always @* begin
        casez (s_axis_tdata)
            // 00..7F: U+0000..U+007F
            8'b0???????:                                        alone_user = CODE_POINT;
            // 80..BF: trailing unit
            8'b10??????:                                        alone_user = UNEXPECTED;
            // C0..C1: lead of overlong forms only
            8'b1100000?:                                        alone_user = OVERLONG;
            // C2..DF: lead of 2 units, U+0080..U+07FF
            8'b1101????, 8'b11001???, 8'b110001??, 8'b1100001?: alone_user = TRUNCATED;
            // E0..EF: lead of 3 units, U+0800..U+D7FF, U+E000..U+FFFF; second unit A0..BF after E0,
            // 80..9F after ED
            8'b1110????:                                        alone_user = TRUNCATED;
            // F0..F4: lead of 4 units, U+10000..U+10FFFF; second unit 90..BF after F0, 80..8F after
            // F4
            8'b111100??, 8'hF4:                                 alone_user = TRUNCATED;
            // F8..FF: invalid
            8'b11111???:                                        alone_user = INVALID;
            // F5..F7: lead past the last code point
            default:                                            alone_user = OUT_OF_RANGE;
        endcase
    end

    wire alone_error = s_axis_tdata[7];
    // by this table: some sequence begins with the unit
    wire lead = s_axis_tdata[7:6] == 2'b11
        && (s_axis_tdata[5] ? (!s_axis_tdata[4] || (!s_axis_tdata[3] && s_axis_tdata[2:0] <= 3'd4))
            : s_axis_tdata[4:1] != 4'd0);
    wire trailing = s_axis_tdata[7:6] == 2'b10;
    // how many trailing units the lead asks for
    wire [1:0] follow = !s_axis_tdata[5] ? 2'd1 : s_axis_tdata[4] ? 2'd3 : 2'd2;
    // the lead restricts the first trailing unit
    wire restricts = s_axis_tdata[5]
        && (s_axis_tdata[4]
            ? (!s_axis_tdata[3] && (s_axis_tdata[2:0] == 3'd0 || s_axis_tdata[2:0] == 3'b100))
            : (s_axis_tdata[3:0] == 4'd0 || s_axis_tdata[3:0] == 4'b1101));
    // in a restricting lead: 1 if no checked bit may be set, 0 if one must be
    wire low_only = s_axis_tdata[2];
    wire present = unit_valid || frame_ends;
    wire present_next = advance ? present : present_reg;
    // the unit without its marker
    wire [6:0] payload = {s_axis_tdata[7:6] == 2'b01, s_axis_tdata[5] && s_axis_tdata[7:6] != 2'b11,
        s_axis_tdata[4] && s_axis_tdata[7:5] != 3'b111,
        s_axis_tdata[3] && s_axis_tdata[7:4] != 4'b1111, s_axis_tdata[2:0]};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            present_reg <= 1'b0;
            load_reg <= 1'b0;
        end else begin
            present_reg <= present_next;
            load_reg <= present_next && advance_next;
        end
    end

    always @(posedge clk) begin
        if (advance) begin
            trailing_reg <= trailing && unit_valid;
            lead_reg <= lead && unit_valid;
            follow_reg <= follow;
            restricts_reg <= restricts;
            low_only_reg <= low_only;
            payload_reg <= unit_valid ? payload : 7'd0;
            alone_user_reg <= alone_user;
            alone_error_reg <= alone_error;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            unit_valid_reg <= 1'b0;
            frame_ends_reg <= 1'b0;
        end else if (advance) begin
            unit_valid_reg <= unit_valid;
            frame_ends_reg <= frame_ends;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: the open sequence
    // ---------------------------------------------------------------------------------------------
    reg        open_reg;     // a sequence is open; else the rest of its registers mean nothing
    reg [1:0]  missing_reg;  // trailing units still to come
    // after a restricting lead: the top bits of the unit that are checked
    reg [1:0]  checked_bits_reg;
    reg        checked_low_only_reg;  // 1: no checked bit may be set; 0: one of them must be
    reg [14:0] gathered_reg;          // bits of the code point so far

    wire lead_restricts = lead_reg && restricts_reg;
    wire checked_bit_set = (payload_reg[5:4] & checked_bits_reg) != 2'd0;
    // the lead does not allow this unit as the next one
    wire excluded = checked_bits_reg[1] && checked_bit_set == checked_low_only_reg;
    wire continues = open_reg && trailing_reg && !excluded;  // the unit continues the open sequence
    wire last_missing = missing_reg == 2'd1;
    // a sequence is open after the unit
    wire unfinished = lead_reg || (continues && !last_missing);
    wire [14:0] above = open_reg ? gathered_reg : 15'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            open_reg <= 1'b0;
        end else if (load_reg) begin
            open_reg <= unfinished && !frame_ends_reg;
        end
    end

    always @(posedge clk) begin
        if (load_reg) begin
            missing_reg <= lead_reg ? follow_reg : missing_reg - 2'd1;
            checked_bits_reg <= {lead_restricts, lead_restricts && follow_reg == 2'd3};
            checked_low_only_reg <= low_only_reg;
            gathered_reg <= {lead_reg ? 9'd0 : gathered_reg[8:0], payload_reg[5:0]};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Slots: the error of a sequence that the unit breaks, and the unit's own slot
    // ---------------------------------------------------------------------------------------------
    wire own_error = unit_valid_reg && alone_error_reg;
    wire [2:0] own_user = unit_valid_reg ? alone_user_reg : CODE_POINT;
    wire own_keep = unit_valid_reg || open_reg;  // there is a slot, not only the end of a frame
    // the unit, or the end of the frame, makes a slot
    wire own = (unit_valid_reg && !unfinished) || frame_ends_reg;
    // the unit breaks the open sequence, which is an error
    wire breaks = unit_valid_reg && open_reg && !continues;
    wire outside_error = open_reg || (unit_valid_reg && alone_error_reg);
    wire [2:0] outside_user = open_reg
        ? (!trailing_reg ? TRUNCATED
            : !checked_low_only_reg ? OVERLONG
            : missing_reg == 2'd2 ? SURROGATE
            : OUT_OF_RANGE)
        : unit_valid_reg ? alone_user_reg
        : CODE_POINT;
    wire inside_error = !last_missing;
    wire [2:0] inside_user = last_missing ? CODE_POINT : TRUNCATED;
    wire early = breaks;  // a slot goes out before the unit's own

    // ---------------------------------------------------------------------------------------------
    // Held slot: the unit's own slot waits here while an early one goes out
    // ---------------------------------------------------------------------------------------------
    reg       held_reg;        // a slot is held
    reg [6:0] held_low_reg;
    reg       held_keep_reg;
    reg       held_last_reg;
    reg [2:0] held_user_reg;
    reg       held_error_reg;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            held_reg <= 1'b0;
        end else if (advance) begin
            held_reg <= own && (early || held_reg);
        end
    end

    always @(posedge clk) begin
        if (load_reg) begin
            held_low_reg <= payload_reg;
            held_keep_reg <= own_keep;
            held_last_reg <= frame_ends_reg;
            held_user_reg <= own_user;
            held_error_reg <= own_error;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Slot register: the held slot goes out first, then an early slot, then the unit's own
    // ---------------------------------------------------------------------------------------------
    reg        slot_valid_reg;
    reg        slot_last_reg;
    reg        slot_keep_reg;
    reg [2:0]  slot_user_reg;
    reg        slot_error_reg;
    reg [20:0] slot_data_reg;

    wire [6:0] low_bits = held_reg ? held_low_reg : payload_reg;
    wire [20:0] own_data = {above[14:1], above[0] || low_bits[6], low_bits[5:0]};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            slot_valid_reg <= 1'b0;
        end else if (advance) begin
            slot_valid_reg <= held_reg || early || own;
        end
    end

    always @(posedge clk) begin
        if (advance) begin
            slot_last_reg <= held_reg ? held_last_reg : (frame_ends_reg && !early);
            slot_keep_reg <= held_reg ? held_keep_reg : (early || own_keep);
            slot_user_reg <= held_reg ? held_user_reg : continues ? inside_user : outside_user;
            slot_error_reg <= held_reg ? held_error_reg : continues ? inside_error : outside_error;
            slot_data_reg <= own_data;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of
    // s_axis_tready
    // ---------------------------------------------------------------------------------------------
    wire [20:0] shown_data = slot_error_reg ? 21'hFFFD : slot_data_reg;

    wire        output_ready;
    wire        output_ready_next;
    wire        output_valid;
    wire        output_last;
    wire        output_keep;
    wire [2:0]  output_user;
    wire [20:0] output_data;
    utf_8_decoder_x1_async_low_skid_buffer_ahead_w26 output_skid (
        .clk          (clk),
        .rst_n        (rst_n),
        .s_valid      (slot_valid_reg),
        .s_payload    ({slot_last_reg, slot_keep_reg, slot_user_reg, shown_data}),
        .m_ready      (m_axis_tready),
        .s_ready      (output_ready),
        .s_ready_next (output_ready_next),
        .m_valid      (output_valid),
        .m_payload    ({output_last, output_keep, output_user, output_data})
    );

    assign advance = output_ready;            // all stages move
    assign advance_next = output_ready_next;  // all stages will move in the next cycle

    assign s_axis_tready = advance;
    assign m_axis_tdata  = {11'd0, output_data};
    assign m_axis_tkeep  = output_keep;
    assign m_axis_tuser  = {1'b0, output_user};
    assign m_axis_tvalid = output_valid;
    assign m_axis_tlast  = output_last;

endmodule

// The modules below are parts of the one above and share its file.
/* verilator lint_off DECLFILENAME */

// Two registers between valid/ready neighbours: every output but s_ready_next is a register, so
// that no other path leads through. The beat that arrives while ready is still falling skids into
// the second register. Holds two beats, adds one cycle, never a bubble.
module utf_8_decoder_x1_async_low_skid_buffer_ahead_w26 (
    input  wire        clk,          // clock, rising edge
    input  wire        rst_n,        // reset, asynchronous, active low

    // Upstream
    input  wire        s_valid,      // beat is offered
    input  wire [25:0] s_payload,    // payload of the beat
    output wire        s_ready,      // beat is taken
    output wire        s_ready_next, // beat will be taken in the next cycle; no register

    // Downstream
    output wire        m_valid,      // beat is offered
    output wire [25:0] m_payload,    // payload of the beat
    input  wire        m_ready       // beat is taken
);

    reg        ready_reg;         // there is room for a beat: none has skidded
    reg        valid_reg;
    reg [25:0] payload_reg;
    reg        skid_valid_reg;
    reg [25:0] skid_payload_reg;

    wire accept = s_valid && ready_reg;
    wire load = !valid_reg || m_ready;  // the first register is empty, or emptied in this cycle
    wire skids = !load && (skid_valid_reg || accept);  // the second register holds a beat

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
        if (!skid_valid_reg) begin
            skid_payload_reg <= s_payload;
        end
    end

    assign s_ready      = ready_reg;
    assign s_ready_next = !skids;
    assign m_valid      = valid_reg;
    assign m_payload    = payload_reg;

endmodule

/* verilator lint_on DECLFILENAME */

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
