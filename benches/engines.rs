//! Measures how soon the engines are ready and how fast they run, in cycles a second, with the ratio to Verilator in
//! the same run.
//!
//! `cargo bench --bench engines`
//!
//! Every engine runs the same records in the same process: one unit per lane and cycle, of noise, of text, and of
//! noise with random stalls on both sides. Criterion measures each engine by itself. The table at the end is from
//! rounds in which all take turns, so that a machine whose speed drifts slows all of them alike. "Ready" is the time
//! from the netlist to the outputs of the first cycle; for Verilator without its runtime, which is built once.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::{median, publish};
use criterion::{Criterion, Throughput};
use utfhdl::promise::{Beat, Ports};
use utfhdl_hdl::core::{Core, CoreSpec, DEFAULT_DIGITS, Role, System};
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_hdl::stream::skid_buffer;
use utfhdl_sim::native::{Mode, Native};
use utfhdl_sim::rust_hdl::RustHdl;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, Layout};

/// Cycles of a run times lanes: few enough for its records to stay in the second-level cache.
const CYCLES: usize = 20_000;
/// The inputs of the cores.
const STIMULI: [&str; 3] = ["noise", "text", "noise with stalls"];
/// Seed of the noise.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Rounds of the table; the median counts.
const ROUNDS: usize = 21;

/// The decoders that are measured: system, and lanes.
const SUBJECTS: [(System, u32); 4] = [
    (System::Utf8, 1),
    (System::UtfInf8 { digits: DEFAULT_DIGITS }, 1),
    (System::Utf8, 8),
    (System::Utf8, 64),
];

/// A design that the engines run.
struct Subject {
    name: String,
    design: Design,
    /// The records of each stimulus.
    stimuli: [Vec<u64>; STIMULI.len()],
    cycles: usize,
}

impl Subject {
    fn new(core: Core) -> Self {
        let cycles = CYCLES / core.spec.lanes as usize;
        let never = || std::iter::repeat(u8::MAX);
        let stimuli = [
            records(&core, cycles, noise(SEED), never()),
            records(&core, cycles, text(), never()),
            records(&core, cycles, noise(SEED), noise(!SEED)),
        ];
        Self { name: core.spec.in_short(), design: core.design, stimuli, cycles }
    }
}

/// An engine with its name in the table, and the time it took to be ready.
struct Entry {
    name: &'static str,
    engine: Box<dyn Engine>,
    ready: Duration,
}

fn engines(design: &Design) -> Vec<Entry> {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::in_folder(folder.path());
    let header = Header { command: String::new(), version: String::new(), ..Header::default() };
    let verilator = |design: &Design, text: &str, effort| {
        Verilator::new(design, text, &cache, effort).unwrap_or_else(|error| panic!("{error}"))
    };
    // The first model builds Verilator's runtime.
    let other = Design { top: skid_buffer(1), reset: ResetStyle::default() };
    verilator(&other, &verilog(&other, &header), Effort::Quick);
    let text = verilog(design, &header);
    vec![
        entry("verilator -O3", || Box::new(verilator(design, &text, Effort::Full))),
        entry("verilator -O1", || Box::new(verilator(design, &text, Effort::Quick))),
        entry("native", || {
            let engine = Native::new(design).expect("room for it").compiled();
            assert_eq!(engine.mode(), Mode::Compiled);
            Box::new(engine)
        }),
        entry("native, interpreted", || Box::new(Native::interpreted(design).expect("room for it"))),
        entry("rust-hdl", || Box::new(RustHdl::new(design))),
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

/// Probability that a side stalls in a cycle, in 256ths.
const STALLS: u8 = 64;

/// Input records: two cycles of reset, then a unit a cycle in each lane, unless the sides stall as `stalls` says.
fn records(
    core: &Core,
    cycles: usize,
    mut units: impl Iterator<Item = u8>,
    mut stalls: impl Iterator<Item = u8>,
) -> Vec<u64> {
    let (ports, words) = (Ports::new(core), Layout::new(&core.design).input_words);
    let mut records = vec![0; cycles * words];
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
    let heads = STIMULI.map(|stimulus| format!(" {stimulus}, Mcycles/s | to verilator -O3 |"));
    let mut table = format!("| core | engine | ready, ms |{}\n", heads.concat());
    table += &format!("| --- | --- | --- |{}\n", " --- | --- |".repeat(STIMULI.len()));
    for (system, lanes) in SUBJECTS {
        let spec = CoreSpec { lanes, ..CoreSpec::new(system, Role::Decoder) };
        let core = Core::new(spec).expect("there is such a core");
        table += &rows(&Subject::new(core), &mut criterion);
    }
    criterion.final_summary();
    publish("engines", &table);
}

/// The rows of a core, after each engine has been measured by itself.
fn rows(subject: &Subject, criterion: &mut Criterion) -> String {
    let mut engines = engines(&subject.design);
    let mut outputs = vec![0; subject.cycles * Layout::new(&subject.design).output_words];
    for (stimulus, inputs) in STIMULI.iter().zip(&subject.stimuli) {
        let mut group = criterion.benchmark_group(format!("{}, {stimulus}", subject.name));
        group.throughput(Throughput::Elements(subject.cycles as u64)).sample_size(20);
        for Entry { name, engine, .. } in &mut engines {
            group.bench_function(*name, |bencher| {
                bencher.iter(|| engine.run(black_box(inputs), &mut outputs).expect("engines run"));
            });
        }
    }
    let columns = subject.stimuli.each_ref().map(|inputs| rounds(&mut engines, inputs, &mut outputs));
    let mut rows = String::new();
    for (index, Entry { name, ready, .. }) in engines.iter().enumerate() {
        let cells = columns.each_ref().map(|rounds| {
            let (cycles, ratio) =
                (subject.cycles as f64 / median(rounds[index].clone()), ratio(rounds, index));
            format!(" {:.2} | {ratio:.3} |", cycles / 1e6)
        });
        let ready = 1e3 * ready.as_secs_f64();
        rows += &format!("| {} | {name} | {ready:.1} |{}\n", subject.name, cells.concat());
    }
    rows
}

/// Speed of an engine relative to the first: the median over rounds, in each of which both ran one after the other.
fn ratio(rounds: &[Vec<f64>], engine: usize) -> f64 {
    median(rounds[0].iter().zip(&rounds[engine]).map(|(first, time)| first / time).collect())
}

/// Seconds that each engine takes in rounds in which all take turns.
fn rounds(engines: &mut [Entry], inputs: &[u64], outputs: &mut [u64]) -> Vec<Vec<f64>> {
    let mut times = vec![Vec::new(); engines.len()];
    for _ in 0..ROUNDS {
        for (Entry { engine, .. }, times) in engines.iter_mut().zip(&mut times) {
            let start = Instant::now();
            engine.run(black_box(inputs), outputs).expect("engines run");
            times.push(start.elapsed().as_secs_f64());
        }
    }
    times
}
