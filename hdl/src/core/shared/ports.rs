//! AXI4-Stream ports of a core: a side of units or a side of slots, input or output.

use crate::core::{Bus, Choose, System};
use crate::netlist::{Builder, Signal};
use crate::stream::{Fields, connect, skid_buffer};

use super::error_kind::slot_labels;
use crate::core::{CoreSpec, Verdict};

/// Bits of a slot's `tdata`.
pub(in crate::core) const SLOT_DATA_BITS: u32 = 32;
/// Bits of a slot's `tuser`.
pub(in crate::core) const SLOT_USER_BITS: u32 = 4;

const UNITS_IN: &str = "AXI4-Stream input: units";
const UNITS_OUT: &str = "AXI4-Stream output: units";
const SLOTS_IN: &str = "AXI4-Stream input: slots";
const SLOTS_OUT: &str = "AXI4-Stream output: slots";

/// The port with the number of the frame's system in a list.
pub(in crate::core) const SYSTEM_PORT: &str = "system";

/// Meanings of the ports that all sides have.
const OFFERED: &str = "a beat is offered";
const TAKEN: &str = "the beat is taken";
const LAST: &str = "the beat ends its frame";

/// The description of the contents of a beat of `lanes` lanes.
fn held(lanes: u32, what: &str) -> String {
    match lanes {
        1 => format!("the {what}"),
        _ => format!("the {what} of each lane, lane 0 first in time and in the low bits"),
    }
}

/// Which lanes of a beat hold `what`.
fn kept(lanes: u32, what: &str) -> String {
    match lanes {
        1 => format!("the beat holds a {what}"),
        _ => format!("the lane holds a {what}"),
    }
}

/// A beat of units as it comes in.
#[derive(Clone, Copy)]
pub(in crate::core) struct UnitsIn<'m> {
    /// `lanes` × unit bits.
    pub(in crate::core) tdata: Signal<'m>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
    /// The number of the frame's system in a list; `None` of a single system.
    pub(in crate::core) system: Option<Signal<'m>>,
}

/// Declares the inputs of the encoded side of a core that reads `lanes` units of `system` a cycle. A list of systems of which a port chooses
/// one has that port besides those of the stream.
pub(in crate::core) fn units_of(m: &Builder, system: System, lanes: u32) -> UnitsIn<'_> {
    match system {
        System::Auto(auto) if auto.choose() == Choose::Port => {
            let input = units_in(m, lanes, system.port_bits());
            m.port_group("System of the frame");
            let names: Vec<String> = auto.among().iter().map(ToString::to_string).collect();
            let note = format!("read with the frame's first unit: number of {}", names.join(", "));
            UnitsIn { system: Some(m.input(SYSTEM_PORT, auto.number_bits(), &note)), ..input }
        }
        _ => units_in(m, lanes, system.unit_bits()),
    }
}

/// Declares the inputs of the encoded side of a decoder or transcoder.
pub(in crate::core) fn units_in(m: &Builder, lanes: u32, unit_bits: u32) -> UnitsIn<'_> {
    m.port_group(UNITS_IN);
    UnitsIn {
        tdata: m.input("s_axis_tdata", lanes * unit_bits, &held(lanes, "unit")),
        tkeep: m.input("s_axis_tkeep", lanes, &kept(lanes, "unit")),
        tvalid: m.input("s_axis_tvalid", 1, OFFERED),
        tlast: m.input("s_axis_tlast", 1, LAST),
        system: None,
    }
}

/// Declares the ready of [`units_in`].
pub(in crate::core) fn units_in_ready<'m>(m: &'m Builder, ready: Signal<'m>) {
    m.port_group(UNITS_IN);
    m.output("s_axis_tready", ready, TAKEN);
}

/// Beats of units as a skid buffer at the input has them.
pub(in crate::core) struct BufferedUnits<'m> {
    /// There is a beat.
    pub(in crate::core) valid: Signal<'m>,
    /// The facts that the buffer holds with each beat, and then its `tlast`, `tkeep` and `tdata`.
    pub(in crate::core) fields: Fields<'m>,
}

