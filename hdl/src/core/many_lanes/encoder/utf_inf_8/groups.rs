//! Groups of limbs, slot by slot: what becomes of each.

use super::Making;
use super::steps::Step;
use crate::core::FEWEST_DIGITS;
use crate::core::shared::code_points::above;
use crate::core::shared::limbs::{LIMB_BITS, LIMB_DIGITS, Sums, place, within_edge, zero_digits};
use crate::core::shared::ports::{SLOT_DATA_BITS, SLOT_USER_BITS};
use crate::netlist::Signal;

/// Bits of the first of three limbs in a code point that is written whole: of 71 bits.
const TOP_BITS: u32 = 7;
/// Bits of the number of digits above the fewest.
const ABOVE_BITS: u32 = 32;
/// Bits of a number of limbs up to seven, which is called few.
const FEW_BITS: u32 = 3;
/// Bits of the largest code point of seven units.
const SEVEN_BITS: u32 = 36;

/// The effect of the slot of a step, in stage 3.
pub(super) struct Events<'m> {
    /// The replacement of a group comes before the slot; the slot is an error.
    pub(super) cuts: Signal<'m>,
    pub(super) error: Signal<'m>,
    /// The frame ends after the slot and cuts a group: the replacement follows the slot.
    pub(super) cut_behind: Signal<'m>,
    /// The slot is a code point; the last limb of one that is written whole; a limb of another.
    pub(super) code_point: Signal<'m>,
    pub(super) whole: Signal<'m>,
    pub(super) limb: Signal<'m>,
    /// The limb is the first of its code point; the number of zero digits that it begins with.
    pub(super) opens: Signal<'m>,
    pub(super) zeros: Signal<'m>,
    /// How many limbs follow the limb in its block.
    pub(super) place: Signal<'m>,
    /// The two limbs before: the nearer one, and the bits of the other that a code point can have that is written whole.
    pub(super) before: Signal<'m>,
    pub(super) top: Signal<'m>,
    /// The two limbs are too large for a code point of seven units.
    pub(super) past_seven: Signal<'m>,
    /// Digits above the fewest.
    pub(super) above: Signal<'m>,
}

/// The slot of a step by itself, in stage 2.
struct Alone<'m> {
    /// The step holds a slot. This and the next four are 0 if there is no step, so that the enables of groups take few LUTs.
    slot: Signal<'m>,
    /// The slot is a head, a limb, a code point.
    is_head: Signal<'m>,
    is_limb: Signal<'m>,
    is_code: Signal<'m>,
    /// The step holds no slot and ends the frame.
    end: Signal<'m>,
    /// The `tdata` of the slot is at least 2, is up to 3, is up to 7, is not zero.
    is_many: Signal<'m>,
    up_to_3: Signal<'m>,
    few: Signal<'m>,
    not_zero: Signal<'m>,
    /// The slot, as the first of three limbs, is too large for a code point that is written whole.
    past_held: Signal<'m>,
    /// The slot, as the last limb but one, is too large for a code point of seven units.
    past_seven: Signal<'m>,
    /// The place of the first limb, if the slot is a head; the number of zero digits that the slot begins with, if it is a limb.
    place_of_head: Signal<'m>,
    zeros: Signal<'m>,
    /// The number of limbs is below the limit of digits, or at the limit, if the slot is a head. The slot is within the limit, if it is the first
    /// limb of a head at the limit. `None` where the limit needs no test.
    within: Option<Signal<'m>>,
    at_edge: Option<Signal<'m>>,
    within_edge: Option<Signal<'m>>,
    data: Signal<'m>,
    /// The frame ends with the step.
    last: Signal<'m>,
    /// The step is the last one of the slot; `None` where each slot is one step.
    done: Option<Signal<'m>>,
}

