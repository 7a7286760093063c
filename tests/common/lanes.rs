//! Cores of several lanes: helpers that the tests of decoders, encoders and transcoders share.

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source, Stalls};
use utfhdl_hdl::core::CoreSpec;
use utfhdl_hdl::netlist::ResetStyle;

use super::hardware::{NATIVE, Verdicts, core, cosim};

/// Whether `UTFHDL_LANES` asks for all, where the tests take a sample otherwise.
pub fn is_all_asked_for() -> bool {
    super::samples::is_all("UTFHDL_LANES")
}

/// The cores that every run takes, and `count` of the others, picked by `seed`.
pub fn some_of(
    cores: impl Iterator<Item = CoreSpec>,
    is_always_taken: impl Fn(&CoreSpec) -> bool,
    count: usize,
    seed: u64,
) -> Vec<CoreSpec> {
    let (mut taken, others): (Vec<CoreSpec>, Vec<CoreSpec>) = cores.partition(is_always_taken);
    taken.extend(others.into_iter().sample(&mut ChaCha8Rng::seed_from_u64(seed), count));
    taken
}

/// Noise through cores: full beats without stalls, and beats and frames of any length with stalls.
#[track_caller]
pub fn agree_under_noise(specs: impl IntoIterator<Item = CoreSpec>, count: u64) {
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

/// Noise through cores whose source and sink stall in these percentages of the cycles.
#[track_caller]
pub fn agree_under_stalls(specs: impl IntoIterator<Item = CoreSpec>, stalls: &[(u8, u8)], count: u64) {
    let mut verdicts = Verdicts::default();
    for spec in specs {
        for &(source, sink) in stalls {
            let mut cosim = cosim(core(spec), Source::Random { count }, Framing::Random, 0);
            cosim.stalls = Stalls { source, sink };
            verdicts.run(&cosim, NATIVE);
        }
    }
    verdicts.finish();
}

/// Noise through a core with its reset wired in every way.
#[track_caller]
pub fn agree_with_every_reset(spec: CoreSpec) {
    let mut verdicts = Verdicts::default();
    for reset in ResetStyle::ALL {
        let core = core(CoreSpec { reset, ..spec });
        verdicts.run(&cosim(core, Source::Random { count: 1000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
}
