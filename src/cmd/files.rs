//! Files named on the command line: `-` and nothing are standard input, and errors name the file.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use tempfile::NamedTempFile;
use utfhdl_codec::System;
use utfhdl_codec::units::{UnitFormat, UnitReader, UnitsError};

/// A file to read, and what to call it in an error.
pub struct Input {
    pub name: String,
    pub file: Box<dyn Read>,
    /// Its bytes, where that is known.
    pub length: Option<u64>,
}

impl Input {
    /// Its units, which are of `system` and stand in it as `format` says, or as they do by default.
    pub fn units(
        self,
        system: System,
        format: Option<UnitFormat>,
    ) -> Result<UnitReader<Box<dyn Read>>, UnitsError> {
        let unit_bits = system.unit_bits();
        UnitReader::new(self.file, format.unwrap_or(UnitFormat::default_for(unit_bits)), unit_bits)
    }
}

/// Opens `path`, or standard input where there is none or it is `-`.
pub fn open(path: Option<&Path>) -> anyhow::Result<Input> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        return Ok(Input {
            name: "standard input".to_owned(),
            file: Box::new(io::stdin().lock()),
            length: None,
        });
    };
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    let metadata = file.metadata().ok();
    if metadata.as_ref().is_some_and(|metadata| metadata.is_dir()) {
        anyhow::bail!("{name} is a directory: name a file, or - for standard input");
    }
    let length = metadata.filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
    Ok(Input { name, file: Box::new(file), length })
}

/// Puts the name of a file in front of what is wrong with it.
pub fn in_file(name: impl Display, error: impl Into<anyhow::Error>) -> anyhow::Error {
    error.into().context(name.to_string())
}

/// A file beside `path`, to be renamed to it once it is whole, with the rights that a new file gets.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes `text` beside `path`, to be renamed.
pub fn stage(path: &Path, text: &str) -> anyhow::Result<NamedTempFile> {
    let failed = || format!("cannot write {}", path.display());
    if path.is_dir() {
        anyhow::bail!("{} is a directory: remove it, or choose another folder with -o", path.display());
    }
    let mut file = beside(path).with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    Ok(file)
}
