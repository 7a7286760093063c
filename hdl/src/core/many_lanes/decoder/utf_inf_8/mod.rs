//! UTF-∞-8, seed 000: the sequences behind FF, for all lanes of a beat at once. docs/design.md has the algorithm.
//!
//! What stands here tells each lane how its unit stands in such a sequence. The lanes themselves are those of a prefix system, which
//! the short forms are.

mod breach;
mod ends;
mod headers;
mod limit;
mod pairs;
mod standing;
mod starts;
mod units;

use super::pipeline::{Pipeline, delay, delay_flag};
use super::plan;
use super::scan;
use super::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Signal, Stage};
use limit::Limit;
pub(super) use standing::{MASKS, PHASES, Standing};
use units::Units;

/// What tells how units stand in sequences behind FF.
#[derive(Clone, Debug)]
pub(super) struct Tails {
    limit: Limit,
    drops: bool,
    lanes: usize,
}

/// The stages, by what is known in them. A stage is numbered as in [`Plan`](super::plan::Plan).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    /// What each unit is by itself.
    class: u32,
    /// Which units stand behind FF and nothing but B4.
    starts: u32,
    /// Which units tell where a header ends.
    firsts: u32,
    /// Where headers end.
    headers: u32,
    /// How each unit stands to its header.
    near: u32,
    /// What the unit behind a header has to be.
    pads: u32,
    /// What breaks a sequence.
    broken: u32,
    /// Whether the sequence is alive.
    alive: u32,
    /// Where it ends.
    ends: u32,
    /// How each unit stands in it.
    pub(super) standing: u32,
}

impl Stages {
    fn new(lanes: usize) -> Self {
        let scan = scan::stages(lanes);
        let class = plan::history(lanes);
        let starts = class + scan;
        let firsts = starts + 1;
        let headers = firsts + scan;
        let (near, pads, broken) = (headers + 1, headers + 2, headers + 3);
        let alive = broken + scan;
        let ends = alive + 1;
        Self { class, starts, firsts, headers, near, pads, broken, alive, ends, standing: ends + 1 }
    }
}

/// What comes in.
pub(super) struct Beat<'a, 'm> {
    pub(super) input: &'a UnitsIn<'m>,
    /// The units, and whether there is one, as of stage 1.
    pub(super) units: Vec<Signal<'m>>,
    pub(super) valids: Vec<Signal<'m>>,
    /// The units before the beat, the nearest first, as of stage `plan::history`.
    pub(super) before: &'a [Signal<'m>],
    /// There is a beat, and it ends its frame, as of stage 1.
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
}

/// What is at hand where the stages are made.
struct Making<'a, 'm> {
    m: &'m Builder,
    pipeline: &'a Pipeline<'m>,
    stage: Stage<'m>,
    stages: Stages,
    lanes: usize,
    limit: &'a Limit,
    drops: bool,
    kinds: &'a Kinds<'m>,
    units: Units<'a, 'm>,
    valid: Signal<'m>,
    last: Signal<'m>,
    /// A bit for each lane, as of stage 1: it holds the last unit of the beat, if others of its frame may follow.
    last_unit: Vec<Signal<'m>>,
    /// No unit, and no end of a frame, as of stage 1.
    keeps: Signal<'m>,
}

impl Tails {
    pub(super) fn new(digits: u64, drops: bool, lanes: usize) -> Self {
        Self { limit: Limit::new(digits), drops, lanes }
    }

    /// The stage in which is known how units stand.
    pub(super) fn standing(&self) -> u32 {
        Stages::new(self.lanes).standing
    }

    /// How many units before one have digits of the header that it ends.
    pub(super) fn units_before(&self) -> usize {
        (self.limit.count() - 1).max(MASKS)
    }

    /// Digits of the longest header.
    pub(super) fn header_digits(&self) -> usize {
        self.limit.count()
    }

