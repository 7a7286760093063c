//! Validators of one lane: units go through, and marks are those of the software decoder's events.

use std::collections::BTreeMap;

use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::noise::RandomItems;
use utfhdl::promise::Item;
use utfhdl_codec::{Codec, Slot};
use utfhdl_hdl::core::{Axis, Core, CoreSpec, Mark, Max, Role, System, Verdict};
use utfhdl_hdl::netlist::ResetStyle;

use crate::common::campaigns::run_well;
use crate::common::command::in_shell;
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, in_lockstep};
use crate::common::samples::{is_all, one_in};

/// Kinds, starts and lines.
const ALL: Verdict = Verdict { kinds: true, start: true, newline: true };

fn spec(system: System, verdict: Verdict) -> CoreSpec {
    CoreSpec::new(system, Role::Validator(verdict))
}

#[test]
fn validators_agree_with_the_reference_under_noise() {
    let mut verdicts = Verdicts::default();
    for spec in CoreSpec::validators() {
        for (stall, framing) in [(0, Framing::Whole), (30, Framing::Random), (80, Framing::Random)] {
            let cosim = cosim(core(spec), Source::Random { count: 4000 }, framing, stall);
            if let Some(report) = verdicts.run(&cosim, NATIVE) {
                let whole = (report.taken, report.given) == (4000, 4000);
                verdicts.hold(whole, || format!("{spec}: {} of {} units", report.given, report.taken));
            }
        }
    }
    verdicts.finish();
}

/// A beat a cycle for ever, whatever the units are.
#[test]
fn a_beat_takes_a_cycle() {
    for spec in CoreSpec::validators() {
        let report = crate::common::hardware::run(
            &cosim(core(spec), Source::Random { count: 3000 }, Framing::Whole, 0),
            NATIVE,
        );
        assert_eq!(report.cycles, 3000 + 1 + u64::from(report.latency), "{spec}");
        assert!(report.latency <= 4, "{spec}");
    }
}

#[test]
fn frames_of_campaigns_pass() {
    for spec in CoreSpec::validators() {
        for stall in [0, 35] {
            run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall });
        }
    }
    for (system, units) in [(System::Utf8, 2), (System::hunk(4), 4), (System::Utf18, 1)] {
        run_well(&core(spec(system, ALL)), Inputs::Exhaustive { units });
    }
}

/// The marks of a frame, unit by unit, and those of its end, if it ends on a beat without units.
fn marks(rig: &mut Rig, units: &[u32], ends_bare: bool) -> (Vec<u16>, u16) {
    let items: Vec<Item> = units.iter().map(|&unit| unit.into()).collect();
    let mut beats = rig.offer(&items, !ends_bare);
    if ends_bare {
        beats.extend(rig.offer(&[], true));
    }
    while !beats.last().is_some_and(|beat| beat.last) {
        rig.cycle();
        beats.extend(rig.ports.beat(&rig.outputs));
    }
    let end = if beats.last().is_some_and(|beat| beat.items.is_empty()) {
        rig.ports.marks_of_end(&rig.outputs)
    } else {
        0
    };
    let items: Vec<Item> = beats.into_iter().flat_map(|beat| beat.items).collect();
    assert!(items.iter().map(|item| item.unit()).eq(units.iter().copied()), "units go through");
    (items.into_iter().map(|item| item.user).collect(), end)
}

/// Typed by hand: in `utf-8`, 1 is `cut` and 2 is `bad` (Unicode Standard, chapter 3, tables 3-7 to 3-11: U+FFFD for each maximal subpart).
#[test]
fn marks_are_where_the_standard_puts_replacement_characters() {
    let cases: [(&[u32], &[u16]); 9] = [
        (
            &[0x61, 0xf1, 0x80, 0x80, 0xe1, 0x80, 0xc2, 0x62, 0x80, 0x63, 0x80, 0xbf, 0x64],
            &[0, 0, 0, 0, 1, 0, 1, 1, 2, 0, 2, 2, 0],
        ),
        (&[0xc0, 0xaf, 0xe0, 0x80, 0xbf, 0xf0, 0x81, 0x82, 0x41], &[2, 2, 0, 3, 2, 0, 3, 2, 0]),
        (&[0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf, 0xed, 0xaf, 0x41], &[0, 3, 2, 0, 3, 2, 0, 3, 0]),
        (&[0xf4, 0x91, 0x92, 0x93, 0xff, 0x41, 0x80, 0xbf, 0x42], &[0, 3, 2, 2, 2, 0, 2, 2, 0]),
        (&[0xe1, 0x80, 0xe2, 0xf0, 0x91, 0x92, 0xf1, 0xbf, 0x41], &[0, 0, 1, 1, 0, 0, 1, 0, 1]),
        (&[0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], &[0, 0, 0, 0, 0, 0, 0]),
        (&[0xe2, 0x82], &[0, 2]),
        (&[0xe2, 0xc3], &[0, 3]),
        (&[0xe2, 0x41], &[0, 1]),
    ];
    let mut rig = Rig::new(EngineKind::Native, &core(spec(System::Utf8, Verdict::default())));
    for (units, expected) in cases {
        assert_eq!(marks(&mut rig, units, false), (expected.to_vec(), 0), "{units:x?}");
    }
    assert_eq!(
        marks(&mut rig, &[0xe2, 0x82], true),
        (vec![0, 0], 1),
        "an open sequence at an empty end is cut"
    );
    assert_eq!(marks(&mut rig, &[0x41], true), (vec![0], 0));
}

