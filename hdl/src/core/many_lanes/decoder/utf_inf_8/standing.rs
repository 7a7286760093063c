//! How each unit stands in a sequence behind FF, as a lane of a prefix system asks for it.

use super::Making;
use super::breach::Breaches;
use super::ends::Ends;
use super::headers::Headers;
use super::starts::Starts;
use super::units::{is_digit, is_ff, is_trailing};
use crate::core::many_lanes::logic::any_of;
use crate::netlist::Signal;

/// Units before one whose bits can be in a limb that it completes: each has a mask.
pub(in crate::core::many_lanes::decoder) const MASKS: usize = 5;
/// Bits left over behind a limb, by phase, and the octets behind it.
pub(in crate::core::many_lanes::decoder) const PHASES: [(u32, u64); 3] = [(0, 0), (2, 5), (4, 10)];

/// For each lane, as of stage `standing`: what the name of a port says.
pub(in crate::core::many_lanes::decoder) struct Standing<'m> {
    /// The unit goes on with a sequence behind FF.
    pub(in crate::core::many_lanes::decoder) goes_on: Vec<Signal<'m>>,
    /// Such a sequence is open behind it; where errors are dropped, and its head is out.
    pub(in crate::core::many_lanes::decoder) open: Vec<Signal<'m>>,
    /// The same before the beat.
    pub(in crate::core::many_lanes::decoder) open_before: Signal<'m>,
    /// It is the last of one.
    pub(in crate::core::many_lanes::decoder) last: Vec<Signal<'m>>,
    /// If it breaks one, the kind of error.
    pub(in crate::core::many_lanes::decoder) kind: Vec<Signal<'m>>,
    /// It makes a head certain: one that the header counts; another, and of three limbs.
    pub(in crate::core::many_lanes::decoder) counted: Vec<Signal<'m>>,
    pub(in crate::core::many_lanes::decoder) head: Vec<Signal<'m>>,
    pub(in crate::core::many_lanes::decoder) three: Vec<Signal<'m>>,
    /// It makes a limb certain: one of two bits, which waited for its head; and another, a bit for each of [`PHASES`].
    pub(in crate::core::many_lanes::decoder) late: Vec<Signal<'m>>,
    pub(in crate::core::many_lanes::decoder) limbs: Vec<Signal<'m>>,
    /// A bit for each unit before it, the nearest in the low bit: if it makes a limb certain, that has bits of the other unit.
    pub(in crate::core::many_lanes::decoder) masks: Vec<Signal<'m>>,
    /// The same for a head that the header counts: the other unit is one of its digits.
    pub(in crate::core::many_lanes::decoder) digits: Vec<Signal<'m>>,
}

