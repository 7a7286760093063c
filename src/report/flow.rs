//! The flows. A flow measures the area or the clock of a core in one technology.

use std::num::NonZeroU32;
use std::path::Path;

use super::asic::Cells;
use super::block::Block;
use super::family::Family;
use super::place_and_route::Target;
use super::recipe::{Findings, Recipe};
use super::subject::Subject;
use super::{
    Column, Device, Figures, Library, Measure, ReportError, Tools, asic, place_and_route, synthesis,
};

/// A way to measure a core.
#[derive(Clone, Debug)]
pub struct Flow {
    technology: Technology,
    figure: Figure,
}

/// The cells that a core is made of.
#[derive(Clone, Debug)]
enum Technology {
    /// The iCE40 HX8K of the tables.
    Ice40,
    /// The ECP5 of the tables: an LFE5U-25F of speed grade 8; of several lanes, an LFE5U-85F.
    Ecp5,
    /// The cells of osu018.
    Osu018,
    Device(Device),
    /// The cells of another library.
    Library(Library),
}

/// The figure that a flow measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    /// LUTs and flip-flops, or gates, of the core alone.
    Area,
    /// Clock in the harness, placed and routed; of cells, before placement.
    Clock,
    /// Clock of the ceiling, for a core of several lanes.
    Ceiling,
}

impl Figure {
    const ALL: [Self; 3] = [Self::Area, Self::Clock, Self::Ceiling];
}

impl Technology {
    /// The column of a measure.
    fn column(&self, measure: Measure) -> Column {
        match (self, measure) {
            (Self::Ice40, Measure::Lut4) => Column::Ice40Lut4,
            (Self::Ice40, Measure::Ff) => Column::Ice40Ff,
            (Self::Ice40, Measure::BlockRam) => Column::Ice40BlockRam,
            (Self::Ice40, Measure::Ceiling) => Column::Hx8kCeiling,
            (Self::Ice40, _) => Column::Hx8kMhz,
            (Self::Ecp5, Measure::Lut4) => Column::Ecp5Lut4,
            (Self::Ecp5, Measure::Ff) => Column::Ecp5Ff,
            (Self::Ecp5, Measure::BlockRam) => Column::Ecp5BlockRam,
            (Self::Ecp5, Measure::Ceiling) => Column::Ecp5Ceiling,
            (Self::Ecp5, _) => Column::Ecp5Mhz,
            (Self::Osu018, Measure::Ceiling) => Column::Osu018Ceiling,
            (Self::Osu018, _) => Column::Osu018Mhz,
            (&Self::Device(device), _) => Column::Device(device, measure),
            (Self::Library(_), _) => Column::Library(measure),
        }
    }

    fn family(&self) -> Option<Family> {
        match self {
            Self::Ice40 => Some(Family::Ice40),
            Self::Ecp5 => Some(Family::Ecp5),
            Self::Device(device) => Some(device.family()),
            Self::Osu018 | Self::Library(_) => None,
        }
    }

    fn cells(&self, tools: &Tools) -> Option<Cells> {
        match self {
            Self::Library(library) => Some(Cells::of(library)),
            _ => Cells::of_osu018(tools),
        }
    }

    fn target(&self, family: Family, lanes: u32) -> Option<Target> {
        match self {
            Self::Device(device) if !device.has_clock() => None,
            Self::Device(device) => Some(Target {
                family,
                options: device.options(),
                constraints: device.constraints(),
                clock_buffer: device.clock_buffer(),
            }),
            _ => Some(Target::of_tables(family, lanes)),
        }
    }
}

impl Flow {
    /// The flows of the tables.
    pub fn of_tables() -> Vec<Self> {
        Figure::ALL
            .map(|figure| Self::of(figure, &[Technology::Ice40, Technology::Ecp5, Technology::Osu018]))
            .concat()
    }

    /// The flows of the tables that take seconds and need no tool but Yosys.
    pub fn quick() -> Vec<Self> {
        Self::of(Figure::Area, &[Technology::Ice40, Technology::Ecp5])
    }

