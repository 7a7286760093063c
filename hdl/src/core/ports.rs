//! The two sides of a core, as AXI4-Stream ports.

use crate::netlist::{Builder, Signal};

use super::slot_labels;

/// Bits of a slot's `tdata`.
const SLOT_DATA_BITS: u32 = 32;
/// Bits of a slot's `tuser`.
const SLOT_USER_BITS: u32 = 4;

/// A beat of the encoded side as it comes in: `lanes` units.
pub(super) struct EncodedInput<'m> {
    /// `lanes` × unit bits.
    pub(super) tdata: Signal<'m>,
    /// `lanes` bits.
    pub(super) tkeep: Signal<'m>,
    pub(super) tvalid: Signal<'m>,
    pub(super) tlast: Signal<'m>,
}

const ENCODED_INPUT: &str = "Encoded side: AXI4-Stream of units, lane 0 first in time";
const UCS_OUTPUT: &str = "Decoded side: AXI4-Stream of slots, lane 0 first in time";

/// Declares the inputs of the encoded side of a decoder.
pub(super) fn encoded_input(m: &Builder, lanes: u32, unit_bits: u32) -> EncodedInput<'_> {
    m.port_group(ENCODED_INPUT);
    EncodedInput {
        tdata: m.input("s_axis_tdata", lanes * unit_bits, "units"),
        tkeep: m.input("s_axis_tkeep", lanes, "lane holds a unit"),
        tvalid: m.input("s_axis_tvalid", 1, "beat is offered"),
        tlast: m.input("s_axis_tlast", 1, "beat ends the frame"),
    }
}

/// Declares the ready of the encoded side of a decoder.
pub(super) fn encoded_input_ready<'m>(m: &'m Builder, ready: Signal<'m>) {
    m.port_group(ENCODED_INPUT);
    m.output("s_axis_tready", ready, "beat is taken");
}

/// Declares the ready of the decoded side of a decoder.
pub(super) fn ucs_output_ready(m: &Builder) -> Signal<'_> {
    m.port_group(UCS_OUTPUT);
    m.input("m_axis_tready", 1, "beat is taken")
}

/// A beat of slots as it goes out.
pub(super) struct UcsOutput<'m> {
    /// One for each lane: the code point, of at most 32 bits.
    pub(super) data: Vec<Signal<'m>>,
    /// `lanes` bits.
    pub(super) tkeep: Signal<'m>,
    /// One for each lane: what the slot holds, of at most four bits.
    pub(super) user: Vec<Signal<'m>>,
    pub(super) tvalid: Signal<'m>,
    pub(super) tlast: Signal<'m>,
}

/// Declares the outputs of the decoded side of a decoder.
pub(super) fn ucs_output<'m>(m: &'m Builder, beat: UcsOutput<'m>) {
    m.port_group(UCS_OUTPUT);
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
