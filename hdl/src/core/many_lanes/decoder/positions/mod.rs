//! The positions of slots: the offset in the frame of each slot's first unit.
//!
//! A slot takes only an offset within its beat through the compaction network, log2(lanes) bits; the offset of the beat is added after it.
//!
//! ```text
//!  units          E2  82  AC  41 | C3  A4  42  43     a base for each beat: 0, 4
//!  slots                 20AC 41       E4  42  43
//!  ends within the beat    3  4        2   3   4      a constant of the lane
//!  compacted      20AC 41        | E4  42  43
//!  positions      0   3          | 4   6   7          base + the end of the slot before; of the first, that of an earlier beat
//! ```
//!
//! - Where errors are slots, slots tile the units of a frame: a slot begins at the end of the slot before. The offset is then that of the
//!   slot's end, which is a constant of its lane and takes no logic before the network.
//!   A mark that opens a frame is no slot: the slot after it begins at the mark's end.
//! - Where errors are dropped, a slot is a well-formed sequence, whose length its lane knows. The offset is that of the slot's begin.
//!
//! With W bits, the sum takes W LUTs a lane: its upper bits are those of the base, or those of the base with a carry, one choice a bit.

mod base;
mod long;

use super::carried::Carried;
use super::compaction::Placed;
use super::front::Front;
use super::gearbox::Beat;
use super::offsets::Mark;
use super::pipeline::Pipeline;
use crate::core::lanes::{At, section};
use crate::netlist::{Builder, Signal, Stage};
pub(super) use base::Base;

/// The offsets of slots within their beat, on their way to the output.
pub(super) struct Ways<'m> {
    /// For each place: the offset of its slot, in the stage of the slots.
    pub(super) of_places: Vec<Signal<'m>>,
    /// The offset of a slot before those of the lanes, or of the carry.
    pub(super) of_first: Signal<'m>,
    /// Offsets can be negative, since slots begin in earlier beats.
    is_signed: bool,
    shift: u32,
    /// The number of units of the beat that advances. Stage that makes slots.
    count: At<'m>,
    /// The mark that can open a frame. The beat that completes it advances. Stage that makes slots.
    mark: Option<Mark<'m>>,
    from: From<'m>,
}

/// The positions that slots are counted from.
enum From<'m> {
    /// A slot begins at the end of the slot before. The end of the last slot that goes out with the beat.
    End(At<'m>),
    /// The lane knows the begin of its slot.
    Begin,
    /// Slots can be parts of a sequence: the bit above an offset is set if the next slot is of the same sequence. `are_ends` says which
    /// of the two ways the offsets follow.
    Parts { are_ends: bool },
}

pub(super) fn bits_for(value: usize) -> u32 {
    usize::BITS - value.leading_zeros()
}

/// The offsets of the slots of a beat; `None` without positions.
pub(super) fn ways<'m>(
    m: &'m Builder,
    front: &Front<'m>,
    carried: &Carried<'m>,
    pipeline: &Pipeline<'m>,
) -> Option<Ways<'m>> {
    let offsets = front.offsets.as_ref()?;
    let (places, sums) = (front.ends.len(), front.sums_at());
    section(m, sums, "the offsets of slots within their beat");
    let units = places - usize::from(front.spread.first_is_place);
    let tiles = front.layout.has_errors() && offsets.back.is_none();
    let (of_slots, is_signed) = (pipeline.stage_of_slots(), offsets.back.is_some());
    let of_beat = |fact: At<'m>| fact.at(sums).masked(carried.valid_at(0)).on(of_slots);
    let count = of_beat(offsets.count).called("units_of_beat").flag();
    let mark = offsets.mark.as_ref();
    let mark = mark.map(|mark| Mark { ends: of_beat(mark.ends).called("beat_ends_mark").flag(), ..*mark });
    // Without parts, the end of the last place can have the same bits as offset 0, since no slot follows the one that ends there.
    let bits = bits_for(if offsets.parts.is_some() { units } else { units - 1 }).max(1);
    let end_of = |place: usize| place + 1 - usize::from(front.spread.first_is_place);
    let bits = offsets.back.as_ref().map_or(bits, |back| bits.max(back[0].width()) + 1);
    let of_place = |place: usize| {
        let offset = match &offsets.back {
            _ if tiles => count.lit(bits, end_of(place) as u64 & ((1 << bits) - 1)),
            None => count.lit(bits, place as u64),
            Some(back) => {
                let back = back[place].at(sums);
                back.lit(bits, place as u64) - back.zext(bits)
            }
        };
        let part = offsets.parts.as_ref().map(|parts| parts.of_places[place].at(sums));
        let offset = At::concat(part.into_iter().chain([offset]));
        offset.called(&format!("offset_of_place_{place}")).at(sums + 1).signal()
    };
    // A slot before those of the lanes begins with the unit before the beat, where offsets are those of begins.
    let of_first = m.lit(bits, if tiles { 0 } else { (1 << bits) - 1 });
    let of_first = match (&offsets.parts, &carried.first) {
        (Some(parts), Some(first)) => {
            let is_part = parts.of_first.at(sums);
            let is_part = first.rides.map_or(is_part, |rides| is_part & !rides);
            m.concat([is_part.signal(), of_first])
        }
        _ => of_first,
    };
    let from = match &offsets.parts {
        Some(_) => From::Parts { are_ends: tiles },
        None if tiles => From::End(end_of_last(front, carried, [sums, units as u32], &end_of).on(of_slots)),
        None => From::Begin,
    };
    let of_places = (0..places).map(of_place).collect();
    Some(Ways { of_places, of_first, is_signed, shift: offsets.shift, count, mark, from })
}

