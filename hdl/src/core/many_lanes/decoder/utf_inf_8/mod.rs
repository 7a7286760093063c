//! UTF-∞-8, seed 000: the sequences after FF, for all lanes of a beat at once. docs/design.md has the algorithm.
//!
//! These stages find the position of each unit in such a sequence. The lanes themselves are those of a prefix system, which the short
//! forms are.

mod breach;
mod ends;
mod headers;
mod limit;
mod pairs;
mod position;
mod starts;
mod units;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::slot::Kinds;
use crate::core::lanes::{At, Beat, Lanes, history_stages, scan, section};
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::{Builder, Reg};
use limit::Limit;
pub(in crate::core::many_lanes) use position::{MASKS, PHASES, Position};
pub(in crate::core::many_lanes) use units::Units;

/// The options that sequences after FF depend on.
#[derive(Clone, Debug)]
pub(in crate::core::many_lanes) struct Tails {
    limit: Limit,
    drops: bool,
}

/// The stages, each named by the facts that are known in that stage.
#[derive(Clone, Copy, Debug)]
struct Stages {
    /// The class of each unit.
    class: u32,
    /// Which units come after FF and nothing but B4.
    starts: u32,
    /// Which units tell where a header ends.
    firsts: u32,
    /// The ends of headers.
    headers: u32,
    /// The position of each unit from the end of its header.
    near: u32,
    /// The units that must follow a header.
    pads: u32,
    /// The units that break a sequence.
    broken: u32,
    /// The units before which no unit has broken the sequence.
    alive: u32,
    /// The end of the sequence that was open before the beat.
    ends: u32,
    /// The position of each unit in its sequence.
    position: u32,
}

impl Stages {
    fn new(lanes: usize) -> Self {
        let scan = scan::stages(lanes);
        let class = history_stages(lanes);
        let starts = class + scan;
        let firsts = starts + 1;
        let headers = firsts + scan;
        let (near, pads, broken) = (headers + 1, headers + 2, headers + 3);
        let alive = broken + scan;
        let ends = alive + 1;
        Self { class, starts, firsts, headers, near, pads, broken, alive, ends, position: ends + 1 }
    }
}

/// The inputs from which the stages are built.
struct Making<'a, 'm> {
    m: &'m Builder,
    stages: Stages,
    lanes: usize,
    limit: &'a Limit,
    drops: bool,
    kinds: &'a Kinds<'m>,
    units: Units<'m>,
    beat: &'a Beat<'m>,
    /// For each lane: it holds the last unit of the beat, if others of its frame may follow.
    last_unit: Lanes<'m>,
    /// No unit, and no end of a frame.
    keeps: At<'m>,
    /// The numbers of units that were asked for, by their bits.
    counts: RefCell<BTreeMap<u32, At<'m>>>,
}

impl Tails {
    pub(in crate::core::many_lanes) fn new(digits: u64, drops: bool) -> Self {
        Self { limit: Limit::new(digits), drops }
    }

    /// The stage in which positions are known.
    pub(in crate::core::many_lanes) fn standing(&self, lanes: usize) -> u32 {
        Stages::new(lanes).position
    }

    /// The number of units before a unit that can hold digits of a header which ends with the unit, or bits of a limb.
    pub(in crate::core::many_lanes) fn units_before(&self) -> usize {
        (self.limit.count() - 1).max(MASKS)
    }

    /// Digits of the longest header.
    pub(in crate::core::many_lanes) fn header_digits(&self) -> usize {
        self.limit.count()
    }

    /// The most bits of a unit that can be in a slot which the unit `back` units later makes certain.
    pub(in crate::core::many_lanes) fn bits_of_unit(&self, back: usize) -> u32 {
        if back <= MASKS {
            6
        } else if back < self.limit.count() {
            // A head counts its limbs in 32 bits, so the ninth digit has three.
            (limit::MOST_BITS - back as u32 * limit::DIGIT_BITS).min(limit::DIGIT_BITS)
        } else {
            0
        }
    }