/// Puts a skid buffer behind the input of units, which makes a register of its ready, and declares that. `facts` of the beat that is offered are held with
/// it. `take`: the beat in the buffer is taken.
pub(in crate::core) fn buffered_units<'m>(
    m: &'m Builder,
    input: &UnitsIn<'m>,
    facts: impl IntoIterator<Item = Signal<'m>>,
    take: Signal<'m>,
) -> BufferedUnits<'m> {
    let offered = facts.into_iter().chain([input.tlast, input.tkeep, input.tdata]);
    let offered = m.concat(offered.collect::<Vec<_>>());
    let buffer = m.instance("input_skid", &skid_buffer(offered.width()));
    let skid = connect(buffer, input.tvalid, offered, take);
    units_in_ready(m, skid.ready.named("input_ready"));
    let valid = skid.valid.named("beat_valid");
    BufferedUnits { valid, fields: Fields::of(skid.payload.named("beat")) }
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

/// Declares the inputs of the decoded side of an encoder. `is_long` says whether the system has code points of 2^32 or
/// more; to other systems, heads and limbs are errors.
pub(in crate::core) fn slots_in(m: &Builder, lanes: u32, is_long: bool, bus: Bus) -> SlotsIn<'_> {
    m.port_group(SLOTS_IN);
    let (data, user) = match is_long {
        true => (
            "code point, or what a head or limb holds",
            "0 for a code point, 14 for a head, 15 for a limb, else an error",
        ),
        false => ("code point", "0 for a code point, else an error"),
    };
    SlotsIn {
        tdata: m.input("s_axis_tdata", lanes * bus.data_bits(), &held(lanes, data)),
        tkeep: m.input("s_axis_tkeep", lanes, &kept(lanes, "slot")),
        tuser: named(m.input("s_axis_tuser", lanes * SLOT_USER_BITS, user)),
        tvalid: m.input("s_axis_tvalid", 1, OFFERED),
        tlast: m.input("s_axis_tlast", 1, LAST),
    }
}

/// A `tuser` with the names of its values. The fields of several lanes side by side have none.
fn named(tuser: Signal<'_>) -> Signal<'_> {
    if tuser.width() == SLOT_USER_BITS { tuser.labels(&slot_labels()) } else { tuser }
}

/// Declares the ready of [`slots_in`].
pub(in crate::core) fn slots_in_ready<'m>(m: &'m Builder, ready: Signal<'m>) {
    m.port_group(SLOTS_IN);
    m.output("s_axis_tready", ready, TAKEN);
}

/// A beat of slots as it goes out.
pub(in crate::core) struct SlotsOut<'m> {
    /// One for each lane: the code point, of at most 32 bits.
    pub(in crate::core) data: Vec<Signal<'m>>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    /// The kind of each lane's slot, at most four bits.
    pub(in crate::core) user: Vec<Signal<'m>>,
    /// The place of each lane's slot, above its kind; `None` if slots have none.
    pub(in crate::core) place: Option<Vec<Signal<'m>>>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
    /// Some slots are heads and limbs.
    pub(in crate::core) is_long: bool,
}

/// Declares the ready of [`slots_out`].
pub(in crate::core) fn slots_out_ready(m: &Builder) -> Signal<'_> {
    m.port_group(SLOTS_OUT);
    m.input("m_axis_tready", 1, TAKEN)
}

