//! Signals that end the tool: Ctrl-C, `kill`, a terminal that is closed.
//!
//! One thread waits for them. It removes the temporary files of the process, then has the signal do what it does to
//! any program, so that a shell sees exit code 130, 143 or 129. A command that can stop in good order asks for the
//! first signal with [`Stop`]; a second one ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a command wants to stop by itself.
static WANTED: AtomicBool = AtomicBool::new(false);
/// Whether it is to stop.
static ASKED: AtomicBool = AtomicBool::new(false);

/// While this is alive, the first signal does not end the tool, but asks the command to stop.
pub struct Stop(());

impl Stop {
    /// Takes the next signal for the command.
    pub fn when_asked() -> Self {
        WANTED.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Set once the command is to stop.
    pub fn flag(&self) -> &'static AtomicBool {
        &ASKED
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        WANTED.store(false, Ordering::SeqCst);
    }
}

/// Starts to wait for signals, but for those that are ignored: by `nohup`, or in a shell's background.
///
/// # Errors
/// If the system has no thread to wait in.
#[cfg(unix)]
pub fn watch() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(watched)?;
    let wait = move || {
        for signal in signals.forever() {
            if WANTED.load(Ordering::SeqCst) && !ASKED.swap(true, Ordering::SeqCst) {
                continue;
            }
            utfhdl_sim::scratch::remove_all();
            // The only error is an unknown signal.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(())
}

/// Systems without these signals need no watch.
#[cfg(not(unix))]
pub fn watch() -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call changes nothing and writes the present one to `action`, which has room for
    // one; all zeros are a valid `sigaction`, should the call fail.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}
