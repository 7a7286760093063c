//! Decoders of several streams: a beat holds all slots that its unit makes certain, with the TID of the unit.
//!
//! ```text
//!            stages 1 and 2         slot            output
//!  units ──> of one stream    ──>  registers   ──>  skid    ──> slots
//!            │        ^            of two slots     buffer
//!            v        │
//!            states of the stream, in a layer around this module
//! ```
//!
//! Where there is one stream, the second slot of a unit waits for the next beat. Here the next beat is of another stream, so both go out in one
//! beat of two lanes: nothing of a stream is held but the open sequence.

use std::sync::Arc;

use super::judge::{Certain, certain_slots};
use super::slots::{EarlySlot, OwnSlot, UnitSlots, joined};
use super::stream_places::{SlotBeat, UnitOfBeat, places};
use super::unit::take_streams;
use crate::core::layers::passengers::{beat_in, beat_out};
use crate::core::layers::streams::{moves_out, sweeps_in};
use crate::core::shared::ports::{SlotsOut, slots_out, slots_out_ready, units_in};
use crate::core::shared::shown::Shown;
use crate::core::shared::tags::{Tag, TagStyle};
use crate::core::{CoreSpec, ErrorMode, is_long};
use crate::netlist::{Builder, Module, Signal, Stage};
use crate::stream::{Fields, connect, skid_buffer_ahead};

/// Builds the pipeline of a decoder of several streams; gives its latency in cycles, too.
pub(super) fn decoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let system = spec.system;
    let m = Builder::new(
        name,
        format!("{} decoder, one unit a cycle, errors by maximal subpart", system.title()),
    );
    let input = units_in(&m, 1, system.unit_bits());
    let passengers = beat_in(&m, spec);
    let m_axis_tready = slots_out_ready(&m);
    let sweeps = sweeps_in(&m);
    let (pace, beat) = take_streams(&m, input, sweeps);
    let Certain { stages, slots, code_bits } =
        certain_slots(&m, system, TagStyle::Codes(spec.on_error), beat, &pace);

    m.section("Signals of the beat, while its slots are found");
    let passengers = (1..=stages).fold(passengers, |passengers, stage| {
        pace.units().at(stage).data(&format!("passengers_{stage}_reg"), passengers)
    });
    m.section("Slot registers: all slots that the unit makes certain");
    let stage = pace.slots().at(stages + 1);
    let is_any = slots.early.map_or(slots.own.is, |early| early.is | slots.own.is);
    // Before the states are cleared, they may say that a head or a limb is due, or a sequence whole, which no unit has to confirm.
    let needs_states = is_long(system) || spec.on_error == ErrorMode::Drop;
    let is_any = if needs_states { is_any & !sweeps } else { is_any };
    let valid = stage.flag("slots_valid_reg", is_any);
    let last = stage.data("slots_last_reg", slots.frame_ends);
    let passengers = stage.data("slots_passengers_reg", passengers);
    let unit = (spec.position > 0).then(|| {
        let known = "positions are those of systems whose units begin slots";
        let [is, begins] = [slots.unit_valid, slots.begins].map(|flag| flag.expect(known));
        UnitOfBeat::new(stage, [is, begins, slots.frame_ends], slots.early.map(|early| early.is))
    });
    let lanes = lanes(&m, slots, code_bits, spec.lanes_out());
    let lanes: Vec<LaneSlot> = lanes.iter().map(|lane| lane.register(stage)).collect();
    let beat = SlotBeat { valid, last, unit };
    let places = places(&m, spec, &beat, &lanes, (stage, stages + 1));

    m.section(
        "Output: errors get U+FFFD; the skid buffer makes registers of all outputs, and of s_axis_tready",
    );
    let shown: Vec<Shown> = lanes
        .iter()
        .map(|lane| Shown::new((&m, lane.prefix()), lane.data, lane.tag.error, lane.keep, spec.on_error))
        .collect();
    let place_of = |lane: usize| places.as_ref().map(|places| places[lane]);
    let of_lanes = lanes.iter().zip(&shown).enumerate();
    let of_lanes = of_lanes.flat_map(|(at, (lane, shown))| lane.fields(shown).chain(place_of(at)));
    let payload = m.concat([last, passengers].into_iter().chain(of_lanes));
    let buffer = m.instance("output_skid", &skid_buffer_ahead(payload.width()));
    let out = connect(buffer, valid, payload, m_axis_tready);
    m.drive(pace.advance, out.ready.named("output_ready"));
    let advance_next = pace.advance_next().expect("the ready of the input is a register");
    m.drive(advance_next, buffer.output("s_ready_next").named("output_ready_next"));

    let mut fields = Fields::of(out.payload.named("output_beat"));
    let tlast = fields.next(last, "output_last");
    let passengers = fields.next(passengers, "output_passengers");
    let (mut keep, mut user, mut data, mut place) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, (lane, shown)) in lanes.iter().zip(&shown).enumerate() {
        let mut next = |signal, of: &str| fields.next(signal, &format!("output_{}_{of}", lane.name));
        keep.push(next(lane.keep, "keep"));
        user.push(lane.tag.user.map_or(m.lit(1, 0), |user| next(user, "user")));
        let error = shown.error.map(|error| next(error, "error"));
        let shown = Shown { error, data: shown.data.map(|data| next(data, "data")), ..*shown };
        data.push(shown.code_point(&m));
        place.extend(place_of(at).map(|place| fields.next(place, &format!("output_{}_place", lane.name))));
    }
    // In a system without sequences of several units, no slot comes before that of the unit.
    let lanes_out = spec.lanes_out();
    data.resize(lanes_out as usize, m.lit(1, 0));
    user.resize(lanes_out as usize, m.lit(1, 0));
    let place = places.map(|_| {
        place.resize(lanes_out as usize, m.lit(spec.place_bits(), 0));
        place
    });
    let tkeep = m.concat(keep.into_iter().rev()).zext(lanes_out);
    let tvalid = out.valid.named("output_valid");
    slots_out(&m, spec, SlotsOut { data, tkeep, user, place, tvalid, tlast, is_long: is_long(system) });
    beat_out(&m, passengers);
    moves_out(&m, pace.advance);
    if let Some(load) = pace.of_sequence() {
        m.carried_with(load, 1);
    }
    (m.built_trimmed(), stages + 2)
}

