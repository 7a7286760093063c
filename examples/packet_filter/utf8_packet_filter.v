// SPDX-License-Identifier: MIT OR Apache-2.0
//
// utf8_packet_filter: a block of 512 bits for a packet pipeline. Beats of the payloads of several
// streams come in any order, by TID. The block says of each payload whether it is well-formed
// UTF-8, and gives whole payloads, one after the other; the ill-formed ones are marked or dropped.
//
//   s_axis --> validator --> one bit a beat --> a ring of beats for each stream --> m_axis
//              (generated)                      +--> status, when a payload ends
//
// The input never waits after reset: a payload that finds no room in the ring of its stream is
// dropped, and the status says so.

`default_nettype none

module utf8_packet_filter #(
    parameter DEPTH_BITS = 5          // a ring has 2^DEPTH_BITS beats
) (
    input  wire         clk,
    input  wire         rst,

    // Payloads, beat by beat. The low two bits of TID are the stream.
    input  wire [511:0] s_axis_tdata,
    input  wire [63:0]  s_axis_tkeep,
    input  wire         s_axis_tvalid,
    input  wire         s_axis_tlast,
    input  wire [7:0]   s_axis_tid,
    output wire         s_axis_tready,

    // Whole payloads. TUSER, with TLAST: the payload is ill-formed.
    output wire [511:0] m_axis_tdata,
    output wire [63:0]  m_axis_tkeep,
    output wire         m_axis_tuser,
    output wire         m_axis_tvalid,
    output wire         m_axis_tlast,
    output wire [7:0]   m_axis_tid,
    input  wire         m_axis_tready,

    // Ill-formed payloads are dropped; else they pass, marked. Sampled when the last beat of a
    // payload leaves the validator.
    input  wire         drop_ill_formed,

    // A word for each payload, for one cycle: TID in bits 7 to 0, and these bits.
    //   8   the payload is ill-formed
    //   9   it had no room
    //   10  it was dropped
    output reg          status_tvalid,
    output reg  [15:0]  status_tdata
);

    localparam STREAM_BITS = 2;
    localparam STREAMS     = 1 << STREAM_BITS;
    localparam WORDS       = STREAMS << DEPTH_BITS;

    integer i;

    // ---------------------------------------------------------------------------------------------
    // The validator: beats as they came, with marks at the units that make errors certain
    // ---------------------------------------------------------------------------------------------

    wire [511:0] valid_tdata;
    wire [63:0]  valid_tkeep;
    wire [127:0] valid_tuser;
    wire         valid_tvalid;
    wire         valid_tlast;
    wire [7:0]   valid_tid;

    utf_8_validator_x64_tid_8_streams_4 validator (
        .clk           (clk),
        .rst           (rst),
        .s_axis_tdata  (s_axis_tdata),
        .s_axis_tkeep  (s_axis_tkeep),
        .s_axis_tvalid (s_axis_tvalid),
        .s_axis_tlast  (s_axis_tlast),
        .s_axis_tid    (s_axis_tid),
        .s_axis_tready (s_axis_tready),
        .m_axis_tdata  (valid_tdata),
        .m_axis_tkeep  (valid_tkeep),
        .m_axis_tuser  (valid_tuser),
        .m_axis_tvalid (valid_tvalid),
        .m_axis_tlast  (valid_tlast),
        .m_axis_tid    (valid_tid),
        .m_axis_tready (1'b1)
    );

    // ---------------------------------------------------------------------------------------------
    // One bit a beat
    // ---------------------------------------------------------------------------------------------

    reg [511:0] beat_data;
    reg [63:0]  beat_keep;
    reg         beat_valid;
    reg         beat_last;
    reg         beat_has_error;
    reg [7:0]   beat_tid;

    always @(posedge clk) begin
        beat_data      <= valid_tdata;
        beat_keep      <= valid_tkeep;
        beat_last      <= valid_tlast;
        beat_tid       <= valid_tid;
        beat_has_error <= valid_tuser != 128'd0;
        beat_valid     <= valid_tvalid && !rst;
    end

    // ---------------------------------------------------------------------------------------------
    // A ring for each stream: beats of a payload that is not whole lie from commit_at to write_at
    // ---------------------------------------------------------------------------------------------

    // Positions in the rings, with a bit above that tells a full ring from an empty one.
    reg [DEPTH_BITS:0] write_at  [0:STREAMS-1];
    reg [DEPTH_BITS:0] commit_at [0:STREAMS-1];
    reg [DEPTH_BITS:0] read_at   [0:STREAMS-1];

    // What is known of the payload that is open in each stream.
    reg [STREAMS-1:0] had_error;
    reg [STREAMS-1:0] had_no_room;

    wire [STREAM_BITS-1:0] stream = beat_tid[STREAM_BITS-1:0];
    wire [DEPTH_BITS:0]    here   = write_at[stream];
    wire [DEPTH_BITS:0]    next   = here + 1'b1;
    wire [DEPTH_BITS:0]    used   = here - read_at[stream];
    wire                   ill_formed = had_error[stream] || beat_has_error;
    wire                   no_room    = had_no_room[stream] || used[DEPTH_BITS];
    wire                   drops      = no_room || (ill_formed && drop_ill_formed);
    wire                   writes     = beat_valid && !no_room;

    always @(posedge clk) begin
        if (beat_valid) begin
            had_error[stream]   <= ill_formed && !beat_last;
            had_no_room[stream] <= no_room && !beat_last;
            if (!beat_last) begin
                if (!no_room) write_at[stream] <= next;
            end else if (drops) begin
                write_at[stream] <= commit_at[stream];
            end else begin
                write_at[stream]  <= next;
                commit_at[stream] <= next;
            end
        end
        status_tvalid <= beat_valid && beat_last;
        status_tdata  <= {5'd0, drops, no_room, ill_formed, beat_tid};
        if (rst) begin
            had_error     <= {STREAMS{1'b0}};
            had_no_room   <= {STREAMS{1'b0}};
            status_tvalid <= 1'b0;
            for (i = 0; i < STREAMS; i = i + 1) begin
                write_at[i]  <= {(DEPTH_BITS + 1){1'b0}};
                commit_at[i] <= {(DEPTH_BITS + 1){1'b0}};
            end
        end
    end

    // The beats in block RAM, and their TLAST once more, which is read a cycle earlier.
    localparam WIDTH = 1 + 1 + 8 + 64 + 512;

    reg [WIDTH-1:0] beats [0:WORDS-1];
    reg             lasts [0:WORDS-1];

    wire [STREAM_BITS+DEPTH_BITS-1:0] write_address = {stream, here[DEPTH_BITS-1:0]};

    always @(posedge clk) begin
        if (writes) begin
            beats[write_address] <= {
                ill_formed && beat_last, beat_last, beat_tid, beat_keep, beat_data
            };
            lasts[write_address] <= beat_last;
        end
    end

    // ---------------------------------------------------------------------------------------------
    // Whole payloads go out, of the streams in turn
    // ---------------------------------------------------------------------------------------------

    reg                   reads;     // a payload of the stream below is being read
    reg [STREAM_BITS-1:0] of_stream;
    reg                   is_offered;
    reg [WIDTH-1:0]       offered;

    wire                              advances = reads && (!is_offered || m_axis_tready);
    wire [DEPTH_BITS:0]               position = read_at[of_stream];
    wire [STREAM_BITS+DEPTH_BITS-1:0] read_address = {of_stream, position[DEPTH_BITS-1:0]};
    wire                              ends = advances && lasts[read_address];

    // Streams that have a whole payload besides the beat that is read in this cycle.
    wire [STREAMS-1:0]    waiting;
    reg [STREAM_BITS-1:0] turn;
    reg [STREAM_BITS-1:0] candidate;

    genvar of;
    generate
        for (of = 0; of < STREAMS; of = of + 1) begin : each_stream
            wire is_read = advances && of_stream == of[STREAM_BITS-1:0];
            assign waiting[of] = commit_at[of] != read_at[of] + {{DEPTH_BITS{1'b0}}, is_read};
        end
    endgenerate

    always @* begin
        // The last assignment counts: the stream after the present one comes first, and the
        // present one last.
        turn = of_stream;
        candidate = of_stream;
        for (i = 0; i < STREAMS; i = i + 1) begin
            candidate = of_stream - i[STREAM_BITS-1:0];
            if (waiting[candidate]) turn = candidate;
        end
    end

    always @(posedge clk) begin
        if (!is_offered || m_axis_tready) begin
            is_offered <= advances;
            offered    <= beats[read_address];
        end
        if (advances) read_at[of_stream] <= position + 1'b1;
        if (!reads || ends) begin
            reads     <= waiting != {STREAMS{1'b0}};
            of_stream <= turn;
        end
        if (rst) begin
            reads      <= 1'b0;
            is_offered <= 1'b0;
            of_stream  <= {STREAM_BITS{1'b0}};
            for (i = 0; i < STREAMS; i = i + 1)
                read_at[i] <= {(DEPTH_BITS + 1){1'b0}};
        end
    end

    assign m_axis_tvalid = is_offered;
    assign {m_axis_tuser, m_axis_tlast, m_axis_tid, m_axis_tkeep, m_axis_tdata} = offered;

endmodule

`default_nettype wire
