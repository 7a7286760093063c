//! The output of a decoder: the code points of errors, and the buffer that makes registers of all outputs.

use std::collections::BTreeMap;

use super::carry::Carried;
use super::compaction::Placed;
use super::gearbox::{Beat, pack};
use super::pipeline::{Pipeline, Waits, delay, delay_flag};
use super::plan::Plan;
use super::slot::Layout;
use crate::core::Bus;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, skid_buffer};

/// Lanes that share an output buffer: what is taken or not decides over each bit of it, so the net that says so is short.
const LANES_OF_BUFFER: usize = 8;

/// A lane of the output.
struct LaneOut<'m> {
    keep: Signal<'m>,
    user: Option<Signal<'m>>,
    data: Signal<'m>,
}

/// The slots of a beat in the first lanes.
pub(super) struct Compacted<'a, 'm> {
    pub(super) slots: Vec<Placed<'m>>,
    pub(super) carried: &'a Carried<'m>,
}

impl<'m> Compacted<'_, 'm> {
    /// The beat, as of stage `plan.placed`.
    fn beat(self, m: &'m Builder, plan: &Plan, pipeline: &Pipeline<'m>) -> Beat<'m> {
        let stage = pipeline.stage_of_slots();
        m.stages_section(plan.slots, plan.placed, "what is known of the beat");
        Beat {
            present: delay_flag(stage, "present", self.carried.present, plan.sums, plan.placed),
            last: delay(stage, "ends_frame", self.carried.last, plan.sums, plan.placed),
            slots: self.slots,
        }
    }
}

/// Puts the output registers behind the slots and declares the ports.
pub(super) fn output<'m>(
    m: &'m Builder,
    layout: &Layout,
    bus: Bus,
    compacted: Compacted<'_, 'm>,
    m_axis_tready: Signal<'m>,
    plan: &Plan,
    pipeline: &Pipeline<'m>,
) {
    let units_wait = compacted.carried.first.as_ref().map(|first| first.second_next);
    let beat = compacted.beat(m, plan, pipeline);
    let (Beat { present, last, slots }, slots_wait) = match plan.merged == plan.placed {
        true => (beat, None),
        false => {
            let packed = pack(m, &beat, plan, pipeline);
            (packed.beat, Some(packed.waits_next))
        }
    };

    m.stage_section(plan.merged, "errors get U+FFFD");
    let stage = pipeline.stage_of_beats();
    let last = delay(stage, "ends_frame", last, plan.merged, plan.shown);
    // The buffer also takes a beat in the cycle behind reset, so none may be present there.
    let present_at_shown = m.reg(&format!("present_{}_reg", plan.shown), 1).reset(0);
    present_at_shown.next_when(stage.enable, present & !pipeline.flush());
    let present = present_at_shown.q;
    let shown: Vec<LaneOut> = slots
        .iter()
        .enumerate()
        .map(|(lane, &(keep, slot))| {
            let (user, data) = layout.shown(m, lane, slot);
            let stage = pipeline.stage_of_beats_at(lane);
            let at_shown = |what: &str, signal| stage.data(&format!("shown_{what}_{lane}_reg"), signal);
            LaneOut {
                keep: at_shown("keep", keep),
                user: user.map(|user| at_shown("user", user)),
                data: at_shown("data", data),
            }
        })
        .collect();

    m.section("Output: a buffer makes registers of all outputs");
    let groups = plan.lanes.div_ceil(LANES_OF_BUFFER);
    let (mut keep, mut data, mut user) = (Vec::new(), Vec::new(), Vec::new());
    let (mut closes, mut blocks) = (None, BTreeMap::new());
    for (index, lanes) in shown.chunks(LANES_OF_BUFFER).enumerate() {
        let lanes: Vec<(usize, &LaneOut)> = (index * LANES_OF_BUFFER..).zip(lanes).collect();
        let fields = |&(_, out): &(usize, &LaneOut<'m>)| [Some(out.keep), out.user, Some(out.data)];
        let ends = (index == 0).then_some(last);
        let payload = m.concat(ends.into_iter().chain(lanes.iter().rev().flat_map(fields).flatten()));
        let name = if groups == 1 { "output_skid".to_owned() } else { format!("output_skid_{index}") };
        let block = blocks.entry(payload.width()).or_insert_with(|| skid_buffer(payload.width()));
        let buffer = m.instance(&name, block);
        buffer.input("s_valid", present).input("s_payload", payload).input("m_ready", m_axis_tready);
        let mut fields = Fields::of(buffer.output("m_payload").named(&format!("{name}_beat")));
        if let Some(last) = ends {
            let tlast = fields.next(last, "output_last");
            closes = Some((buffer.output("m_valid").named("output_valid"), tlast));
        }
        let taken = lanes.iter().rev().map(|&(lane, out)| {
            let keep = fields.next(out.keep, &format!("output_keep_{lane}"));
            let user = out.user.map_or(m.lit(1, 0), |user| fields.next(user, &format!("output_user_{lane}")));
            (keep, user, fields.next(out.data, &format!("output_data_{lane}")))
        });
        for (lane_keep, lane_user, lane_data) in taken.collect::<Vec<_>>().into_iter().rev() {
            keep.push(lane_keep);
            user.push(lane_user);
            data.push(lane_data);
        }
    }
    let (tvalid, tlast) = closes.expect("there are lanes");
    let tkeep = m.concat(keep.into_iter().rev()).zext(plan.lanes as u32);
    // Lanes that no slot can stand in.
    data.resize(plan.lanes, m.lit(1, 0));
    user.resize(plan.lanes, m.lit(1, 0));
    m.section("The pace");
    pipeline.drive(present, m_axis_tready, Waits { units: units_wait, slots: slots_wait });
    slots_out(m, SlotsOut { data, tkeep, user, tvalid, tlast, is_long: layout.has_parts, bus });
}
