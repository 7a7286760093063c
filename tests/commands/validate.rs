//! `utfhdl validate` and `utfhdl count` from the outside: what they print, their exit codes, and their messages.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;
use utfhdl_codec::{Codec, OnError, Slot, System};

use crate::common::command::{Ran, in_shell, json};

fn run(script: &str) -> Ran {
    in_shell(TempDir::new().unwrap().path(), script)
}

fn ran(code: i32, out: &str) -> Ran {
    (code, out.to_owned(), String::new())
}

/// The Unicode Standard, core specification, table 3-8: which octets are errors of their own.
#[test]
fn the_first_error_is_printed_as_decode_prints_it() {
    let table_3_8 = r"printf '\341\200\342\360\221\222\361\277A' | $UTFHDL";
    assert_eq!(run(&format!("{table_3_8} validate utf-8")), ran(1, "0\t2\ttruncated\n"));
    let all = "0\t2\ttruncated\n2\t1\ttruncated\n3\t3\ttruncated\n6\t2\ttruncated\n";
    assert_eq!(run(&format!("{table_3_8} validate utf-8 --all")), ran(1, all));
    let (_, events, _) = run(&format!("{table_3_8} decode utf-8"));
    assert_eq!(events, format!("{all}8\t1\tU+41\n"));
    let object = "{\"offset\":0,\"length\":2,\"error\":\"truncated\"}\n";
    assert_eq!(run(&format!("{table_3_8} validate utf-8 --json -")), ran(1, object));
}

#[test]
fn well_formed_text_prints_nothing() {
    assert_eq!(run("printf 'Z\\303\\274rich' | $UTFHDL validate utf-8 --all --json"), ran(0, ""));
    assert_eq!(run("$UTFHDL validate utf-8 < /dev/null"), ran(0, ""));
    assert_eq!(run("printf '342\\n202\\n254\\n' | $UTFHDL validate utf-8 --units octal"), ran(0, ""));
}

