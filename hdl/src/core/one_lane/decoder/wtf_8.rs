//! The decoder of WTF-8: UTF-8 in which surrogates are code points, but a high one directly before a low one is
//! ill-formed.
//!
//! The slot of the high surrogate is out by the time that the low one is whole, so the low one is the error.

use super::prefix::{self, Decoded};
use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::System;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::Builder;

/// The position at which the last eleven bits of a surrogate end, among the bits before its last octet. The topmost
/// of the eleven is 1 in a low surrogate.
const BELOW_SURROGATES: u32 = 11 - 6;
/// A surrogate without its last eleven bits.
const SURROGATE: u64 = 0xd800 >> 11;

/// The decoder.
pub(super) struct Wtf8Decoder {
    leads: Leads,
}

impl Wtf8Decoder {
    /// The decoder of a system.
    pub(super) fn of(system: System) -> Self {
        Self { leads: Leads::of(system) }
    }
}

impl TwoStageDecoder for Wtf8Decoder {
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        self.leads.kinds(style)
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
        let Decoded { unit_slots, sequence, .. } = prefix::decode(m, &self.leads, beat, tags, pace);
        let sequence = sequence.expect("there are sequences");
        let UnitSlots { frame_ends, early, own, .. } = unit_slots;

        m.section("Pairs of surrogates, of which the low one is an error");
        let gathered = sequence.gathered;
        let is_surrogate = gathered.bits(BELOW_SURROGATES..gathered.width()).is(SURROGATE);
        let whole = sequence.continues & sequence.last_missing & is_surrogate;
        let whole = whole.named("surrogate").note("the unit makes a surrogate whole");
        let is_low = gathered.bit(BELOW_SURROGATES - 1);
        let behind_high = m.reg("behind_high_reg", 1).reset(0);
        let behind_high = behind_high.note("a high surrogate comes directly before the sequence");
        let stays = behind_high.q & sequence.unfinished & (sequence.continues | !sequence.open);
        behind_high.next_when(sequence.stage.enable, (whole & !is_low | stays) & !frame_ends);
        let pair = (whole & is_low & behind_high.q).named("ends_pair");
        match early {
            Some(early) => {
                let first = Tag::mux(pair, tags.error(ErrorKind::Surrogate), early.first).named("first");
                UnitSlots { early: Some(EarlySlot { first, ..early }), ..unit_slots }
            }
            None => {
                let own = OwnSlot {
                    is: (own.is & (frame_ends | !pair)).named("own_or_end"),
                    keep: (own.keep & !pair).named("own_shown"),
                    ..own
                };
                UnitSlots { own, ..unit_slots }
            }
        }
    }
}
