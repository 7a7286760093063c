//! The pipeline of a decoder, without its output.

use super::slots::SlotRegister;

/// A decoder up to the last register of its slots.
pub(super) struct DecodePipeline<'m> {
    pub(super) slot: SlotRegister<'m>,
    /// Cycles from a beat to the slots that it makes certain.
    pub(super) latency: u32,
}
