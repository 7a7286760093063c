//! Events: the meaning of the slots that an encoder takes. A long code point, whose slots are a head and limbs, is one
//! event, and so is a group of such slots that breaks the rules of the bus.

use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// A beat of one event; `W` is the description of its code point.
#[derive(Clone, Copy)]
pub(super) struct Event<'m, W> {
    pub(super) valid: Signal<'m>,
    /// The event ends its frame.
    pub(super) last: Signal<'m>,
    /// There is something to write. Without it, the event is only the end of a frame, and `start` is zero.
    pub(super) keep: Signal<'m>,
    /// The event is an error.
    pub(super) error: Signal<'m>,
    /// The event aborts a group, which is an error that comes before it. `None` if there are no groups.
    pub(super) aborts: Option<Signal<'m>>,
    /// The position of the code point's first unit, in an error anything; `None` if all code points have the same.
    pub(super) start: Option<Signal<'m>>,
    pub(super) what: W,
}

/// The description of a code point in an event.
pub(super) trait EventWhat<'m>: Copy {
    /// The fields as in a payload, from the high bits down.
    fn fields(self) -> Vec<Signal<'m>>;

    /// Takes the same fields out of a payload.
    fn unpacked(self, fields: &mut Fields<'m>) -> Self;
}

impl<'m, W: EventWhat<'m>> Event<'m, W> {
    /// All fields but `valid` side by side.
    pub(super) fn payload(self, m: &'m Builder) -> Signal<'m> {
        let flags = [Some(self.last), Some(self.keep), Some(self.error), self.aborts, self.start];
        m.concat(flags.into_iter().flatten().chain(self.what.fields()))
    }

    /// An event like this one, with the fields taken from `payload`, after a buffer.
    pub(super) fn unpacked(self, valid: Signal<'m>, payload: Signal<'m>) -> Self {
        let mut fields = Fields::of(payload);
        Self {
            valid,
            last: fields.next(self.last, "beat_last"),
            keep: fields.next(self.keep, "beat_keep"),
            error: fields.next(self.error, "beat_error"),
            aborts: self.aborts.map(|aborts| fields.next(aborts, "beat_aborts")),
            start: self.start.map(|start| fields.next(start, "beat_start")),
            what: self.what.unpacked(&mut fields),
        }
    }
}

/// The description of a code point that is written whole.
#[derive(Clone, Copy)]
pub(super) struct CodePointEvent<'m> {
    /// The parts of a code point of 2^32 or more; `None` if the system has no such.
    pub(super) long: Option<LimbEvent<'m>>,
    /// The hints of the [`Writer`](super::writer::Writer) on the code point.
    pub(super) hints: Option<Signal<'m>>,
    /// The code point, in an error anything; `None` if no unit holds bits of it.
    pub(super) code: Option<Signal<'m>>,
}

/// The description of a limb of a code point that the system has.
#[derive(Clone, Copy)]
pub(super) struct LimbEvent<'m> {
    /// There is nothing to write yet: `code` is a limb to be held until the last one is here.
    pub(super) more: Signal<'m>,
    /// `code` is a limb after others.
    pub(super) joins: Signal<'m>,
}

impl<'m> EventWhat<'m> for CodePointEvent<'m> {
    fn fields(self) -> Vec<Signal<'m>> {
        let (more, joins) = self.long.map(|long| (long.more, long.joins)).unzip();
        [more, joins, self.hints, self.code].into_iter().flatten().collect()
    }

    fn unpacked(self, fields: &mut Fields<'m>) -> Self {
        Self {
            long: self.long.map(|long| LimbEvent {
                more: fields.next(long.more, "beat_more"),
                joins: fields.next(long.joins, "beat_joins"),
            }),
            hints: self.hints.map(|hints| fields.next(hints, "beat_hints")),
            code: self.code.map(|code| fields.next(code, "beat_code")),
        }
    }
}
