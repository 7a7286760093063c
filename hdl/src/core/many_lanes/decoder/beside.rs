//! The carry in a pipeline that never waits: a slot that has no room goes beside its beat where no beat of its frame follows at once.
//!
//! In a pipeline with enables the slot takes a beat of its own, for which the stages before the carry wait. In a pipeline without enables, the
//! output FIFO holds the slot in one entry with its beat, and gives two beats of that entry. A beat that comes in therefore makes one entry
//! at most, and credits count beats.
//!
//! ```text
//!  taken     E1+80  41+41+41+41|  E1+80  41+41+41+41  .  42|
//!  entries   .      #2+41+41+41   .      #2+41+41+41     42|
//!            .      beside: 41|   .      beside: 41      .
//! ```

use super::carried::{Beside, Carried, FirstSlot};
use super::front::{First, Front};
use super::pipeline::Pipeline;
use crate::core::lanes::{At, section};
use crate::netlist::{Builder, Signal};

/// A beat, in the stage in which the slot that has no room is found.
pub(super) struct Found<'m> {
    pub(super) valid: At<'m>,
    pub(super) last: At<'m>,
    /// Some lane ends a slot, and every lane.
    pub(super) some: At<'m>,
    pub(super) full: At<'m>,
    /// The beat holds a slot, or ends its frame.
    pub(super) makes: At<'m>,
}

/// Puts a slot that has no room into the next beat, if that is of the same frame and comes in the next cycle, or else beside its own beat.
pub(super) fn beside<'m>(
    m: &'m Builder,
    (front, first): (&Front<'m>, &First<'m>),
    Found { valid, last, some, full, makes }: Found<'m>,
    pipeline: &Pipeline<'m>,
) -> Carried<'m> {
    let (at, sums) = (valid.stage(), front.sums_at());
    section(m, at, "the slot that has no room rides in the next beat, or beside its own");
    let stage = pipeline.stage();
    let state = stage.state("rides_reg", 1).note("the last slot of the beat before had no room there");
    let rides = At::new(stage, state.q, at);
    // The stage before this one holds the beat of the next cycle.
    let next = |signal: Signal<'m>| At::new(stage, signal, at);
    let follows = next(front.valid.at(at - 1).signal()).named("next_follows");
    let has_first = ((first.ends.at(at) & valid) | rides).named("has_first");
    let has_first = has_first.note("a slot is before those of the lanes");
    let has_no_room = (valid & full & has_first).named("has_no_room").note("the last slot has none");
    stage.load(state, (has_no_room & !last & follows).signal());
    let only_rides = (rides & !some).named("only_rides").note("the one slot is of the beat before");
    let holds = (has_no_room & (last | !follows)).named("holds_beside");
    let is_second = (holds | (valid & last & only_rides)).named("has_second");
    let is_second = is_second.note("a second beat follows that of the lanes");
    let present = (makes | has_first).named("makes_entry");
    let gone = (valid & !present).called("gone").flag().at(sums);
    let ends_frame = (valid & last).named("ends_frame_here");
    let to_sums = |name: &str, signal: At<'m>| signal.called(name).at(sums);
    Carried {
        valid: vec![valid.at(sums)],
        present: present.called("present").flag().at(sums),
        last: to_sums("ends_frame", ends_frame & !is_second),
        first: Some(FirstSlot {
            holds: has_first.at(sums),
            rides: Some(to_sums("first_rides", rides)),
            of_beat: has_first.at(sums - 1),
            has_no_room: has_no_room.at(sums),
            second_next: None,
        }),
        gone: Some(gone),
        beside: Some(Beside {
            follows: is_second.at(sums),
            holds: holds.at(sums),
            last: to_sums("ends_beside", ends_frame & is_second),
        }),
    }
}
