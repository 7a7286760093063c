//! Validators of several lanes: units pass through, each in its lane, and get marks that say where errors are.
//!
//! ```text
//!  units ──> class of each unit ──> compared with the units before it ──> marks ──┐
//!    │                 └──> state after the beat: the loop                        ├──> output buffer
//!    └──> a delay of as many stages ──────────────────────────────────────────────┘
//! ```
//!
//! Nothing is compacted, counted or carried over, so all stages always move together.

mod cesu_8;
mod gather;
mod indexed;
mod octets;
mod output;
mod pattern;
mod prefix;
mod single;
mod utf_16;
mod utf_18;
mod utf_9;

use std::sync::Arc;

use super::decoder::prefix::Shape;
use super::decoder::utf_inf_8::Tails;
use super::decoder::{Pipeline, Placement};
use crate::core::lanes::{At, Beat, Instances, Lane, Lanes, Told, UnitHeard};
use crate::core::layers::streams::{moves_out, sweeps_in};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::{UnitsIn, units_in, units_in_ready, units_out_ready};
use crate::core::shared::single::Words;
use crate::core::spec::ErrorMode;
use crate::core::{CoreSpec, Stall, System, Verdict, decoded_only, software_only};
use crate::netlist::{Builder, Module};

/// The lanes of a beat on its way out, all of one stage.
struct Marked<'m> {
    /// The units, and zeros in lanes without one.
    units: Lanes<'m>,
    /// The lane holds a unit.
    keep: Lanes<'m>,
    /// The marks of each lane, as [`Verdict::fields`] lays them out.
    marks: Lanes<'m>,
}

impl Marked<'_> {
    fn stage(&self) -> u32 {
        self.marks.end().stage()
    }
}

/// Builds a validator core as a module called `name`; gives its latency in cycles too.
pub(super) fn validator(spec: &CoreSpec, verdict: Verdict, name: &str) -> (Arc<Module>, u32) {
    let lanes = spec.lanes as usize;
    let m = Builder::new(
        name,
        format!("{} validator, {lanes} units a cycle, errors by maximal subpart", spec.system.title()),
    );
    let input = units_in(&m, spec.lanes, spec.system.unit_bits());
    let m_axis_tready = units_out_ready(&m);
    let pipeline = match spec.streams {
        0 => Pipeline::new(&m, lanes, false),
        _ => Pipeline::of_streams(&m, lanes, sweeps_in(&m)),
    };
    let pipeline = pipeline.stalled_by(spec.stall);
    units_in_ready(&m, pipeline.takes());
    let tvalid = input.tvalid;
    let input = UnitsIn { tvalid: pipeline.accepted(tvalid), ..input };
    let beat = Beat::new(&input, |lane| pipeline.stage_at(lane));
    let marked = marked(spec.system, verdict, &beat);
    let latency =
        output::output(&m, (verdict, spec.stall), &beat, &marked, [tvalid, m_axis_tready], &pipeline);
    if spec.streams > 0 && !pipeline.never_waits() {
        moves_out(&m, pipeline.stage().enable);
    }
    drop((beat, marked, pipeline));
    let module = match spec.stall {
        Stall::Credit(_) => m.built_tied(),
        Stall::Enable => m.built_trimmed(),
    };
    (module, latency)
}

