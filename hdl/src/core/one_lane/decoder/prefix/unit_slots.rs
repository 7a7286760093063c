//! Stage 2, second half: the slots that a unit makes certain, by how it relates to the sequence before it.

use super::class::{SequencePart, UnitClass};
use super::limbs::LongParts;
use super::open_sequence::OpenSequence;
use crate::core::one_lane::decoder::slots::{EarlyData, EarlySlot, OwnSlot, UnitSlots};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::leads::Leads;
use crate::core::shared::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};

/// The slots that a unit makes certain, without the upper bits of its own slot's data. `broken_tag` is the tag of the
/// sequence before the unit if the unit does not continue it.
pub(in super::super) fn unit_slots<'m>(
    m: &'m Builder,
    leads: &Leads,
    class: UnitClass<'m>,
    sequence: &OpenSequence<'m>,
    parts: Option<LongParts<'m>>,
    broken_tag: Tag<'m>,
    tags: &Tags<'m>,
) -> UnitSlots<'m> {
    m.section(tags.heading(
        "Slots: the error of a sequence that the unit breaks, and the unit's own slot",
        "Errors: of a sequence that the unit breaks, and of the unit itself",
    ));
    let part = class.part.expect("there are sequences");
    let own = OwnSlot { low: class.payload, ..own(class, sequence, parts, tags) };
    let early = early(leads, class, part, sequence, parts, broken_tag, tags);
    let (early, own) = if tags.drops_errors() && parts.is_some() {
        last_of_both(class.frame_ends, early.expect("there are errors in place of limbs"), own)
    } else {
        (early, own)
    };
    let own =
        OwnSlot { is: own.is.named("own").note("the unit, or the end of the frame, makes a slot"), ..own };
    let begins = class.unit_valid & !sequence.continues;
    let UnitClass { unit_valid, frame_ends, .. } = class;
    UnitSlots { unit_valid: Some(unit_valid), frame_ends, early, own, begins: Some(begins) }
}

/// The slots of a system without sequences of several units.
pub(super) fn of_single_units(class: UnitClass<'_>) -> UnitSlots<'_> {
    let UnitClass { unit_valid, frame_ends, payload, .. } = class;
    let keep = class.single.map_or(unit_valid, |single| (single & unit_valid).named("own_keep"));
    let own = OwnSlot { is: keep | frame_ends, keep, tag: class.alone, above: None, low: payload };
    UnitSlots { unit_valid: Some(unit_valid), frame_ends, early: None, own, begins: Some(unit_valid) }
}

/// If the unit's own slot is dropped after an early slot, the frame ends with the early slot.
fn last_of_both<'m>(
    frame_ends: Signal<'m>,
    early: EarlySlot<'m>,
    own: OwnSlot<'m>,
) -> (Option<EarlySlot<'m>>, OwnSlot<'m>) {
    let last = frame_ends & !(early.is & own.keep);
    let is = own.keep | frame_ends & !early.is;
    (Some(EarlySlot { last, ..early }), OwnSlot { is, ..own })
}

/// The early slot: the error of a sequence that the unit breaks, or a head or limb of the sequence that it continues.
fn early<'m>(
    leads: &Leads,
    class: UnitClass<'m>,
    part: SequencePart<'m>,
    sequence: &OpenSequence<'m>,
    parts: Option<LongParts<'m>>,
    broken_tag: Tag<'m>,
    tags: &Tags<'m>,
) -> Option<EarlySlot<'m>> {
    if !tags.has_errors() {
        return None;
    }
    let OpenSequence { open, continues, last_missing, .. } = *sequence;
    let breaks = class.unit_valid & open & !continues;
    let breaks = breaks.named("breaks").note("the unit breaks the open sequence, which is an error");
    let (code_point, truncated) = (tags.code_point(), sequence.truncated_tag(leads, tags));
    let alone = Tag::mux(class.unit_valid, class.alone, code_point);
    // At the end of a frame inside a sequence, the unit's own slot is that of the sequence, which is truncated, too.
    let slot = SequenceSlot {
        is: breaks,
        broken: broken_tag,
        whole: code_point,
        truncated,
        due: None,
        data: None,
        number: None,
    };
    let slot = match parts {
        Some(parts) => slot.with_parts(part, continues, parts, tags),
        None => slot,
    };
    let outside = Tag::mux(open, slot.broken, alone).named("outside");
    let inside = Tag::mux(last_missing, slot.whole, slot.truncated);
    let inside = slot.due.map_or(inside, |(is_due, tag)| Tag::mux(is_due, tag, inside));
    let is = slot.is.named("early").note("a slot goes out before the unit's own");
    Some(EarlySlot {
        is,
        first: Tag::mux(continues, inside.named("inside"), outside),
        data: slot.data,
        number: slot.number,
        last: class.frame_ends & !is,
        held: Some(sequence.stage),
    })
}

