//! The arguments of `utfhdl campaign`.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, bail};
use utfhdl::campaign::{Campaign, Inputs, Shard};
use utfhdl::fault::SignalFault;

use crate::cmd::core::CoreArgs;

/// The most threads: more than any machine has.
const MOST_THREADS: i64 = 1024;

const EXAMPLES: &str = "\
Examples:
  utfhdl campaign utf-8 decoder --exhaustive 3                  every input of three octets
  utfhdl campaign utf-8 decoder --random 10000000 --stall 30    random frames, both sides stall
  utfhdl campaign utf-8 transcoder:utf-18 --exhaustive 2        of two octets, to the last nonet
  utfhdl campaign utf-8 encoder --exhaustive 1                  every slot: all code points below 2^32, and errors
  utfhdl campaign utf-8 encoder --exhaustive 1 --shard 1/3840   those of Unicode
  utfhdl campaign utf-8 decoder --exhaustive 4 --shard 3/8 --out part3.jsonl
  utfhdl campaign --merge part*.jsonl                           adds up what all shards found
  utfhdl campaign utf-8 decoder --exhaustive 3 --fault stuck-at-0@low_only

Each input is a frame of its own, and 512 go through at once. The exit code is 0 if the core agrees with the \
reference on all of them, and 1 if it does not: then the shortest input that fails is shown, co-simulated with waves, \
with the command that repeats that.";

/// Run many short inputs through a core, each against the reference
///
/// The inputs are cut into shards and parts by their numbers alone, so any machine can run any of them at any time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreUnlessMerge,

    /// Run every input of N units; for an encoder, of N slots
    ///
    /// Of units there are 2^(N x bits of a unit) inputs. Of slots, N = 1 is every slot on its own: 2^32 code points in their
    /// order, then each other tuser, 1 to 15, with 65536 patterns in tdata. N > 1 is 64^N inputs: every row of N of 64 chosen
    /// slots: the first and last code points of every length, errors, heads and limbs, and what is no slot.
    #[arg(long, value_name = "N", conflicts_with = "random")]
    exhaustive: Option<usize>,

    /// Run COUNT random frames of up to eight units, or for an encoder slots
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,

    /// Seed of random frames and stalls
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "exhaustive")]
    seed: u64,

    /// Cycles in which each side stalls, in percent
    #[arg(long, value_name = "P", default_value_t = 0, conflicts_with = "exhaustive",
          value_parser = clap::value_parser!(u8).range(0..=99))]
    stall: u8,

    /// Put a fault into the core, to see that it is noticed: stuck-at-0, stuck-at-1, inverted or shifted, at a signal that
    /// `utfhdl list --signals` shows
    #[arg(long, value_name = "KIND@SIGNAL")]
    fault: Option<SignalFault>,

    /// Run the K-th of N shards of the inputs only
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub(super) shard: Shard,

    /// Write results to a file, a line of JSON for each part that is done
    #[arg(long, value_name = "RESULTS")]
    pub(super) out: Option<PathBuf>,

    /// Go on with what the file of results does not have yet
    #[arg(long, requires = "out")]
    pub(super) resume: bool,

    /// Folder for the files of a failure, made if it is missing [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) failure_dir: Option<PathBuf>,

    /// Threads [default: one for each core of the processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,

    /// Print the sum of the results, and the failure if there is one, as JSON to standard output
    #[arg(long)]
    pub(super) json: bool,

    /// Add up files of results, which must hold every input of one campaign once; prints the sum as JSON
    #[arg(long, value_name = "FILES", num_args = 1.., exclusive = true)]
    pub(super) merge: Vec<PathBuf>,
}

impl Args {
    /// The campaign that is to run; its bench is compiled here.
    pub(super) fn campaign(&self) -> anyhow::Result<Campaign> {
        let core = self.core.0.as_ref().context("say which SYSTEM and which role, or --merge FILES")?;
        let inputs = match (self.exhaustive, self.random) {
            (Some(units), None) => Inputs::Exhaustive { units },
            (None, Some(count)) => Inputs::Random { count, seed: self.seed, stall: self.stall },
            _ => bail!("say what to run: --exhaustive N for every input of N units, or --random COUNT"),
        };
        let core = core.core()?;
        Ok(match &self.fault {
            Some(fault) => Campaign::with_fault(&core, fault.clone(), inputs).context("--fault")?,
            None => Campaign::new(core, inputs)?,
        })
    }

    /// How many threads are to run it.
    pub(super) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        }
    }
}

/// The core, which everything but `--merge` needs. (Clap makes no `Option` of flattened arguments that are required.)
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
