//! Whether sequences behind FF are alive, and where they end.

use super::Making;
use super::breach::Breaches;
use super::headers::Headers;
use super::pairs::{Before, pairs};
use super::units::{is_digit, is_ff, is_trailing};
use crate::core::many_lanes::decoder::copies::{Copies, copies};
use crate::core::many_lanes::decoder::lookahead::{Carries, look_ahead};
use crate::core::many_lanes::decoder::plan::levels;
use crate::netlist::Signal;

/// Bits of the phase: 16 octets are three limbs.
const PHASE_BITS: u32 = 4;
/// Octets behind the second of thirteen.
const BEHIND_SECOND: u64 = 11;

/// What is found, as of stage `ends`.
pub(super) struct Ends<'m> {
    /// The unit goes on with a sequence that is alive, if that has not ended before it.
    pub(super) alive: Vec<Signal<'m>>,
    /// The lane of the sequence's last unit, modulo the bits, of which there are as many as a phase has, and as lanes need.
    pub(super) lane: Vec<Signal<'m>>,
    /// That lane is in the beat.
    pub(super) near: Vec<Signal<'m>>,
    /// The lane is before the beat.
    pub(super) past: Vec<Signal<'m>>,
}

/// Storage octets of a code point of so many digits more than eighteen.
fn octets(nme: u64) -> u64 {
    (nme + 20) / 3 * 2
}

/// The ends.
pub(super) fn ends<'m>(making: &Making<'_, 'm>, headers: &Headers<'m>, breaches: &Breaches<'m>) -> Ends<'m> {
    let Making { m, pipeline, stages, lanes, units, .. } = making;
    let (m, lanes, near) = (*m, *lanes, stages.near);
    m.stage_section(near, "where the sequences of headers end");
    let bits = levels(lanes).max(PHASE_BITS);
    let said = making.all(|lane| {
        let lane_i = lane as i32;
        // The phase follows from the last digit and the sum of all modulo three.
        let key = m.concat([headers.sums[lane], units.digit(lane_i, near).bits(0..3)]);
        let low = |nme: u64| (lane as u64 + octets(nme)) % 16;
        // The number of octets is even.
        let keys = |half: u64| -> Vec<u64> {
            (0..24).filter(|&nme| low(nme) / 2 == half).map(|nme| 8 * (nme % 3) + nme % 8).collect()
        };
        let arms = (1..8).map(|half| (keys(half), m.lit(PHASE_BITS - 1, half)));
        let half = key.case_of(arms.collect::<Vec<_>>(), m.lit(PHASE_BITS - 1, 0));
        let half = half.named(&format!("half_of_end_{lane}"));
        let phase = m.concat([half, m.lit(1, lane as u64 % 2)]);
        // Of what ends in the beat, the header has two digits at most.
        let within = (0..256).take_while(|&nme| lane as u64 + octets(nme) < lanes as u64).last();
        let (is_near, above) = match within {
            None => (m.lit(1, 0), (bits > PHASE_BITS).then(|| m.lit(bits - PHASE_BITS, 0))),
            Some(most) => {
                let is_digit = |back: i32| units.flag("is_digit", lane_i - back, near, is_digit);
                let upper = units.digit(lane_i - 1, near) & is_digit(1).repeat(4);
                let nme =
                    m.concat([upper, units.digit(lane_i, near)]).named(&format!("header_digits_{lane}"));
                let is_near = nme.le(m.lit(8, most)) & !(is_digit(1) & is_digit(2));
                let above = (bits > PHASE_BITS).then(|| {
                    let count = bits - PHASE_BITS;
                    let of = |nme: u64| (lane as u64 + octets(nme)) >> PHASE_BITS;
                    let first = of(0);
                    let mut above = m.lit(count, first);
                    for value in first + 1..=of(most) {
                        let from = (0..=most).find(|&nme| of(nme) >= value).expect("it was counted");
                        above = (!nme.lt(m.lit(8, from))).mux(m.lit(count, value), above);
                    }
                    above
                });
                (is_near, above)
            }
        };
        let of_header = m.concat([Some(is_near), above, Some(phase)].into_iter().flatten());
        let end = lane as u64 + BEHIND_SECOND;
        let is_near = u64::from(end < lanes as u64);
        let of_thirteen = m.lit(bits + 1, is_near << bits | end & ((1 << bits) - 1));
        let begins = headers.begins_thirteen[lane];
        of_header & (!begins).repeat(bits as usize + 1) | of_thirteen & begins.repeat(bits as usize + 1)
    });
    let some = making
        .all(|lane| (headers.ends[lane] | headers.begins_thirteen[lane]).named(&format!("tells_end_{lane}")));
    let said = making.all_later("end_said", &said, near, stages.broken);
    let some_then = making.all_later("tells_end", &some, near, stages.broken);
    let found = copies(m, "end", Copies { some: some_then, values: said }, stages.broken, pipeline);

    m.stage_section(stages.broken, "whether the sequence is alive");
    let broken = stages.broken;
    let is_ff_at = |lane: usize| units.flag("is_ff", lane as i32, broken, is_ff) & units.valid(lane, broken);
    let hands_on = making.all(|lane| {
        let trailing = units.flag("trailing", lane as i32, broken, is_trailing);
        trailing & !breaches.breaks[lane] | !units.valid(lane, broken)
    });
    let [valid, last] = [making.valid_at("alive", broken), making.last_at("alive", broken)];
    let carries = Carries { sets: making.all(is_ff_at), hands_on, invert: false, valid, last };
    let alive = look_ahead(m, "alive", carries, broken, pipeline);
    let Before { lane: before, near: near_before, past: past_before } = pairs(making, headers, &some, bits);

    let at = stages.alive;
    let later = |name: &str, signals: &[Signal<'m>]| making.all_later(name, signals, at, stages.ends);
    let some = later("end_told", &found.some);
    let values = later("end", &found.values);
    let alive = later("alive", &alive.behind);
    m.stage_section(stages.ends, "where the sequence ends");
    Ends {
        alive,
        lane: making
            .all(|of| some[of].mux(values[of].bits(0..bits), before).named(&format!("last_lane_of_{of}"))),
        near: making
            .all(|of| some[of].mux(values[of].bit(bits), near_before).named(&format!("ends_near_{of}"))),
        past: making.all(|of| (!some[of] & past_before).named(&format!("ended_before_{of}"))),
    }
}
