//! Decoders of several lanes.

mod common;

use utfhdl::cosim::{Framing, Source};
use utfhdl_hdl::core::{CoreSpec, ErrorMode, Role, System};

use common::hardware::{NATIVE, Verdicts, core, cosim};

#[test]
fn agrees_with_the_reference_under_noise() {
    let only = std::env::var("WIDE_ONLY").ok();
    let lanes_of: Vec<u32> = std::env::var("WIDE_LANES")
        .ok()
        .map_or(vec![2, 4, 8, 16], |l| l.split(',').map(|x| x.parse().unwrap()).collect());
    let count: u64 = std::env::var("WIDE_COUNT").ok().map_or(10_000, |l| l.parse().unwrap());
    let mut verdicts = Verdicts::default();
    for system in System::variants() {
        if only.as_ref().is_some_and(|only| !only.split(' ').any(|o| o == system.to_string())) {
            continue;
        }
        for on_error in [ErrorMode::Flag, ErrorMode::Drop] {
            for &lanes in &lanes_of {
                let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(system, Role::Decoder) };
                if !Role::Decoder.lanes(system).contains(&lanes) {
                    continue;
                }
                let core = core(spec);
                for (stall, framing) in
                    [(0, Framing::Whole), (0, Framing::Random), (30, Framing::Random), (80, Framing::Random)]
                {
                    verdicts.run(&cosim(core.clone(), Source::Random { count }, framing, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}
