//! A core with the ports of the contract, in any number of lanes, and no logic: for tests of the benches around a core.

use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::{Builder, Design};

/// Makes a core of this specification with ports and no logic. The generator need not support the specification.
pub(crate) fn core(spec: CoreSpec, latency: u32) -> Core {
    let m = Builder::new("hollow", "Has ports.");
    let units = |system: System| (system.unit_bits() * spec.lanes, 0, 1);
    let slots = (spec.bus.data_bits() * spec.lanes, 4 * spec.lanes, 4 * spec.lanes);
    let (input, output) = match spec.role {
        Role::Decoder => (units(spec.system), slots),
        Role::Encoder => (slots, units(spec.system)),
        Role::Transcoder { to } => (units(spec.system), units(to)),
        Role::Validator(verdict) => {
            let (data, ..) = units(spec.system);
            (units(spec.system), (data, 0, spec.lanes * verdict.lane_bits()))
        }
    };
    let (data_in, user_in, _) = input;
    let (data_out, _, user_out) = output;
    let mut inputs = vec![m.input("s_axis_tdata", data_in, ""), m.input("s_axis_tkeep", spec.lanes, "")];
    if user_in > 0 {
        inputs.push(m.input("s_axis_tuser", user_in, ""));
    }
    for name in ["s_axis_tvalid", "s_axis_tlast", "m_axis_tready"] {
        inputs.push(m.input(name, 1, ""));
    }
    let parity = m.reg("parity_reg", 1).reset(0);
    parity.next(m.concat(inputs).parity());
    for (name, width) in [
        ("s_axis_tready", 1),
        ("m_axis_tdata", data_out),
        ("m_axis_tkeep", spec.lanes),
        ("m_axis_tuser", user_out),
        ("m_axis_tvalid", 1),
        ("m_axis_tlast", 1),
    ] {
        m.output(name, parity.q.repeat(width as usize), "");
    }
    Core { spec, design: Design { top: m.built(), reset: spec.reset }, latency, sweep: 0 }
}
