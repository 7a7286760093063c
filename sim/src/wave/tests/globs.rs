//! Which signals a dump has.

use std::collections::BTreeSet;

use super::read::Read;
use super::*;

fn with_globs(globs: &[&str]) -> Result<(BTreeSet<String>, String), WaveError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.vcd");
    let mut native = Native::new(&design()).expect("room for it");
    let layout = native.layout().clone();
    let scope = native.probe().expect("a probe").scope().clone();
    let source = WaveSource { layout: &layout, engines: &ENGINES, scope: Some(&scope), texts: &TEXTS, globs };
    let mut waves = WaveWriter::create(&path, WaveFormat::Vcd, &source, &WavePlan::new(&source))?;
    let mut outputs = vec![0; layout.output_words];
    for cycle in 0..20 {
        let inputs = stimulus(&layout, cycle);
        native.run(&inputs, &mut outputs).expect("native does not fail");
        let (outputs, probe) = ([&outputs[..]; 2], native.probe());
        let texts = texts(cycle).map(|[given, ..]| given);
        let cycle = WaveCycle { cycle, inputs: &inputs, outputs: &outputs, probe, texts: &texts };
        waves.cycle(&cycle).expect("a writable file");
    }
    let files = waves.finish().expect("a writable folder");
    let gtkw = std::fs::read_to_string(&files.gtkw).expect("text");
    Ok((Read::of(&files.dump).changes.into_keys().collect(), gtkw))
}

fn selected(globs: &[&str]) -> Vec<String> {
    with_globs(globs).expect("globs that match").0.into_iter().collect()
}

#[test]
fn a_glob_selects_by_path_and_the_clock_is_always_there() {
    assert_eq!(selected(&["tb.widener.hold.full"]), ["tb.clk", "tb.widener.hold.full"]);
    assert_eq!(selected(&["widener.hold.*"]).len(), 1 + 9);
    assert_eq!(selected(&["s_axis_t?ata"]), ["tb.clk", "tb.s_axis_tdata"]);
    assert_eq!(selected(&["decoded"]), ["tb.clk", "tb.decoded", "tb.decoded_utf8"]);
    let ports = ["tb.clk", "tb.native.beats", "tb.rust_hdl.beats", "tb.widener.beats"];
    assert_eq!(selected(&["*.beats"]), ports);
}

#[test]
fn a_label_stands_with_its_signal() {
    let both = ["tb.clk", "tb.widener.kind", "tb.widener.kind_label"];
    assert_eq!(selected(&["widener.kind"]), both);
    assert_eq!(selected(&["widener.kind_label"]), both);
}

#[test]
fn viewers_are_told_of_what_is_there() {
    let (_, gtkw) = with_globs(&["widener.hold.full", "rust_hdl.beats"]).expect("globs that match");
    assert!(gtkw.contains("tb.widener.hold.full") && gtkw.contains("tb.rust_hdl.beats"), "{gtkw}");
    assert!(!gtkw.contains("tb.native") && !gtkw.contains("tb.widener.count"), "{gtkw}");
}

#[test]
fn a_glob_that_selects_nothing_is_refused_with_some_paths() {
    let error = with_globs(&["*data*", "widner.*"]).expect_err("a refusal").to_string();
    let start = "no signal matches `widner.*`; there are ";
    assert!(error.starts_with(start) && error.contains("tb.clk, tb."), "{error}");
}
