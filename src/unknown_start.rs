//! Cores whose registers are unknown before a reset: nothing of that may reach a port.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::Core;
use utfhdl_sim::Layout;
use utfhdl_sim::aig::{Bit, UnknownStart};

use crate::cosim::{Framing, Source, Stimulus};
use crate::promise::{Beat, Ports};

/// Cycles that are simulated in addition to the latency.
const CYCLES: usize = 24;
/// Runs at once, a bit of a word each.
const RUNS: usize = 64;

/// The bits of a port among those of all ports.
fn bits_of(layout: &Layout, name: &str) -> Option<std::ops::Range<usize>> {
    let mut first = 0;
    for port in &layout.outputs {
        let bits = first..first + port.width as usize;
        if port.name == name {
            return Some(bits);
        }
        first = bits.end;
    }
    None
}

/// The values of each input bit, cycle by cycle: beats and idle cycles of noise.
fn columns(core: &Core, layout: &Layout, seed: u64, cycles: usize) -> Vec<Vec<u64>> {
    let ports = Ports::new(core);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let source = Source::Random { count: (cycles * core.spec.lanes as usize) as u64 };
    let mut stimulus = Stimulus::new(core, &source, Framing::Random, seed).expect("noise");
    let mut columns: Vec<Vec<u64>> = Vec::new();
    let mut beat = Beat::default();
    for cycle in 0..cycles {
        let mut record = vec![0; layout.input_words];
        if random.random_ratio(3, 4) && stimulus.next_beat(&mut beat).expect("noise") {
            ports.offer(&mut record, &beat, random.next_u64());
        } else {
            ports.offer_nothing(&mut record, random.next_u64());
        }
        if !ports.passengers().is_empty() {
            ports.set_passengers(&mut record, random.next_u64(), random.next_u64());
        }
        let bits = layout.input_bits(&record);
        columns.resize(bits.len(), vec![0; cycles.div_ceil(64) + 1]);
        for (column, bit) in columns.iter_mut().zip(bits) {
            column[cycle / 64] |= u64::from(bit) << (cycle % 64);
        }
    }
    columns
}

/// Simulates 64 runs of a core from unknown registers, with resets of one to three cycles. Run `k` has the input of run 0 from cycle `k` on.
/// Returns what is wrong: an unknown bit on a port, or a beat in reset.
///
/// # Panics
/// If a core has more gates than any has.
pub fn before_reset(core: &Core, seed: u64) -> Option<String> {
    let layout = Layout::new(&core.design);
    let cycles = core.latency as usize + CYCLES;
    let columns = columns(core, &layout, seed, cycles + RUNS);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut runs = UnknownStart::new(&core.design).expect("a core is small enough");
    let index = |name: &str| {
        layout
            .inputs
            .iter()
            .take_while(|port| port.name != name)
            .map(|port| port.width as usize)
            .sum::<usize>()
    };
    let [ready, reset] = [index("m_axis_tready"), index(core.design.reset.port())];
    let status_ready = core.spec.status.then(|| index("status_tready"));
    let port = |name: &str| bits_of(&layout, name);
    let streams = [("m_axis_", port("m_axis_tvalid")), ("status_", port("status_tvalid"))];
    let takes = port("s_axis_tready")?.start;
    let mut in_reset = u64::MAX;
    for cycle in 0..cycles {
        let window = |column: &Vec<u64>| {
            let (word, shift) = (cycle / 64, cycle % 64);
            column[word] >> shift | column[word + 1].checked_shl(64 - shift as u32).unwrap_or(0)
        };
        let mut inputs: Vec<u64> = columns.iter().map(window).collect();
        inputs[ready] = random.next_u64() | random.next_u64();
        if let Some(ready) = status_ready {
            inputs[ready] = random.next_u64();
        }
        inputs[reset] = if core.design.reset.active_level() { in_reset } else { !in_reset };
        let outputs = runs.cycle(&inputs);
        // A synchronous reset shows in the next cycle.
        let shows = cycle > 0 || core.design.reset.is_asynchronous();
        let checked = if shows { u64::MAX } else { 0 };
        let wrong = |bit: Bit| (bit.unknown() | bit.one & in_reset) & checked;
        if wrong(outputs[takes]) != 0 {
            return Some(format!("{}: cycle {cycle}: s_axis_tready", core.spec));
        }
        for (stream, valid) in &streams {
            let Some(valid) = valid else { continue };
            let valid = outputs[valid.start];
            let payload = layout.outputs.iter().filter(|port| port.name.starts_with(stream));
            let unknown = payload.filter_map(|port| bits_of(&layout, &port.name));
            let unknown = unknown.flatten().fold(0, |unknown, bit| unknown | outputs[bit].unknown());
            if (wrong(valid) | unknown & valid.one & checked) != 0 {
                return Some(format!("{}: cycle {cycle}: {stream}*", core.spec));
            }
        }
        in_reset = if cycle < 2 { in_reset & random.next_u64() } else { 0 };
    }
    None
}
