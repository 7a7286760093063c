//! From slots to events, as in [other systems](crate::core::one_lane::encoder::events), but with what becomes of every
//! single limb.

use super::event::{LimbEvent, StreamEvent};
use super::format::{
    BLOCK_START, HELD_BITS, LIMB_BITS, START_OF_0, START_OF_1, START_OF_THIRTEEN, short_forms,
};
use super::head::{HeadMarks, OpenHead};
use crate::core::FEWEST_DIGITS;
use crate::core::one_lane::encoder::groups::{GroupMarks, Groups};
use crate::core::one_lane::encoder::slot_stage::SlotInput;
use crate::core::one_lane::encoder::writer::Writer;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::shared::limbs::{within_edge, zero_digits};
use crate::netlist::{Builder, Signal};

/// Makes events of slots: code points of up to `limit` digits, and errors of everything else.
pub(super) fn events<'m>(
    m: &'m Builder,
    input: SlotInput<'m>,
    long: LongSlot<'m>,
    limit: u64,
) -> StreamEvent<'m> {
    let SlotInput { slots, stage } = input;
    let group_marks = GroupMarks::new(m, input, long, true);
    let marks = SlotMarks::new(m, input, group_marks, limit);
    let slots = stage.slot(slots, stage.data("slot_data_reg", slots.data));
    let OneSlotBeat { valid, last, keep, error, data, .. } = slots;
    let long = slots.long.expect("slots keep their heads and limbs in the stage");
    let taken = stage.taken(slots, group_marks.arrives);
    let groups = Groups::new(m, slots, long, group_marks, stage.buffer_ready(), taken);
    let start = marks.start;
    let limb = GroupLimb::new(m, slots, long, groups, marks);

    m.section("Events: the meaning of the slots");
    let (open, opens) = (groups.open, groups.opens);
    let breaks = (open & keep & !(error | long.limb)).named("slot_breaks");
    let breaks = breaks.note("a slot in a group that neither belongs to it nor is an error");
    let head = (keep & long.head & opens & !breaks & !last).named("head_makes_none");
    let goes_by = (head | limb.goes_by).named("event_goes_by");
    let valid = (valid & (last | keep)).named("event_valid");
    let code_point = (keep & !(error | long.head | long.limb)).named("is_code_point");
    let keep = (keep | open).named("event_keep").note("the end of a frame inside a group is an error");
    let good = code_point | head | limb.good;
    let start = long.limb.mux(limb.held_start, start).when(slots.keep);
    let what = LimbEvent {
        goes_by,
        whole: limb.whole,
        streamed: limb.streamed,
        opens: limb.opens,
        head: (limit > FEWEST_DIGITS).then_some(opens),
        places: limb.places,
        data,
    };
    StreamEvent {
        valid,
        last,
        keep,
        error: (keep & !good).named("event_error"),
        aborts: Some(
            (breaks & (last | !opens)).named("event_aborts").note("an error comes before the event"),
        ),
        start: Some(limb.streamed.mux(limb.streamed_start, start).named("event_start")),
        what,
    }
}

/// The facts on a slot by itself.
struct SlotMarks<'m> {
    /// The position of the first unit, if the slot is a code point.
    start: Signal<'m>,
    head: HeadMarks<'m>,
    /// The head announces more than 3 limbs.
    above_3: Signal<'m>,
    first_limb: FirstLimbMarks<'m>,
    /// The position of the first unit of a code point of two limbs, if the slot is the first of them.
    start_of_2: Signal<'m>,
}

/// The facts on a slot as a first limb, from the slot alone.
#[derive(Clone, Copy)]
struct FirstLimbMarks<'m> {
    /// Zero digits in front.
    zeros: Signal<'m>,
    not_zero: Signal<'m>,
    /// The limb, as the first of three, belongs to a code point that is too long to be held whole.
    past_held: Signal<'m>,
    within_edge: Option<Signal<'m>>,
}

impl<'m> SlotMarks<'m> {
    fn new(m: &'m Builder, input: SlotInput<'m>, groups: GroupMarks<'m>, limit: u64) -> Self {
        m.section("Class of a code point, a head and a first limb");
        let SlotInput { slots: OneSlotBeat { data, .. }, stage } = input;
        let forms = short_forms();
        let start = forms.fit(m, data).start.expect("forms of different lengths");
        let start_of_2 = forms.long_start(m, data);
        let past_held = data.bits(HELD_BITS - 2 * LIMB_BITS..LIMB_BITS).any();
        let past_held =
            past_held.named("past_held").note("the first of three limbs, with more than 71 bits in all");
        Self {
            head: HeadMarks::new(m, limit, data, stage),
            above_3: stage.data("slot_above_3_reg", groups.above_3.expect("limbs are counted")),
            first_limb: FirstLimbMarks {
                zeros: stage.data("slot_zeros_reg", zero_digits(m, data)),
                not_zero: stage.data("slot_not_zero_reg", data.any().named("slot_not_zero")),
                past_held: stage.data("slot_past_held_reg", past_held),
                within_edge: within_edge(limit, data)
                    .map(|within| stage.data("slot_within_edge_reg", within)),
            },
            start_of_2: stage.data("slot_long_start_reg", start_of_2),
            start: stage.data("slot_start_reg", start),
        }
    }
}

