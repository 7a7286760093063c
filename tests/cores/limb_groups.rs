//! Encoders of one lane, on groups of limbs of many lengths: each bit of the number that a head announces counts.

use utfhdl::cosim::{Framing, Source};
use utfhdl::prove::mutants::limb_groups;
use utfhdl_hdl::core::{CoreSpec, DEFAULT_DIGITS, ErrorMode, MultiOctet, Role, System};

use crate::common::hardware::{NATIVE, core, cosim, run};

#[test]
fn encoders_count_limbs() {
    let systems = [
        System::Utf8,
        System::Utf8SixtyFiveBit,
        System::UtfInf8 { digits: DEFAULT_DIGITS },
        System::MultiOctet(MultiOctet::Gb18030),
    ];
    for system in systems {
        for on_error in [ErrorMode::Replace, ErrorMode::Drop] {
            let core = core(CoreSpec { on_error, ..CoreSpec::new(system, Role::Encoder) });
            for (framing, stall) in [(Framing::Whole, 0), (Framing::Random, 30)] {
                run(&cosim(core.clone(), Source::given(limb_groups()), framing, stall), NATIVE);
            }
        }
    }
}