/// The end of the last slot that goes out with the beat that advances.
fn end_of_last<'m>(
    front: &Front<'m>,
    carried: &Carried<'m>,
    [sums, units]: [u32; 2],
    end_of: &dyn Fn(usize) -> usize,
) -> At<'m> {
    let ends = front.ends.at(sums);
    // The slot without room goes out, too, unless slots are carried to the next beat.
    let with_carry = carried.first.as_ref().filter(|first| first.rides.is_some());
    let has_no_room = with_carry.map(|first| first.has_no_room);
    let entry = |(place, &ends): (usize, &At<'m>)| {
        let ends = match has_no_room {
            Some(has_no_room) if place + 1 == front.ends.len() => {
                (ends & !has_no_room).named("last_slot_has_room")
            }
            _ => ends,
        };
        (ends, ends.lit(bits_for(units as usize), end_of(place) as u64))
    };
    let last = last_of(ends.iter().enumerate().map(entry).collect());
    last.masked(carried.valid_at(0)).called("end_of_last_slot")
}

/// The value of the last entry whose bit is set, or zero if none is.
fn last_of<'m>(entries: Vec<(At<'m>, At<'m>)>) -> At<'m> {
    let mut entries: Vec<(At<'m>, At<'m>)> =
        entries.into_iter().map(|(is, value)| (is, value.masked(is))).collect();
    while entries.len() > 1 {
        let joined = |pair: &[(At<'m>, At<'m>)]| match *pair {
            [low, high] => (low.0 | high.0, high.0.mux(high.1, low.1)),
            _ => pair[0],
        };
        entries = entries.chunks(2).map(joined).collect();
    }
    entries[0].1
}

