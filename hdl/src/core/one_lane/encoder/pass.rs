//! Passes: what stage 1 loads. An event usually takes one pass; an error that comes before it, and the opening of a
//! frame, take passes of their own.

use super::event::{CodePointEvent, Event};
use crate::netlist::{Builder, Signal};

/// The data that stage 1 loads.
#[derive(Clone, Copy)]
pub(super) struct Pass<'m> {
    /// There is an event.
    pub(super) here: Signal<'m>,
    /// The pass makes a beat.
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
    pub(super) keep: Signal<'m>,
    pub(super) fault: Signal<'m>,
    /// The replacement for an error is written, not the code point.
    pub(super) instead: Signal<'m>,
    /// The event stays for another pass; `None` if one is always enough.
    pub(super) again: Option<Signal<'m>>,
}

impl<'m> Pass<'m> {
    /// The passes of an encoder that replaces errors. `start` says that a pass is loaded.
    pub(super) fn replacing(m: &'m Builder, event: Event<'m, CodePointEvent<'m>>, start: Signal<'m>) -> Self {
        let Event { valid, last, keep, error, .. } = event;
        let Some(aborts) = event.aborts else {
            return Self { here: valid, valid, last, keep, fault: error, instead: error, again: None };
        };
        let done = m.reg("abort_done_reg", 1).reset(0).note("the error before the event has been loaded");
        let now = (aborts & !done.q).named("abort_now");
        done.next_when(start, now);
        let instead = (error | now).named("replaced");
        Self { here: valid, valid, last: last & !now, keep, fault: instead, instead, again: Some(now) }
    }

    /// The passes of an encoder that drops errors. If a frame ends with one, an empty beat carries the end.
    pub(super) fn dropping(event: Event<'m, CodePointEvent<'m>>) -> Self {
        let Event { last, keep, error, .. } = event;
        let valid = (event.valid & (last | !error)).named("written");
        let fault = event.aborts.map_or(error, |aborts| error | aborts);
        let keep = (keep & !error).named("pass_keep");
        Self { here: event.valid, valid, last, keep, fault, instead: error, again: None }
    }
}
