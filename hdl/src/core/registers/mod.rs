//! Registers of totals, which software reads over AXI4-Lite: a layer around a core with a status.
//!
//! ```text
//!            ┌─ layer ──────────────────────────────────────────┐
//!  beats ────│────> core with a status ─────────────────────────│──> beats
//!            │                  └───────┬───────────────────────│──> status
//!            │                          v                       │
//!            │                  totals of frames                │
//!            │                          ^                       │
//!            │                          v                       │
//!            │                  one word of 32 bits a read <────│──> s_axil
//!            └──────────────────────────────────────────────────┘
//! ```
//!
//! A frame is counted when its status is taken. The beats go through as they are: the layer has no register in their way.

mod block;
pub(super) mod bus;
mod layer;
mod map;

use std::fmt;
use std::str::FromStr;

pub(super) use layer::{INNER, around};
pub(super) use map::WORD;
pub use map::{ADDRESS_BITS, Access, Register, registers};

/// Words of a core that software reads and writes: registers of totals, or those of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Registers {
    /// None.
    #[default]
    None,
    /// They are read and written over AXI4-Lite.
    AxiLite,
}

impl Registers {
    /// Every choice, in the order the command line lists them.
    pub const ALL: [Self; 2] = [Self::None, Self::AxiLite];

    /// Whether there are any.
    pub fn is_there(self) -> bool {
        self != Self::None
    }
}

impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::AxiLite => "axi-lite",
        })
    }
}

impl FromStr for Registers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| "expected none or axi-lite".to_owned())
    }
}
