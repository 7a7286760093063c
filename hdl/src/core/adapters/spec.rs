//! The specification of an adapter, and the names that follow from it.

use std::fmt;

use super::AdapterName;
use crate::core::{Passengers, Storage};
use crate::netlist::ResetStyle;

/// The numbers of lanes of an adapter.
pub const LANES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The most bits of a unit.
pub const MOST_UNIT_BITS: u32 = 64;
/// Beats in the memory of a FIFO, unless others are asked for.
pub const DEFAULT_DEPTH: u32 = 512;
/// The fewest beats in the memory of a FIFO: with two, there would not be a beat in every cycle.
const FEWEST_DEPTH: u32 = 4;
/// The most beats in the memory of a FIFO.
pub const MOST_DEPTH: u32 = 4096;
/// Bits of a unit, unless others are asked for.
pub(super) const DEFAULT_UNIT_BITS: u32 = 8;

/// The work of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdapterKind {
    /// Holds beats.
    Fifo(Fifo),
    /// Makes beats of more lanes, or of fewer.
    Width {
        /// The lanes of the output.
        to_lanes: u32,
    },
    /// Makes full beats of beats with units in any lanes.
    Compactor,
}

/// The options of a FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fifo {
    /// Beats in the memory, a power of two.
    pub depth: u32,
    /// The treatment of frames, if a frame goes out only when all of it is in.
    pub whole: Option<Whole>,
    /// The form of the memory.
    pub memory: Storage,
}

impl Default for Fifo {
    fn default() -> Self {
        Self { depth: DEFAULT_DEPTH, whole: None, memory: Storage::default() }
    }
}

/// The treatment of a frame that has no room in a FIFO of whole frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whole {
    /// The frame waits for room; one that is longer than the memory is dropped.
    Waits,
    /// The frame is dropped: the input never waits.
    Drops,
}

impl AdapterKind {
    /// The name on the command line, without options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fifo(_) => "fifo",
            Self::Width { .. } => "width",
            Self::Compactor => "compactor",
        }
    }
}

/// The specification of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdapterSpec {
    /// The work.
    pub kind: AdapterKind,
    /// Units in a beat of the input.
    pub lanes: u32,
    /// Bits of a unit.
    pub unit_bits: u32,
    /// The signals of the user's.
    pub passengers: Passengers,
    /// How its reset is wired.
    pub reset: ResetStyle,
}

impl AdapterSpec {
    /// An adapter of octets, with default options.
    pub fn new(kind: AdapterKind, lanes: u32) -> Self {
        let (passengers, reset) = (Passengers::default(), ResetStyle::default());
        Self { kind, lanes, unit_bits: DEFAULT_UNIT_BITS, passengers, reset }
    }

    /// The lanes of the output.
    pub fn lanes_out(&self) -> u32 {
        match self.kind {
            AdapterKind::Fifo(_) | AdapterKind::Compactor => self.lanes,
            AdapterKind::Width { to_lanes } => to_lanes,
        }
    }

    /// Adapters that stand for all: each kind with each of its options, narrow and wide.
    pub fn sample() -> Vec<Self> {
        let fifo = |depth, whole, memory| AdapterKind::Fifo(Fifo { depth, whole, memory });
        let passengers = Passengers { tid: 3, tdest: 2, tuser: 5 };
        let width = |from, to_lanes| Self::new(AdapterKind::Width { to_lanes }, from);
        vec![
            Self::new(fifo(4, None, Storage::Ram), 1),
            Self { passengers, ..Self::new(fifo(16, None, Storage::Registers), 4) },
            Self { reset: ResetStyle::AsyncLow, ..Self::new(fifo(8, Some(Whole::Waits), Storage::Ram), 2) },
            Self { passengers, ..Self::new(fifo(8, Some(Whole::Drops), Storage::Ram), 2) },
            Self::new(AdapterKind::Fifo(Fifo::default()), 64),
            width(1, 2),
            Self { passengers, ..width(2, 16) },
            Self { unit_bits: 9, reset: ResetStyle::AsyncHigh, ..width(8, 64) },
            width(2, 1),
            Self { passengers, ..width(16, 2) },
            Self { unit_bits: 9, reset: ResetStyle::SyncLow, ..width(64, 8) },
            Self::new(AdapterKind::Compactor, 2),
            Self { passengers, ..Self::new(AdapterKind::Compactor, 4) },
            Self { unit_bits: 3, reset: ResetStyle::AsyncLow, ..Self::new(AdapterKind::Compactor, 8) },
            Self::new(AdapterKind::Compactor, 64),
        ]
    }

    /// Checks that the generator has such an adapter.
    ///
    /// # Errors
    /// The first fault of the specification.
    pub(super) fn check(&self) -> Result<(), AdapterError> {
        for (option, lanes) in [("lanes", self.lanes), ("to-lanes", self.lanes_out())] {
            if !LANES.contains(&lanes) {
                return Err(AdapterError::Lanes { option, lanes });
            }
        }
        if self.unit_bits == 0 || self.unit_bits > MOST_UNIT_BITS {
            return Err(AdapterError::UnitBits(self.unit_bits));
        }
        for (option, bits, most) in self.passengers.with_limits() {
            if bits > most {
                return Err(AdapterError::Passenger { option, bits, most });
            }
        }
        match self.kind {
            AdapterKind::Fifo(Fifo { depth, .. })
                if !depth.is_power_of_two() || !(FEWEST_DEPTH..=MOST_DEPTH).contains(&depth) =>
            {
                Err(AdapterError::Depth(depth))
            }
            AdapterKind::Width { to_lanes } if to_lanes == self.lanes => {
                Err(AdapterError::SameLanes(to_lanes))
            }
            AdapterKind::Compactor if self.lanes == 1 => Err(AdapterError::OneLane),
            AdapterKind::Fifo(_) | AdapterKind::Width { .. } | AdapterKind::Compactor => Ok(()),
        }
    }

