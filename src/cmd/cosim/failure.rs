//! The results of a run that fails: waves, and the command that repeats it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use serde_json::json;
use utfhdl::cosim::{Cosim, Failure, Inside, Report, Source, WaveChoice, Waves};
use utfhdl::engines::EngineKind;
use utfhdl::shell;
use utfhdl_hdl::core::Role;
use utfhdl_sim::wave::WaveFiles;

use super::args::Args;
use super::input::Input;
use super::{Ran, run_engines, start};
use crate::cmd::output::message;

/// Cycles before a failure that its waves hold.
const CYCLES_BEFORE_FAILURE: u64 = 300;

/// Waves that were written.
pub(in crate::cmd) struct Written {
    pub(in crate::cmd) files: WaveFiles,
    inside: Inside,
}

impl Written {
    /// Ends the waves of a run.
    pub(super) fn finish(waves: Waves) -> anyhow::Result<Self> {
        let inside = waves.inside();
        Ok(Self { files: waves.finish()?, inside })
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaveFiles { dump, gtkw, sucl } = &self.files;
        let [dump, gtkw, sucl] = [dump, gtkw, sucl].map(|path| shell::quoted(path.as_os_str()));
        write!(f, "waves: {dump}; see them with `gtkwave {gtkw}` or `surfer -c {sucl} {dump}`")?;
        match self.inside {
            Inside::OfEngine => Ok(()),
            Inside::OfSilentNative => f.write_str(
                "\nthe signals inside of the core are those of native, which ran on the same inputs for the waves \
                 only: its outputs were not compared",
            ),
            Inside::Nothing => f.write_str(
                "\nthe waves hold the ports only: the engines have no sight of the signals inside of the core, and \
                 the core is too large for native",
            ),
        }
    }
}

/// Ends the waves of a run in which all agrees, and says where they are.
pub(super) fn tell_waves(waves: Waves, report: &Report) -> anyhow::Result<()> {
    if waves.is_empty() {
        let cycles = report.cycles;
        message(format!(
            "warning: no cycle is in the waves: --wave-from lies behind the run, of {cycles} cycles"
        ));
    }
    message(Written::finish(waves)?);
    Ok(())
}

/// Makes a run that fails once more, with waves from `first_cycle` on.
///
/// # Errors
/// If the run can't be made, if the waves can't be written, or if nothing fails this time.
pub(in crate::cmd) fn write_waves(
    cosim: &Cosim,
    kinds: &[EngineKind],
    path: &Path,
    first_cycle: u64,
) -> anyhow::Result<Written> {
    let mut engines = start(kinds, cosim)?;
    let mut waves = Waves::create(path, &cosim.core, &engines, &WaveChoice::all_from(first_cycle))?;
    match run_engines(cosim, &mut engines, vec![&mut waves])? {
        Ran::Fails(failure) => {
            waves.mark_failure(failure.cycle);
            Written::finish(waves)
        }
        Ran::Agrees(_) => bail!("the same run, made again for them, did not fail"),
    }
}

/// Leaves waves of a failure, unless the run has left some, and says how to repeat the run. What goes wrong here is a warning:
/// the failure stands.
pub(super) fn leave(
    cosim: &mut Cosim,
    kinds: &[EngineKind],
    failure: &Failure,
    args: &Args,
    input: Option<&Input>,
    waves: Option<Waves>,
) -> Left {
    let mut left = Left::default();
    let names = Names::new(cosim, args, input);
    let written = match waves {
        Some(mut waves) if waves.include(failure.cycle) => {
            waves.mark_failure(failure.cycle);
            Written::finish(waves)
        }
        waves => write_failure(cosim, kinds, failure, &names, waves),
    };
    match written {
        Ok(written) => {
            left.add(&written);
            message(written);
        }
        Err(error) => message(format!("warning: there are no waves of the failure: {error:#}")),
    }
    match replay(cosim, kinds, args, input, &names) {
        Ok(command) => {
            message(format!("to repeat it: {command}"));
            left.command = Some(command);
        }
        Err(error) => message(format!("warning: the input is not kept: {error:#}")),
    }
    if let Source::Units { path, .. } | Source::Lines { path } = &cosim.source {
        left.files.push(path.clone());
    }
    left
}

/// The files of a failure, and the command that repeats it.
#[derive(Default)]
pub(super) struct Left {
    files: Vec<PathBuf>,
    command: Option<String>,
}

impl Left {
    fn add(&mut self, written: &Written) {
        let WaveFiles { dump, gtkw, sucl } = &written.files;
        self.files.extend([dump, gtkw, sucl].map(Clone::clone));
    }

    /// The failure with all that is left of it.
    pub(super) fn json(&self, failure: &Failure) -> serde_json::Value {
        let (expected, actual) = failure.difference.sides();
        let files: Vec<String> = self.files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        json!({
            "failure": failure.to_string(),
            "cycle": failure.cycle,
            "port": failure.port,
            "expected": expected,
            "actual": actual,
            "event": failure.event,
            "files": files,
            "command": self.command,
        })
    }
}

/// Writes waves of a failure that is in no waves yet. Those of other cycles, which the run has left, are finished first.
fn write_failure(
    cosim: &Cosim,
    kinds: &[EngineKind],
    failure: &Failure,
    names: &Names,
    waves: Option<Waves>,
) -> anyhow::Result<Written> {
    if let Some(waves) = waves {
        message(Written::finish(waves)?);
    }
    let first_cycle = failure.cycle.saturating_sub(CYCLES_BEFORE_FAILURE);
    write_waves(cosim, kinds, &names.file("vcd")?, first_cycle)
}

/// The names of a failure's files: those of different cores, faults, inputs and seeds don't overwrite each other.
struct Names {
    folder: PathBuf,
    stem: String,
}

impl Names {
    fn new(cosim: &Cosim, args: &Args, input: Option<&Input>) -> Self {
        let module = cosim.core.design.top.name();
        let fault = args.run.fault.as_ref().map_or(String::new(), |fault| format!("-{fault}"));
        let input = input.map_or(String::new(), |input| format!("-{}", input.stem()));
        let stem = format!("{module}{fault}{input}-seed-{}.failure", cosim.seed);
        Self { folder: args.failure_dir.clone().unwrap_or_default(), stem }
    }

    /// The file with this extension. Makes its folder if that is missing.
    fn file(&self, extension: &str) -> anyhow::Result<PathBuf> {
        if self.folder != Path::new("") {
            fs::create_dir_all(&self.folder)
                .with_context(|| format!("cannot make the folder {}", self.folder.shown()))?;
        }
        Ok(self.folder.join(format!("{}.{extension}", self.stem)))
    }
}

/// The command that repeats the run. An input that could be read only once is kept for it.
fn replay(
    cosim: &mut Cosim,
    kinds: &[EngineKind],
    args: &Args,
    input: Option<&Input>,
    names: &Names,
) -> anyhow::Result<String> {
    if let (Some(input), Source::Units { path, .. } | Source::Lines { path }) = (input, &mut cosim.source) {
        let kept = names.file(if cosim.core.spec.role == Role::Encoder { "slots" } else { "units" })?;
        if input.keep(&kept).with_context(|| format!("cannot write {}", kept.shown()))? {
            *path = kept;
        }
    }
    let mut words = cosim.replay_words(kinds).expect("what the command line names can be named again");
    if let Some(fault) = &args.run.fault {
        words.extend(["--fault".into(), fault.to_string().into()]);
    }
    Ok(shell::command(words))
}
