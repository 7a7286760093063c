//! The output of a decoder core: errors get U+FFFD, and a skid buffer makes registers of all outputs and moves the
//! pipeline.

use super::lines::Lines;
use super::pipeline::DecodePipeline;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::core::shared::shown::Shown;
use crate::core::{CoreSpec, is_long};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, connect, skid_buffer, skid_buffer_ahead};

/// Connects the output to `pipeline`, declares its ports, and drives the enables of the pipeline.
pub(super) fn output<'m>(
    m: &'m Builder,
    pipeline: DecodePipeline<'m>,
    spec: &CoreSpec,
    m_axis_tready: Signal<'m>,
    pace: &Pace<'m>,
) {
    let slot = pipeline.slot;
    let lines = Lines::new(m, spec);
    let place = lines.place(&slot);
    m.section(
        "Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of s_axis_tready",
    );
    let shown = Shown::new((m, ""), slot.data, slot.tag.error, slot.keep, spec.on_error);
    let fields = [Some(slot.last), Some(slot.keep), slot.tag.user, place, shown.error, shown.data];
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
    // Positions alone have the name of what they are.
    let name = if spec.line + spec.column > 0 { "output_place" } else { "output_position" };
    let place = place.map(|place| vec![fields.next(place, name)]);
    let shown = Shown {
        lane: shown.lane,
        error: shown.error.map(|error| fields.next(error, "output_error")),
        data: shown.data.map(|data| fields.next(data, "output_data")),
    };
    let data = vec![shown.code_point(m)];
    let tvalid = out.valid.named("output_valid");
    let is_long = is_long(spec.system);
    slots_out(m, spec, SlotsOut { data, tkeep, user: vec![user], place, tvalid, tlast, is_long });
    lines.count(&slot, out.ready);
}
