//! Groups of limbs in a beat of slots: which limbs are awaited, which of them is the last, and whether the system has the code point.

use super::super::code_bits;
use super::{Beat, Slot};
use crate::core::System;
use crate::core::lanes::scan::{Carries, Copies};
use crate::core::lanes::{At, Lanes, section};
use crate::core::many_lanes::logic::exceeds;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::Builder;

/// Bits of a hexadecimal digit.
const DIGIT_BITS: u64 = 4;

/// The part of a slot in a group, by the slot itself: stage 1.
pub(super) struct InGroup<'m> {
    is_limb: At<'m>,
    /// The slot is the head of two limbs or more, and their number.
    opens: At<'m>,
    number: At<'m>,
    /// The rules for the first limb; `None` where the system has no code points of several limbs.
    long: Option<Long<'m>>,
}

/// Whether the system has a code point of several limbs: by its number of limbs, and by the first limb.
struct Long<'m> {
    /// The slot is the head of fewer limbs than the longest code points have, and of as many.
    is_shorter: At<'m>,
    is_longest: At<'m>,
    /// The slot, as a first limb, is one after either head.
    fits_any: At<'m>,
    fits_longest: At<'m>,
}

/// The most bits of a code point.
fn most_bits(system: System) -> u64 {
    match system {
        System::UtfInf8 { digits } => DIGIT_BITS * digits,
        _ => code_bits(system).into(),
    }
}

impl<'m> InGroup<'m> {
    pub(super) fn new(system: System, lane: u32, data: At<'m>, [is_head, is_limb]: [At<'m>; 2]) -> Self {
        let next = |signal: At<'m>, name: &str| signal.next(&format!("slot_{lane}_{name}"));
        let bits = most_bits(system);
        let limb_bits = u64::from(SLOT_DATA_BITS);
        let long = (bits > limb_bits).then(|| {
            // The longest code points have that number of limbs, and as many bits in the first.
            let longest = bits.div_ceil(limb_bits);
            let first = (bits - limb_bits * (longest - 1)) as u32;
            let fits_any = data.any();
            let fits = match first {
                SLOT_DATA_BITS => fits_any,
                _ => fits_any & !data.bits(first..SLOT_DATA_BITS).any(),
            };
            Long {
                is_shorter: next(data.lt(data.lit(SLOT_DATA_BITS, longest)), "is_shorter"),
                is_longest: next(data.is(longest), "is_longest"),
                fits_any: next(fits_any, "fits_any"),
                fits_longest: next(fits, "fits_longest"),
            }
        });
        Self {
            is_limb: next(is_limb, "is_limb"),
            opens: next(is_head & data.bits(1..SLOT_DATA_BITS).any(), "opens"),
            number: next(data, "number"),
            long,
        }
    }
}

/// The groups of a beat.
pub(super) struct Groups<'m> {
    /// For each lane: a group is open after its slot, and limbs of the group are still to come.
    is_inside: Lanes<'m>,
    /// For each lane: its slot is the last limb of a group, of a code point that the system has; `None` if there are none.
    pub(super) is_whole: Option<Lanes<'m>>,
    /// A group is open before the beat.
    is_open: At<'m>,
}

