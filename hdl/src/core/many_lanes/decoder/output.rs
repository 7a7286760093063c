//! The output of a decoder: the code points of errors, the beat behind one that overflows, and the buffer that sets the pace.

use super::carry::Carried;
use super::compaction::Compacted;
use super::logic::masked;
use super::pipeline::{Pipeline, delay, delay_flag};
use super::plan::Plan;
use super::slot::Layout;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, connect, skid_buffer, skid_buffer_ahead};

/// A lane of the output.
struct LaneOut<'m> {
    keep: Signal<'m>,
    user: Option<Signal<'m>>,
    data: Signal<'m>,
}

/// Puts the output registers behind the slots and declares the ports.
pub(super) fn output<'m>(
    m: &'m Builder,
    layout: &Layout,
    slots: &Compacted<'m>,
    carried: &Carried<'m>,
    m_axis_tready: Signal<'m>,
    plan: &Plan,
    pipeline: &Pipeline<'m>,
) {
    let stage = pipeline.stage();
    m.section(format!("Stages {} to {}: what is known of the beat", plan.sums, plan.placed));
    let present = delay_flag(stage, "present", carried.present, plan.sums, plan.placed);
    let last = delay(stage, "last", carried.last, plan.sums, plan.placed);
    let overflows = carried.first.as_ref().map(|first| {
        let before = delay_flag(stage, "overflows", first.overflows, plan.sums, plan.placed - 1);
        let now = delay_flag(stage, "overflows", before, plan.placed - 1, plan.placed);
        (before, now, delay(stage, "holds_over", first.holds_over, plan.sums, plan.placed))
    });

    m.section("Output: errors get U+FFFD; the buffer makes registers of all outputs");
    let ready = m.wire("output_ready", 1).note("the buffer takes a beat");
    let ready_next =
        slots.over.is_some().then(|| m.wire("output_ready_next", 1).note("it takes one in the next cycle"));
    let (lanes, last) = match (overflows, &slots.over, ready_next) {
        (Some((overflows_next, overflows, holds_over)), Some(over), Some(ready_next)) => {
            // A beat that overflows stays for a second one, which holds what had no room.
            let second = m.reg("second_reg", 1).reset(0).note("the beat went out: what had no room follows");
            let second_next = ready.mux(overflows & !second.q, second.q).named("second_next");
            second.next(second_next);
            let advance = m.reg("advance_reg", 1).reset(0);
            let stays = pipeline.advance.mux(overflows_next, overflows).named("stays_for_second");
            advance.next(ready_next & (!stays | second_next));
            m.drive(pipeline.advance, advance.q);
            let holds_second = second.q & holds_over;
            let takes_over = over.alone.map_or(holds_second, |alone| holds_second | alone);
            let takes_over =
                takes_over.named("takes_over").note("what stands behind the lanes goes into the first");
            let lanes: Vec<(Signal, Signal)> = slots
                .lanes
                .iter()
                .enumerate()
                .map(|(lane, &(keep, slot))| match lane {
                    0 => (
                        keep & !second.q | takes_over,
                        masked(slot, !second.q) | masked(over.slot, takes_over),
                    ),
                    _ => (keep & !second.q, masked(slot, !second.q)),
                })
                .collect();
            (lanes, last & (second.q | !overflows))
        }
        _ => {
            m.drive(pipeline.advance, ready);
            (slots.lanes.clone(), last)
        }
    };
    let shown: Vec<LaneOut> = lanes
        .into_iter()
        .enumerate()
        .map(|(lane, (keep, slot))| {
            let slot = slot.named(&format!("out_{lane}"));
            let (user, data) = layout.shown(m, lane, slot);
            LaneOut { keep, user, data }
        })
        .collect();
    let tkeep = m.concat(shown.iter().rev().map(|lane| lane.keep));
    let lanes = shown.iter().rev().flat_map(|lane| [lane.user, Some(lane.data)].into_iter().flatten());
    let payload = m.concat([last, tkeep].into_iter().chain(lanes));
    let looks_ahead = slots.over.is_some();
    let block = if looks_ahead { skid_buffer_ahead(payload.width()) } else { skid_buffer(payload.width()) };
    let buffer = m.instance("output_skid", &block);
    let out = connect(buffer, present, payload, m_axis_tready);
    m.drive(ready, out.ready);
    if let Some(ready_next) = ready_next {
        m.drive(ready_next, buffer.output("s_ready_next"));
    }

    let mut fields = Fields::of(out.payload.named("output_beat"));
    let tlast = fields.next(last, "output_last");
    let held = fields.next(tkeep, "output_keep");
    let (mut data, mut user) = (Vec::new(), Vec::new());
    for (lane, out) in shown.iter().enumerate().rev() {
        user.push(out.user.map_or(m.lit(1, 0), |user| fields.next(user, &format!("output_user_{lane}"))));
        data.push(fields.next(out.data, &format!("output_data_{lane}")));
    }
    data.reverse();
    user.reverse();
    let tkeep = held.zext(plan.lanes as u32);
    // Lanes that no slot can stand in.
    data.resize(plan.lanes, m.lit(1, 0));
    user.resize(plan.lanes, m.lit(1, 0));
    slots_out(
        m,
        SlotsOut {
            data,
            tkeep,
            user,
            tvalid: out.valid.named("output_valid"),
            tlast,
            is_long: layout.has_parts,
        },
    );
}