/// Declares the outputs of the decoded side of a decoder.
pub(in crate::core) fn slots_out<'m>(m: &'m Builder, spec: &CoreSpec, beat: SlotsOut<'m>) {
    m.port_group(SLOTS_OUT);
    let lanes = |slots: Vec<Signal<'m>>, width| {
        m.concat(slots.into_iter().rev().map(|slot| slot.zext(width)).collect::<Vec<_>>())
    };
    let count = beat.data.len() as u32;
    let (data, user) = match (beat.is_long, beat.user[0].is_constant()) {
        (true, _) => (
            "code point, U+FFFD for an error, or what a head or limb holds",
            "0 for a code point, 14 for a head, 15 for a limb, else the kind of the error",
        ),
        (false, true) => ("code point", "0, since every slot is a code point"),
        (false, false) => {
            ("code point, U+FFFD for an error", "0 for a code point, else the kind of the error")
        }
    };
    let tuser = match beat.place {
        None => named(lanes(beat.user, SLOT_USER_BITS)),
        Some(places) => {
            let kinds = beat.user.into_iter().map(|kind| kind.zext(SLOT_USER_BITS));
            let both = places.into_iter().zip(kinds).rev().flat_map(|(place, kind)| [place, kind]);
            m.concat(both.collect::<Vec<_>>())
        }
    };
    let user = if tuser.width() > count * SLOT_USER_BITS {
        let places = spec.present_places().map(|(option, _)| match option {
            "line" => "the number of the slot's line",
            "column" => "the slot's column in the line",
            _ => "the offset of the slot's first unit in the frame",
        });
        let places = places.collect::<Vec<_>>().join(", ");
        format!("low {SLOT_USER_BITS} bits of a lane: {user}; above, {places}")
    } else {
        user.to_owned()
    };
    m.output("m_axis_tdata", lanes(beat.data, spec.bus.data_bits()), &held(count, data));
    m.output("m_axis_tkeep", beat.tkeep, &kept(count, "slot"));
    m.output("m_axis_tuser", tuser, &user);
    m.output("m_axis_tvalid", beat.tvalid, OFFERED);
    m.output("m_axis_tlast", beat.tlast, LAST);
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
    m.input("m_axis_tready", 1, TAKEN)
}

/// Declares the outputs of the encoded side of an encoder or transcoder.
pub(in crate::core) fn units_out<'m>(m: &'m Builder, beat: UnitsOut<'m>) {
    m.port_group(UNITS_OUT);
    let lanes = beat.units.len() as u32;
    m.output("m_axis_tdata", m.concat(beat.units.into_iter().rev()), &held(lanes, "unit"));
    m.output("m_axis_tkeep", beat.tkeep, &kept(lanes, "unit"));
    m.output("m_axis_tuser", beat.tuser, "with tlast: something in the frame could not be written");
    m.output("m_axis_tvalid", beat.tvalid, OFFERED);
    m.output("m_axis_tlast", beat.tlast, LAST);
}

/// A beat of units with the marks of a validator as it goes out.
pub(in crate::core) struct ValidatedOut<'m> {
    pub(in crate::core) tdata: Signal<'m>,
    /// `lanes` bits.
    pub(in crate::core) tkeep: Signal<'m>,
    /// `lanes` × [bits of a lane](Verdict::lane_bits).
    pub(in crate::core) tuser: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    pub(in crate::core) tlast: Signal<'m>,
}

/// Declares the outputs of a validator; its ready is that of [`units_out_ready`].
pub(in crate::core) fn validated_out<'m>(
    m: &'m Builder,
    beat: ValidatedOut<'m>,
    lanes: u32,
    verdict: Verdict,
) {
    m.port_group(UNITS_OUT);
    let fields = verdict.fields().into_iter().map(|field| format!("{} {}", field.place(), field.name));
    let fields = held(lanes, &format!("marks: {}", fields.collect::<Vec<_>>().join(", ")));
    m.output("m_axis_tdata", beat.tdata, &held(lanes, "unit"));
    m.output("m_axis_tkeep", beat.tkeep, &kept(lanes, "unit"));
    m.output("m_axis_tuser", beat.tuser, &fields);
    m.output("m_axis_tvalid", beat.tvalid, OFFERED);
    m.output("m_axis_tlast", beat.tlast, LAST);
}
