//! The options of an adapter, as a command has them: which of them an adapter takes, and its specification.

use std::fmt;
use std::str::FromStr;

use super::spec::DEFAULT_UNIT_BITS;
use super::{AdapterError, AdapterKind, AdapterSpec, DEFAULT_DEPTH, Fifo, Whole};
use crate::core::{Passengers, Storage};
use crate::netlist::ResetStyle;

/// The word before the kind of an adapter.
pub const PREFIX: &str = "adapter:";

/// The kinds of adapters, by name: `adapter:fifo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdapterName {
    /// Holds beats.
    Fifo,
    /// Makes beats of other numbers of lanes.
    Width,
    /// Makes full beats of beats with units in any lanes.
    Compactor,
}

impl AdapterName {
    /// Every kind, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Fifo, Self::Width, Self::Compactor];

    /// The work of such an adapter, in a line.
    pub fn says(self) -> &'static str {
        match self {
            Self::Fifo => "holds beats; with --frames, until their frame is whole",
            Self::Width => "makes beats of --to-lanes lanes",
            Self::Compactor => "makes full beats of beats with units in any lanes",
        }
    }
}

impl fmt::Display for AdapterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Fifo => "fifo",
            Self::Width => "width",
            Self::Compactor => "compactor",
        };
        write!(f, "{PREFIX}{name}")
    }
}

impl FromStr for AdapterName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.to_string() == text);
        let known = Self::ALL.map(|kind| kind.to_string()).join(", ");
        found.ok_or_else(|| format!("expected one of {known}"))
    }
}

/// The options of an adapter; `None` where one is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterOptions {
    /// The lanes of the output, of a width converter.
    pub to_lanes: Option<u32>,
    /// Beats in the memory of a FIFO.
    pub depth: Option<u32>,
    /// A FIFO of whole frames.
    pub frames: bool,
    /// A FIFO of whole frames that drops a frame without room.
    pub drop: bool,
    /// The form of the memory of a FIFO.
    pub memory: Option<Storage>,
    /// Bits of a unit.
    pub unit_bits: Option<u32>,
    /// How the reset is wired.
    pub reset: Option<ResetStyle>,
    /// The signals of the user's.
    pub passengers: Passengers,
}

impl AdapterOptions {
    /// The adapter of this name and these lanes, which may be none that can be built.
    ///
    /// # Errors
    /// If an option is for other adapters, or the adapter needs one that is not there.
    pub fn spec(&self, name: AdapterName, lanes: u32) -> Result<AdapterSpec, AdapterError> {
        let of_widths = [("to-lanes", self.to_lanes.is_some())];
        let of_fifos = [
            ("depth", self.depth.is_some()),
            ("frames", self.frames),
            ("drop", self.drop),
            ("memory", self.memory.is_some()),
        ];
        let of_others: Vec<_> = match name {
            AdapterName::Fifo => of_widths.to_vec(),
            AdapterName::Width => of_fifos.to_vec(),
            AdapterName::Compactor => of_fifos.into_iter().chain(of_widths).collect(),
        };
        if let Some(&(option, _)) = of_others.iter().find(|(_, is_given)| *is_given) {
            return Err(AdapterError::NotFor { option, name });
        }
        if self.drop && !self.frames {
            return Err(AdapterError::DropWithoutFrames);
        }
        let kind = match name {
            AdapterName::Fifo => AdapterKind::Fifo(Fifo {
                depth: self.depth.unwrap_or(DEFAULT_DEPTH),
                whole: self.frames.then_some(if self.drop { Whole::Drops } else { Whole::Waits }),
                memory: self.memory.unwrap_or_default(),
            }),
            AdapterName::Compactor => AdapterKind::Compactor,
            AdapterName::Width => {
                AdapterKind::Width { to_lanes: self.to_lanes.ok_or(AdapterError::NoLanesOut)? }
            }
        };
        Ok(AdapterSpec {
            kind,
            lanes,
            unit_bits: self.unit_bits.unwrap_or(DEFAULT_UNIT_BITS),
            passengers: self.passengers,
            reset: self.reset.unwrap_or_default(),
        })
    }
}
