//! Stages 1 and 2: passes, and their units one by one.

use super::events::Event;
use super::length::Length;
use super::{END_OF_1, END_OF_2, HELD_BITS, LIMB, REPLACEMENT, START_OF_0, short_forms};
use crate::core::OnError;
use crate::core::encoder::write::{Place, Unit, Writer};
use crate::netlist::{Builder, Signal};

/// Bits of a unit.
const UNIT: u32 = 8;
/// The first unit of a long code point.
const OPENER: u64 = 0xff;
/// What stands in front of the digits of the length, one less of it than there are digits.
const BEFORE: u64 = 0xb4;
/// Under it stands a digit of the length.
const DIGIT: u64 = 0xa0;
/// Which pass the event is at.
struct Passes<'m> {
    opener: Signal<'m>,
    digits: Signal<'m>,
    limb: Signal<'m>,
    own: Signal<'m>,
    /// There is another behind it.
    again: Signal<'m>,
    /// The event is an error, and it is written now; or so is the one in front of it.
    instead: Signal<'m>,
}

/// Writes `event`; drives `taken` where it is no longer needed.
pub(super) fn write<'m>(
    m: &'m Builder,
    on_error: OnError,
    event: Event<'m>,
    length: Length<'m>,
    (taken, opening_over): (Signal<'m>, Signal<'m>),
    advance: Signal<'m>,
) -> Unit<'m> {
    let replaces = on_error != OnError::Drop;
    m.section("Stage 1: which pass is next");
    let valid = m.reg("valid_reg", 1).reset(0).note("something is being written");
    let ends = m.reg("ends_reg", 1).note("it is the last unit of its pass");
    let load = (!valid.q | advance & ends.q).named("load").note("the last unit goes, or there is none");
    let moves = (!valid.q | advance).named("moves");
    let here = (event.valid & !event.goes_by).named("event_here");
    let starts = (load & here).named("pass_starts");
    let limb_start = event.opens.mux(length.start, event.start).named("limb_start");
    let event = Event { start: limb_start, ..event };
    let pass = passes(m, replaces, event, length.start, starts);
    m.drive(opening_over, starts & event.opens & !pass.again);
    m.drive(taken, event.goes_by | load & !pass.again);

    m.section("What is being written");
    let Event { last, keep, error, .. } = event;
    let last_pass = m.reg("last_reg", 1).note("it ends its frame");
    let keeps = m.reg("keep_reg", 1).note("it is more than the end of a frame");
    let fault = m.reg("fault_reg", 1).reset(0).note("something in the frame could not be written");
    let is_written = if replaces { here } else { here & (!pass.own | last | !error) };
    let own_keep = if replaces { keep } else { keep & !error };
    valid.next(!load | is_written);
    last_pass.next_when(starts, last & !pass.again);
    keeps.next_when(starts, !pass.own | own_keep);
    fault.next_when(starts, error | event.cut | fault.q & !last_pass.q);

    let digits = Digits::new(m, length.digits, load, pass.digits);
    let position =
        m.reg("position_reg", digits.position_bits()).note("units that follow the one being written");
    let wide = |start: Signal<'m>| start.zext(position.q.width());
    let (_, replacement_start) = replacement(replaces);
    let start = pass.instead.mux(m.lit(position.q.width(), replacement_start), wide(event.start));
    let start = pass.digits.mux(wide(digits.start), start).named("start");
    position.next_when(moves, load.mux(start, position.q - m.lit(position.q.width(), 1)));
    let end = m.reg("limb_reg", 2).note("it is a limb at place 2 or 1, which goes on in the next");
    end.next_when(load, event.places.when(pass.limb));
    let next_ends = end
        .q
        .case([(&[2], position.q.is(END_OF_2 + 1)), (&[1], position.q.is(END_OF_1 + 1))], position.q.is(1));
    let at_end_of_2 = pass.limb & event.places.bit(1) & event.start.is(END_OF_2);
    let only = (pass.opener | start.is(0) | at_end_of_2).named("single_unit");
    ends.next_when(moves, load.mux(only, next_ends.named("next_ends")));
    let lead = m.reg("lead_reg", 1).note("it is the first of a sequence, which tells the length");
    lead.next_when(moves, load & pass.own);
    let opener = m.reg("opener_reg", 1).note("it is the first unit of a long code point");
    opener.next_when(load, pass.opener);
    let code = code(m, replaces, event, &pass, (load, starts));

    m.section("Stage 2: the unit");
    let frame_ends_here = (last_pass.q & ends.q).named("frame_ends_here");
    let place = Place { position: position.q.bits(0..4), lead: Some(lead.q) };
    let short = short_forms().unit(m, Some(code), Some(place));
    let unit = digits.unit(m, position.q, short);
    let unit = opener.q.mux(m.lit(UNIT, OPENER), unit).named("unit");
    Unit {
        valid: valid.q,
        last: frame_ends_here,
        keep: keeps.q,
        fault: (frame_ends_here & fault.q).named("unit_fault"),
        unit: unit.when(keeps.q),
    }
}

/// What is written for an error, and the position of its first unit.
fn replacement(replaces: bool) -> (u64, u64) {
    if replaces { REPLACEMENT } else { (0, 0) }
}

