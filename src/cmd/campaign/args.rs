//! The arguments of `utfhdl campaign`.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

use anyhow::{Context, bail};
use utfhdl::campaign::{Campaign, Inputs, Shard};
use utfhdl::fault::SignalFault;
use utfhdl::prove::mutants;
use utfhdl_hdl::core::Core;

use super::task_index::TaskIndex;
use crate::cmd::core::CoreArgs;
use utfhdl::cosim::Stalls;

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
  utfhdl campaign status part*.jsonl                            what is done, has failed, or is missing
  utfhdl campaign --merge part*.jsonl                           adds up what all shards found
  utfhdl campaign utf-8 decoder --exhaustive 5 --slurm --array 64 --out results > campaign.sh
  utfhdl campaign utf-8 decoder --exhaustive 3 --fault stuck-at-0@low_only
  utfhdl campaign utf-8 decoder --mutants 100 --seed 3          what notices mistakes in the core

Each input is a frame of its own, and 512 go through at once. The exit code is 0 if the core agrees with the \
reference on all of them, and 1 if it does not: then the shortest input that fails is shown, co-simulated with waves, \
with the command that repeats that.";

/// Run many short inputs through a core, each against the reference
///
/// The inputs are cut into shards and parts by their numbers alone, so any machine can run any of them at any time.
#[derive(clap::Args)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub struct Args {
    #[command(subcommand)]
    pub(super) action: Option<Action>,

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

    /// Try N mutants: the core with one mistake each; with --fault, the one of that name. Says which of them simulation notices, which a proof, and which a checker proves to
    /// behave as the core does. The exit code is 1 if any other is left
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with_all = ["exhaustive", "random", "shard", "out", "failure_dir", "threads", "merge", "tasks"])]
    pub(super) mutants: Option<u64>,

    /// Seconds for each checker and mutant
    #[arg(long, value_name = "SECONDS", default_value_t = mutants::SECONDS, requires = "mutants")]
    pub(super) time: NonZero<u32>,

    /// Seed of random frames and stalls, or of the choice of mutants
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "exhaustive")]
    seed: u64,

    /// Put a fault into the core, to see that it is noticed: stuck-at-0, stuck-at-1, inverted or shifted, at a signal that
    /// `utfhdl list --signals` shows
    #[arg(long, value_name = "KIND@SIGNAL")]
    pub(super) fault: Option<SignalFault>,

    /// Run the K-th of N shards of the inputs only
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub(super) shard: Shard,

    /// Write results to a file, a line of JSON for each part that is done; with --slurm and --task-index to a folder, a file
    /// for each shard
    #[arg(long, value_name = "RESULTS")]
    pub(super) out: Option<PathBuf>,

    /// Go on with what the file of results does not have yet
    #[arg(long, requires = "out")]
    pub(super) resume: bool,

    /// Folder for the files of a failure, made if it is missing [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) failure_dir: Option<PathBuf>,

    /// Threads [default: one for each core of the processor; 1 with --slurm and --task-index]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    pub(super) threads: Option<u32>,

    /// Print the sum of the results, and the failure if there is one, as JSON to standard output
    #[arg(long)]
    pub(super) json: bool,

    /// Add up files of results, or all files in folders that end in .jsonl, which must hold every input of one campaign
    /// once. If SYSTEM and ROLE are given, it must be the campaign that they and the options name. Prints the sum as JSON
    #[arg(long, value_name = "FILES", num_args = 1..,
          conflicts_with_all = ["shard", "out", "resume", "failure_dir", "threads", "json", "tasks"])]
    pub(super) merge: Vec<PathBuf>,

    /// Print a script that runs the campaign on a Slurm cluster: as an array of tasks, a shard each, and a job that adds them
    /// up
    #[arg(long, group = "tasks", requires = "out", conflicts_with_all = ["shard", "json"])]
    pub(super) slurm: bool,

    /// Print the command of a task of any array, a shard each, whose number is in this variable; what is no name, such as {},
    /// stands for the number itself
    #[arg(long, group = "tasks", value_name = "VARIABLE", requires = "out", conflicts_with_all = ["shard", "json"],
          value_parser = TaskIndex::from_str)]
    pub(super) task_index: Option<TaskIndex>,

    /// Tasks of the array [default: 64, or as many as there are blocks of 512 inputs]
    #[arg(long, value_name = "N", requires = "tasks")]
    pub(super) array: Option<NonZero<u64>>,

    /// Partition of the cluster
    #[arg(long, value_name = "P", requires = "slurm")]
    pub(super) partition: Option<String>,

    /// Submit the script to Slurm, by sbatch, and print the number of the job that adds up
    #[arg(long, requires = "slurm")]
    pub(super) submit: bool,
}

/// Actions on campaigns other than a run.
#[derive(clap::Subcommand)]
pub(super) enum Action {
    Status(StatusArgs),
}

impl Args {
    /// Whether the arguments say which campaign is meant, or a part of that.
    pub(super) fn names_campaign(&self) -> bool {
        self.core.0.is_some() || self.exhaustive.is_some() || self.random.is_some() || self.fault.is_some()
    }

    /// The core.
    pub(super) fn core(&self) -> anyhow::Result<Core> {
        self.core_args()?.core()
    }

    fn core_args(&self) -> anyhow::Result<&CoreArgs> {
        self.core.0.as_ref().context("say which SYSTEM and which role, or --merge FILES alone")
    }

    /// The seed.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The campaign that is to run; its bench is compiled here.
    pub(super) fn campaign(&self) -> anyhow::Result<Campaign> {
        let (core, stalls) = self.core_args()?.core_and_stalls()?;
        let inputs = match (self.exhaustive, self.random, stalls) {
            (Some(units), None, None) => Inputs::Exhaustive { units },
            (Some(_), None, Some(_)) => {
                bail!("--stall is for random frames: of --exhaustive, nothing stalls")
            }
            (None, Some(count), None) => Inputs::Random { count, seed: self.seed, stall: 0 },
            (None, Some(count), Some(Stalls { source, sink })) if source == sink => {
                Inputs::Random { count, seed: self.seed, stall: source }
            }
            (None, Some(_), Some(Stalls { source, sink })) => {
                bail!("--stall {source},{sink}: both sides of a campaign stall alike: give one percentage")
            }
            _ => bail!(
                "say what to run: --exhaustive N for every input of N units, --random COUNT, or --mutants N"
            ),
        };
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
        let unless_merge = |arg: clap::Arg| arg.required(false).required_unless_present("merge");
        CoreArgs::augment_args(command).mut_arg("system", unless_merge).mut_arg("role", unless_merge)
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

/// Show how far a campaign is, and in which shards something failed or is missing
#[derive(clap::Args)]
#[command(after_help = "\
The exit code is 0 if every input was run and the core agrees with the reference, 1 if an input failed, and 2 if inputs \
are missing or a file can't be read.")]
pub(super) struct StatusArgs {
    /// Files of results, or folders, of which all files count that end in .jsonl
    #[arg(required = true, value_name = "FILES or DIR")]
    pub(super) files: Vec<PathBuf>,

    /// Print it as JSON
    #[arg(long)]
    pub(super) json: bool,
}
