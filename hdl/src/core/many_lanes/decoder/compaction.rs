//! The network that moves slots down to the first lanes: by 1, by 2, by 4, and so on, one step a stage.
//!
//! A slot moves by the gaps before it. Two slots never come to one place, since what stands between them moves no further than
//! they do. A place has only the inputs from which something can come, and each slot carries only the bits of its distance that
//! are still to be moved by: where it goes next is two registers, one for staying and one for going.

use std::collections::BTreeSet;

use super::carry::Carried;
use super::distances::Distances;
use super::gaps::Gaps;
use super::pipeline::{Pipeline, delay};
use super::places::Places;
use super::plan::Plan;
use crate::core::many_lanes::logic::{Number, any_of, masked, sum};
use crate::netlist::{Builder, Signal, Stage};

/// A place between two steps.
struct Place<'m> {
    slot: Signal<'m>,
    /// It holds a slot that stays here in the next step; one that goes down; where it can.
    stays: Option<Signal<'m>>,
    goes: Option<Signal<'m>>,
    /// The further bits of how far it goes, with the number of the step.
    further: Vec<(u32, Signal<'m>)>,
}

/// A slot in its place: that there is one, and the slot, zeros where there is none.
pub(super) type Placed<'m> = (Signal<'m>, Signal<'m>);

/// What comes to a place.
struct Arriving<'m> {
    /// The register of the slot.
    slot: Signal<'m>,
    /// There is one.
    valid: Signal<'m>,
    /// How far it has to go, bit by bit, each with the number of its step.
    bits: Vec<(u32, Signal<'m>)>,
}

/// What stands between a step and the next one: a register, or a wire where they share a stage.
#[derive(Clone, Copy)]
struct Between<'m>(Option<Stage<'m>>);

impl<'m> Between<'m> {
    /// A signal that has a name.
    fn put(self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        self.0.map_or(signal, |stage| stage.data(&format!("{name}_reg"), signal))
    }

    /// One that has none.
    fn put_new(self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        match self.0 {
            Some(_) => self.put(name, signal),
            None => signal.named(name),
        }
    }
}

/// Where the slot of a place goes in step `step`.
fn route<'m>(
    between: Between<'m>,
    name: &dyn Fn(&str) -> String,
    arriving: Arriving<'m>,
    distances: &Distances,
    place: usize,
    step: u32,
) -> Place<'m> {
    let Arriving { slot, valid, bits } = arriving;
    let bit = bits.iter().find(|(at, _)| *at == step).map(|(_, bit)| *bit);
    let [can_stay, can_go] = [false, true].map(|goes| distances.can(place, step, goes));
    let put = |what: &str, part: Option<Signal<'m>>| match part {
        Some(part) => between.put_new(&name(what), valid & part),
        None => between.put(&name(what), valid),
    };
    Place {
        slot,
        stays: can_stay.then(|| put("stays", bit.filter(|_| can_go).map(|bit| !bit))),
        goes: can_go.then(|| put("goes", bit.filter(|_| can_stay))),
        further: bits
            .iter()
            .filter(|(at, _)| *at > step && distances.is_told(place, step, *at))
            .map(|&(at, bit)| (at, between.put(&name(&format!("by_{}", 1 << at)), bit)))
            .collect(),
    }
}

