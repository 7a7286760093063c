//! The network that compacts slots to the first lanes: by 1, by 2, by 4, and so on, one step a stage.
//!
//! A slot moves by the number of gaps before it. The distances of two slots differ by the gaps between the
//! slots, which is less than the difference of their positions, so two slots never meet. A position has inputs only for distances that can occur, and a slot carries only the bits of
//! its distance that later steps read. The next step is decoded to two registers, `stays` and `goes`.

use std::collections::BTreeSet;

use super::carried::Carried;
use super::distances::Distances;
use super::front::{Front, Spread};
use super::gaps::Gaps;
use super::pipeline::{GROUP, Pipeline};
use crate::core::lanes::section;
use crate::core::many_lanes::logic::{Number, any_of, sum};
use crate::netlist::{Builder, Mark, Signal, Stage};

/// A slot position between two steps.
struct Place<'m> {
    slot: Signal<'m>,
    /// The position holds a slot that stays in the next step, or one that moves down; `None` if that cannot occur.
    stays: Option<Signal<'m>>,
    goes: Option<Signal<'m>>,
    /// The bits of the distance for later steps, each with the number of its step.
    further: Vec<(u32, Signal<'m>)>,
}

/// A slot at its position: a bit that the slot is present, and the slot, zeros if absent.
pub(super) type Placed<'m> = (Signal<'m>, Signal<'m>);

/// The slot that arrives at a position.
struct Arriving<'m> {
    /// The register of the slot.
    slot: Signal<'m>,
    /// The slot is present.
    valid: Signal<'m>,
    /// The bits of the remaining distance, each with the number of its step.
    bits: Vec<(u32, Signal<'m>)>,
}

/// The connection between two steps: a register, or a wire if the steps share a stage.
#[derive(Clone, Copy)]
struct Between<'m>(Option<Stage<'m>>);

impl<'m> Between<'m> {
    /// Connects a signal that has a name.
    fn put(self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        self.0.map_or(signal, |stage| stage.data(&format!("{name}_reg"), signal))
    }

    /// Connects a signal without a name.
    fn put_new(self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        match self.0 {
            Some(_) => self.put(name, signal),
            None => signal.named(name),
        }
    }
}

/// Decodes whether the slot of a position stays or moves in step `step`.
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

/// The names of what is at a place in a stage.
fn name_at(m: &Builder, at: u32, place: usize) -> impl Fn(&str) -> String + use<> {
    let number = m.folded().number(at);
    move |what: &str| format!("{what}_{number}_{place}")
}

/// The step that moves slots by 2^`step` places.
struct MoveUp<'a, 'm> {
    m: &'m Builder,
    pipeline: &'a Pipeline<'m>,
    distances: &'a Distances,
    /// The stage after the step; `registered` if registers hold its slots.
    at: u32,
    registered: bool,
    step: u32,
    steps: u32,
}

impl<'m> MoveUp<'_, 'm> {
    /// The slot that is at a place after the step, if one can be; `now` has those before it.
    fn arrive(
        &self,
        now: &[Option<Place<'m>>],
        alone: Option<(Signal<'m>, Signal<'m>)>,
        place: usize,
    ) -> Option<Place<'m>> {
        let Self { step, at, distances, .. } = *self;
        let here = now[place].as_ref();
        let there = now.get(place + (1 << step)).and_then(Option::as_ref);
        let between = Between(self.registered.then(|| self.pipeline.stage_of_slots_at(place).at(at)));
        let name = |what: &str| match self.registered {
            true => name_at(self.m, at, place)(what),
            false => format!("{}_{step}", name_at(self.m, at, place)(what)),
        };
        let arriving = arriving([here, there], alone, distances, place, [step, self.steps], between, &name)?;
        Some(route(between, &name, arriving, distances, place, step + 1))
    }
}

