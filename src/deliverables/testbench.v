    // ---------------------------------------------------------------------------------------------
    // Clock, reset and the core
    // ---------------------------------------------------------------------------------------------
    reg     clk      = 1'b0;
    reg     in_reset = 1'b1;
    reg     reset    = 1'b1;  // the same, for the core alone: its reset may be asynchronous
    integer cycle    = 0;

    initial forever #5 clk = !clk;

    reg  [LANES*IN_DATA-1:0]  s_axis_tdata;
    reg  [LANES*IN_KEEP-1:0]  s_axis_tkeep;
    /* verilator lint_off UNUSEDSIGNAL */
    reg  [IN_USER-1:0]        s_axis_tuser;
    /* verilator lint_on UNUSEDSIGNAL */
    reg                       s_axis_tvalid = 1'b0;
    reg                       s_axis_tlast;
    wire                      s_axis_tready;
    wire [@LANES_OUT@*OUT_DATA-1:0] m_axis_tdata;
    wire [@LANES_OUT@*OUT_KEEP-1:0] m_axis_tkeep;
    wire [OUT_USER-1:0]       m_axis_tuser;
    wire                      m_axis_tvalid;
    wire                      m_axis_tlast;
    reg                       m_axis_tready = 1'b0;
@PASSENGERS@
@STATUS_PORTS@

    @CORE@ core (
        .clk           (clk),
        .@RESET@ (@RESET_VALUE@),
        .s_axis_tdata  (s_axis_tdata),
        .s_axis_tkeep  (s_axis_tkeep),
@USER_IN@
        .s_axis_tvalid (s_axis_tvalid),
        .s_axis_tlast  (s_axis_tlast),
        .s_axis_tready (s_axis_tready),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tkeep  (m_axis_tkeep),
@USER_OUT@
        .m_axis_tvalid (m_axis_tvalid),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tready (m_axis_tready)@STATUS_CONNECTIONS@
    );

    // ---------------------------------------------------------------------------------------------
    // Pauses: none for 256 cycles, then of the source, of the sink, and of both
    // ---------------------------------------------------------------------------------------------
    reg [15:0] noise = 16'hace1;
    wire       source_pauses = cycle[8] && noise[0];
    wire       sink_pauses   = cycle[9] && noise[1:0] != 2'b00;

    // A linear feedback shift register of 16 bits; two steps a cycle.
    always @(posedge clk)
        noise <= {noise[13:0], noise[15] ^ noise[13] ^ noise[12] ^ noise[10],
                  noise[14] ^ noise[12] ^ noise[11] ^ noise[9]};

    always @(posedge clk) begin
        cycle    <= cycle + 1;
        in_reset <= cycle < 4;
        reset    <= cycle < 4;
    end

    // ---------------------------------------------------------------------------------------------
    // The source: what it offers, it offers until it is taken
    // ---------------------------------------------------------------------------------------------
    reg [LANES*(IN_DATA+IN_KEEP)+IN_USER:0] beats [0:BEATS-1];
    integer                                 sent = 0;

    always @(posedge clk)
        if (!in_reset && (!s_axis_tvalid || s_axis_tready)) begin
            s_axis_tvalid <= 1'b0;
            if (sent != BEATS && !source_pauses) begin
                {s_axis_tlast, s_axis_tkeep, s_axis_tuser, s_axis_tdata} <= beats[sent];
                s_axis_tvalid <= 1'b1;
                sent          <= sent + 1;
            end
        end

    always @(posedge clk)
        m_axis_tready <= !in_reset && !sink_pauses;

    // ---------------------------------------------------------------------------------------------
    // The sink: every beat that is taken is compared
    // ---------------------------------------------------------------------------------------------
    localparam BEAT = 1 + OUT_USER + @LANES_OUT@*(OUT_KEEP+OUT_DATA);
    localparam LANE = OUT_KEEP + OUT_DATA + @USER@;

    reg [OUT_DATA+@ITEM_HIGH@:0] items [0:ITEMS-1];
    integer            came   = 0;     // of them, came
    integer            frames = 0;     // frames that ended
    integer            quiet  = 0;     // cycles since the last item came
    reg                failed = 1'b0;

    wire [BEAT-1:0] beat = {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata};
    wire [@LANES_OUT@*@USER@-1:0] lane_users = @LANE_USERS@;
    reg  [BEAT-1:0] waiting;
    reg             waits = 1'b0;      // the beat was offered in the cycle before, and not taken

    // What has to come next.
    reg                alone;
    reg                last;
    reg [@USER_HIGH@:0]          user;
    reg [OUT_DATA-1:0] data;

    // What came in a lane.
    integer            lane;
    reg [OUT_KEEP-1:0] lane_keep;
    reg [@USER_HIGH@:0]          lane_user;
    reg [OUT_DATA-1:0] lane_data;
    reg                ended;          // the item before was the last of its frame
    reg                hole;           // a lane before was not in use

    task fail;
        begin
            failed = 1'b1;
            $display("FAIL: cycle %0d, frame %0d, item %0d:", cycle, frames, came);
        end
    endtask

    task compare_lane;
        begin
            {alone, last, user, data} = items[came];
            if (hole) begin
                fail;
                $display("tkeep %b has a hole", m_axis_tkeep);
            end else if (ended) begin
                fail;
                $display("lane %0d is in use behind the last item of the frame", lane);
            end else if (came == ITEMS) begin
                fail;
                $display("tdata %h comes, and nothing more is expected", lane_data);
            end else if (alone) begin
                fail;
                $display("tdata %h comes, and the end of the frame alone is expected", lane_data);
            end else if (lane_data !== data) begin
                fail;
                $display("tdata is %h, expected %h", lane_data, data);
            end else if (SLOTS_OUT != 0 && lane_user !== user) begin
                fail;
                $display("tuser is %0d, expected %0d, with tdata %h", lane_user, user, data);
            end
            ended = last;
            came  = came + 1;
        end
    endtask

    task compare_beat;
        begin
            ended = 1'b0;
            hole  = 1'b0;
