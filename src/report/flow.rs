//! The flows. A flow measures the area or the clock of a core in one technology.

use std::num::NonZeroU32;
use std::path::Path;

use utfhdl_hdl::core::Core;

use super::ceiling::ceiling;
use super::recipe::Recipe;
use super::synthesis::Family;
use super::{Column, Figures, ReportError, Tools, asic, place_and_route, synthesis};

/// A way to measure a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// LUT4s and flip-flops of the core alone, for ice40.
    Ice40Area,
    /// Clock in the harness, placed and routed for an iCE40 HX8K.
    Ice40Clock,
    /// LUT4s and flip-flops of the core alone, for ECP5.
    Ecp5Area,
    /// Clock in the harness, placed and routed for an LFE5U-25F of speed grade 8; of several lanes, for an LFE5U-85F.
    Ecp5Clock,
    /// Gates of the core alone, in the cells of osu018.
    Osu018Area,
    /// Clock in the harness, in the cells of osu018, before placement.
    Osu018Clock,
    /// Of a core of several lanes: clock of the ceiling in an iCE40 HX8K.
    Ice40Ceiling,
    /// Of a core of several lanes: clock of the ceiling in an ECP5.
    Ecp5Ceiling,
    /// Of a core of several lanes: clock of the ceiling in the cells of osu018.
    Osu018Ceiling,
}

/// What is measured in the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Core,
    /// The [pipeline](super::ceiling) with the ports of the core.
    Ceiling,
}

impl Subject {
    pub(super) fn verilog(self, core: &Core) -> String {
        match self {
            Self::Core => core.verilog(),
            Self::Ceiling => ceiling(core),
        }
    }
}

impl Flow {
    /// Every flow.
    pub const ALL: [Self; 9] = [
        Self::Ice40Area,
        Self::Ice40Clock,
        Self::Ecp5Area,
        Self::Ecp5Clock,
        Self::Osu018Area,
        Self::Osu018Clock,
        Self::Ice40Ceiling,
        Self::Ecp5Ceiling,
        Self::Osu018Ceiling,
    ];

    /// The flows that take seconds and need no tool but Yosys.
    pub const QUICK: [Self; 2] = [Self::Ice40Area, Self::Ecp5Area];

    /// The recipe of the flow for `core`; `None` if a tool that the flow needs was not found, or the flow is not for this core.
    pub(super) fn recipe(self, core: &Core, tools: &Tools, seeds: NonZeroU32) -> Option<Recipe> {
        let clock = |family, subject| place_and_route::recipe(family, core, subject, tools, seeds);
        let several = || (core.spec.lanes > 1).then_some(Subject::Ceiling);
        match self {
            Self::Ice40Area => synthesis::recipe(Family::Ice40, core, tools),
            Self::Ecp5Area => synthesis::recipe(Family::Ecp5, core, tools),
            Self::Ice40Clock => clock(Family::Ice40, Subject::Core),
            Self::Ecp5Clock => clock(Family::Ecp5, Subject::Core),
            Self::Osu018Area => asic::area_recipe(core, tools),
            Self::Osu018Clock => asic::clock_recipe(core, Subject::Core, tools),
            Self::Ice40Ceiling => clock(Family::Ice40, several()?),
            Self::Ecp5Ceiling => clock(Family::Ecp5, several()?),
            Self::Osu018Ceiling => asic::clock_recipe(core, several()?, tools),
        }
    }

    /// Reads the figures from what the tools left in `folder`.
    pub(super) fn read(self, folder: &Path, core: &Core, seeds: NonZeroU32) -> Result<Figures, ReportError> {
        let clock = |column| place_and_route::read(column, folder, core, seeds);
        match self {
            Self::Ice40Area => synthesis::read(Family::Ice40, folder),
            Self::Ecp5Area => synthesis::read(Family::Ecp5, folder),
            Self::Ice40Clock => clock(Column::Hx8kMhz),
            Self::Ecp5Clock => clock(Column::Ecp5Mhz),
            Self::Osu018Area => asic::read_area(folder),
            Self::Osu018Clock => asic::read_clock(Column::Osu018Mhz, folder),
            Self::Ice40Ceiling => clock(Column::Hx8kCeiling),
            Self::Ecp5Ceiling => clock(Column::Ecp5Ceiling),
            Self::Osu018Ceiling => asic::read_clock(Column::Osu018Ceiling, folder),
        }
    }
}
