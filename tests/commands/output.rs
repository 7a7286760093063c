//! Output that cannot be written: a closed pipe ends a command quietly, a full disk is exit code 2 and one line that names
//! standard output, and neither ever panics.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Every command that writes to standard output, with its exit code where the output can be written, and its input.
const COMMANDS: [(&str, i32, &[u8]); 22] = [
    ("--help", 0, b""),
    ("--version", 0, b""),
    ("-h", 0, b""),
    ("help decode", 0, b""),
    ("generate --help", 0, b""),
    ("completions bash", 0, b""),
    ("completions zsh", 0, b""),
    ("completions fish", 0, b""),
    ("list", 0, b""),
    ("list --json", 0, b""),
    ("generate utf-8 decoder --json", 0, b""),
    ("cosim utf-8 decoder --random 9 --json", 0, b""),
    ("campaign utf-8 decoder --random 9 --json", 0, b""),
    ("report hunk-1 decoder", 0, b""),
    ("report hunk-1 decoder --json", 0, b""),
    ("decode utf-8", 0, b"text"),
    ("decode utf-8 --engine native --json", 0, b"text"),
    ("encode utf-8", 0, b"41"),
    ("validate utf-8", 1, b"\xff"),
    ("count utf-8", 0, b"text"),
    ("convert --from utf-8 --to utf-9", 0, b"text"),
    ("convert --from utf-8 --to utf-9 --engine native - -", 0, b"text"),
];

/// Runs a command in a folder of its own, with no tool that `report` could run; gives its exit code and standard error.
fn utfhdl(arguments: &str, input: &[u8], out: Stdio, err: Option<Stdio>) -> (Option<i32>, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("input");
    std::fs::write(&path, input).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    command.args(arguments.split_whitespace()).current_dir(folder.path());
    command.env("PATH", folder.path()).env("UTFHDL_CACHE", folder.path());
    command.stdin(File::open(path).unwrap()).stdout(out).stderr(err.unwrap_or(Stdio::piped()));
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

fn closed_pipe() -> Stdio {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_full_disk_is_exit_2_and_names_standard_output() {
    for (arguments, _, input) in COMMANDS {
        let (code, err) = utfhdl(arguments, input, full(), None);
        assert_eq!(code, Some(2), "{arguments}: {err}");
        let complaints: Vec<&str> = err.lines().filter(|line| line.contains("cannot write")).collect();
        let expected = "utfhdl: cannot write standard output: No space left on device (os error 28)";
        assert_eq!(complaints, [expected], "{arguments}: {err}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for (arguments, code, input) in COMMANDS {
        let (found, err) = utfhdl(arguments, input, closed_pipe(), None);
        assert_eq!(found, Some(code), "{arguments}: {err}");
        assert!(!err.to_lowercase().contains("pipe") && !err.contains("panic"), "{arguments}: {err}");
    }
}

/// The message is lost, but the exit code still reports the error.
#[test]
fn standard_error_that_cannot_be_written_does_not_matter() {
    for (arguments, code, input) in COMMANDS {
        assert_eq!(utfhdl(arguments, input, full(), Some(full())).0, Some(2), "{arguments}");
        for err in [full(), closed_pipe()] {
            assert_eq!(utfhdl(arguments, input, Stdio::null(), Some(err)).0, Some(code), "{arguments}");
        }
    }
    for (arguments, code) in [
        ("", 2),
        ("--no-such-option", 2),
        ("decode utf-6", 2),
        ("decode utf-8 missing", 2),
        ("encode utf-8", 2),
        ("decode utf-8", 1),
        ("convert --from utf-8 --to utf-9", 1),
        ("convert --from utf-8 --to utf-9 --on-error strict", 1),
    ] {
        for err in [full(), closed_pipe()] {
            assert_eq!(utfhdl(arguments, b"\xff", Stdio::null(), Some(err)).0, Some(code), "{arguments}");
        }
    }
}

/// Text longer than any buffer: the error comes in the middle of the work.
#[test]
fn long_output_ends_early_and_quietly() {
    let text = "a line of text\n".repeat(100_000);
    for arguments in ["decode utf-8", "convert --from utf-8 --to utf-9"] {
        assert_eq!(utfhdl(arguments, text.as_bytes(), closed_pipe(), None), (Some(0), String::new()));
        let (code, err) = utfhdl(arguments, text.as_bytes(), full(), None);
        assert_eq!((code, err.lines().count()), (Some(2), 1), "{arguments}: {err}");
    }
}
