//! Steps: a beat at once, or its slots one by one.

use super::{Making, PIECES_OF_SLOT};
use crate::core::many_lanes::encoder::split;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::ports::{SLOT_USER_BITS, SlotsIn};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, connect, skid_buffer};

/// A beat of slots after the buffer.
pub(super) struct Beat<'m> {
    pub(super) ready: Signal<'m>,
    pub(super) valid: Signal<'m>,
    /// The beat is taken.
    taken: Signal<'m>,
    last: Signal<'m>,
    /// A slot is a head or a limb.
    has_long: Signal<'m>,
    /// For each lane but the last: it and the next lane hold slots.
    goes_on: Vec<Signal<'m>>,
    keep: Vec<Signal<'m>>,
    user: Vec<Signal<'m>>,
    data: Vec<Signal<'m>>,
}

fn is_long(user: Signal<'_>) -> Signal<'_> {
    user.bits(1..SLOT_USER_BITS).all()
}

/// The buffer.
pub(super) fn buffered<'m>(m: &'m Builder, input: &SlotsIn<'m>, lanes: usize) -> Beat<'m> {
    let user = |lane: u32| input.tuser.bits(lane * SLOT_USER_BITS..(lane + 1) * SLOT_USER_BITS);
    let long = (0..lanes as u32).map(|lane| input.tkeep.bit(lane) & is_long(user(lane)));
    let has_long = any_of(long).expect("a lane");
    let all = input.tkeep.width();
    let goes_on = input.tkeep.bits(0..all - 1) & input.tkeep.bits(1..all);
    let payload = m.concat([has_long, goes_on, input.tlast, input.tkeep, input.tuser, input.tdata]);
    let buffer = m.instance("input_skid", &skid_buffer(payload.width()));
    let taken = m.wire("steps_end", 1).note("the step is the last of its beat");
    let buffer = connect(buffer, input.tvalid, payload, taken);
    let mut fields = Fields::of(buffer.payload.named("input_beat"));
    let has_long = fields.next(has_long, "beat_has_long");
    let goes_on = fields.next(goes_on, "slots_go_on");
    let last = fields.next(input.tlast, "beat_last");
    let keep = fields.next(input.tkeep, "beat_keep");
    let user = fields.next(input.tuser, "beat_user");
    let data = fields.next(input.tdata, "beat_data");
    Beat {
        ready: buffer.ready,
        valid: buffer.valid.named("beat_valid"),
        taken,
        last,
        has_long,
        goes_on: split(goes_on, lanes - 1),
        keep: split(keep, lanes),
        user: split(user, lanes),
        data: split(data, lanes),
    }
}

/// A step, as of stage 1.
pub(super) struct Step<'m> {
    /// Slots go one by one: a slot, which is in lane 0; or, where there is none, the end of the frame.
    pub(super) serial: Signal<'m>,
    pub(super) slot: Signal<'m>,
    pub(super) end: Signal<'m>,
    /// With few lanes, the pieces of a slot take two cycles: this is the last of them.
    pub(super) done: Option<Signal<'m>>,
    /// The frame ends with the step.
    pub(super) last: Signal<'m>,
    /// Slots go one by one, and the beat ends its frame; `None` where steps are not joined.
    pub(super) of_last_beat: Option<Signal<'m>>,
    /// The slots of a beat that is one step.
    pub(super) keep: Vec<Signal<'m>>,
    pub(super) user: Vec<Signal<'m>>,
    pub(super) data: Vec<Signal<'m>>,
}

/// Takes `beat` step by step.
pub(super) fn steps<'m>(making: &Making<'_, 'm>, beat: Beat<'m>) -> Step<'m> {
    let Making { m, stages, lanes, .. } = *making;
    m.section(
        "Steps: whole beats, or slots one by one where one is a head or a limb or stands behind such a slot",
    );
    let at = m.reg("slot_at_reg", lanes as u32).reset(1).note("the slot of the step, a bit for each lane");
    let after_long =
        m.reg("after_long_reg", 1).reset(0).note("the last slot of the frame was a head or limb");
    let has_long = (beat.has_long | after_long.q).named("has_long_slots");
    let serial = (has_long | !at.q.bit(0)).named("goes_one_by_one");
    let chosen = |signals: &[Signal<'m>]| {
        let of = |(lane, &signal): (usize, &Signal<'m>)| signal.masked(at.q.bit(lane as u32));
        any_of(signals.iter().enumerate().map(of)).expect("a lane")
    };
    let (user, data) = (chosen(&beat.user).named("chosen_user"), chosen(&beat.data).named("chosen_data"));
    let here = (serial & chosen(&beat.keep)).named("slot_here");
    let more = beat.goes_on.iter().zip(0..).map(|(&goes_on, lane)| {
        let more = at.q.bit(lane) & goes_on;
        // Only in lane 0 can `at` belong to a beat that is one step.
        if lane == 0 { more & has_long } else { more }
    });
    let more = any_of(more).expect("two lanes").named("more_slots");
    let long = is_long(user).named("chosen_is_long");
    let end = (serial & !beat.keep[0] & beat.last).named("is_end");
    let moves = (stages.enable() & beat.valid).named("step_moves");
    let phase = (lanes < PIECES_OF_SLOT).then(|| {
        let phase = m.reg("second_half_reg", 1).reset(0).note("the last pieces of the slot");
        phase.next_when(moves, serial & !phase.q);
        (!serial | phase.q).named("step_done")
    });
    let done = phase.map_or(moves, |done| moves & done).named("step_ends");
    let through = (!more).named("beat_through");
    m.drive(beat.taken, stages.enable() & phase.map_or(through, |done| through & done));
    let last = (beat.last & through).named("frame_through");
    let width = lanes as u32;
    let shifted = m.concat([at.q.bits(0..width - 1), m.lit(1, 0)]);
    at.next_when(done, through.mux(m.lit(width, 1), shifted.masked(more) | at.q.masked(!more)));
    let stays = here.mux(long, after_long.q);
    after_long.next_when(done, !last & stays);

    let at_1 = |name: &str, signal| stages.later(name, signal, 0, 1);
    // The chosen slot is that of lane 0, too, if the whole beat is one step: `at` is at lane 0 then.
    let lane = |name: &str, signals: &[Signal<'m>], chosen: Signal<'m>| -> Vec<Signal<'m>> {
        let of = |(lane, &signal): (usize, &Signal<'m>)| {
            stages.later_of(lane, &format!("slot_{lane}_{name}"), signal, [0, 1])
        };
        [&chosen].into_iter().chain(&signals[1..]).enumerate().map(of).collect()
    };
    Step {
        keep: beat
            .keep
            .iter()
            .enumerate()
            .map(|(of, &keep)| stages.later_of(of, &format!("slot_{of}_keep"), keep & !serial, [0, 1]))
            .collect(),
        user: lane("user", &beat.user, user),
        data: lane("data", &beat.data, data),
        serial: at_1("serial", serial),
        slot: at_1("one_slot", here),
        end: at_1("is_end", end),
        done: phase.map(|done| at_1("done", done)),
        last: at_1("step_last", last),
        of_last_beat: stages.joins.map(|_| at_1("of_last_beat", serial & beat.last)),
    }
}
