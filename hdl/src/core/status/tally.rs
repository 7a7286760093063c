//! The counters of a frame, and the register of its status.

use crate::netlist::{Builder, InstanceHandle, Module, Reg, Signal};
use crate::stream::{Fields, connect, skid_buffer};
use std::sync::Arc;

use super::{COUNTER_BITS, KIND_BITS, NUMBERS, saturating_sum};

/// The sums of the slots of a beat.
#[derive(Clone, Copy)]
pub(in crate::core) struct Counted<'m> {
    /// There is a beat; nothing else is valid where there is none.
    pub(in crate::core) valid: Signal<'m>,
    /// The beat ends its frame.
    pub(in crate::core) last: Signal<'m>,
    /// Code points, errors, and units in UTF-8, UTF-16 and UTF-32.
    pub(in crate::core) numbers: [Signal<'m>; 5],
    /// Some slot is an error, and the kind of the first one.
    pub(in crate::core) error: Signal<'m>,
    pub(in crate::core) kind: Signal<'m>,
    pub(in crate::core) place: Place<'m>,
}

/// The offsets of a beat.
#[derive(Clone, Copy)]
pub(in crate::core) enum Place<'m> {
    /// One unit, or none: the slot is its own, or that of a sequence which began before it.
    Unit {
        /// There is a unit.
        is: Signal<'m>,
        /// The unit begins a code point or an error.
        begins: Signal<'m>,
        /// The slot is of a sequence that began before the unit.
        is_after: Signal<'m>,
        /// The unit is of the frame after the beat's, if the beat ends its frame; a constant where it never is.
        is_next: Signal<'m>,
    },
    /// Lanes of a beat of units.
    InBeat {
        /// The number of units.
        units: Signal<'m>,
        /// The first error is of a sequence that the beat cuts short before its first unit.
        cut: Signal<'m>,
        /// A slot ends in the beat before the first error, and the lane of its last unit.
        before: [Signal<'m>; 2],
        /// A slot ends in the beat, and the lane of the last unit of the last one.
        end: [Signal<'m>; 2],
    },
}

impl<'m> Place<'m> {
    /// The signals with their names.
    fn fields(self) -> Vec<(&'static str, Signal<'m>)> {
        match self {
            Self::Unit { is, begins, is_after, is_next } => {
                let is_next = (!is_next.is_constant()).then_some(("is_next", is_next));
                let others = [("unit", is), ("begins", begins), ("is_after", is_after)];
                others.into_iter().chain(is_next).collect()
            }
            Self::InBeat { units, cut, before, end } => vec![
                ("units", units),
                ("cut", cut),
                ("has_before", before[0]),
                ("before", before[1]),
                ("has_end", end[0]),
                ("end", end[1]),
            ],
        }
    }
}

/// The names of the numbers of a beat: those of the status without those of the units.
const COUNTS: [&str; 5] = ["code_points", "errors", "utf_8", "utf_16", "utf_32"];

impl<'m> Counted<'m> {
    /// The signals but `valid`, with their names.
    fn fields(self) -> Vec<(&'static str, Signal<'m>)> {
        let ends = [("last", self.last), ("error", self.error), ("kind", self.kind)];
        ends.into_iter().chain(COUNTS.into_iter().zip(self.numbers)).chain(self.place.fields()).collect()
    }

    /// Fields of the same names in another module, `none` for those that are always 0, each other given by `field` in the order of [`fields`](Self::fields).
    fn each<'n>(
        self,
        valid: Signal<'n>,
        none: Signal<'n>,
        mut field: impl FnMut(&'static str) -> Signal<'n>,
    ) -> Counted<'n> {
        Counted {
            valid,
            last: field("last"),
            error: field("error"),
            kind: field("kind"),
            numbers: COUNTS.map(&mut field),
            place: match self.place {
                Place::Unit { is_next, .. } => {
                    let [is, begins, is_after] = ["unit", "begins", "is_after"].map(&mut field);
                    let is_next = if is_next.is_constant() { none } else { field("is_next") };
                    Place::Unit { is, begins, is_after, is_next }
                }
                Place::InBeat { .. } => Place::InBeat {
                    units: field("units"),
                    cut: field("cut"),
                    before: ["has_before", "before"].map(&mut field),
                    end: ["has_end", "end"].map(&mut field),
                },
            },
        }
    }
}

