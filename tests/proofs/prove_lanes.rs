//! Decoders of several lanes make the slots of the definition of their system, encoders and transcoders the units, and validators the marks: the parts of
//! the proof, and faults that they have to find.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use utfhdl::fault::SignalFault;
use utfhdl::prove::checker::Checker;
use utfhdl::prove::emitted::Form;
use utfhdl::prove::lanes::parts;
use utfhdl::prove::mutants::{Effort, Fate, choose, fault, trial};
use utfhdl::prove::program::Limits;
use utfhdl::prove::property::Property;
use utfhdl::prove::run::{Finding, prove};
use utfhdl::prove::verdict::Verdict;
use utfhdl_hdl::core::{Bus, ByteOrder, Core, CoreSpec, ErrorMode, Max, Role, System, Verdict as Marks};
use utfhdl_hdl::netlist::{Builder, Design, Signal};

use crate::common::samples::{is_all, one_in};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The names of the parts, in their order.
fn parts_of(core: &Core) -> Vec<&'static str> {
    let slots = matches!(core.spec.role, Role::Decoder | Role::Transcoder { .. }).then_some("slots");
    // A decoder counts gaps if some lanes end no slot. Where units are octets of words, the count is a matter of `beats`.
    let counts = core.spec.role == Role::Decoder
        && core.spec.system != System::hunk(1)
        && !matches!(core.spec.system, System::Utf16Octets { .. } | System::Utf32Octets { .. });
    let gaps = counts.then_some("gaps");
    ["pipeline", "pace", "buffer"].into_iter().chain(slots).chain(gaps).chain(["beats"]).collect()
}

fn core(system: System, role: Role, lanes: u32, on_error: ErrorMode) -> Core {
    let spec = CoreSpec { lanes, on_error, ..CoreSpec::new(system, role) };
    Core::new(spec).expect("there is such a core")
}

fn decoder(lanes: u32) -> Core {
    core(System::Utf8, Role::Decoder, lanes, ErrorMode::Flag)
}

fn validator(system: System, lanes: u32) -> Core {
    let marks = Marks { kinds: true, start: true, newline: true };
    core(system, Role::Validator(marks), lanes, ErrorMode::Flag)
}

fn encoder(lanes: u32) -> Core {
    core(System::Utf8, Role::Encoder, lanes, ErrorMode::Replace)
}

fn transcoder(system: System, to: System) -> Core {
    core(system, Role::Transcoder { to }, 2, ErrorMode::Replace)
}

fn findings(core: &Core) -> Vec<Finding> {
    let limits = Limits { time: Duration::from_secs(300), stop: &NEVER };
    let mut findings = Vec::new();
    prove(core, &[Property::Lanes], &Form::Text, &[Checker::Abc], limits, &mut |finding| {
        findings.push(finding)
    })
    .expect("abc runs");
    findings
}

/// The parts that are not proved.
fn amiss(core: &Core) -> Vec<&'static str> {
    let findings = findings(core).into_iter();
    findings.filter(|finding| !matches!(finding.verdict, Verdict::Proved { .. })).map(|f| f.name).collect()
}

/// The latency of each core is made a cycle longer than it is.
#[test]
fn a_wrong_latency_is_found() {
    let cores = [
        decoder(2),
        decoder(8),
        validator(System::Utf8, 4),
        encoder(2),
        transcoder(System::Utf8, System::Utf16),
        core(System::Utf16, Role::Encoder, 8, ErrorMode::Replace),
    ];
    for core in cores {
        assert!(parts(&core).is_ok(), "{}", core.spec);
        let (right, wrong) = (core.latency, core.latency + 1);
        let why = parts(&Core { latency: wrong, ..core }).err();
        let passed = format!("a beat passes {right} registers on its way to the output");
        assert_eq!(why, Some(format!("{passed}, and the latency is {wrong} cycles")));
    }
}

