//! Proofs of the cores by Yosys and abc, and faults that each of them has to find.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use utfhdl::fault::SignalFault;
use utfhdl::prove::adapters;
use utfhdl::prove::bench::aiger;
use utfhdl::prove::checker::Checker;
use utfhdl::prove::emitted::{self, Cells, Form, ambiguous};
use utfhdl::prove::fingerprint::fingerprint;
use utfhdl::prove::program::Limits;
use utfhdl::prove::property::{Problem, Property, problems};
use utfhdl::prove::stream;
use utfhdl::prove::verdict::Verdict;
use utfhdl_certificate::{Circuit, Part, check};
use utfhdl_hdl::core::adapters::{Adapter, AdapterKind, AdapterSpec};
use utfhdl_hdl::core::{self, Core, CoreSpec, ErrorMode, Max, Passengers, Role, System};
use utfhdl_hdl::netlist::{Builder, Design, Fault, ResetStyle};

use crate::common::command::{in_shell, json};

use crate::common::samples::{is_all, one_in};

pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

pub(super) fn limits() -> Limits<'static> {
    Limits { time: Duration::from_secs(600), stop: &NEVER }
}

pub(super) fn core(spec: CoreSpec) -> Core {
    Core::new(spec).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn utf_8_decoder() -> CoreSpec {
    CoreSpec::new(System::Utf8, Role::Decoder)
}

/// A decoder with TID and with bits of the user's in TUSER.
fn with_status() -> CoreSpec {
    CoreSpec { status: true, ..utf_8_decoder() }
}

fn with_passengers() -> CoreSpec {
    CoreSpec { passengers: Passengers { tid: 2, tdest: 0, tuser: 2 }, ..utf_8_decoder() }
}

pub(super) fn faulty(spec: CoreSpec, fault: &str) -> Core {
    let fault: SignalFault = fault.parse().expect("a fault");
    fault.inject(&core(spec)).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether a longer run was asked for.
pub(super) fn takes_all() -> bool {
    is_all("UTFHDL_PROVE")
}

/// Works through a list on two threads.
pub(super) fn in_parallel<T: Sync>(list: &[T], work: impl Fn(&T) + Sync) {
    let next = Mutex::new(list.iter());
    let take = || next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(item) = take() {
                    work(item);
                }
            });
        }
    });
}

/// Compares the Verilog of cores with their netlists, some at a time.
fn emitted_of(specs: &[CoreSpec]) {
    assert!(!specs.is_empty());
    in_parallel(&specs.chunks(12).collect::<Vec<_>>(), |specs| {
        let cores: Vec<Core> = specs.iter().map(|spec| core(*spec)).collect();
        let verdicts = emitted::prove(&cores, &Form::Text, limits()).expect("the tools run");
        assert_eq!(verdicts.len(), cores.len());
        for (core, verdict) in cores.iter().zip(verdicts) {
            assert!(matches!(verdict, Verdict::Proved { .. }), "{}: {verdict:?}", core.spec);
        }
    });
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn what_is_emitted_of_cores_of_one_lane_is_the_netlist() {
    emitted_of(&one_in(16, takes_all(), CoreSpec::all().into_iter().chain(CoreSpec::strict())));
}

/// A few of the transcoders, from and to many systems.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn what_is_emitted_of_transcoders_is_the_netlist() {
    emitted_of(&one_in(400, takes_all(), CoreSpec::transcoders()));
}

/// The cores of several lanes are those of few lanes, of systems with different designs.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn what_is_emitted_of_cores_of_several_lanes_is_the_netlist() {
    let in_sample = |spec: &CoreSpec| {
        let is_usual =
            matches!(spec.system, System::Utf8 | System::Utf9 { .. } | System::Utf18 | System::Utf16);
        spec.on_error == ErrorMode::Flag && is_usual && spec.lanes <= 4
    };
    let specs = CoreSpec::of_several_lanes().into_iter().filter(|spec| takes_all() || in_sample(spec));
    emitted_of(&one_in(2, takes_all(), specs));
}

