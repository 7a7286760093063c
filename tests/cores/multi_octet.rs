//! The sets of several octets on the command line, and their cores.

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use utfhdl::cosim::{Framing, Source};
use utfhdl_hdl::core::{Bus, CoreSpec, ErrorMode, Mark, MultiOctet, Role, Steps, Storage, System, Verdict};

use crate::common::command::in_shell;
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, run};
use crate::common::samples::{is_all, one_in, seed};

#[test]
fn text_goes_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    // Python: "中文".encode(name).
    for (name, octets) in [
        ("gb18030", "d6d0cec4"),
        ("gbk", "d6d0cec4"),
        ("big5", "a4a4a4e5"),
        ("shift_jis", "928695b6"),
        ("euc-jp", "c3e6cab8"),
        ("euc-kr", "f1e9d9fe"),
    ] {
        let script =
            format!("printf '中文' | $UTFHDL convert -f utf-8 -t {name} | od -An -tx1 | tr -d ' \\n'");
        assert_eq!(shell(&script).1, octets, "{name}");
        let script = format!(
            "printf '中文' | $UTFHDL convert -f utf-8 -t {name} | $UTFHDL convert -f {name} -t utf-8"
        );
        assert_eq!(shell(&script).1, "中文", "{name}");
        let (code, out, err) = shell(&format!("printf 'a\\340' | $UTFHDL validate {name}"));
        assert_eq!(code, 1, "{name}: {out}{err}");
        assert!(out.contains("truncated"), "{name}: {out}{err}");
    }
    let (_, out, _) = shell("printf '\\210\\142' | $UTFHDL count big5");
    assert!(out.contains("code points") && out.lines().any(|line| line.ends_with('2')), "{out}");
}

#[test]
fn sets_are_listed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    let (code, out, _) = shell("$UTFHDL list");
    assert_eq!(code, 0);
    for system in System::multi_octet() {
        assert!(out.lines().any(|line| line == system.name()), "{system}: {out}");
    }
    let (_, out, _) = shell("$UTFHDL explain utf-8 --text 中");
    for (units, name) in [("D6 D0", "gb18030"), ("A4 A4", "big5"), ("92 86", "shift-jis")] {
        let is_line = |text: &str| text.trim_start().starts_with(units) && text.contains(name);
        assert!(out.lines().any(is_line), "{name}: {out}");
    }
    let (_, out, _) = shell("printf '\\210\\142' | $UTFHDL explain big5");
    assert!(out.contains("U+00CA") && out.contains("U+0304"), "{out}");
}

