//! Where length headers end, what their digits add up to modulo three, and how units stand to them.

use super::Making;
use super::starts::Starts;
use super::units::{is_digit, is_ff, is_low_trailing};
use crate::core::many_lanes::decoder::copies::{Copies, combined, copies};
use crate::netlist::{Builder, Signal};

/// How far behind a header's end a unit is told from those further on.
pub(super) const NEAR: u64 = 6;
/// Digits behind the first, in the longest header that a system can allow.
const MOST_BEFORES: u64 = 8;

/// How the units stand to the header that came last, as of stage `near`. In a sequence of thirteen octets, FF stands for the
/// header.
pub(super) struct Headers<'m> {
    /// The unit begins a sequence of thirteen octets.
    pub(super) begins_thirteen: Vec<Signal<'m>>,
    /// The sequence has thirteen octets.
    pub(super) thirteen: Vec<Signal<'m>>,
    /// The header reaches to the unit, or further.
    pub(super) reaches: Vec<Signal<'m>>,
    /// The unit is the last digit.
    pub(super) ends: Vec<Signal<'m>>,
    /// The unit is the n-th behind the header, for n from 1 to [`NEAR`].
    pub(super) behind: Vec<Vec<Signal<'m>>>,
    /// The sum of the digits so far, modulo three.
    pub(super) sums: Vec<Signal<'m>>,
    /// The header has as many digits as the limit, and so many places behind the first, which is one of the limit's where a digit
    /// can be greater.
    pub(super) at_place: Vec<Vec<(usize, Signal<'m>)>>,
}

/// The sum of two numbers below three, modulo three.
fn sum_modulo_3<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let sums = |rest: u64| {
        let is = |pair: &u64| (pair / 4 % 4 + pair % 4) % 3 == rest;
        (0..16).filter(|pair| pair / 4 < 3 && pair % 4 < 3).filter(is).collect::<Vec<u64>>()
    };
    m.concat([a, b]).case([(&sums(1)[..], m.lit(2, 1)), (&sums(2)[..], m.lit(2, 2))], m.lit(2, 0))
}

/// A digit modulo three.
fn modulo_3<'m>(m: &'m Builder, digit: Signal<'m>) -> Signal<'m> {
    let of = |rest: u64| (0..16).filter(|digit| digit % 3 == rest).collect::<Vec<u64>>();
    digit.case([(&of(1)[..], m.lit(2, 1)), (&of(2)[..], m.lit(2, 2))], m.lit(2, 0))
}

