//! The octet forms of `utf-16` and `utf-32`: units of several octets each, in one of two orders.
//!
//! The Unicode Standard, core specification, §3.10, definitions D96 to D101; RFC 2781, §3 and §4. The octets are put together
//! to units first, and the units are read as in the system without octets. Octets that are left over at the end of a stream
//! are an error of their own.

use crate::ByteOrder;
use crate::ErrorKind::{Invalid, Truncated};
use crate::bulk::WholeSequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::opening::{Mark, Opens};

/// The marks that tell the order of octets, two of which are a unit: U+FEFF with its most significant octet first, and last.
pub(crate) const MARKS_OF_TWO: [Mark; 2] = [&[0xFE, 0xFF], &[0xFF, 0xFE]];

/// The byte order marks where a unit is four octets.
pub(crate) const MARKS_OF_FOUR: [Mark; 2] = [&[0x00, 0x00, 0xFE, 0xFF], &[0xFF, 0xFE, 0x00, 0x00]];

/// The mark of one order.
pub(crate) fn mark_of(order: ByteOrder, marks: &[Mark; 2]) -> Mark {
    match order {
        ByteOrder::Big => marks[0],
        ByteOrder::Little => marks[1],
    }
}

/// Writes units of `OCTETS` octets each.
pub(crate) fn encode<const OCTETS: usize>(order: ByteOrder, units: &Sequence, sequence: &mut Sequence) {
    for &unit in units.as_slice() {
        let octet = |index: usize| unit >> (8 * index) & 0xFF;
        match order {
            ByteOrder::Big => sequence.extend((0..OCTETS).rev().map(octet)),
            ByteOrder::Little => sequence.extend((0..OCTETS).map(octet)),
        }
    }
}

/// A grammar that has a fast path for the octets of its units.
pub(crate) trait InOctets: Grammar {
    /// The fast path.
    type OctetSequences: WholeSequences;

    /// The fast path of octets in this order.
    fn octet_sequences(&self, order: ByteOrder) -> Self::OctetSequences;
}

/// The grammar of `G`, whose units are `OCTETS` octets each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Octets<G, const OCTETS: usize> {
    grammar: G,
    /// The order that the name of the system says.
    named: ByteOrder,
    /// The order of this stream.
    order: ByteOrder,
    /// Whether `grammar` is inside a sequence.
    inside: bool,
    /// The octets of the next unit, of which `count` have been read.
    octets: [u8; OCTETS],
    count: usize,
}

impl<G, const OCTETS: usize> Octets<G, OCTETS> {
    pub(crate) fn new(grammar: G, order: ByteOrder) -> Octets<G, OCTETS> {
        Octets { grammar, named: order, order, inside: false, octets: [0; OCTETS], count: 0 }
    }

    /// The unit whose octets are all there.
    fn unit(&self) -> u32 {
        let join = |unit: u32, &octet: &u8| unit << 8 | u32::from(octet);
        match self.order {
            ByteOrder::Big => self.octets.iter().fold(0, join),
            ByteOrder::Little => self.octets.iter().rev().fold(0, join),
        }
    }
}

impl<G: Grammar, const OCTETS: usize> Octets<G, OCTETS> {
    /// Ends the open sequence of `grammar` as an error. The octets of the unit after the sequence are kept.
    fn cut(&mut self, cut: Cut) -> Cut {
        self.grammar.reset();
        self.inside = false;
        Cut { kept: self.count as u64, ..cut }
    }

    /// Reads the unit whose octets are all there.
    fn step_unit(&mut self) -> Verdict {
        let verdict = self.grammar.step(self.unit());
        if let Verdict::Refused(kind) = verdict {
            if self.inside {
                // The unit is read again, and its last octet with it.
                self.count -= 1;
                return Verdict::Cut(self.cut(kind.into()));
            }
            self.grammar.reset();
            self.count = 0;
            return Verdict::Spoilt(kind);
        }
        self.count = 0;
        self.inside = verdict == Verdict::More;
        verdict
    }
}

impl<G: InOctets, const OCTETS: usize> Grammar for Octets<G, OCTETS> {
    type Sequences = G::OctetSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        let Ok(octet) = u8::try_from(unit) else {
            return match (self.inside, self.count) {
                (true, _) => Verdict::Cut(self.at_end()),
                (false, 0) => Verdict::Refused(Invalid),
                (false, _) => Verdict::Refused(Truncated),
            };
        };
        self.octets[self.count] = octet;
        self.count += 1;
        if self.count == OCTETS { self.step_unit() } else { Verdict::More }
    }

    fn reset(&mut self) {
        self.grammar.reset();
        self.inside = false;
        self.count = 0;
    }

    fn at_end(&mut self) -> Cut {
        if !self.inside {
            return Truncated.into();
        }
        let cut = self.grammar.at_end();
        self.cut(cut)
    }

    fn sequences(&self) -> G::OctetSequences {
        self.grammar.octet_sequences(self.order)
    }
}

impl<G: InOctets, const OCTETS: usize> Opens for Octets<G, OCTETS> {
    fn open(&mut self, mark: Option<usize>) {
        self.order = match mark {
            Some(0) => ByteOrder::Big,
            Some(_) => ByteOrder::Little,
            None => self.named,
        };
    }
}
