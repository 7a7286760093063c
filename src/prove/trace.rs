//! A counterexample as a run of the core: what went in and what came out, cycle by cycle.

use utfhdl_hdl::core::Core;
use utfhdl_sim::aig::{Aiger, TooLarge, blast};
use utfhdl_sim::{Layout, PortSlot};

use super::bench::given;
use super::property::Problem;
use super::verdict::Counterexample;
use crate::cosim::Framing;
use crate::promise::{Beat, Item, Ports};

/// One cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The beat offered to the core.
    pub offered: Option<Beat>,
    /// Whether the core takes it.
    pub takes: bool,
    /// The beat that the core offers.
    pub out: Option<Beat>,
    /// Whether that is taken.
    pub sink_takes: bool,
}

/// The run of a counterexample.
///
/// # Errors
/// If the problem is too large.
pub fn run(core: &Core, problem: &Problem, found: &Counterexample) -> Result<Vec<Cycle>, TooLarge> {
    let logic = blast(&problem.design, problem.start)?;
    let file = Aiger::sequential(&logic);
    let (layout, ports) = (Layout::new(&core.design), Ports::new(core));
    let mut state = vec![0; file.latches.len()];
    let cycles = found.inputs.iter().map(|inputs| {
        let words: Vec<u64> = inputs.iter().map(|bit| u64::from(*bit)).collect();
        let outputs = file.run(&mut state, &words);
        let value_in = |name: &str| logic.inputs.iter().position(|input| input == name).map(|at| words[at]);
        let value_out = |name: &str| {
            logic.output_names.iter().position(|output| output == name).map(|at| outputs[at] & 1)
        };
        let value_given = |name: &str| value_out(&given(name)).or_else(|| value_in(name));
        let inputs = record(&layout.inputs, layout.input_words, value_given);
        let outputs = record(&layout.outputs, layout.output_words, value_out);
        Cycle {
            offered: ports.offered(&inputs),
            takes: ports.takes(&outputs),
            out: ports.beat(&outputs),
            sink_takes: ports.sink_takes(&inputs),
        }
    });
    Ok(cycles.collect())
}

/// A record of ports by the values of bits that have names. What has no value is 0.
fn record(ports: &[PortSlot], words: usize, bit: impl Fn(&str) -> Option<u64>) -> Vec<u64> {
    let mut record = vec![0; words];
    for port in ports {
        let mut value = vec![0; port.words()];
        for index in 0..port.width as usize {
            let name = if port.width == 1 { port.name.clone() } else { format!("{}[{index}]", port.name) };
            value[index / 64] |= (bit(&name).unwrap_or(0) & 1) << (index % 64);
        }
        port.write(&mut record, &value);
    }
    record
}

/// The items that a core takes in a run, and their framing into beats and frames, as the stimulus of `cosim`. A frame that is open
/// at the end is closed.
pub fn stimulus(cycles: &[Cycle]) -> (Vec<Item>, Framing) {
    let (mut items, mut frames, mut beats) = (Vec::new(), Vec::new(), Vec::new());
    for beat in cycles.iter().filter(|cycle| cycle.takes).filter_map(|cycle| cycle.offered.as_ref()) {
        items.extend_from_slice(&beat.items);
        beats.push(beat.items.len() as u64);
        if beat.last {
            frames.push(std::mem::take(&mut beats));
        }
    }
    if !beats.is_empty() || frames.is_empty() {
        frames.push(beats);
    }
    (items, Framing::Beats(frames))
}
