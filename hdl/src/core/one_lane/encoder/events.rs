//! Input: what slots come to. A long code point is one event, and a group of limbs that breaks the rules of the bus is one
//! error.
//!
//! | slot | in no group | in a group |
//! | --- | --- | --- |
//! | code point | the code point | an error, then the code point |
//! | error | an error | an error, which ends the group |
//! | head of at least two | opens a group | an error, then it opens a group |
//! | head of fewer | an error | two errors |
//! | limb | an error | nothing, or, if it is the last, the code point |
//! | `tlast` behind all that | | an error, if the group is still open |
//!
//! So a beat makes at most two events, of which the first is an error: the group that it cuts.

use super::groups::{groups, held, limbs_of, marks};
use super::slot_stage::SlotStage;
use super::write::{Fit, Writer};
use crate::core::one_lane::slot::OneSlotBeat;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// A beat of what slots come to.
#[derive(Clone, Copy)]
pub(super) struct Event<'m> {
    pub(super) valid: Signal<'m>,
    /// It ends its frame.
    pub(super) last: Signal<'m>,
    /// It holds an event; without, it only ends its frame, and `start` is zero.
    pub(super) keep: Signal<'m>,
    /// The event is an error.
    pub(super) error: Signal<'m>,
    /// It is a code point that the system does not have.
    pub(super) unfit: Option<Signal<'m>>,
    /// Another error comes first. Low where groups can't be cut.
    pub(super) cut: Option<Signal<'m>>,
    /// The parts of a code point of 2^32 or more, where the system has such.
    pub(super) long: Option<LongEvent<'m>>,
    /// The position of its first unit, where sequences differ in length; of an error, anything.
    pub(super) start: Option<Signal<'m>>,
    /// What else there is to know of the code point.
    pub(super) hints: Option<Signal<'m>>,
    /// The code point, where units have bits of it; of an error, anything.
    pub(super) code: Option<Signal<'m>>,
}

/// Limbs of a code point that the system has.
#[derive(Clone, Copy)]
pub(super) struct LongEvent<'m> {
    /// No event yet: limbs to be held until the last is here.
    pub(super) more: Signal<'m>,
    /// `code` is a limb behind others.
    pub(super) joins: Signal<'m>,
}

impl<'m> Event<'m> {
    /// All of it but `valid`, side by side.
    pub(super) fn payload(self, m: &'m Builder) -> Signal<'m> {
        let long = self.long.map(|long| m.concat([long.more, long.joins]));
        let flags = [Some(self.last), Some(self.keep), Some(self.error), self.unfit, self.cut];
        m.concat(flags.into_iter().chain([long, self.start, self.hints, self.code]).flatten())
    }

    /// A beat like this one, out of its [`payload`](Self::payload) somewhere else.
    pub(super) fn unpacked(self, valid: Signal<'m>, payload: Signal<'m>) -> Self {
        let mut end = payload.width();
        let mut field = |like: Signal<'m>, name: &str| {
            end -= like.width();
            payload.bits(end..end + like.width()).named(name)
        };
        Self {
            valid,
            last: field(self.last, "beat_last"),
            keep: field(self.keep, "beat_keep"),
            error: field(self.error, "beat_error"),
            unfit: self.unfit.map(|unfit| field(unfit, "beat_unfit")),
            cut: self.cut.map(|cut| field(cut, "beat_cut")),
            long: self.long.map(|long| LongEvent {
                more: field(long.more, "beat_more"),
                joins: field(long.joins, "beat_joins"),
            }),
            start: self.start.map(|start| field(start, "beat_start")),
            hints: self.hints.map(|hints| field(hints, "beat_hints")),
            code: self.code.map(|code| field(code, "beat_code")),
        }
    }
}

