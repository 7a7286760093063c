//! What a machine has instructions for.

use super::network::{BUFFER, Gate, Root, Source};

/// The gates that a network is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Library {
    /// Any function of up to three bits.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 has it"))]
    Lookup,
    /// Of two bits: AND, AND with one of them complemented, OR and XOR. Of one: itself and its complement.
    Simple,
}

impl Library {
    /// The most inputs of a gate.
    pub(super) fn most_inputs(self) -> usize {
        match self {
            Self::Lookup => 3,
            Self::Simple => 2,
        }
    }

    /// Of which gates the complement is to be computed, where gates take complements of their inputs in.
    pub(super) fn complemented(self, gates: &[Gate], roots: &[Root]) -> Vec<bool> {
        match self {
            Self::Lookup => as_most_roots(gates, roots),
            Self::Simple => as_instructions(gates),
        }
    }
}

/// As most of the places that the value goes to have it, since any function is a gate.
fn as_most_roots(gates: &[Gate], roots: &[Root]) -> Vec<bool> {
    let mut wish = vec![0_i32; gates.len()];
    for root in roots {
        if let Some(Source::Gate(gate)) = root.source {
            wish[gate as usize] += if root.complement { 1 } else { -1 };
        }
    }
    wish.into_iter().map(|wish| wish > 0).collect()
}

/// As there is an instruction for it. Of every function of two bits and its complement one is simple, whatever is
/// complemented on its way in: so no gate of two inputs takes two instructions.
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
        // Those that are 0 where both are.
        _ => gate.table & 1 == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of two bits that depend on both, of values that are complemented or not.
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
}
