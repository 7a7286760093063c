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

/// Whether units that fill `full` output beats, and have a rest, reach past so many.
pub(super) fn reaches_past<'m>(
    m: &'m Builder,
    full: Signal<'m>,
    has_rest: Signal<'m>,
    beats: usize,
) -> Signal<'m> {
    let beats_in_bits = m.lit(full.width(), beats as u64);
    let is_rest = full.eq(beats_in_bits) & has_rest;
    // No number is greater than the greatest of so many bits.
    if beats + 1 < 1 << full.width() { beats_in_bits.lt(full) | is_rest } else { is_rest }
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
    m.section(format!("Stage {}: how many output beats are made", plan.ends));
    let (fill, full) = (end.bits(0..bits), end.bits(bits..end.width()));
    let ends_in_part =
        (beat.last & fill.any()).named("ends_in_part").note("the last output beat is not full");
    let most = plan.most_positions() / plan.lanes;
    let stage = movement.stage(plan.beats);
    let more = (1..=most).map(|beats| {
        let more = reaches_past(m, full, ends_in_part, beats);
        stage.data(&format!("more_than_{beats}_{}_reg", plan.beats), more)
    });
    let more: Vec<Signal> = more.collect();
    let makes = stage.data("makes_reg", beat.last | full.any()).note("an output beat is made");
    let in_part = stage.data("in_part_reg", ends_in_part | (beat.last & !full.any()));
    let at_beats = |name: &str, signal| stage.data(&format!("{name}_{}_reg", plan.beats), signal);
    let (last, amiss, fill) =
        (at_beats("last", beat.last), at_beats("amiss", beat.amiss), at_beats("fill", fill));
    let cut = beat.cut_before.zip(beat.ends.begin).map(|(cut, begin)| {
        (stage.data(&format!("cut_before_{}_reg", plan.beats), cut), at_beats("begin", begin))
    });

    m.section(format!("Stage {}: the window", plan.windows));
    let (loads, steps) = (movement.loads_windows(), movement.steps());
    let mut shown: Vec<Signal> = Vec::new();
    for (index, &new) in more.iter().enumerate().rev() {
        let next = shown.last().map_or(loads & new, |&further| loads.mux(new, further));
        shown.push(steps.data(&format!("more_than_{}_{}_reg", index + 1, plan.windows), next));
    }
    shown.reverse();
    let goes_on = shown[0];
    let behind =
        shown.get(1).map_or(!movement.flows() & goes_on, |&next| movement.flows().mux(next, goes_on));
    let final_next = (!loads.mux(more[0], behind)).named("final_next");
    let stage = movement.stage(plan.windows);
    let at_windows = |name: &str, signal| stage.data(&format!("{name}_{}_reg", plan.windows), signal);
    let makes = stage.data(&format!("makes_{}_reg", plan.windows), makes);
    let in_part = at_windows("in_part", in_part);
    let (last, amiss, fill) =
        (at_windows("last", last), at_windows("amiss", amiss), at_windows("fill", fill));
    let cut = cut.map(|(cut, begin)| {
        let first = steps.data(&format!("cut_before_{}_reg", plan.windows), loads & cut);
        let mut shown = vec![first];
        for window in 1..plan.windows_of_replacement() {
            let next = !loads & shown[window - 1];
            shown.push(steps.data(&format!("cut_before_window_{window}_reg"), next));
        }
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
