//! `--position`, `--line`, `--column`: each slot of a decoder has the offset of its first unit, and its place in the text.

use crate::common::campaigns::{first_failing, run_well, with_fault};
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, verdict};
use crate::common::samples::{is_all, one_in};
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::prove::stream;
use utfhdl_codec::{Codec, OnError};
use utfhdl_hdl::core::{
    Axis, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Packing, Passengers, Role, System, Verdict,
};
use utfhdl_hdl::netlist::Fault;

/// Every decoder that has positions, in both treatments of errors.
fn decoders() -> Vec<CoreSpec> {
    let specs = CoreSpec::all().into_iter().filter(|spec| spec.role == Role::Decoder);
    let one_lane = specs.filter(|spec| spec.reset == Default::default());
    // Every system in 2, 4 or 8 lanes.
    let lanes = |(index, spec): &(usize, CoreSpec)| spec.lanes == [2, 8, 4, 2, 4, 8][index / 6 % 6];
    let several = CoreSpec::of_several_lanes();
    let several = several.into_iter().enumerate().filter(lanes).map(|(_, spec)| spec);
    let specs = one_lane.chain(several);
    let widths = [(16, 0, 0), (1, 3, 2), (32, 0, 4), (7, 5, 0), (0, 2, 5), (0, 0, 3)].into_iter().cycle();
    let specs = specs.zip(widths).filter_map(|(spec, (position, line, column))| {
        let without_lines = CoreSpec { position, ..spec };
        let choices =
            [CoreSpec { line, column, ..without_lines }, without_lines, CoreSpec { column: 4, ..spec }];
        choices.into_iter().find(|spec| spec.place_bits() > 0 && Core::new(*spec).is_ok())
    });
    specs.collect()
}

