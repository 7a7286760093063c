//! Changes of values as either format writes them.

use std::io;

use super::absent::Absent;
use super::catalogue::Folder;
use super::files::PendingFile;
use super::format::{Id, Ids, WaveFormat};
use super::fst::Fst;
use super::vcd::Vcd;

/// The writer of a dump: it writes changes of values, moment by moment.
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
    /// Writes the header: all scopes and variables. Returns the number of each signal.
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

    /// Begins a moment, in nanoseconds, later than the moment before.
    pub(super) fn time(&mut self, nanoseconds: u64) {
        either!(self, format => format.time(nanoseconds));
    }

    /// Begins the first values of all signals, in the current moment.
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

    /// Writes the value of a signal of one bit.
    #[inline]
    pub(super) fn bit(&mut self, id: Id, value: bool) {
        self.number(id, 1, value.into());
    }

    /// Writes the value of a signal of `width` bits, at most 64.
    #[inline]
    pub(super) fn number(&mut self, id: Id, width: u32, value: u64) {
        match self {
            Self::Vcd(vcd) => vcd.number(id, width, value),
            Self::Fst(fst) if width == 1 => fst.bit(id, value != 0),
            Self::Fst(fst) => fst.vector(id, &[value]),
        }
    }

    /// Writes the value of a signal of more bits, least significant word first.
    pub(super) fn vector(&mut self, id: Id, value: &[u64]) {
        either!(self, format => format.vector(id, value));
    }

    /// Writes that a signal of `width` bits has no value.
    pub(super) fn absent(&mut self, id: Id, width: u32, absent: Absent) {
        either!(self, format => format.absent(id, width, absent));
    }

    /// Writes the value of a signal of text. A character that cannot be printed becomes `_`.
    pub(super) fn string(&mut self, id: Id, text: &str) {
        match self {
            Self::Vcd(vcd) => vcd.string(id, text),
            Self::Fst(fst) => fst.string(id, text.as_bytes()),
        }
    }

    /// A text of a signal as the format has it, to be written more than once.
    pub(super) fn prepared(&mut self, id: Id, text: &str) -> Vec<u8> {
        match self {
            Self::Vcd(vcd) => vcd.line_of_string(id, text),
            Self::Fst(_) => text.as_bytes().to_vec(),
        }
    }

    /// Writes a text that was [prepared](Self::prepared) for the signal.
    #[inline]
    pub(super) fn write_prepared(&mut self, id: Id, text: &[u8]) {
        match self {
            Self::Vcd(vcd) => vcd.put(text),
            Self::Fst(fst) => fst.string(id, text),
        }
    }

    /// Writes the gathered text, if there is enough of it.
    pub(super) fn write_enough(&mut self, file: &mut PendingFile) -> io::Result<()> {
        either!(self, format => format.write_enough(file))
    }

    /// Writes the rest.
    pub(super) fn finish(&mut self, file: &mut PendingFile) -> io::Result<()> {
        either!(self, format => format.finish(file))
    }
}
