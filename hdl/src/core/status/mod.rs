//! The status of frames: a stream of its own that has a beat for each frame, in a layer around a core.
//!
//! ```text
//!            ┌─ layer ───────────────────────────────────────────────────┐
//!            │      ┌─> core ──> register slices ──> gate ───────────────│──> beats
//!  beats ────│──────┤                                  ^                 │
//!            │      └─> observer: decodes and counts ──┴──> register ────│──> status
//!            └───────────────────────────────────────────────────────────┘
//! ```
//!
//! The observer decodes the beats once more, with every error flagged and nothing compacted, whatever the core makes of them. The last
//! beat of a frame passes the gate only when the status of the frame has been offered. The status register holds one status; so
//! a frame's last beat waits where the status of the frame before has not been taken. The slices give the core the latency of
//! the observer, so that no beat waits at the gate otherwise.

mod layer;
mod mark;
mod streams;
mod sums;
mod tally;

use super::BitField;
use crate::netlist::{Builder, Signal};

pub(super) use layer::{INNER, OBSERVER, Part, around};
pub(super) use mark::{ends_with_mark, frame_mark};
pub(super) use streams::{LATENCY_OF_STREAMS, TallyStreams};
pub(super) use sums::{ASCII_BITS, Sums, joined_lanes, lengths};
pub(super) use tally::{Counted, LATENCY as TALLY_LATENCY, Place, Status, Words, tally};

/// Bits of a counter of a status.
pub(in crate::core) const COUNTER_BITS: u32 = 32;

/// Bits of a status.
pub const STATUS_BITS: u32 = 8 * COUNTER_BITS;

/// Bits of the kind of an error.
pub(in crate::core) const KIND_BITS: u32 = 4;

/// The lowest bit of the kind in a status, and of the bits that say which numbers are too large for their fields.
const KIND_LOW: u32 = 4;
const SATURATED_LOW: u32 = 8;

/// The numbers of a status, each in a word of its own, in the order of the words.
pub(in crate::core) const NUMBERS: [(&str, &str); 7] = [
    ("error_offset", "offset of the first unit of the first error; 0 without errors"),
    ("units", "units of the frame"),
    ("code_points", "code points"),
    ("errors", "errors"),
    ("utf_8", "octets that the text has in UTF-8, with U+FFFD for errors and for what Unicode lacks"),
    ("utf_16", "the same: units of UTF-16"),
    ("utf_32", "the same: units of UTF-32"),
];

/// The fields of a status, from the low bits up.
pub fn status_fields() -> Vec<BitField> {
    let field = |name, low, bits, meaning| BitField { name, low, bits, meaning };
    let of_word = |(word, (name, meaning)): (u32, (&'static str, &'static str))| {
        field(name, word * COUNTER_BITS, COUNTER_BITS, meaning)
    };
    let first = [
        field("ill_formed", 0, 1, "the frame has an error"),
        field("kind", KIND_LOW, KIND_BITS, "kind of the first error; 0 without errors"),
        field(
            "saturated",
            SATURATED_LOW,
            NUMBERS.len() as u32,
            "a bit for each of the following numbers: it does not fit its field, which is all ones",
        ),
    ];
    first.into_iter().chain((1..).zip(NUMBERS).map(of_word)).collect()
}

/// The sum, called `name`, of a counter and a number of fewer bits. The highest bit of the counter is set for good once the sum does not fit the bits
/// below.
pub(in crate::core) fn saturating_sum<'m>(
    m: &'m Builder,
    name: &str,
    counter: Signal<'m>,
    number: Signal<'m>,
) -> Signal<'m> {
    let sum = counter.bits(0..COUNTER_BITS).zext(COUNTER_BITS + 1) + number.zext(COUNTER_BITS + 1);
    let sum = sum.named(&format!("{name}_with_carry"));
    m.concat([counter.bit(COUNTER_BITS) | sum.bit(COUNTER_BITS), sum.bits(0..COUNTER_BITS)]).named(name)
}

/// The group of the ports of a status.
const GROUP: &str = "AXI4-Stream output: the status of each frame";

/// Declares the ready of the status.
pub(in crate::core) fn status_ready(m: &Builder) -> Signal<'_> {
    m.port_group(GROUP);
    m.input("status_tready", 1, "the status is taken")
}

/// Declares the output that says of which stream a frame is.
pub(in crate::core) fn status_tid_out<'m>(m: &'m Builder, tid: Signal<'m>) {
    m.port_group(GROUP);
    m.output("status_tid", tid, "the stream of the frame");
}

/// Declares the outputs of an observer: the status, its stream if there are several, and that a status is offered from the next cycle on.
pub(in crate::core) fn observed<'m>(m: &'m Builder, status: &Status<'m>) {
    observed_out(m, status.tdata, status.tvalid, status.loads);
    if let Some(tid) = status.tid {
        status_tid_out(m, tid);
    }
}

fn observed_out<'m>(m: &'m Builder, tdata: Signal<'m>, tvalid: Signal<'m>, loads: Signal<'m>) {
    status_out(m, tdata, tvalid);
    m.output("status_loads", loads, "a status is offered from the next cycle on");
}

/// Declares the outputs of the status.
fn status_out<'m>(m: &'m Builder, tdata: Signal<'m>, tvalid: Signal<'m>) {
    m.port_group(GROUP);
    let fields = status_fields().into_iter().map(|field| field.name);
    let note = format!("from the low bits up: {}", fields.collect::<Vec<_>>().join(", "));
    m.output("status_tdata", tdata, &note);
    m.output("status_tvalid", tvalid, "a status is offered");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    #[test]
    fn a_counter_says_that_a_number_did_not_fit_from_then_on() {
        let m = Builder::new("counter", "A counter.");
        let number = m.input("number", 31, "");
        let counter = m.reg("counter_reg", COUNTER_BITS + 1).reset(0);
        counter.next(saturating_sum(&m, "sum", counter.q, number));
        m.output("low", counter.q.bits(0..COUNTER_BITS), "");
        m.output("is_full", counter.q.bit(COUNTER_BITS), "");
        let module = m.built();
        let (mut random, mut full) = (Random::new(1), 0);
        for _ in 0..40 {
            let mut block = Evaluator::new(&module);
            block.reset();
            let mut sum = 0;
            for _ in 0..12 {
                let number = random.below(1 << 31);
                block.set("number", number);
                block.clock();
                sum += number;
                let fits = u32::try_from(sum);
                assert_eq!(block.get("is_full") == 0, fits.is_ok(), "{sum}");
                assert!(fits.is_err() || block.get("low") == sum, "{sum}");
                full += u32::from(fits.is_err());
            }
        }
        assert!(full > 100, "{full}");
    }

    #[test]
    fn fields_are_apart_and_the_last_one_ends_the_status() {
        let fields = status_fields();
        assert!(fields.windows(2).all(|pair| pair[0].low + pair[0].bits <= pair[1].low));
        assert_eq!(fields.last().map(|field| field.low + field.bits), Some(STATUS_BITS));
    }
}
