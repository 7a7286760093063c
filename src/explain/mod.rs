//! Explanations of units for people: each sequence with the use of its bits, the rule that an ill-formed sequence breaks,
//! and the same character in other systems.

mod bits;
mod rules;

use std::collections::BTreeMap;

use utfhdl_codec::{Codec, ErrorKind, OnError, System, Whole};

pub use bits::Use;
pub use rules::Rule;

/// Code points of more hexadecimal digits are not shown, and neither is the use of their bits.
const MOST_DIGITS: u64 = 4096;

/// Some units in one system, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The system.
    pub system: System,
    /// The sequences, in order and without gaps.
    pub sequences: Vec<Sequence>,
}

/// Units that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The number of the first unit.
    pub offset: usize,
    /// The units.
    pub units: Vec<u32>,
    /// The use of the bits of each unit, the most significant bit first; empty where no use is known.
    pub uses: Vec<Vec<Use>>,
    /// The meaning of the units.
    pub what: Meaning,
}

/// The meaning of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A code point.
    CodePoint(Whole),
    /// A mark before the text, such as a byte order mark.
    Mark,
    /// An error, and the rule that is broken.
    Error(ErrorKind, Rule),
}

/// The units of a code point in some systems, which all have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Width of a unit in bits.
    pub unit_bits: u32,
    /// The units.
    pub units: Vec<u32>,
    /// The systems.
    pub systems: Vec<System>,
}

impl Explanation {
    /// Explains `units` of `system`.
    pub fn new(system: System, units: &[u32]) -> Self {
        let mut sequences = Vec::new();
        let mut done = 0;
        for event in system.decode(units).whole(MOST_DIGITS) {
            let (start, length) = (event.offset as usize, event.length as usize);
            // Units that a decoder takes away without a word.
            push_mark(&mut sequences, units, done..start);
            done = start + length;
            let units = units[start..done].to_vec();
            let (uses, what) = match event.what {
                Whole::Error(kind) => (Vec::new(), Meaning::Error(kind, Rule::of(system, kind))),
                whole => (bits::uses(system, &whole, &units), Meaning::CodePoint(whole)),
            };
            sequences.push(Sequence { offset: start, units, uses, what });
        }
        push_mark(&mut sequences, units, done..units.len());
        Self { system, sequences }
    }

    /// Whether all units are well-formed.
    pub fn is_well_formed(&self) -> bool {
        !self.sequences.iter().any(|sequence| matches!(sequence.what, Meaning::Error(..)))
    }

    /// The code points, each once, in the order in which they come first.
    pub fn code_points(&self) -> Vec<&Whole> {
        let mut found: Vec<&Whole> = Vec::new();
        for sequence in &self.sequences {
            if let Meaning::CodePoint(whole) = &sequence.what
                && !found.contains(&whole)
            {
                found.push(whole);
            }
        }
        found
    }

    /// How the other systems write a code point, and the systems that lack it.
    pub fn elsewhere(&self, whole: &Whole) -> (Vec<Written>, Vec<System>) {
        let (mut written, mut lacking) = (BTreeMap::<(u32, Vec<u32>), Vec<System>>::new(), Vec::new());
        for system in System::all().filter(|system| system.name() != self.system.name()) {
            match system.encode::<_, u32>(&whole.slots(), OnError::Strict) {
                Ok(units) => written.entry((system.unit_bits(), units)).or_default().push(system),
                Err(_) => lacking.push(system),
            }
        }
        let written =
            written.into_iter().map(|((unit_bits, units), systems)| Written { unit_bits, units, systems });
        (written.collect(), lacking)
    }
}

fn push_mark(sequences: &mut Vec<Sequence>, units: &[u32], range: std::ops::Range<usize>) {
    if !range.is_empty() {
        let (offset, units) = (range.start, units[range].to_vec());
        sequences.push(Sequence { offset, units, uses: Vec::new(), what: Meaning::Mark });
    }
}