/// Finds the headers.
pub(super) fn headers<'m>(making: &Making<'_, 'm>, starts: &Starts<'m>) -> Headers<'m> {
    let Making { m, pipeline, stage, stages, lanes, units, limit, .. } = making;
    let (m, stage, lanes, at) = (*m, *stage, *lanes, stages.firsts);
    m.stage_section(at, "the first digit of a header, and FF of thirteen octets");
    let is_digit_at =
        |lane: usize, at: u32| units.flag("is_digit", lane as i32, at, is_digit) & units.valid(lane, at);
    let first_digit = making
        .all(|lane| (starts.starts[lane] & is_digit_at(lane, at)).named(&format!("is_first_digit_{lane}")));
    let begins_thirteen = making.all(|lane| {
        let lane_i = lane as i32;
        let second = units.flag("is_ff", lane_i - 1, at, is_ff) & starts.starts[lane];
        let low = units.flag("is_low_trailing", lane_i, at, is_low_trailing) & units.valid(lane, at);
        (second & low).named(&format!("begins_thirteen_{lane}"))
    });

    // Lanes from eight before the beat to behind the longest header, in two's complement.
    let farthest = lanes as u64 - 1 + MOST_BEFORES;
    let bits = u64::BITS - farthest.leading_zeros() + 1;
    let number = |value: i64| m.lit(bits, value as u64 & ((1 << bits) - 1));
    let most = limit.most_befores();
    // Where no digit can be greater than the limit's, nobody asks whether the header has as many.
    let places = limit.places_to_exceed();
    let can_exceed = !places.is_empty();
    let said = making.all(|lane| {
        let end = number(lane as i64) + starts.befores[lane].zext(bits);
        let end = begins_thirteen[lane].mux(number(lane as i64 - 1), end);
        let longest = can_exceed.then(|| starts.befores[lane].is(most) & !begins_thirteen[lane]);
        m.concat(longest.into_iter().chain([begins_thirteen[lane], end]))
            .named(&format!("header_said_{lane}"))
    });
    let some =
        making.all(|lane| (first_digit[lane] | begins_thirteen[lane]).named(&format!("tells_header_{lane}")));
    let found = copies(m, "header", Copies { some, values: said }, at, pipeline);
    let digits = making.all(|lane| {
        let digit = modulo_3(m, units.digit(lane as i32, at)).named(&format!("digit_modulo_3_{lane}"));
        (digit & units.valid(lane, at).repeat(2)).named(&format!("digit_{lane}_to_add"))
    });
    let add = |name: &str, below, own| sum_modulo_3(m, below, own).named(&format!("{name}_sum"));
    let sums = Copies { some: first_digit, values: digits };
    let sums = combined(m, "digits_modulo_3", sums, at, pipeline, &add);

    let at = stages.headers;
    m.stage_section(at, "where headers end");
    let valid = making.valid_at("header", at);
    let count = making.count_at("header", at, bits);
    let flags = 1 + u32::from(can_exceed);
    let before =
        m.reg("header_before_reg", bits + flags).note("the end of the last header, seen from lane 0");
    let values = making
        .all(|lane| found.some[lane].mux(found.values[lane], before.q).named(&format!("header_of_{lane}")));
    let behind = values[lanes - 1];
    let end = (behind.bits(0..bits) - count).named("header_end_behind");
    // No further than can be told.
    let farthest = number(-(NEAR as i64) - 1);
    let is_far = end.bit(bits - 1) & end.lt(farthest);
    let next = m.concat([behind.bits(bits..bits + flags), is_far.mux(farthest, end)]);
    before.next_when(stage.enable & valid, next);
    let sum_before = m.reg("digits_modulo_3_before_reg", 2).note("of the digits before the beat");
    let sums = making.all(|lane| {
        let name = format!("digits_modulo_3_{lane}_sum");
        let carried = sum_modulo_3(m, sum_before.q, sums.values[lane]).named(&name);
        sums.some[lane].mux(sums.values[lane], carried).named(&format!("sum_{lane}_now"))
    });
    sum_before.next_when(stage.enable & valid, sums[lanes - 1]);

    let near = stages.near;
    let later = |lane: usize, name: &str, signal| making.later(lane, name, signal, at, near);
    let end_of = |lane: usize| values[lane].bits(0..bits);
    let is_at = |lane: usize, value: i64| end_of(lane).eq(number(value));
    let is_signed_at_least = |lane: usize| {
        // Both are small, so the sign of the difference tells.
        let end = end_of(lane);
        match lane {
            0 => !end.bit(bits - 1),
            _ => !end.bit(bits - 1) & !end.lt(number(lane as i64)),
        }
    };
    Headers {
        begins_thirteen: making.all_later("begins_thirteen", &begins_thirteen, stages.firsts, near),
        thirteen: making.all(|lane| later(lane, "thirteen", values[lane].bit(bits))),
        reaches: making.all(|lane| later(lane, "header_reaches", is_signed_at_least(lane))),
        ends: making.all(|lane| later(lane, "header_ends", is_at(lane, lane as i64) & is_digit_at(lane, at))),
        behind: (0..lanes)
            .map(|lane| {
                let behind =
                    |n: u64| later(lane, &format!("behind_header_{n}"), is_at(lane, lane as i64 - n as i64));
                (1..=NEAR).map(behind).collect()
            })
            .collect(),
        sums: making.all(|lane| later(lane, "sum", sums[lane])),
        at_place: (0..lanes)
            .map(|lane| {
                let is = |&place: &usize| {
                    let left = (limit.count() - 1 - place) as i64;
                    let is = values[lane].bit(bits + 1) & is_at(lane, lane as i64 + left);
                    (place, later(lane, &format!("at_place_{place}"), is))
                };
                places.iter().map(is).collect()
            })
            .collect(),
    }
}
