//! The registers of the interpreter. Their next values are computed when a cycle has settled and loaded when the next
//! cycle begins, so that between the two [`Probe`](crate::Probe) sees the cycle as it settled.

use super::span::Span;
use crate::flat::FlatRegister;

/// All registers of a design.
pub(super) struct Registers {
    /// The words of all registers, register after register.
    words: Vec<Word>,
    /// The value that each word loads at the edge that ends the last cycle.
    pending: Vec<u64>,
    /// The words with a reset value: index in `words`, and the value.
    resets: Vec<(usize, u64)>,
}

/// One word of a register, by indices in the array of values.
#[derive(Clone, Copy)]
struct Word {
    value: u32,
    next: u32,
    /// A signal that is 1 if the register loads; without one it always does.
    enable: Option<u32>,
}

impl Registers {
    pub(super) fn new(registers: &[FlatRegister], spans: &[Span]) -> Self {
        let (mut words, mut resets) = (Vec::new(), Vec::new());
        for register in registers {
            let (value, next) = (spans[register.value], spans[register.next]);
            let enable = register.enable.map(|enable| spans[enable].first);
            for offset in 0..value.words() {
                if let Some(reset) = &register.reset {
                    resets.push((words.len(), reset.words()[offset]));
                }
                let offset = offset as u32;
                words.push(Word { value: value.first + offset, next: next.first + offset, enable });
            }
        }
        let pending = vec![0; words.len()];
        Self { words, pending, resets }
    }

    /// Sets all registers to random values, before the first cycle. `ones` has the bits that each word can have.
    pub(super) fn randomize(&mut self, ones: impl Iterator<Item = u64>, seed: u64) {
        let mut counter = seed;
        for (pending, ones) in self.pending.iter_mut().zip(ones) {
            // SplitMix64, by Sebastiano Vigna.
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (counter ^ counter >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            *pending = (mixed ^ mixed >> 31) & ones;
        }
    }

    /// Sets the values that the next edge loads, word by word.
    #[cfg(compiles)]
    pub(super) fn set(&mut self, state: &[u64]) {
        self.pending.copy_from_slice(state);
    }

    /// The values that the next edge loads, word by word.
    #[cfg(compiles)]
    pub(super) fn pending(&self) -> &[u64] {
        &self.pending
    }

    /// The rising edge.
    pub(super) fn load(&self, values: &mut [u64]) {
        for (word, pending) in self.words.iter().zip(&self.pending) {
            values[word.value as usize] = *pending;
        }
    }

    /// Computes from the settled values what each register will load.
    pub(super) fn compute(&mut self, values: &[u64], in_reset: bool) {
        for (word, pending) in self.words.iter().zip(&mut self.pending) {
            let loads = word.enable.is_none_or(|enable| values[enable as usize] == 1);
            *pending = values[if loads { word.next } else { word.value } as usize];
        }
        if in_reset {
            self.resets.iter().for_each(|(word, value)| self.pending[*word] = *value);
        }
    }

    /// An asynchronous reset.
    pub(super) fn reset_at_once(&self, values: &mut [u64]) {
        self.resets.iter().for_each(|(word, value)| values[self.words[*word].value as usize] = *value);
    }
}
