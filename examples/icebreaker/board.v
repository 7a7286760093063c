// The scrubber on an iCEBreaker: pins, lights and the power-on reset. All else is in scrubber.v.

`default_nettype none

module board (
    input  wire       clk,      // 12 MHz
    input  wire       button_n, // low while it is pressed
    input  wire       rx,
    output wire       tx,
    output wire       green_n,  // octets come in
    output wire       red_n,    // octets were lost
    output wire [2:0] led       // kind of an error
);

    // Reset lasts for 15 cycles from the start, since the registers of an iCE40 begin at 0, and as
    // long as the button is pressed. The button is of any phase, so it passes two registers first.
    reg [1:0] pressed_reg = 2'b00;
    reg [3:0] start_reg = 4'd0;
    wire started = &start_reg;
    always @(posedge clk) begin
        pressed_reg <= {pressed_reg[0], !button_n};
        if (pressed_reg[1])
            start_reg <= 4'd0;
        else if (!started)
            start_reg <= start_reg + 4'd1;
    end

    wire       activity;
    wire       lost;
    scrubber scrubber (
        .clk        (clk),
        .rst        (!started),
        .rx         (rx),
        .tx         (tx),
        .activity   (activity),
        .lost       (lost),
        .error_kind (led)
    );

    assign green_n = !activity;
    assign red_n = !lost;

endmodule

`default_nettype wire
