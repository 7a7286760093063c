//! The last registers of a decoder core: U+FFFD is put into errors, and a skid buffer sets the pace of all stages.

use super::pace::Pace;
use super::slots::Slot;
use crate::core::ports::{SlotsOut, slots_out};
use crate::core::spec::OnError;
use crate::netlist::{Builder, Signal};
use crate::stream::{connect, skid_buffer, skid_buffer_ahead};

/// The code point of an error.
const REPLACEMENT: u64 = 0xfffd;
/// Bits of [`REPLACEMENT`].
const REPLACEMENT_BITS: u32 = 16;
/// From this bit on, all of them are ones.
const LOWEST_ONES: u32 = 2;

/// Puts the output registers behind `slot` and declares the ports. Their buffer sets the pace.
pub(super) fn output<'m>(
    m: &'m Builder,
    slot: Slot<'m>,
    on_error: OnError,
    m_axis_tready: Signal<'m>,
    pace: &Pace<'m>,
) {
    m.section(
        "Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of s_axis_tready",
    );
    let shown = Shown::new(m, &slot, on_error);
    let fields = [Some(slot.last), Some(slot.keep), slot.tag.user, shown.error, shown.data];
    let payload = m.concat(fields.into_iter().flatten());
    let block = match pace.advance_next() {
        Some(_) => skid_buffer_ahead(payload.width()),
        None => skid_buffer(payload.width()),
    };
    let buffer = m.instance("output_skid", &block);
    let out = connect(buffer, slot.valid, payload, m_axis_tready);
    m.drive(pace.advance, out.ready.named("output_ready"));
    if let Some(advance_next) = pace.advance_next() {
        m.drive(advance_next, buffer.output("s_ready_next").named("output_ready_next"));
    }

    let beat = out.payload.named("output_beat");
    let mut end = beat.width();
    let mut field = |signal: Signal<'m>| {
        end -= signal.width();
        beat.bits(end..end + signal.width())
    };
    let (tlast, tkeep) = (field(slot.last), field(slot.keep));
    let user = slot.tag.user.map_or(m.lit(1, 0), &mut field);
    let shown = Shown { error: shown.error.map(&mut field), data: shown.data.map(&mut field) };
    let data = vec![shown.code_point(m)];
    slots_out(m, SlotsOut { data, tkeep, user: vec![user], tvalid: out.valid.named("output_valid"), tlast });
}

/// What a slot shows on `tdata`.
struct Shown<'m> {
    /// The low bits; `None` if they are always zero.
    data: Option<Signal<'m>>,
    /// That it is an error, where [`REPLACEMENT`] has bits above them.
    error: Option<Signal<'m>>,
}

impl<'m> Shown<'m> {
    fn new(m: &'m Builder, slot: &Slot<'m>, on_error: OnError) -> Self {
        let data = slot.data.map(|data| {
            // What is dropped may hold something all the same.
            let data = if on_error == OnError::Drop { data.when(slot.keep) } else { data };
            let Some(error) = slot.tag.error else { return data.named("shown_data") };
            let replacement = m.lit(REPLACEMENT_BITS, REPLACEMENT);
            let replacement = match data.width() < REPLACEMENT_BITS {
                true => replacement.bits(0..data.width()),
                false => replacement.zext(data.width()),
            };
            error.mux(replacement, data).named("shown_data")
        });
        let is_narrow = data.map_or(0, Signal::width) < REPLACEMENT_BITS;
        Self { data, error: slot.tag.error.filter(|_| is_narrow) }
    }

    fn code_point(&self, m: &'m Builder) -> Signal<'m> {
        let low = self.data.map_or(0, Signal::width);
        let above = self.error.into_iter().flat_map(|error| {
            let ones = error.repeat((REPLACEMENT_BITS - low.max(LOWEST_ONES)) as usize).named("replacement");
            let others = (low..LOWEST_ONES).rev().map(move |bit| match REPLACEMENT >> bit & 1 {
                1 => error,
                _ => m.lit(1, 0),
            });
            [ones].into_iter().chain(others)
        });
        let parts: Vec<Signal> = above.chain(self.data).collect();
        if parts.is_empty() { m.lit(1, 0) } else { m.concat(parts) }
    }
}
