//! Decoders of several lanes: a beat of units a cycle, and the slots that it makes certain, in the first lanes.

mod carry;
mod cesu_8;
mod compaction;
mod copies;
mod distances;
mod front;
mod gaps;
mod gearbox;
mod half;
mod history;
mod lanes;
mod lookahead;
mod output;
mod pipeline;
mod places;
mod plan;
mod prefix;
mod scan;
mod single;
mod slot;
mod utf_16;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod words;

use std::sync::Arc;

use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::{slots_out_ready, units_in, units_in_ready};
use crate::core::shared::single::Words;
use crate::core::spec::ErrorMode;
use crate::core::{CoreSpec, Packing, System};
use crate::netlist::{Builder, Module};
use cesu_8::Cesu8;
use front::Front;
pub(super) use half::{Half, half};
use pipeline::Pipeline;
pub(super) use pipeline::advance;
use plan::{Build, Placement, Plan};
use prefix::Prefix;
use single::Singles;
use utf_9::Utf9;
use utf_16::Utf16;
use utf_18::Utf18;

/// Builds a decoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn decoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let m = Builder::new(
        name,
        format!("{} decoder, {lanes} units a cycle, errors by maximal subpart", spec.system.title()),
    );
    let input = units_in(&m, spec.lanes, spec.system.unit_bits());
    let m_axis_tready = slots_out_ready(&m);
    let is_dense = spec.pack == Packing::Dense;
    let pipeline = Pipeline::new(&m, lanes, is_dense);
    units_in_ready(&m, pipeline.takes());
    let placement = if is_dense { Placement::Dense } else { Placement::First };
    let build = Build { steps: spec.pipeline, placement };
    let front = front(spec.system, spec.on_error, lanes, build);
    let plan = Plan::new(lanes, build, front.stages());
    let places = front.decode(&m, &input, &pipeline);
    let most = |place: usize| front.most_gaps(place);
    let gaps = gaps::gaps(&m, &places.ends, &most, places.first.is_some(), &plan, &pipeline);
    let carried = carry::carry(&m, &places, &gaps, &plan, &pipeline);
    let compacted = compaction::compact(&m, &places, &gaps, &carried, &most, &plan, &pipeline);
    let beat = output::Compacted { slots: compacted, carried: &carried };
    output::output(&m, front.layout(), spec.bus, beat, m_axis_tready, &plan, &pipeline);
    (m.built(), front.stages_before() + plan.latency())
}

/// The part that is the system's own.
fn front(system: System, on_error: ErrorMode, lanes: usize, build: Build) -> Box<dyn Front> {
    match system {
        System::Utf9 { max } => Box::new(Utf9::new(max.code_point(), on_error, lanes, build)),
        System::Utf18 => Box::new(Utf18::new(on_error, lanes, build)),
        System::Utf16 => Box::new(Utf16::new(None, on_error, lanes, build)),
        System::Utf16Octets { order, .. } => Box::new(Utf16::new(Some(order), on_error, lanes, build)),
        System::Cesu8 | System::Mutf8 => Box::new(Cesu8::new(system, on_error, lanes, build)),
        System::Latin1
        | System::Ascii
        | System::Ucs2
        | System::Ucs2Octets { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. } => {
            let words = Words::of(system).expect("each word is a code point or an error");
            Box::new(Singles::new(words, on_error, lanes, build))
        }
        System::CorrectedUtf8 { document: _ } => {
            let leads =
                Leads::new(SequenceForms::hunks(8, 6).with_offsets(), ErrorKind::Reserved).with_openers();
            Box::new(Prefix::new(leads, on_error, true, lanes, build))
        }
        System::UtfInf8 { digits } => {
            let leads = Leads::new(SequenceForms::hunks(8, 7), ErrorKind::Truncated).with_openers();
            Box::new(Prefix::with_tails(leads, digits, on_error, lanes, build))
        }
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. }
        | System::Wtf8 => Box::new(Prefix::new(Leads::of(system), on_error, false, lanes, build)),
    }
}
