//! A few units, held in place.

use std::hash::{Hash, Hasher};

/// The units that one slot makes at most: the header of the longest UTF-∞-8 sequence and what its first limb holds.
const MOST: usize = 32;

/// The units of a sequence, or of a part of a very long one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    units: [u16; MOST],
    length: usize,
}

impl Default for Sequence {
    fn default() -> Sequence {
        Sequence { units: [0; MOST], length: 0 }
    }
}

impl Sequence {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, unit: u16) {
        self.units[self.length] = unit;
        self.length += 1;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.units[..self.length]
    }
}

impl PartialEq for Sequence {
    fn eq(&self, other: &Sequence) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Sequence {}

impl Hash for Sequence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl Extend<u16> for Sequence {
    fn extend<I: IntoIterator<Item = u16>>(&mut self, units: I) {
        units.into_iter().for_each(|unit| self.push(unit));
    }
}
