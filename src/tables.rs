//! Systems by name, and those of a mapping file: `table:FILE`.

use std::fs::File;
use std::io::{self, Read};

use utfhdl_codec::{MappingError, ParseSystemError, System, Table, check_mapping};

/// The most octets of a mapping file. The files of the Unicode Consortium have up to 20,000 for a set of single octets.
const MOST_OCTETS: u64 = 1 << 20;

/// Why a text is no system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// No system has this name, or an option is wrong.
    #[error(transparent)]
    Parse(#[from] ParseSystemError),
    /// There is neither a character set of that name nor a file.
    #[error("there is no character set {name:?}, and no file of that name: `utfhdl list` shows all sets")]
    NoTable {
        /// The name.
        name: String,
    },
    /// The mapping file of a table cannot be used.
    #[error("the mapping file {path:?}{wrong}")]
    File {
        /// The path.
        path: String,
        /// The problem, and what would be right.
        wrong: String,
    },
}

/// Reads the name of a system and its options, as [`str::parse`], and the mapping file of `table:FILE`.
///
/// # Errors
/// Names that no system has, and files that are no mapping files.
pub fn system(text: &str) -> Result<System, SystemError> {
    of_text(text, str::parse)
}

/// Reads a system like [`system`], but `corrected-utf-8` is a document unless the option says otherwise, as files of it are.
///
/// # Errors
/// As for [`system`].
pub fn system_of_file(text: &str) -> Result<System, SystemError> {
    of_text(text, System::parse_for_files)
}

fn of_text(
    text: &str,
    parse: impl Fn(&str) -> Result<System, ParseSystemError>,
) -> Result<System, SystemError> {
    match (parse(text), System::table_in(text)) {
        (Err(ParseSystemError::Unknown { .. }), Some(path)) => of_file(path).map(System::Table),
        (system, _) => Ok(system?),
    }
}

/// The character set of a mapping file.
fn of_file(path: &str) -> Result<Table, SystemError> {
    let failed = |wrong: String| SystemError::File { path: path.to_owned(), wrong };
    // The name is part of names and comments in what is generated.
    if path.chars().any(char::is_control) {
        return Err(failed(" has control characters in its name: give it another one".to_owned()));
    }
    let octets = read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if !path.contains(['/', '\\', '.']) => {
            SystemError::NoTable { name: path.to_owned() }
        }
        io::ErrorKind::IsADirectory => failed(" is a folder: name a file".to_owned()),
        _ => failed(format!(" cannot be read: {error}")),
    })?;
    if octets.len() as u64 > MOST_OCTETS {
        return Err(failed(format!(" has more than {MOST_OCTETS} octets, and is none of single octets")));
    }
    let text = String::from_utf8(octets).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&octet| octet == b'\n').count();
        failed(format!(", line {line}: an octet is not UTF-8: write the file in UTF-8"))
    })?;
    check_mapping(&text).map_err(|error| {
        let separator = if matches!(error, MappingError::Line { .. }) { ", " } else { ": " };
        failed(format!("{separator}{error}"))
    })?;
    Ok(Table::of_file(path, text))
}

/// The octets of a file, up to one more than are allowed.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut octets = Vec::new();
    file.take(MOST_OCTETS + 1).read_to_end(&mut octets)?;
    Ok(octets)
}
