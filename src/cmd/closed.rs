//! Standard streams that were closed when the program started, as a shell closes them by `>&-`.
//!
//! The standard library opens `/dev/null` in place of a closed stream before `main` runs, so that no file of the program
//! becomes one. Output would go there without a word. On Linux, a function that runs earlier looks at the streams.

/// A standard stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
}

/// Whether the stream was closed when the program started.
#[cfg(target_os = "linux")]
pub fn was_closed(stream: Stream) -> bool {
    use std::sync::atomic::Ordering::Relaxed;
    at_start::CLOSED[stream as usize].load(Relaxed)
}

/// No stream counts as closed on other systems, where no function looks early enough.
#[cfg(not(target_os = "linux"))]
pub fn was_closed(_stream: Stream) -> bool {
    false
}

/// The error of whoever uses a closed stream.
pub fn error() -> std::io::Error {
    std::io::Error::other("it is closed")
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;

    pub(super) static CLOSED: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

    // SAFETY: the section holds addresses of functions that the loader calls, one after the other, before `main`. The
    // function needs nothing of what the standard library sets up: it makes a system call and stores to a static.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        for (descriptor, closed) in (0..).zip(&CLOSED) {
            // SAFETY: the call touches no memory, and fails if the descriptor is not open.
            closed.store(unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1, Relaxed);
        }
    }
}
