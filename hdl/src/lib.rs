//! What the hardware is.
