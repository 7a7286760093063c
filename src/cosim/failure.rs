//! Failures of co-simulation, in words that say where to look.

use std::fmt;

/// The first thing that is wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The cycle, counted from the first cycle of reset.
    pub cycle: u64,
    /// The port, by its name in Verilog.
    pub port: String,
    /// The error on the port.
    pub difference: Difference,
    /// The item that was due, with its input, if that is known.
    pub event: Option<String>,
}

/// An error on a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The engines disagree: each engine with its value.
    Engines(Vec<(&'static str, String)>),
    /// The core and the reference disagree.
    Reference {
        /// The value that the reference expects.
        expected: String,
        /// The value that the core gives.
        found: String,
    },
    /// The core breaks a rule of the handshake.
    Rule {
        /// The rule.
        rule: &'static str,
        /// The behaviour of the core.
        found: String,
    },
}

impl Difference {
    /// What the port should show, where one side is right, and what it shows.
    pub fn sides(&self) -> (Option<String>, String) {
        match self {
            Self::Reference { expected, found } => (Some(expected.clone()), found.clone()),
            Self::Rule { rule, found } => (Some((*rule).to_owned()), found.clone()),
            Self::Engines(values) => {
                let values = values.iter().map(|(engine, value)| format!("{engine} {value}"));
                (None, values.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}, {}: ", self.cycle, self.port)?;
        match &self.difference {
            Difference::Engines(_) => write!(f, "the engines differ: {}", self.difference.sides().1)?,
            Difference::Reference { expected, found } => {
                write!(f, "the reference expects {expected}, the core gives {found}")?;
            }
            Difference::Rule { rule, found } => write!(f, "it must be {rule}, but {found}")?,
        }
        match &self.event {
            Some(event) => write!(f, " ({event})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
