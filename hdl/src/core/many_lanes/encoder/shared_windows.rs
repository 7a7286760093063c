//! Windows of a transcoder: those of two beats of slots can share a cycle.
//!
//! Behind a beat of which no unit is left over, the last output beat stands in what was left over before that, and no lane shows
//! anything. So the beat behind it goes on to the windows in that cycle already, and shows the window *ahead* of its first one, of which
//! the second half has its units up to the end of the first output beat.
//!
//! An encoder gains little by that, since a full beat of slots fills an output beat at least. In a transcoder, most beats write about as
//! many units as they have, and whether one fills an output beat depends on the sequences that it cuts.

use super::movement::Movement;
use super::plan::Plan;
use super::windows::{Cut, InWindows, OfBeat, Window};
use crate::netlist::{Builder, Reg, Signal};

/// Shows the beats.
pub(super) fn windows<'m>(
    m: &'m Builder,
    beat: &OfBeat<'_, 'm>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Window<'m> {
    let bits = plan.lane_bits();
    let end = beat.ends.ends[plan.lanes - 1];
    m.stage_section(plan.ends, "into how many output beats the units reach");
    let (fill, full) = (end.bits(0..bits), end.bits(bits..end.width()));
    let has_rest = fill.any().named("has_rest").note("not all of them are full");
    let fills = full.any().named("fills_beat");
    let reaches = &beat.ends.more;
    let most = reaches.len() + 1;
    let cut = beat.cut_before.zip(beat.ends.begin);

    m.stage_section(plan.windows, "the window");
    let (loads, steps, flows) = (movement.loads_windows(), movement.steps(), movement.flows());
    let ahead = m.reg("is_ahead_reg", 1).reset(0);
    let ahead_next =
        ahead.note("the last output beat of the beat before goes out, and the window is the one ahead");
    let ahead = ahead_next.q;
    let register = |name: String| m.reg(&name, 1);
    // Whether the units reach past so many output beats, counted from the first half of the window, or from the second of one ahead.
    let past: Vec<Reg> =
        (1..most).map(|beats| register(format!("reaches_past_{beats}_{}_reg", plan.windows))).collect();
    let past_of = |beats: usize| past.get(beats - 1).map(|past| past.q);
    for (index, past) in past.iter().enumerate() {
        let further = past_of(index + 2);
        let stays = further.map_or(ahead & past.q, |further| ahead.mux(past.q, further));
        past.next_when(steps.enable, loads.mux(reaches[index], stays));
    }
    let zero = m.lit(1, 0);
    let past_of = |beats: usize| past_of(beats).unwrap_or(zero);
    let goes_on =
        ahead.mux(past_of(1), past_of(2)).named("goes_on").note("another window of the beat is to be shown");
    let stage = movement.stage(plan.windows);
    let at_windows = |name: &str, signal| stage.data(&format!("{name}_{}_reg", plan.windows), signal);
    let makes = at_windows("makes", beat.last | fills);
    let leaves_none = at_windows("leaves_none", beat.last | (fills & !has_rest));
    let in_part = at_windows("in_part", beat.last & (has_rest | !fills));
    let (last, amiss, fill) =
        (at_windows("last", beat.last), at_windows("amiss", beat.amiss), at_windows("fill", fill));
    let is_left = (!goes_on & leaves_none & (ahead | past_of(1)))
        .named("last_is_left")
        .note("one output beat of the beat is left for the cycle in which another goes on");
    ahead_next.next_when(flows, is_left);
    let is_ahead_next = flows.mux(is_left, ahead).named("is_ahead_next");
    let next_past = |beats: usize| reaches.get(beats - 1).copied().unwrap_or(zero);
    let of_next = is_ahead_next.mux(next_past(1), next_past(2));
    let stays = flows.mux(ahead.mux(past_of(2), past_of(3)), goes_on);
    let final_next = (!loads.mux(of_next, stays)).named("final_next");

    let rest = |name: &str, signal: Signal<'m>| {
        let rest = m.reg(&format!("rest_{name}_reg"), signal.width());
        rest.next_when(flows, signal);
        rest.q
    };
    let alone = (!past_of(1)).named("reaches_into_one");
    let amiss = (last & amiss).named("frame_is_amiss");
    let cut = cut.map(|(cut, begin)| {
        let windows = plan.windows_of_replacement();
        let InWindows { shown, ahead } =
            InWindows::follow(m, "cut_before", cut, windows, Some(ahead), plan, movement);
        // What reaches into two output beats is all shown in the first window.
        let ahead = ahead.filter(|_| plan.replacement_units <= plan.lanes);
        let ahead = ahead.map(|ahead| ahead.named("cut_is_ahead"));
        Cut { shown, ahead, begin: at_windows("begin", begin) }
    });
    Window {
        makes: (ahead | makes).named("makes_beat"),
        is_full: ahead.mux(!rest("in_part", in_part), past_of(1) | !in_part),
        fill: ahead.mux(rest("fill", fill), fill),
        last: ahead.mux(rest("last", last), last & alone),
        amiss: ahead.mux(rest("amiss", amiss), amiss & alone),
        cut,
        final_next,
        ahead: Some(ahead),
    }
}
