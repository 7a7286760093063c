//! The `rust-hdl` engine on small designs, with expected values worked out by hand.

use std::sync::Arc;

use crate::common::bench::Bench;
use crate::common::designs::operators;
use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle};
use utfhdl_sim::rust_hdl::RustHdl;

fn bench(top: &Arc<Module>, reset: ResetStyle) -> Bench<RustHdl> {
    Bench::new(RustHdl::new(&Design { top: Arc::clone(top), reset }))
}

fn expect(bench: &Bench<RustHdl>, expected: &[(&str, &[u64])]) {
    for (port, value) in expected {
        assert_eq!(bench.get(port), *value, "output `{port}`");
    }
}

#[test]
fn operations_on_eight_bits() {
    let mut bench = bench(&operators(8), ResetStyle::SyncHigh);
    bench.cycle_with(&[("a", 0xc5), ("b", 0x3b), ("by", 3)]);
    expect(
        &bench,
        &[
            ("and_", &[0x01]),
            ("or_", &[0xff]),
            ("xor_", &[0xfe]),
            ("not_", &[0x3a]),
            ("add", &[0x00]),
            ("sub", &[0x8a]),
            ("sub_back", &[0x76]),
            ("eq", &[0]),
            ("ne", &[1]),
            ("lt", &[0]),
            ("le", &[0]),
            ("le_self", &[1]),
            ("shl", &[0x28]),
            ("shr", &[0x18]),
            ("all", &[0]),
            ("any", &[1]),
            ("parity", &[0]),
            ("slice", &[0x11]),
            ("concat", &[0x3bc5]),
            ("zext", &[0xc5, 0]),
            ("mux", &[0xc5]),
            ("case_", &[0xc5]),
        ],
    );
    bench.cycle_with(&[("a", 0xff), ("b", 0xff), ("by", 4)]);
    expect(&bench, &[("all", &[1]), ("eq", &[1]), ("ne", &[0]), ("lt", &[0]), ("le", &[1]), ("sub", &[0])]);
    bench.cycle_with(&[("a", 0), ("b", 0x80), ("by", 4)]);
    expect(&bench, &[("any", &[0]), ("lt", &[1]), ("mux", &[0x80]), ("case_", &[0x80])]);
    bench.cycle_with(&[("a", 0x07), ("by", 200)]);
    expect(&bench, &[("parity", &[1]), ("shl", &[0]), ("shr", &[0]), ("case_", &[0xff])]);
    bench.cycle_with(&[("by", 5)]);
    expect(&bench, &[("case_", &[0x07]), ("shl", &[0xe0])]);
}

#[test]
fn operations_on_a_hundred_bits() {
    const TOP: u64 = 0x8000_0000_0000_0000;
    let mut bench = bench(&operators(100), ResetStyle::SyncHigh);
    bench.set("a", &[TOP | 1, 0xf_0000_0000]);
    bench.set("b", &[TOP, 1]);
    bench.cycle_with(&[("by", 3)]);
    expect(
        &bench,
        &[
            ("and_", &[TOP, 0]),
            ("or_", &[TOP | 1, 0xf_0000_0001]),
            ("xor_", &[1, 0xf_0000_0001]),
            ("not_", &[!(TOP | 1), 0x0_ffff_ffff]),
            ("add", &[1, 0xf_0000_0002]),
            ("sub", &[1, 0xe_ffff_ffff]),
            ("sub_back", &[u64::MAX, 0x1_0000_0000]),
            ("eq", &[0]),
            ("ne", &[1]),
            ("lt", &[0]),
            ("le", &[0]),
            ("le_self", &[1]),
            ("shl", &[8, 0x8_0000_0004]),
            ("shr", &[TOP >> 3, 0x1_e000_0000]),
            ("all", &[0]),
            ("any", &[1]),
            ("parity", &[0]),
            ("slice", &[TOP >> 2, 0x1_c000_0000]),
            ("concat", &[TOP | 1, 0xf_0000_0000, 0x18_0000_0000, 0]),
            ("zext", &[TOP | 1, 0xf_0000_0000, 0]),
            ("mux", &[TOP | 1, 0xf_0000_0000]),
            ("case_", &[TOP | 1, 0xf_0000_0000]),
        ],
    );
    bench.cycle_with(&[("by", 70)]);
    expect(&bench, &[("shl", &[0, 64]), ("shr", &[0x3c00_0000, 0]), ("mux", &[TOP, 1])]);
    expect(&bench, &[("case_", &[u64::MAX, 0xf_ffff_ffff])]);
    bench.set("b", &[0, 0xf_0000_0001]);
    bench.cycle_with(&[("by", 100)]);
    expect(&bench, &[("shl", &[0, 0]), ("shr", &[0, 0]), ("lt", &[1]), ("le", &[1])]);
}

