//! Whether a set of several octets has a code point, for the observer of its encoder.

use std::sync::Arc;

use crate::core::MultiOctet;
use crate::core::lanes::At;
use crate::core::shared::code_points::{LAST_OF_UNICODE, past_last, surrogate};
use crate::core::shared::index_tables::Words;
use crate::core::shared::inverse_tables::{CODE_BITS, InverseTables};
use crate::core::shared::memory_look_up::TablePorts;
use crate::core::shared::written_octets::{Tested, WORD_STAGE};
use crate::netlist::{Builder, Module, Signal};

/// Slots that share the tables.
const SLOTS_OF_TABLES: usize = 2;

/// The code point of the Basic Multilingual Plane that `gb18030` does not have.
const NOT_IN_GB_18030: u64 = 0xe5e5;

/// A module that says whether `gb18030` has the code point in a `tdata` of `bits` bits.
pub(super) fn fits_gb_18030(bits: u32) -> Arc<Module> {
    let m = Builder::new("code_point_fits", "Whether the system has a code point.");
    let data = m.input("tdata", bits, "code point");
    let code = data.bits(0..CODE_BITS);
    let too_wide = data.bits(CODE_BITS..bits).any();
    let past = past_last(code, LAST_OF_UNICODE.into()).expect("21 bits are more");
    let unfit = too_wide | past | surrogate(code) | code.is(NOT_IN_GB_18030);
    m.output("is_fit", !unfit, "the system has the code point");
    m.built()
}

/// Whether the set has the code points of slots, by their `tdata`. The tables take five stages.
pub(super) fn are_in_set<'m>(m: &'m Builder, set: MultiOctet, data: &[At<'m>]) -> Vec<At<'m>> {
    let module = tables(m, set, data[0].width(), data.len().min(SLOTS_OF_TABLES));
    let are = data.chunks(SLOTS_OF_TABLES).enumerate().flat_map(|(number, data)| {
        let tables = m.instance(&format!("in_set_{number}"), &module).lane(number * SLOTS_OF_TABLES);
        tables.input("advance", data[0].registers().enable);
        for (port, data) in data.iter().enumerate() {
            tables.input(&format!("tdata_{port}"), data.signal());
        }
        let is = move |(port, data): (usize, &At<'m>)| {
            At::new(data.registers(), tables.output(&format!("is_in_set_{port}")), WORD_STAGE)
        };
        data.iter().enumerate().map(is)
    });
    are.collect()
}

/// The tables for `count` slots.
fn tables(core: &Builder, set: MultiOctet, bits: u32, count: usize) -> Arc<Module> {
    let m = core.below("in_set", "Whether the set has the code points of slots.");
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group("The slots");
    let data: Vec<Signal> =
        (0..count).map(|port| m.input(&format!("tdata_{port}"), bits, "code point")).collect();
    let ports = TablePorts { count, stage, at: 0 };
    let tables = InverseTables::new(set, Words::Presence);
    m.stage_section(0, "tests of the code point, and the number of its page");
    let codes = ports.all(|port| data[port].bits(0..CODE_BITS));
    let pages = tables.pages(&m, &codes, [1, 2].map(|after| ports.next(after)));
    m.stage_section(2, "whether the page has the code point");
    let words = tables.words(&pages, [3, 4, 5].map(|after| ports.next(after)));
    m.stage_section(WORD_STAGE, "whether the set has the code point");
    for (port, (&data, word)) in data.iter().zip(words).enumerate() {
        let tested = Tested::new(&m, &tables, data, |name| ports.name(name, port));
        let [is_ascii, is_beyond] =
            [tested.is_ascii, tested.is_beyond].map(|signal| At::new(stage, signal, 0));
        let found = At::new(stage, word.is, WORD_STAGE) & !is_beyond.at(WORD_STAGE);
        let is = is_ascii | found;
        let is = tested.too_wide.map_or(is, |too_wide| is & !At::new(stage, too_wide, 0).at(WORD_STAGE));
        let is = is.signal();
        m.output(&format!("is_in_set_{port}"), is, "the set has the code point");
    }
    m.built_trimmed()
}
