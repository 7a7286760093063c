//! Beats of several streams in any order: each stream has its own frames, errors, slots and marks, whatever comes in between.

use crate::common::campaigns::run_well;
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, run, verdict};
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::{Beat, Item, Ports};
use utfhdl::prove::stream;
use utfhdl_hdl::core::{
    Axis, Bus, ByteOrder, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Packing, Passengers, Role, Steps,
    System, Utf8Bom, Verdict,
};
use utfhdl_hdl::netlist::{Fault, ResetStyle};

const ALL_MARKS: Verdict = Verdict { kinds: true, start: true, newline: true };

pub fn validator(system: System, lanes: u32, streams: u32) -> CoreSpec {
    let passengers = Passengers { tid: streams.ilog2(), ..Passengers::default() };
    CoreSpec { lanes, streams, passengers, ..CoreSpec::new(system, Role::Validator(Verdict::default())) }
}

fn utf_8(lanes: u32, streams: u32) -> CoreSpec {
    validator(System::Utf8, lanes, streams)
}

pub fn decoder(system: System, streams: u32) -> CoreSpec {
    wide_decoder(system, 1, streams)
}

pub fn wide_decoder(system: System, lanes: u32, streams: u32) -> CoreSpec {
    CoreSpec { role: Role::Decoder, ..validator(system, lanes, streams) }
}

/// Decoders of all kinds: systems, ports, resets, passengers, errors and numbers of streams.
fn decoders() -> Vec<CoreSpec> {
    let passengers = Passengers { tid: 9, tdest: 3, tuser: 5 };
    let utf_8 = decoder(System::Utf8, 4);
    vec![
        decoder(System::Utf8, 2),
        CoreSpec { bus: Bus::Short, ..utf_8 },
        CoreSpec { on_error: ErrorMode::Drop, ..utf_8 },
        CoreSpec { reset: ResetStyle::AsyncLow, passengers, ..decoder(System::Utf8, 64) },
        CoreSpec { axis: Axis::Strict, ..utf_8 },
        CoreSpec { axis: Axis::Strict, bus: Bus::Short, passengers, ..utf_8 },
        CoreSpec { reset: ResetStyle::SyncLow, ..decoder(System::Utf16, 8) },
        decoder(System::Utf32 { max: Max::Unicode }, 4),
        CoreSpec { passengers, ..wide_decoder(System::Utf8, 2, 64) },
        CoreSpec { bus: Bus::Short, axis: Axis::Strict, ..wide_decoder(System::Utf8, 4, 4) },
        CoreSpec { on_error: ErrorMode::Drop, passengers, ..wide_decoder(System::Utf8, 8, 16) },
        CoreSpec { reset: ResetStyle::AsyncHigh, ..wide_decoder(System::Utf8, 16, 4) },
        wide_decoder(System::Utf16, 8, 8),
        wide_decoder(System::Latin1, 4, 8),
        wide_decoder(System::Utf16Octets { order: ByteOrder::Little, bom: false }, 8, 4),
        wide_decoder(System::Utf32Octets { order: ByteOrder::Big, bom: false, max: Max::Unicode }, 2, 8),
    ]
}

#[test]
fn decoders_of_every_system_keep_streams_apart() {
    let mut verdicts = Verdicts::default();
    let mut tried = 0;
    for system in System::variants() {
        for on_error in [ErrorMode::Flag, ErrorMode::Drop] {
            for lanes in [1, 2, 8] {
                let streams = if lanes == 1 { 8 } else { 4 };
                let spec = CoreSpec { on_error, ..wide_decoder(system, lanes, streams) };
                let Ok(core) = Core::new(spec) else { continue };
                tried += 1;
                verdicts.run(&cosim(core, Source::Random { count: 1500 }, Framing::Random, 30), NATIVE);
            }
        }
    }
    assert!(tried > 120, "{tried} cores");
    verdicts.finish();
}