@PASSENGER_CHECKS@
            for (lane = 0; lane < @LANES_OUT@ && !failed; lane = lane + 1) begin
                lane_keep = m_axis_tkeep[lane*OUT_KEEP +: OUT_KEEP];
                lane_data = m_axis_tdata[lane*OUT_DATA +: OUT_DATA];
                lane_user = lane_users[lane*@USER@ +: @USER@];
@UNUSED_USER@
                if (lane_keep === {OUT_KEEP{1'b1}})
                    compare_lane;
                else if ({lane_keep, lane_data, lane_user} !== {LANE{1'b0}}) begin
                    fail;
                    $display("lane %0d is not in use and not zero: tkeep %b, tuser %h, tdata %h",
                             lane, lane_keep, lane_user, lane_data);
                end else
                    hole = 1'b1;
            end
            if (!failed && m_axis_tkeep == 0) begin
                {alone, last, user, data} = items[came];
                if (came == ITEMS || !alone) begin
                    fail;
                    $display("an empty beat comes, which is not expected");
                end
@END_MARKS@
                ended = 1'b1;
                came  = came + 1;
            end
            if (!failed && m_axis_tlast !== ended) begin
                fail;
                $display("tlast is %b, expected %b", m_axis_tlast, ended);
            end
            if (!failed && SLOTS_OUT == 0 && m_axis_tuser !== {OUT_USER{ended && user[0]}}) begin
                fail;
                $display("tuser is %b, expected %b", m_axis_tuser, {OUT_USER{ended && user[0]}});
            end
            if (ended)
                frames = frames + 1;
        end
    endtask

    task compare;
        begin
            quiet = quiet + 1;
            if (m_axis_tvalid !== 1'b0 && m_axis_tvalid !== 1'b1) begin
                fail;
                $display("tvalid is %b", m_axis_tvalid);
            end else if (waits && (!m_axis_tvalid || beat !== waiting)) begin
                fail;
                $display("a beat changed that was offered and not taken");
            end else if (m_axis_tvalid && m_axis_tready) begin
                quiet = 0;
                compare_beat;
            end
            waits   = m_axis_tvalid && !m_axis_tready;
            waiting = beat;
@STATUS_CHECKS@
        end
    endtask

    initial begin
        while (!failed && (came < ITEMS || quiet < 100) && quiet < @PATIENCE@) begin
            @(posedge clk);
            if (!in_reset)
                compare;
            else if (cycle > 1 && (m_axis_tvalid !== 1'b0 || s_axis_tready !== 1'b0)) begin
                fail;
                $display("in reset, m_axis_tvalid is %b and s_axis_tready %b",
                         m_axis_tvalid, s_axis_tready);
            end
        end
@STATUS_END@
        if (!failed && came < ITEMS) begin
            fail;
            $display("nothing came for @PATIENCE@ cycles; %0d items are missing", ITEMS - came);
        end
        if (!failed) begin
            $display("PASS: %0d frames, %0d beats in, %0d items out, %0d cycles",
                     frames, BEATS, came, cycle);
            $finish;
        end else
`ifdef __ICARUS__
            $finish_and_return(1);
`else
            $stop;
`endif
    end
