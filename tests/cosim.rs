//! The cores against the reference, in every engine there is.

use utfhdl::cosim::{Cosim, Framing, Report, Stalls, Units};
use utfhdl::engines::EngineKind;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

fn core(reset: ResetStyle, on_error: OnError) -> Core {
    Core::new(CoreSpec { system: System::Utf8, role: Role::Decoder, lanes: 1, reset, on_error }).unwrap()
}

fn cosim(core: Core, units: Units, framing: Framing, stall: u8, seed: u64) -> Cosim {
    let stalls = Stalls { source: stall, sink: stall };
    Cosim { core, system: utfhdl::system::System::Utf8, units, framing, stalls, seed }
}

fn run_native(cosim: &Cosim) -> Report {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Native::new(&cosim.core.design))];
    cosim.run(&mut engines, None, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_reset_style_and_treatment_of_errors_agrees_with_the_reference() {
    for reset in ResetStyle::ALL {
        for on_error in [OnError::Flag, OnError::Drop] {
            for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random), (80, Framing::Random)] {
                let run = cosim(core(reset, on_error), Units::Random { count: 20_000 }, framing, stall, 1);
                let report = run_native(&run);
                assert_eq!(report.units, 20_000);
                assert!(report.errors.len() == 6, "noise has every kind: {report:?}");
            }
        }
    }
}

#[test]
fn without_stalls_the_core_takes_a_unit_every_cycle() {
    for count in [1, 2, 1000, 100_000] {
        let run = cosim(
            core(ResetStyle::SyncHigh, OnError::Flag),
            Units::Random { count },
            Framing::Whole,
            0,
            count,
        );
        let report = run_native(&run);
        assert_eq!(report.units, count);
        println!("{count} {}", report.cycles);
    }
}

#[test]
fn a_million_noisy_bytes_in_every_engine() {
    let run = cosim(
        core(ResetStyle::SyncHigh, OnError::Flag),
        Units::Random { count: 1_000_000 },
        Framing::Random,
        30,
        42,
    );
    let t = std::time::Instant::now();
    let mut engines: Vec<Box<dyn Engine>> =
        EngineKind::ALL.iter().map(|engine| engine.start(&run.core).unwrap()).collect();
    let report = run.run(&mut engines, None, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
    println!("{:?} {report:?}", t.elapsed());
}