/// Runs noise through a core, while neither side, one, or both of them stall, with resets and without.
fn run_under_stalls_and_resets(verdicts: &mut Verdicts, spec: CoreSpec) {
    for (resets, source, sink) in [(0, 0, 0), (0, 50, 0), (0, 0, 60), (1, 20, 20)] {
        let (framing, stalls) = (Framing::Random, Stalls { source, sink });
        let source = Source::Random { count: 3000 };
        verdicts.run(&Cosim { core: core(spec), source, framing, stalls, resets, seed: 3 }, NATIVE);
    }
}

#[test]
fn ports_resets_and_stalls_of_decoders() {
    let mut verdicts = Verdicts::default();
    for spec in decoders() {
        run_under_stalls_and_resets(&mut verdicts, spec);
    }
    verdicts.finish();
}

/// Sequences of three streams, unit by unit. U+1F618 of stream 1 and U+E9 of stream 3 are whole. In stream 2, 41 cuts E2 82: the error, which
/// is one of the maximal subpart, and U+41 go out in one beat. A beat that makes nothing certain does not go out.
#[test]
fn slots_go_out_with_the_unit_that_makes_them_certain() {
    let beats: [Sent; 13] = [
        (1, &[0xf0], false),
        (2, &[0xe2], false),
        (3, &[0xc3], false),
        (1, &[0x9f], false),
        (1, &[0x98], false),
        (2, &[0x82], false),
        (3, &[0xa9], true),
        (2, &[0x41], false),
        (1, &[0x98], true),
        (0, &[0x80], true),
        (2, &[0xc3], false),
        (2, &[], true),
        (0, &[], true),
    ];
    let slot = |user, data| Item { user, data };
    let (unexpected, truncated) = (slot(1, 0xfffd), slot(2, 0xfffd));
    let flagged = [
        (3, vec![slot(0, 0xe9)], true),
        (2, vec![truncated, slot(0, 0x41)], false),
        (1, vec![slot(0, 0x1f618)], true),
        (0, vec![unexpected], true),
        (2, vec![truncated], true),
        (0, vec![], true),
    ];
    let dropped = [
        (3, vec![slot(0, 0xe9)], true),
        (2, vec![slot(0, 0x41)], false),
        (1, vec![slot(0, 0x1f618)], true),
        (0, vec![], true),
        (2, vec![], true),
        (0, vec![], true),
    ];
    let spec = decoder(System::Utf8, 4);
    for (on_error, expected) in [(ErrorMode::Flag, flagged), (ErrorMode::Drop, dropped)] {
        let due = expected.map(|(tid, items, last)| (tid, Beat { items, last }));
        for lanes in [1, 2, 8] {
            let spec = CoreSpec { on_error, lanes, ..spec };
            assert_eq!(beats_of(spec, &beats), due, "{spec}");
        }
    }
}

/// With four lanes, the last beat of stream 1 makes five slots: the error of its E1 80, and four code points. Those of stream 2 come in between.
#[test]
fn a_beat_of_several_lanes_can_make_a_slot_more_than_it_has_units() {
    let beats: [Sent; 4] = [
        (1, &[0x41, 0x41, 0xe1, 0x80], false),
        (2, &[0xe1, 0x80, 0x80, 0xc3], false),
        (1, &[0x42, 0x43, 0x44, 0x45], true),
        (2, &[0xa9, 0x46], true),
    ];
    let slot = |data| Item { user: 0, data };
    let slots = |all: &[u32]| all.iter().map(|&data| slot(data)).collect::<Vec<_>>();
    let truncated = Item { user: 2, data: 0xfffd };
    let due = [
        (1, slots(&[0x41, 0x41]), false),
        (2, slots(&[0x1000]), false),
        (1, [vec![truncated], slots(&[0x42, 0x43, 0x44, 0x45])].concat(), true),
        (2, slots(&[0xe9, 0x46]), true),
    ];
    let due = due.map(|(tid, items, last)| (tid, Beat { items, last }));
    assert_eq!(beats_of(wide_decoder(System::Utf8, 4, 4), &beats), due);
}

