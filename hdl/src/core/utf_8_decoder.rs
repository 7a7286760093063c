//! The `utf-8` decoder, one unit a cycle: RFC 3629 and Unicode's table 3-7, errors by maximal subpart.
//!
//! ```text
//!  s_axis ──> input_skid ──> decode ──> output_slice ──> m_axis
//!             (2 beats)      │    ▲      (1 beat)
//!                            └─held (1 slot)
//! ```
//!
//! A unit makes at most two slots: the error of a sequence it cuts short, and a slot of its own. The second waits in
//! `held` for one beat. There is always room: a sequence can only be cut if its lead unit made no slot, and in that
//! beat `held` was emptied. So the core takes a unit every cycle, whatever the units are.

use std::sync::Arc;

use super::OnError;
use super::error_kind::{ErrorKind, slot_labels};
use super::ports::{UcsOutput, encoded_input, encoded_input_ready, ucs_output, ucs_output_ready};
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{connect, register_slice, skid_buffer};

/// Cycles from a beat taken on `s_axis` to its slot on `m_axis`: the skid buffer and the output register.
const LATENCY: u32 = 2;
/// Bits of the largest code point, U+10FFFF.
const CODE_BITS: u32 = 21;
/// U+FFFD, the code point of an error.
const REPLACEMENT: u64 = 0xfffd;
/// Bits of a kind of error, of which `utf-8` has those up to [`ErrorKind::Invalid`].
const KIND_BITS: u32 = 3;

/// Builds the decoder; gives its latency in cycles too.
pub(super) fn utf_8_decoder(name: &str, on_error: OnError) -> (Arc<Module>, u32) {
    let m = Builder::new(
        name,
        "UTF-8 (RFC 3629) decoder, one unit a cycle, errors by maximal subpart as in Unicode",
    );
    let input = encoded_input(&m, 1, 8);
    let m_axis_tready = ucs_output_ready(&m);

    m.section("Input: the skid buffer makes s_axis_tready a register. A lane without a unit becomes zeros.");
    let advance = m.wire("advance", 1).note("the output register takes what is decoded now");
    let offered = m.concat([input.tlast, input.tkeep, input.tdata.when(input.tkeep)]);
    let skid = connect(m.instance("input_skid", &skid_buffer(10)), input.tvalid, offered, advance);
    let beat_valid = skid.valid.named("beat_valid");
    let beat = skid.payload.named("beat");
    encoded_input_ready(&m, skid.ready.named("input_ready"));
    let unit = beat.bits(0..8).named("unit");
    let unit_valid = (beat_valid & beat.bit(8)).named("unit_valid");
    let frame_ends = (beat_valid & beat.bit(9)).named("frame_ends");

    let decoded = decode(&m, unit, unit_valid, frame_ends, advance);
    let slot = match on_error {
        OnError::Flag => flag_errors(&m, decoded, advance),
        OnError::Drop => drop_errors(&m, decoded),
    };

    m.section("Output register");
    let fields = [slot.last, slot.keep, slot.kind, slot.code];
    let output = m.instance("output_slice", &register_slice(fields.iter().map(|field| field.width()).sum()));
    let output = connect(output, slot.valid, m.concat(fields), m_axis_tready);
    m.drive(advance, output.ready.named("output_ready"));
    let out = output.payload.named("output_slot");
    let (code_end, kind_end) = (CODE_BITS, CODE_BITS + slot.kind.width());
    ucs_output(
        &m,
        UcsOutput {
            data: vec![out.bits(0..code_end)],
            tkeep: out.bit(kind_end),
            user: vec![out.bits(code_end..kind_end)],
            tvalid: output.valid.named("output_valid"),
            tlast: out.bit(kind_end + 1),
        },
    );
    (m.built(), LATENCY)
}

/// What the decoder knows of the unit, or the end of a frame, at hand.
#[derive(Clone, Copy)]
struct Decoded<'m> {
    unit: Signal<'m>,
    unit_valid: Signal<'m>,
    frame_ends: Signal<'m>,
    ascii: Signal<'m>,
    trailing: Signal<'m>,
    /// The unit is inside a sequence.
    in_sequence: Signal<'m>,
    /// The unit goes on with that sequence.
    fits: Signal<'m>,
    /// A sequence goes on after the unit.
    unfinished: Signal<'m>,
    /// Bits of the sequence before the unit; 0 outside a sequence.
    gathered: Signal<'m>,
    /// That sequence is one of four units.
    of_4: Signal<'m>,
    /// It began with F4 or ED, of the two pairs F0 and F4, E0 and ED.
    upper: Signal<'m>,
}