/// The facts on a slot as a limb of the open group.
struct GroupLimb<'m> {
    goes_by: Signal<'m>,
    whole: Signal<'m>,
    streamed: Signal<'m>,
    opens: Signal<'m>,
    places: Signal<'m>,
    /// The position of the first unit that the limb completes, or the zero digits before the first; if the code
    /// point is streamed.
    streamed_start: Signal<'m>,
    /// The position of the code point's first unit, if that is held.
    held_start: Signal<'m>,
    /// The limb is no error: more are to follow, or it is the last of a code point of the system.
    good: Signal<'m>,
}

impl<'m> GroupLimb<'m> {
    fn new(
        m: &'m Builder,
        slots: OneSlotBeat<'m>,
        long: LongSlot<'m>,
        groups: Groups<'m>,
        marks: SlotMarks<'m>,
    ) -> Self {
        m.section("Long code points: the head and the first limb tell how long they are");
        let Groups { open, taken, limb_awaited, .. } = groups;
        let head_taken = (taken & long.head).named("head_taken");
        let head = OpenHead::new(m, marks.head, head_taken);
        let inside = (open & slots.keep & long.limb).named("limb_inside").note("a limb of the open group");
        let of_3 = m.stage(head_taken).data("of_3_reg", slots.data.bit(0));
        let up_to_3 = m.stage(head_taken).data("up_to_3_reg", !marks.above_3);
        let lengths = HeldLengths {
            of_3: of_3.note("the group has three limbs, not two, if no more"),
            up_to_3: up_to_3.note("the group has no more than three limbs"),
        };
        let first_place = head.place;
        let plan = GroupPlan::new(m, groups, inside, (marks.first_limb, marks.start_of_2), head, lengths);

        m.section("Limbs: the place of each in its block of three");
        let next_place = m.reg("place_reg", 2).note("place of the next limb");
        let place = plan.first.mux(first_place, next_place.q).named("place");
        let at_0 = !place.any();
        next_place.next_when(taken, m.concat([at_0, place.bit(1)]));
        // A limb continues where the one before it ended.
        let arms = [(&[2][..], m.lit(4, BLOCK_START)), (&[1], m.lit(4, START_OF_1))];
        let start = place.case(arms, m.lit(4, START_OF_0)).named("start_at_place");
        let zeros = marks.first_limb.zeros.zext(4);
        let streamed_start = plan.first.mux(zeros, start).named("start_of_streamed");
        let awaited = (slots.keep & limb_awaited & !slots.last).named("more_awaited");
        // A group has at least two limbs, so its first limb is not its last.
        let ends = (inside & !limb_awaited).named("group_ends");
        let whole = (ends & plan.held).named("event_whole");
        let streamed = (inside & plan.streamed).named("event_streamed");
        Self {
            goes_by: awaited & !plan.streamed,
            whole,
            streamed,
            opens: (streamed & plan.first).named("event_opens"),
            places: whole.mux(m.concat([lengths.of_3, m.lit(1, 1)]), place).named("event_places"),
            streamed_start,
            held_start: plan.held_start,
            good: awaited | ends & (plan.held | plan.streamed_before),
        }
    }
}

/// The number of limbs, by the head, of code points that are held whole.
#[derive(Clone, Copy)]
struct HeldLengths<'m> {
    of_3: Signal<'m>,
    up_to_3: Signal<'m>,
}

/// The treatment of a group, by its head and first limb.
struct GroupPlan<'m> {
    /// The slot, if it is a limb, is the first.
    first: Signal<'m>,
    /// The slot, if it is a limb of the group, is streamed;
    streamed: Signal<'m>,
    /// so were the limbs before it,
    streamed_before: Signal<'m>,
    /// or they are held.
    held: Signal<'m>,
    /// The position of the code point's first unit, if it is held.
    held_start: Signal<'m>,
}

impl<'m> GroupPlan<'m> {
    fn new(
        m: &'m Builder,
        groups: Groups<'m>,
        inside: Signal<'m>,
        (limb, start_of_2): (FirstLimbMarks<'m>, Signal<'m>),
        head: OpenHead<'m>,
        lengths: HeldLengths<'m>,
    ) -> Self {
        let Groups { opens, taken, .. } = groups;
        let first = m.stage(taken).data("behind_head_reg", opens).named("is_first");
        let first = first.note("the slot, if it is a limb, is the first");
        let at_edge = head.at_edge.zip(limb.within_edge).map(|(at_edge, within)| at_edge & within);
        let in_limit = head.within.map(|within| at_edge.map_or(within, |at_edge| within | at_edge));

        let HeldLengths { of_3, up_to_3 } = lengths;
        let held_first = (up_to_3 & !(of_3 & limb.past_held)).named("held_first");
        let within = in_limit.map_or(limb.not_zero, |in_limit| limb.not_zero & in_limit);
        let within = within.named("first_within").note("the first limb is within the limit");

        let streamed_before = m.reg("streamed_reg", 1).note("the open group is written limb by limb");
        let held = m.reg("held_reg", 1).note("the open group is held whole");
        let streamed = first.mux(within & !held_first, streamed_before.q).named("limb_streamed");
        streamed_before.next_when(taken, inside & streamed);
        held.next_when(taken, inside & first.mux(limb.not_zero & held_first, held.q));
        let start = of_3.mux(m.lit(4, START_OF_THIRTEEN), start_of_2);
        let held_start = m.stage(taken & first).data("held_start_reg", start);
        Self {
            first,
            streamed,
            streamed_before: streamed_before.q,
            held: held.q,
            held_start: held_start.note("units that follow the first, if the group is held"),
        }
    }
}