/// Makes events of the code points that `writer` has, and errors of all others, which nobody counts where they are dropped. If the
/// opening of a frame [waits](SlotStage::opening_waits), a head that a frame begins with is no event.
pub(super) fn events<'m>(
    m: &'m Builder,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
    writer: &dyn Writer,
    on_error: ErrorMode,
) -> Event<'m> {
    m.section("Input: what a code point is to the system");
    let data = slots.data;
    let code_bits = writer.code_bits().min(32);
    let code = data.bits(0..code_bits.min(data.width())).zext(code_bits);
    let too_wide = (data.width() > code_bits).then(|| {
        let above = data.bits(code_bits..data.width()).any();
        above.named("too_wide").note("past any code point of the system")
    });
    let Fit { code, start, hints, unfit } = writer.fit(m, code);
    let unfit = [too_wide, unfit].into_iter().flatten().reduce(|a, b| a | b);
    let code = code.map(|code| cut.data("slot_code_reg", code));
    let hints = hints.map(|hints| cut.data("slot_hints_reg", hints));
    let unfit = unfit.map(|unfit| cut.data("slot_unfit_reg", unfit));
    let marks = slots
        .long
        .map(|long| marks(m, (slots, cut), long, writer.code_bits() > 32 || on_error != ErrorMode::Drop));
    let limbs = slots.long.filter(|_| writer.code_bits() > 32);
    let limbs = limbs.zip(marks).map(|(long, marks)| limbs_of(m, (data, cut), long, marks, writer));
    let keep_in_front = slots.keep;
    let slots = cut.slot(slots, data);
    let OneSlotBeat { valid, last, keep, error, .. } = slots;
    let start = start.map(|start| {
        if writer.starts_differ() {
            cut.data("slot_start_reg", start.when(keep_in_front))
        } else {
            start.when(keep)
        }
    });
    let hints = writer.hints(m, start, hints);
    let Some((long, marks)) = slots.long.zip(marks) else {
        let unfit = unfit.map(|unfit| (keep & unfit).named("event_unfit"));
        let error = keep & error;
        return Event {
            valid: valid & (keep | last),
            last,
            keep,
            error,
            unfit,
            cut: None,
            long: None,
            start,
            hints,
            code,
        };
    };
    let taken = cut.taken(slots, marks.arrives);
    let groups = groups(m, slots, long, (cut.room, taken), marks);
    let held = limbs.map(|limbs| held(m, slots, long, groups, (limbs, writer)));
    let (open, opens) = (groups.open, groups.opens);

    m.section("Events: what the slot comes to");
    let cuts =
        (open & keep & !(error | long.limb)).named("slot_cuts").note("it is of no group, or of another one");
    // What is known late, that a head opens a group and that a limb is to be held, comes in last.
    let makes_any = last | keep & (cuts | !(long.head | groups.limb_awaited));
    let late = keep & long.head & !opens;
    let late = held.map_or(late, |held| late | held.more);
    let valid = (valid & (makes_any | late)).named("event_valid");
    let code_point = (keep & !(error | long.head | long.limb)).named("is_code_point");
    let unfit = unfit.map(|unfit| (code_point & unfit).named("event_unfit"));
    let keep = (keep | open).named("event_keep").note("the end of a frame in a group is an error");
    let (valid, keep) = match writer.opening().filter(|_| !cut.opening_waits(on_error)) {
        None => (valid, keep),
        Some(_) => {
            // The first beat of a frame makes the opening, if nothing else.
            let inside = m.reg("inside_reg", 1).reset(0).note("behind the first beat of a frame");
            inside.next_when(slots.valid & cut.room, !last);
            let head_alone =
                (!inside.q & opens & !last).named("head_alone").note("in front of which the opening is");
            (valid | slots.valid & !inside.q, keep & !head_alone)
        }
    };
    let good = held.map_or(code_point, |held| code_point | held.whole);
    let error = (keep & !good).named("event_error");
    // What opens the next group makes no event of its own: there the error is the only one.
    let cut = (cuts & (last | !opens)).named("event_cut").note("an error comes first");
    let start = match (start, held) {
        (Some(start), Some(held)) => Some(held.joins.mux(held.start, start).named("event_start")),
        (start, _) => start,
    };
    let long = held.map(|held| LongEvent { more: held.more, joins: held.joins });
    Event { valid, last, keep, error, unfit, cut: Some(cut), long, start, hints, code }
}
