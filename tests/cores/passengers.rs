//! TID, TDEST and the user's bits of TUSER: they come out with their frame, whatever core, ports and stalls.

use crate::common::campaigns::{first_failing, run_well};
use crate::common::hardware::{NATIVE, Rig, Verdicts, core, cosim, run, verdict};
use crate::common::samples::{is_all, one_in};
use utfhdl::campaign::{Campaign, Inputs};
use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::engines::EngineKind;
use utfhdl::promise::Beat;
use utfhdl::prove::stream;
use utfhdl_codec::Slot;
use utfhdl_hdl::core::{
    Axis, ByteOrder, Core, CoreSpec, DEFAULT_DIGITS, ErrorMode, Max, Packing, Passengers, Role, System,
    Verdict,
};
use utfhdl_hdl::netlist::Fault;

const ALL: Passengers = Passengers { tid: 5, tdest: 3, tuser: 7 };
const UTF_9: System = System::Utf9 { max: Max::Unicode };

/// Cores of every kind: roles, lanes, ports, packing and treatment of errors.
fn cores() -> Vec<CoreSpec> {
    let digits = DEFAULT_DIGITS;
    let of = |system, role, lanes| CoreSpec { lanes, passengers: ALL, ..CoreSpec::new(system, role) };
    let drop = |spec| CoreSpec { on_error: ErrorMode::Drop, ..spec };
    let strict = |spec| CoreSpec { axis: Axis::Strict, ..spec };
    let dense = |spec| CoreSpec { pack: Packing::Dense, ..spec };
    let words = System::Utf16Octets { order: ByteOrder::Big, bom: true };
    let decoder = |system, lanes| of(system, Role::Decoder, lanes);
    let encoder = |system, lanes| of(system, Role::Encoder, lanes);
    let transcoder = |from, to, lanes| of(from, Role::Transcoder { to }, lanes);
    vec![
        decoder(System::Utf8, 1),
        drop(decoder(System::Utf8, 1)),
        strict(decoder(UTF_9, 1)),
        decoder(System::UtfInf8 { digits }, 1),
        decoder(System::CorrectedUtf8 { document: true, private: false }, 1),
        decoder(words, 1),
        drop(decoder(System::Utf8, 4)),
        strict(decoder(System::Utf8, 2)),
        dense(decoder(System::Utf8, 8)),
        decoder(System::Latin1, 2),
        encoder(System::Utf8, 1),
        drop(encoder(System::Ascii, 1)),
        strict(encoder(UTF_9, 1)),
        encoder(System::UtfInf8 { digits }, 1),
        encoder(System::Utf8, 4),
        strict(drop(encoder(System::Utf16, 2))),
        encoder(System::UtfInf8 { digits }, 2),
        transcoder(System::Utf8, UTF_9, 1),
        drop(transcoder(System::Utf8, System::Ascii, 1)),
        strict(transcoder(System::Utf8, UTF_9, 4)),
        transcoder(System::Utf16, System::Utf8, 2),
        of(System::Utf8, Role::Validator(Verdict::default()), 1),
        strict(of(UTF_9, Role::Validator(Verdict { kinds: true, ..Verdict::default() }), 1)),
    ]
}

/// Frames of any length, empty ones included; a sink that hardly takes anything, so that frames pile up in the core.
#[test]
fn they_come_out_with_their_frames() {
    let mut verdicts = Verdicts::default();
    let short = Framing::Lengths((0..1200).map(|frame| frame % 3).collect());
    for spec in cores() {
        for (framing, source, sink) in [
            (Framing::Random, 0, 0),
            (Framing::Random, 40, 40),
            (short.clone(), 0, 90),
            (short.clone(), 60, 0),
        ] {
            let source_of = Source::Random { count: 1200 };
            let stalls = Stalls { source, sink };
            let cosim = Cosim { core: core(spec), source: source_of, framing, stalls, resets: 0, seed: 5 };
            let least = if cosim.framing == short { 500 } else { 0 };
            let report = verdicts.run(&cosim, NATIVE);
            verdicts
                .hold(report.is_some_and(|report| report.frames > least), || format!("{spec}: few frames"));
        }
    }
    verdicts.finish();
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn they_come_out_in_every_engine() {
    let mut verdicts = Verdicts::default();
    for spec in one_in(8, is_all("UTFHDL_VERILOG"), cores()) {
        verdicts
            .run(&cosim(core(spec), Source::Random { count: 2000 }, Framing::Random, 40), EngineKind::ALL);
    }
    verdicts.finish();
}

/// A frame that is all errors, which are dropped, or empty, still carries them; one passenger alone is there as well as all.
#[test]
fn frames_without_items_carry_them() {
    let drops = CoreSpec { on_error: ErrorMode::Drop, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    for passengers in [
        Passengers { tid: 32, ..Passengers::default() },
        Passengers { tdest: 32, ..Passengers::default() },
        Passengers { tuser: 64, ..Passengers::default() },
        Passengers { tid: 1, tdest: 1, tuser: 1 },
    ] {
        for lanes in [1, 4] {
            let core = core(CoreSpec { lanes, passengers, ..drops });
            let errors = Source::Given(vec![0x80_u32.into(); 60]);
            let report =
                run(&cosim(core.clone(), errors, Framing::Lengths(vec![1, 0, 9, 0, 50]), 30), NATIVE);
            assert_eq!((report.frames, report.given), (5, 0));
            run(&cosim(core, Source::Random { count: 3000 }, Framing::Random, 30), NATIVE);
        }
    }
}

/// Every frame of one beat that a core takes while its output is not taken has room in the FIFOs. That holds at the most
/// for as many frames as the latency has cycles, and eight.
#[test]
fn a_core_holds_no_more_frames_than_there_is_room_for() {
    let of_each = CoreSpec::all()
        .into_iter()
        .chain(CoreSpec::validators())
        .filter(|spec| spec.reset == Default::default())
        .step_by(3);
    let of_several = CoreSpec::of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4).step_by(5);
    let encoders =
        CoreSpec::encoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 4).step_by(5);
    let transcoders = CoreSpec::transcoders()
        .into_iter()
        .step_by(97)
        .chain(CoreSpec::transcoders_of_several_lanes().into_iter().step_by(307));
    let mut most = 0;
    for spec in of_each.chain(of_several).chain(encoders).chain(transcoders.filter(|spec| spec.lanes <= 8)) {
        let core = core(spec);
        let item = if spec.role == Role::Encoder { Slot::CodePoint(0x41).into() } else { 0_u32.into() };
        for beat in [Beat { items: vec![], last: true }, Beat { items: vec![item], last: true }] {
            let mut rig = Rig::new(EngineKind::Native, &core);
            rig.ports.take(&mut rig.inputs, false);
            rig.ports.offer(&mut rig.inputs, &beat, 0x5a5a);
            let mut frames = 0;
            for _ in 0..4 * core.latency + 40 {
                rig.cycle();
                frames += u32::from(rig.ports.takes(&rig.outputs));
            }
            assert!(frames <= core.latency + 8, "{spec} of latency {} holds {frames} frames", core.latency);
            most = most.max(frames.saturating_sub(core.latency));
        }
    }
    // The margin is needed, and is not used up.
    assert!((1..=6).contains(&most), "{most} frames more than the latency");
}

