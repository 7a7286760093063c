//! Cores of one lane: one unit or slot a cycle.

mod decoder;
mod encoder;
mod limb_counter;
mod observer;
mod slot;
mod transcoder;
mod validator;

use std::sync::Arc;

pub(super) use decoder::SWEEP as SWEEP_OF_TABLE;
pub(super) use observer::observer;

use super::{CoreSpec, Role};
use crate::netlist::Module;

/// Builds a core of one lane as a module called `name`; gives its latency in cycles too.
pub(super) fn build(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    let CoreSpec { system, on_error, .. } = *spec;
    match spec.role {
        Role::Decoder => decoder::decoder(spec, name),
        Role::Encoder => encoder::encoder(name, spec),
        Role::Validator(verdict) => validator::validator(spec, verdict, name),
        Role::Transcoder { to } => transcoder::transcoder(name, system, to, on_error),
    }
}