/// A sample of those that the record does not have: cores with a slot before those of a beat, with errors of two slots, and without beats that
/// wait.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn several_lanes_make_the_slots_of_one() {
    let utf_9 = System::Utf9 { max: Max::Unicode };
    let utf_16le = System::Utf16Octets { order: ByteOrder::Little, bom: false };
    let utf_32le = System::Utf32Octets { order: ByteOrder::Little, bom: true, max: Max::Unicode };
    let cores = [
        decoder(2),
        decoder(4),
        core(System::Cesu8, Role::Decoder, 2, ErrorMode::Drop),
        core(utf_9, Role::Decoder, 4, ErrorMode::Flag),
        core(System::hunk(1), Role::Decoder, 2, ErrorMode::Flag),
        core(utf_16le, Role::Decoder, 4, ErrorMode::Flag),
        core(System::Utf8EightByte, Role::Decoder, 2, ErrorMode::Flag),
        core(System::hunk(9), Role::Decoder, 2, ErrorMode::Drop),
        core(System::UtfInf8 { digits: 18 }, Role::Decoder, 2, ErrorMode::Flag),
        validator(System::Utf8, 4),
        validator(utf_9, 2),
        validator(utf_32le, 4),
        encoder(4),
        core(System::Wtf8, Role::Encoder, 2, ErrorMode::Drop),
        core(utf_9, Role::Encoder, 2, ErrorMode::Drop),
        core(utf_16le, Role::Encoder, 2, ErrorMode::Replace),
        core(System::Mutf8, Role::Encoder, 4, ErrorMode::Drop),
        core(System::hunk(1), Role::Encoder, 4, ErrorMode::Replace),
        transcoder(System::Utf8, System::Utf16),
        transcoder(utf_9, System::Utf8),
        transcoder(System::Latin1, System::Utf8),
        transcoder(utf_16le, System::Latin1),
        core(System::Utf8, Role::Transcoder { to: System::Utf8 }, 2, ErrorMode::Drop),
        core(System::Latin1, Role::Transcoder { to: System::Utf8 }, 4, ErrorMode::Replace),
    ];
    for core in one_in(4, is_all("UTFHDL_PROVE"), cores) {
        let findings = findings(&core);
        assert_eq!(findings.iter().map(|finding| finding.name).collect::<Vec<_>>(), parts_of(&core));
        for finding in findings {
            assert!(matches!(finding.verdict, Verdict::Proved { .. }), "{}: {finding:?}", core.spec);
        }
    }
}

