//! The bits of a code point that are still to come after a beat: the one number that may be large.
//!
//! It is counted in pairs of bits, less one: six bits are three pairs, so that nothing is divided by three, and after the last unit the
//! number is negative. A code point of D digits with its pad has 2 D pairs.

use super::Making;
use super::headers::Headers;
use super::limit::{DIGIT_BITS, LEAST_DIGITS};
use crate::core::lanes::{At, Lanes};

/// Pairs in an octet, and in a sequence of thirteen octets after the second.
const PAIRS: u64 = 3;
const OF_THIRTEEN: u64 = 11 * PAIRS;

/// The last unit of the sequence that was open before the beat, as of stage `ends`: its lane, modulo a power of two as [`Ends`](super::ends::Ends)
/// has it, and whether it is in the beat or before.
#[derive(Clone, Copy)]
pub(super) struct Before<'m> {
    pub(super) lane: At<'m>,
    pub(super) near: At<'m>,
    pub(super) past: At<'m>,
}

/// The last header of a beat, as of stage `broken`.
struct LastHeader<'m> {
    /// The digits, the last first, each with a bit above that is 1 if the unit is a digit.
    digits: Vec<At<'m>>,
    /// The pairs in the units of the beat after it.
    pairs_after: At<'m>,
    /// The sum of its digits modulo three.
    sum: At<'m>,
    /// FF of thirteen octets takes its place.
    is_thirteen: At<'m>,
    /// There is one.
    any: At<'m>,
}

/// Counts the pairs. `tells` says which units tell of an end, as of stage `near`; lanes have `bits` bits.
pub(super) fn pairs<'m>(
    making: &Making<'_, 'm>,
    headers: &Headers<'m>,
    tells: &Lanes<'m>,
    bits: u32,
) -> Before<'m> {
    let Making { stages, lanes, limit, .. } = making;
    let count_bits = usize::BITS - lanes.leading_zeros();
    // The pairs of the beat.
    let count = making.count(count_bits).at(stages.near);
    let of_beat = count.zext(count_bits + 2) + At::concat([count, making.lit(1, 0)]).zext(count_bits + 2);
    let of_beat = of_beat.registered("pairs_of_beat");
    let last = last_header(making, headers, tells, of_beat);
    let broken = stages.broken;
    making.section(broken, "the pairs of bits after the last header");
    let header_bits = limit.count() as u32 * DIGIT_BITS;
    let width = limit.pairs_bits().max(bits + 4).max(header_bits + 1);
    // The pairs of a pad less those of a beat, in two's complement.
    let offset_bits = (count_bits + 2).max(6) + 1;
    let number = |value: u64| making.lit(offset_bits, value);
    let mut is_header = !last.is_thirteen;
    let mut nme = Vec::new();
    for (back, &digit) in last.digits.iter().enumerate() {
        is_header = (is_header & digit.bit(DIGIT_BITS)).named(&format!("last_header_has_{back}"));
        nme.push(digit.bits(0..DIGIT_BITS).masked(is_header));
    }
    let doubled = At::concat(nme.into_iter().rev().chain([making.lit(1, 0)]));
    let doubled = if doubled.width() < width { doubled.zext(width) } else { doubled };
    // The digits and the pad are doubled.
    let pairs_of = |pad: u64| number(2 * (LEAST_DIGITS + pad) - 1).signal();
    let of_header =
        last.sum.map(|sum| sum.case([(&[1][..], pairs_of(2)), (&[2][..], pairs_of(1))], pairs_of(0)));
    let of_header = of_header.named("pairs_of_pad");
    let constant = last.is_thirteen.mux(number(OF_THIRTEEN - 1), of_header);
    // One stage for each sum: there are as many as the copies of ends take.
    let offset = (constant - last.pairs_after.zext(constant.width())).registered("pairs_offset");
    let sign = offset.bit(offset_bits - 1);
    let signs = (width > offset_bits).then(|| sign.map(|sign| sign.repeat((width - offset_bits) as usize)));
    let offset = At::concat(signs.into_iter().chain([offset]));
    let told = (offset + doubled.registered("pairs_of_header")).called("pairs_told");

    let at = stages.alive;
    making.section(at, "the pairs of bits still to come");
    let note = "those after the last unit before the beat, less one";
    let (pairs, register) = making.state("pairs_reg", width, at, note);
    let is_past = pairs.bit(width - 1);
    let less = pairs - of_beat.at(at).zext(width);
    making.load(register, last.any.at(at).mux(told.at(at), is_past.mux(pairs, less)));
    let most = PAIRS * *lanes as u64 - 1;
    let is_near = !is_past & pairs.map(|pairs| pairs.le(making.lit(width, most).signal()));
    Before {
        lane: last_lane(making, pairs, bits).registered("end_before"),
        near: is_near.registered("end_near_before"),
        past: is_past.registered("end_past_before"),
    }
}

/// The lane of the last unit, modulo a power of two, if those pairs are still to come.
fn last_lane<'m>(making: &Making<'_, 'm>, pairs: At<'m>, bits: u32) -> At<'m> {
    // Three times the inverse of three is one modulo a power of two.
    let modulo = 1u64 << bits;
    let inverse = (0..modulo).find(|inverse| inverse * PAIRS % modulo == 1).expect("three is odd");
    let arms = (0..modulo).map(|lane| {
        let pairs = (lane + 1) * PAIRS - 1;
        debug_assert_eq!((pairs + 1) * inverse % modulo, (lane + 1) % modulo);
        ([pairs % modulo], making.m.lit(bits, lane))
    });
    let arms: Vec<_> = arms.collect();
    let lane = pairs.bits(0..bits).map(|pairs| pairs.case_of(arms[1..].iter().cloned(), arms[0].1));
    lane.named("last_lane")
}

/// Finds the last header of the beat.
fn last_header<'m>(
    making: &Making<'_, 'm>,
    headers: &Headers<'m>,
    tells: &Lanes<'m>,
    of_beat: At<'m>,
) -> LastHeader<'m> {
    let Making { stages, lanes, units, limit, .. } = making;
    let (near, at) = (stages.near, stages.pads);
    making.section(near, "the last unit that tells of an end");
    let is_last = making.all("tells_last", |lane| {
        let after = At::any_of(tells[lane + 1..].iter().copied());
        after.map_or(tells[lane], |after| tells[lane] & !after)
    });
    let any = At::any_of(tells.iter().copied()).expect("a lane").called("tells_any");
    let is_last = is_last.at(at);
    making.section(at, "the digits of the last header");
    let chosen = |name: &str, make: &dyn Fn(usize) -> At<'m>| {
        let of = |lane: usize| make(lane).at(at).masked(is_last[lane]);
        At::any_of((0..*lanes).map(of)).expect("a lane").registered(name)
    };
    let digits = (0..limit.count() as i32).map(|back| {
        chosen(&format!("last_header_digit_{back}"), &|lane| {
            let lane = lane as i32 - back;
            At::concat([units.is_digit(lane).at(at), units.digit(lane).at(at)])
        })
    });
    // The pairs after the header follow from the lane of its last unit.
    let up_to = |lane: usize| making.lit(of_beat.width(), PAIRS * (lane as u64 + 1)).masked(is_last[lane]);
    let up_to = At::any_of((0..*lanes).map(up_to)).expect("a lane");
    LastHeader {
        digits: digits.collect(),
        pairs_after: (of_beat - up_to).registered("pairs_after_header"),
        sum: chosen("last_header_sum", &|lane| headers.sums[lane]),
        is_thirteen: chosen("last_is_thirteen", &|lane| headers.begins_thirteen[lane]),
        any,
    }
}
