// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf_8_encoder_x2: UTF-8 (RFC 3629) encoder, 2 slots and units a cycle
//
// Generator  utfhdl 0.1.0
// Command    utfhdl generate utf-8 encoder --lanes 2 --reset sync-high --on-error replace
//            --axis lane --pipeline auto --pack beat
// Latency    12 cycles; the further output beats of a beat follow one a cycle
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
// s_axis_tdata   in     64      32  the code point of each lane, lane 0 first in time and in the
//                                   low bits
// s_axis_tkeep   in      2       1  the lane holds a slot
// s_axis_tuser   in      8       4  0 for a code point, else an error
// s_axis_tvalid  in      1          a beat is offered
// s_axis_tlast   in      1          the beat ends its frame
// s_axis_tready  out     1          the beat is taken
// m_axis_tdata   out    16       8  the unit of each lane, lane 0 first in time and in the low bits
// m_axis_tkeep   out     2       1  the lane holds a unit
// m_axis_tuser   out     1          with tlast: something in the frame could not be written
// m_axis_tvalid  out     1          a beat is offered
// m_axis_tlast   out     1          the beat ends its frame
// m_axis_tready  in      1          the beat is taken
//
// s_axis_tuser  Slot        Meaning
// 0             code-point  tdata is the code point
// 1 to 15       error       an error, whatever tdata holds
//
// Stage  Registers  Bits  Work
//     1         34    96  the last head of 2 lanes; what the slot writes if it is a code point
//     2         29   102  heads and limbs; limbs that are awaited after the beat; awaited limbs of
//                         2 lanes
//     3         44   143  limbs that are awaited by a head of an earlier beat
//     4         25    69  where the replacement is written; numbers of units; how much is written
//     5         18    64  numbers of units, of 2 lanes at a time; what is written
//     6         20    68  the units of earlier beats that fill no output beat
//     7         22    68  the output beat of the units
//     8         43    85  the window; which window shows the units; which half of the window shows
//                         the units; the units
//     9         39    97  the position of the replacement of a group that the beat cuts; units are
//                         turned
//    10         29    85  its units
//    11         22    92  the output beat, and the units that are left over

