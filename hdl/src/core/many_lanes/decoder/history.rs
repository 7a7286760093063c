//! The units before a beat, as many as may stand in a sequence with one of the beat: the one loop that units run through.
//!
//! A beat has any number of units, so which ones stand before the next depends on how many it has. Units of an earlier frame are
//! zeros, which nothing follows.

use super::pipeline::delay;
use crate::core::many_lanes::logic::{any_of, masked};
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Signal, Stage};

/// Lanes in which the last units are looked for in one step, where there are two.
const LANES_SEARCHED: usize = 8;

/// A bit for each lane, in registers of stage 1: it holds the last unit of a beat that others of its frame may follow. It is made of
/// the inputs of the core, so that it costs no level of logic where the last units are looked for.
fn last_unit<'m>(input: &UnitsIn<'m>, stage: Stage<'m>) -> Signal<'m> {
    let lanes = input.tkeep.width();
    let flush = stage.flush().expect("stages are flushed");
    let goes_on = (input.tvalid & !input.tlast & !flush).named("frame_goes_on");
    let next_keep = input.tkeep.bits(1..lanes).zext(lanes);
    let unit = input.tkeep & !next_keep & goes_on.repeat(lanes as usize);
    stage.data("last_unit_reg", unit).note("one bit set, if units come that others may follow")
}

/// The units before the beat that stands in stage `at`, the nearest first: of each as many low bits as `widths` says, which no
/// further one has more of. `units` are those of the beat `input` in registers of stage 1, one of each lane.
pub(super) fn history<'m>(
    m: &'m Builder,
    input: &UnitsIn<'m>,
    units: &[Signal<'m>],
    widths: &[u32],
    at: u32,
    stage: Stage<'m>,
) -> Vec<Signal<'m>> {
    let depth = widths.len();
    if depth == 0 {
        return Vec::new();
    }
    m.stage_section(1, "the last units of the beat");
    let lanes = units.len();
    let last_unit = last_unit(input, stage);
    let split = at > 2;
    let tails: Vec<Vec<Signal>> = (1..=depth.min(lanes))
        .map(|back| {
            let terms: Vec<Signal> = (back - 1..lanes)
                .map(|lane| {
                    masked(units[lane + 1 - back].bits(0..widths[back - 1]), last_unit.bit(lane as u32))
                })
                .collect();
            let size = if split { LANES_SEARCHED } else { lanes };
            let parts = terms.chunks(size).map(|part| any_of(part.iter().copied()).expect("a lane"));
            let name =
                |part| if split { format!("tail_{back}_{part}_reg") } else { format!("tail_{back}_reg") };
            parts.enumerate().map(|(part, unit)| stage.data(&name(part), unit)).collect()
        })
        .collect();
    // How many units the beat has, as far as units of earlier beats go on to stand before the next.
    let counts: Vec<Signal> = (1..=lanes.min(depth - 1))
        .map(|count| delay(stage, &format!("count_is_{count}"), last_unit.bit(count as u32 - 1), 1, at))
        .collect();
    let keeps = !(input.tvalid & (input.tkeep.bit(0) | input.tlast));
    let keeps = delay(stage, "keeps", keeps, 0, at).note("no unit, and no end of a frame");
    let tails: Vec<Signal> = if split {
        m.stage_section(2, "the last units of the beat, from those of each group");
        let tail = |(index, parts): (usize, Vec<Signal<'m>>)| {
            stage.data(&format!("tail_{}_reg", index + 1), any_of(parts).expect("a part"))
        };
        tails.into_iter().enumerate().map(tail).collect()
    } else {
        tails.into_iter().map(|parts| parts[0]).collect()
    };

    m.stage_section(at, "the units before the beat");
    let registers: Vec<_> =
        (1..=depth).map(|back| m.reg(&format!("before_{back}_reg"), widths[back - 1])).collect();
    // What was in the stages before this one at reset.
    let flush = stage.flush().expect("stages are flushed");
    let remains = delay(stage, "remains", flush, 0, at - 1).note("of beats before reset");
    for (index, register) in registers.iter().enumerate() {
        let moved = counts
            .iter()
            .take(index)
            .enumerate()
            .map(|(count, is)| masked(registers[index - count - 1].q.bits(0..widths[index]), *is));
        // Where all is kept, no unit comes. As a multiplexer, this would become an enable of its own, far from its registers.
        let kept = masked(register.q, keeps);
        let next = any_of([kept].into_iter().chain(moved).chain(tails.get(index).copied()));
        let next = next.expect("what is kept");
        register.next_when(stage.enable, remains.mux(m.lit(next.width(), 0), next));
    }
    registers.iter().map(|register| register.q).collect()
}