/// Moves slots to the first lanes. Gives the slot of each lane in the end, and the stage of that. `offsets`, where positions are asked for: those of
/// the slots of all places within the beat, and of the slot before them, in the stage of the slots.
pub(super) fn compact<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    gaps: &Gaps<'m>,
    carried: &Carried<'m>,
    offsets: Option<(&[Signal<'m>], Signal<'m>)>,
    pipeline: &Pipeline<'m>,
) -> (Vec<Placed<'m>>, u32) {
    let stage_of = |place: usize, at: u32| pipeline.stage_of_slots_at(place).at(at);
    let spread = &front.spread;
    let (lanes, steps, sums) = (spread.lanes, spread.steps, front.sums_at());
    section(m, sums, "how far each slot moves");
    let mut at = sums + 1;
    let with_offset = |offset: Option<Signal<'m>>, slot| m.concat(offset.into_iter().chain([slot]));
    let bare: Vec<Signal> = front.slots.iter().map(|slot| slot.signal()).collect();
    let offset_of = |place: usize| offsets.map(|(of_places, _)| of_places[place]);
    let slots: Vec<Signal> =
        bare.iter().enumerate().map(|(place, &slot)| with_offset(offset_of(place), slot)).collect();
    let name_at = |at: u32, place: usize| name_at(m, at, place);
    let above = usize::from(carried.first.is_some());
    let farthest = |lane: usize| spread.most_gaps(lane) + above;
    let to_first_lane = above > 0 && farthest(lanes - 1) == lanes;
    let distances = distances(front, above, to_first_lane);
    let mut now: Vec<Option<Place>> = Vec::new();
    if let (Some(first), Some(slot)) = (&carried.first, &front.first) {
        let slot = slot.slot.at(sums).signal();
        let slot = first.rides.map_or(slot, |rides| rides.signal().pick(bare[lanes - 1], slot));
        let slot = with_offset(offsets.map(|(_, of_first)| of_first), slot);
        let slot = stage_of(0, at).data(&format!("{}_reg", name_at(at, 0)("slot")), slot);
        let arriving = Arriving { slot, valid: first.holds.signal(), bits: Vec::new() };
        now.push(Some(route(Between(Some(stage_of(0, at))), &name_at(at, 0), arriving, &distances, 0, 0)));
    }
    // All distances depend on the slot before those of the lanes, so each group of lanes has a copy of the bit.
    let no_first_of = |group: usize| {
        let of_beat = carried.first.as_ref()?.of_beat.on(pipeline.stage_at(group * GROUP));
        let name =
            if group == 0 { "has_no_first".to_owned() } else { format!("has_no_first_of_group_{group}") };
        Some((!of_beat.at(sums).signal()).named(&name))
    };
    let no_first: Vec<Option<Signal>> = (0..front.ends.len().div_ceil(GROUP)).map(no_first_of).collect();
    let mut alone = None;
    for (lane, ends) in front.ends.at(sums).iter().enumerate() {
        let width = usize::BITS - farthest(lane).leading_zeros();
        let distance: Number =
            sum(&format!("distance_{lane}"), &gaps.before[lane], &[], no_first[lane / GROUP], width as usize);
        let mut bits: Vec<(u32, Signal)> = (0..).zip(distance).collect();
        let mut valid =
            (ends.signal() & carried.valid_at(lane).signal()).named(&format!("makes_slot_{lane}"));
        let first = carried.first.as_ref().filter(|_| lane + 1 == lanes);
        if let Some(first) = first {
            let has_room = if to_first_lane {
                let (_, far) = bits.pop().expect("it has the highest bit");
                alone = Some((stage_of(0, at).data("alone_reg", valid & far), slots[lane]));
                any_of(bits.iter().map(|(_, bit)| *bit)).expect("other distances are shorter")
            } else {
                !first.has_no_room.signal()
            };
            valid = (valid & has_room).named("last_slot_moves");
        }
        let (place, between) = (lane + above, Between(Some(stage_of(lane, at))));
        let arriving = Arriving { slot: slots[lane], valid, bits };
        now.push(Some(route(between, &name_at(at, place), arriving, &distances, place, 0)));
    }
    for step in 0..steps {
        section(m, at, &format!("slots are compacted by {}", 1usize << step));
        let is_registered = spread.is_registered(step, steps);
        at += u32::from(is_registered);
        let moves = MoveUp { m, pipeline, distances: &distances, at, registered: is_registered, step, steps };
        let arrived = |place: usize| moves.arrive(&now, alone.filter(|_| step == 0 && place == 0), place);
        now = (0..now.len()).map(arrived).collect();
    }
    if above > 0 {
        assert!(now.pop().flatten().is_none(), "no slot stays behind the lanes");
    }
    (now.into_iter().enumerate().map(|(lane, place)| settled(lane, place, steps)).collect(), at)
}

