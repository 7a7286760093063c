//! The bits of a code point that are still to come behind a beat: the one number that may be large.
//!
//! It is counted in pairs of bits, less one: six bits are three pairs, so that nothing is divided by three, and behind the last
//! unit the number is negative. A code point of D digits with its pad has 2 D pairs.

use super::Making;
use super::headers::Headers;
use super::limit::{DIGIT_BITS, LEAST_DIGITS};
use super::units::is_digit;
use crate::core::many_lanes::decoder::pipeline::delay;
use crate::core::many_lanes::logic::any_of;
use crate::netlist::Signal;

/// Pairs in an octet, and in a sequence of thirteen octets behind the second.
const PAIRS: u64 = 3;
const OF_THIRTEEN: u64 = 11 * PAIRS;

/// The end of the sequence that was open before the beat, as of stage `ends`, as [`Ends`](super::ends::Ends) has it.
pub(super) struct Before<'m> {
    pub(super) lane: Signal<'m>,
    pub(super) near: Signal<'m>,
    pub(super) past: Signal<'m>,
}

/// Counts the pairs. `tells` says which units tell of an end, as of stage `near`; lanes have `bits` bits.
pub(super) fn pairs<'m>(
    making: &Making<'_, 'm>,
    headers: &Headers<'m>,
    tells: &[Signal<'m>],
    bits: u32,
) -> Before<'m> {
    let Making { m, stage, stages, lanes, units, limit, .. } = making;
    let (m, stage, lanes, near) = (*m, *stage, *lanes, stages.near);
    m.stage_section(near, "the last unit that tells of an end");
    let is_last = making.all(|lane| {
        let behind = any_of(tells[lane + 1..].iter().copied());
        behind.map_or(tells[lane], |behind| tells[lane] & !behind)
    });
    let any = any_of(tells.iter().copied()).expect("a lane");
    let is_last = making.all_later("tells_last", &is_last, near, stages.pads);
    let sums = making.all_later("last_sum", &headers.sums, near, stages.pads);
    let thirteens = making.all_later("last_thirteen", &headers.begins_thirteen, near, stages.pads);

    let at = stages.pads;
    m.stage_section(at, "the digits of the last header");
    let chosen = |make: &dyn Fn(usize) -> Signal<'m>| {
        let of = |lane: usize| {
            let signal = make(lane);
            signal & is_last[lane].repeat(signal.width() as usize)
        };
        any_of((0..lanes).map(of)).expect("a lane")
    };
    let to = stages.broken;
    let register = |name: &str, signal| stage.data(&format!("{name}_{to}_reg"), signal);
    let digits: Vec<Signal> = (0..limit.count() as i32)
        .map(|back| {
            let digit = chosen(&|lane| {
                let lane = lane as i32 - back;
                let is = units.flag("is_digit", lane, at, is_digit);
                m.concat([is, units.digit(lane, at)])
            });
            register(&format!("last_header_digit_{back}"), digit)
        })
        .collect();
    // What is known of it by its last lane: three pairs for each unit behind, and the pad.
    let count_bits = usize::BITS - lanes.leading_zeros();
    let behind = chosen(&|lane| m.lit(count_bits, lane as u64 + 1));
    let count = making.count_at("pairs_told", at, count_bits);
    let units_behind = register("units_behind_header", count - behind);
    let sum = register("last_header_sum", chosen(&|lane| sums[lane]));
    let is_thirteen = register("last_is_thirteen", chosen(&|lane| thirteens[lane]));
    let any = delay(stage, "tells_any", any, near, stages.alive);

    m.stage_section(to, "the pairs of bits behind the last header");
    let header_bits = limit.count() as u32 * DIGIT_BITS;
    let width = limit.pairs_bits().max(bits + 4).max(header_bits + 1);
    let number = |value: u64| m.lit(width, value & ((1 << width) - 1));
    let mut is_header = !is_thirteen;
    let mut nme = Vec::new();
    for (back, &digit) in digits.iter().enumerate() {
        is_header = (is_header & digit.bit(DIGIT_BITS)).named(&format!("last_header_has_{back}"));
        nme.push(digit.bits(0..DIGIT_BITS) & is_header.repeat(DIGIT_BITS as usize));
    }
    let nme = m.concat(nme.into_iter().rev());
    let doubled = m.concat([nme, m.lit(1, 0)]);
    let doubled = if doubled.width() < width { doubled.zext(width) } else { doubled };
    // The digits and the pad are doubled.
    let pairs_of = |pad: u64| number(2 * (LEAST_DIGITS + pad) - 1);
    let of_header = sum.case([(&[1][..], pairs_of(2)), (&[2][..], pairs_of(1))], pairs_of(0));
    let of_header = of_header.named("pairs_of_pad");
    let constant = is_thirteen.mux(number(OF_THIRTEEN - 1), of_header);
    let triple = |count: Signal<'m>| {
        let wide = count.zext(width);
        wide + m.concat([count, m.lit(1, 0)]).zext(width)
    };
    // One stage for each sum: there are as many as the copies of ends take.
    let constant = register_at(making, "pairs_offset", constant - triple(units_behind), stages.broken + 1);
    let doubled = register_at(making, "pairs_of_header", doubled, stages.broken + 1);
    let mut told = constant + doubled;
    for at in stages.broken + 2..=stages.alive {
        told = register_at(making, "pairs_told", told, at);
    }

    let at = stages.alive;
    m.stage_section(at, "the pairs of bits still to come");
    let valid = making.valid_at("pairs", at);
    let count = making.count_at("pairs", at, count_bits);
    let pairs = m.reg("pairs_reg", width).note("those behind the units so far, less one");
    let is_past = pairs.q.bit(width - 1);
    let less = pairs.q - triple(count);
    pairs.next_when(stage.enable & valid, any.mux(told, is_past.mux(pairs.q, less)));
    // Three times the inverse of three is one modulo a power of two.
    let modulo = 1u64 << bits;
    let inverse = (0..modulo).find(|inverse| inverse * PAIRS % modulo == 1).expect("three is odd");
    let arms = (0..modulo).map(|lane| {
        let pairs = (lane + 1) * PAIRS - 1;
        debug_assert_eq!((pairs + 1) * inverse % modulo, (lane + 1) % modulo);
        ([pairs % modulo], m.lit(bits, lane))
    });
    let arms: Vec<_> = arms.collect();
    let lane = pairs.q.bits(0..bits).case_of(arms[1..].iter().cloned(), arms[0].1);
    let lane = lane.named("last_lane");
    let most = PAIRS * lanes as u64 - 1;
    let is_near = !is_past & pairs.q.le(number(most));
    let ends = |name: &str, signal| stage.data(&format!("{name}_before_{}_reg", stages.ends), signal);
    Before { lane: ends("end", lane), near: ends("end_near", is_near), past: ends("end_past", is_past) }
}

fn register_at<'m>(making: &Making<'_, 'm>, name: &str, signal: Signal<'m>, at: u32) -> Signal<'m> {
    making.stage.data(&format!("{name}_{at}_reg"), signal)
}
