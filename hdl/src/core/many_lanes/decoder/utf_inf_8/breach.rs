//! Units that break an open sequence after FF, and the kind of error of the units up to there.

use super::Making;
use super::headers::Headers;
use super::starts::Starts;
use crate::core::lanes::{At, Lanes};
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Signal;

/// The units that break sequences; stage `broken`.
pub(super) struct Breaches<'m> {
    /// The unit breaks a sequence.
    pub(super) breaks: Lanes<'m>,
    /// The kind of error, if it does.
    pub(super) kinds: Lanes<'m>,
    /// The end of a limb would be in the pad, and the unit is one of the two after the header that could hold that end.
    pub(super) limb_in_pad: Lanes<'m>,
}

/// Bits for the unit that must follow: storage of 18 digits; of more digits without a pad; a pad of one zero nybble, of two; and a bit
/// for a limb whose end would be in the pad.
const OF_18: u32 = 0;
const UNPADDED: u32 = 1;
const PAD_1: u32 = 2;
const PAD_2: u32 = 3;
const NO_LIMB: u32 = 4;

/// Bits for the units that must follow a header; stage `pads`.
struct Pads<'m> {
    first: Lanes<'m>,
    /// The second unit: it has one zero nybble, if the first unit has a zero digit; it has two; a limb would end in the pad.
    second: Lanes<'m>,
}

/// Finds the units that break sequences.
pub(super) fn breaches<'m>(
    making: &Making<'_, 'm>,
    starts: &Starts<'m>,
    headers: &Headers<'m>,
) -> Breaches<'m> {
    let Making { stages, units, limit, kinds, .. } = making;
    let (near, at) = (stages.near, stages.pads);
    making.section(near, "what breaks a sequence but for the units after a header");
    let starts_at = |lane: usize| starts.starts[lane].at(near);
    let overlong = making.all("is_overlong_header", |lane| {
        let lane_i = lane as i32;
        let zero_digit = starts_at(lane) & !units.is_ff(lane_i - 1) & units.is_a0(lane_i);
        let sixth = headers.after[5][lane] & headers.thirteen[lane];
        zero_digit | (0..6).fold(sixth, |all, back| all & units.is_zero(lane_i - back))
    });
    let invalid = making.all("is_invalid_header", |lane| {
        let (is_digit, is_b4) = (units.is_digit(lane as i32).at(near), units.is_b4(lane as i32).at(near));
        let bad_start = starts_at(lane) & !is_digit & !is_b4 & !headers.begins_thirteen[lane];
        bad_start | !starts_at(lane) & headers.reaches[lane] & !is_digit
    });
    let too_long = making.all("is_too_long_header", |lane| {
        let full =
            starts.befores[lane].is(limit.most_befores()).called(&format!("befores_full_of_lane_{lane}"));
        starts_at(lane) & units.is_b4(lane as i32) & full | past_limit(making, headers, lane)
    });
    let [overlong, invalid, too_long] = [overlong, invalid, too_long].map(|lanes| lanes.at(at));
    let pads = pads(making, headers);

    making.section(at, "what breaks a sequence");
    let mut errors = Vec::new();
    for lane in 0..making.lanes {
        let (first, second) = (pads.first[lane], pads.second[lane]);
        let lane_i = lane as i32;
        let [top, middle, low] = [units.has_top(lane_i), middle(making, lane_i), low(making, lane_i)];
        let bad_pad = first.bit(PAD_2) & (any(at, [top, middle, low]))
            | first.bit(PAD_1) & any(at, [top, middle])
            | second.bit(1) & top;
        let bit_5 = units.fact("bit_5", lane_i, |unit| unit.bit(5)).at(at);
        let small = first.bit(OF_18) & !bit_5
            | first.bit(UNPADDED) & !any(at, [top, middle])
            | second.bit(0) & !top.at(at)
            | second.bit(1) & !any(at, [top, middle, low]);
        let named = |what: &str, signal: At<'m>| signal.named(&format!("lane_{lane}_is_{what}"));
        let overlong = named("overlong", small | overlong[lane]);
        let invalid = named("invalid", bad_pad | invalid[lane]);
        let wrong = (overlong | invalid | too_long[lane]) & units.is_trailing(lane_i) & units.valid(lane);
        let otherwise = match making.drops {
            true => kinds.code(ErrorKind::Invalid),
            false => invalid.pick(kinds.code(ErrorKind::Invalid), kinds.code(ErrorKind::Length)),
        };
        let kind = overlong.pick(kinds.code(ErrorKind::Overlong), otherwise);
        errors.push([wrong, kind, first.bit(NO_LIMB) | second.bit(2)]);
    }
    let of = |name: &str, at: usize| making.all(name, |lane| errors[lane][at]).at(stages.broken);
    Breaches { breaks: of("breaks", 0), kinds: of("breach_kind", 1), limb_in_pad: of("limb_in_pad", 2) }
}

