//! The systems of software alone on the command line: what commands of software do, and that commands of hardware refuse them.

use std::path::Path;

use tempfile::TempDir;
use utfhdl_codec::System;

use crate::common::command::{in_shell, json};

fn run(script: &str) -> (i32, String, String) {
    in_shell(Path::new("."), script)
}

#[test]
fn there_are_five() {
    let names: Vec<&str> = System::software_only().map(System::name).collect();
    assert_eq!(names, ["utf-ebcdic", "utf-1", "utf-7", "scsu", "bocu-1"]);
}

#[test]
fn the_list_says_that_they_have_no_cores() {
    for system in System::software_only() {
        let (code, out, _) = run(&format!("$UTFHDL list {system}"));
        assert_eq!(code, 0);
        assert!(out.contains("    cores     none: software only\n"), "{out}");
        let (_, out, _) = run(&format!("$UTFHDL list {system} --json"));
        assert_eq!(json(&out)["systems"][0]["cores"], serde_json::json!([]), "{out}");
    }
}

#[test]
fn commands_of_hardware_refuse_them() {
    let folder = TempDir::new().unwrap();
    for system in System::software_only() {
        for command in [
            "generate SYSTEM decoder",
            "generate SYSTEM encoder",
            "generate SYSTEM validator",
            "generate SYSTEM transcoder:utf-8",
            "generate utf-8 transcoder:SYSTEM",
            "generate auto decoder --among utf-8,SYSTEM",
            "cosim SYSTEM decoder --random 10",
            "campaign SYSTEM decoder --exhaustive 1",
            "prove SYSTEM decoder",
            "trace SYSTEM decoder -o trace.html",
            "list --signals SYSTEM decoder",
            "decode SYSTEM --engine native",
            "convert -f SYSTEM -t utf-8 --engine native",
        ] {
            let command = command.replace("SYSTEM", &system.to_string());
            let (code, out, err) = in_shell(folder.path(), &format!("printf A | $UTFHDL {command}"));
            assert_eq!((code, out.as_str()), (2, ""), "{command}: {err}");
            let message = format!("there are no cores of {system}, which is a system of software");
            assert!(err.contains(&message), "{command}: {err}");
            assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{command}");
        }
    }
}

#[test]
fn text_is_converted_both_ways() {
    let text = "Zürich, 東京, Київ 😀\\n";
    for system in System::software_only() {
        let script = format!(
            "printf '{text}' | $UTFHDL convert -f utf-8 -t {system} | $UTFHDL convert -f {system} -t utf-8"
        );
        assert_eq!(run(&script), (0, text.replace("\\n", "\n"), String::new()), "{system}");
        let script =
            format!("printf '{text}' | $UTFHDL convert -f utf-8 -t {system} | $UTFHDL validate {system}");
        assert_eq!(run(&script).0, 0, "{system}");
        let script =
            format!("printf '{text}' | $UTFHDL convert -f utf-8 -t {system} | $UTFHDL count {system} --json");
        assert_eq!(json(&run(&script).1)["code_points"], 19, "{system}");
    }
}

/// Units that end a run, or that only change the state, are no text and no error.
#[test]
fn units_at_the_end_that_are_no_text() {
    assert_eq!(run("printf '+AGE-' | $UTFHDL decode utf-7"), (0, "0\t4\tU+61\n".to_owned(), String::new()));
    let (code, out, _) = run("printf '+AGE-' | $UTFHDL explain utf-7");
    assert_eq!(code, 0);
    assert!(out.contains("no text"), "{out}");
    assert_eq!(run("printf 'A\\022' | $UTFHDL validate scsu").0, 0);
    assert_eq!(run("printf 'A\\377' | $UTFHDL decode bocu-1 | wc -l").1.trim(), "1");
}

#[test]
fn errors_name_their_document() {
    for (octets, system, document) in [
        ("+!", "utf-7", "RFC 2152"),
        (r"\014", "scsu", "Unicode Technical Standard #6"),
        (r"\320\012", "bocu-1", "Unicode Technical Note #6"),
        (r"\241\040", "utf-1", "ISO-IR 178"),
        (r"\101", "utf-ebcdic", "Unicode Technical Report #16"),
    ] {
        let (code, out, _) = run(&format!("printf '{octets}' | $UTFHDL explain {system}"));
        assert_eq!(code, 1, "{out}");
        assert!(out.contains(document), "{system}: {out}");
    }
}

/// `explain` has the units of a character in other systems.
#[test]
fn a_character_is_explained_in_them() {
    let (_, out, _) = run("printf '€' | $UTFHDL explain utf-8");
    // Python: "€".encode("utf-7"); UTS #6: window 5 of the static ones begins at U+2080.
    for line in ["  2B 49 4B 77 2D  utf-7\n", "  06 2C           scsu\n"] {
        assert!(out.contains(line), "{out}");
    }
}
