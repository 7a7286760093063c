//! How the hardware runs.
