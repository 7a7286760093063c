//! Proofs of the cores, by Yosys and abc.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use utfhdl::prove::emitted;
use utfhdl::prove::program::Limits;
use utfhdl::prove::verdict::Verdict;
use utfhdl_hdl::core::{Core, CoreSpec};

static NEVER: AtomicBool = AtomicBool::new(false);

fn limits() -> Limits<'static> {
    Limits { time: Duration::from_secs(600), stop: &NEVER }
}

fn all_emitted(specs: &[CoreSpec]) {
    let cores: Vec<Core> = specs.iter().map(|spec| Core::new(*spec).expect("a core")).collect();
    let start = Instant::now();
    let verdicts = emitted::prove(&cores, limits()).expect("the tools run");
    eprintln!("{} cores, {:?}", cores.len(), start.elapsed());
    for (core, verdict) in cores.iter().zip(verdicts) {
        assert!(matches!(verdict, Verdict::Proved { .. }), "{}: {verdict:?}", core.spec);
    }
}

#[test]
#[ignore = "needs yosys and yosys-abc: tools/test installs them and runs it"]
fn what_is_emitted_is_the_netlist() {
    all_emitted(&CoreSpec::all());
}

/// Numbers of lanes and transcoders: `UTFHDL_PROVE=all` compares them all, which takes long.
#[test]
#[ignore = "needs yosys and yosys-abc: tools/test installs them and runs it"]
fn what_is_emitted_for_several_lanes_is_the_netlist() {
    let specs = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes <= 2);
    for specs in specs.collect::<Vec<_>>().chunks(20) {
        all_emitted(specs);
    }
}
