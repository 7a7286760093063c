//! The pipeline stages of an encoder, and the sizes that follow from the system and the lanes.
//!
//! Stage n is the logic after the n-th registers: stage 1 has a beat in the cycle after the beat is taken. The output buffer follows the
//! last stage.

use super::shape::Shape;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::spec::ErrorMode;
use crate::core::{Bus, Steps};

/// Short steps in a stage that has room for one other step. Searches for groups and the joining of rings are short: a LUT or two a step, and
/// many registers between two steps.
const SHORT_STEPS: u32 = 2;

/// The source of the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::many_lanes) enum Source {
    /// The bus: they may be heads and limbs.
    Bus,
    /// The short bus: they are code points or errors, of 24 bits.
    ShortBus,
    /// The decoding half of a transcoder: they are code points or errors, and lanes between them may hold none.
    Half {
        /// Some may be errors.
        has_errors: bool,
        /// An error may stand before the first lane.
        has_cuts: bool,
        /// Bits of a slot.
        slot_bits: u32,
    },
}

impl From<Bus> for Source {
    fn from(bus: Bus) -> Self {
        match bus {
            Bus::Long => Self::Bus,
            Bus::Short => Self::ShortBus,
        }
    }
}

impl Source {
    /// Whether the slots come from the decoding half of a transcoder.
    pub(super) fn is_half(self) -> bool {
        matches!(self, Self::Half { .. })
    }

    /// Bits of a slot.
    pub(super) fn slot_bits(self) -> u32 {
        match self {
            Self::Bus => Bus::Long.data_bits(),
            Self::ShortBus => Bus::Short.data_bits(),
            Self::Half { slot_bits, .. } => slot_bits,
        }
    }
}

/// The numbers of the stages, and the sizes that follow from the system and the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) lanes: usize,
    pub(super) source: Source,
    pub(super) unit_bits: u32,
    /// Units of the longest sequence, and of the replacement.
    pub(super) most_units: usize,
    pub(super) replacement_units: usize,
    /// Positions of a ring in which a lane places its units: a power of two, not less than the units of the longest sequence.
    pub(super) ring: usize,
    /// Units that open a frame.
    pub(super) opening_units: usize,
    /// Errors are written as the replacement.
    pub(super) replaces: bool,
    /// The replacement can be written before the first lane.
    stands_before: bool,
    /// Units of the replacement up to the last that is not zero; 0 where the replacement is never written before the first lane.
    pub(super) replacement_reach: usize,
    /// Units of the longest code point of one slot.
    most_units_of_slot: usize,
    /// Code points of several limbs are written.
    pub(super) joins_limbs: bool,
    /// A low surrogate is refused directly after a high one that is written.
    pub(super) refuses_surrogate_pairs: bool,
    /// Steps that share a stage.
    steps_a_stage: u32,
    /// Stage in which the class of each slot is known, which follows from the slot alone.
    pub(super) class: u32,
    /// Stage in which the slots before each slot in its beat have been searched: for heads that await limbs, and for high surrogates.
    pub(super) heads: u32,
    /// Stage in which slots of earlier beats have been taken into account, too.
    pub(super) groups: u32,
    /// Stage in which the number of units of each slot is known.
    pub(super) written: u32,
    /// Stage in which the number of units up to each slot is known.
    pub(super) sums: u32,
    /// Stage in which the position after the units of each slot is known, and the number of output beats.
    pub(super) ends: u32,
    /// Stage of the windows, which present the beat to the lanes. Later stages hold units.
    pub(super) windows: u32,
    /// Stage in which the units of each lane are in their positions of the lane's ring.
    pub(super) turned: u32,
    /// Stage in which the units are in rings of two output beats.
    pub(super) spread: u32,
    /// Stage in which at most two such rings remain, which become the output beat.
    pub(super) merged: u32,
}

