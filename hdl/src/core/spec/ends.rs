//! How a transcoder ends its frames.

use super::super::is_long;
use super::{CoreSpec, ErrorMode, Role};
use crate::core::System;

/// When the end of a frame goes out after all units of the frame, not together with the last of them that fills an output beat. So it is in transcoders of
/// several lanes that are a decoder and an encoder in series and drop errors: the decoder may carry the last slot, which then comes in a beat of
/// its own. If nothing is written for that slot, the units before it are gone by then or not, as the sides stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndApart {
    /// It never does.
    Never,
    /// If the last slot of the frame is an error. All code points of the input are written.
    AfterError,
    /// Always: code points of the input may be ones that cannot be written.
    Always,
}

impl CoreSpec {
    /// When the end of a frame goes out after all its units.
    pub fn end_apart(&self) -> EndApart {
        let Self { role: Role::Transcoder { to }, on_error: ErrorMode::Drop, lanes: 2.., .. } = *self else {
            return EndApart::Never;
        };
        match to {
            _ if matches!(self.system, System::UtfInf8 { .. }) && is_long(to) => EndApart::AfterError,
            _ if !self.system.has_multi_octet() => EndApart::Never,
            System::Utf8
            | System::Utf16
            | System::Utf16Octets { .. }
            | System::Utf32 { .. }
            | System::Utf32Octets { .. } => EndApart::AfterError,
            _ => EndApart::Always,
        }
    }
}
