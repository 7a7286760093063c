//! Windows: a beat of slots is shown in as many cycles as output beats are made of it, one at least.
//!
//! A window is two output beats long. In each cycle the output beat of its first half is made, if it is full or ends the frame, and the
//! window goes on by one. What the second half has of the beat waits for the units behind it.

use super::movement::Movement;
use super::plan::Plan;
use super::sums::Ends;
use crate::netlist::{Builder, Signal};

/// What is known of a beat of slots in stage `plan.ends`.
pub(super) struct OfBeat<'a, 'm> {
    pub(super) ends: &'a Ends<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// Something in the frame could not be written.
    pub(super) amiss: Signal<'m>,
    /// The replacement stands before its units, if it ever does.
    pub(super) cut_before: Option<Signal<'m>>,
}

/// What the cycle makes, as of stage `plan.windows`.
pub(super) struct Window<'m> {
    /// An output beat.
    pub(super) makes: Signal<'m>,
    /// All lanes of that hold units, or only so many.
    pub(super) is_full: Signal<'m>,
    pub(super) fill: Signal<'m>,
    /// That ends its frame, in which something could not be written.
    pub(super) last: Signal<'m>,
    pub(super) amiss: Signal<'m>,
    /// The replacement stands before the units of the beat, if it ever does.
    pub(super) cut: Option<Cut<'m>>,
    /// In the next cycle, the last output beat of the beat in the windows is made.
    pub(super) final_next: Signal<'m>,
    /// The window is the one ahead of the first of the beat, if that is ever shown.
    pub(super) ahead: Option<Signal<'m>>,
}

/// The replacement before the units of a beat.
pub(super) struct Cut<'m> {
    /// The beat has one, and this is the first window, the second, and so on, as far as it can reach.
    pub(super) shown: Vec<Signal<'m>>,
    /// The same of the window before the first, if that is ever shown.
    pub(super) ahead: Option<Signal<'m>>,
    /// The position in which it begins.
    pub(super) begin: Signal<'m>,
}

/// In which windows something is shown that stands before the units of a beat.
pub(super) struct InWindows<'m> {
    /// The first window of the beat, the second, and so on.
    pub(super) shown: Vec<Signal<'m>>,
    /// The window ahead of the first, if that is ever shown.
    pub(super) ahead: Option<Signal<'m>>,
}

impl<'m> InWindows<'m> {
    /// Follows it through so many windows. `now` says in stage `plan.ends` that the beat has it, and `ahead` that the window is the one
    /// ahead of the first.
    pub(super) fn follow(
        m: &'m Builder,
        name: &str,
        now: Signal<'m>,
        windows: usize,
        ahead: Option<Signal<'m>>,
        plan: &Plan,
        movement: &Movement<'m>,
    ) -> Self {
        let (loads, steps) = (movement.loads_windows(), movement.steps());
        let first = m.reg(&format!("{name}_{}_reg", plan.windows), 1);
        let (next, in_first) = match ahead {
            None => (loads & now, first.q),
            Some(ahead) => {
                let in_first = (first.q & !ahead).named(&format!("{name}_in_first"));
                (loads.mux(now, ahead & first.q), in_first)
            }
        };
        first.next_when(steps.enable, next);
        let mut shown = vec![in_first];
        for window in 1..windows {
            let next = !loads & shown[window - 1];
            shown.push(steps.data(&format!("{name}_window_{window}_reg"), next));
        }
        Self { shown, ahead: ahead.map(|ahead| first.q & ahead) }
    }
}

/// Shows the beats.
pub(super) fn windows<'m>(
    m: &'m Builder,
    beat: &OfBeat<'_, 'm>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Window<'m> {
    let bits = plan.lane_bits();
    let end = beat.ends.ends[plan.lanes - 1];
    let (fill, full) = (end.bits(0..bits), end.bits(bits..end.width()));
    let more = &beat.ends.more;
    let cut = beat.cut_before.zip(beat.ends.begin);

    m.stage_section(plan.windows, "the window");
    let (loads, steps) = (movement.loads_windows(), movement.steps());
    let mut shown: Vec<Signal> = Vec::new();
    for (index, &new) in more.iter().enumerate().rev() {
        let next = shown.last().map_or(loads & new, |&further| loads.mux(new, further));
        shown.push(steps.data(&format!("more_than_{}_{}_reg", index + 1, plan.windows), next));
    }
    shown.reverse();
    let goes_on = shown[0];
    // Another window is to be shown behind the one of the next cycle, if no beat is loaded now. Told a cycle ahead, by what is shown then.
    let zero = m.lit(1, 0);
    let behind_next = |windows: usize| {
        let of_new = more.get(windows).copied().unwrap_or(zero);
        let further = |windows: usize| shown.get(windows).copied().unwrap_or(zero);
        loads.mux(of_new, movement.flows().mux(further(windows + 1), further(windows)))
    };
    let behind = m.reg("goes_on_behind_reg", 1);
    behind.next(movement.flows_next().mux(behind_next(1), behind_next(0)));
    let final_next = (!loads.mux(more[0], behind.q)).named("final_next");
    let stage = movement.stage(plan.windows);
    let at_windows = |name: &str, signal| stage.data(&format!("{name}_{}_reg", plan.windows), signal);
    let makes = at_windows("makes", beat.last | full.any()).note("an output beat is made");
    let in_part = at_windows("in_part", beat.last & (fill.any() | !full.any()));
    let (last, amiss, fill) =
        (at_windows("last", beat.last), at_windows("amiss", beat.amiss), at_windows("fill", fill));
    let cut = cut.map(|(cut, begin)| {
        let windows = plan.windows_of_replacement();
        let InWindows { shown, .. } = InWindows::follow(m, "cut_before", cut, windows, None, plan, movement);
        Cut { shown, ahead: None, begin: at_windows("begin", begin) }
    });
    Window {
        makes: (makes | goes_on).named("makes_beat"),
        is_full: goes_on | !in_part,
        fill,
        last: !goes_on & last,
        amiss: !goes_on & last & amiss,
        cut,
        final_next,
        ahead: None,
    }
}
