//! FST dumps hold what VCD dumps do.

use super::read::Read;
use super::*;

fn both(cycles: Range<u64>) -> ([Read; 2], Vec<Shown>) {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| {
        let (files, expected) = dump(&folder.path().join(name), cycles.clone());
        (Read::of(&files.dump), expected)
    };
    let ((vcd, expected), (fst, _)) = (read("run.vcd"), read("run.fst"));
    ([vcd, fst], expected)
}

#[test]
fn both_formats_have_the_same_changes_at_the_same_times() {
    for cycles in [0..100, 70..100] {
        let ([vcd, fst], expected) = both(cycles.clone());
        assert_eq!(vcd.waves.time_table(), fst.waves.time_table());
        for (path, changes) in &vcd.changes {
            assert_eq!(fst.changes[path], *changes, "{path}");
        }
        assert_eq!(fst.changes.len(), vcd.changes.len());
        fst.check(cycles.start, &expected);
    }
}

#[test]
fn kinds_and_widths_are_the_same() {
    let ([vcd, fst], expected) = both(0..1);
    for path in expected[0].keys() {
        assert_eq!(fst.variable(path), vcd.variable(path), "{path}");
    }
    assert_eq!(fst.waves.hierarchy().timescale(), vcd.waves.hierarchy().timescale());
}

/// Changes that do not fit into one block, with values that are not known at the start of some.
#[test]
fn a_dump_of_many_blocks_is_read_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.fst");
    let mut engine = Native::new(&design()).expect("room for it");
    let layout = engine.layout().clone();
    let scope = engine.probe().expect("a probe").scope().clone();
    let source = WaveSource {
        layout: &layout,
        engines: &["native"],
        scope: Some(&scope),
        texts: &[],
        globs: &["*data*", "*mode", "native.beats"],
    };
    let plan = WavePlan::new(&source);
    let mut waves = WaveWriter::create(&path, WaveFormat::Fst, &source, &plan).expect("a writable path");
    // Some forty bytes a cycle: more than one block.
    let cycles = 600_000;
    let mut outputs = vec![0; layout.output_words];
    let (mut inputs, mut expected) = (vec![0; layout.input_words], Vec::new());
    let data = layout.input("s_axis_tdata").expect("a port");
    layout.input("s_axis_tvalid").expect("a port").set(&mut inputs, 1);
    layout.input("m_axis_tready").expect("a port").set(&mut inputs, 1);
    for cycle in 0..cycles {
        data.set(&mut inputs, cycle * 0x49 % 0x100);
        engine.run(&inputs, &mut outputs).expect("native does not fail");
        let probe = if cycle / 1000 % 3 == 0 { None } else { engine.probe() };
        let shown = (probe.is_some(), layout.output("m_axis_tdata").expect("a port").value(&outputs));
        // The first beat comes out in cycle 1.
        if cycle > 0 && cycle % 4999 == 0 {
            expected.push((cycle, shown));
        }
        let cycle = WaveCycle { cycle, inputs: &inputs, outputs: &[&outputs], probe, texts: &[] };
        waves.cycle(&cycle).expect("a writable file");
    }
    let files = waves.finish().expect("a writable folder");
    let read = Read::of(&files.dump);
    assert_eq!(read.waves.time_table().last(), Some(&(cycles * CYCLE_NS)));
    let at = |path: &str, time: u64| {
        let changes = &read.changes[path];
        changes[changes.partition_point(|(change, _)| *change <= time) - 1].1.clone()
    };
    for (cycle, (known, value)) in expected {
        let (time, value) = (cycle * CYCLE_NS, bits(72, &value));
        assert_eq!(at("tb.native.m_axis_tdata", time), value, "cycle {cycle}");
        let inside = at("tb.widener.hold.data", time);
        assert_eq!(inside, if known { value } else { "x".repeat(72) }, "cycle {cycle}");
    }
}
