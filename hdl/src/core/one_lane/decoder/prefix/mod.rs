//! Decoders of the systems whose lead units tell the length of a sequence: one design, made from the system's forms.
//!
//! Stage 1 says what a unit is by itself, stage 2 how it goes on with the sequence before it.

mod classify;
mod long;
mod sequence;

use super::OneUnitBeat;
use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};
pub(super) use classify::{Class, Part, classify};
pub(super) use long::Parts;
use long::{Limbs, parts};
pub(super) use sequence::{Sequence, narrow};
use sequence::{cut_tag, sequence};

/// Stages 1 and 2 of a decoder, and the registers between.
pub(super) struct Decoded<'m> {
    /// What each unit, or the end of a frame, makes certain.
    pub(super) made: UnitSlots<'m>,
    pub(super) class: Class<'m>,
    /// Where there are sequences of more than one unit.
    pub(super) sequence: Option<Sequence<'m>>,
}

/// Stages 1 and 2: what each unit, or the end of a frame, makes certain.
pub(super) fn decode<'m>(
    m: &'m Builder,
    leads: &Leads,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> Decoded<'m> {
    let class = classify(m, leads, beat, tags, pace);
    let Some(part) = class.part else { return Decoded { made: alone(class), class, sequence: None } };
    let payload = class.payload.expect("a unit of a sequence has bits below its marker");
    let (code_bits, unit_bits) = (leads.code_bits(), leads.forms.trailing_bits());
    let gathered_bits = match leads.is_long() {
        true => Limbs::new(leads).gathered_bits(unit_bits),
        false => code_bits - unit_bits,
    };
    let sequence = sequence(m, leads, class, part, gathered_bits);
    let parts = leads.is_long().then(|| parts(m, leads, part, &sequence, payload));
    let cut_tag = cut_tag(leads, part, &sequence, tags);
    // Where errors are dropped, the unit that cuts a sequence goes out in its place.
    let gathers = if tags.drops_errors() { sequence.open & part.trailing } else { sequence.open };
    let above = sequence.gathered.bits(0..code_bits - unit_bits).when(gathers).named("above");
    let made = made(m, leads, class, &sequence, parts, cut_tag, tags);
    let made = UnitSlots { own: OwnSlot { above: Some(above), ..made.own }, ..made };
    Decoded { made, class, sequence: Some(sequence) }
}

/// What a unit makes certain, from how it goes on with the sequence before it, without the bits above its payload. `cut_tag` is
/// what that sequence is if it does not go on.
pub(super) fn made<'m>(
    m: &'m Builder,
    leads: &Leads,
    class: Class<'m>,
    sequence: &Sequence<'m>,
    parts: Option<Parts<'m>>,
    cut_tag: Tag<'m>,
    tags: &Tags<'m>,
) -> UnitSlots<'m> {
    m.section("The slot of a sequence cut short by the unit, and the unit's own");
    let part = class.part.expect("there are sequences");
    let own = OwnSlot { low: class.payload, ..own(class, sequence, parts, tags) };
    let early = early(leads, class, part, sequence, parts, cut_tag, tags);
    let (early, own) = if tags.drops_errors() && parts.is_some() {
        last_of_both(class.frame_ends, early.expect("errors are told in place of limbs"), own)
    } else {
        (early, own)
    };
    let own = OwnSlot { is: own.is.named("own").note("the unit, or the end, makes a slot"), ..own };
    UnitSlots { frame_ends: class.frame_ends, early, own }
}

/// Where the unit's own slot is dropped behind an early one, the frame ends with the early one.
fn last_of_both<'m>(
    frame_ends: Signal<'m>,
    early: EarlySlot<'m>,
    own: OwnSlot<'m>,
) -> (Option<EarlySlot<'m>>, OwnSlot<'m>) {
    let last = frame_ends & !(early.is & own.keep);
    (Some(EarlySlot { last, ..early }), OwnSlot { is: own.keep | frame_ends & !early.is, ..own })
}

