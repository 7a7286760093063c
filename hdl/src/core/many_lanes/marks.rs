//! The mark that can open a frame, in beats of several lanes: it is looked for a stage after the beat, in the first lanes.

use crate::core::lanes::{At, Beat, section};
use crate::core::shared::mark::MarkUnits;

/// The units of a mark at the start of each frame, in the stage after the beat.
pub(super) fn mark_units<'m>(beat: &Beat<'m>, mark: Vec<u64>) -> MarkUnits<'m> {
    FirstUnits::new(beat, mark.len()).of_mark("mark", mark)
}

/// The first units of a beat, in the stage after it.
struct FirstUnits<'a, 'm> {
    beat: &'a Beat<'m>,
    keep: At<'m>,
    units: At<'m>,
}

impl<'a, 'm> FirstUnits<'a, 'm> {
    /// The units that a mark of `most` units can have in the beat.
    fn new(beat: &'a Beat<'m>, most: usize) -> Self {
        let at = beat.stage() + 1;
        section(beat.builder(), at, "the mark at the start of a frame");
        let lanes = most.min(beat.lanes());
        let keep = beat.keep.bits(0..lanes as u32).called("first_keep").at(at);
        let units = At::concat((0..lanes).rev().map(|lane| beat.units[lane].at(at)));
        Self { beat, keep, units: units.named("first_units") }
    }

    /// The units of a mark. The signals are named after `name`.
    fn of_mark(&self, name: &str, mark: Vec<u64>) -> MarkUnits<'m> {
        let Self { beat, keep, units } = self;
        let (at, registers) = (keep.stage(), beat.valid.registers());
        let register = registers.state(&format!("{name}_reg"), MarkUnits::state_bits(&mark));
        let register = register.note("units of the mark before the beat; all ones: the frame has others");
        let found = MarkUnits::new(name, mark, register.q, keep.signal(), units.signal());
        let next = found.next(beat.builder()).named(&format!("{name}_next"));
        let next = At::new(registers, next, at);
        let (valid, last) = (beat.valid.at(at), beat.last.at(at));
        let before = At::new(registers, register.q, at);
        registers.load(register, valid.mux(next.masked(!last), before).signal());
        found
    }
}

/// The byte order marks of a system of words of octets.
#[derive(Clone)]
pub(super) struct WordMarks {
    pub(super) own: Vec<u64>,
    /// The mark of the other order of octets.
    pub(super) other: Vec<u64>,
}

impl WordMarks {
    /// Two bits in the stage of [`mark_units`]. The first is that of [`swapped`]. The second says that the beat completes the mark that opens its frame, in
    /// either order of octets.
    pub(super) fn found<'m>(self, beat: &Beat<'m>) -> [At<'m>; 2] {
        let first = FirstUnits::new(beat, self.own.len());
        let ends_own = first.of_mark("own_mark", self.own).is_whole();
        let ends_own = At::new(beat.valid.registers(), ends_own.named("ends_own_mark"), first.keep.stage());
        let [swapped, ends_other] = order(&first, self.other);
        [swapped, (ends_own | ends_other).named("ends_mark")]
    }
}

/// The octets of the beat's words are not in the order of the system, since the frame opens with the byte order mark `other` of the other
/// one. Stage of [`mark_units`].
pub(super) fn swapped<'m>(beat: &Beat<'m>, other: Vec<u64>) -> At<'m> {
    let [swapped, _] = order(&FirstUnits::new(beat, other.len()), other);
    swapped
}

/// The octets of words are in the other order, since the frame opens with the mark `other`; and the beat completes that.
fn order<'m>(first: &FirstUnits<'_, 'm>, other: Vec<u64>) -> [At<'m>; 2] {
    let found = first.of_mark("mark", other);
    let (beat, at) = (first.beat, first.keep.stage());
    let registers = beat.valid.registers();
    let register = registers.state("swapped_reg", 1);
    let register = register.note("the octets of words are in the other order");
    let before = At::new(registers, register.q, at);
    let ends_other = At::new(registers, found.is_whole().named("ends_other_mark"), at);
    let now = (before | ends_other).named("is_swapped");
    let (valid, last) = (beat.valid.at(at), beat.last.at(at));
    registers.load(register, valid.mux(now & !last, before).signal());
    [now, ends_other]
}
