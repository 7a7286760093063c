//! A layer in front of a core that looks at the octets that open a frame: it holds some back, drops some, and gives the others to the core.
//!
//! The input is a skid buffer, which makes `s_axis_tready` a register. A register in front of the core holds the beat that goes on.

use std::sync::Arc;

use super::logic::any_of;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::ports::{BufferedUnits, buffered_units, units_in};
use crate::netlist::{Builder, InstanceHandle, Module, Signal, Stage};

/// Cycles that the buffer of the input takes, and the register in front of the core.
pub(super) const LATENCY: u32 = 2;

/// A module called `name` around the instance `inner` of `core`. `layer` connects the input of the core; the output is that of the core.
pub(super) fn around(
    (name, summary): (&str, String),
    (core, inner): (&Arc<Module>, &str),
    layer: impl FnOnce(&Builder, InstanceHandle),
) -> Arc<Module> {
    let m = Builder::new(name, summary);
    let inner = m.instance(inner, core);
    layer(&m, inner);
    let is_output = |port: &str| port.starts_with("m_axis_");
    for port in core.inputs().filter(|port| is_output(&port.name)) {
        m.port_group(port.group.as_str());
        inner.input(&port.name, m.input(&port.name, port.width, &port.note));
    }
    for port in core.outputs().filter(|port| is_output(&port.name)) {
        m.port_group(port.group.as_str());
        m.output(&port.name, inner.output(&port.name), &port.note);
    }
    m.built()
}

/// The beat at hand: the octets of its lanes, which of them there are, and the end of the frame.
pub(super) struct Beat<'m> {
    m: &'m Builder,
    pub(super) octets: Vec<Signal<'m>>,
    pub(super) keep: Signal<'m>,
    /// There is a beat, and it ends its frame.
    pub(super) ends: Signal<'m>,
    /// The beat holds an octet or ends its frame.
    pub(super) present: Signal<'m>,
    /// The facts that [`input`](Self::input) was asked for, in that order. They have any values where there is no beat.
    pub(super) facts: Vec<Signal<'m>>,
    /// A wire to drive: the beat goes to the core, or is held back.
    moves_on: Signal<'m>,
}

/// The beat that goes on to the core in place of the beat at hand.
pub(super) struct Onward<'m> {
    /// The octet of each lane, and whether there is one.
    pub(super) lanes: Vec<(Signal<'m>, Signal<'m>)>,
    /// The beat at hand is held back.
    pub(super) holds: Signal<'m>,
    /// The beat at hand waits, since other octets go on before it.
    pub(super) waits: Signal<'m>,
}

/// A beat on its way to the core.
pub(super) struct Going<'m> {
    /// The register in front of the core, which has room where this is 1.
    pub(super) stage: Stage<'m>,
    /// The beat goes on, or a part of it, or it is held back.
    pub(super) reads: Signal<'m>,
    /// The frame ends with what goes on.
    pub(super) last: Signal<'m>,
}

impl<'m> Beat<'m> {
    /// The input of a core of `lanes` lanes. `facts` computes named signals from the octets of a beat and its `tkeep`, in front of the
    /// buffer. The buffer holds them with the beat, so that the layer can use them without computing them in the same cycle.
    pub(super) fn input(
        m: &'m Builder,
        lanes: u32,
        facts: impl FnOnce(&[Signal<'m>], Signal<'m>) -> Vec<(String, Signal<'m>)>,
    ) -> Self {
        let input = units_in(m, lanes, OCTET);
        let octets_of = |data: Signal<'m>| -> Vec<Signal> {
            (0..lanes).map(|lane| data.bits(lane * OCTET..(lane + 1) * OCTET)).collect()
        };
        let facts = facts(&octets_of(input.tdata), input.tkeep);
        m.section("Input: the skid buffer makes s_axis_tready a register");
        let moves_on = m.wire("beat_moves_on", 1).note("the beat goes to the core, or is held back");
        let known = facts.iter().map(|&(_, fact)| fact);
        let BufferedUnits { valid, mut fields } = buffered_units(m, &input, known, moves_on);
        let facts = facts.into_iter().map(|(name, fact)| fields.next(fact, &name)).collect();
        let ends = (valid & fields.next(input.tlast, "beat_last")).named("beat_ends_frame");
        let keep = fields.next(input.tkeep, "beat_keep").masked(valid).named("beat_has");
        let octets = octets_of(fields.next(input.tdata, "beat_data"));
        let present = (keep.bit(0) | ends).named("beat_present");
        Self { m, octets, keep, ends, present, facts, moves_on }
    }

    /// For each lane its octet, and whether there is one: of the whole beat where `stays`, and where one of `drops` is 1, without as many of the first
    /// octets as it says.
    pub(super) fn without_first(
        &self,
        stays: Signal<'m>,
        drops: &[(usize, Signal<'m>)],
    ) -> Vec<(Signal<'m>, Signal<'m>)> {
        let shifted = |from: &dyn Fn(usize) -> Option<Signal<'m>>, lane: usize| {
            let whole = from(lane).map(|part| part.masked(stays));
            let parts = drops.iter().filter_map(|&(drop, is)| Some(from(lane + drop)?.masked(is)));
            any_of(whole.into_iter().chain(parts).collect::<Vec<_>>()).expect("a lane")
        };
        let lanes = self.octets.len();
        let octet = |lane: usize| shifted(&|lane| self.octets.get(lane).copied(), lane);
        let there = |lane: usize| shifted(&|lane| (lane < lanes).then(|| self.keep.bit(lane as u32)), lane);
        (0..lanes).map(|lane| (octet(lane), there(lane))).collect()
    }

    /// Gives the core what goes on in place of this beat.
    pub(super) fn goes_on(&self, onward: Onward<'m>, inner: InstanceHandle<'m>) -> Going<'m> {
        let Self { m, ends, present, moves_on, .. } = *self;
        let Onward { lanes, holds, waits } = onward;
        let lanes = lanes.into_iter().enumerate().map(|(lane, (octet, there))| {
            (octet.named(&format!("octet_{lane}")), there.named(&format!("has_octet_{lane}")))
        });
        let (octets, there): (Vec<_>, Vec<_>) = lanes.unzip();
        let data = m.concat(octets.into_iter().rev());
        let keep = m.concat(there.into_iter().rev()).named("octets_there");
        let last = (ends & !waits).named("frame_ends");
        let goes_on = (present & !holds & (keep.bit(0) | last)).named("beat_goes_on");
        let offers = m.reg("offers_reg", 1).reset(0).note("a beat is offered to the core");
        let advance = (!offers.q | inner.output("s_axis_tready")).named("advance");
        offers.next_when(advance, goes_on);
        let stage = m.stage(advance);
        inner
            .input("s_axis_tdata", stage.data("octets_reg", data))
            .input("s_axis_tkeep", stage.data("keep_reg", keep))
            .input("s_axis_tlast", stage.data("last_reg", last))
            .input("s_axis_tvalid", offers.q);
        m.drive(moves_on, advance & !waits);
        Going { stage, reads: (advance & present).named("beat_is_read"), last }
    }
}
