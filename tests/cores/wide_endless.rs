//! Encoders of `utf-inf-8` of several lanes: the same units as with one lane, whatever the beats of slots, in full beats and in time.
//! Beats that hold heads or limbs go one slot a cycle.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Failure, Framing, Report, Source};
use utfhdl::engines::EngineKind;
use utfhdl::promise::{Beat, Item};
use utfhdl_hdl::core::{Axis, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Role, Steps, System};
use utfhdl_hdl::netlist::Fault;

use crate::common::campaigns::{run_well, with_fault};
use crate::common::hardware::{
    NATIVE, Rig, Verdicts, core, cosim, every_split, in_lockstep, signal_paths, verdict,
};
use crate::common::lanes::{agree_under_noise, agree_under_stalls, agree_with_every_reset, is_all_asked_for};
use crate::common::samples::{is_all, one_in};

/// The most digits of a code point in encoders of several lanes.
const MOST_DIGITS: u64 = (1 << 32) + 17;
/// Limits at which headers have one to eight digits, and of these few or many can be greater.
const LIMITS: [u64; 14] =
    [DEFAULT_DIGITS, 18, 19, 24, 25, 33, 34, 255, 273, 274, 4096, 4113, 1 << 20, MOST_DIGITS];

fn encoder(digits: u64, lanes: u32, on_error: ErrorMode) -> CoreSpec {
    CoreSpec { lanes, on_error, ..CoreSpec::new(System::UtfInf8 { digits }, Role::Encoder) }
}

/// An encoder for each limit. Lanes and treatments of errors take turns; with `UTFHDL_LANES=all` there are all of them.
fn encoders_of_every_limit() -> impl Iterator<Item = CoreSpec> {
    let kinds: Vec<(u32, ErrorMode)> = [4, 8, 2]
        .into_iter()
        .flat_map(|lanes| Role::Encoder.on_error().iter().map(move |&mode| (lanes, mode)))
        .collect();
    LIMITS.into_iter().enumerate().flat_map(move |(index, digits)| {
        let taken = if is_all_asked_for() { kinds.clone() } else { vec![kinds[index % kinds.len()]] };
        taken.into_iter().map(move |(lanes, mode)| encoder(digits, lanes, mode))
    })
}

fn slot(user: u16, data: u32) -> Item {
    Item { user, data }
}

/// A number of any number of bits.
fn number(random: &mut ChaCha8Rng) -> u32 {
    random.random::<u32>() >> random.random_range(0..32)
}

/// A first limb: any value, or one at the limits of code points that can be written, or that are held until they are
/// complete.
fn first_limb(random: &mut ChaCha8Rng) -> u32 {
    match random.random_range(0..8) {
        0 => [0, 0x7f, 0x80][random.random_range(0..3)],
        1 => 0xf << (4 * random.random_range(0..8)),
        2 => random.random_range(1..0x20),
        _ => number(random) | 1,
    }
}

/// A group of limbs, mostly whole. Other groups are cut, continue after their end, begin with zero, or have a wrong
/// head.
fn group(random: &mut ChaCha8Rng, digits: u64) -> Vec<Item> {
    let most = u32::try_from(digits.div_ceil(8)).expect("a head counts them");
    let limbs = match random.random_range(0..8) {
        0 => random.random_range(0..2),
        1 => most.saturating_sub(1) + random.random_range(0..3),
        2 => random.random_range(2..40),
        3 => [16, 31, 32, 33, 34, 35, 63, 64, 65, 66, 67][random.random_range(0..11)],
        4 => random.random_range(2..8),
        _ => random.random_range(2..4),
    };
    let head = match random.random_range(0..12) {
        0 => number(random),
        1 => u32::MAX - random.random_range(0..4),
        2 => limbs.wrapping_add(random.random_range(0..5)).wrapping_sub(2),
        _ => limbs,
    };
    let there =
        if random.random_range(0..4) == 0 { random.random_range(0..=limbs.min(70) + 1) } else { limbs };
    let mut slots = vec![slot(14, head), slot(15, first_limb(random))];
    slots.extend((1..there.min(70)).map(|_| {
        let data = if random.random_range(0..4) == 0 { 0 } else { number(random) };
        slot(15, data)
    }));
    slots.truncate(1 + there as usize);
    slots
}