/// Of a system where every unit stands alone.
fn alone(class: Class<'_>) -> UnitSlots<'_> {
    let Class { unit_valid, frame_ends, payload, .. } = class;
    let keep = class.single.map_or(unit_valid, |single| single & unit_valid);
    let own = OwnSlot { is: keep | frame_ends, keep, tag: class.alone, above: None, low: payload };
    UnitSlots { frame_ends, early: None, own }
}

/// The error of a sequence that the unit cuts short, or a head or limb of the one it goes on with.
fn early<'m>(
    leads: &Leads,
    class: Class<'m>,
    part: Part<'m>,
    sequence: &Sequence<'m>,
    parts: Option<Parts<'m>>,
    cut_tag: Tag<'m>,
    tags: &Tags<'m>,
) -> Option<EarlySlot<'m>> {
    if !tags.has_errors() {
        return None;
    }
    let Sequence { open, fits, last_missing, .. } = *sequence;
    let cut = class.unit_valid & open & !fits;
    let cut = cut.named("cut").note("the sequence before the unit is an error");
    let (code_point, truncated) = (tags.code_point(), sequence.truncated(leads, tags));
    let alone = Tag::mux(class.unit_valid, class.alone, code_point);
    // At the end of a frame inside a sequence, the unit's own slot is that of the sequence, and truncated too.
    let (is, cut_tag, inside, data, number) = match parts {
        None => (cut, cut_tag, Tag::mux(last_missing, code_point, truncated), None, None),
        Some(parts) => {
            // Errors that are dropped are told all the same where the head has been told.
            let (told, cut_tag, truncated) = if tags.drops_errors() {
                let in_place = |tag| Tag::mux(parts.told, tag, code_point);
                (cut & parts.told, in_place(cut_tag), in_place(truncated))
            } else {
                (cut, cut_tag, truncated)
            };
            let head_or_limb = Tag::mux(parts.head, tags.head(), tags.limb());
            let whole = Tag::mux(parts.told, tags.limb(), code_point);
            let inside = Tag::mux(parts.due, head_or_limb, Tag::mux(last_missing, whole, truncated));
            // A trailing unit outside a sequence is an error: what it would hold does not matter.
            let data = parts.data.map(|data| (part.trailing & data.limb, data.limb_data));
            let number = parts.data.map(|data| (part.trailing & parts.head, data.number));
            (told | fits & parts.due, cut_tag, inside, data, number)
        }
    };
    let outside = Tag::mux(open, cut_tag, alone).named("outside");
    let is = is.named("early");
    let first = Tag::mux(fits, inside.named("inside"), outside);
    Some(EarlySlot { is, first, data, number, last: class.frame_ends & !is, held: Some(sequence.stage) })
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short; without what it holds.
fn own<'m>(
    class: Class<'m>,
    sequence: &Sequence<'m>,
    parts: Option<Parts<'m>>,
    tags: &Tags<'m>,
) -> OwnSlot<'m> {
    let Class { unit_valid, frame_ends, .. } = class;
    let Sequence { open, fits, last_missing, unfinished, .. } = *sequence;
    let (code_point, truncated) = (tags.code_point(), tags.error(ErrorKind::Truncated));
    let tag = Tag::mux(unit_valid, class.alone, code_point);
    // Behind a head or a limb stands the error of a sequence that ends with the frame.
    let tag = if parts.is_some() { Tag::mux(fits, truncated, tag) } else { tag };
    let (is, keep) = match class.single {
        None => {
            let keep = (unit_valid | open).named("own_keep").note("it is not only the end of a frame");
            (unit_valid & !unfinished | frame_ends, keep)
        }
        Some(single) => {
            let keep = fits.mux(last_missing, single & unit_valid);
            let keep = match parts {
                // Errors are dropped, but not in place of a limb.
                Some(parts) => {
                    let (inside, outside) = (!last_missing & (parts.head | parts.told), !unit_valid & open);
                    keep | frame_ends & fits.mux(inside, outside & parts.told)
                }
                None => keep,
            };
            let keep = keep.named("own_keep").note("it is a slot that is told");
            (keep | frame_ends, keep)
        }
    };
    OwnSlot { is, keep, tag: tag.named("own"), above: None, low: None }
}
