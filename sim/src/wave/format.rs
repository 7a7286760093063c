//! The formats of a dump, behind one set of calls.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;

use super::catalogue::{Folder, Origin};
use super::files::PendingFile;
use super::fst::Fst;
use super::vcd::Vcd;

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

    /// What names of files of this format end in, behind the dot.
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

/// What is written of a dump: changes of values, moment by moment.
pub(super) enum Changes {
    Vcd(Vcd),
    Fst(Box<Fst>),
}

/// Calls a method of either format.
macro_rules! either {
    ($changes:expr, $format:ident => $call:expr) => {
        match $changes {
            Changes::Vcd($format) => $call,
            Changes::Fst($format) => $call,
        }
    };
}

impl Changes {
    /// Writes the header: all scopes and variables. Gives the number of each signal.
    pub(super) fn declare(
        format: WaveFormat,
        root: &Folder,
        file: &mut PendingFile,
    ) -> io::Result<(Self, Ids)> {
        match format {
            WaveFormat::Vcd => Vcd::declare(root, file).map(|(vcd, ids)| (Self::Vcd(vcd), ids)),
            WaveFormat::Fst => Fst::declare(root, file).map(|(fst, ids)| (Self::Fst(Box::new(fst)), ids)),
        }
    }

    /// Begins a moment, in nanoseconds. It is later than the one before.
    pub(super) fn time(&mut self, nanoseconds: u64) {
        either!(self, format => format.time(nanoseconds));
    }

    /// Begins the first values of all signals, in the moment at hand.
    pub(super) fn begin_first(&mut self) {
        if let Self::Vcd(vcd) = self {
            vcd.begin_first();
        }
    }

    /// Ends the first values.
    pub(super) fn end_first(&mut self) {
        if let Self::Vcd(vcd) = self {
            vcd.end_first();
        }
    }

    /// The value of a signal of one bit.
    #[inline]
    pub(super) fn bit(&mut self, id: Id, value: bool) {
        either!(self, format => format.bit(id, value));
    }

    /// The value of a signal of several bits, least significant word first.
    #[inline]
    pub(super) fn vector(&mut self, id: Id, value: &[u64]) {
        either!(self, format => format.vector(id, value));
    }

    /// That the value of a signal of so many bits is not known.
    pub(super) fn unknown(&mut self, id: Id, width: u32) {
        either!(self, format => format.unknown(id, width));
    }

    /// The value of a signal of text. What is not a printed character is `_`.
    pub(super) fn string(&mut self, id: Id, text: &str) {
        either!(self, format => format.string(id, text));
    }

    /// Writes what has been gathered, if it is much.
    pub(super) fn write_enough(&mut self, file: &mut PendingFile) -> io::Result<()> {
        either!(self, format => format.write_enough(file))
    }

    /// Writes what is left.
    pub(super) fn finish(&mut self, file: &mut PendingFile) -> io::Result<()> {
        either!(self, format => format.finish(file))
    }
}
