//! Transcoders of several lanes: a decoding half and an encoding half.
//!
//! ```text
//!  units ──> decoding half ──> slots, each in the lane of its last unit ──> encoding half ──> units
//! ```
//!
//! The enable of the decoding half is that of the encoding half's first stage, a register. So there is no buffer between the two. A slot before
//! those of the first lane can only be an error: a sequence that is cut short. The encoding half writes the replacement for it before the units
//! of the first lane.

use std::sync::Arc;

use super::decoder::{Half, half};
use super::encoder::{Beat, Slot, Source, Stages, code_bits};
use crate::core::shared::ports::{SLOT_DATA_BITS, SYSTEM_PORT, units_in_ready, units_of, units_out_ready};
use crate::core::{CoreSpec, System};
use crate::netlist::{Builder, Module};

/// Builds a transcoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn transcoder(spec: &CoreSpec, to: System, name: &str) -> (Arc<Module>, u32) {
    let (from, lanes) = (spec.system, spec.lanes as usize);
    let summary = format!("{} to {} transcoder, {lanes} units a cycle", from.title(), to.title());
    let m = Builder::new(name, summary);
    let input = units_of(&m, from, spec.lanes);
    let m_axis_tready = units_out_ready(&m);
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
