//! Operations on values of at most 64 bits. Everything that is known before the first cycle is looked up then: where
//! the words of the operands are, masks, and the tables of cases.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Arm, BinaryOp, NodeId, Op, ReduceOp};

use super::words::Span;

/// Index of a word in the values of a module.
type Word = u32;

/// Keys of at most this many bits get a table with an entry for each value.
const TABLE_BITS: u32 = 8;

/// The pattern that the key of a choice is compared with.
#[derive(Debug)]
pub(super) struct Label {
    /// 1 for each bit that is compared.
    care: u64,
    /// The required value of these bits.
    value: u64,
}

/// Computes the one word of a node.
#[derive(Debug)]
pub(super) enum Narrow {
    Copy(Word),
    Not(Word, u64),
    And(Word, Word),
    Or(Word, Word),
    Xor(Word, Word),
    Add(Word, Word, u64),
    Sub(Word, Word, u64),
    Eq(Word, Word),
    Ne(Word, Word),
    Lt(Word, Word),
    Le(Word, Word),
    Shl(Word, Word, u64),
    Shr(Word, Word),
    /// The word is equal to the second operand, which has a 1 in each bit of the width.
    AllOnes(Word, u64),
    AnyOne(Word),
    Parity(Word),
    /// Select, value where it is 1, value where it is 0.
    Mux(Word, Word, Word),
    /// From this bit up.
    Slice(Word, u32, u64),
    /// High bits, low bits, width of the low bits.
    Pair(Word, Word, u32),
    /// Parts with the number of bits below each.
    Concat(Box<[(Word, u32)]>),
    /// Key, and for each of its values the word to take.
    Table(Word, Box<[Word]>),
    /// Key, and its value for each of the key's.
    Lookup(Word, Arc<[u64]>),
    /// Key, labels with the words to take, default.
    Search(Word, Box<[(Label, Word)]>, Word),
}

