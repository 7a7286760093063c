//! How fast the engines are ready and how fast they run, in cycles a second, and the ratio to Verilator in the same run.
//!
//! `cargo bench --bench engines`
//!
//! Every engine runs the same records in the same process: one unit a lane and cycle, on noise, on text, and on noise
//! with random stalls on both sides. Criterion measures each by itself; the table at the end is of rounds in which all
//! take turns, so that a machine whose speed drifts slows all of them alike. "Ready" is the time from the netlist to
//! the outputs of the first cycle, Verilator's without its runtime, which is built once.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use utfhdl::cosim::{Beat, Ports};
use utfhdl_hdl::core::{Core, CoreSpec, DEFAULT_DIGITS, Role, System};
use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_hdl::stream::skid_buffer;
use utfhdl_sim::native::Native;
use utfhdl_sim::rust_hdl::RustHdl;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, Layout};

/// Cycles of a run.
const CYCLES: usize = 20_000;
/// What the cores are given.
const STIMULI: [&str; 3] = ["noise", "text", "noise with stalls"];
/// Where the noise begins.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Rounds of the table; the median counts.
const ROUNDS: usize = 21;

/// The decoders of these systems.
const SYSTEMS: [System; 2] = [System::Utf8, System::UtfInf8 { digits: DEFAULT_DIGITS }];

/// An engine with its name in the table, and the time it took to be ready.
struct Entry {
    name: &'static str,
    engine: Box<dyn Engine>,
    ready: Duration,
}

fn engines(core: &Core) -> Vec<Entry> {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::in_folder(folder.path());
    let verilator = |design: &Design, text: &str, effort| {
        Verilator::new(design, text, &cache, effort).unwrap_or_else(|error| panic!("{error}"))
    };
    // Builds the runtime.
    let other = Design { top: skid_buffer(1), reset: ResetStyle::default() };
    let header = utfhdl_hdl::emit::Header { command: String::new(), version: String::new(), facts: vec![] };
    verilator(&other, &utfhdl_hdl::emit::verilog(&other, &header), Effort::Quick);
    let text = core.verilog();
    vec![
        entry("verilator -O3", || Box::new(verilator(&core.design, &text, Effort::Full))),
        entry("verilator -O1", || Box::new(verilator(&core.design, &text, Effort::Quick))),
        entry("native", || {
            let engine = Native::new(&core.design).expect("room for it").compiled();
            assert!(engine.is_compiled());
            Box::new(engine)
        }),
        entry("native, interpreted", || Box::new(Native::interpreted(&core.design).expect("room for it"))),
        entry("rust-hdl", || Box::new(RustHdl::new(&core.design))),
    ]
}

fn entry(name: &'static str, make: impl Fn() -> Box<dyn Engine>) -> Entry {
    let start = Instant::now();
    let mut engine = make();
    let layout = engine.layout();
    let (inputs, mut outputs) = (vec![0; layout.input_words], vec![0; layout.output_words]);
    engine.run(&inputs, &mut outputs).expect("engines run");
    Entry { name, engine, ready: start.elapsed() }
}

/// Chances that a side stalls in a cycle, in 256.
const STALLS: u8 = 64;

/// Input records: two cycles of reset, then a unit a cycle in each lane, unless the sides stall as `stalls` says.
fn records(
    core: &Core,
    mut units: impl Iterator<Item = u8>,
    mut stalls: impl Iterator<Item = u8>,
) -> Vec<u64> {
    let (ports, words) = (Ports::new(core), Layout::new(&core.design).input_words);
    let mut records = vec![0; CYCLES * words];
    let mut runs = || stalls.next().expect("no end") >= STALLS;
    for (cycle, record) in records.chunks_mut(words).enumerate() {
        let items =
            units.by_ref().take(core.spec.lanes as usize).map(|unit| u16::from(unit).into()).collect();
        let beat = Beat { items, last: false };
        ports.set_reset(record, cycle < 2);
        if runs() {
            ports.offer(record, &beat, 0);
        } else {
            ports.offer_nothing(record, 0);
        }
        ports.take(record, runs());
    }
    records
}

/// Bytes without a pattern (xorshift64).
fn noise(mut state: u64) -> impl Iterator<Item = u8> {
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
}

fn text() -> impl Iterator<Item = u8> {
    include_bytes!("../tests/data/sample.txt").iter().copied().cycle()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut table = String::new();
    for system in SYSTEMS {
        let core = Core::new(CoreSpec::new(system, Role::Decoder)).expect("there is such a core");
        table += &rows(&core, &mut criterion);
    }
    criterion.final_summary();
    let heads = STIMULI.map(|stimulus| format!(" {stimulus}, Mcycles/s | to verilator -O3 |"));
    println!("| core | engine | ready, ms |{}", heads.concat());
    println!("| --- | --- | --- |{}\n{table}", " --- | --- |".repeat(STIMULI.len()));
}

/// The rows of a core, after each engine has been measured by itself.
fn rows(core: &Core, criterion: &mut Criterion) -> String {
    let mut engines = engines(core);
    let never = || std::iter::repeat(u8::MAX);
    let stimuli = [
        records(core, noise(SEED), never()),
        records(core, text(), never()),
        records(core, noise(SEED), noise(!SEED)),
    ];
    let mut outputs = vec![0; CYCLES * Layout::new(&core.design).output_words];
    for (stimulus, inputs) in STIMULI.iter().zip(&stimuli) {
        let mut group =
            criterion.benchmark_group(format!("{} {}, {stimulus}", core.spec.system, core.spec.role));
        group.throughput(Throughput::Elements(CYCLES as u64)).sample_size(20);
        for Entry { name, engine, .. } in &mut engines {
            group.bench_function(*name, |bencher| {
                bencher.iter(|| engine.run(black_box(inputs), &mut outputs).expect("engines run"));
            });
        }
    }
    let columns = stimuli.map(|inputs| rounds(&mut engines, &inputs, &mut outputs));
    let mut rows = String::new();
    for (index, Entry { name, ready, .. }) in engines.iter().enumerate() {
        let cells = columns.each_ref().map(|speeds| {
            let (speed, ratio) = (speeds[index], speeds[index] / speeds[0]);
            format!(" {speed:.2} | {ratio:.3} |")
        });
        let (system, role) = (core.spec.system, core.spec.role);
        let ready = 1e3 * ready.as_secs_f64();
        rows += &format!("| {system} {role} | {name} | {ready:.1} |{}\n", cells.concat());
    }
    rows
}

/// Median speed of each engine over rounds in which all take turns, in millions of cycles a second.
fn rounds(engines: &mut [Entry], inputs: &[u64], outputs: &mut [u64]) -> Vec<f64> {
    let mut speeds = vec![Vec::new(); engines.len()];
    for _ in 0..ROUNDS {
        for (Entry { engine, .. }, speeds) in engines.iter_mut().zip(&mut speeds) {
            let start = Instant::now();
            engine.run(black_box(inputs), outputs).expect("engines run");
            speeds.push(CYCLES as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
    }
    let median = |mut speeds: Vec<f64>| {
        speeds.sort_by(f64::total_cmp);
        speeds[speeds.len() / 2]
    };
    speeds.into_iter().map(median).collect()
}