    /// How many bits of the unit so many before one can be in a slot that the one makes certain.
    pub(super) fn bits_of_unit(&self, back: usize) -> u32 {
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
    pub(super) fn kinds(&self) -> Vec<ErrorKind> {
        let mut kinds = vec![ErrorKind::Overlong, ErrorKind::Invalid];
        kinds.extend((!self.drops).then_some(ErrorKind::Length));
        kinds
    }

    /// How each unit of the beat stands, and that before the beat.
    pub(super) fn decode<'m>(
        &self,
        m: &'m Builder,
        beat: Beat<'_, 'm>,
        kinds: &Kinds<'m>,
        pipeline: &Pipeline<'m>,
    ) -> Standing<'m> {
        let stage = pipeline.stage();
        let stages = Stages::new(self.lanes);
        let flush = stage.flush().expect("stages are flushed");
        let input = beat.input;
        let goes_on = (input.tvalid & !input.tlast & !flush).named("tail_frame_goes_on");
        let last_unit = (0..self.lanes as u32).map(|lane| {
            let kept = input.tkeep.bit(lane) & goes_on;
            let is = if lane + 1 < self.lanes as u32 { kept & !input.tkeep.bit(lane + 1) } else { kept };
            stage.flag(&format!("tail_last_unit_{lane}_reg"), is)
        });
        let keeps = !(input.tvalid & (input.tkeep.bit(0) | input.tlast));
        let making = Making {
            m,
            pipeline,
            stage,
            stages,
            lanes: self.lanes,
            limit: &self.limit,
            drops: self.drops,
            kinds,
            units: Units::new(pipeline, beat.units, beat.valids, beat.before, plan::history(self.lanes)),
            valid: beat.valid,
            last: beat.last,
            last_unit: last_unit.collect(),
            keeps: stage.data("tail_keeps_reg", keeps),
        };
        let starts = starts::starts(&making);
        let headers = headers::headers(&making, &starts);
        let breaches = breach::breaches(&making, &starts, &headers);
        let ends = ends::ends(&making, &headers, &breaches);
        standing::standing(&making, &starts, &headers, &breaches, &ends)
    }
}

impl<'m> Making<'_, 'm> {
    /// For each lane.
    fn all(&self, mut make: impl FnMut(usize) -> Signal<'m>) -> Vec<Signal<'m>> {
        (0..self.lanes).map(&mut make).collect()
    }

    /// Registers of a lane from one stage to another.
    fn later(&self, lane: usize, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
        delay(self.pipeline.stage_at(lane), &format!("{name}_{lane}"), signal, from, to)
    }

    /// The same for all lanes.
    fn all_later(&self, name: &str, signals: &[Signal<'m>], from: u32, to: u32) -> Vec<Signal<'m>> {
        self.all(|lane| self.later(lane, name, signals[lane], from, to))
    }

    /// There is a beat, as of a stage.
    fn valid_at(&self, name: &str, at: u32) -> Signal<'m> {
        delay_flag(self.stage, &format!("{name}_valid"), self.valid, 1, at)
    }

    /// The beat ends its frame, as of a stage.
    fn last_at(&self, name: &str, at: u32) -> Signal<'m> {
        delay(self.stage, &format!("{name}_last"), self.last, 1, at)
    }

    /// The low bits of how many units the beat has, as of a stage; zero where it ends its frame.
    fn count_at(&self, name: &str, at: u32, bits: u32) -> Signal<'m> {
        let of_lane = |lane: usize| {
            let number = self.m.lit(bits, (lane as u64 + 1) & ((1 << bits) - 1));
            number & self.last_unit[lane].repeat(bits as usize)
        };
        let count = (0..self.lanes).map(of_lane).reduce(|a, b| a | b).expect("a lane");
        delay(self.stage, &format!("{name}_count"), count, 1, at)
    }

    /// What is known behind the last unit before the beat, from what is known behind each unit; as of stage `at`. It is zero before
    /// a frame.
    fn behind_last(&self, name: &str, lanes: &[Signal<'m>], at: u32) -> Signal<'m> {
        let (stage, m) = (self.stage, self.m);
        let keeps = delay(stage, &format!("{name}_keeps"), self.keeps, 1, at);
        let is_last = |lane: usize| {
            delay_flag(stage, &format!("{name}_is_last_unit_{lane}"), self.last_unit[lane], 1, at)
        };
        let width = lanes[0].width();
        let before = stage.state(&format!("{name}_before_reg"), width);
        let of_lanes = (0..self.lanes).map(|lane| lanes[lane] & is_last(lane).repeat(width as usize));
        let kept = before.q & keeps.repeat(width as usize);
        let next = of_lanes.fold(kept, |all, one| all | one);
        m.stage_section(at, name);
        stage.load(before, next);
        before.q
    }
}
