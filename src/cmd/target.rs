//! The file that a command writes units to: `-` and no name are standard output.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use utfhdl_sim::scratch::ScratchFile;

use super::files;
use super::output::{self, STANDARD_OUTPUT, Stream};

/// A file to write.
pub struct Target {
    /// The name of the file in errors.
    pub name: String,
    file: TargetFile,
}

enum TargetFile {
    /// Standard output, or a device or pipe, which cannot be replaced by a finished file.
    Stream(Box<dyn Write>),
    /// A temporary file beside the one that it is to replace.
    Beside { file: ScratchFile, becomes: PathBuf },
}

impl Target {
    /// Opens `path` to be written, or standard output.
    pub fn create(path: Option<&Path>) -> anyhow::Result<Target> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let file = TargetFile::Stream(Box::new(output::stdout()));
            return Ok(Target { name: STANDARD_OUTPUT.to_owned(), file });
        };
        let name = path.shown();
        if path.is_dir() {
            bail!("{name} is a directory: name a file, or - for standard output");
        }
        let file = TargetFile::create(path, &name).with_context(|| format!("cannot write {name}"))?;
        Ok(Target { name, file })
    }

    /// Puts the finished file in its place.
    pub fn keep(mut self) -> anyhow::Result<()> {
        self.flush()?;
        if let TargetFile::Beside { file, becomes } = self.file {
            file.persist(&becomes).with_context(|| format!("cannot write {}", self.name))?;
        }
        Ok(())
    }

    /// Leaves the file as it was before. What went to a stream already stays there.
    pub fn give_up(mut self) -> anyhow::Result<()> {
        if let TargetFile::Stream(stream) = &mut self.file {
            stream.flush()?;
        }
        Ok(())
    }
}

impl TargetFile {
    fn create(path: &Path, name: &str) -> io::Result<TargetFile> {
        let becomes = files::behind_links(path)?;
        let existing = fs::metadata(&becomes).ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let stream = Stream::new(name, File::options().write(true).open(path)?);
            return Ok(TargetFile::Stream(Box::new(stream)));
        }
        let file = ScratchFile::beside(&becomes)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        Ok(TargetFile::Beside { file, becomes })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            TargetFile::Stream(stream) => stream.write(bytes),
            TargetFile::Beside { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            TargetFile::Stream(stream) => stream.flush(),
            TargetFile::Beside { file, .. } => file.flush(),
        }
    }
}
