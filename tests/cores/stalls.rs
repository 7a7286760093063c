//! Cores that stall by credits: the same events as of those with enables, in time, whatever stalls.

use utfhdl::cosim::{Framing, Source};
use utfhdl_hdl::core::{Core, CoreSpec, ErrorMode, Packing, Role, Stall, Steps, Storage, System, Verdict};

use crate::common::hardware::{NATIVE, core, cosim, run};
use crate::common::lanes::{agree_under_noise, agree_under_stalls, agree_with_every_reset, some_of};
use utfhdl::engines::EngineKind;

fn by_credit(spec: CoreSpec) -> CoreSpec {
    CoreSpec { stall: Stall::Credit(Storage::Ram), ..spec }
}

fn utf_8(role: Role, lanes: u32) -> CoreSpec {
    by_credit(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, role) })
}

/// Some decoders and validators of all lanes, and those of `utf-8`.
#[test]
fn some_cores_agree_with_the_reference_under_noise() {
    let validator = Role::Validator(Verdict::default());
    let utf_8 = [2, 4, 8, 16, 64]
        .into_iter()
        .flat_map(|lanes| [utf_8(Role::Decoder, lanes), utf_8(validator, lanes)]);
    let some = |all: Vec<CoreSpec>, seed| {
        some_of(all.into_iter().filter(|spec| spec.lanes <= 8), |_| false, 12, seed)
            .into_iter()
            .map(by_credit)
    };
    let decoders = some(CoreSpec::of_several_lanes(), 1);
    let validators = some(CoreSpec::validators_of_several_lanes(), 2);
    agree_under_noise(utf_8.chain(decoders).chain(validators), 2000);
}

#[test]
fn one_sided_stalls_agree_too() {
    let stalls = [(90, 0), (0, 90), (99, 99), (0, 30)];
    agree_under_stalls([utf_8(Role::Decoder, 4), utf_8(Role::Decoder, 16)], &stalls, 1000);
}

#[test]
fn every_wiring_of_reset_agrees() {
    agree_with_every_reset(utf_8(Role::Decoder, 4));
}

/// The text of the contract: of frames that need no beat more than they have, there is a beat a cycle for ever.
#[test]
fn cycles_are_beats_and_a_constant() {
    let patterns: [&[u16]; 5] =
        [&[0x41], &[0xff], &[0xe1, 0x41], &[0xf0, 0x9f, 0x98, 0x80], &[0xe1, 0x80, 0x41, 0x41, 0x41]];
    let validator = Role::Validator(Verdict::default());
    for (role, lanes) in
        [(Role::Decoder, 2), (Role::Decoder, 16), (Role::Decoder, 32), (validator, 2), (validator, 64)]
    {
        let core = core(utf_8(role, lanes));
        for pattern in patterns {
            let units = pattern.iter().copied().cycle().take(4000);
            let report = run(&cosim(core.clone(), Source::given(units), Framing::Whole, 0), NATIVE);
            let beats = report.taken.div_ceil(lanes.into());
            let further = report.cycles - beats - 1 - u64::from(report.latency);
            assert!(further <= 1, "{}, {pattern:x?}: {report:?}", core.spec);
        }
    }
}

/// The slot that has no room where another frame follows at once, where nothing follows, and where only the frame's end does.
#[test]
fn a_slot_without_room_goes_out_beside_its_beat() {
    let units = [0xe1, 0x80, 0x41, 0x41, 0x41, 0x41_u16].repeat(40);
    for beats in [vec![2, 4], vec![2, 4, 0], vec![2, 4, 2, 4]] {
        for stall in [0, 30, 80] {
            let core = core(utf_8(Role::Decoder, 4));
            let cosim = cosim(core, Source::given(units.clone()), Framing::Beats(vec![beats.clone()]), stall);
            assert_eq!(run(&cosim, NATIVE).taken, 240);
        }
    }
}

/// In a long frame, stalls of the output stop the input by the credits: a slot that was carried then goes out alone, one beat more than the output would need.
#[test]
fn a_carried_slot_has_a_beat_of_its_own_where_credits_stop_the_input() {
    let core = core(by_credit(CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf16, Role::Decoder) }));
    for seed in [65, 74, 94, 113, 129] {
        let mut cosim = cosim(core.clone(), Source::Random { count: 400 }, Framing::Whole, 0);
        (cosim.stalls.sink, cosim.seed) = (50, seed);
        run(&cosim, NATIVE);
    }
}

/// A memory of registers is the same in every cycle.
#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn all_engines_agree() {
    let ram = core(utf_8(Role::Decoder, 8));
    let registers = core(CoreSpec { stall: Stall::Credit(Storage::Registers), ..utf_8(Role::Decoder, 2) });
    let validator = core(utf_8(Role::Validator(Verdict::default()), 4));
    for core in [ram, registers, validator] {
        let cosim = cosim(core, Source::Random { count: 5000 }, Framing::Random, 30);
        run(&cosim, &[EngineKind::Native, EngineKind::RustHdl, EngineKind::Verilator]);
    }
}

#[test]
fn what_there_is_not_is_refused_with_the_reason() {
    let refused = |spec: CoreSpec| Core::new(spec).expect_err("no such core").to_string();
    let decoder = utf_8(Role::Decoder, 8);
    for (spec, reason) in [
        (by_credit(CoreSpec::new(System::Utf8, Role::Decoder)), "it is for cores of several lanes"),
        (
            by_credit(CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf8, Role::Encoder) }),
            "it is for decoders and validators",
        ),
        (CoreSpec { pack: Packing::Dense, ..decoder }, "use --pack beat"),
        (CoreSpec { position: 16, ..decoder }, "leave --position out"),
        (CoreSpec { line: 16, ..decoder }, "leave --line and --column out"),
        (CoreSpec { status: true, ..decoder }, "leave --status out"),
        (CoreSpec { pipeline: Steps::Number(2), ..decoder }, "leave --pipeline out"),
    ] {
        let error = refused(spec);
        assert!(error.starts_with("--stall credit: ") && error.contains(reason), "{error}");
    }
    assert!(Core::new(CoreSpec { on_error: ErrorMode::Drop, ..decoder }).is_ok());
}
