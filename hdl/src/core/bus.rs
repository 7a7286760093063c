//! The slots of the UCS stream: those of any system, or the shorter ones of systems that end within Unicode.

use std::fmt;
use std::str::FromStr;

use super::ranges::code_points;
use super::{System, is_long};

/// The slots on the decoded side of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bus {
    /// 32 bits of `tdata`, and heads and limbs for longer code points: any decoder fits any encoder.
    #[default]
    Long,
    /// 24 bits of `tdata`. Every `tuser` other than 0 is an error: there are no heads and limbs, and an encoder has no logic for
    /// them.
    Short,
}

impl Bus {
    /// Every choice, in the order the command line lists them.
    pub const ALL: [Self; 2] = [Self::Long, Self::Short];

    /// Bits of a slot's `tdata`.
    pub fn data_bits(self) -> u32 {
        match self {
            Self::Long => 32,
            Self::Short => 24,
        }
    }

    /// Whether the slots have room for every code point of `system`.
    pub(super) fn fits(self, system: System) -> bool {
        self == Self::Long || !is_long(system) && code_points(system).0 >> self.data_bits() == 0
    }
}

impl fmt::Display for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Long => "long",
            Self::Short => "short",
        })
    }
}

impl FromStr for Bus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|bus| bus.to_string() == text);
        found.ok_or_else(|| "expected long or short".to_owned())
    }
}
