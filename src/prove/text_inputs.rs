//! Text as the input of a problem: noise seldom gets a core far into a long sequence.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::{Core, CoreSpec};
use utfhdl_sim::aig::Aiger;

use super::random_inputs::RandomInputs;
use crate::noise::RandomItems;
use crate::promise::Item;

/// Runs that go on in each cycle.
const RUNS: usize = 64;
/// The sink may wait in the first of this many cycles, one after the other, and then takes all beats.
const WAITS: usize = 25;
/// The cycles after which it may wait again.
const STRETCH: usize = 250;

/// The kind of text that a core takes: units, since encoders are proved without text.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    spec: CoreSpec,
    /// Bits of a lane of `s_axis_tdata`.
    lane_bits: u32,
}

impl Text {
    /// The text that a core takes.
    pub fn of(core: &Core) -> Self {
        let port = core.design.top.inputs().find(|port| port.name == "s_axis_tdata");
        let bits = port.expect("a core takes data").width;
        Self { spec: core.spec, lane_bits: bits / core.spec.lanes }
    }
}

/// A bit of a port at the input of a core.
#[derive(Clone, Copy)]
enum Bit {
    Data {
        lane: usize,
        bit: u32,
    },
    Keep {
        lane: usize,
    },
    Last,
    Valid,
    /// The sink takes a beat.
    Ready,
}

/// A beat of a run.
struct Beat {
    items: Vec<Item>,
    is_last: bool,
}

/// Text for the inputs of a problem around a core, and noise for its other inputs; 64 runs at once.
pub(super) struct TextInputs {
    others: RandomInputs,
    bits: Vec<(usize, Bit)>,
    lanes: usize,
    runs: Vec<RandomItems>,
    random: ChaCha8Rng,
    cycle: usize,
}

impl TextInputs {
    pub(super) fn new(problem: &Aiger, Text { spec, lane_bits }: Text) -> Self {
        let bit_of = |name: &String| {
            let (port, index) = name.split_once('[').unwrap_or((name, "0]"));
            let index: u32 = index.strip_suffix(']')?.parse().ok()?;
            Some(match port {
                "s_axis_tdata" => Bit::Data { lane: (index / lane_bits) as usize, bit: index % lane_bits },
                "s_axis_tkeep" => Bit::Keep { lane: index as usize },
                "s_axis_tlast" => Bit::Last,
                "s_axis_tvalid" => Bit::Valid,
                "m_axis_tready" => Bit::Ready,
                _ => return None,
            })
        };
        let bits = problem.inputs.iter().enumerate().filter_map(|(at, name)| Some((at, bit_of(name)?)));
        Self {
            others: RandomInputs::new(problem),
            bits: bits.collect(),
            lanes: spec.lanes as usize,
            runs: (0..RUNS as u64).map(|seed| RandomItems::new(spec, u64::MAX, seed)).collect(),
            random: ChaCha8Rng::seed_from_u64(1),
            cycle: 0,
        }
    }

    /// The inputs of the next cycle. What a core does not take is lost.
    pub(super) fn cycle(&mut self) -> Vec<u64> {
        let Self { lanes, random, .. } = self;
        let beats = self.runs.iter_mut().map(|run| {
            if random.random_ratio(1, 8) {
                return None;
            }
            let count = if random.random_ratio(3, 4) { *lanes } else { random.random_range(0..=*lanes) };
            let is_last = random.random_ratio(1, 64);
            let items: Vec<Item> = run.by_ref().take(count).collect();
            if is_last {
                run.open_frame();
            }
            Some(Beat { items, is_last })
        });
        let beats: Vec<Option<Beat>> = beats.collect();
        let mut words = self.others.cycle();
        let may_wait = self.cycle % STRETCH < WAITS;
        self.cycle += 1;
        for &(at, bit) in &self.bits {
            let of = |is: &dyn Fn(&Beat) -> bool| {
                let runs = beats.iter().enumerate();
                runs.map(|(run, beat)| u64::from(beat.as_ref().is_some_and(is)) << run).sum()
            };
            let item = |lane: usize, is: &dyn Fn(&Item) -> bool| {
                of(&|beat: &Beat| beat.items.get(lane).is_some_and(is))
            };
            words[at] = match bit {
                Bit::Data { lane, bit } => item(lane, &|item| item.unit() >> bit & 1 == 1),
                Bit::Keep { lane } => item(lane, &|_| true),
                Bit::Last => of(&|beat| beat.is_last),
                Bit::Valid => of(&|_| true),
                Bit::Ready if may_wait => words[at],
                Bit::Ready => u64::MAX,
            };
        }
        words
    }
}
