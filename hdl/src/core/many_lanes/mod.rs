//! Cores of several lanes: so many units a cycle.

mod decoder;

use std::sync::Arc;

use super::CoreSpec;
use crate::netlist::Module;

/// Builds the top module of a decoder of several lanes; gives its latency in cycles too.
pub(super) fn build(spec: &CoreSpec) -> (Arc<Module>, u32) {
    decoder::decoder(spec)
}
