//! Other people's programs: run in a scratch folder, with a limit of time, and stopped when the user asks for it.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use utfhdl_sim::tool::ToolError;

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
    /// The program failed by its exit code, and printed this
    Failed(String),
    /// The program was stopped when its time was over
    OutOfTime,
    /// The program was stopped because the user asked for it
    Stopped,
}

/// A child that does not outlive this.
struct Kept(Child);

impl Drop for Kept {
    fn drop(&mut self) {
        // A process that has ended already makes both calls fail, which does no harm.
        let _ = self.0.kill();
        let _ = self.0.wait();
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
    end_with_us(&mut command);
    let shown = shell::command([program].iter().chain(arguments));
    let failed =
        |status: String, output: String| ToolError::Failed { command: shown.clone(), status, output };
    let child = command.spawn().map_err(|error| failed(error.to_string(), String::new()))?;
    let (mut child, start) = (Kept(child), Instant::now());
    let status = loop {
        if let Some(status) = child.0.try_wait().map_err(|error| failed(error.to_string(), String::new()))? {
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
    // Of files in a folder that is gone when anyone reads this, only the names matter.
    let printed = String::from_utf8_lossy(&printed).replace(&format!("{}/", folder.display()), "");
    Ok(if status.success() { Ended::Well(printed) } else { Ended::Failed(printed) })
}

/// Has a program end when the thread that starts it does, even if that is killed.
#[cfg(target_os = "linux")]
fn end_with_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let parent = std::process::id();
    let end_with_parent = move || {
        // SAFETY: both calls are system calls that may be made between `fork` and `exec`, and touch no memory.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 != parent {
                libc::_exit(1);
            }
        }
        Ok(())
    };
    // SAFETY: the function makes system calls only, and neither allocates nor takes a lock.
    unsafe { command.pre_exec(end_with_parent) };
}

/// Other systems have nothing of the kind.
#[cfg(not(target_os = "linux"))]
fn end_with_us(_command: &mut Command) {}

/// Whether a program is on the path.
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("-h").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(child) => {
            drop(Kept(child));
            true
        }
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}
