//! `utfhdl campaign`: every short input, or many random ones, through a core, against the reference.

mod failure;
mod results;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::campaign::{self, Campaign, Failing, Inputs, Line, Shard};

use self::results::Results;
use super::Outcome;
use super::core::CoreArgs;
use super::output::{self, message};
use super::signals::Stop;

const EXAMPLES: &str = "\
Examples:
  utfhdl campaign utf-8 decoder --exhaustive 3                  every input of three octets
  utfhdl campaign utf-8 decoder --random 10000000 --stall 30    random frames, both sides stall
  utfhdl campaign utf-8 transcoder:utf-18 --exhaustive 2        of two octets, to the last nonet
  utfhdl campaign utf-8 encoder --exhaustive 1                  every slot: all code points below 2^32, and errors
  utfhdl campaign utf-8 encoder --exhaustive 1 --shard 1/3840   those of Unicode
  utfhdl campaign utf-8 decoder --exhaustive 4 --shard 3/8 --out part3.jsonl
  utfhdl campaign --merge part*.jsonl                           adds up what all shards found

Each input is a frame of its own, and 512 go through at once. The exit code is 0 if the core agrees with the \
reference on all of them, and 1 if it does not: then the shortest input that fails is told, co-simulated with waves, \
and the command that repeats that is shown.";

/// Run many short inputs through a core, each against the reference
///
/// The inputs are cut into shards and parts by their numbers alone, so any machine can run any of them at any time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreUnlessMerge,

    /// Run every input of N units; of an encoder, of N slots
    ///
    /// Of units there are 2^(N x bits of a unit) inputs. Of slots N = 1 is every slot on its own: 2^32 code points in their
    /// order, then each other tuser, 1 to 15, with 65536 patterns in tdata. For N > 1 it is 64^N inputs: every row of N of the 64
    /// slots that tell most, the first and last code points of every length, errors, heads and limbs, what is no slot.
    #[arg(long, value_name = "N", conflicts_with = "random")]
    exhaustive: Option<usize>,

    /// Run COUNT random frames of up to eight units, or of an encoder slots
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,

    /// Seed of random frames and stalls
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "exhaustive")]
    seed: u64,

    /// Cycles in which each side holds the stream up, in percent
    #[arg(long, value_name = "P", default_value_t = 0, conflicts_with = "exhaustive",
          value_parser = clap::value_parser!(u8).range(0..=99))]
    stall: u8,

    /// Run the K-th of N parts of the inputs only
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Write results to a file, a line of JSON for each part that is done
    #[arg(long, value_name = "RESULTS")]
    out: Option<PathBuf>,

    /// Go on with what the file of results does not have yet
    #[arg(long, requires = "out")]
    resume: bool,

    /// Threads [default: one for each core of the processor]
    #[arg(long, value_name = "T")]
    threads: Option<NonZero<usize>>,

    /// Print the sum of the results as JSON to standard output
    #[arg(long)]
    json: bool,

    /// Add up files of results, which must hold every input of one campaign once; prints the sum as JSON
    #[arg(long, value_name = "FILES", num_args = 1.., exclusive = true)]
    merge: Vec<PathBuf>,
}

/// The core, which everything but `--merge` needs. (What clap makes of an `Option` here is never there.)
struct CoreUnlessMerge(Option<CoreArgs>);

impl clap::Args for CoreUnlessMerge {
    fn augment_args(command: clap::Command) -> clap::Command {
        CoreArgs::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        CoreArgs::augment_args_for_update(command)
    }
}

impl clap::FromArgMatches for CoreUnlessMerge {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let is_there = matches.contains_id("system");
        is_there.then(|| CoreArgs::from_arg_matches(matches)).transpose().map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|core| *self = core)
    }
}

/// Runs, or adds up, as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if !args.merge.is_empty() {
        return merge(&args.merge);
    }
    let core_args = args.core.0.as_ref().context("say which SYSTEM and which role, or --merge FILES")?;
    let inputs = match (args.exhaustive, args.random) {
        (Some(units), None) => Inputs::Exhaustive { units },
        (None, Some(count)) => Inputs::Random { count, seed: args.seed, stall: args.stall },
        _ => bail!("say what to run: --exhaustive N for every input of N units, or --random COUNT"),
    };
    let campaign = Campaign::new(core_args.core()?, inputs)?;
    let mut results = Results::open(&args, &campaign)?;
    let failing = run_parts(&args, &campaign, &mut results)?;
    let sum = campaign::sum(&results.like, &results.lines.iter().collect::<Vec<_>>());
    if args.json {
        output::print_json(&sum)?;
    }
    let Some(failing) = failing else {
        message(summary(&sum));
        return Ok(Outcome::Well);
    };
    let module = campaign.core.design.top.name();
    message(format!("{module}: input {} fails: {}", failing.input, campaign.in_words(&failing.frame)));
    failure::show(&campaign, &failing)?;
    Ok(Outcome::Amiss)
}

/// Runs what is still to do; gives the first input that fails.
fn run_parts(args: &Args, campaign: &Campaign, results: &mut Results) -> anyhow::Result<Option<Failing>> {
    let signal = Stop::when_asked();
    let stop = signal.flag();
    let threads = args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let bar = progress_bar(campaign, args.shard);
    bar.set_position(results.lines.iter().map(|line| line.inputs).sum());
    bar.reset_eta();
    let (start, before) = (Instant::now(), results.done());
    let mut first: Option<Failing> = None;
    let missing = results.missing.clone();
    let ran = campaign.run(&missing, threads, stop, |part| {
        bar.inc(part.inputs);
        results.add(campaign.line(&part, args.shard))?;
        let failing = part.failure.into_iter().chain(first.take());
        first = failing.min_by_key(|failing| failing.input);
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    ran?;
    results.flush()?;
    let (done, wanted) = (results.done(), results.wanted());
    if stop.load(Ordering::Relaxed) && done < wanted && first.is_none() {
        let kept = match &args.out {
            Some(out) => format!("{} has what is done, and --resume goes on with it", out.display()),
            None => "nothing is kept without --out".to_owned(),
        };
        bail!("stopped after {done} of {wanted} inputs; {kept}");
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = (done - before) as f64 / seconds / 1e6;
    message(format!("{seconds:.1} s on {threads} threads, {speed:.1} million inputs a second"));
    Ok(first)
}

fn progress_bar(campaign: &Campaign, shard: Shard) -> ProgressBar {
    let range = campaign.range_of(shard);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} inputs, {eta} left");
    ProgressBar::new(range.end - range.start).with_style(style.expect("the template is well-formed"))
}

fn merge(files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let read = |path: &PathBuf| Ok((path.display().to_string(), results::read(path)?));
    let files: Vec<(String, Vec<Line>)> = files.iter().map(read).collect::<anyhow::Result<_>>()?;
    let sum = campaign::merge(&files)?;
    output::print_json(&sum)?;
    match &sum.failure {
        None => {
            message(summary(&sum));
            Ok(Outcome::Well)
        }
        Some(failure) => {
            message(format!("{}: input {} fails: {}", sum.campaign, failure.input, failure.frame));
            Ok(Outcome::Amiss)
        }
    }
}

fn summary(sum: &Line) -> String {
    let errors: u64 = sum.errors.values().sum();
    let shard = if sum.shard == "1/1" { String::new() } else { format!(", shard {}", sum.shard) };
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
