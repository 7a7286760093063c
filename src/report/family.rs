//! Families of FPGAs: their synthesis, and the cells that count.

use super::measure::Measure;

/// A family of FPGAs, as synthesis tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// iCE40 HX.
    Ice40,
    /// iCE40 UltraPlus.
    Ice40Up,
    Ecp5,
    Gowin,
    Xilinx7,
}

impl Family {
    /// The Yosys pass that maps to the family, for area and for clock. Without `-abc9`, wide multiplexers take several times as
    /// many LUTs of an ECP5; for Gowin, Yosys 0.23 has no timing to map with it.
    pub(super) fn pass(self) -> &'static str {
        match self {
            Self::Ice40 => "synth_ice40 -abc9 -device hx",
            Self::Ice40Up => "synth_ice40 -abc9 -device u",
            Self::Ecp5 => "synth_ecp5 -abc9",
            Self::Gowin => "synth_gowin",
            Self::Xilinx7 => "synth_xilinx -family xc7 -flatten -abc9",
        }
    }

    /// The number of LUTs that a cell takes. Multiplexers beside the LUTs are not counted.
    pub(super) fn luts(self, cell: &str) -> u64 {
        match (self, cell) {
            (Self::Ice40 | Self::Ice40Up, "SB_LUT4") | (Self::Ecp5, "LUT4") => 1,
            // In an ice40, carry logic is separate from the LUTs. In an ECP5, a carry cell takes two LUTs, in a Gowin one.
            (Self::Ecp5, "CCU2C") => 2,
            (Self::Gowin, "LUT1" | "LUT2" | "LUT3" | "LUT4" | "ALU") => 1,
            (Self::Xilinx7, "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" | "INV") => 1,
            _ => 0,
        }
    }

    pub(super) fn is_flip_flop(self, cell: &str) -> bool {
        match self {
            Self::Ice40 | Self::Ice40Up => cell.starts_with("SB_DFF"),
            Self::Ecp5 => cell == "TRELLIS_FF",
            Self::Gowin => cell.starts_with("DFF"),
            Self::Xilinx7 => matches!(cell, "FDRE" | "FDSE" | "FDCE" | "FDPE"),
        }
    }

    /// The number of block RAMs in a cell.
    pub(super) fn block_rams(self, cell: &str) -> u64 {
        match (self, cell) {
            (Self::Ice40 | Self::Ice40Up, _) => cell.starts_with("SB_RAM40_4K").into(),
            (Self::Ecp5, "DP16KD" | "PDPW16KD") => 1,
            (Self::Gowin, "SP" | "SPX9" | "SDPB" | "SDPX9B" | "DPB" | "DPX9B" | "pROM" | "pROMX9") => 1,
            (Self::Xilinx7, "RAMB18E1") => 1,
            (Self::Xilinx7, "RAMB36E1") => 2,
            _ => 0,
        }
    }

    /// The measures of area that each core has: LUTs, flip-flops, and carry cells where these are neither.
    pub(super) fn area(self) -> &'static [Measure] {
        match self {
            Self::Xilinx7 => &[Measure::Lut, Measure::Ff, Measure::Carry4],
            _ => &[Measure::Lut4, Measure::Ff],
        }
    }
}
