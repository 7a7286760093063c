//! The systems that software reads and writes, and cores read at most: what commands of software do, which cores there are, and that
//! commands of hardware refuse the others.

use std::path::Path;

use tempfile::TempDir;
use utfhdl_codec::System;

use crate::common::command::{in_shell, json};

fn run(script: &str) -> (i32, String, String) {
    in_shell(Path::new("."), script)
}

#[test]
fn there_are_five() {
    let names: Vec<&str> = System::of_software().map(System::name).collect();
    assert_eq!(names, ["utf-ebcdic", "utf-1", "utf-7", "scsu", "bocu-1"]);
}

#[test]
fn the_list_says_which_cores_they_have() {
    for system in System::of_software() {
        let (code, out, _) = run(&format!("$UTFHDL list {system}"));
        assert_eq!(code, 0);
        let (_, all, _) = run(&format!("$UTFHDL list {system} --json"));
        let cores = &json(&all)["systems"][0]["cores"];
        if system.has_cores() {
            assert!(out.contains("decoder (lanes 1)"), "{out}");
            assert_eq!(cores[0]["role"], "decoder", "{all}");
            assert!(!out.contains("encoder ("), "{out}");
        } else {
            assert!(out.contains("    cores     none: software only\n"), "{out}");
            assert_eq!(*cores, serde_json::json!([]), "{out}");
        }
    }
}

#[test]
fn commands_of_hardware_refuse_those_without_cores() {
    let folder = TempDir::new().unwrap();
    for system in System::of_software() {
        let every = ["generate SYSTEM encoder", "generate utf-8 transcoder:SYSTEM"];
        let without_cores = [
            "generate SYSTEM decoder",
            "generate SYSTEM validator",
            "generate SYSTEM transcoder:utf-8",
            "generate auto decoder --among utf-8,SYSTEM",
            "cosim SYSTEM decoder --random 10",
            "campaign SYSTEM decoder --exhaustive 1",
            "prove SYSTEM decoder",
            "trace SYSTEM decoder -o trace.html",
            "list --signals SYSTEM decoder",
            "decode SYSTEM --engine native",
            "convert -f SYSTEM -t utf-8 --engine native",
        ];
        let (message, without_cores) = match system.has_cores() {
            true => ("in hardware yet: `utfhdl list".to_owned(), &[][..]),
            false => {
                let message = format!("there are no cores of {system}, which is a system of software");
                (message, &without_cores[..])
            }
        };
        for command in every.iter().chain(without_cores) {
            let command = command.replace("SYSTEM", &system.to_string());
            let (code, out, err) = in_shell(folder.path(), &format!("printf A | $UTFHDL {command}"));
            assert_eq!((code, out.as_str()), (2, ""), "{command}: {err}");
            assert!(err.contains(&message), "{command}: {err}");
            assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{command}");
        }
    }
    for (arguments, message) in [
        ("utf-1 decoder --lanes 2", "there is no utf-1 decoder of 2 lanes: --lanes can be 1"),
        ("utf-7 validator", "there is no utf-7 validator in hardware yet"),
        ("utf-7 decoder --position 8", "a digit of Base64 can be of two code points"),
        ("utf-7 decoder --status", "only a later octet decides where a code point begins"),
        ("utf-1 decoder --streams 4 --tid 2", "cores of this system do not have it yet"),
        ("auto decoder --among utf-8,utf-1", "cores that choose their system cannot read utf-1 yet"),
    ] {
        let (code, _, err) = in_shell(folder.path(), &format!("$UTFHDL generate {arguments}"));
        assert_eq!(code, 2, "{arguments}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
}

/// Texts of the documents, through the cores.
#[test]
fn cores_read_the_examples_of_the_documents() {
    for (octets, system, points) in [
        // RFC 2152, "Examples"; Python: "A≢Α.".encode("utf-7").
        ("A+ImIDkQ.", "utf-7", "41 2262 391 2E"),
        ("Hi Mom -+Jjo--!", "utf-7", "48 69 20 4D 6F 6D 20 2D 263A 2D 21"),
        ("+ZeVnLIqe-", "utf-7", "65E5 672C 8A9E"),
        // Python: "1+😀".encode("utf-7").
        ("1+-+2D3eAA-", "utf-7", "31 2B 1F600"),
        // ISO-IR 178.
        ("\\240\\240\\367\\057\\303\\367\\145\\255", "utf-1", "A0 D7FF FFFD"),
        ("\\374\\041\\071\\156\\154", "utf-1", "10FFFF"),
        // Unicode Technical Report #16.
        ("\\201\\025\\045\\312\\106\\123", "utf-ebcdic", "61 A 85 20AC"),
    ] {
        let (code, out, err) = run(&format!("printf '{octets}' | $UTFHDL decode {system} --engine native"));
        assert_eq!(code, 0, "{system}: {out}{err}");
        let found: Vec<&str> = out.lines().filter_map(|line| line.split("U+").nth(1)).collect();
        assert_eq!(found.join(" "), points, "{system}");
    }
}

#[test]
fn text_is_converted_both_ways() {
    let text = "Zürich, 東京, Київ 😀\\n";
    for system in System::of_software() {
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
