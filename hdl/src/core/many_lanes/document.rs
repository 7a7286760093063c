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

use super::logic::any_of;
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
    let beat = Beat::input(m, lanes as u32, |octets, keep| {
        m.section("The magic number: what a beat is after each number of octets that are held back");
        Magic::of_beat(m, octets, keep).facts()
    });

    m.section("The magic number: octets that may be of it are held back");
    let number = m.reg("held_reg", NUMBER_BITS).reset(0);
    let number = number.note("octets that are held back; all ones: the opening of the frame is past");
    // This register holds the same number, decoded a cycle ahead, since the longest path begins at the number.
    let number_is = m.reg("held_is_reg", MOST as u32 + 1).reset(1).note("bit n: n octets are held back");
    let after: Vec<Signal> =
        (0..=MOST).map(|n| number_is.q.bit(n as u32).named(&format!("after_{n}"))).collect();
    let magic = Magic::of_facts(&beat.facts);
    let goes_on = any_of(after.iter().zip(&magic.goes_on).map(|(&after, &goes_on)| after & goes_on));
    let goes_on = goes_on.expect("octets can be held back").named("magic_goes_on");
    let holds = (goes_on & !beat.ends).named("holds_back").note("the octets may be of the magic number");
    let next = (number.q + magic.octets).named("held_after");
    let ends = magic.ends.iter().enumerate();
    let drops: Vec<(usize, Signal)> = ends
        .map(|(lane, &ends)| (lane + 1, (after[MOST - lane] & ends).named(&format!("drops_{}", lane + 1))))
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
    let some = of_parts(&|part| part * lanes).expect("octets are held back").named("some_held");
    let emits = (differs & some).named("held_goes_on");
    let more = of_parts(&|part| (part + 1) * lanes).map(|more| (emits & more).named("more_held_go_on"));
    let waits = more.map_or(beat.keep.bit(0), |more| beat.keep.bit(0) | more);
    let waits = (emits & waits).named("beat_waits").note("for the octets that were held back");
    // While octets are held back, these go to the core, or the octets after the magic number. With none held back, a beat goes whole, unless it
    // holds all of the magic number. Whether the beat is held back does not matter, since then nothing goes to the core.
    let in_one_beat = drops.iter().find(|&&(drop, _)| drop == MAGIC.len());
    let stays = in_one_beat.map_or(!some, |&(_, drop)| !some & !drop).named("beat_goes_whole");
    let shows_held = (some & !is_whole).named("held_is_shown");
    let of_text = beat.without_first(stays, &drops);
    let with_held = |(lane, (octet, there)): (usize, (Signal<'m>, Signal<'m>))| {
        let index = |part: usize| part * lanes + lane;
        let Some(is_held) = of_parts(&index) else { return (octet, there) };
        let is_held = (is_held & !is_whole).named(&format!("lane_{lane}_is_held"));
        let known = (0..parts).filter(|&part| index(part) < MOST).map(|part| {
            let known = m.lit(OCTET, MAGIC[index(part)]);
            known.masked(is_part(part).map_or(shows_held, |is_part| shows_held & is_part))
        });
        let octet = any_of([octet].into_iter().chain(known)).expect("a lane");
        (octet, there | is_held)
    };
    let lanes = of_text.into_iter().enumerate().map(with_held).collect();
    let going = beat.goes_on(Onward { lanes, holds, waits }, inner);
    let past = m.lit(NUMBER_BITS, (1 << NUMBER_BITS) - 1);
    let number_next = holds.mux(next, past).masked(!going.last);
    let number_next = more.map_or(number_next, |more| more.mux(number.q, number_next)).named("held_next");
    number.next_when(going.reads, number_next);
    let is_next = (0..=MOST).rev().map(|n| number_next.is(n as u64));
    number_is.next_when(going.reads, m.concat(is_next.collect::<Vec<_>>()));
    if let Some((gone, more)) = gone.zip(more) {
        gone.next_when(going.reads, (gone.q + m.lit(part_bits, 1)).masked(more));
    }
}

/// The octets of a beat, compared with the magic number after each number of octets that can be held back.
struct Magic<'m> {
    /// Entry n: with n octets held back, those and the octets of the beat are the first octets of the magic number, but not all of it.
    goes_on: Vec<Signal<'m>>,
    /// Entry of a lane: the octets up to this lane are the last ones of the magic number.
    ends: Vec<Signal<'m>>,
    /// The number of octets of the beat, where there are fewer than the magic number has.
    octets: Signal<'m>,
}

impl<'m> Magic<'m> {
    fn of_beat(m: &'m Builder, octets: &[Signal<'m>], keep: Signal<'m>) -> Self {
        let lanes = octets.len().min(MAGIC.len());
        let there: Vec<Signal> = (0..lanes).map(|lane| keep.bit(lane as u32)).collect();
        // Entry n of a lane: the lane holds the octet of the magic number that belongs there after n octets.
        let is: Vec<Vec<Signal>> = (0..lanes)
            .map(|lane| {
                let is = |&octet: &u64| {
                    (there[lane] & octets[lane].is(octet)).named(&format!("lane_{lane}_is_{octet:02x}"))
                };
                MAGIC[lane..].iter().map(is).collect()
            })
            .collect();
        let goes_on = |n: usize| {
            let fits = (0..lanes.min(MAGIC.len() - n)).map(|lane| match lane + n < MOST {
                true => !there[lane] | is[lane][n],
                false => !there[lane],
            });
            fits.reduce(|a, b| a & b).expect("a lane")
        };
        let ends = |lane: usize| {
            let all = is[..=lane].iter().map(|is| is[MOST - lane]);
            all.reduce(|a, b| a & b).expect("a lane")
        };
        let number = |lane: usize| {
            let is_last = there.get(lane + 1).map_or(there[lane], |&more| there[lane] & !more);
            m.lit(NUMBER_BITS, lane as u64 + 1).masked(is_last)
        };
        Self {
            goes_on: (0..=MOST).map(goes_on).collect(),
            ends: (0..lanes).map(ends).collect(),
            octets: any_of((0..lanes).map(number)).expect("a lane"),
        }
    }

    /// The signals with their names, in the order in which [`of_facts`](Self::of_facts) reads them.
    fn facts(self) -> Vec<(String, Signal<'m>)> {
        let goes_on = self.goes_on.into_iter().enumerate().map(|(n, is)| (format!("goes_on_after_{n}"), is));
        let ends = self.ends.into_iter().enumerate().map(|(lane, is)| (format!("magic_ends_in_{lane}"), is));
        goes_on.chain(ends).chain([("octets_of_beat".to_owned(), self.octets)]).collect()
    }

    /// The signals that [`facts`](Self::facts) gave, after the buffer.
    fn of_facts(facts: &[Signal<'m>]) -> Self {
        let (goes_on, rest) = facts.split_at(MOST + 1);
        let (octets, ends) = rest.split_last().expect("the number of octets is the last fact");
        Self { goes_on: goes_on.to_vec(), ends: ends.to_vec(), octets: *octets }
    }
}
