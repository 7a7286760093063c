//! Input: what slots come to, as in [the other systems](crate::core::one_lane::encoder::events), and what the limbs of a long code
//! point do.

use super::length::{Head, Heads, head, heads, within_edge, zero_digits};
use super::{BLOCK_START, HELD_BITS, LIMB, START_OF_0, START_OF_1, THIRTEEN, short_forms};
use crate::core::one_lane::encoder::groups::{Groups, Marks, groups, marks};
use crate::core::one_lane::encoder::slot_stage::SlotStage;
use crate::core::one_lane::encoder::write::Writer;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::system::FEWEST_DIGITS;
use crate::netlist::{Builder, Signal};

/// A beat of what slots come to.
#[derive(Clone, Copy)]
pub(super) struct Event<'m> {
    pub(super) valid: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// It holds something; without, it only ends its frame.
    pub(super) keep: Signal<'m>,
    /// It is an error; where it is a limb too, that comes first.
    pub(super) error: Signal<'m>,
    /// An error comes before it.
    pub(super) cut: Signal<'m>,
    /// It goes by: a limb to be held, or a slot of a group that is no code point.
    pub(super) goes_by: Signal<'m>,
    /// It is the last limb of a code point that is held.
    pub(super) whole: Signal<'m>,
    /// It is a limb of a code point that is written as it comes.
    pub(super) streamed: Signal<'m>,
    /// It is the first of these.
    pub(super) opens: Signal<'m>,
    /// Its slot is a head, and `data` the number of limbs; where code points that are written as they come differ in length.
    pub(super) head: Option<Signal<'m>>,
    /// Whether a limb is for place 2 or 1; where `whole`, whether there are limbs at these.
    pub(super) places: Signal<'m>,
    /// The position of the first unit; of a first limb that is written as it comes, how many zero digits are in front.
    pub(super) start: Signal<'m>,
    /// The code point or limb.
    pub(super) data: Signal<'m>,
}

impl<'m> Event<'m> {
    fn fields(self) -> [(&'static str, Signal<'m>); 11] {
        [
            ("beat_last", self.last),
            ("beat_keep", self.keep),
            ("beat_error", self.error),
            ("beat_cut", self.cut),
            ("beat_goes_by", self.goes_by),
            ("beat_whole", self.whole),
            ("beat_streamed", self.streamed),
            ("beat_opens", self.opens),
            ("beat_places", self.places),
            ("beat_start", self.start),
            ("beat_data", self.data),
        ]
    }

    /// Of a first limb that is written as it comes: it has one digit.
    pub(super) fn one_digit(self) -> Signal<'m> {
        self.start.bits(0..3).all()
    }

    /// All of it but `valid`, side by side.
    pub(super) fn payload(self, m: &'m Builder) -> Signal<'m> {
        m.concat(self.head.into_iter().chain(self.fields().map(|(_, field)| field)))
    }

    /// A beat like this one, out of its [`payload`](Self::payload) somewhere else.
    pub(super) fn unpacked(self, valid: Signal<'m>, payload: Signal<'m>) -> Self {
        let mut end = payload.width() - u32::from(self.head.is_some());
        let [last, keep, error, cut, goes_by, whole, streamed, opens, places, start, data] =
            self.fields().map(|(name, like)| {
                end -= like.width();
                payload.bits(end..end + like.width()).named(name)
            });
        let head = self.head.map(|_| payload.bit(payload.width() - 1).named("beat_head"));
        Self { valid, last, keep, error, cut, goes_by, whole, streamed, opens, head, places, start, data }
    }
}

