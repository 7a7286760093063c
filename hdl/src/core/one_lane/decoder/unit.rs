//! The units that a decoder takes, one a beat.

use crate::core::shared::magic_number::magic_index;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{BufferedUnits, UnitsIn, buffered_units, units_in_ready};
use crate::core::{Choose, System};
use crate::netlist::{Builder, RegisterRole, Signal};

use super::mark_of_system::take_marked;

/// A beat of units in a core of one lane.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane) struct OneUnitBeat<'m> {
    pub(in crate::core::one_lane) unit: Signal<'m>,
    /// The beat holds a unit.
    pub(in crate::core::one_lane) unit_valid: Signal<'m>,
    /// The frame ends with the beat, which may hold a unit or none.
    pub(super) frame_ends: Signal<'m>,
    /// The position of the unit in the magic number of a document; `None` if frames are not documents.
    pub(super) magic_index: Option<Signal<'m>>,
    /// The octets of words come from the least significant on; `None` if the system says in which order they come.
    pub(super) little: Option<Signal<'m>>,
    /// The number of the frame's system in a list, valid with the frame's first unit; `None` of a single system.
    pub(super) number: Option<Signal<'m>>,
}

/// Connects the input ports to the pipeline. `looks_ahead` says whether the buffer after the pipeline says one cycle
/// ahead that the stages move.
pub(in crate::core::one_lane) fn take_units<'m>(
    m: &'m Builder,
    system: System,
    input: UnitsIn<'m>,
    looks_ahead: bool,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    match system {
        System::CorrectedUtf8 { document: true, .. } => take_documents(m, input, looks_ahead),
        System::Auto(auto) if auto.choose() == Choose::Mark => take_marked(m, auto, input, looks_ahead),
        _ => {
            let pace = Pace::new(m, looks_ahead);
            units_in_ready(m, pace.advance);
            let beat = OneUnitBeat {
                unit: input.tdata,
                unit_valid: (input.tvalid & input.tkeep).named("unit_valid"),
                frame_ends: (input.tvalid & input.tlast).named("frame_ends"),
                magic_index: None,
                little: None,
                number: input.system,
            };
            (pace, beat)
        }
    }
}

/// The system without a magic number that holds units up: a validator or an observer holds up none.
pub(in crate::core::one_lane) fn without_waits(system: System) -> System {
    match system {
        System::CorrectedUtf8 { private, .. } => System::CorrectedUtf8 { document: false, private },
        system => system,
    }
}

/// Connects the input ports to the pipeline of a core of several streams, which takes no beat while it `sweeps` their states.
pub(in crate::core::one_lane) fn take_streams<'m>(
    m: &'m Builder,
    input: UnitsIn<'m>,
    sweeps: Signal<'m>,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    take_gated(m, Pace::new(m, true).of_streams(), input, sweeps)
}

/// Connects the input ports to a pipeline of one stream, which takes no beat while it `sweeps` something after reset.
pub(super) fn take_swept<'m>(
    m: &'m Builder,
    input: UnitsIn<'m>,
    sweeps: Signal<'m>,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    take_gated(m, Pace::new(m, true), input, sweeps)
}

/// Connects the input ports to a pipeline that takes no beat while it `sweeps`.
fn take_gated<'m>(
    m: &'m Builder,
    pace: Pace<'m>,
    input: UnitsIn<'m>,
    sweeps: Signal<'m>,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    let takes = m.reg("takes_reg", 1).reset(0).note("a beat is taken").role(RegisterRole::Ready);
    takes.next(pace.moves_next() & !sweeps);
    units_in_ready(m, takes.q);
    let accepted = (input.tvalid & takes.q).named("accepted");
    let beat = OneUnitBeat {
        unit: input.tdata,
        unit_valid: (accepted & input.tkeep).named("unit_valid"),
        frame_ends: (accepted & input.tlast).named("frame_ends"),
        magic_index: None,
        little: None,
        number: None,
    };
    (pace, beat)
}

/// Connects the input ports to a pipeline whose first stages can wait for slots, through a skid buffer.
fn take_documents<'m>(m: &'m Builder, input: UnitsIn<'m>, looks_ahead: bool) -> (Pace<'m>, OneUnitBeat<'m>) {
    let pace = Pace::with_waits(m, looks_ahead);
    m.section("Input: the skid buffer makes s_axis_tready a register");
    let magic_index = magic_index(m, input.tdata, input.tkeep);
    let BufferedUnits { valid, mut fields } = buffered_units(m, &input, [magic_index], pace.take);
    let magic_index = fields.next(magic_index, "beat_magic_index");
    let (last, keep) = (fields.next(input.tlast, "beat_last"), fields.next(input.tkeep, "beat_keep"));
    let beat = OneUnitBeat {
        unit: fields.next(input.tdata, "unit"),
        unit_valid: (valid & keep).named("unit_valid"),
        frame_ends: (valid & last).named("frame_ends"),
        magic_index: Some(magic_index),
        little: None,
        number: None,
    };
    (pace, beat)
}