/// The names of the slots of two lanes.
const FIRST: &str = "first";
const SECOND: &str = "second";

/// A slot of a beat, in one lane.
#[derive(Clone, Copy)]
pub(super) struct LaneSlot<'m> {
    pub(super) name: &'static str,
    pub(super) keep: Signal<'m>,
    pub(super) tag: Tag<'m>,
    pub(super) data: Option<Signal<'m>>,
}

impl<'m> LaneSlot<'m> {
    /// The beginning of names of signals that each lane has; empty where there is one lane.
    fn prefix(&self) -> &'static str {
        match self.name {
            FIRST => "first_",
            SECOND => "second_",
            _ => "",
        }
    }

    /// The slot in registers.
    fn register(self, stage: Stage<'m>) -> Self {
        let Self { name, keep, tag, data } = self;
        Self {
            name,
            keep: stage.data(&format!("{name}_keep_reg"), keep),
            tag: tag.register(stage, name),
            data: data.map(|data| stage.data(&format!("{name}_data_reg"), data)),
        }
    }

    /// The bits of the slot that go through the output buffer.
    fn fields(&self, shown: &Shown<'m>) -> impl Iterator<Item = Signal<'m>> + use<'m> {
        [Some(self.keep), self.tag.user, shown.error, shown.data].into_iter().flatten()
    }
}

/// The slots of a unit in `count` lanes: the one that comes first, and, if there are two lanes, the unit's own after an early slot.
pub(super) fn lanes<'m>(
    m: &'m Builder,
    slots: UnitSlots<'m>,
    code_bits: u32,
    count: u32,
) -> Vec<LaneSlot<'m>> {
    let UnitSlots { early, own, .. } = slots;
    let data = joined(m, own, code_bits);
    let Some(early) = early else {
        return vec![LaneSlot { name: "slot", keep: own.keep, tag: own.tag, data }];
    };
    let EarlySlot { is, first, data: early_data, number, .. } = early;
    let data = data.map(|data| number.map_or(data, |number| number.replace(m, data)));
    let data = data.map(|data| early_data.map_or(data, |early| early.replace(m, data)));
    let name = if count > 1 { FIRST } else { "slot" };
    let first = LaneSlot { name, keep: is | own.keep, tag: first, data };
    if count == 1 {
        return vec![first];
    }
    // After an early slot no sequence is open, so the upper bits of the unit's own data are zero.
    let data = joined(m, OwnSlot { above: None, ..own }, code_bits);
    let keep = (is & own.is & own.keep).named("has_second").note("the unit makes two slots certain");
    // The lane is zero without a slot.
    let Tag { error, user, .. } = own.tag;
    let [error, user] = [error, user].map(|part| part.map(|part| part.when(keep)));
    let data = data.map(|data| data.when(keep));
    vec![first, LaneSlot { name: SECOND, keep, tag: Tag { error, user, ..own.tag }, data }]
}
