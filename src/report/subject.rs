//! The module that the harness is put around.

use super::block::Block;
use super::ceiling::ceiling;

/// The module that is measured in the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Core,
    /// The [pipeline](super::ceiling) with the ports of the core.
    Ceiling,
}

impl Subject {
    pub(super) fn verilog(self, core: &Block) -> String {
        match self {
            Self::Core => core.verilog(),
            Self::Ceiling => ceiling(core),
        }
    }
}
