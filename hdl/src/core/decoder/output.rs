//! The last registers of a decoder core: a skid buffer that puts U+FFFD into errors on the way.

use std::sync::Arc;

use super::pace::Pace;
use super::slots::Slot;
use crate::core::ports::{SlotsOut, slots_out};
use crate::netlist::{Builder, Module, Signal, Stage};

/// The code point of an error.
const REPLACEMENT: u64 = 0xfffd;
/// Bits of [`REPLACEMENT`].
const REPLACEMENT_BITS: u32 = 16;

/// Puts the output registers behind `slot` and declares the ports. Their buffer sets the pace.
pub(super) fn output<'m>(m: &'m Builder, slot: Slot<'m>, m_axis_tready: Signal<'m>, pace: &Pace<'m>) {
    m.section(
        "Output: the skid buffer makes registers of all outputs, and of s_axis_tready; errors get U+FFFD",
    );
    let fields: Vec<Signal> = [slot.last, slot.keep].into_iter().chain(slot.tag.user).collect();
    // What must not go out as it is: errors, or where those are dropped, slots that are none.
    let (blank, value, least_bits) = match slot.tag.error {
        Some(error) => (error, REPLACEMENT, REPLACEMENT_BITS),
        None => (!slot.keep, 0, 0),
    };
    let data_bits = slot.data.map_or(0, Signal::width).max(least_bits);
    let data = slot.data.map(|data| {
        // Of these, both: only one is blanked on the way.
        let data = if slot.drops_errors && slot.tag.error.is_some() { data.when(slot.keep) } else { data };
        data.zext(data_bits)
    });
    let blanked = (data_bits > 0).then_some(Blanked { bits: data_bits, data, blank, value });
    let out = slot_skid(m, slot.valid, m.concat(fields.iter().copied()), blanked, m_axis_tready, pace);
    let beat = out.beat.named("output_beat");
    let last = beat.width() - 1;
    slots_out(
        m,
        SlotsOut {
            data: vec![out.data.map_or(m.lit(1, 0), |data| data.named("output_data"))],
            tkeep: beat.bit(last - 1),
            user: vec![slot.tag.user.map_or(m.lit(1, 0), |_| beat.bits(0..last - 1))],
            tvalid: out.valid.named("output_valid"),
            tlast: beat.bit(last),
        },
    );
}

/// Data in place of which a constant may go out.
struct Blanked<'m> {
    bits: u32,
    /// `None` if it is always zero.
    data: Option<Signal<'m>>,
    /// One bit: the constant goes out.
    blank: Signal<'m>,
    value: u64,
}

/// What comes out of the buffer.
struct Out<'m> {
    valid: Signal<'m>,
    beat: Signal<'m>,
    data: Option<Signal<'m>>,
}

/// Puts a slot skid buffer into the core.
fn slot_skid<'m>(
    m: &'m Builder,
    valid: Signal<'m>,
    beat: Signal<'m>,
    blanked: Option<Blanked<'m>>,
    taken: Signal<'m>,
    pace: &Pace<'m>,
) -> Out<'m> {
    let shape = Shape {
        beat_bits: beat.width(),
        data: blanked.as_ref().map(|blanked| (blanked.bits, blanked.data.is_some(), blanked.value)),
        tells_next: pace.advance_next().is_some(),
    };
    let buffer = m.instance("output_skid", &slot_skid_block(&shape));
    buffer.input("s_valid", valid).input("s_beat", beat).input("m_ready", taken);
    m.drive(pace.advance, buffer.output("s_ready").named("output_ready"));
    if let Some(advance_next) = pace.advance_next() {
        m.drive(advance_next, buffer.output("s_ready_next").named("output_ready_next"));
    }
    let data = blanked.map(|Blanked { data, blank, .. }| {
        buffer.input("s_blank", blank);
        if let Some(data) = data {
            buffer.input("s_data", data);
        }
        buffer.output("m_data")
    });
    Out { valid: buffer.output("m_valid"), beat: buffer.output("m_beat"), data }
}

/// What a slot skid buffer has.
struct Shape {
    beat_bits: u32,
    /// Bits of the data, whether any comes in, and what stands for it where it is blank.
    data: Option<(u32, bool, u64)>,
    /// There is an output for the ready of the next cycle.
    tells_next: bool,
}

/// A skid buffer for slots: as [`skid_buffer`](crate::stream::skid_buffer), but where `s_blank` is 1, a constant goes out for
/// the data. So choosing between the two registers and blanking are one step.
fn slot_skid_block(shape: &Shape) -> Arc<Module> {
    let m = Builder::new(
        format!("slot_skid_w{}", shape.beat_bits + shape.data.map_or(0, |(bits, ..)| bits)),
        "Two registers between valid/ready neighbours: every output is a register, so that no path leads through. The \
         slot that arrives while ready is still falling skids into the second register. Where s_blank is high, a \
         constant goes out for the data. Holds two slots, adds one cycle, never a bubble.",
    );
    m.port_group("Upstream");
    let s_valid = m.input("s_valid", 1, "a slot is offered");
    let s_beat = m.input("s_beat", shape.beat_bits, "what it is");
    let s_blanked = shape.data.map(|(bits, has_data, value)| {
        let blank = m.input("s_blank", 1, "its data is not to go out");
        let data = has_data.then(|| m.input("s_data", bits, "its data"));
        Blanked { bits, data, blank, value }
    });
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "the slot is taken");

    let ready = m.reg("ready_reg", 1).reset(0).note("room for a slot: nothing has skidded");
    let valid = m.reg("valid_reg", 1).reset(0);
    let skid_valid = m.reg("skid_valid_reg", 1).reset(0);
    let accept = (s_valid & ready.q).named("accept");
    let load = (!valid.q | m_ready).named("load").note("the first register is empty, or emptied now");
    let skids = (!load & (skid_valid.q | accept)).named("skids").note("the second register is in use");
    valid.next(!load | skid_valid.q | accept);
    skid_valid.next(skids);
    ready.next(!skids);

    // While there is room, whatever is on the bus may be kept: only `skid_valid` says that it counts.
    let either = Either { skid: m.stage(ready.q), skid_valid: skid_valid.q };
    let output = m.stage(load);
    let beat = output.data("beat_reg", either.of("skid_beat_reg", s_beat));
    let data = s_blanked.map(|Blanked { bits, data, blank, value }| {
        let blank = either.of("skid_blank_reg", blank).named("blank");
        let data = data.map_or(m.lit(bits, 0), |data| either.of("skid_data_reg", data));
        output.data("data_reg", blank.mux(m.lit(bits, value), data))
    });

    m.port_group("Upstream");
    m.output("s_ready", ready.q, "the slot is taken");
    if shape.tells_next {
        m.output("s_ready_next", !skids, "a slot is taken in the next cycle; not a register");
    }
    m.port_group("Downstream");
    m.output("m_valid", valid.q, "a slot is offered");
    m.output("m_beat", beat, "what it is");
    if let Some(data) = data {
        m.output("m_data", data, "its data");
    }
    m.built()
}

/// What has skidded, if something has, else what is offered.
struct Either<'m> {
    skid: Stage<'m>,
    skid_valid: Signal<'m>,
}

impl<'m> Either<'m> {
    /// With a register of this name for what skids.
    fn of(&self, name: &str, offered: Signal<'m>) -> Signal<'m> {
        self.skid_valid.mux(self.skid.data(name, offered), offered)
    }
}
