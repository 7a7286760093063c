//! The status of frames: what `utfhdl count` says of each, in order, and no frame ends before it, whatever core, ports and stalls.

use crate::common::campaigns::{first_failing, run_well};
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, run, verdict};
use crate::common::samples::{is_all, one_in};
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::{Beat, Item};
use utfhdl::prove::stream;
use utfhdl_hdl::core::{
    Axis, Bus, ByteOrder, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Packing, Passengers, Role,
    STATUS_BITS, System, Utf8Bom, Verdict, status_fields,
};
use utfhdl_hdl::netlist::Fault;

const UTF_9: System = System::Utf9 { max: Max::Unicode };
const VALIDATOR: Role = Role::Validator(Verdict { kinds: false, start: false, newline: false });

fn with_status(system: System, role: Role, lanes: u32) -> CoreSpec {
    CoreSpec { lanes, status: true, ..CoreSpec::new(system, role) }
}

/// Cores of every kind: roles, systems, lanes, ports and options.
fn cores() -> Vec<CoreSpec> {
    let of = with_status;
    let digits = DEFAULT_DIGITS;
    let document = System::CorrectedUtf8 { document: true, private: false };
    let one_lane = System::variants().map(|system| of(system, Role::Decoder, 1)).filter(has_one);
    let several = System::variants().enumerate().map(|(at, system)| {
        let lanes = [2, 4, 8][at % 3];
        of(system, if at % 2 == 0 { Role::Decoder } else { VALIDATOR }, lanes)
    });
    let drop = CoreSpec { on_error: ErrorMode::Drop, ..of(System::Utf8, Role::Decoder, 4) };
    let strict = CoreSpec { axis: Axis::Strict, ..of(UTF_9, Role::Decoder, 2) };
    let passengers = Passengers { tid: 3, tdest: 0, tuser: 5 };
    let special = [
        drop,
        CoreSpec { lanes: 1, ..drop },
        strict,
        CoreSpec { lanes: 1, ..strict },
        CoreSpec { pack: Packing::Dense, ..of(System::Utf8, Role::Decoder, 8) },
        CoreSpec { passengers, ..of(System::Utf8, Role::Decoder, 2) },
        CoreSpec { position: 12, ..of(System::Utf8, Role::Decoder, 1) },
        of(System::Utf8, VALIDATOR, 1),
        of(System::UtfInf8 { digits }, VALIDATOR, 1),
        of(UTF_9, VALIDATOR, 1),
        of(System::UtfInf8 { digits }, VALIDATOR, 4),
        of(System::UtfInf8 { digits: 20 }, Role::Decoder, 2),
        CoreSpec { on_error: ErrorMode::Drop, ..of(System::UtfInf8 { digits }, Role::Decoder, 2) },
        of(document, VALIDATOR, 1),
        of(document, VALIDATOR, 2),
        of(document, VALIDATOR, 8),
        CoreSpec { on_error: ErrorMode::Drop, ..of(document, Role::Decoder, 1) },
        of(document, Role::Transcoder { to: System::Utf8 }, 1),
        of(System::Utf16Octets { order: ByteOrder::Little, bom: true }, VALIDATOR, 4),
        of(System::Utf32Octets { order: ByteOrder::Big, bom: true, max: Max::Unicode }, VALIDATOR, 2),
        of(System::Utf8Bom { bom: Utf8Bom::Strip }, VALIDATOR, 2),
        of(System::Utf8Bom { bom: Utf8Bom::Add }, VALIDATOR, 4),
        of(System::Utf8, Role::Transcoder { to: System::Utf16 }, 1),
        of(System::Utf16, Role::Transcoder { to: System::Utf8 }, 4),
    ];
    one_lane.chain(several.filter(has_one)).chain(special).chain(encoders()).collect()
}

