//! The network that moves slots down to the first lanes: by 1, by 2, by 4, and so on, one step a stage.
//!
//! A slot moves by the gaps before it. Two slots never come to one place, since what stands between them moves no further than
//! they do. A place has only the inputs from which something can come, and each slot carries only the bits of its distance that
//! are still to be moved by: where it goes next is two registers, one for staying and one for going.

use std::collections::BTreeSet;

use super::carry::Carried;
use super::gaps::Gaps;
use super::logic::{Number, any_of, masked, sum};
use super::pipeline::{Pipeline, delay};
use super::places::Places;
use super::plan::Plan;
use crate::netlist::{Builder, Signal, Stage};

/// A place between two steps.
struct Place<'m> {
    slot: Signal<'m>,
    /// It holds a slot that stays here in the next step; one that goes down; where it can.
    stays: Option<Signal<'m>>,
    goes: Option<Signal<'m>>,
    /// The further bits of how far it goes, with the number of the step.
    further: Vec<(u32, Signal<'m>)>,
    /// All that it may have to go, in units of one place.
    distances: BTreeSet<usize>,
}

/// A slot in its place: that there is one, and the slot, zeros where there is none.
pub(super) type Placed<'m> = (Signal<'m>, Signal<'m>);

/// Whether a slot of some distance moves in step `step`.
fn moves(distance: usize, step: u32) -> bool {
    distance >> step & 1 == 1
}

/// What comes to a place.
struct Arriving<'m> {
    /// The register of the slot.
    slot: Signal<'m>,
    /// There is one.
    valid: Signal<'m>,
    /// How far it has to go, bit by bit, each with the number of its step.
    bits: Vec<(u32, Signal<'m>)>,
    distances: BTreeSet<usize>,
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
    step: u32,
) -> Place<'m> {
    let Arriving { slot, valid, bits, distances } = arriving;
    let bit = bits.iter().find(|(at, _)| *at == step).map(|(_, bit)| *bit);
    let can_stay = distances.iter().any(|&distance| !moves(distance, step));
    let can_go = distances.iter().any(|&distance| moves(distance, step));
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
            .filter(|(at, _)| *at > step)
            .map(|&(at, bit)| (at, between.put(&name(&format!("by_{}", 1 << at)), bit)))
            .collect(),
        distances,
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
    m.section(format!("Stage {}: how far each slot moves", plan.sums));
    let name_at = |at: u32, place: usize| move |what: &str| format!("{what}_{at}_{place}");
    let mut at = plan.slots;
    let mut now: Vec<Option<Place>> = Vec::new();
    if let (Some(first), Some(slot)) = (&carried.first, &places.first) {
        let last_slot = places.slots[plan.lanes - 1];
        let slot = stage_of(0)
            .data(&format!("{}_reg", name_at(at, 0)("slot")), first.rides.mux(last_slot, slot.slot));
        let arriving =
            Arriving { slot, valid: first.holds, bits: Vec::new(), distances: BTreeSet::from([0]) };
        now.push(Some(route(Between(Some(stage_of(0))), &name_at(at, 0), arriving, 0)));
    }
    // Where no slot stands before those of the lanes, all move by one more.
    let above = now.len();
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
        let farthest = most(lane) + above;
        let width = usize::BITS - farthest.leading_zeros();
        let distance: Number =
            sum(&format!("distance_{lane}"), &gaps.before[lane], &[], no_first, width as usize);
        let mut bits: Vec<(u32, Signal)> = (0..).zip(distance).collect();
        let mut valid = (ends & carried.valid).named(&format!("makes_slot_{lane}"));
        let mut distances: BTreeSet<usize> = (0..=farthest).collect();
        let first = carried.first.as_ref().filter(|_| lane + 1 == plan.lanes);
        if let Some(first) = first {
            // What does not move from the place behind the lanes rides in the next beat.
            distances.remove(&0);
            let has_room = if distances.remove(&plan.lanes) {
                // From there to the first lane.
                let (_, far) = bits.pop().expect("it has the highest bit");
                alone = Some((stage_of(0).data("alone_reg", valid & far), places.slots[lane]));
                any_of(bits.iter().map(|(_, bit)| *bit)).expect("other distances are shorter")
            } else {
                !first.has_no_room
            };
            valid = (valid & has_room).named("last_slot_moves");
        }
        let arriving = Arriving { slot: places.slots[lane], valid, bits, distances };
        now.push(Some(route(Between(Some(stage_of(lane))), &name_at(at, lane + above), arriving, 0)));
    }
    for step in 0..steps {
        m.section(format!("Stage {at}: slots move down by {}", 1usize << step));
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
                merge(between, &name, [here, there], alone, step, steps)
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

/// A place after step `step`: what stays, what comes from further up, and a slot that comes from behind the lanes at once.
fn merge<'m>(
    between: Between<'m>,
    name: &dyn Fn(&str) -> String,
    from: [Option<&Place<'m>>; 2],
    alone: Option<Placed<'m>>,
    step: u32,
    steps: u32,
) -> Option<Place<'m>> {
    let [here, there] = from;
    let is_final = step + 1 == steps;
    // What stays and what comes: by which bit, from where, and how far it has still to go.
    let part = |place: &Place<'m>, is: Option<Signal<'m>>, goes: bool| {
        let distances = place.distances.iter().filter(|&&distance| moves(distance, step) == goes);
        Some((
            is?,
            place.slot,
            place.further.clone(),
            distances.map(|distance| distance & !(1 << step)).collect(),
        ))
    };
    type Source<'m> = (Signal<'m>, Signal<'m>, Vec<(u32, Signal<'m>)>, BTreeSet<usize>);
    let stays = here.and_then(|here| part(here, here.stays, false));
    let comes = there.and_then(|there| part(there, there.goes, true));
    let alone = alone.map(|(is, slot)| (is, slot, Vec::new(), BTreeSet::from([0])));
    let sources: Vec<Source> = [stays, comes, alone].into_iter().flatten().collect();
    // Of one source the slot is what it is, and only in the end zero where there is none.
    let slot = match sources[..] {
        [] => return None,
        [(_, only, ..)] if !is_final => only,
        _ => any_of(sources.iter().map(|(is, slot, ..)| masked(*slot, *is))).expect("a source"),
    };
    let distances: BTreeSet<usize> =
        sources.iter().flat_map(|(.., distances)| distances.iter().copied()).collect();
    let slot = match sources.len() {
        1 => between.put(&name("slot"), slot),
        _ => between.put_new(&name("slot"), slot),
    };
    let bit_of = |at: u32| {
        let bits = sources.iter().filter_map(|(is, _, further, distances)| {
            let bit = further.iter().find(|(of, _)| *of == at).map(|(_, bit)| *bit)?;
            let is_told = distances.iter().any(|&distance| moves(distance, at));
            is_told.then(|| if sources.len() > 1 { bit & *is } else { bit })
        });
        let bits: Vec<Signal> = bits.collect();
        let bit = any_of(bits.iter().copied())?;
        // What comes from one place is a register there.
        Some((at, if sources.len() > 1 { bit.named(&name(&format!("is_by_{}", 1 << at))) } else { bit }))
    };
    let bits: Vec<(u32, Signal)> = (step + 1..usize::BITS).filter_map(bit_of).collect();
    let valid = any_of(sources.iter().map(|(is, ..)| *is))?;
    let valid = if sources.len() > 1 { valid.named(&name("holds")) } else { valid };
    let arriving = Arriving { slot, valid, bits, distances };
    Some(route(between, name, arriving, step + 1))
}
