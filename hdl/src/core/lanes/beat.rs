//! A beat of units, and a value for each lane of it.

use std::cell::OnceCell;
use std::ops::Deref;

use super::At;
use crate::core::shared::ports::UnitsIn;
use crate::netlist::{Builder, Signal, Stage};

/// A signal for each lane, lane 0 first.
#[derive(Clone)]
pub(in crate::core) struct Lanes<'m>(Vec<At<'m>>);

impl<'m> Lanes<'m> {
    /// The signals; registers that delay them are named after `name` and the lane.
    pub(in crate::core) fn new(name: &str, signals: impl IntoIterator<Item = At<'m>>) -> Self {
        let called = |(lane, signal): (usize, At<'m>)| signal.called(&format!("{name}_of_lane_{lane}"));
        Self(signals.into_iter().enumerate().map(called).collect())
    }

    /// The signals, delayed to stage `stage`.
    #[track_caller]
    pub(in crate::core) fn at(&self, stage: u32) -> Self {
        Self(self.iter().map(|signal| signal.at(stage)).collect())
    }

    /// For each lane the signal of the lane below; for lane 0 `first`.
    pub(in crate::core) fn before(&self, first: At<'m>) -> Self {
        Self([first].into_iter().chain(self.iter().copied()).take(self.len()).collect())
    }

    /// All signals side by side, lane 0 in the low bits.
    pub(in crate::core) fn packed(&self) -> At<'m> {
        At::concat(self.iter().rev().copied())
    }

    /// The signal of the last lane.
    pub(in crate::core) fn end(&self) -> At<'m> {
        self[self.len() - 1]
    }
}

impl<'m> Deref for Lanes<'m> {
    type Target = [At<'m>];

    fn deref(&self) -> &[At<'m>] {
        &self.0
    }
}

/// The number of bits that are set, which are the first; `None` if there are no bits.
pub(in crate::core) fn number_of_first<'m>(bits: &[At<'m>]) -> Option<At<'m>> {
    // Bit n of the number is the parity of every 2^n-th bit.
    let bit = |bit: u32| {
        let every = bits.iter().skip((1 << bit) - 1).step_by(1 << bit).rev().copied();
        At::concat(every).map(|bits| bits.parity())
    };
    (!bits.is_empty()).then(|| At::concat((0..=bits.len().ilog2()).rev().map(bit)))
}

/// A beat of units, all of one stage.
pub(in crate::core) struct Beat<'m> {
    /// The units side by side, lane 0 in the low bits.
    pub(in crate::core) data: At<'m>,
    /// The unit of each lane.
    pub(in crate::core) units: Lanes<'m>,
    /// Bit per lane: the lane holds a unit. Units are in the first lanes.
    pub(in crate::core) keep: At<'m>,
    /// The beat is there; nothing else is valid where it is not.
    pub(in crate::core) valid: At<'m>,
    /// The beat ends its frame.
    pub(in crate::core) last: At<'m>,
    /// The octets of words come from the least significant on, where each frame has an order of its own.
    pub(in crate::core) little: Option<At<'m>>,
    keeps: OnceCell<At<'m>>,
    continues: OnceCell<At<'m>>,
    last_units: OnceCell<Lanes<'m>>,
    last_unit: OnceCell<At<'m>>,
    ends_without_unit: OnceCell<At<'m>>,
    is_empty: OnceCell<At<'m>>,
}

impl<'m> Beat<'m> {
    /// The beat at the inputs of a module, stage 0. `registers` are those of a lane.
    pub(in crate::core) fn new(input: &UnitsIn<'m>, registers: impl Fn(usize) -> Stage<'m>) -> Self {
        let lanes = input.tkeep.width();
        let bits = input.tdata.width() / lanes;
        let unit = |lane: u32| {
            let unit = input.tdata.bits(lane * bits..(lane + 1) * bits);
            At::new(registers(lane as usize), unit, 0)
        };
        let of_beat = |signal| At::new(registers(0), signal, 0);
        let units = Lanes::new("unit", (0..lanes).map(unit));
        let [data, keep] = [input.tdata, input.tkeep].map(of_beat);
        Self::of(data, units, keep, of_beat(input.tvalid), of_beat(input.tlast))
    }

