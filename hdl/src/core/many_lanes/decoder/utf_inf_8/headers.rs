//! The ends of length headers, the sums of their digits modulo three, and the positions of units relative to headers.

use super::Making;
use super::starts::Starts;
use crate::core::lanes::scan::Copies;
use crate::core::lanes::{At, Lanes};

/// The most units after a header's end whose distance to it is known; units further on are only known to be further.
pub(super) const NEAR: u64 = 6;
/// Digits after the first, in the longest header that a system can allow.
const MOST_BEFORES: u64 = 8;

/// The position of units from the header that came last, as of stage `near`. In a sequence of thirteen octets, FF takes the place of the
/// header.
pub(super) struct Headers<'m> {
    /// The unit begins a sequence of thirteen octets.
    pub(super) begins_thirteen: Lanes<'m>,
    /// The sequence has thirteen octets.
    pub(super) thirteen: Lanes<'m>,
    /// The header reaches to the unit, or further.
    pub(super) reaches: Lanes<'m>,
    /// The unit is the last digit.
    pub(super) ends: Lanes<'m>,
    /// The unit is the n-th after the header, for n from 1 to [`NEAR`].
    pub(super) after: Vec<Lanes<'m>>,
    /// The sum of the digits up to the unit, modulo three.
    pub(super) sums: Lanes<'m>,
    /// For each position at which a digit can be greater than the digit of the limit: the header has as many digits as the limit, and the
    /// unit is at that position.
    pub(super) at_place: Vec<(usize, Lanes<'m>)>,
}

/// The sum of two numbers below three, modulo three.
fn sum_modulo_3<'m>(a: At<'m>, b: At<'m>) -> At<'m> {
    let sums = |rest: u64| {
        let is = |pair: &u64| (pair / 4 % 4 + pair % 4) % 3 == rest;
        (0..16).filter(|pair| pair / 4 < 3 && pair % 4 < 3).filter(is).collect::<Vec<u64>>()
    };
    let m = a.builder();
    At::concat([a, b])
        .map(|pair| pair.case([(&sums(1)[..], m.lit(2, 1)), (&sums(2)[..], m.lit(2, 2))], m.lit(2, 0)))
}

/// The sum of a number and the number of a lane, by gates, for `+` becomes a carry chain, which is slower.
fn plus(number: At<'_>, lane: usize) -> At<'_> {
    let lane = lane as u64;
    let bit = |at: u32| {
        let below = lane & ((1 << at) - 1);
        let bit = if lane >> at & 1 > 0 { !number.bit(at) } else { number.bit(at) };
        // The bits below carry if they are not too small for it.
        match below {
            0 => bit,
            _ => bit ^ !number.bits(0..at).lt(number.lit(at, (1 << at) - below)),
        }
    };
    At::concat((0..number.width()).rev().map(bit))
}

/// A digit modulo three.
fn modulo_3(digit: At<'_>) -> At<'_> {
    let of = |rest: u64| (0..16).filter(|digit| digit % 3 == rest).collect::<Vec<u64>>();
    let m = digit.builder();
    digit.map(|digit| digit.case([(&of(1)[..], m.lit(2, 1)), (&of(2)[..], m.lit(2, 2))], m.lit(2, 0)))
}

/// A header that a unit tells, as numbers of lanes from eight before the beat to the longest header after it, in two's complement.
struct Numbers {
    bits: u32,
}

impl Numbers {
    fn new(lanes: usize) -> Self {
        Self { bits: u64::BITS - (lanes as u64 - 1 + MOST_BEFORES).leading_zeros() + 1 }
    }

    fn of<'m>(&self, making: &Making<'_, 'm>, value: i64) -> At<'m> {
        making.lit(self.bits, value as u64 & ((1 << self.bits) - 1))
    }
}

/// The last header up to each unit; stage `headers`. `headers`: the end of the header, a bit for thirteen octets, and, if some digit can
/// be greater than the digit of the limit, a bit for as many digits as the limit. `sums`: the sum of the digits modulo three.
struct Found<'m> {
    headers: Lanes<'m>,
    sums: Lanes<'m>,
}

/// Finds the headers.
pub(super) fn headers<'m>(making: &Making<'_, 'm>, starts: &Starts<'m>) -> Headers<'m> {
    let Making { stages, units, .. } = making;
    let at = stages.firsts;
    making.section(at, "the first digit of a header, and FF of thirteen octets");
    let is_digit = making.all("is_digit", |lane| {
        let is_digit = units.is_digit(lane as i32).at(at - 1) & units.valid(lane);
        is_digit.registered(&format!("is_valid_digit_of_lane_{lane}"))
    });
    let first_digit = making.all("is_first_digit", |lane| {
        (starts.starts[lane] & is_digit[lane]).named(&format!("is_first_digit_of_lane_{lane}"))
    });
    let begins_thirteen = making.all("begins_thirteen", |lane| {
        let second = units.is_ff(lane as i32 - 1) & starts.starts[lane];
        (second & units.is_low_trailing(lane as i32) & units.valid(lane))
            .named(&format!("begins_thirteen_of_lane_{lane}"))
    });
    let numbers = Numbers::new(making.lanes);
    let Found { headers, sums } = found(making, starts, &first_digit, &begins_thirteen, &numbers);

    let (bits, near) = (numbers.bits, stages.near);
    let end_of = |lane: usize| headers[lane].bits(0..bits);
    let is_at = |lane: usize, value: i64| {
        let value = numbers.of(making, value).signal();
        end_of(lane).map(|end| end.eq(value))
    };
    let reaches = |lane: usize| {
        // Both are small, so the sign of the difference decides.
        let end = end_of(lane);
        match lane {
            0 => !end.bit(bits - 1),
            _ => !end.bit(bits - 1) & !end.lt(numbers.of(making, lane as i64)),
        }
    };
    let after = |n: u64| {
        let is_nth = |lane: usize| is_at(lane, lane as i64 - n as i64);
        making.all(&format!("is_{n}_after_header"), is_nth).at(near)
    };
    let at_place = |place: usize| {
        let left = (making.limit.count() - 1 - place) as i64;
        let is = |lane: usize| headers[lane].bit(bits + 1) & is_at(lane, lane as i64 + left);
        (place, making.all(&format!("is_at_place_{place}"), is).at(near))
    };
    Headers {
        begins_thirteen: begins_thirteen.at(near),
        thirteen: making.all("is_of_thirteen", |lane| headers[lane].bit(bits)).at(near),
        reaches: making.all("header_reaches", reaches).at(near),
        ends: making.all("header_ends", |lane| is_at(lane, lane as i64) & is_digit[lane]).at(near),
        after: (1..=NEAR).map(after).collect(),
        sums: sums.at(near),
        at_place: making.limit.places_to_exceed().into_iter().map(at_place).collect(),
    }
}

