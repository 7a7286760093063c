//! Packs values of repeated parts of a design, such as the lanes of a core: eight values of at most eight bits to a word.
//!
//! Registers of one template in different lanes, in one lane, or in different stages make a *family*. Eight registers of a family share a
//! word of the state, one byte each: a *row*. Their next values are mostly computed alike, each from the registers of its own lane. A row of
//! values is therefore computed from rows of operands, by the few operations that one of the values would take:
//!
//! ```text
//!   lane_0.valid & lane_0.lead, ..., lane_7.valid & lane_7.lead  =  row of valid & row of lead
//! ```
//!
//! | pass | what it does |
//! | --- | --- |
//! | `families` | finds registers of one kind that a word can hold eight of |
//! | `plan` | chooses how each row is made: from rows, by shifting a row that holds the same values in other bytes, or value by value |
//! | `build` | writes the logic with rows; a value that other logic reads is extracted from its row |

mod build;
mod families;
mod plan;

use super::{Id, Logic};
use crate::flat::Flat;

/// Values of a row.
const LANES: usize = 8;

/// Bits of a value in a row.
const LANE_BITS: u32 = 8;

/// The values of a row, in the logic that is packed: of each the low eight bits. `None` where nothing depends on that byte.
type Row = [Option<Id>; LANES];

/// A logic with packed state.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The logic.
    pub logic: Logic,
    /// For each word of the state of the plain logic, where its value is.
    places: Vec<Place>,
}

/// The position of a word of the plain state.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Packed {
    /// Packs `logic`, which `flat` was made into.
    pub fn new(logic: Logic, flat: &Flat) -> Self {
        let (mut families, wide) = (families::narrow(&logic, flat), families::wide(&logic, flat));
        while let Some(plan) = plan::Plan::new(&logic, &families, &wide) {
            let worth = plan.worth();
            if worth.iter().all(|worth| *worth) {
                let packed = build::build(&plan);
                let size = |logic: &Logic| logic.values().len() + logic.state.len();
                return if size(&packed.logic) < size(&logic) { packed } else { Self::plain(logic) };
            }
            let mut worth = worth.into_iter();
            families.retain(|_| worth.next().expect("one for each family"));
        }
        Self::plain(logic)
    }

    /// The same design with tables in place of logic that depends on few bits.
    pub fn tabulated(self) -> Self {
        Self { logic: self.logic.tabulate(), ..self }
    }

    /// `logic` as it is.
    pub fn plain(logic: Logic) -> Self {
        let words = 0..logic.state.len() as u32;
        let places = words.map(|word| Place { word, shift: 0, mask: u64::MAX }).collect();
        Self { logic, places }
    }

    /// Words of the plain state.
    pub fn plain_words(&self) -> usize {
        self.places.len()
    }

    /// Packs a state.
    pub fn pack(&self, plain: &[u64], packed: &mut [u64]) {
        packed.fill(0);
        for (place, value) in self.places.iter().zip(plain) {
            packed[place.word as usize] |= value << place.shift;
        }
    }

    /// The plain state.
    pub fn unpack(&self, packed: &[u64], plain: &mut [u64]) {
        for (place, value) in self.places.iter().zip(plain) {
            *value = packed[place.word as usize] >> place.shift & place.mask;
        }
    }
}

/// A word with `byte` in every byte.
fn in_all(byte: u64) -> u64 {
    byte * 0x0101_0101_0101_0101
}

/// All bits of the bytes for which `row` has a value.
fn bytes_of(row: &Row) -> u64 {
    let byte = |(lane, id): (usize, &Option<Id>)| if id.is_some() { 0xff << (8 * lane) } else { 0 };
    row.iter().enumerate().map(byte).sum()
}
