//! The codec cores: one AXI4-Stream module a system and role.

mod error_kind;
mod ports;
mod utf_8_decoder;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::emit::{Header, verilog};
use crate::netlist::{Design, Module, ResetStyle};

pub use error_kind::{ErrorKind, slot_labels};

/// A system that has cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// UTF-8 of up to four octets, RFC 3629.
    Utf8,
}

impl System {
    /// Every system that has cores.
    pub const ALL: [Self; 1] = [Self::Utf8];

    /// The system's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
        }
    }

    /// Width of its unit, in bits.
    pub fn unit_bits(self) -> u32 {
        match self {
            Self::Utf8 => 8,
        }
    }

    /// The roles it has cores for.
    pub fn roles(self) -> &'static [Role] {
        match self {
            Self::Utf8 => &[Role::Decoder],
        }
    }

    /// The numbers of lanes its cores in `role` come in.
    pub fn lanes(self, role: Role) -> &'static [u32] {
        match (self, role) {
            (Self::Utf8, Role::Decoder) => &[1],
        }
    }

    /// The system called `name`, if it has cores.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }
}

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Units in, the UCS stream out.
    Decoder,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Decoder => "decoder",
        })
    }
}

/// What a decoder does with an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// Emits a slot that holds U+FFFD and the error's kind.
    #[default]
    Flag,
    /// Emits nothing.
    Drop,
}

impl OnError {
    /// Every choice.
    pub const ALL: [Self; 2] = [Self::Flag, Self::Drop];
}

impl fmt::Display for OnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for OnError {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|choice| choice.to_string() == text)
            .ok_or_else(|| "expected flag or drop".to_owned())
    }
}

/// Which core is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoreSpec {
    /// The system.
    pub system: System,
    /// The role.
    pub role: Role,
    /// Units a cycle.
    pub lanes: u32,
    /// How its reset is wired.
    pub reset: ResetStyle,
    /// What it does with errors.
    pub on_error: OnError,
}

impl CoreSpec {
    /// Every core there is, in every configuration.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for system in System::ALL {
            for &role in system.roles() {
                for &lanes in system.lanes(role) {
                    for reset in ResetStyle::ALL {
                        for on_error in OnError::ALL {
                            all.push(Self { system, role, lanes, reset, on_error });
                        }
                    }
                }
            }
        }
        all
    }
}

/// A core that can't be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// The role is not there for the system.
    #[error("there is no {system} {role}: {system} comes as {}", list(system.roles()))]
    Role {
        /// The system.
        system: System,
        /// The role asked for.
        role: Role,
    },
    /// The number of lanes is not there.
    #[error(
        "there is no {system} {role} of {lanes} lanes: it comes with {}",
        list(system.lanes(*role))
    )]
    Lanes {
        /// The system.
        system: System,
        /// The role.
        role: Role,
        /// The number asked for.
        lanes: u32,
    },
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn list(choices: &[impl fmt::Display]) -> String {
    choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A core: its netlist and what its users need to know of it.
#[derive(Clone, Debug)]
pub struct Core {
    /// What it was made from.
    pub spec: CoreSpec,
    /// The netlist.
    pub design: Design,
    /// Cycles from the beat that makes a slot certain to the beat that holds it: a beat taken at the end of cycle 0 is
    /// answered in cycle `latency`. Where an error and the unit that ended it make two slots at once, the second
    /// comes one beat later.
    pub latency: u32,
}

impl Core {
    /// Builds a core.
    ///
    /// # Errors
    /// If there is no such core.
    pub fn new(spec: CoreSpec) -> Result<Self, CoreError> {
        let CoreSpec { system, role, lanes, reset, on_error } = spec;
        if !system.roles().contains(&role) {
            return Err(CoreError::Role { system, role });
        }
        if !system.lanes(role).contains(&lanes) {
            return Err(CoreError::Lanes { system, role, lanes });
        }
        let name = module_name(system, role, lanes);
        let (top, latency): (Arc<Module>, u32) = match (system, role) {
            (System::Utf8, Role::Decoder) => utf_8_decoder::utf_8_decoder(&name, on_error),
        };
        Ok(Self { spec, design: Design { top, reset }, latency })
    }

    /// Its Verilog, one file.
    pub fn verilog(&self) -> String {
        let second = "one beat more for the second of two slots made at once";
        let header = Header {
            command: self.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: vec![("Latency".to_owned(), format!("{} cycles; {second}", self.latency))],
        };
        verilog(&self.design, &header)
    }

    /// The command that generates it, all options spelled out.
    pub fn command(&self) -> String {
        let CoreSpec { system, role, lanes, reset, on_error } = self.spec;
        format!("utfhdl generate {system} {role} --lanes {lanes} --reset {reset} --on-error {on_error}")
    }
}

/// Name of a core's top module: system, role and lanes.
fn module_name(system: System, role: Role, lanes: u32) -> String {
    format!("{}_{role}_x{lanes}", system.name().replace('-', "_"))
}