fn decode<'m>(
    m: &'m Builder,
    unit: Signal<'m>,
    unit_valid: Signal<'m>,
    frame_ends: Signal<'m>,
    advance: Signal<'m>,
) -> Decoded<'m> {
    m.section("The unit by itself");
    let ascii = (!unit.bit(7)).named("ascii");
    let trailing = unit.bits(6..8).is(0b10).named("trailing");
    let lead_of_2 = (unit.bits(5..8).is(0b110) & unit.bits(1..5).any()).named("lead_of_2").note("C2..DF");
    let lead_of_3 = unit.bits(4..8).is(0b1110).named("lead_of_3").note("E0..EF");
    let lead_of_4 = (unit.bits(3..8).is(0b11110) & (!unit.bit(2) | unit.bits(0..2).is(0b00)))
        .named("lead_of_4")
        .note("F0..F4");
    let lead = (lead_of_2 | lead_of_3 | lead_of_4).named("lead");
    let is_ed = unit.is(0xed).named("is_ed").note("else surrogates would follow");
    let narrows = (unit.is(0xe0) | is_ed | unit.is(0xf0) | unit.is(0xf4))
        .named("narrows")
        .note("not every trailing unit may follow");
    // In one expression for leads and trailing units: their markers are 10, 110, 1110 and 11110.
    let marker_to_5 = unit.bit(6);
    let marker_to_4 = unit.bit(6) & unit.bit(5);
    let payload = m
        .concat([unit.bit(5) & !marker_to_5, unit.bit(4) & !marker_to_4, unit.bits(0..4)])
        .named("payload")
        .note("its bits of the code point");

    m.section("The sequence so far");
    let missing = m.reg("missing_reg", 2).reset(0).note("trailing units still to come; 0: in no sequence");
    let narrow = m.reg("narrow_reg", 1).reset(0).note("the next unit must be in one half of 80..BF");
    let gathered = m.reg("gathered_reg", 15).reset(0).note("bits of the code point; 0 in no sequence");

    let in_sequence = missing.q.any().named("in_sequence");
    let last_missing = missing.q.is(1);
    // After E0 and ED bit 5 decides, after F0 and F4 bits 5 and 4; which of the two leads it was is to be seen in the
    // bits gathered.
    let of_4 = missing.q.bit(0).named("of_4").note("where narrow_reg: after F0 or F4, else after E0 or ED");
    let upper = of_4.mux(gathered.q.bit(2), gathered.q.bit(0)).named("upper").note("after F4 or ED");
    let high = of_4.mux(unit.bits(4..6).any(), unit.bit(5)).named("high").note("upper half of 80..BF");
    let misfit = (narrow.q & high.eq(upper)).named("misfit").note("not in the half that may follow");
    let fits = (in_sequence & trailing & !misfit).named("fits");
    let unfinished =
        (lead | fits & !last_missing).named("unfinished").note("a sequence goes on after the unit");

    let goes_on = (unfinished & !frame_ends).named("goes_on");
    let load = (advance & (unit_valid | frame_ends)).named("load");
    let after_lead = m.concat([lead_of_3 | lead_of_4, lead_of_2 | lead_of_4]);
    let after_trailing = m.concat([missing.q.all(), !missing.q.bit(0)]);
    let missing_next = fits.mux(after_trailing, after_lead).named("missing_next");
    let gathered_next = m.concat([gathered.q.bits(0..9).when(fits), payload]).named("gathered_next");
    missing.next_when(load, missing_next.when(goes_on));
    narrow.next_when(load, narrows & goes_on);
    gathered.next_when(load, gathered_next.when(goes_on));

    let gathered = gathered.q;
    Decoded {
        unit,
        unit_valid,
        frame_ends,
        ascii,
        trailing,
        in_sequence,
        fits,
        unfinished,
        gathered,
        of_4,
        upper,
    }
}

/// The slot that goes to the output register, and whether there is one.
struct Slot<'m> {
    valid: Signal<'m>,
    last: Signal<'m>,
    keep: Signal<'m>,
    kind: Signal<'m>,
    code: Signal<'m>,
}