/// Slots and the lengths of frames.
fn frames(seed: u64, digits: u64, count: usize) -> (Vec<Item>, Framing) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut slots, mut lengths) = (Vec::new(), Vec::new());
    while slots.len() < count {
        let before = slots.len();
        for _ in 0..random.random_range(0..8) {
            match random.random_range(0..8) {
                kind @ (0 | 1) => {
                    let count = random.random_range(1..20);
                    // Code points of any number of units, or of seven.
                    slots.extend((0..count).map(|_| slot(0, number(&mut random) | kind << 31)));
                }
                2 => slots.push(slot(random.random_range(1..14), number(&mut random))),
                _ => slots.extend(group(&mut random, digits)),
            }
            if random.random_range(0..6) == 0 {
                slots.truncate(slots.len() - random.random_range(0..=(slots.len() - before).min(3)));
            }
        }
        lengths.push((slots.len() - before) as u64);
    }
    (slots, Framing::Lengths(lengths))
}

/// Frames that end in a beat without slots.
fn ends_bare() -> Framing {
    Framing::Beats(vec![vec![2, 0], vec![1, 2, 0], vec![2, 2, 1, 0]])
}

#[test]
fn encoders_agree_with_the_reference_under_noise() {
    let specs = encoders_of_every_limit().take(if is_all_asked_for() { usize::MAX } else { 2 });
    agree_under_noise(specs, 1000);
}

/// Frames through encoders: in full beats, and in beats and frames of any length between stalls.
#[test]
fn groups_of_every_kind_agree() {
    let mut verdicts = Verdicts::default();
    let wide = [encoder(DEFAULT_DIGITS, 16, ErrorMode::Drop), encoder(274, 64, ErrorMode::Replace)];
    let mut specs: Vec<CoreSpec> = encoders_of_every_limit().collect();
    if !is_all_asked_for() {
        specs = [0, 1, 9, 13].map(|index| specs[index]).to_vec();
    }
    for (seed, spec) in (0..).zip(specs.into_iter().chain(wide.into_iter().filter(|_| is_all_asked_for()))) {
        let System::UtfInf8 { digits } = spec.system else { unreachable!("it is the system of all") };
        let core = core(spec);
        let (slots, lengths) = frames(seed, digits, 2000);
        let count = slots.len() as u64;
        let runs = [(lengths, 0), (Framing::Random, 0), (Framing::Random, 40), (ends_bare(), 0)];
        for (framing, stall) in runs {
            let report =
                verdicts.run(&cosim(core.clone(), Source::Given(slots.clone()), framing, stall), NATIVE);
            verdicts
                .hold(report.is_none_or(|report| report.taken == count), || format!("{spec}: not all taken"));
        }
    }
    verdicts.finish();
}

/// Frames of every length, with code points of every length, errors, and groups of limbs, whole and cut.
#[test]
fn frames_of_every_split_agree() {
    let whole = [slot(14, 4), slot(15, 7), slot(15, 0), slot(15, 1), slot(15, 2), slot(0, 0x41)];
    let cut = [slot(14, 30), slot(15, 0x1234), slot(14, 2), slot(15, 0)];
    let slots = [&whole[..], &cut].concat();
    let (replace, drop) = (ErrorMode::Replace, ErrorMode::Drop);
    let cores = [(2, drop), (4, drop), (2, replace), (4, replace), (8, drop)];
    for (lanes, on_error) in cores.into_iter().take(if is_all_asked_for() { 5 } else { 1 }) {
        every_split(&core(encoder(DEFAULT_DIGITS, lanes, on_error)), slots.clone());
    }
}

/// Slots at the end of a frame that write nothing do not take its end from the units before them in the same beat.
#[test]
fn the_end_goes_out_with_the_last_unit_of_the_last_beat() {
    for silent in [slot(14, 7), slot(15, 1), slot(3, 0xfffd)] {
        let mut rig = Rig::new(EngineKind::Native, &core(encoder(DEFAULT_DIGITS, 4, ErrorMode::Drop)));
        let a = slot(0, 0x41);
        // The units left over of the first beat and the first two slots of the last one fill a beat.
        let slots = [a, a, slot(0, 0xe9), slot(0, 0xe9), a, a, silent, silent];
        let mut beats = rig.offer(&slots, true);
        for _ in 0..100 {
            rig.cycle();
            beats.extend(rig.ports.beat(&rig.outputs));
        }
        let units = |units: [u32; 4]| units.map(Item::from).to_vec();
        let first = Beat { items: units([0x41, 0x41, 0xc3, 0xa9]), last: false };
        let last = Beat { items: units([0xc3, 0xa9, 0x41, 0x41]), last: true };
        assert_eq!(beats, [first, last], "behind the units: {silent:?}");
    }
}

