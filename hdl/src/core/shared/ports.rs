//! AXI4-Stream ports of a core: a side of units or a side of slots, input or output.

use crate::netlist::{Builder, Signal};

use super::error_kind::slot_labels;

/// Bits of a slot's `tdata`.
pub(in crate::core) const SLOT_DATA_BITS: u32 = 32;
/// Bits of a slot's `tuser`.
pub(in crate::core) const SLOT_USER_BITS: u32 = 4;

const UNITS_IN: &str = "Encoded side, in: AXI4-Stream of units, lane 0 first in time";
const UNITS_OUT: &str = "Encoded side, out: AXI4-Stream of units, lane 0 first in time";
const SLOTS_IN: &str = "Decoded side, in: AXI4-Stream of slots, lane 0 first in time";
const SLOTS_OUT: &str = "Decoded side, out: AXI4-Stream of slots, lane 0 first in time";

/// A beat of units as it comes in.
pub(in crate::core) struct UnitsIn<'m> {
    /// `lanes` × unit bits.
    pub(in crate::core) tdata: Signal<'m>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
}

/// Declares the inputs of the encoded side of a decoder or transcoder.
pub(in crate::core) fn units_in(m: &Builder, lanes: u32, unit_bits: u32) -> UnitsIn<'_> {
    m.port_group(UNITS_IN);
    UnitsIn {
        tdata: m.input("s_axis_tdata", lanes * unit_bits, "units"),
        tkeep: m.input("s_axis_tkeep", lanes, "lane holds a unit"),
        tvalid: m.input("s_axis_tvalid", 1, "beat is offered"),
        tlast: m.input("s_axis_tlast", 1, "beat ends the frame"),
    }
}

/// Declares the ready of [`units_in`].
pub(in crate::core) fn units_in_ready<'m>(m: &'m Builder, ready: Signal<'m>) {
    m.port_group(UNITS_IN);
    m.output("s_axis_tready", ready, "beat is taken");
}

/// A beat of slots as it comes in.
pub(in crate::core) struct SlotsIn<'m> {
    /// `lanes` × 32 bits.
    pub(in crate::core) tdata: Signal<'m>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    /// `lanes` × 4 bits.
    pub(in crate::core) tuser: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
}

/// Declares the inputs of the decoded side of an encoder.
pub(in crate::core) fn slots_in(m: &Builder, lanes: u32) -> SlotsIn<'_> {
    m.port_group(SLOTS_IN);
    SlotsIn {
        tdata: m.input("s_axis_tdata", lanes * SLOT_DATA_BITS, "code points"),
        tkeep: m.input("s_axis_tkeep", lanes, "lane holds a slot"),
        tuser: m
            .input(
                "s_axis_tuser",
                lanes * SLOT_USER_BITS,
                "0: code point; 1 to 10: error; 14, 15: head, limb",
            )
            .labels(&slot_labels()),
        tvalid: m.input("s_axis_tvalid", 1, "beat is offered"),
        tlast: m.input("s_axis_tlast", 1, "beat ends the frame"),
    }
}

/// Declares the ready of [`slots_in`].
pub(in crate::core) fn slots_in_ready<'m>(m: &'m Builder, ready: Signal<'m>) {
    m.port_group(SLOTS_IN);
    m.output("s_axis_tready", ready, "beat is taken");
}

/// A beat of slots as it goes out.
pub(in crate::core) struct SlotsOut<'m> {
    /// One for each lane: the code point, of at most 32 bits.
    pub(in crate::core) data: Vec<Signal<'m>>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    /// One for each lane: what the slot holds, of at most four bits.
    pub(in crate::core) user: Vec<Signal<'m>>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
}

/// Declares the ready of [`slots_out`].
pub(in crate::core) fn slots_out_ready(m: &Builder) -> Signal<'_> {
    m.port_group(SLOTS_OUT);
    m.input("m_axis_tready", 1, "beat is taken")
}

/// Declares the outputs of the decoded side of a decoder.
pub(in crate::core) fn slots_out<'m>(m: &'m Builder, beat: SlotsOut<'m>) {
    m.port_group(SLOTS_OUT);
    let lanes = |slots: Vec<Signal<'m>>, width| {
        m.concat(slots.into_iter().rev().map(|slot| slot.zext(width)).collect::<Vec<_>>())
    };
    let tuser = lanes(beat.user, SLOT_USER_BITS).labels(&slot_labels());
    m.output("m_axis_tdata", lanes(beat.data, SLOT_DATA_BITS), "code points; U+FFFD for an error");
    m.output("m_axis_tkeep", beat.tkeep, "lane holds a slot");
    m.output("m_axis_tuser", tuser, "0: code point; 1 to 10: kind of error; 14, 15: head, limb");
    m.output("m_axis_tvalid", beat.tvalid, "beat is offered");
    m.output("m_axis_tlast", beat.tlast, "beat ends the frame");
}

/// A beat of units as it goes out.
pub(in crate::core) struct UnitsOut<'m> {
    /// One for each lane: the unit.
    pub(in crate::core) units: Vec<Signal<'m>>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    /// The frame that ends held something that could not be written as it stood.
    pub(in crate::core) tuser: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
}

/// Declares the ready of [`units_out`].
pub(in crate::core) fn units_out_ready(m: &Builder) -> Signal<'_> {
    m.port_group(UNITS_OUT);
    m.input("m_axis_tready", 1, "beat is taken")
}

/// Declares the outputs of the encoded side of an encoder or transcoder.
pub(in crate::core) fn units_out<'m>(m: &'m Builder, beat: UnitsOut<'m>) {
    m.port_group(UNITS_OUT);
    m.output("m_axis_tdata", m.concat(beat.units.into_iter().rev()), "units");
    m.output("m_axis_tkeep", beat.tkeep, "lane holds a unit");
    m.output("m_axis_tuser", beat.tuser, "with tlast: something in the frame could not be written");
    m.output("m_axis_tvalid", beat.tvalid, "beat is offered");
    m.output("m_axis_tlast", beat.tlast, "beat ends the frame");
}
