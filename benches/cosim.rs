//! Measures co-simulation with all checks in cycles a second, the share of each part, and the ratio to a bench by hand.
//!
//! `cargo bench --bench cosim`
//!
//! The bench by hand is `benches/cosim/bench.cpp`: C++ around the model that Verilator makes of the same core, which draws
//! noise and stalls and checks slots, cycles and handshakes as co-simulation does. All runs take turns in rounds, so that a
//! machine whose speed drifts slows all of them alike. Times are those of a run: what is built before is left out.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::{median, publish};
use utfhdl::cosim::{Cosim, Framing, Manner, Source, Stalls, Times};
use utfhdl::engines::EngineKind;
use utfhdl::fault::SignalFault;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::netlist::Fault;

/// Units or slots of a run.
const ITEMS: u64 = 1_000_000;
/// Rounds; the median counts.
const ROUNDS: u64 = 11;
/// How often both sides stall, in percent.
const STALLS: [u8; 2] = [0, 30];

/// The manners of a run: in one thread and in two.
const ONE: Manner = Manner { block_cycles: 1024, threads: 1 };
const TWO: Manner = Manner { threads: 2, ..ONE };

/// A run: what a row of the table is called, and how to make the run with a seed.
struct Row<'r> {
    names: [String; 3],
    run: Box<dyn Fn(u64) -> Ran + 'r>,
}

/// The result of a run.
struct Ran {
    cycles: u64,
    time: Duration,
    /// The time of each part, where one thread has them all.
    parts: Option<Times>,
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let decoder = Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).expect("there is such a core");
    let by_hand = build(&decoder, &folder.path().join("sound"));
    check_that_faults_are_found(&decoder, folder.path());
    let encoder = Core::new(CoreSpec::new(System::Utf8, Role::Encoder)).expect("there is such a core");
    let wide = CoreSpec { lanes: 8, ..CoreSpec::new(System::Utf8, Role::Decoder) };
    let wide = Core::new(wide).expect("there is such a core");

    let mut table = String::from(
        "| core | stalls, % | run | Mcycles/s | to the bench by hand | driver, % | reference, % | engine, % | scoreboard, % |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for stall in STALLS {
        let mut rows = vec![Row {
            names: names(&decoder, stall, "C++ and Verilator"),
            run: Box::new(|seed| run_by_hand(&by_hand, stall, seed)),
        }];
        for (core, manner, name) in [
            (&decoder, ONE, "one thread"),
            (&decoder, TWO, "two threads"),
            (&encoder, ONE, "one thread"),
            (&wide, ONE, "one thread"),
        ] {
            let run = move |seed| run_cosim(core, manner, stall, seed);
            rows.push(Row { names: names(core, stall, name), run: Box::new(run) });
        }
        table += &rounds(&rows, &decoder.spec.in_short());
    }
    publish("cosim", &table);
}

fn names(core: &Core, stall: u8, run: &str) -> [String; 3] {
    [core.spec.in_short(), stall.to_string(), run.to_owned()]
}

fn cosim(core: &Core, stall: u8, seed: u64) -> Cosim {
    Cosim {
        core: core.clone(),
        source: Source::Random { count: ITEMS },
        framing: Framing::Random,
        stalls: Stalls { source: stall, sink: stall },
        resets: 0,
        seed,
    }
}

fn run_cosim(core: &Core, manner: Manner, stall: u8, seed: u64) -> Ran {
    let mut engines = vec![EngineKind::Native.start(core).expect("it needs nothing installed")];
    let cosim = cosim(core, stall, seed);
    let start = Instant::now();
    let (report, times) = cosim.run_timed(manner, &mut engines).unwrap_or_else(|error| panic!("{error}"));
    let parts = (manner == ONE).then_some(times);
    Ran { cycles: report.cycles, time: start.elapsed(), parts }
}