fn passes<'m>(
    m: &'m Builder,
    replaces: bool,
    event: Event<'m>,
    first_start: Signal<'m>,
    starts: Signal<'m>,
) -> Passes<'m> {
    let flag = |name: &str, note: &str| m.reg(name, 1).reset(0).note(note);
    let opener_done = flag("opener_done_reg", "of the event: its opener is on its way");
    let digits_done = flag("digits_done_reg", "of the event: the digits of its length are on their way");
    let limb_done = flag("limb_done_reg", "of the event: its limb is on its way");
    let opener = (event.opens & !opener_done.q).named("opener_now");
    let digits = (event.opens & opener_done.q & !digits_done.q).named("digits_now");
    let header = event.opens & !digits_done.q;
    let limb = (event.streamed & !header & !limb_done.q).named("limb_now");
    let own = (!header & (!event.streamed | limb_done.q)).named("own_now");
    let cut_now = replaces.then(|| {
        let done = flag("cut_done_reg", "the error in front of the event is on its way");
        let now = (event.cut & !done.q).named("cut_now");
        done.next_when(starts, now);
        now
    });

    // The first of two limbs in its block may be too small to make a unit.
    let makes_none = event.opens & event.places.bit(0) & first_start.is(START_OF_0);
    let makes_none = makes_none.named("limb_makes_none");
    let behind_limb = replaces.then_some(event.error);
    let behind_digits = behind_limb.map_or(!makes_none, |error| !makes_none | error);
    let again = [Some(opener), Some(digits & behind_digits), behind_limb.map(|error| limb & error), cut_now];
    let again = again.into_iter().flatten().reduce(|a, b| a | b).expect("two at least").named("again");
    opener_done.next_when(starts, again & (opener | opener_done.q));
    digits_done.next_when(starts, again & (digits | digits_done.q));
    limb_done.next_when(starts, again & (limb | limb_done.q | digits & makes_none));
    let instead = own & cut_now.map_or(event.error, |cut_now| event.error | cut_now);
    Passes { opener, digits, limb, own, again, instead: instead.named("replaced") }
}

/// What units are cut from: the limbs at places 2, 1 and 0, or the code point at place 0.
fn code<'m>(
    m: &'m Builder,
    replaces: bool,
    event: Event<'m>,
    pass: &Passes<'m>,
    (load, starts): (Signal<'m>, Signal<'m>),
) -> Signal<'m> {
    let data = event.data;
    let at = |place: u32| event.places.bit(place - 1);
    let held = |name: &str, bits: u32, place: u32| {
        let held = m.reg(name, bits);
        held.next_when(event.valid & event.goes_by & at(place), data.bits(0..bits));
        held.q
    };
    let held_2 =
        held("held_2_reg", HELD_BITS - 2 * LIMB, 2).note("limb at place 2 of a code point that is held");
    let held_1 = held("held_1_reg", LIMB, 1).note("limb at place 1");
    let streams = pass.digits | pass.limb;
    let limb = |name: &str, held: Signal<'m>, place: u32| {
        let limb = m.reg(name, LIMB);
        let whole = held.zext(LIMB).when(event.whole & at(place));
        let next = (streams & at(place)).mux(data, whole.when(!streams));
        limb.next_when(starts & (!pass.limb | at(place)), next);
        limb.q
    };
    let top = limb("place_2_reg", held_2, 2).note("what is at place 2");
    let middle = limb("place_1_reg", held_1, 1).note("what is at place 1");
    let code = m.reg("place_0_reg", LIMB).note("what is at place 0");
    let (code_point, _) = replacement(replaces);
    code.next_when(load, pass.instead.mux(m.lit(LIMB, code_point), data));
    m.concat([top, middle, code.q])
}

/// The digits of the length.
struct Digits<'m> {
    /// The position of the first unit of the pass.
    start: Signal<'m>,
    length: Signal<'m>,
    /// How many digits follow the first.
    follow: Signal<'m>,
    written: Signal<'m>,
}

impl<'m> Digits<'m> {
    fn new(m: &'m Builder, length: Signal<'m>, load: Signal<'m>, now: Signal<'m>) -> Self {
        let count = length.width().div_ceil(4);
        let digit = |at: u32| length.bits(4 * at..(4 * at + 4).min(length.width()));
        let bits = (u32::BITS - (count - 1).leading_zeros()).max(1);
        // The first digit that is not zero, or the last.
        let mut follow = m.lit(bits, 0);
        for at in 1..count {
            follow = digit(at).any().mux(m.lit(bits, at.into()), follow);
        }
        let follow = follow.named("digits_follow").note("digits of the length behind its first");
        let copy = m.reg("digits_reg", length.width()).note("the length that is written");
        let kept = m.reg("digits_follow_reg", bits);
        let written = m.reg("digits_now_reg", 1).note("the length is being written");
        copy.next_when(load, length);
        kept.next_when(load, follow);
        written.next_when(load, now);
        Self { start: m.concat([follow, m.lit(1, 0)]), length: copy.q, follow: kept.q, written: written.q }
    }

    fn position_bits(&self) -> u32 {
        self.start.width().max(4)
    }

    fn unit(self, m: &'m Builder, position: Signal<'m>, other: Signal<'m>) -> Signal<'m> {
        let count = self.length.width().div_ceil(4);
        let digit = |at: u32| self.length.bits(4 * at..(4 * at + 4).min(self.length.width())).zext(4);
        let others = (1..count).map(|at| ([at.into()], digit(at)));
        let digit = position.case_of(others, digit(0)).named("digit");
        let before = self.follow.zext(position.width()).lt(position).named("before_digits");
        let digit = m.concat([m.lit(4, DIGIT >> 4), digit]);
        let unit = before.mux(m.lit(UNIT, BEFORE), digit).named("length_unit");
        self.written.mux(unit, other)
    }
}
