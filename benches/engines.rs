//! Measures how soon the engines are ready and how fast they run, in cycles a second, with the ratio to Verilator in
//! the same run.
//!
//! `cargo bench --bench engines`, or, for the cores whose names have a text in them alone:
//! `UTFHDL_ONLY="utf-8 encoder" cargo bench --bench engines -- --test`, where `--test` leaves Criterion's part out.
//!
//! Every engine runs the same records in the same process: one unit per lane and cycle, of noise, of text, and of
//! noise with random stalls on both sides. An encoder has the slots of the same units. Criterion measures each engine by itself. The table at the end is from
//! rounds in which all take turns, so that a machine whose speed drifts slows all of them alike. "Ready" is the time
//! from the netlist to the outputs of the first cycle; for Verilator without its runtime, which is built once.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::{median, publish};
use criterion::{Criterion, Throughput};
use utfhdl::promise::{Beat, Item, Ports};
use utfhdl_codec::Codec;
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

const TO_UTF_16: Role = Role::Transcoder { to: System::Utf16 };

/// The cores that are measured: system, role, and lanes.
const SUBJECTS: [(System, Role, u32); 8] = [
    (System::Utf8, Role::Decoder, 1),
    (System::UtfInf8 { digits: DEFAULT_DIGITS }, Role::Decoder, 1),
    (System::Utf8, Role::Encoder, 1),
    (System::Utf8, TO_UTF_16, 1),
    (System::Utf8, Role::Decoder, 8),
    (System::Utf8, Role::Encoder, 8),
    (System::Utf8, TO_UTF_16, 8),
    (System::Utf8, Role::Decoder, 64),
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
            records(&core, cycles, items(&core, noise(SEED)), never()),
            records(&core, cycles, items(&core, text()), never()),
            records(&core, cycles, items(&core, noise(SEED)), noise(!SEED)),
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

/// The items for a core: the octets, or, for an encoder, the slots that the reference decodes them to.
fn items(core: &Core, octets: impl Iterator<Item = u8>) -> impl Iterator<Item = Item> {
    let is_encoder = matches!(core.spec.role, Role::Encoder);
    // A slot has four octets at most.
    let octets: Vec<u8> = octets.take(if is_encoder { 4 * CYCLES } else { CYCLES }).collect();
    let items: Vec<Item> = if is_encoder {
        let (mut decoder, mut rest) = (core.spec.system.decoder(), &octets[..]);
        std::iter::from_fn(|| decoder.next(&mut rest, false)).map(|event| event.what.into()).collect()
    } else {
        octets.into_iter().map(|octet| u16::from(octet).into()).collect()
    };
    items.into_iter()
}

/// Input records: two cycles of reset, then an item a cycle in each lane, unless the sides stall as `stalls` says.
fn records(
    core: &Core,
    cycles: usize,
    mut items: impl Iterator<Item = Item>,
    mut stalls: impl Iterator<Item = u8>,
) -> Vec<u64> {
    let (ports, words) = (Ports::new(core), Layout::new(&core.design).input_words);
    let mut records = vec![0; cycles * words];
    let mut runs = || stalls.next().expect("no end") >= STALLS;
    for (cycle, record) in records.chunks_mut(words).enumerate() {
        let beat = Beat { items: items.by_ref().take(core.spec.lanes as usize).collect(), last: false };
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
    let only = std::env::var("UTFHDL_ONLY").unwrap_or_default();
    for (system, role, lanes) in SUBJECTS {
        let spec = CoreSpec { lanes, ..CoreSpec::new(system, role) };
        if spec.in_short().contains(&only) {
            let core = Core::new(spec).expect("there is such a core");
            table += &rows(&Subject::new(core), &mut criterion);
        }
    }
    criterion.final_summary();
    if only.is_empty() {
        publish("engines", &table);
    } else {
        println!("{table}");
    }
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
