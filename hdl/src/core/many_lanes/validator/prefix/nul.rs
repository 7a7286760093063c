//! The U+0000 in the magic number of a document. It is an error where the frame does not go on with the last unit of the number, and only
//! the next unit tells that.

use crate::core::lanes::{At, Beat, Heard, Instances, Lane};
use crate::core::many_lanes::marks::mark_units;
use crate::core::shared::magic_number::MAGIC;

/// The units of the magic number up to the octet 00.
const UP_TO_NUL: u32 = MAGIC.len() as u32 - 1;

/// The ports of a lane.
pub(super) struct NulPorts {
    withheld: Heard,
    before: Heard,
}

/// What a lane hears.
#[derive(Clone, Copy)]
pub(super) struct Nul<'m> {
    /// The unit is the octet 00 of the magic number, and no error yet.
    pub(super) withheld: At<'m>,
    /// The unit before was, and is one.
    pub(super) before: At<'m>,
}

impl<'m> Nul<'m> {
    pub(super) fn new(lane: &Lane<'m>, near: u32, flags: u32) -> (Self, NulPorts) {
        let note = "it is the octet 00 of the magic number, and no error yet";
        let (withheld, withheld_heard) = lane.hear("withholds_nul", 1, near, note);
        let note = "the octet 00 of the magic number is before it, and an error";
        let (before, before_heard) = lane.hear("nul_before", 1, flags, note);
        (Self { withheld, before }, NulPorts { withheld: withheld_heard, before: before_heard })
    }
}

impl NulPorts {
    /// Tells the lanes.
    pub(super) fn connect<'m>(&self, beat: &Beat<'m>, lanes: &Instances<'_, 'm>, [near, flags]: [u32; 2]) {
        let at = beat.stage() + 1;
        let found = mark_units(beat, MAGIC.to_vec());
        let none = beat.valid.lit(1, 0);
        let (last, empty) = (beat.last.at(at), beat.ends_without_unit().at(at));
        let held = beat.held("first_held").at(at);
        let keep = |lane: usize| held[lane];
        lanes.connect(&self.withheld, |lane| {
            let Some(is) = found.ends(UP_TO_NUL, lane as u32) else { return none };
            let ends = if lane + 1 < beat.lanes() { last & !keep(lane + 1) } else { last };
            let is = At::new(beat.valid.registers(), is, at) & !ends;
            is.called(&format!("withholds_nul_of_lane_{lane}")).at(near)
        });
        lanes.connect(&self.before, |lane| {
            let Some(is) = found.breaks(UP_TO_NUL, lane as u32) else { return none };
            let comes = if lane == 0 { keep(lane) | empty } else { keep(lane) };
            let is = At::new(beat.valid.registers(), is, at) & comes;
            is.called(&format!("nul_before_lane_{lane}")).at(flags)
        });
    }
}