impl<'m> Groups<'m> {
    pub(super) fn new(m: &'m Builder, beat: &Beat<'m>, lanes: u32) -> Self {
        let of = |slot: &Slot<'m>| slot.group.as_ref().map(|group| (group.is_limb, group.opens));
        let of = |slot: &Slot<'m>| of(slot).expect("slots of the long bus have groups");
        let is_limb = beat.each("is_limb", |slot| of(slot).0);
        let opens = beat.each("opens", |slot| of(slot).1);
        section(m, 1, "the lane of a group's last limb");
        let head = last_heads(beat, lanes);
        let bits = lanes.ilog2();
        let end = |head: At<'m>| head.bits(1..bits + 2);
        let found = head.some.end().stage();
        let left = Left::new(m, beat, &head, lanes);
        let good = good(m, beat);
        let at = left.is_open.stage();
        let good = good.map(|good| good.at(at));
        let each = |lane: usize| {
            let value = head.values[lane];
            let in_beat = head.some[lane] & value.bit(0);
            let at = lane as u64;
            let goes_on = in_beat & end(value).map(|end| exceeds(end, at));
            let ends = in_beat & end(value).is(at);
            let other = |name: &str, here: At<'m>, before: At<'m>| {
                let here = here.called(&format!("{name}_by_head_{lane}"));
                let before = before & !head.some[lane].at(found);
                (is_limb[lane] & (here | before)).named(&format!("limb_{lane}_{name}"))
            };
            let [more, last] = left.of_lane(lane);
            let inside = opens[lane] | other("is_awaited", goes_on, more);
            (inside, other("is_last", ends, last))
        };
        let (inside, last): (Vec<At>, Vec<At>) = (0..lanes as usize).map(each).unzip();
        let whole = good.map(|good| last.iter().zip(good.iter()).map(|(&last, &good)| last & good).collect());
        let registered = |name: &str, lanes: Vec<At<'m>>| {
            let lanes = Lanes::new(name, lanes);
            lanes.at(lanes[0].stage() + 1)
        };
        Self {
            is_inside: registered("is_inside", inside),
            is_whole: whole.map(|whole| registered("is_whole", whole)),
            is_open: left.is_open,
        }
    }

    /// The slot of a lane ends nothing, since its group goes on.
    pub(super) fn goes_on(&self, beat: &Beat<'m>, lane: usize) -> At<'m> {
        let cut = match beat.slots.get(lane + 1) {
            Some(next) => (next.cuts | !next.is & beat.last).called(&format!("group_is_cut_after_{lane}")),
            None => beat.last,
        };
        self.is_inside[lane] & !cut
    }

    /// The beat cuts a group of earlier beats short before its first slot.
    pub(super) fn cut_before(&self, beat: &Beat<'m>) -> At<'m> {
        let first = &beat.slots[0];
        let cuts = (beat.valid.at(1) & (first.cuts | !first.is & beat.last)).called("beat_cuts");
        (self.is_open & cuts).named("cut_before")
    }
}

/// For each lane the last slot up to it that is no limb: from the low bits up, whether it opens a group, the lane of the group's last limb,
/// its own lane, and the number of limbs.
fn last_heads<'m>(beat: &Beat<'m>, lanes: u32) -> Copies<'m> {
    let bits = lanes.ilog2();
    let each = |(lane, slot): (usize, &Slot<'m>)| {
        let InGroup { is_limb, opens, number, .. } =
            *slot.group.as_ref().expect("slots of the long bus have groups");
        let lit = |width: u32, value: u64| opens.lit(width, value);
        // All ones are past the beat: a group that the lane before the last opens, or the last one, ends there at the earliest.
        let end = match lane + 2 < lanes as usize {
            false => lit(bits + 1, (2 << bits) - 1),
            true => {
                let is_far = number.bits(bits..SLOT_DATA_BITS).any();
                let near = number.bits(0..bits).zext(bits + 1);
                let near = if lane > 0 { near + lit(bits + 1, lane as u64) } else { near };
                is_far.mux(lit(bits + 1, (2 << bits) - 1), near)
            }
        };
        let own = (bits > 0).then(|| lit(bits, lane as u64));
        (slot.is & !is_limb, At::concat([number].into_iter().chain(own).chain([end, opens])))
    };
    let (some, values): (Vec<At>, Vec<At>) = beat.slots.iter().enumerate().map(each).unzip();
    Copies { some: Lanes::new("is_no_limb", some), values: Lanes::new("head", values) }.copied("last_head")
}

