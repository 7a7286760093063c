//! The pieces of a step.

use super::groups::Events;
use super::shape::{CODE_UNITS, CodePoint, DATA, Piece, UNIT_DATA, UNITS};
use super::steps::Step;
use super::{LAST, Making, PIECES_OF_SLOT};
use crate::core::many_lanes::buffers::LANES_OF_BUFFER;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::limbs::{LIMB_BITS, LIMB_DIGITS, PLACES};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::Signal;

/// Bits of the largest code point of one unit, of two, and so on to six.
const FORMS: [u32; CODE_UNITS - 1] = [7, 11, 16, 21, 26, 31];
/// The code point that is written for an error, and its units.
const REPLACEMENT: u64 = 0xfffd;
const REPLACEMENT_UNITS: u64 = 3;
/// The data bits of B4, and those of a digit without the digit.
const BEFORE: u64 = 0x34;
const DIGIT: u64 = 0x20;
const DIGIT_BITS: u32 = 4;
/// Digits of a length header.
const MOST_DIGITS: usize = 8;
/// Units that the limbs of a block still leave, by how many of them follow.
const LEFT_BEHIND: [u64; PLACES as usize] = [0, 6, 11];

/// The pieces of a beat that is one step, a piece a lane, in stage 4; and what is known of the slot of lane 0, in stage 3.
struct Plain<'m> {
    /// Data, and length: bit n, more than n units.
    pieces: Vec<(Signal<'m>, Signal<'m>)>,
    /// The `tdata` of the slot, and its length as a code point.
    own_data: Signal<'m>,
    own_longer: Signal<'m>,
    /// Some slot of the beat is an error.
    amiss: Signal<'m>,
}

fn units<'m>(making: &Making<'_, 'm>, units: u64) -> Signal<'m> {
    making.m.lit(UNITS as u32, (1 << units) - 1)
}

fn wide(signal: Signal<'_>) -> Signal<'_> {
    signal.zext(DATA)
}

/// Makes the pieces of beats that are one step.
fn plain<'m>(making: &Making<'_, 'm>, step: &Step<'m>) -> Plain<'m> {
    let Making { m, stages, lanes, replaces, .. } = *making;
    m.stage_section(1, "how long code points are: what bits there are above each form");
    let is_error: Vec<Signal> = step.user.iter().map(|user| user.any()).collect();
    let above: Vec<Signal> = (0..lanes)
        .map(|lane| {
            let ends = FORMS[1..].iter().copied().chain([SLOT_DATA_BITS]);
            let above = FORMS.iter().zip(ends).map(|(&bits, end)| step.data[lane].bits(bits..end).any());
            let above: Vec<Signal> = above.collect();
            stages.later_of(lane, &format!("slot_{lane}_above"), m.concat(above.into_iter().rev()), [1, 2])
        })
        .collect();
    let keep: Vec<Signal> = (0..lanes)
        .map(|lane| stages.later_of(lane, &format!("slot_{lane}_keep"), step.keep[lane], [1, 2]))
        .collect();
    let is_error: Vec<Signal> = (0..lanes)
        .map(|lane| stages.later_of(lane, &format!("slot_{lane}_is_error"), is_error[lane], [1, 2]))
        .collect();
    let data: Vec<Signal> = (0..lanes)
        .map(|lane| stages.later_of(lane, &format!("slot_{lane}_data"), step.data[lane], [1, 2]))
        .collect();

    m.stage_section(2, "beats that are one step");
    let amiss = any_of((0..lanes).map(|lane| keep[lane] & is_error[lane])).expect("a lane");
    let amiss = stages.later("slots_amiss", amiss, 2, 3);
    let longer = |lane: usize| {
        let above = |at: u32| above[lane].bits(at..above[lane].width()).any();
        m.concat((0..CODE_UNITS as u32 - 1).rev().map(above).chain([m.lit(1, 1)]))
    };
    let pieces: Vec<(Signal, Signal)> = (0..lanes)
        .map(|lane| {
            let (data, longer) = (data[lane], longer(lane));
            let (data, longer) = match replaces {
                true => (
                    is_error[lane].pick(m.lit(SLOT_DATA_BITS, REPLACEMENT), data),
                    is_error[lane].pick(m.lit(CODE_UNITS as u32, (1 << REPLACEMENT_UNITS) - 1), longer),
                ),
                false => (data, longer.masked(!is_error[lane])),
            };
            let later = |name: &str, signal| {
                stages.later_of(lane, &format!("plain_{lane}_{name}"), signal, [2, LAST - 1])
            };
            (later("data", data), later("longer", longer.masked(keep[lane])))
        })
        .collect();
    Plain {
        pieces,
        own_data: stages.later("own_data", data[0], 2, 3),
        own_longer: stages.later("own_longer", longer(0), 2, 3),
        amiss,
    }
}

