//! Windows: a beat of slots is presented to the lanes in as many cycles as output beats are made of it, at least one.
//!
//! A window is two output beats long. In each cycle the output beat of its first half is made, if it is full or ends the frame, and the window
//! moves on by one output beat. Units of the second half are left over for the next cycle.
//!
//! ```text
//!  eight lanes, 5 units left over, a beat of 13 units: positions 5 to 17
//!
//!  cycle  positions 0 to 7     positions 8 to 15
//!    0    l l l l l a b c      d e f g h i j k        first half full: an output beat
//!    1    d e f g h i j k      l m . . . . . .        full: the second output beat; two units are left over
//! ```
//!
//! Cost: two LUT levels from the flags of the beat to those of the window.

use super::movement::Movement;
use super::sizes::Sizes;
use super::sums::Ends;
use crate::core::lanes::At;
use crate::netlist::{Builder, RegisterRole, Signal};

/// A beat of slots, in the stage of its ends.
pub(super) struct OfBeat<'a, 'm> {
    pub(super) ends: &'a Ends<'m>,
    /// The beat ends its frame.
    pub(super) last: At<'m>,
    /// Something in the frame could not be written.
    pub(super) amiss: At<'m>,
    /// The replacement precedes the units of the beat; `None` where it never does.
    pub(super) cut_before: Option<At<'m>>,
}

/// The output beat of a cycle, in the stage of the windows.
pub(super) struct Window<'m> {
    /// An output beat is made.
    pub(super) makes: At<'m>,
    /// All lanes of the output beat hold units; otherwise `fill` of them do.
    pub(super) is_full: At<'m>,
    pub(super) fill: At<'m>,
    /// The output beat ends its frame; with `amiss`, something in the frame could not be written.
    pub(super) last: At<'m>,
    pub(super) amiss: At<'m>,
    /// The replacement before the units of the beat; `None` where there never is one.
    pub(super) cut: Option<Cut<'m>>,
    /// In the next cycle, the last output beat of the beat in the windows is made.
    pub(super) final_next: Signal<'m>,
    /// The window is the one ahead of the first of the beat; `None` where windows are not shared.
    pub(super) ahead: Option<At<'m>>,
}

/// The replacement before the units of a beat.
pub(super) struct Cut<'m> {
    /// The beat has one, and this is the first window, the second, and so on, as far as it can reach.
    pub(super) shown: Vec<At<'m>>,
    /// The beat has one, and this is the window ahead of the first; `None` where windows are not shared.
    pub(super) ahead: Option<At<'m>>,
    /// The position in which it begins.
    pub(super) begin: At<'m>,
}

/// The windows of something that precedes the units of a beat.
pub(super) struct InWindows<'m> {
    /// The first window of the beat, the second, and so on.
    pub(super) shown: Vec<At<'m>>,
    /// The window ahead of the first; `None` where windows are not shared.
    pub(super) ahead: Option<At<'m>>,
}

impl<'m> InWindows<'m> {
    /// Follows it through `windows` windows. `now`: the beat in the stage before has it. `ahead`: the window is the one ahead of the first.
    pub(super) fn follow(
        m: &'m Builder,
        name: &str,
        now: At<'m>,
        windows: usize,
        ahead: Option<At<'m>>,
        movement: &Movement<'m>,
    ) -> Self {
        let (loads, steps) = (movement.loads_windows(), movement.steps());
        let (at, now) = (movement.windows(), now.signal());
        let first = m.reg(&format!("{name}_{at}_reg"), 1);
        let (next, in_first) = match ahead.map(At::signal) {
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
        let of_windows = |signal| movement.of_beat(signal, at);
        let ahead = ahead.map(|ahead| of_windows(first.q) & ahead);
        Self { shown: shown.into_iter().map(of_windows).collect(), ahead }
    }
}

/// Presents the beats to the lanes.
pub(super) fn windows<'m>(
    m: &'m Builder,
    beat: &OfBeat<'_, 'm>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Window<'m> {
    let bits = sizes.lane_bits();
    let end = beat.ends.ends[sizes.lanes - 1];
    let (fill, full) = (end.bits(0..bits), end.bits(bits..end.width()));
    let more: Vec<Signal> = beat.ends.more.iter().map(|more| more.signal()).collect();
    let cut = beat.cut_before.zip(beat.ends.begin);
    let at = movement.windows();

