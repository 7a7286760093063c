//! Which event is written next, and which of its passes.

use super::event::StreamEvent;
use super::format::block_start;
use crate::netlist::{Builder, Reg, Signal};

/// The next event, in registers after the buffer, and the pass of it that stage 1 loads next.
pub(super) struct Passes<'m> {
    /// There is an event.
    pub(super) valid: Signal<'m>,
    /// The event ends its frame.
    pub(super) last: Signal<'m>,
    /// There is something to write; without it, the event is only the end of a frame.
    pub(super) keep: Signal<'m>,
    /// The event is an error; if it is also a limb, the error follows the limb.
    pub(super) error: Signal<'m>,
    /// The event aborts a group, which is an error that comes before it.
    pub(super) aborts: Signal<'m>,
    /// The event is the last limb of a code point that is held.
    pub(super) whole: Signal<'m>,
    /// One bit each: a limb is for place 2, or 1. Where `whole`, there are limbs at these places.
    pub(super) places: Signal<'m>,
    /// The position of the first unit of a code point that is held whole.
    pub(super) own_start: Signal<'m>,
    /// The position of the first unit of the pass, unless that is the digits of the length.
    pub(super) start: Signal<'m>,
    /// The code point or limb.
    pub(super) data: Signal<'m>,
    /// The pass loads place 1, or 2.
    pub(super) writes: [Signal<'m>; 2],
    /// The zero digits before a first limb.
    pub(super) zeros: Signal<'m>,
    /// The event, if it is a first limb, has one digit.
    pub(super) one_digit: Signal<'m>,
    /// The pass is the first unit of a streamed code point,
    pub(super) opener: Signal<'m>,
    /// or the digits of its length,
    pub(super) digits: Signal<'m>,
    /// or the units that a limb completes;
    pub(super) limb: Signal<'m>,
    /// or else it is a code point, or, if this is high, the replacement.
    pub(super) instead: Signal<'m>,
    /// The event is taken.
    pub(super) free: Signal<'m>,
    /// Another pass of the event follows.
    pub(super) again: Signal<'m>,
    /// An event that goes by has to wait: it would overwrite what this event still needs.
    pub(super) holds: Signal<'m>,
}

