//! The slots of the decoding half of a transcoder, as its stages hold them.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::SLOT_DATA_BITS;
use crate::prove::spec::Writer;

/// The rule for what a slot holds: an error, or a code point of the system that is read. The encoding half need not check for other code points.
#[derive(Clone, Copy)]
pub(super) struct Codes {
    /// The writer of the system that is read.
    pub(super) source: Writer,
}

/// The content of a slot.
pub(super) struct Held<'m> {
    /// The slot is an error.
    pub(super) is_error: Signal<'m>,
    /// The code point, in 32 bits, and anything in an error.
    pub(super) code_point: Signal<'m>,
}

impl Codes {
    /// The number of bits of the code point in a slot. In a system that has errors, a slot has one bit more, the highest, which marks an error.
    fn bits(self, slot: Signal<'_>) -> u32 {
        if slot.width() > self.source.bits() { slot.width() - 1 } else { slot.width() }
    }

    /// The content of the slot of a place.
    pub(super) fn held<'m>(self, m: &'m Builder, place: usize, slot: Signal<'m>) -> Held<'m> {
        let bits = self.bits(slot);
        let is_error = match place {
            0 => m.lit(1, 1),
            _ if bits < slot.width() => slot.bit(bits),
            _ => m.lit(1, 0),
        };
        Held { is_error, code_point: slot.bits(0..bits).zext(SLOT_DATA_BITS) }
    }

    /// The slot that the rule allows of one that is wished: what is no code point is an error, or the code point 0 in a system without errors. A slot that
    /// keeps the rule stays as it is.
    pub(super) fn allowed<'m>(self, m: &'m Builder, place: usize, slot: Signal<'m>) -> Signal<'m> {
        let Held { is_error, code_point } = self.held(m, place, slot);
        let (bits, has) = (self.bits(slot), self.source.has(m, code_point));
        match place {
            0 => slot,
            _ if bits < slot.width() => m.concat([is_error | !has, slot.bits(0..bits)]),
            _ => slot.when(has),
        }
    }
}
