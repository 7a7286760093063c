//! `utfhdl campaign`: every short input, or many random ones, through a core, against the reference.

mod args;
mod failure;
mod results;

use std::io::BufReader;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use utfhdl::campaign::{Campaign, Failing, Shard, Sum, Tally};

pub use self::args::Args;
use self::failure::FailureReport;
use self::results::Results;
use super::output::{self, message, warn_of};
use super::signals::Stop;
use super::{Outcome, files};

/// What is printed as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    sum: Sum,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureReport>,
}

/// Runs, or adds up, as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if !args.merge.is_empty() {
        return merge(&args.merge);
    }
    let campaign = args.campaign()?;
    let mut results = Results::open(&args, &campaign)?;
    let Ran { failing, ended } = run_parts(&args, &campaign, &mut results);
    let Some(failing) = failing else {
        ended?;
        let sum = results.sum();
        if args.json {
            output::print_json(&Report { sum: sum.clone(), failure: None })?;
        }
        message(summary(sum));
        return Ok(Outcome::Well);
    };
    // Nothing that goes wrong from here on may hide that the core does.
    let report = failure::look_into(&campaign, &failing, &args);
    warn_of(ended);
    if args.json {
        let sum = Sum { failure: None, ..results.sum().clone() };
        warn_of(output::print_json(&Report { sum, failure: Some(report) }));
    }
    Ok(Outcome::Amiss)
}

/// How a run ended.
struct Ran {
    /// The first input that failed.
    failing: Option<Failing>,
    /// Whether nothing but a failure kept it from running everything.
    ended: anyhow::Result<()>,
}

/// Runs what is still to do.
fn run_parts(args: &Args, campaign: &Campaign, results: &mut Results) -> Ran {
    if results.missing().is_empty() {
        message(format!("nothing is left to run: the results have all {} inputs", results.done()));
        return Ran { failing: None, ended: Ok(()) };
    }
    let mut failing: Option<Failing> = None;
    let ended = run_missing(args, campaign, results, &mut failing);
    Ran { failing, ended }
}

fn run_missing(
    args: &Args,
    campaign: &Campaign,
    results: &mut Results,
    first: &mut Option<Failing>,
) -> anyhow::Result<()> {
    let stop = Stop::when_asked();
    let threads = args.threads();
    let bar = progress_bar(results);
    let (start, before) = (Instant::now(), results.done());
    let missing = results.missing().to_vec();
    // What goes wrong with the file beside a failure: the parts at hand are still looked at, for an earlier failure.
    let mut trouble = Ok(());
    let ran = campaign.run(&missing, threads, stop.flag(), |part| {
        bar.inc(part.inputs);
        let failing = part.failure.clone().into_iter().chain(first.take());
        *first = failing.min_by_key(|failing| failing.input);
        match results.add(campaign, &part) {
            Err(error) if first.is_some() => trouble = Err(error),
            added => added?,
        }
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    ran.and(trouble).and(results.sync())?;
    if first.is_some() {
        return Ok(());
    }
    let (done, wanted) = (results.done(), results.wanted());
    if done < wanted {
        match &args.out {
            Some(out) => bail!(
                "stopped after {done} of {wanted} inputs; {} has them, and --resume goes on from there",
                out.display()
            ),
            None => bail!("stopped after {done} of {wanted} inputs; they are lost without --out"),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = (done - before) as f64 / seconds / 1e6;
    let backend = campaign.backend();
    message(format!(
        "{seconds:.1} s on {threads} threads with {backend}, {speed:.1} million inputs a second"
    ));
    Ok(())
}

fn progress_bar(results: &Results) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} inputs, {eta} left");
    let bar = ProgressBar::new(results.wanted()).with_style(style.expect("the template is well-formed"));
    bar.set_position(results.done());
    bar.reset_eta();
    bar
}

/// Adds up files of results.
fn merge(paths: &[PathBuf]) -> anyhow::Result<Outcome> {
    let mut tally = Tally::of_any();
    for path in paths {
        let input = files::open(Some(path))?;
        tally.add_file(&input.name, BufReader::new(input.file))?;
    }
    let mut sum = tally.whole()?.context("there are no files to add up")?;
    let Some(failure) = sum.failure.take() else {
        output::print_json(&Report { sum: sum.clone(), failure: None })?;
        message(summary(&sum));
        return Ok(Outcome::Well);
    };
    message(format!("{}: input {} fails: {}", sum.campaign, failure.input, failure.frame));
    let shard = sum.failed_in.unwrap_or(Shard::WHOLE);
    let failure = FailureReport::of_line(failure, failure::campaign_command(&sum.campaign, shard));
    message(format!("to look into it: {}", failure.command));
    warn_of(output::print_json(&Report { sum, failure: Some(failure) }));
    Ok(Outcome::Amiss)
}

fn summary(sum: &Sum) -> String {
    let errors: u128 = sum.errors.values().map(|count| u128::from(*count)).sum();
    let shard = if sum.shard == Shard::WHOLE { String::new() } else { format!(", shard {}", sum.shard) };
    let mut text = format!(
        "{}{shard}: {} inputs, {} code points, {errors} errors\n",
        sum.campaign, sum.inputs, sum.code_points
    );
    let kinds: Vec<String> = sum.errors.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if !kinds.is_empty() {
        text += &format!("errors: {}\n", kinds.join(", "));
    }
    text + "the core agrees with the reference on every input\n"
}