/// Makes events of slots.
pub(super) fn events<'m>(
    m: &'m Builder,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
    long: LongSlot<'m>,
    limit: u64,
) -> Event<'m> {
    let marks = marks(m, (slots, cut), long, true);
    let (start, marked) = marked(m, (slots.data, cut), marks, limit);
    let slots = cut.slot(slots, cut.data("slot_data_reg", slots.data));
    let OneSlotBeat { valid, last, keep, error, data, .. } = slots;
    let long = slots.long.expect("as in front of the cut");
    let taken = cut.taken(slots, marks.arrives);
    let groups = groups(m, slots, long, (cut.room, taken), marks);
    let limb = limbs(m, slots, long, groups, marked);

    m.section("Events: what the slot comes to");
    let (open, opens) = (groups.open, groups.opens);
    let cuts =
        (open & keep & !(error | long.limb)).named("slot_cuts").note("it is of no group, or of another one");
    let head = (keep & long.head & opens & !cuts & !last).named("head_makes_none");
    let goes_by = (head | limb.goes_by).named("event_goes_by");
    let valid = (valid & (last | keep)).named("event_valid");
    let code_point = (keep & !(error | long.head | long.limb)).named("is_code_point");
    let keep = (keep | open).named("event_keep").note("the end of a frame in a group is an error");
    let good = code_point | head | limb.good;
    Event {
        valid,
        last,
        keep,
        error: (keep & !good).named("event_error"),
        cut: (cuts & (last | !opens)).named("event_cut").note("an error comes first"),
        goes_by,
        whole: limb.whole,
        streamed: limb.streamed,
        opens: limb.opens,
        head: (limit > FEWEST_DIGITS).then_some(opens),
        places: limb.places,
        start: limb
            .streamed
            .mux(limb.on, long.limb.mux(limb.held_start, start).when(slots.keep))
            .named("event_start"),
        data,
    }
}

/// What a slot is as a head and as a first limb, by itself.
struct Marked<'m> {
    head: Head<'m>,
    /// Its number of limbs is more than 3.
    above_3: Signal<'m>,
    limb: FirstLimb<'m>,
    /// The position of the first unit of a code point of two limbs, by the first.
    start: Signal<'m>,
}

/// What a slot is as a first limb.
#[derive(Clone, Copy)]
struct FirstLimb<'m> {
    /// Zero digits in front.
    zeros: Signal<'m>,
    not_zero: Signal<'m>,
    /// Of three limbs: they are too long to be held.
    past_held: Signal<'m>,
    within_edge: Option<Signal<'m>>,
}

/// The position of the first unit of a code point, and what a slot is as a part of a longer one.
fn marked<'m>(
    m: &'m Builder,
    (data, cut): (Signal<'m>, SlotStage<'m>),
    marks: Marks<'m>,
    limit: u64,
) -> (Signal<'m>, Marked<'m>) {
    m.section("What a code point, a head and a first limb are, each by itself");
    let forms = short_forms();
    let start = forms.fit(m, data).start.expect("forms of different lengths");
    let long_start = forms.long_start(m, data);
    let past_held = data.bits(HELD_BITS - 2 * LIMB..LIMB).any();
    let past_held = past_held.named("past_held").note("of three limbs: more than 71 bits");
    let marked = Marked {
        head: head(m, limit, data, cut),
        above_3: cut.data("slot_above_3_reg", marks.above_3.expect("limbs are counted")),
        limb: FirstLimb {
            zeros: cut.data("slot_zeros_reg", zero_digits(m, data)),
            not_zero: cut.data("slot_not_zero_reg", data.any()),
            past_held: cut.data("slot_past_held_reg", past_held),
            within_edge: within_edge(limit, data).map(|within| cut.data("slot_within_edge_reg", within)),
        },
        start: cut.data("slot_long_start_reg", long_start),
    };
    (cut.data("slot_start_reg", start), marked)
}

/// What a slot is as a limb.
struct Limb<'m> {
    goes_by: Signal<'m>,
    whole: Signal<'m>,
    streamed: Signal<'m>,
    opens: Signal<'m>,
    places: Signal<'m>,
    /// The position of the first unit, where the code point is written as it comes, and where it is held.
    on: Signal<'m>,
    held_start: Signal<'m>,
    /// It is no error: more are to follow, or it is the last of a code point of the system.
    good: Signal<'m>,
}

/// What becomes of a group, as its first limb tells.
struct Fate<'m> {
    /// The slot is that limb, if it is a limb.
    first: Signal<'m>,
    /// It is one of a code point that is written as it comes, if it is a limb of a group.
    streamed: Signal<'m>,
    /// So were those before it,
    streamed_on: Signal<'m>,
    /// or they are held.
    held_on: Signal<'m>,
    /// The position of the first unit, of one that is held.
    held_start: Signal<'m>,
    /// It has three limbs, if it is held.
    of_3: Signal<'m>,
}

