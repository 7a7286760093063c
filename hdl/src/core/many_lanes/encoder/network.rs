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
use super::ring::Ports;
use super::sizes::Sizes;
use crate::core::lanes::scan::levels;
use crate::core::lanes::{At, Instances};
use crate::netlist::Builder;

/// A position of a ring.
#[derive(Clone)]
pub(super) struct Place<'m> {
    unit: At<'m>,
    /// The position has a unit, and the next bit of its position in the longer ring is 0, or 1.
    goes: [Option<At<'m>>; 2],
    /// The bits above that.
    further: Vec<At<'m>>,
}

/// A ring of two output beats: the unit at each position, zero where there is none.
pub(super) type Ring<'m> = Vec<At<'m>>;

/// The positions of the rings of all lanes.
pub(super) fn of_lanes<'m>(lanes: &Instances<'_, 'm>, ports: &[Ports]) -> Vec<Vec<Place<'m>>> {
    let place = |lane: usize, ports: &Ports| Place {
        unit: lanes.output(lane, &ports.unit),
        goes: ports.goes.each_ref().map(|goes| goes.as_ref().map(|goes| lanes.output(lane, goes))),
        further: ports.further.iter().map(|bit| lanes.output(lane, bit)).collect(),
    };
    (0..lanes.len()).map(|lane| ports.iter().map(|ports| place(lane, ports)).collect()).collect()
}

/// Joins the `rings` of all lanes to at most two rings.
pub(super) fn network<'m>(
    m: &'m Builder,
    rings: Vec<Vec<Place<'m>>>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let rings = match sizes.ring > sizes.lanes {
        true => rings.iter().enumerate().map(|(lane, ring)| folded(ring, lane, sizes)).collect(),
        false => spread(m, rings, sizes, movement),
    };
    merged(m, rings, sizes, movement)
}

/// The OR of the terms.
fn any<'m>(terms: impl IntoIterator<Item = At<'m>>) -> At<'m> {
    At::any_of(terms).expect("a unit comes to every position")
}

/// Folds a ring that is longer than an output beat to two output beats.
fn folded<'m>(ring: &[Place<'m>], lane: usize, sizes: &Sizes) -> Ring<'m> {
    let at = |position: usize| {
        let units = ring.iter().skip(position % sizes.lanes).step_by(sizes.lanes);
        let unit =
            any(units.filter_map(|place| Some(place.unit.masked(place.goes[position / sizes.lanes]?))));
        unit.stored(&format!("spread_{lane}_{position}_reg"))
    };
    (0..2 * sizes.lanes).map(at).collect()
}

