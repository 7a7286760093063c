//! Cores of several lanes, which take a unit or slot for each lane in a cycle.

mod buffers;
mod decoder;
mod encoder;
mod logic;
mod mark_of_system;
mod marks;
mod observer;
mod output_fifo;
mod output_skid;
mod transcoder;
mod validator;

use std::sync::Arc;

pub(super) use encoder::observer as observer_of_slots;
pub(super) use observer::observer;

use super::{CoreSpec, Role};
use crate::netlist::Module;

/// Builds a core of several lanes as a module called `name`; gives its latency in cycles too.
pub(super) fn build(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    mark_of_system::around(name, spec, of_port)
}

/// Builds a core without byte order marks that choose.
fn of_port(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    match spec.role {
        Role::Decoder => decoder::decoder(spec, name),
        Role::Encoder => encoder::encoder(spec, name),
        Role::Transcoder { to } => transcoder::transcoder(spec, to, name),
        Role::Validator(verdict) => validator::validator(spec, verdict, name),
    }
}