/// A status as it goes out.
pub(in crate::core) struct Status<'m> {
    pub(in crate::core) tdata: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    /// A status is offered from the next cycle on.
    pub(in crate::core) loads: Signal<'m>,
    /// A register: the next beat is taken.
    pub(in crate::core) ready: Signal<'m>,
}

/// Cycles from a beat that ends its frame to the status of the frame: the buffer, and the register of the status.
pub(in crate::core) const LATENCY: u32 = 2;

/// Counts the beats of frames.
pub(in crate::core) fn tally<'m>(
    m: &'m Builder,
    counted: Counted<'m>,
    status_tready: Signal<'m>,
) -> Status<'m> {
    let module = module(counted);
    let inner: InstanceHandle<'m> = m.instance("tally", &module);
    inner.input("s_valid", counted.valid).input("status_tready", status_tready);
    for (name, signal) in counted.fields() {
        inner.input(&format!("s_{name}"), signal);
    }
    Status {
        tdata: inner.output("status_tdata"),
        tvalid: inner.output("status_tvalid"),
        loads: inner.output("status_loads"),
        ready: inner.output("s_ready"),
    }
}

/// The module of the counters, for fields as wide as those of `like`.
fn module(like: Counted<'_>) -> Arc<Module> {
    let m = Builder::new("tally", "The counters of a frame, and the register that holds the frame's status.");
    m.port_group("Slots of a beat");
    let valid = m.input("s_valid", 1, "beat is offered");
    let ports: Vec<(&str, Signal)> = like
        .fields()
        .into_iter()
        .map(|(name, signal)| (name, m.input(&format!("s_{name}"), signal.width(), "")))
        .collect();
    let status_tready = super::status_ready(&m);

    m.section("The buffer makes a register of ready");
    let payload = m.concat(ports.iter().map(|&(_, signal)| signal));
    let takes = m.wire("takes", 1).note("the counters take a beat");
    let out = connect(m.instance("input_skid", &skid_buffer(payload.width())), valid, payload, takes);
    m.port_group("Slots of a beat");
    m.output("s_ready", out.ready, "beat is taken");
    let mut fields = Fields::of(out.payload.named("beat"));
    let mut ports = ports.into_iter();
    let beat = like.each(out.valid.named("beat_valid"), m.lit(1, 0), |name| {
        let (port, signal) = ports.next().expect("a port for each field");
        assert_eq!(port, name, "fields are in order");
        fields.next(signal, &format!("beat_{name}"))
    });
    count(&m, beat, takes, status_tready);
    m.built()
}

