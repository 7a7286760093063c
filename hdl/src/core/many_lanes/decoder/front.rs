//! What each system's decoder is up to the slots that its units end: the part that differs between systems.

use super::pipeline::Pipeline;
use super::places::Places;
use super::plan::Front as Stages;
use super::slot::Layout;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::Builder;

/// A system's decoder up to the slots that its units end.
pub(super) trait Front {
    /// The stages it has, and the places in which its slots stand.
    fn stages(&self) -> Stages;

    /// Cycles from a beat that comes in to the one that the stages take.
    fn stages_before(&self) -> u32 {
        0
    }

    /// How its slots are laid out.
    fn layout(&self) -> &Layout;

    /// How many places there can be before `place` that end no slot.
    fn most_gaps(&self, place: usize) -> usize;

    /// The stages themselves.
    fn decode<'m>(&'m self, m: &'m Builder, input: &UnitsIn<'m>, pipeline: &Pipeline<'m>) -> Places<'m>;
}
