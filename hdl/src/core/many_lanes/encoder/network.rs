//! The network that moves the units of all lanes to their positions in a ring of two output beats.
//!
//! The ring of a lane is as long as the longest sequence. The rings of two neighbours become one ring twice as long, and so on: a unit keeps the
//! low bits of its position, and the next bit selects the half of the longer ring. The units of neighbours are at successive positions, so no
//! two are ever at one position, and an OR joins the rings.
//!
//! ```text
//!  eight lanes of `utf-8`, units at positions 5 to 8 of lanes 2 (a b c) and 3 (d)
//!
//!  ring of lane 2, positions mod 4      .  a  b  c
//!  ring of lane 3                       d  .  .  .
//!  joined, positions mod 8              d  .  .  .  .  a  b  c
//!  joined, positions mod 16             .  .  .  .  .  a  b  c  d  .  .  .  .  .  .  .      two output beats
//! ```
//!
//! Cost: log2(2 lanes / ring) levels of an AND and an OR of two, one LUT a bit; then log2(ring / 2) - 1 levels of ORs.

use super::movement::Movement;
use super::plan::Plan;
use crate::core::many_lanes::logic::{any_of, masked};
use crate::netlist::{Builder, InstanceHandle, Signal};

/// A position of a ring.
#[derive(Clone)]
pub(super) struct Place<'m> {
    unit: Signal<'m>,
    /// The position has a unit, and the next bit of its position in the longer ring is 0, or 1.
    goes: [Option<Signal<'m>>; 2],
    /// The bits above that.
    further: Vec<Signal<'m>>,
}

/// A ring of two output beats: the unit at each position, zero where there is none.
pub(super) type Ring<'m> = Vec<Signal<'m>>;

/// The positions of the ring of a lane, by the outputs of its instance.
pub(super) fn of_lane<'m>(lane: &InstanceHandle<'m>, plan: &Plan) -> Vec<Place<'m>> {
    // A ring that is longer than an output beat has only its first output beat in the first half of a window.
    let has = |position: usize, bit: usize| bit == 1 || plan.ring <= plan.lanes || position < plan.lanes;
    let further = plan.lane_bits().saturating_sub(plan.ring_bits());
    let place = |position: usize| Place {
        unit: lane.output(&format!("turned_{position}")),
        goes: [0, 1].map(|bit| has(position, bit).then(|| lane.output(&format!("goes_{bit}_{position}")))),
        further: (0..further).map(|bit| lane.output(&format!("bit_{bit}_{position}"))).collect(),
    };
    (0..plan.ring).map(place).collect()
}

/// Joins the `rings` of all lanes, valid in stage `plan.turned`, to at most two rings, valid in stage `plan.merged`.
pub(super) fn network<'m>(
    m: &'m Builder,
    rings: Vec<Vec<Place<'m>>>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let rings = match plan.ring > plan.lanes {
        true => rings.iter().enumerate().map(|(lane, ring)| folded(ring, lane, plan, movement)).collect(),
        false => spread(m, rings, plan, movement),
    };
    merged(m, rings, plan, movement)
}

/// Folds a ring that is longer than an output beat to two output beats.
fn folded<'m>(ring: &[Place<'m>], lane: usize, plan: &Plan, movement: &Movement<'m>) -> Ring<'m> {
    let stage = movement.stage_at(plan.spread, lane);
    let at = |half: usize, of_beat: usize| {
        let units = ring.iter().skip(of_beat).step_by(plan.lanes);
        let units = units.filter_map(|place| Some(masked(place.unit, place.goes[half]?)));
        let unit = any_of(units).expect("a unit comes to every position");
        stage.data(&format!("spread_{lane}_{}_reg", half * plan.lanes + of_beat), unit)
    };
    (0..2)
        .flat_map(|half| (0..plan.lanes).map(move |of_beat| (half, of_beat)))
        .map(|(h, o)| at(h, o))
        .collect()
}

/// Joins the rings of lanes to rings of two output beats.
fn spread<'m>(
    m: &'m Builder,
    mut rings: Vec<Vec<Place<'m>>>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let mut at = plan.turned;
    let (mut size, mut step) = (plan.ring, 0);
    let steps = plan.lane_bits() + 1 - plan.ring_bits();
    while size < 2 * plan.lanes {
        m.stage_section(at, format!("rings of {size} become rings of {}", 2 * size));
        let is_registered = plan.is_short_registered(step, steps);
        at += u32::from(is_registered);
        let lanes_of_ring = plan.lanes.div_ceil(rings.len().div_ceil(2));
        let joined = |(index, pair): (usize, &[Vec<Place<'m>>])| {
            let stage = movement.stage_at(at, index * lanes_of_ring);
            let place = |position: usize| {
                let bit = position / size;
                let from: Vec<(Signal, &Place)> = pair
                    .iter()
                    .map(|ring| &ring[position % size])
                    .filter_map(|place| Some((place.goes[bit]?, place)))
                    .collect();
                let put = |what: &str, signal: Signal<'m>| {
                    let name = format!("ring_{}_{index}_{what}_{position}", 2 * size);
                    if is_registered {
                        stage.data(&format!("{name}_reg"), signal)
                    } else {
                        signal.named(&name)
                    }
                };
                let any = |terms: Vec<Signal<'m>>| any_of(terms).expect("a unit comes to every position");
                let unit = any(from.iter().map(|&(goes, place)| masked(place.unit, goes)).collect());
                let of_bit = |which: usize, is: bool| {
                    let term = |&(goes, place): &(Signal<'m>, &Place<'m>)| {
                        let bit = place.further[which];
                        goes & if is { bit } else { !bit }
                    };
                    any(from.iter().map(term).collect())
                };
                let further = pair[0][0].further.len();
                Place {
                    unit: put("unit", unit),
                    goes: [0, 1]
                        .map(|is| (further > 0).then(|| put(&format!("goes_{is}"), of_bit(0, is == 1)))),
                    further: (1..further)
                        .map(|which| put(&format!("bit_{which}"), of_bit(which, true)))
                        .collect(),
                }
            };
            (0..2 * size).map(place).collect()
        };
        rings = rings.chunks(2).enumerate().map(joined).collect();
        size *= 2;
        step += 1;
    }
    assert_eq!(at, plan.spread, "the units are in their places when the plan says so");
    rings.into_iter().map(|ring| ring.into_iter().map(|place| place.unit).collect()).collect()
}

