//! Changes of values as either format writes them.

use std::io;

use super::absent::Absent;
use super::catalogue::Folder;
use super::files::PendingFile;
use super::format::{Id, Ids, WaveFormat};
use super::fst::Fst;
use super::signals::Signals;
use super::source::WaveCycle;
use super::vcd::Vcd;
use crate::Layout;

/// The writer of a dump: it writes changes of values, moment by moment.
pub(super) enum Changes {
    Vcd(Vcd),
    Fst(Box<Fst>),
}

/// The changes that a format can write.
pub(super) trait Format {
    /// Writes the value of a signal of `width` bits, at most 64.
    fn number(&mut self, id: Id, width: u32, value: u64);

    /// Writes the value of a signal of more bits, least significant word first.
    fn vector(&mut self, id: Id, value: &[u64]);

    /// Writes that a signal of `width` bits has no value.
    fn absent(&mut self, id: Id, width: u32, absent: Absent);

    /// Writes the value of a signal of text, which has no space and no control character.
    fn string(&mut self, id: Id, text: &str);

    /// The bytes in which the format has a text of a signal.
    fn bytes_of(&mut self, id: Id, text: &str) -> Vec<u8>;

    /// Writes a text that was prepared for the signal.
    fn prepared(&mut self, id: Id, text: &Prepared);
}

/// A text of a signal, in the bytes that a format has for it, to be written more than once.
pub(super) struct Prepared {
    /// The bytes, with room after them up to a whole chunk, which is copied at once.
    pub(super) chunks: Vec<[u8; 16]>,
    /// How many bytes there are.
    pub(super) length: usize,
}

impl Prepared {
    /// A text of a signal.
    pub(super) fn new(format: &mut impl Format, id: Id, text: &str) -> Self {
        let mut bytes = format.bytes_of(id, text);
        let length = bytes.len();
        bytes.resize(length.next_multiple_of(16), 0);
        Self { chunks: bytes.as_chunks().0.to_vec(), length }
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.chunks.as_flattened()[..self.length]
    }
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
    pub(super) fn bit(&mut self, id: Id, value: bool) {
        either!(self, format => format.number(id, 1, value.into()));
    }

    /// Writes what changed of all signals but the clock, or `all`.
    pub(super) fn signals(&mut self, signals: &mut Signals, layout: &Layout, cycle: &WaveCycle, all: bool) {
        match self {
            Self::Vcd(vcd) => signals.write(vcd, layout, cycle, all),
            Self::Fst(fst) => signals.write(&mut **fst, layout, cycle, all),
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