/// Text of a core with a fault is not that of the core, and what differs is named.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn verilog_that_does_something_else_is_found() {
    for (fault, differs) in [
        ("stuck-at-0@low_only", "low_only_reg"),
        ("inverted@output_skid.load", "output_skid.valid_reg"),
        ("stuck-at-1@slot_last_reg", "output_skid.payload_reg[25]"),
        ("shifted@output_data", "m_axis_tdata[1]"),
    ] {
        let text = faulty(utf_8_decoder(), fault).verilog();
        let verdicts = emitted::prove_texts(&[core(utf_8_decoder())], &[text], &Form::Text, limits())
            .expect("the tools run");
        let [Verdict::Differs { how }] = &verdicts[..] else { panic!("{fault}: {verdicts:?}") };
        assert!(how.contains(differs), "{fault}: {how}");
    }
}

/// Whether docs/proved.json has a proof of this property of this netlist, all of it: then `tools/prove` has done it. The test `proved` says
/// which netlists have changed since.
pub(super) fn is_recorded(core: &Core, property: Property) -> bool {
    static ROWS: LazyLock<Value> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proved.json");
        json(&fs::read_to_string(path).expect("there is a record"))
    });
    let netlist = fingerprint(core).expect("it is small");
    let is_proof = |row: &Value| {
        row["netlist"] == *netlist && row["property"] == property.name() && row["proved"] == row["rules"]
    };
    !takes_all() && ROWS.as_array().expect("rows").iter().any(is_proof)
}

pub(super) fn verdict(core: &Core, property: Property, name: &str, seconds: u64) -> Verdict {
    let problems = problems(core, property);
    let problem = problems.iter().find(|problem| problem.name == name);
    let problem = problem.unwrap_or_else(|| panic!("{}: there is no {name}", core.spec));
    let file = aiger(&problem.design, problem.start).expect("it is small");
    let limits = Limits { time: Duration::from_secs(seconds), stop: &NEVER };
    Checker::Abc.check(&file, problem.merging, limits).expect("abc runs")
}

