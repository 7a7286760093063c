//! The decoder of a character set of single octets whose table software reads and writes over AXI4-Lite.
//!
//! ```text
//!                ┌──────────────────────────┐
//!  octets ───────│──> table: 256 words ─────│──> slot register
//!  s_axil ───────│───────^         │        │
//!         <──────│─────────────────┘        │
//!                └──────────────────────────┘
//! ```
//!
//! After reset, the words of the set that the core was made for are written, one a cycle, and no beat is taken. A word is the code point of
//! an octet, and a bit above it that says that there is none.

use std::sync::Arc;

use super::output::output;
use super::pipeline::DecodePipeline;
use super::slots::{Offsets, OwnSlot, UnitSlots, slots};
use super::unit::{OneUnitBeat, take_swept};
use crate::core::registers::WORD;
use crate::core::registers::bus::{self, Ignored, Writes};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::octet_table::OctetTable;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{slots_out_ready, units_of};
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::core::{CoreSpec, Table};
use crate::netlist::{Builder, Collision, Memory, Module, Read, RegisterRole, Signal};

/// Bits of a code point.
const CODE_BITS: u32 = 21;
/// The bit of a word that says that the octet has no code point: in the table, and in what software reads and writes.
const IS_GAP: u32 = CODE_BITS;
const IS_GAP_OF_SOFTWARE: u32 = WORD - 1;
/// Bits of an address, which counts bytes.
const ADDRESS_BITS: u32 = OCTET + 2;

/// Cycles from a beat to the slot register.
const LATENCY: u32 = 2;
/// Cycles after reset in which the words are written and no beat is taken.
pub(in crate::core) const SWEEP: u32 = 1 << OCTET;

/// Builds the decoder of a set; gives its latency in cycles, too.
pub(super) fn decoder(spec: &CoreSpec, set: Table, name: &str) -> (Arc<Module>, u32) {
    let system = spec.system;
    let summary =
        format!("{} decoder, one unit a cycle, with a table that is written over AXI4-Lite", system.title());
    let m = Builder::new(name, summary);
    let input = units_of(&m, system, 1);
    let m_axis_tready = slots_out_ready(&m);
    m.section("After reset, the words of the set are written, one in a cycle");
    let sweeps = m.reg("sweeps_reg", 1).reset(1).role(RegisterRole::Flush);
    let sweeps = sweeps.note("words of the set are written, and no beat is taken");
    let swept = m.reg("swept_octet_reg", OCTET).reset(0).note("the octet whose word is written");
    swept.next_when(sweeps.q, swept.q + m.lit(OCTET, 1));
    sweeps.next(sweeps.q & !swept.q.all());
    let (pace, beat) = take_swept(&m, input, sweeps.q);
    let code_point = code_point(&m, set, sweeps.q, swept.q, beat, &pace);
    let slots_of_units = unit_slots(&m, spec, code_point, beat, &pace);
    let offsets = Offsets::position(spec.position, system);
    let slot = slots(&m, slots_of_units, CODE_BITS, pace.slots(), offsets);
    output(&m, DecodePipeline { slot, latency: LATENCY }, spec, m_axis_tready, &pace);
    (m.built(), LATENCY + 1)
}

/// The table with its ports; gives the word of the unit in stage 1.
fn code_point<'m>(
    m: &'m Builder,
    set: Table,
    sweeps: Signal<'m>,
    swept: Signal<'m>,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
) -> Signal<'m> {
    let mut ignored = Ignored::default();
    let note = "four times an octet";
    let Writes { taken, word, data, strobes } =
        bus::write_channels(m, ADDRESS_BITS, note, Some(sweeps), &mut ignored);
    let reads = bus::read_channels(m, ADDRESS_BITS, note, &mut ignored);
    ignored.0.push(data.bits(CODE_BITS..IS_GAP_OF_SOFTWARE));

    m.stage_section(1, "the word of the octet");
    let shape =
        Memory { words: SWEEP, width: CODE_BITS + 1, read: Read::Registered(Collision::Old), read_ports: 2 };
    let table = m.instance("words", &shape.module());
    let of_set = swept.lookup(&OctetTable::of(set).words(1 << IS_GAP), shape.width).named("word_of_set");
    let written = m.concat([data.bit(IS_GAP_OF_SOFTWARE), data.bits(0..CODE_BITS)]).named("word_of_software");
    let octet =
        m.reg("octet_reg", OCTET).note("the octet in stage 1, which is read again while the stages wait");
    let read = pace.take.mux(beat.unit, octet.q).named("octet_read");
    octet.next(read);
    table
        .input("write", (sweeps | taken & strobes.all()).named("word_is_written"))
        .input("write_address", sweeps.mux(swept, word).named("octet_written"))
        .input("write_data", sweeps.mux(of_set, written).named("word_written"))
        .input("read_address", read)
        .input("read_address_1", reads.word);
    let of_read = table.output("read_data_1").named("word_read");
    let shown = m.concat([of_read.bit(IS_GAP), m.lit(WORD - 1 - CODE_BITS, 0), of_read.bits(0..CODE_BITS)]);
    let data = m.reg("rdata_reg", WORD);
    data.next_when(reads.loads, shown);
    bus::read_data(m, data.q, "the code point of the octet; bit 31: there is none");
    bus::ignore(m, ignored);
    table.output("read_data").named("word_of_octet")
}

/// The slot of the unit in stage 1.
fn unit_slots<'m>(
    m: &'m Builder,
    spec: &CoreSpec,
    word: Signal<'m>,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    let tags = Tags::new(m, TagStyle::Codes(spec.on_error), &[ErrorKind::Invalid], false);
    m.section("The slot of the octet");
    let stage = pace.units();
    let unit_valid = stage.flag("unit_valid_reg", beat.unit_valid);
    let frame_ends = stage.flag("frame_ends_reg", beat.frame_ends);
    let is_gap = (word.bit(IS_GAP) & unit_valid).named("is_gap").note("the octet has no code point");
    let keep = if tags.drops_errors() { unit_valid & !is_gap } else { unit_valid };
    let keep = keep.or_named("own_keep");
    let own = OwnSlot {
        is: keep | frame_ends,
        keep,
        tag: Tag::mux(is_gap, tags.error(ErrorKind::Invalid), tags.code_point()),
        above: None,
        low: Some(word.bits(0..CODE_BITS).when(unit_valid)),
    };
    UnitSlots { unit_valid: Some(unit_valid), frame_ends, early: None, own, begins: Some(unit_valid) }
}
