//! Transcoders of several lanes: the same units as with one lane, in full beats and in time, whatever the beats of units.

use rand::SeedableRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Failure, Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::{Codec, OnError, Slot};
use utfhdl_hdl::core::{Axis, Core, CoreSpec, ErrorMode, Max, Role, Steps, System};
use utfhdl_hdl::netlist::Fault;

use crate::common::campaigns::{run_well, with_fault};
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, every_split, in_lockstep, verdict};
use crate::common::lanes::{
    self, agree_under_noise, agree_under_stalls, agree_with_every_reset, is_all_asked_for,
};
use crate::common::samples::seed;
use crate::common::scrubbers::{TELLING_OCTETS, assert_scrubs};

/// The transcoders of `lanes` lanes.
fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    CoreSpec::transcoders_of_several_lanes().into_iter().filter(move |spec| spec.lanes == lanes)
}

/// The transcoder from `utf-8` to itself.
fn scrubber(lanes: u32) -> CoreSpec {
    CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf8 }) }
}

/// The transcoders from `utf-8` to itself, and `count` others picked by `seed`; with `UTFHDL_LANES=all` every
/// transcoder.
fn some_of(cores: impl Iterator<Item = CoreSpec>, count: usize, seed: u64) -> Vec<CoreSpec> {
    let is_scrubber =
        |spec: &CoreSpec| spec.system == System::Utf8 && spec.role == Role::Transcoder { to: System::Utf8 };
    lanes::some_of(cores, |spec| is_scrubber(spec) || is_all_asked_for(), count, seed)
}

#[test]
fn transcoders_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(2), 4, 3), 1000);
}

#[test]
fn transcoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(4), 0, 4), 1000);
}

#[test]
fn transcoders_of_more_lanes_agree_with_the_reference_under_noise() {
    let most = if is_all_asked_for() { 64 } else { 8 };
    let wide = [8, 16, 32, 64].into_iter().filter(|&lanes| lanes <= most).flat_map(cores_of);
    agree_under_noise(some_of(wide, 0, 5), 1000);
}

/// Code points of 2^36 or more have thirteen octets in `utf-inf-8`.
#[test]
fn transcoders_of_long_code_points_to_utf_inf_8_agree_under_noise() {
    let to = System::UtfInf8 { digits: 18 };
    let from = [(System::Utf8SixtyFiveBit, 2), (System::hunk(9), 8), (System::Utf8EightByte, 64)];
    let specs =
        from.map(|(system, lanes)| CoreSpec { lanes, ..CoreSpec::new(system, Role::Transcoder { to }) });
    agree_under_noise(specs.to_vec(), 1000);
}

#[test]
fn utf_8_to_itself_is_what_from_utf8_lossy_makes() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for lanes in [2, 8, 64].into_iter().take(if is_all_asked_for() { 3 } else { 2 }) {
        let mut rig = Rig::new(EngineKind::Native, &core(scrubber(lanes)));
        for length in (0..60).chain([200]) {
            let octet = |_| *TELLING_OCTETS.choose(&mut random).expect("there are octets");
            assert_scrubs(&mut rig, &(0..length).map(octet).collect::<Vec<u8>>());
        }
    }
}

#[test]
fn one_sided_stalls_agree_too() {
    let stalls = [(90, 0), (50, 0), (0, 50), (0, 90), (99, 99)];
    agree_under_stalls(some_of(cores_of(4), 1, 6).into_iter().chain([scrubber(2)]), &stalls, 800);
}

#[test]
fn every_wiring_of_reset_agrees() {
    agree_with_every_reset(scrubber(4));
}

/// Frames of every length, with sequences of every length, whole and cut, and other errors.
#[test]
fn frames_of_every_split_agree() {
    let units = b"a\xe2\x82\xac\xf0\x9f\x98\x80\xe1\x80b\x80\xe0";
    let (replace, drop) = (ErrorMode::Replace, ErrorMode::Drop);
    let cores = [(4, replace), (2, drop), (2, replace), (8, drop), (8, replace)];
    for (lanes, on_error) in cores.into_iter().take(if is_all_asked_for() { 5 } else { 1 }) {
        let items = units.iter().map(|&unit| Item::from(u16::from(unit)));
        every_split(&core(CoreSpec { on_error, ..scrubber(lanes) }), items.collect());
    }
}

