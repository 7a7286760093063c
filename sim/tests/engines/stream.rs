//! The handshake blocks of `utfhdl_hdl::stream`: what each promises, under stalls of both sides.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::common::bench::{self, Bench};
use crate::common::stimulus::SplitMix;
use utfhdl_hdl::netlist::{Design, Fault, Module, ResetStyle};
use utfhdl_hdl::stream::{elastic_buffer, register_slice, skid_buffer, skid_buffer_ahead};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

/// A block and what is promised of it.
#[derive(Clone, Copy, Debug)]
struct Block {
    build: fn(u32) -> Arc<Module>,
    /// Beats it holds.
    capacity: usize,
    /// Whether its ready is a register, which is high while there is room and rises a cycle after reset.
    ready_is_register: bool,
    /// Whether it has an output with the ready of the next cycle.
    tells_ahead: bool,
}

const BLOCKS: [Block; 4] = [
    Block { build: register_slice, capacity: 1, ready_is_register: false, tells_ahead: false },
    Block { build: skid_buffer, capacity: 2, ready_is_register: true, tells_ahead: false },
    Block { build: skid_buffer_ahead, capacity: 2, ready_is_register: true, tells_ahead: true },
    Block { build: elastic_buffer, capacity: 2, ready_is_register: true, tells_ahead: false },
];
const WIDTHS: [u32; 3] = [1, 10, 70];

/// Chances in percent that the source has a beat, and that the sink takes one, in a cycle.
const PACES: [(u64, u64); 6] = [(100, 100), (50, 50), (90, 20), (20, 90), (100, 50), (50, 100)];

/// A block in an engine, with the beats that are in it.
struct Run<E> {
    bench: Bench<E>,
    block: Block,
    reset: ResetStyle,
    width: u32,
    random: SplitMix,
    /// The beat that the source offers until it is taken.
    offered: Option<Vec<u64>>,
    /// Beats taken and not yet given, the oldest in front.
    inside: VecDeque<Vec<u64>>,
    /// The beat that it offered in the cycle before, if nobody took it.
    waiting: Option<Vec<u64>>,
    /// The ready of this cycle, as announced in the cycle before.
    told: Option<bool>,
    after_reset: bool,
}

impl<E: Engine> Run<E> {
    fn new(engine: E, block: Block, width: u32, reset: ResetStyle) -> Self {
        let (bench, random) = (Bench::new(engine), SplitMix(7));
        let (offered, inside, waiting, told) = (None, VecDeque::new(), None, None);
        Self { bench, block, reset, width, random, offered, inside, waiting, told, after_reset: false }
    }

    /// A payload of random bits.
    fn payload(&mut self) -> Vec<u64> {
        let mut words: Vec<u64> = (0..self.width.div_ceil(64)).map(|_| self.random.next()).collect();
        if !self.width.is_multiple_of(64) {
            *words.last_mut().expect("at least one word") &= u64::MAX >> (64 - self.width % 64);
        }
        words
    }

    /// A cycle in reset, which removes all beats inside.
    fn reset(&mut self) {
        let level = u64::from(self.reset.active_level());
        self.bench.cycle_with(&[(self.reset.port(), level), ("s_valid", 0), ("m_ready", 1)]);
        (self.offered, self.waiting, self.told, self.after_reset) = (None, None, None, true);
        self.inside.clear();
    }

    /// A cycle out of reset: the source offers a beat if `source`, and as long as the last one is not taken; the sink
    /// takes one if `sink`. Returns whether a beat went in and whether one came out, or the promise that is broken.
    fn cycle(&mut self, source: bool, sink: bool) -> Result<(bool, bool), String> {
        if self.offered.is_none() && source {
            self.offered = Some(self.payload());
        }
        // The data of an idle bus is arbitrary.
        let bus = self.offered.clone().unwrap_or_else(|| self.payload());
        self.bench.set("s_payload", &bus);
        self.bench.cycle_with(&[
            (self.reset.port(), u64::from(!self.reset.active_level())),
            ("s_valid", u64::from(self.offered.is_some())),
            ("m_ready", u64::from(sink)),
        ]);
        let [ready, valid] = ["s_ready", "m_valid"].map(|port| self.bench.get(port)[0] == 1);
        let payload = self.bench.get("m_payload");

        if let Some(waiting) = &self.waiting
            && !(valid && *waiting == payload)
        {
            return Err(format!("{waiting:x?} was offered, not taken, and is not offered any more"));
        }
        match (valid, self.inside.front()) {
            (true, None) => return Err(format!("{payload:x?} is offered, and never went in")),
            (false, Some(next)) => return Err(format!("{next:x?} is inside and not offered")),
            (true, Some(next)) if *next != payload => {
                return Err(format!("{payload:x?} is offered where {next:x?} is next"));
            }
            _ => {}
        }
        let room = self.inside.len() < self.block.capacity;
        let expected = match self.block.ready_is_register {
            true => room && !self.after_reset,
            false => room || sink,
        };
        if ready != expected {
            return Err(format!("ready is {ready} with {} beats inside", self.inside.len()));
        }
        if let Some(told) = self.told
            && ready != told
        {
            return Err(format!("ready is {ready}, and {told} was told of it"));
        }
        self.told = self.block.tells_ahead.then(|| self.bench.get("s_ready_next")[0] == 1);
        self.after_reset = false;
        let given = valid && sink;
        if given {
            self.inside.pop_front();
        }
        self.waiting = (valid && !sink).then_some(payload);
        let taken = ready && self.offered.is_some();
        if taken {
            self.inside.extend(self.offered.take());
        }
        Ok((taken, given))
    }