    /// The flows of these devices, and of a library of cells.
    pub fn of_choice(devices: &[Device], library: Option<&Library>) -> Vec<Self> {
        let devices = devices.iter().map(|&device| Technology::Device(device));
        let all: Vec<_> = devices.chain(library.cloned().map(Technology::Library)).collect();
        Figure::ALL.map(|figure| Self::of(figure, &all)).concat()
    }

    /// The columns that the flow fills.
    pub(super) fn columns(&self) -> Vec<Column> {
        let column = |measure: &Measure| self.technology.column(*measure);
        match (self.figure, self.technology.family(), &self.technology) {
            (Figure::Clock, ..) => vec![column(&Measure::Mhz)],
            (Figure::Ceiling, ..) => vec![column(&Measure::Ceiling)],
            (Figure::Area, Some(family), _) => {
                family.area().iter().chain(&[Measure::BlockRam]).map(column).collect()
            }
            (Figure::Area, None, Technology::Library(_)) => {
                [Measure::Area, Measure::Gates].map(Column::Library).into()
            }
            (Figure::Area, None, _) => vec![Column::Osu018Gates],
        }
    }

    /// The number of placements of a core; the flow gives the median of their clocks.
    pub(super) fn placements(&self, core: &Block, seeds: NonZeroU32) -> Option<NonZeroU32> {
        let is_placed = self.figure == Figure::Clock && self.technology.family().is_some();
        is_placed.then(|| place_and_route::placements(core, seeds))
    }

    fn of(figure: Figure, technologies: &[Technology]) -> Vec<Self> {
        technologies.iter().map(|technology| Self { technology: technology.clone(), figure }).collect()
    }

    /// The recipe of the flow for `core`; `None` if a tool that the flow needs was not found, or the flow is not for this core.
    pub(super) fn recipe(&self, core: &Block, tools: &Tools, seeds: NonZeroU32) -> Option<Recipe> {
        let subject = match self.figure {
            Figure::Ceiling if core.lanes() == 1 => return None,
            Figure::Ceiling => Subject::Ceiling,
            Figure::Area | Figure::Clock => Subject::Core,
        };
        let recipe = match (self.technology.family(), self.figure) {
            (Some(family), Figure::Area) => synthesis::recipe(family, core, tools),
            (Some(family), _) => {
                let target = self.technology.target(family, core.lanes())?;
                place_and_route::recipe(&target, core, subject, tools, seeds)
            }
            (None, Figure::Area) => asic::area_recipe(core, &self.technology.cells(tools)?, tools),
            (None, _) => asic::clock_recipe(core, subject, &self.technology.cells(tools)?, tools),
        }?;
        Some(match &self.technology {
            Technology::Device(device) => recipe.named(device.key()),
            Technology::Library(_) => recipe.named("library".to_owned()),
            _ => recipe,
        })
    }

    /// Reads what is to be reported from what the tools left in `folder`.
    pub(super) fn read(
        &self,
        folder: &Path,
        core: &Block,
        seeds: NonZeroU32,
    ) -> Result<Findings, ReportError> {
        let column = |measure| self.technology.column(measure);
        let measure = if self.figure == Figure::Ceiling { Measure::Ceiling } else { Measure::Mhz };
        match (self.technology.family(), self.figure) {
            (Some(family), Figure::Area) => synthesis::read(family, folder, column).map(Findings::from),
            (Some(_), Figure::Ceiling) => {
                place_and_route::read(column(measure), folder, core, seeds).map(|found| found.figures.into())
            }
            (Some(_), Figure::Clock) => place_and_route::read(column(measure), folder, core, seeds),
            (None, Figure::Area) => Ok(self.cell_area(asic::read_area(folder)?).into()),
            (None, _) => asic::read_clock(column(measure), folder).map(Findings::from),
        }
    }

    /// The figures of an area in cells, which is in the unit of the library.
    fn cell_area(&self, area: f64) -> Figures {
        match &self.technology {
            Technology::Library(library) => Figures::from([
                (Column::Library(Measure::Area), area),
                (Column::Library(Measure::Gates), area / library.gate),
            ]),
            _ => Figures::from([(Column::Osu018Gates, area / asic::GATE)]),
        }
    }
}
