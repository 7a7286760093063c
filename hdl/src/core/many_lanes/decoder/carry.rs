//! The slot that has no room in its beat: it rides in the next.
//!
//! A beat makes one slot more than it has lanes where each of its units ends a slot and another stands before them: that of a
//! sequence that the beat cuts short, or the one that rides in it. It is never both, since a beat whose last unit ends a slot leaves
//! no sequence open. So the loop is one bit, and nothing is counted in it.
//!
//! Where the frame ends with that beat, a second one goes on behind it, for the slot or for the end of the frame: the stages up to
//! here wait for a cycle.

use super::gaps::Gaps;
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::Places;
use super::plan::Plan;
use crate::netlist::{Builder, Signal};

/// What is known in stage `plan.sums` of what goes on from there.
pub(super) struct Carried<'m> {
    /// A beat goes on, with the slots of its lanes.
    pub(super) valid: Signal<'m>,
    /// Something goes out.
    pub(super) present: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    pub(super) first: Option<FirstSlot<'m>>,
}

/// What stands before the slots of the lanes.
pub(super) struct FirstSlot<'m> {
    /// A slot stands there.
    pub(super) holds: Signal<'m>,
    /// It is that of the beat before, which had no room there.
    pub(super) rides: Signal<'m>,
    /// A slot stands before those of the lanes of the beat in this stage, whether it goes on or waits.
    pub(super) of_beat: Signal<'m>,
    /// The slot of its last lane has no room.
    pub(super) has_no_room: Signal<'m>,
    /// What goes on in the next cycle is a second beat.
    pub(super) second_next: Signal<'m>,
}

pub(super) fn carry<'m>(
    m: &'m Builder,
    places: &Places<'m>,
    gaps: &Gaps<'m>,
    plan: &Plan,
    pipeline: &Pipeline<'m>,
) -> Carried<'m> {
    let stage = pipeline.stage();
    let valid = delay_flag(stage, "beat_valid", places.valid, plan.ends, plan.offsets);
    let last = delay(stage, "last", places.last, plan.ends, plan.offsets);
    let at_sums = |name: &str, signal| delay(stage, name, signal, plan.offsets, plan.sums);
    let flag_at_sums = |name: &str, signal| delay_flag(stage, name, signal, plan.offsets, plan.sums);
    let makes = (valid & (gaps.some | last)).named("makes_beat").note("it holds a slot, or ends its frame");
    let (Some(first), Some(full)) = (&places.first, gaps.full) else {
        return Carried {
            valid: flag_at_sums("beat_valid", valid),
            present: flag_at_sums("present", makes),
            last: at_sums("last", last & valid),
            first: None,
        };
    };
    m.stage_section(plan.offsets, "the slot that has no room rides in the next beat");
    let cut = delay(stage, "first_ends", first.ends, plan.ends, plan.offsets);
    let rides = stage.state("rides_reg", 1).note("the last slot of the beat before had no room there");
    let has_first =
        ((cut & valid) | rides.q).named("has_first").note("a slot stands before those of the lanes");
    let has_no_room = (valid & full & has_first).named("has_no_room").note("the last slot has none");
    stage.load(rides, has_no_room & !last);
    let only_rides = (rides.q & !gaps.some).named("only_rides").note("the one slot is of the beat before");
    let overflows = flag_at_sums("overflows", valid & last & (full & has_first | only_rides));
    let present = flag_at_sums("present", makes | has_first);
    let [has_first, rides, has_no_room, last] =
        [("has_first", has_first), ("rides", rides.q), ("has_no_room", has_no_room), ("last", valid & last)]
            .map(|(name, signal)| at_sums(name, signal));
    let valid = delay_flag(stage, "beat_valid", valid, plan.offsets, plan.sums - 1);
    let beat_valid = delay_flag(stage, "beat_valid", valid, plan.sums - 1, plan.sums);

    m.stage_section(plan.sums, "a second beat behind the last of a frame");
    let of_slots = pipeline.stage_of_slots();
    let second =
        of_slots.state("second_reg", 1).note("it goes on from here, and the beat that is here waits");
    let overflows_now = (overflows & !second.q).named("overflows_now");
    of_slots.load(second, overflows_now);
    let second_holds = m.reg("second_holds_reg", 1).note("it holds a slot, not only the end of the frame");
    second_holds.next_when(pipeline.advances(), has_no_room);
    let goes_on = of_slots.state("beat_goes_on_reg", 1).note("the beat goes on, with the slots of its lanes");
    of_slots.load(goes_on, second.q.mux(beat_valid, valid) & !overflows_now);
    Carried {
        valid: goes_on.q,
        present: present | second.q,
        last: (last & !overflows | second.q).named("ends_frame"),
        first: Some(FirstSlot {
            holds: second.q.mux(second_holds.q, has_first).named("holds_first"),
            rides: (rides | second.q).named("first_rides"),
            of_beat: has_first,
            has_no_room,
            second_next: (pipeline.advances().mux(overflows_now, second.q) & !pipeline.flush())
                .named("second_next"),
        }),
    }
}
