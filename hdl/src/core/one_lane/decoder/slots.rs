//! The slot register of a decoder: what a unit makes certain, at most two slots, becomes one slot a cycle.
//!
//! The first of two is of the sequence before the unit or of the one it goes on with, `early`; the unit's own comes behind
//! it, and is held for a beat. There is always room: a unit that makes two slots does so since one before it made none.

use crate::core::shared::tags::Tag;
use crate::netlist::{Builder, Signal, Stage};

/// What a unit, or the end of a frame, makes certain.
pub(super) struct UnitSlots<'m> {
    /// One bit: the frame ends here.
    pub(super) frame_ends: Signal<'m>,
    /// A slot that comes before the unit's own, where there are such.
    pub(super) early: Option<EarlySlot<'m>>,
    pub(super) own: OwnSlot<'m>,
}

/// A slot that comes before the unit's own.
#[derive(Clone, Copy)]
pub(super) struct EarlySlot<'m> {
    /// One bit: there is one.
    pub(super) is: Signal<'m>,
    /// What the unit makes first: the early slot, or where there is none, the unit's own.
    pub(super) first: Tag<'m>,
    /// What it holds, and the bit that says that it holds something and is no error; where there are such.
    pub(super) data: Option<(Signal<'m>, Signal<'m>)>,
    /// The same of a number in place of the low bits, where those above are zero.
    pub(super) number: Option<(Signal<'m>, Signal<'m>)>,
    /// One bit: the frame ends with what goes first.
    pub(super) last: Signal<'m>,
    /// Where the unit's own slot may come with it: the registers that keep that, which load whenever both come.
    pub(super) held: Option<Stage<'m>>,
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short.
#[derive(Clone, Copy)]
pub(super) struct OwnSlot<'m> {
    /// One bit: there is one, or a frame that ends without one.
    pub(super) is: Signal<'m>,
    /// One bit: it is a slot, not only the end of a frame.
    pub(super) keep: Signal<'m>,
    /// What it is; where an early slot may come, only of slots behind one or in no sequence.
    pub(super) tag: Tag<'m>,
    /// What it holds, if it is no error: the bits at the top, zeros where the unit stands in no sequence.
    pub(super) above: Option<Signal<'m>>,
    /// And those at the bottom. Where both have a bit, it is the or of the two.
    pub(super) low: Option<Signal<'m>>,
}

/// The registers of the stage: a slot, and what it is.
pub(super) struct SlotRegister<'m> {
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
    pub(super) keep: Signal<'m>,
    pub(super) tag: Tag<'m>,
    /// Of an error, anything, also of one that is dropped; `None` if it is always zero.
    pub(super) data: Option<Signal<'m>>,
}

impl<'m> SlotRegister<'m> {
    /// A stage of registers behind it, their names after `name`, with `data` in place of its own.
    pub(super) fn register(self, data: Signal<'m>, stage: Stage<'m>, name: &str) -> Self {
        Self {
            valid: stage.flag(&format!("{name}_valid_reg"), self.valid),
            last: stage.data(&format!("{name}_last_reg"), self.last),
            keep: stage.data(&format!("{name}_keep_reg"), self.keep),
            tag: self.tag.register(stage, name),
            data: Some(stage.data(&format!("{name}_data_reg"), data)),
        }
    }
}

/// The stage, for slots with `bits` bits.
pub(super) fn slots<'m>(
    m: &'m Builder,
    made: UnitSlots<'m>,
    bits: u32,
    stage: Stage<'m>,
) -> SlotRegister<'m> {
    let UnitSlots { frame_ends, early, own } = made;
    let Some(early) = early else {
        m.section("The slot that goes out");
        return SlotRegister {
            valid: stage.flag("slot_valid_reg", own.is),
            last: stage.data("slot_last_reg", frame_ends),
            keep: stage.data("slot_keep_reg", own.keep),
            tag: own.tag.register(stage, "slot"),
            data: combine(m, own.above, own.low, bits).map(|data| stage.data("slot_data_reg", data)),
        };
    };
    let Some(keeps) = early.held else { return without_held(m, early, own, bits, stage) };
    m.section("Held slot: the unit's own, where another went first");
    let held = m.reg("held_reg", 1).reset(0).note("a slot is held");
    held.next_when(stage.enable, own.is & (early.is | held.q));
    let held_low = own.low.map(|low| keeps.data("held_low_reg", low));
    let held_keep = keeps.data("held_keep_reg", own.keep);
    let held_last = keeps.data("held_last_reg", frame_ends);
    let held_tag = own.tag.register(keeps, "held");

    m.section("The slot that goes out: what is held, else the early one, else the unit's own");
    // While a slot is held no sequence is open: what is gathered adds nothing to it.
    let low = own.low.zip(held_low).map(|(low, held_low)| held.q.mux(held_low, low).named("low_bits"));
    let data = combine(m, own.above, low, bits).map(|data| match early.number {
        Some((is_number, number)) => {
            let (below, width) = (number.width(), data.width());
            let is_number = (is_number & !held.q).named("is_number");
            m.concat([data.bits(below..width), is_number.mux(number, data.bits(0..below))])
        }
        None => data,
    });
    let data = data.map(|data| match early.data {
        Some((is_part, part)) => (is_part & !held.q).named("part").mux(part, data),
        None => data,
    });
    let tag = Tag::mux(held.q, held_tag, early.first);
    SlotRegister {
        valid: stage.flag("slot_valid_reg", held.q | early.is | own.is),
        last: stage.data("slot_last_reg", held.q.mux(held_last, early.last)),
        keep: stage.data("slot_keep_reg", held.q.mux(held_keep, early.is | own.keep)),
        tag: tag.register(stage, "slot"),
        data: data.map(|data| stage.data("slot_data_reg", data)),
    }
}

/// The stage where an early slot never comes with one of the unit's own.
fn without_held<'m>(
    m: &'m Builder,
    early: EarlySlot<'m>,
    own: OwnSlot<'m>,
    bits: u32,
    stage: Stage<'m>,
) -> SlotRegister<'m> {
    m.section("The slot that goes out: the early one, else the unit's own");
    let data = combine(m, own.above, own.low, bits);
    let data = data.map(|data| early.data.map_or(data, |(is_part, part)| is_part.mux(part, data)));
    SlotRegister {
        valid: stage.flag("slot_valid_reg", early.is | own.is),
        last: stage.data("slot_last_reg", early.last),
        keep: stage.data("slot_keep_reg", early.is | own.keep),
        tag: early.first.register(stage, "slot"),
        data: data.map(|data| stage.data("slot_data_reg", data)),
    }
}

/// The bits at the top and those at the bottom, in `bits` bits.
fn combine<'m>(
    m: &'m Builder,
    above: Option<Signal<'m>>,
    low: Option<Signal<'m>>,
    bits: u32,
) -> Option<Signal<'m>> {
    let (Some(above), Some(low)) = (above, low) else {
        return above.or(low).map(|some| some.zext(bits));
    };
    let (at, end) = (bits - above.width(), low.width());
    let mut parts = Vec::new();
    if end < bits {
        parts.push(above.bits(end - at..above.width()));
    }
    if end > at {
        parts.push(above.bits(0..end - at) | low.bits(at..end));
    }
    parts.push(low.bits(0..at));
    Some(m.concat(parts))
}