/// The slot of a lane, after all steps.
fn settled<'m>(lane: usize, place: Option<Place<'m>>, steps: u32) -> Placed<'m> {
    let place = place.expect("every lane can hold a slot");
    let keep = place.stays.expect("all have moved");
    keep.mark(Mark::HoldsSlot(lane));
    place.slot.mark(Mark::SlotOut(lane));
    // The register of a slot that has not moved may hold any value if the slot is absent.
    let only = || place.slot.masked(keep).named(&format!("slot_of_lane_{lane}"));
    (keep, if steps == 0 { only() } else { place.slot })
}

/// The distances over which slots move. Position 0 is for a slot before those of the lanes if `above` is 1: all others move by one more.
fn distances(front: &Front<'_>, above: usize, to_first_lane: bool) -> Distances {
    let Spread { lanes, steps, .. } = front.spread;
    let farthest = |lane: usize| front.spread.most_gaps(lane) + above;
    // A slot that does not move from the position above the last lane is the carry, which enters the first lane by a path of its own.
    let of_lane = |lane: usize| match lane + above == lanes {
        true => (1..lanes.min(farthest(lane) + 1)).collect(),
        false => (0..=farthest(lane)).collect(),
    };
    let of_first = (above > 0).then(|| BTreeSet::from([0]));
    let first_step = of_first.into_iter().chain((0..front.ends.len()).map(of_lane)).collect();
    Distances::new(first_step, steps, to_first_lane)
}

/// The slot that arrives at a position in step `step` of `steps`: the slot that stays, the slot from a higher position, or the carry
/// (`alone`).
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
    // The sources, each with its select bit, and whether the slot moves.
    let stays = here.and_then(|here| Some((here.stays?, here, false)));
    let comes = there.and_then(|there| Some((there.goes?, there, true)));
    let moved: Vec<(Signal, &Place, bool)> = [stays, comes].into_iter().flatten().collect();
    let slots: Vec<Placed> = moved.iter().map(|&(is, from, _)| (is, from.slot)).chain(alone).collect();
    let is_one = slots.len() == 1;
    // A single source needs no mask, except in the last step, where an absent slot is zero.
    let slot = match slots[..] {
        [] => return None,
        [(_, only)] if step + 1 < steps => only,
        _ => any_of(slots.iter().map(|&(is, slot)| slot.masked(is))).expect("a source"),
    };
    let slot = if is_one { between.put(&name("slot"), slot) } else { between.put_new(&name("slot"), slot) };
    let bit_of = |at: u32| {
        let bits = moved.iter().filter_map(|&(is, from, goes)| {
            let source = place + (usize::from(goes) << step);
            if distances.is_open(source, step, goes, at) {
                let &(_, bit) = from.further.iter().find(|(of, _)| *of == at).expect("it was asked for");
                return Some(if is_one { bit } else { bit & is });
            }
            // Otherwise step `at` moves all slots from there, or none.
            distances.may_move(source, step, goes, at).then_some(is)
        });
        let bit = any_of(bits).expect("some of it moves");
        // A bit from a single source is a register already.
        (at, if is_one { bit } else { bit.named(&name(&format!("is_by_{}", 1 << at))) })
    };
    let bits = (step + 1..steps).filter(|&at| distances.is_told(place, step + 1, at)).map(bit_of).collect();
    let valid = any_of(slots.iter().map(|&(is, _)| is)).expect("a source");
    Some(Arriving { slot, valid: if is_one { valid } else { valid.named(&name("holds")) }, bits })
}
