//! Validators of several lanes: the marks of the software decoder's events, in time, whatever the beats.

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_hdl::core::{CoreSpec, Role, System, Verdict};

use crate::common::campaigns::run_well;
use crate::common::hardware::{NATIVE, core, cosim, every_split, in_lockstep, run};
use crate::common::lanes::{
    agree_under_noise, agree_under_stalls, agree_with_every_reset, is_all_asked_for, some_of,
};
use crate::common::samples::seed;

/// Numbers of lanes of which all validators are tried; of more lanes, some.
const FEW_LANES: [u32; 3] = [2, 4, 8];

const ALL: Verdict = Verdict { kinds: true, start: true, newline: true };

fn utf_8(lanes: u32, verdict: Verdict) -> CoreSpec {
    CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Validator(verdict)) }
}

fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    CoreSpec::validators_of_several_lanes().into_iter().filter(move |spec| spec.lanes == lanes)
}

#[test]
fn validators_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(cores_of(2), 3000);
}

#[test]
fn validators_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(cores_of(4), 3000);
}

#[test]
fn validators_of_8_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(cores_of(8), 3000);
}

/// Some validators of more lanes; with `UTFHDL_LANES=all` every one.
#[test]
fn validators_of_more_lanes_agree_with_the_reference_under_noise() {
    let more = CoreSpec::validators_of_several_lanes().into_iter();
    let more = more.filter(|spec| !FEW_LANES.contains(&spec.lanes));
    let count = if is_all_asked_for() { usize::MAX } else { 0 };
    agree_under_noise(some_of(more, |spec| spec.system == System::Utf8, count, 2), 4000);
}

#[test]
fn one_sided_stalls_agree_too() {
    let some = cores_of(4).step_by(5).chain([utf_8(16, ALL)]);
    agree_under_stalls(some, &[(90, 0), (0, 90), (99, 99)], 400);
}

#[test]
fn every_wiring_of_reset_agrees() {
    agree_with_every_reset(utf_8(4, ALL));
}

#[test]
fn frames_of_every_split_agree() {
    let text = "a\n€😀\u{10ffff}z".bytes().map(u16::from).chain([0xe2, 0x82, 0xf0, 0x9f, 0x41]);
    let text: Vec<Item> = text.map(Item::from).collect();
    every_split(&core(utf_8(4, ALL)), text);
}

/// A beat goes out a cycle, and all take as long: 9 cycles in 8 lanes, 12 at most in 64.
#[test]
fn cycles_are_beats_and_the_latency() {
    for (lanes, most) in [(2, 9), (8, 9), (64, 12)] {
        let core = core(utf_8(lanes, Verdict::default()));
        assert!(core.latency <= most, "{lanes} lanes: {} cycles", core.latency);
        let units = [0xf0_u32, 0x9f, 0x98, 0x80, 0xff, 0x41].into_iter().cycle().take(64 * 60);
        let report = run(&cosim(core.clone(), Source::given(units), Framing::Whole, 0), NATIVE);
        let beats = report.taken.div_ceil(lanes.into());
        assert_eq!(report.cycles, beats + 1 + u64::from(core.latency), "{lanes} lanes");
    }
}

#[test]
fn campaigns_agree_at_every_alignment() {
    for spec in [utf_8(2, ALL), utf_8(4, Verdict::default())] {
        let core = core(spec);
        run_well(&core, Inputs::Random { count: 2000, seed: 1, stall: 35 });
        run_well(&core, Inputs::Exhaustive { units: 2 });
    }
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_some_validators() {
    let few = CoreSpec::validators_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    let some = few.sample(&mut ChaCha8Rng::seed_from_u64(seed()), 2);
    in_lockstep(EngineKind::Verilator, some.into_iter().chain([utf_8(8, ALL)]), 10_000);
}
