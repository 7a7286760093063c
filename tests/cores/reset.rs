//! Reset in mid-frame, an output that nobody takes, and chosen noise where no item is: what co-simulation never does to a core, or
//! only by chance.

use utfhdl::cosim::{Cosim, Framing, Source, Stimulus};
use utfhdl::engines::{EngineKind, Start};
use utfhdl::promise::{Beat, Item};
use utfhdl::prove::mutants::fault;
use utfhdl_hdl::core::{ByteOrder, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Role, Steps, System};
use utfhdl_hdl::netlist::{ResetStyle, mutants};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

use crate::common::hardware::{Frame, Rig, core, cosim, error_keeping_cores_of};

const ENGINES: &[EngineKind] = &[
    EngineKind::Native,
    #[cfg(feature = "rust-hdl")]
    EngineKind::RustHdl,
];

/// Slots of a decoder as `tuser` and `tdata`.
fn slots(frame: Frame) -> Vec<(u16, u32)> {
    frame.items.iter().map(|item| (item.user, item.data)).collect()
}

/// A reset leaves nothing of a frame, however far the core had come with it.
#[test]
fn nothing_survives_a_reset_in_mid_frame() {
    let frame = [0x41, 0xe1, 0xc3, 0xf0, 0x9f, 0x41, 0x80, 0xf4, 0x8f, 0xbf_u16].map(Item::from);
    for engine in ENGINES {
        for reset in ResetStyle::ALL {
            let core = core(CoreSpec { reset, ..CoreSpec::new(System::Utf8, Role::Decoder) });
            for cut in 0..=frame.len() {
                let mut rig = Rig::new(*engine, &core);
                rig.offer(&frame[..cut], false);
                rig.reset();
                let slots = slots(rig.frame(&[0xbf, 0x42, 0xe2, 0x82, 0xac_u16].map(Item::from)));
                assert_eq!(
                    slots,
                    [(1, 0xfffd), (0, 0x42), (0, 0x20ac)],
                    "{engine}, {reset}, after {cut} units"
                );
            }
        }
    }
}

/// Noise for a core, in frames of `length` items.
fn noise(core: &Core, length: u64, count: usize) -> Vec<Vec<Item>> {
    let source = Source::Random { count: length * count as u64 };
    let mut stimulus = Stimulus::new(core, &source, Framing::Lengths(vec![length]), 5).unwrap();
    let (mut frames, mut beat) = (vec![vec![]], Beat::default());
    while stimulus.next_beat(&mut beat).unwrap() {
        frames.last_mut().unwrap().extend_from_slice(&beat.items);
        if beat.last {
            frames.push(vec![]);
        }
    }
    frames.truncate(count);
    frames
}

/// How many of the frames follow a reset, in turn.
const AS_NEW: usize = 3;

/// What new cores make of the first frames.
fn of_new_cores(core: &Core, frames: &[Vec<Item>]) -> Vec<Frame> {
    frames[..AS_NEW].iter().map(|frame| Rig::new(EngineKind::Native, core).frame(frame)).collect()
}

/// A core that was reset in mid-frame makes the same of the next frame as a new core.
#[test]
fn after_a_reset_in_mid_frame_every_core_is_as_new() {
    let of_one_lane = error_keeping_cores_of(Role::Decoder).chain(error_keeping_cores_of(Role::Encoder));
    let is_taken = |spec: &CoreSpec| [2, 8].contains(&spec.lanes) && spec.on_error != ErrorMode::Drop;
    let of_several = CoreSpec::of_several_lanes().into_iter().filter(is_taken).map(core);
    for core in of_one_lane.chain(of_several) {
        let frames = noise(&core, 24 * u64::from(core.spec.lanes), 24);
        let fresh = of_new_cores(&core, &frames);
        let mut rig = Rig::new(EngineKind::Native, &core);
        // Wide cores take long to build.
        let step = if core.spec.lanes == 1 { 1 } else { 5 };
        for (cut, frame) in frames.iter().enumerate().step_by(step) {
            rig.offer(&frame[..cut * core.spec.lanes as usize], false);
            // Some of the frame is still in the core, or all of it has come out.
            (0..cut % 5).for_each(|_| rig.cycle());
            rig.reset();
            let name = core.design.top.name();
            let (next, fresh) = (&frames[cut % AS_NEW], &fresh[cut % AS_NEW]);
            assert_eq!(rig.frame(next), *fresh, "{name}, reset after {cut} beats: {frame:x?}");
        }
    }
}

