//! The `utf-8` decoder, one unit a cycle: RFC 3629 and Unicode's table 3-7, errors by maximal subpart.
//!
//! ```text
//!             input skid       1 classify        2 sequence        3 output
//!  s_axis ──> (2 beats)  ──> what the unit  ──> state and slot ──> U+FFFD    ──> m_axis
//!                            is by itself        (1 held slot)     for errors
//! ```
//!
//! A unit makes at most two slots: the error of a sequence it cuts short, and a slot of its own. The second waits in
//! `held` for one beat. There is always room: a sequence can only be cut if its lead unit made no slot, and in that
//! beat `held` was emptied. So the core takes a unit every cycle, whatever the units are.
//!
//! All stages move together, whenever the output register is free: `advance`. Each has three or four LUTs between
//! registers; what sets or clears many registers at once comes from a register or from one LUT behind one.

mod classify;
mod sequence;
mod slot;

use std::sync::Arc;

use super::OnError;
use super::error_kind::{ErrorKind, slot_labels};
use super::ports::{UcsOutput, encoded_input, encoded_input_ready, ucs_output, ucs_output_ready};
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{connect, register_slice, skid_buffer};
use classify::classify;
use sequence::sequence;
use slot::{drop_errors, flag_errors};

/// Cycles from a beat taken on `s_axis` to its slot on `m_axis`: the skid buffer and three stages.
const LATENCY: u32 = 4;
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
    let advance = m.wire("advance", 1).note("all stages move");

    m.section("Input: the skid buffer makes s_axis_tready a register; a lane without a unit becomes zeros");
    let offered = m.concat([input.tlast, input.tkeep, input.tdata.when(input.tkeep)]);
    let skid = connect(m.instance("input_skid", &skid_buffer(10)), input.tvalid, offered, advance);
    encoded_input_ready(&m, skid.ready.named("input_ready"));
    let beat_valid = skid.valid.named("beat_valid");
    let beat = skid.payload.named("beat");
    let unit = beat.bits(0..8).named("unit");
    let unit_valid = (beat_valid & beat.bit(8)).named("unit_valid");
    let frame_ends = (beat_valid & beat.bit(9)).named("frame_ends");

    let kinds = Kinds::new(&m, on_error);
    let class = classify(&m, unit, unit_valid, frame_ends, advance, kinds.as_ref());
    let sequence = sequence(&m, class, advance);
    let slot = match &kinds {
        Some(kinds) => flag_errors(&m, class, sequence, kinds, advance),
        None => drop_errors(&m, class, sequence, advance),
    };

    m.section("Stage 3: the output register");
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

/// The codes of the errors, by name.
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
    /// The codes, where errors are told at all.
    fn new(m: &'m Builder, on_error: OnError) -> Option<Self> {
        if on_error == OnError::Drop {
            return None;
        }
        m.section("Kinds of error");
        let kind = |kind: ErrorKind, name: &str| m.lit(KIND_BITS, kind.code()).named(name);
        Some(Self {
            none: m.lit(KIND_BITS, 0).named("NO_ERROR"),
            unexpected: kind(ErrorKind::Unexpected, "UNEXPECTED"),
            truncated: kind(ErrorKind::Truncated, "TRUNCATED"),
            overlong: kind(ErrorKind::Overlong, "OVERLONG"),
            surrogate: kind(ErrorKind::Surrogate, "SURROGATE"),
            out_of_range: kind(ErrorKind::OutOfRange, "OUT_OF_RANGE"),
            invalid: kind(ErrorKind::Invalid, "INVALID"),
        })
    }
}