#[test]
fn positions_are_the_offsets_of_the_reference() {
    let specs = decoders();
    assert!(specs.len() > 100, "{} decoders have positions", specs.len());
    let utf_8 = CoreSpec { position: 12, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    let passengers = Passengers { tid: 2, tdest: 0, tuser: 3 };
    let others = [
        CoreSpec { axis: Axis::Strict, ..utf_8 },
        CoreSpec { passengers, ..utf_8 },
        CoreSpec { passengers, axis: Axis::Strict, ..utf_8 },
        CoreSpec { passengers, axis: Axis::Strict, lanes: 4, ..utf_8 },
        CoreSpec { pack: Packing::Dense, lanes: 4, ..utf_8 },
        CoreSpec { pack: Packing::Dense, lanes: 4, on_error: ErrorMode::Drop, ..utf_8 },
        CoreSpec { pipeline: "2".parse().unwrap(), lanes: 8, ..utf_8 },
        CoreSpec { lanes: 16, ..utf_8 },
        CoreSpec { lanes: 64, ..utf_8 },
        CoreSpec { line: 9, axis: Axis::Strict, ..utf_8 },
        CoreSpec { column: 9, passengers, axis: Axis::Strict, lanes: 4, ..utf_8 },
        CoreSpec { line: 5, column: 1, pack: Packing::Dense, lanes: 8, ..utf_8 },
        CoreSpec { position: 0, column: 7, pipeline: "3".parse().unwrap(), lanes: 8, ..utf_8 },
        CoreSpec { line: 16, column: 12, lanes: 64, ..utf_8 },
    ];
    let mut verdicts = Verdicts::default();
    for spec in one_in(3, is_all("UTFHDL_LANES"), specs).into_iter().chain(others) {
        let core = core(spec);
        for (framing, stall) in [(Framing::Random, 0), (Framing::Random, 40), (Framing::Whole, 0)] {
            verdicts.run(&cosim(core.clone(), Source::Random { count: 3000 }, framing, stall), NATIVE);
        }
        assert_eq!(stream::combinational(&core), Ok(Vec::new()), "{spec}");
    }
    verdicts.finish();
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn positions_are_the_same_in_every_engine() {
    let mut verdicts = Verdicts::default();
    for spec in one_in(68, is_all("UTFHDL_VERILOG"), decoders()) {
        verdicts
            .run(&cosim(core(spec), Source::Random { count: 2000 }, Framing::Random, 40), EngineKind::ALL);
    }
    verdicts.finish();
}

/// Offsets by hand, of a row with code points of one to four units and errors of one to three, in one lane and in several.
#[test]
fn positions_of_a_row_by_hand() {
    let row = b"A\xe2\x82\xac\xe2\x82B\x80\xf0\x9f\x98\x80\xf0\x9f\x98C\xc3\xa4\xed\xa0\xe2";
    let flagged = [0, 1, 4, 6, 7, 8, 12, 15, 16, 18, 19, 20];
    let dropped = [0, 1, 6, 8, 15, 16];
    for (on_error, expected) in [(ErrorMode::Flag, &flagged[..]), (ErrorMode::Drop, &dropped[..])] {
        for lanes in [1, 2, 4, 8, 16] {
            let spec =
                CoreSpec { on_error, position: 5, lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) };
            let found = places(spec, row.map(u32::from).as_slice()).map(|places| of(&places, 0));
            assert_eq!(found, [expected, expected], "{on_error}, {lanes} lanes");
        }
    }
}

/// Offsets by hand, of frames that open with a byte order mark, which makes no slot but has offsets, and of its beginning without the rest.
#[test]
fn positions_after_a_byte_order_mark_by_hand() {
    let rows: [(&str, &[u8], &[u64]); 7] = [
        ("utf-8,bom=strip", b"\xef\xbb\xbfA\xc3\xa4\xef\xbb\xbfB\xe2", &[3, 4, 6, 9, 10]),
        ("utf-8,bom=strip", b"\xef\xbb\xbf", &[]),
        ("utf-8,bom=strip", b"\xef\xbbA\xef\xbb\xbf", &[0, 2, 3]),
        ("utf-16le,bom=on", b"\xff\xfeA\0\xff\xfe\x3d\xd8\0\xdeB\0C", &[2, 4, 6, 10, 12]),
        ("utf-16le,bom=on", b"\xfe\xff\xd8\x3d\xde\0\0B", &[2, 6]),
        ("utf-16le,bom=on", b"A\0\xff\xfeB\0", &[0, 2, 4]),
        ("utf-32be,bom=on", b"\0\0\xfe\xff\0\0\0A\0\0\xd8\0\0\0\0B\0", &[4, 8, 12, 16]),
    ];
    for (system, row, expected) in rows {
        for lanes in [1, 2, 4, 8, 16] {
            let system = system.parse().unwrap();
            let spec = CoreSpec { position: 5, lanes, ..CoreSpec::new(system, Role::Decoder) };
            let units: Vec<u32> = row.iter().map(|&unit| unit.into()).collect();
            let found = places(spec, &units).map(|places| of(&places, 0));
            assert_eq!(found, [expected, expected], "{system}, {row:x?}, {lanes} lanes");
        }
    }
}

/// All slots of a code point of 2^32 or more have the offset of its first unit: FF and twelve octets hold 72 bits.
#[test]
fn positions_of_heads_and_limbs_by_hand() {
    let row = b"AB\xff\x9f\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbfC";
    let expected = [0, 1, 2, 2, 2, 2, 15];
    for lanes in [1, 2, 4, 8] {
        let system = System::UtfInf8 { digits: DEFAULT_DIGITS };
        let spec = CoreSpec { position: 5, lanes, ..CoreSpec::new(system, Role::Decoder) };
        let found = places(spec, row.map(u32::from).as_slice()).map(|places| of(&places, 0));
        assert_eq!(found, [expected, expected], "{lanes} lanes");
    }
}

/// A field of each place.
fn of(places: &[[u64; 3]], field: usize) -> Vec<u64> {
    places.iter().map(|place| place[field]).collect()
}

/// Lines and columns by hand, of a row with an error and line feeds at the ends of beats and side by side.
#[test]
fn lines_and_columns_of_a_row_by_hand() {
    let row = b"A\xe2\x82\xacB\n\xe2\x82\nC\n\n\xf0\x9f\x98\x80\x80D\n\xe2";
    // A, U+20AC, B, line feed; error, line feed; C, line feed; line feed; U+1F600, error, D, line feed; error.
    let flagged = ([0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 4, 4, 5], [0, 1, 2, 3, 0, 1, 0, 1, 0, 0, 1, 2, 3, 0]);
    let dropped = ([0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 4], [0, 1, 2, 3, 0, 0, 1, 0, 0, 1, 2]);
    let expected = [
        (ErrorMode::Flag, flagged.0.to_vec(), flagged.1.to_vec()),
        (ErrorMode::Drop, dropped.0.to_vec(), dropped.1.to_vec()),
    ];
    for (on_error, lines, columns) in expected {
        for lanes in [1, 2, 4, 8, 16] {
            for position in [0, 6] {
                let utf_8 = CoreSpec::new(System::Utf8, Role::Decoder);
                let spec = CoreSpec { on_error, position, line: 5, column: 4, lanes, ..utf_8 };
                for found in places(spec, row.map(u32::from).as_slice()) {
                    assert_eq!((of(&found, 1), of(&found, 2)), (lines.clone(), columns.clone()), "{spec}");
                }
            }
        }
    }
}

/// A text has the same lines and columns in every system that has its characters.
#[test]
fn lines_and_columns_are_the_same_in_all_systems() {
    let text = ['A', '\n', 'B', 'C', '\n', '\n', 'D'].map(|c| utfhdl_codec::Slot::CodePoint(c.into()));
    let mut cores = 0;
    for system in System::variants() {
        let units: Result<Vec<u32>, _> = system.encode(&text, OnError::Strict);
        let Ok(units) = units else { continue };
        for lanes in [1, 4] {
            let spec = CoreSpec { line: 3, column: 3, lanes, ..CoreSpec::new(system, Role::Decoder) };
            if Core::new(spec).is_err() {
                continue;
            }
            cores += 1;
            for found in places(spec, &units) {
                assert_eq!(of(&found, 1), [0, 0, 1, 1, 1, 2, 3], "{spec}");
                assert_eq!(of(&found, 2), [0, 1, 0, 1, 2, 0, 0], "{spec}");
            }
        }
    }
    assert!(cores > 40, "{cores} decoders have lines");
}

/// A head and its limbs have one column, and so has an error in place of a limb.
#[test]
fn columns_of_heads_and_limbs_by_hand() {
    // FF and twelve octets hold 72 bits: a head and three limbs. The second is cut short after a limb.
    let row = b"A\n\xff\x9f\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbfB\xff\x9f\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbfC\nD";
    let system = System::UtfInf8 { digits: DEFAULT_DIGITS };
    for on_error in [ErrorMode::Flag, ErrorMode::Drop] {
        let spec = CoreSpec { on_error, line: 4, column: 4, ..CoreSpec::new(system, Role::Decoder) };
        for found in places(spec, row.map(u32::from).as_slice()) {
            let pairs: Vec<(u64, u64)> = found.iter().map(|place| (place[1], place[2])).collect();
            let cut = pairs.len() - 9;
            assert!(cut >= 2, "the code point that is cut has a head and an error: {pairs:?}");
            let expected = [(0, 0), (0, 1), (1, 0), (1, 0), (1, 0), (1, 0), (1, 1)];
            let expected = expected.into_iter().chain(std::iter::repeat_n((1, 2), cut - 1));
            assert_eq!(pairs, expected.chain([(1, 3), (1, 4), (2, 0)]).collect::<Vec<_>>(), "{on_error}");
        }
    }
}

/// The positions, lines and columns of the slots of a frame, which goes through the core twice.
fn places(spec: CoreSpec, row: &[u32]) -> [Vec<[u64; 3]>; 2] {
    let core = core(spec);
    let width = |name: &str| core.design.top.ports().iter().find(|port| port.name == name).unwrap().width;
    assert_eq!(width("m_axis_tuser"), spec.lanes * (4 + spec.position + spec.line + spec.column));
    let mut rig = Rig::new(EngineKind::Native, &core);
    let lanes = spec.lanes as usize;
    // The second frame begins at 0 again.
    [(), ()].map(|()| {
        let (mut positions, mut beats) = (Vec::new(), row.chunks(lanes).peekable());
        for _ in 0..row.len() + 60 {
            match beats.next() {
                Some(units) => {
                    let items = units.iter().map(|&unit| unit.into()).collect();
                    let beat = utfhdl::promise::Beat { items, last: beats.peek().is_none() };
                    rig.ports.offer(&mut rig.inputs, &beat, 0);
                }
                None => rig.ports.offer_nothing(&mut rig.inputs, u64::MAX),
            }
            rig.cycle();
            if rig.ports.offers(&rig.outputs) {
                let keep = rig.ports.keep(&rig.outputs);
                let kept = (0..lanes).filter(|lane| keep >> lane & 1 == 1);
                positions
                    .extend(kept.map(|lane| rig.ports.places(&rig.outputs, lane).map(|(place, _)| place)));
            }
        }
        positions
    })
}

#[test]
fn mistakes_in_positions_are_found() {
    let one_lane =
        ["offset_reg", "start_reg", "own_start", "sequence_begins", "held_position_reg", "slot_position_reg"];
    let several = ["base_reg", "end_reg", "base_with_carry", "has_slot", "position_2_reg", "end_of_beat"];
    for (lanes, paths) in [(1, one_lane), (4, several)] {
        let right = core(CoreSpec { position: 8, lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) });
        for path in paths {
            let design = Fault::Inverted.inject(&right.design, path).unwrap();
            let wrong = Core { design, ..right.clone() };
            let failure = verdict(&cosim(wrong, Source::Random { count: 3000 }, Framing::Random, 30), NATIVE);
            assert_eq!(failure.expect_err(path).port, "m_axis_tuser", "{path}");
        }
        let lines = ["line_reg", "column_reg", if lanes == 1 { "is_line_feed" } else { "column_with_carry" }];
        let right = core(CoreSpec { line: 8, column: 8, position: 0, ..right.spec });
        for path in lines {
            let design = Fault::Inverted.inject(&right.design, path).unwrap();
            let wrong = Core { design, ..right.clone() };
            let failure = verdict(&cosim(wrong, Source::Random { count: 3000 }, Framing::Random, 30), NATIVE);
            assert_eq!(failure.expect_err(path).port, "m_axis_tuser", "{path}");
        }
    }
}

