//! Stages 1 and 2: the event that is being written, and its units one by one.

use super::events::{Event, LongEvent};
use crate::core::ErrorMode;
use crate::netlist::{Builder, Reg, Signal};

/// How a system writes code points. Positions count the units of a sequence down to 0, the last.
pub(super) trait Writer {
    /// Bits of its largest code point, at least 1.
    fn code_bits(&self) -> u32;

    /// The most units of a sequence.
    fn most_units(&self) -> u32;

    /// What is [`stored`](Self::stored) of U+FFFD, else of U+003F, else of its last code point; and the position of its first
    /// unit.
    fn replacement(&self) -> (u64, u64);

    /// Bits of a position.
    fn start_bits(&self) -> u32 {
        u32::BITS - (self.most_units() - 1).leading_zeros()
    }

    /// Whether the first unit of a sequence differs from another at its position.
    fn marks_lead(&self) -> bool {
        false
    }

    /// Whether the position of the first unit differs from code point to code point.
    fn starts_differ(&self) -> bool {
        true
    }

    /// Units in front of every frame.
    fn opening(&self) -> Option<[u64; 8]> {
        None
    }

    /// What the system makes of the low [`code_bits`](Self::code_bits), but not more than 32, of a code point.
    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m>;

    /// The position of the first unit of a code point of two limbs, by the first of them.
    ///
    /// # Panics
    /// If the system has none.
    fn long_start<'m>(&self, _: &'m Builder, _limb: Signal<'m>) -> Signal<'m> {
        panic!("a system of up to {} bits has no code points of two limbs", self.code_bits())
    }

    /// The hints that [`stored`](Self::stored) has, made of those of [`fit`](Self::fit) and the position of the first unit.
    fn hints<'m>(
        &self,
        _: &'m Builder,
        _start: Option<Signal<'m>>,
        hints: Option<Signal<'m>>,
    ) -> Option<Signal<'m>> {
        hints
    }

    /// What units have bits of, made of the code point, the position of its first unit, and its [`hints`](Self::hints).
    fn stored<'m>(&self, _: &'m Builder, code: Signal<'m>, _hints: Option<Signal<'m>>) -> Signal<'m> {
        code
    }

    /// The unit of a code point at a place; `code` and `place` are there where units differ by them.
    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        place: Option<UnitPosition<'m>>,
    ) -> Signal<'m>;
}

/// What a system makes of a code point.
pub(super) struct Fit<'m> {
    /// What units have bits of, where they have any.
    pub(super) code: Option<Signal<'m>>,
    /// The position of the first unit, where sequences differ in length.
    pub(super) start: Option<Signal<'m>>,
    /// What else [`Writer::hints`] has to know.
    pub(super) hints: Option<Signal<'m>>,
    /// The system does not have it, where that is possible.
    pub(super) unfit: Option<Signal<'m>>,
}

/// Where in a sequence a unit stands.
#[derive(Clone, Copy)]
pub(super) struct UnitPosition<'m> {
    /// How many units follow it.
    pub(super) position: Signal<'m>,
    /// It is the first, where that makes a difference.
    pub(super) lead: Option<Signal<'m>>,
}

/// A beat of a unit.
#[derive(Clone, Copy)]
pub(super) struct Unit<'m> {
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
    pub(super) keep: Signal<'m>,
    /// With `last`: the frame held something that could not be written.
    pub(super) fault: Signal<'m>,
    pub(super) unit: Signal<'m>,
}

