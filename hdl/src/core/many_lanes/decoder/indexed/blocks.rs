//! The code points of pairs of `gb18030`, by tables in blocks, which two pairs of lanes read.

use std::sync::Arc;

use super::words::{LANES_OF_PAIR, Octets};
use crate::core::lanes::{At, Lanes, section};
use crate::core::shared::block_tables::{self, BlockTables, place};
use crate::core::shared::code_points::OCTET;
use crate::core::shared::index_tables::LEAD_BITS;
use crate::core::shared::memory_look_up::port_name;
use crate::netlist::{Builder, InstanceHandle, Module};

/// Read ports of a table.
const PORTS: usize = 2;

/// Stages from the octets and states to the code point of a pair.
pub(in crate::core::many_lanes) const LATENCY: u32 = 1 + block_tables::LATENCY;

/// For each lane: the code point of the pair that its octet ends, if it ends one.
pub(super) fn pairs<'m>(m: &'m Builder, octets: &Octets<'_, 'm>) -> Lanes<'m> {
    let lanes = octets.units.len();
    let shared = lanes.min(PORTS * LANES_OF_PAIR);
    let module = module(m, shared, octets.stage());
    let instances: Vec<InstanceHandle> = (0..lanes)
        .step_by(shared)
        .map(|first| {
            let registers = octets.units[first].registers();
            let instance = m.instance(&format!("words_{}", first / shared), &module).lane(first);
            instance.input("advance", registers.enable);
            instance.input("lead_before", octets.at(first, 1).bits(0..LEAD_BITS).signal());
            for lane in 0..shared {
                instance.input(&format!("octet_{lane}"), octets.units[first + lane].signal());
            }
            for lane in (1..shared).step_by(LANES_OF_PAIR) {
                instance.input(&format!("state_{lane}"), octets.states[first + lane].signal());
            }
            instance
        })
        .collect();
    let word = |(lane, unit): (usize, &At<'m>)| {
        let name = port_name("pair_word", lane % shared / LANES_OF_PAIR, shared / LANES_OF_PAIR);
        At::new(unit.registers(), instances[lane / shared].output(&name), octets.stage() + LATENCY)
    };
    Lanes::new("pair_word", octets.units.iter().enumerate().map(word))
}

/// The module of the tables of some lanes, whose inputs are of stage `at`.
fn module(core: &Builder, lanes: usize, at: u32) -> Arc<Module> {
    let summary = "The code points of pairs that end in a lane, of each two lanes.";
    let m = core.below("words", summary);
    let stage = m.stage(m.input("advance", 1, "all stages move"));
    m.port_group(format!("Stage {}", m.folded().number(at)));
    let before = m.input("lead_before", LEAD_BITS, "the octet before the lanes, without its topmost bit");
    let octets: Vec<_> =
        (0..lanes).map(|lane| m.input(&format!("octet_{lane}"), OCTET, "the octet of a lane")).collect();
    let states: Vec<_> = (1..lanes)
        .step_by(LANES_OF_PAIR)
        .map(|lane| m.input(&format!("state_{lane}"), 2, "the state before a lane"))
        .collect();
    let ports = states.len();
    let name = |name: &str, port: usize| port_name(name, port, ports);

    section(&m, at, "the pairs");
    let pairs = states.iter().enumerate().map(|(port, state)| {
        let first = port * LANES_OF_PAIR;
        let is_second = state.any().named(&name("is_second", port));
        let is_second = is_second.note("the second lane can end a pair, not the first");
        let before = if port == 0 { before } else { octets[first - 1].bits(0..LEAD_BITS) };
        let octet = is_second.mux(octets[first + 1], octets[first]).named(&name("octet", port));
        let register =
            |what: &str, signal| stage.at(at + 1).data(&format!("{}_reg", name(what, port)), signal);
        let lead = register("lead", is_second.mux(octets[first].bits(0..LEAD_BITS), before));
        [lead, register("place", place(octet))]
    });
    let pairs: Vec<_> = pairs.collect();
    let words = BlockTables::new().words(&m, &pairs, at + 1, stage);
    m.port_group(format!("Stage {}", m.folded().number(at + LATENCY)));
    for (port, word) in words.into_iter().enumerate() {
        m.output(&name("pair_word", port), word, "the code point of the pair");
    }
    m.built_trimmed()
}
