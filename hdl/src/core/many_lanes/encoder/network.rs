//! The network that brings the units of all lanes to their positions in a ring of two output beats.
//!
//! The ring of a lane is as large as its longest sequence. The rings of two neighbours become one ring twice as large, and so on: a
//! unit keeps the low bits of its position, and the next bit says in which half of the larger ring it stands. The units of neighbours
//! follow one another, so two never meet.

use super::movement::Movement;
use super::plan::Plan;
use crate::core::many_lanes::logic::{any_of, masked};
use crate::netlist::{Builder, InstanceHandle, Signal};

/// What stands at a position of a ring.
#[derive(Clone)]
struct Place<'m> {
    unit: Signal<'m>,
    /// There is a unit, and the next bit of its position is 0, or 1.
    goes: [Option<Signal<'m>>; 2],
    /// The bits above that.
    further: Vec<Signal<'m>>,
}

/// A ring of two output beats: the unit at each position, zero where there is none.
pub(super) type Ring<'m> = Vec<Signal<'m>>;

/// Brings the units of the lanes, as of stage `plan.turned`, to at most two rings as of stage `plan.merged`.
pub(super) fn network<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let has = |lane: usize, position: usize, bit: usize| {
        // Of a ring that reaches over several output beats, only the first is ever shown in the first half.
        bit == 1 || plan.ring <= plan.lanes || position < plan.lanes || lane == usize::MAX
    };
    let further = plan.lane_bits().saturating_sub(plan.ring_bits());
    let place = |lane: usize, position: usize| Place {
        unit: lanes[lane].output(&format!("turned_{position}")),
        goes: [0, 1].map(|bit| {
            has(lane, position, bit).then(|| lanes[lane].output(&format!("goes_{bit}_{position}")))
        }),
        further: (0..further).map(|bit| lanes[lane].output(&format!("bit_{bit}_{position}"))).collect(),
    };
    let rings = (0..plan.lanes).map(|lane| (0..plan.ring).map(|position| place(lane, position)).collect());
    let rings: Vec<Vec<Place>> = rings.collect();
    let rings = match plan.ring > plan.lanes {
        true => rings.iter().enumerate().map(|(lane, ring)| folded(ring, lane, plan, movement)).collect(),
        false => spread(m, rings, plan, movement),
    };
    merged(m, rings, plan, movement)
}

/// A ring that reaches over several output beats, folded to two.
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

/// Rings of lanes, joined to rings of two output beats.
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

/// At most two rings, of all.
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
