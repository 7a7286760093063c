//! Dumps of a small design, read back.

mod dump;
mod files;
mod fst;
mod globs;
mod plan;
mod read;
mod viewers;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use utfhdl_hdl::netlist::{Bits, Builder, Design, Labels, Module, ResetStyle};

use super::*;
use crate::flat::Scope;
use crate::native::Native;
use crate::{Engine, Layout, Probe};

/// A register slice of one beat whose data is `width` bits.
fn slice(width: u32) -> Arc<Module> {
    let m = Builder::new("slice", "Holds one beat.");
    let s_valid = m.input("s_valid", 1, "");
    let s_data = m.input("s_data", width, "");
    let m_ready = m.input("m_ready", 1, "");
    let full = m.reg("full", 1).reset(0);
    let data = m.reg("data", width);
    let take = (!full.q | m_ready).named("take");
    full.next_when(take, s_valid);
    data.next_when(take & s_valid, s_data);
    m.output("s_ready", take, "");
    m.output("m_valid", full.q, "");
    m.output("m_data", data.q, "");
    m.finish().expect("a correct module")
}

/// Counts beats, names their kind, and carries them, widened to 72 bits, through a slice.
pub(super) fn design() -> Design {
    let values = [(0, "none"), (1, "small"), (2, "very large")];
    let values = values.map(|(value, name)| (value, name.to_owned())).to_vec();
    let m = Builder::new("widener", "Widens bytes.");
    let data = m.input("s_axis_tdata", 8, "");
    let valid = m.input("s_axis_tvalid", 1, "");
    let ready = m.input("m_axis_tready", 1, "");
    let mode = m.input("mode", 2, "");
    let taken = m.wire("taken", 1);
    m.stage_section(1, "classify");
    let kind = m.wire("kind", 2).labels(&Arc::new(Labels { name: "kind".into(), values }));
    let count = m.reg("count", 16).reset(0);
    let large = data.bit(7).mux(m.lit(2, 2), m.lit(2, 1));
    m.drive(kind, valid.mux(large, m.lit(2, 0)) ^ mode);
    let wide = m.concat([data, m.lit(56, 0), data]).named("wide");
    m.stage_section(2, "hold");
    let held = m.instance("hold", &slice(72)).input("s_valid", valid).input("s_data", wide);
    let held = held.input("m_ready", ready);
    m.drive(taken, valid & held.output("s_ready"));
    count.next_when(taken, count.q + m.lit(16, 1));
    m.output("s_axis_tready", held.output("s_ready"), "");
    m.output("m_axis_tvalid", held.output("m_valid"), "");
    m.output("m_axis_tdata", held.output("m_data"), "");
    m.output("beats", count.q, "");
    m.output("last_kind", kind, "");
    Design { top: m.finish().expect("a correct module"), reset: ResetStyle::SyncHigh }
}

/// Inputs of a cycle: reset, then data that change and stalls on both sides.
fn stimulus(layout: &Layout, cycle: u64) -> Vec<u64> {
    let mut record = vec![0; layout.input_words];
    let mut set = |name: &str, value| layout.input(name).expect("a port").set(&mut record, value);
    set("rst", u64::from(cycle < 3));
    set("s_axis_tdata", cycle * 0x49 % 0x100);
    set("s_axis_tvalid", u64::from(!cycle.is_multiple_of(5)));
    set("m_axis_tready", u64::from(!cycle.is_multiple_of(3)));
    set("mode", u64::from(cycle % 16 == 15));
    record
}

const ENGINES: [&str; 2] = ["native", "rust-hdl"];
const TEXTS: [&str; 2] = ["decoded", "note"];

/// The texts of a cycle: as the caller gives them, and as they are read back in ASCII and in UTF-8 byte by byte.
fn texts(cycle: u64) -> [[&'static str; 3]; 2] {
    let euro = ["U+20AC €", "U+20AC", "U+20AC_\u{e2}\u{82}\u{ac}"];
    let cent = ["U+20AC ¢", "U+20AC", "U+20AC_\u{c2}\u{a2}"];
    let letter = ["U+0061_a", "U+0061_a", "U+0061_a"];
    let nothing = ["", " ", " "];
    let backslash = [r"\x41\ ", r"\x41\_", r"\x41\_"];
    let overlong = ["error:overlong"; 3];
    let decoded = [euro, cent, letter, nothing][cycle as usize / 3 % 4];
    [decoded, if cycle % 7 < 4 { overlong } else { backslash }]
}

/// The values that a reader should find in a cycle: bits or text, by path.
type Shown = BTreeMap<String, String>;

fn bits(width: u32, value: &[u64]) -> String {
    let bits = Bits::from_words(width, value);
    (0..width).rev().map(|index| if bits.bit(index) { '1' } else { '0' }).collect()
}

fn label(value: u64) -> &'static str {
    ["none", "small", "very_large", "0x3"][value as usize]
}