/// Every error makes a slot; so there can be two at once, and `held` keeps the second for the next beat.
fn flag_errors<'m>(m: &'m Builder, decoded: Decoded<'m>, advance: Signal<'m>) -> Slot<'m> {
    let Decoded { unit, unit_valid, frame_ends, in_sequence, fits, gathered, .. } = decoded;
    m.section("Kinds of error");
    let kinds = Kinds::new(m);

    m.section("The slot of a sequence cut short by the unit, and the unit's own");
    let cut =
        (unit_valid & in_sequence & !fits).named("cut").note("the sequence before the unit is an error");
    let cut_kind = cut_kind(decoded, kinds).named("cut_kind").labels(&slot_labels());
    let own = (unit_valid & !decoded.unfinished | frame_ends)
        .named("own")
        .note("the unit, or the end, makes a slot");
    let own_kind = own_kind(decoded, kinds).named("own_kind").labels(&slot_labels());
    let own_keep = (unit_valid | in_sequence).named("own_keep").note("it is not only the end of a frame");

    m.section(
        "Held slot: the unit's own, where an error went first. It is of one unit, so seven bits hold its code point.",
    );
    let held = m.reg("held_reg", 1).reset(0).note("a slot is held");
    let held_unit = m.reg("held_unit_reg", 7);
    let held_kind = m.reg("held_kind_reg", KIND_BITS);
    let held_keep = m.reg("held_keep_reg", 1);
    let held_last = m.reg("held_last_reg", 1);
    held.next_when(advance, own & (cut | held.q));
    held_unit.next_when(advance, unit.bits(0..7));
    held_kind.next_when(advance, own_kind);
    held_keep.next_when(advance, own_keep);
    held_last.next_when(advance, frame_ends);

    m.section("The slot that goes out: what is held, else the error, else the unit's own");
    let first_kind = cut.mux(cut_kind, own_kind);
    let kind = held.q.mux(held_kind.q, first_kind).named("slot_kind").labels(&slot_labels());
    let error = kind.any().named("slot_error");
    // One expression for one unit and for more: outside a sequence `gathered` is 0, and a trailing unit has bit 6 zero.
    // While a slot is held no sequence has begun.
    let low = held.q.mux(held_unit.q, unit.bits(0..7)).named("slot_unit");
    let code = m.concat([gathered.bits(1..15), gathered.bit(0) | low.bit(6), low.bits(0..6)]);
    Slot {
        valid: (held.q | cut | own).named("slot_valid"),
        last: held.q.mux(held_last.q, frame_ends & !cut).named("slot_last"),
        keep: held.q.mux(held_keep.q, cut | own_keep).named("slot_keep"),
        kind,
        code: error.mux(m.lit(CODE_BITS, REPLACEMENT), code.named("slot_code")),
    }
}

/// The codes of the errors, by name.
#[derive(Clone, Copy)]
struct Kinds<'m> {
    none: Signal<'m>,
    unexpected: Signal<'m>,
    truncated: Signal<'m>,
    overlong: Signal<'m>,
    surrogate: Signal<'m>,
    out_of_range: Signal<'m>,
    invalid: Signal<'m>,
}

impl<'m> Kinds<'m> {
    fn new(m: &'m Builder) -> Self {
        let kind = |kind: ErrorKind, name: &str| m.lit(KIND_BITS, kind.code()).named(name);
        Self {
            none: m.lit(KIND_BITS, 0).named("NO_ERROR"),
            unexpected: kind(ErrorKind::Unexpected, "UNEXPECTED"),
            truncated: kind(ErrorKind::Truncated, "TRUNCATED"),
            overlong: kind(ErrorKind::Overlong, "OVERLONG"),
            surrogate: kind(ErrorKind::Surrogate, "SURROGATE"),
            out_of_range: kind(ErrorKind::OutOfRange, "OUT_OF_RANGE"),
            invalid: kind(ErrorKind::Invalid, "INVALID"),
        }
    }
}

/// Why the sequence before the unit is none: a trailing unit cuts it where only one half of them may follow.
fn cut_kind<'m>(decoded: Decoded<'m>, kinds: Kinds<'m>) -> Signal<'m> {
    let past_last = decoded.of_4.mux(kinds.out_of_range, kinds.surrogate);
    let wrong_half =
        decoded.upper.mux(past_last, kinds.overlong).named("wrong_half").note("after F4, ED, or E0 and F0");
    decoded.trailing.mux(wrong_half, kinds.truncated)
}

/// What the unit's own slot is.
fn own_kind<'m>(decoded: Decoded<'m>, kinds: Kinds<'m>) -> Signal<'m> {
    let Decoded { unit, unit_valid, ascii, trailing, in_sequence, fits, unfinished, .. } = decoded;
    let past_f4 = unit.bit(3).mux(kinds.invalid, kinds.out_of_range);
    let no_lead =
        unit.bit(5).mux(past_f4, kinds.overlong).named("no_lead").note("F8..FF, F5..F7, or C0 and C1");
    let lone = trailing.mux(kinds.unexpected, no_lead).named("lone").note("a unit that begins nothing");
    let whole = (!unit_valid | ascii | fits).named("whole");
    let cut_by_end =
        unit_valid.mux(unfinished, in_sequence).named("cut_by_end").note("if the frame ends here");
    cut_by_end.mux(kinds.truncated, whole.mux(kinds.none, lone))
}

/// No error makes a slot; where a frame ends in one, an empty beat carries the end.
fn drop_errors<'m>(m: &'m Builder, decoded: Decoded<'m>) -> Slot<'m> {
    m.section("The slot that goes out, unless it is an error");
    let Decoded { unit, unit_valid, frame_ends, ascii, fits, unfinished, gathered, .. } = decoded;
    let keep = (unit_valid & (ascii | fits) & !unfinished).named("slot_keep").note("a code point is whole");
    // A trailing unit has bit 6 zero, so one expression serves for one unit and for more.
    let code = m.concat([gathered.when(fits), unit.bits(0..6)]) | unit.bits(0..7).zext(CODE_BITS);
    Slot {
        valid: (keep | frame_ends).named("slot_valid"),
        last: frame_ends,
        keep,
        kind: m.lit(1, 0),
        code: code.named("slot_code").when(keep),
    }
}
