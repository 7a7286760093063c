//! Input: what slots come to, as in [the other systems](crate::core::encoder::events), and what the limbs of a long code
//! point do.

use super::length::{Head, Heads, Length, head, heads, length, within_edge, zero_digits};
use super::{BLOCK_START, HELD_BITS, LIMB, START_OF_0, START_OF_1, THIRTEEN, short_forms};
use crate::core::encoder::cut::Cut;
use crate::core::encoder::groups::{Groups, Marks, groups, marks};
use crate::core::encoder::write::Writer;
use crate::core::slot::{LongSlot, SlotBeat};
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
    /// Whether a limb is for place 2 or 1; where `whole`, whether there are limbs at these.
    pub(super) places: Signal<'m>,
    /// The position of the first unit; of a first limb that is written as it comes, anything.
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

    /// All of it but `valid`, side by side.
    pub(super) fn payload(self, m: &'m Builder) -> Signal<'m> {
        m.concat(self.fields().map(|(_, field)| field))
    }

    /// A beat like this one, out of its [`payload`](Self::payload) somewhere else.
    pub(super) fn unpacked(self, valid: Signal<'m>, payload: Signal<'m>) -> Self {
        let mut end = payload.width();
        let [last, keep, error, cut, goes_by, whole, streamed, opens, places, start, data] =
            self.fields().map(|(name, like)| {
                end -= like.width();
                payload.bits(end..end + like.width()).named(name)
            });
        Self { valid, last, keep, error, cut, goes_by, whole, streamed, opens, places, start, data }
    }
}

/// Makes events of slots; gives the length of the code point whose first limb was taken last, too. `opening_over` says that this
/// length is no longer needed.
pub(super) fn events<'m>(
    m: &'m Builder,
    (slots, cut): (SlotBeat<'m>, Cut<'m>),
    long: LongSlot<'m>,
    opening_over: Signal<'m>,
    limit: u64,
) -> (Event<'m>, Length<'m>) {
    let marks = marks(m, (slots, cut), long);
    let marked = marked(m, (slots.data, cut), long, marks, limit);
    let start = marked.start;
    let slots = cut.slot(slots, cut.data("slot_data_reg", slots.data));
    let SlotBeat { valid, last, keep, error, data, .. } = slots;
    let long = slots.long.expect("as in front of the cut");
    let taken = cut.taken(slots, marks.arrives);
    let groups = groups(m, slots, long, (cut.room, taken), marks);
    let limb = limbs(m, slots, long, groups, (marked, limit));

    m.section("Events: what the slot comes to");
    let (open, opens) = (groups.open, groups.opens);
    let cuts =
        (open & keep & !(error | long.limb)).named("slot_cuts").note("it is of no group, or of another one");
    // While a first limb is on its way, a head takes room, too: so a second one can't come before the length of the first
    // was used.
    let pending = m.reg("opening_pending_reg", 1).reset(0).note("a first limb is on its way");
    let head = (keep & long.head & opens & !cuts & !last).named("head_makes_none");
    let goes_by = (head | limb.goes_by).named("event_goes_by");
    let absorbed = (head & !pending.q | limb.absorbed).named("slot_absorbed");
    let opening = (valid & cut.room & limb.opens).named("opening_taken");
    // Known a cycle late: a head more takes room then.
    let over = m.reg("opening_over_reg", 1).reset(0).note("no first limb was on its way any more");
    over.next(opening_over & !opening);
    pending.next_when(opening | over.q, opening);
    let valid = (valid & (last | keep) & !absorbed).named("event_valid");
    let code_point = (keep & !(error | long.head | long.limb)).named("is_code_point");
    let keep = (keep | open).named("event_keep").note("the end of a frame in a group is an error");
    let good = code_point | goes_by | limb.whole | limb.streamed & !(groups.limb_awaited & last);
    let event = Event {
        valid,
        last,
        keep,
        error: (keep & !good).named("event_error"),
        cut: (cuts & (last | !opens)).named("event_cut").note("an error comes first"),
        goes_by,
        whole: limb.whole,
        streamed: limb.streamed,
        opens: limb.opens,
        places: limb.places,
        start: long.limb.mux(limb.start, start).when(slots.keep).named("event_start"),
        data,
    };
    (event, limb.length)
}

/// What a slot is as a head and as a first limb, by itself.
struct Marked<'m> {
    head: Head<'m>,
    /// Its number of limbs is more than 3.
    above_3: Signal<'m>,
    limb: FirstLimb<'m>,
    /// The position of the first unit: of a code point; of one of two limbs, by the first.
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

