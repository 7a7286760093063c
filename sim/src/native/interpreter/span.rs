//! The positions of signals in the array of words.

use crate::flat::Flat;
use crate::native::mode::TooLarge;

/// The words of a signal in the array of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Index of the first word.
    pub(super) first: u32,
    /// Width of the signal in bits.
    pub(super) width: u32,
}

impl Span {
    pub(super) fn words(self) -> usize {
        self.width.div_ceil(64) as usize
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.words()
    }
}

/// The words of each signal, and the array with all of them, which has at most `limit`.
pub(super) fn allocate(flat: &Flat, limit: usize) -> Result<(Vec<Span>, Vec<u64>), TooLarge> {
    let mut first = 0_usize;
    let mut spans = Vec::with_capacity(flat.signals.len());
    for signal in &flat.signals {
        let span = Span { first: first as u32, width: signal.width };
        first += span.words();
        spans.push(span);
        if first > limit {
            return Err(TooLarge { limit });
        }
    }
    let mut values = Vec::new();
    values.try_reserve_exact(first).map_err(|_| TooLarge { limit: first - 1 })?;
    values.resize(first, 0);
    Ok((spans, values))
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

    use super::*;
    use crate::EngineError;

    #[test]
    fn a_design_beyond_all_room_is_refused_with_the_limit() {
        let m = Builder::new("inverter", "Three words in, three out.");
        m.output("y", !m.input("a", 129, ""), "");
        let flat = Flat::new(&Design {
            top: m.finish().expect("the module is correct"),
            reset: ResetStyle::SyncHigh,
        });
        assert_eq!(allocate(&flat, 6).expect("six words fit into the limit").1.len(), 6);
        let refused: EngineError = allocate(&flat, 5).expect_err("a word too few").into();
        assert_eq!(
            refused.to_string(),
            "the design is too large for the native engine: it has room for 5 words of 64 bits in all signals together"
        );
    }
}
