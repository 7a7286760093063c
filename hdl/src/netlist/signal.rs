//! Signals, and the operators that make signals of signals.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Shl, Shr, Sub};
use std::sync::Arc;

use super::Bits;
use super::graph::Signal;
use super::module::{BinaryOp, Labels, Node, NodeId, Op, ReduceOp};

/// Bits of the widest amount that a shift has in Verilog: some tools, such as Verilator with constants, take no wider one.
/// The bits above are tested by a comparison of their own.
const WIDEST_AMOUNT: u32 = 32;

impl<'m> Signal<'m> {
    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Gives the signal a name, which appears in Verilog and waves. If the signal has a name already, the result is a second
    /// signal of the same value. A constant with a name is a parameter in Verilog.
    pub fn named(self, name: &str) -> Self {
        let mut module = self.builder.module.borrow_mut();
        let node = &mut module.nodes[self.id.index()];
        if node.name.is_none() {
            node.name = Some(name.to_owned());
            return self;
        }
        drop(module);
        self.builder.node(Op::Wire(Some(self.id)), self.width).named(name)
    }

    /// Names the signal, unless it has a name.
    pub fn or_named(self, name: &str) -> Self {
        let has_name = self.builder.module.borrow().nodes[self.id.index()].name.is_some();
        if has_name { self } else { self.named(name) }
    }

    /// Comments the signal, at its declaration.
    pub fn note(self, note: &str) -> Self {
        self.builder.module.borrow_mut().nodes[self.id.index()].note = Some(note.to_owned());
        self
    }

    /// Names the values of the signal, for waveform viewers.
    pub fn labels(self, labels: &Arc<Labels>) -> Self {
        self.builder.module.borrow_mut().nodes[self.id.index()].labels = Some(Arc::clone(labels));
        self
    }

    /// Whether the signal equals `other`.
    #[track_caller]
    pub fn eq(self, other: Self) -> Self {
        self.compare(BinaryOp::Eq, other)
    }

    /// Whether the signal differs from `other`.
    #[track_caller]
    pub fn ne(self, other: Self) -> Self {
        self.compare(BinaryOp::Ne, other)
    }

    /// Whether the signal is less than `other`, unsigned.
    #[track_caller]
    pub fn lt(self, other: Self) -> Self {
        self.compare(BinaryOp::Lt, other)
    }

    /// Whether the signal is less than or equal to `other`, unsigned.
    #[track_caller]
    pub fn le(self, other: Self) -> Self {
        self.compare(BinaryOp::Le, other)
    }

    /// Whether the signal has the value `value`.
    #[track_caller]
    pub fn is(self, value: u64) -> Self {
        self.eq(self.builder.lit(self.width, value))
    }

    /// Whether the signal is within `first..=last`. An end of the range that the width sets anyway is not compared with.
    ///
    /// # Panics
    /// If the range is empty, or an end does not fit.
    #[track_caller]
    pub fn within(self, first: u64, last: u64) -> Self {
        assert!(first <= last, "no value of {} is within {first:#x} to {last:#x}", self.describe());
        let [first_lit, last_lit] = [first, last].map(|value| self.builder.lit(self.width, value));
        let not_below = (first > 0).then(|| first_lit.le(self));
        let most = if self.width < 64 { (1 << self.width) - 1 } else { u64::MAX };
        let not_above = (last < most || self.width > 64).then(|| self.le(last_lit));
        let both = not_below.into_iter().chain(not_above).reduce(|a, b| a & b);
        both.unwrap_or_else(|| self.builder.lit(1, 1))
    }

    /// Whether all bits of the signal are 1.
    pub fn all(self) -> Self {
        self.reduce(ReduceOp::And)
    }

    /// Whether some bit of the signal is 1.
    pub fn any(self) -> Self {
        self.reduce(ReduceOp::Or)
    }

    /// Whether an odd number of bits of the signal are 1.
    pub fn parity(self) -> Self {
        self.reduce(ReduceOp::Xor)
    }

