//! Values that are not there.

/// The reason for which a signal has no value, as a digit that all its bits show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Absent {
    /// The value is not known.
    Unknown = b'x',
    /// Nothing is offered: viewers draw a thin line.
    Idle = b'z',
}
