//! Validators of several lanes for sets of several octets.
//!
//! An octet makes at most two errors certain. Both are before the octet where it breaks four octets of `gb18030` and is no character after the
//! third of them: then the second error takes the place of the octet's own.

use super::{Marked, Marks, PassedPorts};
use crate::core::lanes::{At, Beat, Heard, Instances, Lane, LaneModule, section};
use crate::core::many_lanes::decoder::indexed::{Effect, Ports, Stages, connect, effect, kinds};
use crate::core::many_lanes::decoder::slot::{Kinds, Layout};
use crate::core::shared::code_points::LINE_FEED;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::index_tables::{CODE_BITS, Words};
use crate::core::shared::octet_class::has_four;
use crate::core::{MultiOctet, Verdict};

struct ValidatorPorts {
    passed: PassedPorts,
    effect: Ports,
    ends_empty: Heard,
}

/// Passes a beat on, with its marks.
pub(super) fn marked<'m>(set: MultiOctet, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    let stages = Stages::new(set, beat.stage(), beat.lanes());
    let summary = "An octet on its way from the bus to the output, and its marks.";
    let (module, ports) = LaneModule::build_trimmed(beat, summary, |lane| ports(lane, set, stages, verdict));
    let lanes = Instances::new(beat, &module, &ports.passed.unit);
    connect(set, Words::Presence, beat, &lanes, &ports.effect, stages, |_| {});
    section(beat.builder(), stages.found, "the marks");
    let empty = beat.ends_without_unit().at(stages.found);
    lanes.connect(&ports.ends_empty, |lane| if lane == 0 { empty } else { empty.lit(1, 0) });
    ports.passed.marked(&lanes)
}

/// A lane.
fn ports(lane: &Lane<'_>, set: MultiOctet, stages: Stages, verdict: Verdict) -> ValidatorPorts {
    let at = stages.found;
    let (effect, ports) = effect(lane, set, stages, None, true);
    let (ends_empty, empty_heard) = lane.hear("ends_empty", 1, at, "the frame ends before the octet");
    let Effect { unit, valid, state, rereads, breaks, error, is_truncated, is_past, is_trail, .. } = effect;
    let is_open = state.any().named("is_open");
    let ends_empty = (ends_empty & is_open).named("is_cut_before");
    let kinds =
        verdict.kinds.then(|| Kinds::new(lane.registers(), &Layout::new(CODE_BITS, kinds(set), false)));
    let code = |kind: ErrorKind| kinds.as_ref().map(|kinds| kinds.code(kind));
    let both = |one, other| Option::zip(one, other);
    let of_lead = both(code(ErrorKind::Invalid), code(ErrorKind::Truncated))
        .map(|(invalid, truncated)| is_trail.mux(invalid, truncated).named("kind_of_lead"));
    let of_own = both(code(ErrorKind::Truncated), code(ErrorKind::Invalid)).map(|(truncated, invalid)| {
        let kind = is_truncated.mux(truncated, invalid);
        match is_past.filter(|_| has_four(set)) {
            Some(past) => past.mux(code(ErrorKind::OutOfRange).expect("it has a kind"), kind),
            None => kind,
        }
    });
    let breaks = breaks.map(|[third, fourth]| (third | fourth).named("breaks"));
    let (cut, bad) = match breaks {
        None => (
            (rereads | ends_empty, kind_of(ends_empty, code(ErrorKind::Truncated), of_lead)),
            (error, of_own),
        ),
        Some(breaks) => {
            let is_first = (breaks | ends_empty).named("is_first_error");
            let second = (rereads & breaks).named("is_second_error");
            (
                (rereads | is_first, kind_of(is_first, code(ErrorKind::Truncated), of_lead)),
                (error | second, kind_of(second, of_lead, of_own)),
            )
        }
    };
    let is_start = verdict.start.then(|| (valid & (!is_open | rereads)).named("is_start"));
    let newline = verdict.newline.then(|| valid & unit.is(LINE_FEED));
    let marks = Marks { cut, bad, start: is_start, newline };
    let passed = PassedPorts::new(lane, ports.unit.clone(), [unit, valid], marks, verdict, at);
    ValidatorPorts { passed, effect: ports, ends_empty: empty_heard }
}

/// The kind `one` where `select` is 1, else `zero`; `None` without kinds.
fn kind_of<'m>(select: At<'m>, one: Option<At<'m>>, zero: Option<At<'m>>) -> Option<At<'m>> {
    Some(select.mux(one?, zero?))
}