    /// The kinds of error there are.
    pub(in crate::core::many_lanes) fn kinds(&self) -> Vec<ErrorKind> {
        let mut kinds = vec![ErrorKind::Overlong, ErrorKind::Invalid];
        kinds.extend((!self.drops).then_some(ErrorKind::Length));
        kinds
    }

    /// The position of each unit of the beat, and of that before the beat.
    pub(in crate::core::many_lanes) fn decode<'m>(
        &self,
        beat: &Beat<'m>,
        units: Units<'m>,
        kinds: &Kinds<'m>,
    ) -> Position<'m> {
        let lanes = beat.lanes();
        let last_unit = beat.last_unit();
        let of_lane = |lane: usize| last_unit.bit(lane as u32).on(beat.units[lane].registers()).flag();
        let making = Making {
            m: beat.builder(),
            stages: Stages::new(lanes),
            lanes,
            limit: &self.limit,
            drops: self.drops,
            kinds,
            units,
            beat,
            last_unit: Lanes::new("last_unit", (0..lanes).map(of_lane)),
            keeps: beat.keeps(),
            counts: RefCell::default(),
        };
        let starts = starts::starts(&making);
        let headers = headers::headers(&making, &starts);
        let breaches = breach::breaches(&making, &starts, &headers);
        let ends = ends::ends(&making, &headers, &breaches);
        position::position(&making, &starts, &headers, &breaches, &ends)
    }
}

impl<'m> Making<'_, 'm> {
    /// A signal for each lane.
    fn all(&self, name: &str, make: impl Fn(usize) -> At<'m>) -> Lanes<'m> {
        Lanes::new(name, (0..self.lanes).map(|lane| make(lane).on(self.units.registers(lane))))
    }

    /// A constant.
    fn lit(&self, width: u32, value: u64) -> At<'m> {
        self.keeps.lit(width, value)
    }

    /// Begins the section of a stage.
    fn section(&self, stage: u32, title: &str) {
        section(self.m, stage, title);
    }

    /// The low bits of the number of units in the beat; zero where it ends its frame.
    fn count(&self, bits: u32) -> At<'m> {
        let of_lane = |lane: usize| {
            let number = (lane as u64 + 1) & ((1 << bits) - 1);
            self.lit(bits, number).masked(self.last_unit[lane])
        };
        let count = || At::any_of((0..self.lanes).map(of_lane)).expect("a lane").on(self.keeps.registers());
        let mut counts = self.counts.borrow_mut();
        *counts.entry(bits).or_insert_with(|| count().called(&format!("count_of_{bits}_bits")))
    }

    /// The value of the last unit before the beat, from those of all units; zero before a frame. It is in the register `name`.
    fn of_unit_before(&self, name: &str, lanes: &Lanes<'m>) -> At<'m> {
        let at = lanes.end().stage();
        let registers = self.keeps.registers();
        self.section(at, name);
        let state = registers.state(&format!("{name}_before_reg"), lanes[0].width());
        let before = At::new(registers, state.q, at);
        let of_lanes =
            lanes.iter().zip(self.last_unit.iter()).map(|(&value, &is_last)| value.masked(is_last));
        let next = of_lanes.fold(before.masked(self.keeps), |all, one| all | one);
        registers.load(state, next.signal());
        before
    }

    /// A register that loads with the beat of stage `at`: its value there, and the register.
    fn state(&self, name: &str, bits: u32, at: u32, note: &str) -> (At<'m>, Reg<'m>) {
        let register = self.m.reg(name, bits).note(note);
        (At::new(self.keeps.registers(), register.q, at), register)
    }

    /// Loads such a register where there is a beat.
    fn load(&self, register: Reg<'m>, next: At<'m>) {
        let valid = self.beat.valid.at(next.stage()).signal();
        register.next_when(self.keeps.registers().enable & valid, next.signal());
    }
}
