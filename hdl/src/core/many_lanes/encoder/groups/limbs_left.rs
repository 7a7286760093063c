//! The number of limbs that groups of earlier beats still await.

use super::Slots;
use crate::core::lanes::At;
use crate::core::many_lanes::encoder::movement::Movement;
use crate::core::many_lanes::encoder::sizes::Sizes;
use crate::core::many_lanes::logic::{bits_of, exceeds, is_less, sum};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// The last slot of some lanes that is no limb.
#[derive(Clone, Copy)]
struct LastHead<'m> {
    /// There is one.
    is: At<'m>,
    /// The slot is the head of a group of `number` limbs.
    opens: At<'m>,
    number: At<'m>,
    /// The high part of the number is not zero.
    is_high: At<'m>,
    /// The number of limbs that follow the head; `None` if none can.
    behind: Option<At<'m>>,
    /// How many slots the lanes hold.
    slots: At<'m>,
}

/// The limbs that the last head of the beat awaits after the beat, in the stage in which the beat has been searched: the low and the high part of their number, which are
/// zero if there is no head, or if the frame ends.
pub(super) struct OfBeat<'m> {
    /// The beat has no slot but limbs, and the frame goes on: limbs that were awaited before the beat still are.
    stays: At<'m>,
    low: At<'m>,
    /// The number is not zero.
    is_low: At<'m>,
    /// The low part has borrowed from the high part.
    owed: At<'m>,
    high: At<'m>,
    /// The high part is not zero.
    many: At<'m>,
    /// Slots of the beat.
    slots: At<'m>,
}

/// Finds the last slot of the beat that is no limb. `last`: the beat ends its frame.
pub(super) fn last_head<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    last: At<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> OfBeat<'m> {
    let of_lane = |lane: usize| LastHead {
        is: slots.is_no_limb[lane],
        opens: slots.opens[lane],
        number: slots.number[lane],
        is_high: slots.number_is_high[lane],
        behind: None,
        slots: slots.kept[lane],
    };
    let mut heads: Vec<LastHead> = (0..sizes.lanes).map(of_lane).collect();
    let title = |step| format!("the last head of {} lanes", 2 << step);
    for step in sizes.search(sizes.class() - 1).begin(m, title) {
        let joined = |(index, pair): (usize, &[LastHead<'m>])| {
            let [first, second] = pair else { unreachable!("lanes are a power of two") };
            let lane = index << (step.number + 1);
            let put = |what: &str, signal: At<'m>| {
                step.put(&format!("last_head_{what}_of_group_{index}"), signal.on(movement.lane(lane)))
            };
            let width = step.number + 1;
            let added = |what: &str, a: At<'m>, b: At<'m>, width: u32| {
                let name = format!("last_head_{what}_of_group_{index}_{}_{}", step.to(), step.number);
                a.map(|a| {
                    let bits = sum(&name, &bits_of(a), &bits_of(b.signal()), None, width as usize);
                    m.concat(bits.into_iter().rev())
                })
            };
            let behind_first = match first.behind {
                None => second.slots.zext(width),
                Some(behind) => added("sum_behind", behind, second.slots, width),
            };
            let behind = match second.behind {
                None => behind_first.masked(!second.is),
                Some(behind_second) => second.is.pick(behind_second.zext(width), behind_first),
            };
            LastHead {
                is: put("is", first.is | second.is),
                opens: put("opens", second.is.mux(second.opens, first.opens)),
                number: put("number", second.is.mux(second.number, first.number)),
                is_high: put("is_high", second.is.mux(second.is_high, first.is_high)),
                behind: Some(put("behind", behind)),
                slots: put("slots", added("sum_of_slots", first.slots, second.slots, width + 1)),
            }
        };
        heads = heads.chunks(2).enumerate().map(joined).collect();
    }
    let LastHead { is, opens, number, is_high, behind, slots } = heads[0];
    let at = is.stage();
    m.stage_section(at, "limbs that are awaited after the beat");
    let last = last.at(at);
    let low_bits = sizes.low_bits_of_limbs();
    let behind = behind.expect("there are several lanes").zext(low_bits).named("limbs_behind_head");
    let (low, high) = (number.bits(0..low_bits), number.bits(low_bits..SLOT_DATA_BITS));
    let goes_on = (opens & !last).named("group_may_go_on");
    let many = (goes_on & is_high).named("head_awaits_many");
    let less = |name: &str, a: At<'m>, b: At<'m>| a.map(|a| is_less(name, a, b.signal()));
    let put = |name: &str, signal: At<'m>| signal.on(movement.registers(0)).stored(name);
    OfBeat {
        // The empty beat of the cycle after reset clears the count.
        stays: put("limbs_left_stay_reg", !is & !last & !movement.flushes(at)),
        low: put("head_low_reg", (low - behind).masked(goes_on)),
        is_low: put("head_is_low_reg", many | (goes_on & less("head_awaits", behind, low))),
        owed: put("head_owed_reg", many & less("head_borrows", low, behind)),
        high: put("head_high_reg", high.masked(goes_on)),
        many: put("head_many_reg", many),
        slots: put("slots_reg", slots.zext(low_bits)),
    }
}