/// Cores of several lanes have many more beats under way: full ones, and then frames of one item a beat.
#[test]
fn after_a_reset_in_mid_frame_cores_of_several_lanes_are_as_new() {
    let octets = System::Utf16Octets { order: ByteOrder::Little, bom: false };
    let endless = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let systems =
        [System::Utf8, System::Utf18, System::Utf9 { max: Max::Unicode }, System::Cesu8, octets, endless];
    let decoders =
        systems.into_iter().flat_map(|system| [2, 8, 16].map(|lanes| (system, Role::Decoder, lanes)));
    let encoders = [(System::Utf8, 2), (System::Utf8, 8), (octets, 4)];
    let encoders = encoders.into_iter().map(|(system, lanes)| (system, Role::Encoder, lanes));
    let (octets_to_utf_8, scrubber) = ((octets, 4), (System::Utf8, 8));
    let to_utf_8 = [octets_to_utf_8, (System::Utf8, 2), scrubber].into_iter();
    let transcoders = to_utf_8.map(|(system, lanes)| (system, Role::Transcoder { to: System::Utf8 }, lanes));
    let specs = decoders.chain(encoders).chain(transcoders);
    let specs = specs.map(|(system, role, lanes)| CoreSpec { lanes, ..CoreSpec::new(system, role) });
    // In folded pipelines, what clears the units before a beat passes fewer stages, too.
    let folded = [2, 3, 4, 8].into_iter().cycle().map(Steps::Number);
    let folds =
        |spec: &CoreSpec| spec.role != Role::Encoder && (spec.lanes < 16 || spec.system == System::Utf8);
    let folded =
        specs.clone().filter(folds).zip(folded).map(|(spec, pipeline)| CoreSpec { pipeline, ..spec });
    for spec in specs.chain(folded) {
        let (core, lanes) = (core(spec), spec.lanes);
        let frames = noise(&core, 10 * u64::from(lanes), 24);
        let fresh = of_new_cores(&core, &frames);
        let mut rig = Rig::new(EngineKind::Native, &core);
        for (cut, frame) in frames.iter().enumerate() {
            for items in frame.chunks(lanes as usize) {
                let beat = Beat { items: items.to_vec(), ..Beat::default() };
                rig.ports.offer(&mut rig.inputs, &beat, 0x5a5a);
                rig.cycle();
            }
            rig.ports.offer_nothing(&mut rig.inputs, 0x5a5a);
            // The last beats are in the first stages, or further on, or out.
            (0..cut).for_each(|_| rig.cycle());
            rig.reset();
            let (next, fresh) = (&frames[cut % AS_NEW], &fresh[cut % AS_NEW]);
            assert_eq!(rig.frame(next), *fresh, "{}, reset after {cut} cycles", core.spec);
        }
    }
}

/// Encoders of several lanes forget the slots before a reset: a high surrogate, a head and limbs, an opening.
#[test]
fn after_a_reset_wide_encoders_do_not_know_what_stood_before() {
    let slot = |(user, data): (u16, u32)| Item { user, data };
    let cases = [
        (System::Wtf8, vec![(0, 0xd800)], vec![(0, 0xdc00)]),
        (System::Utf8EightByte, vec![(14, 2), (15, 1)], vec![(15, 2), (0, 0x41)]),
        (System::Utf8SixtyFiveBit, vec![(14, 3), (15, 1), (15, 2)], vec![(15, 3), (0, 0x41)]),
        (System::Utf8SixtyFiveBit, vec![(14, 3), (15, 1)], vec![(15, 2), (15, 3)]),
        (System::CorrectedUtf8 { document: true, private: false }, vec![(0, 0x41)], vec![(0, 0x42)]),
    ];
    for (system, before, behind) in cases {
        for &on_error in Role::Encoder.on_error() {
            let core = core(CoreSpec { lanes: 2, on_error, ..CoreSpec::new(system, Role::Encoder) });
            let [before, behind] =
                [&before, &behind].map(|slots| slots.iter().copied().map(slot).collect::<Vec<Item>>());
            let fresh = Rig::new(EngineKind::Native, &core).frame(&behind);
            let mut rig = Rig::new(EngineKind::Native, &core);
            for cycles in 0..=core.latency {
                rig.offer(&before, false);
                (0..cycles).for_each(|_| rig.cycle());
                rig.reset();
                assert_eq!(rig.frame(&behind), fresh, "{}, reset after {cycles} cycles", core.spec);
            }
        }
    }
}

/// `tvalid` does not wait for `tready`, and a core takes as many beats as it has room for.
#[test]
fn an_output_that_nobody_takes_is_offered_all_the_same() {
    for core in error_keeping_cores_of(Role::Decoder).chain(error_keeping_cores_of(Role::Encoder)) {
        // The end of a frame makes something go out, whatever the frame holds; and code point 0 is in every system.
        let mut rig = Rig::new(EngineKind::Native, &core);
        rig.ports.take(&mut rig.inputs, false);
        rig.ports.offer(&mut rig.inputs, &Beat::of(0_u16, true), 0);
        let mut taken = 0;
        for _ in 0..60 {
            rig.cycle();
            taken += u32::from(rig.ports.takes(&rig.outputs));
        }
        let name = core.design.top.name();
        let beat = rig.ports.beat(&rig.outputs).unwrap_or_else(|| panic!("{name} offers nothing"));
        assert!(!beat.items.is_empty(), "{name}: {beat:?}");
        assert!(!rig.ports.takes(&rig.outputs), "{name}: it is full");
        // One for each cycle of the latency, and those in skid buffers.
        assert!((2..=core.latency + 3).contains(&taken), "{name}: {taken}");
    }
}

