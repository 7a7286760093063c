//! The cores in Icarus Verilog, whose registers hold X at first.

use utfhdl_hdl::core::{Core, CoreSpec, Role, Stall, Storage, System};
use utfhdl_sim::Layout;

use crate::common::icarus::{Start, run};
use crate::common::stimulus::stimulus;
use crate::native;
use crate::samples::{is_all, one_in};

/// Cycles in reset, and cycles after it.
const IN_RESET: usize = 3;
const AFTER: usize = 2000;

/// Reset clears valid bits and state, not data. That is enough if from the first cycle after reset every output that
/// matters is known and right: the handshake always, the rest of a beat when it is valid.
#[test]
#[ignore = "needs iverilog: tools/test installs it and runs it"]
fn reset_suffices_from_unknown_registers() {
    let several = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    let transcoders = CoreSpec::transcoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4);
    // The words of a memory are unknown, too.
    let by_credit = [2, 8].map(|lanes| CoreSpec {
        lanes,
        stall: Stall::Credit(Storage::Ram),
        ..CoreSpec::new(System::Utf8, Role::Decoder)
    });
    let takes_all = is_all("UTFHDL_VERILOG");
    let of_one_lane = one_in(20, takes_all, CoreSpec::all());
    let several = one_in(57, takes_all, several).into_iter().chain(by_credit);
    for spec in of_one_lane.into_iter().chain(several).chain(one_in(1497, takes_all, transcoders)) {
        let core = Core::new(spec).expect("a core that is listed");
        let (design, layout) = (&core.design, Layout::new(&core.design));
        let reset = layout.input(spec.reset.port()).expect("a reset");
        let mut inputs = stimulus(&layout, spec.reset.active_level(), IN_RESET + AFTER, 1);
        for (cycle, record) in inputs.chunks_mut(layout.input_words).enumerate() {
            reset.set(record, u64::from((cycle < IN_RESET) == spec.reset.active_level()));
        }
        let (ours, theirs) = (native(design, &inputs), run(design, &inputs, Start::Unknown));
        let ports: Vec<&str> = layout.outputs.iter().map(|port| port.name.as_str()).collect();
        let valid = ports.iter().position(|name| *name == "m_axis_tvalid").expect("the core has it");
        let mut beats = 0;
        for (cycle, (ours, theirs)) in ours.iter().zip(&theirs).enumerate().skip(IN_RESET) {
            let is_valid = ours[valid] == "1";
            beats += usize::from(is_valid);
            for (port, (ours, theirs)) in ports.iter().zip(ours.iter().zip(theirs)) {
                if is_valid || port.ends_with("tvalid") || port.ends_with("tready") {
                    assert_eq!(ours, theirs, "{}: cycle {cycle}, `{port}`", core.command());
                }
            }
        }
        assert!(beats > AFTER / 10, "{}: {beats} beats only", core.command());
    }
}
