//! The position of each unit in a sequence after FF, as a lane of a prefix system asks for it.

use super::Making;
use super::breach::Breaches;
use super::ends::Ends;
use super::headers::Headers;
use super::starts::Starts;
use crate::core::lanes::{At, Lanes};

/// Units before one whose bits can be in a limb that it completes: each has a mask.
pub(in crate::core::many_lanes) const MASKS: usize = 5;
/// Bits left over after a limb, by phase, and the octets after it.
pub(in crate::core::many_lanes) const PHASES: [(u32, u64); 3] = [(0, 0), (2, 5), (4, 10)];

/// The position of the unit of each lane, as of stage `position`.
pub(in crate::core::many_lanes) struct Position<'m> {
    /// The unit continues a sequence after FF.
    pub(in crate::core::many_lanes) continues: Lanes<'m>,
    /// A sequence after FF is open after the unit; in a decoder that drops errors, and its head is out.
    pub(in crate::core::many_lanes) open: Lanes<'m>,
    /// A sequence after FF is open before the beat, with the same restriction.
    pub(in crate::core::many_lanes) open_before: At<'m>,
    /// The unit is the last of a sequence after FF.
    pub(in crate::core::many_lanes) last: Lanes<'m>,
    /// The kind of error, if the unit breaks a sequence after FF.
    pub(in crate::core::many_lanes) kind: Lanes<'m>,
    /// The unit makes a head certain: `counted`, one whose limbs the header counts; `head`, another one; `three`, that has three limbs.
    pub(in crate::core::many_lanes) counted: Lanes<'m>,
    pub(in crate::core::many_lanes) head: Lanes<'m>,
    pub(in crate::core::many_lanes) three: Lanes<'m>,
    /// The unit makes a limb certain: `late`, one of two bits, which waited for the head; `limbs`, another one, a bit for each of [`PHASES`].
    pub(in crate::core::many_lanes) late: Lanes<'m>,
    pub(in crate::core::many_lanes) limbs: Lanes<'m>,
    /// A bit for each unit before, the nearest in the low bit: the limb that the unit makes certain has bits of the other unit.
    pub(in crate::core::many_lanes) masks: Lanes<'m>,
    /// A bit for each unit before, the nearest in the low bit: the header of the head that the unit makes certain has the other unit as a
    /// digit.
    pub(in crate::core::many_lanes) digits: Lanes<'m>,
}

/// The position of a unit in its sequence; stage `ends`.
struct Place<'m> {
    /// The unit is a trailing unit of an open sequence.
    trails: At<'m>,
    in_header: At<'m>,
    last: At<'m>,
    continues: At<'m>,
    /// The sequence continues after its storage octet.
    stays: At<'m>,
}

/// Facts of earlier stages, delayed to stage `ends`.
struct Known<'m> {
    starts_after: Lanes<'m>,
    header_reaches: Lanes<'m>,
    header_ends: Lanes<'m>,
    thirteen: Lanes<'m>,
    limb_in_pad: Lanes<'m>,
    /// Entry n: the unit is the n + 1-th after its header.
    after: Vec<Lanes<'m>>,
}

/// Finds the positions.
pub(in crate::core::many_lanes) fn position<'m>(
    making: &Making<'_, 'm>,
    starts: &Starts<'m>,
    headers: &Headers<'m>,
    breaches: &Breaches<'m>,
    ends: &Ends<'m>,
) -> Position<'m> {
    let (at, to) = (making.stages.ends, making.stages.position);
    let known = Known {
        starts_after: starts.starts_after.at(at),
        header_reaches: headers.reaches.at(at),
        header_ends: headers.ends.at(at),
        thirteen: headers.thirteen.at(at),
        limb_in_pad: breaches.limb_in_pad.at(at),
        after: headers.after[..MASKS].iter().map(|lanes| lanes.at(at)).collect(),
    };
    making.section(at, "the position of units in sequences after FF");
    let made: Vec<[At; 10]> = (0..making.lanes).map(|lane| of_lane(making, &known, ends, lane)).collect();
    let of = |name: &str, field: usize| making.all(name, |lane| made[lane][field]).at(to);
    let open = of("tail_open", 1);
    Position {
        open_before: making.of_unit_before("tail_open", &open),
        continues: of("tail_continues", 0),
        open,
        last: of("tail_last", 2),
        kind: breaches.kinds.at(to),
        counted: of("tail_counted", 3),
        head: of("tail_head", 4),
        three: of("tail_three", 5),
        late: of("tail_late", 6),
        limbs: of("tail_limbs", 7),
        masks: of("tail_masks", 8),
        digits: of("tail_digits", 9),
    }
}

