//! Decoders of several lanes: a beat of units a cycle, and the slots that it makes certain, in the first lanes.

mod carry;
mod compaction;
mod gaps;
mod history;
mod logic;
mod output;
mod pipeline;
mod places;
mod plan;
mod prefix;
mod slot;

use std::sync::Arc;

use crate::core::CoreSpec;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::{slots_out_ready, units_in, units_in_ready};
use crate::netlist::{Builder, Module};
use pipeline::Pipeline;
use prefix::Prefix;

/// Builds a decoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn decoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let m = Builder::new(
        name,
        format!("{} decoder, {lanes} units a cycle, errors by maximal subpart", spec.system.title()),
    );
    let input = units_in(&m, spec.lanes, spec.system.unit_bits());
    let m_axis_tready = slots_out_ready(&m);
    let pipeline = Pipeline::new(&m);
    units_in_ready(&m, pipeline.advance);
    let forms = SequenceForms::of(spec.system).expect("its lead units tell the length");
    let prefix = Prefix::new(Leads::new(forms, ErrorKind::Invalid), spec.on_error, lanes);
    let plan = prefix.plan();
    let places = prefix.decode(&m, &input, &pipeline);
    let most = |units: usize| prefix.most_gaps(units);
    let gaps = gaps::gaps(&m, &places.ends, &most, places.first.is_some(), &plan, &pipeline);
    let carried = carry::carry(&m, &places, &gaps, &plan, &pipeline);
    let compacted = compaction::compact(&m, &places, &gaps, &carried, &most, &plan, &pipeline);
    output::output(&m, prefix.layout(), &compacted, &carried, m_axis_tready, &plan, &pipeline);
    (m.built(), plan.latency())
}