#[test]
fn stalls_and_every_wiring_of_reset_agree() {
    let stalls = [(90, 0), (50, 0), (0, 50), (0, 90), (99, 99)];
    let cores = [(2, ErrorMode::Replace), (4, ErrorMode::Drop)];
    agree_under_stalls(cores.map(|(lanes, mode)| encoder(DEFAULT_DIGITS, lanes, mode)), &stalls, 800);
    agree_with_every_reset(encoder(DEFAULT_DIGITS, 4, ErrorMode::Drop));
}

#[test]
fn after_a_reset_in_mid_frame_an_encoder_is_as_new() {
    for (lanes, mode) in [(4, ErrorMode::Drop), (2, ErrorMode::Replace)] {
        let core = core(encoder(DEFAULT_DIGITS, lanes, mode));
        let (slots, _) = frames(5, DEFAULT_DIGITS, 800);
        let mut rig = Rig::new(EngineKind::Native, &core);
        let mut fresh = Rig::new(EngineKind::Native, &core);
        for (waits, pair) in slots.chunks(40).collect::<Vec<_>>().windows(2).enumerate() {
            rig.offer(pair[0], false);
            // The last slots are in the first stages, or further on, or out.
            (0..waits).for_each(|_| rig.cycle());
            rig.reset();
            assert_eq!(rig.frame(pair[1]), fresh.frame(pair[1]), "{}, reset after {waits} cycles", core.spec);
        }
    }
}

#[test]
fn ports_may_be_strict_and_steps_share_stages() {
    let four = encoder(DEFAULT_DIGITS, 4, ErrorMode::Replace);
    let shared = [2, 6].map(|steps| CoreSpec { pipeline: Steps::Number(steps), ..four });
    agree_under_noise(shared.into_iter().chain([CoreSpec { axis: Axis::Strict, ..four }]), 500);
}

#[test]
fn campaigns_run_on_several_lanes() {
    for (lanes, on_error) in [(2, ErrorMode::Drop), (4, ErrorMode::Replace)] {
        for stall in [0, 35] {
            run_well(
                &core(encoder(DEFAULT_DIGITS, lanes, on_error)),
                Inputs::Random { count: 1000, seed: 3, stall },
            );
        }
    }
}

/// Rows of slots, and whether they go one by one.
fn rows() -> Vec<(Vec<Item>, bool)> {
    let code_points = |points: &[u32]| points.iter().map(|&point| slot(0, point)).collect::<Vec<Item>>();
    let group = |limbs: u32| {
        let limbs = std::iter::once(slot(14, limbs)).chain((0..limbs).map(|at| slot(15, 0x1234_5678 + at)));
        limbs.collect::<Vec<Item>>()
    };
    let text = [[0x41].as_slice(), &[0xe9], &[0x20ac], &[0x1_f600], &[u32::MAX], &[0x41, 0x41, 0x20ac]];
    let text = text.into_iter().map(|points| (code_points(points), false));
    text.chain([2, 3, 40, 1199].map(|limbs| (group(limbs), true))).collect()
}

/// The cycles of a run without stalls of one frame of the row, over and over, beyond those of the contract.
fn further_cycles(core: &Core, row: &[Item], one_by_one: bool) -> Result<i64, Failure> {
    let slots: Vec<Item> = row.iter().copied().cycle().take(1200).collect();
    let report: Report = verdict(&cosim(core.clone(), Source::Given(slots), Framing::Whole, 0), NATIVE)?;
    let lanes: u64 = core.spec.lanes.into();
    // With two lanes, each slot takes two cycles where slots go one by one.
    let slots = if lanes == 2 { 2 * report.taken } else { report.taken };
    let beats = report.given.div_ceil(lanes);
    let owed = if one_by_one { slots.max(beats) } else { beats };
    // One cycle more until ready comes up.
    Ok(report.cycles as i64 - (owed + 1 + u64::from(report.latency)) as i64)
}

/// Code points below 2^32 fill a beat a cycle for ever, and heads and limbs take a cycle each.
#[test]
fn cycles_are_output_beats_or_slots_and_a_constant() {
    let lanes = [2, 8, 4, 16, 32, 64].into_iter().take(if is_all_asked_for() { 6 } else { 2 });
    for (lanes, on_error) in
        lanes.flat_map(|lanes| Role::Encoder.on_error().iter().map(move |&on_error| (lanes, on_error)))
    {
        let core = core(encoder(DEFAULT_DIGITS, lanes, on_error));
        for (row, one_by_one) in rows() {
            let further = further_cycles(&core, &row, one_by_one)
                .unwrap_or_else(|failure| panic!("{}, {row:x?}: {failure}", core.spec));
            // The first group takes some cycles before it writes anything.
            let constant = if one_by_one { 5 } else { 1 };
            assert!(further <= constant, "{}, {:x?}...: {further} cycles more", core.spec, row.first());
        }
    }
}

