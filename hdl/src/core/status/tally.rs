//! The counters of a frame, and the register of its status.

use crate::netlist::{Builder, InstanceHandle, Module, Reg, Signal};
use crate::stream::{Fields, connect, skid_buffer};
use std::sync::Arc;

use crate::core::shared::single::of_word;

use super::streams::{TallyStreams, module_of_streams};
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
    /// The units of the frame before the beat are no text: code points and errors that were counted in them are dropped, and the units stay
    /// counted. `None` in systems where all units are text.
    pub(in crate::core) clears: Option<Signal<'m>>,
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
        /// The low bits of an offset that are 0 where a sequence begins.
        word: u32,
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
        /// The words of the beat, if lanes are those of words of octets; `None` if lanes are those of units.
        words: Option<Words<'m>>,
    },
    /// The slots of a unit come one after the other, and the offset of each slot is known.
    Known {
        /// The units of the frame, if it ends with the slot.
        units: Signal<'m>,
        offset: Signal<'m>,
    },
    /// Pairs of units, one after the other.
    Pairs {
        /// The number of units.
        units: Signal<'m>,
        /// There is a pair in the beat before the first error, and the number of the last one.
        before: [Signal<'m>; 2],
    },
}

/// The words of a beat of octets.
#[derive(Clone, Copy)]
pub(in crate::core) struct Words<'m> {
    /// The number of words that the beat completes.
    pub(in crate::core) count: Signal<'m>,
    /// A word has 2 to that power octets.
    pub(in crate::core) bits: u32,
    /// The first lane is that of the last word before the beat.
    pub(in crate::core) is_first_before: bool,
}

impl<'m> Place<'m> {
    /// The signals with their names.
    fn fields(self) -> Vec<(&'static str, Signal<'m>)> {
        match self {
            Self::Unit { is, begins, is_after, is_next, .. } => {
                let is_next = (!is_next.is_constant()).then_some(("is_next", is_next));
                let others = [("unit", is), ("begins", begins), ("is_after", is_after)];
                others.into_iter().chain(is_next).collect()
            }
            Self::InBeat { units, cut, before, end, words } => {
                let others = [
                    ("units", units),
                    ("cut", cut),
                    ("has_before", before[0]),
                    ("before", before[1]),
                    ("has_end", end[0]),
                    ("end", end[1]),
                ];
                others.into_iter().chain(words.map(|words| ("words", words.count))).collect()
            }
            Self::Known { units, offset } => vec![("units", units), ("offset", offset)],
            Self::Pairs { units, before } => {
                vec![("units", units), ("has_before", before[0]), ("before", before[1])]
            }
        }
    }
}

/// The names of the numbers of a beat: those of the status without those of the units.
const COUNTS: [&str; 5] = ["code_points", "errors", "utf_8", "utf_16", "utf_32"];

impl<'m> Counted<'m> {
    /// The signals but `valid`, with their names.
    pub(super) fn fields(self) -> Vec<(&'static str, Signal<'m>)> {
        let ends = [("last", self.last), ("error", self.error), ("kind", self.kind)];
        let counts = COUNTS.into_iter().zip(self.numbers);
        let clears = self.clears.map(|clears| ("clears", clears));
        ends.into_iter().chain(counts).chain(clears).chain(self.place.fields()).collect()
    }

    /// Fields of the same names in another module, `none` for those that are always 0, each other given by `field` in the order of [`fields`](Self::fields).
    pub(super) fn each<'n>(
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
            clears: self.clears.map(|_| field("clears")),
            place: match self.place {
                Place::Unit { is_next, word, .. } => {
                    let [is, begins, is_after] = ["unit", "begins", "is_after"].map(&mut field);
                    let is_next = if is_next.is_constant() { none } else { field("is_next") };
                    Place::Unit { is, begins, is_after, is_next, word }
                }
                Place::Pairs { .. } => {
                    Place::Pairs { units: field("units"), before: ["has_before", "before"].map(&mut field) }
                }
                Place::Known { .. } => Place::Known { units: field("units"), offset: field("offset") },
                Place::InBeat { words, .. } => Place::InBeat {
                    units: field("units"),
                    cut: field("cut"),
                    before: ["has_before", "before"].map(&mut field),
                    end: ["has_end", "end"].map(&mut field),
                    words: words.map(|Words { bits, is_first_before, .. }| Words {
                        count: field("words"),
                        bits,
                        is_first_before,
                    }),
                },
            },
        }
    }
}

