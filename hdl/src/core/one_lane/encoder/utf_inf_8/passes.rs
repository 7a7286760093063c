//! The event that is written next, and which of its passes is.

use super::events::Event;
use super::length::block_start;
use crate::netlist::{Builder, Reg, Signal};

/// An event behind the buffer, in registers, and the pass that stage 1 loads next.
pub(super) struct Passes<'m> {
    /// There is an event.
    pub(super) valid: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// It holds something; without, it only ends its frame.
    pub(super) keep: Signal<'m>,
    /// It is an error; where it is a limb too, that comes first.
    pub(super) error: Signal<'m>,
    /// An error comes before it.
    pub(super) cut: Signal<'m>,
    /// It is the last limb of a code point that is held.
    pub(super) whole: Signal<'m>,
    /// Whether a limb is for place 2 or 1; where `whole`, whether there are limbs at these.
    pub(super) places: Signal<'m>,
    /// The position of the first unit of a code point that is held.
    pub(super) own_start: Signal<'m>,
    /// The position of the first unit of that, or of a limb.
    pub(super) start: Signal<'m>,
    /// The code point or limb.
    pub(super) data: Signal<'m>,
    /// Whether the pass loads places 2 and 1.
    pub(super) writes: Signal<'m>,
    /// Of a first limb: zero digits in front of it.
    pub(super) zeros: Signal<'m>,
    /// Of a first limb: it starts with seven zero digits.
    pub(super) one_digit: Signal<'m>,
    /// The pass is the first unit of a long code point,
    pub(super) opener: Signal<'m>,
    /// or the digits of its length,
    pub(super) digits: Signal<'m>,
    /// or the units that a limb makes whole;
    pub(super) limb: Signal<'m>,
    /// if none of these, it is a code point or the replacement: this, if high.
    pub(super) instead: Signal<'m>,
    /// The event is taken.
    pub(super) free: Signal<'m>,
    /// There is another pass behind it.
    pub(super) again: Signal<'m>,
    /// What goes by has to wait: it would spoil what the event still needs.
    pub(super) holds: Signal<'m>,
}

/// Takes events in turn from `beat`, and goes on to the next pass where stage 1 loads one: where it
/// moves on in `advance`, and what it writes no longer `goes_on`. Drives `taken` where a beat is.
///
/// Everything that stage 1 asks about a pass is a register, made from the pass before it or from the beat.
pub(super) fn passes<'m>(
    m: &'m Builder,
    replaces: bool,
    beat: Event<'m>,
    taken: Signal<'m>,
    (advance, goes_on): (Signal<'m>, Signal<'m>),
) -> Passes<'m> {
    m.section("Passes: the event that is written next");
    let valid = m.reg("next_valid_reg", 1).reset(0).note("there is an event");
    let again = m.reg("again_reg", 1).note("its pass is not its last");
    let step = (!valid.q | advance & !goes_on).named("step").note("the pass is loaded, or there is none");
    let turn = (!valid.q | !again.q).named("next_turn").note("the next is that of another event");
    let free = (!valid.q | advance & !(goes_on | again.q)).named("next_free");
    let goes_by = beat.goes_by;
    valid.next(!free | beat.valid & !goes_by);
    let kept = |name: &str, found: Signal<'m>| {
        let kept: Reg<'m> = m.reg(name, found.width());
        kept.next_when(free, found);
        kept.q
    };
    let (last, keep) = (kept("next_last_reg", beat.last), kept("next_keep_reg", beat.keep));
    let (error, cut) = (kept("next_error_reg", beat.error), kept("next_cut_reg", beat.cut));
    let (places, data) = (kept("next_places_reg", beat.places), kept("next_data_reg", beat.data));
    let whole = kept("next_whole_reg", beat.whole);
    let one_digit = kept("next_one_digit_reg", beat.one_digit());

    m.section("Passes: which of them is next");
    let opener = m.reg("opener_pass_reg", 1).note("the first unit of a long code point");
    let digits = m.reg("digits_pass_reg", 1).note("the digits of its length");
    let limb = m.reg("limb_pass_reg", 1).note("the units that a limb makes whole");
    let instead = m.reg("instead_pass_reg", 1).note("what stands for an error");
    // The first of two limbs in its block may be too small to make a unit.
    let makes_none = (places.bit(0) & one_digit).named("limb_makes_none");
    let (error_behind, cut_before) = if replaces { (error, beat.cut) } else { (m.lit(1, 0), m.lit(1, 0)) };
    let limb_behind = (digits.q & !makes_none).named("limb_behind");
    opener.next_when(step, beat.opens & turn);
    digits.next_when(step, opener.q & !turn);
    limb.next_when(step, turn.mux(beat.streamed & !beat.opens, limb_behind));
    let error_now = turn.mux((beat.error & !beat.streamed) | cut_before, error & !(opener.q | limb_behind));
    instead.next_when(step, error_now);
    let more_behind = opener.q & (!makes_none | error_behind) | limb_behind & error_behind;
    let limb_error = if replaces { beat.streamed & beat.error } else { m.lit(1, 0) };
    again.next_when(step, turn.mux(beat.opens | limb_error | cut_before, more_behind));
    let opens = kept("next_opens_reg", beat.opens);
    let zeros = kept("next_start_reg", beat.start);
    let first_start =
        m.reg("first_start_reg", 4).note("of a first limb: units that follow the first that it is in");
    first_start.next_when(
        (advance & !goes_on & opener.q).named("opener_loads"),
        block_start(m, places, zeros.bits(0..3)),
    );
    let start = opens.mux(first_start.q, zeros);
    let writes = |place: u32| {
        let at = |places: Signal<'m>| places.bit(place - 1);
        let writes = m.reg(&format!("writes_{place}_reg"), 1).reset(0).note("it loads that place");
        let first_of = beat.valid & !goes_by & (at(beat.places) | !beat.streamed | beat.opens);
        writes.next_when(step, turn.mux(first_of, at(places) | !digits.q));
        writes.q
    };
    let writes = m.concat([writes(2), writes(1)]);

    let holds = m.reg("holds_reg", 1).reset(0).note("it needs what would be held, or the number of limbs");
    holds.next_when(step, turn & beat.valid & (beat.whole | beat.opens));
    m.drive(taken, goes_by.mux(!holds.q, free));
    Passes {
        valid: valid.q,
        last,
        keep,
        error,
        cut,
        whole,
        places,
        own_start: zeros,
        start: start.named("next_start"),
        zeros: zeros.bits(0..3),
        writes,
        data,
        one_digit,
        opener: opener.q,
        digits: digits.q,
        limb: limb.q,
        instead: instead.q,
        free,
        again: again.q,
        holds: holds.q,
    }
}