/// A fault that only makes an encoder slower shows as late output, by the contract.
#[test]
fn faults_that_cost_cycles_are_noticed() {
    let core = core(encoder(DEFAULT_DIGITS, 4, ErrorMode::Replace));
    for (what, path, fault) in [
        ("every beat goes slot by slot", "beat_has_long", Fault::StuckAtOne),
        ("a beat behind any other goes slot by slot", "after_long_reg", Fault::StuckAtOne),
    ] {
        let slow = with_fault(&core, fault, path);
        let is_noticed =
            |(row, one_by_one): &(Vec<Item>, bool)| further_cycles(&slow, row, *one_by_one).is_err();
        assert!(rows().iter().any(is_noticed), "{what}: not noticed");
    }
}

/// Faults without effect on the output. `flush_`: logic that clears stages after reset, since these runs reset a core only at the
/// start. `is_error`: errors in lanes, since no piece is an error. `reaches_past_8_`: with four lanes, four pieces of eight units do
/// not reach past eight output beats.
fn is_superfluous(path: &str) -> bool {
    let is_error = path.starts_with("lane_") && path.ends_with("_is_error");
    is_error || ["flush_", "is_error_", "reaches_past_8_"].iter().any(|begin| path.starts_with(begin))
}

/// Faults at signals drawn by a seed, which `UTFHDL_SEED` changes, in the stages before the lanes and between them.
#[test]
fn faults_are_noticed() {
    let seed = std::env::var("UTFHDL_SEED").map_or(1, |seed| seed.parse().expect("a seed is a number"));
    let faults = if is_all("UTFHDL_FAULTS") { 150 } else { 5 };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut missed = Vec::new();
    for (lanes, mode) in [(4, ErrorMode::Drop), (2, ErrorMode::Replace)] {
        let core = core(encoder(DEFAULT_DIGITS, lanes, mode));
        let (slots, lengths) = frames(seed, DEFAULT_DIGITS, 3000);
        let is_own =
            |path: &String| !path.contains('.') && Fault::Inverted.inject(&core.design, path).is_ok();
        let paths: Vec<String> = signal_paths(&core).into_iter().filter(is_own).collect();
        for _ in 0..faults {
            let path = &paths[random.random_range(0..paths.len())];
            let fault = Fault::ALL[random.random_range(0..Fault::ALL.len())];
            let wrong = with_fault(&core, fault, path);
            let fails = |framing: &Framing, stall| {
                let given = Source::Given(slots.clone());
                verdict(&cosim(wrong.clone(), given, framing.clone(), stall), NATIVE).is_err()
            };
            let is_noticed = fails(&lengths, 0)
                || fails(&Framing::Random, 0)
                || fails(&Framing::Random, 40)
                || fails(&ends_bare(), 0);
            if !is_noticed && !is_superfluous(path) {
                missed.push(format!("{lanes} lanes, {mode}: {path} {fault}"));
            }
        }
    }
    assert!(missed.is_empty(), "not noticed with seed {seed}: {missed:#?}");
}

/// Other systems are written in as many lanes as they are read.
#[test]
fn text_is_written_in_several_lanes() {
    let to = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let of = |system, lanes, on_error| CoreSpec {
        lanes,
        on_error,
        ..CoreSpec::new(system, Role::Transcoder { to })
    };
    let text = [of(System::Utf8, 4, ErrorMode::Replace), of(System::Utf16, 8, ErrorMode::Drop)];
    agree_under_noise(text.into_iter().chain([of(System::hunk(6), 2, ErrorMode::Replace)]), 1000);
    assert_eq!(Role::Transcoder { to }.lanes(System::hunk(9)), Role::Decoder.lanes(System::hunk(9)));
}

#[test]
#[cfg(feature = "rust-hdl")]
fn rust_hdl_agrees_on_some_cores() {
    let cores = [(2, ErrorMode::Drop), (4, ErrorMode::Replace)];
    let specs = cores.into_iter().map(|(lanes, mode)| encoder(DEFAULT_DIGITS, lanes, mode));
    in_lockstep(EngineKind::RustHdl, specs, 500);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_agrees_on_some_cores() {
    let cores = [(2, ErrorMode::Replace), (4, ErrorMode::Drop), (8, ErrorMode::Replace)];
    let some = one_in(2, is_all("UTFHDL_VERILOG"), cores).into_iter();
    let specs = some.map(|(lanes, mode)| encoder(DEFAULT_DIGITS, lanes, mode));
    in_lockstep(EngineKind::Verilator, specs, 10_000);
}
