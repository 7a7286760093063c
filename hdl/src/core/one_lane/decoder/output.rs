//! The last registers of a decoder core: U+FFFD is put into errors, and a skid buffer sets the pace of all stages.

use super::slots::SlotRegister;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::core::shared::shown::Shown;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};
use crate::stream::{connect, skid_buffer, skid_buffer_ahead};

/// Puts the output registers behind `slot` and declares the ports. Their buffer sets the pace.
pub(super) fn output<'m>(
    m: &'m Builder,
    slot: SlotRegister<'m>,
    on_error: ErrorMode,
    m_axis_tready: Signal<'m>,
    pace: &Pace<'m>,
) {
    m.section(
        "Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of s_axis_tready",
    );
    let shown = Shown::new(m, slot.data, slot.tag.error, slot.keep, on_error);
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