/// A status as it goes out.
pub(in crate::core) struct Status<'m> {
    pub(in crate::core) tdata: Signal<'m>,
    pub(in crate::core) tvalid: Signal<'m>,
    /// The stream of the frame, in a core of several.
    pub(in crate::core) tid: Option<Signal<'m>>,
    /// A status is offered from the next cycle on.
    pub(in crate::core) loads: Signal<'m>,
    /// A register: the next beat is taken.
    pub(in crate::core) ready: Signal<'m>,
}

/// The summary of the modules.
pub(super) const ABOUT: &str = "The counters of a frame, and the register that holds the frame's status.";

/// Cycles from a beat that ends its frame to the status of the frame: the buffer, and the register of the status.
pub(in crate::core) const LATENCY: u32 = 2;

/// Counts the beats of frames.
pub(in crate::core) fn tally<'m>(
    m: &'m Builder,
    counted: Counted<'m>,
    streams: Option<TallyStreams<'m>>,
    status_tready: Signal<'m>,
) -> Status<'m> {
    let module = match streams {
        None => module(counted),
        Some(TallyStreams { tid, .. }) => module_of_streams(counted, tid.width()),
    };
    let inner: InstanceHandle<'m> = m.instance("tally", &module);
    inner.input("s_valid", counted.valid).input("status_tready", status_tready);
    for (name, signal) in counted.fields() {
        inner.input(&format!("s_{name}"), signal);
    }
    if let Some(TallyStreams { tid, sweeps }) = streams {
        inner.input("s_tid", tid).input("sweeps", sweeps);
    }
    Status {
        tdata: inner.output("status_tdata"),
        tvalid: inner.output("status_tvalid"),
        tid: streams.map(|_| inner.output("status_tid")),
        loads: inner.output("status_loads"),
        ready: inner.output("s_ready"),
    }
}

/// The module of the counters, for fields as wide as those of `like`.
fn module(like: Counted<'_>) -> Arc<Module> {
    let m = Builder::new("tally", ABOUT);
    let (beat, takes, status_tready) = beat(&m, like, None);
    count(&m, beat.counted, takes, status_tready, false);
    m.built()
}

/// A beat after the buffer of a tally.
pub(super) struct Beat<'m> {
    pub(super) counted: Counted<'m>,
    /// The stream, in a tally of several.
    pub(super) tid: Option<Signal<'m>>,
}

/// Declares the inputs of a tally, for fields as wide as those of `like` and a stream's number of `tid` bits, and buffers the beat. Gives the beat, the wire that
/// has to be driven with whether the beat is taken, and the ready of the status.
pub(super) fn beat<'m>(
    m: &'m Builder,
    like: Counted<'_>,
    tid: Option<u32>,
) -> (Beat<'m>, Signal<'m>, Signal<'m>) {
    m.port_group("Slots of a beat");
    let valid = m.input("s_valid", 1, "beat is offered");
    let ports: Vec<(&str, Signal)> = like
        .fields()
        .into_iter()
        .map(|(name, signal)| (name, m.input(&format!("s_{name}"), signal.width(), "")))
        .collect();
    let tid = tid.map(|bits| m.input("s_tid", bits, "the stream of the beat"));
    let status_tready = super::status_ready(m);

    m.section("The buffer makes a register of ready");
    let payload = m.concat(ports.iter().map(|&(_, signal)| signal).chain(tid));
    let takes = m.wire("takes", 1).note("the counters take a beat");
    let out = connect(m.instance("input_skid", &skid_buffer(payload.width())), valid, payload, takes);
    m.port_group("Slots of a beat");
    m.output("s_ready", out.ready, "beat is taken");
    let mut fields = Fields::of(out.payload.named("beat"));
    let mut ports = ports.into_iter();
    let counted = like.each(out.valid.named("beat_valid"), m.lit(1, 0), |name| {
        let (port, signal) = ports.next().expect("a port for each field");
        assert_eq!(port, name, "fields are in order");
        fields.next(signal, &format!("beat_{name}"))
    });
    let tid = tid.map(|tid| fields.next(tid, "beat_tid"));
    (Beat { counted, tid }, takes, status_tready)
}