/// Finds the last header up to each unit.
fn found<'m>(
    making: &Making<'_, 'm>,
    starts: &Starts<'m>,
    first_digit: &Lanes<'m>,
    begins_thirteen: &Lanes<'m>,
    numbers: &Numbers,
) -> Found<'m> {
    let Making { stages, units, limit, .. } = making;
    let number = |value: i64| numbers.of(making, value);
    let most = limit.most_befores();
    // The number of digits matters only if some digit can be greater than the digit of the limit.
    let can_exceed = !limit.places_to_exceed().is_empty();
    let said = making.all("header_said", |lane| {
        let end = plus(starts.befores[lane].zext(numbers.bits), lane);
        let end = begins_thirteen[lane].mux(number(lane as i64 - 1), end);
        let longest = can_exceed.then(|| starts.befores[lane].is(most) & !begins_thirteen[lane]);
        At::concat(longest.into_iter().chain([begins_thirteen[lane], end]))
            .named(&format!("header_said_by_lane_{lane}"))
    });
    let some = making.all("tells_header", |lane| {
        (first_digit[lane] | begins_thirteen[lane]).named(&format!("lane_{lane}_tells_header"))
    });
    let headers = Copies { some, values: said }.copied("header");
    let digits = making.all("digit_to_add", |lane| {
        let digit = modulo_3(units.digit(lane as i32).at(stages.firsts - 1));
        let digit = digit.named(&format!("digit_modulo_3_of_lane_{lane}"));
        digit.masked(units.valid(lane)).registered(&format!("digit_to_add_of_lane_{lane}"))
    });
    let add = |name: &str, below, own| sum_modulo_3(below, own).named(&format!("{name}_sum"));
    let sums = Copies { some: first_digit.clone(), values: digits }.combined("digits_modulo_3", add);

    let at = stages.headers;
    making.section(at, "where headers end");
    let (bits, flags) = (numbers.bits, 1 + u32::from(can_exceed));
    let note = "the end of the last header, seen from lane 0; bit 0: it is too far to count";
    let (before, register) = making.state("header_before_reg", 1 + bits + flags, at, note);
    // The distance saturates.
    let farthest = number(-(NEAR as i64) - 1);
    let before_end = before.bit(0).mux(farthest, before.bits(1..bits + 1));
    let before = At::concat([before.bits(bits + 1..1 + bits + flags), before_end]).named("header_before");
    let values = making.all("header", |lane| {
        headers.some[lane].mux(headers.values[lane], before).named(&format!("header_of_lane_{lane}"))
    });
    let end = (values.end().bits(0..bits) - making.count(bits).at(at)).named("header_end_after_beat");
    let is_far = end.bit(bits - 1) & end.lt(farthest);
    making.load(register, At::concat([values.end().bits(bits..bits + flags), end, is_far]));
    let note = "of the digits before the beat";
    let (sum_before, register) = making.state("digits_modulo_3_before_reg", 2, at, note);
    let sums = making.all("sum", |lane| {
        let name = format!("digits_modulo_3_of_lane_{lane}_with_those_before");
        let carried = sum_modulo_3(sum_before, sums.values[lane]).named(&name);
        sums.some[lane].mux(sums.values[lane], carried).named(&format!("sum_of_lane_{lane}"))
    });
    making.load(register, sums.end());
    Found { headers: values, sums }
}