fn alone<'m>(making: &Making<'_, 'm>, step: &Step<'m>) -> Alone<'m> {
    let Making { m, stages, digits, .. } = *making;
    m.stage_section(1, "the slot by itself");
    let at_2 = |name: &str, signal| stages.later(name, signal, 1, 2);
    let (user, data) = (step.user[0], step.data[0]);
    let long = user.bits(1..SLOT_USER_BITS).all().named("one_is_long");
    let (most, over) = (digits / LIMB_DIGITS, digits % LIMB_DIGITS);
    let of_step = |name: &str, is: Signal<'m>| {
        let register = m.reg(&format!("{name}_2_reg"), 1).reset(0);
        register.next_when(stages.enable(), stages.valid(1) & is);
        register.q
    };
    let slot = step.slot;
    // Only the upper bits are compared with zero in stage 1, and the others in stage 2: comparisons that share most of their bits make a long path.
    let own = at_2("one_data", data);
    let past_held = at_2("past_held", data.bits(TOP_BITS..LIMB_BITS).any());
    let has_bit_from =
        |bit: u32| (past_held | own.bits(bit..TOP_BITS).any()).named(&format!("has_bit_from_{bit}"));
    Alone {
        slot: of_step("one_slot", slot),
        is_head: of_step("is_head", slot & long & !user.bit(0)),
        is_limb: of_step("is_limb", slot & long & user.bit(0)),
        is_code: of_step("is_code", slot & !user.any()),
        end: of_step("is_end", step.end),
        is_many: has_bit_from(1),
        up_to_3: !has_bit_from(2),
        few: !has_bit_from(FEW_BITS),
        place_of_head: at_2("place_of_head", place(m, data, Sums::Logic)),
        zeros: at_2("zeros", zero_digits(m, data)),
        not_zero: has_bit_from(0),
        past_seven: has_bit_from(SEVEN_BITS - LIMB_BITS),
        past_held,
        within: above(data, most.into()).map(|above| at_2("head_within", !above)),
        at_edge: (over > 0).then(|| at_2("head_at_edge", data.is(most + 1))),
        within_edge: within_edge(digits, data).map(|within| at_2("limb_within_edge", within)),
        data: own,
        last: at_2("group_last", step.last),
        done: step.done.map(|done| at_2("group_done", done)),
    }
}

