//! Why there is no such core.

use std::fmt;

use super::{ErrorMode, Role};
use crate::core::{Packing, Registers, Stall, Steps, System};

/// Why a core cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// An option of the system is out of its range.
    #[error("{system}: {reason}")]
    Option {
        /// The system.
        system: &'static str,
        /// The fault, and the remedy.
        reason: String,
    },
    /// There are no cores of the system.
    #[error(
        "there are no cores of {system}, which is a system of software: `utfhdl list` shows the systems with cores"
    )]
    Software {
        /// The system.
        system: System,
    },
    /// There is no such core at all.
    #[error(
        "there is no {system} {role} in hardware yet: `utfhdl list {system}` shows the cores that there are"
    )]
    None {
        /// The system.
        system: System,
        /// The role.
        role: Role,
    },
    /// There is no such number of lanes.
    #[error("there is no {system} {role} of {lanes} lanes: --lanes can be {}", choices(role.lanes(*system)))]
    Lanes {
        /// The system.
        system: System,
        /// The role.
        role: Role,
        /// The number asked for.
        lanes: u32,
    },
    /// Cores of the role do not have the error mode.
    #[error("--on-error {on_error} is not for {}s: it can be {}", role.noun(), choices(role.on_error()))]
    ErrorMode {
        /// The role.
        role: Role,
        /// The mode asked for.
        on_error: ErrorMode,
    },
    /// With one lane, there are no steps that could share a stage.
    #[error("--pipeline {pipeline} is for cores of several lanes: with one lane it can be auto")]
    Pipeline {
        /// The pipeline asked for.
        pipeline: Steps,
    },
    /// There is no such core with the bus.
    #[error("--bus short: {reason}")]
    Bus {
        /// Why not, and what to do.
        reason: String,
    },
    /// The core fills its beats in one way only.
    #[error("--pack {pack} is for decoders of several lanes: a beat of one lane is full anyway")]
    Packing {
        /// The packing asked for.
        pack: Packing,
    },
    /// The core cannot say the place of a slot in this way.
    #[error("--{option} {bits}: {reason}")]
    Place {
        /// The option.
        option: &'static str,
        /// The bits asked for.
        bits: u32,
        /// The reason, and the remedy.
        reason: &'static str,
    },
    /// A stall cannot reach the input of the core in this way.
    #[error("--stall {stall}: {reason}")]
    Stall {
        /// The way asked for.
        stall: Stall,
        /// The reason, and the remedy.
        reason: &'static str,
    },
    /// Beats of several streams cannot come in any order.
    #[error("--streams {streams}: {reason}")]
    Streams {
        /// The streams asked for.
        streams: u32,
        /// The reason, and the remedy.
        reason: String,
    },
    /// Registers have nothing to count.
    #[error("--registers {registers}: the registers add up the statuses of frames: add --status")]
    Registers {
        /// The registers asked for.
        registers: Registers,
    },
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
    /// The name cannot be that of the top module.
    #[error("the module cannot be called {name:?}: {reason}")]
    Name {
        /// The name asked for.
        name: String,
        /// The fault, and the remedy.
        reason: String,
    },
}

/// The choices as a sentence lists them: `1, 2 or 4`.
fn choices(all: &[impl fmt::Display]) -> String {
    let words: Vec<String> = all.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