/// Rules that take abc minutes are left to `UTFHDL_PROVE=all`: of encoders of long sequences and of `utf-inf-8`, those that count.
fn takes_minutes(spec: &CoreSpec, rule: &str) -> bool {
    let is_short = matches!(
        spec.system,
        System::Utf8
            | System::Utf9 { .. }
            | System::Utf18
            | System::Utf32 { max: Max::Unicode }
            | System::Latin1
            | System::Ascii
    );
    let is_unbounded = matches!(
        spec.system,
        System::UtfInf8 { .. } | System::CorrectedUtf8 { document: true, private: false }
    );
    match rule {
        "comes-out" | "nothing-left" | "slots-of-units" => {
            is_unbounded || spec.role == Role::Encoder && !is_short
        }
        "takes" | "full-rate" => is_unbounded,
        _ => false,
    }
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn the_handshake_of_cores_of_one_lane_is_proved() {
    // Systems that are made in ways of their own: the others differ in little.
    let sample = [System::Utf9 { max: Max::Ucs4 }, System::Utf18, System::hunk(4)];
    let in_sample = |spec: &CoreSpec| {
        spec.system == System::Utf8 && spec.reset == ResetStyle::SyncHigh
            || sample.contains(&spec.system) && spec.on_error == spec.role.on_error()[0]
            || spec.system == (System::CorrectedUtf8 { document: false, private: false })
                && spec.role == Role::Decoder
    };
    let specs: Vec<CoreSpec> = CoreSpec::all()
        .into_iter()
        .filter(|spec| takes_all() || in_sample(spec))
        .chain([with_passengers()])
        .filter(|spec| !is_recorded(&core(*spec), Property::Stream))
        .collect();
    let specs = one_in(3, takes_all(), specs);
    let count = std::sync::atomic::AtomicUsize::new(0);
    in_parallel(&specs, |spec| {
        let core = core(*spec);
        assert_eq!(stream::combinational(&core), Ok(Vec::new()), "{spec}");
        for problem in problems(&core, Property::Stream) {
            if takes_all() || !takes_minutes(spec, problem.name) {
                let verdict = verdict(&core, Property::Stream, problem.name, 600);
                assert!(matches!(verdict, Verdict::Proved { .. }), "{spec}: {}: {verdict:?}", problem.name);
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    assert!(count.into_inner() > 8 * specs.len());
}

/// Cores of all systems and of 1 to 16 lanes take or write a beat in every cycle, and keep what they offer.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn the_rate_of_cores_of_up_to_16_lanes_is_proved() {
    let several = CoreSpec::of_several_lanes().into_iter().chain(CoreSpec::validators_of_several_lanes());
    let several = several.filter(|spec| spec.lanes <= 16);
    let of_one = CoreSpec::all().into_iter().chain(CoreSpec::validators());
    // For an encoder with headers of any length, abc has no answer in 25 s.
    let is_bounded =
        |spec: &CoreSpec| spec.role != Role::Encoder || !matches!(spec.system, System::UtfInf8 { .. });
    let specs = one_in(50, takes_all(), of_one.filter(is_bounded).chain(several));
    let count = std::sync::atomic::AtomicUsize::new(0);
    in_parallel(&specs, |spec| {
        let core = core(*spec);
        let problems = problems(&core, Property::Stream);
        for problem in problems.iter().filter(|problem| stream::HANDSHAKE.contains(&problem.name)) {
            let file = aiger(&problem.design, problem.start).expect("it is small");
            let verdict = Checker::Abc.check(&file, problem.merging, limits()).expect("abc runs");
            assert!(matches!(verdict, Verdict::Proved { .. }), "{spec}: {}: {verdict:?}", problem.name);
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(count.into_inner() > 2 * specs.len());
}

/// For each rule, a fault that breaks it.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn faults_of_the_handshake_are_found() {
    let one_lane = utf_8_decoder();
    let two_lanes = CoreSpec { lanes: 2, ..one_lane };
    let encoder = CoreSpec::new(System::Utf8, Role::Encoder);
    let faults = [
        (one_lane, "stays-offered", "stuck-at-1@output_skid.load"),
        (one_lane, "stable", "stuck-at-1@output_skid.load"),
        (with_passengers(), "stable", "stuck-at-1@frame_given"),
        (with_passengers(), "stable", "stuck-at-1@output_loads"),
        (one_lane, "no-empty-beat", "stuck-at-0@slot_keep_reg"),
        (two_lanes, "contiguous", "stuck-at-0@output_keep_0"),
        (one_lane, "unused-zero", "stuck-at-0@slot_keep_reg"),
        (one_lane, "legal", "stuck-at-1@slot_user_reg"),
        (one_lane, "quiet-in-reset", "stuck-at-1@output_valid"),
        (one_lane, "slots-of-units", "stuck-at-1@slot_valid_reg"),
        (one_lane, "tlast-of-a-frame", "stuck-at-1@slot_last_reg"),
        (one_lane, "comes-out", "stuck-at-0@slot_last_reg"),
        (one_lane, "nothing-left", "stuck-at-1@slot_valid_reg"),
        (encoder, "takes", "stuck-at-0@slot_ready_reg"),
        (one_lane, "full-rate", "stuck-at-0@output_ready"),
        (two_lanes, "full-rate", "stuck-at-0@pace.takes_reg"),
        (encoder, "full-rate", "stuck-at-0@slot_ready_reg"),
        (with_status(), "status-stable", "stuck-at-0@observer.tally.status_waits"),
        (with_status(), "status-of-a-frame", "stuck-at-1@observer.tally.frame_ends"),
        (with_status(), "status-in-time", "stuck-at-1@gate_opens"),
    ];
    for (spec, rule, fault) in faults {
        let verdict = verdict(&faulty(spec, fault), Property::Stream, rule, 100);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{rule}, {fault}: {verdict:?}");
    }
    let mut tried: Vec<&str> = faults.iter().map(|(_, rule, _)| *rule).collect();
    tried.dedup();
    assert_eq!(tried, stream::RULES.iter().map(|rule| rule.name).collect::<Vec<_>>());
}

/// A wire from the sink's ready to the source's is a path.
#[test]
fn a_combinational_path_is_found() {
    let good = core(utf_8_decoder());
    assert_eq!(stream::combinational(&good), Ok(Vec::new()));
    let m = Builder::new("wired", "A core whose input is taken where its output is.");
    let inner = m.instance("inner", &good.design.top);
    for port in good.design.top.inputs() {
        inner.input(&port.name, m.input(&port.name, port.width, ""));
    }
    for port in good.design.top.outputs() {
        let output = inner.output(&port.name);
        m.output(&port.name, output, "");
    }
    let valid = inner.output("m_axis_tvalid");
    let ready = m.input("other_ready", 1, "");
    m.output("taken", valid & ready, "");
    let wired = Core { design: Design { top: m.built(), reset: good.design.reset }, ..good };
    assert_eq!(stream::combinational(&wired), Ok(vec!["taken".to_owned()]));
}

/// Faults that show only where a side stalls.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn decoders_that_stalls_disturb_are_found() {
    for fault in ["stuck-at-1@output_skid.load", "stuck-at-0@output_skid.skid_valid_reg"] {
        let verdict = verdict(&faulty(utf_8_decoder(), fault), Property::Elastic, "elastic", 100);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{fault}: {verdict:?}");
    }
}

/// A validator of one lane, of beats of two streams in any order.
fn of_two_streams() -> CoreSpec {
    let passengers = Passengers { tid: 1, ..Passengers::default() };
    let validator = Role::Validator(core::Verdict::default());
    CoreSpec { streams: 2, passengers, ..CoreSpec::new(System::Utf8, validator) }
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn streams_do_not_change_one_another() {
    let right = core(of_two_streams());
    assert_eq!(Property::of(&right), [Property::Emitted, Property::Stream, Property::Apart]);
    let proved = verdict(&right, Property::Apart, "apart", 100);
    assert!(matches!(proved, Verdict::Proved { .. }), "{proved:?}");
    // The state of another stream is read, or written.
    for path in ["tid_1_reg", "states_of_stage_1.read_address", "states_of_stage_1.write_address"] {
        let fault = format!("stuck-at-0@codec.{path}");
        let verdict = verdict(&faulty(of_two_streams(), &fault), Property::Apart, "apart", 100);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{fault}: {verdict:?}");
    }
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn adapters_keep_the_rules_and_faults_are_found() {
    let problems_of = |kind, lanes, fault: Option<(Fault, &str)>| {
        let spec = AdapterSpec { unit_bits: 1, ..AdapterSpec::new(kind, lanes) };
        let mut adapter = Adapter::new(spec).unwrap();
        if let Some((fault, signal)) = fault {
            adapter.design = fault.inject(&adapter.design, signal).unwrap();
        }
        adapters::problems(&adapter)
    };
    let decide = |problem: &Problem| {
        let file = aiger(&problem.design, problem.start).unwrap();
        Checker::Abc.check(&file, problem.merging, limits()).unwrap()
    };
    let (wider, narrower) = (AdapterKind::Width { to_lanes: 2 }, AdapterKind::Width { to_lanes: 1 });
    for (kind, lanes) in [(wider, 1), (narrower, 2)] {
        // The rule of units takes a checker much longer.
        for problem in problems_of(kind, lanes, None).iter().filter(|problem| problem.name != "units") {
            let verdict = decide(problem);
            assert!(matches!(verdict, Verdict::Proved { .. }), "{kind:?}, {}: {verdict:?}", problem.name);
        }
    }
    for (kind, lanes, fault, signal, rule) in [
        (wider, 1, Fault::StuckAtZero, "completes", "units"),
        (narrower, 2, Fault::Inverted, "lowest", "units"),
        (wider, 1, Fault::StuckAtOne, "output_buffer.load", "stable"),
        (AdapterKind::Compactor, 2, Fault::StuckAtZero, "overflows", "units"),
    ] {
        let problems = problems_of(kind, lanes, Some((fault, signal)));
        let verdict = decide(problems.iter().find(|problem| problem.name == rule).unwrap());
        assert!(matches!(verdict, Verdict::Refuted(_)), "{fault:?} at {signal}: {verdict:?}");
    }
}

/// A sample of cores in the cells of each family of FPGAs, and of a library where it is installed: Debian's package qflow-tech-osu018.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn what_is_synthesised_is_the_netlist() {
    let library = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
    let mapped = |cells: &str| Form::Mapped(cells.parse().expect("there are such cells"));
    let mut forms = vec![mapped("ice40"), mapped("ecp5")];
    if std::path::Path::new(library).is_file() {
        forms.push(mapped(library));
    }
    let resets = CoreSpec { reset: ResetStyle::AsyncLow, ..utf_8_decoder() };
    let sample: Vec<CoreSpec> = if takes_all() {
        CoreSpec::all()
    } else {
        vec![utf_8_decoder(), resets, CoreSpec::new(System::Utf18, Role::Encoder)]
    };
    let cores: Vec<Core> = sample.into_iter().map(core).collect();
    in_parallel(&forms, |form| {
        let verdicts = emitted::prove(&cores, form, limits()).expect("the tools run");
        for (core, verdict) in cores.iter().zip(verdicts) {
            assert!(matches!(verdict, Verdict::Proved { .. }), "{form}: {}: {verdict:?}", core.spec);
        }
    });
}

/// No core has text that `emitted` would not see and that a simulator reads in another way.
#[test]
fn text_means_the_same_to_simulators_and_to_synthesis() {
    let is_sample = |spec: &CoreSpec| matches!(spec.lanes, 2 | 4) && spec.on_error != ErrorMode::Drop;
    let lanes = CoreSpec::of_several_lanes().into_iter().chain(CoreSpec::encoders_of_several_lanes());
    let of_one = CoreSpec::all().into_iter().chain(CoreSpec::validators());
    for spec in of_one.chain(lanes.filter(is_sample)).chain([with_passengers(), with_status()]) {
        assert_eq!(ambiguous(&core(spec).verilog()), [], "{spec}");
    }
}

/// Text of a core with a fault, synthesised, is not the netlist of the core.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn a_netlist_that_does_something_else_is_found() {
    for (cells, fault, differs) in [
        (Cells::Ice40, "inverted@output_skid.load", "output_skid.valid_reg"),
        (Cells::Ecp5, "shifted@output_data", "m_axis_tdata["),
    ] {
        let text = faulty(utf_8_decoder(), fault).verilog();
        let verdicts =
            emitted::prove_texts(&[core(utf_8_decoder())], &[text], &Form::Mapped(cells), limits())
                .expect("the tools run");
        let [Verdict::Differs { how }] = &verdicts[..] else { panic!("{fault}: {verdicts:?}") };
        assert!(how.contains(differs), "{fault}: {how}");
    }
}

const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// A core in cells of osu018, after the commands `then` of Yosys.
fn cells_of(core: &Core, then: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("core.v"), core.verilog()).unwrap();
    let top = core.design.top.name();
    let keep = format!(
        "read_verilog core.v; hierarchy -top {top}; proc; flatten; opt_clean; setattr -set keep 1 w:*_reg; write_verilog kept.v"
    );
    let map = format!(
        "design -reset; read_verilog kept.v; synth -flatten -top {top}; dfflibmap -liberty {OSU018}; abc -liberty {OSU018}; \
         opt_clean; {then}; rename -hide w:*$*; write_verilog -noattr cells.v"
    );
    let yosys = std::process::Command::new("yosys")
        .args(["-q", "-p", &keep, "-p", &map])
        .current_dir(folder.path())
        .status();
    assert!(yosys.expect("yosys runs").success());
    std::fs::read_to_string(folder.path().join("cells.v")).unwrap()
}

/// Compares cells of osu018 with a core.
fn compared_cells(core: &Core, cells: String) -> Verdict {
    let form = Form::Netlist("cells.v".into(), Cells::Liberty(OSU018.into()));
    emitted::prove_texts(std::slice::from_ref(core), &[cells], &form, limits())
        .expect("the tools run")
        .remove(0)
}

/// A netlist of bits with the names that tools for layouts give them, and the same with another gate.
#[test]
#[ignore = "needs yosys and qflow-tech-osu018: tools/test installs them and runs it"]
fn a_received_netlist_of_cells_is_compared() {
    let core = core(utf_8_decoder());
    // In the netlist of a router, `\output_skid.valid_reg` is called `output_skid_valid_reg`.
    let plain = cells_of(&core, "splitnets -format __").replace("output_skid.", "output_skid_");
    assert!(plain.contains("output_skid_skid_payload_reg_0_"), "{plain}");
    let proved = compared_cells(&core, plain.clone());
    assert!(matches!(proved, Verdict::Proved { .. }), "{proved:?}");
    let other = compared_cells(&core, plain.replacen("NAND2X1", "NOR2X1", 1));
    assert!(matches!(other, Verdict::Differs { .. }), "{other:?}");
}

/// A tool may put a constant in place of what the last lane would tell a next one, which no lane reads.
#[test]
#[ignore = "needs yosys and qflow-tech-osu018: tools/test installs them and runs it"]
fn a_register_that_nothing_reads_may_be_tied_in_a_received_netlist() {
    let core = core(CoreSpec { lanes: 2, ..utf_8_decoder() });
    let cells = cells_of(&core, "opt_clean");
    assert!(!cells.contains("lane_1.first_of_3_4_reg"));
    let tie = "BUFX2 tie (.A(1'b0), .Y(\\lane_1.first_of_3_4_reg ));\nendmodule";
    let verdict = compared_cells(&core, cells.replacen("endmodule", tie, 1));
    assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
}

/// A program that shares nothing with the checkers accepts the certificates, and nothing else.
#[test]
#[ignore = "needs Yosys: tools/test installs it and runs this"]
fn certificates_are_right_and_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let script = "$UTFHDL prove utf-8 decoder stream --certificates c --json";
    let (code, out, err) = in_shell(folder.path(), script);
    assert_eq!((code, err.as_str()), (0, "wrote certificates of 11 proofs to c\n"));
    let rows = json(&out);
    let files = |row: &Value| -> Vec<Circuit> {
        let files = row["certificate"].as_array().map_or(&[][..], Vec::as_slice);
        let path = |file: &Value| folder.path().join(file.as_str().unwrap());
        files.iter().map(|file| Circuit::read(&fs::read(path(file)).unwrap()).unwrap()).collect()
    };
    let certificates: Vec<Vec<Circuit>> = rows.as_array().unwrap().iter().map(files).collect();
    // The graph says that there is no path, without a checker.
    assert!(certificates[0].is_empty());
    for certificate in &certificates[1..] {
        let [problem, invariant] = &certificate[..] else { panic!("two files") };
        assert_eq!(check(problem, invariant), Ok(()));
        let mut other = invariant.clone();
        other.outputs[0] ^= 1;
        assert!(check(problem, &other).is_err());
    }
    // The invariant of one rule is none of a rule about more than it knows.
    let of = |name: &str| {
        let at = rows.as_array().unwrap().iter().position(|row| row["rule"] == name).unwrap();
        &certificates[at]
    };
    let (problem, all_states) = (
        &of("slots-of-units")[0],
        Circuit { outputs: vec![1], ands: vec![], ..of("slots-of-units")[1].clone() },
    );
    assert!(matches!(
        check(problem, &all_states),
        Err(utfhdl_certificate::Fault::Answer { part: Part::Bad, .. })
    ));
}