/// The counters, and the register of the status.
fn count<'m>(m: &'m Builder, beat: Counted<'m>, takes: Signal<'m>, status_tready: Signal<'m>) {
    m.section("Counters of the frame: the highest bit says that a number did not fit");
    let moves = (beat.valid & takes).named("beat_moves");
    let frame_ends = (moves & beat.last).named("frame_ends");
    let counter = |name: &str, add: Signal<'m>| {
        let counter = m.reg(&format!("{name}_reg"), COUNTER_BITS + 1).reset(0);
        let sum = saturating_sum(m, &format!("{name}_sum"), counter.q, add);
        (counter, sum)
    };
    // Written so that synthesis finds the reset input of flip-flops, which reset has, too.
    let keep = |counter: Reg<'m>, sum: Signal<'m>, left: Option<Signal<'m>>| {
        let next = moves.mux(sum, counter.q);
        counter.next(left.map_or(next.when(!frame_ends), |left| frame_ends.mux(left, next)));
    };
    let known = m.reg("has_error_reg", 1).reset(0).note("the frame has had an error before the beat");
    let is_first = (beat.error & !known.q).named("is_first_error");
    let ill_formed = (known.q | beat.error).named("ill_formed");
    known.next_when(moves, ill_formed & !beat.last);
    // The value of the first error, or 0 without errors.
    let keep_first = |name: &str, first: Signal<'m>| {
        let register: Reg = m.reg(&format!("first_{name}_reg"), first.width());
        register.next_when(moves & is_first, first);
        known.q.mux(register.q, first).when(ill_formed).named(&format!("first_{name}"))
    };
    let (offset, units) = match beat.place {
        Place::Unit { is, begins, is_after, is_next } => {
            let (before_beat, sum) = counter("units", is);
            let units = if is_next.is_constant() { sum } else { is_next.mux(before_beat.q, sum) };
            let left = (is & is_next).zext(COUNTER_BITS + 1);
            keep(before_beat, sum, (!is_next.is_constant()).then_some(left));
            m.section("The offset of the first error: that of the first unit of its sequence");
            let start = m
                .reg("start_reg", COUNTER_BITS + 1)
                .reset(0)
                .note("the offset of the open sequence's first unit, or of the first error");
            let of_error = known.q | is_first & is_after;
            let loads = moves & begins & !of_error;
            start.next(loads.mux(before_beat.q, start.q).when(!frame_ends));
            let offset = (begins & !of_error).mux(before_beat.q, start.q);
            (offset.when(ill_formed).named("first_offset"), units)
        }
        Place::InBeat { units, cut, before, end } => {
            let (before_beat, units) = counter("units", units);
            keep(before_beat, units, None);
            m.section("The offset of the first error: the end of the slot before it");
            let end_of_last = m
                .reg("end_of_last_reg", COUNTER_BITS + 1)
                .reset(0)
                .note("the end of the frame's last slot before the beat");
            // A lane more, since the lane is that of the last unit.
            let after = |lane: Signal<'m>, name: &str| {
                let lanes = lane.zext(lane.width() + 1) + m.lit(lane.width() + 1, 1);
                saturating_sum(m, name, before_beat.q, lanes)
            };
            let without_end = cut.mux(before_beat.q, end_of_last.q);
            let end = end[0].mux(after(end[1], "end_of_slot"), without_end);
            end_of_last.next_when(moves, end.when(!beat.last));
            let begin = (before[0] & !cut).named("has_slot_before");
            let offset = begin.mux(after(before[1], "end_before_error"), end_of_last.q);
            (keep_first("offset", offset.named("offset_in_beat")), units)
        }
    };
    let kind = keep_first("kind", beat.kind);
    let numbers = COUNTS.into_iter().zip(beat.numbers).map(|(name, add)| {
        let (register, sum) = counter(name, add);
        keep(register, sum, None);
        sum
    });
    let numbers: Vec<Signal> = [units].into_iter().chain(numbers).collect();

    m.section("The status: a register that waits until it is taken");
    let all: Vec<Signal> = [offset].into_iter().chain(numbers).collect();
    let saturated = m.concat(all.iter().rev().map(|number| number.bit(COUNTER_BITS)));
    // A choice, which synthesis makes of the set inputs of flip-flops.
    let word = |number: Signal<'m>| {
        let most = m.lit(COUNTER_BITS, u32::MAX.into());
        number.bit(COUNTER_BITS).mux(most, number.bits(0..COUNTER_BITS))
    };
    let flags = [
        m.lit(COUNTER_BITS - super::SATURATED_LOW - NUMBERS.len() as u32, 0),
        saturated,
        kind,
        m.lit(KIND_BITS - 1, 0),
        ill_formed,
    ];
    let words = all.iter().rev().map(|&number| word(number));
    let next = m.concat(words.chain(flags)).named("status_next");
    let held = m.reg("status_valid_reg", 1).reset(0).note("a status is offered");
    let full = (held.q & !status_tready).named("status_waits");
    m.drive(takes, !(beat.last & full));
    held.next(full | frame_ends);
    let status = m.reg("status_reg", next.width());
    status.next_when(frame_ends, next);
    super::observed(m, status.q, held.q, frame_ends);
}
