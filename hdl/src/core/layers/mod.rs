//! Layers around a core, which change its ports and not its work. [`status`](super::status) has the layer of a status.

pub(super) mod passengers;
pub(super) mod streams;
pub(super) mod strict;
