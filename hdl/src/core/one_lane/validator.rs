//! Validators of one lane: units go through, with marks at errors.
//!
//! ```text
//!            stages of the decoder            marks        output
//!  units ──> class, open sequence  ──────>  register  ──>  skid    ──> units
//!        └─> registers for the unit ─────>                 buffer      with marks
//! ```
//!
//! The stages are those of the [decoder](super::decoder), without the logic and registers that only its slots' data needs.

use std::sync::Arc;

use super::decoder::{Judged, OneUnitBeat, judge, take_streams, take_units, without_waits};
use crate::core::layers::streams::{moves_out, sweeps_in};
use crate::core::shared::error_kind::error_labels;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{ValidatedOut, units_in, units_out_ready, validated_out};
use crate::core::shared::single::Words;
use crate::core::{CoreSpec, Verdict};
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{Fields, connect, skid_buffer, skid_buffer_ahead};

/// Builds a validator core; gives its latency in cycles, too.
pub(super) fn validator(spec: &CoreSpec, verdict: Verdict, name: &str) -> (Arc<Module>, u32) {
    let system = spec.system;
    let summary = format!("{} validator, one unit a cycle, errors by maximal subpart", system.title());
    let m = Builder::new(name, summary);
    let input = units_in(&m, 1, system.unit_bits());
    let m_axis_tready = units_out_ready(&m);
    let (pace, beat) = match spec.streams {
        0 => take_units(&m, without_waits(system), input, true),
        _ => take_streams(&m, input, sweeps_in(&m)),
    };
    let judged = judge(&m, system, verdict, beat, &pace, spec.streams > 0);
    let stages = judged.stages;

    m.section("The unit, while its errors are found");
    let (unit, unit_valid) = unit(&judged, beat, &pace);
    let words = Words::of(system).filter(Words::are_units);
    let marks = marks(&m, &judged, verdict, unit, unit_valid, words);

    m.section("Output: the skid buffer makes registers of all outputs, and of s_axis_tready");
    let last = judged.frame_ends;
    let stage = pace.slots().at(stages + 1);
    let valid = stage.flag("marked_valid_reg", unit_valid | last);
    let fields = [
        stage.data("marked_last_reg", last),
        stage.data("marked_keep_reg", unit_valid),
        stage.data("marked_marks_reg", marks),
        stage.data("marked_unit_reg", unit),
    ];
    let payload = m.concat(fields);
    let block = match pace.advance_next() {
        Some(_) => skid_buffer_ahead(payload.width()),
        None => skid_buffer(payload.width()),
    };
    let buffer = m.instance("output_skid", &block);
    let out = connect(buffer, valid, payload, m_axis_tready);
    m.drive(pace.advance, out.ready.named("output_ready"));
    if let Some(advance_next) = pace.advance_next() {
        m.drive(advance_next, buffer.output("s_ready_next").named("output_ready_next"));
    }
    let mut taken = Fields::of(out.payload.named("output_beat"));
    let names = ["output_last", "output_keep", "output_marks", "output_unit"];
    let [tlast, tkeep, tuser, tdata] = [0, 1, 2, 3].map(|at| taken.next(fields[at], names[at]));
    let tvalid = out.valid.named("output_valid");
    validated_out(&m, ValidatedOut { tdata, tkeep, tuser, tvalid, tlast }, 1, verdict);
    if spec.streams > 0 {
        moves_out(&m, pace.advance);
        if let Some(load) = pace.of_sequence() {
            m.carried_with(load, 1);
        }
    }
    (m.built_trimmed(), stages + 2)
}

/// The unit of the beat in the stage of its errors, zero if there is none; and whether there is one.
fn unit<'m>(judged: &Judged<'m>, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> (Signal<'m>, Signal<'m>) {
    if let Some((unit, unit_valid)) = judged.unit.zip(judged.unit_valid) {
        return (unit.when(unit_valid).named("unit_kept"), unit_valid);
    }
    let stages = judged.stages;
    let mut unit = beat.unit.when(beat.unit_valid);
    if stages == 0 {
        unit = unit.named("unit_kept");
    }
    let mut unit_valid = beat.unit_valid;
    for stage in 1..=stages {
        unit = pace.units().at(stage).data(&format!("unit_{stage}_reg"), unit);
        unit_valid = match judged.unit_valid {
            Some(unit_valid) if stage == stages => unit_valid,
            _ => pace.units().at(stage).flag(&format!("unit_{stage}_valid_reg"), unit_valid),
        };
    }
    (unit, unit_valid)
}

/// The marks of the unit, as on `m_axis_tuser`. In a system of `words`, each unit is a code point or an error, so that no sequence is ever
/// open.
fn marks<'m>(
    m: &'m Builder,
    judged: &Judged<'m>,
    verdict: Verdict,
    unit: Signal<'m>,
    unit_valid: Signal<'m>,
    words: Option<Words>,
) -> Signal<'m> {
    m.section("Marks of the unit");
    let none = || m.lit(verdict.error_bits(), 0);
    let own = judged.own.unwrap_or_else(none);
    // At the end of a frame on a beat without a unit, the sequence that is still open is the one before.
    let by_end = |is_first: Signal<'m>| (own.when(is_first), own.when(!is_first));
    let (cut, bad) = match judged.before {
        Some(before) => {
            let (cut, bad) = by_end((!unit_valid & !before.any()).or_named("is_cut_by_end"));
            (before | cut, bad)
        }
        None if words.is_some() => (none(), own),
        None => by_end((!unit_valid).or_named("is_cut_by_end")),
    };
    let labelled = |signal: Signal<'m>, name: &str| {
        let signal = signal.named(name);
        if verdict.kinds { signal.labels(&error_labels()) } else { signal }
    };
    let (cut, bad) = (labelled(cut, "cut"), labelled(bad, "bad"));
    let begins = || judged.begins.expect("known at the unit");
    let start = verdict.start.then(|| begins().named("start"));
    let newline = verdict.newline.then(|| match judged.is_line_feed {
        Some(is) => is.named("newline"),
        None => {
            let is = words.map_or_else(|| Some(unit.is(0xa)), |words| words.is_line_feed(unit));
            is.map_or_else(|| m.lit(1, 0), |is| begins() & is).named("newline")
        }
    });
    m.concat([newline, start, Some(bad), Some(cut)].into_iter().flatten())
}