/// A pipeline stage whose ready passes backwards within the cycle.
fn stage() -> Arc<Module> {
    let m = Builder::new("stage", "Holds one beat.");
    let (data, valid, ready) =
        (m.input("s_data", 8, ""), m.input("s_valid", 1, ""), m.input("m_ready", 1, ""));
    let (full, held) = (m.reg("full", 1).reset(0), m.reg("held", 8));
    let s_ready = !full.q | ready;
    full.next_when(s_ready, valid);
    held.next_when(s_ready & valid, data);
    m.output("s_ready", s_ready, "");
    m.output("m_valid", full.q, "");
    m.output("m_data", held.q, "");
    m.finish().expect("a sound module")
}

/// A row of stages, in which each ready is driven after the next stage is there: against the order of the source.
fn pipeline(stages: usize) -> Arc<Module> {
    let m = Builder::new("pipeline", "Stages in a row.");
    let (mut data, mut valid) = (m.input("s_data", 8, ""), m.input("s_valid", 1, ""));
    let stage = stage();
    let mut later = None;
    for index in 0..stages {
        let ready = m.wire(&format!("ready_{index}"), 1);
        let instance = m.instance(&format!("stage_{index}"), &stage);
        instance.input("s_data", data).input("s_valid", valid).input("m_ready", ready);
        match later {
            None => m.output("s_ready", instance.output("s_ready"), ""),
            Some(wire) => m.drive(wire, instance.output("s_ready")),
        }
        (data, valid, later) = (instance.output("m_data"), instance.output("m_valid"), Some(ready));
    }
    m.drive(later.expect("at least one stage"), m.input("m_ready", 1, ""));
    m.output("m_valid", valid, "");
    m.output("m_data", data, "");
    m.finish().expect("a sound module")
}

#[test]
fn ready_runs_backwards_through_instances_within_a_cycle() {
    let mut bench = bench(&pipeline(3), ResetStyle::SyncHigh);
    let mut cycle = |s_valid: u64, s_data: u64, m_ready: u64| {
        bench.cycle_with(&[("s_valid", s_valid), ("s_data", s_data), ("m_ready", m_ready)]);
        (bench.get("s_ready")[0], bench.get("m_valid")[0], bench.get("m_data")[0])
    };
    // Three beats fill it.
    assert_eq!(cycle(1, 0x31, 0), (1, 0, 0));
    assert_eq!(cycle(1, 0x32, 0), (1, 0, 0));
    assert_eq!(cycle(1, 0x33, 0), (1, 0, 0));
    // The row is full and takes no more, until a ready at the end lets all beats move at once.
    assert_eq!(cycle(1, 0x34, 0), (0, 1, 0x31));
    assert_eq!(cycle(1, 0x34, 1), (1, 1, 0x31));
    assert_eq!(cycle(1, 0x35, 0), (0, 1, 0x32));
    assert_eq!(cycle(0, 0, 1), (1, 1, 0x32));
    assert_eq!(cycle(0, 0, 1), (1, 1, 0x33));
    assert_eq!(cycle(0, 0, 1), (1, 1, 0x34));
    assert_eq!(cycle(0, 0, 1), (1, 0, 0x34));
}

#[test]
fn a_long_backward_path_settles() {
    let mut bench = bench(&pipeline(150), ResetStyle::SyncHigh);
    bench.set("s_data", &[0x77]);
    bench.set("s_valid", &[1]);
    for _ in 0..150 {
        bench.cycle();
        assert_eq!(bench.get("s_ready"), [1]);
    }
    bench.cycle();
    assert_eq!((bench.get("s_ready"), bench.get("m_valid")), (vec![0], vec![1]));
    bench.cycle_with(&[("m_ready", 1)]);
    assert_eq!(bench.get("s_ready"), [1], "through all 150 stages within the cycle");
}
