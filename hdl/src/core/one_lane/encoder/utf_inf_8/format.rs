//! Numbers of the format, and how limbs and units share the bits of a code point.
//!
//! Three limbs are 96 bits, and so are sixteen units. Counted from the end of a code point, limbs make *blocks* of
//! three. The *place* of a limb is the number of limbs that follow it in its block, 2 to 0; each place has a register,
//! so that a unit is always cut from the same bits, and nothing is ever shifted. The position of a unit in its block is
//! the number of units that follow it: the limb at place 2 completes the units down to position 11, the limb at place 1
//! those down to position 6, and the limb at place 0 the rest.

use crate::core::one_lane::encoder::prefix::PrefixWriter;
use crate::core::shared::forms::{SequenceForm, SequenceForms, UnitPattern};
pub(super) use crate::core::shared::limbs::{LIMB_BITS, LIMB_DIGITS, PLACES};
use crate::netlist::{Builder, Signal};

/// Bits of a unit.
pub(super) const UNIT_BITS: u32 = 8;
/// Position of the first unit of a whole block.
pub(super) const BLOCK_START: u64 = 15;
/// Positions of the last unit that the limb at place 2 completes, and of the unit after it;
pub(super) const END_OF_2: u64 = 11;
pub(super) const START_OF_1: u64 = END_OF_2 - 1;
/// and the same of place 1.
pub(super) const END_OF_1: u64 = 6;
pub(super) const START_OF_0: u64 = END_OF_1 - 1;
/// Position of the first unit of the form of thirteen units.
pub(super) const START_OF_THIRTEEN: u64 = 12;
/// Bits of the longest code point that is held whole.
pub(super) const HELD_BITS: u32 = 71;

/// The forms of up to seven units and of thirteen units. The form of thirteen has two lead units; the second looks like
/// a trailing unit.
pub(super) fn short_forms() -> PrefixWriter {
    let mut forms = SequenceForms::hunks(8, 7);
    let seven = *forms.forms.last().expect("seven forms");
    forms.forms.push(SequenceForm {
        lead: UnitPattern { marker: 0xff, data_bits: 0 },
        trailing: START_OF_THIRTEEN as u32,
        bits: HELD_BITS,
        first: seven.last + 1,
        last: (1 << HELD_BITS) - 1,
    });
    PrefixWriter::new(forms)
}

/// The position of the first unit of the first block, by the place of its first limb and the zero digits before
/// that.
pub(super) fn block_start<'m>(m: &'m Builder, place: Signal<'m>, zero_digits: Signal<'m>) -> Signal<'m> {
    let start = |both: u64| {
        let digits = LIMB_DIGITS * (both / LIMB_DIGITS + 1) - both % LIMB_DIGITS;
        2 * digits.div_ceil(3) - 1
    };
    let arms = (0..LIMB_DIGITS * u64::from(PLACES)).map(|both| ([both], m.lit(4, start(both))));
    m.concat([place, zero_digits]).case_of(arms, m.lit(4, 0)).named("first_block_start")
}
