//! Stages 1 and 2: the current pass, and its units one by one.

use super::digits::{Digits, MarkerLoads, Markers};
use super::event::StreamEvent;
use super::format::{
    BLOCK_START, END_OF_1, END_OF_2, HELD_BITS, LIMB_BITS, START_OF_THIRTEEN, UNIT_BITS, short_forms,
};
use super::length::length;
use super::passes::Passes;
use crate::core::one_lane::encoder::half::{Load, OutputRegister, UnitOut};
use crate::core::one_lane::encoder::writer::UnitPosition;
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal};

/// The first unit of a streamed code point is that of a sequence of thirteen units, which holds no bits of it.
const OPENER: u64 = START_OF_THIRTEEN;

/// The code point that is written for an error, and the position of its first unit.
#[derive(Clone, Copy)]
struct Replacement {
    code_point: u64,
    start: u64,
}

/// Writes the events of `beat`, code points of up to `limit` digits. Drives `taken`, which is high where a beat is no
/// longer needed.
pub(super) fn write<'m>(
    m: &'m Builder,
    limit: u64,
    on_error: ErrorMode,
    beat: StreamEvent<'m>,
    taken: Signal<'m>,
    output: OutputRegister<'m>,
) -> UnitOut<'m> {
    let replaces = on_error != ErrorMode::Drop;
    let (code_point, start) = if replaces { (0xfffd, 2) } else { (0, 0) };
    let replacement = Replacement { code_point, start };
    let valid = m.reg("valid_reg", 1).reset(0).note("something is being written");
    let goes_on = m.reg("goes_on_reg", 1).reset(0).note("the unit is not the last of its pass");
    let advance = output.advance;
    let loads = Load::new(m, output, goes_on.q);
    let load = loads.is;
    let (next, waits) =
        Passes::new(m, replaces, beat, taken, ((output.ready & !goes_on.q).named("unit_ends"), load));
    let length = length(m, limit, beat, &next, load);

    m.stage_section(1, "the pass that is written");
    let starts = (load & next.valid).named("pass_starts");
    let own = !(next.opener | next.digits | next.limb);
    let last_pass = m.reg("last_reg", 1).note("the event ends its frame");
    let keeps = m.reg("keep_reg", 1).note("the event is not only the end of a frame");
    let fault = m.reg("fault_reg", 1).reset(0).note("something in the frame could not be written");
    let (is_written, keep) = if replaces {
        (next.valid, next.keep)
    } else {
        let written = (next.valid & (next.last | !next.instead)).named("pass_is_written");
        (written, next.keep & !next.instead)
    };
    valid.next_when(load, is_written);
    last_pass.next_when(starts, next.last & !next.again);
    keeps.next_when(starts, keep);
    fault.next_when(starts, next.error | next.aborts | fault.q & !last_pass.q);

    let digits = Digits::new(m, length);
    // One bit for each position, so that no unit waits for a position to be decoded.
    let at = m
        .reg("position_reg", digits.positions())
        .note("a bit for the number of units that follow the one being written");
    let starts_at = starts_at(m, replacement, &next, &digits);
    let goes_down = m.concat([m.lit(1, 0), at.q.bits(1..digits.positions())]);
    at.next_when(advance, load.mux(starts_at, goes_down));
    let at_position = |position: u64| at.q.bit(u32::try_from(position).expect("positions are at most 16"));
    let end = m.stage(load).data("limb_reg", next.places.when(next.limb));
    let end = end.note("a limb at place 2 or 1 is written, whose block continues in the next pass");
    let ends = [(&[2][..], at_position(END_OF_2 + 1)), (&[1], at_position(END_OF_1 + 1))];
    let next_ends = end.case(ends, at_position(1)).named("next_ends").note("the next unit is the last");
    let at_end_of_2 = next.limb & next.places.bit(1) & next.start.is(END_OF_2);
    let own_is_single = next.own_start.is(0);
    let one_own = own & if replaces { own_is_single & !next.instead } else { own_is_single | next.instead };
    let only = (next.opener | one_own | next.digits & digits.one | at_end_of_2).named("single_unit");
    let begins = (is_written & !only).named("others_follow");
    goes_on.next_when(advance, load.mux(begins, !next_ends));
    waits.drive(loads.drive(valid.q, begins).named("waits_next"));
    let code = code(m, replacement, beat, &next, load);

    m.stage_section(1, "bits of the unit that are not of the code point");
    let forms = short_forms();
    let lead = (!(next.digits | next.limb)).named("pass_has_lead").note("the pass begins with a lead unit");
    let lead_start = next.instead.mux(m.lit(4, replacement.start), next.own_start);
    let lead_start = next.opener.mux(m.lit(4, OPENER), lead_start).named("lead_start");
    let single = m.stage(advance).data("single_reg", load & lead & lead_start.is(0));
    let single = single.note("the unit is a whole sequence, with one bit more");
    let position = UnitPosition { position: lead_start, lead: Some(lead) };
    let first = forms.marker(m, m.lit(UNIT_BITS, 0), position);
    let loads = MarkerLoads { advance, load, digits: next.digits };
    let Markers { writes_length, marker } = digits.markers(m, at.q, loads, first);

    m.stage_section(2, "the unit");
    let frame_ends_here = (last_pass.q & !goes_on.q).named("frame_ends_here");
    let piece = forms.piece_at(m, code, at.q.bits(0..BLOCK_START as u32 + 1)).when(!writes_length);
    let seventh = (single & code.bit(6)).named("seventh_bit");
    let unit = marker | m.concat([m.lit(1, 0), seventh, piece]);
    UnitOut {
        valid: valid.q,
        last: frame_ends_here,
        keep: keeps.q,
        fault: (frame_ends_here & fault.q).named("unit_fault"),
        unit: unit.named("unit"),
    }
}