/// Each part finds faults, and those that break the pipeline itself leave no parts.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn faults_of_lanes_are_found_by_the_parts_that_they_belong_to() {
    let faults = [
        (decoder(2), "stuck-at-1@output_skid.load", &["buffer"][..]),
        (decoder(2), "stuck-at-0@pace.units_wait_next", &["pace"]),
        (decoder(2), "stuck-at-0@count_is_1_2_reg", &["slots"]),
        (decoder(2), "shifted@s_axis_tdata", &["slots"]),
        (decoder(2), "stuck-at-0@rides_reg", &["beats"]),
        (decoder(2), "stuck-at-0@first_ends_6_reg", &["beats"]),
        (decoder(2), "stuck-at-0@second_holds_reg", &["beats"]),
        (decoder(2), "shifted@s_axis_tkeep", &["slots", "gaps", "beats"]),
        (decoder(8), "inverted@gaps_0_to_2_bit_1_of_group_0", &["gaps"]),
        (decoder(2), "stuck-at-0@flush_reg", &["pipeline"]),
        (
            core(System::Utf8EightByte, Role::Decoder, 2, ErrorMode::Flag),
            "stuck-at-0@lane_0.late_limb_8_reg",
            &["slots"],
        ),
        (
            core(System::Utf8EightByte, Role::Decoder, 2, ErrorMode::Drop),
            "stuck-at-0@lane_1.head_4_reg",
            &["slots"],
        ),
        (validator(System::Utf8, 2), "stuck-at-1@output_skid.load", &["buffer"]),
        (validator(System::Utf8, 2), "stuck-at-0@open_before_reg", &["beats"]),
        (validator(System::Utf8, 2), "stuck-at-0@beat_present_reg", &["beats"]),
        (validator(System::Utf8, 2), "shifted@s_axis_tdata", &["beats"]),
        (validator(System::Utf8, 2), "stuck-at-0@flush_reg", &["pipeline"]),
        (encoder(2), "stuck-at-1@output_buffer.load", &["buffer"]),
        // The stages stop for ever.
        (encoder(2), "stuck-at-1@pace.stays", &["buffer"]),
        (encoder(2), "stuck-at-0@pace.leaves_next", &["pace"]),
        (encoder(2), "stuck-at-1@pace.empty_from_3_next", &["pace"]),
        (encoder(2), "stuck-at-0@goes_on_behind_reg", &["pace"]),
        (encoder(2), "stuck-at-0@left_over_reg", &["beats"]),
        (encoder(2), "stuck-at-0@more_than_2_8_reg", &["pace", "beats"]),
        (encoder(2), "stuck-at-0@lane_1.unit_1_is_lead", &["beats"]),
        (encoder(2), "stuck-at-0@frame_amiss_reg", &["beats"]),
        (encoder(2), "stuck-at-1@lane_0.slot_valid", &["beats"]),
        (encoder(2), "shifted@s_axis_tdata", &["beats"]),
        (encoder(2), "stuck-at-0@flush_3_reg", &["pipeline"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-1@output_buffer.load", &["buffer"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-1@pace.stays", &["buffer"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@pace.leaves_next", &["beats"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-1@pace.empty_from_3_next", &["pace"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@last_is_left", &["beats"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-1@decode.is_present", &["pipeline"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@decode.is_some", &["beats"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@cut_before_6_reg", &["beats"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@rest_last_reg", &["beats"]),
        (transcoder(System::Utf8, System::Utf16), "shifted@s_axis_tdata", &["slots"]),
        (transcoder(System::Utf8, System::Utf16), "stuck-at-0@decode.flush_reg", &["pipeline"]),
        (validator(System::Ascii, 32), "stuck-at-1@pace_1.room_next", &["pace", "buffer"]),
    ];
    for (core, fault, parts) in one_in(4, is_all("UTFHDL_PROVE"), faults) {
        let fault: SignalFault = fault.parse().expect("a fault");
        let core = fault.inject(&core).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(amiss(&core), parts, "{} {fault}", core.spec);
    }
}

fn halves_swapped<'m>(m: &'m Builder, signal: Signal<'m>) -> Signal<'m> {
    let half = signal.width() / 2;
    m.concat([signal.bits(0..half), signal.bits(half..2 * half)])
}

/// A core whose port `name` has its lanes in the wrong order.
fn swapped(core: &Core, name: &str) -> Core {
    let m = Builder::new("swapped", "A core with a port whose lanes are swapped.");
    let inner = m.instance("inner", &core.design.top);
    let is_swapped = |port: &str| port == name;
    for port in core.design.top.inputs() {
        let given = m.input(&port.name, port.width, &port.note);
        inner.input(&port.name, if is_swapped(&port.name) { halves_swapped(&m, given) } else { given });
    }
    for port in core.design.top.outputs() {
        let made = inner.output(&port.name);
        m.output(
            &port.name,
            if is_swapped(&port.name) { halves_swapped(&m, made) } else { made },
            &port.note,
        );
    }
    Core { design: Design { top: m.built(), reset: core.design.reset }, ..core.clone() }
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn lanes_that_are_swapped_are_found() {
    let ports = ["s_axis_tdata", "m_axis_tdata"];
    // A lane of a decoder shows its own slot.
    for (core, parts) in [(decoder(2), ["slots", "pipeline"]), (encoder(2), ["beats"; 2])] {
        assert_eq!(amiss(&swapped(&core, "none")), [""; 0]);
        for (port, part) in ports.into_iter().zip(parts) {
            assert_eq!(amiss(&swapped(&core, port)), [part], "{} {port}", core.spec);
        }
    }
}

/// A mutant of which all parts are proved must pass simulation: a part that assumes too much would hide a failure that simulation shows.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn a_mutant_that_is_proved_behaves_as_the_core_does() {
    let count = if is_all("UTFHDL_PROVE") { 120 } else { 12 };
    let effort = Effort { seed: 3, limits: Limits { time: Duration::from_secs(60), stop: &NEVER } };
    // The proof of an encoder is about code points and errors, without heads and limbs.
    let short = CoreSpec { bus: Bus::Short, ..encoder(2).spec };
    let encoder = Core::new(short).expect("there is such a core");
    for core in [decoder(4), encoder, transcoder(System::Utf8, System::Utf16)] {
        let chosen = choose(&core, count, 11);
        let mut refused = 0;
        for mutant in &chosen {
            let fault = fault(mutant);
            let with_mutant = fault.inject(&core).expect("a mutant of the core");
            // A mutant that is no such pipeline is refused, too.
            if parts(&with_mutant).is_err() || !amiss(&with_mutant).is_empty() {
                refused += 1;
                continue;
            }
            let trial = trial(&core, mutant, effort, &[Checker::Abc]).expect("abc runs");
            let is_noticed = matches!(trial.fate, Fate::Simulation(_) | Fate::Proof(_));
            assert!(!is_noticed, "{fault}: all parts of `lanes` are proved, and {:?} notices it", trial.fate);
        }
        let of = chosen.len();
        assert!(refused > of / 2, "{}: only {refused} of {of} mutants are refused", core.spec);
    }
}
