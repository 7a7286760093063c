//! The cores against the reference, in every engine there is.

use utfhdl::cosim::{Cosim, Framing, Report, Stalls, Units};
use utfhdl::engines::EngineKind;
use utfhdl::system::System;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System as CoreSystem};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;

fn decoder(reset: ResetStyle, on_error: OnError) -> Core {
    Core::new(CoreSpec { system: CoreSystem::Utf8, role: Role::Decoder, lanes: 1, reset, on_error }).unwrap()
}

fn default_decoder() -> Core {
    decoder(ResetStyle::SyncHigh, OnError::Flag)
}

fn cosim(core: Core, units: Units, framing: Framing, stall: u8) -> Cosim {
    let stalls = Stalls { source: stall, sink: stall };
    Cosim { core, system: System::Utf8, units, framing, stalls, seed: 1 }
}

fn run(cosim: &Cosim, engines: &[EngineKind]) -> Report {
    let mut engines: Vec<Box<dyn Engine>> =
        engines.iter().map(|engine| engine.start(&cosim.core).unwrap()).collect();
    cosim.run(&mut engines, None, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"))
}

const NATIVE: &[EngineKind] = &[EngineKind::Native];

#[test]
fn every_configuration_agrees_with_the_reference_under_any_stalls() {
    for reset in ResetStyle::ALL {
        for on_error in [OnError::Flag, OnError::Drop] {
            for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random), (80, Framing::Random)] {
                let units = Units::Random { count: 20_000 };
                let report = run(&cosim(decoder(reset, on_error), units, framing, stall), NATIVE);
                assert_eq!(report.units, 20_000);
                assert_eq!(report.errors.len(), 6, "noise has every kind: {report:?}");
            }
        }
    }
}

#[test]
fn one_sided_stalls_agree_too() {
    for (source, sink) in [(90, 0), (0, 90), (99, 99)] {
        let mut cosim = cosim(default_decoder(), Units::Random { count: 5000 }, Framing::Random, 0);
        cosim.stalls = Stalls { source, sink };
        assert_eq!(run(&cosim, NATIVE).units, 5000);
    }
}

/// Cycles past one a unit: one for the ready that comes up after reset, the latency, and one more if the last slot had
/// to wait behind an error.
fn assert_full_throughput(report: &Report) {
    let constant = report.cycles - report.units;
    let least = 1 + u64::from(report.latency);
    assert!((least..=least + 1).contains(&constant), "{report:?}");
}

#[test]
fn without_stalls_cycles_are_units_and_a_constant() {
    for count in [1, 2, 1000, 100_000] {
        for seed in 0..5 {
            let mut cosim = cosim(default_decoder(), Units::Random { count }, Framing::Whole, 0);
            cosim.seed = seed;
            assert_full_throughput(&run(&cosim, NATIVE));
        }
    }
    let text: Vec<u16> = "Straße, 東京, 😀\n".repeat(1000).bytes().map(u16::from).collect();
    let report = run(&cosim(default_decoder(), Units::Given(text), Framing::Whole, 0), NATIVE);
    assert_eq!(report.cycles, report.units + 1 + u64::from(report.latency));
}

/// The worst case for throughput: every second unit cuts a sequence and is a code point itself.
#[test]
fn errors_cost_no_cycles() {
    let units: Vec<u16> = std::iter::repeat_n([0xe1, 0x41], 500).flatten().collect();
    let report = run(&cosim(default_decoder(), Units::Given(units), Framing::Whole, 0), NATIVE);
    assert_eq!((report.code_points, report.error_count()), (500, 500));
    assert_full_throughput(&report);
}

#[test]
fn frames_of_every_split_agree() {
    let text: Vec<u16> =
        "aé€😀\u{10ffff}z".bytes().map(u16::from).chain([0xe2, 0x82, 0xf0, 0x9f, 0x41]).collect();
    for first in 0..=text.len() as u64 {
        for second in 0..=text.len() as u64 - first {
            let framing = Framing::Lengths(vec![first, second, 0, 99]);
            let cosim = cosim(default_decoder(), Units::Given(text.clone()), framing, 20);
            assert_eq!(run(&cosim, NATIVE).units, text.len() as u64);
        }
    }
}

/// All inputs of one and two octets, each a frame, and all of three that begin with a lead of three or four.
#[test]
fn all_short_inputs_agree() {
    let run_all = |inputs: Vec<Vec<u16>>, length: u64| {
        let count = inputs.len() as u64;
        let units = Units::Given(inputs.into_iter().flatten().collect());
        let report = run(&cosim(default_decoder(), units, Framing::Lengths(vec![length]), 0), NATIVE);
        assert_eq!(report.frames, count);
    };
    run_all((0..256).map(|a| vec![a]).collect(), 1);
    run_all((0..0x10000u32).map(|n| vec![(n >> 8) as u16, (n & 255) as u16]).collect(), 2);
    for lead in [0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4] {
        run_all((0..0x10000u32).map(|n| vec![lead, (n >> 8) as u16, (n & 255) as u16]).collect(), 3);
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_one_another() {
    let mut cosim = cosim(default_decoder(), Units::Random { count: 10_000 }, Framing::Random, 30);
    let first = run(&cosim, NATIVE);
    assert_eq!(run(&cosim, NATIVE), first);
    cosim.seed = 2;
    assert_ne!(run(&cosim, NATIVE), first);
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_in_every_configuration() {
    for reset in ResetStyle::ALL {
        for on_error in [OnError::Flag, OnError::Drop] {
            let units = Units::Random { count: 5000 };
            let cosim = cosim(decoder(reset, on_error), units, Framing::Random, 30);
            run(&cosim, &[EngineKind::Native, EngineKind::RustHdl]);
        }
    }
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_in_every_configuration() {
    for reset in ResetStyle::ALL {
        for on_error in [OnError::Flag, OnError::Drop] {
            let units = Units::Random { count: 50_000 };
            let cosim = cosim(decoder(reset, on_error), units, Framing::Random, 30);
            run(&cosim, &[EngineKind::Native, EngineKind::Verilator]);
        }
    }
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn a_million_noisy_bytes_are_the_same_in_every_engine() {
    let cosim = cosim(default_decoder(), Units::Random { count: 1_000_000 }, Framing::Random, 30);
    let report = run(&cosim, EngineKind::ALL);
    assert_eq!(report.units, 1_000_000);
    assert!(report.code_points > 100_000 && report.error_count() > 100_000, "{report:?}");
}