    /// `one` if the signal, of one bit, is 1, else `zero`. A choice with a constant of one bit becomes an AND or an OR, and
    /// a choice between a signal and itself becomes the signal.
    #[track_caller]
    pub fn mux(self, one: Self, zero: Self) -> Self {
        self.expect_one_bit("select of a mux");
        self.builder.same_width("mux", one, zero);
        if one.is_same(zero) {
            return one;
        }
        match (one.constant_bit(), zero.constant_bit()) {
            (Some(one_bit), Some(zero_bit)) if one_bit == zero_bit => one,
            (Some(true), Some(_)) => self,
            (Some(false), Some(_)) => self.complement(),
            (Some(true), None) => self | zero,
            (Some(false), None) => self.complement() & zero,
            (None, Some(false)) => self & one,
            (None, Some(true)) => self.complement() | one,
            (None, None) => self.builder.node(Op::Mux(self.id, one.id, zero.id), one.width),
        }
    }

    /// Whether both are one signal, or unnamed constants of one value.
    pub fn is_same(self, other: Self) -> bool {
        let module = self.builder.module.borrow();
        let constant = |id| match module.node(id) {
            Node { op: Op::Const(value), name: None, .. } => Some(value),
            _ => None,
        };
        self.id == other.id || constant(self.id).is_some_and(|value| constant(other.id) == Some(value))
    }

    /// The complement of the signal; of an unnamed complement its operand.
    fn complement(self) -> Self {
        let operand = match self.builder.module.borrow().node(self.id) {
            Node { op: Op::Not(operand), name: None, .. } => Some(*operand),
            _ => None,
        };
        operand.map_or_else(|| !self, |id| Self { id, ..self })
    }

    /// Whether the signal is a constant, named or not.
    pub fn is_constant(self) -> bool {
        matches!(self.builder.module.borrow().node(self.id).op, Op::Const(_))
    }

    /// The value of an unnamed constant of one bit.
    pub(super) fn constant_bit(self) -> Option<bool> {
        let module = self.builder.module.borrow();
        match module.node(self.id) {
            Node { op: Op::Const(value), name: None, width: 1, .. } => Some(value.words()[0] == 1),
            _ => None,
        }
    }

    /// Bits `range.start` up to, not including, `range.end`; 0 is the least significant.
    #[track_caller]
    pub fn bits(self, range: Range<u32>) -> Self {
        assert!(
            range.start < range.end && range.end <= self.width,
            "bits {}..{} of {}, which has {}",
            range.start,
            range.end,
            self.describe(),
            self.width
        );
        let width = range.end - range.start;
        if width == self.width {
            return self;
        }
        // A slice of a slice is a slice, of a constant a constant, and of parts side by side some of the parts: Verilog
        // selects bits of names only.
        let node = self.builder.module.borrow().nodes[self.id.index()].clone();
        match node.op {
            Op::Concat(parts) if node.name.is_none() => self.bits_of_parts(&parts, range),
            Op::Slice(of, low) if node.name.is_none() => {
                self.builder.node(Op::Slice(of, low + range.start), width)
            }
            Op::Const(value) if node.name.is_none() => self.builder.constant(value.bits(range)),
            _ => self.builder.node(Op::Slice(self.id, range.start), width),
        }
    }

    /// Bits of a concatenation of `parts`.
    #[track_caller]
    fn bits_of_parts(self, parts: &[NodeId], range: Range<u32>) -> Self {
        let mut end = self.width;
        let parts = parts.iter().filter_map(|&id| {
            let width = self.builder.module.borrow().node(id).width;
            end -= width;
            let (first, last) = (range.start.max(end), range.end.min(end + width));
            (first < last).then(|| Self { id, width, ..self }.bits(first - end..last - end))
        });
        let parts: Vec<Self> = parts.collect();
        self.builder.concat(parts)
    }

    /// One bit; 0 is the least significant.
    #[track_caller]
    pub fn bit(self, index: u32) -> Self {
        self.bits(index..index + 1)
    }

