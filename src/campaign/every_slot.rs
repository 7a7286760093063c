//! [Every slot](space::every_slot) on its own: each is a frame, in the order of their numbers.
//!
//! No two slots have the same answer, so the reference is asked about each.

use std::rc::Rc;

use utfhdl_hdl::core::{Bus, Core};
use utfhdl_sim::batch::{STREAMS, Slice};

use super::answer::{Answer, Output};
use super::bench::Lane;
use super::expected::{Expected, Oracle};
use super::patterns::Patterns;
use super::record::{Group, Planes, Record};
use super::space;
use crate::promise::{Counts, Item};

/// Fills records with blocks of slots.
pub struct EverySlot {
    oracle: Oracle,
    lane: Lane,
    bus: Bus,
    /// The patterns in time of the slots of the block last filled in.
    pub patterns: Patterns,
    shown: Output,
}

impl EverySlot {
    /// Every slot for an encoder.
    pub fn new(core: &Core) -> Self {
        let bus = core.spec.bus;
        let (lane, patterns) = (Lane::of(core).0, Patterns::default());
        Self { oracle: Oracle::new(core), lane, bus, patterns, shown: Output::default() }
    }

    /// A frame by its number.
    pub fn frame(&self, number: u64) -> Vec<Vec<Item>> {
        vec![vec![space::slot(self.bus, number)]]
    }

    /// Forgets the patterns.
    pub fn forget(&mut self) {
        self.patterns = Patterns::default();
        self.shown = Output::default();
    }

    /// Fills a record with the slots from `first` on, a multiple of 512; returns their counts.
    pub fn fill(&mut self, first: u64, record: &mut Record) -> Counts {
        let slots: [Item; STREAMS] =
            std::array::from_fn(|stream| space::slot(self.bus, first + stream as u64));
        *record.ends(0) = Slice::ONES;
        record.set_unit_planes(0, Group::ALL, &Planes::new(&slots.map(|slot| self.lane.word(slot))));
        let answer = Answer::new(STREAMS, &mut self.patterns, |stream, expected, counts| {
            self.oracle.read(&slots[stream..=stream], true, expected, counts);
        });
        let answer = Rc::new(answer);
        let shown = &mut self.shown;
        answer.put(&Expected::default(), Group::ALL, record, &mut self.patterns, shown);
        answer.counts
    }
}