/// Beats of slots have a lane more than those of units, but for systems in which no unit makes two.
#[test]
fn campaigns_follow_the_slots_of_decoders() {
    let passengers = Passengers { tid: 2, tdest: 3, tuser: 5 };
    let specs = [
        decoder(System::Utf8, 4),
        decoder(System::Utf18, 4),
        wide_decoder(System::Utf8, 2, 4),
        CoreSpec { passengers, ..wide_decoder(System::Cesu8, 4, 4) },
    ];
    for core in specs.map(core) {
        for stall in [0, 25] {
            let inputs = Inputs::Random { count: 2_000, seed: 1, stall };
            run_well(&core, inputs);
        }
    }
}

#[test]
fn mistakes_in_decoders_are_found() {
    let right = core(decoder(System::Utf8, 4));
    for path in [
        "tid_1_reg",
        "states_of_stage_1.read_address",
        "pipeline.passengers_1_reg",
        "pipeline.has_second",
        "pipeline.second_data_reg",
    ] {
        let design = Fault::StuckAtZero.inject(&right.design, &format!("codec.{path}"));
        let design = design.unwrap_or_else(|error| panic!("{error}"));
        let wrong = Core { design, ..right.clone() };
        let cosim = cosim(wrong, Source::Random { count: 4000 }, Framing::Random, 20);
        verdict(&Cosim { resets: 1, ..cosim }, NATIVE).expect_err(path);
    }
}

/// Cores of all kinds: marks, ports, resets, passengers and numbers of streams.
fn cores() -> Vec<CoreSpec> {
    let all = |spec: CoreSpec| CoreSpec { role: Role::Validator(ALL_MARKS), ..spec };
    let passengers = Passengers { tid: 9, tdest: 3, tuser: 5 };
    vec![
        utf_8(1, 2),
        all(utf_8(1, 8)),
        CoreSpec { reset: ResetStyle::AsyncLow, passengers, ..utf_8(1, 64) },
        all(utf_8(2, 2)),
        CoreSpec { passengers, axis: Axis::Strict, ..all(utf_8(4, 16)) },
        CoreSpec { reset: ResetStyle::SyncLow, ..all(utf_8(8, 4)) },
        utf_8(32, 8),
        all(validator(System::Utf16, 1, 4)),
        all(validator(System::Utf16, 4, 4)),
        validator(System::Utf16Octets { order: ByteOrder::Little, bom: false }, 8, 4),
    ]
}

#[test]
fn validators_of_every_system_keep_streams_apart() {
    let mut verdicts = Verdicts::default();
    let mut tried = 0;
    let sets = System::multi_octet().map(|system| CoreSpec::new(system, Role::Validator(ALL_MARKS)));
    let of_sets =
        sets.flat_map(|spec| [spec, CoreSpec { role: Role::Validator(Verdict::default()), ..spec }]);
    let specs = CoreSpec::validators().into_iter().filter(|spec| spec.reset == ResetStyle::default());
    for spec in specs.chain(of_sets) {
        for lanes in [1, 2, 8] {
            let streams = if lanes == 1 { 8 } else { 4 };
            let spec = CoreSpec { role: spec.role, ..validator(spec.system, lanes, streams) };
            let Ok(core) = Core::new(spec) else { continue };
            tried += 1;
            verdicts.run(&cosim(core, Source::Random { count: 1500 }, Framing::Random, 30), NATIVE);
        }
    }
    assert!(tried > 60, "{tried} cores");
    verdicts.finish();
}

#[test]
fn marks_ports_resets_and_stalls() {
    let mut verdicts = Verdicts::default();
    for spec in cores() {
        run_under_stalls_and_resets(&mut verdicts, spec);
        run_well(&core(spec), Inputs::Random { count: 500, seed: 2, stall: 20 });
    }
    verdicts.finish();
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn every_engine_agrees() {
    let mut verdicts = Verdicts::default();
    for spec in [cores()[1], cores()[4], cores()[8], decoders()[0], decoders()[5]] {
        let cosim = cosim(core(spec), Source::Random { count: 3000 }, Framing::Random, 30);
        verdicts.run(&Cosim { resets: 1, ..cosim }, EngineKind::ALL);
    }
    verdicts.finish();
}

/// A beat of a stream: its TID, its units, and whether it is the last of its frame.
pub type Sent<'a> = (u64, &'a [u32], bool);

