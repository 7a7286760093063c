//! Ports and signals as wide as those of a core of 64 lanes, and designs that are too large.

use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_sim::native::{Mode, Native, Reason};
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, Layout};

use std::sync::Arc;

use super::difference;
use crate::common::bench::{interpreted, native, outputs};
use crate::common::designs::operators;
use crate::common::icarus::header;
use crate::common::stimulus::stimulus;

const LANES: u32 = 64;

/// Lanes of 32 bits, rotated by an amount, gathered, compared and held.
fn lanes() -> Arc<Module> {
    let m = Builder::new("lanes", "64 lanes side by side.");
    let (data, keep) = (m.input("data", 32 * LANES, ""), m.input("keep", LANES, ""));
    let (by, enable) = (m.input("by", 12, ""), m.input("enable", 1, ""));
    let held = m.reg("held", 32 * LANES).reset(0);
    held.next_when(enable, (data << by) | (data >> (m.lit(12, (32 * LANES).into()) - by)));
    let masked: Vec<_> = (0..LANES)
        .rev()
        .map(|lane| keep.bit(lane).mux(held.q.bits(32 * lane..32 * lane + 32), m.lit(32, 0xfffd)))
        .collect();
    let close: Vec<_> = (0..LANES).rev().map(|lane| held.q.bits(32 * lane..32 * lane + 21)).collect();
    m.output("masked", m.concat(masked), "");
    m.output("close", m.concat(close), "");
    m.output("sum", held.q + data, "");
    m.output("difference", held.q - data, "");
    m.output("less", held.q.lt(data), "");
    m.output("parity", held.q.parity(), "");
    m.finish().expect("a sound module")
}

#[test]
fn wide_lanes_compiled_are_interpreted() {
    for reset in ResetStyle::ALL {
        assert_eq!(difference(&Design { top: lanes(), reset }, 500, 7), None);
    }
}

