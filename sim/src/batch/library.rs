//! Gate libraries: the functions that each backend has an instruction for.

use super::gate::{BUFFER, Gate, Root, Source};

/// The kinds of gates in a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Library {
    /// Any function of up to three bits.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 has it"))]
    Lookup,
    /// AND, AND with one operand complemented, OR and XOR of two bits; a single bit and its complement.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX2 has it"))]
    Simple,
    /// The simple gates, and choices between two bits by a third.
    Choices,
}

impl Library {
    /// The most inputs of a gate.
    pub(super) fn most_inputs(self) -> usize {
        match self {
            Self::Lookup | Self::Choices => 3,
            Self::Simple => 2,
        }
    }

    /// Whether a function is a gate, if complements of its inputs and of itself are left aside.
    pub(super) fn holds(self, inputs: usize, table: u8) -> bool {
        match (self, inputs) {
            (Self::Lookup, _) | (_, 1 | 2) => true,
            (Self::Choices, _) => Choice::of(table).is_some(),
            (Self::Simple, _) => false,
        }
    }

    /// For which gates the complement is to be computed in place of the value; the gates that read it are changed to suit.
    pub(super) fn complemented(self, gates: &[Gate], roots: &[Root]) -> Vec<bool> {
        match self {
            Self::Lookup => as_most_roots(gates, roots),
            Self::Simple | Self::Choices => as_instructions(gates),
        }
    }
}

/// Complements the gates that most roots want complemented: any function is a gate, so nothing else matters.
fn as_most_roots(gates: &[Gate], roots: &[Root]) -> Vec<bool> {
    let mut wish = vec![0_i32; gates.len()];
    for root in roots {
        if let Some(Source::Gate(gate)) = root.source {
            wish[gate as usize] += if root.complement { 1 } else { -1 };
        }
    }
    wish.into_iter().map(|wish| wish > 0).collect()
}

/// Complements the gates that become simple by that. Whatever complements a function of two bits takes in, either it or its
/// complement is simple, so no gate of two inputs takes two instructions; and two kinds of choices are enough.
fn as_instructions(gates: &[Gate]) -> Vec<bool> {
    let mut complemented: Vec<bool> = Vec::with_capacity(gates.len());
    for gate in gates {
        let mut gate = gate.clone();
        gate.complement_inputs(|source| matches!(source, Source::Gate(gate) if complemented[gate as usize]));
        complemented.push(!is_simple(&gate));
    }
    complemented
}

fn is_simple(gate: &Gate) -> bool {
    match gate.inputs.len() {
        1 => [BUFFER, 0].contains(&gate.table),
        // The functions that are 0 where both inputs are.
        2 => gate.table & 1 == 0,
        _ => Choice::of(gate.table).is_some_and(|choice| !choice.complements[0]),
    }
}

/// A function of three bits in which one bit selects between the two others, or their complements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The select input, the input that is taken when it is 1, and the input that is taken when it is 0.
    pub(super) inputs: [usize; 3],
    /// Whether the complement is taken, of the latter two inputs.
    pub(super) complements: [bool; 2],
}

impl Choice {
    /// The choice that a function is, if any.
    pub(super) fn of(table: u8) -> Option<Self> {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let both = [false, true];
        let choices = ORDERS.into_iter().flat_map(|inputs| {
            both.into_iter().flat_map(move |one| {
                both.into_iter().map(move |zero| Self { inputs, complements: [one, zero] })
            })
        });
        choices.into_iter().find(|choice| choice.table() == table)
    }

    fn table(&self) -> u8 {
        let ([select, one, zero], complements) = (self.inputs, self.complements);
        let value = |i: u8| {
            let bit = |input: usize| i >> input & 1 == 1;
            if bit(select) { bit(one) != complements[0] } else { bit(zero) != complements[1] }
        };
        (0..8).map(|i| u8::from(value(i)) << i).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of two bits that depend on both, for inputs that are complemented or not.
    #[test]
    fn of_a_function_and_its_complement_one_is_simple() {
        let input = |index| Gate { inputs: vec![Source::Input(index)], table: BUFFER };
        let not = |index| Gate { inputs: vec![Source::Input(index)], table: 0b01 };
        for table in [0b0001, 0b0010, 0b0100, 0b0110, 0b0111, 0b1000, 0b1001, 0b1011, 0b1101, 0b1110] {
            for (a, b) in [(input(0), input(1)), (input(0), not(1)), (not(0), input(1)), (not(0), not(1))] {
                let gate = Gate { inputs: vec![Source::Gate(0), Source::Gate(1)], table };
                let gates = [a, b, gate];
                let complemented = Library::Simple.complemented(&gates, &[]);
                let mut last = gates[2].clone();
                last.complement_inputs(
                    |source| matches!(source, Source::Gate(at) if complemented[at as usize]),
                );
                if complemented[2] {
                    last.complement();
                }
                assert!([0b1000, 0b0010, 0b0100, 0b1110, 0b0110].contains(&last.table), "{table:04b}");
            }
        }
    }

    /// `s ? a : b`, with the inputs in any order and anything complemented.
    #[test]
    fn a_choice_is_simple_or_its_complement_is() {
        // Input 1 where input 0 is 0, else input 2.
        assert_eq!(Choice::of(0b1110_0100), Some(Choice { inputs: [0, 2, 1], complements: [false; 2] }));
        let tables: Vec<u8> = (0..=u8::MAX).filter(|&table| Choice::of(table).is_some()).collect();
        assert_eq!(tables.len(), 3 * 4 * 2);
        for table in tables {
            let gate = |table| Gate { inputs: [0, 1, 2].map(Source::Input).to_vec(), table };
            assert_ne!(is_simple(&gate(table)), is_simple(&gate(!table)), "{table:08b}");
        }
        // Exclusive or and majority of three.
        assert_eq!((Choice::of(0b1001_0110), Choice::of(0b1110_1000)), (None, None));
    }
}
