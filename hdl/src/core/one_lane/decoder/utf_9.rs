//! The decoder of UTF-9, seed 003 §3: a sequence has the octets of the code point, most significant first, each in a
//! nonet whose ninth bit says whether more follow.
//!
//! A sequence ends with the first nonet without that bit, ill-formed or not, or with the frame. So a beat makes at most
//! one slot.

use super::slots::{OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Signal, Stage};

/// The first octet of surrogates without its last three bits.
const SURROGATE_OCTET: u64 = 0xd8 >> 3;

/// The decoder of code points up to `max`.
pub(super) struct Utf9Decoder {
    pub(super) max: u32,
}

impl TwoStageDecoder for Utf9Decoder {
    fn kinds(&self, _: TagStyle) -> Vec<ErrorKind> {
        vec![ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange]
    }

    fn code_bits(&self) -> u32 {
        u32::BITS - self.max.leading_zeros()
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        m.stage_section(1, "what the nonet is by itself");
        let stage = pace.units();
        let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
        let load = pace.sequence((unit_valid | frame_ends).named("present"));
        let is_d8 = unit.bits(3..8).is(SURROGATE_OCTET).named("is_d8").note("the octet is D8 to DF");
        let octet = stage.data("octet_reg", unit.bits(0..8).when(unit_valid));
        let is_d8 = stage.data("is_d8_reg", is_d8);
        let continues = stage.data("continues_reg", (unit.bit(8) & unit_valid).named("continues"));
        let unit_valid = stage.flag("unit_valid_reg", unit_valid);
        let frame_ends = stage.flag("frame_ends_reg", frame_ends);

        m.stage_section(2, "the open sequence");
        let open = m
            .reg("open_reg", 1)
            .reset(0)
            .note("a sequence is open; else the rest of its registers mean nothing");
        open.next_when(load.enable, continues & !frame_ends);
        let bits = self.code_bits() - 8;
        let above = m.reg("above_reg", bits).note("octets so far, the last in the low bits");
        let gathered = above.q.when(open.q).named("gathered");
        above.next_when(load.enable, m.concat([gathered.bits(0..bits - 8), octet]));
        let faults = SequenceFaults::new(m, self.max, open.q, gathered, octet, is_d8, load);

        m.section(
            tags.heading("The slot that the nonet makes certain", "The error that the nonet makes certain"),
        );
        let whole = (unit_valid & !continues).named("whole").note("the nonet ends its sequence");
        let inside = open.q | unit_valid;
        let inside = if tags.has_errors() {
            inside.named("ends_inside").note("a frame that ends here ends inside a sequence")
        } else {
            inside
        };
        let keep = match tags.drops_errors() {
            true => whole & !(open.q & faults.any()),
            false => whole | frame_ends & inside,
        };
        let keep = keep.named("own_keep").note("there is a slot, not only the end of a frame");
        let of_whole = Tag::mux(open.q, faults.tag(tags), tags.code_point());
        let of_others = Tag::mux(inside, tags.error(ErrorKind::Truncated), tags.code_point());
        let own = OwnSlot {
            is: (keep | frame_ends).named("own"),
            keep,
            tag: Tag::mux(whole, of_whole, of_others).named("own"),
            above: Some(gathered),
            low: Some(octet),
        };
        let begins = Some(unit_valid & !open.q);
        UnitSlots { unit_valid: Some(unit_valid), frame_ends, early: None, own, begins }
    }
}

/// The faults of the open sequence, whatever its last octet is: registers, without meaning while no sequence is open.
struct SequenceFaults<'m> {
    overlong: Signal<'m>,
    too_great: Signal<'m>,
    surrogate: Signal<'m>,
}

impl<'m> SequenceFaults<'m> {
    fn new(
        m: &'m Builder,
        max: u32,
        open: Signal<'m>,
        gathered: Signal<'m>,
        octet: Signal<'m>,
        is_d8: Signal<'m>,
        load: Stage<'m>,
    ) -> Self {
        let overlong = m.reg("overlong_reg", 1).note("the first octet is zero");
        overlong.next_when(load.enable, open.mux(overlong.q, !octet.any()));
        // The octets read are past the last code point with any next octet, or bits were shifted out.
        let bits = gathered.width();
        let (out, stays) = (gathered.bits(bits - 8..bits), gathered.bits(0..bits - 8));
        let too_great = m.reg("too_great_reg", 1).note("the octets so far are past the last code point");
        let last = u64::from(max >> 16);
        let past = out.any() | open & too_great.q;
        let past = if last + 1 < 1 << (bits - 8) { past | m.lit(bits - 8, last).lt(stays) } else { past };
        too_great.next_when(load.enable, past);
        let surrogate = load.data("surrogate_reg", is_d8 & !gathered.any());
        Self { overlong: overlong.q, too_great: too_great.q, surrogate }
    }

    fn any(&self) -> Signal<'m> {
        self.overlong | self.too_great | self.surrogate
    }

    fn tag(&self, tags: &Tags<'m>) -> Tag<'m> {
        let surrogate = Tag::mux(self.surrogate, tags.error(ErrorKind::Surrogate), tags.code_point());
        let past = Tag::mux(self.too_great, tags.error(ErrorKind::OutOfRange), surrogate);
        Tag::mux(self.overlong, tags.error(ErrorKind::Overlong), past)
    }
}
