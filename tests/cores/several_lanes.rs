//! Decoders of several lanes: the same events as with one lane, in time, whatever the beats.

use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Framing, Report, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Item;
use utfhdl_hdl::core::{ByteOrder, CoreSpec, ErrorMode, Max, Packing, Role, Steps, System, Verdict};

use crate::common::campaigns::{run_pairs_of_words, run_some_long_words, run_well, run_well_in};
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, every_split, in_lockstep, run};
use crate::common::lanes::{
    agree_under_noise, agree_under_stalls, agree_with_every_reset, is_all_asked_for, some_of,
};
use crate::common::samples::{one_in, seed};

/// The numbers of lanes of which all cores are tried; of more lanes, some.
const FEW_LANES: [u32; 3] = [2, 4, 8];

fn utf_8(lanes: u32) -> CoreSpec {
    CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) }
}

/// Every core of `lanes` lanes.
fn cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    CoreSpec::of_several_lanes().into_iter().filter(move |spec| spec.lanes == lanes)
}

/// A sample of the cores of `lanes` lanes, or all with `UTFHDL_LANES=all`.
fn sample_of(lanes: u32) -> Vec<CoreSpec> {
    one_in(5, is_all_asked_for(), cores_of(lanes))
}

/// A sample of the cores of more lanes: `count` cores picked by `seed`, and those of `utf-8`.
fn some_of_many_lanes(count: usize, seed: u64) -> Vec<CoreSpec> {
    let all = CoreSpec::of_several_lanes().into_iter().filter(|spec| !FEW_LANES.contains(&spec.lanes));
    some_of(all, |spec| spec.system == System::Utf8, count, seed)
}

#[test]
fn decoders_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(sample_of(2), 5000);
}

#[test]
fn decoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(sample_of(4), 5000);
}

#[test]
fn decoders_of_8_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(sample_of(8), 3000);
}

/// `hunk-10` to `hunk-18`, in every role, with one lane and with several.
#[test]
fn wide_hunks_agree_with_the_reference_under_noise() {
    let lanes = [[1, 2], [1, 4], [1, 8]].into_iter().cycle();
    let roles = [
        Role::Decoder,
        Role::Encoder,
        Role::Validator(Verdict::default()),
        Role::Transcoder { to: System::Utf8 },
    ];
    let cores = System::wide_hunks().zip(lanes).flat_map(|(system, lanes)| {
        let of_role = move |role| lanes.map(|lanes| CoreSpec { lanes, ..CoreSpec::new(system, role) });
        roles.into_iter().flat_map(of_role)
    });
    agree_under_noise(cores, 1500);
}

/// Some cores of more lanes; with `UTFHDL_LANES=all` every one, on more units.
#[test]
fn decoders_of_more_lanes_agree_with_the_reference_under_noise() {
    if is_all_asked_for() {
        let more = CoreSpec::of_several_lanes().into_iter().filter(|spec| !FEW_LANES.contains(&spec.lanes));
        return agree_under_noise(more, 20_000);
    }
    agree_under_noise(some_of_many_lanes(0, 2), 4000);
}

#[test]
fn one_sided_stalls_agree_too() {
    let stalls = [(90, 0), (0, 90), (99, 99)];
    agree_under_stalls(cores_of(4).step_by(4).chain([utf_8(4), utf_8(16)]), &stalls, 400);
}

#[test]
fn every_wiring_of_reset_agrees() {
    agree_with_every_reset(utf_8(4));
}

#[test]
fn frames_of_every_split_agree() {
    let text: Vec<Item> = "aé€😀\u{10ffff}z"
        .bytes()
        .map(u16::from)
        .chain([0xe2, 0x82, 0xf0, 0x9f, 0x41])
        .map(Item::from)
        .collect();
    every_split(&core(utf_8(4)), text);
}

/// The cycles of a run of one frame without stalls, less its beats, the latency, and the cycle in which `tready` rises.
fn further_cycles(report: &Report, lanes: u32) -> u64 {
    let beats = report.taken.div_ceil(lanes.into());
    report.cycles - beats - 1 - u64::from(report.latency)
}

/// Runs rows of units that repeat in one frame: there is a beat a cycle for ever, and only the end of the frame may take one more.
fn full_throughput(system: System, on_error: ErrorMode, patterns: &[&[u16]], lanes: &[u32]) {
    for &lanes in lanes {
        let core = core(CoreSpec { lanes, on_error, ..CoreSpec::new(system, Role::Decoder) });
        for pattern in patterns {
            let units = pattern.iter().copied().cycle().take(4000);
            let report = run(&cosim(core.clone(), Source::given(units), Framing::Whole, 0), NATIVE);
            assert!(further_cycles(&report, lanes) <= 1, "{}, {pattern:x?}: {report:?}", core.spec);
        }
    }
}