#[test]
fn cores_that_there_are_not_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    for (arguments, message) in [
        ("gbk encoder --lanes 16", "there is no gbk encoder of 16 lanes: --lanes can be 1, 2, 4 or 8"),
        (
            "utf-8 transcoder:big5 --lanes 64",
            "there is no utf-8 transcoder:big5 of 64 lanes: --lanes can be 1, 2, 4 or 8",
        ),
        ("euc-kr decoder --lanes 16", "there is no euc-kr decoder of 16 lanes: --lanes can be 1, 2, 4 or 8"),
        (
            "euc-kr validator --lanes 64",
            "there is no euc-kr validator of 64 lanes: --lanes can be 1, 2, 4 or 8",
        ),
        ("gbk decoder --lanes 2 --pack dense", "decoders of several lanes do not have --pack dense yet"),
        ("gbk decoder --lanes 8 --position 8", "do not have --position, --line and --column yet"),
        ("gb18030 transcoder:utf-8 --lanes 4 --status", "do not have --status yet"),
        ("gb18030 decoder --lanes 2 --memory registers", "there is no memory in this core"),
        (
            "gbk validator --mark start",
            "only the second octet after decides whether a digit after a lead begins",
        ),
    ] {
        let (code, out, err) = shell(&format!("$UTFHDL generate {arguments}"));
        assert_eq!((code, &*out), (2, ""), "{arguments}: {err}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
}

/// The Verilog of a core of several lanes has its tables as arrays that are loaded, and without RAM none of them.
#[test]
fn a_flow_without_ram_has_cases() {
    let folder = tempfile::tempdir().unwrap();
    for (options, arrays) in [("", true), ("--memory registers", false)] {
        let script =
            format!("$UTFHDL generate gbk decoder --lanes 4 {options} -o . 2> message && cat *.v && rm *.v");
        let (code, text, _) = in_shell(folder.path(), &script);
        assert_eq!((code, text.contains("initial begin")), (0, arrays), "{options}");
        let module = text.contains("module gbk_decoder_x4_memory_registers");
        assert_eq!(module, !arrays, "the name of the module says it");
    }
}

/// A decoder with places, one with a status, and validators, in which no unit is dropped.
fn observing(system: System) -> Vec<CoreSpec> {
    let validator = |kinds| {
        let has_four = matches!(system, System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030));
        let marks: &[Mark] = if has_four { &[Mark::Newline] } else { &[Mark::Start, Mark::Newline] };
        CoreSpec::new(system, Role::Validator(Verdict::new(kinds, marks)))
    };
    let decoder = CoreSpec::new(system, Role::Decoder);
    vec![
        CoreSpec { position: 20, line: 8, column: 10, ..decoder },
        CoreSpec { status: true, ..decoder },
        validator(false),
        CoreSpec { status: true, ..validator(true) },
    ]
}

/// Every pair of octets, with a line feed after it, so that each begins afresh.
#[test]
fn every_pair_through_decoders_and_validators() {
    let pairs: Vec<u32> = (0..=0xFFFF_u32).flat_map(|pair| [pair >> 8, pair & 0xFF, 0x0A]).collect();
    for system in System::multi_octet() {
        for spec in observing(system) {
            let source = Source::given(pairs.iter().copied());
            let report = run(&cosim(core(spec), source, Framing::Whole, 0), NATIVE);
            assert_eq!(report.taken, pairs.len() as u64, "{spec}");
        }
    }
}

/// Octets at the edges of ranges, in frames of up to four octets.
#[test]
fn short_frames_through_decoders_and_validators() {
    const EDGES: [u32; 12] = [0x22, 0x30, 0x39, 0x40, 0x7F, 0x80, 0x81, 0x88, 0x8F, 0xA1, 0xFE, 0xFF];
    let count = EDGES.len();
    let items: Vec<u32> = (0..count.pow(4))
        .flat_map(|number| [1, 12, 144, 1728].map(|place| EDGES[number / place % count]))
        .collect();
    for system in System::multi_octet() {
        let drops = CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(system, Role::Decoder) };
        let with_drops = [drops, CoreSpec { position: 3, ..drops }, CoreSpec { status: true, ..drops }];
        for spec in one_in(3, is_all("UTFHDL_INPUTS"), observing(system).into_iter().chain(with_drops)) {
            for length in 1..=4 {
                let core = core(spec);
                let lengths = vec![length; items.len() / length as usize];
                let source = Source::given(items.iter().copied());
                run(&cosim(core, source, Framing::Lengths(lengths), 0), NATIVE);
            }
        }
    }
}

/// Four octets of `gb18030`: every 29th code of each, or all with `UTFHDL_FOURS=all`; and all that ends after two or three of them.
#[test]
fn four_octets_through_decoders_and_validators() {
    let step = if is_all("UTFHDL_FOURS") { 1 } else { 29 };
    let four = |pointer: u32| {
        [pointer / 12600 + 0x81, pointer / 1260 % 10 + 0x30, pointer / 10 % 126 + 0x81, pointer % 10 + 0x30]
    };
    let fours = (0..126 * 12600).step_by(step).flat_map(four);
    let broken = (0..=0xFFFF_u32).flat_map(|pair| [0x84, 0x31, pair >> 8, pair & 0xFF, 0x0A]);
    let items: Vec<u32> = fours.chain(broken).collect();
    for spec in observing(System::MultiOctet(MultiOctet::Gb18030)) {
        run(&cosim(core(spec), Source::given(items.iter().copied()), Framing::Whole, 0), NATIVE);
    }
}

