//! Seeded faults: co-simulation has to notice each of them.

use utfhdl::cosim::{Cosim, CosimError, Failure, Framing, Stalls, Units};
use utfhdl::system::System;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System as CoreSystem};
use utfhdl_hdl::netlist::{Fault, ResetStyle};
use utfhdl_sim::Engine;
use utfhdl_sim::flat::{Flat, Scope};
use utfhdl_sim::native::Native;

fn decoder(on_error: OnError) -> Core {
    let reset = ResetStyle::SyncHigh;
    Core::new(CoreSpec { system: CoreSystem::Utf8, role: Role::Decoder, lanes: 1, reset, on_error }).unwrap()
}

fn with_fault(core: &Core, fault: Fault, path: &str) -> Core {
    let design = fault.inject(&core.design, path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Core { design, ..core.clone() }
}

/// What co-simulation finds wrong with a core: once without stalls, once with.
fn verdict(core: &Core) -> Option<Failure> {
    for (stall, framing) in [(0, Framing::Whole), (35, Framing::Random)] {
        let cosim = Cosim {
            core: core.clone(),
            system: System::Utf8,
            units: Units::Random { count: 300_000 },
            framing,
            stalls: Stalls { source: stall, sink: stall },
            seed: 1,
        };
        let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Native::new(&core.design))];
        match cosim.run(&mut engines, None, &mut |_| ()) {
            Ok(_) => {}
            Err(CosimError::Failure(failure)) => return Some(*failure),
            Err(other) => panic!("{other}"),
        }
    }
    None
}

/// Paths of all signals that faults can be put at: instances and name, with dots. What drives an output has a name of
/// its own.
fn paths(core: &Core) -> Vec<String> {
    fn collect(scope: &Scope, above: &str, found: &mut Vec<String>) {
        found.extend(scope.signals.iter().map(|signal| format!("{above}{}", signal.name)));
        for child in &scope.children {
            collect(child, &format!("{above}{}.", child.name), found);
        }
    }
    let mut found = Vec::new();
    collect(&Flat::new(&core.design).scope, "", &mut found);
    found.retain(|path| Fault::Inverted.inject(&core.design, path).is_ok());
    found
}

#[test]
fn the_faults_that_people_make_are_noticed_for_what_they_are() {
    let core = decoder(OnError::Flag);
    let cases = [
        ("the surrogate check is dropped", "low_is_d", Fault::StuckAtZero, "m_axis_t"),
        ("tlast is lost", "slot_last_reg", Fault::StuckAtZero, "m_axis_tlast"),
        ("the code point is shifted by one", "slot_code_reg", Fault::ShiftedLeft, "m_axis_tdata"),
        ("the skid is forgotten", "input_skid.skid_valid_reg", Fault::StuckAtZero, "m_axis_t"),
        ("the held slot is forgotten", "held_reg", Fault::StuckAtZero, "m_axis_t"),
        ("a beat is not held while it waits", "output_slice.load", Fault::StuckAtOne, "m_axis_t"),
        ("ready never comes", "input_skid.ready_reg", Fault::StuckAtZero, "m_axis_tvalid"),
    ];
    for (what, path, fault, port) in cases {
        let failure =
            verdict(&with_fault(&core, fault, path)).unwrap_or_else(|| panic!("{what}: not noticed"));
        assert!(failure.port.starts_with(port), "{what}: {failure}");
    }
}

/// No equivalents are excused: a signal of which a fault does not show would be one that the core does not need.
#[test]
fn every_signal_matters() {
    for on_error in [OnError::Flag, OnError::Drop] {
        let core = decoder(on_error);
        let paths = paths(&core);
        assert!(paths.len() > 50, "{} signals", paths.len());
        let mut missed = Vec::new();
        for path in &paths {
            for fault in Fault::ALL {
                if verdict(&with_fault(&core, fault, path)).is_none() {
                    missed.push(format!("{path} {fault}"));
                }
            }
        }
        assert!(missed.is_empty(), "with --on-error {on_error} not noticed: {missed:#?}");
    }
}
