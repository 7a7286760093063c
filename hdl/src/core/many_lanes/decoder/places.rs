//! What the lanes of a decoder hand on: the slots that units end, each in the lane of its unit.

use crate::netlist::Signal;

/// The slots of a beat.
pub(super) struct Places<'m> {
    /// A slot before those of the lanes: of a sequence that the beat cuts short before its first unit; where there are such.
    pub(super) first: Option<First<'m>>,
    /// For each lane: its unit ends a slot. As of stage `plan.ends`.
    pub(super) ends: Vec<Signal<'m>>,
    /// For each lane: the slot. As of stage `plan.slots`.
    pub(super) slots: Vec<Signal<'m>>,
    /// The beat ends its frame. As of stage `plan.ends`.
    pub(super) last: Signal<'m>,
    /// There is a beat; nothing else means anything where there is none. As of stage `plan.ends`.
    pub(super) valid: Signal<'m>,
}

/// A slot that comes before those of the lanes.
pub(super) struct First<'m> {
    /// There is one. As of stage `plan.ends`.
    pub(super) ends: Signal<'m>,
    /// The slot. As of stage `plan.sums`.
    pub(super) slot: Signal<'m>,
}