/// The slot that goes out for the sequence before the unit.
struct SequenceSlot<'m> {
    is: Signal<'m>,
    /// The slot's tag if the unit breaks the sequence,
    broken: Tag<'m>,
    /// if the unit makes it whole,
    whole: Tag<'m>,
    /// and if the frame ends inside it.
    truncated: Tag<'m>,
    /// One bit: a head or limb goes out if the unit continues the sequence; and the tag of that.
    due: Option<(Signal<'m>, Tag<'m>)>,
    data: Option<EarlyData<'m>>,
    number: Option<EarlyData<'m>>,
}

impl<'m> SequenceSlot<'m> {
    /// The slot in a system with heads and limbs.
    fn with_parts(
        self,
        part: SequencePart<'m>,
        continues: Signal<'m>,
        parts: LongParts<'m>,
        tags: &Tags<'m>,
    ) -> Self {
        let code_point = tags.code_point();
        // A core that drops errors still puts them out in place of a limb, after a head.
        let (is, broken, truncated) = if tags.drops_errors() {
            let in_place = |tag| Tag::mux(parts.head_sent, tag, code_point);
            (self.is & parts.head_sent, in_place(self.broken), in_place(self.truncated))
        } else {
            (self.is, self.broken, self.truncated)
        };
        // A trailing unit outside sequences is an error, so the data of its slot does not matter.
        let early = |is: Signal<'m>, value| EarlyData { is: part.trailing & is, value };
        Self {
            is: is | continues & parts.due,
            broken,
            whole: Tag::mux(parts.head_sent, tags.limb(), code_point),
            truncated,
            due: Some((parts.due, Tag::mux(parts.head, tags.head(), tags.limb()))),
            data: parts.data.map(|data| early(data.limb, data.limb_data)),
            number: parts.data.map(|data| early(parts.head, data.number)),
        }
    }
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short; without its data.
fn own<'m>(
    class: UnitClass<'m>,
    sequence: &OpenSequence<'m>,
    parts: Option<LongParts<'m>>,
    tags: &Tags<'m>,
) -> OwnSlot<'m> {
    let UnitClass { unit_valid, frame_ends, .. } = class;
    let OpenSequence { open, continues, last_missing, unfinished, .. } = *sequence;
    let (code_point, truncated) = (tags.code_point(), tags.error(ErrorKind::Truncated));
    let tag = Tag::mux(unit_valid, class.alone, code_point);
    // After a head or a limb, the own slot is the error of a sequence that ends with the frame.
    let tag = if parts.is_some() { Tag::mux(continues, truncated, tag) } else { tag };
    let (is, keep) = match class.single {
        None => {
            let keep = (unit_valid | open).named("own_keep");
            (unit_valid & !unfinished | frame_ends, keep.note("there is a slot, not only the end of a frame"))
        }
        Some(single) => {
            let keep = continues.mux(last_missing, single & unit_valid);
            let keep = match parts {
                // Errors are dropped, but not in place of a limb.
                Some(parts) => {
                    let inside = !last_missing & (parts.head | parts.head_sent);
                    let outside = !unit_valid & open & parts.head_sent;
                    keep | frame_ends & continues.mux(inside, outside)
                }
                None => keep,
            };
            let keep = keep.named("own_keep").note("there is a slot that is not dropped");
            (keep | frame_ends, keep)
        }
    };
    OwnSlot { is, keep, tag: tag.named("own"), above: None, low: None }
}
