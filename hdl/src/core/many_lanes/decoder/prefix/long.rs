//! Code points of 2^32 or more, which go out as a head and limbs while their sequence comes in.
//!
//! The first trailing unit makes the head certain, and the first unit with the last bit of a limb makes that limb certain. A unit makes
//! one slot at most, so a limb that is complete with the head goes out with the next unit. The last limb goes out with the last unit.
//! A head or limb other than the last takes the slot position of the unit *before* the one that makes it certain. That unit continues
//! its sequence and so ends no slot. The slot position of the certain unit stays free for an error if the sequence is cut there.

use crate::core::shared::forms::{SequenceForm, SequenceForms};
use crate::core::shared::ports::SLOT_DATA_BITS;

/// The positions of limbs in the sequences of a system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limbs {
    unit_bits: u32,
    /// The number of trailing units after the one that completes the last limb but one.
    missing: usize,
    /// The number of bits of the last limb in the units up to that one.
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

    /// The number of low bits that belong to the last limb, among the units up to the one with which the limb before goes out: in time, or
    /// one unit late.
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
