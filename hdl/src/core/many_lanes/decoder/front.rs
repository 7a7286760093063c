//! The boundary between what is a system's own, the decoding of units up to the slots that they end, and what all systems share.

use std::rc::Rc;

use super::offsets::Offsets;
use super::slot::Layout;
use crate::core::Steps;
use crate::core::lanes::scan::levels;
use crate::core::lanes::{At, Lanes};
use crate::netlist::Mark;

/// Lanes whose gaps are counted in one step: each bit is one LUT. Of more than two groups, sums take stages of their own.
pub(super) const LANES_COUNTED: usize = 4;

/// Groups whose gaps are summed up in the first of those stages.
pub(super) const GROUPS_SUMMED: usize = 4;

/// The slots of a beat, each in the lane of the unit that ends it.
pub(super) struct Front<'m> {
    /// A slot before those of the lanes: of a sequence that the beat cuts short before its first unit; where there are such.
    pub(super) first: Option<First<'m>>,
    /// For each place: its unit ends a slot.
    pub(super) ends: Lanes<'m>,
    /// For each place: the slot.
    pub(super) slots: Lanes<'m>,
    /// The beat ends its frame. Stage of `ends`.
    pub(super) last: At<'m>,
    /// There is a beat; nothing else is valid where there is none. Stage of `ends`.
    pub(super) valid: At<'m>,
    /// The fields of the slots.
    pub(super) layout: Layout,
    /// How gaps between the slots are counted and closed.
    pub(super) spread: Spread,
    /// The facts from which the positions of slots follow, in a decoder that has positions.
    pub(super) offsets: Option<Offsets<'m>>,
}

/// A slot that comes before those of the lanes.
pub(super) struct First<'m> {
    /// There is one. Stage of [`Front::ends`].
    pub(super) ends: At<'m>,
    /// The slot. The stage before that of [`Front::slots`].
    pub(super) slot: At<'m>,
}

impl<'m> Front<'m> {
    /// This front, in which the slot before those of the lanes, if there is such a slot, has a place of its own, the first one.
    pub(super) fn with_first_as_place(mut self, build: Build) -> Self {
        let Some(First { ends, slot }) = self.first.take() else { return self };
        let slot = slot.called("first_slot").at(self.sums_at()).registered("first_slot");
        let places = self.ends.len() + 1;
        let in_front = |first: At<'m>, others: &Lanes<'m>, name: &str| {
            Lanes::new(name, [first].into_iter().chain(others.iter().copied()))
        };
        let others = self.spread;
        let most_gaps = move |place: usize| place.checked_sub(1).map_or(0, |lane| 1 + others.most_gaps(lane));
        let build = Build { lanes: places, ..build };
        Self {
            ends: in_front(ends, &self.ends, "ends"),
            slots: in_front(slot, &self.slots, "slot"),
            spread: Spread::new(build, places, most_gaps(places - 1), most_gaps).with_first_place(true),
            ..self
        }
    }

    /// Marks the slots, by which a proof divides the decoder into the stages before them and those after.
    pub(super) fn mark(&self) {
        let first = self.first.iter().map(|first| (first.ends, first.slot));
        let others = self.ends.iter().copied().zip(self.slots.iter().copied());
        // Without a place before the words, numbers begin with that of the first word.
        let has_first_place = self.first.is_some() || self.spread.first_is_place;
        for (place, (ends, slot)) in (usize::from(!has_first_place)..).zip(first.chain(others)) {
            ends.signal().mark(Mark::MakesSlot(place));
            slot.signal().mark(Mark::SlotMade(place));
        }
    }

    /// The stage in which it is known which units end a slot.
    pub(super) fn ends_at(&self) -> u32 {
        self.valid.stage()
    }

    /// The stage that makes the slots; the registers of the next one hold them.
    pub(super) fn sums_at(&self) -> u32 {
        self.slots.end().stage() - 1
    }
}

/// The choices of a user.
#[derive(Clone, Copy, Debug)]
pub(in crate::core::many_lanes) struct Build {
    pub(in crate::core::many_lanes) lanes: usize,
    pub(in crate::core::many_lanes) steps: Steps,
    pub(in crate::core::many_lanes) placement: Placement,
    /// Slots have positions.
    pub(in crate::core::many_lanes) positions: bool,
    /// The byte order mark that can open a frame makes no slot, in a system that has one.
    pub(in crate::core::many_lanes) drops_mark: bool,
    /// The slot of an error has the kind of the error. A transcoder needs no kinds, since it writes the same for every error.
    pub(in crate::core::many_lanes) kinds: bool,
}

