//! The output of a decoder core: errors get U+FFFD, and a skid buffer makes registers of all outputs and moves the
//! pipeline.

use super::pipeline::DecodePipeline;
use crate::core::Bus;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::core::shared::shown::Shown;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, connect, skid_buffer, skid_buffer_ahead};

/// Connects the output to `pipeline`, declares its ports, and drives the enables of the pipeline. If the core `is_long`,
/// some slots are heads and limbs.
pub(super) fn output<'m>(
    m: &'m Builder,
    pipeline: DecodePipeline<'m>,
    on_error: ErrorMode,
    (is_long, bus): (bool, Bus),
    m_axis_tready: Signal<'m>,
    pace: &Pace<'m>,
) {
    let slot = pipeline.slot;
    m.section(
        "Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of s_axis_tready",
    );
    let shown = Shown::new(m, slot.data, slot.tag.error, slot.keep, on_error);
    let fields = [Some(slot.last), Some(slot.keep), slot.tag.user, slot.position, shown.error, shown.data];
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

    let mut fields = Fields::of(out.payload.named("output_beat"));
    let tlast = fields.next(slot.last, "output_last");
    let tkeep = fields.next(slot.keep, "output_keep");
    let user = slot.tag.user.map_or(m.lit(1, 0), |user| fields.next(user, "output_user"));
    let position = slot.position.map(|position| vec![fields.next(position, "output_position")]);
    let shown = Shown {
        error: shown.error.map(|error| fields.next(error, "output_error")),
        data: shown.data.map(|data| fields.next(data, "output_data")),
    };
    let data = vec![shown.code_point(m)];
    let tvalid = out.valid.named("output_valid");
    slots_out(m, SlotsOut { data, tkeep, user: vec![user], position, tvalid, tlast, is_long, bus });
}
