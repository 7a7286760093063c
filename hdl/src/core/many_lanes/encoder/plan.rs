//! In which stage of the pipeline each step of an encoder stands.
//!
//! A stage is numbered by the registers in front of it: those of stage 1 load a beat at the end of the cycle in which it is taken,
//! and the output buffer follows the last stage.

use super::shape::Shape;
use crate::core::Steps;
use crate::core::spec::ErrorMode;

/// Steps that share a stage where others have one of their own: those that look for groups, for which the code points of all lanes wait,
/// and those of rings. They are a LUT or two, and the registers between them many.
const SHORT_STEPS: u32 = 2;

/// Where slots come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::many_lanes) enum Source {
    /// The bus: they may be heads and limbs.
    Bus,
    /// The decoding half of a transcoder: they are code points or errors, and lanes between them may hold none.
    Half {
        /// Some may be errors.
        has_errors: bool,
        /// An error may stand before the first lane.
        has_cuts: bool,
    },
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
    /// Errors are written as the replacement.
    pub(super) replaces: bool,
    /// Of those of the replacement, the units up to the last that is not zero; none where it never stands before the first lane.
    pub(super) replacement_reach: usize,
    /// Steps that share a stage.
    steps_a_stage: u32,
    /// What each slot is by itself is known.
    pub(super) class: u32,
    /// Which limbs of the beat are awaited by a head of the same beat is known.
    pub(super) heads: u32,
    /// Which limbs are awaited is known.
    pub(super) groups: u32,
    /// What each slot writes is known.
    pub(super) written: u32,
    /// How many units there are up to each slot is known.
    pub(super) sums: u32,
    /// Where the units of each slot end is known.
    pub(super) ends: u32,
    /// How many output beats are made is known.
    pub(super) beats: u32,
    /// The beat is shown window by window. All stages behind this one hold units.
    pub(super) windows: u32,
    /// The units of each lane stand in its ring.
    pub(super) turned: u32,
    /// They stand in rings as large as two output beats.
    pub(super) spread: u32,
    /// At most two such rings are left.
    pub(super) merged: u32,
    /// The output beat is there.
    pub(super) shown: u32,
}

impl Plan {
    pub(super) fn new(
        lanes: usize,
        shape: &dyn Shape,
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
        let stands_before = replaces && !matches!(source, Source::Half { has_cuts: false, .. });
        let reach = replacement.iter().rposition(|&unit| unit > 0).map_or(0, |unit| unit + 1);
        let short_stages = |steps: u32| steps.div_ceil(SHORT_STEPS * steps_a_stage);
        let class = 2;
        let heads = class + short_stages(levels(lanes));
        let groups = if replaces && source == Source::Bus { heads + 1 } else { class };
        let written = groups + 1;
        let sums = written + stages(levels(lanes));
        let ends = sums + 1;
        let beats = ends + 1;
        let windows = beats + 1;
        // What a lane sends in which window takes a stage of its own in front of the last step.
        let turned = windows + stages(levels(ring)).max(2);
        let spread = turned + if ring > lanes { 1 } else { short_stages(levels(2 * lanes / ring)) };
        let merged = spread + short_stages(levels(rings_left(lanes, ring)).saturating_sub(1));
        let shown = merged + 1;
        Self {
            lanes,
            source,
            unit_bits: shape.unit_bits(),
            most_units,
            replacement_units: shape.replacement_units(),
            ring,
            replaces,
            replacement_reach: if stands_before { reach } else { 0 },
            steps_a_stage,
            class,
            heads,
            groups,
            written,
            sums,
            ends,
            beats,
            windows,
            turned,
            spread,
            merged,
            shown,
        }
    }

    /// Whether groups of limbs are looked for, since each is an error of its own.
    pub(super) fn has_groups(&self) -> bool {
        self.replaces && self.source == Source::Bus
    }

    /// Whether the windows of two beats of slots can share a cycle.
    pub(super) fn shares_windows(&self) -> bool {
        self.source != Source::Bus
    }

    /// Cycles from a beat to the units that go out with its slots.
    pub(super) fn latency(&self) -> u32 {
        self.shown + 1
    }

    /// Whether a register follows step `step` of `steps`.
    pub(super) fn is_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(self.steps_a_stage) || step + 1 == steps
    }

    /// The same of a short step: one that looks for groups, or of rings.
    pub(super) fn is_short_registered(&self, step: u32, steps: u32) -> bool {
        (step + 1).is_multiple_of(SHORT_STEPS * self.steps_a_stage) || step + 1 == steps
    }

    /// Bits of the number of a lane.
    pub(super) fn lane_bits(&self) -> u32 {
        levels(self.lanes)
    }

    /// Bits of the number of a position in the ring of a lane.
    pub(super) fn ring_bits(&self) -> u32 {
        levels(self.ring)
    }

    /// The windows that the replacement can reach over where it stands before the units of a beat.
    pub(super) fn windows_of_replacement(&self) -> usize {
        (self.lanes - 1 + self.replacement_reach).div_ceil(self.lanes).saturating_sub(1).max(1)
    }

    /// The most units of a beat behind those that fill no output beat yet.
    pub(super) fn most_positions(&self) -> usize {
        let replacement = if self.replaces { self.replacement_units } else { 0 };
        self.lanes - 1 + self.lanes * self.most_units + replacement
    }
}

/// The rings of two output beats that the lanes leave.
pub(super) fn rings_left(lanes: usize, ring: usize) -> usize {
    if ring > lanes { lanes } else { (ring / 2).max(1) }
}

/// Levels of a tree with so many leaves.
pub(super) fn levels(leaves: usize) -> u32 {
    leaves.next_power_of_two().trailing_zeros()
}

/// Bits of a number up to `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}
