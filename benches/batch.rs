//! The speed of the `batch` engine, in stream-cycles a second on one core of the processor, and its ratio to a Verilator model
//! of the same design, on the same stimulus, in the same run.
//!
//! `cargo bench --bench batch`
//!
//! The batch engine runs 512 streams side by side; Verilator runs the same streams one after the other, each from its reset
//! on. All outputs are compared first. Then the engines take turns in short rounds. The fastest round counts, because other
//! programs on the machine can only slow a round down.

mod common;

use std::hint::black_box;
use std::time::Instant;

use common::publish;
use utfhdl_hdl::core::{Core, CoreSpec, Role, System};
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::batch::{Backend, Batch, STREAMS, Slice};
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, Layout};

/// Cycles of a stream: few enough for the records of all to stay in the second-level cache.
const CYCLES: usize = 48;
/// Cycles in reset.
const RESET_CYCLES: usize = 2;
/// Cycles after which all registers have been loaded, so that outputs no longer depend on what they held at first.
const SETTLED: usize = 24;
/// How many rounds are run.
const ROUNDS: usize = 201;
/// Seconds that a round is meant to take.
const ROUND: f64 = 0.5e-3;

/// Heads of the two tables.
const SPEEDS: &str = "\
| design | backend | ns a cycle of 512 streams | with one record, ns | G stream-cycles/s | verilator -O3, Mcycles/s | ratio |
| --- | --- | --- | --- | --- | --- | --- |
";
const SIZES: &str = "\
| design | backend | ANDs | gates | registers | operations | instructions | spills | KiB of code | KiB of state | operations a clock | instructions a clock |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

fn main() {
    let clock = clock();
    let (mut speeds, mut sizes) = (SPEEDS.to_owned(), SIZES.to_owned());
    for lanes in [1, 8] {
        let Core { spec, design, .. } = decoder(lanes);
        for backend in Backend::available() {
            let rows = measure(&spec.in_short(), &design, backend, clock);
            speeds += &rows.speeds;
            sizes += &rows.sizes;
        }
    }
    println!("clock of the processor while it runs scalar code: {clock:.2} GHz\n");
    publish("batch", &format!("{speeds}\n{sizes}"));
}

fn decoder(lanes: u32) -> Core {
    Core::new(CoreSpec { lanes, ..CoreSpec::new(System::Utf8, Role::Decoder) }).expect("there is such a core")
}

/// The inputs for both engines: random octets, as many in each cycle as there are lanes, without stalls, in frames that never end.
struct Stimulus {
    slices: Vec<Slice>,
    records: Vec<u64>,
}

fn stimulus(layout: &Layout, batch: &Batch) -> Stimulus {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut slices = vec![Slice::ZERO; CYCLES * batch.input_planes()];
    for (cycle, record) in slices.chunks_mut(batch.input_planes()).enumerate() {
        for port in &layout.inputs {
            for slice in &mut record[batch.input(&port.name).expect("a port")] {
                *slice = match &port.name {
                    name if name == "rst" => Slice::splat(cycle < RESET_CYCLES),
                    name if name.contains("tlast") => Slice::ZERO,
                    name if name.contains("tdata") => Slice(std::array::from_fn(|_| random())),
                    _ => Slice::ONES,
                };
            }
        }
    }
    let mut records = vec![0; STREAMS * CYCLES * layout.input_words];
    for (index, record) in records.chunks_mut(layout.input_words).enumerate() {
        let (stream, cycle) = (index / CYCLES, index % CYCLES);
        let slices = &slices[cycle * batch.input_planes()..][..batch.input_planes()];
        for port in &layout.inputs {
            port.write(record, &words(&slices[batch.input(&port.name).expect("a port")], stream));
        }
    }
    Stimulus { slices, records }
}

/// The value that the bits of a port have in a stream, least significant word first.
fn words(bits: &[Slice], stream: usize) -> Vec<u64> {
    let word = |bits: &[Slice]| {
        bits.iter().enumerate().map(|(bit, slice)| u64::from(slice.get(stream)) << bit).sum::<u64>()
    };
    bits.chunks(64).map(word).collect()
}

/// The rows of a design and a backend in the two tables.
struct Rows {
    speeds: String,
    sizes: String,
}

