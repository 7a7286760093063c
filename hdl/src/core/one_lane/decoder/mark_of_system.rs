//! The choice of a frame's system by the byte order mark in front of it.
//!
//! Octets that may be of a mark are held back, three at most. Once the mark is whole, it is dropped. If no mark is there, the octets go to the stages
//! of the first system, one in a cycle, while the beat that decided waits:
//!
//! ```text
//! s_axis      FF  41  42          FF FE is the mark of utf-16le
//! to stages   .   FF  41  42      41 waits for a cycle
//! ```
//!
//! `FF FE` is a mark, and the beginning of `FF FE 00 00`. If the frame continues differently, the octets after the shorter mark go on.

use super::unit::OneUnitBeat;
use crate::core::Auto;
use crate::core::shared::among::Mark;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{BufferedUnits, UnitsIn, buffered_units};
use crate::netlist::{Builder, Signal};

/// Cycles that the buffer of the input takes, and the register after the choice.
pub(super) const LATENCY: u32 = 2;

/// Connects the input ports to the pipeline, by way of the choice.
pub(super) fn take_marked<'m>(
    m: &'m Builder,
    auto: Auto,
    input: UnitsIn<'m>,
    looks_ahead: bool,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    let pace = Pace::new(m, looks_ahead);
    m.section("Input: the skid buffer makes s_axis_tready a register");
    let moves_on = m.wire("beat_moves_on", 1).note("the beat goes to the stages, or is held back");
    let BufferedUnits { valid, mut fields } = buffered_units(m, &input, None, moves_on);
    let ends = (valid & fields.next(input.tlast, "beat_last")).named("beat_ends_frame");
    let has_unit = (valid & fields.next(input.tkeep, "beat_keep")).named("beat_has_unit");
    let unit = fields.next(input.tdata, "beat_unit");

    m.section("The byte order mark: octets that may be of one are held back");
    let marks = Mark::all(auto);
    let longest = marks.iter().map(|mark| mark.octets.len()).max().expect("some system has a mark");
    let count_bits = usize::BITS - (longest - 1).leading_zeros();
    let in_text = m.reg("in_text_reg", 1).reset(0).note("the system of the frame is chosen");
    let count = m.reg("count_reg", count_bits).reset(0).note("octets that are held back");
    let opening = m.reg("opening_reg", OCTET * (longest as u32 - 1)).note("these octets, the last below");
    let number_bits = auto.number_bits();
    let kept = m.reg("number_reg", number_bits).note("number of the chosen system");
    let held: Vec<Signal> =
        (0..longest).map(|octets| count.q.is(octets as u64).named(&format!("held_is_{octets}"))).collect();
    let is_at = |at: usize| held[at];

    // For each mark: whether the octets up to this one are the first of the mark, and whether the mark is whole.
    let mut wholes: Vec<(Signal<'m>, &Mark)> = Vec::new();
    let mut longer: Vec<Signal<'m>> = Vec::new();
    let mut agreements = Vec::new();
    for mark in &marks {
        let name = mark.name();
        let open =
            m.reg(&format!("{name}_reg"), 1).reset(1).note("the octets held back are the first of this mark");
        let octet = |(at, &octet): (usize, &u64)| is_at(at) & unit.is(octet);
        let next = mark.octets.iter().enumerate().map(octet).reduce(|a, b| a | b).expect("a mark has octets");
        let agrees = (open.q & has_unit & next).named(&format!("{name}_agrees"));
        let at_end = is_at(mark.octets.len() - 1);
        wholes.push(((agrees & at_end).named(&format!("{name}_is_whole")), mark));
        longer.push(agrees & !at_end);
        agreements.push((open, agrees));
    }
    let any = |signals: &[Signal<'m>]| signals.iter().copied().reduce(|a, b| a | b).expect("there are marks");
    let is_whole = any(&wholes.iter().map(|&(is, _)| is).collect::<Vec<_>>());
    let is_whole = is_whole.named("mark_is_whole").note("the unit completes a mark");
    let present = (has_unit | ends).named("beat_present");
    let holds = (!in_text.q & !ends & any(&longer)).named("holds_back").note("the unit may be of a mark");
    let decides = (present & !in_text.q & !holds).named("decides").note("the system of the frame is known");
    // A mark that begins a longer one.
    let begins_longer = marks.iter().any(|mark| marks.iter().any(|other| other.begins_with(mark)));
    let marked = begins_longer
        .then(|| m.reg("marked_reg", 1).reset(0).note("the first two octets held back are a mark"));

    let of_mark = wholes.iter().map(|&(is, mark)| m.lit(number_bits, mark.number).when(is));
    let of_mark = of_mark.reduce(|a, b| a | b).expect("there are marks").named("number_of_mark");
    let of_shorter = marked.map(|marked| kept.q.when(marked.q & !is_whole));
    let found = of_shorter.map_or(of_mark, |shorter| of_mark | shorter).named("number_found");
    let number = in_text.q.mux(kept.q, found).named("number").note("the first system where no mark is found");

    m.section("Octets that were held back, and are no mark, go on before the unit");
    let none = m.lit(count_bits, 0);
    let decided = match marked {
        // After two octets of a mark, one more at most was held back.
        Some(marked) => marked.q.mux(count.q.bit(0).zext(count_bits), count.q),
        None => count.q,
    };
    let decided = decided.when(decides & !is_whole);
    let left = in_text.q.mux(count.q, decided).named("left").note("octets that go on before the unit");
    let goes_on = (present & left.any()).named("held_goes_on");
    let is_last = left.is(1);
    let octets = (1..longest).map(|at| {
        let low = (at as u32 - 1) * OCTET;
        opening.q.bits(low..low + OCTET).when(left.is(at as u64))
    });
    let octet = octets.reduce(|a, b| a | b).expect("a mark has two octets").named("held_octet");
    // The end of a frame without a unit goes with the last octet.
    let passes = (!goes_on | (is_last & !has_unit)).named("beat_passes");
    m.drive(moves_on, pace.advance & passes);
    let reads = (pace.advance & present).named("mark_reads");
    in_text.next_when(reads, (in_text.q | decides) & !(ends & passes));
    let one = m.lit(count_bits, 1);
    count.next_when(reads, holds.mux(count.q + one, goes_on.mux(left - one, none)));
    let joined = m.concat([opening.q, unit]).bits(0..opening.q.width());
    opening.next_when(reads & holds, joined);
    kept.next_when(reads & !in_text.q, found);
    for (open, agrees) in agreements {
        open.next_when(reads, agrees | !holds);
    }
    if let Some(marked) = marked {
        marked.next_when(reads, holds & (marked.q | is_whole));
    }
    let is_text = (has_unit & (in_text.q | (decides & !is_whole))).named("unit_is_text");
    let stage = pace.units();
    let beat = OneUnitBeat {
        unit: stage.data("unit_reg", goes_on.mux(octet, unit)),
        unit_valid: stage.flag("unit_valid_reg", goes_on | is_text),
        frame_ends: stage.flag("frame_ends_reg", ends & passes),
        magic_index: None,
        little: None,
        number: Some(stage.data("system_of_unit_reg", number)),
    };
    (pace, beat)
}
