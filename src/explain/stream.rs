//! Explains units as they come, in constant memory.

use std::collections::HashSet;

use utfhdl_codec::{Codec, Decoder, Gather, System, Whole};

use super::bits::Bits;
use super::{MOST_DIGITS, Meaning, Rule, Sequence};

/// The most units of a sequence that are kept. The digits of every code point that is shown fit into them.
pub(super) const MOST_UNITS: usize = 8192;

/// Units at the end of a longer sequence that are kept, too, since they may belong to the next one.
const TAIL: usize = 32;

/// The most code points that are kept, to be shown in other systems.
const MOST_CODE_POINTS: usize = 256;

/// Explains a stream of units.
pub struct Explainer {
    system: System,
    decoder: Decoder,
    gather: Gather,
    bits: Bits,
    /// The units from `offset` on, without `left_out` of them behind the first [`MOST_UNITS`].
    units: Vec<u32>,
    left_out: usize,
    /// The number of the first unit that is in no sequence yet.
    offset: usize,
    seen: HashSet<Whole>,
    code_points: Vec<Whole>,
    has_more_code_points: bool,
    is_well_formed: bool,
}

impl Explainer {
    /// An explainer at the start of a stream.
    pub fn new(system: System) -> Self {
        Self {
            system,
            decoder: system.decoder(),
            gather: Gather::with_limit(MOST_DIGITS),
            bits: Bits::new(system),
            units: Vec::new(),
            left_out: 0,
            offset: 0,
            seen: HashSet::new(),
            code_points: Vec::new(),
            has_more_code_points: false,
            is_well_formed: true,
        }
    }

    /// Explains the next units, with which the stream ends if `last`. Calls `each` with every sequence that is certain.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn explain<E>(
        &mut self,
        units: &[u32],
        last: bool,
        mut each: impl FnMut(Sequence) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = units;
        loop {
            let before = rest;
            let event = self.decoder.next(&mut rest, last);
            self.keep(&before[..before.len() - rest.len()]);
            let Some(event) = event else { break };
            let Some(what) = self.gather.push(event.what).expect("decoders put limbs after their heads")
            else {
                continue;
            };
            // Units that a decoder takes away without a word.
            if let Some(mark) = self.take(event.offset as usize - self.offset, |_, _| Meaning::Mark) {
                each(mark)?;
            }
            if let (0, Whole::CodePoint(_)) = (event.length, &what) {
                each(self.first_of_two(what))?;
                continue;
            }
            let sequence = self.take(event.length as usize, |system, _| match what {
                Whole::Error(kind) => Meaning::Error(kind, Rule::of(system, kind)),
                whole => Meaning::CodePoint(whole),
            });
            if let Some(sequence) = sequence {
                each(sequence)?;
            }
        }
        let left = self.units.len() + self.left_out;
        let silent =
            |system: System, _: &[u32]| if system.has_state() { Meaning::Change } else { Meaning::Mark };
        match self.take(if last { left } else { 0 }, silent) {
            Some(silent) => each(silent),
            None => Ok(()),
        }
    }

    /// Whether all sequences up to now are well-formed.
    pub fn is_well_formed(&self) -> bool {
        self.is_well_formed
    }

    /// The first code points, each once, in the order in which they come first.
    pub fn code_points(&self) -> &[Whole] {
        &self.code_points
    }

    /// Whether there are code points that [`code_points`](Self::code_points) has not.
    pub fn has_more_code_points(&self) -> bool {
        self.has_more_code_points
    }

    fn keep(&mut self, units: &[u32]) {
        self.units.extend_from_slice(units);
        if self.units.len() > MOST_UNITS + TAIL {
            let end = self.units.len() - TAIL;
            self.units.drain(MOST_UNITS..end);
            self.left_out += end - MOST_UNITS;
        }
    }

    /// Explains the first of two code points of one sequence. The units of the sequence are explained with the second code point.
    fn first_of_two(&mut self, whole: Whole) -> Sequence {
        self.note(&whole);
        let what = Meaning::CodePoint(whole);
        Sequence { offset: self.offset, units: Vec::new(), left_out: 0, uses: Vec::new(), what }
    }

    /// Takes a sequence of this length off the front; `None` if that is 0.
    fn take(&mut self, length: usize, what: impl FnOnce(System, &[u32]) -> Meaning) -> Option<Sequence> {
        if length == 0 {
            return None;
        }
        let kept = (length - self.left_out.min(length)).min(self.units.len());
        let mut units: Vec<u32> = self.units.drain(..kept).collect();
        units.truncate(MOST_UNITS);
        self.left_out = 0;
        let (offset, left_out) = (self.offset, length - units.len());
        self.offset += length;
        let what = what(self.system, &units);
        let mut uses = Vec::new();
        match &what {
            Meaning::CodePoint(whole) => {
                uses = self.bits.uses(whole, &units);
                self.note(whole);
            }
            Meaning::Error(..) => self.is_well_formed = false,
            Meaning::Mark | Meaning::Change => {}
        }
        Some(Sequence { offset, units, left_out, uses, what })
    }

    fn note(&mut self, whole: &Whole) {
        if self.seen.contains(whole) {
            return;
        }
        if self.seen.len() == MOST_CODE_POINTS {
            self.has_more_code_points = true;
            return;
        }
        self.seen.insert(whole.clone());
        self.code_points.push(whole.clone());
    }
}
