//! Passengers: signals of the user's that go with each frame.

/// The widths of the signals of the user's that go with each frame, in bits; 0 for a signal that the core lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Passengers {
    /// TID.
    pub tid: u32,
    /// TDEST.
    pub tdest: u32,
    /// The user's bits of TUSER, above those of the core.
    pub tuser: u32,
}

/// The most bits of TID, and of TDEST. AXI4-Stream recommends at most 8 and 4.
pub const MOST_TID_BITS: u32 = 32;
/// The most bits of the user's in TUSER.
pub const MOST_TUSER_BITS: u32 = 64;

impl Passengers {
    /// Whether the core has none of them.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The options, with the bits and the most bits of each.
    pub(in crate::core) fn with_limits(&self) -> [(&'static str, u32, u32); 3] {
        [
            ("tid", self.tid, MOST_TID_BITS),
            ("tdest", self.tdest, MOST_TID_BITS),
            ("tuser", self.tuser, MOST_TUSER_BITS),
        ]
    }

    /// The options that are given, with their bits.
    pub(in crate::core) fn present(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.with_limits().into_iter().map(|(option, bits, _)| (option, bits)).filter(|&(_, bits)| bits > 0)
    }
}
