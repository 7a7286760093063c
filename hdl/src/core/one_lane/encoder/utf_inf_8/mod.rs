//! The encoder of `utf-inf-8`, for code points of any size. Code points of up to 71 bits are held whole, as in any
//! other system; longer ones are *streamed*: they are written limb by limb as they come. [`format`](mod@format) says
//! how limbs become units.
//!
//! ```text
//!           next                   stage 1             stage 2       output
//!  buffer ──> the event that is ──> the pass that is ──> one unit ──> register ──> m_axis
//!             written next          written              a cycle
//! ```
//!
//! A *pass* is the data that stage 1 loads at once. Registers decide which pass comes next. The passes of an event, in
//! this order:
//!
//! | pass | units | when |
//! | --- | --- | --- |
//! | opener | FF | at the first limb of a streamed code point |
//! | digits | B4 … A0 … | after the opener |
//! | limb | those that the limb completes, if any | at every limb of a streamed code point |
//! | own | the code point, or the replacement | at everything else; after a limb if the frame ends in the group |
//!
//! Limbs that are held pass by the event that is written next.

mod digits;
mod event;
mod events;
mod format;
mod head;
mod length;
mod passes;
mod write;

use super::half::{EncodingHalf, LATENCY, OutputRegister, buffered, output};
use super::slot_stage::SlotInput;
use crate::core::one_lane::slot::LongSlot;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// Cycles that an event takes through the register of the next event, before stage 1.
const NEXT_EVENT: u32 = 1;

/// The encoding half of a core for code points of up to `limit` digits. `long` says which slots of the input are heads
/// and limbs.
pub(super) fn encode<'m>(
    m: &'m Builder,
    limit: u64,
    on_error: ErrorMode,
    input: SlotInput<'m>,
    long: LongSlot<'m>,
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    let advance = m.wire("advance", 1).note("the output register takes a unit");
    let event = events::events(m, input, long, limit);
    let taken = m.wire("event_taken", 1);
    let beat = buffered(m, event, taken, input);
    let unit = write::write(m, limit, on_error, beat, taken, OutputRegister { ready: units_ready, advance });
    let latency = LATENCY + NEXT_EVENT + input.stage.latency();
    EncodingHalf { units: output(m, unit, units_ready, advance), latency }
}