    /// The default name of the module: the kind and the lanes, then every option that is not as by default. No two adapters have the
    /// same name.
    pub fn module_name(&self) -> String {
        let mut parts = vec!["axis".to_owned(), self.kind.name().to_owned(), format!("x{}", self.lanes)];
        match self.kind {
            AdapterKind::Compactor => {}
            AdapterKind::Width { to_lanes } => parts.push(format!("to_x{to_lanes}")),
            AdapterKind::Fifo(Fifo { depth, whole, memory }) => {
                parts.extend((depth != DEFAULT_DEPTH).then(|| format!("depth_{depth}")));
                parts
                    .extend(whole.map(|whole| {
                        if whole == Whole::Drops { "frames_drop" } else { "frames" }.to_owned()
                    }));
                parts.extend((memory != Storage::default()).then(|| memory.to_string()));
            }
        }
        parts.extend((self.unit_bits != DEFAULT_UNIT_BITS).then(|| format!("unit_bits_{}", self.unit_bits)));
        parts.extend(self.passengers.present().map(|(option, bits)| format!("{option}_{bits}")));
        parts.extend((self.reset != ResetStyle::default()).then(|| self.reset.to_string().replace('-', "_")));
        parts.join("_")
    }

    /// The options, as the command line spells them.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("lanes {}", self.lanes)];
        match self.kind {
            AdapterKind::Compactor => {}
            AdapterKind::Width { to_lanes } => options.push(format!("to-lanes {to_lanes}")),
            AdapterKind::Fifo(Fifo { depth, whole, memory }) => {
                options.push(format!("depth {depth}"));
                options.extend(whole.map(|_| "frames".to_owned()));
                options.extend((whole == Some(Whole::Drops)).then(|| "drop".to_owned()));
                options.push(format!("memory {memory}"));
            }
        }
        options.push(format!("unit-bits {}", self.unit_bits));
        options.push(format!("reset {}", self.reset));
        options.extend(self.passengers.present().map(|(option, bits)| format!("{option} {bits}")));
        options
    }

    /// The adapter as arguments of the command line, without the options that are as by default.
    pub fn in_short(&self) -> String {
        let kind =
            if let AdapterKind::Fifo(_) = self.kind { AdapterKind::Fifo(Fifo::default()) } else { self.kind };
        let default = Self::new(kind, 1).options();
        let is_changed = |option: &String| option.starts_with("to-lanes ") || !default.contains(option);
        let changed: String =
            self.options().into_iter().filter(is_changed).map(|option| format!(" --{option}")).collect();
        format!("adapter:{}{changed}", self.kind.name())
    }
}

impl fmt::Display for AdapterSpec {
    /// The adapter as arguments of the command line, with every option.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "adapter:{}", self.kind.name())?;
        self.options().iter().try_for_each(|option| write!(f, " --{option}"))
    }
}

/// Why an adapter cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdapterError {
    /// There is no such number of lanes.
    #[error("--{option} {lanes} is not possible: it can be 1, 2, 4, 8, 16, 32 or 64")]
    Lanes {
        /// The option that has it.
        option: &'static str,
        /// The number asked for.
        lanes: u32,
    },
    /// A converter has to convert.
    #[error("--to-lanes {0} is the number of lanes of the input: take another one, or adapter:fifo")]
    SameLanes(u32),
    /// A beat of one lane is full, or it is empty.
    #[error(
        "--lanes 1 is not for adapter:compactor, since a beat of one lane has no lanes to fill: take 2 to 64"
    )]
    OneLane,
    /// There are no such units.
    #[error("--unit-bits {0} is not possible: it can be 1 to {MOST_UNIT_BITS}")]
    UnitBits(u32),
    /// There is no memory of that depth.
    #[error("--depth {0} is not possible: it can be a power of two from {FEWEST_DEPTH} to {MOST_DEPTH}")]
    Depth(u32),
    /// A passenger has too many bits.
    #[error("--{option} {bits} is too wide: it can be 1 to {most} bits")]
    Passenger {
        /// The option.
        option: &'static str,
        /// The bits asked for.
        bits: u32,
        /// The most bits.
        most: u32,
    },
    /// The option is one of other adapters.
    #[error("--{option} is not for {name}: leave it out")]
    NotFor {
        /// The option.
        option: &'static str,
        /// The adapter.
        name: AdapterName,
    },
    /// Frames are dropped where frames are whole.
    #[error("--drop is for a FIFO of whole frames: add --frames")]
    DropWithoutFrames,
    /// A converter without the lanes of its output.
    #[error("adapter:width needs the lanes of its output: add --to-lanes N")]
    NoLanesOut,
    /// The module cannot have that name.
    #[error("{0}")]
    Name(String),
}
