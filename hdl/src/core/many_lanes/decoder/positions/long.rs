//! Positions where a code point of 2^32 or more is a head and limbs: all slots of a sequence have the position of its first unit.
//!
//! The slot after a head, or after a limb but the last, has the position of the slot before. A slot that begins a sequence therefore gives
//! its position to all slots after it up to the next one that does: a copy over the lanes, in as many levels as doubling takes. The slots
//! before the first such slot of a beat have a position from a register.

use super::super::gearbox::Beat;
use super::super::pipeline::Pipeline;
use super::{Ways, truncated};
use crate::core::lanes::scan::Copies;
use crate::core::lanes::{At, Lanes, section};
use crate::netlist::{Builder, Signal};

/// A beat of compacted slots, whose positions are to be added.
pub(super) struct Sequences<'a, 'm> {
    pub(super) ways: &'a Ways<'m>,
    /// Offsets within the beat are those of the ends of slots, not of their begins.
    pub(super) are_ends: bool,
    pub(super) beat: Beat<'m>,
    /// Bits of a position.
    pub(super) counted: u32,
    pub(super) pipeline: &'a Pipeline<'m>,
}

/// The fields of the compacted slots, lane by lane.
struct Fields<'m> {
    keep: Lanes<'m>,
    slots: Lanes<'m>,
    /// The offset within the beat.
    offsets: Lanes<'m>,
    /// The next slot is of the same sequence.
    parts: Lanes<'m>,
}

/// The last slot of a beat.
struct Last<'m> {
    /// The position that the register takes is in the beat, and its offset there.
    known: At<'m>,
    value: At<'m>,
    /// The next slot is of the same sequence.
    part: At<'m>,
}

impl<'m> Sequences<'_, 'm> {
    /// The beat in the stage that adds positions, and the positions of its slots.
    pub(super) fn positions(self, m: &'m Builder) -> (Beat<'m>, Vec<Signal<'m>>) {
        section(m, self.beat.present.stage(), "which slots are of the sequence of the slot before");
        let fields = self.fields();
        let lane_0 = fields.keep[0];
        let known = |lane: usize| match lane.checked_sub(1) {
            Some(before) => !fields.parts[before],
            None => lane_0.lit(1, 0),
        };
        let value = |lane: usize| match (self.are_ends, lane) {
            (true, 0) => lane_0.lit(self.ways.offset_bits(), 0),
            (true, lane) => fields.offsets[lane - 1].on(fields.keep[lane].registers()),
            (false, lane) => fields.offsets[lane],
        };
        let all = 0..fields.keep.len();
        let begins = Copies {
            some: Lanes::new("begins_in_beat", all.clone().map(known)),
            values: Lanes::new("begin", all.map(value)),
        };
        let begins = begins.copied("begin");
        let last = self.last(&fields, &begins);

        let at = last.value.stage();
        let Beat { present, last: ends, .. } = self.beat;
        let slots = fields.keep.iter().zip(fields.slots.iter());
        let slots = slots.map(|(keep, slot)| (keep.at(at).signal(), slot.at(at).signal())).collect();
        let beat = Beat { present: present.at(at), last: ends.at(at), slots };
        let positions = self.added(m, &beat, &fields, &begins, &last);
        (beat, positions)
    }

    fn fields(&self) -> Fields<'m> {
        let Self { ways, beat, pipeline, .. } = self;
        let (at, offset_bits) = (beat.present.stage(), ways.offset_bits());
        let of = |name: &str, field: &dyn Fn(Signal<'m>, Signal<'m>) -> Signal<'m>| {
            let of_lane = |(lane, &(keep, slot)): (usize, &(Signal<'m>, Signal<'m>))| {
                At::new(pipeline.stage_of_slots_at(lane), field(keep, slot), at)
            };
            Lanes::new(name, beat.slots.iter().enumerate().map(of_lane))
        };
        let low = beat.slots[0].1.width() - ways.bits();
        Fields {
            keep: of("compacted", &|keep, _| keep),
            slots: of("compacted_slot", &|_, slot| slot),
            offsets: of("compacted_offset", &|_, slot| slot.bits(low..low + offset_bits)),
            parts: of("compacted_part", &|_, slot| slot.bit(low + offset_bits)),
        }
    }

    /// The last slot of the beat, in registers of the stage after that of `begins`.
    fn last(&self, fields: &Fields<'m>, begins: &Copies<'m>) -> Last<'m> {
        let at = begins.values.end().stage();
        section(self.beat.present.builder(), at, "the last slot of the beat");
        let (keep, parts, offsets) = (fields.keep.at(at), fields.parts.at(at), fields.offsets.at(at));
        let is_last = |lane: usize| match keep.get(lane + 1) {
            Some(&next) => (keep[lane] & !next).named(&format!("is_last_{lane}")),
            None => keep[lane],
        };
        let is_last: Vec<At> = (0..keep.len()).map(is_last).collect();
        let of_last = |name: &str, field: &dyn Fn(usize) -> At<'m>| {
            let all = is_last.iter().enumerate().map(|(lane, &is)| field(lane).masked(is));
            let of_last = At::any_of(all).expect("there are lanes");
            of_last.on(self.pipeline.stage_of_slots()).registered(name)
        };
        let (known, value) = (&begins.some, &begins.values);
        Last {
            known: of_last("last_is_known", &|lane| match self.are_ends {
                true => known[lane] | !parts[lane],
                false => known[lane],
            }),
            value: of_last("last_offset", &|lane| match self.are_ends {
                true => parts[lane].mux(value[lane], offsets[lane]),
                false => value[lane],
            }),
            part: of_last("last_is_part", &|lane| parts[lane]),
        }
    }

    /// The positions of the slots of a beat.
    fn added(
        &self,
        m: &'m Builder,
        beat: &Beat<'m>,
        fields: &Fields<'m>,
        begins: &Copies<'m>,
        last: &Last<'m>,
    ) -> Vec<Signal<'m>> {
        let base = self.ways.base(m, beat, self.counted, self.pipeline);
        let (at, stage) = (beat.present.stage(), self.pipeline.stage_of_slots());
        let now = |signal: At<'m>| signal.at(at).signal();
        let has_slot = (beat.slots[0].0 & beat.present.signal()).named("has_slot");
        let ends = beat.last.signal();
        let of_last = (base.base() + truncated(now(last.value), self.counted)).named("begin_of_last");
        let begin = stage.state("begin_reg", self.counted).carried(at);
        let first = if self.are_ends {
            let begin =
                begin.note("the begin of the open sequence, or the end of the last slot that has gone out");
            let loads = (has_slot & now(last.known)).named("begin_loads");
            stage.load(begin, loads.mux(of_last, begin.q).masked(!ends));
            begin.q
        } else {
            let begin = begin.note("the begin of the last slot that has gone out");
            let continues = stage.state("continues_reg", 1).carried(at);
            let continues = continues.note("the next slot is of its sequence");
            let own = base.plus_signed(now(fields.offsets[0]));
            let first = continues.q.mux(begin.q, own).named("begin_of_first");
            let next = now(last.known).mux(of_last, first);
            stage.load(begin, has_slot.mux(next, begin.q));
            stage.load(continues, has_slot.mux(now(last.part), continues.q) & !ends);
            first
        };
        let position = |lane: usize| {
            let (keep, known) = (beat.slots[lane].0, begins.some[lane]);
            if known.is_fixed() {
                return first.masked(keep);
            }
            let (known, value) = (now(known), now(begins.values[lane]));
            base.plus(value, keep & known) | first.masked(keep & !known)
        };
        (0..beat.slots.len()).map(position).collect()
    }
}
