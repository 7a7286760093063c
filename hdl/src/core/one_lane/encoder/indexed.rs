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
use crate::core::shared::four_octets::{Digits, POINTER_BITS};
use crate::core::shared::index_tables::Words;
use crate::core::shared::inverse_tables::{CODE_BITS, IS_PAIR, InverseTables, Page, WORD_BITS};
use crate::core::shared::memory_look_up;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a code point that is ASCII.
const ASCII_BITS: u32 = 7;

/// The pointer of U+10000, less 10000.
const PLANES: u64 = 189_000 - 0x1_0000;

/// The stages up to the word of a code point, and those of four octets.
const STAGES: u32 = 5;
const STAGES_OF_FOUR: u32 = 10;

/// The writer of a set.
pub(super) struct IndexedWriter {
    pub(super) set: MultiOctet,
}

impl IndexedWriter {
    fn has_four(&self) -> bool {
        self.set == MultiOctet::Gb18030
    }
}

impl Writer for IndexedWriter {
    fn code_bits(&self) -> u32 {
        CODE_BITS
    }

    fn most_units(&self) -> u32 {
        if self.has_four() { 4 } else { 2 }
    }

    fn replacement(&self) -> (u64, u64) {
        InverseTables::replacement(self.set)
    }

    fn fit<'m>(&self, _: &'m Builder, _: Signal<'m>) -> Fit<'m> {
        unreachable!("code points are looked up before the slots are classified")
    }

    fn look_up_stages(&self) -> u32 {
        if self.has_four() { STAGES_OF_FOUR } else { STAGES }
    }

    fn looked_up<'m>(&self, m: &'m Builder, input: SlotInput<'m>) -> (SlotInput<'m>, Fit<'m>) {
        let stages = Stages { m, enable: m.stage(input.stage.ready) };
        let tables = InverseTables::new(self.set, Words::CodePoints);
        m.stage_section(1, "look-up of the code point: the number of its page");
        let data = input.slots.data;
        let data = if data.width() < CODE_BITS { data.zext(CODE_BITS) } else { data };
        let page = tables.page(m, data.bits(0..CODE_BITS), [1, 2].map(|stage| stages.at(stage)));
        let slots = stages.slots(OneSlotBeat { data, ..input.slots }, 1..=2);
        m.stage_section(3, "look-up of the code point: its word in the page");
        let memory_look_up::Found { word, is: is_word } =
            tables.word(page, [3, 4, 5].map(|stage| stages.at(stage)));
        let slots = stages.slots(slots, 3..=5);

        m.section("The octets of the code point");
        let code = slots.data.bits(0..CODE_BITS);
        let is_ascii = (!code.bits(ASCII_BITS..CODE_BITS).any()).named("is_ascii");
        let ascii = code.bits(0..ASCII_BITS).zext(WORD_BITS);
        let is_beyond = tables.is_beyond(m, code).named("is_beyond").note("in no plane of the tables");
        let too_wide = (slots.data.width() > CODE_BITS).then(|| {
            let above = slots.data.bits(CODE_BITS..slots.data.width()).any();
            above.named("too_wide").note("more bits than any code point")
        });
        let found = Found {
            page,
            is_word,
            word,
            octets: is_ascii.mux(ascii, word).named("octets"),
            is_ascii,
            is_beyond,
            too_wide,
        };
        let (slots, fit) = match self.has_four() {
            true => stages.with_four(slots, found),
            false => (slots, found.fit()),
        };
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
        match self.has_four() {
            true => position.case_of((1..4).map(|at| ([u64::from(at)], octet(at))), octet(0)),
            false => position.mux(octet(1), octet(0)),
        }
    }
}

/// What the tables have for a code point, in stage 5.
struct Found<'m> {
    page: Page<'m>,
    /// There is a word.
    is_word: Signal<'m>,
    word: Signal<'m>,
    /// The word, or an ASCII octet.
    octets: Signal<'m>,
    is_ascii: Signal<'m>,
    is_beyond: Signal<'m>,
    too_wide: Option<Signal<'m>>,
}

impl<'m> Found<'m> {
    /// The code point in a set of one and two octets.
    fn fit(self) -> Fit<'m> {
        let is_absent = (!(self.is_ascii | self.is_word) | self.is_beyond).named("is_absent");
        Fit {
            code: Some(self.octets),
            start: Some(self.octets.bit(IS_PAIR)),
            hints: None,
            unfit: Some(self.too_wide.map_or(is_absent, |too_wide| is_absent | too_wide)),
        }
    }
}

/// The stages of the look-up.
#[derive(Clone, Copy)]
struct Stages<'m> {
    m: &'m Builder,
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
            }),
        }
    }

    /// The stages of `gb18030`: what has no pair has four octets.
    fn with_four(&self, slots: OneSlotBeat<'m>, found: Found<'m>) -> (OneSlotBeat<'m>, Fit<'m>) {
        let m = self.m;
        let code = slots.data.bits(0..CODE_BITS);
        let has_octets = (!found.is_beyond & found.octets.bit(IS_PAIR) | found.is_ascii).named("has_octets");
        let is_absent = (!found.is_beyond & !found.is_ascii & !found.is_word).named("is_absent");
        let past = code.bits(20..21) & code.bits(16..20).any();
        let unfit = (is_absent | past.named("past_last")).named("not_in_set");
        let unfit = found.too_wide.map_or(unfit, |too_wide| unfit | too_wide);
        let before = found.page.pointer.expect("pages have pointers");
        let before = self.data("pointer_before", before, 3..=5);
        let in_bmp = (before + found.word).zext(POINTER_BITS);
        let pointer = found.is_beyond.mux(code + m.lit(CODE_BITS, PLANES), in_bmp);

        m.stage_section(6, "the pointer of four octets");
        let pointer = self.data("pointer", pointer.named("pointer"), 6..=6);
        m.stage_section(7, "the digits of its upper and lower bits");
        let digits = Digits::read(pointer, [7, 8].map(|stage| self.at(stage)));
        m.stage_section(9, "the sums of the digits");
        let four = digits.sums(self.at(9)).octets(m);
        let slots = self.slots(slots, 6..=9);
        let known = [("unfit", unfit), ("is_short", has_octets), ("octets", found.octets)];
        let [unfit, is_short, octets] = known.map(|(name, signal)| self.data(name, signal, 6..=9));
        let stored = is_short.mux(octets.zext(4 * OCTET), four).named("stored");
        let start =
            is_short.mux(m.concat([m.lit(1, 0), octets.bit(IS_PAIR)]), m.lit(2, 3)).named("start_of_octets");

        m.stage_section(10, "the octets");
        let fit = Fit {
            code: Some(self.data("stored", stored, 10..=10)),
            start: Some(self.data("start", start, 10..=10)),
            hints: None,
            unfit: Some(self.data("unfit", unfit, 10..=10)),
        };
        (self.slots(slots, 10..=10), fit)
    }
}
