//! The output of a decoder: the code points of errors, and the buffer that makes registers of all outputs.

use super::carried::{Beside, Carried};
use super::compaction::Placed;
use super::front::{Front, Placement};
use super::gearbox::{Beat, pack};
use super::lines::Lines;
use super::pipeline::{Pipeline, Waits};
use super::positions::Ways;
use super::slot::Layout;
use super::spill::spill;
use crate::core::lanes::{At, section};
use crate::core::layers::passengers::beat_out;
use crate::core::many_lanes::buffers::{Buffered, Field};
use crate::core::many_lanes::output_fifo::{Second, fifo_buffered};
use crate::core::many_lanes::output_skid::skid_buffered;
use crate::core::shared::ports::{SlotsOut, slots_out};
use crate::core::{CoreSpec, Stall};
use crate::netlist::{Builder, Signal, Stage};

/// The slots that go out.
pub(super) struct Slots<'a, 'm> {
    /// The slots in their lanes, in stage `at`.
    pub(super) compacted: Vec<Placed<'m>>,
    pub(super) at: u32,
    /// The offsets of the slots within their beat, in a decoder that has positions.
    pub(super) ways: Option<&'a Ways<'m>>,
    /// The signals that go with each beat, in a decoder of several streams.
    pub(super) passengers: Option<At<'m>>,
}

/// Adds the output registers for the slots, and declares the ports. Gives the latency of the core.
/// Where steps share a stage, the output buffer does its work with that of the last step.
pub(super) fn output<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    spec: &CoreSpec,
    carried: &Carried<'m>,
    Slots { compacted: mut slots, at, ways, passengers }: Slots<'_, 'm>,
    [s_axis_tvalid, m_axis_tready]: [Signal<'m>; 2],
    pipeline: &Pipeline<'m>,
) -> u32 {
    let (layout, spread, stall) = (&front.layout, &front.spread, spec.stall);
    let units_wait = carried.first.as_ref().and_then(|first| first.second_next);
    let units_wait = units_wait.map(|second| [second.if_moved.signal(), second.if_not.signal()]);
    let of_slots = pipeline.stage_of_slots();
    if let Some(first) = carried.first.as_ref().filter(|_| pipeline.is_of_streams()) {
        let holds = first.has_no_room.on(of_slots).called("has_no_room").at(at);
        let slot = front.slots.end().called("slot_after").at(at).masked(holds).signal();
        // The offset is that of the last lane, in the stage after that in which slots are made.
        let offset = ways.map(|ways| {
            let offset = ways.of_places.last().expect("there are lanes");
            At::new(of_slots, *offset, front.sums_at() + 1).called("offset_after").at(at).signal()
        });
        slots.push((holds.signal(), m.concat(offset.into_iter().chain([slot]))));
    }
    let compacted = Beat {
        present: carried.present.on(of_slots).called("present").flag().at(at),
        last: carried.last.on(of_slots).called("ends_frame").at(at),
        slots,
    };
    let beat = match ways {
        Some(ways) => ways.positions(m, compacted, spec.position, pipeline),
        None => compacted,
    };
    let compacted = Lines { spec, layout, beat, pipeline }.added(m);
    let (Beat { present, last, slots }, slots_wait) = match spread.placement {
        Placement::Dense => {
            let packed = pack(m, &compacted, spread, pipeline);
            (packed.beat, Some(packed.waits_next))
        }
        Placement::First if spread.lanes > spec.lanes as usize => {
            let packed = spill(m, &compacted, spec.lanes as usize, pipeline);
            (packed.beat, Some(packed.waits_next))
        }
        Placement::First | Placement::InPlace => (compacted, None),
    };

    let at = present.stage();
    if (spread.shares_stages() || pipeline.never_waits()) && spread.placement != Placement::Dense {
        m.fold(m.folded().with(at + 1));
    }
    section(m, at, "errors get U+FFFD");
    let stage = pipeline.stage_of_beats();
    let last = last.on(stage).at(at + 1).signal();
    let present = offered(m, carried, present, (stall, slots.len()), pipeline);
    let bits = Some(spec.place_bits()).filter(|&bits| bits > 0);
    let shown = shown(m, layout, &slots, bits, |lane| pipeline.stage_of_beats_at(lane).at(at + 1));

    let latency = m.folded().number(at + 2);
    let passengers = passengers.map(|signals| signals.on(stage).at(at + 1).signal());
    let of_beat: Vec<Field> =
        [("last", last)].into_iter().chain(passengers.map(|signals| ("passengers", signals))).collect();
    let buffers = || section(m, at + 1, "a buffer makes registers of all outputs");
    let (buffered, latency) = match stall {
        Stall::Enable => {
            m.section("The pace");
            let waits = Waits { units: units_wait, slots: slots_wait };
            let (held, offers) = pipeline.drive(&present, m_axis_tready, waits, shown.len());
            buffers();
            (skid_buffered(m, (&held, offers), m_axis_tready, &of_beat, &shown), latency)
        }
        Stall::Credit(storage) => {
            buffers();
            let second = carried.beside.map(|beside| second(m, front, beside, shown[0].len(), at, pipeline));
            let fifo = (storage, latency + 2);
            (fifo_buffered(m, fifo, [present[0], m_axis_tready], &of_beat, second, &shown), latency + 2)
        }
    };
    let Buffered { tvalid, of_beat, lanes, is_first } = buffered;
    let lanes_out = spec.lanes_out();
    let tkeep = m.concat(lanes.iter().rev().map(|of| of[0])).zext(lanes_out);
    let has_user = shown[0].iter().any(|&(name, _)| name == "user");
    let user = |of: &Vec<Signal<'m>>| if has_user { of[1] } else { m.lit(1, 0) };
    let mut user: Vec<Signal> = lanes.iter().map(user).collect();
    let mut data: Vec<Signal> = lanes.iter().map(|of| of[of.len() - 1]).collect();
    // Lanes that no slot can be in.
    data.resize(lanes_out as usize, m.lit(1, 0));
    user.resize(lanes_out as usize, m.lit(1, 0));
    let place = bits.map(|bits| {
        let mut place: Vec<Signal> = lanes.iter().map(|of| of[of.len() - 2]).collect();
        place.resize(lanes_out as usize, m.lit(bits, 0));
        place
    });
    if let Some(gone) = carried.gone {
        m.section("The pace");
        let gone = (gone.on(of_slots).signal() & !pipeline.flush()).named("beat_gone");
        pipeline.drive_by_credits(latency, [s_axis_tvalid, m_axis_tready, gone], (tvalid, is_first));
    }
    let tlast = of_beat[0];
    slots_out(m, spec, SlotsOut { data, tkeep, user, place, tvalid, tlast, is_long: layout.has_parts });
    if let [_, passengers] = of_beat[..] {
        beat_out(m, passengers);
    }
    latency
}

