//! The error of a text that names no system.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// Why a text names no system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseSystemError {
    /// No system has this name.
    Unknown {
        /// The name as it was written.
        name: String,
    },
    /// The system has no such option.
    UnknownOption {
        /// The system.
        system: &'static str,
        /// The option as it was written.
        option: String,
        /// The options the system has.
        known: Vec<&'static str>,
    },
    /// The option is given more than once.
    OptionTwice {
        /// The system.
        system: &'static str,
        /// The option.
        option: String,
    },
    /// The option cannot have this value.
    BadValue {
        /// The system.
        system: &'static str,
        /// The option.
        option: &'static str,
        /// The value as it was written.
        value: String,
        /// The values that are allowed.
        allowed: String,
    },
    /// The systems cannot be in a list of which one is chosen for each frame.
    Auto {
        /// The reason, and what would be right.
        reason: String,
    },
}

impl Error for ParseSystemError {}

impl fmt::Display for ParseSystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => write!(f, "there is no system {name:?}"),
            Self::UnknownOption { system, option, known } => {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                write!(f, "{system} has no option {option:?}: it has {known}")
            }
            Self::OptionTwice { system, option } => {
                write!(f, "{system} has the option {option:?} twice: give it once")
            }
            Self::Auto { reason } => write!(f, "auto: {reason}"),
            Self::BadValue { system, option, value, allowed } => {
                write!(f, "{option}={value:?} is not a value for {system}: use {allowed}")
            }
        }
    }
}
