//! Cores of several lanes: so many units a cycle.

mod decoder;

use std::sync::Arc;

use super::CoreSpec;
use crate::netlist::Module;

/// Builds a decoder of several lanes as a module called `name`; gives its latency in cycles too.
pub(super) fn build(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    decoder::decoder(spec, name)
}