/// Encoders: of systems with groups of each kind, and of one that looks at the code point before.
fn encoders() -> impl Iterator<Item = CoreSpec> {
    let of = |system, lanes| with_status(system, Role::Encoder, lanes);
    let dropping = |spec| CoreSpec { on_error: ErrorMode::Drop, ..spec };
    let short = |spec| CoreSpec { bus: Bus::Short, ..spec };
    let endless = System::UtfInf8 { digits: DEFAULT_DIGITS };
    let cores = [
        of(System::Utf8, 1),
        of(System::Utf8, 8),
        dropping(of(System::Utf8, 2)),
        short(of(System::Utf8, 1)),
        short(of(System::Ascii, 4)),
        of(System::Utf8EightByte, 2),
        of(System::Utf8SixtyFiveBit, 1),
        dropping(of(System::Utf8SixtyFiveBit, 4)),
        of(endless, 1),
        of(endless, 4),
        of(System::UtfInf8 { digits: 20 }, 2),
        of(System::Wtf8, 1),
        dropping(of(System::Wtf8, 1)),
        of(System::Wtf8, 4),
        dropping(of(System::Wtf8, 2)),
        of(System::CorrectedUtf8 { document: true, private: false }, 2),
        of("table:windows-1252".parse().expect("a set that there is"), 2),
        CoreSpec { axis: Axis::Strict, ..short(of(System::Utf16, 2)) },
    ];
    let of_sets = System::multi_octet().map(move |system| of(system, 1));
    cores.into_iter().chain(of_sets.flat_map(move |spec| [spec, short(dropping(spec))]))
}

fn has_one(spec: &CoreSpec) -> bool {
    Core::new(*spec).is_ok()
}

/// Frames of any length, empty ones included, and sinks that stall independently of each other.
#[test]
fn every_frame_has_the_status_that_is_counted() {
    let mut verdicts = Verdicts::default();
    let short = Framing::Lengths((0..700).map(|frame| frame % 3).collect());
    let cores = cores();
    assert!(cores.len() > 40, "{}", cores.len());
    for spec in one_in(3, is_all("UTFHDL_LANES"), cores) {
        let core = core(spec);
        for (framing, source, sink) in
            [(Framing::Random, 0, 0), (Framing::Random, 30, 30), (short.clone(), 0, 70)]
        {
            let stalls = Stalls { source, sink };
            let source = Source::Random { count: 700 };
            verdicts.run(&Cosim { core: core.clone(), source, framing, stalls, resets: 0, seed: 3 }, NATIVE);
        }
    }
    verdicts.finish();
}

/// The buffer before a transcoder of one lane hides cycles in which the core refuses a beat, so that units are later than without a status.
#[test]
fn a_transcoder_may_be_late_by_what_its_buffer_hides() {
    let system = System::UtfInf8 { digits: 4096 };
    let to = System::Utf16Octets { order: ByteOrder::Big, bom: false };
    let core = core(with_status(system, Role::Transcoder { to }, 1));
    let (stalls, source) = (Stalls { source: 50, sink: 0 }, Source::Random { count: 20_000 });
    let seed = 3_380_303_750_591_735_131;
    run(&Cosim { core, source, framing: Framing::Whole, stalls, resets: 0, seed }, NATIVE);
}

/// The fields of the status of a frame of these items.
fn status_of(core: &Core, items: &[Item]) -> impl Fn(&str) -> u64 {
    let lanes = core.spec.lanes as usize;
    let mut rig = Rig::new(EngineKind::Native, core);
    rig.ports.take(&mut rig.inputs, true);
    rig.ports.take_status(&mut rig.inputs, true);
    let beats = items.chunks(lanes).count();
    for (at, items) in items.chunks(lanes).enumerate() {
        rig.ports.offer(&mut rig.inputs, &Beat { items: items.to_vec(), last: at + 1 == beats }, 0);
        rig.cycle();
        while !rig.ports.takes(&rig.outputs) {
            rig.cycle();
        }
    }
    rig.ports.offer_nothing(&mut rig.inputs, 0);
    while !rig.ports.offers_status(&rig.outputs) {
        rig.cycle();
    }
    let layout = utfhdl_sim::Layout::new(&core.design);
    let tdata = layout.output("status_tdata").expect("the port").value(&rig.outputs);
    move |name| {
        let field = status_fields().into_iter().find(|field| field.name == name).expect("a field");
        tdata[(field.low / 64) as usize] >> (field.low % 64) & ((1 << field.bits) - 1)
    }
}

