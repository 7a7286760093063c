//! Stage 2, second half: the slot that the unit, or the end of a frame, makes certain.

use super::classify::Class;
use super::sequence::Sequence;
use super::{CODE_BITS, KIND_BITS, Kinds, REPLACEMENT, slot_labels};
use crate::netlist::{Builder, Signal};

/// What goes to the output register, and whether there is something.
pub(super) struct Slot<'m> {
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
    pub(super) keep: Signal<'m>,
    pub(super) kind: Signal<'m>,
    pub(super) code: Signal<'m>,
}

/// Every error makes a slot; so there can be two at once, and `held` keeps the second for the next beat.
pub(super) fn flag_errors<'m>(
    m: &'m Builder,
    class: Class<'m>,
    sequence: Sequence<'m>,
    kinds: &Kinds<'m>,
    advance: Signal<'m>,
) -> Slot<'m> {
    let Class { unit_valid, frame_ends, payload, .. } = class;
    let Sequence { open, gathered, fits, unfinished, .. } = sequence;
    m.section("The slot of a sequence cut short by the unit, and the unit's own");
    let cut = (unit_valid & open & !fits).named("cut").note("the sequence before the unit is an error");
    let cut_kind = cut_kind(class, sequence, kinds).named("cut_kind").labels(&slot_labels());
    let own = (unit_valid & !unfinished | frame_ends).named("own").note("the unit, or the end, makes a slot");
    let own_kind = own_kind(class, sequence, kinds).named("own_kind").labels(&slot_labels());
    let own_keep = (unit_valid | open).named("own_keep").note("it is not only the end of a frame");

    m.section(
        "Held slot: the unit's own, where an error went first; it is of one unit, so seven bits hold its code point",
    );
    let held = m.reg("held_reg", 1).reset(0).note("a slot is held");
    let held_payload = m.reg("held_payload_reg", 7);
    let held_kind = m.reg("held_kind_reg", KIND_BITS);
    let held_keep = m.reg("held_keep_reg", 1);
    let held_last = m.reg("held_last_reg", 1);
    held.next_when(advance, own & (cut | held.q));
    held_payload.next_when(advance, payload);
    held_kind.next_when(advance, own_kind);
    held_keep.next_when(advance, own_keep);
    held_last.next_when(advance, frame_ends);

    m.section("The slot that goes out: what is held, else the error, else the unit's own");
    let valid = m.reg("slot_valid_reg", 1).reset(0);
    let last = m.reg("slot_last_reg", 1);
    let keep = m.reg("slot_keep_reg", 1);
    let kind = m.reg("slot_kind_reg", KIND_BITS);
    let code = m.reg("slot_code_reg", CODE_BITS).note("of an error, anything");
    kind.q.labels(&slot_labels());
    valid.next_when(advance, held.q | cut | own);
    last.next_when(advance, held.q.mux(held_last.q, frame_ends & !cut));
    keep.next_when(advance, held.q.mux(held_keep.q, cut | own_keep));
    kind.next_when(advance, held.q.mux(held_kind.q, cut.mux(cut_kind, own_kind)));
    // While a slot is held no sequence is open, so what is gathered adds nothing to it.
    let low = held.q.mux(held_payload.q, payload).named("low_bits");
    code.next_when(advance, code_point(m, open, gathered, low));
    let error = kind.q.any().named("slot_error");
    let (valid, last, keep, kind) = (valid.q, last.q, keep.q, kind.q);
    Slot { valid, last, keep, kind, code: error.mux(m.lit(CODE_BITS, REPLACEMENT), code.q) }
}

/// Why the sequence before the unit is none: a trailing unit cuts it where only some of them may follow.
fn cut_kind<'m>(class: Class<'m>, sequence: Sequence<'m>, kinds: &Kinds<'m>) -> Signal<'m> {
    let past_last = sequence.of_4.mux(kinds.out_of_range, kinds.surrogate);
    class.trailing.mux(sequence.lower.mux(past_last, kinds.overlong), kinds.truncated)
}

/// What the unit's own slot is; a slot at the end of a frame inside a sequence is the sequence's.
fn own_kind<'m>(class: Class<'m>, sequence: Sequence<'m>, kinds: &Kinds<'m>) -> Signal<'m> {
    let in_sequence = sequence.last_missing.mux(kinds.none, kinds.truncated);
    let end_alone = sequence.open.mux(kinds.truncated, kinds.none);
    sequence.fits.mux(in_sequence, class.unit_valid.mux(class.alone, end_alone))
}

/// No error makes a slot; where a frame ends in one, an empty beat carries the end.
pub(super) fn drop_errors<'m>(
    m: &'m Builder,
    class: Class<'m>,
    sequence: Sequence<'m>,
    advance: Signal<'m>,
) -> Slot<'m> {
    m.section("The slot that goes out, unless it is an error");
    let whole = sequence.fits.mux(sequence.last_missing, !class.alone).named("whole").note("a code point");
    let next_keep = (class.unit_valid & whole).named("next_keep");
    let valid = m.reg("slot_valid_reg", 1).reset(0);
    let last = m.reg("slot_last_reg", 1);
    let keep = m.reg("slot_keep_reg", 1);
    let code = m.reg("slot_code_reg", CODE_BITS).note("where nothing is kept, anything");
    valid.next_when(advance, next_keep | class.frame_ends);
    last.next_when(advance, class.frame_ends);
    keep.next_when(advance, next_keep);
    // An ASCII unit may cut a sequence, and then what is gathered is none of it.
    let gathers = (sequence.open & class.trailing).named("gathers");
    code.next_when(advance, code_point(m, gathers, sequence.gathered, class.payload));
    Slot { valid: valid.q, last: last.q, keep: keep.q, kind: m.lit(1, 0), code: code.q.when(keep.q) }
}

/// What is gathered, where that counts, and the payload of the last unit, of which only that of an ASCII unit has a bit 6.
fn code_point<'m>(
    m: &'m Builder,
    counts: Signal<'m>,
    gathered: Signal<'m>,
    payload: Signal<'m>,
) -> Signal<'m> {
    let above = gathered.when(counts).named("above");
    m.concat([above.bits(1..15), above.bit(0) | payload.bit(6), payload.bits(0..6)])
}
