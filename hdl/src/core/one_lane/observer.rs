//! Observers of one lane: they decode units, and count what the slots hold.

use std::sync::Arc;

use super::decoder::{Offsets, SlotUnit, decode, observer_of_streams, take_units, without_waits};
use crate::core::shared::magic_number::MAGIC;
use crate::core::shared::ports::units_in;
use crate::core::shared::single::Words;
use crate::core::shared::tags::{HEAD, LIMB, TagStyle};
use crate::core::spec::ErrorMode;
use crate::core::status::{
    ASCII_BITS, Counted, KIND_BITS, Place, Sums, TALLY_LATENCY, ends_with_mark, observed, status_ready, tally,
};
use crate::core::{CoreSpec, MultiOctet, Role, System, is_long};
use crate::netlist::{Builder, Module};

/// Bits of the number of limbs of a code point that is limited, and of one that is not.
const FEW_LIMBS_BITS: u32 = 2;
const LIMBS_BITS: u32 = 32;

/// Builds the observer of units as a module called `name`; gives the most cycles from a frame's last beat to its status, too.
pub(in crate::core) fn observer(name: &str, spec: &CoreSpec) -> (Arc<Module>, u32) {
    if spec.streams > 0 {
        return observer_of_streams(name, spec);
    }
    let system = spec.system;
    let m = Builder::new(name, format!("{} decoder that counts the slots of each frame", system.title()));
    let input = units_in(&m, 1, system.unit_bits());
    let status_tready = status_ready(&m);
    let (pace, beat) = take_units(&m, without_waits(system), input, false);
    let style = TagStyle::Codes(ErrorMode::Flag);
    let pipeline = decode(&m, system, beat, style, &pace, Offsets::Counted);
    let slot = pipeline.slot;
    let keep = (slot.valid & slot.keep).named("has_slot");
    // The units of a magic number are counted as text until the last of them comes.
    let clears = matches!(system, System::CorrectedUtf8 { document: true, .. }).then(|| {
        let taken = (input.tvalid & pace.advance).named("beat_taken");
        let ends = ends_with_mark(&m, "magic", MAGIC.to_vec(), &input, taken);
        let register = |ends, at| pace.slots().at(at).data(&format!("ends_magic_{at}_reg"), ends);
        (1..=pipeline.latency).fold(ends, register)
    });
    let keep = clears.map_or(keep, |clears| (keep & !clears).named("has_slot_of_text"));

    m.section("The slot as numbers");
    let user = slot.tag.user.unwrap_or(m.lit(KIND_BITS, 0));
    let limb_bits = match system {
        System::UtfInf8 { .. } => LIMBS_BITS,
        system if is_long(system) => FEW_LIMBS_BITS,
        _ => 0,
    };
    if let Some(data) = slot.data {
        Sums::unused(data, limb_bits, "unused_data");
    }
    let limbs = (limb_bits > 0).then(|| {
        let bits = limb_bits;
        let data = slot.data.expect("a head has a number");
        let [head, limb] =
            [(HEAD, "slot_is_head"), (LIMB, "slot_is_limb")].map(|(tag, name)| user.is(tag).named(name));
        let left = m.reg("limbs_left_reg", bits).note("limbs of the group that have not come yet");
        left.next_when(
            (pace.advance & keep).named("slot_moves"),
            head.mux(data.bits(0..bits), left.q - m.lit(bits, 1)),
        );
        let ends = (limb & left.q.is(1)).named("ends_group");
        // A code point past 2^32 is past Unicode: as long as U+FFFD.
        (!head & (!limb | ends), limb)
    });
    let counts = limbs.map_or(keep, |(counts, _)| keep & counts).named("slot_counts");
    let data = slot.data.map(|data| match limbs {
        // All ones is past Unicode.
        Some((_, limb)) => {
            let high = data.bits(ASCII_BITS..data.width());
            let high = (high | limb.repeat(high.width() as usize)).named("beyond_ascii");
            m.concat([high, data.bits(0..ASCII_BITS)])
        }
        None => data,
    });
    let sums = Sums::of_slot(&m, counts, slot.tag.error, user, data);
    let (valid, place) = match (slot.unit, slot.units.zip(slot.position)) {
        (Some(SlotUnit { is, begins, is_after, is_next }), _) => {
            let place = Place::Unit { is, begins, is_after, is_next, word: Offsets::word(system) };
            ((slot.valid | is).named("unit_or_slot"), place)
        }
        (None, Some((units, offset))) => (slot.valid, Place::Known { units, offset }),
        (None, None) => unreachable!("units are counted"),
    };
    let counted = Counted {
        valid,
        last: (slot.last & slot.valid).named("ends_frame"),
        numbers: sums.numbers,
        error: sums.error,
        kind: sums.kind,
        clears,
        place,
    };
    let status = tally(&m, counted, None, status_tready);
    m.drive(pace.advance, status.ready.named("tally_ready"));
    observed(&m, &status);
    // The last of two slots that one unit makes is a cycle late, and the last of four is three, in a decoder as here; the units of a validator are not, nor a slot
    // after an error that is dropped.
    let is_punctual = match spec.role {
        Role::Validator(_) => true,
        Role::Decoder => spec.on_error == ErrorMode::Drop,
        Role::Encoder | Role::Transcoder { .. } => false,
    };
    let most = match system {
        _ if Words::of(system).is_some() => 0,
        System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030) => 3,
        _ => 1,
    };
    let late = if is_punctual { most } else { 0 };
    let latency = pipeline.latency + TALLY_LATENCY + late;
    let module = match system {
        // Tables and classes have bits that not all sets read.
        System::MultiOctet(_) => m.built_trimmed(),
        _ => m.built(),
    };
    (module, latency)
}
