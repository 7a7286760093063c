//! The beats of a decoder: the slots of the machine go out, in order.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::boundary::{Boundary, Made, lane_of};
use super::cells::{Cells, Place};
use super::compacted::Compacted;
use super::copy::any_bit;
use super::definition::Definition;
use super::given::Making;
use super::reset::Reset;
use super::slots::Candidate;
use super::step::{Extent, Step};
use super::{Part, SLOT_DATA_BITS, part};
use crate::prove::checker::Merging;

/// The parts on the beats: on the stages that make slots, on the count of gaps between slots, and on the stages that put slots into lanes.
pub(super) fn parts(
    core: &Core,
    cells: &Cells,
    reset: &Reset,
    definition: Definition,
) -> Result<Vec<Part>, String> {
    let of = Decoder { cells, reset, definition, lanes: core.spec.lanes };
    let boundary = Boundary::of(&core.design, cells)?;
    if boundary.lanes() == 0 {
        return Err("nothing marks the slots that go out".to_owned());
    }
    let says = "the slots that the machine makes of a beat are made, each in the place of its last unit";
    let slots = part(core, &of, ("slots", says), |m, of| of.slots(m, &boundary))?;
    let mut parts = vec![slots];
    let mut boundary = boundary;
    // If only the machine knows the places of slots, stages after the boundary read units, too.
    if boundary.counts_gaps() && of.making(&boundary).has_rules() {
        let says = "the core counts the gaps before each slot";
        let gaps = part(core, &of, ("gaps", says), |m, of| Ok(of.gaps(m, &boundary)))?;
        parts.push(Part { merging: Merging::Collapsed, ..gaps });
        boundary = boundary.with_gaps(&core.design, cells)?;
    }
    let boundary = boundary.of_few_bits(cells);
    let says = "for any beats of a frame, the slots that are made go out, whatever they are";
    let beats = part(core, &of, ("beats", says), |m, of| Ok(of.beats(m, &boundary)))?;
    parts.push(Part { merging: Merging::Swept, ..beats });
    Ok(parts)
}

/// A decoder.
struct Decoder<'a> {
    cells: &'a Cells,
    reset: &'a Reset,
    definition: Definition,
    lanes: u32,
}

