//! Instructions on signals of more than 64 bits, which go through them word by word.

use utfhdl_hdl::netlist::{BinaryOp, Pattern, ReduceOp};

use super::span::Span;
use crate::flat::FlatOp;

/// Computes one signal that has more than 64 bits, or of which an operand has.
#[derive(Debug)]
pub(super) struct WideInstruction {
    to: Span,
    op: WideOp,
}

#[derive(Debug)]
enum WideOp {
    Not(Span),
    Binary(BinaryOp, Span, Span),
    Reduce(ReduceOp, Span),
    Mux(u32, Span, Span),
    Case(Span, Vec<(Pattern, Span)>, Span),
    Slice(Span, u32),
    /// Parts with their lowest bit in the result.
    Concat(Vec<(Span, u32)>),
}

impl WideInstruction {
    pub(super) fn new(op: &FlatOp, to: Span, spans: &[Span]) -> Self {
        let at = |index: &usize| spans[*index];
        let op = match op {
            FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_) => unreachable!("nothing to compute"),
            FlatOp::Lookup(..) => unreachable!("keys and words of a look-up are narrow"),
            FlatOp::Not(a) => WideOp::Not(at(a)),
            FlatOp::Binary(op, a, b) => WideOp::Binary(*op, at(a), at(b)),
            FlatOp::Reduce(op, a) => WideOp::Reduce(*op, at(a)),
            FlatOp::Mux(select, one, zero) => WideOp::Mux(at(select).first, at(one), at(zero)),
            FlatOp::Case(key, arms, default) => {
                let arms = arms
                    .iter()
                    .flat_map(|(labels, value)| labels.iter().map(|label| (label.clone(), at(value))));
                WideOp::Case(at(key), arms.collect(), at(default))
            }
            FlatOp::Slice(of, low) => WideOp::Slice(at(of), *low),
            FlatOp::Concat(parts) => {
                let mut low = to.width;
                let parts = parts.iter().map(|part| {
                    low -= at(part).width;
                    (at(part), low)
                });
                WideOp::Concat(parts.collect())
            }
        };
        Self { to, op }
    }

    pub(super) fn run(&self, values: &mut [u64]) {
        let to = self.to.first as usize;
        match &self.op {
            WideOp::Not(a) => {
                for word in 0..self.to.words() {
                    values[to + word] = !values[a.first as usize + word];
                }
            }
            WideOp::Binary(op, a, b) => self.binary(*op, *a, *b, values),
            WideOp::Reduce(op, a) => {
                let operand = &values[a.range()];
                let ones: u32 = operand.iter().map(|word| word.count_ones()).sum();
                values[to] = u64::from(match op {
                    ReduceOp::And => ones == a.width,
                    ReduceOp::Or => ones > 0,
                    ReduceOp::Xor => ones % 2 == 1,
                });
            }
            WideOp::Mux(select, one, zero) => {
                let from = if values[*select as usize] == 1 { one } else { zero };
                values.copy_within(from.range(), to);
            }
            WideOp::Case(key, arms, default) => {
                let arm = arms.iter().find(|(label, _)| label.matches(&values[key.range()]));
                let from = arm.map_or(default, |(_, value)| value);
                values.copy_within(from.range(), to);
            }
            WideOp::Slice(of, low) => {
                for word in 0..self.to.words() {
                    values[to + word] = word_at(&values[of.range()], *low as usize + 64 * word);
                }
            }
            WideOp::Concat(parts) => {
                values[self.to.range()].fill(0);
                for (part, low) in parts {
                    for word in 0..part.words() {
                        let value = values[part.first as usize + word];
                        let at = *low as usize + 64 * word;
                        values[to + at / 64] |= value << (at % 64);
                        if !at.is_multiple_of(64) && at / 64 + 1 < self.to.words() {
                            values[to + at / 64 + 1] |= value >> (64 - at % 64);
                        }
                    }
                }
            }
        }
        self.trim(values);
    }

    fn binary(&self, op: BinaryOp, a: Span, b: Span, values: &mut [u64]) {
        let (to, a_at, b_at) = (self.to.first as usize, a.first as usize, b.first as usize);
        let words = a.words();
        match op {
            BinaryOp::And => (0..words).for_each(|w| values[to + w] = values[a_at + w] & values[b_at + w]),
            BinaryOp::Or => (0..words).for_each(|w| values[to + w] = values[a_at + w] | values[b_at + w]),
            BinaryOp::Xor => (0..words).for_each(|w| values[to + w] = values[a_at + w] ^ values[b_at + w]),
            BinaryOp::Add => {
                let mut carry = false;
                for word in 0..words {
                    let (sum, over) = values[a_at + word].overflowing_add(values[b_at + word]);
                    let (sum, more) = sum.overflowing_add(u64::from(carry));
                    (values[to + word], carry) = (sum, over | more);
                }
            }
            BinaryOp::Sub => {
                let mut borrow = false;
                for word in 0..words {
                    let (difference, under) = values[a_at + word].overflowing_sub(values[b_at + word]);
                    let (difference, more) = difference.overflowing_sub(u64::from(borrow));
                    (values[to + word], borrow) = (difference, under | more);
                }
            }
            BinaryOp::Eq => values[to] = u64::from(values[a.range()] == values[b.range()]),
            BinaryOp::Ne => values[to] = u64::from(values[a.range()] != values[b.range()]),
            BinaryOp::Lt => {
                values[to] = u64::from(values[a.range()].iter().rev().lt(values[b.range()].iter().rev()))
            }
            BinaryOp::Le => {
                values[to] = u64::from(values[a.range()].iter().rev().le(values[b.range()].iter().rev()))
            }
            BinaryOp::Shl => {
                let amount = amount(&values[b.range()]);
                for word in 0..words {
                    let from = (64 * word) as i64 - amount;
                    values[to + word] = word_at_signed(&values[a.range()], from);
                }
            }
            BinaryOp::Shr => {
                let amount = amount(&values[b.range()]);
                for word in 0..words {
                    let from = (64 * word) as i64 + amount;
                    values[to + word] = word_at_signed(&values[a.range()], from);
                }
            }
        }
    }

    /// Clears the bits past the width.
    fn trim(&self, values: &mut [u64]) {
        if !self.to.width.is_multiple_of(64) {
            values[self.to.range().end - 1] &= (1 << (self.to.width % 64)) - 1;
        }
    }
}

/// The amount of a shift. All amounts beyond the width of any signal are the same.
fn amount(words: &[u64]) -> i64 {
    let far = words[1..].iter().any(|&word| word != 0) || words[0] > i64::from(u32::MAX) as u64;
    if far { i64::from(u32::MAX) } else { words[0] as i64 }
}

/// The 64 bits from bit `low` on; zeros past the end.
fn word_at(words: &[u64], low: usize) -> u64 {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    match low % 64 {
        0 => word(low / 64),
        shift => word(low / 64) >> shift | word(low / 64 + 1) << (64 - shift),
    }
}

/// Like [`word_at`], with zeros below bit 0 too.
fn word_at_signed(words: &[u64], low: i64) -> u64 {
    match low {
        0.. => word_at(words, low as usize),
        -63..0 => words[0] << -low,
        _ => 0,
    }
}