/// Typed by hand: the kinds of `cut` in bits 0 to 3, of `bad` in bits 4 to 7, `start` in bit 8, `newline` in bit 9.
#[test]
fn kinds_starts_and_lines_have_their_bits() {
    let mut rig = Rig::new(EngineKind::Native, &core(spec(System::Utf8, ALL)));
    // U+20AC, a line feed, E0 that 80 makes overlong, 80 unexpected, E2 cut by FF, which is invalid.
    let units = [0xe2, 0x82, 0xac, 0x0a, 0xe0, 0x80, 0xe2, 0xff];
    let expected = [0x100, 0, 0, 0x300, 0x100, 0x113, 0x100, 0x162];
    assert_eq!(marks(&mut rig, &units, false).0, expected);
    // In `utf-9` an error goes to the end of its sequence: 400 octal is overlong, and 0A after it is no line feed.
    let mut rig = Rig::new(EngineKind::Native, &core(spec(System::Utf9 { max: Max::Unicode }, ALL)));
    assert_eq!(marks(&mut rig, &[0o400, 0x0a, 0x0a, 0x100], false).0, [0x100, 0x30, 0x300, 0x120]);
    // In `hunk-4`, 1110 is a lead of three, 10 bits of which follow; 0010 cuts it, and is no end of a line.
    let mut rig = Rig::new(EngineKind::Native, &core(spec(System::hunk(4), ALL)));
    assert_eq!(marks(&mut rig, &[0b1110, 0b1010, 0b0010], false).0, [0x100, 0, 0x102]);
    // In `utf-18` a code point is two nonets, and an odd one at the end is truncated.
    let mut rig = Rig::new(EngineKind::Native, &core(spec(System::Utf18, ALL)));
    assert_eq!(marks(&mut rig, &[0, 0x0a, 0x41], false).0, [0x100, 0x200, 0x120]);
    assert_eq!(marks(&mut rig, &[0x41], true), (vec![0x100], 2));
    // U+2000A ends no line.
    assert_eq!(marks(&mut rig, &[0o400, 0x0a], false).0, [0x100, 0]);
}

/// The magic number of a document and byte order marks go through like text. U+0000 of the number is an error only if the number is
/// not completed, which the next unit decides.
#[test]
fn openings_go_through() {
    let document = System::CorrectedUtf8 { document: true, private: false };
    let mut rig = Rig::new(EngineKind::Native, &core(spec(document, ALL)));
    let magic = [0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];
    let plain = [0x100, 0, 0, 0x100, 0, 0, 0x100, 0x300];
    assert_eq!(marks(&mut rig, &magic, false).0, plain);
    assert_eq!(
        marks(&mut rig, &[&magic[..7], &[0x41]].concat(), false).0,
        [0x100, 0, 0, 0x100, 0, 0, 0x100, 0x109]
    );
    assert_eq!(marks(&mut rig, &magic[..7], false).0, [0x100, 0, 0, 0x100, 0, 0, 0x190]);
    assert_eq!(marks(&mut rig, &magic[..7], true), (vec![0x100, 0, 0, 0x100, 0, 0, 0x100], 9));
    assert_eq!(marks(&mut rig, &[0x00, 0x41], false).0, [0x190, 0x100]);
    let mark = System::Utf8Bom { bom: utfhdl_codec::Utf8Bom::Strip };
    let mut rig = Rig::new(EngineKind::Native, &core(spec(mark, ALL)));
    assert_eq!(marks(&mut rig, &[0xef, 0xbb, 0xbf, 0x41], false).0, [0x100, 0, 0, 0x100]);
}