    /// The signal with zeros above, in `width` bits.
    #[track_caller]
    pub fn zext(self, width: u32) -> Self {
        assert!(
            width >= self.width,
            "{} has {} bits and can't be zero-extended to {width}",
            self.describe(),
            self.width
        );
        if width == self.width {
            return self;
        }
        self.builder.concat([self.builder.lit(width - self.width, 0), self])
    }

    /// A constant in the module of the signal.
    #[track_caller]
    pub fn lit(self, width: u32, value: u64) -> Self {
        self.builder.lit(width, value)
    }

    /// The signal where `mask`, of one bit, is 1, else zero.
    #[track_caller]
    pub fn when(self, mask: Self) -> Self {
        mask.mux(self, self.builder.constant(Bits::zero(self.width)))
    }

    /// The signal where `mask`, of one bit, is 1, else zero: by an AND, for a [choice](Self::when) between a value and zero becomes a
    /// synchronous reset in some tools, whose net waits for the register's enable.
    #[track_caller]
    #[must_use]
    pub fn masked(self, mask: Self) -> Self {
        self & mask.repeat(self.width as usize)
    }

    /// `one` where the signal, of one bit, is 1, else `zero`, where some bits of either are constants: by gates. Some tools make a
    /// synchronous reset of such a [multiplexer](Self::mux), whose net waits for the register's enable.
    #[track_caller]
    #[must_use]
    pub fn pick(self, one: Self, zero: Self) -> Self {
        one.masked(self) | zero.masked(!self)
    }

    /// `times` copies side by side.
    #[track_caller]
    pub fn repeat(self, times: usize) -> Self {
        self.builder.concat(std::iter::repeat_n(self, times))
    }

    fn reduce(self, op: ReduceOp) -> Self {
        if self.width == 1 {
            return self;
        }
        self.builder.node(Op::Reduce(op, self.id), 1)
    }

    #[track_caller]
    fn compare(self, op: BinaryOp, other: Self) -> Self {
        self.builder.same_width(op.symbol(), self, other);
        self.builder.node(Op::Binary(op, self.id, other.id), 1)
    }

    #[track_caller]
    fn shift(self, op: BinaryOp, amount: Self) -> Self {
        self.builder.owns(amount);
        if amount.width > WIDEST_AMOUNT {
            let far = amount.bits(WIDEST_AMOUNT..amount.width).any();
            let zero = self.builder.constant(Bits::zero(self.width));
            return far.mux(zero, self.shift(op, amount.bits(0..WIDEST_AMOUNT)));
        }
        self.builder.node(Op::Binary(op, self.id, amount.id), self.width)
    }

    #[track_caller]
    fn bitwise(self, op: BinaryOp, other: Self) -> Self {
        self.builder.same_width(op.symbol(), self, other);
        self.builder.node(Op::Binary(op, self.id, other.id), self.width)
    }

    #[track_caller]
    pub(super) fn expect_one_bit(self, what: &str) {
        assert!(
            self.width == 1,
            "the {what} is one bit, {} has {} (module `{}`)",
            self.describe(),
            self.width,
            self.builder.module.borrow().name
        );
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:expr) => {
        impl $trait for Signal<'_> {
            type Output = Self;

            #[track_caller]
            fn $method(self, other: Self) -> Self {
                self.bitwise($op, other)
            }
        }
    };
}

operator!(BitAnd, bitand, BinaryOp::And);
operator!(BitOr, bitor, BinaryOp::Or);
operator!(BitXor, bitxor, BinaryOp::Xor);
operator!(Add, add, BinaryOp::Add);
operator!(Sub, sub, BinaryOp::Sub);

impl Not for Signal<'_> {
    type Output = Self;

    fn not(self) -> Self {
        self.builder.node(Op::Not(self.id), self.width)
    }
}

/// Shifted left by any amount, zeros in.
impl Shl for Signal<'_> {
    type Output = Self;

    fn shl(self, amount: Self) -> Self {
        self.shift(BinaryOp::Shl, amount)
    }
}

/// Shifted right by any amount, zeros in.
impl Shr for Signal<'_> {
    type Output = Self;

    fn shr(self, amount: Self) -> Self {
        self.shift(BinaryOp::Shr, amount)
    }
}
