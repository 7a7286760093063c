//! The units before a beat, as many as may be in a sequence with one of the beat: the one loop that units run through.
//!
//! A beat has any number of units, so which ones are before the next depends on that number. Units of an earlier frame are zeros, which
//! nothing follows.
//!
//! ```text
//!  beat          a b c d e . . .     five units in eight lanes
//!  last unit     0 0 0 0 1 0 0 0     one bit set
//!  tails         e, d, c             AND with that bit, OR over the lanes: levels(8) = 2 LUTs of 4 inputs
//!  before next   e, d, c             1, 2 and 3 units before it
//!
//!  beat          f . . . . . . .     one unit: the nearest moves by one
//!  before next   f, e, d
//! ```

use super::lane::section;
use super::{At, Beat, Lanes};
use crate::netlist::Signal;

/// Lanes in which the last units are looked for in one step, where there are two.
const LANES_SEARCHED: usize = 8;
/// From this number of lanes on, the last units of a beat are found in two stages.
const LANES_OF_LONG_SEARCH: usize = 16;
/// Stages from a beat to the units before it, in few lanes.
const HISTORY_OF_FEW: u32 = 2;

/// Stages from a beat of `lanes` lanes to the units before it.
pub(in crate::core) fn history_stages(lanes: usize) -> u32 {
    if lanes >= LANES_OF_LONG_SEARCH { HISTORY_OF_FEW + 1 } else { HISTORY_OF_FEW }
}

