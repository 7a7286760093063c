//! The pipeline of a decoder, without its output.

use super::slots::SlotRegister;

/// A decoder up to the last register of its slots.
pub(in crate::core::one_lane) struct DecodePipeline<'m> {
    pub(in crate::core::one_lane) slot: SlotRegister<'m>,
    /// Cycles from a beat to the slots that it makes certain.
    pub(in crate::core::one_lane) latency: u32,
}