#[test]
fn campaigns_compare_them() {
    for spec in cores().into_iter().filter(|spec| spec.lanes <= 4) {
        for stall in [0, 35] {
            run_well(&core(spec), Inputs::Random { count: 1000, seed: 1, stall });
        }
    }
}

/// Faults in the layer are found by co-simulation and by campaigns.
#[test]
fn mistakes_are_found() {
    for (lanes, role) in [(1, Role::Decoder), (1, Role::Encoder), (2, Role::Decoder), (2, Role::Encoder)] {
        let right = core(CoreSpec { lanes, passengers: ALL, ..CoreSpec::new(System::Utf8, role) });
        for (path, fault, port) in [
            ("output_user_reg", Fault::Inverted, "m_axis_tuser"),
            ("output_ends_next", Fault::StuckAtOne, "m_axis_tuser"),
            ("output_ends_next", Fault::StuckAtZero, "m_axis_tuser"),
            ("user_fifo.entry_0_reg", Fault::ShiftedLeft, "m_axis_tuser"),
            ("frame_fifo.entry_0_reg", Fault::ShiftedLeft, "m_axis_tid"),
            ("frame_begins", Fault::StuckAtZero, "m_axis_tid"),
            ("frame_given", Fault::StuckAtZero, "m_axis_tid"),
        ] {
            let design = fault.inject(&right.design, path).unwrap();
            let wrong = Core { design, ..right.clone() };
            let cosim = cosim(wrong.clone(), Source::Random { count: 2000 }, Framing::Random, 30);
            let failure = verdict(&cosim, NATIVE).expect_err(path);
            assert_eq!(failure.port, port, "{path}: {failure}");
            let campaign = Campaign::new(wrong, Inputs::Random { count: 2000, seed: 1, stall: 35 }).unwrap();
            assert!(first_failing(&campaign).is_some(), "{path} {fault}");
        }
    }
}

#[test]
fn outputs_come_from_registers_and_ports_have_the_bits_of_the_contract() {
    for spec in cores() {
        let core = core(spec);
        assert_eq!(stream::combinational(&core), Ok(Vec::new()), "{spec}");
        let width = |name: &str| {
            let port = core.design.top.ports().iter().find(|port| port.name == name);
            port.map_or(0, |port| port.width)
        };
        assert_eq!(["s_axis_tid", "m_axis_tid", "s_axis_tdest", "m_axis_tdest"].map(width), [5, 5, 3, 3]);
        let [of_slots, of_units] = [4 * spec.lanes, 1];
        let own = match spec.role {
            Role::Decoder => [0, of_slots],
            Role::Encoder => [of_slots, of_units],
            Role::Transcoder { .. } => [0, of_units],
            Role::Validator(verdict) => [0, if verdict.kinds { 8 } else { 2 }],
        };
        for (side, own) in ["s_axis", "m_axis"].into_iter().zip(own) {
            let bytes = width(&format!("{side}_tdata")).div_ceil(8);
            let due = match spec.axis {
                Axis::Lane => own + 7,
                Axis::Strict => (own + 7).next_multiple_of(bytes),
            };
            assert_eq!(width(&format!("{side}_tuser")), due, "{spec}");
        }
    }
}

#[test]
fn names_commands_and_limits() {
    let spec = CoreSpec { passengers: Passengers { tid: 4, tdest: 0, tuser: 2 }, ..cores()[0] };
    assert_eq!(spec.module_name(), "utf_8_decoder_x1_tid_4_tuser_2");
    assert_eq!(spec.in_short(), "utf-8 decoder --tid 4 --tuser 2");
    assert!(core(spec).command().ends_with("--axis lane --tid 4 --tuser 2"));
    for (passengers, says) in [
        (Passengers { tid: 33, ..ALL }, "--tid 33 is too wide: it can be 1 to 32 bits"),
        (Passengers { tdest: 40, ..ALL }, "--tdest 40 is too wide: it can be 1 to 32 bits"),
        (Passengers { tuser: 65, ..ALL }, "--tuser 65 is too wide: it can be 1 to 64 bits"),
    ] {
        let error = Core::new(CoreSpec { passengers, ..spec }).expect_err(says);
        assert_eq!(error.to_string(), says);
    }
}
