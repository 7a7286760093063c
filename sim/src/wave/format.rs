//! The formats of a dump, and the numbers of its signals.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use super::catalogue::Origin;

/// The format of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveFormat {
    /// Value change dump: text, which every tool reads.
    Vcd,
    /// Fast signal trace: compressed, which GTKWave and Surfer read.
    Fst,
}

impl WaveFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Vcd, Self::Fst];

    /// The format that the name of a file asks for by its ending.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// The extension of names of files of this format, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Vcd => "vcd",
            Self::Fst => "fst",
        }
    }
}

impl fmt::Display for WaveFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// The number of a signal of the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(pub(super) u32);

impl Id {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The numbers of the signals of a dump: each origin has one, however many names it has.
#[derive(Default)]
pub(super) struct Ids(HashMap<Origin, Id>);

impl Ids {
    /// The number of an origin, and whether it is new.
    pub(super) fn add(&mut self, origin: &Origin) -> (Id, bool) {
        let next = Id(self.0.len() as u32);
        match self.0.get(origin) {
            Some(id) => (*id, false),
            None => (*self.0.entry(origin.clone()).or_insert(next), true),
        }
    }

    pub(super) fn of(&self, origin: &Origin) -> Id {
        self.0[origin]
    }
}
