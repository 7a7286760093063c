module harness (
    input  wire clk,
    input  wire din,
    output reg  dout
);

    reg  [12:0] shift;
    reg  [12:0] in;
    wire [39:0] out;
    reg  [39:0] held_0;
    reg  [11:0] held_1;
    reg  [3:0] held_2;
    integer i;

    utf_8_decoder_x1 core (
        .clk(clk),
        .rst(in[0]),
        .s_axis_tdata(in[8:1]),
        .s_axis_tkeep(in[9:9]),
        .s_axis_tvalid(in[10:10]),
        .s_axis_tlast(in[11:11]),
        .s_axis_tready(out[0:0]),
        .m_axis_tdata(out[32:1]),
        .m_axis_tkeep(out[33:33]),
        .m_axis_tuser(out[37:34]),
        .m_axis_tvalid(out[38:38]),
        .m_axis_tlast(out[39:39]),
        .m_axis_tready(in[12:12])
    );

    always @(posedge clk) begin
        shift <= {shift[11:0], din};
        in <= shift ^ {shift[0], shift[12:1]} ^ {shift[2:0], shift[12:3]};
        held_0 <= out;
        for (i = 0; i < 10; i = i + 1) held_1[i] <= ^held_0[4*i +: 4];
        held_1[11:10] <= 0;
        for (i = 0; i < 3; i = i + 1) held_2[i] <= ^held_1[4*i +: 4];
        held_2[3:3] <= 0;
        dout <= ^held_2;
    end

endmodule
