//! The choice of a frame's system by the byte order mark in front of it: a layer around a core whose port chooses.
//!
//! Octets that may be of a mark are held back, three at most. Once the mark is whole, it is dropped, and the octets after it go to the core. If octets that
//! were held back are no mark, they go to the core in a beat of their own, for which the beat that decided waits:
//!
//! ```text
//! s_axis       FF  41+42+43+44  45         the octets are no mark: utf-8, the first system of the list
//! to the core  .   FF           41+42+43+44  45
//!
//! s_axis       FF  FE+41+00+42  00         the mark of utf-16le
//! to the core  .   41+00+42     00
//! ```
//!
//! `FF FE` is a mark, and the beginning of `FF FE 00 00`. If the frame continues differently, the octets after the shorter mark go on.

use std::sync::Arc;

use super::logic::any_of;
use super::opening_layer::{self, Beat, LATENCY, Onward};
use crate::core::shared::among::Mark;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::ports::SYSTEM_PORT;
use crate::core::{Auto, Choose, CoreSpec, System};
use crate::netlist::{Builder, InstanceHandle, Module, Reg, Signal};

/// Name of the core whose port chooses, as a module and as an instance.
const INNER: &str = "by_port";

/// The list of systems among which the mark chooses, if it does.
pub(super) fn by_mark(system: System) -> Option<Auto> {
    match system {
        System::Auto(auto) if auto.choose() == Choose::Mark => Some(auto),
        _ => None,
    }
}

/// The core that chooses among the systems of `auto` as a module called `name`, around a core whose port chooses, which `build` makes; gives its
/// latency in cycles too.
pub(super) fn around(
    name: &str,
    (spec, auto): (&CoreSpec, Auto),
    build: impl Fn(&CoreSpec, &str) -> (Arc<Module>, u32),
) -> (Arc<Module>, u32) {
    let by_port = Auto::new(auto.among().to_vec(), Choose::Port)
        .expect("a mark chooses among fewer systems than a port");
    let (core, latency) = build(&CoreSpec { system: System::Auto(by_port), ..*spec }, INNER);
    let summary = format!("{}; the byte order mark of a frame chooses", core.summary());
    let module = opening_layer::around((name, summary), (&core, INNER), |m, inner| {
        choose(m, auto, spec.lanes, inner);
    });
    (module, latency + LATENCY)
}

/// Octets that were held back, the first one first, and how many there are.
struct Held<'m> {
    octets: Vec<Signal<'m>>,
    /// For each number of octets: it is that.
    is: Vec<Signal<'m>>,
}

/// The first octets of the frame, held back or of the beat, as many as the longest mark has, and which of them there are.
struct Opening<'m> {
    octets: Vec<Signal<'m>>,
    there: Vec<Signal<'m>>,
}

impl<'m> Opening<'m> {
    fn new(m: &'m Builder, held: &Held<'m>, beat: &Beat<'m>, longest: usize) -> Self {
        let of_beat = |at: usize, held: usize| at.checked_sub(held).filter(|&lane| lane < beat.octets.len());
        let octet = |at: usize| {
            let taken = (0..=at.min(longest - 1)).filter_map(|number| {
                let lane = of_beat(at, number)?;
                Some(beat.octets[lane].masked(held.is[number]))
            });
            // Octets that are not held back are zero.
            let kept = held.octets.get(at).copied();
            any_of(taken.chain(kept)).expect("an octet").named(&format!("opening_{at}"))
        };
        let there = |at: usize| {
            let taken = (0..=at.min(longest - 1)).filter_map(|number| {
                let lane = of_beat(at, number)?;
                Some(beat.keep.bit(lane as u32) & held.is[number])
            });
            let kept = (at + 1..longest).map(|number| held.is[number]);
            any_of(taken.chain(kept)).unwrap_or_else(|| m.lit(1, 0)).named(&format!("has_opening_{at}"))
        };
        Self { octets: (0..longest).map(octet).collect(), there: (0..longest).map(there).collect() }
    }

    /// Whether the opening holds the whole mark, and whether the octets that are there are the first of it, but not all.
    fn compared(&self, mark: &Mark) -> [Signal<'m>; 2] {
        let name = mark.name();
        let octets = mark.octets.iter().enumerate();
        let fits: Vec<Signal> =
            octets.map(|(at, &octet)| !self.there[at] | self.octets[at].is(octet)).collect();
        let fits =
            fits.into_iter().reduce(|a, b| a & b).expect("a mark has octets").named(&format!("{name}_fits"));
        let has_all = self.there[mark.octets.len() - 1];
        [(fits & has_all).named(&format!("{name}_is_whole")), fits & !has_all]
    }
}