/// Every code point of Unicode, surrogates included, and some above.
#[test]
fn every_code_point_through_encoders() {
    for system in System::multi_octet() {
        let core = core(CoreSpec::new(system, Role::Encoder));
        let report = run(&cosim(core, Source::given(0..=0x11_0fff_u32), Framing::Whole, 0), NATIVE);
        assert_eq!(report.taken, 0x11_1000, "{system}");
    }
}

/// Every code point through eight lanes of a set, another one for every commit.
#[test]
fn every_code_point_through_an_encoder_of_eight_lanes() {
    let mut random = ChaCha8Rng::seed_from_u64(seed());
    let system = System::multi_octet().choose(&mut random).unwrap();
    let spec = CoreSpec { lanes: 8, ..CoreSpec::new(system, Role::Encoder) };
    let report = run(&cosim(core(spec), Source::given(0..=0x11_0fff_u32), Framing::Whole, 0), NATIVE);
    assert_eq!(report.taken, 0x11_1000, "{system}");
}

#[test]
fn noise_through_encoders_and_transcoders_to_them() {
    let mut verdicts = Verdicts::default();
    let heads = System::Utf8SixtyFiveBit;
    let systems: Vec<System> = System::multi_octet().collect();
    for (&system, &other) in systems.iter().zip(systems.iter().cycle().skip(1)) {
        let to = Role::Transcoder { to: system };
        let from = [System::Utf8, System::Utf16, heads, System::hunk(1), system, other];
        let transcoders = from.map(|from| CoreSpec::new(from, to));
        let encoders =
            [Bus::Long, Bus::Short].map(|bus| CoreSpec { bus, ..CoreSpec::new(system, Role::Encoder) });
        for spec in one_in(2, is_all("UTFHDL_PAIRS"), encoders.into_iter().chain(transcoders)) {
            for &on_error in spec.role.on_error() {
                let core = core(CoreSpec { on_error, ..spec });
                for stall in [0, 30] {
                    let source = Source::Random { count: 5_000 };
                    verdicts.run(&cosim(core.clone(), source, Framing::Random, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}

#[test]
fn noise_through_decoders_validators_and_transcoders() {
    let mut verdicts = Verdicts::default();
    for system in System::multi_octet() {
        let transcoders = [System::Utf8, System::Utf16].map(|to| Role::Transcoder { to });
        let plain = [Role::Decoder].into_iter().chain(transcoders).map(|role| CoreSpec::new(system, role));
        let with_status = CoreSpec { status: true, ..CoreSpec::new(system, transcoders[0]) };
        for spec in plain.chain([with_status]).chain(observing(system)) {
            for &on_error in spec.role.on_error() {
                let core = core(CoreSpec { on_error, ..spec });
                let source = Source::Random { count: 6_000 };
                for stall in [0, 30] {
                    verdicts.run(&cosim(core.clone(), source.clone(), Framing::Random, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}

#[test]
fn noise_through_encoders_and_transcoders_to_them_of_several_lanes() {
    let mut verdicts = Verdicts::default();
    let heads = System::Utf8SixtyFiveBit;
    let others = System::multi_octet().skip(1).chain(System::multi_octet().next());
    for (system, other) in System::multi_octet().zip(others) {
        let from = [System::Utf8, System::Utf16, heads, other];
        let transcoders = from.map(|from| CoreSpec::new(from, Role::Transcoder { to: system }));
        let encoder = CoreSpec::new(system, Role::Encoder);
        let encoders = [
            encoder,
            CoreSpec { bus: Bus::Short, ..encoder },
            CoreSpec { status: true, ..encoder },
            CoreSpec { pipeline: Steps::all().last().unwrap(), ..encoder },
            CoreSpec { tables: Storage::Registers, ..encoder },
        ];
        let specs = encoders.into_iter().chain(transcoders).enumerate();
        for (at, spec) in one_in(3, is_all("UTFHDL_PAIRS"), specs) {
            for (of_mode, &on_error) in spec.role.on_error().iter().enumerate() {
                let core = core(CoreSpec { lanes: [2, 4, 8][(at + of_mode) % 3], on_error, ..spec });
                for stall in [0, 30] {
                    let source = Source::Random { count: 2_000 };
                    verdicts.run(&cosim(core.clone(), source, Framing::Random, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}

#[test]
fn noise_through_several_lanes() {
    let mut verdicts = Verdicts::default();
    let marks = Verdict { kinds: true, newline: true, ..Verdict::default() };
    for system in System::multi_octet() {
        let to = |to| Role::Transcoder { to };
        let transcoders = [System::Utf8, System::Utf16, System::Latin1].map(to);
        let specs = [Role::Decoder, Role::Validator(marks)]
            .into_iter()
            .chain(transcoders)
            .flat_map(|role| [2, 4, 8].map(|lanes| (role, lanes)));
        for (role, lanes) in one_in(2, is_all("UTFHDL_LANES"), specs) {
            for &on_error in role.on_error() {
                let core = core(CoreSpec { lanes, on_error, ..CoreSpec::new(system, role) });
                let short = Framing::Lengths(vec![3, 1, 2, 5, 7, 4, 1, 9, 0, 6, 11, 8]);
                for stall in [0, 30] {
                    for framing in [Framing::Random, short.clone()] {
                        let source = Source::Random { count: 1_000 };
                        verdicts.run(&cosim(core.clone(), source, framing, stall), NATIVE);
                    }
                }
            }
        }
    }
    verdicts.finish();
}

/// Frames that open three octets, break them by a beat that makes more slots than it has lanes, and go on with characters, so that slots wait up
/// to the end of the frame: that is a full beat, one of a single unit, an octet that opens a sequence, or an empty beat.
#[test]
fn slots_that_wait_at_the_end_of_a_frame() {
    let mut verdicts = Verdicts::default();
    let opens = [0x81, 0x30, 0x81];
    let (mut items, mut frames): (Vec<u32>, Vec<(u64, bool)>) = Default::default();
    for number in (0..192_u32).rev().flat_map(|number| [number; 3]) {
        let length = items.len();
        items.extend((0..=number % 4).map(|_| 0x41));
        items.extend(opens);
        items.push([0x20, 0x39, 0x84][number as usize / 4 % 3]);
        items.extend((0..number / 12 % 8).map(|_| 0x42));
        items.extend(&opens[..number as usize / 96]);
        let units = (items.len() - length) as u64;
        frames.push((units, number % 3 == 1));
    }
    let beats = |lanes: u64| -> Vec<Vec<u64>> {
        let of_frame = |&(units, ends_empty): &(u64, bool)| {
            let beats = (0..units.div_ceil(lanes)).map(|beat| lanes.min(units - beat * lanes));
            beats.chain(ends_empty.then_some(0)).collect()
        };
        frames.iter().map(of_frame).collect()
    };
    for system in System::multi_octet() {
        for lanes in [2, 4, 8] {
            for (role, on_error) in [
                (Role::Decoder, ErrorMode::Flag),
                (Role::Decoder, ErrorMode::Drop),
                (Role::Transcoder { to: System::Utf8 }, ErrorMode::Drop),
            ] {
                let core = core(CoreSpec { lanes, on_error, ..CoreSpec::new(system, role) });
                for stall in [0, 30] {
                    let source = Source::given(items.iter().copied());
                    let framing = Framing::Beats(beats(lanes.into()));
                    verdicts.run(&cosim(core.clone(), source, framing, stall), NATIVE);
                }
            }
        }
    }
    verdicts.finish();
}
