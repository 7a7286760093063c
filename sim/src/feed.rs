//! Running an engine on records that wait: a record is applied until the design takes its beat.
//!
//! The record of a cycle depends on one output bit of the cycle before. An engine that handles this bit itself runs a block of
//! cycles without returning to its caller.

use crate::layout::PortSlot;

/// A bit of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    word: usize,
    shift: u32,
}

impl Bit {
    /// The bit of a port of one bit.
    ///
    /// # Panics
    /// If the port has more bits.
    pub fn of(port: &PortSlot) -> Self {
        assert_eq!(port.width, 1, "bits of port `{}`", port.name);
        Self { word: port.word, shift: port.shift }
    }

    /// Whether the bit is set.
    #[inline]
    pub fn is_set(self, record: &[u64]) -> bool {
        record[self.word] >> self.shift & 1 == 1
    }

    /// Sets the bit to `value`.
    #[inline]
    pub fn set(self, record: &mut [u64], value: bool) {
        let word = &mut record[self.word];
        *word = *word & !(1 << self.shift) | u64::from(value) << self.shift;
    }
}

/// The bits of both handshakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handshakes {
    /// An input: the record offers something.
    pub offers: Bit,
    /// An output: the design takes the offered beat.
    pub takes: Bit,
    /// An input: the design's beat is taken.
    pub sink_takes: Bit,
    /// An input: the beat of a second output stream is taken, if there is one.
    pub status_takes: Option<Bit>,
}

/// The input of a design. Records apply one after the other: a record with `tvalid` until the design takes it, any other record
/// for one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Feed<'f> {
    /// The bits of the handshakes.
    pub handshakes: Handshakes,
    /// The records.
    pub records: &'f [u64],
    /// The bit [`Handshakes::sink_takes`] of each cycle, whatever that bit is in the records.
    pub sink_takes: &'f [bool],
    /// The bit [`Handshakes::status_takes`] of each cycle; empty if there is none.
    pub status_takes: &'f [bool],
}

/// The cycles that an engine ran on a [`Feed`].
#[derive(Clone, Debug, Default)]
pub struct Fed {
    /// The input record of each cycle.
    pub inputs: Vec<u64>,
    /// The output record of each cycle.
    pub outputs: Vec<u64>,
    /// How many cycles there were.
    pub cycles: usize,
    /// How many records are done with: they were taken, or offered nothing.
    pub records: usize,
}

impl Feed<'_> {
    /// Runs cycles until there is no further record, or no further bit for the sink. `cycle` runs one cycle; its third argument is
    /// whether that may be the last. `words` are those of an input record and of an output record. `fed` is filled anew; where
    /// `cycle` fails, with the cycles before.
    ///
    /// # Errors
    /// The first error of `cycle`.
    #[inline]
    pub fn run<E>(
        &self,
        (input_words, output_words): (usize, usize),
        fed: &mut Fed,
        mut cycle: impl FnMut(&[u64], &mut [u64], bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let (cycles, records) = (self.sink_takes.len(), self.records.len() / input_words);
        fed.inputs.resize(cycles * input_words, 0);
        fed.outputs.resize(cycles * output_words, 0);
        (fed.cycles, fed.records) = (0, 0);
        let mut ran = Ok(());
        while fed.cycles < cycles && fed.records < records {
            let record = &self.records[fed.records * input_words..][..input_words];
            let inputs = &mut fed.inputs[fed.cycles * input_words..][..input_words];
            let outputs = &mut fed.outputs[fed.cycles * output_words..][..output_words];
            // Most records are one word, for which a call that copies takes longer than the copy.
            if let ([to], [from]) = (&mut *inputs, record) {
                *to = *from;
            } else {
                inputs.copy_from_slice(record);
            }
            self.handshakes.sink_takes.set(inputs, self.sink_takes[fed.cycles]);
            if let Some(status_takes) = self.handshakes.status_takes {
                status_takes.set(inputs, self.status_takes[fed.cycles]);
            }
            ran = cycle(inputs, outputs, fed.cycles + 1 == cycles || fed.records + 1 == records);
            if ran.is_err() {
                break;
            }
            fed.cycles += 1;
            let waits = self.handshakes.offers.is_set(inputs) && !self.handshakes.takes.is_set(outputs);
            fed.records += usize::from(!waits);
        }
        fed.inputs.truncate(fed.cycles * input_words);
        fed.outputs.truncate(fed.cycles * output_words);
        ran
    }
}
