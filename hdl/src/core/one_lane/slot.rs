//! A slot of the UCS stream inside a core, between the half that decodes and the half that encodes.

use crate::netlist::Signal;

/// A beat of one slot.
#[derive(Clone, Copy)]
pub(super) struct OneSlotBeat<'m> {
    /// There is a beat.
    pub(super) valid: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// It holds a slot.
    pub(super) keep: Signal<'m>,
    /// Up to 32 bits: the code point, a limb, or the number of limbs; of an error, anything.
    pub(super) data: Signal<'m>,
    /// The slot is an error. Without meaning where `keep` is low.
    pub(super) error: Signal<'m>,
    /// What else it is, where there are code points of 2^32 or more.
    pub(super) long: Option<LongSlot<'m>>,
}

/// The parts of a code point of 2^32 or more. Without meaning where `keep` is low; never both, nor with `error`.
#[derive(Clone, Copy)]
pub(super) struct LongSlot<'m> {
    /// The slot is a head: `data` is the number of limbs that follow.
    pub(super) head: Signal<'m>,
    /// The slot is a limb.
    pub(super) limb: Signal<'m>,
}
