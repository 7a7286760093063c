//! Encoders of several lanes: the same units as with one lane, in full beats and in time, whatever the beats of slots.

use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_hdl::core::{Axis, ByteOrder, CoreSpec, ErrorMode, Max, Role, Steps, System};

use crate::common::campaigns::run_well;
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, every_split, in_lockstep, run};
use crate::common::lanes::{
    self, agree_under_noise, agree_under_stalls, agree_with_every_reset, is_all_asked_for,
};
use crate::common::samples::seed;

fn utf_8(lanes: u32) -> CoreSpec {
    CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Encoder) }
}

/// Every core of `lanes` lanes.
fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    CoreSpec::encoders_of_several_lanes().into_iter().filter(move |spec| spec.lanes == lanes)
}

/// The cores of `utf-8`, and `count` others picked by `seed`; with `UTFHDL_LANES=all` every core. The test `drawn` draws other cores in
/// every run.
fn some_of(cores: impl Iterator<Item = CoreSpec>, count: usize, seed: u64) -> Vec<CoreSpec> {
    lanes::some_of(cores, |spec| spec.system == System::Utf8 || is_all_asked_for(), count, seed)
}

#[test]
fn encoders_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(2), 4, 3), 1000);
}

#[test]
fn encoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(4), 0, 4), 1000);
}

#[test]
fn encoders_of_more_lanes_agree_with_the_reference_under_noise() {
    // Without `UTFHDL_LANES=all`, the widest are left to the tests of cycles and of limbs.
    let most = if is_all_asked_for() { 64 } else { 16 };
    let wide = CoreSpec::encoders_of_several_lanes().into_iter();
    agree_under_noise(some_of(wide.filter(|spec| (5..=most).contains(&spec.lanes)), 0, 5), 1000);
}

#[test]
fn one_sided_stalls_agree_too() {
    let stalls = [(90, 0), (50, 0), (0, 50), (0, 90), (99, 99)];
    agree_under_stalls(some_of(cores_of(4), 2, 6).into_iter().chain([utf_8(2), utf_8(8)]), &stalls, 800);
}

#[test]
fn every_wiring_of_reset_agrees() {
    agree_with_every_reset(utf_8(4));
}

fn code_points(text: &str) -> Vec<Item> {
    text.chars().map(|char| Item::from(u32::from(char))).collect()
}

fn slot(user: u16, data: u32) -> Item {
    Item { user, data }
}

/// Frames of every length, with code points of every length, errors, and groups of limbs, whole and cut.
#[test]
fn frames_of_every_split_agree() {
    let mut slots = code_points("a€😀");
    slots.extend([slot(2, 0xfffd), slot(14, 2), slot(15, 7), slot(15, 0), slot(14, 3), slot(15, 1)]);
    slots.extend(code_points("b"));
    slots.extend([slot(14, 5), slot(14, 2)]);
    let (replace, drop) = (ErrorMode::Replace, ErrorMode::Drop);
    let cores = [(4, replace), (2, replace), (4, drop), (8, drop)];
    for (lanes, on_error) in cores.into_iter().take(if is_all_asked_for() { 4 } else { 1 }) {
        every_split(&core(CoreSpec { on_error, ..utf_8(lanes) }), slots.clone());
    }
}

/// Slots over and over, in beats and frames of every kind.
fn agree_over_and_over(slots: &[Item], cores: impl IntoIterator<Item = CoreSpec>) {
    let slots = slots.repeat(1500 / slots.len());
    let mut verdicts = Verdicts::default();
    for core in cores.into_iter().map(core) {
        for stall in [0, 40] {
            verdicts.run(&cosim(core.clone(), Source::Given(slots.clone()), Framing::Random, stall), NATIVE);
        }
    }
    verdicts.finish();
}

