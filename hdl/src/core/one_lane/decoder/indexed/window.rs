//! The units in the stages of the decoder, and the words that tables have for them.

use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::index_tables::PairTable;
use crate::core::shared::pace::Pace;
use crate::netlist::{Builder, Signal, Stage};

/// The units in the stages. Registers of units keep the last one through beats without a unit.
#[derive(Clone, Copy)]
pub(super) struct Window<'m> {
    /// The unit of the beat.
    pub(super) unit: Signal<'m>,
    /// The unit in stage 1, and the one before it.
    pub(super) unit_1: Signal<'m>,
    pub(super) unit_2: Signal<'m>,
    /// The unit in stage 2, and the two before it.
    pub(super) moved_unit: Signal<'m>,
    pub(super) before: [Signal<'m>; 2],
    /// Registers that load when a unit moves into stage 1, and into stage 2.
    pub(super) taken: Stage<'m>,
    pub(super) moved: Stage<'m>,
    /// There is a unit in stage 2.
    pub(super) unit_valid: Signal<'m>,
    /// The frame ends with the beat in stage 2.
    pub(super) frame_ends: Signal<'m>,
}

impl<'m> Window<'m> {
    pub(super) fn new(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Self {
        m.stage_section(1, "the unit");
        let units = pace.units();
        let valid_1 = units.flag("unit_1_valid_reg", beat.unit_valid);
        let ends_1 = units.flag("ends_1_reg", beat.frame_ends);
        let taken = m.stage((pace.take & beat.unit_valid).named("taken"));
        let unit_1 = taken.data("unit_1_reg", beat.unit);
        let unit_2 = taken.data("unit_2_reg", unit_1).note("the unit before it");
        m.stage_section(2, "the unit, and those before it");
        let unit_valid = units.at(2).flag("unit_valid_reg", valid_1);
        let frame_ends = units.at(2).flag("frame_ends_reg", ends_1);
        let moved = m.stage((pace.take & valid_1).named("moved"));
        let moved_unit = moved.data("unit_reg", unit_1);
        let one = moved.data("unit_before_reg", moved_unit);
        let two = moved.data("unit_before_that_reg", one);
        Self {
            unit: beat.unit,
            unit_1,
            unit_2,
            moved_unit,
            before: [one, two],
            taken,
            moved,
            unit_valid,
            frame_ends,
        }
    }

    /// The word of a table for the unit in stage 2 and the one before it.
    pub(super) fn word(&self, m: &'m Builder, table: &PairTable, name: &str) -> Signal<'m> {
        let found = table.word(m, self.unit_1, self.unit).named(&format!("{name}_found"));
        let read = self.taken.data(&format!("{name}_read_reg"), found);
        self.moved.data(&format!("{name}_reg"), read)
    }
}