/// Joins rings of two output beats to at most two.
fn merged<'m>(
    m: &'m Builder,
    mut rings: Vec<Ring<'m>>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let mut at = plan.spread;
    let steps = super::plan::levels(rings.len()).saturating_sub(1);
    for step in 0..steps {
        m.stage_section(at, "two rings become one");
        let is_registered = plan.is_short_registered(step, steps);
        at += u32::from(is_registered);
        let pair = |(index, pair): (usize, &[Ring<'m>])| -> Ring<'m> {
            let unit = |position: usize| {
                let unit = any_of(pair.iter().map(|ring| ring[position])).expect("a ring");
                let stage = movement.stage_at(at, position % plan.lanes);
                let name = format!("merged_{step}_{index}_{position}");
                if is_registered { stage.data(&format!("{name}_reg"), unit) } else { unit.named(&name) }
            };
            (0..2 * plan.lanes).map(unit).collect()
        };
        rings = rings.chunks(2).enumerate().map(pair).collect();
    }
    assert_eq!(at, plan.merged, "the rings are one when the plan says so");
    rings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::plan::Source;

    fn block(plan: &Plan) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, plan.lanes, plan.windows);
        let further = plan.lane_bits().saturating_sub(plan.ring_bits());
        let place = |lane: usize, at: usize| {
            let input = |name: &str, width: u32| m.input(&format!("{name}_of_{lane}_at_{at}"), width, "");
            let halves = [0, 1].map(|half| {
                let has = half == 1 || plan.ring <= plan.lanes || at < plan.lanes;
                has.then(|| input(&format!("goes_{half}"), 1))
            });
            let further = (0..further).map(|bit| input(&format!("bit_{bit}"), 1)).collect();
            Place { unit: input("unit", plan.unit_bits), goes: halves, further }
        };
        let ring = |lane: usize| (0..plan.ring).map(|at| place(lane, at)).collect();
        let rings = network(&m, (0..plan.lanes).map(ring).collect(), plan, &movement);
        for position in 0..2 * plan.lanes {
            let unit = any_of(rings.iter().map(|ring| ring[position])).expect("a ring");
            m.output(&format!("unit_{position}"), unit, "");
        }
        movement.drive_by(|_| m.lit(1, 1));
        m.built_with_unused()
    }

    /// The units of lanes follow one another from a random position on, in a window of two output beats; some lanes have none.
    #[test]
    fn each_unit_comes_to_its_position_in_the_window() {
        let systems = [System::Utf8, System::Utf16, System::Latin1, System::Utf8Rfc2279];
        for (system, lanes) in
            systems.into_iter().flat_map(|system| [2, 4, 8, 16, 64].map(|lanes| (system, lanes)))
        {
            let shape = super::super::shape(system, Source::Bus);
            let plan = Plan::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, Steps::Auto, Source::Bus);
            let mut block = Evaluator::new(&block(&plan));
            let mut random = Random::new(lanes as u64);
            for _ in 0..if lanes == 64 { 4 } else { 40 } {
                let mut window = vec![0; 2 * lanes];
                let mut position = random.below(lanes as u64) as usize;
                for lane in 0..lanes {
                    let first = position;
                    let length = random.below(plan.most_units as u64 + 1) as usize;
                    for at in 0..plan.ring {
                        // Units that are not shown hold anything.
                        block.set(&format!("unit_of_{lane}_at_{at}"), random.below(1 << plan.unit_bits));
                        for name in ["goes_0", "goes_1"] {
                            if name == "goes_1" || plan.ring <= lanes || at < lanes {
                                block.set(&format!("{name}_of_{lane}_at_{at}"), 0);
                            }
                        }
                    }
                    while position < (first + length).min(2 * lanes) {
                        let at = position % plan.ring;
                        let unit = random.below(1 << plan.unit_bits);
                        window[position] = unit;
                        block.set(&format!("unit_of_{lane}_at_{at}"), unit);
                        let half =
                            if plan.ring > lanes { position / lanes } else { (position / plan.ring) & 1 };
                        block.set(&format!("goes_{half}_of_{lane}_at_{at}"), 1);
                        for bit in 0..plan.lane_bits().saturating_sub(plan.ring_bits()) {
                            let value = ((position / plan.ring) >> (bit + 1)) & 1;
                            block.set(&format!("bit_{bit}_of_{lane}_at_{at}"), value as u64);
                        }
                        position += 1;
                    }
                }
                (plan.turned..plan.merged).for_each(|_| block.clock());
                for (position, &unit) in window.iter().enumerate() {
                    let out = block.get(&format!("unit_{position}"));
                    assert_eq!(out, unit, "position {position} of {lanes} lanes, {}", system.name());
                }
            }
        }
    }
}
