//! Validators of several lanes for UTF-9: a sequence ends at the first nonet without the continuation bit, and so does its error.

use super::gather;
use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::scan::Carries;
use crate::core::lanes::{At, Beat, Heard, History, Instances, Lane, LaneModule, Told, history, section};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::many_lanes::decoder::utf_9::{KINDS, NONET, OCTET, Shape, Stages, Values};

struct Ports {
    passed: PassedPorts,
    /// The octet, and below it the continuation bit.
    unit_1: Told,
    begins_with_zero: Told,
    keeps_zero: Told,
    zero_first: Heard,
    ends_frame: Heard,
    ends_empty: Heard,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(max: u32, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let shape = Shape::new(max, false);
    let stages = shape.stages_of_errors(beat.stage(), beat.lanes());
    let values = Values::new(shape, stages);
    let (module, ports) =
        LaneModule::build(beat, "A nonet on its way from the bus to the output, and its marks.", |lane| {
            ports(lane, shape, &values, stages, verdict)
        });
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    let units = lanes.all(&ports.unit_1);
    for (lane, unit) in units.iter().enumerate() {
        unit.named(&format!("unit_of_lane_{lane}_1"));
    }
    let past = history(beat, &units, &shape.widths());
    section(beat.builder(), stages.history, "the classes of the units before the beat");
    lanes.link(&History::new(past.into_iter().map(|unit| (unit, None))));
    let last_unit = gather::last_unit(beat);
    let at = stages.zero_first;
    lanes.connect(&ports.ends_frame, |lane| beat.last.at(at) & last_unit.at(at).bit(lane as u32));
    let empty = beat.last.at(at) & beat.is_empty();
    lanes.connect(&ports.ends_empty, |lane| if lane == 0 { empty } else { empty.lit(1, 0) });
    let carries = Carries {
        sets: lanes.all(&ports.begins_with_zero),
        keeps: lanes.all(&ports.keeps_zero),
        invert: false,
        valid: beat.valid,
        last: beat.last,
    };
    let zeros = carries.carried("zero_first");
    lanes.connect(&ports.zero_first, |lane| zeros.after[lane]);
    section(beat.builder(), at + 1, "the marks");
    ports.passed.marked(&lanes)
}

/// The octet of a nonet, and below it the continuation bit.
fn both(nonet: At<'_>) -> At<'_> {
    At::concat([nonet.bits(0..OCTET), nonet.bit(OCTET)])
}

/// A lane.
fn ports(lane: &Lane<'_>, shape: Shape, values: &Values, stages: Stages, verdict: Verdict) -> Ports {
    let Stages { first, history, class, zero_first: flags, .. } = stages;
    let (nonet, valid, heard) = lane.hear_unit(NONET, first);
    lane.section(first + 1, "the nonet");
    let unit_1 =
        lane.tell("unit_1", both(nonet.at(first + 1)), "the octet, and below it the continuation bit");
    lane.section(history, "the class of the nonet");
    let now = nonet.at(history);
    lane.set_unit(both(now), valid);
    let continues = lane.own(&values.continues);
    let newline = verdict.newline.then(|| now.is(0xa).called("is_line_feed").at(class));

    lane.section(class, "the position in the sequence");
    let position = values.position(lane, shape);
    let is_after = position.after[0].called("is_after");
    let begins = (!position.after[0]).named("begins_sequence");
    let valid_now = valid.at(class);
    let note = "a zero octet begins a sequence here";
    let begins_with_zero =
        lane.tell("begins_with_zero", begins & valid_now & lane.own(&values.is_zero), note);
    let keeps_zero = lane.tell("keeps_zero", !begins | !valid_now, "it begins no sequence, or is none");
    let newline = newline.map(|newline| (newline & begins & valid_now).called("is_newline"));
    let start = verdict.start.then(|| (begins & valid_now).called("is_start"));
    let surrogate = position.surrogate.called("surrogate").at(flags);
    let too_great = position.too_great.called("too_great").at(flags);

    lane.section(flags, "the marks");
    let (zero_first, zero_heard) = lane.hear("zero_first", 1, flags, "its sequence begins with a zero octet");
    let (ends_frame, frame_heard) = lane.hear("ends_frame", 1, flags, "the frame ends with the nonet");
    let (ends_empty, empty_heard) = lane.hear("ends_empty", 1, flags, "the frame ends before the nonet");
    let (continues, is_after) = (continues.called("continues").at(flags), is_after.at(flags));
    let overlong = (zero_first & is_after).named("is_overlong");
    let wrong = valid.at(flags) & !continues & (overlong | surrogate | too_great);
    let kinds = verdict.kinds.then(|| {
        let kinds = Kinds::new(lane.registers(), &Layout::new(shape.code_bits, &KINDS, false));
        let [cut, long, pair, range] = KINDS.map(|kind| kinds.code(kind));
        (cut, continues.mux(cut, overlong.mux(long, surrogate.mux(pair, range))))
    });
    let (of_cut, of_bad) = kinds.unzip();
    let marks = Marks {
        cut: (ends_empty & is_after, of_cut),
        bad: (wrong | (ends_frame & continues), of_bad),
        start,
        newline,
    };
    let passed = PassedPorts::new(lane, heard, [nonet, valid], marks, verdict, flags);
    Ports {
        passed,
        unit_1,
        begins_with_zero,
        keeps_zero,
        zero_first: zero_heard,
        ends_frame: frame_heard,
        ends_empty: empty_heard,
    }
}
