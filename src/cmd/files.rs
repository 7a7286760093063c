//! Files that the command line names, to be read: `-` and no name are standard input, and errors name the file.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::Context;
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitsError};
use utfhdl_codec::{System, Unit};
use utfhdl_sim::scratch::ScratchFile;

use super::closed;

/// A file to read.
pub struct Input {
    /// The name of the file in errors.
    pub name: String,
    pub file: Box<dyn Read + Send>,
    /// How many bytes the file has, where that is known.
    pub length: Option<u64>,
}

impl Input {
    /// The units of the file, which are those of `system`, in `format` or in the default format of the system.
    pub fn units(
        self,
        system: System,
        format: Option<UnitFormat>,
    ) -> Result<UnitReader<Box<dyn Read + Send>>, UnitsError> {
        let unit_bits = system.unit_bits();
        UnitReader::new(self.file, format.unwrap_or(UnitFormat::default_for(unit_bits)), unit_bits)
    }
}

impl Input {
    /// Gives the units of the file, which are those of `system`, to `take`, piece by piece, and with the last of them that the
    /// file ends, until `take` breaks.
    ///
    /// # Errors
    /// Those of `take`, and what is wrong with the file. The units before the fault are given first, and not as the last.
    pub fn each_piece<U: Unit>(
        self,
        system: System,
        format: Option<UnitFormat>,
        mut take: impl FnMut(&[U], bool) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let name = self.name.clone();
        let mut reader = self.units(system, format)?;
        let mut units = Vec::new();
        loop {
            let read = reader.replace(&mut units);
            // At a fault in the file, a sequence that it cuts is no error of the text.
            let is_break = take(&units, matches!(read, Ok(false)))?.is_break();
            if is_break || !read.map_err(|error| in_file(&name, error))? {
                return Ok(());
            }
        }
    }
}

/// Opens `path`, or standard input where there is none or it is `-`.
pub fn open(path: Option<&Path>) -> anyhow::Result<Input> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        if closed::was_closed(closed::Stream::Input) {
            anyhow::bail!("cannot read standard input: {}", closed::error());
        }
        return Ok(Input { name: "standard input".to_owned(), file: Box::new(io::stdin()), length: None });
    };
    let name = path.shown();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    let metadata = file.metadata().ok();
    if metadata.as_ref().is_some_and(|metadata| metadata.is_dir()) {
        anyhow::bail!("{name} is a directory: name a file, or - for standard input");
    }
    let length = metadata.filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
    Ok(Input { name, file: Box::new(file), length })
}

/// The file that a path stands for, whether it exists or not: symbolic links lead to what is replaced, and stay themselves.
///
/// # Errors
/// If a link cannot be read, or links lead in a circle.
pub fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// How many links are followed, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Puts the name of a file in front of what is wrong with it.
pub fn in_file(name: impl Display, error: impl Into<anyhow::Error>) -> anyhow::Error {
    error.into().context(name.to_string())
}

/// The owner of the lock of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    /// This process, for as long as the file is open.
    ByUs,
    /// Another process.
    ByOther,
}

/// Takes the lock of a file, unless another process has it. It ends with the process, however that ends.
///
/// # Errors
/// If the file system has no locks.
#[cfg(unix)]
pub fn lock(file: &File) -> io::Result<Locked> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is that of an open file, and the call touches no memory.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Ok(Locked::ByUs);
    }
    match io::Error::last_os_error() {
        error if error.kind() == io::ErrorKind::WouldBlock => Ok(Locked::ByOther),
        error => Err(error),
    }
}

/// Files have no locks on systems for which the standard library of the oldest supported compiler has none.
#[cfg(not(unix))]
pub fn lock(_file: &File) -> io::Result<Locked> {
    Ok(Locked::ByUs)
}

/// Whether the open file is the one that has this path now.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: io::Result<std::fs::Metadata>| {
        metadata.ok().map(|metadata| (metadata.dev(), metadata.ino()))
    };
    let there = identity(path.metadata());
    there.is_some() && there == identity(file.metadata())
}

/// A file without locks is never replaced by the owner of a lock.
#[cfg(not(unix))]
pub fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// Writes `text` to a temporary file beside `path`, which is to be renamed to it.
pub fn stage(path: &Path, text: &str) -> anyhow::Result<ScratchFile> {
    let failed = || format!("cannot write {}", path.shown());
    if path.is_dir() {
        anyhow::bail!("{} is a directory: remove it, or choose another folder with -o", path.shown());
    }
    let mut file = ScratchFile::beside(path).with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    Ok(file)
}
