//! How a decoder of several lanes fills its output beats.

use std::fmt;
use std::str::FromStr;

/// How a decoder of several lanes fills its output beats. Those of one lane are full anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Packing {
    /// An output beat holds the slots that one input beat made certain, after the carry of the output beat before.
    #[default]
    Beat,
    /// Every output beat is full, except the last of a frame. Slots wait for the one that fills their beat, or for the end of the
    /// frame.
    Dense,
}

impl Packing {
    /// Every choice, in the order the command line lists them.
    pub const ALL: [Self; 2] = [Self::Beat, Self::Dense];
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Beat => "beat",
            Self::Dense => "dense",
        })
    }
}

impl FromStr for Packing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| "expected beat or dense".to_owned())
    }
}
