//! The design of the example: text from a serial line to a serial line, with what is ill-formed replaced.
//!
//! ```text
//! rx -> uart_receiver -> elastic_buffer -> decoder -> replace -> encoder -> uart_transmitter -> tx
//! ```

use utfhdl_hdl::core::{Core, CoreError, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, ResetStyle, Signal};
use utfhdl_hdl::stream::{AxiBeat, connect, elastic_buffer};

use super::uart::{bits_for, receiver, transmitter};

/// Name of the top module.
pub const NAME: &str = "scrubber";

/// The settings of the design.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cycles of a bit on the serial lines.
    pub clocks_per_bit: u32,
    /// Cycles without a character after which the frame ends.
    pub idle_clocks: u32,
    /// Cycles for which a light shows what has happened.
    pub light_clocks: u32,
    /// The code point in place of an error. One that is written in more than one octet needs more time than the error may have
    /// taken: then octets can be lost, which `lost` shows.
    pub replacement: u32,
}

/// Cycles a second, on the board.
pub const CLOCK_HZ: u32 = 12_000_000;

impl Settings {
    /// The settings for the board, and a rate in bits a second. A clock that is off by at most 0.5 % is off by less than the
    /// [shortening](super::uart::shortening) of a stop bit makes up for. A frame ends after 87 ms without a character: longer than any pause
    /// that USB makes within a text.
    ///
    /// # Errors
    /// If the clock has no divider that comes within 0.5 % of the rate, or fewer than 8 cycles a bit.
    pub fn for_rate(rate: u32) -> Result<Self, String> {
        let clocks_per_bit = (CLOCK_HZ + rate / 2).checked_div(rate).unwrap_or(0);
        let most = CLOCK_HZ / 8;
        if !(1200..=most).contains(&rate) {
            return Err(format!("{rate} bits a second: the rate can be 1200 to {most}"));
        }
        let real = f64::from(CLOCK_HZ) / f64::from(clocks_per_bit);
        if (real / f64::from(rate) - 1.0).abs() > 0.005 {
            return Err(format!(
                "{rate} bits a second: a clock of 12 MHz comes to {real:.0} at the nearest, which is off by more than 0.5 %"
            ));
        }
        Ok(Self { clocks_per_bit, idle_clocks: 1 << 20, light_clocks: 1 << 21, replacement: u32::from('?') })
    }
}

/// The design, with a synchronous reset.
///
/// # Errors
/// If a core does not exist, which would be a mistake here.
pub fn design(settings: Settings) -> Result<Design, CoreError> {
    let Settings { clocks_per_bit, idle_clocks, light_clocks, replacement } = settings;
    let decoder = Core::new(CoreSpec::new(System::Utf8, Role::Decoder))?.design.part();
    let encoder = Core::new(CoreSpec::new(System::Utf8, Role::Encoder))?.design.part();

    let m = Builder::new(
        NAME,
        "Text in UTF-8 from a serial line to a serial line. What is ill-formed is replaced.",
    );
    m.port_group("Serial lines");
    let rx = m.input("rx", 1, "line to receive from, of any phase");

    m.section("Octets come in");
    let receive = m.instance("receive", &receiver(clocks_per_bit)).input("line", rx);
    let octet_valid = receive.output("octet_valid");

    m.section("A line that stays idle ends the frame: a sequence that is cut short there is an error");
    let is_open = m.reg("is_open_reg", 1).reset(0).note("octets came in since the last frame ended");
    let idle = m.reg("idle_reg", bits_for(idle_clocks)).reset(0).note("cycles without a character");
    let is_idle = idle.q.is(u64::from(idle_clocks)).named("is_idle");
    let still = idle.q + (!is_idle).zext(idle.q.width());
    idle.next(still.when(!receive.output("receiving")));
    let ends = (is_open.q & is_idle).named("frame_ends");

    m.section("Octets, and ends of frames, wait for the decoder");
    let queue = m.instance("queue", &elastic_buffer(1 + 8));
    let decoder_ready = m.wire("decoder_ready", 1);
    let octet = m.concat([ends, receive.output("octet")]);
    let queued = connect(queue, octet_valid | ends, octet, decoder_ready);
    is_open.next(octet_valid | is_open.q & !(ends & queued.ready));

    m.section("Octets to code points");
    let decode = m.instance("decode", &decoder);
    let is_end = queued.payload.bit(8);
    let unit = AxiBeat {
        tdata: queued.payload.bits(0..8),
        tkeep: !is_end,
        tuser: None,
        tvalid: queued.valid,
        tlast: is_end,
    };
    m.drive(decoder_ready, unit.offer_to(decode));

    m.section("Errors become the replacement");
    let slot = AxiBeat::offered_by(decode);
    let kind = slot.tuser.expect("slots have tuser");
    let is_error = (slot.tkeep & kind.any()).named("is_error");
    let replaced = AxiBeat {
        tdata: is_error.mux(m.lit(32, u64::from(replacement)), slot.tdata),
        tuser: Some(m.lit(4, 0)),
        ..slot
    };

    m.section("Code points to octets");
    let encode = m.instance("encode", &encoder);
    let encoder_ready = replaced.offer_to(encode);
    decode.input("m_axis_tready", encoder_ready);

    m.section("Octets go out; a beat without one is the end of a frame, which a serial line does not show");
    let send = m.instance("send", &transmitter(clocks_per_bit));
    send.input("octet_valid", encode.output("m_axis_tvalid") & encode.output("m_axis_tkeep"));
    send.input("octet", encode.output("m_axis_tdata"));
    encode.input("m_axis_tready", send.output("octet_ready"));

    m.section("Lights");
    let lost = m.reg("lost_reg", 1).reset(0);
    lost.next(lost.q | receive.output("framing_error") | octet_valid & !queued.ready);
    let passes = (is_error & slot.tvalid & encoder_ready).named("error_passes");
    let last_kind = m.reg("last_kind_reg", 3).reset(0);
    last_kind.next_when(passes, kind.bits(0..3));
    let light = |name: &str, event: Signal<'_>| {
        let left = m.reg(&format!("{name}_left_reg"), bits_for(light_clocks)).reset(0);
        let full = m.lit(left.q.width(), u64::from(light_clocks));
        left.next(event.mux(full, left.q - left.q.any().zext(left.q.width())));
        left.q.any().named(name)
    };
    let activity = light("activity_light", octet_valid);
    let error = light("error_light", passes);

    m.port_group("Serial lines");
    m.output("tx", send.output("line"), "line to send to");
    m.port_group("Lights, active high");
    m.output("activity", activity, "octets came in just now");
    m.output("lost", lost.q, "octets were lost since reset, or had no stop bit");
    m.output("error_kind", last_kind.q.when(error), "0, or the kind of an error just now: 1 to 6");
    Ok(Design { top: m.built(), reset: ResetStyle::SyncHigh })
}