/// The OR of signals in stage `at`.
fn any<'m>(at: u32, signals: impl IntoIterator<Item = At<'m>>) -> At<'m> {
    At::any_of(signals.into_iter().map(|signal| signal.at(at))).expect("a signal")
}

/// The middle two of the six bits of a unit are not both zero; the lower two.
fn middle<'m>(making: &Making<'_, 'm>, lane: i32) -> At<'m> {
    making.units.fact("has_middle", lane, |unit| unit.bits(2..4).any())
}

fn low<'m>(making: &Making<'_, 'm>, lane: i32) -> At<'m> {
    making.units.fact("has_low", lane, |unit| unit.bits(0..2).any())
}

/// Computes the bits for the units that must follow headers.
fn pads<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>) -> Pads<'m> {
    let Making { stages, units, .. } = making;
    let (near, at) = (stages.near, stages.pads);
    making.section(near, "what the unit after a header has to be");
    let firsts = making.all("pad", |lane| {
        let lane_i = lane as i32;
        let sum = headers.sums[lane];
        let is_zero = units.is_a0(lane_i).at(near) & units.is_ff(lane_i - 1);
        let is_zero = is_zero.named(&format!("header_of_lane_{lane}_is_zero"));
        let low = units.digit(lane_i).at(near).bits(0..3);
        let no_limb = low.is(6) & !sum.is(0) | low.is(5) & sum.is(1);
        let bits = [no_limb, sum.is(1), sum.is(2), sum.is(0) & !is_zero, is_zero];
        At::concat(bits).masked(headers.ends[lane])
    });
    let firsts = firsts.at(at);
    let first = firsts.before(making.of_unit_before("pad", &firsts));
    let seconds = making.all("second_of_pad", |lane| {
        let first = first[lane];
        let digit_is_zero = first.bit(PAD_1) & !low(making, lane as i32).at(at);
        let bits = At::concat([first.bit(NO_LIMB), first.bit(PAD_2), digit_is_zero]);
        let trailing = units.is_trailing(lane as i32).at(at) & units.valid(lane);
        bits.masked(trailing).named(&format!("second_of_pad_of_lane_{lane}"))
    });
    let second = seconds.before(making.of_unit_before("second_of_pad", &seconds));
    Pads { first, second }
}

/// The header of the unit can only mean more digits than the limit, as of stage `near`.
fn past_limit<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>, lane: usize) -> At<'m> {
    let Making { units, limit, .. } = making;
    let exceeds = |(place, at_place): &(usize, Lanes<'m>)| {
        let value = limit.digits[*place];
        let is_greater = |unit: Signal<'m>| {
            let digit = unit.bits(0..4);
            !digit.within(0, value)
        };
        let greater = units.fact(&format!("digit_above_{value:x}"), lane as i32, is_greater);
        let first = at_place[lane] & greater & units.is_digit(lane as i32);
        (0..*place).fold(first, |all, at| {
            let (back, value) = ((place - at) as i32, limit.digits[at]);
            all & units
                .fact(&format!("digit_is_{value:x}"), lane as i32 - back, |unit| unit.bits(0..4).is(value))
        })
    };
    At::any_of(headers.at_place.iter().map(exceeds)).unwrap_or_else(|| making.lit(1, 0))
}
