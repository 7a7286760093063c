//! How fast the engines run the `utf-8` decoder, in cycles a second, and the ratio to Verilator in the same run.
//!
//! `cargo bench --bench engines`
//!
//! Every engine runs the same records in the same process: no stalls, one unit a cycle, on noise and on text. Criterion measures
//! each by itself; the table at the end is of rounds in which all take turns, so that a machine whose speed drifts slows
//! all of them alike.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput};
use utfhdl::cosim::{Beat, DecoderPorts};
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::native::Native;
use utfhdl_sim::rust_hdl::RustHdl;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, Layout};

/// Cycles of a run.
const CYCLES: usize = 20_000;
/// Rounds of the table; the median counts.
const ROUNDS: usize = 21;

fn core() -> Core {
    let (system, role, lanes) = (System::Utf8, Role::Decoder, 1);
    let (reset, on_error) = (ResetStyle::default(), OnError::default());
    Core::new(CoreSpec { system, role, lanes, reset, on_error }).expect("there is such a core")
}

fn engines(core: &Core) -> Vec<(&'static str, Box<dyn Engine>)> {
    let verilator = |effort| {
        let model = Verilator::new(&core.design, &core.verilog(), &Cache::of_user(), effort);
        Box::new(model.unwrap_or_else(|error| panic!("{error}")))
    };
    vec![
        ("verilator -O3", verilator(Effort::Full)),
        ("verilator -O1", verilator(Effort::Quick)),
        ("native", Box::new(Native::new(&core.design))),
        ("rust-hdl", Box::new(RustHdl::new(&core.design))),
    ]
}

/// Input records: two cycles of reset, then a unit a cycle.
fn records(core: &Core, units: impl Iterator<Item = u8>) -> Vec<u64> {
    let (ports, words) = (DecoderPorts::new(core), Layout::new(&core.design).input_words);
    let mut records = vec![0; CYCLES * words];
    for (cycle, (record, unit)) in records.chunks_mut(words).zip(units).enumerate() {
        let mut beat = Beat::empty(false);
        beat.push(unit.into());
        ports.set_reset(record, cycle < 2);
        ports.offer(record, &beat);
        ports.take(record, true);
    }
    records
}

/// Bytes without a pattern (xorshift64).
fn noise() -> impl Iterator<Item = u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
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
    let core = core();
    let mut engines = engines(&core);
    let mut criterion = Criterion::default().configure_from_args();
    let stimuli = [("noise", records(&core, noise())), ("text", records(&core, text()))];
    let mut outputs = vec![0; CYCLES * Layout::new(&core.design).output_words];
    for (stimulus, inputs) in &stimuli {
        let mut group = criterion.benchmark_group(*stimulus);
        group.throughput(Throughput::Elements(CYCLES as u64)).sample_size(20);
        for (name, engine) in &mut engines {
            group.bench_function(*name, |bencher| {
                bencher.iter(|| engine.run(black_box(inputs), &mut outputs).expect("engines run"));
            });
        }
    }
    criterion.final_summary();
    println!("| engine | noise, Mcycles/s | to verilator -O3 | text, Mcycles/s | to verilator -O3 |");
    println!("| --- | --- | --- | --- | --- |");
    let columns = stimuli.map(|(_, inputs)| rounds(&mut engines, &inputs, &mut outputs));
    for (index, (name, _)) in engines.iter().enumerate() {
        let cells = columns.each_ref().map(|speeds| {
            let (speed, ratio) = (speeds[index], speeds[index] / speeds[0]);
            format!("{speed:.2} | {ratio:.3}")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// Median speed of each engine over rounds in which all take turns, in millions of cycles a second.
fn rounds(engines: &mut [(&'static str, Box<dyn Engine>)], inputs: &[u64], outputs: &mut [u64]) -> Vec<f64> {
    let mut speeds = vec![Vec::new(); engines.len()];
    for _ in 0..ROUNDS {
        for ((_, engine), speeds) in engines.iter_mut().zip(&mut speeds) {
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