/// Lengths from the Unicode Standard, core specification, table 3-4: U+4D, U+430, U+4E8C, U+10302.
#[test]
fn counts_are_printed_by_name() {
    let text = "printf '\\x4D\\xD0\\xB0\\xE4\\xBA\\x8C\\xF0\\x90\\x8C\\x82' | $UTFHDL count utf-8";
    let lines = "units\t10\ncode points\t4\nerrors\t0\nutf-8\t10\nutf-16\t5\nutf-32\t4\n";
    assert_eq!(run(text), ran(0, lines));
    let (code, object, _) = run(&format!("{text} --json"));
    let expected = json(
        r#"{"units":10,"code_points":4,"errors":0,"utf_8":10,"utf_16":5,"utf_32":4,"first_error":null}"#,
    );
    assert_eq!((code, json(&object)), (0, expected));

    let cut = "printf 'A\\355\\240\\200' | $UTFHDL count utf-8";
    let lines = "units\t4\ncode points\t1\nerrors\t3\nutf-8\t10\nutf-16\t4\nutf-32\t4\nfirst error\t1\t1\tsurrogate\n";
    assert_eq!(run(cut), ran(1, lines));
    let (_, object, _) = run(&format!("{cut} --json"));
    assert_eq!(json(&object)["first_error"], json(r#"{"offset":1,"length":1,"error":"surrogate"}"#));
}

/// Counts of a long text are those of `wc`, and `iconv` finds the same error near its end.
#[test]
fn long_text_is_what_wc_and_iconv_say() {
    let folder = TempDir::new().unwrap();
    let text = "Zürich, 東京, Київ, 😀 and plain words of a line\n".repeat(20_000);
    fs::write(folder.path().join("good"), &text).unwrap();
    fs::write(folder.path().join("bad"), [text.as_bytes(), b"A\xC0\n"].concat()).unwrap();
    let script = "LC_ALL=C.UTF-8 wc -m < good; iconv -f utf-8 -t utf-16le good | wc -c; iconv -f utf-8 bad 2>&1 >/dev/null";
    let (_, theirs, _) = in_shell(folder.path(), script);
    let theirs: Vec<&str> = theirs.lines().collect();
    let (code, ours, _) = in_shell(folder.path(), "$UTFHDL count utf-8 good --json");
    let ours = json(&ours);
    assert_eq!((code, ours["code_points"].to_string().as_str()), (0, theirs[0]));
    assert_eq!((2 * ours["utf_16"].as_u64().unwrap()).to_string(), theirs[1]);
    // iconv: illegal input sequence at position 1100001
    let (code, ours, _) = in_shell(folder.path(), "$UTFHDL validate utf-8 bad");
    let offset = ours.split('\t').next().unwrap();
    assert_eq!(code, 1);
    assert!(theirs[2].ends_with(&format!("position {offset}")), "{theirs:?} {ours}");
}

#[test]
fn every_system_and_every_format_of_units_is_read() {
    let folder = TempDir::new().unwrap();
    for system in System::all().chain(System::of_software()) {
        let few = if system.unit_bits() < 6 { 0 } else { 0x25 };
        let text = "printf '0\\n0\\n0\\n' | $UTFHDL encode".replace('0', &format!("{few:X}"));
        for units in ["u8", "u16le", "u16be", "u32le", "u32be", "packed", "octal", "hex"] {
            let fits = match units {
                "u8" => system.unit_bits() <= 8,
                "u16le" | "u16be" => system.unit_bits() <= 16,
                "packed" => matches!(system.unit_bits(), 8 | 9),
                _ => true,
            };
            if !fits {
                continue;
            }
            let script = format!(
                "{text} {system} --units {units} > file; $UTFHDL validate {system} file --units {units} && \
                 $UTFHDL count {system} --units {units} --json < file"
            );
            let (code, out, err) = in_shell(folder.path(), &script);
            assert_eq!((code, err.as_str()), (0, ""), "{script}");
            let written: Vec<u32> = system.encode(&[Slot::CodePoint(few); 3], OnError::Strict).unwrap();
            let counts = json(&out);
            assert_eq!((&counts["units"], &counts["utf_8"]), (&written.len().into(), &3.into()), "{script}");
        }
    }
}

#[test]
fn files_that_are_no_units_are_exit_2() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("odd"), "A\0B").unwrap();
    for (arguments, expected) in [
        ("utf-16 odd", "utfhdl: odd: byte 2: the file ends inside a unit\n"),
        (
            "ascii --units octal odd",
            "utfhdl: odd: line 1: \"A\\0B\" is not an octal number of up to 8 bits\n",
        ),
        ("utf-16 --units u8 odd", "utfhdl: u8 files cannot hold units of 16 bits: use u16le\n"),
        ("utf-8 missing", "utfhdl: cannot open missing: No such file or directory (os error 2)\n"),
        ("utf-8 .", "utfhdl: . is a directory: name a file, or - for standard input\n"),
        (
            "utf-88 odd",
            "utfhdl: invalid value 'utf-88' for '<SYSTEM>': there is no system \"utf-88\"; did you mean utf-8 or utf-18?\n",
        ),
    ] {
        for command in ["validate", "validate --all", "count"] {
            let (code, out, err) = in_shell(folder.path(), &format!("$UTFHDL {command} {arguments}"));
            assert_eq!((code, out.as_str(), err.as_str()), (2, "", expected), "{command} {arguments}");
        }
    }
    // An error of the text decides before the fault of the file is reached; a sequence that the fault cuts is none.
    let (code, out, _) = run("printf '777\\n8\\n' | $UTFHDL validate utf-18 --units octal");
    assert_eq!((code, out.as_str()), (2, ""));
}

/// Whoever follows a log sees errors while the log is written.
#[test]
fn errors_are_printed_as_they_come() {
    let mut child = Command::new(cargo_bin("utfhdl"))
        .args(["validate", "utf-8", "--all"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    input.write_all(b"A\xC0").unwrap();
    // The end of input comes only after what is read here.
    let mut line = [0; 13];
    output.read_exact(&mut line).unwrap();
    assert_eq!(&line, b"1\t1\toverlong\n");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
