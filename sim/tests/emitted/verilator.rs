//! Random designs in Verilator, several in each model, since a model takes about a second to build.

use std::sync::Arc;

use utfhdl_hdl::emit::verilog;
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_sim::Layout;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};

use crate::common::bench::outputs;
use crate::common::icarus::header;
use crate::common::random_netlist::{designs, recipe_from_seed};
use crate::common::stimulus::stimulus;
use crate::native_records;

/// Designs in each model.
const BATCH: u64 = 8;
const CYCLES: usize = 300;

/// The modules of these seeds side by side; ports are named after the seed.
fn side_by_side(seeds: std::ops::Range<u64>) -> Arc<Module> {
    let batch = Builder::new("batch", "Random modules side by side.");
    for seed in seeds {
        let module = recipe_from_seed(seed).top(&format!("s{seed}_m"));
        let instance = batch.instance(&format!("s{seed}"), &module);
        for port in module.inputs() {
            instance.input(&port.name, batch.input(&format!("s{seed}_in_{}", port.name), port.width, ""));
        }
        for port in module.outputs() {
            batch.output(&format!("s{seed}_out_{}", port.name), instance.output(&port.name), "");
        }
    }
    batch.built()
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn random_designs_agree_with_native() {
    // Models of a longer run are not kept.
    let folder = tempfile::tempdir().expect("a folder");
    let usual = std::env::var_os("UTFHDL_RANDOM_DESIGNS").is_none();
    let cache = if usual { Cache::of_user() } else { Cache::in_folder(folder.path()) };
    let batches = u64::from(designs(48)).div_ceil(BATCH);
    for batch in 0..batches {
        let reset = ResetStyle::ALL[(batch % 4) as usize];
        let design = Design { top: side_by_side(batch * BATCH..(batch + 1) * BATCH), reset };
        let layout = Layout::new(&design);
        let inputs = stimulus(&layout, reset.active_level(), CYCLES, batch);
        let ours = native_records(&design, &inputs);
        let mut model = Verilator::new(&design, &verilog(&design, &header()), &cache, Effort::Quick)
            .unwrap_or_else(|error| panic!("{error}"));
        let theirs = outputs(&mut model, &inputs);
        let cycles = ours.chunks(layout.output_words).zip(theirs.chunks(layout.output_words));
        for (cycle, (ours, theirs)) in cycles.enumerate() {
            for port in &layout.outputs {
                let read = |record: &[u64]| {
                    let mut value = vec![0; port.words()];
                    port.read(record, &mut value);
                    value
                };
                let (ours, theirs) = (read(ours), read(theirs));
                assert!(
                    ours == theirs,
                    "{reset}, cycle {cycle}, `{}` (the seed is in its name): native {ours:x?}, verilator {theirs:x?}",
                    port.name
                );
            }
        }
    }
}
