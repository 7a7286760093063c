//! The numbers of the lanes of a beat, added up in a tree, and its first error.

use crate::netlist::{Builder, Signal, Stage};

use super::KIND_BITS;

/// Bits of a code point that has one octet in UTF-8.
pub(in crate::core) const ASCII_BITS: u32 = 7;

/// Levels of the tree in a stage.
const LEVELS: u32 = 2;

/// The numbers of a few neighbouring lanes.
#[derive(Clone)]
pub(in crate::core) struct Sums<'m> {
    /// Code points, errors, and units in UTF-8, UTF-16 and UTF-32.
    pub(in crate::core) numbers: [Signal<'m>; 5],
    /// Some slot is an error.
    pub(in crate::core) error: Signal<'m>,
    /// The kind of the first error.
    pub(in crate::core) kind: Signal<'m>,
    /// A slot ends before the first error, and the lane in which the last such slot ends. `None` in a tree of one lane.
    pub(in crate::core) before: Option<[Signal<'m>; 2]>,
    /// Some slot ends here, and the lane in which the last one ends: of no bits, so `None`, in one lane.
    pub(in crate::core) ends: (Signal<'m>, Option<Signal<'m>>),
}

/// Three bits of a code point: it has more than one octet in UTF-8, more than two, and a pair in UTF-16; `None` where none has.
pub(in crate::core) fn lengths(data: Signal<'_>) -> [Option<Signal<'_>>; 3] {
    let past = |low: u32| (data.width() > low).then(|| data.bits(low..data.width()).any());
    // Code points past U+10FFFF are written as U+FFFD.
    let plane_16 = (data.width() > 20).then(|| data.bit(20) & data.bits(16..20).any());
    let beyond = [past(21), plane_16].into_iter().flatten().reduce(|a, b| a | b);
    let is_pair = past(16).map(|planes| beyond.map_or(planes, |beyond| planes & !beyond));
    [past(ASCII_BITS), past(11), is_pair]
}

impl<'m> Sums<'m> {
    /// The numbers of a slot, if `keep` says that there is one: an error of a kind, or a code point of `data`. All but `keep` are
    /// anything where there is no slot, and `data` in an error.
    pub(in crate::core) fn of_slot(
        m: &'m Builder,
        keep: Signal<'m>,
        error: Option<Signal<'m>>,
        kind: Signal<'m>,
        data: Option<Signal<'m>>,
    ) -> Self {
        Self::of_lengths(m, keep, error, kind, data.map(lengths).unwrap_or_default())
    }

    /// The contribution of a slot whose code point has these [`lengths`].
    pub(in crate::core) fn of_lengths(
        m: &'m Builder,
        keep: Signal<'m>,
        error: Option<Signal<'m>>,
        kind: Signal<'m>,
        [octets_2, octets_3, is_pair]: [Option<Signal<'m>>; 3],
    ) -> Self {
        let error = error.map_or(m.lit(1, 0), |error| error & keep);
        let longer = |bit: Option<Signal<'m>>| bit.map_or(error, |bit| error | bit & keep);
        let is_pair = is_pair.map_or(m.lit(1, 0), |is_pair| is_pair & keep & !error);
        let octets = [keep, longer(octets_2), longer(octets_3), is_pair].map(|bit| bit.zext(3));
        let octets = octets.into_iter().reduce(|a, b| a + b).expect("four bits");
        let pairs = keep.zext(2) + is_pair.zext(2);
        Self {
            numbers: [keep & !error, error, octets, pairs, keep],
            error,
            kind: kind.zext(KIND_BITS),
            before: None,
            ends: (keep, None),
        }
    }

    /// The numbers of a slot that is no text if `not`; its place stays.
    pub(in crate::core) fn unless(self, not: Signal<'m>) -> Self {
        let is = !not;
        Self { numbers: self.numbers.map(|number| number.when(is)), error: self.error & is, ..self }
    }

    /// The numbers with an error of a kind before them, which is as long as U+FFFD, if `is_there`.
    pub(in crate::core) fn after_error(self, m: &'m Builder, is_there: Signal<'m>, kind: Signal<'m>) -> Self {
        const OF_ERROR: [u64; 5] = [0, 1, 3, 1, 1];
        Self {
            numbers: std::array::from_fn(|at| {
                let width = self.numbers[at].width() + 1;
                self.numbers[at].zext(width) + m.lit(width, OF_ERROR[at]).when(is_there)
            }),
            error: self.error | is_there,
            kind: is_there.mux(kind, self.kind),
            ..self
        }
    }

    /// The numbers without U+FEFF, if the mark of the frame is among the slots.
    pub(in crate::core) fn without_mark(self, m: &'m Builder, is_there: Signal<'m>) -> Self {
        const OF_MARK: [u64; 5] = [1, 0, 3, 1, 1];
        let numbers = std::array::from_fn(|at| match OF_MARK[at] {
            0 => self.numbers[at],
            of_mark => self.numbers[at] - m.lit(self.numbers[at].width(), of_mark).when(is_there),
        });
        Self { numbers, ..self }
    }

    /// Names the bits of a slot's data, from bit `read` on, that [`of_slot`](Self::of_slot) does not read.
    pub(in crate::core) fn unused(data: Signal<'m>, read: u32, name: &str) {
        let end = ASCII_BITS.min(data.width());
        if read < end {
            data.bits(read..end).named(name);
        }
    }

    /// The numbers of two runs of as many lanes, the lower ones first.
    fn joined(m: &'m Builder, low: &Self, high: &Self) -> Self {
        let side = |is_high: bool, lane: Option<Signal<'m>>| {
            m.concat([Some(m.lit(1, is_high.into())), lane].into_iter().flatten())
        };
        let [end_of_low, end_of_high] = [side(false, low.ends.1), side(true, high.ends.1)];
        let before_in = |sums: &Self, is_high| match sums.before {
            Some([is, lane]) => (is, side(is_high, Some(lane))),
            None => (m.lit(1, 0), side(is_high, sums.ends.1)),
        };
        let (before_low, before_high) = (before_in(low, false), before_in(high, true));
        let is_before = low.error.mux(before_low.0, before_high.0 | low.ends.0);
        let before = low.error.mux(before_low.1, before_high.0.mux(before_high.1, end_of_low));
        Self {
            numbers: std::array::from_fn(|at| {
                let width = low.numbers[at].width() + 1;
                low.numbers[at].zext(width) + high.numbers[at].zext(width)
            }),
            error: low.error | high.error,
            kind: low.error.mux(low.kind, high.kind),
            before: Some([is_before, before]),
            ends: (low.ends.0 | high.ends.0, Some(high.ends.0.mux(end_of_high, end_of_low))),
        }
    }

    /// Registers of a stage, named after `name`.
    fn registered(&self, stage: Stage<'m>, name: &str) -> Self {
        let data = |what: &str, signal: Signal<'m>| match signal.is_constant() {
            true => signal,
            false => stage.data(&format!("{name}_{what}_reg"), signal),
        };
        let names = ["code_points", "errors", "utf_8", "utf_16", "utf_32"];
        Self {
            numbers: std::array::from_fn(|at| data(names[at], self.numbers[at])),
            error: data("error", self.error),
            kind: data("kind", self.kind),
            before: self.before.map(|[is, lane]| [data("has_before", is), data("before", lane)]),
            ends: (data("has_end", self.ends.0), self.ends.1.map(|lane| data("end", lane))),
        }
    }
}

/// The numbers of all lanes, a power of two, and the stages that they take. The first stage holds those of each lane.
pub(in crate::core) fn joined_lanes<'m>(
    m: &'m Builder,
    lanes: Vec<Sums<'m>>,
    stage: Stage<'m>,
) -> (Sums<'m>, u32) {
    let mut stages = 1;
    let register = |sums: Vec<Sums<'m>>, stages: u32| -> Vec<Sums<'m>> {
        let name = |at: usize| format!("sums_{stages}_{at}");
        sums.iter().enumerate().map(|(at, sums)| sums.registered(stage, &name(at))).collect()
    };
    let mut sums = register(lanes, stages);
    let mut levels = 0;
    while sums.len() > 1 {
        sums = sums.chunks(2).map(|pair| Sums::joined(m, &pair[0], &pair[1])).collect();
        levels += 1;
        if levels % LEVELS == 0 || sums.len() == 1 {
            stages += 1;
            sums = register(sums, stages);
        }
    }
    (sums.remove(0), stages)
}