/// The counters, and the register of the status. Gives whether that loads. `are_carried`: the counters are those of a stream.
pub(super) fn count<'m>(
    m: &'m Builder,
    beat: Counted<'m>,
    takes: Signal<'m>,
    status_tready: Signal<'m>,
    are_carried: bool,
) -> Signal<'m> {
    m.section("Counters of the frame: the highest bit says that a number did not fit");
    let moves = (beat.valid & takes).named("beat_moves");
    let ends = (moves & beat.last).named("frame_ends");
    let known = m.reg("has_error_reg", 1).reset(0).note("the frame has had an error before the beat");
    let known = if are_carried { known.carried(1) } else { known };
    let before = beat.clears.map_or(known.q, |clears| known.q & !clears);
    let is_first = (beat.error & !before).named("is_first_error");
    let ill_formed = (before | beat.error).named("ill_formed");
    known.next_when(moves, ill_formed & !beat.last);
    let clears = beat.clears;
    let frame = Frame { m, moves, ends, are_carried, clears, known: before, is_first, ill_formed };
    let numbers = COUNTS.into_iter().zip(beat.numbers).map(|(name, add)| frame.counted_of_text(name, add));
    let numbers: Vec<(Signal, Signal)> = numbers.collect();
    let slots_before_beat = numbers.last().expect("slots are counted").0;
    let (offset, units) = match beat.place {
        Place::Unit { is, begins, is_after, is_next, word } => {
            frame.unit([is, begins, is_after, is_next], word)
        }
        Place::InBeat { units, cut, before, end, words } => frame.in_beat(units, cut, [before, end], words),
        Place::Known { units, offset } => (frame.first("offset", offset), units),
        Place::Pairs { units, before } => frame.pairs(units, before, slots_before_beat),
    };
    let kind = frame.first("kind", beat.kind);

    m.section("The status: a register that waits until it is taken");
    let numbers = [units].into_iter().chain(numbers.into_iter().map(|(_, sum)| sum));
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
    held.next(full | ends);
    let status = m.reg("status_reg", next.width());
    status.next_when(ends, next);
    super::observed_out(m, status.q, held.q, ends);
    ends
}

/// A counter's value times 2^bits, with the bit that says that it does not fit.
fn times<'m>(m: &'m Builder, counter: Signal<'m>, bits: u32) -> Signal<'m> {
    let kept = COUNTER_BITS - bits;
    let is_over = counter.bits(kept..COUNTER_BITS + 1).any();
    m.concat([is_over, counter.bits(0..kept), m.lit(bits, 0)])
}

/// The frame that is counted.
struct Frame<'m> {
    m: &'m Builder,
    /// The beat is counted, and ends its frame.
    moves: Signal<'m>,
    ends: Signal<'m>,
    /// The counters are those of a stream, which are kept outside.
    are_carried: bool,
    /// The units and slots counted before the beat are no text, so that their counts are dropped.
    clears: Option<Signal<'m>>,
    /// The frame has had an error before the beat, has its first one in the beat, and has one.
    known: Signal<'m>,
    is_first: Signal<'m>,
    ill_formed: Signal<'m>,
}

impl<'m> Frame<'m> {
    /// A counter, and its sum with a number of the beat; the register is still to be driven.
    fn counter(&self, name: &str, add: Signal<'m>) -> (Reg<'m>, Signal<'m>) {
        let counter = self.state(name, COUNTER_BITS + 1).reset(0);
        (counter, saturating_sum(self.m, &format!("{name}_sum"), counter.q, add))
    }

