//! Paths from inputs to outputs within a cycle, of small modules and of every core.

use utfhdl_hdl::core::{Core, CoreSpec, Role};
use utfhdl_hdl::netlist::{Builder, Module};
use utfhdl_hdl::stream::{register_slice, skid_buffer, skid_buffer_ahead, skid_buffer_told};

use crate::samples::{is_all, one_in};

/// Names of the inputs that an output depends on within the cycle.
fn inputs_of<'m>(module: &'m Module, output: &str) -> Vec<&'m str> {
    let index = module.outputs().position(|port| port.name == output).expect("an output");
    let names: Vec<&str> = module.inputs().map(|port| port.name.as_str()).collect();
    module.combinational_inputs(index).into_iter().map(|input| names[input]).collect()
}

fn is_registered(module: &Module, output: &str) -> bool {
    module.is_registered(module.outputs().position(|port| port.name == output).expect("an output"))
}

#[test]
fn registers_cut_paths_and_logic_does_not() {
    let inner = Builder::new("inner", "One path through, one cut.");
    let (a, b) = (inner.input("a", 4, ""), inner.input("b", 4, ""));
    let held = inner.reg("held", 4);
    held.next_when(a.any(), b);
    inner.output("sum", a + held.q, "");
    inner.output("kept", held.q, "");
    let inner = inner.built();

    let m = Builder::new("outer", "Paths through an instance.");
    let (x, y, z) = (m.input("x", 4, ""), m.input("y", 4, ""), m.input("z", 1, ""));
    let u = m.instance("u", &inner).input("b", y).input("a", z.mux(x, m.lit(4, 3)));
    m.output("sum", u.output("sum"), "");
    m.output("kept", m.concat([m.lit(2, 1), u.output("kept").bits(1..3)]), "");
    m.output("flipped", !u.output("kept"), "");
    m.output("constant", m.lit(3, 1), "");
    let outer = m.built();

    assert_eq!(inputs_of(&inner, "sum"), ["a"]);
    assert_eq!(inputs_of(&outer, "sum"), ["x", "z"]);
    for cut in ["kept", "flipped", "constant"] {
        assert!(inputs_of(&outer, cut).is_empty(), "{cut}");
    }
    assert!(is_registered(&outer, "kept") && is_registered(&outer, "constant"));
    assert!(!is_registered(&outer, "sum"), "it depends on an input");
    assert!(!is_registered(&outer, "flipped"), "there is an inverter behind the register");
}

#[test]
fn blocks_cut_the_paths_they_say() {
    let slice = register_slice(5);
    assert_eq!(inputs_of(&slice, "s_ready"), ["m_ready"]);
    for output in ["m_valid", "m_payload"] {
        assert!(is_registered(&slice, output), "{output}");
    }
    for skid in [skid_buffer(5), skid_buffer_told(5)] {
        assert!((0..skid.outputs().count()).all(|output| skid.is_registered(output)));
    }
    let ahead = skid_buffer_ahead(5);
    assert_eq!(inputs_of(&ahead, "s_ready_next"), ["s_valid", "m_ready"]);
    for port in ahead.outputs().filter(|port| port.name != "s_ready_next") {
        assert!(is_registered(&ahead, &port.name), "{}", port.name);
    }
}

#[test]
fn every_output_of_every_core_is_a_register() {
    let of_slots = |spec: &CoreSpec| !matches!(spec.role, Role::Transcoder { .. });
    let strict = CoreSpec::strict().into_iter().filter(of_slots);
    let several = CoreSpec::of_several_lanes().into_iter().chain(CoreSpec::encoders_of_several_lanes());
    let specs = CoreSpec::all().into_iter().chain(several).chain(strict);
    for spec in one_in(4, is_all("UTFHDL_VERILOG"), specs) {
        let core = Core::new(spec).expect("a core that is listed");
        let top = &core.design.top;
        for (index, port) in top.outputs().enumerate() {
            let through: Vec<usize> = top.combinational_inputs(index);
            assert!(through.is_empty(), "{}: `{}` depends on {through:?}", core.command(), port.name);
            assert!(top.is_registered(index), "{}: `{}` is no register", core.command(), port.name);
        }
    }
}
