//! Explanations of units for people: each sequence with the use of its bits, the rule that an ill-formed sequence breaks,
//! and the same character in other systems.

mod bits;
pub mod html;
pub mod json;
mod rules;
mod stream;
pub mod table;

use std::collections::BTreeMap;
use std::convert::Infallible;

use utfhdl_codec::{Codec, ErrorKind, OnError, System, Whole};

pub use bits::Use;
pub use rules::Rule;
pub use stream::Explainer;

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
    /// The units, of a very long sequence the first ones.
    pub units: Vec<u32>,
    /// The number of further units, which are not in `units`.
    pub left_out: usize,
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
    /// Units at the end of the text that only change the state of the system, such as the end of Base64.
    Change,
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
        let Ok(()) = Explainer::new(system).explain(units, true, |sequence| {
            sequences.push(sequence);
            Ok::<(), Infallible>(())
        });
        Self { system, sequences }
    }
}

/// How other systems than `system` write a code point, and the systems that lack it.
pub fn elsewhere(system: System, whole: &Whole) -> (Vec<Written>, Vec<System>) {
    let (mut written, mut lacking) = (BTreeMap::<(u32, Vec<u32>), Vec<System>>::new(), Vec::new());
    let others =
        System::all().chain(System::of_software()).chain(System::multi_octet()).chain(System::tables());
    for other in others.filter(|other| other.name() != system.name()) {
        match other.encode::<_, u32>(&whole.slots(), OnError::Strict) {
            Ok(units) => written.entry((other.unit_bits(), units)).or_default().push(other),
            // Most sets of a table lack most characters.
            Err(_) if matches!(other, System::Table(_) | System::MultiOctet(_)) => {}
            Err(_) => lacking.push(other),
        }
    }
    let written =
        written.into_iter().map(|((unit_bits, units), systems)| Written { unit_bits, units, systems });
    (written.collect(), lacking)
}