/// How they stand.
pub(super) fn standing<'m>(
    making: &Making<'_, 'm>,
    starts: &Starts<'m>,
    headers: &Headers<'m>,
    breaches: &Breaches<'m>,
    ends: &Ends<'m>,
) -> Standing<'m> {
    let Making { m, stages, units, .. } = making;
    let (m, at, to) = (*m, stages.ends, stages.standing);
    let from_near = |name: &str, signals: &[Signal<'m>]| making.all_later(name, signals, stages.near, at);
    let reaches = from_near("header_reaches_now", &headers.reaches);
    let thirteen = from_near("thirteen_now", &headers.thirteen);
    let header_ends = from_near("header_ends_now", &headers.ends);
    let behind: Vec<Vec<Signal>> = (0..making.lanes)
        .map(|lane| {
            let later = |(n, &is): (usize, &Signal<'m>)| {
                making.later(lane, &format!("behind_header_{n}_now"), is, stages.near, at)
            };
            (1..=MASKS).zip(&headers.behind[lane]).map(later).collect()
        })
        .collect();
    let starts_behind = making.all_later("starts_behind_now", &starts.behind, stages.firsts, at);
    let in_pad = making.all_later("limb_in_pad_now", &breaches.limb_in_pad, stages.broken, at);
    let kinds = making.all_later("breach_kind_now", &breaches.kinds, stages.broken, to);

    m.stage_section(at, "how units stand in sequences behind FF");
    let zero = |lane: i32| units.flag("six_zero", lane, at, |unit| !unit.bits(0..6).any());
    let top = |lane: i32| units.flag("top", lane, at, |unit| unit.bits(4..6).any());
    let mut made: [Vec<Signal>; 10] = Default::default();
    for lane in 0..making.lanes {
        let lane_i = lane as i32;
        let valid = units.valid(lane, at);
        let trails = units.flag("trailing", lane_i, at, is_trailing) & ends.alive[lane] & valid;
        let trails = trails.named(&format!("trails_{lane}"));
        let in_header = (starts_behind[lane] | reaches[lane]).named(&format!("in_header_{lane}"));
        let in_storage = (trails & !in_header).named(&format!("in_storage_{lane}"));
        let width = ends.lane[lane].width();
        let number = |value: u64| m.lit(width, value & ((1 << width) - 1));
        // No lane stands before the first.
        let before = (lane > 0).then(|| ends.near[lane] & ends.lane[lane].lt(number(lane as u64)));
        let is_past = before.map_or(ends.past[lane], |before| ends.past[lane] | before);
        let is_past = is_past.named(&format!("is_past_{lane}"));
        let is_end = ends.near[lane] & ends.lane[lane].eq(number(lane as u64)) & !ends.past[lane];
        let is_end = is_end.named(&format!("is_end_{lane}"));
        let last = (in_storage & is_end).named(&format!("is_last_{lane}"));
        let goes_on = (trails & (in_header | !is_past)).named(&format!("goes_on_behind_ff_{lane}"));
        let stays = (in_storage & !is_past & !is_end).named(&format!("stays_open_{lane}"));

        let nth = |n: usize| behind[lane][n - 1];
        let of_13 = (stays & thirteen[lane]).named(&format!("in_thirteen_{lane}"));
        let first_head = (of_13 & nth(1) & !zero(lane_i)).named(&format!("first_head_{lane}"));
        let second_head = (of_13 & nth(2) & zero(lane_i - 1)).named(&format!("second_head_{lane}"));
        let late = of_13 & nth(3) & zero(lane_i - 2) & top(lane_i - 1);
        let limb = (stays & !in_pad[lane] & !second_head).named(&format!("limb_can_end_{lane}"));
        let phase = ends.lane[lane].bits(0..4);
        let limbs = PHASES.map(|(_, octets)| {
            let is = phase.is((lane as u64 + octets) % 16);
            limb & is
        });
        let counted = trails & header_ends[lane];
        // All bits of a limb are of its sequence, but in the first few units behind the header.
        let masks = (1..=MASKS).map(|back| {
            let fewer = any_of((1..=back).map(nth)).expect("a unit");
            !fewer
        });
        let open = match making.drops {
            false => units.flag("is_ff", lane_i, at, is_ff) & valid | goes_on & !last,
            true => {
                let told_13 = !nth(1) | !zero(lane_i);
                let told = header_ends[lane] | !in_header & (!thirteen[lane] | told_13);
                goes_on & !last & told
            }
        };
        let heads = [counted, first_head | second_head, first_head | second_head & top(lane_i)];
        let is_digit_at = |back: usize| units.flag("is_digit", lane_i - back as i32, at, is_digit);
        let digits = (1..making.limit.count().max(2))
            .map(|back| (1..=back).map(is_digit_at).reduce(|all, is| all & is).expect("a unit before it"));
        let digits = m.concat(digits.collect::<Vec<_>>().into_iter().rev());
        let signals = [goes_on, open, last]
            .into_iter()
            .chain(heads)
            .chain([
                late,
                m.concat(limbs.into_iter().rev()),
                m.concat(masks.collect::<Vec<_>>().into_iter().rev()),
            ])
            .chain([digits]);
        let names =
            ["goes_on", "open", "last", "counted", "head", "three", "late", "limbs", "masks", "digits"];
        for ((of, signal), name) in made.iter_mut().zip(signals).zip(names) {
            of.push(making.later(lane, &format!("tail_{name}"), signal, at, to));
        }
    }
    let [goes_on, open, last, counted, head, three, late, limbs, masks, digits] = made;
    let open_before = making.behind_last("tail_open", &open, to);
    Standing {
        goes_on,
        open,
        open_before,
        last,
        kind: kinds,
        counted,
        head,
        three,
        late,
        limbs,
        masks,
        digits,
    }
}

impl<'m> Standing<'m> {
    /// What each lane is told, by name.
    pub(in crate::core::many_lanes::decoder) fn ports(&self) -> [(&'static str, &[Signal<'m>]); 11] {
        [
            ("goes_on", &self.goes_on),
            ("open", &self.open),
            ("last", &self.last),
            ("kind", &self.kind),
            ("counted", &self.counted),
            ("head", &self.head),
            ("three", &self.three),
            ("late", &self.late),
            ("limbs", &self.limbs),
            ("masks", &self.masks),
            ("digits", &self.digits),
        ]
    }
}