fn limbs<'m>(
    m: &'m Builder,
    slots: OneSlotBeat<'m>,
    long: LongSlot<'m>,
    groups: Groups<'m>,
    marked: Marked<'m>,
) -> Limb<'m> {
    m.section("Long code points: the head and the first limb tell how long they are");
    let Groups { open, taken, limb_awaited, final_limb, .. } = groups;
    let Marked { head, above_3, limb, start } = marked;
    let head_taken = (taken & long.head).named("head_taken");
    let heads = heads(m, head, head_taken);
    let inside = (open & slots.keep & long.limb).named("limb_inside").note("it is a limb of a group");
    let fate = fate(m, slots, groups, (inside, head_taken), (&heads, limb, start, above_3));
    let Fate { first, streamed, streamed_on, held_on, .. } = fate;

    m.section("Limbs: the place of each in its block of three");
    let next_place = m.reg("place_reg", 2).note("limbs that follow the next in its block");
    let place = first.mux(heads.place, next_place.q).named("place");
    let at_0 = !place.any();
    next_place.next_when(taken, m.concat([at_0, place.bit(1)]));
    // A limb goes on where the one before it ended.
    let on = place.case([(&[2], m.lit(4, BLOCK_START)), (&[1], m.lit(4, START_OF_1))], m.lit(4, START_OF_0));
    let on = first.mux(limb.zeros.zext(4), on).named("start_of_streamed");
    let awaited = (slots.keep & limb_awaited & !slots.last).named("more_awaited");
    // A group has two limbs at least, so the first is not the last.
    let ends = (inside & final_limb.expect("limbs are counted")).named("group_ends");
    let whole = (ends & held_on).named("event_whole");
    let event_streamed = (inside & streamed).named("event_streamed");
    Limb {
        goes_by: awaited & !streamed,
        whole,
        streamed: event_streamed,
        opens: (event_streamed & first).named("event_opens"),
        places: whole.mux(m.concat([fate.of_3, m.lit(1, 1)]), place).named("event_places"),
        on,
        held_start: fate.held_start,
        good: awaited | ends & (held_on | streamed_on),
    }
}

fn fate<'m>(
    m: &'m Builder,
    slots: OneSlotBeat<'m>,
    groups: Groups<'m>,
    (inside, head_taken): (Signal<'m>, Signal<'m>),
    (heads, limb, start, above_3): (&Heads<'m>, FirstLimb<'m>, Signal<'m>, Signal<'m>),
) -> Fate<'m> {
    let Groups { opens, taken, .. } = groups;
    let register = |name: &str, next: Signal<'m>| {
        let register = m.reg(name, next.width());
        register.next_when(taken, next);
        register.q
    };
    let first = register("behind_head_reg", opens).named("is_first").note("the slot, if it is a limb");
    let at_edge = heads.at_edge.zip(limb.within_edge).map(|(at_edge, within)| at_edge & within);
    let in_limit = heads.within.map(|within| at_edge.map_or(within, |at_edge| within | at_edge));

    let of_3 = m.reg("of_3_reg", 1).note("the group has three limbs, if not more");
    let up_to_3 = m.reg("up_to_3_reg", 1).note("it has no more");
    of_3.next_when(head_taken, slots.data.bit(0));
    up_to_3.next_when(head_taken, !above_3);
    let held_first = (up_to_3.q & !(of_3.q & limb.past_held)).named("held_first");
    let within = in_limit.map_or(limb.not_zero, |in_limit| limb.not_zero & in_limit).named("first_within");

    let streamed_on = m.reg("streamed_reg", 1).note("in a group that is written as it comes");
    let held_on = m.reg("held_reg", 1).note("in a group that is held");
    let start_on = m.reg("held_start_reg", 4).note("units that follow the first, if it is held");
    let streamed = first.mux(within & !held_first, streamed_on.q).named("limb_streamed");
    streamed_on.next_when(taken, inside & streamed);
    held_on.next_when(taken, inside & first.mux(limb.not_zero & held_first, held_on.q));
    let start = of_3.q.mux(m.lit(4, THIRTEEN), start);
    start_on.next_when(taken & first, start);
    Fate {
        first,
        streamed,
        streamed_on: streamed_on.q,
        held_on: held_on.q,
        held_start: start_on.q,
        of_3: of_3.q,
    }
}
