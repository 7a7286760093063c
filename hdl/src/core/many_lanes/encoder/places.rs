//! The positions of a slot's units, and the windows that present them.
//!
//! ```text
//!  eight lanes, `utf-8`, units that end in front of position 10 = 1 010: 8, 9 in output beat 1, and 6, 7 in output beat 0
//!
//!  window 0 (output beats 0 and 1)      6 and 7 in the first half, 8 and 9 in the second
//!  window 1 (output beats 1 and 2)      8 and 9 in the first half: presented already, so none
//! ```
//!
//! Cost: a comparison of the upper bits of the position, one LUT level, and a shift register of flags, one for each output beat.

use std::collections::BTreeMap;

use super::movement::Enable;
use super::sizes::{Sizes, bits_for};
use crate::core::lanes::{At, Heard, Lane};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::{Builder, Signal, Stage};

/// The inputs of a lane for the positions of its units.
pub(super) struct Ports {
    /// The position after its units.
    pub(super) end: Heard,
    /// The window is the one ahead of the first; `None` where windows are not shared.
    pub(super) ahead: Option<Heard>,
}

/// The positions of the units of a slot, and those of them that the window presents.
pub(super) struct Places<'m> {
    /// The position after the units in the ring, in the stage of the windows; `None` in a ring of one position.
    pub(super) end: Option<At<'m>>,
    /// Units after the last multiple of the ring's size before that position, `None` where there can be none; units in front of that multiple.
    pub(super) behind: Option<Shown<'m>>,
    pub(super) before: Shown<'m>,
}

/// The units between two multiples of the ring's size that the window presents, in the stage before that of the rotated units.
pub(super) struct Shown<'m> {
    /// The window shows the units, and the next bit of their position, above those of the ring, is 0, or 1. The highest bit says
    /// which half of the window it is. One of each for every output beat that the ring reaches over.
    pub(super) by_bit: Vec<[Option<Signal<'m>>; 2]>,
    /// The bits above that, the lowest first.
    pub(super) further: Vec<Signal<'m>>,
}

/// Finds the positions of the units of the lane's slot.
pub(super) fn places<'m>(lane: &Lane<'m>, sizes: &Sizes) -> (Places<'m>, Ports) {
    let m = lane.builder();
    let (ring_bits, lane_bits) = (sizes.ring_bits(), sizes.lane_bits());
    let at = sizes.ends();
    let (end, heard) =
        lane.hear("units_end", bits_for(sizes.most_positions()), at, "the position after its units");
    // The number of output beats in a ring, or of rings in an output beat.
    let beats = sizes.ring.div_ceil(sizes.lanes);
    let rings_bits = lane_bits.saturating_sub(ring_bits);
    let ring_end = (ring_bits > 0).then(|| end.bits(0..ring_bits));
    lane.section(at, "the output beat of the units");
    let at_windows = |name: &str, signal: At<'m>| signal.delayed(name, at + 1);
    let ring_end = ring_end.map(|end| at_windows("ring_end", end));
    let lane_end = (rings_bits > 0).then(|| end.bits(ring_bits..lane_bits).named("lane_end"));
    let beat = end.bits(ring_bits.max(lane_bits)..end.width()).named("beat_end").signal();
    let lane_before = lane_end.map(|end| at_windows("lane_before", end - end.lit(end.width(), 1)));
    let is_first_ring = lane_end.map(|end| at_windows("is_first_ring", !end.any()).signal());
    let lane_end = lane_end.filter(|_| sizes.ring > 1).map(|end| at_windows("lane_end", end));

    lane.section(at + 1, "which window shows the units");
    let step = Enable::Step.input(m);
    let (ahead, ahead_heard) = sizes
        .shares_windows()
        .then(|| lane.hear_among("is_ahead", 1, at + 1, "the window is the one ahead of the first"))
        .unzip();
    let most = (sizes.most_positions() / (sizes.ring.max(sizes.lanes))) * beats;
    let (loads, ahead) = (lane.registers().at(at + 1).enable, ahead.map(At::signal));
    let window = InWindow { m, step: m.stage(step), loads, ahead, beat, beats, most };
    let in_beat = window.follow();
    let (first_behind, first_before) = (window.first(0), window.first(beats));

    lane.section(at + 1, "which half of the window shows the units");
    let second_behind: Vec<Option<Signal>> =
        (0..beats).map(|at| window.second(&in_beat, "behind", at, 1 - at as isize)).collect();
    let second_before: Vec<Option<Signal>> =
        (0..beats).map(|at| window.second(&in_beat, "before", at, (1 + beats - at) as isize)).collect();
    let behind = Halves { first: Some(first_behind), second: second_behind };
    let mut before = Halves { first: Some(first_before), second: second_before };
    if let Some(is_first) = is_first_ring {
        // In an output beat of several rings, the ring before is in the same output beat, but for the first.
        let of_ring = |before: Option<Signal<'m>>, same: Option<Signal<'m>>| {
            any_of(
                [before.map(|before| is_first & before), same.map(|same| !is_first & same)]
                    .into_iter()
                    .flatten(),
            )
        };
        let second = of_ring(before.second[0], behind.second[0]);
        before.first = of_ring(before.first, behind.first);
        before.second = vec![second.map(|second| second.named("before_in_second"))];
    }
    let places = Places {
        behind: (sizes.ring > 1).then(|| behind.shown(lane, sizes, "behind", lane_end)),
        before: before.shown(lane, sizes, "before", lane_before),
        end: ring_end,
    };
    (places, Ports { end: heard, ahead: ahead_heard })
}