impl<'m> Ways<'m> {
    /// The slots of a beat with positions of `bits` bits in place of the offsets above them, in a later stage.
    pub(super) fn positions(
        &self,
        m: &'m Builder,
        beat: Beat<'m>,
        bits: u32,
        pipeline: &Pipeline<'m>,
    ) -> Beat<'m> {
        let counted = bits.saturating_sub(self.shift).max(1);
        let slot_bits = beat.slots[0].1.width() - self.bits();
        let (beat, positions) = match self.from {
            From::Parts { are_ends } => {
                let long = long::Sequences { ways: self, are_ends, beat, counted, pipeline };
                long.positions(m)
            }
            From::End(end) => {
                let positions = self.of_ends(m, &beat, end, counted, pipeline);
                (beat, positions)
            }
            From::Begin => {
                let positions = self.of_begins(m, &beat, counted, pipeline);
                (beat, positions)
            }
        };
        let at = beat.present.stage();
        let slots = beat.slots.iter().zip(positions).enumerate().map(|(lane, (&(keep, slot), position))| {
            let stage: Stage = pipeline.stage_of_slots_at(lane).at(at + 1);
            let register = |name: &str, signal| stage.data(&format!("{name}_{lane}_reg"), signal);
            let position = register("position", position);
            let position = match self.shift {
                0 => position,
                shift => m.concat([position, m.lit(shift, 0)]).bits(0..bits),
            };
            let slot = register("positioned_slot", slot.bits(0..slot_bits));
            (register("positioned", keep), m.concat([position, slot]))
        });
        let slots: Vec<Placed> = slots.collect();
        Beat { present: beat.present.at(at + 1), last: beat.last.at(at + 1), slots }
    }

    /// The register of the offset of the beat in stage `at`, which counts the units of beats.
    fn base(&self, m: &'m Builder, beat: &Beat<'m>, counted: u32, pipeline: &Pipeline<'m>) -> Base<'m> {
        let at = beat.present.stage();
        section(m, at, "the offset of each slot in its frame");
        let stage = pipeline.stage_of_slots();
        let base = stage.state("base_reg", counted).carried(at).note("the offset of the beat in its frame");
        let of_beat = match &self.mark {
            Some(mark) if !mark.is_counted => self.after_mark(base.q, at),
            _ => base.q,
        };
        let next = (of_beat + truncated(self.count.at(at).signal(), counted)).named("base_of_next");
        stage.load(base, next.masked(!beat.last.signal()));
        Base::new(m, "base", of_beat, self.offset_bits())
    }

    /// The register `offset` of a beat, or in the beat that ends a mark, the offset after the mark. The register is 0 then, since no slot comes
    /// before the mark.
    fn after_mark(&self, offset: Signal<'m>, at: u32) -> Signal<'m> {
        let Some(mark) = &self.mark else { return offset };
        let ends = mark.ends.at(at);
        let bits = offset.width();
        let units = ends.lit(bits, mark.units & (u64::MAX >> (u64::BITS - bits)));
        offset | units.masked(ends).signal()
    }

    /// The positions of slots that begin at the end of the slot before.
    fn of_ends(
        &self,
        m: &'m Builder,
        beat: &Beat<'m>,
        end: At<'m>,
        counted: u32,
        pipeline: &Pipeline<'m>,
    ) -> Vec<Signal<'m>> {
        let base = self.base(m, beat, counted, pipeline);
        let at = beat.present.stage();
        let register = pipeline.stage_of_slots().state("end_reg", counted).carried(at);
        let register = register.note("the end of the last slot that has gone out");
        let has_slot = (beat.slots[0].0 & beat.present.signal()).named("has_slot");
        let end = end.at(at).signal();
        let next = (base.base() + truncated(end, counted)).named("end_of_beat");
        let begin = self.after_mark(register.q, at);
        let next = has_slot.mux(next, begin);
        pipeline.stage_of_slots().load(register, next.masked(!beat.last.signal()));
        let position = |lane: usize| match lane {
            0 => begin.masked(beat.slots[0].0),
            _ => base.plus(self.offset(beat, lane - 1), beat.slots[lane].0),
        };
        (0..beat.slots.len()).map(position).collect()
    }

    /// The positions of slots whose offsets are those of their begins.
    fn of_begins(
        &self,
        m: &'m Builder,
        beat: &Beat<'m>,
        counted: u32,
        pipeline: &Pipeline<'m>,
    ) -> Vec<Signal<'m>> {
        let base = self.base(m, beat, counted, pipeline);
        let position = |lane: usize| {
            let (keep, offset) = (beat.slots[lane].0, self.offset(beat, lane));
            // Only the first slot of a beat can begin in an earlier one.
            match lane == 0 && self.is_signed {
                true => base.plus_signed(offset).masked(keep),
                false => base.plus(offset, keep),
            }
        };
        (0..beat.slots.len()).map(position).collect()
    }

    /// Bits above a slot: an offset within the beat, and above it whether the next slot is of the same sequence.
    fn bits(&self) -> u32 {
        self.of_first.width()
    }

    fn offset_bits(&self) -> u32 {
        self.bits() - u32::from(matches!(self.from, From::Parts { .. }))
    }

    /// The offset within the beat that comes with the slot of a lane.
    fn offset(&self, beat: &Beat<'m>, lane: usize) -> Signal<'m> {
        let slot = beat.slots[lane].1;
        let low = slot.width() - self.bits();
        slot.bits(low..low + self.offset_bits())
    }
}

/// A number in `bits` bits, modulo 2^bits.
pub(super) fn truncated(number: Signal<'_>, bits: u32) -> Signal<'_> {
    number.bits(0..number.width().min(bits)).zext(bits)
}
