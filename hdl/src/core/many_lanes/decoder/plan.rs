//! In which stage of the pipeline each step of a decoder stands.
//!
//! A stage is numbered by the registers in front of it: those of stage 1 load a beat at the end of the cycle in which it is
//! taken, and the output buffer follows the last stage.

use crate::core::Steps;

/// Lanes whose gaps are counted in one step. Of four, each bit is one LUT; of more than two groups, sums take stages of their own.
const LANES_COUNTED: usize = 8;
const LANES_COUNTED_OF_FEW: usize = 4;
const FEW_PLACES: usize = 9;

/// From so many lanes on, the last units of a beat are found in two stages.
const LANES_OF_LONG_SEARCH: usize = 16;

/// The numbers of the stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) lanes: usize,
    /// Lanes whose gaps are counted in one step.
    pub(super) group: usize,
    /// Steps in which slots move down.
    pub(super) steps: u32,
    /// Steps, of these and of sums, that share a stage.
    steps_a_stage: u32,
    /// The units before the beat are known.
    pub(super) history: u32,
    /// What each unit is by itself is known.
    pub(super) class: u32,
    /// How each unit stands to the units before it is known.
    pub(super) window: u32,
    /// Which places end a slot is known.
    pub(super) ends: u32,
    /// The gaps in each group of places are counted.
    pub(super) gaps: u32,
    /// The gaps before each group are known.
    pub(super) offsets: u32,
    /// The gaps before each place are known, and whether a slot stands before those of the beat.
    pub(super) sums: u32,
    /// The slots are there, each beside how far it has to move.
    pub(super) slots: u32,
    /// The slots stand in the first lanes.
    pub(super) placed: u32,
    /// In a dense decoder, how many slots each beat has is known, and how far they have to be turned.
    pub(super) turn: u32,
    /// The slots stand in the lanes in which they go out.
    pub(super) turned: u32,
    /// Those of several beats are one beat; in others, the slots stand in the first lanes.
    pub(super) merged: u32,
    /// The slots are as they go out.
    pub(super) shown: u32,
}

/// The stages up to the one where it is known which places end a slot; and what the stages behind it have to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    pub(super) history: u32,
    pub(super) class: u32,
    pub(super) window: u32,
    pub(super) ends: u32,
    /// The slots can't be made before this stage.
    pub(super) ready: u32,
    /// The places that a slot can stand in, and how far one moves at most.
    pub(super) places: usize,
    pub(super) farthest: usize,
}

/// What a user may choose about the stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    pub(super) steps: Steps,
    pub(super) placement: Placement,
}

/// In which lanes slots go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// Those of a beat in the first lanes.
    First,
    /// Those of several beats together, in all lanes.
    Dense,
    /// Each in the lane of its last unit, inside a transcoder. Errors and code points are all there is: a code point of 2^32 or more is
    /// one slot, as wide as it is.
    InPlace,
}

impl Plan {
    /// Of so many lanes, and what a user may choose.
    pub(super) fn new(lanes: usize, Build { steps: steps_a_stage, placement }: Build, front: Front) -> Self {
        let Front { history, class, window, ends, ready, places, farthest } = front;
        let steps = if placement == Placement::InPlace { 0 } else { steps(lanes, farthest) };
        let steps_a_stage = steps_a_stage.number();
        let group = if places < FEW_PLACES { LANES_COUNTED_OF_FEW } else { LANES_COUNTED };
        let (gaps, offsets, sums) = if steps == 0 {
            (ends, ends, ends)
        } else {
            let groups = places.div_ceil(group);
            // The last group's gaps move nothing.
            let offsets = ends + 1 + levels(groups.saturating_sub(1)).div_ceil(steps_a_stage);
            (ends + 1, offsets, offsets + 1)
        };
        let sums = sums.max(ready);
        let slots = sums + 1;
        let placed = slots + steps.div_ceil(steps_a_stage);
        let turn = placed + 1;
        let turned = turn + 1 + levels(lanes).div_ceil(steps_a_stage);
        let merged = if placement == Placement::Dense { turned + 1 } else { placed };
        let shown = merged + 1;
        Self {
            lanes,
            group,
            steps,
            steps_a_stage,
            history,
            class,
            window,
            ends,
            gaps,
            offsets,
            sums,
            slots,
            placed,
            turn,
            turned,
            merged,
            shown,
        }
    }

    /// Cycles from a beat to the slots that it makes certain.
    pub(super) fn latency(&self) -> u32 {
        self.shown + 1
    }

    /// Whether a register follows step `step` of `steps`.
    pub(super) fn is_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(self.steps_a_stage) || step + 1 == steps
    }
}

/// The stage in which the units before a beat of `lanes` lanes are known.
pub(super) fn history(lanes: usize) -> u32 {
    if lanes >= LANES_OF_LONG_SEARCH { 3 } else { 2 }
}

/// Levels of a tree with so many leaves.
pub(super) fn levels(leaves: usize) -> u32 {
    leaves.next_power_of_two().trailing_zeros()
}

/// The steps of 1, 2, 4 and so on in which a slot moves `farthest` places at most. What would move as far as there are lanes
/// waits for the output.
fn steps(lanes: usize, farthest: usize) -> u32 {
    usize::BITS - farthest.min(lanes - 1).leading_zeros()
}
