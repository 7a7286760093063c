//! The widths of AXI4-Stream to the letter: a layer of wiring around a core, for tools that insist on whole bytes.
//!
//! ```text
//!            ┌─ strict ─────────────────────────────┐
//!            │             ┌─ core ─┐               │
//!  tdata ────│─ low bits ─>│        │── zeros above │───> tdata
//!  tkeep ────│─ one bit ──>│        │── repeated ───│───> tkeep
//!            │  of a lane  └────────┘   in a lane   │
//!            └──────────────────────────────────────┘
//! ```
//!
//! A lane becomes a whole number of bytes: a unit of 9 bits takes 16, one of fewer than 8 takes 8. TKEEP has a bit for
//! each byte, and those of a lane are alike. TUSER has a number of bits that is a multiple of the number of bytes: that
//! of slots has it anyway, except of short ones, that of an encoder is repeated, short slots and the marks of a validator have zeros
//! above in each lane, and one with bits of the user's has zeros above. There is no register and no gate in the layer, so latency and
//! clock stay.

use std::sync::Arc;

use crate::core::CoreSpec;
use crate::netlist::{Builder, Direction, Module, Port, Signal};

/// Name of the core inside of the layer, as a module and as an instance.
pub(in crate::core) const INNER: &str = "core";

/// Bits of a byte of TDATA.
const BYTE: u32 = 8;

/// A module called `name` with strict ports around `core`, which is one of `spec`.
pub(in crate::core) fn strict(name: &str, core: &Arc<Module>, spec: &CoreSpec) -> Arc<Module> {
    let m = Builder::new(name, format!("{}; whole bytes on its ports", core.summary()));
    let inner = m.instance(INNER, core);
    let mut ignored = Vec::new();
    for port in core.ports() {
        m.port_group(port.group.as_str());
        let wide = Wide::new(port, core, spec);
        let labelled = |outer: Signal<'_>| {
            if let Some(labels) = &core.node(port.node).labels {
                outer.labels(labels);
            }
        };
        match port.direction {
            Direction::Input => {
                let outer = m.input(&port.name, wide.width(), &wide.note(port));
                labelled(outer);
                let (read, rest) = wide.narrowed(&m, outer);
                inner.input(&port.name, read);
                ignored.extend(rest);
            }
            Direction::Output => {
                let outer = wide.widened(&m, inner.output(&port.name));
                labelled(outer);
                m.output(&port.name, outer, &wide.note(port));
            }
        }
    }
    if !ignored.is_empty() {
        ignored.reverse();
        let padding = match spec.passengers.tuser {
            0 => "padding of TDATA, and further bits of TKEEP: nothing reads them",
            _ => "padding of TDATA and TUSER, and further bits of TKEEP: nothing reads them",
        };
        m.concat(ignored).named("unused_bits").note(padding);
    }
    m.built()
}

/// A port of the core, and how it is made wider.
struct Wide {
    /// The number of fields: lanes, or 1 for a bit that all lanes share.
    fields: u32,
    /// Bits of a lane on the core's port.
    bits: u32,
    how: How,
}

enum How {
    Same,
    /// The field, with zeros above up to this many bits.
    Padded(u32),
    /// The one bit of the field, repeated to this many bits.
    Repeated(u32),
}

impl Wide {
    fn new(port: &Port, core: &Module, spec: &CoreSpec) -> Self {
        if port.name.starts_with("status_") {
            return Self { fields: 1, bits: port.width, how: How::Same };
        }
        let (side, signal) = port.name.rsplit_once('_').expect("ports are called side_signal");
        let lanes = if side == "m_axis" { spec.lanes_out() } else { spec.lanes };
        let tdata = format!("{side}_tdata");
        let tdata = core.ports().iter().find(|port| port.name == tdata).expect("each side has data");
        let bytes = (tdata.width / lanes).div_ceil(BYTE);
        let (fields, how) = match signal {
            "tdata" if port.width != lanes * bytes * BYTE => (lanes, How::Padded(bytes * BYTE)),
            "tkeep" if bytes > 1 => (lanes, How::Repeated(bytes)),
            "tuser" if port.width.is_multiple_of(lanes * bytes) => (1, How::Same),
            "tuser" if spec.passengers.tuser > 0 => {
                (1, How::Padded(port.width.next_multiple_of(lanes * bytes)))
            }
            "tuser" if port.width == 1 => (1, How::Repeated(lanes * bytes)),
            "tuser" => (lanes, How::Padded((port.width / lanes).next_multiple_of(bytes))),
            _ => (1, How::Same),
        };
        Self { fields, bits: port.width / fields, how }
    }

    /// Bits of a field on the outer port.
    fn outer_bits(&self) -> u32 {
        match self.how {
            How::Same => self.bits,
            How::Padded(bits) => bits,
            How::Repeated(times) => self.bits * times,
        }
    }

    /// Bits of the outer port.
    fn width(&self) -> u32 {
        self.fields * self.outer_bits()
    }

    fn note(&self, port: &Port) -> String {
        let note = &port.note;
        match self.how {
            How::Same => note.clone(),
            How::Padded(bits) => format!("{note}, in the low {} of {bits} bits", self.bits),
            How::Repeated(_) if port.name.ends_with("tkeep") => format!("{note}, a bit for each byte"),
            How::Repeated(_) => "with tlast: something could not be written; all bits alike".to_owned(),
        }
    }

    /// The bits of an outer input that the core reads, and the bits that nothing reads, from the low bits up.
    fn narrowed<'m>(&self, m: &'m Builder, outer: Signal<'m>) -> (Signal<'m>, Vec<Signal<'m>>) {
        if matches!(self.how, How::Same) {
            return (outer, vec![]);
        }
        let (bits, step) = (self.bits, self.outer_bits());
        let lows = (0..self.fields).map(|field| field * step);
        let read: Vec<Signal> = lows.clone().rev().map(|low| outer.bits(low..low + bits)).collect();
        (m.concat(read), lows.map(|low| outer.bits(low + bits..low + step)).collect())
    }

    /// The outer output for the core's output `inner`.
    fn widened<'m>(&self, m: &'m Builder, inner: Signal<'m>) -> Signal<'m> {
        let field = |field: u32| {
            let field = inner.bits(field * self.bits..(field + 1) * self.bits);
            match self.how {
                How::Same => field,
                How::Padded(bits) => field.zext(bits),
                How::Repeated(times) => field.repeat(times as usize),
            }
        };
        match self.how {
            How::Same => inner,
            _ => m.concat((0..self.fields).rev().map(field)),
        }
    }
}
