//! Whether sequences after FF are alive, and where they end.

use super::Making;
use super::breach::Breaches;
use super::headers::Headers;
use super::pairs::{Before, pairs};
use crate::core::lanes::scan::{Carries, Copies, levels};
use crate::core::lanes::{At, Lanes};

/// Bits of the phase: 16 octets are three limbs.
const PHASE_BITS: u32 = 4;
/// Octets after the second of thirteen.
const AFTER_SECOND: u64 = 11;

/// The ends of sequences. Lanes are modulo a power of two: 16, or the number of lanes if greater.
pub(super) struct Ends<'m> {
    /// The unit continues an open sequence, unless the sequence has ended before the unit; stage `alive`.
    pub(super) alive: Lanes<'m>,
    /// The header of the unit's sequence ends in the beat; stage `alive`.
    pub(super) is_told: Lanes<'m>,
    /// In that case: the lane of the last unit of the sequence; stage `alive`.
    pub(super) lane: Lanes<'m>,
    /// In that case: the last unit is in the beat; stage `alive`.
    pub(super) near: Lanes<'m>,
    /// The end of the sequence that was open before the beat; stage `ends`.
    pub(super) before: Before<'m>,
}

/// Storage octets of a code point with `nme` digits more than eighteen.
fn octets(nme: u64) -> u64 {
    (nme + 20) / 3 * 2
}

/// Finds the ends.
pub(super) fn ends<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>, breaches: &Breaches<'m>) -> Ends<'m> {
    let Making { stages, lanes, units, beat, .. } = making;
    let (near, broken, at) = (stages.near, stages.broken, stages.alive);
    making.section(near, "where the sequences of headers end");
    let bits = levels(*lanes).max(PHASE_BITS);
    let said = making.all("end_said", |lane| {
        let end = lane as u64 + AFTER_SECOND;
        let is_near = u64::from(end < *lanes as u64);
        let of_thirteen = making.lit(bits + 1, is_near << bits | end & ((1 << bits) - 1));
        let begins = headers.begins_thirteen[lane];
        of_header(making, headers, lane, bits).masked(!begins) | of_thirteen.masked(begins)
    });
    let some = making.all("tells_end", |lane| {
        (headers.ends[lane] | headers.begins_thirteen[lane]).named(&format!("lane_{lane}_tells_end"))
    });
    let found = Copies { some: some.at(broken), values: said.at(broken) }.copied("end");

    making.section(broken, "whether the sequence is alive");
    let is_trailing = |lane: usize| units.is_trailing(lane as i32).at(broken);
    let keeps = making.all("keeps_alive", |lane| {
        let keeps = is_trailing(lane) & !breaches.breaks[lane] | !units.valid(lane).at(broken);
        keeps.named(&format!("keeps_alive_of_lane_{lane}"))
    });
    let sets = making.all("sets_alive", |lane| {
        let sets = units.is_ff(lane as i32).at(broken) & units.valid(lane);
        sets.named(&format!("sets_alive_of_lane_{lane}"))
    });
    let carries = Carries { sets, keeps, invert: false, valid: beat.valid, last: beat.last };
    let alive = carries.carried("alive");
    let before = pairs(making, headers, &some, bits);
    let (some, values) = (found.some.at(at), found.values.at(at));
    Ends {
        alive: alive.after.at(at),
        is_told: some,
        lane: making.all("last_lane", |of| values[of].bits(0..bits)),
        near: making.all("ends_near", |of| values[of].bit(bits)),
        before,
    }
}

/// Computes the end of the sequence whose header ends in `lane`: the low `bits` bits of the last lane, and above them a flag that this
/// lane is in the beat.
fn of_header<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>, lane: usize, bits: u32) -> At<'m> {
    let Making { m, stages, lanes, units, .. } = making;
    let (lane_i, near) = (lane as i32, stages.near);
    // The phase follows from the last digit and the sum of all modulo three.
    let key = At::concat([headers.sums[lane], units.digit(lane_i).at(near).bits(0..3)]);
    let low = |nme: u64| (lane as u64 + octets(nme)) % 16;
    // The number of octets is even.
    let keys = |half: u64| -> Vec<u64> {
        (0..24).filter(|&nme| low(nme) / 2 == half).map(|nme| 8 * (nme % 3) + nme % 8).collect()
    };
    let arms = (1..8).map(|half| (keys(half), m.lit(PHASE_BITS - 1, half)));
    let half = key.map(|key| key.case_of(arms.collect::<Vec<_>>(), m.lit(PHASE_BITS - 1, 0)));
    let half = half.named(&format!("half_of_end_of_lane_{lane}"));
    let phase = At::concat([half, making.lit(1, lane as u64 % 2)]);
    // A sequence that ends in the beat of its header has at most two digits in the header.
    let within = (0..256).take_while(|&nme| lane as u64 + octets(nme) < *lanes as u64).last();
    let upper_bits = bits - PHASE_BITS;
    let Some(most) = within else {
        let above = (upper_bits > 0).then(|| making.lit(upper_bits, 0));
        return At::concat([Some(making.lit(1, 0)), above, Some(phase)].into_iter().flatten());
    };
    let is_digit = |back: i32| units.is_digit(lane_i - back).at(near);
    let upper = units.digit(lane_i - 1).at(near).masked(is_digit(1));
    let nme = At::concat([upper, units.digit(lane_i)]).named(&format!("header_digits_of_lane_{lane}"));
    let is_near = nme.map(|nme| nme.le(m.lit(8, most))) & !(is_digit(1) & is_digit(2));
    let above = (upper_bits > 0).then(|| {
        let of = |nme: u64| (lane as u64 + octets(nme)) >> PHASE_BITS;
        let first = of(0);
        (first + 1..=of(most)).fold(making.lit(upper_bits, first), |above, value| {
            let from = (0..=most).find(|&nme| of(nme) >= value).expect("it was counted");
            (!nme.lt(making.lit(8, from))).mux(making.lit(upper_bits, value), above)
        })
    });
    At::concat([Some(is_near), above, Some(phase)].into_iter().flatten())
}
