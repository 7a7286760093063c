//! The totals, and the word that a read gives.

use std::sync::Arc;

use super::bus::{self, Reading};
use super::map::{
    ALL_TOTALS, FIRST_ERROR, FIRST_ERROR_FRAME, FIRST_ERROR_OFFSET, SATURATED, Total, WORD, address_of_kind,
    address_of_total, kinds, registers,
};
use crate::core::status::{KIND_BITS, NUMBERS};
use crate::core::{CoreSpec, status_fields};
use crate::netlist::{Builder, Module, Signal};

/// The fields of a status that are read.
pub(super) const FIELDS: [&str; 7] =
    ["ill_formed", "kind", "saturated", "error_offset", "units", "code_points", "errors"];

/// The totals whose numbers of a frame may not fit.
const MAY_SATURATE: [&str; 3] = ["units", "code_points", "errors"];

/// The module of the registers of a core.
pub(super) fn module(spec: &CoreSpec) -> Arc<Module> {
    let m = Builder::new("totals", "Totals of frames, and the slave of AXI4-Lite that gives them.");
    let frame = Frame::taken(&m);
    let (clear, mut ignored) = bus::clears(&m);
    let reading = bus::reads(&m, &mut ignored);
    let mut block = Block { m: &m, frame, clear, reading, words: Vec::new() };
    block.words.extend(constants(&m, spec));
    let frames = block.totals();
    block.saturated();
    block.kinds(spec);
    block.first_error(frames);
    block.read_data();
    bus::ignore(&m, ignored);
    m.built()
}

/// The registers that never change.
fn constants<'m>(m: &'m Builder, spec: &CoreSpec) -> Vec<(u32, Signal<'m>)> {
    let of = |(address, value): (u32, u32)| (address, m.lit(WORD, value.into()));
    registers(spec).iter().filter_map(|one| Some((one.address, one.constant?))).map(of).collect()
}

/// A frame that is counted: the fields of its status, in registers.
struct Frame<'m> {
    /// There is such a frame in this cycle.
    counts: Signal<'m>,
    fields: Vec<(&'static str, Signal<'m>)>,
}

impl<'m> Frame<'m> {
    /// Declares the inputs, and a register for each field.
    fn taken(m: &'m Builder) -> Self {
        m.port_group("Status of a frame");
        let counts = m.input("counts", 1, "a frame is counted");
        let fields = status_fields().into_iter().filter(|field| FIELDS.contains(&field.name));
        let inputs: Vec<(&str, Signal)> = fields
            .map(|field| (field.name, m.input(&format!("frame_{}", field.name), field.bits, field.meaning)))
            .collect();
        m.section("The frame that is counted: a register keeps the sums away from status_tready");
        let counted = m.reg("counts_reg", 1).reset(0).note("a frame is counted");
        counted.next(counts);
        let saved = |(name, input): (&'static str, Signal<'m>)| {
            // Bits of numbers that are no totals are not read.
            let input = if name == "saturated" { saturated_bits(m, input) } else { input };
            let register = m.reg(&format!("{name}_of_frame_reg"), input.width());
            register.next(input);
            (name, register.q)
        };
        let fields = inputs.into_iter().map(saved).collect();
        Self { counts: counted.q, fields }
    }

    fn field(&self, name: &str) -> Signal<'m> {
        self.fields.iter().find(|(field, _)| *field == name).expect("a field of the status").1
    }
}

/// The bits of those numbers that are totals, the first total in the low bit.
fn saturated_bits<'m>(m: &'m Builder, all: Signal<'m>) -> Signal<'m> {
    let (mut kept, mut rest) = (Vec::new(), Vec::new());
    for (bit, (name, _)) in (0..).zip(NUMBERS) {
        if MAY_SATURATE.contains(&name) { kept.push(all.bit(bit)) } else { rest.push(all.bit(bit)) }
    }
    m.concat(rest).named("unused_flags").note("flags of numbers that are not added up");
    m.concat(kept.into_iter().rev())
}

/// The block that is being built.
struct Block<'m> {
    m: &'m Builder,
    frame: Frame<'m>,
    /// Everything is cleared.
    clear: Signal<'m>,
    reading: Reading<'m>,
    /// The addresses of the words, and what is read there.
    words: Vec<(u32, Signal<'m>)>,
}

