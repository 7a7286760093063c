//! How many code points and errors there were.

use std::collections::BTreeMap;

use utfhdl_codec::{Encoder, ErrorKind, Slot};

/// How many of each there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Code points.
    pub code_points: u64,
    /// Errors, told, replaced or dropped, by their code.
    errors: [u64; ErrorKind::ALL.len() + 1],
}

impl Counts {
    /// Counts a slot.
    pub fn count(&mut self, slot: Slot) {
        match slot {
            Slot::CodePoint(_) | Slot::Head(_) => self.code_points += 1,
            Slot::Error(kind) => self.errors[usize::from(kind.code())] += 1,
            Slot::Limb(_) => {}
        }
    }

    /// Adds what an encoder could not write.
    pub(crate) fn count_errors_of(&mut self, encoder: &Encoder) {
        let of_kinds = encoder.errors_by_kind();
        of_kinds.for_each(|(kind, count)| self.errors[usize::from(kind.code())] += count);
    }

    /// Adds others, so many times.
    pub fn add(&mut self, other: &Counts, times: u64) {
        self.code_points += other.code_points * times;
        self.errors.iter_mut().zip(other.errors).for_each(|(mine, other)| *mine += other * times);
    }

    /// Errors by the name of their kind, those that were there.
    pub fn errors(&self) -> BTreeMap<&'static str, u64> {
        let counted = ErrorKind::ALL.into_iter().map(|kind| (kind, self.errors[usize::from(kind.code())]));
        counted.filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.name(), count)).collect()
    }
}