/// The beat that ends a frame and holds nothing may have anything on its data: a surrogate, a trailing unit, the end of Unicode.
#[test]
fn an_empty_beat_may_carry_anything() {
    const ITEMS: [u32; 8] = [0x41, 0x80, 0xc3, 0xed, 0xd800, 0xdbff, 0xdc00, 0x1_f600];
    const NOISE: [u64; 7] = [0x80, 0xc3, 0xd800, 0xdc00, 0xdfff, 0x10_ffff, u64::MAX];
    for core in error_keeping_cores_of(Role::Decoder).chain(error_keeping_cores_of(Role::Encoder)) {
        let mut rig = Rig::new(EngineKind::Native, &core);
        let bits = if core.spec.role == Role::Decoder { core.spec.system.unit_bits() } else { 32 };
        for item in ITEMS.into_iter().filter(|item| u64::from(*item) >> bits == 0) {
            let quiet = rig.frame_that_ends_bare(Item::from(item), 0);
            for noise in NOISE {
                let noisy = rig.frame_that_ends_bare(Item::from(item), noise);
                assert_eq!(noisy, quiet, "{}: {item:x}, then {noise:x}", core.design.top.name());
            }
        }
    }
}

/// Registers of which nobody can see whether a reset clears them: a checker proves the mutants without these resets equivalent
/// (`utfhdl campaign SYSTEM ROLE --mutants N`).
const WITHOUT_EFFECT: [(&str, &str); 8] = [
    ("elastic_buffer_w27", "ready_reg"),
    ("elastic_buffer_w27", "second_next_reg"),
    ("elastic_buffer_w26", "second_next_reg"),
    ("utf_8_encoder_x1", "goes_on_reg"),
    ("utf_8_encoder_x1", "waits_reg"),
    ("utf_8_to_utf_8_transcoder_x1", "goes_on_reg"),
    ("utf_8_to_utf_8_transcoder_x1", "waits_reg"),
    ("pace", "offered_reg"),
];

/// Whether a run of a core with resets in `resets` percent of the cycles fails.
fn fails(core: &Core, resets: u8) -> bool {
    let count = 24_000 * u64::from(core.spec.lanes);
    let run = Cosim { resets, ..cosim(core.clone(), Source::Random { count }, Framing::Random, 30) };
    let native = match run.start() {
        Start::Zero => Native::interpreted(&core.design),
        Start::Random(seed) => Native::with_random_start(&core.design, seed),
    };
    let mut engines: [Box<dyn Engine>; 1] = [Box::new(native.unwrap())];
    run.run(&mut engines, None, &mut |_| ()).is_err()
}

/// Resets at random cycles, from random registers, find every register that has lost its reset. A run with one reset, from registers
/// that are 0, finds few.
#[test]
fn cosim_with_resets_finds_lost_resets() {
    let (decoder, encoder, scrubber) = (Role::Decoder, Role::Encoder, Role::Transcoder { to: System::Utf8 });
    let (mut lost, mut found_before, mut wrong) = (0, 0, Vec::new());
    for (role, lanes) in [(decoder, 1), (encoder, 1), (scrubber, 1), (decoder, 2)] {
        let sound = core(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, role) });
        assert!(!fails(&sound, 4), "{}", sound.spec);
        for mutant in mutants(&sound.design).iter().filter(|mutant| mutant.change.ends_with(": no reset")) {
            let core = fault(mutant).inject(&sound).unwrap();
            let has_no_effect = |(module, register): &(&str, &str)| {
                mutant.module == *module && mutant.change.starts_with(register)
            };
            let is_expected = !WITHOUT_EFFECT.iter().any(has_no_effect);
            if fails(&core, 4) != is_expected {
                wrong.push(format!("{}: {}: {}", sound.spec, fault(mutant), mutant.change));
            }
            lost += usize::from(is_expected);
            found_before += usize::from(fails(&core, 0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lost > 20 && found_before < lost / 2, "{found_before} of {lost} without resets");
}

/// Where registers start at random values, engines agree on everything that a core offers.
#[test]
#[ignore = "needs verilator"]
fn engines_agree_on_resets() {
    for (role, reset) in [(Role::Decoder, ResetStyle::SyncHigh), (Role::Encoder, ResetStyle::AsyncLow)] {
        let core = core(CoreSpec { reset, lanes: 2, ..CoreSpec::new(System::Utf8, role) });
        let sound = Cosim { resets: 3, ..cosim(core, Source::Random { count: 5000 }, Framing::Random, 30) };
        let run = |cosim: &Cosim| {
            let kinds = [EngineKind::Native, EngineKind::Verilator];
            let mut engines: Vec<Box<dyn Engine>> =
                kinds.iter().map(|kind| kind.start_from(&cosim.core, cosim.start()).unwrap()).collect();
            cosim.run(&mut engines, None, &mut |_| ())
        };
        let report = run(&sound).unwrap();
        assert!(report.resets > 20, "{report:?}");
        assert_eq!(run(&sound).unwrap(), report, "the seed decides everything");
        let other = Cosim { seed: 2, ..sound };
        assert_ne!(run(&other).unwrap().resets, report.resets);
    }
}
