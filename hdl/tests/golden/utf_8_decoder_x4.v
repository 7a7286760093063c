// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_decoder_x4: UTF-8 (RFC 3629) decoder, 4 units a cycle, errors by maximal subpart
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 decoder --lanes 4 --reset sync-high --on-error flag --axis lane
//            --pipeline auto --pack beat
// Latency    13 cycles; one beat more for a slot that has no room in its beat
// Frames     a frame is one text, and tlast ends it; each frame that comes in makes one that goes
//            out, with one tlast. A beat of which tkeep is 0 may come in, with or without tlast; it
//            goes out only to end a frame
// Lanes      tkeep has a bit for each lane, and fills from lane 0: no lane in use follows one that
//            is not
// Reset      rst is high for one rising edge of clk at least; s_axis_tready and m_axis_tvalid are 0
//            in it, and s_axis_tready is 1 from the first rising edge after it
//
// Port           Dir  Bits  A lane  Meaning
// clk            in      1          clock, rising edge
// rst            in      1          reset, synchronous, active high
// s_axis_tdata   in     32       8  the unit of each lane, lane 0 first in time and in the low bits
// s_axis_tkeep   in      4       1  the lane holds a unit
// s_axis_tvalid  in      1          a beat is offered
// s_axis_tlast   in      1          the beat ends its frame
// s_axis_tready  out     1          the beat is taken
// m_axis_tdata   out   128      32  the code point, U+FFFD for an error of each lane, lane 0 first
//                                   in time and in the low bits
// m_axis_tkeep   out     4       1  the lane holds a slot
// m_axis_tuser   out    16       4  0 for a code point, else the kind of the error
// m_axis_tvalid  out     1          a beat is offered
// m_axis_tlast   out     1          the beat ends its frame
// m_axis_tready  in      1          the beat is taken
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
//     1         18    49  the beat; the last units of the beat; the unit
//     2         24    94  the units before the beat; the class of the unit
//     3         74   152  the classes of the units before the beat; the position in a sequence
//     4         54   100  the sequence that the beats before left open
//     5         48    94  whether it is cut short before the beat; whether it ends a slot
//     6         35    81  which units end a slot; gaps are counted
//     7         43    89  gaps before each lane; the slot that has no room rides in the next beat
//     8         47    93  a second beat after the last of a frame; how far each slot moves; the
//                         slot
//     9         20   125  slots are compacted by 1
//    10         14   119  slots are compacted by 2
//    11         10    94  errors get U+FFFD
//    12         14   102  a buffer makes registers of all outputs

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

// Outputs of instances that nothing reads are left open.
/* verilator lint_off PINCONNECTEMPTY */