/// Code points of more than 32 bits, between systems that have as many bits for them, more, or fewer.
#[test]
fn long_code_points_agree() {
    let (of_42, of_56, of_65) = (System::Utf8EightByte, System::hunk(9), System::Utf8SixtyFiveBit);
    let pairs = [(of_65, of_65), (of_65, of_42), (of_42, of_56)];
    let core = |(from, to)| CoreSpec { lanes: 2, ..CoreSpec::new(from, Role::Transcoder { to }) };
    agree_under_noise(pairs.map(core), 1000);
}

/// Surrogates in every order, with errors between them and before the first lane: a pair of them is an error of the encoding half.
#[test]
fn low_surrogates_are_refused_wherever_they_stand() {
    let from = System::hunk(7);
    let slots = [0xd83d, 0xde00, 0xde00, 0xd83d, 0x41, 0xde00, 0xd83d].map(Slot::CodePoint);
    let units: Vec<u32> = from.encode(&slots, OnError::Strict).expect("it has all code points");
    // The end of the frame is cut, after a high surrogate and before a low one.
    let low = &units[4..8];
    let items = units.iter().chain(&units[..1]).chain(low).map(|&unit| Item::from(unit));
    let items: Vec<Item> = items.collect();
    let mut verdicts = Verdicts::default();
    for (lanes, on_error) in [(2, ErrorMode::Replace), (2, ErrorMode::Drop), (4, ErrorMode::Replace)] {
        let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(from, Role::Transcoder { to: System::Wtf8 }) };
        let source = Source::Given(items.repeat(100));
        verdicts.run(&cosim(core(spec), source, Framing::Random, 20), NATIVE);
    }
    verdicts.finish();
    let spec = CoreSpec { lanes: 2, ..CoreSpec::new(from, Role::Transcoder { to: System::Wtf8 }) };
    let faulty = with_fault(&core(spec), Fault::StuckAtZero, "beat_is_behind_high");
    let run = cosim(faulty, Source::Given(items.repeat(100)), Framing::Random, 20);
    assert!(verdict(&run, NATIVE).is_err(), "what stood before the beat does not matter");
}

/// Frames of every length that open with a magic number, which waits for what is written where errors are dropped.
#[test]
fn openings_of_every_split_agree() {
    let to = System::CorrectedUtf8 { document: true, private: false };
    let items = b"\xe1\x80\x80\xe1\0b\xe0".iter().map(|&unit| Item::from(u16::from(unit)));
    for on_error in [ErrorMode::Replace, ErrorMode::Drop] {
        let spec = CoreSpec { on_error, ..scrubber(2) };
        every_split(&core(CoreSpec { role: Role::Transcoder { to }, ..spec }), items.clone().collect());
    }
}

/// Steps that share a stage make the latency shorter, and change nothing else.
#[test]
fn pipelines_of_every_depth_agree() {
    let cores = [(System::Utf8, 4), (System::Utf16, 8)];
    for (from, lanes) in cores.into_iter().take(if is_all_asked_for() { 2 } else { 1 }) {
        let of_steps = |number| CoreSpec { system: from, pipeline: Steps::Number(number), ..scrubber(lanes) };
        let depths = [1, 2, 3, Steps::MOST_STEPS].map(of_steps);
        agree_under_noise(depths, 500);
        let latencies = depths.map(|spec| core(spec).latency);
        assert!(latencies.is_sorted_by(|a, b| a >= b), "{from} of {lanes} lanes: {latencies:?}");
    }
}

#[test]
fn campaigns_run_on_several_lanes() {
    for (lanes, on_error) in [(2, ErrorMode::Drop), (4, ErrorMode::Replace)] {
        let core = core(CoreSpec { on_error, ..scrubber(lanes) });
        for stall in [0, 35] {
            run_well(&core, Inputs::Random { count: 1000, seed: 3, stall });
        }
    }
    run_well(&core(scrubber(2)), Inputs::Exhaustive { units: 1 });
}

