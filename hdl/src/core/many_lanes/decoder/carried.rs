//! A beat with the slots that come before and after those of its lanes.

use super::pipeline::GROUP;
use crate::core::lanes::At;

/// The beat after the carry is resolved, all in the stage that makes slots.
pub(super) struct Carried<'m> {
    /// A beat advances with the slots of its lanes; for each group of lanes, or for all.
    pub(super) valid: Vec<At<'m>>,
    /// The output beat is present.
    pub(super) present: At<'m>,
    /// The output beat ends its frame.
    pub(super) last: At<'m>,
    pub(super) first: Option<FirstSlot<'m>>,
    /// The beat that came in makes no output beat; in a pipeline that never waits.
    pub(super) gone: Option<At<'m>>,
    /// A second output beat; in a pipeline that never waits.
    pub(super) beside: Option<Beside<'m>>,
}

impl<'m> Carried<'m> {
    /// A beat advances with the slots of its lanes, as the lane knows it.
    pub(super) fn valid_at(&self, lane: usize) -> At<'m> {
        self.valid[(lane / GROUP).min(self.valid.len() - 1)]
    }
}

/// The slot before those of the lanes.
pub(super) struct FirstSlot<'m> {
    /// The slot is present.
    pub(super) holds: At<'m>,
    /// The slot is the carry of the beat before; `None` where nothing is carried.
    pub(super) rides: Option<At<'m>>,
    /// The beat, advancing or waiting, has a slot before those of its lanes; in the stage before.
    pub(super) of_beat: At<'m>,
    /// The slot of the last lane has no room.
    pub(super) has_no_room: At<'m>,
    /// A second beat follows in the next cycle, for which stages wait.
    pub(super) second_next: Option<SecondNext<'m>>,
}

/// Whether a second beat goes on in the next cycle.
#[derive(Clone, Copy)]
pub(super) struct SecondNext<'m> {
    /// A second beat goes on in the next cycle if the stages of slots move in this one.
    pub(super) if_moved: At<'m>,
    /// A second beat goes on in the next cycle if the stages of slots stay in this one.
    pub(super) if_not: At<'m>,
}

/// The second beat of an entry, all in the stage that makes slots.
#[derive(Clone, Copy)]
pub(super) struct Beside<'m> {
    /// There is one.
    pub(super) follows: At<'m>,
    /// The beat has a slot: that of the last lane.
    pub(super) holds: At<'m>,
    /// The beat ends its frame.
    pub(super) last: At<'m>,
}