/// The place of a unit in its sequence.
fn place<'m>(making: &Making<'_, 'm>, known: &Known<'m>, ends: &Ends<'m>, lane: usize) -> Place<'m> {
    let Making { units, stages, .. } = making;
    let named = |what: &str, signal: At<'m>| signal.named(&format!("lane_{lane}_{what}"));
    let trails = units.is_trailing(lane as i32).at(stages.ends) & ends.alive[lane] & units.valid(lane);
    let trails = named("trails", trails);
    let in_header = named("is_in_header", known.starts_after[lane] | known.header_reaches[lane]);
    let in_storage = named("is_in_storage", trails & !in_header);
    let width = ends.lane[lane].width();
    let number = making.lit(width, lane as u64 & ((1 << width) - 1));
    // No lane is before the first.
    let before = (lane > 0).then(|| ends.near[lane] & ends.lane[lane].lt(number));
    let is_past = named("is_past", before.map_or(ends.past[lane], |before| ends.past[lane] | before));
    let is_end = ends.near[lane] & ends.lane[lane].map(|end| end.eq(number.signal())) & !ends.past[lane];
    let is_end = named("is_end", is_end);
    Place {
        trails,
        in_header,
        last: named("is_last", in_storage & is_end),
        continues: named("continues", trails & (in_header | !is_past)),
        stays: named("stays_open", in_storage & !is_past & !is_end),
    }
}

/// The fields of [`Position`], in their order, without the open sequence before the beat and the kind.
fn of_lane<'m>(making: &Making<'_, 'm>, known: &Known<'m>, ends: &Ends<'m>, lane: usize) -> [At<'m>; 10] {
    let Making { units, stages, .. } = making;
    let at = stages.ends;
    let lane_i = lane as i32;
    let Place { trails, in_header, last, continues, stays } = place(making, known, ends, lane);
    let zero = |lane: i32| units.is_zero(lane).at(at);
    let top = |lane: i32| units.has_top(lane).at(at);
    let nth = |n: usize| known.after[n - 1][lane];
    let named = |what: &str, signal: At<'m>| signal.named(&format!("lane_{lane}_{what}"));
    let of_13 = named("is_in_thirteen", stays & known.thirteen[lane]);
    let first_head = named("makes_first_head", of_13 & nth(1) & !zero(lane_i));
    let second_head = named("makes_second_head", of_13 & nth(2) & zero(lane_i - 1));
    let late = of_13 & nth(3) & zero(lane_i - 2) & top(lane_i - 1);
    let limb = named("may_end_limb", stays & !known.limb_in_pad[lane] & !second_head);
    let phase = ends.lane[lane].bits(0..4);
    let limbs = PHASES.map(|(_, octets)| limb & phase.is((lane as u64 + octets) % 16));
    let counted = trails & known.header_ends[lane];
    // All bits of a limb are of its sequence, but in the first few units after the header.
    let masks = (1..=MASKS).rev().map(|back| !At::any_of((1..=back).map(nth)).expect("a unit"));
    let open = match making.drops {
        false => units.is_ff(lane_i).at(at) & units.valid(lane) | continues & !last,
        true => {
            let told_13 = !nth(1) | !zero(lane_i);
            let told = known.header_ends[lane] | !in_header & (!known.thirteen[lane] | told_13);
            continues & !last & told
        }
    };
    let is_digit = |back: usize| units.is_digit(lane_i - back as i32).at(at);
    let digits = (1..making.limit.count().max(2))
        .rev()
        .map(|back| (1..=back).map(is_digit).reduce(|all, is| all & is).expect("a unit before it"));
    [
        continues,
        open,
        last,
        counted,
        first_head | second_head,
        first_head | second_head & top(lane_i),
        late,
        At::concat(limbs.into_iter().rev()),
        At::concat(masks),
        At::concat(digits),
    ]
}
