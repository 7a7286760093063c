//! An encoder of several lanes outputs the units that the definition of its system demands. The frames are those of code points and errors, as
//! in the `spec` of an encoder of one lane. A transcoder outputs the units for the slots that the definition of the system it reads makes of its
//! input.
//!
//! | part | what is proved | by |
//! | --- | --- | --- |
//! | `pipeline` | every register is a function of one beat, of its window and of the loops, and of no value from before a reset | the graph |
//! | `pace` | a stage loads if it holds no beat or if its beat moves on | a checker |
//! | `buffer` | every beat that enters the output buffer is output, once, in order and without delay | a checker |
//! | `slots` | of a transcoder: what is made of a beat at the boundary is the slots of the machine | a checker |
//! | `beats` | for any beats of a frame, the output is the units that the system's [writer](Writer) makes of the code points | a checker |

mod beats;
mod cells;
mod encoding;
mod pace;
mod slots;
mod units;
mod windows;

use utfhdl_hdl::core::Core;

use self::beats::beats;
use self::cells::EncoderCells;
pub(super) use self::encoding::Encoding;
use self::units::UnitsMade;
use super::boundary::Boundary;
use super::cells::Place;
use super::reset::Reset;
use super::{BUFFER, Part, check_buffer, check_latency, control, part};
use crate::prove::checker::Merging;

/// The parts that are problems for checkers, after a text on the graph.
///
/// # Errors
/// The reason, if the core is no such pipeline.
pub(super) fn parts(core: &Core, encoding: Encoding) -> Result<(String, Vec<Part>), String> {
    let encoder = EncoderCells::read(&core.design)?;
    let cells = &encoder.cells;
    check_latency(core, cells)?;
    check_buffer(cells)?;
    let reset = Reset::follow(cells, encoder.offered)?;
    let says = "a stage loads if it holds no beat or if its beat moves on";
    let pace = part(core, &encoder, ("pace", says), |m, encoder| pace::pace(m, encoder, &reset))?;
    let buffer = part(core, cells, BUFFER, |m, cells| control::buffer(m, cells, &reset))?;
    let boundary = if encoder.half > 0 { Boundary::of(&core.design, cells).ok() } else { None };
    let boundary = boundary.filter(|boundary| encoding.making(boundary).is_some());
    let mut parts = vec![pace, buffer];
    if let Some((boundary, making)) =
        boundary.as_ref().and_then(|boundary| Some((boundary, encoding.making(boundary)?)))
    {
        let says = "the slots that the machine makes of a beat are made, each in the place of its last unit";
        parts.push(part(core, cells, ("slots", says), |m, cells| {
            slots::slots(m, core, cells, (&reset, making, boundary))
        })?);
    }
    let says = "for any beats of a frame, the units of the definition go out";
    let made = UnitsMade::of(core, cells)?;
    let of = (&encoder, &made, boundary.as_ref());
    let mut beats = part(core, &of, ("beats", says), |m, (encoder, made, boundary)| {
        beats(m, core, (encoder, made), &reset, encoding, *boundary)
    })?;
    beats.merging = Merging::InOneState;
    let count = |is: fn(Place) -> bool| cells.registers(is).len();
    let how = format!(
        "{} bits of registers in {} stages, {} for the windows, {} in {} more, {} in loops",
        count(|place| matches!(place, Place::Units { is_loop: false, .. })),
        encoder.windows,
        count(|place| place == Place::Windows),
        count(|place| matches!(place, Place::Slots { .. })),
        cells.shown + cells.last_stage - encoder.windows - 1,
        count(|place| matches!(place, Place::Units { is_loop: true, .. } | Place::LeftOver { .. })),
    );
    parts.push(beats);
    Ok((how, parts))
}
