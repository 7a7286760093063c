//! Documents of Corrected UTF-8, seed 004: a layer around a core for the text, which drops the magic number that opens a frame.
//!
//! Beats that may be of the magic number are held back. Their octets are known, so only their number is stored. Once the magic number is whole, the
//! octets after it go to the core. If the frame goes on differently, the octets that were held back go to the core in beats of their own, for which
//! the beat that decided waits:
//!
//! ```text
//! s_axis       EF+B7  9D+41  42+43             four lanes; the octets are not the magic number
//! to the core  .      EF+B7  9D+41  42+43
//!
//! s_axis       EF+B7+9D+ED  B2+AE+00+0A  41    the magic number
//! to the core  .            .            41
//! ```

use std::sync::Arc;

use super::logic::{any_of, masked};
use super::opening_layer::{self, Beat, LATENCY, Onward};
use crate::core::CoreSpec;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::magic_number::MAGIC;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};

/// Name of the core for the text, as a module and as an instance.
const INNER: &str = "of_text";
/// The most octets that are held back.
const MOST: usize = MAGIC.len() - 1;
/// Bits of the number of octets that are held back. All ones are no such number: they say that the opening of the frame is past.
const NUMBER_BITS: u32 = 4;

/// The core of documents as a module called `name`, around a core for the text, which `build` makes; gives its latency in cycles too.
pub(super) fn around(
    name: &str,
    spec: &CoreSpec,
    build: impl Fn(&CoreSpec, &str) -> (Arc<Module>, u32),
) -> (Arc<Module>, u32) {
    let (core, latency) = build(spec, INNER);
    let summary = format!("{}; the magic number that opens a frame is dropped", core.summary());
    let layer = |m: &Builder, inner: InstanceHandle| strip(m, spec.lanes as usize, inner);
    (opening_layer::around((name, summary), (&core, INNER), layer), latency + LATENCY)
}

/// Connects the input to the core, without magic numbers.
fn strip<'m>(m: &'m Builder, lanes: usize, inner: InstanceHandle<'m>) {
    let beat = Beat::input(m, lanes as u32);

    m.section("The magic number: octets that may be of it are held back");
    let number = m.reg("held_reg", NUMBER_BITS).reset(0);
    let number = number.note("octets that are held back; all ones: the opening of the frame is past");
    let magic = Magic::new(&beat, number.q);
    let holds =
        (magic.goes_on() & !beat.ends).named("holds_back").note("the octets may be of the magic number");
    let next = (number.q + magic.octets_of_beat(m)).named("held_after");
    let drops: Vec<(usize, Signal)> = (0..lanes.min(MAGIC.len()))
        .map(|lane| (lane + 1, magic.ends_in(lane).named(&format!("drops_{}", lane + 1))))
        .collect();
    let is_whole = any_of(drops.iter().map(|&(_, drop)| drop)).expect("the magic number ends in a lane");
    let is_whole = is_whole.named("magic_is_whole");
    let differs = (beat.present & !holds & !is_whole).named("differs").note("the octets are of the text");

    m.section("The beat for the core: octets that were held back, or those of the text");
    // With few lanes, octets that are held back fill several beats. These beats go on one after the other.
    let parts = MOST.div_ceil(lanes);
    let part_bits = usize::BITS - (parts - 1).leading_zeros();
    let gone = (parts > 1).then(|| {
        let gone = m.reg("part_reg", part_bits).reset(0);
        gone.note("beats of octets that were held back and have gone on")
    });
    let is_part = |part: usize| gone.as_ref().map(|gone| gone.q.is(part as u64));
    let more_than = |octets: usize| match MOST.checked_sub(octets) {
        None | Some(0) => None,
        Some(1) => Some(number.q.is(MOST as u64)),
        Some(_) => Some(number.q.within(octets as u64 + 1, MOST as u64)),
    };
    let has_octet = |index: usize, part: usize| {
        let is_held = more_than(index)?;
        Some(is_part(part).map_or(is_held, |is_part| is_held & is_part))
    };
    let of_parts =
        |index: &dyn Fn(usize) -> usize| any_of((0..parts).filter_map(|part| has_octet(index(part), part)));
    let some = of_parts(&|part| part * lanes).expect("octets are held back");
    let emits = (differs & some).named("held_goes_on");
    let more = of_parts(&|part| (part + 1) * lanes).map(|more| (emits & more).named("more_held_go_on"));
    let waits = more.map_or(beat.keep.bit(0), |more| beat.keep.bit(0) | more);
    let waits = (emits & waits).named("beat_waits").note("for the octets that were held back");
    let stays = (!is_whole & !emits).named("beat_goes_whole");
    let of_text = beat.without_first(stays, &drops);
    let with_held = |(lane, (octet, there)): (usize, (Signal<'m>, Signal<'m>))| {
        let index = |part: usize| part * lanes + lane;
        let Some(is_held) = of_parts(&index) else { return (octet, there) };
        let is_held = (emits & is_held).named(&format!("lane_{lane}_is_held"));
        let known = (0..parts).filter(|&part| index(part) < MOST).map(|part| {
            let known = m.lit(OCTET, MAGIC[index(part)]);
            masked(known, is_part(part).map_or(emits, |is_part| emits & is_part))
        });
        let octet = any_of([octet].into_iter().chain(known)).expect("a lane");
        (octet, there | is_held)
    };
    let lanes = of_text.into_iter().enumerate().map(with_held).collect();
    let going = beat.goes_on(Onward { lanes, holds, waits }, inner);
    let past = m.lit(NUMBER_BITS, (1 << NUMBER_BITS) - 1);
    let number_next = masked(holds.mux(next, past), !going.last);
    let number_next = more.map_or(number_next, |more| more.mux(number.q, number_next));
    number.next_when(going.reads, number_next);
    if let Some((gone, more)) = gone.zip(more) {
        gone.next_when(going.reads, masked(gone.q + m.lit(part_bits, 1), more));
    }
}