/// The texts and numbers of `codec/tests/systems/counts.rs`, whose lengths are those of Unicode's encoding forms.
#[test]
fn a_text_has_the_numbers_that_its_encodings_have() {
    for (lanes, role) in [(1, Role::Decoder), (2, VALIDATOR), (8, Role::Decoder)] {
        let core = core(with_status(System::Utf8, role, lanes));
        let text = "z\u{fc}rich \u{20ac}\u{1f600}".as_bytes();
        let units: Vec<u8> = text.iter().copied().chain([0xe2, 0x82]).collect();
        let items: Vec<Item> = units.iter().map(|&unit| u32::from(unit).into()).collect();
        let value = status_of(&core, &items);
        // 8 characters and U+FFFD for the sequence that is cut short.
        let s = String::from_utf8_lossy(&units).into_owned();
        assert_eq!(value("ill_formed"), 1);
        assert_eq!(value("kind"), 2, "truncated");
        assert_eq!(value("error_offset"), text.len() as u64);
        assert_eq!(value("saturated"), 0);
        assert_eq!((value("units"), value("code_points"), value("errors")), (units.len() as u64, 9, 1));
        assert_eq!(value("utf_8"), s.len() as u64);
        assert_eq!(value("utf_16"), s.encode_utf16().count() as u64);
        assert_eq!(value("utf_32"), s.chars().count() as u64);
    }
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn every_engine_has_the_same_status() {
    let mut verdicts = Verdicts::default();
    for spec in one_in(240, is_all("UTFHDL_VERILOG"), cores()) {
        verdicts
            .run(&cosim(core(spec), Source::Random { count: 2000 }, Framing::Random, 30), EngineKind::ALL);
    }
    verdicts.finish();
}

/// A row of the table in docs/interface.md: an error slot, a code point that the system lacks, groups that are whole, cut short and broken.
#[test]
fn an_encoder_counts_its_slots() {
    let of = |data, user| Item { data, user };
    let code = |code_point| of(code_point, 0);
    let [head, limb] = [14, 15].map(|user| move |data| of(data, user));
    // Of the slots, with the kind of the first error, its offset, and the numbers of code points and errors.
    let frames: [(&[Item], [u64; 4]); 6] = [
        (&[code(0x41), code(0x1_f600)], [0, 0, 2, 0]),
        (&[code(0x41), of(0, 3), of(0, 12)], [3, 1, 1, 2]),
        (&[code(0x41), head(2), limb(1), limb(0), code(0x42)], [0, 0, 3, 0]),
        (&[head(2), limb(1), limb(0), head(2), limb(1), code(0x42)], [10, 3, 2, 1]),
        (&[code(0x41), head(2), limb(0x400), limb(0), limb(7), head(3)], [10, 1, 1, 3]),
        (&[code(0x41), head(2), limb(1), of(0, 2), head(1)], [2, 1, 1, 2]),
    ];
    for lanes in [1, 2, 8] {
        // 42 bits: a first limb is less than 2^10.
        let core = core(with_status(System::Utf8EightByte, Role::Encoder, lanes));
        for (items, [kind, offset, code_points, errors]) in frames {
            let found = status_of(&core, items);
            let expected = [
                ("ill_formed", u64::from(errors > 0)),
                ("kind", kind),
                ("error_offset", offset),
                ("units", items.len() as u64),
                ("code_points", code_points),
                ("errors", errors),
                ("utf_32", code_points + errors),
            ];
            for (name, expected) in expected {
                assert_eq!(found(name), expected, "{name} of {items:?}, {lanes} lanes");
            }
        }
    }
}

/// Faults in the layer and in the observer are found by co-simulation.
#[test]
fn mistakes_are_found() {
    for lanes in [1, 2] {
        let right = core(with_status(System::Utf8, Role::Decoder, lanes));
        let lengths = Framing::Lengths((0..600).map(|frame| frame * 7 % 11).collect());
        let cosim = |core| cosim(core, Source::Random { count: 2000 }, lengths.clone(), 60);
        run(&cosim(right.clone()), NATIVE);
        for (path, fault) in [
            ("gate_opens", Fault::StuckAtOne),
            ("gate_opens", Fault::StuckAtZero),
            ("observer.tally.status_waits", Fault::StuckAtZero),
            ("observer.tally.frame_ends", Fault::StuckAtZero),
            ("observer.tally.is_first_error", Fault::StuckAtOne),
            ("observer.tally.utf_16_sum", Fault::Inverted),
            ("observer.tally.first_kind", Fault::ShiftedLeft),
        ] {
            let design = fault.inject(&right.design, path).unwrap();
            let wrong = Core { design, ..right.clone() };
            verdict(&cosim(wrong), NATIVE).expect_err(path);
        }
    }
}

/// Campaigns compare the status of each input, and find mistakes in it.
#[test]
fn campaigns_compare_them() {
    let transcoder = with_status(System::Utf16, Role::Transcoder { to: System::Utf8 }, 2);
    let strict = CoreSpec { axis: Axis::Strict, ..with_status(UTF_9, Role::Decoder, 1) };
    let encoders = [1, 2].map(|lanes| with_status(System::Utf8SixtyFiveBit, Role::Encoder, lanes));
    for spec in [strict, transcoder, with_status(System::Utf8, VALIDATOR, 4)].into_iter().chain(encoders) {
        for stall in [0, 35] {
            run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall });
        }
    }
    let right = core(with_status(System::Utf8, Role::Decoder, 1));
    run_well(&right, Inputs::Exhaustive { units: 2 });
    for (path, fault) in [
        ("observer.tally.status_waits", Fault::StuckAtZero),
        ("observer.tally.utf_16_sum", Fault::Inverted),
        ("observer.tally.first_kind", Fault::ShiftedLeft),
    ] {
        let wrong = Core { design: fault.inject(&right.design, path).unwrap(), ..right.clone() };
        let campaign = Campaign::new(wrong, Inputs::Random { count: 2000, seed: 1, stall: 35 }).unwrap();
        assert!(first_failing(&campaign).is_some(), "{path} {fault}");
    }
}

