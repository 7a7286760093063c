//! Transcoders of several lanes: the same units as with one lane, in full beats and in time, whatever the beats of units.

mod common;

use rand::SeedableRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::Inputs;
use utfhdl::cores::reference_system;
use utfhdl::cosim::{Framing, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_codec::{OnError, Slot};
use utfhdl_hdl::core::{Axis, CoreSpec, ErrorMode, Role, Steps, System};
use utfhdl_hdl::netlist::ResetStyle;

use common::campaigns::run_well;
use common::hardware::{NATIVE, Rig, Verdicts, core, cosim, every_split, in_lockstep};

/// Whether `UTFHDL_LANES` asks for all, where the tests take a sample otherwise.
fn is_all_asked_for() -> bool {
    std::env::var("UTFHDL_LANES").is_ok_and(|lanes| lanes == "all")
}

/// The transcoders of so many lanes.
fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    CoreSpec::transcoders_of_several_lanes().into_iter().filter(move |spec| spec.lanes == lanes)
}

/// That of `utf-8` to itself.
fn scrubber(lanes: u32) -> CoreSpec {
    CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf8 }) }
}

/// Those of `utf-8` to itself, and so many others, picked by a seed; with `UTFHDL_LANES=all` every one.
fn some_of(cores: impl Iterator<Item = CoreSpec>, count: usize, seed: u64) -> Vec<CoreSpec> {
    let is_scrubber =
        |spec: &CoreSpec| spec.system == System::Utf8 && spec.role == Role::Transcoder { to: System::Utf8 };
    let (scrubbers, others): (Vec<CoreSpec>, Vec<CoreSpec>) = cores.partition(is_scrubber);
    let count = if is_all_asked_for() { others.len() } else { count };
    scrubbers
        .into_iter()
        .chain(others.into_iter().sample(&mut ChaCha8Rng::seed_from_u64(seed), count))
        .collect()
}

/// Noise through cores: full beats without stalls, and beats and frames of any length with stalls.
fn agree_under_noise(specs: impl IntoIterator<Item = CoreSpec>, count: u64) {
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
fn transcoders_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(2), 10, 3), 1000);
}

#[test]
fn transcoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(4), 4, 4), 1000);
}

#[test]
fn transcoders_of_more_lanes_agree_with_the_reference_under_noise() {
    let most = if is_all_asked_for() { 64 } else { 8 };
    let wide = [8, 16, 32, 64].into_iter().filter(|&lanes| lanes <= most).flat_map(cores_of);
    agree_under_noise(some_of(wide, 2, 5), 1000);
}

/// Ill-formed UTF-8 in, well-formed UTF-8 out, as Rust's standard library makes it, and the frame says whether anything was replaced.
#[test]
fn utf_8_to_itself_is_what_from_utf8_lossy_makes() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    // The bytes at which something changes in Table 3-7 of the Unicode Standard, and some between them.
    let bytes = b"\0Az\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xf8\xff";
    for lanes in [2, 8, 64].into_iter().take(if is_all_asked_for() { 3 } else { 2 }) {
        let mut rig = Rig::new(EngineKind::Native, &core(scrubber(lanes)));
        for length in (0..60).chain([200]) {
            let text: Vec<u8> =
                (0..length).map(|_| *bytes.choose(&mut random).expect("there are bytes")).collect();
            let items: Vec<Item> = text.iter().map(|&byte| Item::from(u16::from(byte))).collect();
            let frame = rig.frame(&items);
            let lossy = String::from_utf8_lossy(&text);
            let expected: Vec<Item> = lossy.bytes().map(|byte| Item::from(u16::from(byte))).collect();
            assert_eq!(frame.items, expected, "{text:02x?}");
            assert_eq!(frame.amiss, std::str::from_utf8(&text).is_err(), "{text:02x?}");
        }
    }
}

#[test]
fn one_sided_stalls_agree_too() {
    let mut verdicts = Verdicts::default();
    for spec in some_of(cores_of(4), 1, 6).into_iter().chain([scrubber(2)]) {
        for (source, sink) in [(90, 0), (50, 0), (0, 50), (0, 90), (99, 99)] {
            let mut cosim = cosim(core(spec), Source::Random { count: 800 }, Framing::Random, 0);
            cosim.stalls = Stalls { source, sink };
            verdicts.run(&cosim, NATIVE);
        }
    }
    verdicts.finish();
}

#[test]
fn every_wiring_of_reset_agrees() {
    let mut verdicts = Verdicts::default();
    for reset in ResetStyle::ALL {
        let core = core(CoreSpec { reset, ..scrubber(4) });
        verdicts.run(&cosim(core, Source::Random { count: 1000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
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
    let systems =
        [System::Hunk(5), System::Utf8, System::Utf9 { max: 0x10_ffff }, System::Utf16, System::Utf32];
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
    let some = few.sample(&mut ChaCha8Rng::seed_from_u64(4), 2);
    in_lockstep(EngineKind::Verilator, some.into_iter().chain([scrubber(8)]), 10_000);
}

fn units(from: System, text: &str) -> Vec<Item> {
    let slots: Vec<Slot> = text.chars().map(|char| Slot::CodePoint(char.into())).collect();
    let units: Vec<u32> =
        reference_system(from).encode(&slots, OnError::Replace).expect("it replaces what it has not");
    units.into_iter().map(Item::from).collect()
}

/// In a run of one frame without stalls a full beat goes in each cycle, or a full beat comes out, for ever.
#[test]
fn cycles_are_beats_of_the_busier_side_and_a_constant() {
    let pairs = [
        (System::Utf8, System::Utf8),
        (System::Utf16, System::Utf8),
        (System::Utf8, System::Utf16),
        (System::Utf9 { max: 0x10_ffff }, System::Utf8),
    ];
    let texts = ["a", "é", "€", "😀", "aaaaaaaaa😀", "é€", "aé€😀zzzz", "a€€€"];
    let mut verdicts = Verdicts::default();
    for lanes in [8, 2, 4, 16, 32, 64].into_iter().take(if is_all_asked_for() { 6 } else { 2 }) {
        for (from, to) in pairs {
            let core = core(CoreSpec { lanes, ..CoreSpec::new(from, Role::Transcoder { to }) });
            for text in texts {
                let mut items = units(from, text);
                items = items.into_iter().cycle().take(3000).collect();
                let whole = items.len();
                let report =
                    verdicts.run(&cosim(core.clone(), Source::Given(items), Framing::Whole, 0), NATIVE);
                let Some(report) = report else { continue };
                let beats = report.taken.max(report.given).div_ceil(lanes.into());
                let further = report.cycles - beats - 1 - u64::from(report.latency);
                verdicts.hold(further <= 2 && report.taken == whole as u64, || {
                    format!("{}, {text}: {further} cycles more: {report:?}", core.spec)
                });
            }
        }
    }
    verdicts.finish();
}
