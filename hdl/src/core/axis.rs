//! The layout of lanes on AXI4-Stream ports.

use std::fmt;
use std::str::FromStr;

/// The layout of the lanes of a core on its AXI4-Stream ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Axis {
    /// A lane has as many bits of TDATA as its unit or slot, and one bit of TKEEP.
    #[default]
    Lane,
    /// A lane has whole bytes of TDATA, and a bit of TKEEP for each; TUSER is a multiple of the bytes.
    Strict,
}

impl Axis {
    /// Every choice, in the order the command line lists them.
    pub const ALL: [Self; 2] = [Self::Lane, Self::Strict];
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lane => "lane",
            Self::Strict => "strict",
        })
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|axis| axis.to_string() == text);
        found.ok_or_else(|| "expected lane or strict".to_owned())
    }
}