    m.stage_section(at, "the window");
    let (loads, steps) = (movement.loads_windows(), movement.steps());
    let mut shown: Vec<Signal> = Vec::new();
    for (index, &new) in more.iter().enumerate().rev() {
        let next = shown.last().map_or(loads & new, |&further| loads.mux(new, further));
        let further = m.reg(&format!("more_than_{}_{}_reg", index + 1, at), 1).at_stage(at);
        further.next_when(steps.enable, next);
        if index == 0 {
            further.role(RegisterRole::Waits);
        }
        shown.push(further.q);
    }
    shown.reverse();
    let goes_on = shown[0];
    // Another window follows the one of the next cycle, if no beat is loaded now. Known one cycle early.
    let zero = m.lit(1, 0);
    let behind_next = |windows: usize| {
        let of_new = more.get(windows).copied().unwrap_or(zero);
        let further = |windows: usize| shown.get(windows).copied().unwrap_or(zero);
        loads.mux(of_new, movement.flows().mux(further(windows + 1), further(windows)))
    };
    let behind = m.reg("goes_on_behind_reg", 1).role(RegisterRole::Pace);
    behind.next(movement.flows_next().mux(behind_next(1), behind_next(0)));
    let final_next = (!loads.mux(more[0], behind.q)).named("final_next");
    let at_windows = |name: &str, signal: At<'m>| signal.on(movement.registers(0)).delayed(name, at);
    let makes = at_windows("makes", beat.last | full.any()).note("an output beat is made");
    let in_part = at_windows("in_part", beat.last & (fill.any() | !full.any()));
    let (last, amiss, fill) =
        (at_windows("last", beat.last), at_windows("amiss", beat.amiss), at_windows("fill", fill));
    let cut = cut.map(|(cut, begin)| {
        let windows = sizes.windows_of_replacement();
        let InWindows { shown, .. } = InWindows::follow(m, "cut_before", cut, windows, None, movement);
        Cut { shown, ahead: None, begin: at_windows("begin", begin) }
    });
    let goes_on = movement.of_beat(goes_on, at);
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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::movement::Enable;
    use super::super::shared_windows;
    use super::super::sizes::{Source, bits_for};

    /// The windows, and beats that come as soon as they load.
    fn block(sizes: &Sizes) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, sizes);
        let most = sizes.most_positions().div_ceil(sizes.lanes);
        let input = |name: &str, width| movement.of_beat(m.input(name, width, ""), sizes.ends());
        let end = input("units_end", bits_for(sizes.most_positions()));
        let more = (1..most).map(|beats| input(&format!("more_than_{beats}"), 1)).collect();
        let ends = Ends { ends: vec![end; sizes.lanes], begin: None, more };
        let (last, amiss) = (input("last", 1), input("amiss", 1));
        let beat = OfBeat { ends: &ends, last, amiss, cut_before: None };
        let window = match sizes.shares_windows() {
            true => shared_windows::windows(&m, &beat, sizes, &movement),
            false => windows(&m, &beat, sizes, &movement),
        };
        let load = m.reg("load_reg", 1).reset(1);
        load.next(window.final_next);
        m.output("loads", load.q, "");
        m.output("makes", window.makes.signal(), "");
        m.output("is_full", window.is_full.signal(), "");
        m.output("fill", window.fill.signal(), "");
        m.output("is_last", window.last.signal(), "");
        m.output("is_amiss", window.amiss.signal(), "");
        movement.drive_by(|enable| if let Enable::Load(_) = enable { load.q } else { m.lit(1, 1) });
        m.built_with_unused()
    }

    /// An output beat: its units, whether the frame ends with it, and whether something in the frame could not be written.
    type Made = (u64, bool, bool);

    fn runs(source: Source, lanes: usize) {
        let shape = super::super::shape(System::Utf8, source);
        let sizes = Sizes::new(lanes, shape.as_ref(), 0, ErrorMode::Drop, Steps::Auto, source);
        let mut block = Evaluator::new(&block(&sizes));
        let mut random = Random::new(lanes as u64);
        block.reset();
        let lanes = lanes as u64;
        let (mut left, mut expected) = (0, VecDeque::<Made>::new());
        let (mut beats, mut made, mut cycles) = (0, 0, 0);
        while beats < 400 {
            let density = random.below(5);
            let length = |random: &mut Random| if random.below(4) < density { random.below(5) } else { 0 };
            let end = left + (0..lanes).map(|_| length(&mut random)).sum::<u64>();
            let (last, amiss) = (random.one_in(5), random.one_in(2));
            let outputs = if last { end.div_ceil(lanes).max(1) } else { end / lanes };
            block.set("units_end", end);
            block.set("last", last.into());
            block.set("amiss", amiss.into());
            for beats in 1..sizes.most_positions().div_ceil(sizes.lanes) as u64 {
                let reached = if last || sizes.shares_windows() { end.div_ceil(lanes) } else { end / lanes };
                block.set(&format!("more_than_{beats}"), u64::from(reached > beats));
            }
            // The windows hold the beat before, until they load this one.
            loop {
                cycles += 1;
                if block.get("makes") == 1 && cycles > 1 {
                    let is_full = block.get("is_full") == 1;
                    let units = if is_full { lanes } else { block.get("fill") };
                    let is_last = block.get("is_last") == 1;
                    let beat = (units, is_last, block.get("is_amiss") == 1);
                    assert_eq!(Some(beat), expected.pop_front(), "output beat {made} of {lanes} lanes");
                    made += 1;
                }
                let loads = block.get("loads") == 1;
                block.clock();
                if loads {
                    break;
                }
            }
            let of_beat = (0..outputs).map(|output| {
                let is_last = last && output + 1 == outputs;
                let units = if is_last { end - output * lanes } else { lanes };
                (units, is_last, is_last && amiss)
            });
            expected.extend(of_beat);
            left = if last { 0 } else { end % lanes };
            beats += 1;
        }
        assert!(made > 50, "{made} output beats");
        // One cycle for each output beat, and one for each beat that makes none.
        assert!(cycles <= made + beats, "{cycles} cycles for {made} output beats");
    }

    #[test]
    fn a_beat_is_shown_once_for_each_output_beat() {
        let half = Source::Half { has_errors: false, has_cuts: false, slot_bits: 21 };
        for lanes in [2, 4, 8, 16, 64] {
            runs(Source::Bus, lanes);
            runs(half, lanes);
        }
    }
}