/// Most bits of a piece of the high part of a number of limbs.
const PIECE: u32 = 9;

/// The limbs that are awaited after the beats before, in the stage in which the beat has been searched.
pub(super) struct Left<'m> {
    /// There are more than the beat has slots, whatever `low` is.
    pub(super) many: Signal<'m>,
    /// There are `low` of them, if not `many`.
    pub(super) is_low: Signal<'m>,
    low: Signal<'m>,
}

/// Counts the limbs of groups that continue from beat to beat.
///
/// The number has a low part, and a high part in pieces. A borrow of a piece is subtracted from the next piece one beat later, and the test
/// of all pieces for zero takes one beat more: the low part lasts for as many beats. So no carry is long, and a flag beside each piece keeps
/// that test short. If the low part borrows and the high part is zero, the flag `limbs_left` is cleared, and the low part no longer counts.
pub(super) fn limbs_left<'m>(
    m: &'m Builder,
    beat: &OfBeat<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Left<'m> {
    let enable = movement.registers(0).at(beat.stays.stage() + 1).enable;
    let [stays, of_low, is_some, owed, of_high, is_many, slots] =
        [beat.stays, beat.low, beat.is_low, beat.owed, beat.high, beat.many, beat.slots].map(At::signal);
    let low = m
        .reg("limbs_left_low_reg", sizes.low_bits_of_limbs())
        .note("limbs that are awaited after the beats before");
    let is_low = m.reg("limbs_left_reg", 1).note("there are some: if not many, that number");
    let many = m.reg("limbs_left_many_reg", 1).note("the high part is not zero, or was not two beats ago");
    let borrows = is_less("low_part_borrows", low.q, slots);
    let outlasts = is_less("low_part_outlasts", slots, low.q);
    low.next_when(enable, of_low | (low.q - slots).masked(stays));
    is_low.next_when(enable, is_some | (stays & (many.q | (is_low.q & outlasts))));
    let mut owed_next = owed | (stays & borrows & many.q);
    let mut some_pieces = Vec::new();
    let high_bits = SLOT_DATA_BITS - sizes.low_bits_of_limbs();
    let piece_bits = high_bits.div_ceil(high_bits.div_ceil(PIECE));
    for from in (sizes.low_bits_of_limbs()..SLOT_DATA_BITS).step_by(piece_bits as usize) {
        let to = (from + piece_bits).min(SLOT_DATA_BITS);
        let owed = m.reg(&format!("limbs_left_owed_{from}_reg"), 1);
        if some_pieces.is_empty() {
            owed.note("the part below has borrowed from this piece");
        }
        owed.next_when(enable, owed_next);
        let piece = m.reg(&format!("limbs_left_{from}_reg"), to - from);
        let paid = (piece.q - owed.q.zext(to - from)).named(&format!("limbs_left_{from}_paid"));
        let of_head = of_high.bits(from - sizes.low_bits_of_limbs()..to - sizes.low_bits_of_limbs());
        piece.next_when(enable, of_head | paid.masked(stays));
        owed_next = stays & owed.q & !piece.q.any();
        let some = m.reg(&format!("limbs_left_{from}_some_reg"), 1);
        if some_pieces.is_empty() {
            some.note("this piece is not zero, or was loaded with a high part that is not");
        }
        // A piece that equals its debt is zero once the debt is paid.
        let stays_some = (piece.q ^ owed.q.zext(to - from)).any();
        some.next_when(enable, is_many | (stays & stays_some));
        some_pieces.push(some.q);
    }
    let is_high = m.concat(some_pieces.into_iter().rev()).any();
    many.next_when(enable, is_many | (stays & is_high));
    Left { many: many.q, is_low: is_low.q, low: low.q }
}

/// For each lane: a limb in the lane, with nothing but limbs below, is awaited by a head of an earlier beat, and not the last.
pub(super) fn awaited_before<'m>(left: &Left<'m>, sizes: &Sizes) -> Vec<Signal<'m>> {
    let (bits, most) = (sizes.lane_bits(), sizes.lanes as u64);
    let fills = (left.many | (left.is_low & left.low.bits(bits..left.low.width()).any()))
        .named("limbs_left_fill_beat");
    let of_lane = |limbs: u64| match limbs {
        // One test for all lanes, and one of few bits for each.
        limbs if limbs + 1 < most => fills | (left.is_low & exceeds(left.low.bits(0..bits), limbs)),
        limbs if limbs < most => fills,
        limbs => left.many | (left.is_low & exceeds(left.low, limbs)),
    };
    (1..=most).map(of_lane).collect()
}
