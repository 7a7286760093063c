//! The file that goes through the core.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::Context;
use utfhdl_sim::scratch::ScratchFile;

use crate::cmd::files;

/// A file that can be read more than once: a run that fails is made again, with waves.
pub(in crate::cmd) struct Input {
    path: PathBuf,
    /// The name of the file in messages.
    name: String,
    /// The copy of what can be read only once.
    copy: Option<ScratchFile>,
}

impl Input {
    /// The file at `path`. Standard input, which is called `-`, and pipes are copied to a temporary file first.
    pub(in crate::cmd) fn open(path: &Path) -> anyhow::Result<Self> {
        let (name, stream): (String, Box<dyn Read>) = if path == Path::new("-") {
            let input = files::open(None)?;
            (input.name, input.file)
        } else {
            let name = path.shown();
            if !is_pipe(path) {
                return Ok(Self { path: path.to_owned(), name, copy: None });
            }
            let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
            (name, Box::new(file))
        };
        let copy = copy(stream).with_context(|| {
            let folder = std::env::temp_dir();
            format!("cannot copy {name} to a temporary file in {}", folder.shown())
        })?;
        Ok(Self { path: copy.path().to_owned(), name, copy: Some(copy) })
    }

    /// A path from which the file can be read.
    pub(in crate::cmd) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file in messages.
    pub(in crate::cmd) fn name(&self) -> &str {
        &self.name
    }

    /// The name of the file as part of another file's name.
    pub(in crate::cmd) fn stem(&self) -> String {
        let name = if self.copy.is_some() { Path::new("stdin") } else { self.path.as_path() };
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        name.chars().map(|c| if c.is_control() { '_' } else { c }).take(100).collect()
    }

    /// Leaves a copy of what could be read only once at `path`; returns whether that was needed.
    pub(in crate::cmd) fn keep(&self, path: &Path) -> io::Result<bool> {
        let Some(copy) = &self.copy else { return Ok(false) };
        let mut kept = ScratchFile::beside(path)?;
        io::copy(&mut File::open(copy.path())?, &mut kept)?;
        kept.persist(path)?;
        Ok(true)
    }
}

/// Whether a file can be read only once.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

fn copy(mut stream: impl Read) -> io::Result<ScratchFile> {
    let mut copy = ScratchFile::beside(&std::env::temp_dir().join("input"))?;
    io::copy(&mut stream, &mut copy)?;
    Ok(copy)
}