#[test]
fn operators_of_all_widths_compiled_are_interpreted() {
    for width in (5..200).step_by(3).chain([256, 257, 511, 2048, 2049, 4095]) {
        let design = Design { top: operators(width), reset: ResetStyle::SyncHigh };
        assert_eq!(difference(&design, 40, u64::from(width)), None, "{width} bits");
    }
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn wide_lanes_are_verilators() {
    let design = Design { top: lanes(), reset: ResetStyle::SyncHigh };
    let text = utfhdl_hdl::emit::verilog(&design, &header());
    let mut model = Verilator::new(&design, &text, &Cache::of_user(), Effort::Quick).expect("a model");
    let inputs = stimulus(&Layout::new(&design), true, 500, 9);
    assert!(outputs(&mut native(&design), &inputs) == outputs(&mut model, &inputs));
}

/// A design that is compiled while it runs: at some cycle the compiled code continues, which must not be seen in the
/// outputs.
#[test]
#[cfg_attr(not(feature = "jit"), ignore = "needs the feature `jit`")]
fn a_large_design_is_interpreted_until_it_is_compiled() {
    let m = Builder::new("registers", "3000 registers in a row.");
    let (enable, data) = (m.input("enable", 1, ""), m.input("data", 70, ""));
    let last = (0..3000).fold(data, |before, index| {
        let register = m.reg(&format!("r{index}"), 70).reset(index);
        register.next_when(enable, before ^ m.lit(70, index));
        register.q
    });
    m.output("last", last, "");
    let design = Design { top: m.finish().expect("a sound module"), reset: ResetStyle::AsyncHigh };
    let layout = Layout::new(&design);
    let inputs = stimulus(&layout, true, 64, 3);
    let (mut engine, mut other) = (Native::new(&design).expect("room for it"), interpreted(&design));
    let mut compiled_from = None;
    for cycle in 0..1_000_000 {
        let inputs = &inputs[cycle % 64 * layout.input_words..][..layout.input_words];
        let [mut found, mut expected] = [(); 2].map(|()| vec![0; layout.output_words]);
        engine.run(inputs, &mut found).expect("it runs");
        other.run(inputs, &mut expected).expect("it runs");
        assert_eq!(found, expected, "cycle {cycle}");
        if compiled_from.is_none() && engine.is_compiled() {
            compiled_from = Some(cycle);
        }
        if compiled_from.is_some_and(|from| cycle > from + 100) {
            break;
        }
    }
    assert!(compiled_from > Some(0), "it is ready before it is compiled");
    let signal = engine.probe().expect("a probe").scope().signals[5].signal;
    let values = [&engine, &other].map(|engine| engine.probe().expect("a probe").value(signal).to_vec());
    assert_eq!(values[0], values[1]);
}

/// A small design is compiled between two calls, which must not be seen in the outputs or by a probe.
#[test]
#[cfg_attr(not(feature = "jit"), ignore = "needs the feature `jit`")]
fn a_small_design_is_compiled_once_it_has_run_for_a_while() {
    let design = Design { top: operators(8), reset: ResetStyle::SyncHigh };
    let layout = Layout::new(&design);
    let inputs = stimulus(&layout, true, 1000, 5);
    let (mut engine, mut other) = (Native::new(&design).expect("room for it"), interpreted(&design));
    let signals: Vec<usize> =
        other.probe().expect("a probe").scope().signals.iter().map(|named| named.signal).collect();
    for call in 0..6 {
        assert_eq!(engine.is_compiled(), call > 3, "call {call}");
        let [mut found, mut expected] = [(); 2].map(|()| vec![0; layout.output_words * 1000]);
        engine.run(&inputs, &mut found).expect("it runs");
        other.run(&inputs, &mut expected).expect("it runs");
        assert_eq!(found, expected, "call {call}");
        for &signal in &signals {
            let values =
                [&engine, &other].map(|engine| engine.probe().expect("a probe").value(signal).to_vec());
            assert_eq!(values[0], values[1], "call {call}");
        }
    }
}

/// A design that is too large to be compiled is interpreted, and the engine says so.
#[test]
fn a_very_large_design_is_interpreted() {
    let m = Builder::new("shifter", "A shift of very many bits.");
    let (a, by) = (m.input("a", 1 << 20, ""), m.input("by", 20, ""));
    m.output("y", a << by, "");
    let design = Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncHigh };
    let engine = Native::new(&design).expect("room for it").compiled();
    let reason = if cfg!(feature = "jit") { Reason::TooLarge { most: 200_000 } } else { Reason::NoCompiler };
    assert_eq!(engine.mode(), Mode::Interpreted(reason));
    let remark = engine.remark().expect("it is slow");
    let expected = if cfg!(feature = "jit") {
        "the design is interpreted, which is slow: it has more than 200000 words of 64 bits, which would take too long \
         to compile"
    } else {
        "the design is interpreted, which is slow: this build has no compiler; build it with the feature `jit`"
    };
    assert_eq!(remark, expected);
}

/// Many words, and enough signals that the compiler runs in a thread.
#[test]
#[cfg_attr(not(feature = "jit"), ignore = "needs the feature `jit`")]
fn a_design_that_is_large_both_ways_is_refused_while_it_runs() {
    let m = Builder::new("shifters", "Shifts of very many bits, and many signals.");
    let (a, by) = (m.input("a", 1 << 20, ""), m.input("by", 20, ""));
    let bits = (0..2500).fold(by.bit(0), |bits, _| !bits);
    m.output("y", a << by, "");
    m.output("negated", bits, "");
    let design = Design { top: m.finish().expect("a sound module"), reset: ResetStyle::SyncHigh };
    let engine = Native::new(&design).expect("room for it");
    assert_eq!(engine.mode(), Mode::Compiling);
    let engine = engine.compiled();
    assert_eq!(engine.mode(), Mode::Interpreted(Reason::TooLarge { most: 200_000 }));
}

/// An engine that was asked to interpret does not remark on it.
#[test]
fn a_small_design_has_nothing_to_remark() {
    let design = Design { top: operators(8), reset: ResetStyle::SyncHigh };
    assert_eq!(interpreted(&design).mode(), Mode::Interpreted(Reason::Asked));
    assert_eq!(interpreted(&design).remark(), None);
    let engine = Native::new(&design).expect("room for it");
    if cfg!(feature = "jit") {
        assert_eq!((engine.mode(), engine.remark()), (Mode::Compiling, None));
        let engine = engine.compiled();
        assert_eq!((engine.mode(), engine.remark()), (Mode::Compiled, None));
    } else {
        assert_eq!(engine.mode(), Mode::Interpreted(Reason::NoCompiler));
    }
}