/// Texts with one slot a lane, with errors only, and with hardly any slot.
#[test]
fn cycles_are_beats_and_a_constant() {
    let patterns: [&[u16]; 6] = [
        &[0x41],
        &[0xff],
        &[0xe1, 0x41],
        &[0xf0, 0x9f, 0x98, 0x80],
        &[0xe1],
        &[0xe1, 0x80, 0x41, 0x41, 0x41],
    ];
    full_throughput(System::Utf8, ErrorMode::Flag, &patterns, &[2, 4, 8, 16, 32, 64]);
}

#[test]
fn cycles_of_words_are_beats_and_a_constant() {
    let of_utf_16: [&[u16]; 6] = [
        &[0x41],
        &[0xdc00],
        &[0xd800],
        &[0xd800, 0xdc00],
        &[0x41, 0xd800, 0xdc00],
        &[0x41, 0xd800, 0x41, 0x41, 0x41],
    ];
    for &on_error in Role::Decoder.on_error() {
        full_throughput(System::Utf16, on_error, &of_utf_16, &[2, 8, 64]);
        full_throughput(System::Utf32 { max: Max::Unicode }, on_error, &of_utf_16, &[2, 8]);
        full_throughput(System::Ascii, on_error, &[&[0x41], &[0x80], &[0x80, 0x41, 0x80]], &[2, 8]);
    }
}

#[test]
fn cycles_of_words_of_octets_are_beats_and_a_constant() {
    let patterns: [&[u16]; 6] = [
        &[0],
        &[0xd8],
        &[0xdc, 0],
        &[0xd8, 0, 0xdc, 0],
        &[0, 0x41, 0xd8, 0, 0xdc, 0],
        &[0xd8, 0, 0, 0x41, 0, 0x41],
    ];
    for &on_error in Role::Decoder.on_error() {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let utf_16 = System::Utf16Octets { order, bom: false };
            full_throughput(utf_16, on_error, &patterns, &[2, 4, 8]);
        }
        let utf_32 = System::Utf32Octets { order: ByteOrder::Big, bom: false, max: Max::Unicode };
        full_throughput(utf_32, on_error, &patterns, &[2, 8]);
    }
}

#[test]
fn cycles_of_surrogates_in_octets_are_beats_and_a_constant() {
    let patterns: [&[u16]; 7] = [
        &[0xed],
        &[0xed, 0xa0, 0x80],
        &[0xed, 0xb0, 0x80],
        &[0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80],
        &[0xed, 0xa0, 0x80, 0x41],
        &[0xc0, 0x80, 0x00],
        &[0xed, 0xa0, 0x80, 0x41, 0x41, 0x41, 0x41, 0x41],
    ];
    for &on_error in Role::Decoder.on_error() {
        for system in [System::Cesu8, System::Mutf8, System::Wtf8] {
            full_throughput(system, on_error, &patterns, &[2, 8]);
        }
    }
}

/// Steps that share a stage make the latency shorter, and change nothing else.
#[test]
fn pipelines_of_every_depth_agree() {
    let systems = [
        System::Utf8,
        System::Utf9 { max: Max::Unicode },
        System::CorrectedUtf8 { document: false, private: false },
    ];
    let of_system = |system| CoreSpec::new(system, Role::Decoder);
    let specs = systems
        .map(of_system)
        .into_iter()
        .chain([CoreSpec { on_error: ErrorMode::Drop, ..of_system(System::Utf18) }]);
    for (spec, lanes) in specs.flat_map(|spec| [2, 4, 8, 32].map(|lanes| (spec, lanes))) {
        let of_steps = |number| CoreSpec { lanes, pipeline: Steps::Number(number), ..spec };
        let depths = [1, 2, 3, Steps::MOST_STEPS].map(of_steps);
        agree_under_noise(depths, 1000);
        let latencies = depths.map(|spec| core(spec).latency);
        assert!(latencies.is_sorted_by(|a, b| a >= b), "{spec} of {lanes} lanes: {latencies:?}");
        assert!(latencies[3] < latencies[0], "{spec} of {lanes} lanes: {latencies:?}");
    }
    let of_utf_8 =
        |lanes| core(CoreSpec { pipeline: Steps::Number(Steps::MOST_STEPS), ..utf_8(lanes) }).latency;
    assert!([2, 4, 8].map(of_utf_8).into_iter().all(|latency| latency <= 8), "few stages are left");
}

