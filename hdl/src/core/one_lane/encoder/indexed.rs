//! The encoder of the sets of several octets: stages before the buffer of events, which look code points up, and the writer of what they
//! find.
//!
//! ```text
//!  slot ─┬─> stage 1: page ──> stage 2: word ──> octets, length ──> buffer of events
//!        │
//!        └─> in gb18030:  stage 3: pointer ──> stage 4: digits ──> stage 5: four octets
//! ```
//!
//! The stages move together, while the buffer takes a slot: its ready, a register, is their enable. So they are like the last stages of the
//! decoding half of a transcoder.

use super::slot_stage::{SlotInput, SlotStage};
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::MultiOctet;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::four_octets::{Digits, POINTER_BITS};
use crate::core::shared::inverse_tables::{IS_PAIR, InverseTables, Page, WORD_BITS};
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a code point.
const CODE_BITS: u32 = 21;

/// Bits of a code point that is ASCII.
const ASCII_BITS: u32 = 7;

/// The pointer of U+10000, less 10000.
const PLANES: u64 = 189_000 - 0x1_0000;

/// The stages up to the word of a code point, and those of four octets.
const STAGES: u32 = 2;
const STAGES_OF_FOUR: u32 = 5;

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
        let tables = InverseTables::new(self.set);
        m.stage_section(1, "look-up of the code point: the number of its page");
        let data = input.slots.data;
        let data = if data.width() < CODE_BITS { data.zext(CODE_BITS) } else { data };
        let page = tables.page(m, data.bits(0..CODE_BITS), stages.at(1));
        let slots = stages.slots(OneSlotBeat { data, ..input.slots }, 1);
        m.stage_section(2, "look-up of the code point: its word in the page");
        let word = tables.word(page, stages.at(2));
        let slots = stages.slots(slots, 2);

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

/// What the tables have for a code point, in stage 2.
struct Found<'m> {
    page: Page<'m>,
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
        let is_absent = (!(self.is_ascii | self.word.any()) | self.is_beyond).named("is_absent");
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

    /// A slot in the registers of a stage.
    fn slots(&self, slots: OneSlotBeat<'m>, at: u32) -> OneSlotBeat<'m> {
        let stage = self.at(at);
        let data = |name: &str, signal: Signal<'m>| match signal.is_constant() {
            true => signal,
            false => stage.data(&format!("{name}_{at}_reg"), signal),
        };
        OneSlotBeat {
            valid: stage.flag(&format!("slot_valid_{at}_reg"), slots.valid),
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
        let is_absent = (!found.is_beyond & !found.is_ascii & !found.word.any()).named("is_absent");
        let past = code.bits(20..21) & code.bits(16..20).any();
        let unfit = (is_absent | past.named("past_last")).named("not_in_set");
        let unfit = found.too_wide.map_or(unfit, |too_wide| unfit | too_wide);
        let before = self.at(2).data("pointer_before_reg", found.page.pointer.expect("pages have pointers"));
        let in_bmp = (before + found.word).zext(POINTER_BITS);
        let pointer = found.is_beyond.mux(code + m.lit(CODE_BITS, PLANES), in_bmp);

        m.stage_section(3, "the pointer of four octets");
        let at = |name: &str, signal: Signal<'m>, stage: u32| {
            self.at(stage).data(&format!("{name}_{stage}_reg"), signal)
        };
        let pointer = at("pointer", pointer.named("pointer"), 3);
        let mut slots = slots;
        let mut known = [("unfit", unfit), ("is_short", has_octets), ("octets", found.octets)];
        let mut digits = None;
        for stage in 3..=4 {
            if stage == 4 {
                m.stage_section(4, "the digits of its upper and lower bits");
                digits = Some(Digits::read(pointer, self.at(4)));
            }
            slots = self.slots(slots, stage);
            known = known.map(|(name, signal)| (name, at(name, signal, stage)));
        }
        let [unfit, is_short, octets] = known.map(|(_, signal)| signal);
        let four = digits.expect("stage 4 reads them").octets(m);
        let stored = is_short.mux(octets.zext(4 * OCTET), four).named("stored");
        let start =
            is_short.mux(m.concat([m.lit(1, 0), octets.bit(IS_PAIR)]), m.lit(2, 3)).named("start_of_octets");

        m.stage_section(5, "the octets");
        let slots = self.slots(slots, 5);
        let fit = Fit {
            code: Some(at("stored", stored, 5)),
            start: Some(at("start", start, 5)),
            hints: None,
            unfit: Some(at("unfit", unfit, 5)),
        };
        (slots, fit)
    }
}
