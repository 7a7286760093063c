//! `utf-inf-8`: code points of any size. Those of up to 71 bits are held whole, as in any other system; longer ones are written
//! as their limbs come.
//!
//! Three limbs are 96 bits, and so are sixteen units. Counted from the end of a code point, limbs make blocks of three, each
//! with a *place* in one register, and a unit is always cut from the same bits of it: nothing is ever shifted. A limb at
//! place 2 makes the units down to position 11, one at place 1 those down to 6, and one at place 0 the rest.
//!
//! ```text
//!           next                      1 write            2 unit    output
//!  (2   ──> the event that is    ──> what is written, ──> one ───> register ──> m_axis
//!  beats)   written next, and its    a bit for its        a cycle
//!           next pass                position
//! ```
//!
//! Which pass comes next is known from registers. Limbs that are held go by what is written next.
//!
//! What goes out for one event, in this order, each a pass through stage 1:
//!
//! | pass | units | when |
//! | --- | --- | --- |
//! | opener | FF | at the first limb of a code point that is written as it comes |
//! | digits | B4 … A0 … | behind that |
//! | limb | those that it makes whole, if any | at every limb of such a code point |
//! | own | the code point, or the replacement | at all else; behind a limb if the frame ends in the group |

mod digits;
mod events;
mod length;
mod passes;
mod write;

use super::prefix::Prefix;
use super::slot_stage::SlotStage;
use super::{EncodingHalf, LATENCY, buffered, output};
use crate::core::ErrorMode;
use crate::core::one_lane::slot::OneSlotBeat;
use crate::core::shared::forms::{SequenceForm, SequenceForms, UnitPattern};
use crate::netlist::{Builder, Signal};

/// Cycles that the register of [`passes`] takes, in front of stage 1.
const PASSES: u32 = 1;
/// Bits of a unit.
const UNIT: u32 = 8;
/// Bits of a limb.
const LIMB: u32 = 32;
/// Places of a block.
const PLACES: u32 = 3;
/// Position of the first unit of a whole block.
const BLOCK_START: u64 = 15;
/// Positions of the last unit that is made by a limb at place 2, and at place 1; and of those behind them.
const END_OF_2: u64 = 11;
const START_OF_1: u64 = END_OF_2 - 1;
const END_OF_1: u64 = 6;
const START_OF_0: u64 = END_OF_1 - 1;
/// Position of the first unit of the form of thirteen units.
const THIRTEEN: u64 = 12;
/// Bits of the longest code point that is held.
const HELD_BITS: u32 = 71;
/// U+FFFD, and the position of its first unit.
const REPLACEMENT: (u64, u64) = (0xfffd, 2);

/// The half of a core that encodes code points of up to `limit` digits.
pub(super) fn encode<'m>(
    m: &'m Builder,
    limit: u64,
    on_error: ErrorMode,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    let long = slots.long.expect("a source of code points of any size");
    let advance = m.wire("advance", 1).note("the output register takes a unit");
    let event = events::events(m, (slots, cut), long, limit);
    let taken = m.wire("event_taken", 1);
    let buffer = buffered(m, event.valid, event.payload(m), taken, (slots, cut));
    let beat = event.unpacked(buffer.valid, buffer.payload);
    let unit = write::write(m, limit, on_error, beat, taken, advance);
    EncodingHalf { units: output(m, unit, units_ready, advance), latency: LATENCY + PASSES + cut.latency() }
}

/// The forms of up to seven units, and that of thirteen: two lead units, of which the second looks like a trailing one.
fn short_forms() -> Prefix {
    let mut forms = SequenceForms::hunks(8, 7);
    let seven = *forms.forms.last().expect("seven forms");
    forms.forms.push(SequenceForm {
        lead: UnitPattern { marker: 0xff, data_bits: 0 },
        trailing: THIRTEEN as u32,
        bits: HELD_BITS,
        first: seven.last + 1,
        last: (1 << HELD_BITS) - 1,
    });
    Prefix::new(forms)
}