impl<'m> Block<'m> {
    /// The totals. Each is two words, and the carry from one to the other is a register; so the high word is that of a low word one cycle
    /// later, and is read then. Gives the low word of the total of frames.
    fn totals(&mut self) -> Signal<'m> {
        let m = self.m;
        m.section("Totals: the carry to the high word is added a cycle later");
        let cleared = m.reg("cleared_reg", 1).reset(0).note("the high words are cleared");
        cleared.next(self.clear);
        let halves = ALL_TOTALS.map(|total| self.total(total, cleared.q));
        m.section("The high word of a total is kept when the low word is read");
        let keeps = m.reg("keeps_high_reg", 1).reset(0).note("a word was read in the cycle before");
        keeps.next(self.reading.loads);
        let high = m.reg("high_reg", WORD).note("the high word of the total whose low word was read last");
        let (mut is_low, mut chosen) = (m.lit(1, 0), m.lit(WORD, 0));
        for (index, [low_word, high_word]) in halves.into_iter().enumerate() {
            let address = address_of_total(index);
            let is_read = self.is_at(address).named(&format!("reads_{}", ALL_TOTALS[index].name));
            is_low = is_low | is_read;
            chosen = chosen | high_word.when(is_read);
            self.words.extend([(address, low_word), (address + 4, high.q)]);
        }
        high.next_when(keeps.q & is_low, chosen.named("high_of_total"));
        halves[0][0]
    }

    /// The two words of a total.
    fn total(&self, total: Total, cleared: Signal<'m>) -> [Signal<'m>; 2] {
        let (m, name) = (self.m, total.name);
        let add = match total.of_status {
            Some(field) => self.frame.field(field),
            None if name == "frames" => m.lit(1, 1),
            None => self.frame.field("ill_formed"),
        };
        let low = m.reg(&format!("{name}_low_reg"), WORD).reset(0);
        let sum = (low.q.zext(WORD + 1) + add.zext(WORD + 1)).named(&format!("{name}_sum"));
        let next = self.frame.counts.mux(sum.bits(0..WORD), low.q);
        low.next(next.when(!self.clear));
        let carry = m.reg(&format!("{name}_carry_reg"), 1).reset(0);
        carry.next(sum.bit(WORD) & self.frame.counts & !self.clear);
        let high = m.reg(&format!("{name}_high_reg"), WORD).reset(0);
        high.next((high.q + carry.q.zext(WORD)).when(!cleared));
        [low.q, high.q]
    }

    /// The flags of totals that are too small.
    fn saturated(&mut self) {
        let m = self.m;
        m.section("Numbers of a frame that did not fit the status");
        let new = self.frame.field("saturated");
        let flags = m.reg("saturated_reg", new.width()).reset(0).note("totals that are too small");
        flags.next((flags.q | new.when(self.frame.counts)).when(!self.clear));
        self.words.push((SATURATED, flags.q.zext(WORD)));
    }

    /// The numbers of frames by the kind of their first error, which stop at all ones.
    fn kinds(&mut self, spec: &CoreSpec) {
        let m = self.m;
        let kinds = kinds(spec);
        if kinds.is_empty() {
            return;
        }
        m.section("Frames by the kind of their first error");
        let of_frame = self.frame.field("kind");
        let is_error = (self.frame.counts & self.frame.field("ill_formed")).named("counts_ill_formed");
        for kind in kinds {
            let name = kind.name().replace('-', "_");
            let counter = m.reg(&format!("first_{name}_reg"), WORD).reset(0);
            let is_kind = of_frame.eq(m.lit(KIND_BITS, kind.code()));
            let adds = (is_error & is_kind & !counter.q.all()).named(&format!("adds_{name}"));
            counter.next((counter.q + adds.zext(WORD)).when(!self.clear));
            self.words.push((address_of_kind(kind), counter.q));
        }
    }

    /// The first error since the register was read. `frames` is the low word of the total of frames.
    fn first_error(&mut self, frames: Signal<'m>) {
        let m = self.m;
        m.section("The first error since FIRST_ERROR was read");
        let releases = (self.reading.loads & self.is_at(FIRST_ERROR)).named("first_error_is_read");
        let valid = m.reg("first_error_valid_reg", 1).reset(0).note("there has been an error");
        let is_ill_formed = self.frame.counts & self.frame.field("ill_formed");
        let captures = (is_ill_formed & (releases | !valid.q)).named("captures_error");
        valid.next((captures | (valid.q & !releases)).when(!self.clear));
        let captured = |name: &str, value: Signal<'m>| {
            let register = m.reg(name, value.width());
            register.next_when(captures, value);
            register.q
        };
        let kind = captured("first_error_kind_reg", self.frame.field("kind"));
        let flags = m.concat([kind, m.lit(KIND_BITS - 1, 0), valid.q]).when(valid.q);
        self.words.push((FIRST_ERROR, flags.zext(WORD)));
        let others = [
            (FIRST_ERROR_OFFSET, "offset", self.frame.field("error_offset")),
            (FIRST_ERROR_FRAME, "frame", frames),
        ];
        for (address, name, value) in others {
            let value = captured(&format!("first_error_{name}_reg"), value);
            let read = m.reg(&format!("read_error_{name}_reg"), WORD);
            read.note("as it was when FIRST_ERROR was read").next_when(releases, value.when(valid.q));
            self.words.push((address, read.q));
        }
    }

    /// Whether the word of an address is read.
    fn is_at(&self, address: u32) -> Signal<'m> {
        self.reading.word.is(u64::from(address / 4))
    }

    /// The data of a read.
    fn read_data(&mut self) {
        let m = self.m;
        m.section("The word that is read");
        self.words.sort_by_key(|&(address, _)| address);
        let words = self.words.iter().map(|&(address, word)| ([u64::from(address / 4)], word));
        let word = self.reading.word.case_of(words, m.lit(WORD, 0)).named("word_read");
        let data = m.reg("rdata_reg", WORD);
        data.next_when(self.reading.loads, word);
        bus::read_data(m, data.q, "the register; zero where there is none");
    }
}
