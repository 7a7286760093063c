//! `utfhdl convert` from the outside.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::common::command::names;

fn convert(folder: &Path, args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.current_dir(folder).arg("convert").args(args).write_stdin(input).output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn from_standard_input_to_standard_output() {
    let folder = folder();
    let args = ["--from", "utf-8", "--to", "utf-9", "--to-units", "octal"];
    let (code, out, err) = convert(folder.path(), &args, "A𐌰".as_bytes());
    assert_eq!((code, out.as_slice(), err.as_str()), (0, &b"101\n401\n403\n60\n"[..], ""));
}

#[test]
fn from_and_to_have_short_forms() {
    let folder = folder();
    for args in
        [["-f", "utf-8", "-t", "utf-9"], ["-f", "utf8", "--to", "utf-9"], ["-futf-8", "-tutf-9", "-", "-"]]
    {
        let (code, out, err) = convert(folder.path(), &args, "é".as_bytes());
        assert_eq!((code, out.as_slice(), err.as_str()), (0, &[0xE9, 0][..], ""), "{args:?}");
    }
}

#[test]
fn from_file_to_file_and_back() {
    let folder = folder();
    let text = "Aé€😀".repeat(10_000);
    fs::write(folder.path().join("a"), &text).unwrap();
    let there = ["--from", "utf-8", "--to", "utf-9", "--to-units", "packed", "a", "b"];
    assert_eq!(convert(folder.path(), &there, b""), (0, vec![], String::new()));
    let back = ["--from", "utf-9", "--to", "utf-8", "--from-units", "packed", "b", "b"];
    assert_eq!(convert(folder.path(), &back, b"").0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("b")).unwrap(), text, "IN and OUT may be one file");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn what_is_ill_formed_or_missing_is_replaced_or_dropped() {
    let folder = folder();
    let input = b"A\xC0B\xF0\xB0\x80\x80C"; // U+30000 is in no plane of UTF-18
    let args = ["--from", "utf-8", "--to", "utf-18", "--to-units", "octal"];
    let (code, out, err) = convert(folder.path(), &args, input);
    assert_eq!((code, out.as_slice()), (1, &b"0\n101\n177\n775\n0\n102\n177\n775\n0\n103\n"[..]));
    assert!(err.contains("2 errors or code points without a form were replaced"), "{err}");
    let (code, out, _) = convert(folder.path(), &[&args[..], &["--on-error", "drop"]].concat(), input);
    assert_eq!((code, out.as_slice()), (1, &b"0\n101\n0\n102\n0\n103\n"[..]));
    // Hunks of five bits have U+3F but not U+FFFD: 11100 10111 10111, after U+41.
    let (code, out, _) = convert(folder.path(), &["--from", "utf-8", "--to", "hunk-5"], "A€".as_bytes());
    assert_eq!((code, out.as_slice()), (1, &[0b11101, 0b10000, 0b10001, 0b11100, 0b10111, 0b10111][..]));
}

#[test]
fn strict_stops_with_the_offset_and_leaves_no_output() {
    let folder = folder();
    let args = ["--from", "utf-8", "--to", "utf-18", "--on-error", "strict", "-", "out"];
    let (code, _, err) = convert(folder.path(), &args, b"AB\xE2\x82C");
    assert_eq!((code, err.as_str()), (1, "utfhdl: standard input: offset 2: truncated\n"));
    let (code, _, err) = convert(folder.path(), &args, b"ABC\xF0\xB0\x80\x80");
    assert_eq!(
        (code, err.as_str()),
        (1, "utfhdl: standard input: offset 3: U+30000 has no form in utf-18\n")
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    fs::write(folder.path().join("out"), "as it was").unwrap();
    assert_eq!(convert(folder.path(), &args, b"\x80").0, 1);
    assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"as it was");
    assert_eq!(convert(folder.path(), &args, b"A").0, 0);
    assert_eq!(fs::read(folder.path().join("out")).unwrap(), [0, 0, 0x41, 0]);
}

#[test]
fn corrected_utf_8_files_are_documents() {
    let folder = folder();
    const MAGIC: &[u8] = b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0A";
    let (code, document, _) = convert(folder.path(), &["--from", "utf-8", "--to", "corrected-utf-8"], b"A");
    assert_eq!((code, document.as_slice()), (0, [MAGIC, b"A"].concat().as_slice()));
    let (code, text, _) = convert(folder.path(), &["--from", "corrected-utf-8", "--to", "utf-8"], &document);
    assert_eq!((code, text.as_slice()), (0, &b"A"[..]));
    let off = ["--from", "corrected-utf-8,document=off", "--to", "utf-8"];
    let (code, text, _) = convert(folder.path(), &off, &document);
    assert_eq!((code, text.as_slice()), (0, "\u{10E7D}\u{ED4E}\0\nA".as_bytes()));
}

#[test]
fn byte_order_marks_are_taken_off_and_put_in_front() {
    let folder = folder();
    let text = "Aé€😀".repeat(10_000);
    let units = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let (big, little) = (units(u16::to_be_bytes), units(u16::to_le_bytes));
    for (name, mark, body) in [
        ("utf-16le,bom=on", &b"\xFF\xFE"[..], &little),
        ("utf-16be,bom=on", b"\xFE\xFF", &big),
        ("utf-16,bom=on", b"\xFF\xFE", &little),
        ("utf-16le,bom=on", b"", &little),
        ("utf-16be", b"", &big),
    ] {
        let input = [mark, body].concat();
        let (code, out, err) = convert(folder.path(), &["--from", name, "--to", "utf-8"], &input);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        assert_eq!(out, text.as_bytes(), "{name}");
    }
    let args = ["--from", "utf-8", "--to", "utf-16le,bom=on"];
    let (code, out, _) = convert(folder.path(), &args, text.as_bytes());
    assert_eq!((code, out), (0, [b"\xFF\xFE", little.as_slice()].concat()));
    let args = ["--from", "utf-16", "--to", "utf-32", "--from-units", "u16be", "--to-units", "hex"];
    let (code, out, _) = convert(folder.path(), &args, b"\0A\xD8\x3D\xDE\0");
    assert_eq!((code, out.as_slice()), (0, &b"41\n1F600\n"[..]));
}

#[test]
fn long_code_points_pass_from_system_to_system() {
    let folder = folder();
    // 2^42-1, the last code point of utf-8-8byte.
    let last = b"\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBF";
    let (code, infinite, _) = convert(folder.path(), &["--from", "utf-8-8byte", "--to", "utf-inf-8"], last);
    assert_eq!(
        (code, infinite.as_slice()),
        (0, &b"\xFF\x80\x80\x80\x80\x80\xBF\xBF\xBF\xBF\xBF\xBF\xBF"[..])
    );
    let (code, again, _) = convert(folder.path(), &["--from", "utf-inf-8", "--to", "hunk-8"], &infinite);
    assert_eq!((code, again.as_slice()), (0, &last[..]));
}

#[test]
fn files_that_cannot_be_are_exit_2_and_one_line() {
    let folder = folder();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["missing"], "utfhdl: cannot open missing: "),
        (&["sub"], "utfhdl: sub is a directory"),
        (&["-", "sub"], "utfhdl: sub is a directory"),
        (&["-", "none/out"], "utfhdl: cannot write none/out: "),
        (&["--from-units", "octal"], "utfhdl: standard input: line 1: \"A\" is not an octal"),
        (&["--engine", "steam"], "utfhdl: invalid value 'steam' for '--engine <E>': there is no engine"),
    ];
    for (args, start) in cases {
        let (code, out, err) =
            convert(folder.path(), &[&["--from", "utf-8", "--to", "utf-8"], args].concat(), b"A");
        assert_eq!((code, out.as_slice()), (2, &b""[..]), "{args:?}");
        assert!(err.starts_with(start) && err.lines().count() == 1, "{err}");
    }
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::process::Stdio;
    let folder = folder();
    fs::write(folder.path().join("a"), "A".repeat(1 << 20)).unwrap();
    fs::write(folder.path().join("lines"), "41\n".repeat(1 << 20)).unwrap();
    let commands: [&[&str]; 3] = [
        &["convert", "--from", "utf-8", "--to", "utf-8", "a"],
        &["encode", "utf-8", "lines"],
        &["decode", "utf-8", "a"],
    ];
    for args in commands {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_utfhdl"));
        let command =
            command.current_dir(folder.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn streams_that_cannot_be_written_are_exit_2() {
    use std::fs::File;
    use std::process::Stdio;
    let folder = folder();
    fs::write(folder.path().join("text"), b"A\xFF".repeat(100_000)).unwrap();
    fs::write(folder.path().join("lines"), "41\noverlong\n".repeat(100_000)).unwrap();
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let commands: [&[&str]; 5] = [
        &["convert", "-f", "utf-8", "-t", "utf-8", "text"],
        &["convert", "-f", "utf-8", "-t", "utf-8", "--on-error", "strict", "text"],
        &["decode", "utf-8", "text"],
        &["decode", "utf-8", "--json", "text"],
        &["encode", "utf-8", "lines"],
    ];
    for args in commands {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_utfhdl"));
        let status =
            command.current_dir(folder.path()).args(args).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_2_with_the_name_of_the_output() {
    let folder = folder();
    let (code, _, err) =
        convert(folder.path(), &["--from", "utf-8", "--to", "utf-8", "-", "/dev/full"], b"A");
    assert_eq!(code, 2);
    assert!(err.starts_with("utfhdl: cannot write /dev/full: ") && err.lines().count() == 1, "{err}");
}

#[cfg(unix)]
#[test]
fn outputs_keep_their_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let path = |name| folder.path().join(name);
    fs::write(path("real"), "").unwrap();
    fs::set_permissions(path("real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real", path("link")).unwrap();
    assert_eq!(convert(folder.path(), &["--from", "utf-8", "--to", "utf-8", "-", "link"], b"A").0, 0);
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(fs::read(path("real")).unwrap(), b"A");
    assert_eq!(fs::metadata(path("real")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(convert(folder.path(), &["--from", "utf-8", "--to", "utf-8", "-", "/dev/null"], b"A").0, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_conversion_that_fails_leaves_the_output_as_it_was() {
    let folder = folder();
    fs::write(folder.path().join("out"), "as it was").unwrap();
    let octal = ["-f", "utf-9", "--from-units", "octal", "-t", "utf-8", "-", "out"];
    let strict = ["-f", "utf-9", "--from-units", "octal", "-t", "utf-8", "--on-error", "strict", "-", "out"];
    let good = "101\n".repeat(100_000);
    for (args, bad, expected) in [(&octal[..], "8\n", 2), (&strict[..], "400\n101\n", 1)] {
        let (code, _, err) = convert(folder.path(), args, (good.clone() + bad).as_bytes());
        assert_eq!(code, expected, "{err}");
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"as it was");
        assert_eq!(names(folder.path()), ["out"]);
    }
    let (code, ..) = convert(folder.path(), &["-f", "utf-8", "-t", "utf-8", "missing", "out"], b"");
    assert_eq!((code, names(folder.path())), (2, vec!["out".to_owned()]));
}

#[test]
fn strict_writes_to_a_stream_what_stands_in_front_of_the_error() {
    let args = ["-f", "utf-8", "-t", "utf-8", "--on-error", "strict"];
    let (code, out, err) = convert(folder().path(), &args, b"AB\xFFC");
    assert_eq!((code, out.as_slice()), (1, &b"AB"[..]));
    assert_eq!(err, "utfhdl: standard input: offset 2: invalid\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_no_half_of_a_file() {
    let folder = folder();
    fs::write(folder.path().join("in"), "A".repeat(1 << 20)).unwrap();
    // A limit on the size of files simulates a full disk.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", script, "sh", env!("CARGO_BIN_EXE_utfhdl")]);
    let output = command.args(["convert", "-f", "utf-8", "-t", "utf-9", "in", "out"]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.starts_with("utfhdl: out: ") && err.lines().count() == 1, "{err}");
    assert_eq!(names(folder.path()), ["in"]);
}

#[cfg(unix)]
#[test]
fn signals_leave_no_temporary_file() {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = folder();
        fs::write(folder.path().join("out"), "as it was").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_utfhdl"))
            .current_dir(folder.path())
            .args(["convert", "-f", "utf-8", "-t", "utf-8", "-", "out"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // The conversion waits for more of its input.
        let mut input = child.stdin.take().unwrap();
        input.write_all(&[b'A'; 1 << 17]).unwrap();
        assert_eq!(names(folder.path()).len(), 2, "a temporary file beside the output");
        let kill = format!("kill -s {signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"as it was");
    }
}
