//! The slot that has no room in its beat: it rides in the next.
//!
//! A beat makes one slot more than it has lanes where each of its units ends a slot and another stands before them: that of a
//! sequence that the beat cuts short, or the one that rides in it. It is never both, since a beat whose last unit ends a slot leaves
//! no sequence open. So the loop is one bit, and nothing is counted in it.

use super::gaps::Gaps;
use super::pipeline::{Pipeline, delay, delay_flag};
use super::places::Places;
use super::plan::Plan;
use crate::netlist::{Builder, Signal};

/// What is known of a beat in stage `plan.sums`.
pub(super) struct Carried<'m> {
    /// The beat holds slots of its lanes.
    pub(super) valid: Signal<'m>,
    /// Something goes out.
    pub(super) present: Signal<'m>,
    /// The beat ends its frame.
    pub(super) last: Signal<'m>,
    pub(super) first: Option<FirstSlot<'m>>,
}

/// What stands before the slots of the lanes.
pub(super) struct FirstSlot<'m> {
    /// A slot stands before those of the lanes.
    pub(super) is: Signal<'m>,
    /// It is that of the beat before, which had no room there.
    pub(super) rides: Signal<'m>,
    /// The frame ends with this beat, but needs another one behind it: for a slot that has no room, or for its end, where the
    /// frame's last beat makes no slot and one of the beat before rides in it.
    pub(super) overflows: Signal<'m>,
    /// If so, it is for a slot.
    pub(super) holds_over: Signal<'m>,
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
    let (present, first) = match (&places.first, gaps.full) {
        (Some(first), Some(full)) => {
            m.section(format!("Stage {}: the slot that has no room rides in the next beat", plan.offsets));
            let cut = delay(stage, "first_ends", first.ends, plan.ends, plan.offsets);
            let rides =
                m.reg("rides_reg", 1).reset(0).note("the last slot of the beat before had no room there");
            let is_first =
                ((cut & valid) | rides.q).named("has_first").note("a slot stands before those of the lanes");
            rides.next_when(stage.enable, valid & full & is_first & !last);
            let nothing_else = rides.q & !gaps.some;
            let overflows = valid & last & (full & is_first | nothing_else);
            let first = FirstSlot {
                is: at_sums("has_first", is_first),
                rides: at_sums("rides", rides.q),
                overflows: flag_at_sums("overflows", overflows),
                holds_over: at_sums("holds_over", full),
            };
            (makes | is_first, Some(first))
        }
        _ => (makes, None),
    };
    Carried {
        valid: flag_at_sums("beat_valid", valid),
        present: flag_at_sums("present", present),
        last: at_sums("last", last & valid),
        first,
    }
}