/// The pieces of the slot of a step, in stage 4.
struct OwnPieces<'m> {
    /// The units that a limb completes.
    limb: Piece<'m>,
    /// The slot's own units, or the replacement.
    own: Piece<'m>,
    /// For each digit of a header but the last: the header has it.
    has: Vec<Signal<'m>>,
    /// The slot completes a code point of thirteen units; its bits above those of the last six units.
    thirteen: Signal<'m>,
    high: Signal<'m>,
    /// The slot cuts a group, whose replacement is written; `None` where errors are dropped.
    cuts: Option<Signal<'m>>,
    /// The slot is the first limb of a code point with a header; the number of digits above the fewest.
    opens: Signal<'m>,
    above: Signal<'m>,
    /// Something in the step cannot be written.
    amiss: Signal<'m>,
    /// In stage 3: a whole code point has up to seven units, the replacement is written for the slot, units that a limb completes.
    is_7: Signal<'m>,
    is_replaced: Signal<'m>,
    limb_longer: Signal<'m>,
}

/// The data of the units that a limb completes, and their number, in stage 3.
fn limb_units<'m>(making: &Making<'_, 'm>, events: &Events<'m>, own_data: Signal<'m>) -> [Signal<'m>; 2] {
    let m = making.m;
    let Events { before, place, zeros, .. } = *events;
    let place_2 = m.concat([m.lit(UNIT_DATA, 0), own_data.bits(2..LIMB_BITS)]);
    let place_1 = m.concat([m.lit(UNIT_DATA, 0), before.bits(0..2), own_data.bits(4..LIMB_BITS)]);
    let place_0 = m.concat([before.bits(0..4), own_data]);
    let of_limb = place.case([(&[2][..], place_2), (&[1][..], place_1)], place_0).named("limb_units");
    let first_units = |key: u64| {
        let (place, zeros) = (key / LIMB_DIGITS, key % LIMB_DIGITS);
        let digits = LIMB_DIGITS * (place + 1) - zeros;
        2 * digits.div_ceil(3) - LEFT_BEHIND[place as usize]
    };
    let arms = (0..LIMB_DIGITS * u64::from(PLACES)).map(|key| ([key], units(making, first_units(key))));
    let first = m
        .concat([place, zeros])
        .case_of(arms.collect::<Vec<_>>(), units(making, 0))
        .named("first_limb_units");
    let further = place.any().mux(units(making, 5), units(making, 6));
    let limb_longer = events.opens.mux(first, further).named("units_of_limb");
    [of_limb, limb_longer]
}

/// Makes the pieces that hold units of the slot itself.
fn own_pieces<'m>(making: &Making<'_, 'm>, events: &Events<'m>, plain: &Plain<'m>) -> OwnPieces<'m> {
    let Making { m, stages, replaces, .. } = *making;
    let Plain { own_data, own_longer, amiss, .. } = *plain;
    m.stage_section(3, "the slot's own piece, and which digits a header has");
    let at = |name: &str, signal| stages.later(name, signal, 3, LAST - 1);
    let no = m.lit(1, 0);
    let Events { before, top, .. } = *events;
    let [of_limb, limb_longer] = limb_units(making, events, own_data);
    let code = m.concat([top, before, own_data]);
    let code = code.zext(2 * 6 * UNIT_DATA).named("whole_code_point");
    let low = code.bits(0..6 * UNIT_DATA);
    let is_7 = (!events.past_seven).named("has_seven_units");
    let limb = Piece {
        data: at("limb_data", wide(of_limb).masked(events.limb)),
        trails: m.lit(1, 1),
        opens: no,
        longer: at("limb_longer", limb_longer.masked(events.limb)),
    };
    let own = [
        (events.code_point, wide(own_data), own_longer.zext(UNITS as u32)),
        (events.whole, wide(low), is_7.mux(units(making, 7), units(making, 6))),
    ];
    let is_replaced = (events.error | events.cut_behind).named("is_replaced");
    let error = (is_replaced, m.lit(DATA, REPLACEMENT), units(making, REPLACEMENT_UNITS));
    let own: Vec<_> = own.into_iter().chain(replaces.then_some(error)).collect();
    let own = Piece {
        data: at("own_data", any_of(own.iter().map(|&(is, data, _)| data.masked(is))).expect("one")),
        trails: at("own_trails", events.whole & !is_7),
        opens: no,
        longer: at("own_longer", any_of(own.iter().map(|&(is, _, longer)| longer.masked(is))).expect("one")),
    };
    let above = events.above;
    let has = (1..MOST_DIGITS).map(|number| above.bits(number as u32 * DIGIT_BITS..above.width()).any());
    let has: Vec<Signal> =
        has.enumerate().map(|(number, has)| at(&format!("has_digit_{}", number + 1), has)).collect();
    let thirteen = at("is_thirteen", events.whole & !is_7);
    let high = at("whole_high", code.bits(6 * UNIT_DATA..code.width()));
    let cuts = replaces.then(|| at("cuts", events.cuts));
    let opens = at("opens", events.opens);
    let above = at("digits_above", above);
    let amiss = at("step_amiss", amiss | events.cuts | is_replaced);
    OwnPieces { limb, own, has, thirteen, high, cuts, opens, above, amiss, is_7, is_replaced, limb_longer }
}