/// Campaigns compare them, and find mistakes in them. A position of 16 bits has more than an item of a campaign has room for.
#[test]
fn campaigns_compare_positions() {
    let of = |position, lanes| CoreSpec { position, lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    let dropping = CoreSpec { on_error: ErrorMode::Drop, ..of(3, 2) };
    let passengers = Passengers { tid: 0, tdest: 0, tuser: 3 };
    for spec in [CoreSpec { axis: Axis::Strict, ..of(7, 1) }, dropping, CoreSpec { passengers, ..of(16, 4) }]
    {
        for stall in [0, 35] {
            run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall });
        }
    }
    let with_lines = [(1, 0), (4, 0), (8, 16)].map(|(lanes, position)| CoreSpec {
        line: 3,
        column: 9,
        ..of(position, lanes)
    });
    for spec in with_lines {
        run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall: 20 });
    }
    let right = core(CoreSpec { line: 14, ..of(16, 1) });
    run_well(&right, Inputs::Exhaustive { units: 2 });
    for path in ["offset_reg", "start_reg", "held_position_reg", "line_reg"] {
        let wrong = with_fault(&right, Fault::Inverted, path);
        let campaign = Campaign::new(wrong, Inputs::Random { count: 2000, seed: 1, stall: 0 }).unwrap();
        assert!(first_failing(&campaign).is_some(), "{path}");
    }
}