/// Code points of two and three limbs, those that the system lacks, and groups that are cut.
#[test]
fn limbs_become_code_points_wherever_they_stand() {
    let mut slots = Vec::new();
    for limbs in [&[1, 2][..], &[1, 5, 6], &[2, 5, 6], &[0, 7], &[0x3ff, 8], &[u32::MAX, 9], &[4]] {
        slots.push(slot(14, limbs.len() as u32));
        slots.extend(limbs.iter().map(|&limb| slot(15, limb)));
    }
    slots.extend(code_points("a"));
    slots.extend([slot(15, 1), slot(14, 2), slot(15, 1), slot(14, 3), slot(15, 1), slot(15, 2), slot(1, 0)]);
    let systems = [System::Utf8SixtyFiveBit, System::hunk(9)];
    let of_system = |system| Role::Encoder.on_error().iter().map(move |&on_error| (system, on_error));
    let of_lanes = |(lanes, systems): (u32, &[System])| {
        let cores = systems.iter().copied().flat_map(of_system);
        cores
            .map(move |(system, on_error)| CoreSpec {
                lanes,
                on_error,
                ..CoreSpec::new(system, Role::Encoder)
            })
            .collect()
    };
    let cores: [Vec<CoreSpec>; 2] = [(2, &systems[..]), (4, &systems[..1])].map(of_lanes);
    agree_over_and_over(&slots, cores.concat());
    let drops = CoreSpec { lanes: 2, on_error: ErrorMode::Drop, ..CoreSpec::new(systems[0], Role::Encoder) };
    every_split(&core(drops), slots[slots.len() - 11..].to_vec());
}

/// Surrogates in every order, with errors and groups of limbs between them.
#[test]
fn low_surrogates_are_refused_wherever_they_stand() {
    let (high, low, error) = (slot(0, 0xd83d), slot(0, 0xde00), slot(1, 0xfffd));
    let group = [slot(14, 2), slot(15, 1), slot(15, 2)];
    let slots = [high, low, low, high, error, low, high, high, low, slot(0, 0x41), low, high];
    let slots: Vec<Item> = slots.into_iter().chain(group).chain([low, high, slot(14, 3), low]).collect();
    let cores = [2, 8].into_iter().flat_map(|lanes| {
        let spec = CoreSpec { lanes, ..CoreSpec::new(System::Wtf8, Role::Encoder) };
        Role::Encoder.on_error().iter().map(move |&on_error| CoreSpec { on_error, ..spec })
    });
    agree_over_and_over(&slots, cores);
}

/// Frames of every length that open with a mark or magic number, empty ones included, and with what cannot be written.
#[test]
fn openings_of_every_split_agree() {
    let mut slots = vec![slot(1, 0xfffd), slot(14, 2), slot(15, 1)];
    slots.extend(code_points("\0a€"));
    let mark = System::Utf16Octets { order: ByteOrder::Little, bom: true };
    let document = System::CorrectedUtf8 { document: true, private: false };
    for (system, lanes, on_error) in [(document, 2, ErrorMode::Replace), (mark, 4, ErrorMode::Drop)] {
        let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(system, Role::Encoder) };
        every_split(&core(spec), slots.clone());
    }
}

/// A beat of groups is as many output beats as its code points fill.
#[test]
fn cycles_of_limbs_are_output_beats_and_a_constant() {
    let group = [slot(14, 3), slot(15, 1), slot(15, 2), slot(15, 3)];
    let short = [slot(14, 2), slot(15, 1), slot(15, 2)];
    for (system, group) in [(System::Utf8SixtyFiveBit, &group[..]), (System::Utf8EightByte, &short)] {
        let core = core(CoreSpec { lanes: 4, ..CoreSpec::new(system, Role::Encoder) });
        let report = run(&cosim(core, Source::Given(group.repeat(500)), Framing::Whole, 0), NATIVE);
        let further = report.cycles - report.given.div_ceil(4) - 1 - u64::from(report.latency);
        assert!(further <= 1, "{system}: {report:?}");
    }
}

