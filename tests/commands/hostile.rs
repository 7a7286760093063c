//! Commands in circumstances that nobody wishes for: closed streams, links that lead nowhere, names that a terminal obeys.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use crate::common::command::{in_shell, json, names};

#[test]
fn a_closed_stream_is_an_error_that_names_it() {
    let folder = TempDir::new().unwrap();
    for (script, stream) in [
        ("printf A | $UTFHDL decode utf-8 >&-", "cannot write standard output: "),
        ("printf 41 | $UTFHDL encode utf-8 >&-", "standard output: cannot write standard output: "),
        ("printf A | $UTFHDL convert -f utf-8 -t utf-16 >&-", "cannot write standard output: "),
        ("printf '\\300' | $UTFHDL validate utf-8 >&-", "cannot write standard output: "),
        ("printf A | $UTFHDL count utf-8 >&-", "cannot write standard output: "),
        ("$UTFHDL list >&-", "cannot write standard output: "),
        ("$UTFHDL list --json >&-", "cannot write standard output: "),
        ("$UTFHDL explain utf-8 41 >&-", "cannot write standard output: "),
        ("$UTFHDL --version >&-", "cannot write standard output: "),
        ("$UTFHDL cosim utf-8 decoder --random 9 --json >&-", "cannot write standard output: "),
        ("$UTFHDL decode utf-8 <&-", "cannot read standard input: "),
        ("$UTFHDL validate utf-8 <&-", "cannot read standard input: "),
        ("$UTFHDL count utf-8 <&-", "cannot read standard input: "),
        ("$UTFHDL cosim utf-8 decoder - <&-", "cannot read standard input: "),
        ("$UTFHDL explain utf-8 <&-", "cannot read standard input: "),
    ] {
        let (code, out, err) = in_shell(folder.path(), script);
        assert_eq!((code, out.as_str()), (2, ""), "{script}: {err}");
        let expected = format!("utfhdl: {}it is closed\n", stream.trim_start_matches("standard output: "));
        assert!(err.ends_with(&expected), "{script}: {err}");
    }
    // An open stream that leads nowhere is no error.
    for script in
        ["$UTFHDL list > /dev/null", "$UTFHDL list <> /dev/null >&0", "$UTFHDL list > /dev/null 2>&-"]
    {
        let (code, _, err) = in_shell(folder.path(), script);
        assert_eq!((code, err.as_str()), (0, ""), "{script}");
    }
}

#[test]
fn a_link_that_leads_to_no_file_yet_stays_a_link() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    symlink("there/new", folder.path().join("link")).unwrap();
    symlink("link", folder.path().join("link to link")).unwrap();
    let script = "printf A | $UTFHDL convert -f utf-8 -t utf-8 - 'link to link'";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 0, "{err}");
    assert!(folder.path().join("link").is_symlink() && folder.path().join("link to link").is_symlink());
    assert_eq!(fs::read(folder.path().join("there/new")).unwrap(), b"A");
    assert_eq!(names(&folder.path().join("there")), ["new"]);

    symlink("b", folder.path().join("a")).unwrap();
    symlink("a", folder.path().join("b")).unwrap();
    let (code, _, err) = in_shell(folder.path(), "printf A | $UTFHDL convert -f utf-8 -t utf-8 - a");
    assert_eq!((code, err.as_str()), (2, "utfhdl: cannot write a: its symbolic links lead in a circle\n"));
    symlink("missing/new", folder.path().join("nowhere")).unwrap();
    let (code, _, err) = in_shell(folder.path(), "printf A | $UTFHDL convert -f utf-8 -t utf-8 - nowhere");
    assert_eq!(
        (code, err.as_str()),
        (2, "utfhdl: cannot write nowhere: No such file or directory (os error 2)\n")
    );
}

