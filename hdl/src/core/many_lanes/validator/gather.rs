//! A fact about the last unit of a beat, selected from the same fact about each unit.
//!
//! ```text
//!  beat         a b c d e . . .     five units in eight lanes
//!  last unit    0 0 0 0 1 0 0 0     one bit set
//!  gathered     e                   AND with that bit, OR over the lanes
//! ```

use crate::core::lanes::{At, Beat, Lanes, section};

/// Lanes that are gathered in one stage; more take two.
const LANES_A_STAGE: usize = 8;

/// Stages that it takes.
pub(super) fn stages(lanes: usize) -> u32 {
    if lanes > LANES_A_STAGE { 2 } else { 1 }
}

/// Bit per lane: the lane holds the last unit of the beat. Registers of the next stage.
pub(super) fn last_unit<'m>(beat: &Beat<'m>) -> At<'m> {
    let lanes = beat.lanes() as u32;
    let next = beat.keep.bits(1..lanes).zext(lanes);
    (beat.keep & !next).masked(beat.valid).registered("last_lane").note("one bit set, if there are units")
}

/// The signal of the lane with the last unit, [`stages`] later; zero if there is no unit.
pub(super) fn gather<'m>(name: &str, last_unit: At<'m>, lanes: &Lanes<'m>) -> At<'m> {
    let at = lanes.end().stage();
    let m = last_unit.builder();
    section(m, at, format!("{name} after the last unit").as_str());
    let last_unit = last_unit.at(at);
    let masked = lanes.iter().enumerate().map(|(lane, signal)| signal.masked(last_unit.bit(lane as u32)));
    let masked: Vec<At> = masked.collect();
    let any = |all: &[At<'m>]| At::any_of(all.iter().copied()).expect("a lane");
    if masked.len() <= LANES_A_STAGE {
        return any(&masked).registered(name);
    }
    let groups = masked.chunks(LANES_A_STAGE).enumerate();
    let groups: Vec<At> =
        groups.map(|(group, lanes)| any(lanes).registered(&format!("{name}_of_group_{group}"))).collect();
    section(m, at + 1, format!("{name} after the last unit, from that of each group of lanes").as_str());
    any(&groups).registered(name)
}

/// A value of the unit before each beat, and of the last unit up to the end of the beat; zero before a frame.
pub(super) struct UnitBefore<'m> {
    pub(super) before: At<'m>,
    pub(super) after: At<'m>,
}

/// The value of the unit before each beat, from that of each lane, [`stages`] later.
pub(super) fn unit_before<'m>(
    name: &str,
    beat: &Beat<'m>,
    last_unit: At<'m>,
    lanes: &Lanes<'m>,
) -> UnitBefore<'m> {
    let fresh = gather(name, last_unit, lanes);
    let at = fresh.stage();
    section(beat.builder(), at, &format!("{name} of the unit before the beat"));
    let registers = beat.valid.registers();
    let register = registers.state(&format!("{name}_before_reg"), fresh.width()).carried(at);
    let before = At::new(registers, register.q, at).called(&format!("{name}_before"));
    let none = beat.is_empty().at(at);
    let after = (fresh | before.masked(none)).named(&format!("{name}_after"));
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    registers.load(register, valid.mux(after.masked(!last), before).signal());
    UnitBefore { before, after }
}
