//! Both engines get the same inputs, and must give the same outputs.

use utfhdl_hdl::core::{Core, CoreSpec};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Engine, Layout};
use utfhdl_verilated::Verilated;

use super::inputs;

const CYCLES: usize = 20_000;

fn run(engine: &mut dyn Engine, inputs: &[u64]) -> Vec<u64> {
    let mut outputs = vec![0; CYCLES * engine.layout().output_words];
    engine.run(inputs, &mut outputs).expect("the engine runs");
    outputs
}

/// The first cycle and port in which the engines differ.
fn difference(layout: &Layout, one: &[u64], other: &[u64]) -> Option<(usize, String)> {
    let records = one.chunks(layout.output_words).zip(other.chunks(layout.output_words));
    records.enumerate().find_map(|(cycle, (one, other))| {
        let port = layout.outputs.iter().find(|port| !port.is_same(one, other))?;
        Some((cycle, port.name.clone()))
    })
}

#[test]
fn the_verilated_core_does_what_native_does() {
    let core = utfhdl_verilated::core();
    let inputs = inputs(&core.design, CYCLES);
    let mut verilated = Verilated::new(&core.design).expect("the same core");
    let mut native = Native::new(&core.design).expect("room for the core");
    let (verilated, native) = (run(&mut verilated, &inputs), run(&mut native, &inputs));
    assert_eq!(difference(&Layout::new(&core.design), &verilated, &native), None);
}

/// Were outputs not compared, or inputs not set, this would go unnoticed.
#[test]
fn a_core_with_the_same_ports_that_treats_errors_otherwise_is_told_apart() {
    let core = utfhdl_verilated::core();
    let modes = core.spec.role.on_error();
    let on_error = if core.spec.on_error == modes[0] { modes[1] } else { modes[0] };
    let other = Core::new(CoreSpec { on_error, ..core.spec }).expect("a core");
    let inputs = inputs(&core.design, CYCLES);
    let mut verilated = Verilated::new(&other.design).expect("the same ports");
    let mut native = Native::new(&other.design).expect("room for the core");
    let (verilated, native) = (run(&mut verilated, &inputs), run(&mut native, &inputs));
    assert_ne!(difference(&Layout::new(&core.design), &verilated, &native), None);
}

#[test]
fn a_core_with_other_ports_is_refused() {
    let core = utfhdl_verilated::core();
    let lanes = if core.spec.lanes == 1 { 2 } else { 1 };
    let system = utfhdl_hdl::core::System::Utf8;
    let spec = CoreSpec { lanes, ..CoreSpec::new(system, utfhdl_hdl::core::Role::Decoder) };
    let other = Core::new(spec).expect("a core");
    let error = Verilated::new(&other.design).err().expect("other ports").to_string();
    assert!(error.contains("has other ports") && error.contains("UTFHDL_CORE"), "{error}");
}