#[test]
fn a_name_is_shown_and_not_obeyed() {
    let folder = TempDir::new().unwrap();
    let name = "a\u{1b}[31m\nutfhdl: all is well";
    let shown = r"a\u{1b}[31m\nutfhdl: all is well";
    fs::write(folder.path().join(name), "A\u{80}".as_bytes()).unwrap();
    let run = |args: &[&str]| {
        let output =
            Command::new(cargo_bin("utfhdl")).current_dir(folder.path()).args(args).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for (args, expected) in [
        (&["decode", "utf-8", &format!("{name}.missing")][..], 2),
        (&["convert", "-f", "utf-8", "-t", "ascii", "--on-error", "strict", name], 1),
        (&["convert", "-f", "utf-8", "-t", "utf-8", name, &format!("{name}/no folder")], 2),
        (&["cosim", "utf-8", "decoder", "--random", "9", "--vcd", &format!("{name}/run.vcd")], 2),
        (&["generate", "utf-8", "decoder", "-o", name], 2),
        (&["campaign", "utf-8", "decoder", "--exhaustive", "1", "--out", name], 2),
    ] {
        let (code, err) = run(args);
        assert_eq!(code, expected, "{args:?}: {err}");
        assert!(
            err.contains(shown) && !err.contains('\u{1b}') && err.lines().count() == 1,
            "{args:?}: {err}"
        );
    }
    // GTKWave and Surfer read the name of the dump from a line of a file.
    let (code, err) = run(&["cosim", "utf-8", "decoder", "--random", "9", "--vcd", &format!("{name}.vcd")]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("there is a control character in its name"), "{err}");
    let (code, err) = run(&["decode", "\u{1b}[31m"]);
    assert_eq!(code, 2);
    assert!(!err.contains('\u{1b}'), "{err}");
}

#[test]
fn messages_do_not_name_temporary_files() {
    let folder = TempDir::new().unwrap();
    for script in [
        "printf A | $UTFHDL convert -f utf-8 -t utf-8 - missing/out",
        "$UTFHDL cosim utf-8 decoder --random 9 --html missing/page.html",
        "$UTFHDL explain utf-8 41 --html missing/page.html",
        "printf A | TMPDIR=$PWD/missing $UTFHDL cosim utf-8 decoder -",
    ] {
        let (code, _, err) = in_shell(folder.path(), script);
        assert_eq!(code, 2, "{script}: {err}");
        assert!(!err.contains(".utfhdl-") && err.contains("No such file or directory"), "{script}: {err}");
    }
}

/// The line of a code point that is too long to be printed has no digits, and nothing can be encoded of it.
#[test]
fn a_number_of_digits_is_no_code_point() {
    let folder = TempDir::new().unwrap();
    for line in ["1048577 digits", "0\t2\t1048577 digits", r#"{"digits":1048577}"#] {
        fs::write(folder.path().join("lines"), format!("41\n{line}\n42\n")).unwrap();
        for on_error in ["replace", "drop", "strict"] {
            let script = format!("$UTFHDL encode utf-inf-8 lines --on-error {on_error}");
            let (code, out, err) = in_shell(folder.path(), &script);
            assert_eq!((code, out.as_str()), (2, "A"), "{err}");
            assert!(
                err.starts_with("utfhdl: lines: line 2: a code point of 1048577 digits, of which "),
                "{err}"
            );
        }
    }
}

/// Sequences are explained as they come, in constant memory.
#[test]
fn explain_prints_what_it_has_read() {
    let mut child = Command::new(cargo_bin("utfhdl"))
        .args(["explain", "utf-8"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    input.write_all("é".as_bytes()).unwrap();
    input.flush().unwrap();
    // The end of input comes only after what is read here.
    let mut read = [0; 1024];
    let length = std::io::Read::read(&mut output, &mut read).unwrap();
    assert!(read[..length].starts_with("at 0: U+00E9 é\n".as_bytes()));
    drop(input);
    child.wait().unwrap();
}

#[test]
fn explain_of_much_is_fast_and_ends_with_some_code_points_elsewhere() {
    let folder = TempDir::new().unwrap();
    let text: String = ('\u{4E00}'..'\u{9FA0}').cycle().take(60_000).collect();
    fs::write(folder.path().join("text"), &text).unwrap();
    let start = Instant::now();
    let (code, out, err) = in_shell(folder.path(), "$UTFHDL explain utf-8 < text | tail -n 5");
    assert_eq!((code, err.as_str()), (0, "only the first 256 code points are shown in other systems\n"));
    assert!(out.contains("utf-16"), "{out}");
    // The square of the length would take minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    // An error that never ends is shown as far as anyone can look at it.
    let script = "(printf '\\376'; head -c 1000000 /dev/zero | tr '\\0' '\\200') | $UTFHDL explain corrected-utf-8 | tail -n 2";
    let (_, out, _) = in_shell(folder.path(), script);
    assert!(out.starts_with("  ... and 991809 more units\n"), "{out}");
}

/// Document 004: "U+000D and U+2028 SHOULD NOT appear. The other C0 controls, and additionally U+2029, also SHOULD NOT appear",
/// "the last character in the file should be U+000A", and the magic number "SHOULD be present at the beginning of any file".
#[test]
fn documents_are_linted() {
    let folder = TempDir::new().unwrap();
    let magic = b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0A";
    // 2028 and 2029, each less the offset of its row, 2208.
    let text = [&magic[..], b"A\rB\r\n\x01\xE1\x9E\x88\xE1\x9E\x89\nend"].concat();
    fs::write(folder.path().join("bad"), &text).unwrap();
    fs::write(folder.path().join("good"), [&magic[..], b"A\nB\n"].concat()).unwrap();
    fs::write(folder.path().join("plain"), b"A\n").unwrap();
    let convert = |arguments: &str| in_shell(folder.path(), &format!("$UTFHDL convert {arguments}"));
    let (code, out, err) = convert("-f corrected-utf-8 -t utf-8 bad");
    assert_eq!((code, out.as_str()), (0, "A\rB\r\n\u{1}\u{2028}\u{2029}\nend"));
    assert_eq!(
        err,
        "warning: bad: offset 13: U+0001 should not be in a document\n\
         warning: bad: offset 9: U+000D should not be in a document: U+000A alone ends a line; there are 2 of them\n\
         warning: bad: offset 14: U+2028 should not be in a document\n\
         warning: bad: offset 17: U+2029 should not be in a document\n\
         warning: bad: offset 23: the last character of a document should be U+000A\n"
    );
    assert_eq!(convert("-f corrected-utf-8 -t utf-8 good"), (0, "A\nB\n".to_owned(), String::new()));
    assert_eq!(convert("-f corrected-utf-8 -t utf-8 --lint off bad").2, "");
    assert_eq!(convert("-f corrected-utf-8,document=off -t utf-8 plain").2, "");
    let (_, _, err) = convert("-f corrected-utf-8 -t utf-8 --lint json plain");
    let warning = json(&err);
    assert_eq!((&warning["lint"], &warning["offset"]), (&"no-magic-number".into(), &0.into()));
    // The output is linted where the input is no document.
    let (code, _, err) =
        in_shell(folder.path(), "printf 'A\\r\\n' | $UTFHDL convert -f utf-8 -t corrected-utf-8 - out");
    assert_eq!(code, 0);
    assert!(err.starts_with("warning: out: offset 9: U+000D should not be in a document"), "{err}");
}

#[test]
fn the_json_of_a_failing_cosimulation_says_what_its_messages_say() {
    let folder = TempDir::new().unwrap();
    let script = "printf 'ABC' | $UTFHDL cosim utf-8 decoder - --fault inverted@slot_last_reg --json";
    let (code, out, err) = in_shell(folder.path(), script);
    assert_eq!(code, 1, "{err}");
    let failure = json(&out);
    let text = |key: &str| failure[key].as_str().unwrap_or_else(|| panic!("{key}: {out}")).to_owned();
    assert!(
        err.contains(&text("failure")) && err.contains(&text("expected")) && err.contains(&text("actual"))
    );
    assert!(err.contains(&format!("to repeat it: {}\n", text("command"))), "{err}");
    let files = failure["files"].as_array().unwrap();
    assert_eq!(files.len(), 4, "{out}");
    assert!(files.iter().all(|file| folder.path().join(file.as_str().unwrap()).exists()), "{out}");
}

/// Whatever a tool has started ends with `prove`, even if nothing can stop it in good order: here, a Yosys that has started abc.
#[cfg(target_os = "linux")]
#[test]
fn tools_of_tools_end_with_a_prove_that_is_killed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    for (name, text) in
        [("yosys", "sleep 100 & echo $! > \"$OUT.new\"; mv \"$OUT.new\" \"$OUT\"; wait"), ("yosys-abc", "")]
    {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let out = folder.path().join("id");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut tool = Command::new(cargo_bin("utfhdl"))
        .args(["prove", "hunk-1", "decoder", "emitted", "--time", "100"])
        .envs([("PATH", path.as_str()), ("OUT", out.to_str().unwrap())])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    within_a_minute("Yosys does not start", &|| out.exists());
    let abc = fs::read_to_string(&out).unwrap();
    let runs = || {
        let status = fs::read_to_string(format!("/proc/{}/stat", abc.trim())).unwrap_or_default();
        status.contains("(sleep)") && !status.contains(") Z")
    };
    // The shell's copy is there before it becomes `sleep`.
    within_a_minute("abc does not start", &runs);
    tool.kill().unwrap();
    tool.wait().unwrap();
    within_a_minute("abc goes on", &|| !runs());
}

#[cfg(target_os = "linux")]
fn within_a_minute(what: &str, is_so: &dyn Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A checker that runs for minutes ends with the tool, even if nothing can stop the tool in good order.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs yosys-abc"]
fn a_checker_ends_with_the_tool() {
    let mut tool = Command::new(cargo_bin("utfhdl"))
        .args(["prove", "utf-8", "decoder", "elastic", "--time", "100"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let children = format!("/proc/{0}/task/{0}/children", tool.id());
    let name = |child: &str| fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
    let checkers = || {
        let children = fs::read_to_string(&children).unwrap_or_default();
        children
            .split_whitespace()
            .filter(|child| name(child) == "yosys-abc\n")
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    within_a_minute("the checker does not start", &|| !checkers().is_empty());
    let found = checkers();
    // Killed outright, so that it can stop nothing.
    tool.kill().unwrap();
    tool.wait().unwrap();
    within_a_minute("the checker goes on", &|| found.iter().all(|child| name(child) != "yosys-abc\n"));
}
