//! Adapters against their models, with random stalls, and with faults; and the commands about them.

use std::collections::HashSet;

use tempfile::TempDir;
use utfhdl::adapters::{AdapterReport, AdapterRun, RunError};
use utfhdl::cosim::Stalls;
use utfhdl::engines::{EngineKind, Start};
use utfhdl_hdl::core::adapters::{Adapter, AdapterKind, AdapterSpec, Fifo, Whole};
use utfhdl_hdl::netlist::Fault;

use crate::common::command::{in_shell, names};
use crate::common::samples::{is_all, one_in};

fn run(
    adapter: &Adapter,
    kinds: &[EngineKind],
    stalls: (u8, u8),
    beats: u64,
) -> Result<AdapterReport, RunError> {
    let from = if kinds.len() > 1 { Start::Zero } else { Start::Random(5) };
    let start = |kind: &EngineKind| kind.start_design(&adapter.design, || adapter.verilog(), from);
    let mut engines = kinds.iter().map(start).collect::<Result<Vec<_>, _>>()?;
    let stalls = Stalls { source: stalls.0, sink: stalls.1 };
    AdapterRun { adapter: adapter.clone(), beats, seed: 7, stalls }.run(&mut engines)
}

const STALLS: [(u8, u8); 5] = [(0, 0), (30, 30), (0, 70), (70, 0), (3, 10)];

fn agree(specs: Vec<AdapterSpec>, kinds: &[EngineKind], stalls: &[(u8, u8)], beats: u64) {
    for spec in specs {
        let adapter = Adapter::new(spec).unwrap();
        for &stalls in stalls {
            let report = run(&adapter, kinds, stalls, beats);
            let report = report.unwrap_or_else(|error| panic!("{}, {stalls:?}: {error}", spec.in_short()));
            assert!(report.taken > beats / 2 && report.given > beats / 20, "{report:?}");
            let drops = matches!(spec.kind, AdapterKind::Fifo(Fifo { whole: Some(_), .. }));
            assert_eq!(report.dropped > 0, drops, "{}: {report:?}", spec.in_short());
        }
    }
}

#[test]
fn adapters_give_what_the_model_says_whatever_waits() {
    agree(AdapterSpec::sample(), &[EngineKind::Native], &STALLS, 600);
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn some_adapters_are_the_same_in_all_engines() {
    let some = one_in(3, is_all("UTFHDL_VERILOG"), AdapterSpec::sample());
    agree(some, EngineKind::ALL, &[(20, 30)], 300);
}

#[test]
fn faults_of_adapters_are_noticed() {
    let frames = |whole| AdapterKind::Fifo(Fifo { depth: 8, whole: Some(whole), ..Fifo::default() });
    let fifo = AdapterKind::Fifo(Fifo { depth: 8, ..Fifo::default() });
    for (kind, lanes, signal, fault) in [
        (fifo, 2, "moves", Fault::StuckAtZero),
        (fifo, 2, "one_left", Fault::StuckAtZero),
        (fifo, 2, "read_next", Fault::ShiftedLeft),
        (frames(Whole::Waits), 2, "too_long", Fault::StuckAtZero),
        (frames(Whole::Drops), 2, "drops", Fault::StuckAtZero),
        (frames(Whole::Drops), 2, "full", Fault::StuckAtOne),
        (AdapterKind::Width { to_lanes: 8 }, 2, "completes", Fault::StuckAtZero),
        (AdapterKind::Width { to_lanes: 2 }, 8, "lowest", Fault::Inverted),
        (AdapterKind::Width { to_lanes: 2 }, 8, "used", Fault::ShiftedLeft),
        (AdapterKind::Compactor, 8, "overflows", Fault::StuckAtZero),
        (AdapterKind::Compactor, 8, "swaps_2", Fault::StuckAtZero),
        (AdapterKind::Compactor, 8, "left_lanes", Fault::ShiftedLeft),
    ] {
        let mut adapter = Adapter::new(AdapterSpec::new(kind, lanes)).unwrap();
        adapter.design = fault.inject(&adapter.design, signal).unwrap();
        let failure = run(&adapter, &[EngineKind::Native], (20, 40), 2000);
        assert!(matches!(failure, Err(RunError::Failure(_))), "{fault:?} at {signal}: {failure:?}");
    }
}

#[test]
fn no_two_adapters_have_the_same_name() {
    let names: HashSet<String> = AdapterSpec::sample().iter().map(AdapterSpec::module_name).collect();
    assert_eq!(names.len(), AdapterSpec::sample().len());
    let frames = Fifo { depth: 256, whole: Some(Whole::Drops), ..Fifo::default() };
    let spec = AdapterSpec { unit_bits: 9, ..AdapterSpec::new(AdapterKind::Fifo(frames), 64) };
    assert_eq!(spec.module_name(), "axis_fifo_x64_depth_256_frames_drop_unit_bits_9");
    assert_eq!(spec.in_short(), "adapter:fifo --lanes 64 --depth 256 --frames --drop --unit-bits 9");
}

#[test]
fn commands_write_and_run_adapters() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL generate adapter:width --lanes 2 --to-lanes 4 --tid 3 --json -o new/rtl";
    let (code, out, err) = in_shell(folder.path(), script);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        names(&folder.path().join("new/rtl")),
        ["axis_width_x2_to_x4_tid_3.json", "axis_width_x2_to_x4_tid_3.v"]
    );
    let manifest: serde_json::Value = serde_json::from_str(&out).unwrap();
    let command =
        "utfhdl generate adapter:width --lanes 2 --to-lanes 4 --unit-bits 8 --reset sync-high --tid 3";
    assert_eq!((&manifest["command"], &manifest["lanes_out"]), (&command.into(), &4.into()));
    // The command of the manifest makes the same module.
    let again = format!("{} -o again", command.replace("utfhdl", "$UTFHDL"));
    assert_eq!(in_shell(folder.path(), &again).0, 0);
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(read("again/axis_width_x2_to_x4_tid_3.v"), read("new/rtl/axis_width_x2_to_x4_tid_3.v"));

    let (code, out, err) = in_shell(
        folder.path(),
        "$UTFHDL cosim adapter:compactor --lanes 4 --random 500 --stall 20,30 --json",
    );
    assert_eq!(code, 0, "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["module"], &report["latency"]), (&"axis_compactor_x4".into(), &6.into()));
    let (_, out, _) = in_shell(folder.path(), "$UTFHDL list");
    assert!(out.contains("\nadapter:compactor\n    makes full beats"), "{out}");
}