/// The output beat in which the units end, counted from the window: a shift register of flags.
struct InWindow<'m> {
    m: &'m Builder,
    /// The registers that load with each window.
    step: Stage<'m>,
    /// The stage loads a beat.
    loads: Signal<'m>,
    /// The window is the one ahead of the first; `None` where windows are not shared.
    ahead: Option<Signal<'m>>,
    /// The output beat of a beat that is loaded, in units of a ring if that is longer.
    beat: Signal<'m>,
    /// Output beats in a ring.
    beats: usize,
    /// The last output beat that units can end in.
    most: usize,
}

impl<'m> InWindow<'m> {
    /// The units of a beat that is loaded end in output beat `number`.
    fn is_beat(&self, number: usize) -> Option<Signal<'m>> {
        let can_be = number.is_multiple_of(self.beats) && number <= self.most;
        can_be.then(|| self.beat.is((number / self.beats) as u64))
    }

    /// For each number: the units end in the output beat of that number, counted from the window.
    fn follow(&self) -> BTreeMap<isize, Signal<'m>> {
        let Self { m, step, loads, ahead, .. } = *self;
        let lowest = 2 - self.beats as isize - isize::from(ahead.is_some());
        let mut in_beat: BTreeMap<isize, Signal> = BTreeMap::new();
        for number in (lowest..=self.most as isize).rev() {
            let new = usize::try_from(number).ok().and_then(|number| self.is_beat(number));
            let next = in_beat.get(&(number + 1)).copied();
            if new.is_none() && next.is_none() {
                continue;
            }
            let sign = if number < 0 { "minus_" } else { "" };
            let register = m.reg(&format!("ends_in_{sign}{}_reg", number.unsigned_abs()), 1);
            // The number stays as it is when the first window follows the window ahead.
            let next = match (ahead, next) {
                (Some(ahead), Some(next)) => Some(ahead.mux(register.q, next)),
                (Some(ahead), None) => Some(ahead & register.q),
                (None, next) => next,
            };
            let next = match (new, next) {
                (Some(new), Some(next)) => loads.mux(new, next),
                (Some(new), None) => loads & new,
                (None, next) => !loads & next.expect("there is one"),
            };
            register.next_when(step.enable, next);
            in_beat.insert(number, register.q);
        }
        in_beat
    }

    /// The first half of the window presents the output beat `number` of the beat.
    fn first(&self, number: usize) -> Signal<'m> {
        let new = self.is_beat(number).expect("a beat that units can end in");
        let first = self.step.data(&format!("first_in_{number}_reg"), self.loads & new);
        self.ahead.map_or(first, |ahead| (first & !ahead).named(&format!("first_shows_{number}")))
    }

    /// The second half of the window presents output beat `at` of the ring, which ends in the output beat `number` of the window.
    fn second(
        &self,
        in_beat: &BTreeMap<isize, Signal<'m>>,
        name: &str,
        at: usize,
        number: isize,
    ) -> Option<Signal<'m>> {
        let here = in_beat.get(&number).copied();
        let Some(ahead) = self.ahead else { return here };
        let second = match (here, in_beat.get(&(number - 1))) {
            (Some(here), Some(&before)) => Some(ahead.mux(before, here)),
            (here, before) => {
                let parts = [here.map(|here| !ahead & here), before.map(|&before| ahead & before)];
                any_of(parts.into_iter().flatten())
            }
        };
        second.map(|second| second.named(&format!("second_shows_{name}_{at}")))
    }
}

/// Which half of the window shows units.
struct Halves<'m> {
    /// The first half, if the ring's first output beat is shown there.
    first: Option<Signal<'m>>,
    /// The second half: one for each output beat that the ring reaches over.
    second: Vec<Option<Signal<'m>>>,
}

impl<'m> Halves<'m> {
    /// `lane` are the bits of the position between those of the ring and that of the half.
    fn shown(&self, of: &Lane<'m>, sizes: &Sizes, name: &str, lane: Option<At<'m>>) -> Shown<'m> {
        let data = |what: &str, signal| {
            of.at(signal, sizes.ends() + 1).delayed(&format!("{name}_{what}"), sizes.rotated() - 1).signal()
        };
        let flag = |what: &str, signal: Option<Signal<'m>>| signal.map(|signal| data(what, signal));
        match lane {
            None => {
                let beat = |(at, second): (usize, &Option<Signal<'m>>)| {
                    let first = self.first.filter(|_| at == 0);
                    [flag(&format!("first_{at}"), first), flag(&format!("second_{at}"), *second)]
                };
                Shown { by_bit: self.second.iter().enumerate().map(beat).collect(), further: Vec::new() }
            }
            Some(lane) => {
                let lane = lane.signal();
                let second = self.second[0].expect("units can stand there");
                let is_shown = any_of([self.first, Some(second)].into_iter().flatten()).expect("one");
                let is_shown = is_shown.named(&format!("{name}_is_shown"));
                let by_bit = [
                    flag("bit_0", Some(is_shown & !lane.bit(0))),
                    flag("bit_1", Some(is_shown & lane.bit(0))),
                ];
                let further = (1..lane.width()).map(|bit| data(&format!("lane_bit_{bit}"), lane.bit(bit)));
                let further = further.chain([data("is_second", second)]).collect();
                Shown { by_bit: vec![by_bit], further }
            }
        }
    }
}
