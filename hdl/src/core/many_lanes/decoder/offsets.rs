//! The facts about the units of a beat from which the [positions](super::positions) of its slots follow: a front gives them.

use crate::core::lanes::{At, Beat, Lanes};

/// The facts about the units of a beat from which the positions of its slots follow.
pub(super) struct Offsets<'m> {
    /// The number of units in the beat.
    pub(super) count: At<'m>,
    /// A unit of the decoder is 2^shift units of the frame.
    pub(super) shift: u32,
    /// For each place of a decoder that drops errors: the units before the place that belong to its slot. `None` if there are none.
    pub(super) back: Option<Lanes<'m>>,
    /// Heads and limbs, in systems that have them.
    pub(super) parts: Option<Parts<'m>>,
    /// The mark that can open a frame and makes no slot, in systems that have one.
    pub(super) mark: Option<Mark<'m>>,
}

/// A mark that can open a frame and makes no slot.
pub(super) struct Mark<'m> {
    /// The beat completes the mark.
    pub(super) ends: At<'m>,
    /// The length of the mark, in units of the decoder.
    pub(super) units: u64,
    /// [`Offsets::count`] includes the units of the mark.
    pub(super) is_counted: bool,
}

/// Which slots are heads, or limbs but the last, so that the next slot is of the same sequence. Stage of [`Front::ends`](super::front::Front::ends).
pub(super) struct Parts<'m> {
    /// The slot of each place.
    pub(super) of_places: Lanes<'m>,
    /// The slot before those of the places.
    pub(super) of_first: At<'m>,
}

impl<'m> Offsets<'m> {
    /// The facts, if positions are asked for, where each unit has a place.
    pub(super) fn of(beat: &Beat<'m>, asked: bool) -> Option<Self> {
        let count = || beat.count().called("unit_count");
        asked.then(|| Self { count: count(), shift: 0, back: None, parts: None, mark: None })
    }
}
