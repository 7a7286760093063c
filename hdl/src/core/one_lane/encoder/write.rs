//! Stages 1 and 2: the current event, and its units one by one.

use super::event::{CodePointEvent, Event, LimbEvent};
use super::half::{OutputRegister, UnitOut};
use super::opening::Opening;
use super::pass::Pass;
use super::positions::{OtherStart, Positions, WrittenPosition};
use super::surrogate_pairs::SurrogatePairs;
use super::writer::Writer;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// Writes `event`. Drives `taken`, which is high where the event is no longer needed. `opening`: units before every frame; with
/// `opening_waits` as in [`Opening::new`].
pub(super) fn write<'m>(
    m: &'m Builder,
    writer: &dyn Writer,
    on_error: ErrorMode,
    event: Event<'m, CodePointEvent<'m>>,
    (opening, opening_waits): (Vec<u64>, bool),
    taken: Signal<'m>,
    output: OutputRegister<'m>,
) -> UnitOut<'m> {
    m.stage_section(1, "the event that is written");
    let CodePointEvent { long, hints, code } = event.what;
    let upper_limbs = long.map(|long| UpperLimbs::new(m, writer, event, long));
    let here = long.map_or(event.valid, |long| (event.valid & !long.more).named("event_here"));
    let pairs =
        writer.refuses_surrogate_pairs().then(|| SurrogatePairs::new(m, event.keep, hints, event.error));
    let error = pairs.as_ref().map_or(event.error, |pairs| pairs.error);
    let event = Event { valid: here, error, ..event };
    let valid = m.reg("valid_reg", 1).reset(0).note("something is being written");
    let positions = Positions::new(m, writer, output);
    let load = positions.load;
    let start = (load & event.valid).named("event_starts");
    let (drops, (replacement, replacement_start)) = match on_error {
        ErrorMode::Drop => (true, (0, 0)),
        ErrorMode::Flag | ErrorMode::Replace => (false, writer.replacement()),
    };
    let pass = if drops { Pass::dropping(event) } else { Pass::replacing(m, event, start) };
    if let Some(pairs) = pairs {
        pairs.follow(event, pass, start, drops);
    }
    let opening = (!opening.is_empty()).then(|| Opening::new(m, opening, pass, start, opening_waits));
    let pass = opening.as_ref().map_or(pass, |opening| opening.pass);
    let last_pass = pass.again.map_or(load, |again| load & !again);
    m.drive(taken, long.map_or(last_pass, |long| last_pass | long.more));

    let last = m.reg("last_reg", 1).note("the event ends its frame");
    let keep = m.reg("keep_reg", 1).note("the event is not only the end of a frame");
    let fault = m.reg("fault_reg", 1).reset(0).note("something in the frame could not be written");
    valid.next_when(load, pass.valid);
    last.next_when(start, pass.last);
    keep.next_when(start, pass.keep);
    fault.next_when(start, pass.fault | fault.q & !last.q);
    let on_load = m.stage(load);
    let code = code.map(|found| {
        let found = writer.stored(m, found, hints);
        let next = pass.instead.pick(m.lit(found.width(), replacement), found);
        let code = on_load.data("code_reg", next).note("the code point");
        upper_limbs.map_or(code, |upper| {
            let high = on_load.data("code_high_reg", upper.limbs.when(upper.joined));
            m.concat([high.note("upper bits of the code point"), code]).named("whole_code")
        })
    });
    let opening_start = opening.as_ref().map(|o| OtherStart { is: o.now, position: o.start() });
    let replacement_start = OtherStart { is: pass.instead, position: replacement_start };
    let other_starts = opening_start.into_iter().chain([replacement_start]);
    let WrittenPosition { unit: position, is_last } =
        positions.drive(m, event.start, other_starts, pass.valid, valid.q);

    m.stage_section(2, "the unit");
    let ends = is_last.map_or(last.q, |is_last| last.q & is_last).named("frame_ends_here");
    let unit = writer.unit(m, code, position).named("unit");
    let unit = match (opening, position) {
        (Some(opening), Some(position)) => opening.unit(m, position.position, unit),
        _ => unit,
    };
    UnitOut {
        valid: valid.q,
        last: ends,
        keep: keep.q,
        fault: (ends & fault.q).named("unit_fault"),
        unit: unit.when(keep.q),
    }
}

/// The limbs of a code point above the last.
#[derive(Clone, Copy)]
struct UpperLimbs<'m> {
    limbs: Signal<'m>,
    /// The event is the last limb of the same code point.
    joined: Signal<'m>,
}

impl<'m> UpperLimbs<'m> {
    /// Holds limbs until the last is here. They are taken even while something else is being written.
    fn new(
        m: &'m Builder,
        writer: &dyn Writer,
        event: Event<'m, CodePointEvent<'m>>,
        long: LimbEvent<'m>,
    ) -> Self {
        let limb = event.what.code.expect("a limb is bits of a code point");
        let bits = writer.code_bits() - limb.width();
        let limbs = m.reg("limbs_reg", bits).note("limbs of a long code point, but for the last");
        let next = match bits.checked_sub(limb.width()) {
            None => limb.bits(0..bits),
            Some(0) => limb,
            Some(more) => m.concat([limbs.q.bits(0..more).when(long.joins), limb]),
        };
        limbs.next_when((event.valid & long.more).named("limb_taken"), next);
        Self { limbs: limbs.q, joined: long.joins }
    }
}
