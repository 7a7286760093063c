//! The three files of a dump. Each is written beside its place, and moved there when it is whole.

use std::fs;
use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::WaveError;
use super::format::WaveFormat;
use crate::scratch::ScratchFile;

/// The files of a finished dump, in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveFiles {
    /// The dump.
    pub dump: PathBuf,
    /// GTKWave's save file: `gtkwave X.gtkw`.
    pub gtkw: PathBuf,
    /// Surfer's command file: `surfer -c X.sucl X.vcd`, or `X.fst`, Surfer 0.4 or later.
    pub sucl: PathBuf,
}

/// A file that takes its name only when it is whole, or never: where there is no file system, its bytes are taken.
pub(super) struct PendingFile {
    path: PathBuf,
    medium: Medium,
}

enum Medium {
    Disk(BufWriter<ScratchFile>),
    Memory(Cursor<Vec<u8>>),
}

impl PendingFile {
    /// Opens a file that is going to be `path`.
    pub(super) fn create(path: &Path) -> Result<Self, WaveError> {
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if !parent.is_dir() {
            return Err(WaveError::NoFolder { path: path.into(), parent: parent.into() });
        }
        if path.file_name().is_some_and(|name| name.to_string_lossy().contains(char::is_control)) {
            return Err(WaveError::ControlCharacter { path: path.into() });
        }
        if let Ok(metadata) = fs::metadata(path) {
            if !metadata.is_file() {
                let what = if metadata.is_dir() { "a folder" } else { "not a regular file" };
                return Err(WaveError::NotAFile { path: path.into(), what });
            }
            if metadata.permissions().readonly() {
                return Err(WaveError::Protected { path: path.into() });
            }
        }
        let file = ScratchFile::beside(path).map_err(|error| WaveError::Io { path: path.into(), error })?;
        Ok(Self { path: path.into(), medium: Medium::Disk(BufWriter::new(file)) })
    }

    /// Opens a file of this name in memory.
    pub(super) fn in_memory(path: &Path) -> Self {
        Self { path: path.into(), medium: Medium::Memory(Cursor::default()) }
    }

    /// The file's name, without its folder.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The error of this file.
    pub(super) fn error(&self, error: io::Error) -> WaveError {
        WaveError::Io { path: self.path.clone(), error }
    }

    /// Moves the file to its place, over what stood there. A file in memory has none.
    pub(super) fn persist(self) -> Result<PathBuf, WaveError> {
        let Self { path, medium } = self;
        let Medium::Disk(file) = medium else { return Ok(path) };
        let file = file.into_inner().map_err(|error| error.into_error());
        match file.and_then(|file| file.persist(&path)) {
            Ok(_) => Ok(path),
            Err(error) => Err(WaveError::Io { path, error }),
        }
    }

    /// The bytes of a file in memory.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self.medium {
            Medium::Memory(bytes) => bytes.into_inner(),
            Medium::Disk(_) => Vec::new(),
        }
    }
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match &mut self.medium {
            Medium::Disk(file) => file.write(buffer),
            Medium::Memory(bytes) => bytes.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.medium {
            Medium::Disk(file) => file.flush(),
            Medium::Memory(bytes) => bytes.flush(),
        }
    }
}

impl Seek for PendingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.medium {
            Medium::Disk(file) => file.seek(to),
            Medium::Memory(bytes) => bytes.seek(to),
        }
    }
}

/// The name of a file beside `dump` that ends in `extension`, which takes the place of `.vcd` or `.fst` or follows any other
/// ending.
pub(super) fn beside(dump: &Path, extension: &str) -> PathBuf {
    if WaveFormat::of(dump).is_some() {
        return dump.with_extension(extension);
    }
    let mut name = dump.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}
