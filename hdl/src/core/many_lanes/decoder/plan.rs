//! In which stage of the pipeline each step of a decoder stands.
//!
//! A stage is numbered by the registers in front of it: those of stage 1 load a beat at the end of the cycle in which it is
//! taken, and the output buffer follows the last stage.

/// Lanes whose gaps are counted in one step.
pub(super) const GROUP: usize = 8;

/// From so many lanes on, the last units of a beat are found in two stages.
const LANES_OF_LONG_SEARCH: usize = 32;

/// The numbers of the stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) lanes: usize,
    /// The units before the beat are known.
    pub(super) history: u32,
    /// What each unit is by itself is known.
    pub(super) class: u32,
    /// How each unit stands to the units before it is known.
    pub(super) window: u32,
    /// Which units end a slot is known.
    pub(super) ends: u32,
    /// The gaps in each group of lanes are counted.
    pub(super) gaps: u32,
    /// The gaps before each group are known.
    pub(super) offsets: u32,
    /// The gaps before each lane are known, and whether a slot stands before those of the beat.
    pub(super) sums: u32,
    /// The slots are there, each beside how far it has to move.
    pub(super) slots: u32,
    /// The slots stand in their places.
    pub(super) placed: u32,
}

impl Plan {
    /// The stages of a decoder of `lanes` lanes. `sequences` says that a unit may belong to those before it, `cuts` that it may
    /// cut their sequence short.
    pub(super) fn new(lanes: usize, sequences: bool, cuts: bool) -> Self {
        let history = match sequences {
            true if lanes >= LANES_OF_LONG_SEARCH => 3,
            true => 2,
            false => 1,
        };
        let class = history + 1;
        let window = class + 1;
        let ends = window + u32::from(cuts);
        let gaps = ends + 1;
        let groups = lanes.div_ceil(GROUP);
        // The last group's gaps move nothing.
        let offsets = gaps + levels(groups.saturating_sub(1));
        let sums = offsets + 1;
        let slots = sums + 1;
        let placed = slots + levels(lanes);
        Self { lanes, history, class, window, ends, gaps, offsets, sums, slots, placed }
    }

    /// Cycles from a beat to the slots that it makes certain.
    pub(super) fn latency(&self) -> u32 {
        self.placed + 1
    }
}

/// Levels of a tree with so many leaves.
pub(super) fn levels(leaves: usize) -> u32 {
    leaves.next_power_of_two().trailing_zeros()
}
