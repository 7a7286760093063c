//! The ring of a lane: its units, rotated to the positions in which they go out.
//!
//! ```text
//!  `utf-8`, a sequence of three units a b c that ends in front of position 6: a ring of four, 6 mod 4 = 2
//!
//!  position            0  1  2  3
//!  as written          .  c  b  a      unit 0, the last one, is in front of the end
//!  rotated by 2        b  a  .  c      positions 3, 4 and 5: modulo 4 these are 3, 0 and 1
//! ```
//!
//! Position p of the ring gets the unit that is `end - p` in front of the end. Cost: log2(ring) levels of 2:1 multiplexers, one LUT a bit and level.

use super::places::Places;
use super::shape::Shape;
use super::sizes::Sizes;
use super::written::{Written, signals};
use crate::core::lanes::{At, Lane, Told};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::{Mark, Signal};

/// The outputs of a lane for a position of its ring.
pub(super) struct Ports {
    pub(super) unit: Told,
    /// The position has a unit that the window presents, and the next bit of its position is 0, or 1.
    pub(super) goes: [Option<Told>; 2],
    /// The bits above that.
    pub(super) further: Vec<Told>,
}

/// Rotates the units, which are in the stage of the windows. Gives the outputs for each position.
pub(super) fn ring<'m>(
    lane: &Lane<'m>,
    shape: &dyn Shape,
    sizes: &Sizes,
    written: &Written<'m>,
    places: &Places<'m>,
) -> Vec<Ports> {
    let m = lane.builder();
    let windows = written.code.stage();
    let (size, bits, last) = (sizes.ring, sizes.ring_bits(), sizes.rotated());
    lane.section(windows, "the units");
    let longer = signals(&written.longer);
    // Unit 0 is the last one, in front of the end.
    let (mut units, mut there) = (vec![None; size], vec![None; size]);
    for number in 0..sizes.most_units {
        let unit = shape.unit(m, written.code.signal(), number, &longer).named(&format!("unit_{number}"));
        unit.mark(Mark::Unit { lane: 0, number });
        units[(number + 1) % size] = Some(unit);
        there[(number + 1) % size] = Some(longer[number]);
    }
    let (mut end, mut step) = (places.end.map(At::signal), 0);
    for at in windows + 1..last {
        let stages_left = last - at + 1;
        let steps = if bits - step < stages_left { 0 } else { (bits - step).div_ceil(stages_left) };
        (units, there) = turned(units, there, end, step..step + steps);
        step += steps;
        let stage = lane.registers().at(at);
        for position in 0..size {
            let name = |what: &str| format!("{what}_{position}_{at}_reg");
            units[position] = units[position].map(|unit| stage.data(&name("unit"), unit));
            there[position] = there[position].map(|there| stage.data(&name("there"), there));
        }
        end = end.map(|end| stage.data(&format!("ring_end_{at}_reg"), end));
        lane.section(at, "units are turned");
    }
    let (units, there) = turned(units, there, end, step..bits);

    // A position is on either side of the last multiple of the ring's size before the end: in front of that multiple, or after it.
    let rotated = |signal, name: &str| lane.at(signal, last - 1).stored(name);
    let is_before = |position: usize| {
        let is = end.filter(|_| position + 1 < size).map(|end| end.le(m.lit(end.width(), position as u64)));
        is.map(|is| is.named(&format!("is_before_{position}")))
    };
    let is_before: Vec<Option<Signal>> = (0..size).map(is_before).collect();
    let pick = |position: usize, behind: Option<Signal<'m>>, before: Option<Signal<'m>>| {
        let Some(is_before) = is_before[position] else { return before };
        let parts = [behind.map(|behind| !is_before & behind), before.map(|before| is_before & before)];
        any_of(parts.into_iter().flatten())
    };
    let ports = |position: usize| {
        // The unit that has been turned to the end stands `position` in front of it.
        let from = (size - position) % size;
        let unit = units[from].expect("a unit comes to every position");
        let is_there = there[from].expect("a unit comes to every position");
        let is_there = is_there.named(&format!("is_there_{position}"));
        let unit = rotated(unit, &format!("unit_{position}_{last}_reg"));
        let unit = lane.tell(&format!("turned_{position}"), unit, "the unit at the position");
        let beat = position / sizes.lanes;
        let goes = [0, 1].map(|bit| {
            let behind = places.behind.as_ref().and_then(|shown| shown.by_bit[beat][bit]);
            let before = places.before.by_bit[beat][bit];
            let shown = pick(position, behind, before)?;
            let goes = rotated(is_there & shown, &format!("goes_{bit}_{position}_reg"));
            Some(lane.tell(&format!("goes_{bit}_{position}"), goes, "it is shown, and has this next bit"))
        });
        let further = places.before.further.iter().enumerate().map(|(index, &before)| {
            let behind = places.behind.as_ref().map(|shown| shown.further[index]);
            let bit = pick(position, behind, Some(before)).expect("there is one");
            let bit = rotated(bit, &format!("bit_{index}_{position}_reg"));
            lane.tell(&format!("bit_{index}_{position}"), bit, "a bit above that")
        });
        Ports { unit, goes, further: further.collect() }
    };
    (0..size).map(ports).collect()
}

