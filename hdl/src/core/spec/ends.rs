//! How a transcoder ends its frames.

use super::super::is_long;
use super::{CoreSpec, ErrorMode, Role};
use crate::core::System;

/// The frames whose end goes out after all their units, even if the last of these units fills an output beat. A transcoder has such frames if it has several lanes,
/// drops errors, and is a decoder and an encoder in series. The decoder may carry the last slot of a frame, which then comes in a beat of its own, and
/// whether it does depends on how the sides stall. If nothing is written for that slot, the end could otherwise go out with the units before it or alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndApart {
    /// No frames.
    Never,
    /// Frames whose last slot is an error. All code points of the input are written.
    AfterError,
    /// All frames: code points of the input may be ones that cannot be written.
    Always,
}

impl CoreSpec {
    /// The frames whose end goes out after all their units.
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
