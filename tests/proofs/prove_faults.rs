//! The proofs of a decoder notice the faults that co-simulation notices: a sample of them, by a seed.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source};
use utfhdl::fault::SignalFault;
use utfhdl::prove::bench::aiger;
use utfhdl::prove::checker::Checker;
use utfhdl::prove::mutants::{Effort, Fate, trial};
use utfhdl::prove::program::Limits;
use utfhdl::prove::property::{Property, problems};
use utfhdl::prove::verdict::Verdict;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::mutants;

use crate::common::hardware::{NATIVE, core, cosim, signal_paths, verdict};
use crate::common::samples::{is_all, one_in};

static NEVER: AtomicBool = AtomicBool::new(false);

/// How many faults are tried; `UTFHDL_PROVE=all` tries all.
const SAMPLE: usize = 8;
const SEED: u64 = 1;

fn is_seen_by_simulation(core: &Core) -> bool {
    let runs = [(Framing::Whole, 0), (Framing::Random, 35)];
    runs.into_iter().any(|(framing, stall)| {
        verdict(&cosim(core.clone(), Source::Random { count: 2000 }, framing, stall), NATIVE).is_err()
    })
}

/// The first problem that is refuted.
fn refuted(core: &Core) -> Option<&'static str> {
    let all = [Property::Spec, Property::Stream].into_iter().flat_map(|property| problems(core, property));
    let limits = Limits { time: Duration::from_secs(60), stop: &NEVER };
    let is_refuted = |problem: &utfhdl::prove::property::Problem| {
        let file = aiger(&problem.design, problem.start).expect("it is small");
        matches!(Checker::Abc.check(&file, problem.merging, limits).expect("abc runs"), Verdict::Refuted(_))
    };
    all.into_iter().find(is_refuted).map(|problem| problem.name)
}

/// Stuck-at faults at all signals.
fn faults(core: &Core) -> Vec<SignalFault> {
    let paths = signal_paths(core);
    let both = |path: &String| ["stuck-at-0", "stuck-at-1"].map(|kind| format!("{kind}@{path}"));
    let faults = paths.iter().flat_map(both).map(|fault| fault.parse().expect("a fault"));
    faults.filter(|fault: &SignalFault| fault.inject(core).is_ok()).collect()
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn proofs_notice_what_simulation_notices() {
    let takes_all = is_all("UTFHDL_PROVE");
    for system in [System::Utf8, System::Utf18] {
        let core = Core::new(CoreSpec::new(system, Role::Decoder)).expect("there is such a core");
        let mut faults = faults(&core);
        if !takes_all {
            let mut rng = ChaCha8Rng::seed_from_u64(SEED);
            let mut next = |below: usize| rng.random_range(0..below);
            faults = (0..SAMPLE).map(|_| faults.swap_remove(next(faults.len()))).collect();
        }
        let mut seen = 0;
        for fault in faults {
            let faulty = fault.inject(&core).expect("it was tried");
            if is_seen_by_simulation(&faulty) {
                seen += 1;
                assert!(refuted(&faulty).is_some(), "{system}, {fault}: no proof notices it");
            }
        }
        assert!(seen > SAMPLE / 2, "{system}: {seen} faults are seen");
    }
}

/// Mutants that nobody can notice are proved to be equivalent; others are noticed.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn mutants_without_effect_are_equivalent() {
    let (decoder, encoder) = (Role::Decoder, Role::Encoder);
    let mutants_of_cores = [
        // The digits have stopped when the low bits run over.
        (
            encoder,
            1,
            "limb_counter",
            "before digit_less: runs_over | (moves_reg & …) with ^ in place of |",
            true,
        ),
        (encoder, 1, "limb_counter", "moves_reg: no enable", false),
        // Of the unit that is three before the beat, what is asked of these bits is known from others.
        (
            decoder,
            2,
            "utf_8_decoder_x2",
            "before bits_of_unit_3_before_3_reg: bits of unit_3_before_reg from 6 on",
            true,
        ),
        // A lane is in one window at a time, once something is in it.
        (encoder, 8, "lane", "before_is_shown: (… | …) | before_in_second with ^ in place of |", true),
        // The register differs, but not where anything reads it.
        (
            Role::Transcoder { to: System::Utf8 },
            2,
            "decode",
            "before bits_of_unit_2_before_3_reg: bits of unit_2_before_reg from 4 on",
            true,
        ),
    ];
    for (role, lanes, module, change, is_equivalent) in one_in(2, is_all("UTFHDL_PROVE"), mutants_of_cores) {
        let core = core(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, role) });
        let all = mutants(&core.design);
        let of_module = || all.iter().filter(|mutant| mutant.module == module);
        let found = of_module().find(|mutant| mutant.change == change);
        let changes = || of_module().map(|mutant| mutant.change.as_str()).collect::<Vec<_>>();
        let found = found.unwrap_or_else(|| panic!("{module} has no {change:?}: {:?}", changes()));
        let limits = Limits { time: Duration::from_secs(60), stop: &NEVER };
        let trial = trial(&core, found, Effort { seed: SEED, limits }, &[Checker::Abc]).unwrap();
        let is_as_expected = match &trial.fate {
            Fate::Equivalent(_) => is_equivalent,
            Fate::Simulation(command) => !is_equivalent && command.contains(&trial.fault),
            Fate::Proof(_) | Fate::Conforms(_) | Fate::Alive(_) => false,
        };
        assert!(is_as_expected, "{trial:?}");
    }
}