/// Packs the four pieces of the slot of a step, in stage 4.
fn of_slot<'m>(making: &Making<'_, 'm>, pieces: &OwnPieces<'m>) -> [Signal<'m>; PIECES_OF_SLOT] {
    let Making { m, replaces, .. } = *making;
    let OwnPieces { limb, own, ref has, thirteen, high, cuts, opens, above, .. } = *pieces;
    let no = m.lit(1, 0);
    let digit = |of: Signal<'m>, number: usize| {
        let low = number as u32 * DIGIT_BITS;
        of.bits(low..(low + DIGIT_BITS).min(of.width())).zext(DIGIT_BITS)
    };
    m.stage_section(LAST - 1, "pieces");
    let repeat =
        |value: u64, units: usize| m.concat((0..units).map(|_| m.lit(UNIT_DATA, value)).collect::<Vec<_>>());
    // FF, and a B4 for each digit but the last.
    let header = m.concat([m.concat(has.iter().rev().copied()), m.lit(1, 1)]);
    let header = header.masked(opens).named("units_of_header");
    let mut front = (repeat(BEFORE, UNITS).masked(opens), header);
    if let Some(cuts) = cuts {
        front.0 = front.0 | m.lit(DATA, REPLACEMENT).masked(cuts);
        front.1 = front.1 | units(making, REPLACEMENT_UNITS).masked(cuts);
    }
    let longer = if replaces { front.1.named("units_of_front") } else { front.1 };
    let front = Piece { data: front.0, trails: no, opens, longer };
    let digit_unit = |number: usize| m.lit(UNIT_DATA, DIGIT) | digit(above, number).zext(UNIT_DATA);
    let digits = m.concat((0..UNITS).rev().map(digit_unit).collect::<Vec<_>>());
    let digits = Piece {
        data: digits.masked(opens) | wide(high).masked(thirteen),
        trails: opens,
        opens: thirteen,
        longer: (header | units(making, 7).masked(thirteen)).named("units_of_digits"),
    };
    [front, digits, limb, own].map(|piece| piece.packed(m))
}

/// The effect of a step, in stage 4.
struct StepFlags<'m> {
    /// The step holds one slot.
    serial: Signal<'m>,
    /// The step is the last one of the slot; `None` where each slot is one step.
    done: Option<Signal<'m>>,
    /// The frame ends with the step.
    last: Signal<'m>,
    /// The step writes nothing and does not end the frame.
    passes: Signal<'m>,
    /// The step is of the frame's last beat, and then it writes nothing; `None` where steps are not joined.
    of_last_beat: Option<Signal<'m>>,
    joins: Option<Signal<'m>>,
}

fn flags<'m>(
    making: &Making<'_, 'm>,
    step: &Step<'m>,
    events: &Events<'m>,
    pieces: &OwnPieces<'m>,
) -> StepFlags<'m> {
    let Making { stages, replaces, .. } = *making;
    let OwnPieces { is_7, is_replaced, limb_longer, .. } = *pieces;
    let at = |name: &str, signal| stages.later(name, signal, 3, LAST - 1);
    let at_3 = |name: &str, signal| stages.later(name, signal, 1, 3);
    let (serial, last) = (at_3("serial", step.serial), at_3("step_last", step.last));
    let done = step.done.map(|done| at_3("done", done));
    let last = done.map_or(last, |done| (last & done).named("step_ends_frame"));
    let front_writes = events.opens | (events.whole & !is_7);
    let own_writes = events.code_point | events.whole | (events.limb & limb_longer.bit(0));
    let (front_writes, own_writes) = match replaces {
        true => (front_writes | events.cuts, own_writes | is_replaced),
        false => (front_writes, own_writes),
    };
    let (front_writes, own_writes) = (front_writes.named("front_writes"), own_writes.named("own_writes"));
    // With few lanes, a step has half of the pieces.
    let (writes, slot_writes) = match done {
        None => [(front_writes | own_writes).named("slot_writes"); 2].into(),
        Some(done) => (done.mux(own_writes, front_writes), front_writes & !done | own_writes),
    };
    let passes = (serial & !writes & !last).named("step_passes");
    let passes = at("passes", passes);
    let of_last_beat = step.of_last_beat.map(|of_last_beat| at_3("of_last_beat", of_last_beat));
    let joins = of_last_beat.map(|of_last_beat| at("joins", of_last_beat & !slot_writes));
    let of_last_beat = of_last_beat.map(|of_last_beat| at("of_last_beat", of_last_beat));
    let serial = at("serial", serial);
    let (done, last) = (done.map(|done| at("done", done)), at("step_last", last));
    StepFlags { serial, done, last, passes, of_last_beat, joins }
}