`default_nettype none

// There are no delays below, so a timescale makes no difference.
/* verilator lint_off TIMESCALEMOD */

// Outputs of instances that nothing reads are left open.
/* verilator lint_off PINCONNECTEMPTY */

module utf_8_encoder_x2 (
    input  wire        clk,           // clock, rising edge
    input  wire        rst,           // reset, synchronous, active high

    // AXI4-Stream input: slots
    input  wire [63:0] s_axis_tdata,  // the code point of each lane, lane 0 first in time and in
                                      // the low bits
    input  wire [1:0]  s_axis_tkeep,  // the lane holds a slot
    input  wire [7:0]  s_axis_tuser,  // 0 for a code point, else an error
    input  wire        s_axis_tvalid, // a beat is offered
    input  wire        s_axis_tlast,  // the beat ends its frame
    output wire        s_axis_tready, // the beat is taken

    // AXI4-Stream output: units
    output wire [15:0] m_axis_tdata,  // the unit of each lane, lane 0 first in time and in the low
                                      // bits
    output wire [1:0]  m_axis_tkeep,  // the lane holds a unit
    output wire        m_axis_tuser,  // with tlast: something in the frame could not be written
    output wire        m_axis_tvalid, // a beat is offered
    output wire        m_axis_tlast,  // the beat ends its frame
    input  wire        m_axis_tready  // the beat is taken
);

    // ---------------------------------------------------------------------------------------------
    // The lanes
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    reg       cannot_write_0_5_reg;
    reg       cannot_write_1_5_reg;
    reg [3:0] end_0_reg;
    reg [3:0] end_1_reg;
    wire       takes;
    wire       flow;
    wire       step;
    wire       replaced_0;
    wire       replaced_1;
    wire [8:1] load;

    reg flush_0_reg;  // the cycle after reset, in which no beat is taken

    wire beat_taken = s_axis_tvalid && takes;
    wire beat_offered = s_axis_tvalid && !flush_0_reg;

    wire [31:0] lane_0_number;
    wire        lane_0_number_is_far;
    wire        lane_0_number_is_high;
    wire        lane_0_is_kept;
    wire        lane_0_is_limb;
    wire        lane_0_is_no_limb;
    wire        lane_0_opens_group;
    wire        lane_0_cuts_group;
    wire        lane_0_refused;
    wire [2:0]  lane_0_length;
    wire [7:0]  lane_0_turned_0;
    wire        lane_0_goes_0_0;
    wire        lane_0_goes_1_0;
    wire [7:0]  lane_0_turned_1;
    wire        lane_0_goes_0_1;
    wire        lane_0_goes_1_1;
    wire [7:0]  lane_0_turned_2;
    wire        lane_0_goes_1_2;
    wire [7:0]  lane_0_turned_3;
    wire        lane_0_goes_1_3;
    utf_8_encoder_x2_lane lane_0 (
        .clk              (clk),
        .load_1           (load[1]),
        .load_2           (load[2]),
        .load_3           (load[3]),
        .load_4           (load[4]),
        .load_5           (load[5]),
        .load_6           (load[6]),
        .load_7           (load[7]),
        .load_8           (load[8]),
        .flow             (flow),
        .slot_data        (s_axis_tdata[31:0]),
        .slot_user        (s_axis_tuser[3:0]),
        .slot_valid       (s_axis_tkeep[0] && beat_offered),
        .number           (lane_0_number),
        .number_is_far    (lane_0_number_is_far),
        .number_is_high   (lane_0_number_is_high),
        .is_kept          (lane_0_is_kept),
        .is_limb          (lane_0_is_limb),
        .is_no_limb       (lane_0_is_no_limb),
        .opens_group      (lane_0_opens_group),
        .cuts_group       (lane_0_cuts_group),
        .refused          (lane_0_refused),
        .replaced         (replaced_0),
        .length           (lane_0_length),
        .code_is_replaced (cannot_write_0_5_reg),
        .units_end        (end_0_reg),
        .step             (step),
        .turned_0         (lane_0_turned_0),
        .goes_0_0         (lane_0_goes_0_0),
        .goes_1_0         (lane_0_goes_1_0),
        .turned_1         (lane_0_turned_1),
        .goes_0_1         (lane_0_goes_0_1),
        .goes_1_1         (lane_0_goes_1_1),
        .turned_2         (lane_0_turned_2),
        .goes_1_2         (lane_0_goes_1_2),
        .turned_3         (lane_0_turned_3),
        .goes_1_3         (lane_0_goes_1_3)
    );

    wire [31:0] lane_1_number;
    wire        lane_1_number_is_high;
    wire        lane_1_is_kept;
    wire        lane_1_is_limb;
    wire        lane_1_is_no_limb;
    wire        lane_1_opens_group;
    wire        lane_1_cuts_group;
    wire        lane_1_refused;
    wire [2:0]  lane_1_length;
    wire [7:0]  lane_1_turned_0;
    wire        lane_1_goes_0_0;
    wire        lane_1_goes_1_0;
    wire [7:0]  lane_1_turned_1;
    wire        lane_1_goes_0_1;
    wire        lane_1_goes_1_1;
    wire [7:0]  lane_1_turned_2;
    wire        lane_1_goes_1_2;
    wire [7:0]  lane_1_turned_3;
    wire        lane_1_goes_1_3;
    utf_8_encoder_x2_lane lane_1 (
        .clk              (clk),
        .load_1           (load[1]),
        .load_2           (load[2]),
        .load_3           (load[3]),
        .load_4           (load[4]),
        .load_5           (load[5]),
        .load_6           (load[6]),
        .load_7           (load[7]),
        .load_8           (load[8]),
        .flow             (flow),
        .slot_data        (s_axis_tdata[63:32]),
        .slot_user        (s_axis_tuser[7:4]),
        .slot_valid       (s_axis_tkeep[1] && beat_offered),
        .number           (lane_1_number),
        .number_is_far    (),
        .number_is_high   (lane_1_number_is_high),
        .is_kept          (lane_1_is_kept),
        .is_limb          (lane_1_is_limb),
        .is_no_limb       (lane_1_is_no_limb),
        .opens_group      (lane_1_opens_group),
        .cuts_group       (lane_1_cuts_group),
        .refused          (lane_1_refused),
        .replaced         (replaced_1),
        .length           (lane_1_length),
        .code_is_replaced (cannot_write_1_5_reg),
        .units_end        (end_1_reg),
        .step             (step),
        .turned_0         (lane_1_turned_0),
        .goes_0_0         (lane_1_goes_0_0),
        .goes_1_0         (lane_1_goes_1_0),
        .turned_1         (lane_1_turned_1),
        .goes_0_1         (lane_1_goes_0_1),
        .goes_1_1         (lane_1_goes_1_1),
        .turned_2         (lane_1_turned_2),
        .goes_1_2         (lane_1_goes_1_2),
        .turned_3         (lane_1_turned_3),
        .goes_1_3         (lane_1_goes_1_3)
    );

    always @(posedge clk) begin
        if (rst) begin
            flush_0_reg <= 1'b1;
        end else begin
            flush_0_reg <= 1'b0;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // The end of the frame
    // ---------------------------------------------------------------------------------------------
    reg last_1_reg;
    reg last_2_reg;
    reg last_3_reg;

    always @(posedge clk) begin
        if (load[1]) begin
            last_1_reg <= beat_taken && s_axis_tlast;
        end
    end

    always @(posedge clk) begin
        if (load[2]) begin
            last_2_reg <= last_1_reg;
        end
    end

    always @(posedge clk) begin
        if (load[3]) begin
            last_3_reg <= last_2_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: heads and limbs
    // ---------------------------------------------------------------------------------------------
    reg is_limb_0_2_reg;
    reg is_limb_1_2_reg;
    reg opens_0_2_reg;
    reg opens_1_2_reg;
    reg kept_0_2_reg;
    reg kept_1_2_reg;
    reg cuts_0_2_reg;
    reg cuts_1_2_reg;
    reg refused_0_2_reg;
    reg refused_1_2_reg;

    always @(posedge clk) begin
        if (load[2]) begin
            is_limb_0_2_reg <= lane_0_is_limb;
            is_limb_1_2_reg <= lane_1_is_limb;
            opens_0_2_reg <= lane_0_opens_group;
            opens_1_2_reg <= lane_1_opens_group;
            kept_0_2_reg <= lane_0_is_kept;
            kept_1_2_reg <= lane_1_is_kept;
            cuts_0_2_reg <= lane_0_cuts_group;
            cuts_1_2_reg <= lane_1_cuts_group;
            refused_0_2_reg <= lane_0_refused;
            refused_1_2_reg <= lane_1_refused;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 1: the last head of 2 lanes
    // ---------------------------------------------------------------------------------------------
    reg        last_head_is_of_group_0_2_reg;
    reg        last_head_opens_of_group_0_2_reg;
    reg [31:0] last_head_number_of_group_0_2_reg;
    reg        last_head_is_high_of_group_0_2_reg;
    reg        last_head_behind_of_group_0_2_reg;
    reg [1:0]  last_head_slots_of_group_0_2_reg;

    wire last_head_sum_of_slots_of_group_0_2_0_carry_1 = lane_0_is_kept && lane_1_is_kept;
    wire last_head_sum_of_slots_of_group_0_2_0_bit_0 = lane_0_is_kept ^ lane_1_is_kept;

    always @(posedge clk) begin
        if (load[2]) begin
            last_head_is_of_group_0_2_reg <= lane_0_is_no_limb || lane_1_is_no_limb;
            last_head_opens_of_group_0_2_reg <= lane_1_is_no_limb ? lane_1_opens_group
                : lane_0_opens_group;
            last_head_number_of_group_0_2_reg <= lane_1_is_no_limb ? lane_1_number : lane_0_number;
            last_head_is_high_of_group_0_2_reg <= lane_1_is_no_limb ? lane_1_number_is_high
                : lane_0_number_is_high;
            last_head_behind_of_group_0_2_reg <= lane_1_is_kept && !lane_1_is_no_limb;
            last_head_slots_of_group_0_2_reg <= {last_head_sum_of_slots_of_group_0_2_0_carry_1,
                last_head_sum_of_slots_of_group_0_2_0_bit_0};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: limbs that are awaited after the beat
    // ---------------------------------------------------------------------------------------------
    reg        flush_1_reg;             // stage 1 holds no beat that was taken since reset
    reg        flush_2_reg;             // stage 2 holds no beat that was taken since reset
    reg        limbs_left_stay_reg;
    reg [2:0]  head_low_reg;
    reg        head_is_low_reg;
    reg        head_owed_reg;
    reg [28:0] head_high_reg;
    reg        head_many_reg;
    reg [2:0]  slots_reg;
    reg [1:0]  awaited_behind_0_2_reg;

    wire [2:0] limbs_behind_head = {2'd0, last_head_behind_of_group_0_2_reg};
    wire group_may_go_on = last_head_opens_of_group_0_2_reg && !last_2_reg;
    wire head_awaits_many = group_may_go_on && last_head_is_high_of_group_0_2_reg;
    wire [2:0] head_awaits_complement = ~limbs_behind_head;
    wire head_awaits_from_bit_0 = head_awaits_complement[0] && last_head_number_of_group_0_2_reg[0];
    wire head_awaits_from_bit_1 = (head_awaits_complement[1]
            && last_head_number_of_group_0_2_reg[1])
        || (head_awaits_from_bit_0
            && (head_awaits_complement[1] || last_head_number_of_group_0_2_reg[1]));
    wire head_awaits_from_bit_2 = (head_awaits_complement[2]
            && last_head_number_of_group_0_2_reg[2])
        || (head_awaits_from_bit_1
            && (head_awaits_complement[2] || last_head_number_of_group_0_2_reg[2]));
    wire [2:0] head_borrows_complement = ~last_head_number_of_group_0_2_reg[2:0];
    wire head_borrows_from_bit_0 = head_borrows_complement[0] && limbs_behind_head[0];
    wire head_borrows_from_bit_1 = (head_borrows_complement[1] && limbs_behind_head[1])
        || (head_borrows_from_bit_0 && (head_borrows_complement[1] || limbs_behind_head[1]));
    wire head_borrows_from_bit_2 = (head_borrows_complement[2] && limbs_behind_head[2])
        || (head_borrows_from_bit_1 && (head_borrows_complement[2] || limbs_behind_head[2]));
    wire [1:0] awaited_behind_0 = lane_0_number[1:0] | {2{lane_0_number_is_far}};

    always @(posedge clk) begin
        if (rst) begin
            flush_1_reg <= 1'b1;
            flush_2_reg <= 1'b1;
        end else begin
            flush_1_reg <= flush_0_reg;
            flush_2_reg <= flush_1_reg;
        end
    end

    always @(posedge clk) begin
        if (load[3]) begin
            limbs_left_stay_reg <= !last_head_is_of_group_0_2_reg && !last_2_reg && !flush_2_reg;
            head_low_reg <= (last_head_number_of_group_0_2_reg[2:0] - limbs_behind_head)
                & {3{group_may_go_on}};
            head_is_low_reg <= head_awaits_many || (group_may_go_on && head_awaits_from_bit_2);
            head_owed_reg <= head_awaits_many && head_borrows_from_bit_2;
            head_high_reg <= last_head_number_of_group_0_2_reg[31:3] & {29{group_may_go_on}};
            head_many_reg <= head_awaits_many;
            slots_reg <= {1'b0, last_head_slots_of_group_0_2_reg};
        end
    end

    always @(posedge clk) begin
        if (load[2]) begin
            awaited_behind_0_2_reg <= {awaited_behind_0[1] ^ !awaited_behind_0[0],
                !awaited_behind_0[0]}
                & {2{lane_0_opens_group}};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 2: awaited limbs of 2 lanes
    // ---------------------------------------------------------------------------------------------
    reg run_of_limbs_0_3_reg;
    reg run_of_limbs_1_3_reg;
    reg cuts_0_3_reg;
    reg cuts_1_3_reg;
    reg kept_0_3_reg;
    reg kept_1_3_reg;
    reg is_inside_0_3_reg;
    reg is_alone_0_3_reg;
    reg is_inside_1_3_reg;
    reg is_alone_1_3_reg;

    wire is_awaited_1 = is_limb_1_2_reg && awaited_behind_0_2_reg != 2'd0;

    always @(posedge clk) begin
        if (load[3]) begin
            run_of_limbs_0_3_reg <= is_limb_0_2_reg;
            run_of_limbs_1_3_reg <= is_limb_1_2_reg && is_limb_0_2_reg;
            cuts_0_3_reg <= cuts_0_2_reg;
            cuts_1_3_reg <= cuts_1_2_reg;
            kept_0_3_reg <= kept_0_2_reg;
            kept_1_3_reg <= kept_1_2_reg;
            is_inside_0_3_reg <= opens_0_2_reg;
            is_alone_0_3_reg <= refused_0_2_reg || is_limb_0_2_reg;
            is_inside_1_3_reg <= opens_1_2_reg || is_awaited_1;
            is_alone_1_3_reg <= refused_1_2_reg || (is_limb_1_2_reg && !is_awaited_1);
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 3: limbs that are awaited by a head of an earlier beat
    // ---------------------------------------------------------------------------------------------
    reg [2:0] limbs_left_low_reg;     // limbs that are awaited after the beats before
    reg       limbs_left_reg;         // there are some: if not many, that number
    reg       limbs_left_many_reg;    // the high part is not zero, or was not two beats ago
    reg       limbs_left_owed_3_reg;  // the part below has borrowed from this piece
    reg [7:0] limbs_left_3_reg;
    // this piece is not zero, or was loaded with a high part that is not
    reg       limbs_left_3_some_reg;
    reg       limbs_left_owed_11_reg;
    reg [7:0] limbs_left_11_reg;
    reg       limbs_left_11_some_reg;
    reg       limbs_left_owed_19_reg;
    reg [7:0] limbs_left_19_reg;
    reg       limbs_left_19_some_reg;
    reg       limbs_left_owed_27_reg;
    reg [4:0] limbs_left_27_reg;
    reg       limbs_left_27_some_reg;
    reg       limbs_left_pass_0_4_reg;
    reg       run_of_limbs_0_4_reg;
    reg       limbs_left_pass_1_4_reg;
    reg       run_of_limbs_1_4_reg;
    reg       cut_before_reg;
    reg       is_inside_0_4_reg;
    reg       is_inside_1_4_reg;
    reg       is_alone_0_4_reg;
    reg       is_alone_1_4_reg;
    reg       cut_behind_0_4_reg;
    reg       cut_behind_1_4_reg;

    wire [2:0] low_part_borrows_complement = ~limbs_left_low_reg;
    wire low_part_borrows_from_bit_0 = low_part_borrows_complement[0] && slots_reg[0];
    wire low_part_borrows_from_bit_1 = (low_part_borrows_complement[1] && slots_reg[1])
        || (low_part_borrows_from_bit_0 && (low_part_borrows_complement[1] || slots_reg[1]));
    wire low_part_borrows_from_bit_2 = (low_part_borrows_complement[2] && slots_reg[2])
        || (low_part_borrows_from_bit_1 && (low_part_borrows_complement[2] || slots_reg[2]));
    wire [2:0] low_part_outlasts_complement = ~slots_reg;
    wire low_part_outlasts_from_bit_0 = low_part_outlasts_complement[0] && limbs_left_low_reg[0];
    wire low_part_outlasts_from_bit_1 = (low_part_outlasts_complement[1] && limbs_left_low_reg[1])
        || (low_part_outlasts_from_bit_0
            && (low_part_outlasts_complement[1] || limbs_left_low_reg[1]));
    wire low_part_outlasts_from_bit_2 = (low_part_outlasts_complement[2] && limbs_left_low_reg[2])
        || (low_part_outlasts_from_bit_1
            && (low_part_outlasts_complement[2] || limbs_left_low_reg[2]));
    wire [7:0] limbs_left_3_paid = limbs_left_3_reg - {7'd0, limbs_left_owed_3_reg};
    wire [7:0] limbs_left_11_paid = limbs_left_11_reg - {7'd0, limbs_left_owed_11_reg};
    wire [7:0] limbs_left_19_paid = limbs_left_19_reg - {7'd0, limbs_left_owed_19_reg};
    wire [4:0] limbs_left_27_paid = limbs_left_27_reg - {4'd0, limbs_left_owed_27_reg};
    wire limbs_left_fill_beat = limbs_left_many_reg
        || (limbs_left_reg && limbs_left_low_reg[2:1] != 2'd0);
    wire limb_0_is_awaited = run_of_limbs_0_4_reg && limbs_left_pass_0_4_reg;
    wire limb_1_is_awaited = run_of_limbs_1_4_reg && limbs_left_pass_1_4_reg;
    wire group_is_open = limbs_left_many_reg || limbs_left_reg;
    wire cut_before = group_is_open && (cuts_0_3_reg || (!kept_0_3_reg && last_3_reg));

    always @(posedge clk) begin
        if (load[4]) begin
            limbs_left_low_reg <= head_low_reg
                | ((limbs_left_low_reg - slots_reg) & {3{limbs_left_stay_reg}});
            limbs_left_reg <= head_is_low_reg
                || (limbs_left_stay_reg
                    && (limbs_left_many_reg || (limbs_left_reg && low_part_outlasts_from_bit_2)));
            limbs_left_many_reg <= head_many_reg
                || (limbs_left_stay_reg
                    && (limbs_left_27_some_reg
                        || limbs_left_19_some_reg
                        || limbs_left_11_some_reg
                        || limbs_left_3_some_reg));
            limbs_left_owed_3_reg <= head_owed_reg
                || (limbs_left_stay_reg && low_part_borrows_from_bit_2 && limbs_left_many_reg);
            limbs_left_3_reg <= head_high_reg[7:0] | (limbs_left_3_paid & {8{limbs_left_stay_reg}});
            limbs_left_3_some_reg <= head_many_reg
                || (limbs_left_stay_reg
                    && (limbs_left_3_reg ^ {7'd0, limbs_left_owed_3_reg}) != 8'd0);
            limbs_left_owed_11_reg <= limbs_left_stay_reg
                && limbs_left_owed_3_reg
                && limbs_left_3_reg == 8'd0;
            limbs_left_11_reg <= head_high_reg[15:8]
                | (limbs_left_11_paid & {8{limbs_left_stay_reg}});
            limbs_left_11_some_reg <= head_many_reg
                || (limbs_left_stay_reg
                    && (limbs_left_11_reg ^ {7'd0, limbs_left_owed_11_reg}) != 8'd0);
            limbs_left_owed_19_reg <= limbs_left_stay_reg
                && limbs_left_owed_11_reg
                && limbs_left_11_reg == 8'd0;
            limbs_left_19_reg <= head_high_reg[23:16]
                | (limbs_left_19_paid & {8{limbs_left_stay_reg}});
            limbs_left_19_some_reg <= head_many_reg
                || (limbs_left_stay_reg
                    && (limbs_left_19_reg ^ {7'd0, limbs_left_owed_19_reg}) != 8'd0);
            limbs_left_owed_27_reg <= limbs_left_stay_reg
                && limbs_left_owed_19_reg
                && limbs_left_19_reg == 8'd0;
            limbs_left_27_reg <= head_high_reg[28:24]
                | (limbs_left_27_paid & {5{limbs_left_stay_reg}});
            limbs_left_27_some_reg <= head_many_reg
                || (limbs_left_stay_reg
                    && (limbs_left_27_reg ^ {4'd0, limbs_left_owed_27_reg}) != 5'd0);
            limbs_left_pass_0_4_reg <= limbs_left_fill_beat;
            run_of_limbs_0_4_reg <= run_of_limbs_0_3_reg;
            limbs_left_pass_1_4_reg <= limbs_left_many_reg
                || (limbs_left_reg && (limbs_left_low_reg == 3'd3 || limbs_left_low_reg[2]));
            run_of_limbs_1_4_reg <= run_of_limbs_1_3_reg;
            cut_before_reg <= cut_before;
            is_inside_0_4_reg <= is_inside_0_3_reg;
            is_inside_1_4_reg <= is_inside_1_3_reg;
            is_alone_0_4_reg <= is_alone_0_3_reg;
            is_alone_1_4_reg <= is_alone_1_3_reg;
            cut_behind_0_4_reg <= cuts_1_3_reg || (!kept_1_3_reg && last_3_reg);
            cut_behind_1_4_reg <= last_3_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 4: where the replacement is written
    // ---------------------------------------------------------------------------------------------
    reg last_4_reg;

    assign replaced_0 = (is_alone_0_4_reg && !limb_0_is_awaited)
        || ((is_inside_0_4_reg || limb_0_is_awaited) && cut_behind_0_4_reg);
    assign replaced_1 = (is_alone_1_4_reg && !limb_1_is_awaited)
        || ((is_inside_1_4_reg || limb_1_is_awaited) && cut_behind_1_4_reg);

    always @(posedge clk) begin
        if (load[4]) begin
            last_4_reg <= last_3_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 4: numbers of units
    // ---------------------------------------------------------------------------------------------
    reg [2:0] rounded_5_reg;
    reg [2:0] units_of_0_5_reg;
    reg [2:0] units_of_1_5_reg;

    wire first_length_carry_1 = lane_0_length[0] && cut_before_reg;
    wire first_length_carry_2 = (lane_0_length[1] && cut_before_reg)
        || (first_length_carry_1 && (lane_0_length[1] || cut_before_reg));
    wire first_length_bit_0 = lane_0_length[0] ^ cut_before_reg;
    wire first_length_bit_1 = lane_0_length[1] ^ cut_before_reg ^ first_length_carry_1;
    wire first_length_bit_2 = lane_0_length[2] ^ first_length_carry_2;
    wire [2:0] first_length = {first_length_bit_2, first_length_bit_1, first_length_bit_0};
    wire rounded_length_carry_1 = lane_1_length[0] && last_4_reg;
    wire rounded_length_carry_2 = lane_1_length[1] && rounded_length_carry_1;
    wire rounded_length_bit_0 = lane_1_length[0] ^ last_4_reg;
    wire rounded_length_bit_1 = lane_1_length[1] ^ rounded_length_carry_1;
    wire rounded_length_bit_2 = lane_1_length[2] ^ rounded_length_carry_2;

    always @(posedge clk) begin
        if (load[5]) begin
            rounded_5_reg <= {rounded_length_bit_2, rounded_length_bit_1, rounded_length_bit_0};
            units_of_0_5_reg <= first_length;
            units_of_1_5_reg <= lane_1_length;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 5: numbers of units, of 2 lanes at a time
    // ---------------------------------------------------------------------------------------------
    reg [3:0] rounded_6_reg;
    reg [2:0] units_up_to_0_of_group_0_6_reg;
    reg [3:0] units_up_to_1_of_group_0_6_reg;

    always @(posedge clk) begin
        if (load[6]) begin
            rounded_6_reg <= {1'b0, units_of_0_5_reg} + {1'b0, rounded_5_reg};
            units_up_to_0_of_group_0_6_reg <= units_of_0_5_reg;
            units_up_to_1_of_group_0_6_reg <= {1'b0, units_of_1_5_reg} + {1'b0, units_of_0_5_reg};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Whether something cannot be written
    // ---------------------------------------------------------------------------------------------
    reg cut_before_5_reg;
    reg beat_amiss_6_reg;
    reg cut_before_6_reg;
    reg cut_before_7_reg;
    reg last_5_reg;
    reg flush_3_reg;          // stage 3 holds no beat that was taken since reset
    reg flush_4_reg;          // stage 4 holds no beat that was taken since reset
    reg flush_5_reg;          // stage 5 holds no beat that was taken since reset
    reg frame_goes_on_6_reg;

    always @(posedge clk) begin
        if (load[5]) begin
            cannot_write_0_5_reg <= replaced_0;
            cannot_write_1_5_reg <= replaced_1;
            cut_before_5_reg <= cut_before_reg;
            last_5_reg <= last_4_reg;
        end
    end

    always @(posedge clk) begin
        if (load[6]) begin
            beat_amiss_6_reg <= cannot_write_0_5_reg || cannot_write_1_5_reg || cut_before_5_reg;
            cut_before_6_reg <= cut_before_5_reg;
            frame_goes_on_6_reg <= !last_5_reg && !flush_5_reg;
        end
    end

    always @(posedge clk) begin
        if (load[7]) begin
            cut_before_7_reg <= cut_before_6_reg;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            flush_3_reg <= 1'b1;
            flush_4_reg <= 1'b1;
            flush_5_reg <= 1'b1;
        end else begin
            flush_3_reg <= flush_2_reg;
            flush_4_reg <= flush_3_reg;
            flush_5_reg <= flush_4_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 6: the units of earlier beats that fill no output beat
    // ---------------------------------------------------------------------------------------------
    reg left_over_reg;      // number of units left over
    reg more_than_1_7_reg;
    reg more_than_2_7_reg;
    reg more_than_3_7_reg;
    reg more_than_4_7_reg;
    reg more_than_5_7_reg;
    reg begin_7_reg;
    reg frame_amiss_reg;    // something in the frame could not be written
    reg amiss_7_reg;
    reg last_6_reg;
    reg last_7_reg;

    wire left_over_behind = left_over_reg + units_up_to_1_of_group_0_6_reg[0];
    wire rounded_carry_1 = left_over_reg && rounded_6_reg[0];
    wire amiss_so_far = frame_amiss_reg || beat_amiss_6_reg;

    always @(posedge clk) begin
        if (load[7]) begin
            left_over_reg <= left_over_behind && frame_goes_on_6_reg;
            end_0_reg <= {1'b0, units_up_to_0_of_group_0_6_reg} + {3'd0, left_over_reg};
            end_1_reg <= units_up_to_1_of_group_0_6_reg + {3'd0, left_over_reg};
            more_than_1_7_reg <= rounded_6_reg[3:2] == 2'b01
                || rounded_6_reg[3]
                || (rounded_6_reg[3:1] == 3'b001 && rounded_carry_1);
            more_than_2_7_reg <= rounded_6_reg[3:1] == 3'b011
                || rounded_6_reg[3]
                || (rounded_6_reg[3:1] == 3'b010 && rounded_carry_1);
            more_than_3_7_reg <= rounded_6_reg[3]
                || (rounded_6_reg[3:1] == 3'b011 && rounded_carry_1);
            more_than_4_7_reg <= rounded_6_reg[3:1] == 3'b101
                || rounded_6_reg[3:2] == 2'b11
                || (rounded_6_reg[3:1] == 3'b100 && rounded_carry_1);
            more_than_5_7_reg <= rounded_6_reg[3:2] == 2'b11
                || (rounded_6_reg[3:1] == 3'b101 && rounded_carry_1);
            begin_7_reg <= left_over_reg;
            frame_amiss_reg <= amiss_so_far && frame_goes_on_6_reg;
            amiss_7_reg <= amiss_so_far;
            last_7_reg <= last_6_reg;
        end
    end

    always @(posedge clk) begin
        if (load[6]) begin
            last_6_reg <= last_5_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: the window
    // ---------------------------------------------------------------------------------------------
    // Read here, and driven further down.
    wire flow_next;

    reg       more_than_5_8_reg;
    reg       more_than_4_8_reg;
    reg       more_than_3_8_reg;
    reg       more_than_2_8_reg;
    reg       more_than_1_8_reg;
    reg       goes_on_behind_reg;
    reg       makes_8_reg;         // an output beat is made
    reg       in_part_8_reg;
    reg       last_8_reg;
    reg       amiss_8_reg;
    reg       fill_8_reg;
    reg       cut_before_8_reg;
    reg       begin_8_reg;
    reg [7:0] spread_0_0_reg;
    reg [7:0] spread_0_1_reg;
    reg [7:0] spread_0_2_reg;
    reg [7:0] spread_0_3_reg;
    reg [7:0] spread_1_0_reg;
    reg [7:0] spread_1_1_reg;
    reg [7:0] spread_1_2_reg;
    reg [7:0] spread_1_3_reg;

    wire final_next = !(load[8] ? more_than_1_7_reg : goes_on_behind_reg);
    wire makes_beat = makes_8_reg || more_than_1_8_reg;

    always @(posedge clk) begin
        if (step) begin
            more_than_5_8_reg <= load[8] && more_than_5_7_reg;
            more_than_4_8_reg <= load[8] ? more_than_4_7_reg : more_than_5_8_reg;
            more_than_3_8_reg <= load[8] ? more_than_3_7_reg : more_than_4_8_reg;
            more_than_2_8_reg <= load[8] ? more_than_2_7_reg : more_than_3_8_reg;
            more_than_1_8_reg <= load[8] ? more_than_1_7_reg : more_than_2_8_reg;
            cut_before_8_reg <= load[8] && cut_before_7_reg;
        end
    end

    always @(posedge clk) begin
        goes_on_behind_reg <= flow_next
            ? (load[8] ? more_than_2_7_reg : flow ? more_than_3_8_reg : more_than_2_8_reg)
            : load[8] ? more_than_1_7_reg
            : flow ? more_than_2_8_reg
            : more_than_1_8_reg;
    end

    always @(posedge clk) begin
        if (load[8]) begin
            makes_8_reg <= last_7_reg || end_1_reg[3:1] != 3'd0;
            in_part_8_reg <= last_7_reg && (end_1_reg[0] || end_1_reg[3:1] == 3'd0);
            last_8_reg <= last_7_reg;
            amiss_8_reg <= amiss_7_reg;
            fill_8_reg <= end_1_reg[0];
            begin_8_reg <= begin_7_reg;
        end
    end

    always @(posedge clk) begin
        if (flow) begin
            spread_0_0_reg <= lane_0_turned_0 & {8{lane_0_goes_0_0}};
            spread_0_1_reg <= lane_0_turned_1 & {8{lane_0_goes_0_1}};
            spread_0_2_reg <= (lane_0_turned_0 & {8{lane_0_goes_1_0}})
                | (lane_0_turned_2 & {8{lane_0_goes_1_2}});
            spread_0_3_reg <= (lane_0_turned_1 & {8{lane_0_goes_1_1}})
                | (lane_0_turned_3 & {8{lane_0_goes_1_3}});
            spread_1_0_reg <= lane_1_turned_0 & {8{lane_1_goes_0_0}};
            spread_1_1_reg <= lane_1_turned_1 & {8{lane_1_goes_0_1}};
            spread_1_2_reg <= (lane_1_turned_0 & {8{lane_1_goes_1_0}})
                | (lane_1_turned_2 & {8{lane_1_goes_1_2}});
            spread_1_3_reg <= (lane_1_turned_1 & {8{lane_1_goes_1_1}})
                | (lane_1_turned_3 & {8{lane_1_goes_1_3}});
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stages 8 to 11: what is known of the output beat
    // ---------------------------------------------------------------------------------------------
    reg present_reg;
    reg makes_9_reg;
    reg makes_10_reg;
    reg flush_6_reg;              // stage 6 holds no beat that was taken since reset
    reg flush_7_reg;              // stage 7 holds no beat that was taken since reset
    reg flush_8_reg;              // stage 8 holds no beat that was taken since reset
    reg flush_9_reg;              // stage 9 holds no beat that was taken since reset
    reg flush_10_reg;             // stage 10 holds no beat that was taken since reset
    reg output_last_9_reg;
    reg output_last_10_reg;
    reg output_last_11_reg;
    reg output_amiss_9_reg;
    reg output_amiss_10_reg;
    reg output_amiss_11_reg;
    reg is_full_9_reg;
    reg is_full_10_reg;
    reg fill_9_reg;
    reg fill_10_reg;
    reg keep_0_11_reg;
    reg keep_1_11_reg;
    reg stays_of_group_0_9_reg;
    reg stays_of_group_0_10_reg;
    reg stays_of_group_0_11_reg;  // no output beat is made: the units left over stay
    reg begin_9_reg;

    wire output_made = makes_10_reg && !flush_10_reg;

    always @(posedge clk) begin
        if (rst) begin
            present_reg <= 1'b0;
        end else if (flow) begin
            present_reg <= output_made;
        end
    end

    always @(posedge clk) begin
        if (flow) begin
            makes_9_reg <= makes_beat;
            makes_10_reg <= makes_9_reg;
            output_last_9_reg <= !more_than_1_8_reg && last_8_reg;
            output_last_10_reg <= output_last_9_reg;
            output_last_11_reg <= output_last_10_reg;
            output_amiss_9_reg <= !more_than_1_8_reg && last_8_reg && amiss_8_reg;
            output_amiss_10_reg <= output_amiss_9_reg;
            output_amiss_11_reg <= output_amiss_10_reg;
            is_full_9_reg <= more_than_1_8_reg || !in_part_8_reg;
            is_full_10_reg <= is_full_9_reg;
            fill_9_reg <= fill_8_reg;
            fill_10_reg <= fill_9_reg;
            keep_0_11_reg <= is_full_10_reg || fill_10_reg;
            keep_1_11_reg <= is_full_10_reg;
            stays_of_group_0_9_reg <= !makes_beat && !flush_8_reg;
            stays_of_group_0_10_reg <= stays_of_group_0_9_reg;
            stays_of_group_0_11_reg <= stays_of_group_0_10_reg;
            begin_9_reg <= begin_8_reg;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            flush_6_reg <= 1'b1;
            flush_7_reg <= 1'b1;
            flush_8_reg <= 1'b1;
            flush_9_reg <= 1'b1;
            flush_10_reg <= 1'b1;
        end else begin
            flush_6_reg <= flush_5_reg;
            flush_7_reg <= flush_6_reg;
            flush_8_reg <= flush_7_reg;
            flush_9_reg <= flush_8_reg;
            flush_10_reg <= flush_9_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 9: the position of the replacement of a group that the beat cuts
    // ---------------------------------------------------------------------------------------------
    reg cut_in_window_0_9_reg;
    reg cut_in_window_0_at_0_reg;
    reg cut_in_window_0_at_1_reg;

    always @(posedge clk) begin
        if (flow) begin
            cut_in_window_0_9_reg <= cut_before_8_reg;
            cut_in_window_0_at_0_reg <= cut_in_window_0_9_reg && !begin_9_reg;
            cut_in_window_0_at_1_reg <= cut_in_window_0_9_reg && begin_9_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 10: its units
    // ---------------------------------------------------------------------------------------------
    reg replacement_unit_0_of_lane_0_reg;
    reg replacement_unit_0_or_1_of_lane_1_reg;
    reg replacement_unit_0_of_lane_1_reg;
    reg replacement_unit_1_of_lane_1_reg;
    reg replacement_unit_1_or_2_ahead_0_reg;
    reg replacement_unit_1_ahead_0_reg;
    reg replacement_unit_2_ahead_1_reg;

    always @(posedge clk) begin
        if (flow) begin
            replacement_unit_0_of_lane_0_reg <= cut_in_window_0_at_0_reg;
            replacement_unit_0_or_1_of_lane_1_reg <= cut_in_window_0_at_1_reg
                || cut_in_window_0_at_0_reg;
            replacement_unit_0_of_lane_1_reg <= cut_in_window_0_at_1_reg;
            replacement_unit_1_of_lane_1_reg <= cut_in_window_0_at_0_reg;
            replacement_unit_1_or_2_ahead_0_reg <= cut_in_window_0_at_1_reg
                || cut_in_window_0_at_0_reg;
            replacement_unit_1_ahead_0_reg <= cut_in_window_0_at_1_reg;
            replacement_unit_2_ahead_1_reg <= cut_in_window_0_at_1_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 11: the output beat, and the units that are left over
    // ---------------------------------------------------------------------------------------------
    reg [7:0] left_over_0_reg;
    reg [7:0] left_over_1_reg;

    wire [7:0] merged_0 = left_over_0_reg
        | spread_0_0_reg
        | spread_1_0_reg
        | {{3{replacement_unit_0_of_lane_0_reg}}, 1'b0, {4{replacement_unit_0_of_lane_0_reg}}};
    wire [7:0] merged_1 = left_over_1_reg
        | spread_0_1_reg
        | spread_1_1_reg
        | {replacement_unit_0_or_1_of_lane_1_reg, replacement_unit_0_of_lane_1_reg,
        replacement_unit_0_or_1_of_lane_1_reg, replacement_unit_1_of_lane_1_reg,
        {4{replacement_unit_0_or_1_of_lane_1_reg}}};

    always @(posedge clk) begin
        if (flow) begin
            left_over_0_reg <= stays_of_group_0_11_reg ? merged_0
                : spread_0_2_reg
                | spread_1_2_reg
                | {replacement_unit_1_or_2_ahead_0_reg, 1'b0,
                {4{replacement_unit_1_or_2_ahead_0_reg}}, replacement_unit_1_ahead_0_reg,
                replacement_unit_1_or_2_ahead_0_reg};
            left_over_1_reg <= stays_of_group_0_11_reg ? merged_1
                : spread_0_3_reg
                | spread_1_3_reg
                | {replacement_unit_2_ahead_1_reg, 1'b0, {4{replacement_unit_2_ahead_1_reg}}, 1'b0,
                replacement_unit_2_ahead_1_reg};
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Output: a buffer makes registers of all outputs
    // ---------------------------------------------------------------------------------------------
    wire       output_valid;
    wire       output_amiss;
    wire       output_last;
    wire       output_keep_1;
    wire [7:0] output_unit_1;
    wire       output_keep_0;
    wire [7:0] output_unit_0;
    utf_8_encoder_x2_output_buffer_w20 output_buffer (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (present_reg),
        .s_payload ({output_amiss_11_reg, output_last_11_reg, keep_1_11_reg, merged_1,
            keep_0_11_reg, merged_0}),
        .s_moves   (flow),
        .m_ready   (m_axis_tready),
        .m_valid   (output_valid),
        .m_payload ({output_amiss, output_last, output_keep_1, output_unit_1, output_keep_0,
            output_unit_0})
    );

    // ---------------------------------------------------------------------------------------------
    // The pace
    // ---------------------------------------------------------------------------------------------
    wire [8:1] pace_load;

    wire pace_step;
    wire pace_flow;
    wire pace_flow_next;
    wire pace_takes;
    utf_8_encoder_x2_pace pace (
        .clk           (clk),
        .rst           (rst),
        .offered       (s_axis_tvalid),
        .final_next    (final_next),
        .beat          (present_reg),
        .m_axis_tready (m_axis_tready),
        .step          (pace_step),
        .load_1        (pace_load[1]),
        .load_2        (pace_load[2]),
        .load_3        (pace_load[3]),
        .load_4        (pace_load[4]),
        .load_5        (pace_load[5]),
        .load_6        (pace_load[6]),
        .load_7        (pace_load[7]),
        .load_8        (pace_load[8]),
        .flow          (pace_flow),
        .flow_next     (pace_flow_next),
        .takes         (pace_takes)
    );

    assign takes = pace_takes;
    assign flow = pace_flow;
    assign flow_next = pace_flow_next;
    assign load = pace_load;
    assign step = pace_step;

    assign s_axis_tready = takes;
    assign m_axis_tdata  = {output_unit_1, output_unit_0};
    assign m_axis_tkeep  = {output_keep_1, output_keep_0};
    assign m_axis_tuser  = output_amiss;
    assign m_axis_tvalid = output_valid;
    assign m_axis_tlast  = output_last;

endmodule

// The modules below are parts of the one above and share its file.
/* verilator lint_off DECLFILENAME */

// Which stages load: a stage of slots where its beat goes on or where it has none, and the stages
// of units while the output buffer has room.
module utf_8_encoder_x2_pace (
    input  wire        clk,           // clock, rising edge
    input  wire        rst,           // reset, synchronous, active high
    output wire        step,          // the windows load or go on
    output wire        load_1,        // the stage loads
    output wire        load_2,        // the stage loads
    output wire        load_3,        // the stage loads
    output wire        load_4,        // the stage loads
    output wire        load_5,        // the stage loads
    output wire        load_6,        // the stage loads
    output wire        load_7,        // the stage loads
    output wire        load_8,        // the stage loads
    output wire        flow,          // the stages of units move
    output wire        flow_next,     // they do in the next cycle
    output wire        takes,         // a beat of slots is taken
    input  wire        offered,       // a beat of slots is offered
    input  wire        final_next,    // the windows will be through with their beat
    input  wire        beat,          // there is a beat for the output buffer
    input  wire        m_axis_tready  // what the buffer offers is taken
);

    // ---------------------------------------------------------------------------------------------
    // Output buffer: whether it has room
    // ---------------------------------------------------------------------------------------------
    reg moves_reg;       // the pipeline moves
    reg moves_next_reg;  // it will in the next cycle: the buffer has room even then
    // the complement, for the logic here: the net of moves_reg is long, and equal registers are
    // merged
    reg waits_reg;
    reg valid_reg;         // a beat is offered
    reg second_valid_reg;  // a second beat is held
    reg third_valid_reg;   // a third beat is held

    wire taken_by_buffer = beat && !waits_reg;
    wire stays = valid_reg && !m_axis_tready;  // the first beat is not taken
    wire second_valid_next = stays ? (second_valid_reg || taken_by_buffer)
        : (second_valid_reg && (third_valid_reg || taken_by_buffer));
    wire third_valid_next = stays && (third_valid_reg || (second_valid_reg && taken_by_buffer));

    always @(posedge clk) begin
        moves_reg <= moves_next_reg;
    end

    always @(posedge clk) begin
        if (rst) begin
            moves_next_reg <= 1'b1;
            waits_reg <= 1'b0;
            valid_reg <= 1'b0;
            second_valid_reg <= 1'b0;
            third_valid_reg <= 1'b0;
        end else begin
            moves_next_reg <= !(third_valid_next || (second_valid_next && moves_next_reg));
            waits_reg <= !moves_next_reg;
            valid_reg <= taken_by_buffer || stays || second_valid_reg;
            second_valid_reg <= second_valid_next;
            third_valid_reg <= third_valid_next;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stages of slots: a stage loads if it will be empty, or if its beat and those downstream move
    // ---------------------------------------------------------------------------------------------
    reg       takes_reg;         // a beat is taken: none during reset, nor in the cycle after it
    reg       load_1_reg;
    reg       load_2_reg;
    reg       load_3_reg;
    reg       load_4_reg;
    reg       load_5_reg;
    reg       load_6_reg;
    reg       load_7_reg;
    reg       load_8_reg;
    reg       leaves_reg;        // the beat of the windows moves on
    reg [7:0] empty_from_1_reg;
    reg [6:0] empty_from_2_reg;
    reg [5:0] empty_from_3_reg;
    reg [4:0] empty_from_4_reg;
    reg [3:0] empty_from_5_reg;
    reg [2:0] empty_from_6_reg;
    reg [1:0] empty_from_7_reg;
    reg       step_reg;

    wire leaves_next = final_next && moves_next_reg;  // it does, if there is one
    wire taken = offered && takes_reg;
    wire [7:0] empty_if_taken = leaves_reg ? empty_from_1_reg : {1'b0, empty_from_1_reg[7:1]};
    wire [7:0] empty_if_none_is_taken = leaves_reg ? {empty_from_1_reg[6:0], 1'b1}
        : empty_from_1_reg;
    wire [7:0] empty_from_1_next = taken ? empty_if_taken : empty_if_none_is_taken;
    wire load_1_next = empty_from_1_next[0] || leaves_next;
    wire [6:0] empty_from_2_next = leaves_reg ? empty_from_1_reg[6:0] : empty_from_1_reg[7:1];
    wire load_2_next = empty_from_2_next[0] || leaves_next;
    wire [5:0] empty_from_3_next = leaves_reg ? empty_from_2_reg[5:0] : empty_from_2_reg[6:1];
    wire load_3_next = empty_from_3_next[0] || leaves_next;
    wire [4:0] empty_from_4_next = leaves_reg ? empty_from_3_reg[4:0] : empty_from_3_reg[5:1];
    wire load_4_next = empty_from_4_next[0] || leaves_next;
    wire [3:0] empty_from_5_next = leaves_reg ? empty_from_4_reg[3:0] : empty_from_4_reg[4:1];
    wire load_5_next = empty_from_5_next[0] || leaves_next;
    wire [2:0] empty_from_6_next = leaves_reg ? empty_from_5_reg[2:0] : empty_from_5_reg[3:1];
    wire load_6_next = empty_from_6_next[0] || leaves_next;
    wire [1:0] empty_from_7_next = leaves_reg ? empty_from_6_reg[1:0] : empty_from_6_reg[2:1];
    wire load_7_next = empty_from_7_next[0] || leaves_next;
    wire empty_from_8_next = leaves_reg ? empty_from_7_reg[0] : empty_from_7_reg[1];
    wire load_8_next = empty_from_8_next || leaves_next;

    always @(posedge clk) begin
        if (rst) begin
            takes_reg <= 1'b0;
            load_1_reg <= 1'b1;
            load_2_reg <= 1'b1;
            load_3_reg <= 1'b1;
            load_4_reg <= 1'b1;
            load_5_reg <= 1'b1;
            load_6_reg <= 1'b1;
            load_7_reg <= 1'b1;
            load_8_reg <= 1'b1;
            leaves_reg <= 1'b0;
            empty_from_1_reg <= 8'hFF;
            empty_from_2_reg <= 7'd127;
            empty_from_3_reg <= 6'd63;
            empty_from_4_reg <= 5'd31;
            empty_from_5_reg <= 4'd15;
            empty_from_6_reg <= 3'd7;
            empty_from_7_reg <= 2'd3;
            step_reg <= 1'b1;
        end else begin
            takes_reg <= load_1_next;
            load_1_reg <= load_1_next;
            load_2_reg <= load_2_next;
            load_3_reg <= load_3_next;
            load_4_reg <= load_4_next;
            load_5_reg <= load_5_next;
            load_6_reg <= load_6_next;
            load_7_reg <= load_7_next;
            load_8_reg <= load_8_next;
            leaves_reg <= leaves_next && !empty_from_8_next;
            empty_from_1_reg <= empty_from_1_next;
            empty_from_2_reg <= empty_from_2_next;
            empty_from_3_reg <= empty_from_3_next;
            empty_from_4_reg <= empty_from_4_next;
            empty_from_5_reg <= empty_from_5_next;
            empty_from_6_reg <= empty_from_6_next;
            empty_from_7_reg <= empty_from_7_next;
            step_reg <= empty_from_8_next || moves_next_reg;
        end
    end

    assign step      = step_reg;
    assign load_1    = load_1_reg;
    assign load_2    = load_2_reg;
    assign load_3    = load_3_reg;
    assign load_4    = load_4_reg;
    assign load_5    = load_5_reg;
    assign load_6    = load_6_reg;
    assign load_7    = load_7_reg;
    assign load_8    = load_8_reg;
    assign flow      = moves_reg;
    assign flow_next = moves_next_reg;
    assign takes     = takes_reg;

endmodule

// Three registers behind a pipeline that learns a cycle ahead whether it moves: every output is a
// register, so that no path leads through. Holds three beats, adds one cycle, never a bubble.
module utf_8_encoder_x2_output_buffer_w20 (
    input  wire        clk,       // clock, rising edge
    input  wire        rst,       // reset, synchronous, active high

    // Upstream
    input  wire        s_valid,   // the pipeline offers a beat
    input  wire [19:0] s_payload, // that beat
    input  wire        s_moves,   // the pipeline moves

    // Downstream
    output wire        m_valid,   // beat is offered
    output wire [19:0] m_payload, // the beat
    input  wire        m_ready    // beat is taken
);

    reg        valid_reg;           // a beat is offered
    reg        second_valid_reg;    // a second beat is held
    reg        third_valid_reg;     // a third beat is held
    reg [19:0] payload_reg;
    reg [19:0] second_payload_reg;
    reg [19:0] third_payload_reg;

    wire taken = s_valid && s_moves;
    wire load = !valid_reg || m_ready;   // the first register is empty, or emptied in this cycle
    wire stays = valid_reg && !m_ready;  // the first beat is not taken
    wire second_valid_next = stays ? (second_valid_reg || taken)
        : (second_valid_reg && (third_valid_reg || taken));
    wire third_valid_next = stays && (third_valid_reg || (second_valid_reg && taken));

    always @(posedge clk) begin
        if (rst) begin
            valid_reg <= 1'b0;
            second_valid_reg <= 1'b0;
            third_valid_reg <= 1'b0;
        end else begin
            valid_reg <= taken || stays || second_valid_reg;
            second_valid_reg <= second_valid_next;
            third_valid_reg <= third_valid_next;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            payload_reg <= second_valid_reg ? second_payload_reg : s_payload;
        end
    end

    always @(posedge clk) begin
        if (m_ready || !second_valid_reg) begin
            second_payload_reg <= third_valid_reg ? third_payload_reg : s_payload;
        end
    end

    always @(posedge clk) begin
        if (!third_valid_reg) begin
            third_payload_reg <= s_payload;
        end
    end

    assign m_valid   = valid_reg;
    assign m_payload = payload_reg;

endmodule

// A slot on its way from the bus to its units.
module utf_8_encoder_x2_lane (
    input  wire        clk,              // clock, rising edge

    // Which stages load
    input  wire        load_1,           // the stage loads
    input  wire        load_2,           // the stage loads
    input  wire        load_3,           // the stage loads
    input  wire        load_4,           // the stage loads
    input  wire        load_5,           // the stage loads
    input  wire        load_6,           // the stage loads
    input  wire        load_7,           // the stage loads
    input  wire        load_8,           // the stage loads
    input  wire        flow,             // the later stages load

    // The slot
    input  wire [31:0] slot_data,        // its tdata
    input  wire [3:0]  slot_user,        // its tuser
    input  wire        slot_valid,       // there is one

    // Stage 1
    output wire [31:0] number,           // of limbs, if the slot is a head
    output wire        number_is_far,    // and that is greater than the distance of any two lanes
    output wire        number_is_high,   // and its high part is not zero
    output wire        is_kept,          // there is a slot
    output wire        is_limb,          // a limb
    output wire        is_no_limb,       // anything else
    output wire        opens_group,      // the head of a group of limbs
    output wire        cuts_group,       // an open group is an error of its own before it
    output wire        refused,          // the replacement is written for it

    // Stage 4
    input  wire        replaced,         // the replacement is written in place of the slot
    output wire [2:0]  length,           // units that are written

    // Stage 5
    input  wire        code_is_replaced, // the units are those of the replacement

    // Stage 7
    input  wire [3:0]  units_end,        // the position after its units
    input  wire        step,             // the stage loads, or shows the next window

    // Stage 10
    output wire [7:0]  turned_0,         // the unit at the position
    output wire        goes_0_0,         // it is shown, and has this next bit
    output wire        goes_1_0,         // it is shown, and has this next bit
    output wire [7:0]  turned_1,         // the unit at the position
    output wire        goes_0_1,         // it is shown, and has this next bit
    output wire        goes_1_1,         // it is shown, and has this next bit
    output wire [7:0]  turned_2,         // the unit at the position
    output wire        goes_1_2,         // it is shown, and has this next bit
    output wire [7:0]  turned_3,         // the unit at the position
    output wire        goes_1_3          // it is shown, and has this next bit
);

    // ---------------------------------------------------------------------------------------------
    // Input: what kind of slot it is, and tests of the code point
    // ---------------------------------------------------------------------------------------------
    reg        has_bits_of_2_1_reg;
    reg        has_bits_of_3_1_reg;
    reg        has_bits_of_4_1_reg;
    reg        has_bits_21_to_31_1_reg;
    reg        past_last_1_reg;
    reg        surrogate_1_reg;
    reg        slot_valid_1_reg;
    reg        is_code_point_1_reg;
    reg        is_limb_1_reg;
    reg        is_no_limb_1_reg;
    reg        is_head_1_reg;
    reg        has_low_bits_1_reg;              // two limbs or more, in a head
    reg        number_has_bits_3_to_11_1_reg;
    reg        number_has_bits_12_to_20_1_reg;
    reg        number_has_bits_21_to_31_1_reg;
    reg [31:0] slot_data_1_reg;

    wire past_last = slot_data[20] && slot_data[19:16] != 4'd0;
    wire surrogate = slot_data[20:11] == 10'h1B;
    wire is_head_or_limb = slot_user[3:1] == 3'b111;

    always @(posedge clk) begin
        if (load_1) begin
            has_bits_of_2_1_reg <= slot_data[10:7] != 4'd0;
            has_bits_of_3_1_reg <= slot_data[15:11] != 5'd0;
            has_bits_of_4_1_reg <= slot_data[20:16] != 5'd0;
            has_bits_21_to_31_1_reg <= slot_data[31:21] != 11'd0;
            past_last_1_reg <= past_last;
            surrogate_1_reg <= surrogate;
            slot_valid_1_reg <= slot_valid;
            is_code_point_1_reg <= slot_valid && slot_user == 4'd0;
            is_limb_1_reg <= slot_valid && is_head_or_limb && slot_user[0];
            is_no_limb_1_reg <= slot_valid && !(is_head_or_limb && slot_user[0]);
            is_head_1_reg <= slot_valid && is_head_or_limb && !slot_user[0];
            has_low_bits_1_reg <= slot_data[2:1] != 2'd0;
            number_has_bits_3_to_11_1_reg <= slot_data[11:3] != 9'd0;
            number_has_bits_12_to_20_1_reg <= slot_data[20:12] != 9'd0;
            number_has_bits_21_to_31_1_reg <= slot_data[31:21] != 11'd0;
            slot_data_1_reg <= slot_data;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 1: what the slot writes if it is a code point
    // ---------------------------------------------------------------------------------------------
    reg        longer_than_0_2_reg;
    reg        longer_than_1_2_reg;
    reg        longer_than_2_2_reg;
    reg        longer_than_3_2_reg;
    reg [20:0] code_point_2_reg;
    reg [20:0] code_point_3_reg;
    reg [20:0] code_point_4_reg;
    reg [20:0] code_point_5_reg;
    reg        longer_than_0_3_reg;
    reg        longer_than_1_3_reg;
    reg        longer_than_2_3_reg;
    reg        longer_than_3_3_reg;
    reg [2:0]  units_4_reg;
    reg        longer_than_0_4_reg;
    reg        longer_than_1_4_reg;
    reg        longer_than_2_4_reg;
    reg        longer_than_3_4_reg;

    wire writes_code_point = is_code_point_1_reg
        && !(has_bits_21_to_31_1_reg || past_last_1_reg || surrogate_1_reg);
    wire number_has_high_part = number_has_bits_3_to_11_1_reg
        || number_has_bits_12_to_20_1_reg
        || number_has_bits_21_to_31_1_reg;
    wire is_long_head = is_head_1_reg && (has_low_bits_1_reg || number_has_high_part);

    always @(posedge clk) begin
        if (load_2) begin
            longer_than_0_2_reg <= writes_code_point;
            longer_than_1_2_reg <= has_bits_of_2_1_reg
                || has_bits_of_3_1_reg
                || has_bits_of_4_1_reg;
            longer_than_2_2_reg <= has_bits_of_3_1_reg || has_bits_of_4_1_reg;
            longer_than_3_2_reg <= has_bits_of_4_1_reg;
            code_point_2_reg <= slot_data_1_reg[20:0];
        end
    end

    always @(posedge clk) begin
        if (load_3) begin
            code_point_3_reg <= code_point_2_reg;
            longer_than_0_3_reg <= longer_than_0_2_reg;
            longer_than_1_3_reg <= longer_than_1_2_reg && longer_than_0_2_reg;
            longer_than_2_3_reg <= longer_than_2_2_reg && longer_than_0_2_reg;
            longer_than_3_3_reg <= longer_than_3_2_reg && longer_than_0_2_reg;
        end
    end

    always @(posedge clk) begin
        if (load_4) begin
            code_point_4_reg <= code_point_3_reg;
            units_4_reg <= {longer_than_3_3_reg, longer_than_1_3_reg && !longer_than_3_3_reg,
                (longer_than_0_3_reg && !longer_than_1_3_reg)
                    || (longer_than_2_3_reg && !longer_than_3_3_reg)};
            longer_than_0_4_reg <= longer_than_0_3_reg;
            longer_than_1_4_reg <= longer_than_1_3_reg;
            longer_than_2_4_reg <= longer_than_2_3_reg;
            longer_than_3_4_reg <= longer_than_3_3_reg;
        end
    end

    always @(posedge clk) begin
        if (load_5) begin
            code_point_5_reg <= code_point_4_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 5: what is written
    // ---------------------------------------------------------------------------------------------
    reg        longer_than_0_5_reg;
    reg        longer_than_0_6_reg;
    reg        longer_than_0_7_reg;
    reg        longer_than_0_8_reg;
    reg        longer_than_1_5_reg;
    reg        longer_than_1_6_reg;
    reg        longer_than_1_7_reg;
    reg        longer_than_1_8_reg;
    reg        longer_than_2_5_reg;
    reg        longer_than_2_6_reg;
    reg        longer_than_2_7_reg;
    reg        longer_than_2_8_reg;
    reg        longer_than_3_5_reg;
    reg        longer_than_3_6_reg;
    reg        longer_than_3_7_reg;
    reg        longer_than_3_8_reg;
    reg [20:0] code_point_6_reg;
    reg [20:0] code_point_7_reg;
    reg [20:0] code_point_8_reg;

    always @(posedge clk) begin
        if (load_5) begin
            longer_than_0_5_reg <= longer_than_0_4_reg || replaced;
            longer_than_1_5_reg <= longer_than_1_4_reg || replaced;
            longer_than_2_5_reg <= longer_than_2_4_reg || replaced;
            longer_than_3_5_reg <= longer_than_3_4_reg;
        end
    end

    always @(posedge clk) begin
        if (load_6) begin
            longer_than_0_6_reg <= longer_than_0_5_reg;
            longer_than_1_6_reg <= longer_than_1_5_reg;
            longer_than_2_6_reg <= longer_than_2_5_reg;
            longer_than_3_6_reg <= longer_than_3_5_reg;
            code_point_6_reg <= {code_point_5_reg[20] && !code_is_replaced,
                code_point_5_reg[19] && !code_is_replaced,
                code_point_5_reg[18] && !code_is_replaced,
                code_point_5_reg[17] && !code_is_replaced,
                code_point_5_reg[16] && !code_is_replaced, code_point_5_reg[15] || code_is_replaced,
                code_point_5_reg[14] || code_is_replaced, code_point_5_reg[13] || code_is_replaced,
                code_point_5_reg[12] || code_is_replaced, code_point_5_reg[11] || code_is_replaced,
                code_point_5_reg[10] || code_is_replaced, code_point_5_reg[9] || code_is_replaced,
                code_point_5_reg[8] || code_is_replaced, code_point_5_reg[7] || code_is_replaced,
                code_point_5_reg[6] || code_is_replaced, code_point_5_reg[5] || code_is_replaced,
                code_point_5_reg[4] || code_is_replaced, code_point_5_reg[3] || code_is_replaced,
                code_point_5_reg[2] || code_is_replaced, code_point_5_reg[1] && !code_is_replaced,
                code_point_5_reg[0] || code_is_replaced};
        end
    end

    always @(posedge clk) begin
        if (load_7) begin
            longer_than_0_7_reg <= longer_than_0_6_reg;
            longer_than_1_7_reg <= longer_than_1_6_reg;
            longer_than_2_7_reg <= longer_than_2_6_reg;
            longer_than_3_7_reg <= longer_than_3_6_reg;
            code_point_7_reg <= code_point_6_reg;
        end
    end

    always @(posedge clk) begin
        if (load_8) begin
            longer_than_0_8_reg <= longer_than_0_7_reg;
            longer_than_1_8_reg <= longer_than_1_7_reg;
            longer_than_2_8_reg <= longer_than_2_7_reg;
            longer_than_3_8_reg <= longer_than_3_7_reg;
            code_point_8_reg <= code_point_7_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 7: the output beat of the units
    // ---------------------------------------------------------------------------------------------
    reg [1:0] ring_end_8_reg;

    wire [1:0] beat_end = units_end[3:2];

    always @(posedge clk) begin
        if (load_8) begin
            ring_end_8_reg <= units_end[1:0];
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: which window shows the units
    // ---------------------------------------------------------------------------------------------
    reg ends_in_6_reg;
    reg ends_in_5_reg;
    reg ends_in_4_reg;
    reg ends_in_3_reg;
    reg ends_in_2_reg;
    reg ends_in_1_reg;
    reg ends_in_0_reg;
    reg first_in_0_reg;
    reg first_in_2_reg;

    always @(posedge clk) begin
        if (step) begin
            ends_in_6_reg <= load_8 && beat_end == 2'd3;
            ends_in_5_reg <= !load_8 && ends_in_6_reg;
            ends_in_4_reg <= load_8 ? beat_end == 2'd2 : ends_in_5_reg;
            ends_in_3_reg <= !load_8 && ends_in_4_reg;
            ends_in_2_reg <= load_8 ? beat_end == 2'd1 : ends_in_3_reg;
            ends_in_1_reg <= !load_8 && ends_in_2_reg;
            ends_in_0_reg <= load_8 ? beat_end == 2'd0 : ends_in_1_reg;
            first_in_0_reg <= load_8 && beat_end == 2'd0;
            first_in_2_reg <= load_8 && beat_end == 2'd1;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: which half of the window shows the units
    // ---------------------------------------------------------------------------------------------
    reg behind_first_0_9_reg;
    reg behind_second_0_9_reg;
    reg behind_second_1_9_reg;
    reg before_first_0_9_reg;
    reg before_second_0_9_reg;
    reg before_second_1_9_reg;

    always @(posedge clk) begin
        if (flow) begin
            behind_first_0_9_reg <= first_in_0_reg;
            behind_second_0_9_reg <= ends_in_1_reg;
            behind_second_1_9_reg <= ends_in_0_reg;
            before_first_0_9_reg <= first_in_2_reg;
            before_second_0_9_reg <= ends_in_3_reg;
            before_second_1_9_reg <= ends_in_2_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 8: the units
    // ---------------------------------------------------------------------------------------------
    reg [7:0] unit_0_9_reg;
    reg       there_0_9_reg;
    reg [7:0] unit_1_9_reg;
    reg       there_1_9_reg;
    reg [7:0] unit_2_9_reg;
    reg       there_2_9_reg;
    reg [7:0] unit_3_9_reg;
    reg       there_3_9_reg;
    reg [1:0] ring_end_9_reg;

    wire unit_0_is_lead = !longer_than_1_8_reg;
    wire [7:0] unit_0 = {!unit_0_is_lead, unit_0_is_lead && code_point_8_reg[6], 6'd0}
        | {2'd0, code_point_8_reg[5:0]};
    wire unit_1_is_lead = !longer_than_2_8_reg;
    wire [7:0] unit_1 = {1'b1, unit_1_is_lead, 6'd0} | {2'd0, code_point_8_reg[11:6]};
    wire unit_2_is_lead = !longer_than_3_8_reg;
    wire [7:0] unit_2 = {1'b1, unit_2_is_lead, unit_2_is_lead, 5'd0}
        | {2'd0, code_point_8_reg[17:12]};
    wire [7:0] unit_3 = 8'hF0 | {5'd0, code_point_8_reg[20:18]};

    always @(posedge clk) begin
        if (flow) begin
            unit_0_9_reg <= (unit_0 & {8{ring_end_8_reg[0]}}) | (unit_3 & {8{!ring_end_8_reg[0]}});
            there_0_9_reg <= ring_end_8_reg[0] ? longer_than_0_8_reg : longer_than_3_8_reg;
            unit_1_9_reg <= (unit_1 & {8{ring_end_8_reg[0]}}) | (unit_0 & {8{!ring_end_8_reg[0]}});
            there_1_9_reg <= ring_end_8_reg[0] ? longer_than_1_8_reg : longer_than_0_8_reg;
            unit_2_9_reg <= (unit_2 & {8{ring_end_8_reg[0]}}) | (unit_1 & {8{!ring_end_8_reg[0]}});
            there_2_9_reg <= ring_end_8_reg[0] ? longer_than_2_8_reg : longer_than_1_8_reg;
            unit_3_9_reg <= (unit_3 & {8{ring_end_8_reg[0]}}) | (unit_2 & {8{!ring_end_8_reg[0]}});
            there_3_9_reg <= ring_end_8_reg[0] ? longer_than_3_8_reg : longer_than_2_8_reg;
            ring_end_9_reg <= ring_end_8_reg;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Stage 9: units are turned
    // ---------------------------------------------------------------------------------------------
    reg [7:0] unit_0_10_reg;
    reg       goes_0_0_reg;
    reg       goes_1_0_reg;
    reg [7:0] unit_1_10_reg;
    reg       goes_0_1_reg;
    reg       goes_1_1_reg;
    reg [7:0] unit_2_10_reg;
    reg       goes_1_2_reg;
    reg [7:0] unit_3_10_reg;
    reg       goes_1_3_reg;

    wire is_there_0 = ring_end_9_reg[1] ? there_2_9_reg : there_0_9_reg;
    wire is_there_3 = ring_end_9_reg[1] ? there_3_9_reg : there_1_9_reg;
    wire is_there_2 = ring_end_9_reg[1] ? there_0_9_reg : there_2_9_reg;
    wire is_there_1 = ring_end_9_reg[1] ? there_1_9_reg : there_3_9_reg;
    wire is_before_0 = ring_end_9_reg == 2'd0;
    wire is_before_1 = ring_end_9_reg <= 2'd1;
    wire is_before_2 = ring_end_9_reg <= 2'd2;

    always @(posedge clk) begin
        if (flow) begin
            unit_0_10_reg <= (unit_2_9_reg & {8{ring_end_9_reg[1]}})
                | (unit_0_9_reg & {8{!ring_end_9_reg[1]}});
            goes_0_0_reg <= is_there_0
                && ((!is_before_0 && behind_first_0_9_reg)
                    || (is_before_0 && before_first_0_9_reg));
            goes_1_0_reg <= is_there_0
                && ((!is_before_0 && behind_second_0_9_reg)
                    || (is_before_0 && before_second_0_9_reg));
            unit_1_10_reg <= (unit_1_9_reg & {8{ring_end_9_reg[1]}})
                | (unit_3_9_reg & {8{!ring_end_9_reg[1]}});
            goes_0_1_reg <= is_there_1
                && ((!is_before_1 && behind_first_0_9_reg)
                    || (is_before_1 && before_first_0_9_reg));
            goes_1_1_reg <= is_there_1
                && ((!is_before_1 && behind_second_0_9_reg)
                    || (is_before_1 && before_second_0_9_reg));
            unit_2_10_reg <= (unit_0_9_reg & {8{ring_end_9_reg[1]}})
                | (unit_2_9_reg & {8{!ring_end_9_reg[1]}});
            goes_1_2_reg <= is_there_2
                && ((!is_before_2 && behind_second_1_9_reg)
                    || (is_before_2 && before_second_1_9_reg));
            unit_3_10_reg <= (unit_3_9_reg & {8{ring_end_9_reg[1]}})
                | (unit_1_9_reg & {8{!ring_end_9_reg[1]}});
            goes_1_3_reg <= is_there_3 && before_second_1_9_reg;
        end
    end

    assign number         = slot_data_1_reg;
    assign number_is_far  = slot_data_1_reg[2] || number_has_high_part;
    assign number_is_high = number_has_high_part;
    assign is_kept        = slot_valid_1_reg;
    assign is_limb        = is_limb_1_reg;
    assign is_no_limb     = is_no_limb_1_reg;
    assign opens_group    = is_long_head;
    assign cuts_group     = is_code_point_1_reg || is_head_1_reg;
    assign refused        = slot_valid_1_reg
        && !(writes_code_point || is_limb_1_reg || is_long_head);
    assign length         = {units_4_reg[2], units_4_reg[1] || replaced,
        units_4_reg[0] || replaced};
    assign turned_0       = unit_0_10_reg;
    assign goes_0_0       = goes_0_0_reg;
    assign goes_1_0       = goes_1_0_reg;
    assign turned_1       = unit_1_10_reg;
    assign goes_0_1       = goes_0_1_reg;
    assign goes_1_1       = goes_1_1_reg;
    assign turned_2       = unit_2_10_reg;
    assign goes_1_2       = goes_1_2_reg;
    assign turned_3       = unit_3_10_reg;
    assign goes_1_3       = goes_1_3_reg;

endmodule

/* verilator lint_on DECLFILENAME */

/* verilator lint_on PINCONNECTEMPTY */

/* verilator lint_on TIMESCALEMOD */

`default_nettype wire
