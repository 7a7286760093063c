//! Transcoders of several lanes: a decoding half and an encoding half.
//!
//! ```text
//!  units ──> decoding half ──> slots, each in the lane of its last unit ──> encoding half ──> units
//! ```
//!
//! The enable of the decoding half is that of the encoding half's first stage, a register. So there is no buffer between the two. A slot before
//! those of the first lane can only be an error: a sequence that is cut short. The encoding half writes the replacement for it before the units
//! of the first lane.
//!
//! Octets of sets of several can make several slots certain that are before those of the first lane. Their decoding half is a whole decoder, with a
//! buffer at its output.

use std::sync::Arc;

use super::decoder::{Half, decoder, half, spills};
use super::encoder::{Beat, Slot, Source, Stages, code_bits};
use crate::core::shared::ports::{
    SLOT_DATA_BITS, SLOT_USER_BITS, SYSTEM_PORT, UnitsIn, units_in_ready, units_of, units_out_ready,
};
use crate::core::spec::ErrorMode;
use crate::core::{CoreSpec, Role, System};
use crate::netlist::{Builder, Design, Module, Signal};

/// Builds a transcoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn transcoder(spec: &CoreSpec, to: System, name: &str) -> (Arc<Module>, u32) {
    let (from, lanes) = (spec.system, spec.lanes as usize);
    let summary = format!("{} to {} transcoder, {lanes} units a cycle", from.title(), to.title());
    let m = Builder::new(name, summary);
    let input = units_of(&m, from, spec.lanes);
    let m_axis_tready = units_out_ready(&m);
    if spills(from, ErrorMode::Flag) {
        let latency = after_decoder(&m, spec, to, &input, m_axis_tready);
        return (m.built(), latency);
    }
    let most_bits = code_bits(to).max(SLOT_DATA_BITS);
    let Half { module, latency, advances, places, slot_bits, has_errors, has_cuts, .. } =
        half(from, spec.lanes, spec.pipeline, Some(most_bits));
    let stages = Stages::new(&m, to, spec, Source::Half { has_errors, has_cuts, slot_bits });
    units_in_ready(&m, stages.takes());

    m.section("Units to slots");
    let half = m
        .instance("decode", &module)
        .part()
        .input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tlast", input.tlast);
    if let Some(system) = input.system {
        half.input(SYSTEM_PORT, system);
    }
    for (port, lane) in &advances {
        half.input(port, stages.loads_at(*lane));
    }
    let slot = |place: usize| match place < places {
        true => Slot {
            keep: half.output(&format!("m_keep_{place}")),
            data: half.output(&format!("m_data_{place}")).zext(slot_bits),
            what: has_errors.then(|| half.output(&format!("m_error_{place}"))),
        },
        // Words of octets are fewer than octets.
        false => Slot { keep: m.lit(1, 0), data: m.lit(slot_bits, 0), what: has_errors.then(|| m.lit(1, 0)) },
    };
    let beat = Beat {
        offered: half.output("m_valid").named("slots_valid"),
        last: half.output("m_last").named("slots_last"),
        slots: (0..lanes).map(slot).collect(),
        cut_before: has_cuts.then(|| half.output("m_cut_before").named("is_cut_before")),
    };
    let encoding = stages.encode(beat, m_axis_tready);
    (m.built(), latency + encoding)
}

/// A decoder, and the encoding half after it. Gives the latency of both.
fn after_decoder<'m>(
    m: &'m Builder,
    spec: &CoreSpec,
    to: System,
    input: &UnitsIn<'m>,
    m_axis_tready: Signal<'m>,
) -> u32 {
    let of_decoder = CoreSpec { lanes: spec.lanes, ..CoreSpec::new(spec.system, Role::Decoder) };
    let (top, latency) = decoder(&of_decoder, "decode");
    let module = Design { top, reset: spec.reset }.part();
    let (data_bits, lanes) = (of_decoder.bus.data_bits(), spec.lanes);
    let source = Source::Half { has_errors: true, has_cuts: false, slot_bits: data_bits };
    let stages = Stages::new(m, to, spec, source);
    m.section("Units to slots");
    let decode = m
        .instance("decode", &module)
        .part()
        .input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tlast", input.tlast)
        .input("m_axis_tready", stages.takes());
    if let Some(system) = input.system {
        decode.input(SYSTEM_PORT, system);
    }
    units_in_ready(m, decode.output("s_axis_tready"));
    let [data, keep, user] = [("tdata", "slots"), ("tkeep", "slots_kept"), ("tuser", "kinds_of_slots")]
        .map(|(port, name)| decode.output(&format!("m_axis_{port}")).named(name));
    let slot = |lane: u32| Slot {
        keep: keep.bit(lane),
        data: data.bits(lane * data_bits..(lane + 1) * data_bits),
        what: Some(user.bits(lane * SLOT_USER_BITS..(lane + 1) * SLOT_USER_BITS).any()),
    };
    let beat = Beat {
        offered: decode.output("m_axis_tvalid").named("slots_valid"),
        last: decode.output("m_axis_tlast").named("slots_last"),
        slots: (0..lanes).map(slot).collect(),
        cut_before: None,
    };
    latency + stages.encode(beat, m_axis_tready)
}
