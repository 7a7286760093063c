//! `--position`: each slot of a decoder has the offset of its first unit.

mod common;

use common::campaigns::{first_failing, run_well, with_fault};
use common::hardware::{NATIVE, Rig, Verdicts, core, cosim, verdict};
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::prove::stream;
use utfhdl_hdl::core::{
    Axis, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Packing, Passengers, Role, System, Verdict,
};
use utfhdl_hdl::netlist::Fault;

/// Every decoder that has positions, in both treatments of errors.
fn decoders() -> Vec<CoreSpec> {
    let specs = CoreSpec::all().into_iter().filter(|spec| spec.role == Role::Decoder);
    let one_lane = specs.filter(|spec| spec.reset == Default::default());
    // Of several lanes every system, in 2, 4 or 8 lanes.
    let lanes = |(index, spec): &(usize, CoreSpec)| spec.lanes == [2, 8, 4, 2, 4, 8][index / 6 % 6];
    let several = CoreSpec::of_several_lanes();
    let several = several.into_iter().enumerate().filter(lanes).map(|(_, spec)| spec);
    let specs = one_lane.chain(several);
    let widths = [16, 1, 32, 7].into_iter().cycle();
    let specs = specs.zip(widths).map(|(spec, position)| CoreSpec { position, ..spec });
    specs.filter(|spec| Core::new(*spec).is_ok()).collect()
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
    ];
    let mut verdicts = Verdicts::default();
    for spec in specs.into_iter().chain(others) {
        for (framing, stall) in [(Framing::Random, 0), (Framing::Random, 40), (Framing::Whole, 0)] {
            verdicts.run(&cosim(core(spec), Source::Random { count: 3000 }, framing, stall), NATIVE);
        }
        assert_eq!(stream::combinational(&core(spec)), Ok(Vec::new()), "{spec}");
    }
    verdicts.finish();
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn positions_are_the_same_in_every_engine() {
    let mut verdicts = Verdicts::default();
    for spec in decoders().into_iter().step_by(17) {
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
            assert_eq!(positions(spec, row), [expected, expected], "{on_error}, {lanes} lanes");
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
        assert_eq!(positions(spec, row), [expected, expected], "{lanes} lanes");
    }
}

/// The positions of the slots of a frame, which goes through the core twice.
fn positions(spec: CoreSpec, row: &[u8]) -> [Vec<u64>; 2] {
    let core = core(spec);
    let width = |name: &str| core.design.top.ports().iter().find(|port| port.name == name).unwrap().width;
    assert_eq!(width("m_axis_tuser"), spec.lanes * (4 + 5));
    let mut rig = Rig::new(EngineKind::Native, &core);
    let lanes = spec.lanes as usize;
    // The second frame begins at 0 again.
    [(), ()].map(|()| {
        let (mut positions, mut beats) = (Vec::new(), row.chunks(lanes).peekable());
        for _ in 0..row.len() + 60 {
            match beats.next() {
                Some(units) => {
                    let items = units.iter().map(|&unit| u32::from(unit).into()).collect();
                    let beat = utfhdl::promise::Beat { items, last: beats.peek().is_none() };
                    rig.ports.offer(&mut rig.inputs, &beat, 0);
                }
                None => rig.ports.offer_nothing(&mut rig.inputs, u64::MAX),
            }
            rig.cycle();
            if rig.ports.offers(&rig.outputs) {
                let keep = rig.ports.keep(&rig.outputs);
                let kept = (0..lanes).filter(|lane| keep >> lane & 1 == 1);
                positions.extend(kept.map(|lane| rig.ports.position(&rig.outputs, lane)));
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
    let right = core(of(16, 1));
    run_well(&right, Inputs::Exhaustive { units: 2 });
    for path in ["offset_reg", "start_reg", "held_position_reg"] {
        let wrong = with_fault(&right, Fault::Inverted, path);
        let campaign = Campaign::new(wrong, Inputs::Random { count: 2000, seed: 1, stall: 0 }).unwrap();
        assert!(first_failing(&campaign).is_some(), "{path}");
    }
}

#[test]
fn what_has_no_positions_says_so() {
    let decoder = CoreSpec { position: 8, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    assert_eq!(decoder.module_name(), "utf_8_decoder_x1_position_8");
    let document = System::CorrectedUtf8 { document: true };
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
    ] {
        assert_eq!(Core::new(spec).expect_err(says).to_string(), says);
    }
}