/// Writes `event`; drives `taken` where it is no longer needed. The opening of a frame may [wait](Opening::new).
pub(super) fn write<'m>(
    m: &'m Builder,
    writer: &dyn Writer,
    on_error: ErrorMode,
    (event, waits): (Event<'m>, bool),
    taken: Signal<'m>,
    advance: Signal<'m>,
) -> Unit<'m> {
    m.section("Stage 1: the event that is written");
    let above = event.long.map(|long| above(m, writer, event, long));
    let here = event.long.map_or(event.valid, |long| (event.valid & !long.more).named("event_here"));
    let error = event.unfit.map_or(event.error, |unfit| event.error | unfit);
    let event = Event { valid: here, error, ..event };
    let valid = m.reg("valid_reg", 1).reset(0).note("something is being written");
    let place = Positions::new(m, writer, advance);
    let load = place.load;
    let start = (load & event.valid).named("event_starts");
    let pass = if on_error == ErrorMode::Drop { dropping(event) } else { replacing(m, event, start) };
    let opening = writer.opening().map(|units| Opening::new(m, units, pass, start, waits));
    let pass = opening.as_ref().map_or(pass, |opening| opening.pass);
    let last_pass = pass.again.map_or(load, |again| load & !again);
    m.drive(taken, event.long.map_or(last_pass, |long| last_pass | long.more));

    let last = m.reg("last_reg", 1).note("it ends its frame");
    let keep = m.reg("keep_reg", 1).note("it is more than the end of a frame");
    let fault = m.reg("fault_reg", 1).reset(0).note("something in the frame could not be written");
    valid.next_when(load, pass.valid);
    last.next_when(start, pass.last);
    keep.next_when(start, pass.keep);
    fault.next_when(start, pass.fault | fault.q & !last.q);
    let (code_point, position) = if on_error == ErrorMode::Drop { (0, 0) } else { writer.replacement() };
    let code = event.code.map(|found| {
        let found = writer.stored(m, found, event.hints);
        let code = m.reg("code_reg", found.width()).note("the code point");
        code.next_when(load, pass.instead.mux(m.lit(found.width(), code_point), found));
        match above {
            None => code.q,
            Some(above) => {
                let high = m.reg("code_high_reg", above.limbs.width()).note("its bits above these");
                high.next_when(load, above.limbs.when(above.joined));
                m.concat([high.q, code.q])
            }
        }
    });
    let opening_start = opening.as_ref().map(|opening| (opening.now, opening.units.len() as u64 - 1));
    let starts = [opening_start, Some((pass.instead, position))];
    let (position, sequence_ends) = place.go_on(m, event.start, starts.into_iter().flatten(), pass.valid);

    m.section("Stage 2: the unit");
    let ends = sequence_ends.map_or(last.q, |ends| last.q & ends).named("frame_ends_here");
    let unit = writer.unit(m, code, position).named("unit");
    let unit = match (opening, position) {
        (Some(opening), Some(place)) => opening.unit(m, place, unit),
        _ => unit,
    };
    Unit {
        valid: valid.q,
        last: ends,
        keep: keep.q,
        fault: (ends & fault.q).named("unit_fault"),
        unit: unit.when(keep.q),
    }
}

/// Units in front of every frame, in a pass of their own; an event that makes no units is taken with them.
struct Opening<'m> {
    units: [u64; 8],
    pass: Pass<'m>,
    /// They are loaded.
    now: Signal<'m>,
    /// They are being written.
    written: Signal<'m>,
}

impl<'m> Opening<'m> {
    /// The opening comes with the first event of a frame, or, if it `waits`, with the first that makes a beat. So it carries
    /// the end where the last unit of a frame makes two events that are dropped: it would be out before the second else.
    fn new(m: &'m Builder, units: [u64; 8], pass: Pass<'m>, start: Signal<'m>, waits: bool) -> Self {
        let opened = m.reg("opened_reg", 1).reset(0).note("the frame has its opening");
        let written = m.reg("opening_reg", 1).note("the opening is being written");
        let now = if waits { !opened.q & pass.valid } else { !opened.q }.named("opening_now");
        let alone = (now & pass.keep).named("opening_alone").note("the event has units of its own");
        let pass = Pass {
            // What cuts a group is never the first slot of its frame.
            valid: pass.valid | pass.here & now,
            last: pass.last & !alone,
            keep: pass.keep | now,
            again: Some(pass.again.map_or(alone, |again| again | alone)),
            ..pass
        };
        opened.next_when(start, if waits { (opened.q | now) & !pass.last } else { !pass.last });
        written.next_when(start, now);
        Self { units, pass, now, written: written.q }
    }

    /// The unit at a place, where that is in the opening, else `unit`.
    fn unit(&self, m: &'m Builder, place: UnitPosition<'m>, unit: Signal<'m>) -> Signal<'m> {
        let lit = |value| m.lit(unit.width(), value);
        let positions = (1..self.units.len() as u64).rev();
        let arms = positions.zip(self.units).map(|(position, value)| ([position], lit(value)));
        let opening = place.position.case_of(arms, lit(self.units[self.units.len() - 1]));
        self.written.mux(opening.named("opening_unit"), unit)
    }
}

/// The limbs above the last, and whether they count.
struct Above<'m> {
    limbs: Signal<'m>,
    joined: Signal<'m>,
}

/// Holds limbs until the last is here. They are taken while something else is being written.
fn above<'m>(m: &'m Builder, writer: &dyn Writer, event: Event<'m>, long: LongEvent<'m>) -> Above<'m> {
    let limb = event.code.expect("a limb is bits of a code point");
    let bits = writer.code_bits() - limb.width();
    let limbs = m.reg("limbs_reg", bits).note("limbs of a long code point, but for the last");
    let next = match bits.checked_sub(limb.width()) {
        None => limb.bits(0..bits),
        Some(0) => limb,
        Some(more) => m.concat([limbs.q.bits(0..more).when(long.joins), limb]),
    };
    limbs.next_when((event.valid & long.more).named("limb_taken"), next);
    Above { limbs: limbs.q, joined: long.joins }
}

