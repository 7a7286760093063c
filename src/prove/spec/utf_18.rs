//! UTF-18, as RFC 4042, §4, defines it: pairs of nonets, the high one first. Values up to 2FFFF are code points, and 30000 to
//! 3FFFF stand for U+E0000 to U+EFFFF.

use utfhdl_hdl::netlist::Builder;

use super::{Machine, SURROGATE, SURROGATES, Slot, State, Step, Unit};

/// The machine. The position says that a pair is open, and the value is its high nonet.
pub(super) const MACHINE: Machine = Machine { units_of_word: 2, ..Machine::new(1, 9, step) };

/// The two high bits of the values that encode plane 14, and the number of that plane.
const FOURTH_PLANE: u64 = 3;
const PLANE_14: u64 = 14;

/// Reads a nonet.
fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let is_open = state.position;
    let pair = m.concat([state.value, unit.bits]);
    let plane = pair.bits(16..18);
    let plane = plane.is(FOURTH_PLANE).mux(m.lit(5, PLANE_14), plane.zext(5));
    let value = m.concat([plane, pair.bits(0..16)]);
    let is_surrogate = pair.within(SURROGATES.0, SURROGATES.1);
    let no_error = m.lit(4, 0);
    // No nonet cuts a pair short: each can be the second of one.
    let never = m.lit(1, 0);
    Step {
        cut: Slot { is_there: never, user: no_error, value },
        own: Slot {
            is_there: unit.is_there & is_open,
            user: is_surrogate.mux(m.lit(4, SURROGATE), no_error),
            value,
        },
        next: State { position: !is_open, value: unit.bits },
    }
}
