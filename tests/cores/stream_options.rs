//! Beats of several streams in any order, where cores have options with a state of their own: places of slots, a status, and credits.

use super::streams::{Sent, decoder, validator, watch, wide_decoder};
use crate::common::campaigns::run_well;
use crate::common::hardware::{NATIVE, Verdicts, core, cosim, verdict};
use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Cosim, Framing, Source, Stalls};
use utfhdl::promise::Ports;
use utfhdl::prove::stream;
use utfhdl::unknown_start::before_reset;
use utfhdl_hdl::core::{
    Axis, Bus, Core, CoreSpec, ErrorMode, Passengers, Registers, Role, Stall, Storage, System, Verdict,
};
use utfhdl_hdl::netlist::{Fault, ResetStyle};
use utfhdl_sim::Layout;

const CREDIT: Stall = Stall::Credit(Storage::Ram);

fn with_status(spec: CoreSpec) -> CoreSpec {
    CoreSpec { status: true, ..spec }
}

fn with_places(spec: CoreSpec) -> CoreSpec {
    CoreSpec { position: 11, line: 5, column: 7, ..spec }
}

/// Cores of all kinds with these options: lanes, ports, resets, errors and numbers of streams.
fn cores() -> Vec<CoreSpec> {
    let passengers = Passengers { tid: 7, tdest: 2, tuser: 3 };
    let marks = Role::Validator(Verdict { kinds: true, start: true, newline: true });
    let utf_8 = decoder(System::Utf8, 4);
    let four = wide_decoder(System::Utf8, 4, 8);
    vec![
        with_places(utf_8),
        CoreSpec { on_error: ErrorMode::Drop, axis: Axis::Strict, passengers, ..with_places(utf_8) },
        CoreSpec { position: 3, bus: Bus::Short, reset: ResetStyle::AsyncLow, ..decoder(System::Utf16, 64) },
        with_places(CoreSpec { stall: CREDIT, ..four }),
        CoreSpec { on_error: ErrorMode::Drop, reset: ResetStyle::SyncLow, ..with_places(four) },
        CoreSpec { position: 9, ..wide_decoder(System::Utf8SixtyFiveBit, 2, 2) },
        CoreSpec { stall: CREDIT, passengers, ..wide_decoder(System::Utf8, 16, 8) },
        CoreSpec { stall: Stall::Credit(Storage::Registers), ..validator(System::Utf8, 8, 32) },
        CoreSpec { stall: CREDIT, role: marks, passengers, ..validator(System::Utf16, 2, 2) },
        with_status(utf_8),
        with_status(CoreSpec { on_error: ErrorMode::Drop, passengers, ..with_places(utf_8) }),
        with_status(CoreSpec { role: marks, reset: ResetStyle::AsyncHigh, ..validator(System::Utf8, 1, 32) }),
        with_status(validator(System::Latin1, 1, 8)),
        with_status(CoreSpec { axis: Axis::Strict, passengers, ..four }),
        with_status(validator(System::Utf18, 8, 4)),
        CoreSpec { registers: Registers::AxiLite, ..with_status(validator(System::Utf8, 4, 4)) },
    ]
}

