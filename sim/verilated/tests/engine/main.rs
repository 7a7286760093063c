//! The verilated core beside the `native` engine, its waves beside ours, and the choice of the core.

mod choice;
mod lockstep;
#[path = "../../../tests/common/stimulus.rs"]
mod stimulus;
mod waves;

use utfhdl_hdl::netlist::Design;
use utfhdl_sim::Layout;

/// Random inputs for the ports of `design`; reset is active in the first of every 500 cycles.
fn inputs(design: &Design, cycles: usize) -> Vec<u64> {
    let layout = Layout::new(design);
    let active = design.reset.active_level();
    let mut records = stimulus::stimulus(&layout, active, cycles, 1);
    let reset = layout.input(design.reset.port()).expect("a core has a reset");
    for (cycle, record) in records.chunks_exact_mut(layout.input_words).enumerate() {
        reset.set(record, u64::from(cycle.is_multiple_of(500) == active));
    }
    records
}
