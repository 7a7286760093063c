//! The output of a decoder: the code points of errors, and the buffer that makes registers of all outputs.

use std::collections::BTreeMap;

use super::carry::Carried;
use super::compaction::Placed;
use super::front::{Front, Placement};
use super::gearbox::{Beat, pack};
use super::pipeline::{Pipeline, Waits};
use super::positions::Ways;
use super::slot::Layout;
use crate::core::Bus;
use crate::core::lanes::section;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::netlist::{Builder, Signal, Stage};
use crate::stream::{Fields, skid_buffer};

/// Lanes that share an output buffer: what is taken or not decides over each bit of it, so the net that says so is short.
const LANES_OF_BUFFER: usize = 8;

/// The slots that go out.
pub(super) struct Slots<'a, 'm> {
    /// The slots in their lanes, in stage `at`.
    pub(super) compacted: Vec<Placed<'m>>,
    pub(super) at: u32,
    /// The offsets of the slots within their beat, and the bits of a position, in a decoder that has positions.
    pub(super) positions: Option<(&'a Ways<'m>, u32)>,
}

/// A lane of the output.
struct LaneOut<'m> {
    keep: Signal<'m>,
    user: Option<Signal<'m>>,
    position: Option<Signal<'m>>,
    data: Signal<'m>,
}

/// Adds the output registers for the slots, and declares the ports. Gives the latency of the core.
/// Where steps share a stage, the output buffer does its work with that of the last step.
pub(super) fn output<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    bus: Bus,
    carried: &Carried<'m>,
    Slots { compacted: slots, at, positions }: Slots<'_, 'm>,
    m_axis_tready: Signal<'m>,
    pipeline: &Pipeline<'m>,
) -> u32 {
    let (layout, spread) = (&front.layout, &front.spread);
    let units_wait = carried.first.as_ref().map(|first| first.second_next.signal());
    let of_slots = pipeline.stage_of_slots();
    let compacted = Beat {
        present: carried.present.on(of_slots).called("present").flag().at(at),
        last: carried.last.on(of_slots).called("ends_frame").at(at),
        slots,
    };
    let compacted = match positions {
        Some((ways, bits)) => ways.positions(m, compacted, bits, pipeline),
        None => compacted,
    };
    let (Beat { present, last, slots }, slots_wait) = match spread.placement {
        Placement::Dense => {
            let packed = pack(m, &compacted, spread, pipeline);
            (packed.beat, Some(packed.waits_next))
        }
        Placement::First | Placement::InPlace => (compacted, None),
    };

    let at = present.stage();
    if spread.shares_stages() && spread.placement != Placement::Dense {
        m.fold(m.folded().with(at + 1));
    }
    section(m, at, "errors get U+FFFD");
    let stage = pipeline.stage_of_beats();
    let last = last.on(stage).at(at + 1).signal();
    // The buffer also takes a beat in the cycle after reset, so none may be present there.
    let present = present.signal() & !pipeline.flush();
    let present = if m.folded().has(at + 1) {
        present.named("is_present")
    } else {
        let register = m.reg(&format!("present_{}_reg", m.folded().number(at + 1)), 1).reset(0);
        register.at_stage(at + 1).next_when(stage.enable, present);
        register.q
    };
    let bits = positions.map(|(_, bits)| bits);
    let shown = shown(m, layout, &slots, bits, |lane| pipeline.stage_of_beats_at(lane).at(at + 1));

    section(m, at + 1, "a buffer makes registers of all outputs");
    let buffered = buffered(m, &shown, [present, last, m_axis_tready], spread.lanes);
    let Buffered { keep, mut data, mut user, mut position, tvalid, tlast } = buffered;
    let tkeep = m.concat(keep.into_iter().rev()).zext(spread.lanes as u32);
    // Lanes that no slot can be in.
    data.resize(spread.lanes, m.lit(1, 0));
    user.resize(spread.lanes, m.lit(1, 0));
    let position = bits.map(|bits| {
        position.resize(spread.lanes, m.lit(bits, 0));
        position
    });
    m.section("The pace");
    pipeline.drive(present, m_axis_tready, Waits { units: units_wait, slots: slots_wait });
    slots_out(m, SlotsOut { data, tkeep, user, position, tvalid, tlast, is_long: layout.has_parts, bus });
    m.folded().number(at + 2)
}