#[test]
fn wrong_adapters_are_errors_that_say_what_to_do() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        ("generate adapter:fofi", "expected one of adapter:fifo, adapter:width, adapter:compactor"),
        ("generate adapter:width --lanes 2", "add --to-lanes N"),
        ("generate adapter:width --lanes 2 --to-lanes 2", "take another one, or adapter:fifo"),
        (
            "generate adapter:width --lanes 3 --to-lanes 2",
            "--lanes 3 is not possible: it can be 1, 2, 4, 8, 16, 32 or 64",
        ),
        ("generate adapter:compactor", "take 2 to 64"),
        (
            "generate adapter:compactor --lanes 8 --depth 4",
            "--depth is not for adapter:compactor: leave it out",
        ),
        ("generate adapter:fifo --depth 100", "a power of two from 4 to 4096"),
        ("generate adapter:fifo --to-lanes 2", "--to-lanes is not for adapter:fifo"),
        ("generate adapter:fifo --drop", "--frames"),
        ("generate adapter:fifo --unit-bits 65", "it can be 1 to 64"),
        ("generate adapter:fifo --tid 40", "40 is not in 1..=32"),
        ("generate adapter:fifo --name clk", "--name"),
        ("generate adapter:fifo --name always", "keyword"),
        ("generate adapter:fifo -o /dev/null/rtl", "/dev/null"),
        (
            "prove adapter:fifo --depth 4 --fault inverted@nothing",
            "--fault inverted@nothing: module `axis_fifo_x1_depth_4` has no signal `nothing`",
        ),
        ("prove adapter:fifo --time 0", "--time"),
        ("cosim adapter:fifo --random 0", "0 is not in 1"),
        ("trace adapter:fifo decoder", "adapters are for the commands generate, cosim, prove and report"),
    ] {
        let (code, out, err) = in_shell(folder.path(), &format!("$UTFHDL {arguments}"));
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{arguments}: {err}");
    }
    assert!(names(folder.path()).is_empty());
    let (code, out, err) =
        in_shell(folder.path(), "$UTFHDL cosim adapter:fifo --random 50 --json > /dev/full");
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
}
