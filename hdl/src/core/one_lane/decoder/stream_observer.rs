//! The observer of a core of one lane and several streams: it decodes units, and counts all slots that a unit makes certain in one cycle.

use std::sync::Arc;

use super::judge::{Certain, certain_slots};
use super::streams::lanes;
use super::unit::take_units;
use crate::core::layers::streams::{moves_out, sweeps_in, tid_in};
use crate::core::shared::ports::units_in;
use crate::core::shared::tags::TagStyle;
use crate::core::spec::ErrorMode;
use crate::core::status::{
    Counted, KIND_BITS, LATENCY_OF_STREAMS, Place, Sums, TALLY_LATENCY, TallyStreams, joined_lanes, observed,
    status_ready, tally,
};
use crate::core::{CoreSpec, Role};
use crate::netlist::{Builder, Module};

/// Builds the observer as a module called `name`; gives the cycles from a frame's last beat to its status, too.
pub(in crate::core::one_lane) fn observer_of_streams(name: &str, spec: &CoreSpec) -> (Arc<Module>, u32) {
    let system = spec.system;
    let m = Builder::new(name, format!("{} decoder that counts the slots of each frame", system.title()));
    let input = units_in(&m, 1, system.unit_bits());
    let (tid, sweeps) = (tid_in(&m, spec), sweeps_in(&m));
    let status_tready = status_ready(&m);
    let (pace, beat) = take_units(&m, system, input, false);
    let pace = pace.of_streams();
    let flagged = CoreSpec { role: Role::Decoder, on_error: ErrorMode::Flag, ..*spec };
    let Certain { stages, slots, code_bits } =
        certain_slots(&m, system, TagStyle::Codes(flagged.on_error), beat, &pace);

    m.section("The slots as numbers");
    let is_slot = slots.early.map_or(slots.own.is, |early| early.is | slots.own.is);
    let [unit_valid, begins] = [slots.unit_valid, slots.begins].map(|flag| flag.expect("units begin slots"));
    let valid = (unit_valid | slots.frame_ends).named("unit_or_end");
    let last = slots.frame_ends;
    // The error of the sequence before the unit comes before a slot of the unit.
    let is_after = slots.early.and_then(|early| Some(early.first.error? & early.is));
    let sums: Vec<Sums> = lanes(&m, slots, code_bits, flagged.lanes_out())
        .iter()
        .map(|lane| {
            let keep = (lane.keep & is_slot).named(&format!("{}_counts", lane.name));
            if let Some(data) = lane.data {
                Sums::unused(data, 0, &format!("unused_{}_data", lane.name));
            }
            let kind = lane.tag.user.unwrap_or(m.lit(KIND_BITS, 0));
            Sums::of_slot(&m, keep, lane.tag.error, kind, lane.data)
        })
        .collect();
    let stage = pace.slots();
    let (sums, stages_of_sums) = joined_lanes(&m, sums, stage);

    m.section("The unit, while its slots are added up");
    let delayed = |name: &str, signal, is_flag: bool, stages: u32| {
        (1..=stages).fold(signal, |signal, at| {
            let name = format!("{name}_{at}_reg");
            if is_flag { stage.flag(&name, signal) } else { stage.data(&name, signal) }
        })
    };
    let of_unit = |name: &str, signal| delayed(name, signal, false, stages_of_sums);
    let place = Place::Unit {
        is: of_unit("unit", unit_valid),
        begins: of_unit("begins", begins),
        is_after: is_after.map_or(m.lit(1, 0), |is_after| of_unit("is_after", is_after)),
        is_next: m.lit(1, 0),
        word: 0,
    };
    let Sums { numbers, error, kind, .. } = sums;
    let counted = Counted {
        valid: delayed("beat_valid", valid, true, stages_of_sums),
        last: of_unit("ends_frame", last),
        numbers,
        error,
        kind,
        clears: None,
        place,
    };
    let tid = delayed("tid", tid, false, stages + stages_of_sums);
    let status = tally(&m, counted, Some(TallyStreams { tid, sweeps }), status_tready);
    m.drive(pace.advance, status.ready.named("tally_ready"));
    observed(&m, &status);
    moves_out(&m, pace.advance);
    if let Some(load) = pace.of_sequence() {
        m.carried_with(load, 1);
    }
    (m.built_trimmed(), stages + stages_of_sums + TALLY_LATENCY + LATENCY_OF_STREAMS)
}