/// An eighth of the decoders in 2, 4 and 8 lanes, and some transcoders, in all numbers of steps a stage.
#[test]
fn folded_cores_of_every_system_agree() {
    let steps = (2..=Steps::MOST_STEPS).map(Steps::Number).cycle();
    let decoders = one_in(8, is_all_asked_for(), [2, 4, 8].into_iter().flat_map(cores_of)).into_iter();
    let pairs = [(System::Utf8, System::Utf16), (System::Utf9 { max: Max::Unicode }, System::Utf8)];
    let transcoders = pairs.into_iter().flat_map(|(from, to)| {
        [2, 4, 8, 2].map(|lanes| CoreSpec { lanes, ..CoreSpec::new(from, Role::Transcoder { to }) })
    });
    let specs = decoders.chain(transcoders).zip(steps);
    agree_under_noise(specs.map(|(spec, pipeline)| CoreSpec { pipeline, ..spec }), 500);
}

/// A sample of the dense decoders of `lanes` lanes: of every system, with errors flagged and dropped.
fn dense_cores_of(lanes: u32) -> impl Iterator<Item = CoreSpec> {
    sample_of(lanes).into_iter().map(|spec| CoreSpec { pack: Packing::Dense, ..spec })
}

#[test]
fn dense_decoders_of_2_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(dense_cores_of(2), 2000);
}

#[test]
fn dense_decoders_of_4_lanes_agree_with_the_reference_under_noise() {
    agree_under_noise(dense_cores_of(4), 2000);
}

/// Some of the dense decoders of more lanes, and of pipelines in which steps share a stage.
#[test]
fn dense_decoders_of_more_lanes_agree_with_the_reference_under_noise() {
    let dense = |spec| CoreSpec { pack: Packing::Dense, ..spec };
    let octets = System::Utf16Octets { order: ByteOrder::Big, bom: false };
    let others = [System::Utf9 { max: Max::Unicode }, System::Utf18, System::Cesu8, octets];
    let of_8 = others.map(|system| CoreSpec { lanes: 8, ..CoreSpec::new(system, Role::Decoder) });
    let steps = [2, 3, 6].map(|steps| CoreSpec { pipeline: Steps::Number(steps), ..utf_8(16) });
    let utf_8 = [8, 16, 64].map(utf_8);
    agree_under_noise(of_8.into_iter().chain(utf_8).chain(steps).map(dense), 4000);
    let more = if is_all_asked_for() { 200 } else { 3 };
    agree_under_noise(some_of_many_lanes(more, 7).into_iter().map(dense), 1000);
}

/// A dense decoder has a beat a cycle for ever, and fills every output beat but the last of a frame.
#[test]
fn dense_decoders_keep_up_and_fill_their_beats() {
    let text: Vec<u16> = "aé€😀\u{10ffff}zzzz".bytes().map(u16::from).collect();
    for lanes in [2, 4, 8] {
        let core = core(CoreSpec { pack: Packing::Dense, ..utf_8(lanes) });
        let rows =
            [vec![0x41], vec![0x80], text.clone(), vec![0xe2, 0x82], vec![0x41, 0xf0, 0x90, 0x80, 0x80]];
        for units in rows {
            let units = units.iter().copied().cycle().take(4000);
            let report = run(&cosim(core.clone(), Source::given(units), Framing::Whole, 0), NATIVE);
            assert!(further_cycles(&report, lanes) <= 1, "{}: {report:?}", core.spec);
        }
        for stall in [0, 35] {
            run_well(&core, Inputs::Random { count: 1000, seed: 3, stall });
        }
        every_split(&core, text.iter().copied().map(Item::from).collect());
    }
}

/// Every row of six significant octets, for systems with surrogates in octets, one row after another.
#[test]
fn rows_of_telling_octets_agree() {
    const TELLING: [u16; 6] = [0x41, 0x80, 0xa0, 0xb0, 0xed, 0xe1];
    let row = |number: usize| (0..6_u32).map(move |at| TELLING[number / 6_usize.pow(at) % 6]);
    let units: Vec<Item> = (0..6_usize.pow(6)).flat_map(row).map(Item::from).collect();
    let mut verdicts = Verdicts::default();
    for lanes in [2, 4] {
        for system in [System::Cesu8, System::Mutf8, System::Wtf8] {
            let core = core(CoreSpec { lanes, ..CoreSpec::new(system, Role::Decoder) });
            verdicts.run(&cosim(core, Source::Given(units.clone()), Framing::Whole, 0), NATIVE);
        }
    }
    verdicts.finish();
}

