//! An encoder behind a decoder gives back what is well-formed, unit by unit.
//!
//! What is well-formed is said by the machines of [`spec`]: as long as the input is, each unit that goes in is owed on
//! the output, with its `tlast`. Behind a mistake in the input nothing is compared any more.

use std::sync::Arc;

use utfhdl_hdl::core::{Core, CoreSpec, Role};
use utfhdl_hdl::netlist::{Builder, Design, Module, Signal};

use super::bench::{Bench, problem};
use super::pick::{Item, differs};
use super::spec;

/// The decoder that belongs to an encoder.
fn decoder(encoder: &Core) -> CoreSpec {
    let spec = encoder.spec;
    let role = Role::Decoder;
    CoreSpec { role, on_error: role.on_error()[0], ..spec }
}

/// Whether it is about a core: an encoder of one lane of a system that has a machine.
pub fn is_there(core: &Core) -> bool {
    core.spec.role == Role::Encoder && Core::new(decoder(core)).is_ok_and(|decoder| spec::is_there(&decoder))
}

/// The decoder and the encoder, one behind the other.
fn chain(decoder: &Core, encoder: &Core) -> Arc<Module> {
    let m = Builder::new("chain", "A decoder, and an encoder behind it.");
    let [first, second] =
        [("decoder", decoder), ("encoder", encoder)].map(|(name, core)| m.instance(name, &core.design.top));
    for port in decoder.design.top.inputs().filter(|port| port.name.starts_with("s_axis")) {
        first.input(&port.name, m.input(&port.name, port.width, &port.note));
    }
    for port in ["tdata", "tkeep", "tuser", "tvalid", "tlast"] {
        second.input(&format!("s_axis_{port}"), first.output(&format!("m_axis_{port}")));
    }
    first.input("m_axis_tready", second.output("s_axis_tready"));
    second.input("m_axis_tready", m.input("m_axis_tready", 1, "the beat is taken"));
    m.output("s_axis_tready", first.output("s_axis_tready"), "the beat is taken");
    for port in encoder.design.top.outputs().filter(|port| port.name.starts_with("m_axis")) {
        m.output(&port.name, second.output(&port.name), &port.note);
    }
    m.built()
}

/// The problem of an encoder.
pub fn design(encoder: &Core) -> Option<Design> {
    let decoder = Core::new(decoder(encoder)).ok().filter(|_| is_there(encoder))?;
    let top = chain(&decoder, encoder);
    let design = Design { top, reset: encoder.design.reset };
    let role = Role::Transcoder { to: encoder.spec.system };
    let both =
        Core { spec: CoreSpec { role, ..encoder.spec }, design, latency: decoder.latency + encoder.latency };
    problem(&both, |bench| bad(bench, &decoder))
}

fn bad<'m>(bench: &Bench<'m>, decoder: &Core) -> Option<Signal<'m>> {
    let (m, input) = (bench.m, &bench.input);
    let spoils = spec::spoils(bench, decoder)?;
    let was_spoilt = m.reg("was_spoilt_reg", 1).reset(0);
    let spoilt = (was_spoilt.q | spoils).named("spoilt");
    was_spoilt.next(spoilt);

    let holds = input.tkeep.bit(0);
    let is_there = input.taken() & (holds | input.tlast);
    // In the order of a beat: tlast, tuser, tkeep, tdata.
    let word = m.concat([input.tlast, m.lit(1, 0), input.tkeep, input.tdata.when(holds)]);
    let most = 2 * u64::from(bench.core.latency) + 8;
    Some(!spoilt & differs(m, &bench.output, &[Item { is_there, word }], most))
}
