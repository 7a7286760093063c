//! Transcoders of one lane: a decoding half and an encoding half.
//!
//! ```text
//!  units ──> decoding half ──> slot register ──> buffer of events ──> encoding half ──> units
//! ```
//!
//! The ready of the buffer of events, a register, moves all stages of the decoding half. Between the halves, errors
//! have neither a kind nor U+FFFD: the encoding half replaces or drops them.

use std::sync::Arc;

use super::decoder::{DecodingHalf, decoding_half};
use super::encoder::{EncodingHalf, encoding_half};
use super::slot::{LongSlot, OneSlotBeat};
use crate::core::System;
use crate::core::shared::ports::{SYSTEM_PORT, units_in_ready, units_of, units_out, units_out_ready};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, InstanceHandle, Module, Signal};

/// Builds a transcoder core; gives its latency in cycles, too.
pub(super) fn transcoder(name: &str, from: System, to: System, on_error: ErrorMode) -> (Arc<Module>, u32) {
    let m = Builder::new(name, format!("{} to {} transcoder, one unit a cycle", from.title(), to.title()));
    let input = units_of(&m, from, 1);
    let m_axis_tready = units_out_ready(&m);

    m.section("Units to slots");
    let DecodingHalf { module, latency: decoding } = decoding_half(from);
    let half = m.instance("decode", &module).part();
    half.input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tlast", input.tlast);
    if let Some(system) = input.system {
        half.input(SYSTEM_PORT, system);
    }
    let ready = m.wire("slots_ready", 1).note("the buffer of events takes a slot");
    half.input("m_ready", ready);
    units_in_ready(&m, half.output("s_axis_tready").named("units_ready"));
    let slots = slots(&m, half, &module);

    let EncodingHalf { units, latency: encoding } =
        encoding_half(&m, to, on_error, slots, ready, m_axis_tready);
    units_out(&m, units);
    let module = match to {
        // The data of a slot is read up to the stage that looks its code point up, and beyond that only where there are heads.
        System::MultiOctet(_) => m.built_trimmed(),
        _ => m.built(),
    };
    (module, decoding + encoding)
}

/// The slots that come out of the decoding half.
fn slots<'m>(m: &'m Builder, half: InstanceHandle<'m>, module: &Module) -> OneSlotBeat<'m> {
    let has = |name: &str| module.outputs().any(|port| port.name == name);
    let output = |name: &str, signal: &str| -> Signal<'m> { half.output(name).named(signal) };
    let long = has("m_head").then(|| LongSlot {
        head: output("m_head", "slot_head"),
        limb: output("m_limb", "slot_limb"),
        heads_are_good: true,
    });
    OneSlotBeat {
        valid: output("m_valid", "slot_valid"),
        last: output("m_last", "slot_last"),
        keep: output("m_keep", "slot_keep"),
        data: if has("m_data") { output("m_data", "slot_data") } else { m.lit(1, 0) },
        error: if has("m_error") { output("m_error", "slot_error") } else { m.lit(1, 0) },
        long,
    }
}