/// In a row of high surrogates each second one cuts the pair of the one before. The sequence after the row depends on the length of
/// the row, however it is divided into beats.
#[test]
fn rows_of_high_surrogates_agree() {
    let mut verdicts = Verdicts::default();
    let of_surrogates = [System::Cesu8, System::Mutf8, System::Wtf8];
    for spec in FEW_LANES.into_iter().flat_map(cores_of).filter(|spec| of_surrogates.contains(&spec.system)) {
        let core = core(spec);
        let rows = (0..30_u16).flat_map(|count| {
            let high = [0xed, 0xa0 + count % 16, 0x80 + count];
            let row = high.into_iter().cycle().take(3 * usize::from(count));
            row.chain([0xed, 0xb0 + count % 16, 0xbf]).chain((0..count % 5).map(|_| 0x41))
        });
        let units: Vec<Item> = rows.map(Item::from).collect();
        let count = units.len() as u64;
        for (framing, stall) in [(Framing::Whole, 0), (Framing::Random, 30), (Framing::Random, 0)] {
            let report =
                verdicts.run(&cosim(core.clone(), Source::Given(units.clone()), framing, stall), NATIVE);
            verdicts
                .hold(report.is_none_or(|report| report.taken == count), || format!("{spec}: not all taken"));
        }
    }
    verdicts.finish();
}

#[test]
fn ports_may_be_strict() {
    let mut verdicts = Verdicts::default();
    let nonets = System::Utf9 { max: Max::Unicode };
    let systems = [System::hunk(5), System::Utf8, nonets, System::Utf16, System::Utf32 { max: Max::Unicode }];
    for spec in cores_of(4).filter(|spec| systems.contains(&spec.system)) {
        let core = core(CoreSpec { axis: utfhdl_hdl::core::Axis::Strict, ..spec });
        verdicts.run(&cosim(core, Source::Random { count: 2000 }, Framing::Random, 30), NATIVE);
    }
    verdicts.finish();
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_on_some_cores() {
    let mut some = CoreSpec::of_several_lanes().into_iter().sample(&mut ChaCha8Rng::seed_from_u64(3), 8);
    some.retain(|spec| spec.lanes <= 8);
    in_lockstep(EngineKind::RustHdl, some.into_iter().chain([utf_8(2), utf_8(8)]), 500);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_some_cores() {
    let few = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes <= 16);
    let some = few.sample(&mut ChaCha8Rng::seed_from_u64(seed()), 2);
    in_lockstep(EngineKind::Verilator, some.into_iter().chain([8, 16].map(utf_8)), 20_000);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_utf_8_of_64_lanes() {
    in_lockstep(EngineKind::Verilator, [utf_8(64)].into_iter(), 20_000);
}

/// Every input of two units, in every lane to begin in and every cut into beats, or of words some of them; and random frames of random
/// beats. Of one in sixteen cores of 4 lanes, unless all are asked for.
#[test]
fn campaigns_agree_at_every_alignment() {
    for spec in one_in(16, is_all_asked_for(), cores_of(4)).into_iter().chain([utf_8(2), utf_8(8)]) {
        let core = core(spec);
        let count = if spec.system == System::Utf8 { 20_000 } else { 2000 };
        for stall in [0, 35] {
            run_well(&core, Inputs::Random { count, seed: 1, stall });
        }
        match spec.system.unit_bits() {
            ..=8 => {
                run_well(&core, Inputs::Exhaustive { units: 2 });
            }
            16 => run_pairs_of_words(&core),
            32 => {
                run_some_long_words(&core);
            }
            _ => (),
        }
    }
}

/// Some of the inputs of three octets, picked by a seed; with `UTFHDL_LANES=all` all of them.
#[test]
#[ignore = "takes half a minute: tools/test runs it"]
fn inputs_of_three_octets_agree_at_every_alignment() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for lanes in [2, 4] {
        let campaign = Campaign::new(core(utf_8(lanes)), Inputs::Exhaustive { units: 3 }).unwrap();
        let total = campaign.total();
        if is_all_asked_for() {
            run_well_in(&campaign, 0..total);
            continue;
        }
        for _ in 0..4 {
            let first = random.random_range(0..total - total / 128);
            run_well_in(&campaign, first..first + total / 128);
        }
    }
}
