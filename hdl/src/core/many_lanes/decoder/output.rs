//! The output of a decoder: the code points of errors, and the buffer that makes registers of all outputs.

use super::carry::Carried;
use super::compaction::Placed;
use super::front::{Front, Placement};
use super::gearbox::{Beat, pack};
use super::pipeline::{Pipeline, Waits};
use super::positions::Ways;
use super::slot::Layout;
use crate::core::Bus;
use crate::core::lanes::section;
use crate::core::many_lanes::buffers::{Buffered, Field};
use crate::core::many_lanes::output_skid::skid_buffered;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::netlist::{Builder, Signal, Stage};

/// The slots that go out.
pub(super) struct Slots<'a, 'm> {
    /// The slots in their lanes, in stage `at`.
    pub(super) compacted: Vec<Placed<'m>>,
    pub(super) at: u32,
    /// The offsets of the slots within their beat, and the bits of a position, in a decoder that has positions.
    pub(super) positions: Option<(&'a Ways<'m>, u32)>,
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
    let Buffered { tvalid, of_beat, lanes } = skid_buffered(m, [present, last, m_axis_tready], &shown);
    let tkeep = m.concat(lanes.iter().rev().map(|of| of[0])).zext(spread.lanes as u32);
    let has_user = shown[0].iter().any(|&(name, _)| name == "user");
    let user = |of: &Vec<Signal<'m>>| if has_user { of[1] } else { m.lit(1, 0) };
    let mut user: Vec<Signal> = lanes.iter().map(user).collect();
    let mut data: Vec<Signal> = lanes.iter().map(|of| of[of.len() - 1]).collect();
    // Lanes that no slot can be in.
    data.resize(spread.lanes, m.lit(1, 0));
    user.resize(spread.lanes, m.lit(1, 0));
    let position = bits.map(|bits| {
        let mut position: Vec<Signal> = lanes.iter().map(|of| of[of.len() - 2]).collect();
        position.resize(spread.lanes, m.lit(bits, 0));
        position
    });
    m.section("The pace");
    pipeline.drive(present, m_axis_tready, Waits { units: units_wait, slots: slots_wait });
    let tlast = of_beat[0];
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
) -> Vec<Vec<Field<'m>>> {
    let of_lane = |(lane, &(keep, slot)): (usize, &Placed<'m>)| {
        let (slot, position) = match position_bits {
            Some(bits) => {
                let end = slot.width() - bits;
                (slot.bits(0..end), Some(slot.bits(end..slot.width())))
            }
            None => (slot, None),
        };
        let (user, data) = layout.shown(m, lane, slot);
        let fields = [("keep", Some(keep)), ("user", user), ("position", position), ("data", Some(data))];
        let register = |(what, signal): (&'static str, Option<Signal<'m>>)| {
            Some((what, stage(lane).data(&format!("shown_{what}_{lane}_reg"), signal?)))
        };
        fields.into_iter().filter_map(register).collect()
    };
    slots.iter().enumerate().map(of_lane).collect()
}