/// The units before `beat`, the nearest first, [`history_stages`] later than the beat: of each as many low bits as `widths` says, which no
/// further one has more of. `units` are those of the beat, a stage later, or what of them is kept.
pub(in crate::core) fn history<'m>(beat: &Beat<'m>, units: &Lanes<'m>, widths: &[u32]) -> Vec<At<'m>> {
    let (m, depth, lanes) = (beat.builder(), widths.len(), units.len());
    if depth == 0 {
        return Vec::new();
    }
    let first = beat.stage() + 1;
    let at = beat.stage() + history_stages(lanes);
    let split = lanes >= LANES_OF_LONG_SEARCH;
    section(m, first, "the last units of the beat");
    // Whether the frame continues is one bit for all lanes. In many lanes its net is slow, so it masks the tails alone.
    let last_unit: Vec<At> = if split {
        beat.last_units().at(first).to_vec()
    } else {
        let of_beat = beat.last_unit();
        (0..lanes as u32).map(|lane| of_beat.bit(lane)).collect()
    };
    let continues = split.then(|| beat.continues());
    let if_continued = |unit: At<'m>| continues.map_or(unit, |continues| unit.masked(continues));
    let tail = |back: usize| {
        let of_lane = |lane: usize| units[lane + 1 - back].bits(0..widths[back - 1]).masked(last_unit[lane]);
        let terms: Vec<At> = (back - 1..lanes).map(of_lane).collect();
        let groups = terms.chunks(if split { LANES_SEARCHED } else { lanes });
        let groups = groups.map(|group| At::any_of(group.iter().copied()).expect("a lane"));
        let group = |(group, unit): (usize, At<'m>)| match split {
            true => unit.registered(&format!("tail_{back}_of_group_{group}")),
            false => unit.registered(&format!("tail_{back}")),
        };
        groups.enumerate().map(group).collect::<Vec<_>>()
    };
    let tails: Vec<Vec<At>> = (1..=depth.min(lanes)).map(tail).collect();
    // The number of units, as far as units of earlier beats remain among those before the next.
    let counts: Vec<At> = (1..=lanes.min(depth - 1))
        .map(|count| if_continued(last_unit[count - 1]).called(&format!("count_is_{count}")).at(at))
        .collect();
    let keeps = beat.keeps().at(at).note("no unit, and no end of a frame");
    if split {
        section(m, first + 1, "the last units of the beat, from those of each group");
    }
    let tails: Vec<At> = (1..)
        .zip(tails)
        .map(|(back, groups)| {
            let unit = At::any_of(groups).expect("a group");
            if split { if_continued(unit).registered(&format!("tail_{back}")) } else { unit }
        })
        .collect();

    section(m, at, "the units before the beat");
    let registers = beat.valid.registers();
    let past: Vec<_> = (1..=depth)
        .map(|back| m.reg(&format!("unit_{back}_before_reg"), widths[back - 1]).at_stage(at).carried(at))
        .collect();
    // Stages before this one hold beats from before reset for as many cycles.
    let flush = registers.flush().expect("stages are flushed");
    let folded = m.folded();
    let remains_for = folded.number(at) - folded.number(first);
    let remains = At::new(registers, flush, 0).called("remains").at(remains_for).signal();
    let remains = remains.note("of beats before reset");
    for (index, register) in past.iter().enumerate() {
        let now = |register: Signal<'m>| At::new(registers, register, at);
        let moved = counts
            .iter()
            .take(index)
            .enumerate()
            .map(|(count, &is)| now(past[index - count - 1].q).bits(0..widths[index]).masked(is));
        // No unit comes where all is kept. A multiplexer would become an enable of its own, far from its registers.
        let kept = now(register.q).masked(keeps);
        let next = At::any_of([kept].into_iter().chain(moved).chain(tails.get(index).copied()));
        let next = next.expect("what is kept").signal();
        register.next_when(registers.enable, next & (!remains).repeat(next.width() as usize));
    }
    past.iter().map(|register| At::new(registers, register.q, at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shared::ports::UnitsIn;
    use crate::netlist::Builder;
    use crate::netlist::evaluator::{Evaluator, Random};

    const DEPTH: usize = 5;

    /// The history of a stream of octets, none of which is zero, as a module without stalls.
    fn block(lanes: usize) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let registers = m.stage(m.lit(1, 1)).flushed_by(m.lit(1, 0));
        let input = UnitsIn {
            system: None,
            tdata: m.input("data", lanes as u32 * 8, ""),
            tkeep: m.input("keep", lanes as u32, ""),
            tvalid: m.input("valid", 1, ""),
            tlast: m.input("last", 1, ""),
        };
        let beat = Beat::new(&input, |_| registers);
        let units = beat.units.at(1);
        for (index, unit) in history(&beat, &units, &[8; DEPTH]).iter().enumerate() {
            assert_eq!(unit.stage(), history_stages(lanes), "the latency of {lanes} lanes");
            m.output(&format!("before_{}", index + 1), unit.signal(), "");
        }
        drop((units, beat));
        m.built_with_unused()
    }

    #[test]
    fn the_units_before_a_beat_are_those_of_its_frame() {
        for lanes in [2, 4, 8, 16, 32, 64] {
            let mut block = Evaluator::new(&block(lanes));
            let mut random = Random::new(lanes as u64);
            let (mut frame, mut expected) = (vec![0; DEPTH], Vec::new());
            for cycle in 0..80usize {
                let (valid, last) = (!random.one_in(4), random.one_in(6));
                let count = random.below(lanes as u64 + 1) as usize;
                let units: Vec<u64> = (0..lanes).map(|_| random.below(255) + 1).collect();
                let bits = units.iter().flat_map(|unit| (0..8).map(move |bit| unit >> bit & 1 == 1));
                block.set_bits("data", bits);
                block.set_bits("keep", (0..lanes).map(|lane| lane < count));
                block.set("valid", valid.into());
                block.set("last", last.into());
                expected.push(frame.clone());
                if valid {
                    frame.extend(&units[..count]);
                    frame = if last { vec![0; DEPTH] } else { frame.split_off(frame.len() - DEPTH) };
                }
                if let Some(at) = cycle.checked_sub(history_stages(lanes) as usize) {
                    for back in 1..=DEPTH {
                        let found = block.get(&format!("before_{back}"));
                        assert_eq!(
                            found,
                            expected[at][DEPTH - back],
                            "{back} before beat {at}, {lanes} lanes"
                        );
                    }
                }
                block.clock();
            }
        }
    }
}
