//! Stage 2, first half: how the unit goes on with the sequence before it.

use super::classify::Class;
use crate::netlist::{Builder, Signal};

/// What is known of the sequence before the unit, and of the unit in it.
#[derive(Clone, Copy)]
pub(super) struct Sequence<'m> {
    /// A sequence has begun and is not whole yet.
    pub(super) open: Signal<'m>,
    /// 15 bits: its code point so far; without meaning in no sequence.
    pub(super) gathered: Signal<'m>,
    /// The unit goes on with it.
    pub(super) fits: Signal<'m>,
    /// With the unit it is whole, if the unit fits.
    pub(super) last_missing: Signal<'m>,
    /// A sequence is open after the unit.
    pub(super) unfinished: Signal<'m>,
    /// The lead was of four units: only where a trailing unit did not fit.
    pub(super) of_4: Signal<'m>,
    /// The lead was ED or F4: only where a trailing unit did not fit.
    pub(super) lower: Signal<'m>,
}

pub(super) fn sequence<'m>(m: &'m Builder, class: Class<'m>, advance: Signal<'m>) -> Sequence<'m> {
    m.section("Stage 2: the sequence that the unit stands in");
    let open = m.reg("open_reg", 1).reset(0).note("in a sequence; the four below mean nothing elsewhere");
    let missing = m.reg("missing_reg", 2).note("trailing units still to come");
    let narrow = m.reg("narrow_reg", 1).note("not every trailing unit may follow");
    let lower = m.reg("lower_only_reg", 1).note("if so: only the lower ones");
    let gathered = m.reg("gathered_reg", 15).note("bits of the code point");

    // After E0 and ED bit 5 tells upper from lower, after F0 and F4 bits 5 and 4.
    let of_4 = missing.q.bit(0).named("of_4").note("where narrow_reg: after F0 or F4");
    let is_upper = (class.payload.bit(5) | class.payload.bit(4) & of_4).named("is_upper");
    let misfit = (narrow.q & is_upper.eq(lower.q)).named("misfit");
    let fits = (open.q & class.trailing & !misfit).named("fits");
    let last_missing = missing.q.is(1).named("last_missing");
    let unfinished = (class.lead | fits & !last_missing).named("unfinished").note("open after the unit");

    let load = (advance & class.present).named("load");
    open.next_when(load, unfinished & !class.frame_ends);
    missing.next_when(load, class.lead.mux(class.follow, m.concat([missing.q.all(), !missing.q.bit(0)])));
    narrow.next_when(load, class.lead & class.narrows);
    lower.next_when(load, class.lower);
    let above = class.lead.mux(m.lit(9, 0), gathered.q.bits(0..9));
    gathered.next_when(load, m.concat([above, class.payload.bits(0..6)]));
    let (open, gathered, lower) = (open.q, gathered.q, lower.q);
    Sequence { open, gathered, fits, last_missing, unfinished, of_4, lower }
}
