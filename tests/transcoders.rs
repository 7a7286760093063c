//! Transcoders of pairs of systems: generated, co-simulated, and, where there is Verilator, run as Verilog.
//!
//! All ordered pairs are some hundreds. A run takes a seeded sample of them; `UTFHDL_PAIRS=all` takes all.

mod common;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::CoreSpec;
use utfhdl_hdl::netlist::ResetStyle;

use common::hardware::{NATIVE, Verdicts, core, cosim};

/// As many pairs as asked for, or all; each in both treatments of errors.
fn pairs(most: usize, seed: u64) -> Vec<CoreSpec> {
    let all: Vec<CoreSpec> =
        CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default()).collect();
    if std::env::var("UTFHDL_PAIRS").is_ok_and(|pairs| pairs == "all") {
        return all;
    }
    all.sample(&mut ChaCha8Rng::seed_from_u64(seed), most).copied().collect()
}

#[test]
fn transcoders_agree_with_the_reference() {
    let mut verdicts = Verdicts::default();
    for spec in pairs(60, 1) {
        let core = core(spec);
        for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random)] {
            let cosim = cosim(core.clone(), Source::Random { count: 3000 }, framing, stall);
            if let Some(report) = verdicts.run(&cosim, NATIVE) {
                assert_eq!(report.taken, 3000);
            }
        }
    }
    verdicts.finish();
}

#[test]
fn every_pair_is_generated() {
    for spec in CoreSpec::transcoders().into_iter().filter(|spec| spec.reset == ResetStyle::default()) {
        let core = core(spec);
        assert!(core.verilog().contains(&format!("module {} (", core.design.top.name())), "{spec:?}");
    }
}

#[test]
#[cfg(feature = "rust-hdl")]
fn transcoders_are_the_same_in_rust_hdl() {
    in_lockstep(EngineKind::RustHdl, 10, 1000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn transcoders_are_the_same_in_verilator() {
    in_lockstep(EngineKind::Verilator, 20, 10_000);
}

fn in_lockstep(other: EngineKind, most: usize, count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in pairs(most, 2) {
        let cosim = cosim(core(spec), Source::Random { count }, Framing::Random, 30);
        verdicts.run(&cosim, &[EngineKind::Native, other]);
    }
    verdicts.finish();
}
