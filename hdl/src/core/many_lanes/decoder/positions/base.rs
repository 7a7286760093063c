//! The sum of the offset of a beat and offsets within the beat.

use crate::netlist::{Builder, Signal};

/// The offset of a beat, to which offsets within the beat are added.
pub(in super::super) struct Base<'m> {
    m: &'m Builder,
    base: Signal<'m>,
    /// The upper bits with a carry from the bits of an offset within the beat.
    carried: Option<Signal<'m>>,
    /// Bits that an offset within the beat is added to.
    low: u32,
}

impl<'m> Base<'m> {
    pub(in super::super) fn new(m: &'m Builder, name: &str, base: Signal<'m>, bits: u32) -> Self {
        let low = bits.min(base.width());
        let upper = (low < base.width()).then(|| base.bits(low..base.width()));
        let next = |upper: Signal<'m>| (upper + m.lit(upper.width(), 1)).named(&format!("{name}_with_carry"));
        Self { m, base, carried: upper.map(next), low }
    }

    /// The offset of the beat.
    pub(super) fn base(&self) -> Signal<'m> {
        self.base
    }

    /// The sum with an offset that is not negative, where `keep`, else zero.
    pub(in super::super) fn plus(&self, offset: Signal<'m>, keep: Signal<'m>) -> Signal<'m> {
        let low = self.base.bits(0..self.low);
        let offset = offset.bits(0..self.low);
        let Some(carried) = self.carried else { return (low + offset).masked(keep) };
        let sum = low.zext(self.low + 1) + offset.zext(self.low + 1);
        let upper = sum.bit(self.low).mux(carried, self.base.bits(self.low..self.base.width()));
        self.m.concat([upper.masked(keep), sum.bits(0..self.low).masked(keep)])
    }

    /// The sum with an offset, whose highest bit is its sign.
    pub(super) fn plus_signed(&self, offset: Signal<'m>) -> Signal<'m> {
        let (width, bits) = (self.base.width(), offset.width());
        if width <= bits {
            return self.base + offset.bits(0..width);
        }
        let sign = offset.bit(bits - 1).repeat((width - bits) as usize);
        self.base + self.m.concat([sign, offset])
    }
}
