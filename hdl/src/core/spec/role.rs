//! The role of a core, and its treatment of errors.

use std::fmt;
use std::str::FromStr;

use crate::core::{Choose, System, Verdict, decoded_only};

/// The most digits that a code point of `utf-inf-8` can have in encoders of several lanes: its length header has eight.
const MOST_OF_SEVERAL_LANES: u64 = (1 << 32) + 17;

/// The role of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Units in, the UCS stream out.
    Decoder,
    /// The UCS stream in, units out.
    Encoder,
    /// Units in, units of another system out.
    Transcoder {
        /// The system of the output; the [`CoreSpec`](super::CoreSpec) has the system of the input. The input may be ill-formed, the
        /// output is well-formed.
        to: System,
    },
    /// Units in, the same units out, with these marks.
    Validator(Verdict),
}

impl Role {
    /// The error modes of cores in this role, the default first.
    pub fn on_error(self) -> &'static [ErrorMode] {
        match self {
            Self::Decoder => &[ErrorMode::Flag, ErrorMode::Drop],
            Self::Encoder | Self::Transcoder { .. } => &[ErrorMode::Replace, ErrorMode::Drop],
            Self::Validator(_) => &[ErrorMode::Flag],
        }
    }

    /// `decoder`, `encoder`, `transcoder` or `validator`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Decoder => "decoder",
            Self::Encoder => "encoder",
            Self::Transcoder { .. } => "transcoder",
            Self::Validator(_) => "validator",
        }
    }

    /// Whether there is an encoder in the core: units go out that it has written, in beats that are full.
    pub fn has_encoder(self) -> bool {
        matches!(self, Self::Encoder | Self::Transcoder { .. })
    }

    /// The numbers of lanes that cores of a system in this role come in.
    pub fn lanes(self, system: System) -> &'static [u32] {
        match (self, system) {
            _ if !system.has_cores() => &[],
            (Self::Transcoder { to }, _) if !to.has_cores() => &[],
            (Self::Transcoder { to }, _) if Self::Encoder.lanes(to).is_empty() => &[],
            // The code points of other systems have no length header, and so need no limit of digits.
            (Self::Transcoder { to: System::UtfInf8 { .. } }, from)
                if !matches!(from, System::UtfInf8 { .. }) =>
            {
                Self::Decoder.lanes(from)
            }
            (Self::Encoder | Self::Decoder | Self::Validator(_), System::MultiOctet(_)) => &[1, 2, 4, 8],
            (Self::Encoder, decoded_only!()) | (Self::Validator(_), System::Utf7 { .. }) => &[],
            (Self::Decoder | Self::Validator(_), decoded_only!()) => &[1],
            (Self::Encoder | Self::Validator(_), System::Auto(_)) => &[],
            // Three octets that were held back go on together.
            (Self::Decoder, System::Auto(auto)) if auto.choose() == Choose::Mark => &[1, 4, 8],
            (Self::Decoder, System::Auto(_)) => &[1, 2, 4, 8],
            // A transcoder has a decoder in it, and an encoder.
            (Self::Transcoder { to }, _) => {
                let [decoder, encoder] = [Self::Decoder.lanes(system), Self::Encoder.lanes(to)];
                if decoder.len() < encoder.len() { decoder } else { encoder }
            }
            (Self::Encoder, System::UtfInf8 { digits }) if digits > MOST_OF_SEVERAL_LANES => &[1],
            (Self::Decoder | Self::Encoder, _) => &[1, 2, 4, 8, 16, 32, 64],
            (Self::Validator(_), _) => &[1, 2, 4, 8, 16, 32, 64],
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())?;
        if let Self::Transcoder { to } = self { write!(f, ":{to}") } else { Ok(()) }
    }
}

/// A core's treatment of errors, and of code points that its system does not have.
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
