//! Validators of several lanes for UTF-16: a high surrogate without a low one after it is an error, and so is a low one without a high
//! one before it.

use super::gather::{self, unit_before};
use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::{Beat, Heard, Instances, LaneModule, Told, section};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::shared::error_kind::ErrorKind;

const UNIT: u32 = 16;
/// Bits of a code point, and those that each surrogate of a pair holds.
const CODE_BITS: u32 = 21;
const SURROGATE_DATA: u32 = 10;
const HIGH: u64 = 0xd800 >> SURROGATE_DATA;
const LOW: u64 = 0xdc00 >> SURROGATE_DATA;

struct Ports {
    passed: PassedPorts,
    is_high: Told,
    high_before: Heard,
    cut_at_end: Heard,
    ends_open: Heard,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let first = beat.stage();
    let class = first + 2;
    let state = class + gather::stages(beat.lanes());
    let flags = state + 1;
    let (module, ports) =
        LaneModule::build(beat, "A unit on its way from the bus to the output, and its marks.", |lane| {
            let (unit, valid, heard) = lane.hear_unit(UNIT, first);
            lane.section(first + 1, "whether the unit is a surrogate");
            let now = unit.at(first + 1);
            let is = |marker: u64| now.bits(SURROGATE_DATA..UNIT).is(marker) & valid;
            let is_high = lane.tell("is_high", is(HIGH).registered("high"), "it is a high surrogate");
            let low = is(LOW).called("is_low");
            let newline = verdict.newline.then(|| (now.is(0xa) & valid).called("is_newline"));

            lane.section(flags, "the marks");
            let (high_before, high_heard) =
                lane.hear("high_before", 1, flags, "the unit before is a high surrogate");
            let (cut_at_end, cut_heard) =
                lane.hear("cut_at_end", 1, flags, "the frame ends before it, after one");
            let (ends_open, ends_heard) = lane.hear("ends_open", 1, flags, "it is one, and ends its frame");
            let (low, valid_now) = (low.at(flags), valid.at(flags));
            let layout = Layout::new(CODE_BITS, &[ErrorKind::Surrogate], false);
            let kind =
                verdict.kinds.then(|| Kinds::new(lane.registers(), &layout).code(ErrorKind::Surrogate));
            let marks = Marks {
                cut: (cut_at_end | (high_before & valid_now & !low), kind),
                bad: (ends_open | (low & !high_before), kind),
                start: verdict.start.then(|| valid_now & !(low & high_before)),
                newline,
            };
            let passed = PassedPorts::new(lane, heard, [unit, valid], marks, verdict, flags);
            Ports { passed, is_high, high_before: high_heard, cut_at_end: cut_heard, ends_open: ends_heard }
        });
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    let last_unit = gather::last_unit(beat);
    let high = lanes.all(&ports.is_high);
    let around = unit_before("high", beat, last_unit, &high);
    section(beat.builder(), state, "the end of the frame");
    let ends = (beat.last & around.after).named("frame_ends_open").called("ends_open").at(flags);
    let none = beat.is_empty().at(flags);
    lanes.connect(&ports.ends_open, |lane| ends & last_unit.at(flags).bit(lane as u32));
    let cut = ends & none;
    lanes.connect(&ports.cut_at_end, |lane| if lane == 0 { cut } else { cut.lit(1, 0) });
    lanes.connect_all(&ports.high_before, &high.before(around.before));
    section(beat.builder(), flags + 1, "the marks");
    ports.passed.marked(&lanes)
}