/// The position of the first unit of the next pass, a bit for each.
fn starts_at<'m>(
    m: &'m Builder,
    replacement: Replacement,
    next: &Passes<'m>,
    digits: &Digits<'m>,
) -> Signal<'m> {
    let starts_at = |position: u64| {
        // The position of the opener does not matter: its marker is all of the unit.
        let here = (position <= BLOCK_START).then(|| next.start.is(position));
        let here = here.map(|here| match position == replacement.start {
            true => here | next.instead,
            false => here & !next.instead,
        });
        next.digits.mux(digits.starts_at(m, position), here.unwrap_or_else(|| m.lit(1, 0)))
    };
    m.concat((0..digits.positions().into()).rev().map(starts_at)).named("starts_at")
}

/// The bits that units are cut from: the limbs at places 2, 1 and 0, or the code point at place 0. Zero at the end of
/// a frame without a slot.
fn code<'m>(
    m: &'m Builder,
    replacement: Replacement,
    beat: StreamEvent<'m>,
    next: &Passes<'m>,
    load: Signal<'m>,
) -> Signal<'m> {
    let held = |name: &str, bits: u32, place: u32| {
        let here = beat.valid & beat.what.goes_by & beat.what.places.bit(place - 1) & !next.holds;
        m.stage(here)
            .data(name, beat.what.data.bits(0..bits))
            .note(&format!("the limb that is held for place {place}"))
    };
    let held_2 = held("held_2_reg", HELD_BITS - 2 * LIMB_BITS, 2);
    let held_1 = held("held_1_reg", LIMB_BITS, 1);
    let streams = (next.digits | next.limb).named("streams");
    let limb = |name: &str, held: Signal<'m>, place: u32| {
        let at = next.places.bit(place - 1);
        let found = next.data.when(streams & at) | held.zext(LIMB_BITS).when(next.whole & at);
        let loads = m.stage(load & next.writes[place as usize - 1]);
        loads.data(name, found).note(&format!("the limb at place {place}"))
    };
    let top = limb("place_2_reg", held_2, 2);
    let middle = limb("place_1_reg", held_1, 1);
    let low = next.instead.mux(m.lit(LIMB_BITS, replacement.code_point), next.data.when(next.keep));
    let low = m.stage(load).data("place_0_reg", low).note("the limb at place 0, or the code point");
    m.concat([top, middle, low]).named("block").note("the limbs of a block side by side")
}
