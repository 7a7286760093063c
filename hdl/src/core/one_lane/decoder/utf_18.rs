//! UTF-18, seed 003 §4: pairs of nonets, the high one first.
//!
//! Values up to 2FFFF are code points as they are, 30000 to 3FFFF are U+E0000 to U+EFFFF. A pair is certain at its end, and the
//! end of a frame cuts at most one nonet off: a beat never makes two slots.

use super::OneUnitBeat;
use super::slots::{OwnSlot, UnitSlots};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};

/// The kinds of error there are.
pub(super) const KINDS: [ErrorKind; 2] = [ErrorKind::Truncated, ErrorKind::Surrogate];
/// Bits of a code point.
pub(super) const CODE_BITS: u32 = 20;

/// The high nonet of surrogates, without its last two bits.
const HIGH_OF_SURROGATES: u64 = 0xd800 >> 11;

/// Stages 1 and 2.
pub(super) fn decode<'m>(
    m: &'m Builder,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    m.section("Stage 1: the nonet");
    let stage = pace.units();
    let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
    let present = (unit_valid | frame_ends).named("present");
    let pairs = pace.sequence(present);
    let is_surrogate =
        unit.bits(2..9).is(HIGH_OF_SURROGATES).named("surrogate").note("if it is a high nonet");
    let nonet = stage.data("nonet_reg", unit.when(unit_valid));
    let surrogate = stage.data("surrogate_reg", is_surrogate);
    let unit_valid = stage.flag("unit_valid_reg", unit_valid);
    let frame_ends = stage.flag("frame_ends_reg", frame_ends);

    m.section("Stage 2: the pair");
    let open = m.reg("open_reg", 1).reset(0).note("the high nonet is there");
    open.next_when(pairs.enable, unit_valid & !open.q & !frame_ends);
    let high = pairs.data("high_reg", nonet);
    let high_surrogate = pairs.data("high_surrogate_reg", surrogate);
    let whole = (open.q & unit_valid).named("whole");
    let value = high_value(m, high);
    let pair = Tag::mux(high_surrogate, tags.error(ErrorKind::Surrogate), tags.code_point());
    let cut = Tag::mux(open.q | unit_valid, tags.error(ErrorKind::Truncated), tags.code_point());
    let keep = if tags.drops_errors() {
        whole & !high_surrogate
    } else {
        whole | frame_ends & (open.q | unit_valid)
    };
    let keep = keep.named("own_keep");
    let own = OwnSlot {
        is: keep | frame_ends,
        keep,
        tag: Tag::mux(whole, pair, cut),
        above: Some(value.when(open.q)),
        low: Some(nonet),
    };
    UnitSlots { frame_ends, early: None, own }
}

/// The bits of the code point above the low nonet: plane 3 stands for plane 14.
fn high_value<'m>(m: &'m Builder, high: Signal<'m>) -> Signal<'m> {
    let plane_14 = high.bits(7..9).all().named("plane_14").note("values from 30000 on are U+E0000 and up");
    m.concat([plane_14, plane_14, high.bit(8), high.bit(7) & !plane_14, high.bits(0..7)])
}
