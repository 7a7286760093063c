//! Handshake blocks.
