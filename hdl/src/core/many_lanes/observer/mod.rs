//! Observers of several lanes: they decode units, and count what the slots hold.
//!
//! ```text
//!  units ─┬─> decoding half ──> slots, each in the lane of its last unit ──> sums of the lanes ──┬──> tally
//!         └─> units of the beat ──────────────────────────────────────────> a delay ─────────────┘
//! ```
//!
//! Slots tile the units of a frame. So the offset of an error is that of the end of the slot before it. In `utf-18`, whose slots are in the lanes
//! of their numbers, it is twice the number of slots before it.

mod words;

use std::sync::Arc;

use super::decoder::{Half, half};
use crate::core::layers::streams::{moves_out, sweeps_in, tid_in};
use crate::core::shared::magic_number::{MAGIC, UTF_8_MARK};
use crate::core::shared::opening::byte_order_marks;
use crate::core::shared::ports::{UnitsIn, units_in, units_in_ready};
use crate::core::status::{
    Counted, KIND_BITS, LATENCY_OF_STREAMS, Place, Sums, TALLY_LATENCY, TallyStreams, Words, ends_with_mark,
    frame_mark, joined_lanes, observed, status_ready, tally,
};
use crate::core::{CoreSpec, System};
use crate::netlist::{Builder, InstanceHandle, Module, RegisterRole, Signal, Stage};
use words::{bits_of_word, words};

/// Builds the observer of the core's units as a module called `name`; gives the cycles from a frame's last beat to its status, too.
pub(in crate::core) fn observer(name: &str, spec: &CoreSpec) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let summary = format!("{} decoder that counts the slots of each frame", spec.system.title());
    let m = Builder::new(name, summary);
    let input = units_in(&m, spec.lanes, spec.system.unit_bits());
    let streams = (spec.streams > 0).then(|| (tid_in(&m, spec), sweeps_in(&m)));
    let status_tready = status_ready(&m);
    let ready = m.wire("tally_ready", 1);
    let flush = m.reg("flush_reg", 1).reset(1).note("the cycle after reset, which clears the stages");
    let flush = flush.role(RegisterRole::Flush);
    flush.next(m.lit(1, 0));
    let advances = (ready | flush.q).named("advance").note("all stages move");
    let stage = m.stage(advances);
    units_in_ready(&m, ready);

    let taken = (input.tvalid & ready).named("beat_taken");
    let system = if let System::Utf8Bom { .. } = spec.system { System::Utf8 } else { spec.system };
    let Half { module, latency, advances: enables, places, has_errors, has_cuts, kind_bits, .. } =
        half(system, spec.lanes, spec.pipeline, None);
    let magic = match spec.system {
        System::CorrectedUtf8 { document: true, .. } => magic_of_lanes(&m, &input, taken, (stage, latency)),
        _ => Vec::new(),
    };

    m.section("Units to slots");
    let (are_pairs, word) = (spec.system == System::Utf18, bits_of_word(spec.system));
    assert!(are_pairs || word > 0 || places == lanes, "each unit is in a lane of its own");
    let half = m.instance("decode", &module).part();
    half.input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tlast", input.tlast);
    for (port, _) in &enables {
        half.input(port, advances);
    }
    let made = half.output("m_valid").named("slots_valid");
    let kind_bits = has_errors.then_some(kind_bits);
    let slots = (0..places).map(|lane| {
        let slot = slot(&m, half, made, lane, kind_bits);
        magic.get(lane).map_or(slot.clone(), |&is| slot.unless(is))
    });
    let slots = leaves(&m, slots.collect());
    let (sums, stages) = joined_lanes(&m, slots, stage);
    let clears = magic.first().map(|&is| delayed(stage, "clears", is, stages));
    let last = delayed(stage, "ends_frame", half.output("m_last") & made, stages);
    let cut = has_cuts.then(|| {
        let cut = delayed(stage, "is_cut", half.output("m_cut_before") & made, stages);
        (cut, delayed(stage, "cut_kind", half.output("m_cut_kind").zext(KIND_BITS), stages))
    });

    m.section("The units of the beat, in the stages of its slots");
    let count = units(&m, input.tkeep);
    let delay = latency + stages;
    let counted = delayed(stage, "units", count, delay);
    // A high surrogate before the beat that proves to be unpaired has the first place.
    let is_first_before = matches!(spec.system, System::Utf16Octets { .. }) && !has_cuts;
    let words = (word > 0).then(|| {
        let number = words(&m, count, word, taken, input.tlast);
        Words { count: delayed(stage, "words", number, delay), bits: word, is_first_before }
    });
    let valid = (0..delay).fold(taken, |valid, at| stage.flag(&format!("beat_valid_{}_reg", at + 1), valid));
    let ends = marks(spec.system).into_iter();
    let ends = ends.map(|(name, mark)| ends_with_mark(&m, name, mark, &input, taken)).reduce(|a, b| a | b);
    let ends = ends.map(|ends| delayed(stage, "ends_mark", ends, delay));
    let sums = ends.map_or(sums.clone(), |ends| sums.without_mark(&m, ends));
    let sums = cut.map_or(sums.clone(), |(cut, kind)| sums.after_error(&m, cut, kind));
    let cut = cut.map_or(m.lit(1, 0), |(cut, _)| cut);
    let before = sums.before.expect("there are several lanes");
    let end = [sums.ends.0, sums.ends.1.expect("there are several lanes")];
    let place = match are_pairs {
        true => Place::Pairs { units: counted, before },
        false => Place::InBeat { units: counted, cut, before, end, words },
    };
    let Sums { numbers, error, kind, .. } = sums;
    let counted = Counted { valid, last, numbers, error, kind, clears, place };
    let streams =
        streams.map(|(tid, sweeps)| TallyStreams { tid: delayed(stage, "tid", tid, delay), sweeps });
    let status = tally(&m, counted, streams, status_tready);
    m.drive(ready, status.ready);
    observed(&m, &status);
    if streams.is_some() {
        moves_out(&m, advances);
    }
    let is_of_streams = streams.is_some();
    // Registers for the lanes in which slots end are left out if nothing reads them.
    let module = if are_pairs || is_of_streams { m.built_trimmed() } else { m.built() };
    let of_streams = if is_of_streams { LATENCY_OF_STREAMS } else { 0 };
    (module, delay + TALLY_LATENCY + of_streams)
}

