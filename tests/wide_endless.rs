//! Encoders of `utf-inf-8` of several lanes.

mod common;

use utfhdl::cosim::{Framing, Source};
use utfhdl_hdl::core::{CoreSpec, DEFAULT_DIGITS, ErrorMode, Role, System};

use common::hardware::{NATIVE, Verdicts, core, cosim};

fn encoder(digits: u64, lanes: u32, on_error: ErrorMode) -> CoreSpec {
    CoreSpec { lanes, on_error, ..CoreSpec::new(System::UtfInf8 { digits }, Role::Encoder) }
}

fn agree(specs: impl Iterator<Item = CoreSpec>, count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in specs {
        let core = core(spec);
        let runs = [(0, Framing::Whole), (0, Framing::Random), (30, Framing::Random), (80, Framing::Random)];
        for (stall, framing) in runs {
            let report = verdicts.run(&cosim(core.clone(), Source::Random { count }, framing, stall), NATIVE);
            verdicts
                .hold(report.is_none_or(|report| report.taken == count), || format!("{spec}: not all taken"));
        }
    }
    verdicts.finish();
}

#[test]
fn encoders_agree_with_the_reference_under_noise() {
    let limits = [DEFAULT_DIGITS, 18, 4096, (1 << 32) + 17];
    let specs = limits.into_iter().flat_map(|digits| {
        [4, 8, 2, 16]
            .into_iter()
            .flat_map(move |lanes| Role::Encoder.on_error().map(move |mode| encoder(digits, lanes, mode)))
    });
    agree(specs, 3000);
}