/// For each lane: its slot is a limb after a first limb that fits, if it is one of a group; `None` where there are no code points of several
/// limbs. In the stage of a scan after the slots.
fn good<'m>(m: &'m Builder, beat: &Beat<'m>) -> Option<Lanes<'m>> {
    let group = |slot: &'_ Slot<'m>| slot.group.as_ref().expect("slots of the long bus have groups").opens;
    beat.slots[0].group.as_ref()?.long.as_ref()?;
    section(m, 1, "first limbs that the system has");
    let head = |slot: &Slot<'m>| {
        let of = slot.group.as_ref().and_then(|group| group.long.as_ref()).expect("all lanes have it");
        At::concat([of.is_longest, of.is_shorter, group(slot)])
    };
    let registers = beat.valid.registers().at(1);
    let before = registers.state("head_before_reg", 3);
    let slots = &beat.slots;
    let last = slots.iter().enumerate().map(|(lane, slot)| {
        let is_last = slots.get(lane + 1).map_or(slot.is, |next| slot.is & !next.is);
        head(slot).masked(is_last)
    });
    let last = At::any_of(last).expect("a lane").named("head_of_beat");
    let earlier = At::new(registers, before.q, 1);
    let moves = beat.valid.at(1) & slots[0].is;
    registers.load(before, moves.mux(last, earlier).signal());
    let heads = beat.each("head_class", head).before(earlier);
    let (sets, keeps): (Vec<At>, Vec<At>) = slots
        .iter()
        .zip(heads.iter())
        .map(|(slot, head)| {
            let of = slot.group.as_ref().expect("slots of the long bus have groups");
            let long = of.long.as_ref().expect("all lanes have it");
            let fits = head.bit(1) & long.fits_any | head.bit(2) & long.fits_longest;
            (of.is_limb & head.bit(0) & fits, !slot.is | of.is_limb & !head.bit(0))
        })
        .unzip();
    let [sets, keeps] =
        [("starts_good", sets), ("keeps_good", keeps)].map(|(name, all)| Lanes::new(name, all));
    let (valid, last) = (beat.valid.at(1), beat.last.at(1));
    Some(Carries { sets, keeps, invert: false, valid, last }.carried("group_is_good").after)
}

/// The limbs that groups of earlier beats still await.
struct Left<'m> {
    /// There are some.
    is_open: At<'m>,
    /// The number is greater than that of any lane of the beat, and its low bits.
    is_many: At<'m>,
    low: At<'m>,
}

impl<'m> Left<'m> {
    /// Counts the limbs, two stages after the last `heads` are known.
    fn new(m: &'m Builder, beat: &Beat<'m>, heads: &Copies<'m>, lanes: u32) -> Self {
        let bits = lanes.ilog2();
        let (is_head, head) = (heads.some.end(), heads.values.end());
        let found = head.stage();
        section(m, found, "limbs that are awaited after the beat");
        let number = head.bits(head.width() - SLOT_DATA_BITS..head.width());
        let wide = SLOT_DATA_BITS + 1;
        let count = |stage: u32| beat.count.at(stage).zext(wide);
        // The limbs after the head are those after its lane.
        let own = if bits > 0 { head.bits(bits + 2..2 * bits + 2).zext(wide) } else { head.lit(wide, 0) };
        let behind = (count(found) - own - head.lit(wide, 1)).called("limbs_after_head").at(found + 1);
        let number = number.zext(wide).called("limbs_of_head").at(found + 1) - behind;
        let awaits = head.at(found + 1).bit(0) & !number.bit(SLOT_DATA_BITS);
        let at = found + 2;
        let from_head = number.bits(0..SLOT_DATA_BITS).masked(awaits).called("awaited_after_head").at(at);

        section(m, at, "limbs that are awaited by a head of an earlier beat");
        let registers = beat.valid.registers().at(at);
        let left = registers.state("limbs_left_reg", SLOT_DATA_BITS);
        let before = At::new(registers, left.q, at);
        let less = (before.zext(wide) - count(at)).named("limbs_left_less_beat");
        let rest = less.bits(0..SLOT_DATA_BITS).masked(!less.bit(SLOT_DATA_BITS));
        let next = is_head.mux(from_head, rest).masked(!beat.last);
        registers.load(left, beat.valid.at(at).mux(next, before).signal());
        Self {
            is_open: before.any().named("group_is_open"),
            is_many: before.bits(bits + 1..SLOT_DATA_BITS).any().named("many_limbs_are_left"),
            low: before.bits(0..bits + 1),
        }
    }

    /// A limb of this lane, with nothing but limbs below, is awaited and not the last; and it is the last.
    fn of_lane(&self, lane: usize) -> [At<'m>; 2] {
        let limbs = lane as u64 + 1;
        let most = (1 << self.low.width()) - 1;
        let more =
            if limbs < most { self.is_many | self.low.map(|low| exceeds(low, limbs)) } else { self.is_many };
        [more, !self.is_many & self.low.is(limbs)]
    }
}
