//! The units of a lane in its ring: each is turned to the position in which it goes out.

use super::lane::{Lane, Written};
use super::places::Places;
use super::plan::Plan;
use super::shape::Shape;
use crate::core::many_lanes::logic::{any_of, masked};
use crate::netlist::{Builder, Signal};

/// Turns the units of stage `plan.windows`. The outputs are as of stage `plan.turned`.
pub(super) fn ring<'m>(
    m: &'m Builder,
    lane: &Lane<'m>,
    shape: &dyn Shape,
    plan: &Plan,
    written: &Written<'m>,
    places: &Places<'m>,
) {
    let (size, bits, last) = (plan.ring, plan.ring_bits(), plan.turned);
    m.stage_section(plan.windows, "the units");
    // Unit 0 is the last one, which stands in front of the end.
    let (mut units, mut there) = (vec![None; size], vec![None; size]);
    for number in 0..plan.most_units {
        let unit = shape.unit(m, written.code, number, &written.longer);
        units[(number + 1) % size] = Some(unit.named(&format!("unit_{number}")));
        there[(number + 1) % size] = Some(written.longer[number]);
    }
    let (mut end, mut step) = (places.end, 0);
    for at in plan.windows + 1..last {
        let stages_left = last - at + 1;
        let steps = if bits - step < stages_left { 0 } else { (bits - step).div_ceil(stages_left) };
        (units, there) = turned(units, there, end, step..step + steps);
        step += steps;
        let stage = lane.stage(at);
        for position in 0..size {
            let name = |what: &str| format!("{what}_{position}_{at}_reg");
            units[position] = units[position].map(|unit| stage.data(&name("unit"), unit));
            there[position] = there[position].map(|there| stage.data(&name("there"), there));
        }
        end = end.map(|end| stage.data(&format!("ring_end_{at}_reg"), end));
        m.stage_section(at, "units are turned");
    }
    let (units, there) = turned(units, there, end, step..bits);

    // What stands at a position, and, of two multiples of the ring's size, whether that is in front of the one before the end.
    let stage = lane.stage(last);
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
    m.port_group(format!("Stage {last}"));
    for position in 0..size {
        // The unit that has been turned to the end stands `position` in front of it.
        let from = (size - position) % size;
        let unit = units[from].expect("a unit comes to every position");
        let is_there = there[from].expect("a unit comes to every position");
        let is_there = is_there.named(&format!("is_there_{position}"));
        let unit = stage.data(&format!("unit_{position}_{last}_reg"), unit);
        m.output(&format!("turned_{position}"), unit, "the unit at the position");
        let beat = position / plan.lanes;
        for bit in [0, 1] {
            let behind = places.behind.as_ref().and_then(|shown| shown.by_bit[beat][bit]);
            let before = places.before.by_bit[beat][bit];
            if let Some(shown) = pick(position, behind, before) {
                let goes = stage.data(&format!("goes_{bit}_{position}_reg"), is_there & shown);
                m.output(&format!("goes_{bit}_{position}"), goes, "it is shown, and has this next bit");
            }
        }
        for (index, &before) in places.before.further.iter().enumerate() {
            let behind = places.behind.as_ref().map(|shown| shown.further[index]);
            let bit = pick(position, behind, Some(before)).expect("there is one");
            let bit = stage.data(&format!("bit_{index}_{position}_reg"), bit);
            m.output(&format!("bit_{index}_{position}"), bit, "a bit above that");
        }
    }
}

/// What stands in each place of a ring.
type Ring<'m> = Vec<Option<Signal<'m>>>;

/// Turned by so many places as some bits of `end` say: what stands so many places further on comes to each.
fn turned<'m>(
    units: Ring<'m>,
    there: Ring<'m>,
    end: Option<Signal<'m>>,
    steps: std::ops::Range<u32>,
) -> (Ring<'m>, Ring<'m>) {
    steps.fold((units, there), |(units, there), step| {
        let is_turned = end.expect("a ring of several positions").bit(step);
        let size = units.len();
        let from = |at: usize| (at + (1 << step)) % size;
        let unit = |at: usize| match (units[at], units[from(at)]) {
            // No choice, of which a bit that is always the same would make a set of the register behind it.
            (Some(stays), Some(comes)) => Some(masked(comes, is_turned) | masked(stays, !is_turned)),
            // Where nothing stands, anything will do.
            (stays, comes) => stays.or(comes),
        };
        let is_there = |at: usize| match (there[at], there[from(at)]) {
            (Some(stays), Some(comes)) => Some(is_turned.mux(comes, stays)),
            (Some(stays), None) => Some(!is_turned & stays),
            (None, comes) => comes.map(|comes| is_turned & comes),
        };
        ((0..size).map(unit).collect(), (0..size).map(is_there).collect())
    })
}
