//! The contents of the dump.

use std::collections::{BTreeSet, HashMap};
use std::io::BufReader;

use wellen::{TimescaleUnit, VarType};

use super::read::Read;
use super::*;

fn read_dump(cycles: Range<u64>) -> (Read, Vec<Shown>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, expected) = dump(&folder.path().join("run.vcd"), cycles);
    let text = std::fs::read_to_string(&files.dump).expect("text");
    (Read::of(&files.dump), expected, text)
}

#[test]
fn every_signal_shows_in_every_cycle_what_the_engine_said() {
    let (read, expected, _) = read_dump(0..100);
    read.check(0, &expected);
    for path in ["tb.widener.wide", "tb.widener.kind_label", "tb.engines_differ", "tb.decoded"] {
        let values: BTreeSet<_> = expected.iter().map(|shown| &shown[path]).collect();
        assert!(values.len() > 1, "{path} should change in this run");
    }
}

#[test]
fn the_dump_has_the_names_of_the_netlist_and_no_others() {
    let (read, expected, _) = read_dump(0..1);
    let mut names: BTreeSet<&str> = expected[0].keys().map(String::as_str).collect();
    names.insert("tb.clk");
    assert_eq!(read.changes.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    let hierarchy = read.waves.hierarchy();
    let modules = hierarchy.all_scopes().map(|scope| &hierarchy[scope]);
    let modules: BTreeSet<_> = modules.map(|scope| scope.full_name(hierarchy)).collect();
    let names = ["tb", "tb.native", "tb.rust_hdl", "tb.widener", "tb.widener.hold"];
    assert_eq!(modules, names.map(str::to_owned).into());
}

#[test]
fn widths_ranges_and_kinds_are_those_of_the_netlist() {
    let (read, ..) = read_dump(0..1);
    assert_eq!(read.variable("tb.widener.wide"), (VarType::Wire, Some(72), Some((71, 0))));
    assert_eq!(read.variable("tb.widener.count"), (VarType::Reg, Some(16), Some((15, 0))));
    assert_eq!(read.variable("tb.widener.hold.full"), (VarType::Reg, Some(1), None));
    assert_eq!(read.variable("tb.widener.hold_m_valid"), (VarType::Wire, Some(1), None));
    assert_eq!(read.variable("tb.widener.kind_label"), (VarType::String, None, None));
    assert_eq!(read.variable("tb.cycle").0, VarType::Integer);
    let timescale = read.waves.hierarchy().timescale().expect("a timescale");
    assert_eq!((timescale.factor, timescale.unit), (1, TimescaleUnit::NanoSeconds));
}

#[test]
fn the_clock_rises_at_the_end_of_every_cycle() {
    for first in [0, 40] {
        let (read, ..) = read_dump(first..first + 10);
        let rising = read.changes["tb.clk"].iter().filter(|(_, value)| value == "1").map(|(time, _)| *time);
        let ends = (first..first + 10).map(|cycle| (cycle + 1) * CYCLE_NS);
        assert_eq!(rising.collect::<Vec<_>>(), ends.collect::<Vec<_>>());
        let steps: Vec<u64> = read.waves.time_table().windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps[0], CYCLE_NS, "before its first edge the clock is low");
        assert!(steps[1..].iter().all(|step| *step == CYCLE_NS / 2), "{steps:?}");
    }
}

#[test]
fn a_dump_can_begin_in_any_cycle() {
    let (read, expected, _) = read_dump(70..100);
    assert_eq!(read.waves.time_table().first(), Some(&700));
    assert_eq!(read.waves.time_table().last(), Some(&1000));
    read.check(70, &expected);
}

#[test]
fn only_what_changed_is_written_and_single_bits_as_scalars() {
    let (.., text) = read_dump(0..100);
    let mut parser = ::vcd::Parser::new(BufReader::new(text.as_bytes()));
    let header = parser.parse_header().expect("a header");
    let mut widths = HashMap::new();
    collect_widths(&header.items, &mut widths);
    let (mut last, mut changes) = (HashMap::new(), 0);
    for command in parser {
        let (id, value) = match command.expect("a command") {
            ::vcd::Command::ChangeScalar(id, value) => {
                assert_eq!(widths[&id], 1);
                (id, value.to_string())
            }
            ::vcd::Command::ChangeVector(id, value) => {
                assert!(widths[&id] > 1, "a vector of one bit");
                (id, value.to_string())
            }
            ::vcd::Command::ChangeString(id, value) => (id, value),
            _ => continue,
        };
        changes += 1;
        assert_ne!(last.insert(id, value.clone()), Some(value), "{id} is written again");
    }
    assert!(changes > 1000, "{changes} changes in a hundred cycles");
}

fn collect_widths(items: &[::vcd::ScopeItem], widths: &mut HashMap<::vcd::IdCode, u32>) {
    for item in items {
        match item {
            ::vcd::ScopeItem::Scope(scope) => collect_widths(&scope.items, widths),
            ::vcd::ScopeItem::Var(variable) => drop(widths.insert(variable.code, variable.size)),
            _ => {}
        }
    }
}

#[test]
fn the_file_is_ascii_and_no_text_has_a_space() {
    let (.., text) = read_dump(0..30);
    assert!(text.is_ascii(), "GTKWave ends reading at a byte past ASCII");
    let texts = text.lines().filter(|line| line.starts_with('s'));
    assert!(texts.clone().any(|line| line.starts_with(r"sU+20AC_\xE2\x82\xAC ")));
    texts.for_each(|line| assert_eq!(line.split(' ').count(), 2, "{line}"));
}

#[test]
fn without_a_probe_the_ports_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::new(&design());
    let source = WaveSource { layout: &layout, engines: &["verilator"], scope: None, texts: &[], globs: &[] };
    let path = folder.path().join("ports.vcd");
    let mut waves = WaveWriter::create(&path, WaveFormat::Vcd, &source, &WavePlan::new(&source))
        .expect("a writable path");
    let mut outputs = vec![0; layout.output_words];
    layout.output("m_axis_tdata").expect("a port").write(&mut outputs, &[0x1234, 0x56]);
    let inputs = stimulus(&layout, 4);
    waves
        .cycle(&WaveCycle { cycle: 4, inputs: &inputs, outputs: &[&outputs], probe: None, texts: &[] })
        .expect("a writable file");
    let read = Read::of(&waves.finish().expect("a writable folder").dump);
    assert_eq!(read.at("tb.verilator.m_axis_tdata", 40), bits(72, &[0x1234, 0x56]));
    assert_eq!(read.at("tb.s_axis_tdata", 40), bits(8, &[4 * 0x49 % 0x100]));
    assert!(!read.changes.contains_key("tb.engines_differ"), "there is none to differ from");
}

#[test]
#[should_panic(expected = "cycles follow on one another")]
fn a_gap_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::new(&design());
    let source = WaveSource { layout: &layout, engines: &[], scope: None, texts: &[], globs: &[] };
    let plan = WavePlan::new(&source);
    let mut waves =
        WaveWriter::create(&folder.path().join("gap.vcd"), WaveFormat::Vcd, &source, &plan).expect("a path");
    for cycle in [3, 5] {
        let inputs = stimulus(&layout, cycle);
        let cycle = WaveCycle { cycle, inputs: &inputs, outputs: &[], probe: None, texts: &[] };
        waves.cycle(&cycle).expect("a writable file");
    }
}
