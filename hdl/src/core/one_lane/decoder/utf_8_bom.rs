//! UTF-8 with a byte order mark: U+FEFF at the start of a frame is no part of the text.
//!
//! The three octets of the mark make no slot before the last of them, so nothing has to be held back: the last makes no
//! slot either.

use super::prefix::PrefixDecoder;
use super::slots::{OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::System;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::magic_number::UTF_8_MARK;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::{Builder, Signal};

/// The decoder.
pub(super) struct Utf8BomDecoder {
    utf_8: PrefixDecoder,
}

impl Utf8BomDecoder {
    /// The decoder of a system.
    pub(super) fn of(system: System) -> Self {
        Self { utf_8: PrefixDecoder::of(system) }
    }
}

impl TwoStageDecoder for Utf8BomDecoder {
    fn kinds(&self, style: TagStyle) -> Vec<ErrorKind> {
        self.utf_8.kinds(style)
    }

    fn code_bits(&self) -> u32 {
        self.utf_8.code_bits()
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        let ends_mark = ends_mark(m, beat, pace);
        let unit_slots = self.utf_8.unit_slots(m, beat, tags, pace);
        let UnitSlots { frame_ends, own, .. } = unit_slots;
        m.section("The byte order mark makes no slot");
        let text = (!ends_mark).named("is_text").note("the unit does not end the mark");
        let own = OwnSlot {
            is: (own.is & (text | frame_ends)).named("own_or_end"),
            keep: (own.keep & text).named("own_shown"),
            above: own.above.map(|above| above.when(text).named("own_above")),
            low: own.low.map(|low| low.when(text).named("own_low")),
            ..own
        };
        UnitSlots { own, ..unit_slots }
    }
}

/// Whether the unit in stage 2 ends the mark: a register.
fn ends_mark<'m>(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Signal<'m> {
    m.stage_section(1, "the byte order mark at the start of a frame");
    let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
    let past = UTF_8_MARK.len() as u64;
    let count = m.reg("mark_count_reg", 2).reset(0);
    let count = count.note("octets of the mark read; 3: the frame continues with text");
    let octets = (1..past).zip(&UTF_8_MARK[1..]).map(|(at, &octet)| ([at], m.lit(8, octet)));
    let due = count.q.case_of(octets, m.lit(8, UTF_8_MARK[0])).named("mark_octet");
    let goes_on = (unit.eq(due) & !count.q.all()).named("mark_goes_on");
    let next = goes_on.mux(count.q + m.lit(2, 1), m.lit(2, past));
    let reads =
        (pace.take & (unit_valid | frame_ends)).named("mark_reads").note("a beat that holds something");
    count.next_when(reads, next.when(!frame_ends));
    let ends = unit_valid & goes_on & count.q.is(past - 1);
    pace.units().data("ends_mark_reg", ends).note("the unit is the last of the mark")
}