/// Random frames through a core, and the software decoder over the same units: as many `cut` and `bad` marks as errors, of the same
/// kinds, and as many starts as code points and errors.
#[test]
fn marks_of_a_frame_are_the_errors_of_its_decoder() {
    for system in System::variants() {
        let can_start = !matches!(system, System::Utf16Octets { .. });
        let spec = spec(system, Verdict { start: can_start, kinds: true, newline: false });
        let mut rig = Rig::new(EngineKind::Native, &core(spec));
        for seed in 0..150 {
            let mut noise = RandomItems::new(spec, 1 + seed * 7 % 59, seed);
            noise.open_frame();
            let units: Vec<u32> = noise.map(|item| item.unit()).collect();
            let (found, end) = marks(&mut rig, &units, seed % 3 == 0);
            let mut of_core: BTreeMap<u8, u64> = BTreeMap::new();
            let kinds = found.iter().chain([&end]).flat_map(|marks| [marks & 15, marks >> 4 & 15]);
            kinds.filter(|&kind| kind > 0).for_each(|kind| *of_core.entry(kind as u8).or_default() += 1);
            let mut of_decoder: BTreeMap<u8, u64> = BTreeMap::new();
            let (mut decoder, mut rest, mut events) = (system.decoder(), &units[..], 0);
            while let Some(event) = decoder.next(&mut rest, true) {
                events += u64::from(event.length > 0);
                if let Slot::Error(kind) = event.what {
                    *of_decoder.entry(kind.code()).or_default() += 1;
                }
            }
            assert_eq!(of_core, of_decoder, "{system}: {units:x?}");
            let has_mark = spec_strips(system);
            if can_start && !has_mark {
                let starts = found.iter().filter(|&&marks| marks >> 8 & 1 == 1).count() as u64;
                assert_eq!(starts, events, "{system}: {units:x?}");
            }
        }
    }
}

/// Whether the decoder of a system can leave out a mark at the start, which begins like text for a validator.
fn spec_strips(system: System) -> bool {
    match system {
        System::Utf8Bom { .. } | System::CorrectedUtf8 { document: true, .. } => true,
        System::Ucs2Octets { bom, .. } | System::Utf32Octets { bom, .. } => bom,
        _ => false,
    }
}

/// One of each construction, with every mark there is.
fn sample() -> Vec<CoreSpec> {
    let systems = [
        System::Utf8,
        System::hunk(4),
        System::Utf9 { max: Max::Unicode },
        System::Utf18,
        System::Utf16,
        System::Cesu8,
        System::Wtf8,
        System::CorrectedUtf8 { document: true, private: false },
        System::UtfInf8 { digits: 4096 },
        System::Utf32 { max: Max::Unicode },
        System::Latin1,
    ];
    let mut specs = systems.map(|system| spec(system, ALL)).to_vec();
    specs.push(CoreSpec {
        axis: Axis::Strict,
        reset: ResetStyle::AsyncLow,
        ..spec(System::Utf9 { max: Max::Unicode }, ALL)
    });
    specs.push(CoreSpec {
        axis: Axis::Strict,
        ..spec(System::Utf32 { max: Max::Unicode }, Verdict::default())
    });
    specs
}

#[test]
fn rust_hdl_runs_validators_in_lockstep() {
    in_lockstep(EngineKind::RustHdl, sample().into_iter().step_by(3), 500);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs it"]
fn verilator_runs_validators_in_lockstep() {
    let some = one_in(3, is_all("UTFHDL_VERILOG"), sample());
    in_lockstep(EngineKind::Verilator, some.into_iter(), 20_000);
}

#[test]
fn marks_that_cannot_be_are_refused() {
    let refused = |words: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let (code, _, message) = in_shell(folder.path(), &format!("$UTFHDL {words}"));
        assert_eq!(code, 2, "{words}: {message}");
        message
    };
    for (words, says) in [
        ("generate utf-16be validator --mark start", "only the octet after decides"),
        ("generate hunk-2 validator --mark newline", "it has no U+000A"),
        ("generate utf-8 decoder --kinds", "--kinds is for validators"),
        ("generate utf-8 encoder --mark start", "--mark is for validators"),
        ("generate utf-8 validator --on-error drop", "--on-error drop is not for validators"),
        ("generate utf-8 validator --mark lines", "expected start or newline"),
    ] {
        let message = refused(words);
        assert!(message.contains(says), "{words}: {message}");
    }
    let role = Role::Validator(Verdict::new(false, &[Mark::Start]));
    assert!(Core::new(CoreSpec::new(System::Utf16, role)).is_ok());
}
