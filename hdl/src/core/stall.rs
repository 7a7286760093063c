//! How a stall of the output reaches the input of a core of several lanes.

use std::fmt;
use std::str::FromStr;

/// How a stall of the output reaches the input of a core of several lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stall {
    /// All stages stop: each register of the pipeline has an enable.
    #[default]
    Enable,
    /// No stage stops: a memory at the end has room for all beats that are under way, and the input counts them.
    Credit(Storage),
}

impl Stall {
    /// Every choice, in the order the command line lists them; with the default memory.
    pub const ALL: [Self; 2] = [Self::Enable, Self::Credit(Storage::Ram)];

    /// The memory, in a core that has one.
    pub fn memory(self) -> Option<Storage> {
        match self {
            Self::Enable => None,
            Self::Credit(storage) => Some(storage),
        }
    }
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enable => "enable",
            Self::Credit(_) => "credit",
        })
    }
}

impl FromStr for Stall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| "expected enable or credit".to_owned())
    }
}

/// The form of a memory in the Verilog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Storage {
    /// An array from which synthesis infers RAM.
    #[default]
    Ram,
    /// A register for each word, for a flow without RAM.
    Registers,
}

impl Storage {
    /// Every choice, in the order the command line lists them.
    pub const ALL: [Self; 2] = [Self::Ram, Self::Registers];
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ram => "ram",
            Self::Registers => "registers",
        })
    }
}

impl FromStr for Storage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| "expected ram or registers".to_owned())
    }
}