/// The stages that are the system's own.
fn marked<'m>(system: System, verdict: Verdict, beat: &Beat<'m>) -> Marked<'m> {
    match system {
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. }
        | System::Wtf8 => {
            let shape = Shape::new(Leads::of(system), ErrorMode::Flag, Placement::InPlace);
            prefix::marked(shape, verdict, beat)
        }
        System::CorrectedUtf8 { document, .. } => {
            let leads =
                Leads::new(SequenceForms::hunks(8, 6).with_offsets(), ErrorKind::Reserved).with_openers();
            let leads = if document { leads.without_nul() } else { leads };
            prefix::marked(Shape::new(leads, ErrorMode::Flag, Placement::InPlace), verdict, beat)
        }
        System::UtfInf8 { digits } => {
            let leads = Leads::new(SequenceForms::hunks(8, 7), ErrorKind::Truncated).with_openers();
            let shape = Shape::new(leads, ErrorMode::Flag, Placement::InPlace);
            prefix::marked(shape.with_tails(Tails::new(digits, false)), verdict, beat)
        }
        System::MultiOctet(set) => indexed::marked(set, verdict, beat),
        System::Auto(_) | decoded_only!() | software_only!() => {
            unreachable!("there are no such cores of several lanes")
        }
        System::Utf16 => utf_16::marked(verdict, beat),
        System::Utf18 => utf_18::marked(verdict, beat),
        System::Latin1 | System::Ascii | System::Table(_) | System::Ucs2 | System::Utf32 { .. } => {
            let words = Words::of(system).expect("each unit is a code point or an error");
            single::marked(words, verdict, beat)
        }
        System::Utf9 { max } => utf_9::marked(max.code_point(), verdict, beat),
        System::Cesu8 | System::Mutf8 => cesu_8::marked(system, verdict, beat),
        System::Utf16Octets { order, bom } => {
            octets::marked(octets::Form::Pairs, (order, bom), verdict, beat)
        }
        System::Ucs2Octets { order, bom } | System::Utf32Octets { order, bom, .. } => {
            let words = Words::of(system).expect("each word is a code point or an error");
            octets::marked(octets::Form::Single(words), (order, bom), verdict, beat)
        }
    }
}

/// The marks of a lane.
struct Marks<'m> {
    /// The sequence before the unit is an error, and its kind where kinds are given.
    cut: (At<'m>, Option<At<'m>>),
    /// The unit ends an error.
    bad: (At<'m>, Option<At<'m>>),
    /// The unit begins a code point or an error.
    start: Option<At<'m>>,
    /// The unit completes U+000A.
    newline: Option<At<'m>>,
}

impl<'m> Marks<'m> {
    /// The marks side by side.
    fn packed(self, verdict: Verdict) -> At<'m> {
        let error = |(is, kind): (At<'m>, Option<At<'m>>)| {
            let Some(kind) = kind else { return is.zext(verdict.error_bits()) };
            let at = is.stage().max(kind.stage());
            kind.at(at).zext(verdict.error_bits()).masked(is)
        };
        At::concat(
            [self.newline, self.start, Some(error(self.bad)), Some(error(self.cut))].into_iter().flatten(),
        )
    }
}

/// The ports of a lane that brings a unit from the input to the output.
struct PassedPorts {
    unit: UnitHeard,
    unit_out: Told,
    keep_out: Told,
    marks: Told,
}

impl PassedPorts {
    /// Passes on the unit, with its marks of stage `flags`.
    fn new<'m>(
        lane: &Lane<'m>,
        heard: UnitHeard,
        [unit, valid]: [At<'m>; 2],
        marks: Marks<'m>,
        verdict: Verdict,
        flags: u32,
    ) -> Self {
        lane.section(flags, "the marks, and the unit");
        let marks = marks.packed(verdict).called("marks").at(flags).registered("marks");
        let marks = lane.tell("marks", marks.pinned(flags + 1), "the marks of the unit");
        let unit = unit.at(flags).masked(valid.at(flags)).registered("passed");
        let unit_out = lane.tell("unit_out", unit, "the unit; zero where there is none");
        let keep_out = lane.tell("keep_out", valid.at(flags + 1), "there is one");
        Self { unit: heard, unit_out, keep_out, marks }
    }

    /// The lanes at the output.
    fn marked<'m>(&self, lanes: &Instances<'_, 'm>) -> Marked<'m> {
        let [units, keep, marks] = [&self.unit_out, &self.keep_out, &self.marks].map(|told| lanes.all(told));
        Marked { units, keep, marks }
    }
}