fn show_scope(shown: &mut Shown, path: &str, scope: &Scope, probe: &dyn Probe) {
    for signal in &scope.signals {
        let value = probe.value(signal.signal);
        shown.insert(format!("{path}.{}", signal.name), bits(signal.width, value));
        if signal.labels.is_some() {
            shown.insert(format!("{path}.{}_label", signal.name), label(value[0]).to_owned());
        }
    }
    scope
        .children
        .iter()
        .for_each(|child| show_scope(shown, &format!("{path}.{}", child.name), child, probe));
}

fn show_record(shown: &mut Shown, path: &str, ports: &[crate::PortSlot], record: &[u64]) {
    for port in ports {
        let mut value = vec![0; port.words()];
        port.read(record, &mut value);
        shown.insert(format!("{path}.{}", port.name), bits(port.width, &value));
        if port.name == "last_kind" {
            shown.insert(format!("{path}.{}_label", port.name), label(value[0]).to_owned());
        }
    }
}

fn shown(cycle: &WaveCycle, layout: &Layout) -> Shown {
    let mut shown = Shown::new();
    let probe = cycle.probe.expect("a probe");
    show_scope(&mut shown, "tb.widener", probe.scope(), probe);
    show_record(&mut shown, "tb", &layout.inputs, cycle.inputs);
    show_record(&mut shown, "tb.native", &layout.outputs, cycle.outputs[0]);
    show_record(&mut shown, "tb.rust_hdl", &layout.outputs, cycle.outputs[1]);
    let differ = cycle.outputs[0] != cycle.outputs[1];
    for stream in ["tb.s_axis", "tb.native.m_axis", "tb.rust_hdl.m_axis"] {
        // Data without a beat are idle.
        if !differ && shown[&format!("{stream}_tvalid")] == "0" {
            let data = shown.get_mut(&format!("{stream}_tdata")).expect("a port");
            *data = "z".repeat(data.len());
        }
    }
    shown.insert("tb.engines_differ".into(), if differ { "1" } else { "0" }.into());
    shown.insert("tb.cycle".into(), bits(64, &[cycle.cycle]));
    for (name, [_, ascii, utf8]) in TEXTS.iter().zip(texts(cycle.cycle)) {
        shown.insert(format!("tb.{name}"), ascii.to_owned());
        shown.insert(format!("tb.{name}_utf8"), utf8.to_owned());
    }
    shown
}

/// The format that the name asks for, else VCD.
fn format_of(path: &Path) -> WaveFormat {
    WaveFormat::of(path).unwrap_or(WaveFormat::Vcd)
}

/// Runs two engines, the second one wrong in every eighth cycle, and dumps `cycles` of the run. Returns the files, and the expected values
/// of each cycle.
fn dump(path: &Path, cycles: Range<u64>) -> (WaveFiles, Vec<Shown>) {
    let mut native = Native::new(&design()).expect("room for it");
    let layout = native.layout().clone();
    let scope = native.probe().expect("a probe").scope().clone();
    let source =
        WaveSource { layout: &layout, engines: &ENGINES, scope: Some(&scope), texts: &TEXTS, globs: &[] };
    let mut waves =
        WaveWriter::create(path, format_of(path), &source, &WavePlan::new(&source)).expect("a writable path");
    let mut expected = Vec::new();
    for cycle in 0..cycles.end {
        let inputs = stimulus(&layout, cycle);
        let mut outputs = vec![0; layout.output_words];
        native.run(&inputs, &mut outputs).expect("native does not fail");
        let mut wrong = outputs.clone();
        wrong[0] ^= u64::from(cycle % 8 == 7);
        if cycles.contains(&cycle) {
            let texts = texts(cycle).map(|[given, ..]| given);
            let (outputs, probe) = ([&outputs[..], &wrong[..]], native.probe());
            let cycle = WaveCycle { cycle, inputs: &inputs, outputs: &outputs, probe, texts: &texts };
            waves.cycle(&cycle).expect("a writable file");
            expected.push(shown(&cycle, &layout));
        }
    }
    (waves.finish().expect("a writable folder"), expected)
}