/// The pieces of a step, in the last stage.
pub(super) struct PieceBeat<'m> {
    pub(super) offered: Signal<'m>,
    /// The frame ends with the step.
    pub(super) last: Signal<'m>,
    /// For each lane a [`Piece`] or a [`CodePoint`], packed.
    pub(super) pieces: Vec<Signal<'m>>,
    /// Something in the step cannot be written.
    pub(super) amiss: Signal<'m>,
}

/// Makes the pieces of a step.
pub(super) fn pieces<'m>(making: &Making<'_, 'm>, step: &Step<'m>, events: &Events<'m>) -> PieceBeat<'m> {
    let Making { m, stages, lanes, .. } = *making;
    let plain = plain(making, step);
    let own = own_pieces(making, events, &plain);
    let of_slot = of_slot(making, &own);
    let flags = flags(making, step, events, &own);
    let StepFlags { serial, done, .. } = flags;
    // The pieces stay where another step joins theirs.
    let loads = stages.enables.iter().enumerate().map(|(buffer, &enable)| match stages.joins {
        Some(joins) => (enable & !joins).named(&format!("pieces_load_{buffer}")),
        None => enable,
    });
    let loads: Vec<Signal> = loads.collect();
    let pieces = (0..lanes).map(|lane| {
        let (data, longer) = plain.pieces[lane];
        let is: Vec<(Signal, Signal)> = match done {
            None => of_slot.get(lane).map(|&piece| (serial, piece)).into_iter().collect(),
            Some(done) => vec![((serial & !done), of_slot[lane]), ((serial & done), of_slot[lane + lanes])],
        };
        let plain = CodePoint { data, longer }.packed(m);
        let plain = if is.is_empty() { plain } else { CodePoint::widened(m, plain) };
        let all = is.iter().fold(plain.masked(!serial), |all, &(is, piece)| all | piece.masked(is));
        m.stage(loads[lane / LANES_OF_BUFFER]).at(LAST).data(&format!("piece_{lane}_reg"), all)
    });
    let pieces = pieces.collect();
    step_beat(making, pieces, &flags, own.amiss)
}

/// The beat of the last stage, with the steps that are skipped or joined.
fn step_beat<'m>(
    making: &Making<'_, 'm>,
    pieces: Vec<Signal<'m>>,
    flags: &StepFlags<'m>,
    amiss: Signal<'m>,
) -> PieceBeat<'m> {
    let Making { m, stages, .. } = *making;
    let StepFlags { last, passes, of_last_beat, joins, .. } = *flags;
    let stage = stages.stage(LAST);
    let (valid, before) = (stages.valid(LAST), stages.valid(LAST - 1));
    let Some(((joins, of_last_beat), joins_one)) = stages.joins.zip(of_last_beat).zip(joins) else {
        m.drive(stages.skips, before & passes);
        let (last, amiss) = (stage.data("last_of_step_reg", last), stage.data("amiss_of_step_reg", amiss));
        return PieceBeat { offered: valid, last, pieces, amiss };
    };
    let waits = m.reg("last_beat_waits_reg", 1).reset(0).note("the last stage holds a step of the same beat");
    let joins_now = (joins_one & waits.q).named("joins_what_waits");
    m.drive(joins, before & joins_now);
    m.drive(stages.skips, before & (passes | joins_now));
    let skipped =
        m.reg("amiss_skipped_reg", 1).reset(0).note("something is amiss in steps that were skipped");
    let amiss_so_far = (skipped.q | amiss).named("amiss_with_skipped");
    let moves = (before & stages.enable()).named("last_step_moves");
    skipped.next_when(moves, stages.skips & !joins & amiss_so_far);
    waits.next_when(moves, of_last_beat & !last & (waits.q | !stages.skips));
    let joined = |name: &str, so_far: Signal<'m>| {
        let register = m.reg(name, 1);
        register.next_when(stages.enable(), so_far | register.q.masked(joins));
        register.q
    };
    let (last, amiss) = (joined("last_of_step_reg", last), joined("amiss_of_step_reg", amiss_so_far));
    PieceBeat { offered: (valid & !joins).named("step_offered"), last, pieces, amiss }
}
