//! The position of each unit in a sequence after FF, as a lane of a prefix system asks for it.

use super::Making;
use super::breach::Breaches;
use super::ends::Ends;
use super::headers::Headers;
use super::pairs::Before;
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
    /// A bit for each unit before, the nearest in the low bit: the unit ends a header that counts limbs, and the other unit is a digit of it.
    pub(in crate::core::many_lanes) digits: Lanes<'m>,
}

/// The position of a unit in its sequence, as far as it is known without the end of the sequence that was open before the beat; stage
/// `alive`.
struct Place<'m> {
    /// The unit is a trailing unit of an open sequence, in the header or just after FF.
    in_header: At<'m>,
    /// The unit is the last storage octet of a sequence whose header ends in the beat.
    last: At<'m>,
    /// The unit is a storage octet of such a sequence, which stays open after the unit.
    stays: At<'m>,
    /// The unit is a storage octet if the sequence that was open before the beat reaches to the unit.
    can_continue: At<'m>,
}

/// Facts of earlier stages, delayed to stage `alive`.
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
    let (at, to) = (making.stages.alive, making.stages.position);
    let known = Known {
        starts_after: starts.starts_after.at(at),
        header_reaches: headers.reaches.at(at),
        header_ends: headers.ends.at(at),
        thirteen: headers.thirteen.at(at),
        limb_in_pad: breaches.limb_in_pad.at(at),
        after: headers.after[..MASKS].iter().map(|lanes| lanes.at(at)).collect(),
    };
    let places: Vec<Place> = (0..making.lanes).map(|lane| place(making, &known, ends, lane)).collect();
    making.section(making.stages.ends, "the position of units in sequences after FF");
    let made: Vec<[At; 10]> =
        (0..making.lanes).map(|lane| of_lane(making, &known, ends, &places[lane], lane)).collect();
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
    making.section(stages.alive, "the position of units whose header ends in the beat");
    let named = |what: &str, signal: At<'m>| signal.named(&format!("lane_{lane}_{what}"));
    let trails = units.is_trailing(lane as i32).at(stages.alive) & ends.alive[lane] & units.valid(lane);
    let trails = named("trails", trails);
    let in_header = named("is_in_header", known.starts_after[lane] | known.header_reaches[lane]);
    let in_storage = named("is_in_storage", trails & !in_header);
    let of_header = named("is_after_header", in_storage & ends.is_told[lane]);
    let end = ends.lane[lane];
    let reaches = named("is_reached", !ends.near[lane] | !is_before(making, end, lane));
    let is_end = named("is_end", ends.near[lane] & is_lane(making, end, lane));
    Place {
        in_header: named("continues_header", trails & in_header),
        last: named("is_last_after_header", of_header & is_end),
        stays: named("stays_open_after_header", of_header & reaches & !is_end),
        can_continue: named("can_continue", in_storage & !ends.is_told[lane]),
    }
}

/// The lane that is asked for is `lane`.
fn is_lane<'m>(making: &Making<'_, 'm>, asked: At<'m>, lane: usize) -> At<'m> {
    let number = making.lit(asked.width(), lane as u64);
    asked.map(|asked| asked.eq(number.signal()))
}

/// The lane that is asked for, one of the beat, is before `lane`.
fn is_before<'m>(making: &Making<'_, 'm>, asked: At<'m>, lane: usize) -> At<'m> {
    match lane {
        0 => making.lit(1, 0),
        _ => asked.lt(making.lit(asked.width(), lane as u64)),
    }
}

/// The fields of [`Position`], in their order, without the open sequence before the beat and the kind.
fn of_lane<'m>(
    making: &Making<'_, 'm>,
    known: &Known<'m>,
    ends: &Ends<'m>,
    place: &Place<'m>,
    lane: usize,
) -> [At<'m>; 10] {
    let Making { units, stages, .. } = making;
    let at = stages.alive;
    let lane_i = lane as i32;
    let &Place { in_header, last, stays, can_continue } = place;
    let zero = |lane: i32| units.is_zero(lane).at(at);
    let top = |lane: i32| units.has_top(lane).at(at);
    let nth = |n: usize| known.after[n - 1][lane];
    let named = |what: &str, signal: At<'m>| signal.named(&format!("lane_{lane}_{what}"));
    // Names the register that holds a signal of stage `alive` in stage `ends`.
    let held = |what: &str, signal: At<'m>| signal.called(&format!("lane_{lane}_{what}"));
    // The last unit of the sequence that was open before the beat.
    let Before { lane: end, near, past } = ends.before;
    let is_past = named("is_past", past | near & is_before(making, end, lane));
    let is_end = named("is_end_of_sequence_before", near & is_lane(making, end, lane));
    let can_stay = named("can_stay_open", !is_past & !is_end);
    let stays_open =
        |what: &str, fact: At<'m>| held(what, fact).at(stages.ends) & (stays | can_continue & can_stay);
    let thirteen = known.thirteen[lane];

    let first_head = named("has_first_head", thirteen & nth(1) & !zero(lane_i));
    let second_head = named("has_second_head", thirteen & nth(2) & zero(lane_i - 1));
    let late = thirteen & nth(3) & zero(lane_i - 2) & top(lane_i - 1);
    let limb = named("may_end_limb", !known.limb_in_pad[lane] & !second_head);
    let is_phase = |end: At<'m>, octets: u64| end.bits(0..4).is((lane as u64 + octets) % 16);
    let can_end_limb = held("can_end_limb", limb & can_continue);
    let limbs = PHASES.map(|(bits, octets)| {
        let of_header = limb & is_phase(ends.lane[lane], octets);
        let of_header = held(&format!("can_end_limb_with_{bits}_bits_left"), of_header);
        of_header.at(stages.ends) & stays | can_end_limb & can_stay & is_phase(end, octets)
    });
    // All bits of a limb are of its sequence, but in the first few units after the header.
    let masks = (1..=MASKS).rev().map(|back| !At::any_of((1..=back).map(nth)).expect("a unit"));
    let counted = named("ends_header", in_header & known.header_ends[lane]);
    let open = match making.drops {
        false => {
            let is_ff = units.is_ff(lane_i).at(at) & units.valid(lane);
            held("is_open_after_header", is_ff | in_header | stays) | can_continue & can_stay
        }
        true => counted | stays_open("has_told_head", !(thirteen & nth(1) & zero(lane_i))),
    };
    let is_digit = |back: usize| units.is_digit(lane_i - back as i32).at(at);
    let mut run = making.lit(1, 1);
    let digits: Vec<At> = (1..making.limit.count().max(2))
        .map(|back| {
            run = named(&format!("follows_{back}_digits"), run & is_digit(back));
            run.at(stages.ends) & counted
        })
        .collect();
    [
        held("continues_after_header", in_header | last | stays) | can_continue & !is_past,
        open,
        last | can_continue & is_end,
        counted,
        stays_open("has_head", first_head | second_head),
        stays_open("has_head_of_three", first_head | second_head & top(lane_i)),
        stays_open("has_late_limb", late),
        At::concat(limbs.into_iter().rev()),
        At::concat(masks),
        At::concat(digits.into_iter().rev()),
    ]
}