/// What stage 1 loads.
#[derive(Clone, Copy)]
struct Pass<'m> {
    /// There is an event.
    here: Signal<'m>,
    /// It makes a beat.
    valid: Signal<'m>,
    last: Signal<'m>,
    keep: Signal<'m>,
    fault: Signal<'m>,
    /// Not the code point is written, but what stands for an error.
    instead: Signal<'m>,
    /// The event stays for another pass, where there can be one.
    again: Option<Signal<'m>>,
}

/// An error is written as the replacement; one that comes before the event takes a pass of its own.
fn replacing<'m>(m: &'m Builder, event: Event<'m>, start: Signal<'m>) -> Pass<'m> {
    let Event { valid, last, keep, error, .. } = event;
    let Some(cut) = event.cut else {
        return Pass { here: valid, valid, last, keep, fault: error, instead: error, again: None };
    };
    let cut_done = m.reg("cut_done_reg", 1).reset(0).note("the error in front of the event is on its way");
    let cut_now = (cut & !cut_done.q).named("cut_now");
    cut_done.next_when(start, cut_now);
    let instead = (error | cut_now).named("replaced");
    Pass { here: valid, valid, last: last & !cut_now, keep, fault: instead, instead, again: Some(cut_now) }
}

/// Errors are not written; where a frame ends in one, an empty beat carries the end.
fn dropping<'m>(event: Event<'m>) -> Pass<'m> {
    let Event { last, keep, error, .. } = event;
    let valid = (event.valid & (last | !error)).named("written");
    let fault = event.cut.map_or(error, |cut| error | cut);
    Pass { here: event.valid, valid, last, keep: keep & !error, fault, instead: error, again: None }
}

/// The place in the sequence that is written, where there is more than one.
struct Positions<'m> {
    regs: Option<PositionRegs<'m>>,
    /// What is written moves on by a unit.
    moves: Signal<'m>,
    /// The next event is loaded.
    load: Signal<'m>,
}

struct PositionRegs<'m> {
    position: Reg<'m>,
    lead: Option<Reg<'m>>,
    goes_on: Reg<'m>,
}

impl<'m> Positions<'m> {
    fn new(m: &'m Builder, writer: &dyn Writer, advance: Signal<'m>) -> Self {
        if writer.most_units() == 1 {
            return Self { regs: None, moves: advance, load: advance };
        }
        let position =
            m.reg("position_reg", writer.start_bits()).note("units that follow the one being written");
        let lead = writer.marks_lead().then(|| m.reg("lead_reg", 1).note("it is the first of its sequence"));
        let goes_on = m.reg("goes_on_reg", 1).reset(0).note("it is not the last of its sequence");
        // Where nothing is written, an output that waits keeps the next event waiting, too: that delays it no more than what
        // waits, and the clock can be faster.
        let load = (advance & !goes_on.q).named("load").note("the last unit goes, or there is none");
        Self { regs: Some(PositionRegs { position, lead, goes_on }), moves: advance, load }
    }

    /// The place of the unit that is being written, from `start` on, or, where one of `others` is high, from the position with
    /// it; and whether it is the last of its sequence. A sequence begins where `written`.
    fn go_on(
        self,
        m: &'m Builder,
        start: Option<Signal<'m>>,
        others: impl IntoIterator<Item = (Signal<'m>, u64)>,
        written: Signal<'m>,
    ) -> (Option<UnitPosition<'m>>, Option<Signal<'m>>) {
        let Some(PositionRegs { position, lead, goes_on }) = self.regs else { return (None, None) };
        let start = start.expect("the first unit of a sequence has a position");
        let lit = |value| m.lit(position.q.width(), value);
        let others: Vec<_> = others.into_iter().collect();
        let start = others.into_iter().rev().fold(start, |start, (instead, at)| instead.mux(lit(at), start));
        let start = start.named("start");
        position.next_when(self.moves, self.load.mux(start, position.q - lit(1)));
        if let Some(lead) = lead {
            lead.next_when(self.moves, self.load);
        }
        goes_on.next_when(self.moves, self.load.mux(written & start.any(), !position.q.is(1)));
        (Some(UnitPosition { position: position.q, lead: lead.map(|lead| lead.q) }), Some(!goes_on.q))
    }
}
