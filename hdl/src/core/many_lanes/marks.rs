//! The mark that can open a frame, in beats of several lanes: it is looked for a stage after the beat, in the first lanes.

use crate::core::lanes::{At, Beat, section};
use crate::core::shared::mark::MarkUnits;

/// The units of a mark at the start of each frame, in the stage after the beat.
pub(super) fn mark_units<'m>(beat: &Beat<'m>, mark: Vec<u64>) -> MarkUnits<'m> {
    let at = beat.stage() + 1;
    section(beat.builder(), at, "the mark at the start of a frame");
    let lanes = mark.len().min(beat.lanes());
    let keep = beat.keep.bits(0..lanes as u32).called("first_keep").at(at);
    let units = At::concat((0..lanes).rev().map(|lane| beat.units[lane].at(at)));
    let registers = beat.valid.registers();
    let register = registers.state("mark_reg", MarkUnits::state_bits(&mark));
    let register = register.note("units of the mark before the beat; all ones: the frame has others");
    let found = MarkUnits::new("mark", mark, register.q, keep.signal(), units.named("first_units").signal());
    let next = At::new(registers, found.next(beat.builder()).named("mark_next"), at);
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    let before = At::new(registers, register.q, at);
    registers.load(register, valid.mux(next.masked(!last), before).signal());
    found
}

/// The octets of the beat's words are not in the order of the system, since the frame opens with the byte order mark `other` of the other
/// one. Stage of [`mark_units`].
pub(super) fn swapped<'m>(beat: &Beat<'m>, other: Vec<u64>) -> At<'m> {
    let at = beat.stage() + 1;
    let found = mark_units(beat, other);
    let registers = beat.valid.registers();
    let register = registers.state("swapped_reg", 1);
    let register = register.note("the octets of words are in the other order");
    let before = At::new(registers, register.q, at);
    let now =
        (before | At::new(registers, found.is_whole().named("ends_other_mark"), at)).named("is_swapped");
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    registers.load(register, valid.mux(now & !last, before).signal());
    now
}
