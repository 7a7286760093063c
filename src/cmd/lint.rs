//! Warnings about documents of Corrected UTF-8 that a decoder accepts, but that the proposal advises against.
//!
//! The proposal asks for the magic number at the start, U+000A at the end of each line and of the file, and no other C0
//! control, U+2028 or U+2029. U+0000 is an error, which the codec reports.

use std::collections::BTreeMap;
use std::fmt;

use clap::ValueEnum;
use serde_json::json;
use utfhdl_codec::Unit;

use super::output::message;

/// The form of the warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// A line each on standard error
    Text,
    /// A JSON object each on standard error
    Json,
    /// None
    Off,
}

/// Something that a document should not hold, or lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Finding {
    NoMagicNumber,
    CodePoint(u32),
    NoNewlineAtEnd,
}

impl Finding {
    fn name(self) -> String {
        match self {
            Self::NoMagicNumber => "no-magic-number".to_owned(),
            Self::CodePoint(code_point) => format!("U+{code_point:04X}"),
            Self::NoNewlineAtEnd => "no-newline-at-end".to_owned(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMagicNumber => f.write_str("a document should begin with the magic number"),
            Self::CodePoint(0x0D) => {
                f.write_str("U+000D should not be in a document: U+000A alone ends a line")
            }
            Self::CodePoint(code_point) => write!(f, "U+{code_point:04X} should not be in a document"),
            Self::NoNewlineAtEnd => f.write_str("the last character of a document should be U+000A"),
        }
    }
}

/// The units of the magic number.
const MAGIC: [u32; 8] = [0xEF, 0xB7, 0x9D, 0xED, 0xB2, 0xAE, 0x00, 0x0A];

/// Looks at the units of a document, which come in pieces.
#[derive(Default)]
pub struct Lint {
    /// How many units there were.
    offset: u64,
    /// How many units of the magic number the document begins with.
    magic: usize,
    /// The last three units.
    last: [u32; 3],
    /// The first position of each finding, and the number of its occurrences.
    found: BTreeMap<Finding, (u64, u64)>,
}

impl Lint {
    /// Looks at the next units.
    pub fn look_at<U: Unit>(&mut self, units: &[U]) {
        for &unit in units {
            let unit: u32 = unit.into();
            self.last = [self.last[1], self.last[2], unit];
            let is_of_magic = self.offset == self.magic as u64 && MAGIC.get(self.magic) == Some(&unit);
            if is_of_magic {
                self.magic += 1;
            } else if let Some((code_point, length)) = self.unwanted() {
                self.add(Finding::CodePoint(code_point), self.offset + 1 - length);
            }
            self.offset += 1;
        }
    }

    /// The code point that the last units complete, if it should not be there, and its length. No unit of another sequence is
    /// a lead or below 80.
    fn unwanted(&self) -> Option<(u32, u64)> {
        match self.last {
            [.., control @ (0x01..=0x09 | 0x0B..=0x1F)] => Some((control, 1)),
            // 2028 less the offset of the row, 2208.
            [0xE1, 0x9E, 0x88] => Some((0x2028, 3)),
            [0xE1, 0x9E, 0x89] => Some((0x2029, 3)),
            _ => None,
        }
    }

    fn add(&mut self, finding: Finding, offset: u64) {
        self.found.entry(finding).or_insert((offset, 0)).1 += 1;
    }

    /// Says what was found in the file of this name.
    pub fn report(mut self, name: &str, format: LintFormat) {
        if self.magic < MAGIC.len() {
            self.add(Finding::NoMagicNumber, 0);
        }
        if self.offset > MAGIC.len() as u64 && self.last[2] != 0x0A {
            self.add(Finding::NoNewlineAtEnd, self.offset - 1);
        }
        for (finding, (offset, count)) in self.found {
            match format {
                LintFormat::Text if count > 1 => {
                    message(format!("warning: {name}: offset {offset}: {finding}; there are {count} of them"))
                }
                LintFormat::Text => message(format!("warning: {name}: offset {offset}: {finding}")),
                LintFormat::Json => message(json!({
                    "file": name, "lint": finding.name(), "offset": offset, "count": count,
                    "message": finding.to_string(),
                })),
                LintFormat::Off => {}
            }
        }
    }
}
