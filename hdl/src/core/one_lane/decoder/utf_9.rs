//! UTF-9, seed 003 §3: octets of the code point, most significant first, all but the last with the continuation bit.
//!
//! A sequence ends at the first nonet without that bit, well-formed or not, or with the frame: a beat never makes two slots.

use super::OneUnitBeat;
use super::slots::{OwnSlot, UnitSlots};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal, Stage};

/// The kinds of error there are.
pub(super) const KINDS: [ErrorKind; 4] =
    [ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange];

/// The first octet of surrogates without its last three bits.
const SURROGATE_OCTET: u64 = 0xd8 >> 3;

/// Bits of a code point.
pub(super) fn code_bits(max: u32) -> u32 {
    u32::BITS - max.leading_zeros()
}

/// Stages 1 and 2, for code points up to `max`.
pub(super) fn decode<'m>(
    m: &'m Builder,
    max: u32,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    m.section("Stage 1: the nonet");
    let stage = pace.units();
    let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
    let load = pace.sequence((unit_valid | frame_ends).named("present"));
    let is_d8 = unit.bits(3..8).is(SURROGATE_OCTET).named("is_d8").note("D8 to DF");
    let octet = stage.data("octet_reg", unit.bits(0..8).when(unit_valid));
    let is_d8 = stage.data("is_d8_reg", is_d8);
    let goes_on = stage.data("continues_reg", (unit.bit(8) & unit_valid).named("continues"));
    let unit_valid = stage.flag("unit_valid_reg", unit_valid);
    let frame_ends = stage.flag("frame_ends_reg", frame_ends);

    m.section("Stage 2: the sequence that the nonet stands in");
    let open = m.reg("open_reg", 1).reset(0).note("in a sequence; what follows means nothing elsewhere");
    open.next_when(load.enable, goes_on & !frame_ends);
    let bits = code_bits(max) - 8;
    let above = m.reg("above_reg", bits).note("octets so far, the last in the low bits");
    let gathered = above.q.when(open.q).named("gathered");
    above.next_when(load.enable, m.concat([gathered.bits(0..bits - 8), octet]));
    let wrong = Wrong::new(m, max, open.q, gathered, octet, is_d8, load);

    m.section("The nonet's slot");
    let whole = (unit_valid & !goes_on).named("whole").note("the nonet ends its sequence");
    let cut = open.q | unit_valid;
    let keep = match tags.drops_errors() {
        true => whole & !(open.q & wrong.any()),
        false => whole | frame_ends & cut,
    };
    let keep = keep.named("own_keep").note("it is not only the end of a frame");
    let inside = Tag::mux(open.q, wrong.tag(tags), tags.code_point());
    let outside = Tag::mux(cut, tags.error(ErrorKind::Truncated), tags.code_point());
    let own = OwnSlot {
        is: (keep | frame_ends).named("own"),
        keep,
        tag: Tag::mux(whole, inside, outside).named("own"),
        above: Some(gathered),
        low: Some(octet),
    };
    UnitSlots { frame_ends, early: None, own }
}

/// What is wrong with a sequence, whatever its last octet is: registers, without meaning in no sequence.
struct Wrong<'m> {
    overlong: Signal<'m>,
    too_great: Signal<'m>,
    surrogate: Signal<'m>,
}

impl<'m> Wrong<'m> {
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
        // Past the last code point with whatever octet comes, or shifted out.
        let bits = gathered.width();
        let (out, stays) = (gathered.bits(bits - 8..bits), gathered.bits(0..bits - 8));
        let too_great = m.reg("too_great_reg", 1).note("past the last code point");
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
