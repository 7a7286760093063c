//! The stages of a prefix decoder.

use super::shape::Shape;
use crate::core::lanes::history_stages;
use crate::core::lanes::scan;
use crate::core::many_lanes::decoder::front::{Build, Spread};

/// The stages up to the slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    /// The beat comes in.
    pub(super) first: u32,
    /// The class of each unit is known.
    pub(super) class: u32,
    /// Neighbours are compared.
    pub(super) near: u32,
    /// The position of each unit in a sequence after FF is known; without such sequences, stage `near`.
    pub(super) joined: u32,
    /// The position of each unit in its sequence is known.
    pub(super) window: u32,
    /// The units that end a slot are known.
    pub(super) ends: u32,
    /// The bits of a sequence are put together.
    pub(super) value: u32,
    /// The slots are made.
    pub(super) made: u32,
}

impl Stages {
    /// The stages, and how far slots are apart.
    pub(super) fn new(shape: &Shape, first: u32, build: Build) -> (Self, Spread) {
        let lanes = build.lanes;
        let history = first + if shape.has_sequences() { history_stages(lanes) } else { 1 };
        // The position in a sequence after FF takes longer than that in a window, which waits a stage for it.
        let of_tails = shape.tails.as_ref().map(|tails| tails.standing(lanes));
        let class = of_tails.map_or(history + 1, |stage| stage - 2);
        let near =
            class + if shape.has_runs() { scan::stages(lanes) } else { u32::from(shape.has_sequences()) };
        let joined = of_tails.unwrap_or(near);
        let window = joined + 1;
        let ends = window + u32::from(shape.has_cuts());
        let (is_endless, longest) = (shape.has_endless_gaps(), shape.longest);
        // The mark ends no slot, and the units after it may be of one sequence.
        let of_mark = shape.mark.as_ref().map_or(0, Vec::len);
        let most_gaps = move |units: usize| match is_endless {
            true => units,
            false => units - units.saturating_sub(of_mark) / (longest + 1),
        };
        let farthest = most_gaps(lanes - 1) + usize::from(shape.has_cuts());
        let spread = Spread::new(build, lanes, farthest, most_gaps);
        let made = spread.counted(ends).max(ends + shape.stages_of_value());
        let value = made - shape.stages_of_value();
        (Self { first, class, near, joined, window, ends, value, made }, spread)
    }
}