impl<'m> Passes<'m> {
    /// Takes events from `beat` and continues to the next pass where stage 1 loads one, in `load`; `ends` says that the last unit of a
    /// pass leaves stage 1 while one is in the output register. Drives `taken`, which is high in cycles in which a beat is taken. The
    /// second value is still to be [driven](EventWaits::drive).
    ///
    /// Everything that stage 1 reads of a pass is a register, which loads from the pass before or from the beat.
    pub(super) fn new(
        m: &'m Builder,
        replaces: bool,
        beat: StreamEvent<'m>,
        taken: Signal<'m>,
        (ends, load): (Signal<'m>, Signal<'m>),
    ) -> (Self, EventWaits<'m>) {
        m.section("Passes: the event that is written next");
        let what = beat.what;
        let valid = m.reg("next_valid_reg", 1).reset(0).note("there is an event");
        let again = m.reg("again_reg", 1).reset(0).note("the pass is not the last of the event");
        let waits =
            m.reg("next_waits_reg", 1).reset(0).note("there is an event, and stage 1 is not free for it");
        let step = (!waits.q | ends).named("step").note("the pass is loaded, or there is none");
        let turn = (!again.q).named("next_turn").note("the next pass is that of another event");
        let free = ((!waits.q | ends) & !again.q).named("next_free");
        let goes_by = what.goes_by;
        let valid_next = (!free | beat.valid & !goes_by).named("valid_next");
        valid.next(valid_next);
        let kept = m.stage(free);
        let [last, keep, error, aborts, places, data, whole, one_digit] =
            facts(beat).map(|(name, signal)| kept.data(&format!("next_{name}_reg"), signal));

        m.section("Passes: which of them is next");
        let opener = m.reg("opener_pass_reg", 1).note("the next pass is the opener of a streamed code point");
        let digits = m.reg("digits_pass_reg", 1).note("the next pass is the digits of the length");
        let limb = m.reg("limb_pass_reg", 1).note("the next pass is the units that a limb completes");
        let instead = m.reg("instead_pass_reg", 1).note("the next pass is the replacement for an error");
        // The first of two limbs in its block may be too small to complete a unit.
        let makes_none = (places.bit(0) & one_digit).named("limb_makes_none");
        let never = m.lit(1, 0);
        let (error_behind, aborts_before) =
            if replaces { (error, beat.aborts_group()) } else { (never, never) };
        let limb_behind = (digits.q & !makes_none).named("limb_behind");
        opener.next_when(step, what.opens & turn);
        digits.next_when(step, opener.q & !turn);
        limb.next_when(step, turn.mux(what.streamed & !what.opens, limb_behind));
        let first_error = (beat.error & !what.streamed) | aborts_before;
        instead.next_when(step, turn.mux(first_error, error & !(opener.q | limb_behind)));
        let more_behind = opener.q & (!makes_none | error_behind) | limb_behind & error_behind;
        let limb_error = if replaces { what.streamed & beat.error } else { never };
        again.next_when(step, turn.mux(beat.valid & (what.opens | limb_error | aborts_before), more_behind));
        let opens = kept.data("next_opens_reg", what.opens);
        let own_start = kept.data("next_start_reg", beat.start_or_zeros());
        let zeros = own_start.bits(0..3);
        let opener_loads = (load & opener.q).named("opener_loads");
        let start = opens.mux(first_start(m, opener_loads, places, zeros), own_start).named("next_start");
        let first_of =
            |place: u32| beat.valid & !goes_by & (what.places.bit(place - 1) | !what.streamed | what.opens);
        let writes = [1, 2].map(|place: u32| {
            let writes = m.reg(&format!("writes_{place}_reg"), 1).reset(0);
            writes.next_when(step, turn.mux(first_of(place), places.bit(place - 1) | !digits.q));
            writes.note(&format!("the pass loads place {place}")).q
        });

        let holds = m.reg("holds_reg", 1).reset(0).note("the event needs held limbs, or the number of limbs");
        holds.next_when(step, turn & beat.valid & (what.whole | what.opens));
        m.drive(taken, goes_by.mux(!holds.q, free));
        let next = Self {
            valid: valid.q,
            last,
            keep,
            error,
            aborts,
            whole,
            places,
            own_start,
            start,
            data,
            writes,
            zeros,
            one_digit,
            opener: opener.q,
            digits: digits.q,
            limb: limb.q,
            instead: instead.q,
            free,
            again: again.q,
            holds: holds.q,
        };
        (next, EventWaits { register: waits, valid_next })
    }
}

/// The register that says whether the event waits for stage 1.
pub(super) struct EventWaits<'m> {
    register: Reg<'m>,
    /// There will be an event.
    valid_next: Signal<'m>,
}

impl<'m> EventWaits<'m> {
    /// Drives the register; `waits` says whether stage 1 will wait for the output.
    pub(super) fn drive(self, waits: Signal<'m>) {
        self.register.next(self.valid_next & waits);
    }
}

/// The facts of an event that all its passes need, with their names.
fn facts(beat: StreamEvent<'_>) -> [(&'static str, Signal<'_>); 8] {
    let what = beat.what;
    [
        ("last", beat.last),
        ("keep", beat.keep),
        ("error", beat.error),
        ("aborts", beat.aborts_group()),
        ("places", what.places),
        ("data", what.data),
        ("whole", what.whole),
        ("one_digit", beat.one_digit()),
    ]
}

/// The position of the first unit that a first limb completes, loaded with the opener.
fn first_start<'m>(
    m: &'m Builder,
    opener_loads: Signal<'m>,
    places: Signal<'m>,
    zeros: Signal<'m>,
) -> Signal<'m> {
    let start = m.stage(opener_loads).data("first_start_reg", block_start(m, places, zeros));
    start.note("position of the first unit that a first limb completes")
}
