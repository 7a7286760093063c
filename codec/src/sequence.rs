//! A buffer for the units of one slot.

use core::hash::{Hash, Hasher};

/// The most units that one slot makes: the header of the longest UTF-∞-8 sequence, and the units of the first limb.
const MOST: usize = 32;

/// The units of a sequence, or of one limb of a long one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    units: [u32; MOST],
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
    pub(crate) fn push(&mut self, unit: u32) {
        self.units[self.length] = unit;
        self.length += 1;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
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

impl Extend<u32> for Sequence {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, units: I) {
        units.into_iter().for_each(|unit| self.push(unit));
    }
}