/// In a run of one frame without stalls there is a full beat a cycle for ever.
#[test]
fn cycles_are_output_beats_and_a_constant() {
    let lanes = [2, 8, 4, 16, 32, 64].into_iter().take(if is_all_asked_for() { 6 } else { 2 });
    for (lanes, on_error) in
        lanes.flat_map(|lanes| Role::Encoder.on_error().iter().map(move |&on_error| (lanes, on_error)))
    {
        let core = core(CoreSpec { on_error, ..utf_8(lanes) });
        for pattern in ["a", "é", "€", "😀", "aaaaaaaaa😀", "é€", "aé€😀zzzz"] {
            let slots: Vec<Item> = code_points(pattern).into_iter().cycle().take(2000).collect();
            let report = run(&cosim(core.clone(), Source::Given(slots), Framing::Whole, 0), NATIVE);
            let beats = report.given.div_ceil(lanes.into());
            // One cycle more until ready comes up.
            let further = report.cycles - beats - 1 - u64::from(report.latency);
            assert!(further <= 1, "{}, {pattern}: {report:?}", core.spec);
        }
    }
}

/// Groups of any number of limbs that end, are cut, or continue after their end, across beats that are full or not.
#[test]
fn limbs_are_counted_across_beats() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut slots = Vec::new();
    for number in (0_u32..40).chain([63, 64, 65, 127, 128, 129, 255, 256, 257, 300]) {
        for limbs in [number, number + 1, number.saturating_sub(1), random.random_range(0..=2 * number)] {
            slots.push(slot(14, number));
            slots.extend((0..limbs).map(|_| slot(15, random.random())));
            slots.extend([slot(0, 0x41), slot(1, 0xfffd)].into_iter().take(random.random_range(0..=2)));
        }
    }
    let mut verdicts = Verdicts::default();
    for lanes in [2, 8, 64, 4, 16].into_iter().take(if is_all_asked_for() { 5 } else { 3 }) {
        for (framing, stall) in [(Framing::Whole, 0), (Framing::Random, 0), (Framing::Random, 40)] {
            verdicts.run(&cosim(core(utf_8(lanes)), Source::Given(slots.clone()), framing, stall), NATIVE);
        }
    }
    verdicts.finish();
}

/// Steps that share a stage make the latency shorter, and change nothing else.
#[test]
fn pipelines_of_every_depth_agree() {
    let cores = [(System::Utf8, 4), (System::Cesu8, 2), (System::Utf8, 8), (System::Utf16, 8)];
    for (system, lanes) in cores.into_iter().take(if is_all_asked_for() { 4 } else { 2 }) {
        let of_steps = |number| CoreSpec {
            lanes,
            pipeline: Steps::Number(number),
            ..CoreSpec::new(system, Role::Encoder)
        };
        let depths = [1, 2, 3, Steps::MOST_STEPS].map(of_steps);
        agree_under_noise(depths, 500);
        let latencies = depths.map(|spec| core(spec).latency);
        assert!(latencies.is_sorted_by(|a, b| a >= b), "{system} of {lanes} lanes: {latencies:?}");
    }
}

#[test]
fn campaigns_run_on_several_lanes() {
    for (lanes, on_error) in [(2, ErrorMode::Drop), (4, ErrorMode::Replace)] {
        for stall in [0, 35] {
            run_well(
                &core(CoreSpec { on_error, ..utf_8(lanes) }),
                Inputs::Random { count: 1000, seed: 3, stall },
            );
        }
    }
}

#[test]
fn ports_may_be_strict() {
    let mut verdicts = Verdicts::default();
    for system in [
        System::hunk(5),
        System::Utf8,
        System::Utf9 { max: Max::Unicode },
        System::Utf16,
        System::Utf32 { max: Max::Unicode },
    ] {
        let spec = CoreSpec { axis: Axis::Strict, lanes: 4, ..CoreSpec::new(system, Role::Encoder) };
        verdicts.run(&cosim(core(spec), Source::Random { count: 1000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_on_some_cores() {
    in_lockstep(EngineKind::RustHdl, [utf_8(2), utf_8(4)].into_iter(), 500);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_some_cores() {
    let few = CoreSpec::encoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8);
    let some = few.sample(&mut ChaCha8Rng::seed_from_u64(seed()), 2);
    in_lockstep(EngineKind::Verilator, some.into_iter().chain([utf_8(8)]), 10_000);
}