fn marked<'m>(
    m: &'m Builder,
    (data, cut): (Signal<'m>, Cut<'m>),
    long: LongSlot<'m>,
    marks: Marks<'m>,
    limit: u64,
) -> Marked<'m> {
    m.section("What a code point, a head and a first limb are, each by itself");
    let forms = short_forms();
    let start = forms.fit(m, data).start.expect("forms of different lengths");
    let start = long.limb.mux(forms.long_start(m, data), start).named("start_by_itself");
    let past_held = data.bits(HELD_BITS - 2 * LIMB..LIMB).any();
    let past_held = past_held.named("past_held").note("of three limbs: more than 71 bits");
    Marked {
        head: head(m, limit, data, cut),
        above_3: cut.data("slot_above_3_reg", marks.above_3),
        limb: FirstLimb {
            zeros: cut.data("slot_zeros_reg", zero_digits(m, data)),
            not_zero: cut.data("slot_not_zero_reg", data.any()),
            past_held: cut.data("slot_past_held_reg", past_held),
            within_edge: within_edge(limit, data).map(|within| cut.data("slot_within_edge_reg", within)),
        },
        start: cut.data("slot_start_reg", start),
    }
}

/// What a slot is as a limb.
struct Limb<'m> {
    goes_by: Signal<'m>,
    whole: Signal<'m>,
    streamed: Signal<'m>,
    opens: Signal<'m>,
    places: Signal<'m>,
    start: Signal<'m>,
    /// That of the code point whose first limb was taken last.
    length: Length<'m>,
    /// The slot is awaited, and makes nothing.
    absorbed: Signal<'m>,
}

/// What becomes of a group, as its first limb tells.
struct Fate<'m> {
    /// The slot is that limb, if it is a limb.
    first: Signal<'m>,
    /// It is a limb of a code point of the system.
    good: Signal<'m>,
    /// It is one that is written as it comes.
    streamed: Signal<'m>,
    /// The position of the first unit, of one that is held.
    held_start: Signal<'m>,
    /// It has three limbs, if it is held.
    of_3: Signal<'m>,
    /// It may be a limb of a code point of the system: it is the first, or those before it were.
    follows: Signal<'m>,
}

fn limbs<'m>(
    m: &'m Builder,
    slots: SlotBeat<'m>,
    long: LongSlot<'m>,
    groups: Groups<'m>,
    (marked, limit): (Marked<'m>, u64),
) -> Limb<'m> {
    m.section("Long code points: the head and the first limb tell how long they are");
    let Groups { taken, limb_awaited, final_limb, .. } = groups;
    let Marked { head, above_3, limb, start } = marked;
    let head_taken = (taken & long.head).named("head_taken");
    let heads = heads(m, limit, (head, slots.data), head_taken);
    let fate = fate(m, slots, long, groups, (&heads, limb, start, above_3));
    let Fate { first, good, streamed, .. } = fate;

    m.section("Limbs: the place of each in its block of three");
    let next_place = m.reg("place_reg", 2).note("limbs that follow the next in its block");
    let place = first.mux(heads.place, next_place.q).named("place");
    let at_0 = !place.any();
    next_place.next_when(taken, m.concat([at_0, place.bit(1)]));
    // A limb goes on where the one before it ended.
    let on = place.case([(&[2], m.lit(4, BLOCK_START)), (&[1], m.lit(4, START_OF_1))], m.lit(4, START_OF_0));
    let streamed = (good & streamed).named("event_streamed");
    let held = good & !streamed;
    let awaited = (slots.keep & limb_awaited & !slots.last).named("more_awaited");
    let whole = (held & final_limb).named("event_whole");
    Limb {
        goes_by: awaited & !streamed,
        absorbed: awaited & !fate.follows,
        whole,
        streamed,
        opens: (streamed & first).named("event_opens"),
        places: whole.mux(m.concat([fate.of_3, m.lit(1, 1)]), place).named("event_places"),
        start: streamed.mux(on, fate.held_start),
        length: length(m, &heads, limb.zeros, (taken & first).named("first_is_taken")),
    }
}

fn fate<'m>(
    m: &'m Builder,
    slots: SlotBeat<'m>,
    long: LongSlot<'m>,
    groups: Groups<'m>,
    (heads, limb, start, above_3): (&Heads<'m>, FirstLimb<'m>, Signal<'m>, Signal<'m>),
) -> Fate<'m> {
    let SlotBeat { keep, data, .. } = slots;
    let Groups { open, opens, taken, .. } = groups;
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
    let head_taken = taken & long.head;
    of_3.next_when(head_taken, data.bit(0));
    up_to_3.next_when(head_taken, !above_3);
    let held_first = (up_to_3.q & !(of_3.q & limb.past_held)).named("held_first");
    let streamed_first = in_limit.map_or(!held_first, |in_limit| !held_first & in_limit);
    let good_first = limb.not_zero & (held_first | streamed_first);

    let streamed_on = m.reg("streamed_reg", 1).note("in a group: it is written as it comes");
    let good_on = m.reg("good_reg", 1).note("in a group: it is a code point of the system");
    let start_on = m.reg("held_start_reg", 4).note("units that follow the first, if it is held");
    let streamed = first.mux(streamed_first, streamed_on.q).named("limb_streamed");
    let good = (open & keep & long.limb & first.mux(good_first, good_on.q)).named("limb_good");
    streamed_on.next_when(taken, streamed);
    good_on.next_when(taken, good);
    let start = of_3.q.mux(m.lit(4, THIRTEEN), start);
    start_on.next_when(taken & first, start);
    Fate { first, good, streamed, held_start: start_on.q, of_3: of_3.q, follows: first | good_on.q }
}
