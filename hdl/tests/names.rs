//! Names of modules: cores that differ have different names, and names that users choose are
//! checked.

use std::collections::HashMap;

use utfhdl_hdl::core::{
    Axis, Core, CoreError, CoreSpec, ErrorMode, Max, Packing, Role, Stall, Storage, System,
};
use utfhdl_hdl::netlist::{ResetStyle, name_problem};

/// Every core there is, in every reset, with every kind of ports.
fn every_spec() -> impl Iterator<Item = CoreSpec> {
    let dense =
        CoreSpec::of_several_lanes().into_iter().map(|spec| CoreSpec { pack: Packing::Dense, ..spec });
    let specs = CoreSpec::all().into_iter().chain(CoreSpec::of_several_lanes()).chain(dense);
    let specs = specs.chain(CoreSpec::encoders_of_several_lanes());
    let by_credit = CoreSpec::of_several_lanes()
        .into_iter()
        .flat_map(|spec| Storage::ALL.map(|storage| CoreSpec { stall: Stall::Credit(storage), ..spec }));
    let specs = specs.chain(by_credit);
    let specs = specs.chain(CoreSpec::transcoders()).chain(CoreSpec::transcoders_of_several_lanes());
    let first_reset = specs.filter(|spec| spec.reset == ResetStyle::default());
    let every_reset = first_reset.flat_map(|spec| ResetStyle::ALL.map(|reset| CoreSpec { reset, ..spec }));
    every_reset.flat_map(|spec| Axis::ALL.map(|axis| CoreSpec { axis, ..spec }))
}

/// Some transcoders of 2 to 8 lanes.
fn some_transcoders_of_several_lanes() -> impl Iterator<Item = CoreSpec> {
    CoreSpec::transcoders_of_several_lanes().into_iter().filter(|spec| spec.lanes <= 8).step_by(211)
}

/// Names of the modules in a text.
fn modules(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("module "));
    heads.map(|head| head.trim_end_matches(" (")).collect()
}

#[test]
fn names_tell_every_core_from_all_others() {
    let mut known = HashMap::new();
    for spec in every_spec() {
        let name = spec.module_name();
        assert!(name_problem(&name).is_none(), "{name}");
        assert!(name.len() <= 128, "{name} is longer than a chosen name may be");
        if let Some(other) = known.insert(name.clone(), spec) {
            panic!("{name} is {spec} and {other}");
        }
    }
}

#[test]
fn names_say_what_differs_from_the_defaults() {
    let utf_9 = |max| System::Utf9 { max };
    let decoder = CoreSpec::new(System::Utf8, Role::Decoder);
    let transcoder = |from, to| CoreSpec::new(from, Role::Transcoder { to });
    for (spec, name) in [
        (decoder, "utf_8_decoder_x1"),
        (CoreSpec { on_error: ErrorMode::Drop, ..decoder }, "utf_8_decoder_x1_drop"),
        (
            CoreSpec { on_error: ErrorMode::Drop, reset: ResetStyle::AsyncLow, ..decoder },
            "utf_8_decoder_x1_drop_async_low",
        ),
        (
            CoreSpec { axis: Axis::Strict, reset: ResetStyle::AsyncHigh, ..decoder },
            "utf_8_decoder_x1_strict_async_high",
        ),
        (CoreSpec::new(System::hunk(5), Role::Encoder), "hunk_5_encoder_x1"),
        (CoreSpec::new(utf_9(Max::Ucs4), Role::Encoder), "utf_9_encoder_x1_max_7fffffff"),
        (
            CoreSpec::new(System::CorrectedUtf8 { document: true, private: false }, Role::Decoder),
            "corrected_utf_8_decoder_x1_document_on",
        ),
        (transcoder(System::Utf8, utf_9(Max::Unicode)), "utf_8_to_utf_9_transcoder_x1"),
        (
            transcoder(utf_9(Max::Ucs4), System::UtfInf8 { digits: 18 }),
            "utf_9_to_utf_inf_8_transcoder_x1_from_max_7fffffff_to_digits_18",
        ),
    ] {
        assert_eq!(spec.module_name(), name, "{spec}");
    }
}