#[test]
fn ports_may_be_strict() {
    let mut verdicts = Verdicts::default();
    let systems = [
        System::hunk(5),
        System::Utf8,
        System::Utf9 { max: Max::Unicode },
        System::Utf16,
        System::Utf32 { max: Max::Unicode },
    ];
    for (from, to) in systems.into_iter().zip(systems.into_iter().cycle().skip(2)) {
        let spec = CoreSpec { axis: Axis::Strict, lanes: 4, ..CoreSpec::new(from, Role::Transcoder { to }) };
        verdicts.run(&cosim(core(spec), Source::Random { count: 1000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_on_some_cores() {
    in_lockstep(EngineKind::RustHdl, [scrubber(2), scrubber(4)].into_iter(), 500);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_some_cores() {
    let few = CoreSpec::transcoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4);
    let some = few.sample(&mut ChaCha8Rng::seed_from_u64(seed()), 2);
    in_lockstep(EngineKind::Verilator, some.into_iter().chain([scrubber(8)]), 10_000);
}

fn units(from: System, text: &str) -> Vec<Item> {
    let slots: Vec<Slot> = text.chars().map(|char| Slot::CodePoint(char.into())).collect();
    let units: Vec<u32> = from.encode(&slots, OnError::Replace).expect("it replaces what it has not");
    units.into_iter().map(Item::from).collect()
}

/// Text whose beats cut sequences of every length, with and without a slot in each beat.
const TEXTS: [&str; 9] = ["a", "é", "€", "😀", "aaaaaaaaa😀", "aaaaaaaaaaaaaaa😀", "é€", "aé€😀zzzz", "a€€€"];

/// The cycles of a run without stalls of one frame of the text, over and over, less those of the beats of the busier side, the latency,
/// and the cycle in which ready comes up.
fn further_cycles(core: &Core, text: &str) -> Result<u64, Failure> {
    let items: Vec<Item> = units(core.spec.system, text).into_iter().cycle().take(UNITS).collect();
    let whole = items.len() as u64;
    let report = verdict(&cosim(core.clone(), Source::Given(items), Framing::Whole, 0), NATIVE)?;
    assert_eq!(report.taken, whole, "{}, {text}", core.spec);
    let beats = report.taken.max(report.given).div_ceil(core.spec.lanes.into());
    Ok(report.cycles - beats - 1 - u64::from(report.latency))
}

/// The units of each of these runs.
const UNITS: usize = 3000;

/// The additional cycles that a text may take for sequences longer than a beat and one unit. The units after such a sequence in its
/// last beat can reach into a third output beat, for every second sequence at most.
fn cycles_of_long_sequences(core: &Core, text: &str) -> u64 {
    let units_of = |char: char| units(core.spec.system, char.encode_utf8(&mut [0; 4])).len();
    let is_long = |char: &char| units_of(*char) > core.spec.lanes as usize + 1;
    let long = text.chars().filter(is_long).count();
    (UNITS * long).div_ceil(2 * units(core.spec.system, text).len()) as u64
}

/// A full beat goes in each cycle, or a full beat comes out, for ever.
#[test]
fn cycles_are_beats_of_the_busier_side_and_a_constant() {
    let pairs = [
        (System::Utf8, System::Utf8),
        (System::Utf16, System::Utf8),
        (System::Utf8, System::Utf16),
        (System::Utf9 { max: Max::Unicode }, System::Utf8),
    ];
    for lanes in [8, 2, 4, 16, 32, 64].into_iter().take(if is_all_asked_for() { 6 } else { 2 }) {
        for (from, to) in pairs {
            let core = core(CoreSpec { lanes, ..CoreSpec::new(from, Role::Transcoder { to }) });
            for text in TEXTS {
                let further = further_cycles(&core, text)
                    .unwrap_or_else(|failure| panic!("{}, {text}: {failure}", core.spec));
                let most = 2 + cycles_of_long_sequences(&core, text);
                assert!(further <= most, "{}, {text}: {further} cycles more", core.spec);
            }
        }
    }
}

/// A fault that only makes a transcoder slower gives no wrong or late event, but shows in the cycles of a run.
#[test]
fn faults_that_cost_cycles_are_noticed() {
    let core = core(scrubber(2));
    for (what, path, fault) in [
        ("a beat without slots takes time", "decode.is_some", Fault::StuckAtOne),
        ("no windows are shared", "is_ahead_reg", Fault::StuckAtZero),
    ] {
        let slow = with_fault(&core, fault, path);
        let is_noticed = |text: &&str| further_cycles(&slow, text).map_or(true, |further| further > 2);
        assert!(TEXTS.iter().any(is_noticed), "{what}: not noticed");
    }
}