/// Follows groups.
pub(super) fn groups<'m>(making: &Making<'_, 'm>, step: &Step<'m>) -> Events<'m> {
    let Making { m, stages, .. } = *making;
    let alone = alone(making, step);
    let Alone { is_head, is_limb, is_code, is_many, up_to_3, few, not_zero, past_held, past_seven, .. } =
        alone;
    let Alone { place_of_head, zeros, within, at_edge, within_edge, data, slot, end, last, done, .. } = alone;

    m.stage_section(2, "where in a group the slot stands");
    let stage = stages.stage(3);
    let takes = |name: &str, what: Signal<'m>| {
        (done.map_or(what, |done| what & done) & stages.enable()).named(&format!("group_takes_{name}"))
    };
    let on_step = takes("step", stages.valid(2));
    let (on_slot, on_head, on_limb) = (takes("slot", slot), takes("head", is_head), takes("limb", is_limb));
    let open = m.reg("group_open_reg", 1).reset(0).note("limbs are still to come");
    let head_reg = |name: &str, signal| m.stage(on_head).data(name, signal);
    let number = head_reg("limbs_reg", data.bits(0..ABOVE_BITS - 3));
    let of_3 = head_reg("of_3_reg", data.bit(0));
    let short = head_reg("up_to_3_reg", up_to_3);
    let within = within.map(|within| head_reg("within_reg", within));
    let at_edge = at_edge.map(|at_edge| head_reg("at_edge_reg", at_edge));
    let left = m.reg("limbs_left_reg", SLOT_DATA_BITS);
    left.next_when(on_slot, is_head.mux(data, left.q - m.lit(SLOT_DATA_BITS, 1)));
    let opens_group = (is_head & is_many).named("opens_group");
    let first = m.reg("is_first_reg", 1).note("the slot, if it is a limb, is the first");
    first.next_when(on_slot, opens_group);
    let inside = (open.q & is_limb).named("limb_inside");
    // A register says whether one limb is left, since the comparison of all bits of the number would make a long path. For that, another register
    // says whether few are left, which may be a slot late.
    let few_left = m.reg("few_left_reg", 1).note("few limbs are left; it may become 1 a slot late");
    few_left.next_when(on_slot, is_head.mux(few, few_left.q | !left.q.bits(FEW_BITS..SLOT_DATA_BITS).any()));
    let is_final = m.reg("is_final_reg", 1).note("the slot, if it is a limb, is the last");
    is_final.next_when(on_slot, !is_head & few_left.q & left.q.bits(0..FEW_BITS).is(2));
    let is_final = is_final.q;
    let awaited = (inside & !is_final).named("limb_awaited");
    open.next_when(on_step, slot.mux(opens_group | awaited, open.q & !end) & !last);
    let held_first = (short & !(of_3 & past_held)).named("held_first");
    let edge = at_edge.zip(within_edge).map(|(at_edge, within)| at_edge & within);
    let in_limit = within.map(|within| edge.map_or(within, |edge| within | edge));
    let fits = in_limit.map_or(not_zero, |in_limit| not_zero & in_limit).named("first_fits");
    let (streams, holds) = (m.reg("streams_reg", 1), m.reg("holds_reg", 1));
    let streams_now = first.q.mux(fits & !held_first, streams.q).named("streams_now");
    let holds_now = first.q.mux(not_zero & held_first, holds.q).named("holds_now");
    streams.next_when(on_limb, streams_now);
    holds.next_when(on_limb, holds_now);
    let place = m.reg("place_reg", 2).note("how many limbs follow the next limb in its block");
    let next_place = m.concat([!place.q.any(), place.q.bit(1)]);
    place.next_when(on_slot, is_head.mux(place_of_head, next_place));
    let before = m.stage(on_limb).data("limb_before_reg", data);
    let top = m.stage(on_limb).data("limb_before_that_reg", before.bits(0..TOP_BITS));
    // Both limbs are compared with zero before they are kept, since the path to the number of units is long.
    let past_seven = m.stage(on_limb).data("limb_before_past_seven_reg", past_seven);
    let has_top = m.stage(on_limb).data("has_limb_before_that_reg", before.bits(0..TOP_BITS).any());

    let cut_behind = slot & last & (opens_group | awaited);
    let cuts = open.q & (is_code | is_head);
    let bad_limb = is_limb & (!open.q | is_final & !(holds.q | streams.q));
    let bad_head = is_head & !is_many;
    let error = slot & (bad_limb | bad_head | !(is_code | is_head | is_limb)) | end & open.q;
    let limb = (inside & streams_now).named("limb_streams");
    let opens = (limb & first.q).named("limb_opens");
    // Eight digits a limb, less the zeros in front, less eighteen.
    let less = m.concat([m.lit(ABOVE_BITS - 5, 0), zeros.all(), !zeros.all()]);
    let eighths = number - less - m.lit(ABOVE_BITS - 3, 2);
    let above_bits = m.concat([eighths, m.lit(3, 6) - zeros]);
    debug_assert_eq!((above_bits.width(), FEWEST_DIGITS), (ABOVE_BITS, 18));
    let at_3 = |name: &str, signal| stage.data(&format!("{name}_3_reg"), signal);
    Events {
        cuts: at_3("cuts", cuts),
        error: at_3("own_error", error),
        cut_behind: at_3("cut_behind", cut_behind),
        code_point: at_3("code_point", is_code),
        whole: at_3("whole", inside & is_final & holds.q),
        limb: at_3("limb", limb),
        opens: at_3("opens", opens),
        zeros: at_3("zeros", zeros),
        place: at_3("place", place.q),
        before: at_3("limb_before", before.masked(!first.q)),
        top: at_3("limb_before_that", top.masked(of_3)),
        past_seven: at_3("past_seven", past_seven & !first.q | has_top & of_3),
        above: at_3("digits_above", above_bits),
    }
}
