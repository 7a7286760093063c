//! The decoding half of a transcoder: a decoder up to its slots, each in the place of its last unit.
//!
//! Slots need not be moved to the first lanes: the encoding half counts units, and a place without a slot has none.

use std::sync::Arc;

use super::front::{Build, Placement};
use super::pipeline::Pipeline;
use super::{folded, front};
use crate::core::lanes::{At, section};
use crate::core::shared::ports::{SLOT_DATA_BITS, units_of};
use crate::core::spec::ErrorMode;
use crate::core::{Steps, System};
use crate::netlist::{Builder, Module, Signal};

/// The decoding half of a transcoder.
///
/// The inputs are those of a core, and [`advances`](Self::advances), which move all stages. The outputs for a beat are
/// `m_valid`, `m_last` and `m_cut_before`: an error comes before the first position. The outputs for position N are `m_keep_N`, `m_data_N` of at
/// most [`slot_bits`](Self::slot_bits) bits and, if the half [`has_errors`](Self::has_errors), `m_error_N`. A code point of more bits is an error, too.
pub(in crate::core::many_lanes) struct Half {
    pub(in crate::core::many_lanes) module: Arc<Module>,
    /// The inputs that move the stages, one for each group of lanes, with a lane of the group.
    pub(in crate::core::many_lanes) advances: Vec<(String, usize)>,
    /// Cycles from a beat to its slots.
    pub(in crate::core::many_lanes) latency: u32,
    /// Places in which slots stand: not more than lanes.
    pub(in crate::core::many_lanes) places: usize,
    /// Bits for a code point: as many as a slot of the bus has, or more.
    pub(in crate::core::many_lanes) slot_bits: u32,
    pub(in crate::core::many_lanes) has_errors: bool,
    /// An error can stand before the first place.
    pub(in crate::core::many_lanes) has_cuts: bool,
    /// Bits of the kind of an error, the low ones of its data; `m_cut_kind` has that of an error before the first place. 0 in a transcoder.
    pub(in crate::core::many_lanes) kind_bits: u32,
}

/// Builds the decoding half of a transcoder, or of an observer, which has the kinds of errors and every code point. In a transcoder,
/// code points of more than `most_bits` bits are errors.
pub(in crate::core::many_lanes) fn half(
    system: System,
    lanes: u32,
    steps: Steps,
    most_bits: Option<u32>,
) -> Half {
    let (has_kinds, most_bits) = (most_bits.is_none(), most_bits.unwrap_or(u32::MAX));
    let m = Builder::new("decode", format!("{} decoder up to the slots that units end", system.title()));
    // An observer counts the slot of a mark with the others, and subtracts it from the sums.
    let drops_mark = !has_kinds;
    let placement = Placement::InPlace;
    let build =
        Build { lanes: lanes as usize, steps, placement, positions: false, drops_mark, kinds: has_kinds };
    m.fold(folded(system, ErrorMode::Flag, build));
    let input = units_of(&m, system, lanes);
    let pipeline = Pipeline::of_half(&m, build.lanes);
    let front = front(system, ErrorMode::Flag, build, &input, &pipeline);
    if !has_kinds {
        front.mark();
    }
    section(&m, front.ends_at(), "whether there is a slot");
    let first_ends = front.first.as_ref().map(|first| first.ends);
    let some = At::concat(first_ends.into_iter().chain(front.ends.iter().copied())).any();
    let some = some.named("is_some").note("some place holds a slot");
    let present = (front.valid & (some | front.last))
        .named("is_present")
        .note("a beat that makes nothing leaves a gap, which can close");
    let at = front.sums_at() + 1;
    section(&m, at, "the slots");
    let valid = present.called("present").flag().at(at).signal();
    let last = front.last.at(at).signal();
    let ends: Vec<Signal> = front.ends.at(at).iter().map(|ends| ends.signal()).collect();
    let cut = first_ends.map(|ends| ends.at(at).signal());
    let layout = front.layout.clone();
    m.port_group("Slots");
    m.output("m_valid", valid, "beat is offered");
    m.output("m_last", last, "beat ends the frame");
    if let Some(cut) = cut {
        m.output("m_cut_before", cut, "an error stands before the first place");
    }
    let first_slot = front.first.as_ref().map(|first| first.slot.signal());
    let read = if has_kinds { layout.kind_bits } else { 0 };
    if let Some(first) = front.first.as_ref().filter(|_| has_kinds) {
        let kind = first.slot.bits(0..read).called("cut_kind").at(at).signal();
        m.output("m_cut_kind", kind, "its kind");
    }
    if let Some(slot) = first_slot.filter(|slot| !slot.is_constant() && read < slot.width()) {
        slot.bits(read..slot.width()).named("unused_first_slot");
    }
    for ((place, &keep), slot) in (0..).zip(&ends).zip(front.slots.iter().map(|slot| slot.signal())) {
        m.output(&format!("m_keep_{place}"), keep, "a slot stands there");
        let data = slot.bits(0..layout.data_bits.min(most_bits));
        m.output(&format!("m_data_{place}"), data, "its code point; anything in an error");
        if layout.has_errors() {
            let error = slot.bit(layout.data_bits);
            let too_wide =
                (layout.data_bits > most_bits).then(|| slot.bits(most_bits..layout.data_bits).any());
            let error = too_wide.map_or(error, |too_wide| error | too_wide);
            m.output(&format!("m_error_{place}"), error, "it is an error");
        }
    }
    let (places, has_errors, has_cuts) = (ends.len(), layout.has_errors(), cut.is_some());
    let kind_bits = if has_kinds { layout.kind_bits } else { 0 };
    let advances = pipeline.advances_of_half();
    drop((front, pipeline));
    let slot_bits = layout.data_bits.clamp(SLOT_DATA_BITS, most_bits);
    let latency = m.folded().number(at);
    // A decoder of utf-inf-8 also makes heads and limbs of sequences after FF, which no half reads.
    let module = if let System::UtfInf8 { .. } = system { m.built_trimmed() } else { m.built() };
    Half { module, advances, latency, places, slot_bits, has_errors, has_cuts, kind_bits }
}
