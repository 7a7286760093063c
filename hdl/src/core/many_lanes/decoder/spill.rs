//! Slots for which a beat has no lane, where a beat can make several more slots certain than it has lanes: they go out with the next beat.
//!
//! A beat makes more slots than it has lanes by as many at most as octets were open before it. Slots that wait and octets that are open are
//! together no more than that, so the slots that wait never grow in number.
//!
//! ```text
//!  waiting   a b .
//!  beat      c d e f g .  .    moved by two    . . c d e f g
//!  goes out  a b c d           four lanes
//!  waiting   e f g
//! ```
//!
//! Slots that wait go out in the next cycle, with or without a beat. If a frame ends, they go out alone, and the beat after them waits.
//!
//! A frame whose last beat makes no slot ends with an empty beat, as it does where no slots wait: what goes out depends on the beats alone, not
//! on the cycles between them. Slots that still wait in that cycle go out before the empty beat.

use super::compaction::Placed;
use super::gearbox::{Beat, Packed};
use super::pipeline::Pipeline;
use crate::core::lanes::{At, section};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::{Builder, Signal};

/// Lanes that share copies of the bits that move slots.
const LANES_OF_COPY: usize = 4;

/// Puts the slots of beats into `lanes` lanes.
pub(super) fn spill<'m>(
    m: &'m Builder,
    beat: &Beat<'m>,
    lanes: usize,
    pipeline: &Pipeline<'m>,
) -> Packed<'m> {
    let (at, most) = (beat.present.stage(), beat.slots.len() - lanes);
    let stage = pipeline.stage_of_beats();
    let (of_slots, of_beats) = (pipeline.stage_of_slots(), At::new);
    section(m, at, "the slots that wait for a lane");
    let waits: Vec<_> = (0..most)
        .map(|index| stage.state(&format!("waits_{index}_reg"), 1).note("a slot waits for a lane"))
        .collect();
    let rest =
        stage.state("rest_reg", 1).note("the rest of a frame that has ended goes out, and the beat waits");
    let goes = (beat.present.on(of_slots).signal() & !rest.q).named("goes_on");
    let last = beat.last.on(of_slots).signal();
    // The slots move by the number of those that wait, which are the first.
    let by: Vec<Signal> = (0..=most)
        .map(|number| {
            let more = waits.get(number).map(|waits| !waits.q);
            let as_many = number.checked_sub(1).map(|before| waits[before].q);
            let is = more.into_iter().chain(as_many).fold(goes, |all, one| all & one);
            is.named(&format!("moves_by_{number}"))
        })
        .collect();
    let keep = |place: usize| {
        let moved = (0..=most.min(place)).map(|number| by[number] & beat.slots[place - number].0);
        any_of(moved).expect("a place")
    };
    let keeps: Vec<Signal> = (0..lanes + most)
        .map(|place| {
            let waits = waits.get(place).map(|waits| waits.q);
            let keep = waits.map_or_else(|| keep(place), |waits| waits | keep(place));
            keep.named(&format!("holds_{place}"))
        })
        .collect();
    for (index, &waits) in waits.iter().enumerate() {
        stage.load(waits, keeps[lanes + index]);
    }
    let over = keeps[lanes];
    let bare = stage.state("bare_reg", 1).note("after them, an empty beat ends the frame");
    let ends_without_slot = goes & last & !beat.slots[0].0;
    let is_bare = (waits[0].q & (ends_without_slot | bare.q)).named("is_bare");
    let is_bare = is_bare.note("slots go out before the empty beat that ends the frame");
    stage.load(bare, is_bare);
    let ends = (goes & last | rest.q).named("frame_ends_here");
    let has_rest = (ends & over | is_bare).named("has_rest").note("the frame ends with one more beat");
    stage.load(rest, has_rest);
    let waits_next = stage.enable.mux(has_rest, rest.q) & !pipeline.flush();
    let is_present = goes | waits[0].q | rest.q;
    let present = of_beats(stage, is_present, at).flag().registered("spilt_present");
    let last = of_beats(stage, ends & !has_rest, at).registered("spilt_last");

    section(m, at + 1, "the slots move to lanes after those that wait");
    let copy = |number: usize, place: usize| {
        let registers = pipeline.stage_of_beats_at(place);
        let group = place / LANES_OF_COPY;
        At::new(registers, by[number], at).stored(&format!("moves_by_{number}_of_group_{group}_reg")).signal()
    };
    let copies: Vec<Vec<Signal>> = (0..keeps.len())
        .step_by(LANES_OF_COPY)
        .map(|place| (0..=most).map(|number| copy(number, place)).collect())
        .collect();
    let slots: Vec<Signal> = (0..)
        .zip(&beat.slots)
        .map(|(place, &(_, slot))| {
            let stage = pipeline.stage_of_beats_at(place).at(at + 1);
            stage.data(&format!("slot_to_move_{place}_reg"), slot)
        })
        .collect();
    let width = slots[0].width();
    let moved = |place: usize| {
        let by = &copies[place / LANES_OF_COPY];
        let moved = (0..=most.min(place)).map(|number| slots[place - number].masked(by[number]));
        any_of(moved).expect("a place")
    };
    let waiting: Vec<_> = (0..most)
        .map(|index| m.reg(&format!("waiting_{index}_reg"), width).note("a slot that waits, or zeros"))
        .collect();
    let slot = |place: usize| match waiting.get(place) {
        Some(waiting) => waiting.q | moved(place),
        None => moved(place),
    };
    for (index, waiting) in waiting.iter().enumerate() {
        waiting.next_when(stage.enable, slot(lanes + index));
    }
    let packed = |lane: usize| -> Placed<'m> {
        let stage = pipeline.stage_of_beats_at(lane);
        let keep = At::new(stage, keeps[lane], at).called(&format!("lane_{lane}_holds")).at(at + 2).signal();
        (keep, stage.at(at + 2).data(&format!("spilt_slot_{lane}_reg"), slot(lane)))
    };
    let slots = (0..lanes).map(packed).collect();
    let beat = Beat { present: present.at(at + 2), last: last.at(at + 2), slots };
    Packed { beat, waits_next: waits_next.named("beat_waits_next") }
}
