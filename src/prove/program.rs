//! Other people's programs: run in a scratch folder, with a limit of time, and stopped when the user asks for it.

use std::fmt;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use utfhdl_sim::tool::{Group, ToolError};

use crate::shell;

/// Time between two looks at a program that runs.
const PAUSE: Duration = Duration::from_millis(5);

/// When a program has to end.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'s> {
    /// How long it may run.
    pub time: Duration,
    /// Set once the user wants everything to stop.
    pub stop: &'s AtomicBool,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program ended by itself, and printed this
    Well(String),
    /// The program failed
    Failed(Failed),
    /// The program was stopped when its time was over
    OutOfTime,
    /// The program was stopped because the user asked for it
    Stopped,
}

/// The end of a program that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The exit code of the program, or the signal that ended it, as the system names the signal.
    pub status: String,
    /// All that it printed.
    pub printed: String,
}

/// How many characters of a program's last words are shown.
const LAST_WORDS: usize = 400;

impl fmt::Display for Failed {
    /// The status, and the last words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.printed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let words = words.join("; ");
        let (cut, _) = words.char_indices().rev().nth(LAST_WORDS - 1).unwrap_or_default();
        let (dots, words) = (if cut > 0 { "... " } else { "" }, &words[cut..]);
        let words = if words.is_empty() { "it printed nothing" } else { words };
        write!(f, "failed ({}): {dots}{words}", self.status)
    }
}

/// A program, and all that it has started: none of them outlives this, nor the process, however that ends.
struct Kept {
    program: Child,
    /// Ends after the program.
    _group: Group,
}

impl Kept {
    fn start(command: &mut Command) -> std::io::Result<Kept> {
        let group = Group::new()?;
        Ok(Kept { program: group.hold(command).spawn()?, _group: group })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // A process that has ended already makes both calls fail, which does no harm.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Runs a program in a folder. The program's output goes to a file in the folder.
///
/// # Errors
/// If the program can't be started, or its output not be read.
pub fn run(program: &str, arguments: &[&str], folder: &Path, limits: Limits) -> Result<Ended, ToolError> {
    let log = folder.join(format!("{program}.log"));
    let cannot = |error| ToolError::io(&log, error);
    let output = File::create(&log).map_err(cannot)?;
    let errors = output.try_clone().map_err(cannot)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(output).stderr(errors);
    let shown = shell::command([program].iter().chain(arguments));
    let failed =
        |status: String, output: String| ToolError::Failed { command: shown.clone(), status, output };
    let start = Instant::now();
    let mut kept = Kept::start(&mut command).map_err(|error| failed(error.to_string(), String::new()))?;
    let status = loop {
        if let Some(status) =
            kept.program.try_wait().map_err(|error| failed(error.to_string(), String::new()))?
        {
            break status;
        }
        if limits.stop.load(Ordering::SeqCst) {
            return Ok(Ended::Stopped);
        }
        if start.elapsed() > limits.time {
            return Ok(Ended::OutOfTime);
        }
        sleep(PAUSE);
    };
    let printed = fs::read(&log).map_err(cannot)?;
    // The folder is gone when anyone reads this: only the names of its files matter.
    let printed = String::from_utf8_lossy(&printed).replace(&format!("{}/", folder.display()), "");
    Ok(if status.success() {
        Ended::Well(printed)
    } else {
        Ended::Failed(Failed { status: status.to_string(), printed })
    })
}

/// Whether a program is on the path.
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("-h").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match Kept::start(&mut command) {
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Whether a process runs. A process that has ended, and whose parent has not asked for its exit code yet, does not run.
    fn runs(id: &str) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
    }

    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let (stop, time) = (AtomicBool::new(false), Duration::from_millis(200));
        let script = "sleep 100 & echo $! > id; wait";
        let run = |time| run("sh", &["-c", script], folder.path(), Limits { time, stop: &stop }).unwrap();
        assert_eq!(run(time), Ended::OutOfTime);
        let id = fs::read_to_string(folder.path().join("id")).unwrap();
        // The signal is sent by then, but the system may still be at it.
        let given_up = Instant::now() + Duration::from_secs(10);
        while runs(&id) {
            assert!(Instant::now() < given_up, "process {id} goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::SeqCst);
        assert_eq!(run(Duration::from_secs(60)), Ended::Stopped);
    }

    #[test]
    fn exit_codes_and_output_are_those_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits { time: Duration::from_secs(60), stop: &stop };
        let run = |program, script: &str| run(program, &["-c", script], folder.path(), limits);
        assert_eq!(run("sh", "echo yes").unwrap(), Ended::Well("yes\n".to_owned()));
        let said = |ended| match ended {
            Ok(Ended::Failed(failed)) => failed.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(said(run("sh", "echo no >&2; echo why; exit 3")), "failed (exit status: 3): no; why");
        assert_eq!(said(run("sh", "kill -9 $$")), "failed (signal: 9 (SIGKILL)): it printed nothing");
        let long = said(run("sh", "seq 1000; exit 1"));
        assert!(long.starts_with("failed (exit status: 1): ... ") && long.ends_with("; 999; 1000"), "{long}");
        assert!(run("no-such-program", "").unwrap_err().to_string().contains("No such file"));
    }
}