/// A beat is there for the buffer; for each group of lanes, or for all.
fn offered<'m>(
    m: &'m Builder,
    carried: &Carried<'m>,
    present: At<'m>,
    (stall, lanes): (Stall, usize),
    pipeline: &Pipeline<'m>,
) -> Vec<Signal<'m>> {
    let at = present.stage();
    if let Stall::Credit(_) = stall {
        let arrives = m.reg("arrives_reg", 1).reset(0).at_stage(at);
        let before = carried.present.on(pipeline.stage_of_slots()).at(at - 1);
        arrives.next(before.signal() & !pipeline.flush());
        return vec![arrives.q];
    }
    if m.folded().has(at + 1) {
        return vec![(present.signal() & !pipeline.flush()).named("is_present")];
    }
    let name = format!("present_{}", m.folded().number(at + 1));
    pipeline.present(&name, lanes, |lane| pipeline.stage_of_beats_at(lane).at(at + 1), present.signal())
}

/// The second beat of each entry: whether there is one, whether it ends its frame, and the fields of its only slot, of which there are
/// `fields`; all in stage `at + 1`.
fn second<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    Beside { follows, holds, last }: Beside<'m>,
    fields: usize,
    at: u32,
    pipeline: &Pipeline<'m>,
) -> Second<'m> {
    let stage = pipeline.stage_of_slots().at(at + 1);
    let [follows, holds_here, last] = [follows, holds, last].map(|signal| signal.at(at));
    let slot = front.slots.end().called("slot_beside").at(at).masked(holds_here);
    let (user, data) = front.layout.shown(m, "beside", slot.signal());
    let slot: Vec<Signal> = [Some(holds_here.signal()), user, Some(data)].into_iter().flatten().collect();
    assert_eq!(slot.len(), fields, "the fields of a lane");
    let register = |(index, field)| stage.data(&format!("beside_{index}_reg"), field);
    let slot = slot.into_iter().enumerate().map(register).collect();
    Second {
        follows: stage.data("follows_reg", follows.signal()),
        last: stage.data("ends_beside_reg", last.signal()),
        slot,
    }
}

/// The fields of each lane, in the stage that `stage` gives the registers of. The high `place_bits` of a slot are its place.
fn shown<'m>(
    m: &'m Builder,
    layout: &Layout,
    slots: &[Placed<'m>],
    place_bits: Option<u32>,
    stage: impl Fn(usize) -> Stage<'m>,
) -> Vec<Vec<Field<'m>>> {
    let of_lane = |(lane, &(keep, slot)): (usize, &Placed<'m>)| {
        let (slot, place) = match place_bits {
            Some(bits) => {
                let end = slot.width() - bits;
                (slot.bits(0..end), Some(slot.bits(end..slot.width())))
            }
            None => (slot, None),
        };
        let (user, data) = layout.shown(m, &lane.to_string(), slot);
        let fields = [("keep", Some(keep)), ("user", user), ("position", place), ("data", Some(data))];
        let register = |(what, signal): (&'static str, Option<Signal<'m>>)| {
            Some((what, stage(lane).data(&format!("shown_{what}_{lane}_reg"), signal?)))
        };
        fields.into_iter().filter_map(register).collect()
    };
    slots.iter().enumerate().map(of_lane).collect()
}