/// Cores of one design, each from a file of its own.
#[test]
fn no_module_of_one_file_is_in_another() {
    let mut known = HashMap::new();
    let specs = CoreSpec::all().into_iter().chain(CoreSpec::strict());
    let specs = specs.chain(CoreSpec::of_several_lanes().into_iter().step_by(7));
    let specs = specs.chain(CoreSpec::encoders_of_several_lanes().into_iter().step_by(13));
    let specs = specs.chain(some_transcoders_of_several_lanes());
    for spec in specs.chain(CoreSpec::transcoders().into_iter().step_by(41)) {
        let core = Core::new(spec).expect("a core that is listed");
        let (top, text) = (spec.module_name(), core.verilog());
        for module in modules(&text) {
            assert!(module.starts_with(&top), "{spec}: {module}");
            if let Some(other) = known.insert(module.to_owned(), spec) {
                panic!("{module} is in the files of {spec} and of {other}");
            }
        }
    }
}

#[test]
fn a_chosen_name_is_that_of_the_module_and_the_prefix_of_the_others() {
    for name in ["text_in", "_8", "elastic_buffer_w23", "Text_In"] {
        let spec = CoreSpec::new(System::Utf8, Role::Transcoder { to: System::Utf18 });
        let core = Core::named(spec, name).unwrap_or_else(|error| panic!("{error}"));
        let text = core.verilog();
        let found = modules(&text);
        assert_eq!(found[0], name);
        assert!(found.contains(&format!("{name}_decode").as_str()), "{found:?}");
        assert!(found[1..].iter().all(|module| module.starts_with(&format!("{name}_"))), "{found:?}");
        assert!(core.command().ends_with(&format!(" --name {name}")), "{}", core.command());
    }
    let spec = CoreSpec::new(System::Utf8, Role::Decoder);
    let named = Core::named(spec, &spec.module_name()).expect("its own name");
    assert_eq!(named.verilog(), Core::new(spec).expect("a core").verilog());
}

#[test]
fn names_that_cannot_be_are_refused_with_the_reason() {
    let spec = CoreSpec::new(System::Utf8, Role::Decoder);
    let long = "x".repeat(129);
    for (name, reason) in [
        ("", "letters, digits and _"),
        ("8bit", "begins with a letter or _"),
        ("utf-8", "letters, digits and _"),
        ("dé", "ASCII letters"),
        ("a b", "letters, digits and _"),
        ("a$", "letters, digits and _"),
        ("\\esc ", "letters, digits and _"),
        ("module", "keyword"),
        ("logic", "keyword"),
        ("always", "keyword"),
        ("clk", "is a port of the core"),
        ("rst", "is a port of the core"),
        ("m_axis_tdata", "is a port of the core"),
        ("s_axis_tvalid", "is a port of the core"),
        ("output_skid", "is a signal or an instance in the core"),
        ("advance", "is a signal or an instance in the core"),
        (long.as_str(), "129 characters: 128 are the most"),
    ] {
        let error = Core::named(spec, name).expect_err(name);
        assert!(matches!(error, CoreError::Name { .. }), "{error}");
        let error = error.to_string();
        assert!(error.contains(&format!("{name:?}")) && error.contains(reason), "{error}");
    }
    assert!(Core::named(spec, &long[1..]).is_ok());
}

#[test]
fn a_spec_is_written_as_its_arguments() {
    let spec = CoreSpec::new(System::Utf9 { max: Max::Ucs4 }, Role::Encoder);
    assert_eq!(
        spec.to_string(),
        "utf-9,max=7fffffff encoder --lanes 1 --reset sync-high --on-error replace --axis lane"
    );
    assert_eq!(spec.in_short(), "utf-9,max=7fffffff encoder");
    let (on_error, reset) = (ErrorMode::Drop, ResetStyle::SyncLow);
    let spec = CoreSpec { on_error, reset, axis: Axis::Strict, ..spec };
    assert_eq!(spec.in_short(), "utf-9,max=7fffffff encoder --reset sync-low --on-error drop --axis strict");
}