/// Moves the slots of `places` down. `most` says how many gaps there can be before a lane. Gives what stands in each lane in the end.
pub(super) fn compact<'m>(
    m: &'m Builder,
    places: &Places<'m>,
    gaps: &Gaps<'m>,
    carried: &Carried<'m>,
    most: &dyn Fn(usize) -> usize,
    plan: &Plan,
    pipeline: &Pipeline<'m>,
) -> Vec<Placed<'m>> {
    let stage_of = |place: usize| pipeline.stage_of_slots_at(place);
    let steps = plan.steps;
    m.stage_section(plan.sums, "how far each slot moves");
    let name_at = |at: u32, place: usize| move |what: &str| format!("{what}_{at}_{place}");
    let mut at = plan.slots;
    // Where no slot stands before those of the lanes, all move by one more.
    let above = usize::from(carried.first.is_some());
    let farthest = |lane: usize| most(lane) + above;
    // What does not move from the place behind the lanes rides in the next beat; and from there to the first lane is a way of its own.
    let of_lane = |lane: usize| match lane + above == plan.lanes {
        true => (1..plan.lanes.min(farthest(lane) + 1)).collect(),
        false => (0..=farthest(lane)).collect(),
    };
    let of_first = (above > 0).then(|| BTreeSet::from([0]));
    let first_step = of_first.into_iter().chain((0..places.ends.len()).map(of_lane)).collect();
    let to_first_lane = above > 0 && farthest(plan.lanes - 1) == plan.lanes;
    let distances = Distances::new(first_step, steps, to_first_lane);
    let mut now: Vec<Option<Place>> = Vec::new();
    if let (Some(first), Some(slot)) = (&carried.first, &places.first) {
        let last_slot = places.slots[plan.lanes - 1];
        let slot = stage_of(0)
            .data(&format!("{}_reg", name_at(at, 0)("slot")), first.rides.mux(last_slot, slot.slot));
        let arriving = Arriving { slot, valid: first.holds, bits: Vec::new() };
        now.push(Some(route(Between(Some(stage_of(0))), &name_at(at, 0), arriving, &distances, 0, 0)));
    }
    let no_first = carried.first.as_ref().map(|first| (!first.of_beat).named("has_no_first"));
    let ends_at_sums: Vec<Signal> = (0..)
        .zip(&places.ends)
        .map(|(lane, &ends)| match plan.sums - plan.ends {
            0 => ends,
            _ => delay(pipeline.stage_at(lane), &format!("ends_{lane}"), ends, plan.ends, plan.sums),
        })
        .collect();
    let mut alone = None;
    for (lane, ends) in ends_at_sums.into_iter().enumerate() {
        let width = usize::BITS - farthest(lane).leading_zeros();
        let distance: Number =
            sum(&format!("distance_{lane}"), &gaps.before[lane], &[], no_first, width as usize);
        let mut bits: Vec<(u32, Signal)> = (0..).zip(distance).collect();
        let mut valid = (ends & carried.valid).named(&format!("makes_slot_{lane}"));
        let first = carried.first.as_ref().filter(|_| lane + 1 == plan.lanes);
        if let Some(first) = first {
            let has_room = if to_first_lane {
                let (_, far) = bits.pop().expect("it has the highest bit");
                alone = Some((stage_of(0).data("alone_reg", valid & far), places.slots[lane]));
                any_of(bits.iter().map(|(_, bit)| *bit)).expect("other distances are shorter")
            } else {
                !first.has_no_room
            };
            valid = (valid & has_room).named("last_slot_moves");
        }
        let (place, between) = (lane + above, Between(Some(stage_of(lane))));
        let arriving = Arriving { slot: places.slots[lane], valid, bits };
        now.push(Some(route(between, &name_at(at, place), arriving, &distances, place, 0)));
    }
    for step in 0..steps {
        m.stage_section(at, format!("slots move down by {}", 1usize << step));
        let is_registered = plan.is_registered(step, steps);
        at += u32::from(is_registered);
        now = (0..now.len())
            .map(|place| {
                let here = now[place].as_ref();
                let there = now.get(place + (1 << step)).and_then(Option::as_ref);
                let alone = alone.filter(|_| step == 0 && place == 0);
                let between = Between(is_registered.then(|| stage_of(place)));
                let name = |what: &str| match is_registered {
                    true => name_at(at, place)(what),
                    false => format!("{}_{step}", name_at(at, place)(what)),
                };
                let arriving =
                    arriving([here, there], alone, &distances, place, [step, steps], between, &name)?;
                Some(route(between, &name, arriving, &distances, place, step + 1))
            })
            .collect();
    }
    assert_eq!(at, plan.placed, "the slots are in place when the plan says so");
    if above > 0 {
        assert!(now.pop().flatten().is_none(), "no slot stays behind the lanes");
    }
    let lanes = now.into_iter().enumerate().map(|(lane, place)| {
        let place = place.expect("every lane can hold a slot");
        let keep = place.stays.expect("all have moved");
        // Of slots that did not move, the register may hold anything where there is none.
        let only = || masked(place.slot, keep).named(&format!("slot_of_lane_{lane}"));
        (keep, if steps == 0 { only() } else { place.slot })
    });
    lanes.collect()
}

/// What comes to a place in step `step` of `steps`: what stays, what comes from further up, and a slot that comes from behind the
/// lanes at once.
fn arriving<'m>(
    from: [Option<&Place<'m>>; 2],
    alone: Option<Placed<'m>>,
    distances: &Distances,
    place: usize,
    [step, steps]: [u32; 2],
    between: Between<'m>,
    name: &dyn Fn(&str) -> String,
) -> Option<Arriving<'m>> {
    let [here, there] = from;
    // What comes, by which bit, and whether it goes for that.
    let stays = here.and_then(|here| Some((here.stays?, here, false)));
    let comes = there.and_then(|there| Some((there.goes?, there, true)));
    let moved: Vec<(Signal, &Place, bool)> = [stays, comes].into_iter().flatten().collect();
    let slots: Vec<Placed> = moved.iter().map(|&(is, from, _)| (is, from.slot)).chain(alone).collect();
    let is_one = slots.len() == 1;
    // Of one source the slot is what it is, and only in the end zero where there is none.
    let slot = match slots[..] {
        [] => return None,
        [(_, only)] if step + 1 < steps => only,
        _ => any_of(slots.iter().map(|&(is, slot)| masked(slot, is))).expect("a source"),
    };
    let slot = if is_one { between.put(&name("slot"), slot) } else { between.put_new(&name("slot"), slot) };
    let bit_of = |at: u32| {
        let bits = moved.iter().filter_map(|&(is, from, goes)| {
            let source = place + (usize::from(goes) << step);
            if distances.is_open(source, step, goes, at) {
                let &(_, bit) = from.further.iter().find(|(of, _)| *of == at).expect("it was asked for");
                return Some(if is_one { bit } else { bit & is });
            }
            // Else all that comes from there moves, or nothing does.
            distances.may_move(source, step, goes, at).then_some(is)
        });
        let bit = any_of(bits).expect("some of it moves");
        // What comes from one place is a register there.
        (at, if is_one { bit } else { bit.named(&name(&format!("is_by_{}", 1 << at))) })
    };
    let bits = (step + 1..steps).filter(|&at| distances.is_told(place, step + 1, at)).map(bit_of).collect();
    let valid = any_of(slots.iter().map(|&(is, _)| is)).expect("a source");
    Some(Arriving { slot, valid: if is_one { valid } else { valid.named(&name("holds")) }, bits })
}
