//! The units in the stages of the decoder, and the words that tables have for them.

use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::index_tables::PairTable;
use crate::core::shared::memory_look_up::Found;
use crate::core::shared::pace::Pace;
use crate::netlist::{Builder, Signal, Stage};

/// The units in the stages. Registers of units keep the last one through beats without a unit; where streams are interleaved, the last
/// units of each stream are a state of it, which a stage before the tables reads.
#[derive(Clone, Copy)]
pub(super) struct Window<'m> {
    /// The number of stages before those of the window.
    pub(super) first: u32,
    /// The unit that tables are read for: that of the beat, or in stage 1 of interleaved streams.
    pub(super) unit: Signal<'m>,
    /// The two units before it, the nearest first.
    pub(super) unit_1: Signal<'m>,
    pub(super) unit_2: Signal<'m>,
    /// The unit in the [last stage](Self::stages), and the two before it.
    pub(super) moved_unit: Signal<'m>,
    pub(super) before: [Signal<'m>; 2],
    /// The unit in the last stage but one.
    pub(super) middle: Signal<'m>,
    /// Registers that load when a unit moves into the stage after the tables, into the next one, and into the last one.
    pub(super) taken: Stage<'m>,
    pub(super) moved: Stage<'m>,
    pub(super) chosen: Stage<'m>,
    /// There is a unit in the last stage.
    pub(super) unit_valid: Signal<'m>,
    /// The frame ends with the beat in the last stage.
    pub(super) frame_ends: Signal<'m>,
    /// Beats of several streams come in any order.
    pub(super) is_interleaved: bool,
}

impl<'m> Window<'m> {
    /// The units of beats of stage `first`.
    pub(super) fn new(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>, first: u32) -> Self {
        m.stage_section(first + 1, "the unit");
        let units = pace.units().at(first + 1);
        let valid_1 = units.flag("unit_1_valid_reg", beat.unit_valid);
        let ends_1 = units.flag("ends_1_reg", beat.frame_ends);
        let taken = m.stage((pace.take & beat.unit_valid).named("taken"));
        let unit_1 = taken.data("unit_1_reg", beat.unit);
        let unit_2 = taken.data("unit_before_1_reg", unit_1).note("the unit before it");
        m.stage_section(first + 2, "the unit, while the words are read");
        let valid_2 = units.at(first + 2).flag("unit_2_valid_reg", valid_1);
        let ends_2 = units.at(first + 2).flag("ends_2_reg", ends_1);
        let moved = m.stage((pace.take & valid_1).named("moved"));
        let middle = moved.data("unit_middle_reg", unit_1);
        m.stage_section(first + 3, "the unit, and those before it");
        let unit_valid = units.at(first + 3).flag("unit_valid_reg", valid_2);
        let frame_ends = units.at(first + 3).flag("frame_ends_reg", ends_2);
        let chosen = m.stage((pace.take & valid_2).named("chosen"));
        let moved_unit = chosen.data("unit_reg", middle);
        let one = chosen.data("unit_before_reg", moved_unit);
        let two = chosen.data("unit_before_that_reg", one);
        Self {
            first,
            unit: beat.unit,
            unit_1,
            unit_2,
            moved_unit,
            before: [one, two],
            middle,
            taken,
            moved,
            chosen,
            unit_valid,
            frame_ends,
            is_interleaved: false,
        }
    }

    /// The units of interleaved streams.
    pub(super) fn interleaved(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Self {
        let units = pace.units();
        m.stage_section(1, "the unit, and the last two of its stream");
        let valid_1 = units.flag("unit_1_valid_reg", beat.unit_valid);
        let ends_1 = units.flag("ends_1_reg", beat.frame_ends);
        let unit_1 = units.data("unit_1_reg", beat.unit);
        let loads = (pace.take & valid_1).named("last_units_load");
        let state = |name: &str, note: &str, next: Signal<'m>| {
            let register = m.reg(name, next.width()).carried(1).note(note);
            register.next_when(loads, next);
            register.q
        };
        let last = state("last_unit_reg", "the last unit of the stream", unit_1);
        let before_last = state("unit_before_last_reg", "the unit before it", last);
        let mut window = [("unit", unit_1), ("unit_before", last), ("unit_before_that", before_last)];
        let mut middle = unit_1;
        let mut flags = [("unit_valid", valid_1), ("frame_ends", ends_1)];
        for at in 2..=4 {
            m.stage_section(at, "the unit, and those before it");
            let stage = units.at(at);
            middle = window[0].1;
            window = window.map(|(name, unit)| (name, stage.data(&format!("{name}_{at}_reg"), unit)));
            flags = flags.map(|(name, flag)| (name, stage.flag(&format!("{name}_{at}_reg"), flag)));
        }
        let [moved_unit, one, two] = window.map(|(_, unit)| unit);
        let [unit_valid, frame_ends] = flags.map(|(_, flag)| flag);
        Self {
            first: 0,
            unit: unit_1,
            unit_1: last,
            unit_2: before_last,
            moved_unit,
            before: [one, two],
            middle,
            taken: units.at(2),
            moved: units.at(3),
            chosen: units.at(4),
            unit_valid,
            frame_ends,
            is_interleaved: true,
        }
    }

    /// The number of stages.
    pub(super) fn stages(&self) -> u32 {
        if self.is_interleaved { 4 } else { 3 }
    }

    /// The word of a table for the unit in the last stage and the one before it.
    pub(super) fn word(&self, table: &PairTable, name: &str) -> Found<'m> {
        table.word(name, [self.unit_1, self.unit], [self.taken, self.moved, self.chosen])
    }
}
