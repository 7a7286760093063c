//! Cores of several lanes, which take a unit or slot for each lane in a cycle.

mod buffers;
mod decoder;
mod document;
mod encoder;
mod logic;
mod mark_of_system;
mod marks;
mod observer;
mod opening_layer;
mod output_fifo;
mod output_skid;
mod transcoder;
mod validator;

use std::sync::Arc;

pub(super) use encoder::observer as observer_of_slots;
pub(super) use observer::observer;

use super::{CoreSpec, Role, System};
use crate::netlist::Module;

/// Builds a core of several lanes as a module called `name`; gives its latency in cycles too.
pub(super) fn build(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    if let Some(auto) = mark_of_system::by_mark(spec.system) {
        return mark_of_system::around(name, (spec, auto), of_text);
    }
    match (spec.role, spec.system) {
        (Role::Decoder | Role::Transcoder { .. }, System::CorrectedUtf8 { document: true, .. }) => {
            document::around(name, spec, of_text)
        }
        _ => of_text(spec, name),
    }
}

/// Builds a core without a layer that looks at the opening of frames.
fn of_text(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    match spec.role {
        Role::Decoder => decoder::decoder(spec, name),
        Role::Encoder => encoder::encoder(spec, name),
        Role::Transcoder { to } => transcoder::transcoder(spec, to, name),
        Role::Validator(verdict) => validator::validator(spec, verdict, name),
    }
}
