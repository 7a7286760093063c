//! A count in unary: bit n says that the count is more than n.
//!
//! The items in a core are spread over the flags of its stages. The relation of a unary count to such flags takes few and
//! short clauses, while a binary count takes a clause for each combination: with unary counts, proofs are found several times
//! as fast.

use utfhdl_hdl::netlist::{Builder, Reg, Signal};

/// The value of a count.
#[derive(Clone, Copy)]
pub struct Unary<'m> {
    m: &'m Builder,
    /// Bit n: more than n.
    bits: Signal<'m>,
}

/// A register with a count, which reset clears.
#[derive(Clone, Copy)]
pub struct UnaryRegister<'m> {
    register: Reg<'m>,
    /// The register's value.
    pub q: Unary<'m>,
}

impl<'m> UnaryRegister<'m> {
    /// A register that counts to `most`.
    pub fn new(m: &'m Builder, name: &str, most: u64) -> Self {
        let register = m.reg(name, most as u32).reset(0);
        Self { register, q: Unary { m, bits: register.q } }
    }

    /// Lets the register load a count at every edge.
    pub fn next(self, count: Unary<'m>) {
        self.register.next(count.bits);
    }
}

impl<'m> Unary<'m> {
    /// 0, of a count to `most`.
    pub fn zero(m: &'m Builder, most: u64) -> Self {
        Self { m, bits: m.lit(most as u32, 0) }
    }

    /// The bits.
    pub fn bits(self) -> Signal<'m> {
        self.bits
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> Signal<'m> {
        !self.bits.bit(0)
    }

    /// Whether it is the greatest that can be.
    pub fn is_most(self) -> Signal<'m> {
        self.bits.bit(self.bits.width() - 1)
    }

    /// One more, where `one` is 1; the greatest stays.
    pub fn plus(self, one: Signal<'m>) -> Self {
        let width = self.bits.width();
        let more = match width {
            1 => self.m.lit(1, 1),
            _ => self.m.concat([self.bits.bits(0..width - 1), self.m.lit(1, 1)]),
        };
        Self { bits: one.mux(more, self.bits), ..self }
    }

    /// One less, where `one` is 1; 0 stays.
    pub fn minus(self, one: Signal<'m>) -> Self {
        let width = self.bits.width();
        let less = match width {
            1 => self.m.lit(1, 0),
            _ => self.m.concat([self.m.lit(1, 0), self.bits.bits(1..width)]),
        };
        Self { bits: one.mux(less, self.bits), ..self }
    }

    /// 0, unless `kept` is 1.
    pub fn when(self, kept: Signal<'m>) -> Self {
        Self { bits: self.bits.when(kept), ..self }
    }

    /// This, where `select` is 1, else `other`.
    pub fn or(self, select: Signal<'m>, other: Self) -> Self {
        Self { bits: select.mux(self.bits, other.bits), ..self }
    }
}