/// Connects the input to the core, by way of the choice.
fn choose<'m>(m: &'m Builder, auto: Auto, lanes: u32, inner: InstanceHandle<'m>) {
    let beat = Beat::input(m, lanes, |_, _| Vec::new());

    m.section("The byte order mark: octets that may be of one are held back");
    let marks = Mark::all(auto);
    let longest = marks.iter().map(|mark| mark.octets.len()).max().expect("some system has a mark");
    let in_text = m.reg("in_text_reg", 1).reset(0).note("the system of the frame is chosen");
    let has = m.reg("has_held_reg", longest as u32 - 1).reset(0).note("bit per octet: it is held back");
    let registers: Vec<Reg> = (1..longest)
        .map(|at| {
            m.reg(&format!("held_{at}_reg"), OCTET).reset(0).note("an octet that is held back, or zero")
        })
        .collect();
    let kept = m.reg("number_reg", auto.number_bits()).note("number of the chosen system");
    let number_is = |number: usize| {
        let some = number.checked_sub(1).map(|below| has.q.bit(below as u32));
        let no_more = (number + 1 < longest).then(|| !has.q.bit(number as u32));
        let is = some.into_iter().chain(no_more).reduce(|a, b| a & b).expect("a mark has two octets or more");
        is.named(&format!("held_is_{number}"))
    };
    let held = Held {
        octets: registers.iter().map(|register| register.q).collect(),
        is: (0..longest).map(number_is).collect(),
    };
    let opening = Opening::new(m, &held, &beat, longest);
    let compared: Vec<[Signal; 2]> = marks.iter().map(|mark| opening.compared(mark)).collect();
    let continues = any_of(compared.iter().map(|&[_, continues]| continues)).expect("there are marks");
    let holds = (!in_text.q & !beat.ends & continues).named("holds_back").note("the octets may be of a mark");
    let decides =
        (beat.present & !in_text.q & !holds).named("decides").note("the system of the frame is known");
    // A mark counts where no longer one does.
    let found: Vec<(Signal, &Mark)> = (0..marks.len())
        .map(|at| {
            let longer = (0..marks.len()).filter(|&other| marks[other].begins_with(&marks[at]));
            let is = longer.fold(compared[at][0], |is, other| is & !compared[other][0]);
            (is.named(&format!("finds_{}", marks[at].name())), &marks[at])
        })
        .collect();
    let of_mark = found.iter().map(|&(is, mark)| m.lit(auto.number_bits(), mark.number).masked(is));
    let of_mark = any_of(of_mark).expect("there are marks").named("number_found");
    let number = in_text.q.mux(kept.q, of_mark).named("number");
    let number = number.note("the first system where no mark is found");

    m.section("The beat for the core: octets that were held back, or the octets after the mark");
    let of_length = |length: usize| {
        let of = found.iter().filter(|(_, mark)| mark.octets.len() == length).map(|&(is, _)| is);
        any_of(of).map(|is| (is & decides).named(&format!("mark_has_{length}")))
    };
    let no_mark = !any_of(found.iter().map(|&(is, _)| is)).expect("there are marks");
    let no_mark = (no_mark & decides).named("has_no_mark");
    let lengths: Vec<(usize, Signal)> = [(0, no_mark)]
        .into_iter()
        .chain((1..=longest).filter_map(|length| Some((length, of_length(length)?))))
        .collect();
    // Cases of the length of the mark and the number of octets that are held back, by what is left.
    let cases = |name: &str, of: &dyn Fn(usize, usize) -> bool| {
        let cases = lengths.iter().flat_map(|&(length, is)| {
            let numbers = (0..longest).filter(move |&number| of(length, number));
            numbers.map(|number| is & held.is[number]).collect::<Vec<_>>()
        });
        any_of(cases).map(|case| case.named(name))
    };
    let left: Vec<Signal> = (1..longest)
        .filter_map(|left| cases(&format!("leaves_{left}"), &|length, number| number == length + left))
        .collect();
    let drops: Vec<(usize, Signal)> = (1..=longest.min(lanes as usize))
        .filter_map(|drop| {
            Some((drop, cases(&format!("drops_{drop}"), &|length, number| length == number + drop)?))
        })
        .collect();
    let emits_held = any_of(left.iter().copied()).expect("octets can be no mark").named("held_goes_on");
    let waits =
        (emits_held & beat.keep.bit(0)).named("beat_waits").note("for the octets that were held back");
    let moves = !any_of(drops.iter().map(|&(_, drop)| drop)).expect("a mark can be in a beat");
    let stays = (moves & !emits_held).named("beat_goes_whole");
    let whole = beat.without_first(stays, &drops);
    let with_held = |(lane, (octet, there)): (usize, (Signal<'m>, Signal<'m>))| {
        let of_held = lengths
            .iter()
            .filter_map(|&(length, is)| Some((*held.octets.get(length + lane)?).masked(is & emits_held)));
        let octet = any_of([octet].into_iter().chain(of_held)).expect("a lane");
        let there = any_of([there].into_iter().chain(left.iter().skip(lane).copied())).expect("a lane");
        (octet, there)
    };
    let lanes = whole.into_iter().enumerate().map(with_held).collect();
    let going = beat.goes_on(Onward { lanes, holds, waits }, inner);
    inner.input(SYSTEM_PORT, going.stage.data("system_of_beat_reg", number));
    let (reads, last) = (going.reads, going.last);
    in_text.next_when(reads, (in_text.q | decides) & !last);
    let count = m.concat((0..longest - 1).rev().map(|at| opening.there[at]).collect::<Vec<_>>());
    has.next_when(reads, count.masked(holds));
    for (at, register) in registers.into_iter().enumerate() {
        let stays = (holds & opening.there[at]).named(&format!("holds_{}", at + 1));
        register.next_when(reads, opening.octets[at].masked(stays));
    }
    kept.next_when(reads & !in_text.q, of_mark);
}