impl Plan {
    pub(super) fn new(
        lanes: usize,
        shape: &dyn Shape,
        opening_units: usize,
        on_error: ErrorMode,
        steps: Steps,
        source: Source,
    ) -> Self {
        let steps_a_stage = steps.number();
        let replaces = on_error != ErrorMode::Drop;
        let most_units = shape.most_units();
        let ring = most_units.next_power_of_two();
        let stages = |steps: u32| steps.div_ceil(steps_a_stage);
        let (_, replacement) = shape.replacement();
        let stands_before = replaces && matches!(source, Source::Bus | Source::Half { has_cuts: true, .. });
        let reach = replacement.iter().rposition(|&unit| unit > 0).map_or(0, |unit| unit + 1);
        let short_stages = |steps: u32| steps.div_ceil(SHORT_STEPS * steps_a_stage);
        let class = 2;
        let heads = class + short_stages(levels(lanes));
        let refuses_surrogate_pairs = shape.refuses_surrogate_pairs();
        let joins_limbs = source == Source::Bus && shape.code_bits() > SLOT_DATA_BITS;
        let looks_back = joins_limbs || refuses_surrogate_pairs || (replaces && source == Source::Bus);
        let groups = if looks_back { heads + 1 } else { class };
        let written = groups + 1;
        let sums = written + stages(levels(lanes));
        let ends = sums + 1;
        let windows = ends + 1;
        // The window that a unit belongs to is found in a stage of its own, before the last step.
        let turned = windows + stages(levels(ring)).max(2);
        let spread = turned + if ring > lanes { 1 } else { short_stages(levels(2 * lanes / ring)) };
        let merged = spread + short_stages(levels(rings_left(lanes, ring)).saturating_sub(1));
        Self {
            lanes,
            source,
            unit_bits: shape.unit_bits(),
            most_units,
            replacement_units: shape.replacement_units(),
            ring,
            opening_units,
            replaces,
            stands_before,
            replacement_reach: if stands_before { reach } else { 0 },
            most_units_of_slot: shape.most_units_of_slot(),
            joins_limbs,
            refuses_surrogate_pairs,
            steps_a_stage,
            class,
            heads,
            groups,
            written,
            sums,
            ends,
            windows,
            turned,
            spread,
            merged,
        }
    }

    /// Whether groups of limbs are followed: each that breaks the rules of the bus is an error of its own.
    pub(super) fn has_groups(&self) -> bool {
        self.replaces && self.source == Source::Bus
    }

    /// Whether a frame's opening comes with the first beat of which something is written, and not with the first one.
    pub(super) fn opening_waits(&self) -> bool {
        self.opening_units > 0 && !self.replaces && self.source.is_half()
    }

    /// Whether the windows of two beats of slots can share a cycle.
    pub(super) fn shares_windows(&self) -> bool {
        self.source.is_half()
    }

    /// Cycles from a beat to the units that go out with its slots.
    pub(super) fn latency(&self) -> u32 {
        self.merged + 1
    }

    /// Whether a register follows step `step` of `steps`.
    pub(super) fn is_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(self.steps_a_stage) || step + 1 == steps
    }

    /// Whether a register follows the short step `step` of `steps`: one that searches for groups, or joins rings.
    pub(super) fn is_short_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(SHORT_STEPS * self.steps_a_stage) || step + 1 == steps
    }

    /// Bits of the number of a lane.
    pub(super) fn lane_bits(&self) -> u32 {
        levels(self.lanes)
    }

    /// Bits of the low part of a number of limbs, which counts the limbs of four beats.
    pub(super) fn low_bits_of_limbs(&self) -> u32 {
        self.lane_bits() + 2
    }

    /// Bits of the number of a position in the ring of a lane.
    pub(super) fn ring_bits(&self) -> u32 {
        levels(self.ring)
    }

    /// The number of windows that the replacement can extend over where it precedes the units of a beat.
    pub(super) fn windows_of_replacement(&self) -> usize {
        (self.lanes - 1 + self.replacement_reach).div_ceil(self.lanes).saturating_sub(1).max(1)
    }

    /// The most units of a beat together with those left over of earlier beats.
    pub(super) fn most_positions(&self) -> usize {
        let replacement = if self.stands_before { self.replacement_units } else { 0 };
        // No units are left over where the opening is written.
        let cut = if self.source.is_half() { replacement } else { 0 };
        let opened = if self.opening_units > 0 { self.opening_units + cut } else { 0 };
        (self.lanes - 1 + replacement).max(opened) + self.most_units_of(self.lanes)
    }

    /// The most units of `lanes` lanes next to each other. A code point of several limbs has one slot more than limbs, and fewer units than as
    /// many code points of one slot.
    pub(super) fn most_units_of(&self, lanes: usize) -> usize {
        lanes * self.most_units_of_slot + (self.most_units - self.most_units_of_slot)
    }
}

/// The rings of two output beats that the lanes leave.
pub(super) fn rings_left(lanes: usize, ring: usize) -> usize {
    if ring > lanes { lanes } else { (ring / 2).max(1) }
}

/// Levels of a binary tree with `leaves` leaves.
pub(super) fn levels(leaves: usize) -> u32 {
    leaves.next_power_of_two().trailing_zeros()
}

/// Bits of a number up to `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}