impl Decoder<'_> {
    fn step<'m>(&'m self, m: &'m Builder, extent: &Extent<'_, 'm>) -> Step<'m> {
        Step::new(m, self.cells, self.reset, self.lanes, self.definition.lane_bits, extent)
    }

    fn making(&self, boundary: &Boundary) -> Making {
        Making { definition: self.definition, has_first_place: boundary.has_first_place(), codes: None }
    }

    /// The bits of a slot that `tuser` and `tdata` of a lane have.
    fn shown<'m>(&'m self, m: &'m Builder, slot: &Candidate<'m>) -> Signal<'m> {
        let data_bits = lane_of(&self.cells.moving, "m_axis_tdata", 0, self.lanes as usize).len() as u32;
        m.concat([slot.shown.bits(SLOT_DATA_BITS..slot.shown.width()), slot.shown.bits(0..data_bits)])
    }

    /// The failures, a bit each: what is made of a beat differs from the slots of the machine, in each place; or two lanes show a slot in two ways.
    fn slots<'m>(&'m self, m: &'m Builder, boundary: &Boundary) -> Result<Signal<'m>, String> {
        let Step { beat, waits, made, has_begun, .. } = self.step(m, &Extent::UpTo(boundary));
        let reference = boundary.freest_lane();
        let differs = |_, made, slot: &Candidate<'m>| {
            let shown = boundary.shown(m, self.cells, (reference, self.lanes), made)?;
            Ok(shown.ne(self.shown(m, slot)))
        };
        let bad = self.making(boundary).failures(m, (&beat, !waits), &made, differs)?;
        let bad: Vec<Signal<'m>> = bad.into_iter().map(|bad| has_begun & beat.tvalid & bad).collect();
        let mut unlike = Vec::new();
        for lane in 0..boundary.lanes() {
            let any = boundary.any(m, lane);
            let [own, of_reference] =
                [lane, reference].map(|lane| boundary.shown(m, self.cells, (lane, self.lanes), any));
            unlike.push(own?.ne(of_reference?));
        }
        Ok(m.concat(bad.into_iter().chain(unlike)))
    }

    /// The failures, a bit each: the core counts other gaps than the slots that are made have between them.
    fn gaps<'m>(&'m self, m: &'m Builder, boundary: &Boundary) -> Signal<'m> {
        let is_loop = |place| matches!(place, Place::Units { is_loop: true, .. });
        let loops = self.cells.registers(is_loop).into_iter();
        let loops = loops.map(|index| (index, any_bit(m, "loop", index as u32))).collect();
        let mut beat = Beat::given(m, self.lanes, self.definition.lane_bits, None, loops);
        let slots = self.making(boundary).given(m, boundary, &beat, m.lit(1, 1));
        let made = slots.made.clone();
        beat.slots = Some(slots);
        let stages = beat.stages(m, self.cells, "given", Some(boundary));
        m.concat(boundary.gaps_differ(m, (beat.tvalid, &made), &stages))
    }

    /// The failures, a bit each: not what is due goes out for a beat, in each lane, in the number of slots, or in the end of the frame.
    fn beats<'m>(&'m self, m: &'m Builder, boundary: &Boundary) -> Signal<'m> {
        let make = |beat: &Beat<'m>, moves| self.making(boundary).given(m, boundary, beat, moves);
        let Step { beat, before, waits, output, out, carried, is_disturbed, has_begun, .. } =
            self.step(m, &Extent::From(boundary, Box::new(make)));
        let goes = beat.tvalid & !waits;
        let lanes = self.lanes as usize;
        // A slot for which its beat has no lane rides in the next beat of the frame, or goes out alone at the end of the frame. The proof reads that from the
        // core's registers, and compares them with what is due below: a checker then need not find which registers hold the same.
        let [rides_in_beat, goes_alone] = carried;
        let goes_alone = waits & goes_alone;
        let rides = rides_in_beat | goes_alone;
        // Due are the slot for which the beat before had no lane, and then the slots of this beat, unless this beat waits.
        let slots = |beat: &Beat<'m>| beat.slots.as_ref().expect("slots are given").made.clone();
        let (made, made_before) = (slots(&beat), slots(&before));
        let (own, others) = made.split_first().expect("a place before the lanes");
        let own = Made { is_there: own.is_there & goes, ..*own };
        let last = others.len() - 1;
        let riding = made_before[last + 1].slot;
        let first = Made { is_there: own.is_there | rides, slot: rides.mux(riding, own.slot) };
        let due = Compacted::new(m, first, others, goes);
        let stays_over = due.reaches(lanes + 1);
        // The slot in excess must be that of the last place, which rides in the next beat. There is no other slot before those of the lanes then.
        let too_many =
            rides & own.is_there | due.reaches(lanes + 2) | stays_over & !(others[last].is_there & goes);

        // All go out in one beat, except one slot in excess of the lanes.
        let of_lane = (0..lanes).map(|lane| {
            let keep = output.tkeep.bit(lane as u32) & output.tvalid;
            let differs =
                out.get(lane).map_or(keep, |out| keep & (!out.is_there | out.slot.ne(due.at(lane))));
            due.reaches(lane + 1) ^ keep | differs
        });
        let of_lane: Vec<Signal<'m>> = of_lane.collect();

        // The end of the frame goes out with the last slot of its beat. Where that has no lane, and where the beat makes no slot and one rides, the end
        // goes out in a beat of its own, before the next beat.
        let ends = beat.tlast & goes;
        let makes_none = !(goes & m.concat(others.iter().map(|made| made.is_there)).any());
        let is_later = ends & (stays_over | rides & makes_none);
        let expected = [rides_in_beat, goes_alone, waits];
        let is_wrong =
            [stays_over & !ends, stays_over & is_later, is_later].into_iter().zip(expected).enumerate();
        let is_wrong = is_wrong.map(|(at, (next, held))| {
            let register = m.reg(&format!("expected_{at}_reg"), 1).reset(0);
            register.next(next);
            register.q ^ held
        });
        let is_wrong = is_wrong.fold(is_disturbed, |any, is| any | is);
        let is_due = due.reaches(1) | ends | waits;
        let is_end = waits | ends & !is_later;
        let of_end = output.tvalid ^ is_due | output.tvalid & (output.tlast ^ is_end) | waits & goes;
        let bad = of_lane.into_iter().chain([too_many | of_end | is_wrong]).map(|bad| has_begun & bad);
        m.concat(bad.collect::<Vec<_>>())
    }
}