    /// Random stalls of both sides at every pace, with a reset between.
    fn random(&mut self, cycles: usize) -> Result<(), String> {
        for (source, sink) in PACES {
            self.reset();
            let mut beats = 0;
            for _ in 0..cycles {
                let (source, sink) = (self.random.next() % 100 < source, self.random.next() % 100 < sink);
                beats += usize::from(self.cycle(source, sink)?.1);
            }
            if beats < cycles / 10 {
                return Err(format!("{beats} beats in {cycles} cycles"));
            }
            // No beat is left.
            for _ in 0..4 {
                self.cycle(false, true)?;
            }
        }
        Ok(())
    }
}

fn native(block: Block, width: u32, reset: ResetStyle) -> Run<Native> {
    let design = Design { top: (block.build)(width), reset };
    Run::new(bench::native(&design), block, width, reset)
}

fn each_block(mut test: impl FnMut(Block, u32)) {
    for block in BLOCKS {
        WIDTHS.iter().for_each(|&width| test(block, width));
    }
}

#[test]
fn beats_stay_whole_and_in_order_under_stalls() {
    each_block(|block, width| {
        for reset in ResetStyle::ALL {
            native(block, width, reset)
                .random(2000)
                .unwrap_or_else(|e| panic!("{block:?}, {width} bits: {e}"));
        }
    });
}

#[cfg(feature = "rust-hdl")]
#[test]
fn in_rust_hdl_too() {
    each_block(|block, width| {
        let reset = ResetStyle::SyncHigh;
        let engine = utfhdl_sim::rust_hdl::RustHdl::new(&Design { top: (block.build)(width), reset });
        let run = Run::new(engine, block, width, reset).random(200);
        run.unwrap_or_else(|e| panic!("{block:?}, {width} bits: {e}"));
    });
}

#[test]
fn a_beat_goes_out_each_cycle_while_both_sides_go() {
    each_block(|block, width| {
        let mut run = native(block, width, ResetStyle::SyncHigh);
        run.reset();
        run.cycle(false, true).unwrap();
        assert_eq!(run.cycle(true, true), Ok((true, false)), "the first is a cycle on its way");
        for _ in 0..1000 {
            assert_eq!(run.cycle(true, true), Ok((true, true)), "{block:?}, {width} bits");
        }
    });
}

/// There is no bubble right after a stall either, when the block is full.
#[test]
fn a_stall_costs_no_cycle_more_than_it_lasts() {
    each_block(|block, width| {
        let mut run = native(block, width, ResetStyle::SyncHigh);
        run.reset();
        (0..10).for_each(|_| _ = run.cycle(true, false).unwrap());
        for _ in 0..20 {
            let (_, given) = run.cycle(true, true).unwrap();
            assert!(given, "{block:?}, {width} bits: a bubble");
        }
    });
}

#[test]
fn it_holds_as_many_beats_as_it_says() {
    each_block(|block, width| {
        let mut run = native(block, width, ResetStyle::SyncHigh);
        run.reset();
        let taken = (0..10).filter(|_| run.cycle(true, false).unwrap().0).count();
        assert_eq!(taken, block.capacity, "{block:?}, {width} bits");
        let given = (0..10).filter(|_| run.cycle(false, true).unwrap().1).count();
        // The source continues offering the beat that found no room.
        assert_eq!(given, block.capacity + 1, "{block:?}, {width} bits");
    });
}

#[test]
fn reset_empties_it() {
    each_block(|block, width| {
        for reset in ResetStyle::ALL {
            let mut run = native(block, width, reset);
            run.reset();
            (0..10).for_each(|_| _ = run.cycle(true, false).unwrap());
            assert_eq!(run.bench.get("m_valid"), [1]);
            run.reset();
            let now = run.bench.get("m_valid")[0];
            assert_eq!(now, u64::from(!reset.is_asynchronous()), "{reset}: at once, or at the edge");
            run.reset();
            assert_eq!(run.bench.get("m_valid"), [0], "{reset}");
            if block.ready_is_register {
                assert_eq!(run.bench.get("s_ready"), [0], "{reset}: it takes nothing that would be lost");
            }
            for _ in 0..3 {
                assert!(!run.cycle(false, true).unwrap().1, "{block:?}, {width} bits, {reset}");
            }
        }
    });
}

/// The tests above are not vacuous: a fault at any signal breaks a promise.
#[test]
fn every_fault_is_noticed() {
    each_block(|block, width| {
        let (reset, top) = (ResetStyle::SyncHigh, (block.build)(width));
        let names: Vec<&str> = top.nodes().iter().filter_map(|node| node.name.as_deref()).collect();
        assert!(names.len() >= 6, "{names:?}");
        for (name, fault) in names.iter().flat_map(|name| Fault::ALL.map(|fault| (name, fault))) {
            let design = Design { top: Arc::clone(&top), reset };
            let faulty = fault.inject(&design, name).expect("a signal of that name");
            let run = Run::new(bench::native(&faulty), block, width, reset).random(500);
            assert!(run.is_err(), "{block:?}, {width} bits: `{name}` {fault} is not noticed");
        }
    });
}
