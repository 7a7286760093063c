//! Fields of bits, as tables and manifests list them.

/// A field of a lane's marks, or of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// The name, in small letters.
    pub name: &'static str,
    /// The lowest bit.
    pub low: u32,
    /// The number of bits.
    pub bits: u32,
    /// The meaning of the field.
    pub meaning: &'static str,
}

impl BitField {
    /// The bits, in words: `bit 1`, or `bits 4 to 7`.
    pub fn place(&self) -> String {
        match self.bits {
            1 => format!("bit {}", self.low),
            bits => format!("bits {} to {}", self.low, self.low + bits - 1),
        }
    }
}
