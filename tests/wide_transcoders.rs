//! Transcoders of several lanes: the same units as with one lane, in full beats and in time, whatever the beats of units.

mod common;

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::cores::reference_system;
use utfhdl::cosim::{Framing, Source};
use utfhdl::promise::Item;
use utfhdl_codec::{OnError, Slot};
use utfhdl_hdl::core::{CoreSpec, Role, System};

use common::hardware::{NATIVE, Verdicts, core, cosim};

/// Whether `UTFHDL_LANES` asks for all, where the tests take a sample otherwise.
fn is_all_asked_for() -> bool {
    std::env::var("UTFHDL_LANES").is_ok_and(|lanes| lanes == "all")
}

/// The transcoders of so many lanes, of every pair of systems that has them, in both treatments of errors.
fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    let pairs = System::variants().flat_map(|from| System::variants().map(move |to| (from, to)));
    pairs.flat_map(move |(from, to)| {
        let role = Role::Transcoder { to };
        let is_there = role.lanes(from).contains(&lanes);
        let specs = role.on_error().map(|on_error| CoreSpec { lanes, on_error, ..CoreSpec::new(from, role) });
        specs.into_iter().filter(move |_| is_there)
    })
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
    agree_under_noise(some_of(cores_of(2), 24, 3), 1000);
}

#[test]
fn transcoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(some_of(cores_of(4), 8, 4), 1000);
}

#[test]
fn transcoders_of_more_lanes_agree_with_the_reference_under_noise() {
    let most = if is_all_asked_for() { 64 } else { 8 };
    let wide = [8, 16, 32, 64].into_iter().filter(|&lanes| lanes <= most).flat_map(cores_of);
    agree_under_noise(some_of(wide, 2, 5), 1000);
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
