//! Which core is wanted: system, role, lanes, and options.

use std::fmt;
use std::str::FromStr;

use super::System;
use crate::netlist::ResetStyle;

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Units in, the UCS stream out.
    Decoder,
    /// The UCS stream in, units out.
    Encoder,
    /// Units in, units of another system out.
    Transcoder {
        /// The system of what comes out; that of what comes in, for ill-formed text in and well-formed text out.
        to: System,
    },
}

impl Role {
    /// What a core in this role can do about errors, the default first.
    pub fn on_error(self) -> [ErrorMode; 2] {
        match self {
            Self::Decoder => [ErrorMode::Flag, ErrorMode::Drop],
            Self::Encoder | Self::Transcoder { .. } => [ErrorMode::Replace, ErrorMode::Drop],
        }
    }

    /// The numbers of lanes that cores in this role come in.
    pub fn lanes(self) -> &'static [u32] {
        &[1]
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decoder => f.write_str("decoder"),
            Self::Encoder => f.write_str("encoder"),
            Self::Transcoder { to } => write!(f, "transcoder:{to}"),
        }
    }
}

/// What a core does about errors, and about code points its system does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorMode {
    /// Decoders: emits a slot that holds U+FFFD and the error's kind.
    Flag,
    /// Encoders and transcoders: writes U+FFFD, or U+003F where the system lacks that, or its last code point where it
    /// lacks both.
    Replace,
    /// Emits nothing, except, in a decoder, in place of a limb.
    Drop,
}

impl ErrorMode {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Flag, Self::Replace, Self::Drop];
}

impl fmt::Display for ErrorMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Replace => "replace",
            Self::Drop => "drop",
        })
    }
}

impl FromStr for ErrorMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|choice| choice.to_string() == text)
            .ok_or_else(|| "expected flag (decoders), replace (encoders, transcoders), or drop".to_owned())
    }
}

/// Which core is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoreSpec {
    /// The system; of a transcoder, that of what comes in.
    pub system: System,
    /// The role.
    pub role: Role,
    /// Units a cycle.
    pub lanes: u32,
    /// How its reset is wired.
    pub reset: ResetStyle,
    /// What it does about errors.
    pub on_error: ErrorMode,
}

impl CoreSpec {
    /// A core of one lane, its options as they are by default.
    pub fn new(system: System, role: Role) -> Self {
        Self { system, role, lanes: 1, reset: ResetStyle::default(), on_error: role.on_error()[0] }
    }

    /// Every decoder and encoder there is, with every number of lanes and treatment of errors; those of `utf-8` in every wiring of
    /// reset, which is the same for all.
    pub fn all() -> Vec<Self> {
        let roles = |system| [Role::Decoder, Role::Encoder].map(|role| (system, role));
        configurations(System::variants().flat_map(roles)).collect()
    }

    /// The transcoders of all ordered pairs of systems, a system and itself included, with every number of lanes and treatment of
    /// errors.
    pub fn transcoders() -> Vec<Self> {
        let pairs = |system| System::variants().map(move |to| (system, Role::Transcoder { to }));
        configurations(System::variants().flat_map(pairs)).collect()
    }

    /// Why there is no such core, if there is none.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(super) fn check(&self) -> Result<(), CoreError> {
        let Self { system, role, lanes, on_error, .. } = *self;
        let to = if let Role::Transcoder { to } = role { to } else { system };
        for system in [system, to] {
            if let Some(reason) = system.wrong_option() {
                return Err(CoreError::Option { system: system.name(), reason });
            }
        }
        if !role.lanes().contains(&lanes) {
            return Err(CoreError::Lanes { system, role, lanes });
        }
        if !role.on_error().contains(&on_error) {
            return Err(CoreError::ErrorMode { role, on_error });
        }
        Ok(())
    }

    /// Name of the top module: system, role and lanes.
    pub(super) fn module_name(&self) -> String {
        let identifier = |system: System| system.name().replace('-', "_");
        let (system, lanes) = (identifier(self.system), self.lanes);
        match self.role {
            Role::Decoder | Role::Encoder => format!("{system}_{}_x{lanes}", self.role),
            Role::Transcoder { to } => format!("{system}_to_{}_transcoder_x{lanes}", identifier(to)),
        }
    }
}

/// Each system and role with every number of lanes and treatment of errors, and some with every reset.
fn configurations(of: impl Iterator<Item = (System, Role)>) -> impl Iterator<Item = CoreSpec> {
    of.flat_map(|(system, role)| {
        let in_every_reset = system == System::Utf8 && !matches!(role, Role::Transcoder { .. });
        let resets = if in_every_reset { &ResetStyle::ALL[..] } else { &[ResetStyle::SyncHigh] };
        role.lanes().iter().flat_map(move |&lanes| {
            resets.iter().flat_map(move |&reset| {
                role.on_error().map(|on_error| CoreSpec { system, role, lanes, reset, on_error })
            })
        })
    })
}

/// A core that can't be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// An option of the system is out of its range.
    #[error("{system}: {reason}")]
    Option {
        /// The system.
        system: &'static str,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The number of lanes is not there.
    #[error("there is no {system} {role} of {lanes} lanes: it comes with {}", list(role.lanes()))]
    Lanes {
        /// The system.
        system: System,
        /// The role.
        role: Role,
        /// The number asked for.
        lanes: u32,
    },
    /// The role can't treat errors so.
    #[error("on-error {on_error} is not for a {role}: it can {}", list(&role.on_error()))]
    ErrorMode {
        /// The role.
        role: Role,
        /// The treatment asked for.
        on_error: ErrorMode,
    },
}

fn list(choices: &[impl fmt::Display]) -> String {
    choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