/// A value for each position of a ring; `None` where no unit can be.
type Ring<'m> = Vec<Option<Signal<'m>>>;

/// Rotates a ring by the bits `steps` of `end`: bit n moves each value from position `p + 2^n` to `p`.
fn turned<'m>(
    units: Ring<'m>,
    there: Ring<'m>,
    end: Option<Signal<'m>>,
    steps: std::ops::Range<u32>,
) -> (Ring<'m>, Ring<'m>) {
    let last = steps.end.saturating_sub(1);
    steps.fold((units, there), |(units, there), step| {
        // Values between two steps of a stage are read twice.
        let named = |what: &str, at: usize, value: Signal<'m>| match step == last {
            true => value,
            false => value.named(&format!("{what}_{at}_after_step_{step}")),
        };
        let is_turned = end.expect("a ring of several positions").bit(step);
        let size = units.len();
        let from = |at: usize| (at + (1 << step)) % size;
        let unit = |at: usize| match (units[at], units[from(at)]) {
            // ANDs and an OR: of a multiplexer with a constant bit, tools make the set or reset of the register that follows.
            (Some(stays), Some(comes)) => {
                Some(named("unit", at, comes.masked(is_turned) | stays.masked(!is_turned)))
            }
            // The position of no unit may have any value.
            (stays, comes) => stays.or(comes),
        };
        let is_there = |at: usize| match (there[at], there[from(at)]) {
            (Some(stays), Some(comes)) => Some(named("there", at, is_turned.mux(comes, stays))),
            (Some(stays), None) => Some(named("there", at, !is_turned & stays)),
            (None, comes) => comes.map(|comes| named("there", at, is_turned & comes)),
        };
        ((0..size).map(unit).collect(), (0..size).map(is_there).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Builder;
    use crate::netlist::evaluator::{Evaluator, Random};

    #[test]
    fn what_is_at_the_end_comes_to_position_0() {
        for (size, most_units) in [(1, 1), (2, 2), (4, 3), (4, 4), (8, 6), (16, 11), (16, 16)] {
            let m = Builder::new("block", "");
            let bits = u32::try_from(size).map(u32::trailing_zeros).expect("a ring is small");
            let end = (bits > 0).then(|| m.input("ring_end", bits, ""));
            let input = |name: &str, width: u32| -> Ring<'_> {
                (0..size)
                    .map(|at| (at < most_units).then(|| m.input(&format!("{name}_{at}"), width, "")))
                    .collect()
            };
            let (units, there) = turned(input("unit", 8), input("there", 1), end, 0..bits);
            for (at, (unit, there)) in units.into_iter().zip(there).enumerate() {
                m.output(&format!("unit_out_{at}"), unit.expect("every position"), "");
                m.output(&format!("there_out_{at}"), there.expect("every position"), "");
            }
            let mut block = Evaluator::new(&m.built_with_unused());
            let mut random = Random::new(size as u64);
            for end in (0..size).chain(0..size) {
                let mut ring = vec![None; size];
                for (at, place) in ring.iter_mut().enumerate().take(most_units) {
                    let unit = random.below(256);
                    *place = random.one_in(2).then_some(unit);
                    block.set(&format!("unit_{at}"), unit);
                    block.set(&format!("there_{at}"), place.is_some().into());
                }
                if bits > 0 {
                    block.set("ring_end", end as u64);
                }
                for at in 0..size {
                    let expected = ring[(at + end) % size];
                    assert_eq!(
                        block.get(&format!("there_out_{at}")),
                        u64::from(expected.is_some()),
                        "{at} of {size}"
                    );
                    if let Some(unit) = expected {
                        assert_eq!(block.get(&format!("unit_out_{at}")), unit, "{at} of {size}");
                    }
                }
            }
        }
    }
}
