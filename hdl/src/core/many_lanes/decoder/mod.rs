//! Decoders of several lanes: a beat of units a cycle, and the slots that it makes certain, in the first lanes.

mod auto;
mod beside;
mod carried;
mod carry;
pub(super) mod cesu_8;
mod compaction;
mod distances;
mod front;
mod gaps;
mod gearbox;
mod half;
pub(super) mod indexed;
mod lines;
mod offsets;
mod output;
mod pipeline;
mod positions;
pub(super) mod prefix;
mod single;
mod skipped;
pub(super) mod slot;
mod spill;
mod utf_16;
mod utf_18;
pub(super) mod utf_9;
pub(super) mod utf_inf_8;
mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::core::lanes::{At, Beat};
use crate::core::layers::passengers::beat_in;
use crate::core::layers::streams::{moves_out, sweeps_in};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::magic_number::UTF_8_MARK;
use crate::core::shared::ports::{UnitsIn, slots_out_ready, units_in_ready, units_of};
use crate::core::shared::single::Words;
use crate::core::spec::ErrorMode;
use crate::core::{CoreSpec, Packing, Stall, System, decoded_only, software_only};
use crate::netlist::{Builder, Folded, Module, Signal};
use front::Front;
pub(super) use front::{Build, Placement};
pub(super) use half::{Half, half};
use output::Slots;
pub(super) use pipeline::{Held, Pipeline, Waits};
use prefix::Shape;
use utf_inf_8::Tails;

/// Builds a decoder core as a module called `name`; gives its latency in cycles too.
pub(super) fn decoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let m = Builder::new(
        name,
        format!("{} decoder, {lanes} units a cycle, errors by maximal subpart", spec.system.title()),
    );
    let is_dense = spec.pack == Packing::Dense;
    let spills = spills(spec.system, spec.on_error);
    let placement = if is_dense { Placement::Dense } else { Placement::First };
    let positions = spec.position > 0;
    let build = Build { lanes, steps: spec.pipeline, placement, positions, drops_mark: true, kinds: true };
    m.fold(folded(spec.system, spec.on_error, build));
    let input = units_of(&m, spec.system, spec.lanes);
    let passengers = (spec.streams > 0).then(|| beat_in(&m, spec));
    let m_axis_tready = slots_out_ready(&m);
    let pipeline = match spec.streams {
        0 => Pipeline::new(&m, lanes, is_dense || spills),
        _ => Pipeline::of_streams(&m, lanes, sweeps_in(&m)),
    };
    let pipeline = pipeline.stalled_by(spec.stall);
    let passengers = passengers.map(|signals| At::new(pipeline.stage(), signals, 0).called("passengers"));
    let tvalid = input.tvalid;
    let input = UnitsIn { tvalid: pipeline.accepted(tvalid), ..input };
    units_in_ready(&m, pipeline.takes());
    let front = front(spec.system, spec.on_error, build, &input, &pipeline);
    front.mark();
    let gaps = gaps::gaps(&m, &front, &pipeline);
    let carried = carry::carry(&m, &front, &gaps, &pipeline);
    let ways = positions::ways(&m, &front, &carried, &pipeline);
    let offsets = ways.as_ref().map(|ways| (&ways.of_places[..], ways.of_first));
    let (compacted, at) = compaction::compact(&m, &front, &gaps, &carried, offsets, &pipeline);
    let slots = Slots { compacted, at, ways: ways.as_ref(), passengers };
    let latency = output::output(&m, &front, spec, &carried, slots, [tvalid, m_axis_tready], &pipeline);
    if spec.streams > 0 && !pipeline.never_waits() {
        moves_out(&m, pipeline.stage().enable);
    }
    drop((front, gaps, carried, ways, pipeline));
    // A place can have fewer bits than offsets within a beat.
    let module = match (spec.stall, spec.place_bits()) {
        (Stall::Credit(_), _) => m.built_tied(),
        (Stall::Enable, 0) if spec.streams == 0 => m.built(),
        (Stall::Enable, _) => m.built_trimmed(),
    };
    (module, latency)
}