    /// The beat of these signals, which are of one stage.
    pub(in crate::core) fn of(
        data: At<'m>,
        units: Lanes<'m>,
        keep: At<'m>,
        valid: At<'m>,
        last: At<'m>,
    ) -> Self {
        let (valid, last) = (valid.called("beat_valid").flag(), last.called("last"));
        Self {
            data,
            units,
            keep,
            valid,
            last,
            little: None,
            keeps: OnceCell::new(),
            continues: OnceCell::new(),
            last_units: OnceCell::new(),
            last_unit: OnceCell::new(),
            ends_without_unit: OnceCell::new(),
            is_empty: OnceCell::new(),
        }
    }

    /// The beat of a frame with an order of octets of its own, as the input `little` says.
    pub(in crate::core) fn with_order(self, little: Signal<'m>) -> Self {
        let little = At::new(self.valid.registers(), little, self.stage()).called("little");
        Self { little: Some(little), ..self }
    }

    /// The module that the beat is in.
    pub(in crate::core) fn builder(&self) -> &'m Builder {
        self.valid.builder()
    }

    /// The stage of the beat.
    pub(in crate::core) fn stage(&self) -> u32 {
        self.valid.stage()
    }

    /// The number of lanes.
    pub(in crate::core) fn lanes(&self) -> usize {
        self.units.len()
    }

    /// The lane holds a unit.
    pub(in crate::core) fn holds(&self, lane: usize) -> At<'m> {
        self.keep.bit(lane as u32).on(self.units[lane].registers())
    }

    /// For each lane: it holds a unit.
    pub(in crate::core) fn held(&self, name: &str) -> Lanes<'m> {
        Lanes::new(name, (0..self.lanes()).map(|lane| self.holds(lane)))
    }

    /// Stages from a beat to what [`ends_frame`](Self::ends_frame) says of it: 1 in many lanes, whose groups have copies of the bit that says that
    /// the beat ends its frame.
    pub(in crate::core) fn end_delay(&self) -> u32 {
        let [first, last] = [&self.units[0], &self.units.end()].map(|unit| unit.registers().enable);
        u32::from(!first.is_same(last))
    }

    /// The unit of the lane is the last of its frame.
    pub(in crate::core) fn ends_frame(&self, lane: usize) -> At<'m> {
        let at = self.stage() + self.end_delay();
        let is_last_unit = self.last_units()[lane].at(at);
        is_last_unit & self.last.on(is_last_unit.registers()).at(at)
    }

    /// The frame ends with a beat without units.
    pub(in crate::core) fn ends_without_unit(&self) -> At<'m> {
        *self.ends_without_unit.get_or_init(|| (self.last & !self.holds(0)).called("ends_without_unit"))
    }

    /// The beat has no unit.
    pub(in crate::core) fn is_empty(&self) -> At<'m> {
        *self.is_empty.get_or_init(|| (!self.holds(0)).called("is_empty"))
    }

    /// The beat has neither a unit nor the end of a frame, or there is none: what is known of earlier beats stays as it is.
    pub(in crate::core) fn keeps(&self) -> At<'m> {
        *self.keeps.get_or_init(|| (!(self.valid & (self.holds(0) | self.last))).called("keeps"))
    }

    /// The number of units in the beat.
    pub(in crate::core) fn count(&self) -> At<'m> {
        let held: Vec<At> = (0..self.lanes() as u32).map(|lane| self.keep.bit(lane)).collect();
        number_of_first(&held).expect("there are lanes")
    }

    /// Further units of the frame may follow the beat, if there is one.
    pub(in crate::core) fn continues(&self) -> At<'m> {
        let continues = || (self.valid & !self.last).named("frame_continues").called("continues").flag();
        *self.continues.get_or_init(continues)
    }

    /// For each lane: it holds the last unit of the beat.
    pub(in crate::core) fn last_units(&self) -> &Lanes<'m> {
        let of_lane = |lane: usize| {
            let holds = self.holds(lane);
            if lane + 1 < self.lanes() { holds & !self.holds(lane + 1) } else { holds }
        };
        self.last_units.get_or_init(|| Lanes::new("is_last_unit", (0..self.lanes()).map(of_lane)))
    }

    /// Bit per lane: the lane holds the last unit of the beat, and further units of its frame may follow. In registers of the next stage,
    /// so that it takes no level of logic there.
    pub(in crate::core) fn last_unit(&self) -> At<'m> {
        *self.last_unit.get_or_init(|| {
            let lanes = self.lanes() as u32;
            let next_keep = self.keep.bits(1..lanes).zext(lanes);
            let unit = (self.keep & !next_keep).masked(self.continues()).flag().registered("last_unit");
            unit.note("one bit set, if units come that others may follow")
        })
    }
}