/// What the slots show, in the stage that `stage` gives the registers of. In the high bits of a slot, there are `position_bits` of its
/// position.
fn shown<'m>(
    m: &'m Builder,
    layout: &Layout,
    slots: &[Placed<'m>],
    position_bits: Option<u32>,
    stage: impl Fn(usize) -> Stage<'m>,
) -> Vec<LaneOut<'m>> {
    let of_lane = |(lane, &(keep, slot)): (usize, &Placed<'m>)| {
        let (slot, position) = match position_bits {
            Some(bits) => {
                let end = slot.width() - bits;
                (slot.bits(0..end), Some(slot.bits(end..slot.width())))
            }
            None => (slot, None),
        };
        let (user, data) = layout.shown(m, lane, slot);
        let at_shown = |what: &str, signal| stage(lane).data(&format!("shown_{what}_{lane}_reg"), signal);
        LaneOut {
            keep: at_shown("keep", keep),
            user: user.map(|user| at_shown("user", user)),
            position: position.map(|position| at_shown("position", position)),
            data: at_shown("data", data),
        }
    };
    slots.iter().enumerate().map(of_lane).collect()
}

/// The outputs of the buffers, for each lane that a slot can be in.
struct Buffered<'m> {
    keep: Vec<Signal<'m>>,
    data: Vec<Signal<'m>>,
    user: Vec<Signal<'m>>,
    /// Empty without positions.
    position: Vec<Signal<'m>>,
    tvalid: Signal<'m>,
    tlast: Signal<'m>,
}

/// Buffers a beat, which is `present` and ends its frame if `last`.
fn buffered<'m>(
    m: &'m Builder,
    shown: &[LaneOut<'m>],
    [present, last, m_axis_tready]: [Signal<'m>; 3],
    lanes: usize,
) -> Buffered<'m> {
    let groups = lanes.div_ceil(LANES_OF_BUFFER);
    let (mut keep, mut data, mut user, mut position) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut closes, mut blocks) = (None, BTreeMap::new());
    for (index, lanes) in shown.chunks(LANES_OF_BUFFER).enumerate() {
        let lanes: Vec<(usize, &LaneOut)> = (index * LANES_OF_BUFFER..).zip(lanes).collect();
        let fields =
            |&(_, out): &(usize, &LaneOut<'m>)| [Some(out.keep), out.user, out.position, Some(out.data)];
        let ends = (index == 0).then_some(last);
        let payload = m.concat(ends.into_iter().chain(lanes.iter().rev().flat_map(fields).flatten()));
        let name = if groups == 1 { "output_skid".to_owned() } else { format!("output_skid_{index}") };
        let block = blocks.entry(payload.width()).or_insert_with(|| skid_buffer(payload.width()));
        let buffer = m.instance(&name, block).lane(index * LANES_OF_BUFFER);
        buffer.input("s_valid", present).input("s_payload", payload).input("m_ready", m_axis_tready);
        let mut fields = Fields::of(buffer.output("m_payload").named(&format!("{name}_beat")));
        if let Some(last) = ends {
            let tlast = fields.next(last, "output_last");
            closes = Some((buffer.output("m_valid").named("output_valid"), tlast));
        }
        let taken = lanes.iter().rev().map(|&(lane, out)| {
            let keep = fields.next(out.keep, &format!("output_keep_{lane}"));
            let user = out.user.map_or(m.lit(1, 0), |user| fields.next(user, &format!("output_user_{lane}")));
            let position =
                out.position.map(|position| fields.next(position, &format!("output_position_{lane}")));
            (keep, user, position, fields.next(out.data, &format!("output_data_{lane}")))
        });
        for (lane_keep, lane_user, lane_position, lane_data) in taken.collect::<Vec<_>>().into_iter().rev() {
            keep.push(lane_keep);
            user.push(lane_user);
            position.extend(lane_position);
            data.push(lane_data);
        }
    }
    let (tvalid, tlast) = closes.expect("there are lanes");
    Buffered { keep, data, user, position, tvalid, tlast }
}