/// Measures a design on a backend; `clock` is that of the processor, in GHz.
fn measure(name: &str, design: &Design, backend: Backend, clock: f64) -> Rows {
    let layout = Layout::new(design);
    let mut batch = Batch::with_backend(design, backend).expect("it is small");
    let header = Header { command: "none".to_owned(), version: "0".to_owned(), ..Header::default() };
    let model = Verilator::new(design, &verilog(design, &header), &Cache::of_user(), Effort::Full);
    let mut model = model.unwrap_or_else(|error| panic!("{error}"));
    let Stimulus { slices, records } = stimulus(&layout, &batch);
    let mut planes = vec![Slice::ZERO; CYCLES * batch.output_planes()];
    let mut outputs = vec![0; STREAMS * CYCLES * layout.output_words];
    batch.run(&slices, &mut planes);
    model.run(&records, &mut outputs).expect("the model runs");
    compare(&layout, &batch, &planes, &outputs);

    let (mut cycle, mut model_cycle) = (f64::MAX, f64::MAX);
    let (mut passes, mut streams) = (1, 1);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..passes).for_each(|_| batch.run(black_box(&slices), black_box(&mut planes)));
        cycle = cycle.min(start.elapsed().as_secs_f64() / (passes * CYCLES) as f64);
        let start = Instant::now();
        let (records, outputs) = (
            &records[..streams * CYCLES * layout.input_words],
            &mut outputs[..streams * CYCLES * layout.output_words],
        );
        model.run(black_box(records), outputs).expect("the model runs");
        model_cycle = model_cycle.min(start.elapsed().as_secs_f64() / (streams * CYCLES) as f64);
        // The counts that fill a round at the speed measured.
        let fill = |cycle: f64| (ROUND / (cycle * CYCLES as f64)) as usize;
        (passes, streams) = (fill(cycle).max(1), fill(model_cycle).clamp(1, STREAMS));
    }
    let model = model_cycle;
    // The time with records in the first-level cache.
    let mut in_l1 = f64::MAX;
    for _ in 0..ROUNDS {
        let (record, output) = (&slices[..batch.input_planes()], &mut planes[..batch.output_planes()]);
        let start = Instant::now();
        (0..passes * CYCLES).for_each(|_| batch.run(black_box(record), black_box(output)));
        in_l1 = in_l1.min(start.elapsed().as_secs_f64() / (passes * CYCLES) as f64);
    }
    let (streams, ratio) = (STREAMS as f64 / cycle, STREAMS as f64 / cycle * model);
    let (giga, mega) = (streams / 1e9, 1.0 / model / 1e6);
    let (ns, ns_in_l1) = (cycle * 1e9, in_l1 * 1e9);
    let speeds =
        format!("| {name} | {backend} | {ns:.0} | {ns_in_l1:.0} | {giga:.2} | {mega:.2} | {ratio:.0} |\n");
    let size = batch.size();
    let kib = |bytes: usize| format!("{:.1}", bytes as f64 / 1024.0);
    // An interpreter's instructions are not known.
    let compiled = |text: String| if backend == Backend::Portable { "–".to_owned() } else { text };
    let a_clock = |count: usize| format!("{:.2}", count as f64 / (in_l1 * clock * 1e9));
    let cells = [
        name.to_owned(),
        backend.to_string(),
        size.ands.to_string(),
        size.gates.to_string(),
        size.registers.to_string(),
        size.operations.to_string(),
        compiled(size.instructions.to_string()),
        compiled(size.spills.to_string()),
        compiled(kib(size.code_bytes)),
        kib(size.state_bytes),
        a_clock(size.operations),
        compiled(a_clock(size.instructions)),
    ];
    let sizes = format!("| {} |\n", cells.join(" | "));
    Rows { speeds, sizes }
}

/// Checks that both engines have the same outputs in every stream and cycle, once all registers have been loaded.
fn compare(layout: &Layout, batch: &Batch, planes: &[Slice], outputs: &[u64]) {
    for (index, record) in outputs.chunks(layout.output_words).enumerate() {
        let (stream, cycle) = (index / CYCLES, index % CYCLES);
        if cycle < SETTLED {
            continue;
        }
        let planes = &planes[cycle * batch.output_planes()..][..batch.output_planes()];
        for port in &layout.outputs {
            let found = words(&planes[batch.output(&port.name).expect("a port")], stream);
            assert_eq!(found, port.value(record), "`{}`, stream {stream}, cycle {cycle}", port.name);
        }
    }
}

/// The clock of the processor in GHz: three shifts and three exclusive ors, each of which waits for the one before, take six
/// clocks.
fn clock() -> f64 {
    const STEPS: u64 = 200_000;
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        let mut state = black_box(1_u64);
        for _ in 0..STEPS {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        black_box(state);
        start.elapsed().as_secs_f64()
    });
    6.0 * STEPS as f64 / times.fold(f64::MAX, f64::min) / 1e9
}
