//! The code points of pairs of `gb18030`, by tables in blocks.
//!
//! The tables take three stages more than those with a word for each pair, and half of the block RAM. So units wait for three stages before they
//! go into those of the window.

use super::LATENCY_OF_WORDS;
use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::block_tables::{self, BlockTables, place};
use crate::core::shared::index_tables::LEAD_BITS;
use crate::core::shared::pace::Pace;
use crate::netlist::{Builder, Signal};

/// Stages before the window.
pub(super) const STAGES: u32 = 1 + block_tables::LATENCY - LATENCY_OF_WORDS;

/// The beats that go into the window, and for the unit in its last stage, the code point of the pair with the unit before: of any octets.
pub(super) fn pairs<'m>(
    m: &'m Builder,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
) -> (OneUnitBeat<'m>, Signal<'m>) {
    let stage = pace.units();
    let mut late = beat;
    for at in 1..=STAGES {
        m.stage_section(at, "the unit, while the tables of pairs are read");
        late.unit = stage.at(at).data(&format!("unit_early_{at}_reg"), late.unit);
        late.unit_valid = stage.at(at).flag(&format!("unit_early_{at}_valid_reg"), late.unit_valid);
        late.frame_ends = stage.at(at).flag(&format!("ends_early_{at}_reg"), late.frame_ends);
    }
    m.stage_section(1, "the pair");
    let last = m.reg("last_unit_reg", LEAD_BITS).note("the last unit, without its topmost bit");
    last.next_when((pace.take & beat.unit_valid).named("unit_loads"), beat.unit.bits(0..LEAD_BITS));
    let lead = stage.at(1).data("lead_reg", last.q);
    let place = stage.at(1).data("place_reg", place(beat.unit));
    let words = BlockTables::new().words(m, &[[lead, place]], 1, stage);
    (late, words[0])
}
