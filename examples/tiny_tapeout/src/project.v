/*
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A decoder of UTF-8 behind the pins of Tiny Tapeout.
 * The decoder is in utf_8_decoder_x1_async_low.v.
 */

`default_nettype none

module tt_um_utfhdl_utf8_decoder (
    input  wire [7:0] ui_in,    // the octet
    output wire [7:0] uo_out,   // the part of the slot that uio_in[4:3] asks for
    input  wire [7:0] uio_in,
    output wire [7:0] uio_out,
    output wire [7:0] uio_oe,   // 1 is an output
    input  wire       ena,      // always 1 while the design is powered
    input  wire       clk,
    input  wire       rst_n
);

    wire       put  = uio_in[0];
    wire       last = uio_in[1];
    wire       get  = uio_in[2];
    wire [1:0] part = uio_in[4:3];

    // Reset begins at once and ends in step with the clock.
    reg [1:0] released_reg;
    wire      released = released_reg[1];
    always @(posedge clk or negedge rst_n)
        if (!rst_n)
            released_reg <= 2'b00;
        else
            released_reg <= {released_reg[0], 1'b1};

    // The pins are of any phase: each strobe passes two registers before it counts. The octet is
    // stable by then.
    reg [1:0] put_reg;
    reg       taken_reg;  // the octet is taken, until put falls
    reg [2:0] get_reg;    // the third is high from when the slot is taken until get falls
    wire      s_axis_tready;
    always @(posedge clk or negedge released)
        if (!released) begin
            put_reg   <= 2'b00;
            taken_reg <= 1'b0;
            get_reg   <= 3'b000;
        end else begin
            put_reg   <= {put_reg[0], put};
            taken_reg <= put_reg[1] && (taken_reg || s_axis_tready);
            get_reg   <= {get_reg[1:0], get};
        end

    wire [31:0] m_axis_tdata;
    wire        m_axis_tkeep;
    wire [3:0]  m_axis_tuser;
    wire        m_axis_tvalid;
    wire        m_axis_tlast;
    utf_8_decoder_x1_async_low decoder (
        .clk           (clk),
        .rst_n         (released),
        .s_axis_tdata  (ui_in),
        .s_axis_tkeep  (1'b1),
        .s_axis_tvalid (put_reg[1] && !taken_reg),
        .s_axis_tready (s_axis_tready),
        .s_axis_tlast  (last),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tkeep  (m_axis_tkeep),
        .m_axis_tuser  (m_axis_tuser),
        .m_axis_tvalid (m_axis_tvalid),
        .m_axis_tready (get_reg[1] && !get_reg[2]),
        .m_axis_tlast  (m_axis_tlast)
    );

    wire valid = m_axis_tvalid && !get_reg[2];
    wire error = valid && m_axis_tuser != 4'd0;

    assign uo_out = part == 2'd0 ? m_axis_tdata[7:0]
                  : part == 2'd1 ? m_axis_tdata[15:8]
                  : part == 2'd2 ? m_axis_tdata[23:16]
                  : {m_axis_tlast, 3'b000, m_axis_tuser};
    assign uio_out = {error, valid, taken_reg, 5'b00000};
    assign uio_oe = 8'b11100000;

    // Every octet makes a slot or is part of one, so that no beat is empty. No code point has more
    // than 21 bits.
    wire unused = &{ena, uio_in[7:5], m_axis_tkeep, m_axis_tdata[31:24], 1'b0};

endmodule

`default_nettype wire
