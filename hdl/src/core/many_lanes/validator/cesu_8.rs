//! Validators of several lanes for CESU-8, and for the modified UTF-8 of Java: the lanes of a [decoder](super::super::decoder::cesu_8)
//! up to what an octet does to the sequence before it.

use std::sync::Arc;

use super::gather::{self, unit_before};
use super::{Marked, Marks, PassedPorts};
use crate::core::lanes::scan::Carries;
use crate::core::lanes::{At, Beat, Heard, History, Instances, Lane, LaneModule, Told, history, section};
use crate::core::many_lanes::decoder::cesu_8::lane::{Continuation, Making};
use crate::core::many_lanes::decoder::cesu_8::link::Values;
use crate::core::many_lanes::decoder::cesu_8::unit::{self, OCTET};
use crate::core::many_lanes::decoder::cesu_8::{BEFORE, Shape, Stages};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::many_lanes::decoder::{Build, Placement};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::{Steps, System, Verdict};
use crate::netlist::Module;

struct Ports {
    passed: PassedPorts,
    /// The octet, a stage after it came in.
    unit_1: Told,
    sets: Told,
    keeps: Told,
    continues_ed: Heard,
    /// Bit 0: its sequence is open after it; above, of which kind the error is if that is cut short.
    open: Told,
    open_before: Heard,
    cut_at_end: Heard,
    ends_open: Heard,
}

/// How octets are passed on.
struct Passing<'a> {
    shape: &'a Shape,
    stages: Stages,
    values: &'a Values,
    /// The module that classifies an octet.
    classify: &'a Arc<Module>,
    verdict: Verdict,
    /// The stage of the marks.
    flags: u32,
}

impl Passing<'_> {
    /// The module of a lane.
    fn lane(&self, lane: &Lane<'_>) -> Ports {
        let Self { shape, stages, values, verdict, flags, .. } = *self;
        let Stages { first, history, near, window, .. } = stages;
        let (unit, valid, heard) = lane.hear_unit(OCTET, first);
        lane.section(first + 1, "the octet");
        let unit_1 = lane.tell("unit_1", unit.at(first + 1), "the octet");
        lane.section(history, "the class of the octet");
        let now = unit.at(history);
        let newline = verdict.newline.then(|| (now.is(0xa) & valid).called("is_newline"));
        lane.set_unit(now, valid);
        lane.set_class(unit::instance("unit_class", self.classify, now, valid));
        let making = Making { lane, shape, stages, values };
        let (sets, keeps, position, continues_ed) = making.position(valid);
        let Continuation { trailing, continues, is_high, wrong, open } = making.continuation(&position);
        let kinds = verdict.kinds.then(|| {
            let kind = making.class("kind").at(near);
            [kind, making.is_second_lead(&position), is_high]
        });
        let parts = kinds.into_iter().flatten().chain([open]);
        let told = At::concat(parts).registered("open_bits");
        let bits = told.width();
        let note = "bit 0: its sequence is open after it";
        let open = lane.tell("open", told, note);
        let kind = verdict.kinds.then(|| making.class("kind").at(near).called("kind_of_octet").at(window));

        lane.section(flags, "the marks");
        let (before, before_heard) = lane.hear("open_before", bits, flags, "the same of the octet before");
        let (cut_at_end, cut_heard) =
            lane.hear("cut_at_end", 1, flags, "the frame ends before it, in a sequence");
        let (ends_open, ends_heard) =
            lane.hear("ends_open", 1, flags, "the frame ends with it, in a sequence");
        let continues = continues.called("goes_on").at(flags);
        let there = valid.at(flags);
        let cut = cut_at_end | (before.bit(0) & there & !continues);
        let wrong = (wrong & valid).called("is_valid_wrong").at(flags);
        let of = kind.map(|kind| {
            let kinds = Kinds::new(lane.registers(), &shape.layout);
            let [short, half] = [ErrorKind::Truncated, ErrorKind::Surrogate].map(|kind| kinds.code(kind));
            let trails = (trailing & valid).called("trails").at(flags);
            let refused = trails & !before.bit(2);
            let of_cut = before.bit(1).mux(half, refused.mux(before.bits(3..bits), short));
            let own_high = is_high.called("is_high").at(flags);
            (of_cut, ends_open.mux(own_high.mux(half, short), kind.at(flags)))
        });
        let (of_cut, of_bad) = of.unzip();
        let start = verdict.start.then(|| there & !continues);
        let marks = Marks { cut: (cut, of_cut), bad: (wrong | ends_open, of_bad), start, newline };
        let passed = PassedPorts::new(lane, heard, [unit, valid], marks, verdict, flags);
        let (open_before, cut_at_end, ends_open) = (before_heard, cut_heard, ends_heard);
        Ports { passed, unit_1, sets, keeps, continues_ed, open, open_before, cut_at_end, ends_open }
    }
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(system: System, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let shape = Shape::new(system, false).without_slots();
    let build = Build {
        lanes: beat.lanes(),
        steps: Steps::default(),
        placement: Placement::InPlace,
        positions: false,
        drops_mark: false,
        kinds: true,
    };
    let (stages, _) = Stages::new(beat.stage(), false, build);
    let values = Values::new(stages, shape.nul_is_pair);
    let classify = unit::unit(beat.builder(), &shape, stages.class);
    let flags = stages.window + gather::stages(beat.lanes()) + 1;
    let passing = Passing { shape: &shape, stages, values: &values, classify: &classify, verdict, flags };
    let note = "An octet on its way from the bus to the output, and its marks.";
    let (module, ports) = LaneModule::build_trimmed(beat, note, |lane| passing.lane(lane));
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    let units = history(beat, &lanes.all(&ports.unit_1), &[OCTET; BEFORE]);
    section(beat.builder(), stages.class, "the classes of the octets before the beat");
    let past = History::new((1..).zip(&units).map(|(back, &unit)| {
        let name = format!("unit_{back}_before_class");
        (unit, Some(unit::instance(&name, &classify, unit, beat.valid)))
    }));
    let (sets, keeps) = (lanes.all(&ports.sets), lanes.all(&ports.keeps));
    let carries = Carries { sets, keeps, invert: true, valid: beat.valid, last: beat.last };
    lanes.connect_all(&ports.continues_ed, &carries.carried("ed").after);
    lanes.link(&past);
    let last_unit = gather::last_unit(beat);
    let open = lanes.all(&ports.open);
    let around = unit_before("open", beat, last_unit, &open);
    lanes.connect_all(&ports.open_before, &open.before(around.before));
    section(beat.builder(), flags - 1, "the end of the frame");
    let ends = (beat.last & around.after.bit(0)).named("frame_ends_open").called("ends_open").at(flags);
    lanes.connect(&ports.ends_open, |lane| ends & last_unit.at(flags).bit(lane as u32));
    let cut = ends & beat.is_empty();
    lanes.connect(&ports.cut_at_end, |lane| if lane == 0 { cut } else { cut.lit(1, 0) });
    section(beat.builder(), flags + 1, "the marks");
    ports.passed.marked(&lanes)
}
