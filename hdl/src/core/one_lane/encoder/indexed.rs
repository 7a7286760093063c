//! The encoder of the sets of several octets: stages before the buffer of events, which look code points up, and the writer of what they
//! find.
//!
//! ```text
//!  slot ──> stages 1, 2: page ──> stages 3 to 5: word ─┬─> octets, length ────────────────> buffer of events
//!                                                      │
//!                                                      └─> in gb18030: stage 6: pointer
//!                                                          stages 7, 8: digits, stage 9: sums
//!                                                          stage 10: four octets ─────────> buffer of events
//! ```
//!
//! The output of a block RAM comes late in a cycle, so each table has more than one stage: the word is
//! read in the first, and used after the last.
//!
//! The stages move together, while the buffer takes a slot: its ready, a register, is their enable. So they are like the last stages of the
//! decoding half of a transcoder.

use std::ops::RangeInclusive;

use super::slot_stage::{SlotInput, SlotStage};
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::MultiOctet;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::index_tables::Words;
use crate::core::shared::inverse_tables::{CODE_BITS, InverseTables};
use crate::core::shared::memory_look_up::TablePorts;
use crate::core::shared::written_octets::{Tested, WORD_STAGE, last_stage, most_octets, octets};
use crate::netlist::{Builder, Signal, Stage};

/// The writer of a set.
pub(super) struct IndexedWriter {
    pub(super) set: MultiOctet,
}

impl Writer for IndexedWriter {
    fn code_bits(&self) -> u32 {
        CODE_BITS
    }

    fn most_units(&self) -> u32 {
        most_octets(self.set)
    }

    fn replacement(&self) -> (u64, u64) {
        InverseTables::replacement(self.set)
    }

    fn fit<'m>(&self, _: &'m Builder, _: Signal<'m>) -> Fit<'m> {
        unreachable!("code points are looked up before the slots are classified")
    }

    fn look_up_stages(&self) -> u32 {
        last_stage(self.set)
    }

    fn looked_up<'m>(&self, m: &'m Builder, input: SlotInput<'m>) -> (SlotInput<'m>, Fit<'m>) {
        let enable = m.stage(input.stage.ready);
        let stages = Stages { enable };
        let tables = InverseTables::new(self.set, Words::CodePoints);
        m.stage_section(1, "look-up of the code point: the number of its page");
        let data = input.slots.data;
        let data = if data.width() < CODE_BITS { data.zext(CODE_BITS) } else { data };
        let pages = tables.pages(m, &[data.bits(0..CODE_BITS)], [1, 2].map(|stage| enable.at(stage)));
        let slots = stages.slots(OneSlotBeat { data, ..input.slots }, 1..=2);
        m.stage_section(3, "look-up of the code point: its word in the page");
        let words = tables.words(&pages, [3, 4, 5].map(|stage| enable.at(stage)));
        let slots = stages.slots(slots, 3..=WORD_STAGE);

        m.section("The octets of the code point");
        let tested = Tested::new(m, &tables, slots.data, str::to_owned);
        let ports = TablePorts { count: 1, stage: enable, at: 0 };
        let found = octets(m, self.set, &pages, &words, &[tested], ports)[0];
        let slots = stages.slots(slots, WORD_STAGE + 1..=self.look_up_stages());
        let fit =
            Fit { code: Some(found.octets), start: Some(found.start), hints: None, unfit: Some(found.unfit) };
        (SlotInput { slots, stage: SlotStage::none(input.stage.ready) }, fit)
    }

    fn unit<'m>(
        &self,
        _: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let octets = code.expect("units are octets of it");
        let position = position.expect("there are pairs").position;
        let octet = |position: u32| octets.bits(position * OCTET..(position + 1) * OCTET);
        match self.most_units() {
            2 => position.mux(octet(1), octet(0)),
            most => position.case_of((1..most).map(|at| ([u64::from(at)], octet(at))), octet(0)),
        }
    }
}

/// The stages of the look-up.
#[derive(Clone, Copy)]
struct Stages<'m> {
    enable: Stage<'m>,
}

impl<'m> Stages<'m> {
    fn at(&self, stage: u32) -> Stage<'m> {
        self.enable.at(stage)
    }

    /// A signal in the registers of stages, one after the other.
    fn data(&self, name: &str, signal: Signal<'m>, at: RangeInclusive<u32>) -> Signal<'m> {
        if signal.is_constant() {
            return signal;
        }
        at.fold(signal, |signal, stage| self.at(stage).data(&format!("{name}_{stage}_reg"), signal))
    }

    /// A slot in the registers of stages, one after the other.
    fn slots(&self, slots: OneSlotBeat<'m>, at: RangeInclusive<u32>) -> OneSlotBeat<'m> {
        let data = |name: &str, signal: Signal<'m>| self.data(name, signal, at.clone());
        let valid = at
            .clone()
            .fold(slots.valid, |valid, stage| self.at(stage).flag(&format!("slot_valid_{stage}_reg"), valid));
        OneSlotBeat {
            valid,
            last: data("slot_last", slots.last),
            keep: data("slot_keep", slots.keep),
            data: data("slot_data", slots.data),
            error: data("slot_error", slots.error),
            long: slots.long.map(|long| LongSlot {
                head: data("slot_head", long.head),
                limb: data("slot_limb", long.limb),
                ..long
            }),
        }
    }
}
