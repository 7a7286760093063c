//! The decoder of UTF-18, seed 003 §4: a code point is a pair of nonets, the high one first.
//!
//! Values up to 2FFFF are code points as they are; 30000 to 3FFFF are U+E0000 to U+EFFFF. A pair is certain at its end,
//! and the end of a frame cuts off at most one nonet. So a beat makes at most one slot.

use super::slots::{OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Signal};

/// The high nonet of surrogates without its last two bits.
const HIGH_OF_SURROGATES: u64 = 0xd800 >> 11;

/// The decoder.
pub(super) struct Utf18Decoder;

impl TwoStageDecoder for Utf18Decoder {
    fn kinds(&self, _: TagStyle) -> Vec<ErrorKind> {
        vec![ErrorKind::Truncated, ErrorKind::Surrogate]
    }

    fn code_bits(&self) -> u32 {
        20
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
        let present = (unit_valid | frame_ends).named("present");
        let pairs = pace.sequence(present);
        let surrogate = unit.bits(2..9).is(HIGH_OF_SURROGATES).named("surrogate");
        let surrogate = surrogate.note("a high nonet of this value begins a surrogate");
        let nonet = stage.data("nonet_reg", unit.when(unit_valid));
        let surrogate = stage.data("surrogate_reg", surrogate);
        let unit_valid = stage.flag("unit_valid_reg", unit_valid);
        let frame_ends = stage.flag("frame_ends_reg", frame_ends);

        m.stage_section(2, "the open pair");
        let open = m.reg("open_reg", 1).reset(0).note("the high nonet of a pair is here");
        open.next_when(pairs.enable, unit_valid & !open.q & !frame_ends);
        let high = pairs.data("high_reg", nonet);
        let high_surrogate = pairs.data("high_surrogate_reg", surrogate);
        let whole = (open.q & unit_valid).named("whole").note("the nonet ends its pair");
        let value = high_value(m, high);
        let inside = open.q | unit_valid;
        let inside = if tags.has_errors() {
            inside.named("ends_inside").note("a frame that ends here ends inside a pair")
        } else {
            inside
        };
        let of_whole = Tag::mux(high_surrogate, tags.error(ErrorKind::Surrogate), tags.code_point());
        let of_others = Tag::mux(inside, tags.error(ErrorKind::Truncated), tags.code_point());
        let keep = if tags.drops_errors() { whole & !high_surrogate } else { whole | frame_ends & inside };
        let keep = keep.named("own_keep").note("there is a slot, not only the end of a frame");
        let own = OwnSlot {
            is: keep | frame_ends,
            keep,
            tag: Tag::mux(whole, of_whole, of_others),
            above: Some(value.when(open.q)),
            low: Some(nonet),
        };
        let begins = Some(unit_valid & !open.q);
        UnitSlots { unit_valid: Some(unit_valid), frame_ends, early: None, own, begins }
    }
}

/// The bits of the code point above the low nonet; plane 3 of the code becomes plane 14.
fn high_value<'m>(m: &'m Builder, high: Signal<'m>) -> Signal<'m> {
    let plane_14 = high.bits(7..9).all().named("plane_14").note("values from 30000 on are U+E0000 and up");
    m.concat([plane_14, plane_14, high.bit(8), high.bit(7) & !plane_14, high.bits(0..7)])
}
