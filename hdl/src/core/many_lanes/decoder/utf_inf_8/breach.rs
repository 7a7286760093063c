//! What breaks a sequence behind FF, if it is alive: the kind of error that its units up to then are.

use super::Making;
use super::headers::Headers;
use super::starts::Starts;
use super::units::{is_b4, is_digit, is_ff, is_trailing};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::Signal;

/// What is found, as of stage `broken`.
pub(super) struct Breaches<'m> {
    /// The unit breaks a sequence.
    pub(super) breaks: Vec<Signal<'m>>,
    /// The kind of error, if it does.
    pub(super) kinds: Vec<Signal<'m>>,
    /// Behind the header's end there is a limb in the pad, and the unit is one of the two that might end it.
    pub(super) limb_in_pad: Vec<Signal<'m>>,
}

/// What the unit behind one has to be, as bits: of 18 digits; of more without a pad; with one zero nybble, with two; and whether a
/// limb seems to end in the pad.
const OF_18: u32 = 0;
const UNPADDED: u32 = 1;
const PAD_1: u32 = 2;
const PAD_2: u32 = 3;
const NO_LIMB: u32 = 4;

/// The breaches.
pub(super) fn breaches<'m>(
    making: &Making<'_, 'm>,
    starts: &Starts<'m>,
    headers: &Headers<'m>,
) -> Breaches<'m> {
    let Making { m, stages, units, limit, kinds, .. } = making;
    let (m, near) = (*m, stages.near);
    m.stage_section(near, "what the unit behind a header has to be");
    let later = |name: &str, signals: &[Signal<'m>]| making.all_later(name, signals, near, stages.pads);
    let firsts = making.all(|lane| {
        let lane_i = lane as i32;
        let sum = headers.sums[lane];
        let is_zero = units.flag("is_a0", lane_i, near, |unit| unit.is(0xa0))
            & units.flag("is_ff", lane_i - 1, near, is_ff);
        let is_zero = is_zero.named(&format!("header_of_zero_{lane}"));
        let low = units.digit(lane_i, near).bits(0..3);
        let no_limb = low.is(6) & !sum.is(0) | low.is(5) & sum.is(1);
        let bits = [no_limb, sum.is(1), sum.is(2), sum.is(0) & !is_zero, is_zero];
        m.concat(bits) & headers.ends[lane].repeat(5)
    });
    let firsts = later("pad", &firsts);
    m.stage_section(near, "headers past the limit");
    let past_limit = making.all(|lane| past_limit(making, headers, lane));
    let past_limit = later("past_limit", &past_limit);
    let at_start: Vec<Signal> = starts.starts.clone();
    let at_start = making.all_later("at_start", &at_start, stages.firsts, stages.pads);
    let befores = making.all(|lane| starts.befores[lane].is(limit.most_befores()));
    let full = making.all_later("befores_full", &befores, stages.firsts, stages.pads);
    let thirteen = later("begins_thirteen", &headers.begins_thirteen);
    let reaches = later("reaches", &headers.reaches);
    let sixth = making.all(|lane| headers.behind[lane][5] & headers.thirteen[lane]);
    let sixth = later("sixth_of_thirteen", &sixth);

    let at = stages.pads;
    m.stage_section(at, "what breaks a sequence");
    let before = making.behind_last("pad", &firsts, at);
    let behind_header = making.all(|lane| lane.checked_sub(1).map_or(before, |of| firsts[of]));
    let flag =
        |name: &str, lane: usize, make: fn(Signal<'m>) -> Signal<'m>| units.flag(name, lane as i32, at, make);
    let top = |lane: usize| flag("top", lane, |unit| unit.bits(4..6).any());
    let middle = |lane: usize| flag("middle", lane, |unit| unit.bits(2..4).any());
    let low = |lane: usize| flag("low", lane, |unit| unit.bits(0..2).any());
    let trailing = |lane: usize| flag("trailing", lane, is_trailing) & units.valid(lane, at);
    // The second unit behind the header: of one zero nybble, where the digit is zero so far, and of two.
    let seconds = making.all(|lane| {
        let first = behind_header[lane];
        let bits = [first.bit(NO_LIMB), first.bit(PAD_2), first.bit(PAD_1) & !low(lane)];
        (m.concat(bits) & trailing(lane).repeat(3)).named(&format!("second_{lane}"))
    });
    let before = making.behind_last("second_of_pad", &seconds, at);
    let behind_first = making.all(|lane| lane.checked_sub(1).map_or(before, |of| seconds[of]));
    let mut found = Breaches { breaks: Vec::new(), kinds: Vec::new(), limb_in_pad: Vec::new() };
    for lane in 0..making.lanes {
        let (first, second) = (behind_header[lane], behind_first[lane]);
        let (top, middle, low) = (top(lane), middle(lane), low(lane));
        let is_b4 = flag("is_b4", lane, is_b4);
        let is_digit = flag("is_digit", lane, is_digit);
        let is_second = units.flag("is_ff", lane as i32 - 1, at, is_ff);
        let bad_pad =
            first.bit(PAD_2) & (top | middle | low) | first.bit(PAD_1) & (top | middle) | second.bit(1) & top;
        let small = first.bit(OF_18) & !flag("bit_5", lane, |unit| unit.bit(5))
            | first.bit(UNPADDED) & !(top | middle)
            | second.bit(0) & !top
            | second.bit(1) & !(top | middle | low);
        let zero_digit = at_start[lane] & !is_second & flag("is_a0", lane, |unit| unit.is(0xa0));
        let is_zero = |lane: i32| units.flag("six_zero", lane, at, |unit| !unit.bits(0..6).any());
        let few_bits = (0..6).map(|back| is_zero(lane as i32 - back)).fold(sixth[lane], |all, is| all & is);
        let overlong = (small | zero_digit | few_bits).named(&format!("breach_overlong_{lane}"));
        let bad_start = at_start[lane] & !is_digit & !is_b4 & !thirteen[lane];
        let bad_digit = !at_start[lane] & reaches[lane] & !is_digit;
        let invalid = (bad_pad | bad_start | bad_digit).named(&format!("breach_invalid_{lane}"));
        let too_long = at_start[lane] & is_b4 & full[lane] | past_limit[lane];
        let too_long = too_long.named(&format!("breach_length_{lane}"));
        let breaks = trailing(lane) & (overlong | invalid | too_long);
        found.breaks.push(making.later(lane, "breaks", breaks, at, stages.broken));
        let otherwise = match making.drops {
            true => kinds.code(ErrorKind::Invalid),
            false => invalid.mux(kinds.code(ErrorKind::Invalid), kinds.code(ErrorKind::Length)),
        };
        let kind = overlong.mux(kinds.code(ErrorKind::Overlong), otherwise);
        found.kinds.push(making.later(lane, "breach_kind", kind, at, stages.broken));
        let in_pad = first.bit(NO_LIMB) | second.bit(2);
        found.limb_in_pad.push(making.later(lane, "limb_in_pad", in_pad, at, stages.broken));
    }
    found
}

/// The header of the unit can only mean more digits than the limit, as of stage `near`.
fn past_limit<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>, lane: usize) -> Signal<'m> {
    let Making { m, stages, units, limit, .. } = making;
    let digit_is = |lane: i32, value: u64| {
        units.flag(&format!("digit_is_{value:x}"), lane, stages.near, |unit| unit.bits(0..4).is(value))
    };
    let exceeds = |&(place, at_place): &(usize, Signal<'m>)| {
        let value = limit.digits[place];
        let greater = units.flag(&format!("digit_above_{value:x}"), lane as i32, stages.near, |unit| {
            !unit.bits(0..4).le(m.lit(4, value))
        });
        let is_digit = units.flag("is_digit", lane as i32, stages.near, is_digit);
        let so_far = (0..place).map(|at| digit_is(lane as i32 - (place - at) as i32, limit.digits[at]));
        so_far.fold(at_place & greater & is_digit, |all, equal| all & equal)
    };
    any_of(headers.at_place[lane].iter().map(exceeds)).unwrap_or_else(|| m.lit(1, 0))
}
