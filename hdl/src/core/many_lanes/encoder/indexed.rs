//! The sets of several octets: stages in front of the lanes, which look code points up in tables, and the octets that lanes write.
//!
//! ```text
//!  slots ──┬─> lanes 0 and 1: two ports of tables ──> octets, their number ──┬─> lanes
//!          ├─> lanes 2 and 3: the same                                       │
//!          └─> registers: heads, limbs and errors ───────────────────────────┘
//! ```
//!
//! Any slot of a beat can be a code point, so a block RAM serves two lanes, through its two ports.

use std::sync::Arc;

use super::Slot;
use super::movement::{Enable, Movement};
use super::shape::{Fit, Shape};
use super::sizes::Sizes;
use crate::core::MultiOctet;
use crate::core::lanes::At;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::index_tables::Words;
use crate::core::shared::inverse_tables::{CODE_BITS, InverseTables, has_four};
use crate::core::shared::memory_look_up::TablePorts;
use crate::core::shared::written_octets::{ASCII_BITS, Tested, WORD_STAGE, last_stage, most_octets, octets};
use crate::netlist::{Builder, Module, Signal};

/// Lanes that share tables.
const LANES_OF_TABLES: usize = 2;

/// A set of several octets, whose code points are looked up in front of the lanes.
pub(super) struct Indexed {
    pub(super) set: MultiOctet,
}

impl Indexed {
    /// Bits of the octets, and of their number less one.
    fn widths(&self) -> [u32; 2] {
        let most = most_octets(self.set);
        [most * OCTET, most.ilog2()]
    }
}

impl Shape for Indexed {
    fn unit_bits(&self) -> u32 {
        OCTET
    }

    fn most_units(&self) -> usize {
        most_octets(self.set) as usize
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        let (octets, last) = InverseTables::replacement(self.set);
        (octets, (0..=last).rev().map(|number| octets >> (number * u64::from(OCTET)) & 0xff).collect())
    }

    fn code_bits(&self) -> u32 {
        CODE_BITS
    }

    fn indexed(&self) -> Option<&Self> {
        Some(self)
    }

    fn is_by_table(&self) -> bool {
        true
    }

    fn tests<'m>(&self, _: &'m Builder, found: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let [octets, number] = self.widths();
        let fields = [
            ("octets", found.bits(0..octets)),
            ("octets_less_one", found.bits(octets..octets + number)),
            ("not_in_set", found.bit(octets + number)),
        ];
        fields.map(|(name, field)| (name.to_owned(), field)).into()
    }

    fn looked_up<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Option<(Fit<'m>, Signal<'m>)> {
        let &[octets, number, unfit] = tests else { unreachable!("there are three fields") };
        // Of three octets there are none.
        let longer = (1..self.most_units() as u32).map(|units| Some(number.bit(units.ilog2())));
        Some((Fit { unfit: Some(unfit), longer: longer.collect() }, octets))
    }

    fn fit<'m>(&self, _: &'m Builder, _: &[Signal<'m>]) -> Fit<'m> {
        unreachable!("code points are looked up in tables")
    }

    fn unit<'m>(&self, _: &'m Builder, code: Signal<'m>, number: usize, _: &[Signal<'m>]) -> Signal<'m> {
        let low = number as u32 * OCTET;
        code.bits(low..low + OCTET)
    }
}

impl Indexed {
    /// The number of stages in front of the lanes.
    pub(super) fn stages(&self) -> u32 {
        last_stage(self.set)
    }

    /// Bits that the tables have for a slot.
    pub(super) fn found_bits(&self) -> u32 {
        let [octets, number] = self.widths();
        octets + number + 1
    }

    /// Looks up what the `tdata` of slots hold. Gives the results for the lanes, in the stage of their inputs.
    pub(super) fn looked_up<'m>(
        &self,
        m: &'m Builder,
        slots: &[Slot<'m>],
        sizes: &Sizes,
        movement: &Movement<'m>,
    ) -> Vec<At<'m>> {
        m.section("The tables in front of the lanes");
        let module = tables(m, self.set, sizes);
        let found = slots.chunks(LANES_OF_TABLES).enumerate().flat_map(|(number, slots)| {
            let lane = number * LANES_OF_TABLES;
            let tables = m.instance(&format!("tables_{number}"), &module).lane(lane);
            for enable in loads(self.stages()) {
                tables.input(&enable.name(), movement.enable(lane, enable));
            }
            for (port, slot) in slots.iter().enumerate() {
                tables.input(&format!("slot_data_{port}"), slot.data);
            }
            let found = move |port: usize| {
                movement.of_lane(lane + port, tables.output(&format!("found_{port}")), sizes.first)
            };
            (0..slots.len()).map(found)
        });
        found.collect()
    }
}

/// The enables of the stages of the tables.
fn loads(stages: u32) -> impl Iterator<Item = Enable> {
    (1..=stages).map(Enable::Load)
}

/// The tables of two lanes.
fn tables(core: &Builder, set: MultiOctet, sizes: &Sizes) -> Arc<Module> {
    let m = core.below("tables", "The octets of the code points of two lanes.");
    m.port_group("Which stages load");
    let enables: Vec<Signal> = loads(last_stage(set)).map(|enable| enable.input(&m)).collect();
    let stage = m.pipeline(&enables);
    m.port_group("The slots");
    let data: Vec<Signal> = (0..LANES_OF_TABLES)
        .map(|port| m.input(&format!("slot_data_{port}"), sizes.source.slot_bits(), "the tdata of a slot"))
        .collect();
    let ports = TablePorts { count: data.len(), stage, at: 0 };
    let tables = InverseTables::new(set, Words::CodePoints);
    m.stage_section(0, "tests of the code point, and the number of its page");
    let code_bits = if has_four(set) { CODE_BITS } else { ASCII_BITS };
    let tested = data.iter().enumerate().map(|(port, &data)| {
        let name = |name: &str| ports.name(name, port);
        let tested = Tested::new(&m, &tables, data, name);
        let code = tested.code.bits(0..code_bits).called(&name("code_point"));
        Tested { code, ..tested }.map(|signal| At::new(stage, signal, 0).at(WORD_STAGE).signal())
    });
    let tested: Vec<Tested> = tested.collect();
    let codes = ports.all(|port| data[port].bits(0..CODE_BITS));
    let pages = tables.pages(&m, &codes, [ports.next(1), ports.next(2)]);
    m.stage_section(2, "the word of the code point in the page");
    let words = tables.words(&pages, [3, 4, 5].map(|after| ports.next(after)));
    m.stage_section(WORD_STAGE, "the octets of the code point");
    let found = octets(&m, set, &pages, &words, &tested, ports);
    m.port_group(format!("Stage {}", last_stage(set)));
    for (port, found) in found.into_iter().enumerate() {
        let found = m.concat([found.unfit, found.start, found.octets]);
        m.output(
            &format!("found_{port}"),
            found,
            "the octets; above them, their number less one; above it, the set does not have the code point",
        );
    }
    m.built_trimmed()
}
