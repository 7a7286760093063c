//! The slot for which a beat has no lane is carried to the next beat.
//!
//! A beat makes one slot more than it has lanes if each of its units ends a slot and another slot comes before them: the error of a
//! sequence that the beat cuts short, or the carry of the beat before. Both never come together, since a beat whose last unit ends a
//! slot leaves no sequence open. The loop is therefore one bit; no loop counts.
//!
//! If the frame ends with such a beat, a second beat follows in the next cycle, for the slot or for the end of the frame. The stages up to
//! this one wait for that cycle.

use super::beside::{Found, beside};
use super::carried::{Carried, FirstSlot, SecondNext};
use super::front::Front;
use super::gaps::Gaps;
use super::pipeline::Pipeline;
use crate::core::lanes::{At, section};
use crate::netlist::{Builder, RegisterRole};

/// Carries nothing, in a decoder of several streams: its next beat is of another stream. The slot of the last lane has a lane of its own after the others.
/// The signals are of stage `at`, and the slots are made in stage `sums`.
fn all_at_once<'m>(
    m: &'m Builder,
    [valid, last, full, makes]: [At<'m>; 4],
    first_ends: At<'m>,
    (at, sums): (u32, u32),
    never_waits: bool,
) -> Carried<'m> {
    section(m, at, "all slots of the beat go out together");
    let has_first =
        (first_ends.at(at) & valid).named("has_first").note("a slot is before those of the lanes");
    let has_no_room = (valid & full & has_first).named("has_no_room");
    let has_no_room = has_no_room.note("the slot of the last lane goes into the lane after the others");
    let present = (makes | has_first).called("present").flag();
    let gone = never_waits.then(|| (valid & !present).called("gone").flag().at(sums));
    let (of_beat, has_first) = (has_first.at(sums - 1), has_first.at(sums));
    Carried {
        valid: vec![valid.at(sums)],
        present: present.at(sums),
        last: (last & valid).called("ends_frame").at(sums),
        first: Some(FirstSlot {
            holds: has_first,
            rides: None,
            of_beat,
            has_no_room: has_no_room.at(sums),
            second_next: None,
        }),
        gone,
        beside: None,
    }
}

/// Carries a slot that has no room to the next beat.
pub(super) fn carry<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    gaps: &Gaps<'m>,
    pipeline: &Pipeline<'m>,
) -> Carried<'m> {
    let (at, sums) = (gaps.some.stage(), front.sums_at());
    let (valid, last) = (front.valid.at(at), front.last.at(at));
    let makes = (valid & (gaps.some | last)).named("makes_beat").note("it holds a slot, or ends its frame");
    let (Some(first), Some(full)) = (&front.first, gaps.full) else {
        return Carried {
            valid: vec![valid.at(sums)],
            present: makes.called("present").flag().at(sums),
            last: (last & valid).called("ends_frame").at(sums),
            first: None,
            gone: pipeline.never_waits().then(|| (valid & !makes).called("gone").flag().at(sums)),
            beside: None,
        };
    };
    if pipeline.is_of_streams() {
        return all_at_once(m, [valid, last, full, makes], first.ends, (at, sums), pipeline.never_waits());
    }
    if pipeline.never_waits() {
        let found = Found { valid, last, some: gaps.some, full, makes };
        return beside(m, (front, first), found, pipeline);
    }
    section(m, at, "the slot that has no room rides in the next beat");
    let stage = pipeline.stage();
    let note = "the last slot of the beat before had no room there";
    let state = stage.state("rides_reg", 1).note(note).role(RegisterRole::Rides);
    let rides = At::new(stage, state.q, at);
    let has_first = ((first.ends.at(at) & valid) | rides).named("has_first");
    let has_first = has_first.note("a slot is before those of the lanes");
    let has_no_room = (valid & full & has_first).named("has_no_room").note("the last slot has none");
    stage.load(state, (has_no_room & !last).signal());
    let only_rides = (rides & !gaps.some).named("only_rides").note("the one slot is of the beat before");
    let overflows = (valid & last & (full & has_first | only_rides)).called("overflows").flag().at(sums);
    let present = (makes | has_first).called("present").flag().at(sums);
    let ends_frame = (valid & last).called("ends_frame").at(sums);
    let of_beat = has_first.at(sums - 1);
    let (has_first, rides, has_no_room) =
        (has_first.at(sums), rides.called("first_rides").at(sums), has_no_room.at(sums));

    section(m, sums, "a second beat after the last of a frame");
    let of_slots = pipeline.stage_of_slots();
    let now = |signal| At::new(of_slots, signal, sums);
    let state = of_slots
        .state("second_reg", 1)
        .note("it goes on from here, and the beat that is here waits")
        .role(RegisterRole::Waits);
    let second = now(state.q);
    let overflows_now = (overflows & !second).named("overflows_now");
    of_slots.load(state, overflows_now.signal());
    let note = "it holds a slot, not only the end of the frame";
    let second_holds = m.reg("second_holds_reg", 1).note(note).role(RegisterRole::GoesAlone);
    second_holds.next_when(pipeline.advances(), has_no_room.signal());
    // The registers are of this stage, so they load what is known in the one before.
    let (valid_before, valid_now) = (valid.at(sums - 1).signal(), valid.at(sums).signal());
    let goes_on_next = second.signal().mux(valid_now, valid_before) & !overflows_now.signal();
    let goes_on_next = goes_on_next.named("beat_goes_on_next");
    let goes_on = pipeline
        .copies("beat_goes_on", front.ends.len(), |lane| pipeline.stage_of_slots_at(lane))
        .into_iter();
    let goes_on = goes_on.map(|(stage, copy)| {
        let copy = copy.note("the beat goes on, with the slots of its lanes").role(RegisterRole::GoesOn);
        stage.load(copy, goes_on_next);
        At::new(stage, copy.q, sums)
    });
    let unless_flushed = |is: At<'m>, name: &str| now(is.signal() & !pipeline.flush()).named(name);
    let second_next = SecondNext {
        if_moved: unless_flushed(overflows_now, "second_follows"),
        if_not: unless_flushed(second, "second_stays"),
    };
    Carried {
        valid: goes_on.collect(),
        present: (present | second).on(of_slots),
        last: (ends_frame & !overflows | second).on(of_slots).named("frame_ends"),
        first: Some(FirstSlot {
            holds: second.mux(now(second_holds.q), has_first).named("holds_first"),
            rides: Some((rides | second).named("is_riding")),
            of_beat,
            has_no_room,
            second_next: Some(second_next),
        }),
        gone: None,
        beside: None,
    }
}