/// While no status is taken, a frame passes and the next one waits, and nothing is lost.
#[test]
fn a_frame_waits_for_the_status_of_the_one_before() {
    for (role, lanes) in [(Role::Decoder, 1), (VALIDATOR, 4)] {
        let core = core(with_status(System::Utf8, role, lanes));
        let mut rig = Rig::new(EngineKind::Native, &core);
        rig.ports.take(&mut rig.inputs, true);
        rig.ports.take_status(&mut rig.inputs, false);
        rig.ports.offer(&mut rig.inputs, &Beat { items: vec![0x41_u32.into()], last: true }, 0);
        let (mut taken, mut ends) = (0, 0);
        for cycle in 0..400 {
            rig.ports.take_status(&mut rig.inputs, cycle >= 200);
            if cycle >= 250 {
                rig.ports.offer_nothing(&mut rig.inputs, 0);
            }
            rig.cycle();
            taken += u32::from(cycle < 250 && rig.ports.takes(&rig.outputs));
            ends += u32::from(rig.ports.offers(&rig.outputs) && rig.ports.last(&rig.outputs));
            if cycle == 199 {
                assert_eq!(ends, 1, "{role}: the second frame waits");
            }
        }
        assert_eq!(ends, taken, "{role}");
        assert!(taken > 50, "{taken}");
    }
}

#[test]
fn outputs_come_from_registers_and_the_name_says_that_there_is_a_status() {
    for spec in cores() {
        let core = core(spec);
        assert_eq!(stream::combinational(&core), Ok(Vec::new()), "{spec}");
        let port = core.design.top.ports().iter().find(|port| port.name == "status_tdata");
        assert_eq!(port.map(|port| port.width), Some(STATUS_BITS), "{spec}");
    }
    let spec = with_status(System::Utf8, Role::Decoder, 1);
    assert_eq!(spec.module_name(), "utf_8_decoder_x1_status");
    assert_eq!(spec.in_short(), "utf-8 decoder --status");
    assert!(core(spec).command().ends_with("--axis lane --status"));
}