/// The TID and the items of all beats that come out.
fn beats_of(spec: CoreSpec, beats: &[Sent<'_>]) -> Vec<(u64, Beat)> {
    let core = core(spec);
    let ports = Ports::new(&core);
    let tid = ports.passengers().iter().find(|passenger| passenger.name() == "tid").expect("a TID");
    let mut found = Vec::new();
    watch(&core, beats, &mut |outputs| {
        found.extend(ports.beat(outputs).map(|beat| (tid.value_out(outputs), beat)));
    });
    found
}

/// Sends beats to a core, and sees the outputs of each cycle after reset. Whatever the core offers is taken.
pub fn watch(core: &Core, beats: &[Sent<'_>], see: &mut dyn FnMut(&[u64])) {
    let (ports, mut engine) = (Ports::new(core), EngineKind::Native.start(core).unwrap());
    let (inside, outside) = (engine.layout().input_words, engine.layout().output_words);
    let mut waiting = beats.iter().peekable();
    for cycle in 0..200 {
        let (mut inputs, mut outputs) = (vec![0; inside], vec![0; outside]);
        ports.set_reset(&mut inputs, cycle < 2);
        ports.take(&mut inputs, true);
        ports.take_status(&mut inputs, true);
        if let Some(&&(stream, units, last)) = waiting.peek().filter(|_| cycle >= 2) {
            let items: Vec<Item> = units.iter().map(|&unit| unit.into()).collect();
            ports.offer(&mut inputs, &Beat { items, last }, 0);
            ports.set_passengers(&mut inputs, stream, stream);
        }
        engine.run(&inputs, &mut outputs).unwrap();
        if cycle < 2 {
            continue;
        }
        if ports.is_offered(&inputs) && ports.takes(&outputs) {
            waiting.next();
        }
        see(&outputs);
    }
    assert!(waiting.next().is_none(), "every beat is taken");
}

/// Sequences of three streams, unit by unit. Only that of stream 2 is cut, by its own next unit: marks 1 (`cut`) of the unit after it.
#[test]
fn a_sequence_is_cut_by_units_of_its_own_stream_only() {
    let beats: [Sent; 12] = [
        (1, &[0xf0], false),
        (2, &[0xe2], false),
        (3, &[0xc3], false),
        (1, &[0x9f], false),
        (1, &[0x98], false),
        (2, &[0x82], false),
        (3, &[0xa9], true),
        (2, &[0x41], true),
        (0, &[0x80], true),
        (1, &[0x80], true),
        (2, &[0xac], true),
        (3, &[0xe2], true),
    ];
    let expected = [0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 2, 2];
    for lanes in [1, 4] {
        let found = beats_of(utf_8(lanes, 4), &beats);
        let marks = |beat: &Beat| beat.items.iter().map(|item| item.user).collect::<Vec<_>>();
        let found: Vec<_> = found.iter().map(|(tid, beat)| (*tid, marks(beat))).collect();
        let due = beats.iter().zip(expected).map(|(beat, marks)| (beat.0, vec![marks])).collect::<Vec<_>>();
        assert_eq!(found, due, "{lanes} lanes");
    }
}

/// One beat a cycle, back to back, of the same stream and of others.
#[test]
fn throughput_is_that_of_one_stream() {
    for spec in [utf_8(1, 8), utf_8(8, 8), decoder(System::Utf8, 8), wide_decoder(System::Utf8, 8, 8)] {
        let (core, count) = (core(spec), 8000);
        let lengths = Framing::Lengths(vec![u64::from(spec.lanes) * 5]);
        let report = run(&cosim(core.clone(), Source::Random { count }, lengths, 0), NATIVE);
        let beats = count / u64::from(spec.lanes);
        let most = beats + u64::from(core.latency + core.sweep) + 4;
        assert!(report.cycles <= most, "{} cycles for {beats} beats", report.cycles);
    }
}

#[test]
fn mistakes_are_found() {
    for (lanes, paths) in [
        (1, ["tid_1_reg", "states_of_stage_1.read_address", "states_of_stage_1.write"]),
        (4, ["tid_4_reg", "states_of_stage_5.write_address", "swept_stream_reg"]),
    ] {
        let right = core(utf_8(lanes, 4));
        for path in paths {
            let design = Fault::StuckAtZero.inject(&right.design, &format!("codec.{path}"));
            let design = design.unwrap_or_else(|error| panic!("{error}"));
            let wrong = Core { design, ..right.clone() };
            let cosim = cosim(wrong, Source::Random { count: 4000 }, Framing::Random, 20);
            verdict(&Cosim { resets: 1, ..cosim }, NATIVE).expect_err(path);
        }
    }
}

#[test]
fn outputs_come_from_registers() {
    for spec in cores().into_iter().chain(decoders()).filter(|spec| spec.streams <= 8) {
        assert_eq!(stream::combinational(&core(spec)), Ok(Vec::new()), "{spec}");
    }
}

#[test]
fn names_commands_and_limits() {
    let spec = utf_8(8, 16);
    assert_eq!(spec.module_name(), "utf_8_validator_x8_tid_4_streams_16");
    assert_eq!(spec.in_short(), "utf-8 validator --lanes 8 --tid 4 --streams 16");
    assert_eq!((core(spec).sweep, core(utf_8(1, 2)).sweep), (16, 2));
    let of_utf_8 = decoder(System::Utf8, 4);
    assert_eq!((core(of_utf_8).spec.lanes_out(), core(of_utf_8).latency), (2, 3));
    let digits = DEFAULT_DIGITS;
    for (spec, says) in [
        (CoreSpec { streams: 3, ..spec }, "--streams 3: it can be 2, 4, 8 and so on, to 1024"),
        (CoreSpec { streams: 1, ..spec }, "--streams 1: it can be 2, 4, 8 and so on, to 1024"),
        (CoreSpec { streams: 2048, ..spec }, "--streams 2048: it can be 2, 4, 8 and so on, to 1024"),
        (
            CoreSpec { streams: 32, ..spec },
            "--streams 32: the stream of a beat is in TID, which needs 5 bits: give --tid 5 or more",
        ),
        (
            CoreSpec { on_error: ErrorMode::Replace, role: Role::Encoder, ..of_utf_8 },
            "--streams 4: it is for validators and decoders",
        ),
        (CoreSpec { lanes: 4, pack: Packing::Dense, ..of_utf_8 }, "--streams 4: a dense decoder"),
        (
            CoreSpec { lanes: 4, pipeline: Steps::Number(2), ..of_utf_8 },
            "--streams 4: decoders of several streams have a step",
        ),
        (
            decoder(System::Utf16Octets { order: ByteOrder::Big, bom: false }, 4),
            "--streams 4: with one lane, octets become words",
        ),
        (
            CoreSpec { line: 8, ..decoder(System::Utf8SixtyFiveBit, 4) },
            "--streams 4: a code point of several slots",
        ),
        (
            CoreSpec { status: true, ..decoder(System::Utf8SixtyFiveBit, 4) },
            "--streams 4: with one lane, a status",
        ),
        (
            CoreSpec {
                status: true,
                ..validator(System::Utf16Octets { order: ByteOrder::Big, bom: false }, 4, 4)
            },
            "--streams 4: a status counts words of octets",
        ),
        (
            decoder(System::CorrectedUtf8 { document: false, private: false }, 4),
            "--streams 4: cores of this system do not have it yet",
        ),
        (decoder(System::Utf8Bom { bom: Utf8Bom::Strip }, 4), "--streams 4: byte order marks"),
        (validator(System::UtfInf8 { digits }, 8, 4), "--streams 4: utf-inf-8 does not have it"),
        (
            validator(System::CorrectedUtf8 { document: true, private: false }, 1, 4),
            "--streams 4: validators of documents",
        ),
        (
            validator(System::Utf16Octets { order: ByteOrder::Big, bom: true }, 1, 4),
            "--streams 4: byte order marks",
        ),
        (
            validator(System::Utf16Octets { order: ByteOrder::Big, bom: false }, 1, 4),
            "--streams 4: with one lane",
        ),
    ] {
        let error = Core::new(spec).expect_err(says).to_string();
        assert!(error.starts_with(says), "{error}");
    }
}
