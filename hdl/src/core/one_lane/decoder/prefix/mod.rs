//! Decoders of prefix systems: one design, made from the forms of the system.
//!
//! Stage 1 classifies a unit by itself, stage 2 relates it to the sequence before it. Other systems use these
//! stages for the part of their sequences that works in the same way.

mod class;
mod classify;
mod limbs;
mod open_sequence;
mod restriction;
mod unit_slots;

use super::slots::{OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::System;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::Builder;
pub(super) use class::{SequencePart, UnitClass};
pub(super) use classify::classify;
pub(super) use limbs::LongParts;
use limbs::{LimbLayout, long_parts};
pub(super) use open_sequence::OpenSequence;
pub(super) use restriction::Restriction;
pub(super) use unit_slots::unit_slots;

/// The decoder of a prefix system.
pub(super) struct PrefixDecoder {
    leads: Leads,
}

impl PrefixDecoder {
    /// The decoder of a system.
    ///
    /// # Panics
    /// If it is no prefix system.
    pub(super) fn of(system: System) -> Self {
        Self { leads: Leads::of(system) }
    }
}

impl TwoStageDecoder for PrefixDecoder {
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        self.leads.kinds(style)
    }

    fn is_long(&self) -> bool {
        self.leads.is_long()
    }

    fn code_bits(&self) -> u32 {
        self.leads.code_bits()
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        decode(m, &self.leads, beat, tags, pace).unit_slots
    }
}

/// Stages 1 and 2 of a decoder, and the registers between them.
pub(super) struct Decoded<'m> {
    /// The slots that each unit, or the end of a frame, makes certain.
    pub(super) unit_slots: UnitSlots<'m>,
    pub(super) class: UnitClass<'m>,
    /// `None` if no sequence has more than one unit.
    pub(super) sequence: Option<OpenSequence<'m>>,
}

/// Stages 1 and 2 of a decoder.
pub(super) fn decode<'m>(
    m: &'m Builder,
    leads: &Leads,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> Decoded<'m> {
    let class = classify(m, leads, beat, tags, pace);
    let Some(part) = class.part else {
        return Decoded { unit_slots: unit_slots::of_single_units(class), class, sequence: None };
    };
    let payload = class.payload.expect("a unit of a sequence has bits below its marker");
    let (code_bits, unit_bits) = (leads.code_bits(), leads.forms.trailing_bits());
    let gathered_bits = match leads.is_long() {
        true => LimbLayout::new(leads).gathered_bits(unit_bits),
        false => code_bits - unit_bits,
    };
    let sequence = OpenSequence::new(m, leads, class, part, gathered_bits);
    let parts = tags.is_long().then(|| long_parts(m, leads, part, &sequence, payload));
    let broken_tag = sequence.broken_tag(leads, part, tags);
    // In a core that drops errors, the unit that breaks a sequence takes the sequence's slot.
    let gathers = if tags.drops_errors() { sequence.open & part.trailing } else { sequence.open };
    let above = sequence.gathered.bits(0..code_bits - unit_bits).when(gathers).named("above");
    let unit_slots = unit_slots(m, leads, class, &sequence, parts, broken_tag, tags);
    let unit_slots = UnitSlots { own: OwnSlot { above: Some(above), ..unit_slots.own }, ..unit_slots };
    Decoded { unit_slots, class, sequence: Some(sequence) }
}
