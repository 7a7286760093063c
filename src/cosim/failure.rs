//! What co-simulation found wrong, in words that say where to look.

use std::fmt;

/// The first thing that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The cycle, counted from the first cycle of reset.
    pub cycle: u64,
    /// The port, as in Verilog.
    pub port: String,
    /// What is wrong.
    pub difference: Difference,
    /// The sequence being decoded, where that is known.
    pub event: Option<String>,
}

/// What is wrong with a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Engines disagree: each with its value.
    Engines(Vec<(&'static str, String)>),
    /// The core and the reference disagree.
    Reference {
        /// What the reference says.
        expected: String,
        /// What the core says.
        found: String,
    },
    /// A rule of the handshake is broken.
    Rule {
        /// The rule.
        rule: &'static str,
        /// What the core does.
        found: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}, {}: ", self.cycle, self.port)?;
        match &self.difference {
            Difference::Engines(values) => {
                let values: Vec<String> =
                    values.iter().map(|(engine, value)| format!("{engine} {value}")).collect();
                write!(f, "the engines differ: {}", values.join(", "))?;
            }
            Difference::Reference { expected, found } => {
                write!(f, "the reference says {expected}, the core {found}")?;
            }
            Difference::Rule { rule, found } => write!(f, "{rule}, but {found}")?,
        }
        match &self.event {
            Some(event) => write!(f, " ({event})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
