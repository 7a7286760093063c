//! Validators of several lanes for UTF-18: pairs of nonets, the high one first. A pair that is a surrogate is an error, and so is a high
//! nonet at the end of a frame.

use super::gather::{self, unit_before};
use super::{Marked, Marks, PassedPorts};
use crate::core::Verdict;
use crate::core::lanes::scan::{self, Carries};
use crate::core::lanes::{At, Beat, Heard, Instances, LaneModule, Lanes, Told, section};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::shared::error_kind::ErrorKind;

const NONET: u32 = 9;
const CODE_BITS: u32 = 20;
/// The high nonet of surrogates, without its last two bits.
const HIGH_OF_SURROGATES: u64 = 0xd800 >> 11;

struct Ports {
    passed: PassedPorts,
    class: Told,
    before: Heard,
    is_low: Heard,
    cut_at_end: Heard,
    ends_open: Heard,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let first = beat.stage();
    let class = first + 1;
    let odd = class + scan::stages(beat.lanes());
    let state = class + gather::stages(beat.lanes());
    let flags = odd.max(state) + 1;
    let bits = if verdict.newline { 2 } else { 1 };
    let (module, ports) =
        LaneModule::build(beat, "A nonet on its way from the bus to the output, and its marks.", |lane| {
            let (unit, valid, heard) = lane.hear_unit(NONET, first);
            lane.section(class, "what the nonet is as the high one of a pair");
            let now = unit.at(class);
            let surrogate = now.bits(2..NONET).is(HIGH_OF_SURROGATES);
            let zero = verdict.newline.then(|| now.is(0));
            let of_high = At::concat(zero.into_iter().chain([surrogate])).named("as_high");
            let note = "bit 0: as a high nonet, of surrogates; bit 1: zero";
            let told = lane.tell("high_out", of_high, note);
            let newline = verdict.newline.then(|| now.is(0xa).called("is_line_feed").at(flags));

            lane.section(flags, "the marks");
            let (before, before_heard) =
                lane.hear("high_before", bits, flags, "the same of the nonet before");
            let (is_low, low_heard) = lane.hear("is_low", 1, flags, "it is the low nonet of a pair");
            let (cut_at_end, cut_heard) =
                lane.hear("cut_at_end", 1, flags, "the frame ends before it, inside of a pair");
            let (ends_open, ends_heard) =
                lane.hear("ends_open", 1, flags, "it ends its frame, and is a high nonet");
            let valid_now = valid.at(flags);
            let layout = Layout::new(CODE_BITS, &[ErrorKind::Truncated, ErrorKind::Surrogate], false);
            let kinds = Kinds::new(lane.registers(), &layout);
            let low = (valid_now & is_low).named("low");
            let marks = Marks {
                cut: (cut_at_end, verdict.kinds.then(|| kinds.code(ErrorKind::Truncated))),
                bad: (
                    ends_open | (low & before.bit(0)),
                    verdict.kinds.then(|| {
                        ends_open.mux(kinds.code(ErrorKind::Truncated), kinds.code(ErrorKind::Surrogate))
                    }),
                ),
                start: verdict.start.then(|| valid_now & !is_low),
                newline: newline.map(|newline| low & newline & before.bit(1)),
            };
            let passed = PassedPorts::new(lane, heard, [unit, valid], marks, verdict, flags);
            let (cut_at_end, ends_open) = (cut_heard, ends_heard);
            Ports { passed, class: told, before: before_heard, is_low: low_heard, cut_at_end, ends_open }
        });
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    let last_unit = gather::last_unit(beat);
    let of_high = lanes.all(&ports.class);
    let around = unit_before("high", beat, last_unit, &of_high);
    lanes.connect_all(&ports.before, &of_high.before(around.before));
    let valid = beat.held("unit_held").at(class);
    let one = valid[0].lit(1, 1);
    let keeps = Lanes::new("keeps", (0..beat.lanes()).map(|_| one));
    let carries = Carries { sets: valid, keeps, invert: true, valid: beat.valid, last: beat.last };
    let high = carries.carried("after_high");
    lanes.connect_all(&ports.is_low, &high.after.before(high.before));
    section(beat.builder(), odd, "the end of the frame");
    let ends = (beat.last & high.after.end()).named("frame_ends_open").called("ends_open").at(flags);
    let none = beat.is_empty().at(flags);
    lanes.connect(&ports.ends_open, |lane| ends & last_unit.at(flags).bit(lane as u32));
    let cut = ends & none;
    lanes.connect(&ports.cut_at_end, |lane| if lane == 0 { cut } else { cut.lit(1, 0) });
    section(beat.builder(), flags + 1, "the marks");
    ports.passed.marked(&lanes)
}