    /// A register of the frame.
    fn state(&self, name: &str, bits: u32) -> Reg<'m> {
        let register = self.m.reg(&format!("{name}_reg"), bits);
        if self.are_carried { register.carried(1) } else { register }
    }

    /// Lets a register load `next` if a beat is counted, and 0 at the end of the frame. Written so that synthesis finds the reset input of
    /// flip-flops, which reset has, too.
    fn load(&self, register: Reg<'m>, loads: Signal<'m>, next: Signal<'m>) {
        let next = loads.mux(next, register.q).when(!self.ends);
        match self.are_carried {
            true => register.next_when(self.moves, next),
            false => register.next(next),
        }
    }

    /// The value of a counter of the frame, before the beat and after it.
    fn counted(&self, name: &str, add: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let (counter, sum) = self.counter(name, add);
        self.load(counter, self.moves, sum);
        (counter.q, sum)
    }

    /// As `counted`, for a number that only text adds to. `clears` drops the count before the beat.
    fn counted_of_text(&self, name: &str, add: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let Some(clears) = self.clears else { return self.counted(name, add) };
        let counter = self.m.reg(&format!("{name}_reg"), COUNTER_BITS + 1).reset(0);
        let before = counter.q.when(!clears).named(&format!("{name}_before"));
        let sum = saturating_sum(self.m, &format!("{name}_sum"), before, add);
        self.load(counter, self.moves, sum);
        (before, sum)
    }

    /// The value of the first error, or 0 without errors.
    fn first(&self, name: &str, first: Signal<'m>) -> Signal<'m> {
        let register = self.state(&format!("first_{name}"), first.width());
        match self.are_carried {
            true => register.next_when(self.moves, self.is_first.mux(first, register.q)),
            false => register.next_when(self.moves & self.is_first, first),
        }
        self.known.mux(register.q, first).when(self.ill_formed).named(&format!("first_{name}"))
    }

    /// The offset of the first error, and the units of the frame, for [`Place::Unit`].
    fn unit(&self, [is, begins, is_after, is_next]: [Signal<'m>; 4], word: u32) -> (Signal<'m>, Signal<'m>) {
        let (counter, sum) = self.counter("units", is);
        let units = if is_next.is_constant() {
            self.load(counter, self.moves, sum);
            sum
        } else {
            let left = (is & is_next).zext(COUNTER_BITS + 1);
            counter.next(self.ends.mux(left, self.moves.mux(sum, counter.q)));
            is_next.mux(counter.q, sum)
        };
        self.m.section("The offset of the first error: that of the first unit of its sequence");
        let start = self
            .state("start", COUNTER_BITS + 1)
            .reset(0)
            .note("the offset of the open sequence's first unit, or of the first error");
        let is_new = begins & !(self.known | self.is_first & is_after);
        let here = of_word(self.m, counter.q, word);
        self.load(start, self.moves & is_new, here);
        let offset = is_new.mux(here, start.q).when(self.ill_formed);
        (offset.named("first_offset"), units)
    }

    /// The same for [`Place::InBeat`].
    fn in_beat(
        &self,
        units: Signal<'m>,
        cut: Signal<'m>,
        [before, end]: [[Signal<'m>; 2]; 2],
        words: Option<Words<'m>>,
    ) -> (Signal<'m>, Signal<'m>) {
        let m = self.m;
        let (before_beat, units) = self.counted("units", units);
        let before_beat = words.map_or(before_beat, |words| self.counted("words", words.count).0);
        m.section("The offset of the first error: the end of the slot before it");
        let end_of_last = self
            .state("end_of_last", COUNTER_BITS + 1)
            .reset(0)
            .note("the end of the frame's last slot before the beat");
        // A lane more, since the lane is that of the last unit.
        let after = |lane: Signal<'m>, name: &str| {
            let lanes = lane.zext(lane.width() + 1);
            let lanes = match words {
                Some(Words { is_first_before: true, .. }) => lanes,
                _ => lanes + m.lit(lane.width() + 1, 1),
            };
            saturating_sum(m, name, before_beat, lanes)
        };
        let without_end = cut.mux(before_beat, end_of_last.q);
        self.load(end_of_last, self.moves, end[0].mux(after(end[1], "end_of_slot"), without_end));
        let begin = (before[0] & !cut).named("has_slot_before");
        let offset = begin.mux(after(before[1], "end_before_error"), end_of_last.q);
        let offset = words.map_or(offset, |words| times(m, offset, words.bits));
        (self.first("offset", offset.named("offset_in_beat")), units)
    }

    /// The position of the first error and the number of units, for [`Place::Pairs`].
    fn pairs(
        &self,
        units: Signal<'m>,
        [has_before, last]: [Signal<'m>; 2],
        slots_before_beat: Signal<'m>,
    ) -> (Signal<'m>, Signal<'m>) {
        let m = self.m;
        let (_, units) = self.counted("units", units);
        m.section("The offset of the first error: twice the number of slots before it");
        let width = last.width() + 1;
        let slots = (last.zext(width) + m.lit(width, 1)).when(has_before);
        let slots = saturating_sum(m, "slots_before_error", slots_before_beat, slots);
        let offset = times(m, slots, 1);
        (self.first("offset", offset.named("offset_in_beat")), units)
    }
}
