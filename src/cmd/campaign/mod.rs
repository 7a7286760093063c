//! `utfhdl campaign`: every short input, or many random ones, through a core, against the reference.

mod args;
mod failure;
mod merge;
mod mutants;
mod results;
mod slurm;
mod task_index;
mod tasks;

use std::time::Instant;
use utfhdl_sim::shown::Shown as _;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use utfhdl::campaign::speed::in_words;
use utfhdl::campaign::{Campaign, Failing, Shard, Sum};

use self::args::Action;
pub use self::args::Args;
use self::failure::FailureReport;
use self::results::Results;
use self::tasks::Tasks;
use super::Outcome;
use super::output::{self, message, warn_of};
use super::signals::Stop;

/// The JSON output.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    sum: Sum,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureReport>,
}

/// Runs, adds up, or prints, as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if let Some(Action::Status(status)) = &args.action {
        return merge::status(status);
    }
    if !args.merge.is_empty() {
        let campaign = if args.names_campaign() { Some(args.campaign()?) } else { None };
        return merge::merge(&args.merge, campaign.as_ref());
    }
    if let Some(count) = args.mutants {
        let chosen = mutants::chosen(&args.core()?, count as usize, args.seed(), args.fault.as_ref())?;
        return mutants::run(&args.core()?, &chosen, args.seed(), args.time, args.json);
    }
    let campaign = args.campaign()?;
    if args.slurm || args.task_index.is_some() {
        return as_tasks(&args, &campaign);
    }
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

/// Prints, or submits, what runs the campaign as an array of tasks.
fn as_tasks(args: &Args, campaign: &Campaign) -> anyhow::Result<Outcome> {
    let tasks = Tasks::new(args, campaign)?;
    let text = match &args.task_index {
        Some(index) => tasks.line(index) + "\n",
        None => {
            let jobs = slurm::Jobs::new(&tasks, args.partition.as_deref())?;
            if args.submit {
                jobs.submit()?;
                return Ok(Outcome::Well);
            }
            jobs.script()
        }
    };
    output::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Well)
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
    // An error of the results file, kept while the remaining parts are checked for an earlier failure.
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
            Some(out) if done > 0 => bail!(
                "stopped after {done} of {wanted} inputs; {} has them, and --resume continues from there",
                out.shown()
            ),
            None if done > 0 => bail!("stopped after {done} of {wanted} inputs; they are lost without --out"),
            _ => bail!("stopped before any of {wanted} inputs was done"),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = in_words((done - before) as f64 / seconds);
    let backend = campaign.backend();
    message(format!("{seconds:.1} s on {threads} threads with {backend}, {speed} inputs a second"));
    Ok(())
}

fn progress_bar(results: &Results) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} inputs, {eta} left");
    let bar = ProgressBar::new(results.wanted()).with_style(style.expect("the template is well-formed"));
    bar.set_position(results.done());
    bar.reset_eta();
    bar
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