/// For each of the first lanes of a beat that completes the magic number of a document: its unit belongs to that. In the stage of the slots.
fn magic_of_lanes<'m>(
    m: &'m Builder,
    input: &UnitsIn<'m>,
    taken: Signal<'m>,
    (stage, latency): (Stage<'m>, u32),
) -> Vec<Signal<'m>> {
    let lanes = frame_mark(m, "magic", MAGIC.to_vec(), input, taken).lanes_of_whole();
    let lanes = (0..).zip(lanes);
    lanes.map(|(lane, is)| delayed(stage, &format!("magic_of_lane_{lane}"), is & taken, latency)).collect()
}

/// The byte order marks that can open a frame, with names. A mark is well-formed, and no text.
fn marks(system: System) -> Vec<(&'static str, Vec<u64>)> {
    match system {
        System::Utf8Bom { .. } => vec![("mark", UTF_8_MARK.to_vec())],
        _ => match byte_order_marks(system) {
            Some([own, other]) => vec![("mark", own), ("other_mark", other)],
            None => Vec::new(),
        },
    }
}

/// The numbers of the slot of a lane, if slots are `made`. Errors have a kind of `kind_bits` bits, where there are errors.
fn slot<'m>(
    m: &'m Builder,
    half: InstanceHandle<'m>,
    made: Signal<'m>,
    lane: usize,
    kind_bits: Option<u32>,
) -> Sums<'m> {
    let data = half.output(&format!("m_data_{lane}"));
    let error = kind_bits.map(|_| half.output(&format!("m_error_{lane}")));
    let kind = kind_bits.map_or(m.lit(KIND_BITS, 0), |bits| data.bits(0..bits));
    Sums::unused(data, kind_bits.unwrap_or(0), &format!("unused_data_{lane}"));
    let keep = (half.output(&format!("m_keep_{lane}")) & made).named(&format!("has_slot_{lane}"));
    Sums::of_slot(m, keep, error, kind, Some(data))
}

/// The leaves of the tree that adds slots up: a power of two, and two at least.
fn leaves<'m>(m: &'m Builder, mut slots: Vec<Sums<'m>>) -> Vec<Sums<'m>> {
    m.section("Sums of the lanes");
    let count = slots.len().next_power_of_two().max(2);
    slots.resize_with(count, || Sums::of_slot(m, m.lit(1, 0), None, m.lit(KIND_BITS, 0), None));
    slots
}

/// A signal in registers of as many stages.
fn delayed<'m>(stage: Stage<'m>, name: &str, signal: Signal<'m>, stages: u32) -> Signal<'m> {
    (0..stages).fold(signal, |signal, at| stage.data(&format!("{name}_{}_reg", at + 1), signal))
}

/// The number of units of a beat, which are in the first lanes.
fn units<'m>(m: &'m Builder, keep: Signal<'m>) -> Signal<'m> {
    let lanes = keep.width();
    let width = u32::BITS - lanes.leading_zeros();
    // A lane with a unit, and no unit in the lane above: that many units, and one.
    let bits = (0..width).rev().map(|bit| {
        let ends = (1..=lanes).filter(|count| count >> bit & 1 == 1).map(|count| {
            let held = keep.bit(count - 1);
            if count < lanes { held & !keep.bit(count) } else { held }
        });
        ends.reduce(|a, b| a | b).expect("some number has the bit")
    });
    m.concat(bits)
}
