//! Look-ups: a word of a constant table for each value of a key.
//!
//! A table is too large for a [case](super::Signal::case) with a node for each value. Engines read it as a table, and the Verilog has a `case`
//! of its own for it. With a register after it, synthesis makes block RAM of it.

use std::sync::Arc;

use super::Signal;
use super::module::Op;

/// The most bits of a key.
const MOST_KEY_BITS: u32 = 20;

impl Signal<'_> {
    /// The word of `width` bits that `words` have at the index that this signal is; 0 past the last of them.
    ///
    /// # Panics
    /// If the words are more than the signal has values or wider than `width`, or the signal has more than 20 bits.
    #[track_caller]
    pub fn lookup(self, words: &[u64], width: u32) -> Self {
        let bits = self.width();
        assert!(bits <= MOST_KEY_BITS, "a look-up by {} of {bits} bits: it can have 20", self.describe());
        assert!(
            words.len() <= 1 << bits,
            "a look-up by {} of {bits} bits in {} words",
            self.describe(),
            words.len()
        );
        assert!(
            words.iter().all(|&word| word >> (width - 1) <= 1),
            "a look-up by {}: a word does not fit in {width} bits",
            self.describe()
        );
        // A case of a constant would have nothing to wait for, which tools warn of.
        let constant = match &self.builder.module.borrow().node(self.id).op {
            Op::Const(value) => Some(value.words()[0]),
            _ => None,
        };
        if let Some(index) = constant {
            return self.builder.lit(width, words.get(index as usize).copied().unwrap_or_default());
        }
        let mut all = words.to_vec();
        all.resize(1 << bits, 0);
        self.builder.node(Op::Lookup(self.id, Arc::from(all)), width)
    }
}
