//! The sizes of an encoder, which follow from the system and the options, and the stages in which the lanes meet the rest of it.
//!
//! Stage n is the logic after the n-th registers: stage 1 has a beat in the cycle after the beat is taken. The output buffer follows the
//! last stage. Signals know their stages; only a lane, a module of its own, is told in which stages its inputs come.

use super::indexed::Indexed;
use super::shape::Shape;
use crate::core::lanes::At;
use crate::core::lanes::scan::levels;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::spec::ErrorMode;
use crate::core::{Bus, Steps};
use crate::netlist::Builder;

/// Short steps in a stage that has room for one other step. Searches that count nothing and the joining of rings are short: a LUT or two a
/// step, and many registers between two steps.
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

/// The sizes of an encoder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Stage of the slots at the inputs of the lanes: 0, if no other stages come before them.
    pub(super) first: u32,
    /// Stage of the slots that come in. Later ones have enables of their own.
    pub(super) input: u32,
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
    pub(super) steps_a_stage: u32,
}

impl Sizes {
    pub(super) fn new(
        lanes: usize,
        shape: &dyn Shape,
        opening_units: usize,
        on_error: ErrorMode,
        steps: Steps,
        source: Source,
    ) -> Self {
        let replaces = on_error != ErrorMode::Drop;
        let most_units = shape.most_units();
        let (_, replacement) = shape.replacement();
        let stands_before = replaces && matches!(source, Source::Bus | Source::Half { has_cuts: true, .. });
        let reach = replacement.iter().rposition(|&unit| unit > 0).map_or(0, |unit| unit + 1);
        Self {
            first: shape.indexed().map_or(0, Indexed::stages),
            input: 0,
            lanes,
            source,
            unit_bits: shape.unit_bits(),
            most_units,
            replacement_units: shape.replacement_units(),
            ring: most_units.next_power_of_two(),
            opening_units,
            replaces,
            stands_before,
            replacement_reach: if stands_before { reach } else { 0 },
            most_units_of_slot: shape.most_units_of_slot(),
            joins_limbs: source == Source::Bus && shape.code_bits() > SLOT_DATA_BITS,
            refuses_surrogate_pairs: shape.refuses_surrogate_pairs(),
            steps_a_stage: steps.number(),
        }
    }

    /// The same sizes after other stages, which move by themselves.
    pub(super) fn after(self, stages: u32) -> Self {
        Self { first: self.first + stages, input: stages, ..self }
    }

    /// Stage in which the class of each slot is known, which follows from the slot alone.
    pub(super) fn class(&self) -> u32 {
        self.first + 2
    }

    /// Stage of the windows, which present a beat to the lanes. Later stages hold units.
    pub(super) fn windows(&self) -> u32 {
        self.ends() + 1
    }

    /// Stage in which the slots before each slot in its beat have been searched: for heads that await limbs, and for high surrogates.
    pub(super) fn searched(&self) -> u32 {
        self.search(self.class()).end()
    }

    /// Stage in which it is known what is written for each slot. Where slots of earlier beats count, it follows [`searched`](Self::searched).
    pub(super) fn decided(&self) -> u32 {
        let looks_back = self.joins_limbs || self.refuses_surrogate_pairs || self.has_groups();
        if looks_back { self.searched() + 1 } else { self.class() }
    }

    /// Stage in which the position after the units of each slot is known, and the number of output beats. The next stage presents the beat
    /// to the lanes in windows; later ones hold units.
    pub(super) fn ends(&self) -> u32 {
        self.steps(self.decided() + 1, levels(self.lanes)).end() + 1
    }

    /// Stage in which the units of each lane are rotated to their positions in the lane's ring. The window that a unit belongs to is found in
    /// a stage of its own, before the last step.
    pub(super) fn rotated(&self) -> u32 {
        let windows = self.windows();
        self.steps(windows, levels(self.ring)).end().max(windows + 2)
    }

    /// `count` steps from stage `from` on.
    pub(super) fn steps(&self, from: u32, count: u32) -> StepsOf {
        StepsOf { from, count, a_stage: self.steps_a_stage }
    }

    /// `count` short steps from stage `from` on: steps of searches that count nothing, or steps that join rings.
    pub(super) fn short_steps(&self, from: u32, count: u32) -> StepsOf {
        StepsOf { from, count, a_stage: SHORT_STEPS * self.steps_a_stage }
    }

    /// The steps of a search over the slots of a beat, from stage `from` on. Those that count limbs are not short.
    pub(super) fn search(&self, from: u32) -> StepsOf {
        let count = levels(self.lanes);
        if self.has_groups() { self.steps(from, count) } else { self.short_steps(from, count) }
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

/// Steps that follow one another, several of which share a stage.
#[derive(Clone, Copy)]
pub(super) struct StepsOf {
    from: u32,
    count: u32,
    a_stage: u32,
}

/// One of several steps.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Number of the step, from 0 on.
    pub(super) number: u32,
    /// Stage of its operands.
    pub(super) from: u32,
    /// Whether the results of the step are in registers.
    pub(super) is_registered: bool,
}

impl StepsOf {
    /// Stage of the last results.
    pub(super) fn end(self) -> u32 {
        self.from + self.count.div_ceil(self.a_stage)
    }

    /// The steps; each begins a section of `m` with this title.
    pub(super) fn begin<'m>(
        self,
        m: &'m Builder,
        title: impl Fn(u32) -> String + 'm,
    ) -> impl Iterator<Item = Step> + 'm {
        (0..self.count).map(move |number| {
            let is_registered = (number + 1).is_multiple_of(self.a_stage) || number + 1 == self.count;
            let from = self.from + number / self.a_stage;
            m.stage_section(from, title(number));
            Step { number, from, is_registered }
        })
    }
}

impl Step {
    /// Stage of the results.
    pub(super) fn to(self) -> u32 {
        self.from + u32::from(self.is_registered)
    }

    /// A result, with a name: in a register, or as a signal.
    pub(super) fn put<'m>(self, name: &str, result: At<'m>) -> At<'m> {
        match self.is_registered {
            true => result.stored(&format!("{name}_{}_reg", self.to())),
            false => result.named(&format!("{name}_{}_{}", self.to(), self.number)),
        }
    }
}

/// Bits of a number up to `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}