/// Whether a beat can make several slots more than it has lanes.
pub(super) fn spills(system: System, on_error: ErrorMode) -> bool {
    system.among().any(|system| match system {
        System::MultiOctet(set) => indexed::earlier_places(set, on_error == ErrorMode::Drop) > 0,
        _ => false,
    })
}

/// The stages up to the slots that are folded: as many share one as steps do. Where the slots are made is known when the stages are.
fn folded(system: System, on_error: ErrorMode, build: Build) -> Folded {
    if build.steps.number() == 1 {
        return Folded::default();
    }
    let m = Builder::new("stages", "");
    let input = units_of(&m, system, build.lanes as u32);
    let pipeline = Pipeline::of_half(&m, build.lanes);
    let sums = front(system, on_error, build, &input, &pipeline).sums_at();
    build.steps.folded(sums)
}

/// The stages that are the system's own.
fn front<'m>(
    system: System,
    on_error: ErrorMode,
    build: Build,
    input: &UnitsIn<'m>,
    pipeline: &Pipeline<'m>,
) -> Front<'m> {
    match system {
        System::Auto(auto) => auto::decode(auto, on_error, build, input, pipeline),
        _ => front_of(system, on_error, build, (input, None), pipeline),
    }
}

/// The stages of a single system. `little`, where it is given, says for each beat whether the octets of words come from the least significant on.
fn front_of<'m>(
    system: System,
    on_error: ErrorMode,
    build: Build,
    (input, little): (&UnitsIn<'m>, Option<Signal<'m>>),
    pipeline: &Pipeline<'m>,
) -> Front<'m> {
    // Lanes past those of words have no registers, and so no enables.
    let lanes = words::lanes_of_words(system, on_error != ErrorMode::Drop, build.lanes);
    let beat = Beat::new(input, |lane| pipeline.stage_at(lane.min(lanes - 1)));
    let beat = match little {
        Some(little) => beat.with_order(little),
        None => beat,
    };
    let prefix = |leads| prefix::decode(Shape::new(leads, on_error, build.placement), build, &beat);
    match system {
        System::Utf9 { max } => utf_9::decode(max.code_point(), on_error, build, &beat),
        System::Utf18 => utf_18::decode(on_error, build, &beat),
        System::Utf16 => utf_16::decode(None, on_error, build, beat),
        System::Utf16Octets { order, bom } => utf_16::decode(Some((order, bom)), on_error, build, beat),
        System::Cesu8 | System::Mutf8 => cesu_8::decode(system, on_error, build, &beat),
        System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::Ucs2
        | System::Ucs2Octets { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. } => {
            let words = Words::of(system).expect("each word is a code point or an error");
            single::decode(words, on_error, build, beat)
        }
        System::MultiOctet(set) => indexed::decode(set, on_error, build, &beat),
        System::Auto(_) | decoded_only!() | software_only!() => {
            unreachable!("there are no such cores of several lanes")
        }
        System::CorrectedUtf8 { document, private } => {
            let leads =
                Leads::new(SequenceForms::hunks(8, 6).with_offsets(), ErrorKind::Reserved).with_openers();
            // Only observers decode documents, and count nothing up to the end of the magic number.
            let leads = if document { leads.without_nul() } else { leads };
            let shape = Shape::new(leads, on_error, build.placement).with_offsets();
            let front = prefix::decode(shape, build, &beat);
            if private { skipped::with_skipped(beat.builder(), front) } else { front }
        }
        System::UtfInf8 { digits } => {
            let leads = Leads::new(SequenceForms::hunks(8, 7), ErrorKind::Truncated).with_openers();
            let tails = Tails::new(digits, on_error == ErrorMode::Drop);
            prefix::decode(Shape::new(leads, on_error, build.placement).with_tails(tails), build, &beat)
        }
        System::Utf8Bom { .. } => {
            assert!(build.drops_mark, "with its mark, it is utf-8");
            let shape = Shape::new(Leads::of(system), on_error, build.placement).with_mark(&UTF_8_MARK);
            prefix::decode(shape, build, &beat)
        }
        System::Utf8
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. }
        | System::Wtf8 => prefix(Leads::of(system)),
    }
}
