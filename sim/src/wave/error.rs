//! Errors of wave files.

use crate::shown::Shown as _;
use std::path::PathBuf;

/// Why a wave file can't be written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The folder to write into does not exist, or is none.
    #[error("{path} can't be written: there is no folder {parent}", path = path.shown(), parent = parent.shown())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder it should stand in.
        parent: PathBuf,
    },
    /// There is a folder, or a device, of this name.
    #[error("{path} can't be written: it is {what}", path = path.shown())]
    NotAFile {
        /// The name.
        path: PathBuf,
        /// The kind of thing at the path.
        what: &'static str,
    },
    /// A name that the files beside the dump can't hold.
    #[error("{path} can't be written: there is a control character in its name, which GTKWave and Surfer can't read; choose another", path = path.shown())]
    ControlCharacter {
        /// The file.
        path: PathBuf,
    },
    /// There is a file of this name that must not be written.
    #[error("{path} can't be written: it is write-protected", path = path.shown())]
    Protected {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("{path} can't be written: {error}", path = path.shown())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A glob that selects nothing.
    #[error(
        "no signal matches `{glob}`; there are {count} signals, such as {}",
        some.join(", ")
    )]
    NoSignal {
        /// The glob.
        glob: String,
        /// How many signals there are.
        count: usize,
        /// The paths of some.
        some: Vec<String>,
    },
    /// A plan with a signal that the dump does not have.
    #[error("group `{group}` of the wave plan: there is no signal `{signal}`")]
    UnknownSignal {
        /// Title of the group.
        group: String,
        /// The signal's path.
        signal: String,
    },
}
