//! Pairs of surrogates that a system refuses: a low surrogate is an error if the code point written last is a high
//! surrogate.

use super::event::{CodePointEvent, Event};
use super::pass::Pass;
use crate::core::shared::code_points::{HIGH, LOW, SURROGATE_DATA};
use crate::netlist::{Builder, Reg, Signal};

/// The last code point that was written, as far as it matters to the next.
pub(super) struct SurrogatePairs<'m> {
    /// The last code point that was written in the frame is a high surrogate.
    behind_high: Reg<'m>,
    /// The event is a high surrogate, if it is a code point.
    is_high: Signal<'m>,
    /// The event is an error, or ends a pair.
    pub(super) error: Signal<'m>,
}

impl<'m> SurrogatePairs<'m> {
    /// The facts on a code point that are needed, side by side: it is a low surrogate, it is a high one. They are found before the
    /// buffer of events.
    pub(super) fn hints(m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        let marker = code.bits(SURROGATE_DATA..code.width());
        m.concat([marker.is(LOW).named("is_low"), marker.is(HIGH).named("is_high")]).named("surrogate_hints")
    }

    /// Looks at the event with these [`hints`](Self::hints), which is an `error` for another reason or none. Where `keep` is low the
    /// event only ends its frame, and the hints may be anything.
    pub(super) fn new(
        m: &'m Builder,
        keep: Signal<'m>,
        hints: Option<Signal<'m>>,
        error: Signal<'m>,
    ) -> Self {
        let hints = hints.expect("a writer that refuses pairs of surrogates looks for them");
        let behind_high = m.reg("behind_high_reg", 1).reset(0);
        let behind_high = behind_high.note("the last code point written is a high surrogate");
        let ends_pair = (behind_high.q & keep & hints.bit(1)).named("ends_pair");
        let error = error | ends_pair.note("a low surrogate may not follow");
        Self { behind_high, is_high: hints.bit(0), error: error.named("is_refused") }
    }

    /// Remembers the code point that is written of `event` in a pass, which `start` loads. If errors are dropped,
    /// nothing is written for them.
    pub(super) fn follow(
        self,
        event: Event<'m, CodePointEvent<'m>>,
        pass: Pass<'m>,
        start: Signal<'m>,
        drops: bool,
    ) {
        let writes = event.keep & self.is_high & !pass.instead;
        let written = if drops { writes | self.behind_high.q & pass.instead } else { writes };
        self.behind_high.next_when(start, written & !event.last);
    }
}