#[test]
fn frames_of_every_system_have_places_and_a_status() {
    let mut verdicts = Verdicts::default();
    let mut tried = [0; 3];
    for (index, system) in System::variants().enumerate() {
        for (at, lanes) in [1, [2, 4, 8][index % 3]].into_iter().enumerate() {
            let drops = index % 2 == at;
            let on_error = if drops { ErrorMode::Drop } else { ErrorMode::Flag };
            let plain = CoreSpec { on_error, ..wide_decoder(system, lanes, 4) };
            let of_validator = with_status(validator(system, lanes, 4));
            let specs = [with_places(plain), with_status(plain), of_validator];
            for (spec, tried) in specs.into_iter().zip(&mut tried) {
                let Ok(core) = Core::new(spec) else { continue };
                *tried += 1;
                verdicts.run(&cosim(core, Source::Random { count: 500 }, Framing::Random, 30), NATIVE);
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried > 25), "{tried:?} cores");
    verdicts.finish();
}

#[test]
fn ports_resets_stalls_and_campaigns() {
    let mut verdicts = Verdicts::default();
    for spec in cores() {
        for (resets, source, sink) in [(0, 0, 60), (1, 20, 20)] {
            let (framing, stalls) = (Framing::Random, Stalls { source, sink });
            let source = Source::Random { count: 1500 };
            verdicts.run(&Cosim { core: core(spec), source, framing, stalls, resets, seed: 3 }, NATIVE);
        }
    }
    for spec in cores().into_iter().step_by(3) {
        run_well(&core(spec), Inputs::Random { count: 500, seed: 2, stall: 20 });
    }
    verdicts.finish();
}

/// The states that are in memories before a reset reach no port, in decoders that drop errors either: there, no unit confirms that a sequence is whole.
#[test]
fn nothing_from_before_a_reset_reaches_a_port() {
    let drop = |system| CoreSpec { on_error: ErrorMode::Drop, ..decoder(system, 8) };
    let specs =
        [drop(System::Mutf8), drop(System::Utf8), drop(System::Utf16), decoder(System::Utf8EightByte, 8)];
    let specs = specs.into_iter().chain(cores().into_iter().filter(|spec| spec.lanes <= 4));
    let mut verdicts = Verdicts::default();
    for (spec, seed) in [System::Utf8, System::Mutf8]
        .map(drop)
        .into_iter()
        .flat_map(|spec| [1, 2, 3].map(|seed| (spec, seed)))
    {
        // A unit waits in the first stage, since the output does, and a reset of one cycle follows.
        let (framing, stalls) = (Framing::Random, Stalls { source: 0, sink: 60 });
        let source = Source::Random { count: 5000 };
        verdicts.run(&Cosim { core: core(spec), source, framing, stalls, resets: 8, seed }, NATIVE);
    }
    verdicts.finish();
    let wrong: Vec<String> = specs.filter_map(|spec| before_reset(&core(spec), 18)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn outputs_come_from_registers() {
    for spec in cores().into_iter().filter(|spec| spec.streams <= 8 && !spec.registers.is_there()) {
        assert_eq!(stream::combinational(&core(spec)), Ok(Vec::new()), "{spec}");
    }
}

/// Frames of streams 1 and 2, unit by unit: E2 82 AC is U+20AC, which is three octets in UTF-8, one unit in UTF-16. In stream 2, FF after 41 is an error at offset 1.
#[test]
fn a_status_says_of_which_stream_it_is() {
    let beats: [Sent; 6] = [
        (1, &[0xe2], false),
        (2, &[0x41], false),
        (1, &[0x82], false),
        (2, &[0xff], true),
        (1, &[0xac], true),
        (3, &[], true),
    ];
    for lanes in [1, 4] {
        let core = core(with_status(validator(System::Utf8, lanes, 4)));
        let (ports, layout) = (Ports::new(&core), Layout::new(&core.design));
        let tid = layout.output("status_tid").expect("the stream of a status");
        let mut found = Vec::new();
        watch(&core, &beats, &mut |outputs| {
            found.extend(ports.status_fields(outputs).map(|fields| (tid.get(outputs), fields)));
        });
        let of_stream_2 = vec![1, 6, 0, 1, 2, 1, 1, 4, 2, 2];
        // ill_formed, kind, saturated, error_offset, units, code_points, errors, and the units in UTF-8, UTF-16 and UTF-32.
        let of_stream_1 = vec![0, 0, 0, 0, 3, 1, 0, 3, 1, 1];
        let due = [(2, of_stream_2), (1, of_stream_1), (3, vec![0; 10])];
        assert_eq!(found, due, "{lanes} lanes");
    }
}

/// The slots of two streams, unit by unit, with their positions, lines and columns. In stream 2, 41 cuts C3: two slots in one beat.
#[test]
fn places_are_those_of_the_stream() {
    let beats: [Sent; 8] = [
        (1, &[0x41], false),
        (2, &[0x0a], false),
        (1, &[0x0a], false),
        (2, &[0xc3], false),
        (1, &[0xe2], false),
        (2, &[0x0a], false),
        (2, &[0x42], true),
        (1, &[0x43], true),
    ];
    let due = [
        (1, vec![[0, 0, 0]]),
        (2, vec![[0, 0, 0]]),
        (1, vec![[1, 0, 1]]),
        // The error of C3, and the U+000A after it.
        (2, vec![[1, 1, 0], [2, 1, 1]]),
        (2, vec![[3, 2, 0]]),
        // The error of E2 begins the second line.
        (1, vec![[2, 1, 0], [3, 1, 1]]),
    ];
    for lanes in [1, 4] {
        let core = core(with_places(wide_decoder(System::Utf8, lanes, 4)));
        let ports = Ports::new(&core);
        let tid = ports.passengers().iter().find(|passenger| passenger.name() == "tid").expect("a TID");
        let mut found = Vec::new();
        watch(&core, &beats, &mut |outputs| {
            let Some(beat) = ports.beat(outputs) else { return };
            let place = |lane: usize| ports.places(outputs, lane).map(|(value, _)| value);
            found.push((tid.value_out(outputs), (0..beat.items.len()).map(place).collect::<Vec<_>>()));
        });
        assert_eq!(found, due, "{lanes} lanes");
    }
}

#[test]
fn mistakes_are_found() {
    let places = with_places(decoder(System::Utf8, 4));
    let wide = with_places(wide_decoder(System::Utf8, 4, 4));
    let status = with_status(validator(System::Utf8, 4, 4));
    let credit = CoreSpec { stall: CREDIT, ..wide_decoder(System::Utf8, 4, 4) };
    let of_observer = "codec.observer.pipeline.tally";
    for (spec, path) in [
        (places, "codec.states_of_stage_2.read_address".to_owned()),
        (places, "codec.pipeline.unit_is_after_reg".to_owned()),
        (wide, "codec.pipeline.end_of_beat".to_owned()),
        (status, format!("{of_observer}.counters_of_streams.write_address")),
        (status, format!("{of_observer}.counters.read_tid_reg")),
        (credit, "codec.pipeline.credits.sweeps".to_owned()),
    ] {
        let right = core(spec);
        let design = Fault::StuckAtZero.inject(&right.design, &path);
        let Ok(design) = design else { panic!("{spec}: {path}: {}", design.unwrap_err()) };
        let wrong = Core { design, ..right };
        let cosim = cosim(wrong, Source::Random { count: 4000 }, Framing::Random, 20);
        verdict(&Cosim { resets: 1, ..cosim }, NATIVE).expect_err(&format!("{spec}: {path}"));
    }
}
