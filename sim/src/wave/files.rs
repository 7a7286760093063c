//! The three files of a dump, written beside their places and moved there when whole.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::WaveError;

/// A file that takes its name only when it is whole.
pub(super) struct PendingFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl PendingFile {
    /// Opens a file that is to be `path`.
    pub(super) fn create(path: &Path) -> Result<Self, WaveError> {
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if !parent.is_dir() {
            return Err(WaveError::NoFolder { path: path.into(), parent: parent.into() });
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
        let file = temporary(parent).map_err(|error| WaveError::Io { path: path.into(), error })?;
        Ok(Self { path: path.into(), file: BufWriter::new(file) })
    }

    /// The file's name, without its folder.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The error of this file.
    pub(super) fn error(&self, error: io::Error) -> WaveError {
        WaveError::Io { path: self.path.clone(), error }
    }

    /// Moves the file to its place, over what stood there.
    pub(super) fn persist(self) -> Result<PathBuf, WaveError> {
        let Self { path, file } = self;
        let file = file.into_inner().map_err(|error| error.into_error());
        match file.and_then(|file| file.persist(&path).map_err(|error| error.error)) {
            Ok(_) => Ok(path),
            Err(error) => Err(WaveError::Io { path, error }),
        }
    }
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file with the rights of any new file: tempfile's own are for its owner alone.
fn temporary(parent: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wave-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(parent)
}

/// The name beside `dump` that ends in `extension`: in place of `.vcd`, behind anything else.
pub(super) fn beside(dump: &Path, extension: &str) -> PathBuf {
    if dump.extension().is_some_and(|found| found == "vcd") {
        return dump.with_extension(extension);
    }
    let mut name = dump.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}
