//! The picture of the README is what the decoder does now.

#[path = "../examples/trace/drawing.rs"]
mod drawing;
#[path = "../examples/trace/run.rs"]
mod run;

#[test]
fn the_picture_is_what_the_decoder_does() {
    let trace = run::Trace::record().expect("the core agrees with the reference");
    let shown = include_str!("../docs/trace.svg");
    let refresh = "cargo run --release --example trace";
    assert!(drawing::svg(&trace) == shown, "docs/trace.svg is another picture; `{refresh}` draws it anew");
}