impl Narrow {
    /// The operation of a node whose word is at `to`. Nothing if it or an operand has more than 64 bits, and for
    /// inputs, constants, registers and outputs of instances, which are set, not computed.
    pub fn new(op: &Op, to: Span, spans: &[Span]) -> Option<Self> {
        if to.width > 64 || op.operands().iter().any(|id| spans[id.index()].width > 64) {
            return None;
        }
        let ones = |width: u32| u64::MAX >> (64 - width);
        let at = |id: &NodeId| spans[id.index()].first;
        let mask = ones(to.width);
        Some(match op {
            Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => return None,
            Op::Wire(driver) => Self::Copy(at(&driver.expect("a finished module is driven"))),
            Op::Not(a) => Self::Not(at(a), mask),
            Op::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                match op {
                    BinaryOp::And => Self::And(a, b),
                    BinaryOp::Or => Self::Or(a, b),
                    BinaryOp::Xor => Self::Xor(a, b),
                    BinaryOp::Add => Self::Add(a, b, mask),
                    BinaryOp::Sub => Self::Sub(a, b, mask),
                    BinaryOp::Eq => Self::Eq(a, b),
                    BinaryOp::Ne => Self::Ne(a, b),
                    BinaryOp::Lt => Self::Lt(a, b),
                    BinaryOp::Le => Self::Le(a, b),
                    BinaryOp::Shl => Self::Shl(a, b, mask),
                    BinaryOp::Shr => Self::Shr(a, b),
                }
            }
            Op::Reduce(ReduceOp::And, a) => Self::AllOnes(at(a), ones(spans[a.index()].width)),
            Op::Reduce(ReduceOp::Or, a) => Self::AnyOne(at(a)),
            Op::Reduce(ReduceOp::Xor, a) => Self::Parity(at(a)),
            Op::Mux(select, one, zero) => Self::Mux(at(select), at(one), at(zero)),
            Op::Case(key, arms, default) => {
                Self::case(at(key), spans[key.index()].width, arms, |arm| at(&arm.value), at(default))
            }
            Op::Lookup(key, words) => Self::Lookup(at(key), Arc::clone(words)),
            Op::Slice(of, low) => Self::Slice(at(of), *low, mask),
            Op::Concat(parts) => match parts.as_slice() {
                [part] => Self::Copy(at(part)),
                [high, low] => Self::Pair(at(high), at(low), spans[low.index()].width),
                _ => {
                    let mut below = to.width;
                    let placed = parts.iter().map(|part| {
                        below -= spans[part.index()].width;
                        (at(part), below)
                    });
                    Self::Concat(placed.collect())
                }
            },
        })
    }

    /// The value of the first arm that has a label which the key matches.
    fn case(key: Word, key_width: u32, arms: &[Arm], value: impl Fn(&Arm) -> Word, default: Word) -> Self {
        if key_width > TABLE_BITS {
            let labels = arms.iter().flat_map(|arm| arm.labels.iter().map(move |label| (arm, label)));
            let labels = labels.map(|(arm, label)| {
                (Label { care: label.care().words()[0], value: label.value().words()[0] }, value(arm))
            });
            return Self::Search(key, labels.collect(), default);
        }
        let chosen = |key: u64| arms.iter().find(|arm| arm.matches(&[key])).map_or(default, &value);
        Self::Table(key, (0..1 << key_width).map(chosen).collect())
    }

    /// The word, given the words of all nodes.
    #[inline(always)]
    pub fn compute(&self, words: &[u64]) -> u64 {
        let at = |word: Word| words[word as usize];
        match *self {
            Self::Copy(a) => at(a),
            Self::Not(a, mask) => !at(a) & mask,
            Self::And(a, b) => at(a) & at(b),
            Self::Or(a, b) => at(a) | at(b),
            Self::Xor(a, b) => at(a) ^ at(b),
            Self::Add(a, b, mask) => at(a).wrapping_add(at(b)) & mask,
            Self::Sub(a, b, mask) => at(a).wrapping_sub(at(b)) & mask,
            Self::Eq(a, b) => u64::from(at(a) == at(b)),
            Self::Ne(a, b) => u64::from(at(a) != at(b)),
            Self::Lt(a, b) => u64::from(at(a) < at(b)),
            Self::Le(a, b) => u64::from(at(a) <= at(b)),
            Self::Shl(a, by, mask) => {
                if at(by) < 64 {
                    at(a) << at(by) & mask
                } else {
                    0
                }
            }
            Self::Shr(a, by) => {
                if at(by) < 64 {
                    at(a) >> at(by)
                } else {
                    0
                }
            }
            Self::AllOnes(a, ones) => u64::from(at(a) == ones),
            Self::AnyOne(a) => u64::from(at(a) != 0),
            Self::Parity(a) => u64::from(at(a).count_ones() & 1),
            Self::Mux(select, one, zero) => at(if at(select) == 1 { one } else { zero }),
            Self::Slice(of, low, mask) => at(of) >> low & mask,
            Self::Pair(high, low, width) => at(high) << width | at(low),
            Self::Concat(ref parts) => parts.iter().fold(0, |all, &(part, below)| all | at(part) << below),
            Self::Table(key, ref table) => at(table[at(key) as usize]),
            Self::Lookup(key, ref words) => words[at(key) as usize],
            Self::Search(key, ref labels, default) => {
                let key = at(key);
                at(labels
                    .iter()
                    .find(|(label, _)| key & label.care == label.value)
                    .map_or(default, |(_, value)| *value))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Bits, Pattern};

    use super::*;

    fn spans(widths: &[u32]) -> Vec<Span> {
        (0..).zip(widths).map(|(first, &width)| Span { first, width }).collect()
    }

    fn compute(op: &Op, width: u32, operands: &[(u32, u64)]) -> u64 {
        let widths: Vec<u32> = operands.iter().map(|(width, _)| *width).chain([width]).collect();
        let words: Vec<u64> = operands.iter().map(|(_, value)| *value).chain([0]).collect();
        let spans = spans(&widths);
        Narrow::new(op, spans[operands.len()], &spans).expect("64 bits at most").compute(&words)
    }

    #[test]
    fn results_end_at_the_width() {
        let binary = |op| Op::Binary(op, NodeId(0), NodeId(1));
        assert_eq!(compute(&binary(BinaryOp::Add), 4, &[(4, 9), (4, 8)]), 1);
        assert_eq!(compute(&binary(BinaryOp::Sub), 4, &[(4, 1), (4, 2)]), 0xf);
        assert_eq!(compute(&binary(BinaryOp::Shl), 4, &[(4, 9), (7, 1)]), 2);
        assert_eq!(compute(&binary(BinaryOp::Shl), 64, &[(64, 1), (7, 64)]), 0);
        assert_eq!(compute(&binary(BinaryOp::Shr), 64, &[(64, u64::MAX), (7, 63)]), 1);
        assert_eq!(compute(&Op::Not(NodeId(0)), 3, &[(3, 5)]), 2);
    }

    #[test]
    fn parts_stand_side_by_side_first_part_on_top() {
        let [one, two, three] = [1, 2, 3].map(|count| Op::Concat((0..count).map(NodeId).collect()));
        assert_eq!(compute(&one, 64, &[(64, u64::MAX)]), u64::MAX);
        assert_eq!(compute(&two, 64, &[(1, 1), (63, 5)]), 1 << 63 | 5);
        assert_eq!(compute(&three, 9, &[(4, 0xa), (3, 5), (2, 2)]), 0b1_0101_0110);
    }

    #[test]
    fn a_case_is_the_same_with_a_table_and_with_a_search() {
        for width in [TABLE_BITS, TABLE_BITS + 1] {
            let exact = |value| Pattern::exact(Bits::new(width, value));
            // Bits 6 and 5 are compared, and have to be 1 and 0.
            let open = Pattern::new(&format!("{}10xxxxx", "x".repeat(width as usize - 7)));
            let arm = |labels, value| Arm { labels, value: NodeId(value), note: None };
            let arms = vec![arm(vec![exact(3), exact(7)], 1), arm(vec![exact(0), open], 2)];
            let case = Op::Case(NodeId(0), arms, NodeId(3));
            let taken = |key| compute(&case, 8, &[(width, key), (8, 10), (8, 20), (8, 30)]);
            assert_eq!([0, 3, 7, 8, 0x40, 0x5f, 0x60].map(taken), [20, 10, 10, 30, 20, 20, 30]);
        }
    }

    #[test]
    fn what_reads_more_than_a_word_is_not_narrow() {
        let spans = spans(&[65, 1]);
        assert!(Narrow::new(&Op::Reduce(ReduceOp::Or, NodeId(0)), spans[1], &spans).is_none());
    }
}
