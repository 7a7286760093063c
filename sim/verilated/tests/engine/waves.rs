//! The dumps of a run by the crate `verilated` and by this project must have the same signals and changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use utfhdl_sim::native::Native;
use utfhdl_sim::wave::{WaveCycle, WaveFormat, WavePlan, WaveSource, WaveWriter, CYCLE_NS};
use utfhdl_sim::{Engine, Layout};
use utfhdl_verilated::Verilated;
use vcd::{Command, IdCode, ScopeItem};

use super::inputs;

const CYCLES: usize = 1000;

/// The changes of a signal: time in nanoseconds, and bits.
type Changes = Vec<(u64, String)>;

/// Every signal of a dump, by path.
fn read(path: &Path) -> BTreeMap<String, Changes> {
    let mut parser = vcd::Parser::new(BufReader::new(File::open(path).expect("a dump")));
    let header = parser.parse_header().expect("a header");
    assert_eq!(header.timescale, Some((1, vcd::TimescaleUnit::NS)));
    let mut paths = Vec::new();
    header.items.iter().for_each(|item| collect(item, "", &mut paths));
    let end = CYCLES as u64 * CYCLE_NS;
    let (mut changes, mut time) = (HashMap::<IdCode, Changes>::new(), 0);
    for command in parser {
        let (code, value) = match command.expect("a command") {
            // Our dump continues to the edge at which the last cycle ends.
            Command::Timestamp(now) if now >= end => break,
            Command::Timestamp(now) => {
                time = now;
                continue;
            }
            Command::ChangeScalar(code, value) => (code, value.to_string()),
            Command::ChangeVector(code, value) => (code, without_zeros(&value.to_string())),
            Command::ChangeString(code, value) => (code, value),
            _ => continue,
        };
        changes.entry(code).or_default().push((time, value));
    }
    paths.into_iter().map(|(path, code)| (path, changes.get(&code).cloned().unwrap_or_default())).collect()
}

/// Bits without leading zeros, which a dump may leave out.
fn without_zeros(bits: &str) -> String {
    let short = bits.trim_start_matches('0');
    if short.is_empty() {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// The variables of a part of the hierarchy, by path, each with the code that its changes have.
fn collect(item: &ScopeItem, within: &str, paths: &mut Vec<(String, IdCode)>) {
    match item {
        ScopeItem::Scope(scope) => {
            let within = format!("{within}{}.", scope.identifier);
            scope.items.iter().for_each(|item| collect(item, &within, paths));
        }
        ScopeItem::Var(variable) => paths.push((format!("{within}{}", variable.reference), variable.code)),
        _ => {}
    }
}

/// Runs both engines on the same inputs, each with its own dump.
fn dumps(folder: &Path) -> [BTreeMap<String, Changes>; 2] {
    let core = utfhdl_verilated::core();
    let inputs = inputs(&core.design, CYCLES);
    let (theirs, ours) = (folder.join("theirs.vcd"), folder.join("ours.vcd"));
    let mut verilated = Verilated::new(&core.design).expect("the same core");
    verilated.trace(&theirs).expect("a folder to write to");
    let mut outputs = vec![0; CYCLES * verilated.layout().output_words];
    verilated.run(&inputs, &mut outputs).expect("the engine runs");
    drop(verilated);

    let mut native = Native::new(&core.design).expect("room for the core");
    let layout = Layout::new(&core.design);
    let scope = native.probe().map(|probe| probe.scope().clone());
    let engines = ["native"];
    let source =
        WaveSource { layout: &layout, engines: &engines, scope: scope.as_ref(), texts: &[], globs: &[] };
    let mut waves =
        WaveWriter::create(&ours, WaveFormat::Vcd, &source, &WavePlan::new(&source)).expect("a folder");
    let mut outputs = vec![0; layout.output_words];
    for (cycle, inputs) in (0..).zip(inputs.chunks(layout.input_words)) {
        native.run(inputs, &mut outputs).expect("the engine runs");
        let (outputs, probe) = ([&outputs[..]], native.probe());
        waves.cycle(&WaveCycle { cycle, inputs, outputs: &outputs, probe, texts: &[] }).expect("a file");
    }
    waves.finish().expect("a folder to write to");
    [read(&theirs), read(&ours)]
}

#[test]
fn both_dumps_have_the_same_signals_with_the_same_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let [theirs, ours] = dumps(folder.path());
    let top = format!("TOP.{}.", utfhdl_verilated::core().design.top.name());
    let text = utfhdl_verilated::core().verilog();
    // Their dump has two kinds of names that no signal of the netlist has: constants, and outputs of modules that nothing reads.
    let constants: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("localparam "))
        .filter_map(declared)
        .collect();
    let is_verilog = |path: &str| constants.contains(last_name(path)) || path.ends_with("_unused");
    let (extra, theirs): (BTreeMap<_, _>, BTreeMap<_, _>) =
        theirs.into_iter().partition(|(path, _)| is_verilog(path));
    assert!(extra.len() < theirs.len() / 4, "{extra:?}");

    let mut compared = BTreeSet::new();
    for (path, changes) in &theirs {
        let name = last_name(path);
        let within = path.starts_with(&top).then(|| path.replacen("TOP", "tb", 1));
        // Clock and reset of an inner module are those of the core; so are the ports of the core itself.
        let places = [within, Some(format!("tb.{name}")), Some(format!("tb.native.{name}"))];
        let place = places.into_iter().flatten().find(|place| ours.contains_key(place));
        let place = place.unwrap_or_else(|| panic!("{path} is in their dump alone"));
        let ours = &ours[&place];
        // Our dump hides the payload of an interface that offers nothing.
        let times = changes.iter().chain(ours).map(|(time, _)| *time);
        let first = times
            .map(|time| (time, at(changes, time), at(ours, time)))
            .find(|(_, their, our)| their != our && *our != Some(IDLE));
        assert_eq!(first, None, "the first time at which {path} differs, in their dump and in ours");
        let hides = ours.iter().any(|(_, value)| value == IDLE);
        assert!(changes.len() == ours.len() || hides, "changes of {path}");
        compared.insert(place);
    }
    // The number of the cycle, the names of values, and wires that the Verilog writes out where they are used, are ours.
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    let words = code.flat_map(|line| line.split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_'));
    let words: BTreeSet<&str> = words.collect();
    let alone: Vec<_> = ours.keys().filter(|path| !compared.contains(*path)).collect();
    let missed: Vec<_> =
        alone.iter().filter(|path| *path != &"tb.cycle" && words.contains(last_name(path))).collect();
    assert!(missed.is_empty(), "in our dump alone: {missed:?}");
    let changes: usize = theirs.values().map(Vec::len).sum();
    assert!(changes > 20 * CYCLES, "{changes} changes in {CYCLES} cycles");
}

/// The value of a signal that offers nothing.
const IDLE: &str = "z";

/// The value at some time: that of the last change until then.
fn at(changes: &Changes, time: u64) -> Option<&str> {
    let until = changes.partition_point(|(of_change, _)| *of_change <= time);
    Some(changes[..until].last()?.1.as_str())
}

/// The name in a declaration such as `[3:0] NAME = 4'd1;`.
fn declared(text: &str) -> Option<&str> {
    text.split_once(" = ")?.0.split_whitespace().last()
}

fn last_name(path: &str) -> &str {
    path.rsplit('.').next().expect("a path has a name")
}