fn run_by_hand(program: &Path, stall: u8, seed: u64) -> Ran {
    let output = output(program, stall, seed);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [cycles, nanoseconds, taken, _] = numbers[..] else { panic!("{text}") };
    assert_eq!(taken, ITEMS);
    Ran { cycles, time: Duration::from_nanos(nanoseconds), parts: None }
}

fn output(program: &Path, stall: u8, seed: u64) -> std::process::Output {
    let arguments = [ITEMS, stall.into(), seed].map(|argument| argument.to_string());
    Command::new(program).args(arguments).output().expect("the bench runs")
}

/// Builds the bench by hand around a core.
fn build(core: &Core, folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    let (source, name) = (folder.join("core.v"), core.design.top.name());
    std::fs::write(&source, core.verilog()).expect("the file is written");
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/cosim/bench.cpp");
    let mut verilator = Command::new("verilator");
    verilator.args(["--cc", "--exe", "--build", "--quiet-exit", "-Wno-fatal", "-Wno-lint", "-Wno-style"]);
    verilator.args(["-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "-CFLAGS", "-O3"]);
    verilator.args(["-MAKEFLAGS", "OPT_FAST=-O3 OPT_SLOW=-O3 OPT_GLOBAL=-O3", "--prefix", "Vmodel"]);
    verilator.args(["--top-module", name, "-o", "bench", "--Mdir"]).arg(folder).args([&source, &bench]);
    let built = verilator.output().expect("Verilator is installed");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    folder.join("bench")
}

/// A bench that is fast because it checks nothing would be no measure: both find faults in what goes in, what comes out and when.
fn check_that_faults_are_found(core: &Core, folder: &Path) {
    for (kind, signal) in [
        (Fault::Inverted, "s_axis_tlast"),
        (Fault::StuckAtZero, "output_skid.skid_valid_reg"),
        (Fault::StuckAtOne, "output_skid.load"),
    ] {
        let fault = SignalFault { kind, signal: signal.to_owned() };
        let faulty = fault.inject(core).unwrap_or_else(|error| panic!("{error}"));
        let program = build(&faulty, &folder.join(signal));
        assert_eq!(output(&program, 30, 1).status.code(), Some(1), "{signal}: the bench by hand");
        let mut engines = vec![EngineKind::Native.start(&faulty).expect("it needs nothing installed")];
        let ran = cosim(&faulty, 30, 1).run(&mut engines, None, &mut |_| ());
        assert!(ran.is_err(), "{signal}: co-simulation");
    }
}

/// The rows of runs that take turns. The first is what the runs of the same core are compared with.
fn rounds(rows: &[Row], compared: &str) -> String {
    let mut ran: Vec<Vec<Ran>> = rows.iter().map(|_| Vec::new()).collect();
    for seed in 1..=ROUNDS {
        for (row, ran) in rows.iter().zip(&mut ran) {
            ran.push((row.run)(seed));
        }
    }
    let speed = |ran: &Ran| ran.cycles as f64 / ran.time.as_secs_f64();
    let text = rows.iter().zip(&ran).map(|(Row { names, .. }, of_row)| {
        let millions = median(of_row.iter().map(speed).collect()) / 1e6;
        let ratios = ran[0].iter().zip(of_row).map(|(first, ran)| speed(ran) / speed(first));
        let ratio =
            if names[0] == compared { format!("{:.2}", median(ratios.collect())) } else { "–".to_owned() };
        let share = |part: fn(&Times) -> Duration| {
            let shares = of_row.iter().filter_map(|ran| ran.parts.as_ref());
            let shares = shares.map(|times| part(times).as_secs_f64() / times.total().as_secs_f64());
            let shares: Vec<f64> = shares.collect();
            if shares.is_empty() { "–".to_owned() } else { format!("{:.0}", 100.0 * median(shares)) }
        };
        let shares = [
            share(|times| times.driver),
            share(|times| times.reference),
            share(|times| times.engines),
            share(|times| times.scoreboard),
        ];
        format!("| {} | {millions:.1} | {ratio} | {} |\n", names.join(" | "), shares.join(" | "))
    });
    text.collect()
}
