//! Decoders with two stages before the slot register. The decoders of `corrected-utf-8` and `utf-inf-8` have more stages, and
//! those of systems in `single` have one.

use super::pipeline::DecodePipeline;
use super::slots::{Offsets, UnitSlots, slots};
use super::unit::OneUnitBeat;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::Builder;

/// A system as its decoder sees it.
pub(super) trait TwoStageDecoder {
    /// The kinds of error that slots with tags of this style have.
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind>;

    /// Whether there are code points of 2^32 or more.
    fn is_long(&self) -> bool {
        false
    }

    /// How many bits of a slot's data are in use.
    fn code_bits(&self) -> u32;

    /// Stages of registers before the slots that each unit makes certain.
    fn stages(&self) -> u32 {
        1
    }

    /// Makes stage 1, its registers, and stage 2: the slots that each unit, or the end of a frame, makes certain.
    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m>;
}

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    decoder: &dyn TwoStageDecoder,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let tags = Tags::new(m, style, &decoder.kinds(style), decoder.is_long());
    let mut unit_slots = decoder.unit_slots(m, beat, &tags, pace);
    if offsets.is_counted() && unit_slots.unit_valid.is_none() {
        unit_slots.unit_valid = Some(pace.units().flag("octet_reg", beat.unit_valid));
    }
    let slot = slots(m, unit_slots, decoder.code_bits(), pace.slots(), offsets);
    // The slot register is a stage more.
    DecodePipeline { slot, latency: decoder.stages() + 1 }
}