#[test]
fn what_has_no_positions_says_so() {
    let decoder = CoreSpec { position: 8, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    assert_eq!(decoder.module_name(), "utf_8_decoder_x1_position_8");
    let with_lines = CoreSpec { line: 4, column: 3, ..decoder };
    assert_eq!(with_lines.module_name(), "utf_8_decoder_x1_position_8_line_4_column_3");
    let document = System::CorrectedUtf8 { document: true, private: false };
    let endless = System::UtfInf8 { digits: DEFAULT_DIGITS };
    for (spec, says) in [
        (CoreSpec { position: 33, ..decoder }, "--position 33: it can be 1 to 32 bits"),
        (
            CoreSpec {
                lanes: 2,
                on_error: ErrorMode::Drop,
                position: 8,
                ..CoreSpec::new(endless, Role::Decoder)
            },
            "--position 8: utf-inf-8 decoders of several lanes that drop errors do not have it: use --on-error flag",
        ),
        (
            CoreSpec { position: 8, ..CoreSpec::new(System::Utf8, Role::Encoder) },
            "--position 8: it is for decoders, whose slots have offsets",
        ),
        (
            CoreSpec { position: 8, ..CoreSpec::new(System::Utf8, Role::Validator(Verdict::default())) },
            "--position 8: it is for decoders, whose slots have offsets",
        ),
        (
            CoreSpec { position: 8, ..CoreSpec::new(document, Role::Decoder) },
            "--position 8: decoders of documents do not have it yet",
        ),
        (CoreSpec { column: 40, ..decoder }, "--column 40: it can be 1 to 32 bits"),
        (
            CoreSpec { line: 8, ..CoreSpec::new(System::hunk(3), Role::Decoder) },
            "--line 8: the system has no U+000A, so a text has no lines: leave it out",
        ),
        (
            CoreSpec { column: 8, lanes: 2, ..CoreSpec::new(endless, Role::Decoder) },
            "--column 8: a code point of several slots has one column, which only decoders of one lane count: use --lanes 1",
        ),
        (
            CoreSpec { line: 8, ..CoreSpec::new(System::Utf8, Role::Encoder) },
            "--line 8: it is for decoders, whose slots have offsets",
        ),
    ] {
        assert_eq!(Core::new(spec).expect_err(says).to_string(), says);
    }
}
