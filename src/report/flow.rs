//! The flows. A flow measures the area or the clock of a core in one technology.

use std::num::NonZeroU32;
use std::path::Path;

use utfhdl_hdl::core::Core;

use super::recipe::Recipe;
use super::synthesis::Family;
use super::{Figures, ReportError, Tools, asic, place_and_route, synthesis};

/// A way to measure a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// LUT4s and flip-flops of the core alone, for ice40.
    Ice40Area,
    /// Clock in the harness, placed and routed for an iCE40 HX8K.
    Ice40Clock,
    /// LUT4s and flip-flops of the core alone, for ECP5.
    Ecp5Area,
    /// Clock in the harness, placed and routed for an LFE5U-25F of speed grade 8.
    Ecp5Clock,
    /// Gates of the core alone, in the cells of osu018.
    Osu018Area,
    /// Clock in the harness, in the cells of osu018, before placement.
    Osu018Clock,
}

impl Flow {
    /// Every flow.
    pub const ALL: [Self; 6] = [
        Self::Ice40Area,
        Self::Ice40Clock,
        Self::Ecp5Area,
        Self::Ecp5Clock,
        Self::Osu018Area,
        Self::Osu018Clock,
    ];

    /// The flows that take seconds and need no tool but Yosys.
    pub const QUICK: [Self; 2] = [Self::Ice40Area, Self::Ecp5Area];

    /// The recipe of the flow for `core`; `None` if a tool that the flow needs was not found.
    pub(super) fn recipe(self, core: &Core, tools: &Tools, seeds: NonZeroU32) -> Option<Recipe> {
        match self {
            Self::Ice40Area => synthesis::recipe(Family::Ice40, core, tools),
            Self::Ecp5Area => synthesis::recipe(Family::Ecp5, core, tools),
            Self::Ice40Clock => place_and_route::recipe(Family::Ice40, core, tools, seeds),
            Self::Ecp5Clock => place_and_route::recipe(Family::Ecp5, core, tools, seeds),
            Self::Osu018Area => asic::area_recipe(core, tools),
            Self::Osu018Clock => asic::clock_recipe(core, tools),
        }
    }

    /// Reads the figures from what the tools left in `folder`.
    pub(super) fn read(self, folder: &Path, seeds: NonZeroU32) -> Result<Figures, ReportError> {
        match self {
            Self::Ice40Area => synthesis::read(Family::Ice40, folder),
            Self::Ecp5Area => synthesis::read(Family::Ecp5, folder),
            Self::Ice40Clock => place_and_route::read(Family::Ice40, folder, seeds),
            Self::Ecp5Clock => place_and_route::read(Family::Ecp5, folder, seeds),
            Self::Osu018Area => asic::read_area(folder),
            Self::Osu018Clock => asic::read_clock(folder),
        }
    }
}
