//! Windows of a transcoder: those of two beats of slots can share a cycle.
//!
//! If no unit of a beat remains after its last output beat, the lanes have presented all units before that output beat is made of the units left
//! over. In that cycle the next beat is already in the windows and presents the window *ahead* of its first one: the second half of that
//! window has the units of its first output beat.
//!
//! ```text
//!  eight lanes, 5 units left over; beat a has 3 units, beat b has 8
//!
//!  cycle  first half (left over and a)   second half (b)
//!    0    l l l l l a a a                b b b b b b b b     the output beat of a, and the window ahead of b
//!    1    b b b b b b b b                . . . . . . . .     the output beat of b
//! ```
//!
//! An encoder gains little, since a full beat of slots fills at least one output beat. In a transcoder most beats write about as many units as
//! they have lanes, and the sequences that they cut decide whether a beat fills an output beat.
//!
//! Cost: three LUT levels from the flags of the beat to those of the window.

use super::movement::Movement;
use super::sizes::Sizes;
use super::windows::{Cut, InWindows, OfBeat, Window};
use crate::core::lanes::At;
use crate::netlist::{Builder, Reg, Signal};

/// Presents the beats to the lanes.
pub(super) fn windows<'m>(
    m: &'m Builder,
    beat: &OfBeat<'_, 'm>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Window<'m> {
    let bits = sizes.lane_bits();
    let end = beat.ends.ends[sizes.lanes - 1];
    m.stage_section(end.stage(), "into how many output beats the units reach");
    let (fill, full) = (end.bits(0..bits), end.bits(bits..end.width()));
    let has_rest = fill.any().named("has_rest").note("not all of them are full");
    let fills = full.any().named("fills_beat");
    let reaches: Vec<Signal> = beat.ends.more.iter().map(|more| more.signal()).collect();
    let most = reaches.len() + 1;
    let cut = beat.cut_before.zip(beat.ends.begin);

    let at = movement.windows();
    m.stage_section(at, "the window");
    let (loads, steps, flows) = (movement.loads_windows(), movement.steps(), movement.flows());
    let ahead = m.reg("is_ahead_reg", 1).reset(0);
    let ahead_next =
        ahead.note("the last output beat of the beat before goes out, and the window is the one ahead");
    let ahead = ahead_next.q;
    // The units extend past n output beats, counted from the first half of the window, or from the second half of the window ahead.
    let past: Vec<Reg> = (1..most).map(|beats| m.reg(&format!("reaches_past_{beats}_{at}_reg"), 1)).collect();
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
    let at_windows = |name: &str, signal: At<'m>| signal.on(movement.registers(0)).delayed(name, at);
    let makes = at_windows("makes", beat.last | fills);
    let leaves_none = at_windows("leaves_none", beat.last | (fills & !has_rest));
    let in_part = at_windows("in_part", beat.last & (has_rest | !fills));
    let (last, amiss, fill) =
        (at_windows("last", beat.last), at_windows("amiss", beat.amiss), at_windows("fill", fill));
    let is_left = (!goes_on & leaves_none.signal() & (ahead | past_of(1)))
        .named("last_is_left")
        .note("one output beat of the beat is left for the cycle in which another goes on");
    ahead_next.next_when(flows, is_left);
    let is_ahead_next = flows.mux(is_left, ahead).named("is_ahead_next");
    let next_past = |beats: usize| reaches.get(beats - 1).copied().unwrap_or(zero);
    let of_next = is_ahead_next.mux(next_past(1), next_past(2));
    let stays = flows.mux(ahead.mux(past_of(2), past_of(3)), goes_on);
    let final_next = (!loads.mux(of_next, stays)).named("final_next");

    let of_windows = |signal| movement.of_beat(signal, at);
    let rest = |name: &str, signal: At<'m>| {
        let rest = m.reg(&format!("rest_{name}_reg"), signal.width());
        rest.next_when(flows, signal.signal());
        of_windows(rest.q)
    };
    let alone = of_windows((!past_of(1)).named("reaches_into_one"));
    let amiss = (last & amiss).named("frame_is_amiss");
    let ahead = of_windows(ahead);
    let cut = cut.map(|(cut, begin)| {
        let windows = sizes.windows_of_replacement();
        let InWindows { shown, ahead } =
            InWindows::follow(m, "cut_before", cut, windows, Some(ahead), movement);
        // A replacement in two output beats is presented in the first window.
        let ahead = ahead.filter(|_| sizes.replacement_units <= sizes.lanes);
        let ahead = ahead.map(|ahead| ahead.named("cut_is_ahead"));
        Cut { shown, ahead, begin: at_windows("begin", begin) }
    });
    Window {
        makes: (ahead | makes).named("makes_beat"),
        is_full: ahead.mux(!rest("in_part", in_part), of_windows(past_of(1)) | !in_part),
        fill: ahead.mux(rest("fill", fill), fill),
        last: ahead.mux(rest("last", last), last & alone),
        amiss: ahead.mux(rest("amiss", amiss), amiss & alone),
        cut,
        final_next,
        ahead: Some(ahead),
    }
}