/// The lanes in which slots go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::many_lanes) enum Placement {
    /// The slots of a beat go out in the first lanes.
    First,
    /// The slots of several beats go out together, in all lanes.
    Dense,
    /// Each slot goes out in the lane of its last unit, inside a transcoder. A code point of 2^32 or more is one slot of its full width;
    /// there are no heads and limbs.
    InPlace,
}

/// How far the slots of a beat are apart, from which the stages that count and close the gaps follow.
#[derive(Clone)]
pub(in crate::core::many_lanes) struct Spread {
    /// The positions to which slots are compacted; those past the lanes of the core wait for its next beat.
    pub(super) lanes: usize,
    /// The number of positions that a slot can be at.
    pub(super) places: usize,
    /// Steps of 1, 2, 4 and so on in which slots are compacted.
    pub(super) steps: u32,
    /// Steps, of these and of sums, that share a stage.
    steps_a_stage: u32,
    pub(super) placement: Placement,
    /// The first place has no unit; it is for a slot before those of the units.
    pub(super) first_is_place: bool,
    most_gaps: Rc<dyn Fn(usize) -> usize>,
}

/// The stages, with a step a stage, in which gaps are summed up to each of `groups` groups.
pub(super) fn steps_of_sums(groups: usize) -> u32 {
    if groups < 2 { 0 } else { 1 + levels(groups.div_ceil(GROUPS_SUMMED)) }
}

impl Spread {
    /// The spread of slots at `places` positions, which move by `farthest` positions at most. `most_gaps` gives the most gaps before a
    /// position.
    pub(super) fn new(
        Build { lanes, steps, placement, .. }: Build,
        places: usize,
        farthest: usize,
        most_gaps: impl Fn(usize) -> usize + 'static,
    ) -> Self {
        // A slot that would move as far as there are lanes waits for the output.
        let needed = usize::BITS - farthest.min(lanes - 1).leading_zeros();
        Self {
            lanes,
            places,
            steps: if placement == Placement::InPlace { 0 } else { needed },
            steps_a_stage: steps.number(),
            placement,
            first_is_place: false,
            most_gaps: Rc::new(most_gaps),
        }
    }

    /// This spread; whether its first place has no unit, and is for a slot before those of the units.
    pub(super) fn with_first_place(self, first_is_place: bool) -> Self {
        Self { first_is_place, ..self }
    }

    /// The spread that is enough for `all`, if a beat has any one of them.
    pub(super) fn of_all<'a>(
        Build { steps, placement, lanes, .. }: Build,
        all: impl Iterator<Item = &'a Self>,
    ) -> Self {
        let all: Vec<Self> = all.cloned().collect();
        let places = all.iter().map(|spread| spread.places).max().unwrap_or(0);
        Self {
            lanes,
            places,
            steps: all.iter().map(|spread| spread.steps).max().unwrap_or(0),
            steps_a_stage: steps.number(),
            placement,
            first_is_place: false,
            most_gaps: Rc::new(move |place| {
                let of_one = |spread: &Self| spread.most_gaps(place.min(spread.places));
                all.iter().map(of_one).max().unwrap_or(0)
            }),
        }
    }

    /// The most positions before `place` that end no slot.
    pub(super) fn most_gaps(&self, place: usize) -> usize {
        (self.most_gaps)(place)
    }

    /// The stage in which the gaps before each position are counted, if the positions that end a slot are known in stage `ends`. Slots are
    /// made in that stage or later.
    pub(super) fn counted(&self, ends: u32) -> u32 {
        if self.steps == 0 {
            return ends;
        }
        // No slot comes after the gaps of the last group.
        let groups = self.places.div_ceil(LANES_COUNTED).saturating_sub(1);
        ends + 2 + steps_of_sums(groups).div_ceil(self.steps_a_stage)
    }

    /// Whether several steps share a stage.
    pub(super) fn shares_stages(&self) -> bool {
        self.steps_a_stage > 1
    }

    /// Whether a register follows step `step` of `steps`.
    pub(super) fn is_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(self.steps_a_stage) || step + 1 == steps
    }
}
