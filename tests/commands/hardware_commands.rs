//! `list`, `generate`, `cosim` and `decode --engine` from the outside: their files, exit codes and messages on errors.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::common::command::names;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn utfhdl(folder: &Path, args: &[&str]) -> Ran {
    let output = Command::cargo_bin("utfhdl").unwrap().current_dir(folder).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sample.txt");

#[test]
fn generate_writes_a_module_and_its_manifest() {
    let folder = TempDir::new().unwrap();
    let ran = utfhdl(folder.path(), &["generate", "utf8", "decoder", "-o", "new/rtl"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let rtl = folder.path().join("new/rtl");
    assert_eq!(names(&rtl), ["utf_8_decoder_x1.json", "utf_8_decoder_x1.v"]);
    let verilog = fs::read_to_string(rtl.join("utf_8_decoder_x1.v")).unwrap();
    assert!(verilog.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(rtl.join("utf_8_decoder_x1.json")).unwrap()).unwrap();
    let command = manifest["command"].as_str().unwrap();
    assert_eq!(
        command,
        "utfhdl generate utf-8 decoder --lanes 1 --reset sync-high --on-error flag --axis lane"
    );
    assert!(verilog.contains(command));
    let ports = manifest["ports"].as_array().unwrap();
    let port =
        |name: &str| ports.iter().find(|port| port["name"] == name).unwrap_or_else(|| panic!("{name}"));
    for (name, direction, width) in [
        ("clk", "input", 1),
        ("rst", "input", 1),
        ("s_axis_tdata", "input", 8),
        ("s_axis_tkeep", "input", 1),
        ("s_axis_tvalid", "input", 1),
        ("s_axis_tready", "output", 1),
        ("s_axis_tlast", "input", 1),
        ("m_axis_tdata", "output", 32),
        ("m_axis_tkeep", "output", 1),
        ("m_axis_tuser", "output", 4),
        ("m_axis_tvalid", "output", 1),
        ("m_axis_tready", "input", 1),
        ("m_axis_tlast", "output", 1),
    ] {
        assert_eq!(
            (&port(name)["direction"], &port(name)["width"]),
            (&direction.into(), &width.into()),
            "{name}"
        );
    }
    assert_eq!(ports.len(), 13);
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let read = |place: &str| {
        let ran =
            utfhdl(folder.path(), &["generate", "utf-8", "decoder", "--reset", "async-low", "-o", place]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        fs::read(folder.path().join(place).join("utf_8_decoder_x1_async_low.v")).unwrap()
    };
    let first = read("a");
    assert_eq!(read("b"), first);
    assert!(String::from_utf8(first).unwrap().contains("negedge rst_n"));
}

/// Each has a file of its own, whatever its options are.
#[test]
fn variants_do_not_overwrite_each_other() {
    let folder = TempDir::new().unwrap();
    let generate = |more: &[&str]| {
        let ran = utfhdl(folder.path(), &[&["generate", "utf-9", "decoder"][..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    generate(&[]);
    generate(&["--on-error", "drop", "--reset", "async-low"]);
    generate(&["--name", "text_in"]);
    let ran = utfhdl(folder.path(), &["generate", "utf-9,max=7fffffff", "decoder", "--json"]);
    let manifest: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(manifest["module"], "utf_9_decoder_x1_max_7fffffff");
    assert_eq!(manifest["system"], "utf-9,max=7fffffff");
    let modules =
        ["text_in", "utf_9_decoder_x1", "utf_9_decoder_x1_drop_async_low", "utf_9_decoder_x1_max_7fffffff"];
    let files: Vec<String> =
        modules.iter().flat_map(|name| [format!("{name}.json"), format!("{name}.v")]).collect();
    assert_eq!(names(folder.path()), files);
    let named = fs::read_to_string(folder.path().join("text_in.v")).unwrap();
    assert!(named.contains("\nmodule text_in (\n"), "{named}");
    // A long command continues in a comment of its own.
    let joined = named.split_whitespace().filter(|word| *word != "//").collect::<Vec<_>>().join(" ");
    let command = "utfhdl generate utf-9 decoder --lanes 1 --reset sync-high --on-error flag --axis lane --name text_in";
    assert!(joined.contains(command), "{named}");
}

#[test]
fn what_cannot_be_generated_is_exit_2_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for (args, says) in [
        (&["generate", "utf-6", "decoder"][..], "utf-8"),
        (&["generate", "utf-8", "decodr"], "decoder, encoder, transcoder:SYSTEM, or validator"),
        (&["generate", "utf-8", "decoder", "--lanes", "3"], "--lanes can be 1, 2, 4, 8, 16, 32 or 64"),
        (&["generate", "utf-7", "decoder", "--lanes", "2"], "--lanes can be 1"),
        (
            &["generate", "corrected-utf-8,document=on", "decoder", "--lanes", "2", "--position", "8"],
            "decoders of documents do not have it yet",
        ),
        (
            &["generate", "utf-8", "decoder", "--reset", "none"],
            "sync-high, sync-low, async-high or async-low",
        ),
        (&["generate", "utf-8", "decoder", "--on-error", "stop"], "flag (decoders)"),
        (
            &["generate", "utf-8", "decoder", "--on-error", "replace"],
            "--on-error replace is not for decoders: it can be flag or drop",
        ),
        (
            &["generate", "utf-8", "encoder", "--on-error", "flag"],
            "--on-error flag is not for encoders: it can be replace or drop",
        ),
        (&["generate", "utf-8", "encoder", "--lanes", "0"], "--lanes can be 1"),
        (&["generate", "utf-7", "decoder", "--lanes", "2"], "no utf-7 decoder of 2 lanes: --lanes can be 1"),
        (
            &["generate", "utf-8", "transcoder:utf-9", "--lanes", "2", "--pack", "dense"],
            "--pack dense is for decoders",
        ),
        (&["generate", "utf-8", "transcoder"], "decoder, encoder, transcoder:SYSTEM, or validator"),
        (&["generate", "utf-8", "transcoder:"], "there is no system \"\""),
        (&["generate", "utf-8", "transcoder:utf-88"], "did you mean utf-8 or utf-18?"),
        (&["generate", "utf-8", "transcoder:utf-9,max=7"], "10ffff or 7fffffff"),
        (&["generate", "utf-inf-8,digits=0", "decoder"], "a number from 18 to 34359738360"),
        (&["generate", "utf-inf-8,digits=17", "encoder"], "a number from 18 to 34359738360"),
        (&["generate", "utf-8,digits=18", "decoder"], "utf-8 has no option"),
        (&["generate", "hunk-19", "decoder"], "hunk-1"),
        (&["generate", "corrected-utf-8,document=maybe", "decoder"], "on or off"),
        (&["generate", "utf-8", "decoder", "--name", "8bit"], "--name: the module cannot be called \"8bit\""),
        (&["generate", "utf-8", "decoder", "--name", "m_axis_tdata"], "is a port of the core"),
        (&["generate", "utf-8", "decoder", "--name", "../up"], "ASCII letters, digits and _"),
        (&["generate", "utf-8", "decoder", "-o", "file"], "file"),
        (&["generate", "utf-8", "decoder", "-o", "file/below"], "file/below"),
    ] {
        let ran = utfhdl(folder.path(), args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        assert_eq!(names(folder.path()), ["file"], "{args:?}");
    }
}

#[test]
fn cosim_of_malformed_text_on_which_all_agree_is_exit_0() {
    let folder = TempDir::new().unwrap();
    let ran = utfhdl(
        folder.path(),
        &["cosim", "utf-8", "decoder", SAMPLE, "--stall", "30", "--vcd", "w.vcd", "--json"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let text = fs::read(SAMPLE).unwrap();
    assert_eq!(report["taken"], text.len());
    // Rust's standard library reads the same bytes: U+FFFD marks an error.
    let characters = String::from_utf8_lossy(&text).chars().count() as u64;
    let errors: u64 =
        report["errors"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(report["code_points"].as_u64().unwrap() + errors, characters);
    assert_eq!(names(folder.path()), ["w.gtkw", "w.sucl", "w.vcd"]);
    assert!(ran.err.contains("gtkwave w.gtkw") && ran.err.contains("surfer -c w.sucl w.vcd"), "{}", ran.err);
}

#[test]
fn cosim_of_an_encoder_reads_code_points() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("points"), "20AC\nU+1F600\noverlong\n{\"cp\":\"41\"}\n0\t1\tU+7F\n")
        .unwrap();
    let ran = utfhdl(
        folder.path(),
        &["cosim", "utf-9", "encoder", "points", "--stall", "30", "--vcd", "w.vcd", "--json"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    // Two nonets, three, two of U+FFFD, and one each.
    assert_eq!((&report["taken"], &report["given"]), (&5.into(), &9.into()));
    assert_eq!(report["errors"], serde_json::json!({ "overlong": 1 }));
    let dump = fs::read_to_string(folder.path().join("w.vcd")).unwrap();
    for text in [
        "slots_in",
        "units_out",
        "s_axis_tuser_label",
        "soverlong ",
        "sU+20AC ",
        "serror_overlong ",
        "s440 ",
        "s177_end_amiss ",
    ] {
        assert!(dump.contains(text), "{text} is not in the dump");
    }
}

#[test]
fn what_cannot_be_simulated_is_exit_2_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    for (args, says) in [
        (&["cosim", "utf-8", "decoder", "missing.txt"][..], "missing.txt"),
        (&["cosim", "utf-8", "decoder", "."], "directory"),
        (&["cosim", "utf-8", "decoder", SAMPLE, "--vcd", "none/w.vcd"], "none"),
        (&["cosim", "utf-8", "decoder", SAMPLE, "--vcd", "."], "."),
        (&["cosim", "utf-8", "decoder", "--random", "9", "--engine", "natve"], "native"),
        (
            &["cosim", "utf-8", "decoder", "--random", "9", "--engine", "native", "--engine", "native"],
            "twice",
        ),
        (&["cosim", "utf-8", "decoder", "--random", "9", "--stall", "100"], "99"),
        (
            &["cosim", "utf-8", "decoder", "--random", "9", "--frames", "0"],
            "whole, random, or numbers of units",
        ),
        (&["cosim", "utf-8", "decoder", "--random", "9", SAMPLE], "cannot be used with"),
        (&["cosim", "utf-8", "decodr", "--random", "9"], "decoder, encoder, transcoder:SYSTEM, or validator"),
        (&["cosim", "utf-8", "encoder", SAMPLE], "line 2: "),
        (
            &["cosim", "utf-8", "encoder", SAMPLE, "--units", "u8"],
            "an encoder's file has a code point a line, or a slot",
        ),
    ] {
        let ran = utfhdl(folder.path(), args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        assert_eq!(names(folder.path()), [""; 0], "{args:?}");
    }
}

#[test]
fn a_core_decodes_as_the_reference_does_but_for_places() {
    let folder = TempDir::new().unwrap();
    let reference = utfhdl(folder.path(), &["decode", "utf-8", SAMPLE]);
    let core = utfhdl(folder.path(), &["decode", "utf-8", SAMPLE, "--engine", "native"]);
    assert_eq!((reference.code, core.code), (1, 1), "{}", core.err);
    let last_column = |line: &str| line.rsplit('\t').next().unwrap().to_owned();
    let expected: Vec<String> = reference.out.lines().map(last_column).collect();
    assert_eq!(core.out.lines().collect::<Vec<_>>(), expected);

    let json = utfhdl(folder.path(), &["decode", "utf-8", SAMPLE, "--engine", "native", "--json"]);
    let first: serde_json::Value = serde_json::from_str(json.out.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({ "cp": "23" }));
}

/// A build without the compiler says that its engine is slow; this one must not, or it is slow without need.
#[test]
fn whoever_runs_the_native_engine_is_told_if_it_is_interpreted() {
    let folder = TempDir::new().unwrap();
    for args in [
        &["cosim", "utf-8", "decoder", "--random", "9"][..],
        &["decode", "utf-8", SAMPLE, "--engine", "native"],
    ] {
        let err = utfhdl(folder.path(), args).err;
        assert_eq!(
            err.contains("native: the design is interpreted"),
            !cfg!(feature = "jit"),
            "{args:?}: {err}"
        );
    }
}

#[test]
fn a_missing_verilator_is_named_with_its_package() {
    let folder = TempDir::new().unwrap();
    let args = ["cosim", "utf-8", "decoder", "--random", "9", "--engine", "verilator"];
    let without = |variable: &str, value: &str| {
        let mut utfhdl = Command::cargo_bin("utfhdl").unwrap();
        let utfhdl = utfhdl.current_dir(folder.path()).env_remove("VERILATOR").env(variable, value);
        let output = utfhdl.args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let err = without("PATH", "/nowhere");
    assert!(err.contains("--engine verilator") && err.contains("package `verilator`"), "{err}");
    let err = without("VERILATOR", "no-such-program");
    assert!(err.contains("VERILATOR names \"no-such-program\""), "{err}");
}

#[test]
fn list_knows_every_system_and_which_have_cores() {
    let folder = TempDir::new().unwrap();
    let list = utfhdl(folder.path(), &["list", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    let systems = list["systems"].as_array().unwrap();
    assert_eq!(systems.len(), 52);
    let utf_8 = systems.iter().find(|system| system["name"] == "utf-8").unwrap();
    assert_eq!(utf_8["aliases"], serde_json::json!(["utf8", "rfc3629"]));
    assert_eq!(utf_8["unit_bits"], 8);
    let utf_32 = systems.iter().find(|system| system["name"] == "utf-32").unwrap();
    let ucs_4 = serde_json::json!([{ "name": "ucs-4", "means": "utf-32,max=7fffffff" }]);
    assert_eq!(utf_32["names_with_options"], ucs_4);
    let several: &[u32] = &[1, 2, 4, 8, 16, 32, 64];
    let roles =
        [("decoder", several), ("encoder", several), ("transcoder:SYSTEM", several), ("validator", several)]
            .map(|(role, lanes)| serde_json::json!({ "role": role, "lanes": lanes }));
    assert_eq!(utf_8["cores"], serde_json::json!(roles));
    assert_eq!(utfhdl(folder.path(), &["list"]).code, 0);
}

/// A Verilator that reads another text than the given one, as with a broken emitter.
#[cfg(unix)]
#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn engines_that_differ_are_exit_1_with_waves_and_the_command_to_repeat_it() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let script = folder.path().join("verilator");
    let text = "#!/bin/sh\nfor last; do :; done\n\
                case \"$last\" in *.v) sed -i \"s/== 4'b1101/== 4'b1100/\" \"$last\";; esac\nexec verilator \"$@\"\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let text = "surrogates: \u{d7ff} ".as_bytes().to_vec();
    fs::write(folder.path().join("text"), [text, vec![0xed, 0xa0, 0x80]].concat()).unwrap();
    let cosim = |arguments: &str| {
        let output = Command::cargo_bin("utfhdl")
            .unwrap()
            .current_dir(folder.path())
            .env("VERILATOR", &script)
            .env("UTFHDL_CACHE", folder.path().join("cache"))
            .args(arguments.split(' '))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, err) =
        cosim("cosim utf-8 decoder text --engine native --engine verilator --stall 20 --seed 9");
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("m_axis_tuser: the engines differ: native 4, verilator "), "{err}");
    assert!(err.contains("frame 0, units 16..17: error surrogate"), "{err}");
    for file in ["vcd", "gtkw", "sucl"] {
        assert!(folder.path().join(format!("utf_8_decoder_x1-text-seed-9.failure.{file}")).exists(), "{err}");
    }
    let first = err.lines().next().unwrap().to_owned();
    let again = err.lines().find_map(|line| line.strip_prefix("to repeat it: utfhdl ")).unwrap();
    let (code, err) = cosim(again);
    assert_eq!((code, err.lines().next().unwrap()), (Some(1), first.as_str()), "{again}");
}

#[test]
fn a_core_converts_as_the_reference_does() {
    let folder = TempDir::new().unwrap();
    let convert = |engine: &str, out: &str, on_error: &str| {
        let args = ["convert", "--from", "utf-8", "--to", "utf-18", SAMPLE, out, "--engine", engine];
        let ran = utfhdl(folder.path(), &[&args[..], &["--on-error", on_error]].concat());
        (ran.code, ran.err, fs::read(folder.path().join(out)).ok())
    };
    let (reference, core) = (convert("reference", "a", "replace"), convert("native", "b", "replace"));
    assert_eq!(reference, core);
    assert_eq!(core.0, 1);
    let (code, err, out) = convert("native", "c", "strict");
    assert_eq!((code, out), (1, None), "{err}");
    assert!(err.contains("sample.txt: ") && err.lines().count() == 1, "{err}");
}
