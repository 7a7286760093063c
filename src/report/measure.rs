//! Measures of a core in a technology.

/// A figure of a core in a technology that was chosen by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// LUTs of four inputs.
    Lut4,
    /// LUTs of up to six inputs.
    Lut,
    /// Flip-flops.
    Ff,
    /// Carry cells of four bits.
    Carry4,
    /// Block RAMs; of a Xilinx 7, those of 18 kbit.
    BlockRam,
    /// Area of cells, in the unit of their library.
    Area,
    /// Area, in units of the smallest NAND.
    Gates,
    /// Clock, MHz.
    Mhz,
    /// Clock of a pipeline with the same ports and one LUT between registers, MHz.
    Ceiling,
    /// Megabytes of units a second at the clock of the core.
    Mbps,
}

impl Measure {
    /// Every measure, with its key and its head.
    pub(super) const ALL: [(Self, &str, &str); 10] = [
        (Self::Lut4, "lut4", "LUT4"),
        (Self::Lut, "lut", "LUT"),
        (Self::Ff, "ff", "FF"),
        (Self::Carry4, "carry4", "CARRY4"),
        (Self::BlockRam, "block_ram", "block RAM"),
        (Self::Area, "area", "area"),
        (Self::Gates, "gates", "gates"),
        (Self::Mhz, "mhz", "MHz"),
        (Self::Ceiling, "ceiling_mhz", "ceiling"),
        (Self::Mbps, "mb_per_s", "MB/s"),
    ];
    pub(super) const OF_CLOCK: [Self; 3] = [Self::Mhz, Self::Ceiling, Self::Mbps];

    pub(super) fn row(self) -> (Self, &'static str, &'static str) {
        Self::ALL.into_iter().find(|(measure, ..)| *measure == self).expect("every measure is in the list")
    }
}
