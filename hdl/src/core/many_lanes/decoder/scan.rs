//! A scan: what is known of each unit becomes what is known of all units up to it. Each level of logic reaches twice as far as the one
//! before it.

use super::plan::levels;
use crate::netlist::Builder;

/// Levels of logic in a stage.
const LEVELS_A_STAGE: u32 = 2;

/// How the next level gets what a level makes.
#[derive(Clone, Copy)]
pub(super) enum Kept {
    /// From registers in front of this stage.
    Registered(u32),
    /// In the same cycle, from the level of this number.
    Named(u32),
}

/// Stages that a scan takes.
pub(super) fn stages(lanes: usize) -> u32 {
    levels(lanes).div_ceil(LEVELS_A_STAGE)
}

/// Scans `units`, which are known in stage `at`; what comes is known [`stages`] later. `join` is told a lane and a level, and joins what is
/// known of some units and of those behind them, of which the lane has the last. `keep` makes registers or names.
pub(super) fn scan<T: Copy>(
    m: &Builder,
    name: &str,
    mut units: Vec<T>,
    at: u32,
    join: impl Fn(usize, u32, T, T) -> T,
    keep: impl Fn(usize, Kept, T) -> T,
) -> Vec<T> {
    let lanes = units.len();
    for level in 0..levels(lanes) {
        let stage = at + level / LEVELS_A_STAGE;
        if level % LEVELS_A_STAGE == 0 {
            m.stage_section(stage, format!("{name}, over {} units", 2 << level));
        }
        let is_registered = level % LEVELS_A_STAGE == LEVELS_A_STAGE - 1 || level + 1 == levels(lanes);
        let step = 1usize << level;
        let reached = |lane: usize| {
            let is_joined = lane & step > 0;
            let unit = match is_joined {
                true => join(lane, level, units[(lane & !(step - 1)) - 1], units[lane]),
                false => units[lane],
            };
            match is_registered {
                true => keep(lane, Kept::Registered(stage + 1), unit),
                false if is_joined => keep(lane, Kept::Named(level), unit),
                false => unit,
            }
        };
        units = (0..lanes).map(reached).collect();
    }
    units
}
