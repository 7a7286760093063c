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
//! buffer at its output. Code points of 2^32 or more that `utf-inf-8` decodes come as heads and limbs: a whole encoder follows a whole decoder.

use std::sync::Arc;

use super::decoder::{Half, decoder, half, spills};
use super::encoder::{Beat, Slot, Source, Stages, code_bits, encoder};
use super::logic::any_of;
use crate::core::shared::forms::is_long;
use crate::core::shared::ports::{
    SLOT_DATA_BITS, SLOT_USER_BITS, SYSTEM_PORT, UnitsIn, UnitsOut, units_in_ready, units_of, units_out,
    units_out_ready,
};
use crate::core::shared::tags::{HEAD, LIMB};
use crate::core::spec::{EndApart, ErrorMode};
use crate::core::{CoreSpec, Role, System};
use crate::netlist::{Builder, Design, InstanceHandle, Module, Signal};

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
    if matches!(from, System::UtfInf8 { .. }) && is_long(to) {
        let latency = in_series(&m, spec, to, &input, m_axis_tready);
        return (m.built(), latency);
    }
    let most_bits = code_bits(to).max(SLOT_DATA_BITS);
    let Half { module, latency, advances, places, slot_bits, has_errors, has_cuts, .. } =
        half(from, spec.lanes, spec.pipeline, Some(most_bits));
    let stages = Stages::new(&m, to, spec, Source::Half { has_errors, has_cuts, slot_bits });
    units_in_ready(&m, stages.takes());

    let half = decode(&m, &module, &input);
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
    let (data_bits, lanes) = (spec.bus.data_bits(), spec.lanes);
    let source = Source::Half { has_errors: true, has_cuts: false, slot_bits: data_bits };
    let stages = Stages::new(m, to, spec, source);
    let (decode, latency) = whole_decoder(m, spec, input);
    let Slots { data, kept, kinds, valid, last } = slots_of(m, spec, &decode, stages.takes());
    let slot = |lane: u32| Slot {
        keep: kept.bit(lane),
        data: data.bits(lane * data_bits..(lane + 1) * data_bits),
        what: Some(kind_in(kinds, lane).any()),
    };
    let slots = (0..lanes).map(slot).collect();
    let beat = Beat { offered: valid, last, slots, cut_before: None };
    latency + stages.encode(beat, m_axis_tready)
}

/// A decoder and an encoder with the bus between them. Gives the latency of both.
fn in_series<'m>(
    m: &'m Builder,
    spec: &CoreSpec,
    to: System,
    input: &UnitsIn<'m>,
    m_axis_tready: Signal<'m>,
) -> u32 {
    let (decode, latency) = whole_decoder(m, spec, input);
    m.section("Slots to units");
    let (top, encoding) = encoder(&CoreSpec { system: to, role: Role::Encoder, ..*spec }, "encode");
    let module = Design { top, reset: spec.reset }.part();
    let encode = m.instance("encode", &module).part().input("m_axis_tready", m_axis_tready);
    let ready = encode.output("s_axis_tready").named("slots_ready");
    let Slots { data, kept, kinds, valid, last } = slots_of(m, spec, &decode, ready);
    encode
        .input("s_axis_tdata", data)
        .input("s_axis_tkeep", kept)
        .input("s_axis_tuser", kinds)
        .input("s_axis_tvalid", valid)
        .input("s_axis_tlast", last);
    let [tkeep, tuser, tvalid, tlast, tdata] =
        ["tkeep", "tuser", "tvalid", "tlast", "tdata"].map(|port| encode.output(&format!("m_axis_{port}")));
    let unit_bits = to.unit_bits();
    let units = (0..spec.lanes).map(|lane| tdata.bits(lane * unit_bits..(lane + 1) * unit_bits)).collect();
    units_out(m, UnitsOut { units, tkeep, tuser, tvalid, tlast });
    latency + encoding
}

/// A beat of slots that a decoder offers to an encoder.
struct Slots<'m> {
    data: Signal<'m>,
    kept: Signal<'m>,
    kinds: Signal<'m>,
    valid: Signal<'m>,
    last: Signal<'m>,
}

/// The kind of the slot in a lane.
fn kind_in(kinds: Signal<'_>, lane: u32) -> Signal<'_> {
    kinds.bits(lane * SLOT_USER_BITS..(lane + 1) * SLOT_USER_BITS)
}

/// The slots of a decoder for an encoder that is `ready`. A beat whose end [goes apart](EndApart) goes to the encoder in two parts: the slots, and then an
/// empty beat with the end.
fn slots_of<'m>(
    m: &'m Builder,
    spec: &CoreSpec,
    decode: &InstanceHandle<'m>,
    ready: Signal<'m>,
) -> Slots<'m> {
    let [data, kept, kinds, valid, last] = [
        ("tdata", "slots"),
        ("tkeep", "slots_kept"),
        ("tuser", "kinds_of_slots"),
        ("tvalid", "slots_valid"),
        ("tlast", "slots_last"),
    ]
    .map(|(port, name)| decode.output(&format!("m_axis_{port}")).named(name));
    let ends_in_error = || {
        let is_error = |lane: u32| {
            let kind = kind_in(kinds, lane);
            let is_error = kept.bit(lane) & kind.any() & !kind.is(HEAD) & !kind.is(LIMB);
            // Only the last slot of the beat counts.
            if lane + 1 < spec.lanes { is_error & !kept.bit(lane + 1) } else { is_error }
        };
        any_of((0..spec.lanes).map(is_error)).expect("a lane")
    };
    let (is_apart, note) = match spec.end_apart() {
        EndApart::Never => {
            decode.input("m_axis_tready", ready);
            return Slots { data, kept, kinds, valid, last };
        }
        EndApart::AfterError => (ends_in_error(), "an error that is dropped ends the frame"),
        EndApart::Always => (kept.bit(0), "a slot that may be dropped ends the frame"),
    };
    let is_apart = (last & is_apart).named("end_is_apart").note(note);
    let is_left = m.reg("end_is_left_reg", 1).reset(0);
    let is_left = is_left.note("the slots of the beat are taken, the end of the frame is left");
    is_left.next_when(valid & ready & is_apart, !is_left.q);
    let stays = (is_apart & !is_left.q).named("end_stays");
    decode.input("m_axis_tready", ready & !stays);
    let kept = kept & (!is_left.q).repeat(spec.lanes as usize);
    Slots { data, kept, kinds, valid, last: last & !stays }
}

/// A decoder that flags errors, between the input and the bus: its `m_axis_tready` is to be connected. Gives its latency, too.
fn whole_decoder<'m>(m: &'m Builder, spec: &CoreSpec, input: &UnitsIn<'m>) -> (InstanceHandle<'m>, u32) {
    let CoreSpec { lanes, pipeline, .. } = *spec;
    let of_decoder = CoreSpec { lanes, pipeline, ..CoreSpec::new(spec.system, Role::Decoder) };
    let (top, latency) = decoder(&of_decoder, "decode");
    let decode = decode(m, &Design { top, reset: spec.reset }.part(), input);
    units_in_ready(m, decode.output("s_axis_tready"));
    (decode, latency)
}

/// The instance that decodes, a half or a whole decoder, with the units of the core.
fn decode<'m>(m: &'m Builder, module: &Arc<Module>, input: &UnitsIn<'m>) -> InstanceHandle<'m> {
    m.section("Units to slots");
    let decode = m
        .instance("decode", module)
        .part()
        .input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tlast", input.tlast);
    match input.system {
        Some(system) => decode.input(SYSTEM_PORT, system),
        None => decode,
    }
}