/// The octets of a beat, compared with the magic number after each number of octets that can be held back.
struct Magic<'a, 'm> {
    beat: &'a Beat<'m>,
    /// Entry n: n octets are held back.
    after: Vec<Signal<'m>>,
    /// Entry n of a lane: the lane holds the octet of the magic number that belongs there after n octets that are held back.
    is: Vec<Vec<Signal<'m>>>,
}

impl<'a, 'm> Magic<'a, 'm> {
    fn new(beat: &'a Beat<'m>, number: Signal<'m>) -> Self {
        let after = (0..=MOST).map(|n| number.is(n as u64).named(&format!("after_{n}"))).collect();
        let of_lane = |lane: usize| {
            let is = |octet: u64| {
                let is = beat.keep.bit(lane as u32) & beat.octets[lane].is(octet);
                is.named(&format!("lane_{lane}_is_{octet:02x}"))
            };
            MAGIC[lane..].iter().map(|&octet| is(octet)).collect()
        };
        Self { beat, after, is: (0..beat.octets.len().min(MAGIC.len())).map(of_lane).collect() }
    }

    /// The octets that are held back and those of the beat are the first ones of the magic number, and not all.
    fn goes_on(&self) -> Signal<'m> {
        let fits_after = |n: usize| {
            let lanes = self.is.iter().enumerate().take(MAGIC.len() - n);
            let fits = lanes.map(|(lane, is)| {
                let none = !self.beat.keep.bit(lane as u32);
                if lane + n < MOST { none | is[n] } else { none }
            });
            fits.reduce(|a, b| a & b).expect("a lane").named(&format!("goes_on_after_{n}"))
        };
        let all = (0..=MOST).map(|n| self.after[n] & fits_after(n));
        any_of(all).expect("octets can be held back").named("magic_goes_on")
    }

    /// The magic number ends in this lane.
    fn ends_in(&self, lane: usize) -> Signal<'m> {
        let n = MOST - lane;
        self.is[..=lane].iter().fold(self.after[n], |all, is| all & is[n])
    }

    /// The number of octets of the beat, where there are fewer than the magic number has.
    fn octets_of_beat(&self, m: &'m Builder) -> Signal<'m> {
        let keep = self.beat.keep;
        let number = |lane: usize| {
            let there = keep.bit(lane as u32);
            let is_last = match lane + 1 < self.is.len() {
                true => there & !keep.bit(lane as u32 + 1),
                false => there,
            };
            masked(m.lit(NUMBER_BITS, lane as u64 + 1), is_last)
        };
        any_of((0..self.is.len()).map(number)).expect("a lane").named("octets_of_beat")
    }
}
