//! Decoders of several lanes.

mod common;

use utfhdl::cosim::{Framing, Source};
use utfhdl_hdl::core::{CoreSpec, Role, System};

use common::hardware::{NATIVE, Verdicts, core, cosim};

#[test]
fn utf_8_agrees_with_the_reference_under_noise() {
    let mut verdicts = Verdicts::default();
    for lanes in [2, 4, 8, 16, 32, 64] {
        let core = core(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) });
        for (stall, framing) in [(0, Framing::Whole), (0, Framing::Random), (30, Framing::Random), (80, Framing::Random)] {
            verdicts.run(&cosim(core.clone(), Source::Random { count: 20_000 }, framing, stall), NATIVE);
        }
    }
    verdicts.finish();
}
