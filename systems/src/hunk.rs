//! The width of a hunk.

/// The width of a hunk: 1 to 18 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HunkWidth(pub(crate) u32);

impl HunkWidth {
    /// The most bits.
    pub const MOST: u32 = 18;
    /// The most bits in the document's examples, which have a sequence for each number of units up to that of bits.
    const MOST_OF_EXAMPLES: u32 = 9;

    /// A width of 1 to 18 bits; `None` for others.
    pub const fn new(bits: u32) -> Option<HunkWidth> {
        if bits >= 1 && bits <= Self::MOST { Some(HunkWidth(bits)) } else { None }
    }

    /// Whether the width is beyond the document's examples.
    pub const fn is_wide(self) -> bool {
        self.0 > Self::MOST_OF_EXAMPLES
    }

    /// The width in bits.
    pub const fn bits(self) -> u32 {
        self.0
    }
}
