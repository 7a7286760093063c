//! Code points of 2^32 or more, which go out as a head and limbs while their sequence comes in.
//!
//! The head goes out with the first trailing unit, a limb with the first unit that has its last bit; but a unit makes one slot at
//! most, so a limb that is complete with the head goes out with the unit behind it, and the last limb with the last unit. Each of
//! them but the last takes the place of the unit *before* the one that makes it certain: that one goes on with its
//! sequence, so it ends no slot, and the place of the unit itself stays free for an error, should the sequence be cut there.

use crate::core::shared::forms::{SequenceForm, SequenceForms};
use crate::core::shared::ports::SLOT_DATA_BITS;

/// Where the limbs of a system's code points lie in their sequences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limbs {
    unit_bits: u32,
    /// Trailing units behind the one that completes the last limb but one.
    missing: usize,
    /// Bits of the last limb that are there by then.
    pub(super) ahead: u32,
}

impl Limbs {
    pub(super) fn new(forms: &SequenceForms) -> Self {
        let unit_bits = forms.trailing_bits();
        let missing = SLOT_DATA_BITS / unit_bits;
        Self { unit_bits, missing: missing as usize, ahead: SLOT_DATA_BITS - missing * unit_bits }
    }

    /// The trailing unit that makes the last limb but one certain.
    pub(super) fn due(&self, form: &SequenceForm) -> Option<usize> {
        let due = (form.trailing as usize).checked_sub(self.missing)?;
        (form.is_used() && form.bits > SLOT_DATA_BITS).then_some(due)
    }

    /// The fewest trailing units of a sequence with limbs.
    pub(super) fn shortest(&self) -> usize {
        self.missing + 1
    }

    /// How many low bits of the units so far belong to the last limb, where the limb before it goes out a unit late or in time.
    pub(super) fn below(&self, is_late: bool) -> u32 {
        self.ahead + if is_late { self.unit_bits } else { 0 }
    }
}

/// How many limbs the code points have that begin with some lead and first trailing unit; 0 if they are below 2^32.
pub(super) fn limbs(form: &SequenceForm, trailing_bits: u32, lead: u64, data: u64) -> u64 {
    let below = form.bits - form.lead.data_bits - trailing_bits;
    let first = ((u128::from(lead) << trailing_bits) | u128::from(data)) << below;
    let last = (first + (1 << below) - 1).min(form.last);
    let limbs = |code_point: u128| (u128::BITS - code_point.leading_zeros()).div_ceil(SLOT_DATA_BITS).max(1);
    let count = limbs(first.max(form.first));
    assert!(
        first > form.last || last < form.first || limbs(last) == count,
        "the first trailing unit tells the number of limbs"
    );
    if count > 1 { count.into() } else { 0 }
}
