//! Runs of equalities: `x == 4 || x == 5 || x == 6` is a range.

use crate::netlist::{Bits, NodeId};

/// Equalities that make a range worth it.
const FEWEST: usize = 3;

/// The text for some operands of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// An operand as it is, by index.
    Operand(usize),
    /// A range of values, first and last, for equalities with all of them.
    Range { subject: NodeId, first: Bits, last: Bits },
}

/// Replaces comparisons of a signal with constants by ranges, for runs of three values or more, or of two values from
/// zero on. A range takes the place of the first of its operands.
pub(super) fn runs(equalities: &[Option<(NodeId, Bits)>]) -> Vec<Run> {
    let mut written: Vec<Option<Run>> =
        (0..equalities.len()).map(|index| Some(Run::Operand(index))).collect();
    let mut subjects: Vec<NodeId> = equalities.iter().flatten().map(|(subject, _)| *subject).collect();
    subjects.sort_unstable();
    subjects.dedup();
    for subject in subjects {
        let of_subject = equalities.iter().enumerate().filter_map(|(index, equality)| match equality {
            Some((id, value)) if *id == subject => Some((value.to_u64()?, index, value)),
            _ => None,
        });
        let mut values: Vec<(u64, usize, &Bits)> = of_subject.collect();
        values.sort_by_key(|(value, index, _)| (*value, *index));
        for run in values.chunk_by(|(a, ..), (b, ..)| a.checked_add(1) == Some(*b)) {
            let ((first, _, first_bits), (_, _, last_bits)) = (run[0], run[run.len() - 1]);
            if run.len() < FEWEST && !(run.len() == 2 && first == 0) {
                continue;
            }
            let place = run.iter().map(|(_, index, _)| *index).min().expect("a run has operands");
            run.iter().for_each(|(_, index, _)| written[*index] = None);
            written[place] = Some(Run::Range { subject, first: first_bits.clone(), last: last_bits.clone() });
        }
    }
    written.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equality(subject: u32, value: u64) -> Option<(NodeId, Bits)> {
        Some((NodeId(subject), Bits::new(4, value)))
    }

    fn range(subject: u32, first: u64, last: u64) -> Run {
        Run::Range { subject: NodeId(subject), first: Bits::new(4, first), last: Bits::new(4, last) }
    }

    #[test]
    fn runs_of_three_are_ranges_where_the_first_of_them_stood() {
        let operands = [None, equality(1, 6), equality(1, 4), equality(2, 5), equality(1, 5), equality(1, 9)];
        let expected = [Run::Operand(0), range(1, 4, 6), Run::Operand(3), Run::Operand(5)];
        assert_eq!(runs(&operands), expected);
    }

    #[test]
    fn two_are_a_range_from_zero_only() {
        assert_eq!(runs(&[equality(1, 1), equality(1, 0)]), [range(1, 0, 1)]);
        assert_eq!(runs(&[equality(1, 1), equality(1, 2)]), [Run::Operand(0), Run::Operand(1)]);
    }

    #[test]
    fn a_value_that_occurs_twice_breaks_no_range() {
        let operands = [equality(1, 3), equality(1, 4), equality(1, 4), equality(1, 5)];
        assert_eq!(runs(&operands).len(), 4);
    }
}
