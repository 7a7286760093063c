//! From slots to [events](super::event).
//!
//! | slot | in no group | in a group |
//! | --- | --- | --- |
//! | code point | the code point | an error, then the code point |
//! | error | an error | an error, which ends the group |
//! | head of at least two | opens a group | an error, then it opens a group |
//! | head of fewer | an error | two errors |
//! | limb | an error | nothing, or, if it is the last, the code point |
//! | `tlast` after the slot | | an error, if the group is still open |
//!
//! A beat therefore makes at most two events. If there are two, the first is an error: the slot aborts the group.

use super::event::{CodePointEvent, Event, LimbEvent};
use super::groups::{GroupMarks, Groups};
use super::held_limbs::{HeldLimbs, LimbMarks};
use super::slot_stage::SlotInput;
use super::writer::{Fit, Writer};
use crate::core::one_lane::slot::OneSlotBeat;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// Makes events of slots: code points that `writer` has, and errors of everything else. Where errors are dropped,
/// several may be one. If frames have an opening, and it [waits](super::slot_stage::SlotStage::opening_waits), a head at the
/// start of a frame makes no event.
pub(super) fn events<'m>(
    m: &'m Builder,
    input: SlotInput<'m>,
    writer: &dyn Writer,
    has_opening: bool,
    on_error: ErrorMode,
) -> Event<'m, CodePointEvent<'m>> {
    let (input, fit) = match writer.look_up_stages() {
        0 => (input, fit(m, input.slots.data, writer)),
        _ => writer.looked_up(m, input),
    };
    let SlotInput { slots, stage } = input;
    let Fit { code, start, hints, unfit } = fit;
    let code = code.map(|code| stage.data("slot_code_reg", code));
    let hints = hints.map(|hints| stage.data("slot_hints_reg", hints));
    let unfit = unfit.map(|unfit| stage.data("slot_unfit_reg", unfit));
    let counts_limbs = writer.code_bits() > 32 || on_error != ErrorMode::Drop;
    let marks = slots.long.map(|long| GroupMarks::new(m, input, long, counts_limbs));
    let limb_marks = slots.long.zip(marks).filter(|_| writer.code_bits() > 32);
    let limb_marks = limb_marks.map(|(long, marks)| LimbMarks::new(m, input, long, marks, writer));
    let keep_in_front = slots.keep;
    let slots = stage.slot(slots, slots.data);
    let start = start.map(|start| match writer.starts_differ() {
        true => stage.data("slot_start_reg", start.when(keep_in_front).named("slot_start")),
        false => start.when(slots.keep),
    });
    let hints = writer.hints(m, start, hints);
    let what = CodePointEvent { long: None, hints, code };
    let opens_frame = has_opening && !stage.opening_waits(on_error);
    let Some((long, marks)) = slots.long.zip(marks) else {
        // The decoding half of a transcoder gives no beat without a slot but the last of a frame.
        let in_frame =
            (opens_frame && stage.has_registers()).then(|| in_frame(m, slots, stage.buffer_ready()));
        return without_groups(slots, in_frame, start, unfit, what);
    };

    let OneSlotBeat { valid, last, keep, error, .. } = slots;
    let taken = stage.taken(slots, marks.arrives);
    let groups = Groups::new(m, slots, long, marks, stage.buffer_ready(), taken);
    let held = limb_marks.map(|marks| HeldLimbs::new(m, slots, long, groups, marks, writer));
    let (open, opens) = (groups.open, groups.opens);

    m.section("Events: the meaning of the slots");
    let breaks = (open & keep & !(error | long.limb)).named("slot_breaks");
    let breaks = breaks.note("a slot in a group that neither belongs to it nor is an error");
    let makes_any = last | keep & !groups.unfinished();
    // Whether a limb is held comes last, and so decides last.
    let makes_any = held.map_or(makes_any, |held| makes_any | held.more);
    let valid = (valid & makes_any).named("event_valid");
    let code_point = (keep & !(error | long.head | long.limb)).named("is_code_point");
    let fits = unfit.map_or(code_point, |unfit| code_point & !unfit);
    let keep = (keep | open).named("event_keep").note("the end of a frame inside a group is an error");
    let (valid, keep) = if opens_frame {
        let in_frame = in_frame(m, slots, stage.buffer_ready());
        let head_alone = (!in_frame & opens & !last).named("head_alone");
        let head_alone = head_alone.note("a head with only the opening to write");
        let valid = (valid | slots.valid & !in_frame).named("event_offered");
        (valid, (keep & !head_alone).named("event_writes"))
    } else {
        (valid, keep)
    };
    let good = held.map_or(fits, |held| fits | held.whole);
    let error = (keep & !good).named("event_error");
    // A head that opens the next group makes no event of its own, so the error is the only event.
    let aborts = (breaks & (last | !opens)).named("event_aborts").note("an error comes before the event");
    let start = match (start, held) {
        (Some(start), Some(held)) => Some(held.joins.mux(held.start, start).named("event_start")),
        (start, _) => start,
    };
    let long = held.map(|held| LimbEvent { more: held.more, joins: held.joins });
    let what = CodePointEvent { long, ..what };
    Event { valid, last, keep, error, aborts: Some(aborts), start, what }
}

/// Low where the beat in the slot stage is the first of its frame, which makes an event for the opening, if for nothing else. `room`
/// says that the beat is taken.
fn in_frame<'m>(m: &'m Builder, slots: OneSlotBeat<'m>, room: Signal<'m>) -> Signal<'m> {
    let in_frame = m.reg("in_frame_reg", 1).reset(0).note("the first beat of the frame has been taken");
    in_frame.next_when(slots.valid & room, !slots.last);
    in_frame.q
}

/// Classifies a code point of as many bits as a slot has, in the system.
fn fit<'m>(m: &'m Builder, data: Signal<'m>, writer: &dyn Writer) -> Fit<'m> {
    m.section("Input: class of the code point in the system");
    let code_bits = writer.code_bits().min(32);
    let code = data.bits(0..code_bits.min(data.width()));
    let code = if code.width() < code_bits { code.zext(code_bits).named("code_point") } else { code };
    let too_wide = (data.width() > code_bits).then(|| {
        let above = data.bits(code_bits..data.width()).any();
        above.named("too_wide").note("more bits than any code point of the system has")
    });
    let fit = writer.fit(m, code);
    let unfit = [too_wide, fit.unfit].into_iter().flatten().reduce(|a, b| a | b);
    Fit { unfit, ..fit }
}

/// Makes an event of each slot, in a system without heads and limbs, and of the first beat of a frame, where `in_frame` is low.
fn without_groups<'m>(
    slots: OneSlotBeat<'m>,
    in_frame: Option<Signal<'m>>,
    start: Option<Signal<'m>>,
    unfit: Option<Signal<'m>>,
    what: CodePointEvent<'m>,
) -> Event<'m, CodePointEvent<'m>> {
    let OneSlotBeat { valid, last, keep, error, .. } = slots;
    let error = unfit.map_or(error, |unfit| error | unfit);
    let makes_event = in_frame.into_iter().fold(keep | last, |makes, in_frame| makes | !in_frame);
    Event { valid: valid & makes_event, last, keep, error: keep & error, aborts: None, start, what }
}
