//! Stages 1 and 2: passes, and their units one by one.

use super::digits::Digits;
use super::events::Event;
use super::length::length;
use super::passes::{Passes, passes};
use super::{BLOCK_START, END_OF_1, END_OF_2, HELD_BITS, LIMB, REPLACEMENT, THIRTEEN, UNIT, short_forms};
use crate::core::ErrorMode;
use crate::core::one_lane::encoder::write::{Unit, UnitPosition};
use crate::netlist::{Builder, Signal};

/// The first unit of a long code point is that of one of thirteen units, whose lead unit holds no bits of it.
const OPENER: u64 = THIRTEEN;

/// Writes the events of `beat`, of code points of up to `limit` digits; drives `taken` where it is no longer needed.
pub(super) fn write<'m>(
    m: &'m Builder,
    limit: u64,
    on_error: ErrorMode,
    beat: Event<'m>,
    taken: Signal<'m>,
    advance: Signal<'m>,
) -> Unit<'m> {
    let replaces = on_error != ErrorMode::Drop;
    let valid = m.reg("valid_reg", 1).reset(0).note("something is being written");
    let goes_on = m.reg("goes_on_reg", 1).reset(0).note("it is not the last unit of its pass");
    let load = (advance & !goes_on.q).named("load").note("the last unit goes, or there is none");
    let next = passes(m, replaces, beat, taken, (advance, goes_on.q));
    let length = length(m, limit, beat, &next, load);

    m.section("Stage 1: the pass that is written");
    let starts = (load & next.valid).named("pass_starts");
    let own = !(next.opener | next.digits | next.limb);
    let last_pass = m.reg("last_reg", 1).note("it ends its frame");
    let keeps = m.reg("keep_reg", 1).note("it is more than the end of a frame");
    let fault = m.reg("fault_reg", 1).reset(0).note("something in the frame could not be written");
    let (is_written, keep) = if replaces {
        (next.valid, next.keep)
    } else {
        (next.valid & (next.last | !next.instead), next.keep & !next.instead)
    };
    valid.next_when(load, is_written);
    last_pass.next_when(starts, next.last & !next.again);
    keeps.next_when(starts, keep);
    fault.next_when(starts, next.error | next.cut | fault.q & !last_pass.q);

    let digits = Digits::new(m, length.digits);
    let (_, replacement_start) = replacement(replaces);
    // One bit for each position, so that no unit waits for one to be decoded. That of the opener is all ones anyway.
    let at = m
        .reg("position_reg", digits.positions())
        .note("a bit for the number of units that follow the one being written");
    let starts_at =
        |position: u64| {
            let here = (position <= BLOCK_START).then(|| next.start.is(position));
            let here = here.map(|here| {
                if position == replacement_start { here | next.instead } else { here & !next.instead }
            });
            next.digits.mux(digits.starts_at(m, position), here.unwrap_or_else(|| m.lit(1, 0)))
        };
    let starts_at = m.concat((0..digits.positions().into()).rev().map(starts_at)).named("starts_at");
    let goes_down = m.concat([m.lit(1, 0), at.q.bits(1..digits.positions())]);
    at.next_when(advance, load.mux(starts_at, goes_down));
    let at_position = |position: u64| at.q.bit(u32::try_from(position).expect("at most 16"));
    let end = m.reg("limb_reg", 2).note("it is a limb at place 2 or 1, which goes on in the next");
    end.next_when(load, next.places.when(next.limb));
    let next_ends =
        end.q.case([(&[2], at_position(END_OF_2 + 1)), (&[1], at_position(END_OF_1 + 1))], at_position(1));
    let at_end_of_2 = next.limb & next.places.bit(1) & next.start.is(END_OF_2);
    let one_own = own
        & if replaces { next.own_start.is(0) & !next.instead } else { next.own_start.is(0) | next.instead };
    let only = (next.opener | one_own | next.digits & digits.one | at_end_of_2).named("single_unit");
    goes_on.next_when(advance, load.mux(is_written & !only, !next_ends.named("next_ends")));
    let code = code(m, replaces, beat, &next, load);

    m.section("Stage 1: what is in the unit beside bits of the code point");
    let forms = short_forms();
    let lead = !(next.digits | next.limb);
    let single = m.reg("single_reg", 1).note("it is a single unit, which has a bit more");
    let lead_start = next.instead.mux(m.lit(4, replacement_start), next.own_start);
    let lead_start = next.opener.mux(m.lit(4, OPENER), lead_start).named("lead_start");
    single.next_when(advance, load & lead & lead_start.is(0));
    let place = UnitPosition { position: lead_start, lead: Some(lead) };
    let marker = forms.marker(m, m.lit(UNIT, 0), place);
    let (written, marker) = digits.markers(m, at.q, (advance, load, next.digits), marker);

    m.section("Stage 2: the unit");
    let frame_ends_here = (last_pass.q & !goes_on.q).named("frame_ends_here");
    let piece = forms.piece_at(m, code, at.q.bits(0..BLOCK_START as u32 + 1)).when(!written);
    let seventh = (single.q & code.bit(6)).named("seventh_bit");
    let unit = marker | m.concat([m.lit(1, 0), seventh, piece]);
    Unit {
        valid: valid.q,
        last: frame_ends_here,
        keep: keeps.q,
        fault: (frame_ends_here & fault.q).named("unit_fault"),
        unit: unit.named("unit"),
    }
}

/// What is written for an error, and the position of its first unit.
fn replacement(replaces: bool) -> (u64, u64) {
    if replaces { REPLACEMENT } else { (0, 0) }
}

/// What units are cut from: the limbs at places 2, 1 and 0, or the code point at place 0; where there is only the end of a
/// frame, zeros.
fn code<'m>(
    m: &'m Builder,
    replaces: bool,
    beat: Event<'m>,
    next: &Passes<'m>,
    load: Signal<'m>,
) -> Signal<'m> {
    let held = |name: &str, bits: u32, place: u32| {
        let held = m.reg(name, bits);
        let here = beat.valid & beat.goes_by & beat.places.bit(place - 1) & !next.holds;
        held.next_when(here, beat.data.bits(0..bits));
        held.q
    };
    let held_2 =
        held("held_2_reg", HELD_BITS - 2 * LIMB, 2).note("limb at place 2 of a code point that is held");
    let held_1 = held("held_1_reg", LIMB, 1).note("limb at place 1");
    let streams = (next.digits | next.limb).named("streams");
    let limb = |name: &str, held: Signal<'m>, place: u32| {
        let at = next.places.bit(place - 1);
        let limb = m.reg(name, LIMB);
        let found = next.data.when(streams & at) | held.zext(LIMB).when(next.whole & at);
        limb.next_when(load & next.writes.bit(place - 1), found);
        limb.q
    };
    let top = limb("place_2_reg", held_2, 2).note("what is at place 2");
    let middle = limb("place_1_reg", held_1, 1).note("what is at place 1");
    let code = m.reg("place_0_reg", LIMB).note("what is at place 0");
    let (code_point, _) = replacement(replaces);
    code.next_when(load, next.instead.mux(m.lit(LIMB, code_point), next.data.when(next.keep)));
    m.concat([top, middle, code.q])
}
