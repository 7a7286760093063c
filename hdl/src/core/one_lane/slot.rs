//! A slot of the UCS stream inside a core, as an encoding half takes it.

use crate::netlist::Signal;

/// A beat of slots in a core of one lane.
#[derive(Clone, Copy)]
pub(super) struct OneSlotBeat<'m> {
    /// There is a beat.
    pub(super) valid: Signal<'m>,
    /// The beat ends its frame.
    pub(super) last: Signal<'m>,
    /// The beat holds a slot.
    pub(super) keep: Signal<'m>,
    /// Up to 32 bits: the code point, a limb, or the number of limbs; anything in an error.
    pub(super) data: Signal<'m>,
    /// The slot is an error; anything where `keep` is low.
    pub(super) error: Signal<'m>,
    /// Whether the slot is a head or a limb; `None` if there are no code points of 2^32 or more.
    pub(super) long: Option<LongSlot<'m>>,
}

/// Whether a slot is a part of a code point of 2^32 or more; anything where `keep` is low. At most one of these and
/// `error` is high.
#[derive(Clone, Copy)]
pub(super) struct LongSlot<'m> {
    /// The slot is a head: `data` is the number of limbs that follow.
    pub(super) head: Signal<'m>,
    /// The slot is a limb.
    pub(super) limb: Signal<'m>,
    /// Each head announces at least two limbs, as those of a decoder do. Others may announce none or one, which is an error.
    pub(super) heads_are_good: bool,
}
