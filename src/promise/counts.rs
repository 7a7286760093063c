//! How many code points and errors went through a core.

use std::collections::BTreeMap;

use utfhdl_codec::{ErrorKind, Slot};

/// Numbers of code points and of errors by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Code points. One of 2^32 or more, which takes a head and limbs, counts once.
    pub code_points: u64,
    /// Errors by code, whatever the core does about them: flag, replace or drop.
    errors: [u64; ErrorKind::ALL.len() + 1],
}

impl Counts {
    /// Counts a slot.
    #[inline]
    pub fn count(&mut self, slot: Slot) {
        match slot {
            Slot::CodePoint(_) | Slot::Head(_) => self.code_points += 1,
            Slot::Error(kind) => self.count_errors(kind, 1),
            Slot::Limb(_) => {}
        }
    }

    /// Counts errors of one kind.
    #[inline]
    pub fn count_errors(&mut self, kind: ErrorKind, count: u64) {
        self.errors[usize::from(kind.code())] += count;
    }

    /// Adds `other`, multiplied by `times`.
    pub fn add(&mut self, other: &Counts, times: u64) {
        self.code_points += other.code_points * times;
        self.errors.iter_mut().zip(other.errors).for_each(|(mine, other)| *mine += other * times);
    }

    /// The kinds of error that were counted, by name, with their numbers.
    pub fn errors(&self) -> BTreeMap<&'static str, u64> {
        let counted = ErrorKind::ALL.into_iter().map(|kind| (kind, self.errors[usize::from(kind.code())]));
        counted.filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.name(), count)).collect()
    }
}