/// Joins the rings of lanes to rings of two output beats.
fn spread<'m>(
    m: &'m Builder,
    mut rings: Vec<Vec<Place<'m>>>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let ring = sizes.ring;
    let title = move |step| format!("rings of {} become rings of {}", ring << step, ring << (step + 1));
    let steps = sizes.lane_bits() + 1 - sizes.ring_bits();
    for step in sizes.short_steps(rings[0][0].unit.stage(), steps).begin(m, title) {
        let size = ring << step.number;
        let lanes_of_ring = sizes.lanes.div_ceil(rings.len().div_ceil(2));
        let joined = |(index, pair): (usize, &[Vec<Place<'m>>])| {
            let place = |position: usize| {
                let bit = position / size;
                let places = pair.iter().map(|ring| &ring[position % size]);
                let from: Vec<(At, &Place)> =
                    places.filter_map(|place| Some((place.goes[bit]?, place))).collect();
                let put = |what: &str, signal: At<'m>| {
                    let name = format!("ring_{}_{what}_{}", 2 * size, index * 2 * size + position);
                    let lane = index * lanes_of_ring;
                    let registers = movement.registers(lane);
                    let signal = signal.on(registers.lane(lane + position * lanes_of_ring / (2 * size)));
                    if step.is_registered {
                        signal.stored(&format!("{name}_reg"))
                    } else {
                        signal.named(&name)
                    }
                };
                let unit = any(from.iter().map(|&(goes, place)| place.unit.masked(goes)));
                let of_bit = |which: usize, is: bool| {
                    any(from.iter().map(|&(goes, place)| {
                        let bit = place.further[which];
                        goes & if is { bit } else { !bit }
                    }))
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
    }
    rings.into_iter().map(|ring| ring.into_iter().map(|place| place.unit).collect()).collect()
}

/// Joins rings of two output beats to at most two.
fn merged<'m>(
    m: &'m Builder,
    mut rings: Vec<Ring<'m>>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Vec<Ring<'m>> {
    let steps = levels(rings.len()).saturating_sub(1);
    for step in sizes.short_steps(rings[0][0].stage(), steps).begin(m, |_| "two rings become one".to_owned())
    {
        let pair = |(index, pair): (usize, &[Ring<'m>])| -> Ring<'m> {
            let unit = |position: usize| {
                let unit = any(pair.iter().map(|ring| ring[position]));
                let name = format!("merged_{}_{index}_{position}", step.number);
                match step.is_registered {
                    true => unit.on(movement.lane(position % sizes.lanes)).stored(&format!("{name}_reg")),
                    false => unit.named(&name),
                }
            };
            (0..2 * sizes.lanes).map(unit).collect()
        };
        rings = rings.chunks(2).enumerate().map(pair).collect();
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::sizes::Source;

    fn block(sizes: &Sizes) -> (std::sync::Arc<crate::netlist::Module>, u32) {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, sizes);
        let further = sizes.lane_bits().saturating_sub(sizes.ring_bits());
        let place = |lane: usize, at: usize| {
            let input = |name: &str, width: u32| {
                let input = m.input(&format!("{name}_of_{lane}_at_{at}"), width, "");
                movement.of_lane(lane, input, sizes.rotated())
            };
            let halves = [0, 1].map(|half| {
                let has = half == 1 || sizes.ring <= sizes.lanes || at < sizes.lanes;
                has.then(|| input(&format!("goes_{half}"), 1))
            });
            let further = (0..further).map(|bit| input(&format!("bit_{bit}"), 1)).collect();
            Place { unit: input("unit", sizes.unit_bits), goes: halves, further }
        };
        let ring = |lane: usize| (0..sizes.ring).map(|at| place(lane, at)).collect();
        let rings = network(&m, (0..sizes.lanes).map(ring).collect(), sizes, &movement);
        for position in 0..2 * sizes.lanes {
            let unit = any(rings.iter().map(|ring| ring[position]));
            m.output(&format!("unit_{position}"), unit.signal(), "");
        }
        let latency = rings[0][0].stage() - sizes.rotated();
        movement.drive_by(|_| m.lit(1, 1));
        (m.built_with_unused(), latency)
    }

    /// The units of lanes follow one another from a random position on, in a window of two output beats; some lanes have none.
    #[test]
    fn each_unit_comes_to_its_position_in_the_window() {
        let systems = [System::Utf8, System::Utf16, System::Latin1, System::Utf8Rfc2279];
        for (system, lanes) in
            systems.into_iter().flat_map(|system| [2, 4, 8, 16, 64].map(|lanes| (system, lanes)))
        {
            let shape = super::super::shape(system, Source::Bus);
            let sizes = Sizes::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, Steps::Auto, Source::Bus);
            let (block, latency) = block(&sizes);
            let mut block = Evaluator::new(&block);
            let mut random = Random::new(lanes as u64);
            for _ in 0..if lanes == 64 { 4 } else { 40 } {
                let mut window = vec![0; 2 * lanes];
                let mut position = random.below(lanes as u64) as usize;
                for lane in 0..lanes {
                    let first = position;
                    let length = random.below(sizes.most_units as u64 + 1) as usize;
                    for at in 0..sizes.ring {
                        // Units that are not shown hold anything.
                        block.set(&format!("unit_of_{lane}_at_{at}"), random.below(1 << sizes.unit_bits));
                        for name in ["goes_0", "goes_1"] {
                            if name == "goes_1" || sizes.ring <= lanes || at < lanes {
                                block.set(&format!("{name}_of_{lane}_at_{at}"), 0);
                            }
                        }
                    }
                    while position < (first + length).min(2 * lanes) {
                        let at = position % sizes.ring;
                        let unit = random.below(1 << sizes.unit_bits);
                        window[position] = unit;
                        block.set(&format!("unit_of_{lane}_at_{at}"), unit);
                        let half =
                            if sizes.ring > lanes { position / lanes } else { (position / sizes.ring) & 1 };
                        block.set(&format!("goes_{half}_of_{lane}_at_{at}"), 1);
                        for bit in 0..sizes.lane_bits().saturating_sub(sizes.ring_bits()) {
                            let value = ((position / sizes.ring) >> (bit + 1)) & 1;
                            block.set(&format!("bit_{bit}_of_{lane}_at_{at}"), value as u64);
                        }
                        position += 1;
                    }
                }
                (0..latency).for_each(|_| block.clock());
                for (position, &unit) in window.iter().enumerate() {
                    let out = block.get(&format!("unit_{position}"));
                    assert_eq!(out, unit, "position {position} of {lanes} lanes, {}", system.name());
                }
            }
        }
    }
}