module utf_8_decoder_x4 (
    input  wire        clk,           // clock, rising edge
    input  wire        rst,           // reset, synchronous, active high

    // AXI4-Stream input: units
    input  wire [31:0] s_axis_tdata,  // the unit of each lane, lane 0 first in time and in the low
                                      // bits
    input  wire [3:0]  s_axis_tkeep,  // the lane holds a unit
    input  wire        s_axis_tvalid, // a beat is offered
    input  wire        s_axis_tlast,  // the beat ends its frame
    output wire        s_axis_tready, // the beat is taken

    // AXI4-Stream output: slots
    output wire [127:0] m_axis_tdata, // the code point, U+FFFD for an error of each lane, lane 0
                                      // first in time and in the low bits
    output wire [3:0]  m_axis_tkeep,  // the lane holds a slot
    output wire [15:0] m_axis_tuser,  // 0 for a code point, else the kind of the error
    output wire        m_axis_tvalid, // a beat is offered
    output wire        m_axis_tlast,  // the beat ends its frame
    input  wire        m_axis_tready  // the beat is taken
);

    genvar i;

    reg flush_reg;  // the cycle behind reset, which clears the stages

    always @(posedge clk) begin
        if (rst) begin
            flush_reg <= 1'b1;
        end else begin
            flush_reg <= 1'b0;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 1: the beat
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    reg       first_of_2_of_unit_1_before_4_reg;
    reg       trailing_of_unit_1_before_4_reg;
    reg       first_of_3_of_unit_2_before_4_reg;
    reg       first_of_3_of_unit_1_before_4_reg;
    reg [5:0] bits_of_unit_1_before_8_reg;
    reg [5:0] bits_of_unit_2_before_8_reg;
    reg [2:0] bits_of_unit_3_before_8_reg;
    wire       take;
    wire [2:0] unit_1_before_class_accepts;
    wire       unit_1_before_class_longer_2;
    wire       unit_1_before_class_longer_3;
    wire       lane_1_stops_out;
    wire       lane_2_stops_out;
    wire       lane_3_stops_out;
    wire       lane_1_is_trailing_out;
    wire       lane_2_is_trailing_out;
    wire       lane_3_is_trailing_out;

    wire [7:0]  lane_0_unit_1;
    wire [2:0]  lane_0_accepts_out;
    wire        lane_0_longer_2_out;
    wire        lane_0_first_of_2_out;
    wire        lane_0_longer_3_out;
    wire        lane_0_first_of_3_out;
    wire        lane_0_trailing_out;
    wire        lane_0_stops_out;
    wire        lane_0_is_trailing_out;
    wire [5:0]  lane_0_bits_out;
    wire [21:0] lane_0_slot;
    utf_8_decoder_x4_lane lane_0 (
        .clk               (clk),
        .advance           (take),
        .unit              (s_axis_tdata[7:0]),
        .unit_valid        (s_axis_tkeep[0]),
        .unit_1            (lane_0_unit_1),
        .ends_frame        (s_axis_tkeep[1:0] == 2'b01 && s_axis_tlast),
        .accepts_out       (lane_0_accepts_out),
        .accepts_before    (unit_1_before_class_accepts),
        .longer_2_out      (lane_0_longer_2_out),
        .longer_2_before   (unit_1_before_class_longer_2),
        .first_of_2_out    (lane_0_first_of_2_out),
        .first_of_2_before (first_of_2_of_unit_1_before_4_reg),
        .longer_3_out      (lane_0_longer_3_out),
        .longer_3_before   (unit_1_before_class_longer_3),
        .first_of_3_out    (lane_0_first_of_3_out),
        .first_of_3_before ({first_of_3_of_unit_2_before_4_reg, first_of_3_of_unit_1_before_4_reg}),
        .trailing_out      (lane_0_trailing_out),
        .trailing_before   (trailing_of_unit_1_before_4_reg),
        .stops_out         (lane_0_stops_out),
        .stops_next        (lane_1_stops_out),
        .is_trailing_out   (lane_0_is_trailing_out),
        .is_trailing_next  (lane_1_is_trailing_out),
        .ends              (lane_ends[0]),
        .bits_out          (lane_0_bits_out),
        .bits_before       ({bits_of_unit_3_before_8_reg, bits_of_unit_2_before_8_reg,
            bits_of_unit_1_before_8_reg}),
        .slot              (lane_0_slot)
    );

    wire [7:0]  lane_1_unit_1;
    wire [2:0]  lane_1_accepts_out;
    wire        lane_1_longer_2_out;
    wire        lane_1_first_of_2_out;
    wire        lane_1_longer_3_out;
    wire        lane_1_first_of_3_out;
    wire        lane_1_trailing_out;
    wire [5:0]  lane_1_bits_out;
    wire [21:0] lane_1_slot;
    utf_8_decoder_x4_lane lane_1 (
        .clk               (clk),
        .advance           (take),
        .unit              (s_axis_tdata[15:8]),
        .unit_valid        (s_axis_tkeep[1]),
        .unit_1            (lane_1_unit_1),
        .ends_frame        (s_axis_tkeep[2:1] == 2'b01 && s_axis_tlast),
        .accepts_out       (lane_1_accepts_out),
        .accepts_before    (lane_0_accepts_out),
        .longer_2_out      (lane_1_longer_2_out),
        .longer_2_before   (lane_0_longer_2_out),
        .first_of_2_out    (lane_1_first_of_2_out),
        .first_of_2_before (lane_0_first_of_2_out),
        .longer_3_out      (lane_1_longer_3_out),
        .longer_3_before   (lane_0_longer_3_out),
        .first_of_3_out    (lane_1_first_of_3_out),
        .first_of_3_before ({first_of_3_of_unit_1_before_4_reg, lane_0_first_of_3_out}),
        .trailing_out      (lane_1_trailing_out),
        .trailing_before   (lane_0_trailing_out),
        .stops_out         (lane_1_stops_out),
        .stops_next        (lane_2_stops_out),
        .is_trailing_out   (lane_1_is_trailing_out),
        .is_trailing_next  (lane_2_is_trailing_out),
        .ends              (lane_ends[1]),
        .bits_out          (lane_1_bits_out),
        .bits_before       ({bits_of_unit_2_before_8_reg[2:0], bits_of_unit_1_before_8_reg,
            lane_0_bits_out}),
        .slot              (lane_1_slot)
    );

    wire [7:0]  lane_2_unit_1;
    wire [2:0]  lane_2_accepts_out;
    wire        lane_2_longer_2_out;
    wire        lane_2_first_of_2_out;
    wire        lane_2_longer_3_out;
    wire        lane_2_first_of_3_out;
    wire        lane_2_trailing_out;
    wire [5:0]  lane_2_bits_out;
    wire [21:0] lane_2_slot;
    utf_8_decoder_x4_lane lane_2 (
        .clk               (clk),
        .advance           (take),
        .unit              (s_axis_tdata[23:16]),
        .unit_valid        (s_axis_tkeep[2]),
        .unit_1            (lane_2_unit_1),
        .ends_frame        (s_axis_tkeep[3:2] == 2'b01 && s_axis_tlast),
        .accepts_out       (lane_2_accepts_out),
        .accepts_before    (lane_1_accepts_out),
        .longer_2_out      (lane_2_longer_2_out),
        .longer_2_before   (lane_1_longer_2_out),
        .first_of_2_out    (lane_2_first_of_2_out),
        .first_of_2_before (lane_1_first_of_2_out),
        .longer_3_out      (lane_2_longer_3_out),
        .longer_3_before   (lane_1_longer_3_out),
        .first_of_3_out    (lane_2_first_of_3_out),
        .first_of_3_before ({lane_0_first_of_3_out, lane_1_first_of_3_out}),
        .trailing_out      (lane_2_trailing_out),
        .trailing_before   (lane_1_trailing_out),
        .stops_out         (lane_2_stops_out),
        .stops_next        (lane_3_stops_out),
        .is_trailing_out   (lane_2_is_trailing_out),
        .is_trailing_next  (lane_3_is_trailing_out),
        .ends              (lane_ends[2]),
        .bits_out          (lane_2_bits_out),
        .bits_before       ({bits_of_unit_1_before_8_reg[2:0], lane_0_bits_out, lane_1_bits_out}),
        .slot              (lane_2_slot)
    );

    wire [7:0]  lane_3_unit_1;
    wire [21:0] lane_3_slot;
    utf_8_decoder_x4_lane lane_3 (
        .clk               (clk),
        .advance           (take),
        .unit              (s_axis_tdata[31:24]),
        .unit_valid        (s_axis_tkeep[3]),
        .unit_1            (lane_3_unit_1),
        .ends_frame        (s_axis_tkeep[3] && s_axis_tlast),
        .accepts_out       (),
        .accepts_before    (lane_2_accepts_out),
        .longer_2_out      (),
        .longer_2_before   (lane_2_longer_2_out),
        .first_of_2_out    (),
        .first_of_2_before (lane_2_first_of_2_out),
        .longer_3_out      (),
        .longer_3_before   (lane_2_longer_3_out),
        .first_of_3_out    (),
        .first_of_3_before ({lane_1_first_of_3_out, lane_2_first_of_3_out}),
        .trailing_out      (),
        .trailing_before   (lane_2_trailing_out),
        .stops_out         (lane_3_stops_out),
        .stops_next        (1'b0),
        .is_trailing_out   (lane_3_is_trailing_out),
        .is_trailing_next  (1'b0),
        .ends              (lane_ends[3]),
        .bits_out          (),
        .bits_before       ({lane_0_bits_out[2:0], lane_1_bits_out, lane_2_bits_out}),
        .slot              (lane_3_slot)
    );

    // ---------------------------------------------------------------------------------------------
    // Stage 1: the last units of the beat
    // ---------------------------------------------------------------------------------------------
    reg [3:0] last_unit_1_reg;   // one bit set, if units come that others may follow
    reg [7:0] tail_1_2_reg;
    reg [7:0] tail_2_2_reg;
    reg [7:0] tail_3_2_reg;
    reg       count_is_1_2_reg;
    reg       count_is_2_2_reg;
    reg       keeps_1_reg;
    reg       keeps_2_reg;       // no unit, and no end of a frame

    wire frame_continues = s_axis_tvalid && !s_axis_tlast;

    always @(posedge clk) begin
        if (take) begin
            last_unit_1_reg <= flush_reg ? 4'd0
                : s_axis_tkeep & ~{1'b0, s_axis_tkeep[3:1]} & {4{frame_continues}};
            tail_1_2_reg <= (lane_0_unit_1 & {8{last_unit_1_reg[0]}})
                | (lane_1_unit_1 & {8{last_unit_1_reg[1]}})
                | (lane_2_unit_1 & {8{last_unit_1_reg[2]}})
                | (lane_3_unit_1 & {8{last_unit_1_reg[3]}});
            tail_2_2_reg <= (lane_0_unit_1 & {8{last_unit_1_reg[1]}})
                | (lane_1_unit_1 & {8{last_unit_1_reg[2]}})
                | (lane_2_unit_1 & {8{last_unit_1_reg[3]}});
            tail_3_2_reg <= (lane_0_unit_1 & {8{last_unit_1_reg[2]}})
                | (lane_1_unit_1 & {8{last_unit_1_reg[3]}});
            count_is_1_2_reg <= last_unit_1_reg[0];
            count_is_2_2_reg <= last_unit_1_reg[1];
            keeps_1_reg <= !(s_axis_tvalid && (s_axis_tkeep[0] || s_axis_tlast));
            keeps_2_reg <= keeps_1_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: the units before the beat
    // ---------------------------------------------------------------------------------------------
    reg [7:0] unit_1_before_reg;
    reg [7:0] unit_2_before_reg;
    reg [7:0] unit_3_before_reg;
    reg       remains_1_reg;      // of beats before reset

    always @(posedge clk) begin
        if (take) begin
            unit_1_before_reg <= ((unit_1_before_reg & {8{keeps_2_reg}}) | tail_1_2_reg)
                & {8{!remains_1_reg}};
            unit_2_before_reg <= ((unit_2_before_reg & {8{keeps_2_reg}})
                    | (unit_1_before_reg & {8{count_is_1_2_reg}})
                    | tail_2_2_reg)
                & {8{!remains_1_reg}};
            unit_3_before_reg <= ((unit_3_before_reg & {8{keeps_2_reg}})
                    | (unit_2_before_reg & {8{count_is_1_2_reg}})
                    | (unit_1_before_reg & {8{count_is_2_2_reg}})
                    | tail_3_2_reg)
                & {8{!remains_1_reg}};
            remains_1_reg <= flush_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 3: the classes of the units before the beat
    // ---------------------------------------------------------------------------------------------
    reg beat_valid_1_reg;
    reg beat_valid_2_reg;

    wire       unit_1_before_class_trailing;
    wire       unit_1_before_class_lead;
    wire [2:0] unit_1_before_class_region;
    wire [2:0] unit_1_before_class_kind;
    utf_8_decoder_x4_unit unit_1_before_class (
        .clk        (clk),
        .unit       (unit_1_before_reg),
        .unit_valid (beat_valid_2_reg),
        .advance    (take),
        .trailing   (unit_1_before_class_trailing),
        .lead       (unit_1_before_class_lead),
        .wrong      (),
        .accepts    (unit_1_before_class_accepts),
        .region     (unit_1_before_class_region),
        .longer_2   (unit_1_before_class_longer_2),
        .longer_3   (unit_1_before_class_longer_3),
        .kind       (unit_1_before_class_kind)
    );

    wire [2:0] unit_2_before_class_accepts;
    wire [2:0] unit_2_before_class_region;
    wire       unit_2_before_class_longer_2;
    wire       unit_2_before_class_longer_3;
    utf_8_decoder_x4_unit unit_2_before_class (
        .clk        (clk),
        .unit       (unit_2_before_reg),
        .unit_valid (beat_valid_2_reg),
        .advance    (take),
        .trailing   (),
        .lead       (),
        .wrong      (),
        .accepts    (unit_2_before_class_accepts),
        .region     (unit_2_before_class_region),
        .longer_2   (unit_2_before_class_longer_2),
        .longer_3   (unit_2_before_class_longer_3),
        .kind       ()
    );

    wire [2:0] unit_3_before_class_accepts;
    wire       unit_3_before_class_longer_2;
    wire       unit_3_before_class_longer_3;
    utf_8_decoder_x4_unit unit_3_before_class (
        .clk        (clk),
        .unit       (unit_3_before_reg),
        .unit_valid (beat_valid_2_reg),
        .advance    (take),
        .trailing   (),
        .lead       (),
        .wrong      (),
        .accepts    (unit_3_before_class_accepts),
        .region     (),
        .longer_2   (unit_3_before_class_longer_2),
        .longer_3   (unit_3_before_class_longer_3),
        .kind       ()
    );

    always @(posedge clk) begin
        if (take) begin
            beat_valid_1_reg <= !flush_reg && s_axis_tvalid;
            beat_valid_2_reg <= !flush_reg && beat_valid_1_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 4: the sequence that the beats before left open
    // ---------------------------------------------------------------------------------------------
    reg unit_1_before_is_lead_4_reg;
    reg first_of_1_of_unit_1_before_4_reg;
    reg first_of_2_of_unit_2_before_4_reg;
    reg open_before_5_reg;

    wire fits_of_unit_1_before = (unit_1_before_class_region & unit_2_before_class_accepts) != 3'd0;
    wire fits_of_unit_2_before = (unit_2_before_class_region & unit_3_before_class_accepts) != 3'd0;
    wire position_2 = first_of_2_of_unit_2_before_4_reg && trailing_of_unit_1_before_4_reg;

    always @(posedge clk) begin
        if (take) begin
            unit_1_before_is_lead_4_reg <= unit_1_before_class_lead;
            first_of_1_of_unit_1_before_4_reg <= fits_of_unit_1_before;
            first_of_2_of_unit_1_before_4_reg <= fits_of_unit_1_before
                && unit_2_before_class_longer_2;
            first_of_2_of_unit_2_before_4_reg <= fits_of_unit_2_before
                && unit_3_before_class_longer_2;
            trailing_of_unit_1_before_4_reg <= unit_1_before_class_trailing;
            first_of_3_of_unit_2_before_4_reg <= fits_of_unit_2_before
                && unit_3_before_class_longer_3;
            open_before_5_reg <= unit_1_before_is_lead_4_reg
                || (first_of_1_of_unit_1_before_4_reg && first_of_2_of_unit_1_before_4_reg)
                || (position_2 && first_of_3_of_unit_2_before_4_reg);
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 5: whether it is cut short before the beat
    // ---------------------------------------------------------------------------------------------
    localparam [2:0] TRUNCATED = 3'd2;

    reg       ends_without_unit_1_reg;
    reg       ends_without_unit_2_reg;
    reg       ends_without_unit_3_reg;
    reg       ends_without_unit_4_reg;
    reg       ends_without_unit_5_reg;
    reg [2:0] unit_1_before_kind_4_reg;
    reg [2:0] unit_1_before_kind_5_reg;
    reg [2:0] first_kind_6_reg;
    reg [2:0] first_kind_7_reg;
    reg [2:0] first_kind_8_reg;
    reg       first_ends_6_reg;
    reg [5:0] bits_of_unit_1_before_3_reg;
    reg [5:0] bits_of_unit_1_before_4_reg;
    reg [5:0] bits_of_unit_1_before_5_reg;
    reg [5:0] bits_of_unit_1_before_6_reg;
    reg [5:0] bits_of_unit_1_before_7_reg;
    reg [5:0] bits_of_unit_2_before_3_reg;
    reg [5:0] bits_of_unit_2_before_4_reg;
    reg [5:0] bits_of_unit_2_before_5_reg;
    reg [5:0] bits_of_unit_2_before_6_reg;
    reg [5:0] bits_of_unit_2_before_7_reg;
    reg [2:0] bits_of_unit_3_before_3_reg;
    reg [2:0] bits_of_unit_3_before_4_reg;
    reg [2:0] bits_of_unit_3_before_5_reg;
    reg [2:0] bits_of_unit_3_before_6_reg;
    reg [2:0] bits_of_unit_3_before_7_reg;

    wire is_cut_before = open_before_5_reg && (lane_0_stops_out || ends_without_unit_5_reg);

    always @(posedge clk) begin
        if (take) begin
            ends_without_unit_1_reg <= s_axis_tlast && !s_axis_tkeep[0];
            ends_without_unit_2_reg <= ends_without_unit_1_reg;
            ends_without_unit_3_reg <= ends_without_unit_2_reg;
            ends_without_unit_4_reg <= ends_without_unit_3_reg;
            ends_without_unit_5_reg <= ends_without_unit_4_reg;
            unit_1_before_kind_4_reg <= unit_1_before_class_kind;
            unit_1_before_kind_5_reg <= unit_1_before_kind_4_reg;
            first_kind_6_reg <= (unit_1_before_kind_5_reg & {3{lane_0_is_trailing_out}})
                | (TRUNCATED & {3{!lane_0_is_trailing_out}});
            first_kind_7_reg <= first_kind_6_reg;
            first_kind_8_reg <= first_kind_7_reg;
            first_ends_6_reg <= is_cut_before;
            first_of_3_of_unit_1_before_4_reg <= fits_of_unit_1_before
                && unit_2_before_class_longer_3;
            bits_of_unit_1_before_3_reg <= {unit_1_before_reg[5] && unit_1_before_reg[7:6] != 2'b11,
                unit_1_before_reg[4] && unit_1_before_reg[7:5] != 3'b111,
                unit_1_before_reg[3] && unit_1_before_reg[7:4] != 4'b1111, unit_1_before_reg[2:0]};
            bits_of_unit_1_before_4_reg <= bits_of_unit_1_before_3_reg;
            bits_of_unit_1_before_5_reg <= bits_of_unit_1_before_4_reg;
            bits_of_unit_1_before_6_reg <= bits_of_unit_1_before_5_reg;
            bits_of_unit_1_before_7_reg <= bits_of_unit_1_before_6_reg;
            bits_of_unit_1_before_8_reg <= bits_of_unit_1_before_7_reg;
            bits_of_unit_2_before_3_reg <= {unit_2_before_reg[5] && unit_2_before_reg[7:6] != 2'b11,
                unit_2_before_reg[4] && unit_2_before_reg[7:5] != 3'b111,
                unit_2_before_reg[3] && unit_2_before_reg[7:4] != 4'b1111, unit_2_before_reg[2:0]};
            bits_of_unit_2_before_4_reg <= bits_of_unit_2_before_3_reg;
            bits_of_unit_2_before_5_reg <= bits_of_unit_2_before_4_reg;
            bits_of_unit_2_before_6_reg <= bits_of_unit_2_before_5_reg;
            bits_of_unit_2_before_7_reg <= bits_of_unit_2_before_6_reg;
            bits_of_unit_2_before_8_reg <= bits_of_unit_2_before_7_reg;
            bits_of_unit_3_before_3_reg <= unit_3_before_reg[2:0];
            bits_of_unit_3_before_4_reg <= bits_of_unit_3_before_3_reg;
            bits_of_unit_3_before_5_reg <= bits_of_unit_3_before_4_reg;
            bits_of_unit_3_before_6_reg <= bits_of_unit_3_before_5_reg;
            bits_of_unit_3_before_7_reg <= bits_of_unit_3_before_6_reg;
            bits_of_unit_3_before_8_reg <= bits_of_unit_3_before_7_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 6: which units end a slot
    // ---------------------------------------------------------------------------------------------
    reg last_1_reg;
    reg last_2_reg;
    reg last_3_reg;
    reg last_4_reg;
    reg last_5_reg;
    reg last_6_reg;
    reg beat_valid_3_reg;
    reg beat_valid_4_reg;
    reg beat_valid_5_reg;
    reg beat_valid_6_reg;

    wire [3:0] lane_ends;

    always @(posedge clk) begin
        if (take) begin
            last_1_reg <= s_axis_tlast;
            last_2_reg <= last_1_reg;
            last_3_reg <= last_2_reg;
            last_4_reg <= last_3_reg;
            last_5_reg <= last_4_reg;
            last_6_reg <= last_5_reg;
            beat_valid_3_reg <= !flush_reg && beat_valid_2_reg;
            beat_valid_4_reg <= !flush_reg && beat_valid_3_reg;
            beat_valid_5_reg <= !flush_reg && beat_valid_4_reg;
            beat_valid_6_reg <= !flush_reg && beat_valid_5_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 6: gaps are counted
    // ---------------------------------------------------------------------------------------------
    reg gaps_before_1_of_group_0_bit_0_7_reg;
    reg gaps_before_2_of_group_0_bit_0_7_reg;
    reg gaps_before_2_of_group_0_bit_1_7_reg;
    reg gaps_before_3_of_group_0_bit_0_7_reg;
    reg gaps_before_3_of_group_0_bit_1_7_reg;
    reg full_of_group_0_7_reg;
    reg some_of_group_0_7_reg;

    // ends no slot; counted by gates, for + becomes a carry chain, which is slower
    wire gap_0 = !lane_ends[0];
    // ends no slot; counted by gates, for + becomes a carry chain, which is slower
    wire gap_1 = !lane_ends[1];
    wire gaps_0_to_1_bit_0_of_group_0 = gap_0 ^ gap_1;
    wire gaps_0_to_1_carry_1_of_group_0 = gap_0 && gap_1;
    wire gaps_0_to_1_bit_1_of_group_0 = gaps_0_to_1_carry_1_of_group_0;
    // ends no slot; counted by gates, for + becomes a carry chain, which is slower
    wire gap_2 = !lane_ends[2];
    wire gaps_0_to_2_bit_0_of_group_0 = gaps_0_to_1_bit_0_of_group_0 ^ gap_2;
    wire gaps_0_to_2_carry_1_of_group_0 = gaps_0_to_1_bit_0_of_group_0 && gap_2;
    wire gaps_0_to_2_bit_1_of_group_0 = gaps_0_to_1_bit_1_of_group_0
        ^ gaps_0_to_2_carry_1_of_group_0;

    always @(posedge clk) begin
        if (take) begin
            gaps_before_1_of_group_0_bit_0_7_reg <= gap_0;
            gaps_before_2_of_group_0_bit_0_7_reg <= gaps_0_to_1_bit_0_of_group_0;
            gaps_before_2_of_group_0_bit_1_7_reg <= gaps_0_to_1_bit_1_of_group_0;
            gaps_before_3_of_group_0_bit_0_7_reg <= gaps_0_to_2_bit_0_of_group_0;
            gaps_before_3_of_group_0_bit_1_7_reg <= gaps_0_to_2_bit_1_of_group_0;
            full_of_group_0_7_reg <= lane_ends == 4'b1111;
            some_of_group_0_7_reg <= lane_ends != 4'd0;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 7: gaps before each lane
    // ---------------------------------------------------------------------------------------------
    reg gaps_before_1_bit_0_8_reg;
    reg gaps_before_2_bit_0_8_reg;
    reg gaps_before_2_bit_1_8_reg;
    reg gaps_before_3_bit_0_8_reg;
    reg gaps_before_3_bit_1_8_reg;
    reg beat_valid_7_reg;
    reg last_7_reg;

    // it holds a slot, or ends its frame
    wire makes_beat = beat_valid_7_reg && (some_of_group_0_7_reg || last_7_reg);

    always @(posedge clk) begin
        if (take) begin
            gaps_before_1_bit_0_8_reg <= gaps_before_1_of_group_0_bit_0_7_reg;
            gaps_before_2_bit_0_8_reg <= gaps_before_2_of_group_0_bit_0_7_reg;
            gaps_before_2_bit_1_8_reg <= gaps_before_2_of_group_0_bit_1_7_reg;
            gaps_before_3_bit_0_8_reg <= gaps_before_3_of_group_0_bit_0_7_reg;
            gaps_before_3_bit_1_8_reg <= gaps_before_3_of_group_0_bit_1_7_reg;
            beat_valid_7_reg <= !flush_reg && beat_valid_6_reg;
            last_7_reg <= last_6_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 7: the slot that has no room rides in the next beat
    // ---------------------------------------------------------------------------------------------
    reg rides_reg;          // the last slot of the beat before had no room there
    reg first_ends_7_reg;
    reg overflows_8_reg;
    reg present_8_reg;
    reg ends_frame_8_reg;
    reg has_first_8_reg;
    reg first_rides_8_reg;
    reg has_no_room_8_reg;

    // a slot is before those of the lanes
    wire has_first = (first_ends_7_reg && beat_valid_7_reg) || rides_reg;
    // the last slot has none
    wire has_no_room = beat_valid_7_reg && full_of_group_0_7_reg && has_first;
    wire only_rides = rides_reg && !some_of_group_0_7_reg;  // the one slot is of the beat before

    always @(posedge clk) begin
        if (take) begin
            rides_reg <= !flush_reg && has_no_room && !last_7_reg;
            first_ends_7_reg <= first_ends_6_reg;
            overflows_8_reg <= !flush_reg
                && beat_valid_7_reg
                && last_7_reg
                && ((full_of_group_0_7_reg && has_first) || only_rides);
            present_8_reg <= !flush_reg && (makes_beat || has_first);
            ends_frame_8_reg <= beat_valid_7_reg && last_7_reg;
            has_first_8_reg <= has_first;
            first_rides_8_reg <= rides_reg;
            has_no_room_8_reg <= has_no_room;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: a second beat after the last of a frame
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire advance;

    reg second_reg;        // it goes on from here, and the beat that is here waits
    reg second_holds_reg;  // it holds a slot, not only the end of the frame
    reg beat_valid_8_reg;
    reg beat_goes_on_reg;  // the beat goes on, with the slots of its lanes

    wire overflows_now = overflows_8_reg && !second_reg;
    wire beat_goes_on_next = (second_reg ? beat_valid_8_reg : beat_valid_7_reg) && !overflows_now;
    wire second_follows = overflows_now && !flush_reg;
    wire second_stays = second_reg && !flush_reg;
    wire frame_ends = (ends_frame_8_reg && !overflows_8_reg) || second_reg;
    wire holds_first = second_reg ? second_holds_reg : has_first_8_reg;
    wire is_riding = first_rides_8_reg || second_reg;

    always @(posedge clk) begin
        if (advance) begin
            second_reg <= !flush_reg && overflows_now;
            second_holds_reg <= has_no_room_8_reg;
            beat_goes_on_reg <= !flush_reg && beat_goes_on_next;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            beat_valid_8_reg <= !flush_reg && beat_valid_7_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: how far each slot moves
    // ---------------------------------------------------------------------------------------------
    reg [21:0] slot_9_0_reg;
    reg [4:0]  stays_9_reg;
    reg [3:0]  ends_7_reg;
    reg [3:0]  ends_8_reg;
    reg [4:1]  goes_9_reg;
    reg        by_2_9_2_reg;
    reg        by_2_9_3_reg;
    reg        alone_reg;
    reg        by_2_9_4_reg;

    wire [3:0] makes_slot;

    wire has_no_first = !has_first_8_reg;
    assign makes_slot = ends_8_reg & {4{beat_goes_on_reg}};
    wire distance_1_carry_1 = gaps_before_1_bit_0_8_reg && has_no_first;
    wire distance_1_bit_0 = gaps_before_1_bit_0_8_reg ^ has_no_first;
    wire distance_2_carry_1 = gaps_before_2_bit_0_8_reg && has_no_first;
    wire distance_2_bit_0 = gaps_before_2_bit_0_8_reg ^ has_no_first;
    wire distance_2_bit_1 = gaps_before_2_bit_1_8_reg ^ distance_2_carry_1;
    wire distance_3_carry_1 = gaps_before_3_bit_0_8_reg && has_no_first;
    wire distance_3_carry_2 = gaps_before_3_bit_1_8_reg && distance_3_carry_1;
    wire distance_3_bit_0 = gaps_before_3_bit_0_8_reg ^ has_no_first;
    wire distance_3_bit_1 = gaps_before_3_bit_1_8_reg ^ distance_3_carry_1;
    wire last_slot_moves = makes_slot[3] && (distance_3_bit_0 || distance_3_bit_1);

    always @(posedge clk) begin
        if (advance) begin
            slot_9_0_reg <= (lane_3_slot & {22{is_riding}})
                | ({19'h41FFF, first_kind_8_reg} & {22{!is_riding}});
            stays_9_reg[0] <= holds_first;
            stays_9_reg[1] <= makes_slot[0] && !has_no_first;
            goes_9_reg[1] <= makes_slot[0] && has_no_first;
            stays_9_reg[2] <= makes_slot[1] && !distance_1_bit_0;
            goes_9_reg[2] <= makes_slot[1] && distance_1_bit_0;
            by_2_9_2_reg <= distance_1_carry_1;
            stays_9_reg[3] <= makes_slot[2] && !distance_2_bit_0;
            goes_9_reg[3] <= makes_slot[2] && distance_2_bit_0;
            by_2_9_3_reg <= distance_2_bit_1;
            alone_reg <= makes_slot[3] && distance_3_carry_2;
            stays_9_reg[4] <= last_slot_moves && !distance_3_bit_0;
            goes_9_reg[4] <= last_slot_moves && distance_3_bit_0;
            by_2_9_4_reg <= distance_3_bit_1;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            ends_7_reg <= lane_ends;
            ends_8_reg <= ends_7_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 9: slots are compacted by 1
    // ---------------------------------------------------------------------------------------------
    reg [21:0] slot_10_0_reg;
    reg        stays_10_0_reg;
    reg [21:0] slot_10_1_reg;
    reg        stays_10_1_reg;
    reg [21:0] slot_10_2_reg;
    reg        stays_10_2_reg;
    reg        goes_10_2_reg;
    reg [21:0] slot_10_3_reg;
    reg        stays_10_3_reg;
    reg        goes_10_3_reg;
    reg [21:0] slot_10_4_reg;
    reg        goes_10_4_reg;

    wire [3:0] holds_10;

    assign holds_10[0] = stays_9_reg[0] || goes_9_reg[1] || alone_reg;
    assign holds_10[3:1] = stays_9_reg[3:1] | goes_9_reg[4:2];
    wire is_by_2_10_2 = (by_2_9_2_reg && stays_9_reg[2]) || (by_2_9_3_reg && goes_9_reg[3]);
    wire is_by_2_10_3 = (by_2_9_3_reg && stays_9_reg[3]) || (by_2_9_4_reg && goes_9_reg[4]);

    always @(posedge clk) begin
        if (advance) begin
            slot_10_0_reg <= (slot_9_0_reg & {22{stays_9_reg[0]}})
                | (lane_0_slot & {22{goes_9_reg[1]}})
                | (lane_3_slot & {22{alone_reg}});
            stays_10_0_reg <= holds_10[0];
            slot_10_1_reg <= (lane_0_slot & {22{stays_9_reg[1]}})
                | (lane_1_slot & {22{goes_9_reg[2]}});
            stays_10_1_reg <= holds_10[1];
            slot_10_2_reg <= (lane_1_slot & {22{stays_9_reg[2]}})
                | (lane_2_slot & {22{goes_9_reg[3]}});
            stays_10_2_reg <= holds_10[2] && !is_by_2_10_2;
            goes_10_2_reg <= holds_10[2] && is_by_2_10_2;
            slot_10_3_reg <= (lane_2_slot & {22{stays_9_reg[3]}})
                | (lane_3_slot & {22{goes_9_reg[4]}});
            stays_10_3_reg <= holds_10[3] && !is_by_2_10_3;
            goes_10_3_reg <= holds_10[3] && is_by_2_10_3;
            slot_10_4_reg <= lane_3_slot;
            goes_10_4_reg <= stays_9_reg[4];
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 10: slots are compacted by 2
    // ---------------------------------------------------------------------------------------------
    reg [87:0] slot_11_reg;
    reg [3:0]  stays_11_reg;
    reg        present_9_reg;
    reg        present_10_reg;
    reg        present_11_reg;
    reg        ends_frame_9_reg;
    reg        ends_frame_10_reg;
    reg        ends_frame_11_reg;

    wire holds_11_0 = stays_10_0_reg || goes_10_2_reg;
    wire holds_11_1 = stays_10_1_reg || goes_10_3_reg;
    wire holds_11_2 = stays_10_2_reg || goes_10_4_reg;

    always @(posedge clk) begin
        if (advance) begin
            slot_11_reg[21:0] <= (slot_10_0_reg & {22{stays_10_0_reg}})
                | (slot_10_2_reg & {22{goes_10_2_reg}});
            stays_11_reg[0] <= holds_11_0;
            slot_11_reg[43:22] <= (slot_10_1_reg & {22{stays_10_1_reg}})
                | (slot_10_3_reg & {22{goes_10_3_reg}});
            stays_11_reg[1] <= holds_11_1;
            slot_11_reg[65:44] <= (slot_10_2_reg & {22{stays_10_2_reg}})
                | (slot_10_4_reg & {22{goes_10_4_reg}});
            stays_11_reg[2] <= holds_11_2;
            slot_11_reg[87:66] <= slot_10_3_reg & {22{stays_10_3_reg}};
            stays_11_reg[3] <= stays_10_3_reg;
            present_9_reg <= !flush_reg && (present_8_reg || second_reg);
            present_10_reg <= !flush_reg && present_9_reg;
            present_11_reg <= !flush_reg && present_10_reg;
            ends_frame_9_reg <= frame_ends;
            ends_frame_10_reg <= ends_frame_9_reg;
            ends_frame_11_reg <= ends_frame_10_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 11: errors get U+FFFD
    // ---------------------------------------------------------------------------------------------
    reg        ends_frame_12_reg;
    reg        present_12_reg;
    reg [3:0]  shown_keep_reg;
    reg [11:0] shown_user_reg;
    reg [83:0] shown_data_reg;

    always @(posedge clk) begin
        if (advance) begin
            ends_frame_12_reg <= ends_frame_11_reg;
            shown_keep_reg <= stays_11_reg;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            present_12_reg <= 1'b0;
        end else if (advance) begin
            present_12_reg <= present_11_reg && !flush_reg;
        end
    end

    generate
        for (i = 0; i <= 3; i = i + 1) begin : each_shown_user_reg
            always @(posedge clk) begin
                if (advance) begin
                    shown_user_reg[3*i +: 3] <= slot_11_reg[22*i +: 3]
                        & {3{slot_11_reg[22*i + 21]}};
                    shown_data_reg[21*i +: 21] <= {slot_11_reg[22*i + 3 +: 18],
                        ({3{slot_11_reg[22*i + 21]}} & 3'h5)
                            | (slot_11_reg[22*i +: 3] & {3{!slot_11_reg[22*i + 21]}})};
                end
            end
        end
    endgenerate

    // ---------------------------------------------------------------------------------------------
    // The pace
    // ---------------------------------------------------------------------------------------------
    wire pace_advance;
    wire pace_take;
    wire pace_takes;
    wire pace_first_0;
    wire pace_second_0;
    wire output_valid;
    utf_8_decoder_x4_pace pace (
        .clk                 (clk),
        .rst                 (rst),
        .beat                (present_12_reg),
        .m_axis_tready       (m_axis_tready),
        .units_wait_if_moved (second_follows),
        .units_wait_if_not   (second_stays),
        .advance             (pace_advance),
        .take                (pace_take),
        .takes               (pace_takes),
        .first_0             (pace_first_0),
        .second_0            (pace_second_0),
        .offers              (output_valid)
    );

    wire takes = pace_takes;
    assign take = pace_take;        // the stages up to the slots of the units move
    assign advance = pace_advance;  // those behind them move

    // ---------------------------------------------------------------------------------------------
    // Stage 12: a buffer makes registers of all outputs
    // ---------------------------------------------------------------------------------------------
    wire        output_last;
    wire        output_keep_3;
    wire [2:0]  output_user_3;
    wire [20:0] output_data_3;
    wire        output_keep_2;
    wire [2:0]  output_user_2;
    wire [20:0] output_data_2;
    wire        output_keep_1;
    wire [2:0]  output_user_1;
    wire [20:0] output_data_1;
    wire        output_keep_0;
    wire [2:0]  output_user_0;
    wire [20:0] output_data_0;
    utf_8_decoder_x4_output_skid_w101 output_skid (
        .clk       (clk),
        .s_payload ({ends_frame_12_reg, shown_keep_reg[3], shown_user_reg[11:9],
            shown_data_reg[83:63], shown_keep_reg[2], shown_user_reg[8:6], shown_data_reg[62:42],
            shown_keep_reg[1], shown_user_reg[5:3], shown_data_reg[41:21], shown_keep_reg[0],
            shown_user_reg[2:0], shown_data_reg[20:0]}),
        .first     (pace_first_0),
        .second    (pace_second_0),
        .m_ready   (m_axis_tready),
        .m_payload ({output_last, output_keep_3, output_user_3, output_data_3, output_keep_2,
            output_user_2, output_data_2, output_keep_1, output_user_1, output_data_1,
            output_keep_0, output_user_0, output_data_0})
    );

    assign s_axis_tready = takes;
    assign m_axis_tdata  = {11'd0, output_data_3, 11'd0, output_data_2, 11'd0, output_data_1, 11'd0,
        output_data_0};
    assign m_axis_tkeep  = {output_keep_3, output_keep_2, output_keep_1, output_keep_0};
    assign m_axis_tuser  = {1'b0, output_user_3, 1'b0, output_user_2, 1'b0, output_user_1, 1'b0,
        output_user_0};
    assign m_axis_tvalid = output_valid;
    assign m_axis_tlast  = output_last;

endmodule

// The modules below are parts of the one above and share its file.
/* verilator lint_off DECLFILENAME */

// The payload of a buffer of two beats: the pace says what it holds. Every output is a register.
module utf_8_decoder_x4_output_skid_w101 (
    input  wire        clk,        // clock, rising edge

    // Upstream
    input  wire [100:0] s_payload, // the beat that the pipeline offers, if it does

    // Pace
    input  wire        first,      // the first register holds a beat
    input  wire        second,     // the second register holds one

    // Downstream
    input  wire        m_ready,    // beat is taken
    output wire [100:0] m_payload  // the beat
);

    reg [100:0] payload_reg;
    reg [100:0] skid_payload_reg;

    wire load = !first || m_ready;  // the first register is empty, or emptied in this cycle

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= second ? skid_payload_reg : s_payload;
        end
    end

    always @(posedge clk) begin
        if (!second) begin
            skid_payload_reg <= s_payload;
        end
    end

    assign m_payload = payload_reg;

endmodule

// Whether the pipeline moves: it does while the output buffer has room.
module utf_8_decoder_x4_pace (
    input  wire        clk,                 // clock, rising edge
    input  wire        rst,                 // reset, synchronous, active high

    // Output buffer
    output wire        first_0,             // the first register holds a beat
    output wire        second_0,            // the second register holds a beat
    output wire        offers,              // the core offers a beat
    input  wire        beat,                // there is one for the output buffer
    input  wire        m_axis_tready,       // what the buffer offers is taken

    // Stages
    output wire        advance,             // the stages of slots move
    output wire        take,                // those up to the slots of the units, too
    output wire        takes,               // a beat is taken
    input  wire        units_wait_if_moved, // if slots move, a second beat goes on in the next
                                            // cycle
    input  wire        units_wait_if_not    // the same, if they do not move
);

    reg room_reg;              // the second register of the buffer is empty
    reg second_reg;            // the complement, for the logic here: the net of room_reg is long
    reg first_reg;             // the buffer offers a beat
    reg first_of_buffer_reg;
    reg second_of_buffer_reg;
    reg take_reg;              // behind reset all stages are cleared
    reg takes_reg;             // none during reset, nor in the cycle behind it

    wire stays = first_reg && !m_axis_tready;  // that beat is not taken
    wire follows = beat || second_reg;         // there is one behind it
    wire first_holds = stays || follows;
    wire second_holds = stays && follows;
    wire room_next = !second_holds;
    wire units_wait_next = second_reg ? units_wait_if_not : units_wait_if_moved;
    wire take_next = room_next && !units_wait_next;

    always @(posedge clk) begin
        if (rst) begin
            room_reg <= 1'b1;
            second_reg <= 1'b0;
            first_reg <= 1'b0;
            take_reg <= 1'b1;
            takes_reg <= 1'b0;
        end else begin
            room_reg <= room_next;
            second_reg <= second_holds;
            first_reg <= first_holds;
            take_reg <= take_next;
            takes_reg <= take_next;
        end
    end

    always @(posedge clk) begin
        first_of_buffer_reg <= first_holds;
        second_of_buffer_reg <= second_holds;
    end

    assign advance  = room_reg;
    assign take     = take_reg;
    assign takes    = takes_reg;
    assign first_0  = first_of_buffer_reg;
    assign second_0 = second_of_buffer_reg;
    assign offers   = first_reg;

endmodule

// A unit on its way from the bus to the slot that it ends: its class, its position in a sequence,
// and whether the next one cuts that sequence short.
module utf_8_decoder_x4_lane (
    input  wire        clk,               // clock, rising edge
    input  wire        advance,           // all stages move

    // Stage 0
    input  wire [7:0]  unit,              // the unit
    input  wire        unit_valid,        // there is one
    input  wire        ends_frame,        // the unit is the last of its frame

    // Stage 1
    output wire [7:0]  unit_1,            // the unit

    // Stage 3
    output wire [2:0]  accepts_out,       // of a lead: the trailing units that it accepts
    input  wire [2:0]  accepts_before,    // the same of the unit before
    output wire        longer_2_out,      // of a lead: that number of trailing units at least
    input  wire        longer_2_before,   // the same of the unit before
    output wire        longer_3_out,      // of a lead: that number of trailing units at least
    input  wire        longer_3_before,   // the same of the unit before

    // Stage 4
    output wire        first_of_2_out,    // of a lead: that number of trailing units at least
    input  wire        first_of_2_before, // the same of the unit before
    output wire        first_of_3_out,    // of a lead: that number of trailing units at least
    input  wire [1:0]  first_of_3_before, // the same of units before, the nearest in the low bits
    output wire        trailing_out,      // a trailing unit
    input  wire        trailing_before,   // the same of the unit before

    // Stage 5
    output wire        stops_out,         // it does not continue the sequence before it
    input  wire        stops_next,        // the same of the next lane
    output wire        is_trailing_out,   // it is a trailing unit
    input  wire        is_trailing_next,  // the same of the next lane

    // Stage 6
    output wire        ends,              // the unit ends a slot

    // Stage 8
    output wire [5:0]  bits_out,          // bits of the unit that may be in a slot of a later one
    input  wire [14:0] bits_before,       // the same of units before, the nearest in the low bits

    // Stage 9
    output wire [21:0] slot               // the slot that the unit ends
);

    // ---------------------------------------------------------------------------------------------
    // Stage 1: the unit
    // ---------------------------------------------------------------------------------------------
    reg [7:0] unit_1_reg;

    always @(posedge clk) begin
        if (advance) begin
            unit_1_reg <= unit;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: the class of the unit
    // ---------------------------------------------------------------------------------------------
    reg [7:0] unit_2_reg;
    reg       unit_valid_1_reg;
    reg       unit_valid_2_reg;

    wire       unit_class_trailing;
    wire       unit_class_lead;
    wire       unit_class_wrong;
    wire [2:0] unit_class_accepts;
    wire [2:0] unit_class_region;
    wire       unit_class_longer_2;
    wire       unit_class_longer_3;
    wire [2:0] unit_class_kind;
    utf_8_decoder_x4_unit unit_class (
        .clk        (clk),
        .unit       (unit_2_reg),
        .unit_valid (unit_valid_2_reg),
        .advance    (advance),
        .trailing   (unit_class_trailing),
        .lead       (unit_class_lead),
        .wrong      (unit_class_wrong),
        .accepts    (unit_class_accepts),
        .region     (unit_class_region),
        .longer_2   (unit_class_longer_2),
        .longer_3   (unit_class_longer_3),
        .kind       (unit_class_kind)
    );

    always @(posedge clk) begin
        if (advance) begin
            unit_2_reg <= unit_1_reg;
            unit_valid_1_reg <= unit_valid;
            unit_valid_2_reg <= unit_valid_1_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 3: the position in a sequence
    // ---------------------------------------------------------------------------------------------
    reg trailing_4_reg;
    reg first_of_1_4_reg;
    reg first_of_2_4_reg;
    reg first_of_3_4_reg;
    reg lead_4_reg;
    reg open_5_reg;
    reg unit_valid_3_reg;
    reg unit_valid_4_reg;
    reg stops_5_reg;
    reg trailing_5_reg;

    wire fits = (unit_class_region & accepts_before) != 3'd0;
    wire position_2 = first_of_2_before && trailing_4_reg;
    wire position_3 = first_of_3_before[1] && trailing_4_reg && trailing_before;
    // the unit continues the sequence before it
    wire continues = first_of_1_4_reg || position_2 || position_3;
    // if the sequence is cut after the unit, that is told
    wire open = lead_4_reg
        || (first_of_1_4_reg && first_of_2_4_reg)
        || (position_2 && first_of_3_before[0]);

    always @(posedge clk) begin
        if (advance) begin
            trailing_4_reg <= unit_class_trailing;
            first_of_1_4_reg <= fits;
            first_of_2_4_reg <= fits && longer_2_before;
            first_of_3_4_reg <= fits && longer_3_before;
            lead_4_reg <= unit_class_lead;
            open_5_reg <= open;
            unit_valid_3_reg <= unit_valid_2_reg;
            unit_valid_4_reg <= unit_valid_3_reg;
            stops_5_reg <= unit_valid_4_reg && !continues;
            trailing_5_reg <= trailing_4_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 5: whether it ends a slot
    // ---------------------------------------------------------------------------------------------
    localparam [2:0] TRUNCATED = 3'd2;

    reg       wrong_4_reg;
    reg       wrong_5_reg;
    reg       unit_valid_5_reg;
    reg       is_last_1_reg;
    reg       is_last_2_reg;
    reg       is_last_3_reg;
    reg       is_last_4_reg;
    reg       is_last_5_reg;
    reg [2:0] kind_4_reg;
    reg [2:0] kind_5_reg;
    reg [2:0] kind_of_error_6_reg;
    reg       reached_2_5_reg;
    reg       reached_3_5_reg;
    reg       ends_6_reg;
    reg       error_6_reg;

    wire is_stray = trailing_5_reg && stops_5_reg;  // a trailing unit with no sequence before it
    wire is_whole = !open_5_reg && !stops_5_reg;
    wire cut = open_5_reg && (stops_next || is_last_5_reg);  // its sequence is cut short after it
    wire is_truncated = open_5_reg && !is_trailing_next;

    always @(posedge clk) begin
        if (advance) begin
            wrong_4_reg <= unit_class_wrong;
            wrong_5_reg <= wrong_4_reg;
            unit_valid_5_reg <= unit_valid_4_reg;
            is_last_1_reg <= ends_frame;
            is_last_2_reg <= is_last_1_reg;
            is_last_3_reg <= is_last_2_reg;
            is_last_4_reg <= is_last_3_reg;
            is_last_5_reg <= is_last_4_reg;
            kind_4_reg <= unit_class_kind;
            kind_5_reg <= kind_4_reg;
            kind_of_error_6_reg <= (TRUNCATED & {3{is_truncated}})
                | (kind_5_reg & {3{!is_truncated}});
            reached_2_5_reg <= position_2 || position_3;
            reached_3_5_reg <= position_3;
            ends_6_reg <= (unit_valid_5_reg && !open_5_reg) || cut;
            error_6_reg <= is_stray || open_5_reg || wrong_5_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: the slot
    // ---------------------------------------------------------------------------------------------
    reg [6:0]  bits_3_reg;
    reg [6:0]  bits_4_reg;
    reg [6:0]  bits_5_reg;
    reg [6:0]  bits_6_reg;
    reg [6:0]  bits_7_reg;
    reg [6:0]  bits_8_reg;
    reg        has_2_units_6_reg;
    reg        has_2_units_7_reg;
    reg        has_2_units_8_reg;
    reg        has_3_units_6_reg;
    reg        has_3_units_7_reg;
    reg        has_3_units_8_reg;
    reg        has_4_units_6_reg;
    reg        has_4_units_7_reg;
    reg        has_4_units_8_reg;
    reg        error_7_reg;
    reg        error_8_reg;
    reg [2:0]  kind_of_error_7_reg;
    reg [2:0]  kind_of_error_8_reg;
    reg [21:0] slot_9_reg;

    always @(posedge clk) begin
        if (advance) begin
            bits_3_reg <= {unit_2_reg[7:6] == 2'b01, unit_2_reg[5] && unit_2_reg[7:6] != 2'b11,
                unit_2_reg[4] && unit_2_reg[7:5] != 3'b111,
                unit_2_reg[3] && unit_2_reg[7:4] != 4'b1111, unit_2_reg[2:0]};
            bits_4_reg <= bits_3_reg;
            bits_5_reg <= bits_4_reg;
            bits_6_reg <= bits_5_reg;
            bits_7_reg <= bits_6_reg;
            bits_8_reg <= bits_7_reg;
            has_2_units_6_reg <= trailing_5_reg && is_whole;
            has_2_units_7_reg <= has_2_units_6_reg;
            has_2_units_8_reg <= has_2_units_7_reg;
            has_3_units_6_reg <= reached_2_5_reg && is_whole;
            has_3_units_7_reg <= has_3_units_6_reg;
            has_3_units_8_reg <= has_3_units_7_reg;
            has_4_units_6_reg <= reached_3_5_reg && is_whole;
            has_4_units_7_reg <= has_4_units_6_reg;
            has_4_units_8_reg <= has_4_units_7_reg;
            error_7_reg <= error_6_reg;
            error_8_reg <= error_7_reg;
            kind_of_error_7_reg <= kind_of_error_6_reg;
            kind_of_error_8_reg <= kind_of_error_7_reg;
            slot_9_reg <= {error_8_reg, bits_before[14:12] & {3{has_4_units_8_reg}},
                bits_before[11:10] & {2{has_3_units_8_reg}},
                (bits_before[9:6] & {4{has_3_units_8_reg}}) | {4{error_8_reg}},
                (bits_before[5:1] & {5{has_2_units_8_reg}}) | {5{error_8_reg}},
                bits_8_reg[6] || (bits_before[0] && has_2_units_8_reg) || error_8_reg,
                bits_8_reg[5:3] | {3{error_8_reg}},
                error_8_reg ? kind_of_error_8_reg : bits_8_reg[2:0]};
        end
    end

    assign unit_1          = unit_1_reg;
    assign accepts_out     = unit_class_accepts;
    assign longer_2_out    = unit_class_longer_2;
    assign first_of_2_out  = first_of_2_4_reg;
    assign longer_3_out    = unit_class_longer_3;
    assign first_of_3_out  = first_of_3_4_reg;
    assign trailing_out    = trailing_4_reg;
    assign stops_out       = stops_5_reg;
    assign is_trailing_out = trailing_5_reg;
    assign ends            = ends_6_reg;
    assign bits_out        = bits_8_reg[5:0];
    assign slot            = slot_9_reg;

endmodule

// What a unit is by itself, whatever stands before it.
module utf_8_decoder_x4_unit (
    input  wire        clk,        // clock, rising edge
    output wire        trailing,   // a trailing unit
    output wire        lead,       // a lead that sequences begin with
    output wire        wrong,      // an error, whatever follows
    output wire [2:0]  accepts,    // of a lead: the regions of trailing units that it accepts
    output wire [2:0]  region,     // of a trailing unit: its region
    output wire        longer_2,   // of a lead: that number of trailing units at least
    output wire        longer_3,   // of a lead: that number of trailing units at least
    output wire [2:0]  kind,       // what is wrong with it, or behind it
    input  wire [7:0]  unit,       // the unit
    input  wire        unit_valid, // there is one
    input  wire        advance     // the stage moves
);

    // ---------------------------------------------------------------------------------------------
    // The units of the system
    // ---------------------------------------------------------------------------------------------
    localparam [2:0] TRAILING     = 3'd1;
    localparam [2:0] LEAD         = 3'd2;
    localparam [2:0] WRONG        = 3'd4;
    localparam [2:0] UNEXPECTED   = 3'd1;
    localparam [2:0] OVERLONG     = 3'd3;
    localparam [2:0] OUT_OF_RANGE = 3'd5;
    localparam [2:0] INVALID      = 3'd6;
    localparam [2:0] SURROGATE    = 3'd4;

    reg       trailing_reg;
    reg       lead_reg;
    reg       wrong_reg;
    reg [2:0] accepts_reg;
    reg [2:0] region_reg;
    reg       longer_2_reg;
    reg       longer_3_reg;
    reg [2:0] kind_reg;

    wire [3:0] lower = unit[3:0];
    wire lower_below_2 = lower < 4'd2;
    wire lower_below_5 = lower < 4'd5;
    wire [2:0] what_of_others = unit[4] ? (lower_below_5 ? LEAD : WRONG) : LEAD;
    wire lower_from_5 = lower >= 4'd5;
    wire lower_is_4 = lower == 4'd4;
    wire lower_is_0 = lower == 4'd0;
    wire lower_is_d = lower == 4'd13;
    wire [2:0] accepted_of_others = unit[4]
        ? (lower_is_0 ? 3'd6 : lower_is_4 ? 3'd1 : lower_from_5 ? 3'd0 : 3'd7)
        : lower_is_0 ? 3'd4
        : lower_is_d ? 3'd3
        : 3'd7;
    wire lower_from_8 = lower >= 4'd8;
    wire lower_below_4 = lower < 4'd4;
    wire [2:0] wrong_kind_of_others = unit[4]
        ? (lower_below_4 ? OVERLONG : lower_from_8 ? INVALID : OUT_OF_RANGE)
        : lower[0] ? SURROGATE
        : OVERLONG;

    reg [2:0] what;
    reg [2:0] accepted;
    reg [2:0] own_region;
    reg [2:0] wrong_kind;
    always @* begin
        casez (unit[7:5])
            // a code point
            3'b0??: begin
                what = 3'd0;
                accepted = 3'd0;
                own_region = 3'd0;
                wrong_kind = UNEXPECTED;
            end
            // trailing
            3'd4: begin
                what = TRAILING;
                accepted = 3'd0;
                own_region = unit[4] ? 3'd2 : 3'd1;
                wrong_kind = UNEXPECTED;
            end
            // trailing
            3'd5: begin
                what = TRAILING;
                accepted = 3'd0;
                own_region = 3'd4;
                wrong_kind = UNEXPECTED;
            end
            // overlong; lead of 2 units
            3'd6: begin
                what = unit[4] ? LEAD : lower_below_2 ? WRONG : LEAD;
                accepted = unit[4] ? 3'd7 : lower_below_2 ? 3'd0 : 3'd7;
                own_region = 3'd0;
                wrong_kind = OVERLONG;
            end
            // lead of 3 units, some of them overlong; lead of 3 units; lead of 3 units, some of
            // them surrogates; lead of 3 units; lead of 4 units, some of them overlong; lead of 4
            // units; lead of 4 units, some of them out of range; out of range; none of the system
            default: begin
                what = what_of_others;
                accepted = accepted_of_others;
                own_region = 3'd0;
                wrong_kind = wrong_kind_of_others;
            end
        endcase
    end

    always @(posedge clk) begin
        if (advance) begin
            trailing_reg <= what[0] && unit_valid;
            lead_reg <= what[1] && unit_valid;
            wrong_reg <= what[2] && unit_valid;
            accepts_reg <= accepted;
            region_reg <= own_region & {3{unit_valid}};
            longer_2_reg <= unit[5];
            longer_3_reg <= unit[5:4] == 2'b11;
            kind_reg <= wrong_kind;
        end
    end

    assign trailing = trailing_reg;
    assign lead     = lead_reg;
    assign wrong    = wrong_reg;
    assign accepts  = accepts_reg;
    assign region   = region_reg;
    assign longer_2 = longer_2_reg;
    assign longer_3 = longer_3_reg;
    assign kind     = kind_reg;

endmodule

/* verilator lint_on DECLFILENAME */

/* verilator lint_on PINCONNECTEMPTY */

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
