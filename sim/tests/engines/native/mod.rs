//! The `native` engine compiled, compared with itself interpreted: random designs, multiplexers, registers that share
//! enables, wide ports, runs of any length, runs that follow a handshake, probes, and designs that are too large.

mod alike;
mod detours;
mod enables;
mod feed;
mod probes;
mod random;
mod sizes;

use crate::common::bench::{interpreted, native, outputs};
use crate::common::stimulus::stimulus;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::Layout;

/// The first cycle in which compiled and interpreted differ, with both records.
fn difference(design: &Design, cycles: usize, seed: u64) -> Option<(usize, Vec<u64>, Vec<u64>)> {
    let layout = Layout::new(design);
    let inputs = stimulus(&layout, design.reset.active_level(), cycles, seed);
    let compiled = outputs(&mut native(design), &inputs);
    let interpreted = outputs(&mut interpreted(design), &inputs);
    let words = layout.output_words.max(1);
    let records = compiled.chunks(words).zip(interpreted.chunks(words)).enumerate();
    let found = records.into_iter().find(|(_, (compiled, interpreted))| compiled != interpreted);
    found.map(|(cycle, (compiled, interpreted))| (cycle, compiled.to_vec(), interpreted.to_vec()))
}
