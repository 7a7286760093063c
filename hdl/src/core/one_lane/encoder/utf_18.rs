//! The writer of `utf-18`: two nonets, the high one first, for planes 0, 1, 2 and 14; plane 14 takes the values that
//! plane 3 would have.

use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{NONET, REPLACEMENT, surrogate};
use crate::netlist::{Builder, Signal};

/// The writer.
pub(super) struct Utf18Writer;

impl Writer for Utf18Writer {
    fn code_bits(&self) -> u32 {
        20
    }

    fn most_units(&self) -> u32 {
        2
    }

    fn starts_differ(&self) -> bool {
        false
    }

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, 1)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let plane = code.bits(16..20).named("plane");
        let plane_14 = plane.is(14).named("plane_14");
        let past_2 = (plane.bits(2..4).any() | plane.bits(0..2).all()).named("past_2");
        let value = m.concat([plane.bit(1), plane.bit(0) | plane.bit(3), code.bits(0..16)]).named("value");
        Fit {
            code: Some(value),
            start: Some(m.lit(1, 1)),
            hints: None,
            unfit: Some(surrogate(code) | past_2 & !plane_14),
        }
    }

    fn unit<'m>(
        &self,
        _: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let (value, position) =
            (code.expect("units hold 18 bits"), position.expect("there are two units").position);
        position.mux(value.bits(NONET..2 * NONET), value.bits(0..NONET))
    }
}
