//! `utfhdl cosim`: a core in engines, in lockstep, against the reference.

mod args;
mod failure;
mod input;
mod page;

use std::fmt::Write;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::cosim::{Cosim, CosimError, Failure, Observer, Observers, Report, Source, Waves};
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::Role;
use utfhdl_sim::Engine;
use utfhdl_sim::wave::WaveError;

use super::output::{self, message};
use super::{Outcome, core};

pub use self::args::{Args, RunArgs};
pub(super) use self::failure::write_waves;
pub(super) use self::input::Input;
pub(super) use self::page::{Page, command, shown};

/// How a run ended.
pub(super) enum Ran {
    /// All agrees.
    Agrees(Report),
    /// Something differs.
    Fails(Box<Failure>),
}

/// Co-simulates as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let wanted = args.waves()?;
    let kinds = args.engines()?;
    let input = args.run.file.as_deref().map(Input::open).transpose()?;
    let mut cosim = args.cosim(input.as_ref())?;
    let page = args.html()?.map(Page::create).transpose().context("--html")?;
    let mut engines = start(&kinds, &cosim)?;
    let waves = wanted.as_ref().map(|(option, path, choice)| {
        Waves::create(path, &cosim.core, &engines, choice).map_err(|error| of_option(error, option))
    });
    let mut waves = waves.transpose()?;
    let mut page = page.map(|page| page.record(&cosim.core, 0)).transpose().context("--html")?;
    let observers = [
        waves.as_mut().map(|waves| waves as &mut dyn Observer),
        page.as_mut().map(|page| page.recorder() as &mut dyn Observer),
    ];
    let ran = run_engines(&cosim, &mut engines, observers.into_iter().flatten().collect());
    drop(engines);
    match ran.map_err(|error| in_words(error, input.as_ref()))? {
        Ran::Agrees(report) => {
            message(summary(&report, cosim.core.spec.role));
            if let Some(waves) = waves {
                let option = wanted.map_or("", |(option, ..)| option);
                failure::tell_waves(waves, &report).context(option)?;
            }
            if let Some(page) = page {
                page.write(&cosim.core, None).context("--html")?;
            }
            if args.json {
                output::print_json(&report)?;
            }
            Ok(Outcome::Well)
        }
        Ran::Fails(failure) => {
            // Whatever goes wrong from here on, the failure is said.
            message(format!("{}: {failure}", cosim.core.design.top.name()));
            if let Some(page) = page {
                output::warn_of(page.write_failure(&cosim, &kinds, &failure));
            }
            let left = failure::leave(&mut cosim, &kinds, &failure, &args, input.as_ref(), waves);
            if args.json {
                output::warn_of(output::print_json(&left.json(&failure)));
            }
            Ok(Outcome::Amiss)
        }
    }
}

/// An error of waves, prefixed with the option that caused it.
fn of_option(error: WaveError, option: &'static str) -> anyhow::Error {
    let option = if matches!(error, WaveError::NoSignal { .. }) { "--signals" } else { option };
    anyhow::Error::from(error).context(option)
}

/// Starts the engines.
pub(super) fn start(kinds: &[EngineKind], cosim: &Cosim) -> anyhow::Result<Vec<Box<dyn Engine>>> {
    kinds.iter().map(|kind| core::start(*kind, &cosim.core, cosim.start())).collect()
}

/// Runs all engines.
pub(super) fn run_engines(
    cosim: &Cosim,
    engines: &mut [Box<dyn Engine>],
    observers: Vec<&mut dyn Observer>,
) -> Result<Ran, CosimError> {
    let bar = progress_bar(cosim);
    let mut observers = Observers(observers);
    let observer = if observers.0.is_empty() { None } else { Some(&mut observers as &mut dyn Observer) };
    let result = cosim.run(engines, observer, &mut |units| bar.set_position(units));
    bar.finish_and_clear();
    match result {
        Ok(report) => Ok(Ran::Agrees(report)),
        Err(CosimError::Failure(failure)) => Ok(Ran::Fails(failure)),
        Err(other) => Err(other),
    }
}

/// The error of a run; an error of the input has the name by which the user knows it.
pub(super) fn in_words(error: CosimError, input: Option<&Input>) -> anyhow::Error {
    match (error, input) {
        (CosimError::Source(error), Some(input)) => error.of(input.name()).into(),
        (CosimError::NothingToRun { .. }, Some(input)) => {
            anyhow::anyhow!("{} is empty: there is nothing to run", input.name())
        }
        (other, _) => other.into(),
    }
}

fn progress_bar(cosim: &Cosim) -> ProgressBar {
    let total = match &cosim.source {
        Source::Random { count } => Some(*count),
        Source::Given(items) => Some(items.len() as u64),
        // In a file long enough for a progress bar to matter, a byte is nearly always a unit.
        Source::Units { path, .. } => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
        Source::Lines { .. } => None,
    };
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let style =
        format!("{{wide_bar}} {{human_pos}}/{{human_len}} {}, {{eta}} left", taken(cosim.core.spec.role));
    bar.with_style(ProgressStyle::with_template(&style).expect("the template is well-formed"))
}

/// The noun for the input of a core.
fn taken(role: Role) -> &'static str {
    if role == Role::Encoder { "slots" } else { "units" }
}

fn summary(report: &Report, role: Role) -> String {
    let frames = if report.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", report.frames) };
    let written =
        if role.has_encoder() { format!("{} units written, ", report.given) } else { String::new() };
    let resets = match report.resets {
        0 => String::new(),
        1 => "1 reset, ".to_owned(),
        count => format!("{count} resets, "),
    };
    let mut text = format!(
        "{}: {} {} in {frames}, {} code points, {} errors, {written}{resets}{} cycles\n",
        report.module,
        report.taken,
        taken(role),
        report.code_points,
        report.error_count(),
        report.cycles
    );
    let kinds: Vec<String> = report.errors.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if !kinds.is_empty() {
        writeln!(text, "errors: {}", kinds.join(", ")).expect("writing to a string");
    }
    let engines = report.engines.join(", ");
    let agree =
        if report.engines.len() == 1 { "agrees" } else { "agree on every output of every cycle, and" };
    let what = if role == Role::Decoder { "event" } else { "unit" };
    writeln!(text, "{engines} {agree} with the reference on every {what}").expect("writing to a string");
    report.remarks.iter().for_each(|remark| writeln!(text, "{remark}").expect("writing to a string"));
    text
}
