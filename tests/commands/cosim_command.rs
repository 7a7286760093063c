//! `utfhdl cosim` from the outside, as users run it: its messages on failures, the files it leaves, and the arguments it
//! refuses.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use crate::common::command::names;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    /// The line of the messages that begins so.
    #[track_caller]
    fn line(&self, start: &str) -> &str {
        let line = self.err.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("no line {start:?} in:\n{}", self.err))
    }

    /// The command that is shown, less what comes before it.
    #[track_caller]
    fn command(&self) -> &str {
        self.line("to repeat it: ").strip_prefix("to repeat it: ").unwrap()
    }
}

fn utfhdl(folder: &Path, args: &[&str]) -> Ran {
    with_input(folder, args, b"")
}

fn with_input(folder: &Path, args: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.current_dir(folder).args(args).write_stdin(input).output().unwrap();
    ran(output)
}

/// Runs a line of a shell that knows `utfhdl`.
fn in_shell(folder: &Path, line: &str) -> Ran {
    let tool = cargo_bin("utfhdl");
    let path = format!("{}:{}", tool.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    ran(command.output().unwrap())
}

fn ran(output: std::process::Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A fault that any error shows: the slot that is held back is forgotten.
const FAULT: [&str; 2] = ["--fault", "stuck-at-0@held_reg"];

/// A decoder with that fault on random units.
fn failing(folder: &Path, more: &[&str]) -> Ran {
    let ran =
        utfhdl(folder, &[&["cosim", "utf-8", "decoder", "--random", "2000"], &FAULT[..], more].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    let first = ran.err.lines().next().unwrap();
    assert!(first.starts_with("utf_8_decoder_x1: cycle "), "the first line is no failure:\n{}", ran.err);
    ran
}

/// The text that a string variable of a dump has at a time; without underscores.
fn text_at(dump: &str, variable: &str, time: u64) -> String {
    let declared = dump.lines().find(|line| line.contains(&format!(" {variable} $end"))).expect("a variable");
    let id = declared.split(' ').nth(3).unwrap();
    let mut shown = String::new();
    for line in dump.lines() {
        match line.strip_prefix('#').and_then(|time| time.parse::<u64>().ok()) {
            Some(now) if now > time => break,
            _ => {}
        }
        if let Some(text) = line.strip_prefix('s').and_then(|line| line.strip_suffix(&format!(" {id}"))) {
            shown = text.replace('_', " ");
        }
    }
    shown
}

fn last_time(dump: &str) -> u64 {
    dump.lines().rev().find_map(|line| line.strip_prefix('#')?.parse().ok()).expect("a time")
}

/// Engines that show no signals inside of the core.
fn blind_engines() -> Vec<&'static str> {
    if cfg!(feature = "rust-hdl") { vec!["rust-hdl"] } else { Vec::new() }
}

fn waves_of(engine: &str) {
    let folder = TempDir::new().unwrap();
    let ran = utfhdl(
        folder.path(),
        &["cosim", "utf-8", "decoder", "--random", "300", "--engine", engine, "--vcd", "w.vcd"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("those of native"), "{}", ran.err);
    assert_eq!(names(folder.path()), ["w.gtkw", "w.sucl", "w.vcd"]);
    let dump = fs::read_to_string(folder.path().join("w.vcd")).unwrap();
    assert!(dump.contains(" slot_data_reg "), "signals inside of the core are in the dump");
    let scope = engine.replace('-', "_");
    assert!(dump.contains(&format!("$scope module {scope} $end")));

    let ran = failing(folder.path(), &["--engine", engine, "--seed", "7"]);
    assert!(ran.err.contains("those of native"), "{}", ran.err);
    let stem = "utf_8_decoder_x1-stuck-at-0@held_reg-seed-7.failure";
    assert!(folder.path().join(format!("{stem}.vcd")).exists(), "{:?}", names(folder.path()));
    // The first line again, and nothing else.
    let first = ran.err.lines().next().unwrap();
    assert_eq!(in_shell(folder.path(), ran.command()).err.lines().next().unwrap(), first);
}

#[test]
fn engines_that_show_no_signals_have_waves_and_failures_all_the_same() {
    blind_engines().into_iter().for_each(waves_of);
}

#[test]
#[ignore = "needs Verilator: tools/test installs it and runs this"]
fn verilator_has_waves_and_failures_all_the_same() {
    waves_of("verilator");
}

/// The silent engine runs from the first cycle on, though only the last ones are shown.
#[test]
#[cfg(feature = "rust-hdl")]
fn a_silent_engine_shows_what_one_that_takes_part_does() {
    let folder = TempDir::new().unwrap();
    // The fault shows late: the unit that it needs comes at the end.
    let text = "A".repeat(5000) + "\u{e9}";
    fs::write(folder.path().join("text"), text).unwrap();
    let dump = |engine: &str| {
        let fault = ["--fault", "stuck-at-0@slot_data_reg"];
        let args = ["cosim", "utf-8", "decoder", "text", "--failure-dir", engine, "--engine", engine];
        // Code points up to U+007F go by another way.
        let ran = utfhdl(folder.path(), &[&args[..], &fault].concat());
        assert_eq!(ran.code, 1, "{}", ran.err);
        let inside = folder.path().join(engine);
        let name = names(&inside).into_iter().find(|name| name.ends_with(".vcd")).unwrap();
        let dump = fs::read_to_string(inside.join(name)).unwrap();
        let scope = dump.find("$scope module utf_8_decoder_x1 $end").expect("the core's scope");
        let declared: Vec<String> = dump[scope..]
            .lines()
            .filter(|line| line.starts_with("$var"))
            .map(|line| line.split(' ').skip(4).collect())
            .collect();
        let values = dump[dump.find("$enddefinitions").unwrap()..].to_owned();
        (declared, values.lines().filter(|line| line.starts_with('b')).count())
    };
    assert_eq!(dump("rust-hdl"), dump("native"));
}

#[test]
fn the_waves_of_a_failure_have_a_marker_what_was_expected_and_what_came_after() {
    let folder = TempDir::new().unwrap();
    let ran = failing(folder.path(), &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let cycle = report["cycle"].as_u64().unwrap();
    let stem = folder.path().join("utf_8_decoder_x1-stuck-at-0@held_reg-seed-1.failure");
    let read =
        |extension: &str| fs::read_to_string(stem.with_extension(format!("failure.{extension}"))).unwrap();
    let (dump, save, commands) = (read("vcd"), read("gtkw"), read("sucl"));
    let time = 10 * cycle;
    let [expected, found] = ["slots_expected", "slots_out"].map(|variable| text_at(&dump, variable, time));
    assert_ne!(expected, found);
    assert!(ran.err.lines().next().unwrap().contains(&expected), "{expected:?}: {}", ran.err);
    for at in [time - 10, time - 20] {
        assert_eq!(text_at(&dump, "slots_expected", at), text_at(&dump, "slots_out", at));
    }
    assert!(last_time(&dump) >= time + 200, "cycles behind the failure");
    assert!(save.contains(&format!(" {time} {time}\n[markername] Afailure\n")), "{save}");
    assert!(commands.contains(&format!("cursor_set {time}\nmarker_set failure {time}\n")), "{commands}");
    for text in [save, commands] {
        assert!(text.contains("tb.slots_expected"), "{text}");
    }
}

/// A whole run with waves is marked, too, and not run twice.
#[test]
fn waves_that_were_asked_for_have_the_failure() {
    let folder = TempDir::new().unwrap();
    let ran = failing(folder.path(), &["--vcd", "w.vcd"]);
    assert!(ran.line("waves: ").contains("gtkwave w.gtkw"), "{}", ran.err);
    assert_eq!(names(folder.path()), ["w.gtkw", "w.sucl", "w.vcd"]);
    assert!(fs::read_to_string(folder.path().join("w.gtkw")).unwrap().contains("[markername] Afailure"));
    let dump = fs::read_to_string(folder.path().join("w.vcd")).unwrap();
    assert!(dump.contains("\n#0\n"), "from the first cycle on");
}

/// A failure is said and counts, even if nothing can be written of it.
#[test]
fn a_failure_stands_where_no_waves_can_be_written() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let ran = failing(folder.path(), &["--failure-dir", "file/below"]);
    assert!(ran.line("warning: there are no waves").contains("file/below"), "{}", ran.err);
    assert!(ran.command().contains(" --random 2000 --seed 1 "), "{}", ran.err);
    assert_eq!(names(folder.path()), ["file"]);
}

/// A limit on the size of files does as a disk that is full.
#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_or_behind_a_failure_a_warning() {
    let folder = TempDir::new().unwrap();
    let limited = |args: &str| {
        let ran =
            in_shell(folder.path(), &format!("trap '' XFSZ; ulimit -f 8; utfhdl cosim utf-8 decoder {args}"));
        assert_eq!(names(folder.path()), [""; 0], "nothing half written");
        ran
    };
    let ran = limited("--random 2000 --vcd w.vcd");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.line("utfhdl: --vcd: w.vcd can't be written: ").contains("File too large"), "{}", ran.err);
    // The run continued without waves, and its result is printed.
    assert!(ran.line("native agrees").ends_with("with the reference on every event"));

    for args in [
        "--random 20000 --fault stuck-at-0@held_reg",
        "--random 20000 --fault stuck-at-0@held_reg --vcd w.vcd",
    ] {
        let ran = limited(args);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.err.starts_with("utf_8_decoder_x1: cycle "), "{}", ran.err);
        assert!(ran.line("warning: there are no waves").contains("File too large"), "{}", ran.err);
        ran.command();
    }
}

#[test]
fn waves_go_where_files_can_be() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (path, says) in [
        ("-", "--vcd -: waves are three files"),
        ("folder", "folder can't be written: it is a folder"),
        ("missing/w.vcd", "there is no folder missing"),
        ("/dev/null", "it is not a regular file"),
    ] {
        let ran = utfhdl(folder.path(), &["cosim", "utf-8", "decoder", "--random", "10", "--vcd", path]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{path}");
        assert!(ran.err.contains(says), "{path}: {}", ran.err);
        assert_eq!(names(folder.path()), ["folder"], "{path}");
    }
}

/// A run without input does not pass.
#[test]
fn nothing_to_run_is_an_error() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    for (args, says) in [
        (&["utf-8", "decoder", "--random", "0"][..], "there would be nothing to run: ask for 1 or more"),
        (&["utf-8", "decoder", "empty"], "empty is empty: there is nothing to run"),
        (&["utf-9", "decoder", "empty", "--units", "octal"], "empty is empty: there is nothing to run"),
        (&["utf-8", "encoder", "empty"], "empty is empty: there is nothing to run"),
        (&["utf-8", "transcoder:utf-9", "empty", "--frames", "0,3"], "there is nothing to run"),
        (&["utf-8", "decoder", "-"], "standard input is empty: there is nothing to run"),
        (
            &["utf-8", "decoder", "--random", "18446744073709551616"],
            "a number from 1 to 18446744073709551615",
        ),
    ] {
        let ran = utfhdl(folder.path(), &[&["cosim"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}

/// However much is asked for, it is made as it is needed.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_flat_whatever_the_count() {
    for role in ["decoder", "encoder"] {
        let args = ["cosim", "utf-8", role, "--random", "18446744073709551615"];
        let mut command = std::process::Command::new(cargo_bin("utfhdl"));
        let mut child = command.args(args).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(2));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        assert!(child.try_wait().unwrap().is_none(), "it goes on");
        child.kill().unwrap();
        child.wait().unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 100_000, "{role}: {peak}");
    }
}

#[test]
fn a_hyphen_is_standard_input() {
    let folder = TempDir::new().unwrap();
    let ran = with_input(folder.path(), &["cosim", "utf-8", "decoder", "-"], "caf\u{e9}".as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("utf_8_decoder_x1: 5 units in 1 frame, 4 code points"), "{}", ran.err);
    let ran = with_input(folder.path(), &["cosim", "utf-9", "encoder", "-"], b"20AC\n14:2\n");
    assert!(ran.err.starts_with("utf_9_encoder_x1: 2 slots in 1 frame"), "{}", ran.err);
    let ran = with_input(folder.path(), &["cosim", "utf-9", "encoder", "-"], b"20AC\nnothing\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("utfhdl: standard input: line 2: "), "{}", ran.err);
    // A name that is no regular file.
    let ran = in_shell(folder.path(), "utfhdl cosim utf-8 decoder <(printf ABC)");
    assert!(ran.err.starts_with("utf_8_decoder_x1: 3 units in 1 frame"), "{}", ran.err);
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Input from standard input is kept, so that the failure can be repeated.
#[test]
fn a_failure_of_standard_input_can_be_repeated() {
    let folder = TempDir::new().unwrap();
    for (role, input, kept) in
        [("decoder", &b"A\xe2\x82A\xe2\x82A"[..], "units"), ("encoder", b"0:41\n14:2\n0:20AC\n", "slots")]
    {
        let fault = if role == "decoder" { "stuck-at-0@held_reg" } else { "stuck-at-0@output_last" };
        let failing =
            ["cosim", "utf-8", role, "-", "--fault", fault, "--failure-dir", "kept", "--stall", "0,20"];
        let ran = with_input(folder.path(), &failing, input);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let name = format!("utf_8_{role}_x1-{fault}-stdin-seed-1.failure.{kept}");
        assert_eq!(fs::read(folder.path().join("kept").join(&name)).unwrap(), input);
        assert!(
            ran.command().contains(&format!("kept/{name}")) && ran.command().contains(" --stall '0,20' ")
        );
        let again = in_shell(folder.path(), ran.command());
        assert_eq!((again.code, again.err.lines().next()), (1, ran.err.lines().next()));
    }
}

#[test]
fn commands_are_quoted_for_a_shell() {
    let folder = TempDir::new().unwrap();
    for name in ["it's $(date); a file*", "-v", "new\nline"] {
        fs::write(folder.path().join(name), b"A\xe2\x82A\xe2\x82A").unwrap();
        let path = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
        let ran = utfhdl(folder.path(), &[&["cosim", "utf-8", "decoder", &path], &FAULT[..]].concat());
        assert_eq!(ran.code, 1, "{}", ran.err);
        let again = in_shell(folder.path(), ran.command());
        assert_eq!((again.code, again.err.lines().next()), (1, ran.err.lines().next()), "{}", ran.command());
        // The files for a viewer are named so that its command can be pasted, too.
        let viewers = ran.line("waves: ");
        let open = viewers.split('`').nth(1).unwrap().strip_prefix("gtkwave ").unwrap();
        assert_eq!(in_shell(folder.path(), &format!("test -f {open}")).code, 0, "{viewers}");
    }
}

#[test]
fn failures_of_different_seeds_and_inputs_leave_different_files() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("page.txt"), b"A\xe2\x82A\xe2\x82A").unwrap();
    for more in [&["--random", "900", "--seed", "1"][..], &["--random", "900", "--seed", "2"], &["page.txt"]]
    {
        let args = [&["cosim", "utf-8", "decoder", "--failure-dir", "out/here"], more, &FAULT[..]].concat();
        assert_eq!(utfhdl(folder.path(), &args).code, 1, "{more:?}");
    }
    let dumps: Vec<String> = names(&folder.path().join("out/here"))
        .into_iter()
        .filter(|name| name.ends_with(".failure.vcd"))
        .collect();
    assert_eq!(
        dumps,
        [
            "utf_8_decoder_x1-stuck-at-0@held_reg-page.txt-seed-1.failure.vcd",
            "utf_8_decoder_x1-stuck-at-0@held_reg-seed-1.failure.vcd",
            "utf_8_decoder_x1-stuck-at-0@held_reg-seed-2.failure.vcd",
        ]
    );
}

#[test]
fn each_side_has_its_own_stalls() {
    let folder = TempDir::new().unwrap();
    let ran = failing(folder.path(), &["--stall", "90,0"]);
    assert!(ran.command().contains(" --stall '90,0' "), "{}", ran.command());
    let ran = failing(folder.path(), &["--stall", "30,30"]);
    assert!(ran.command().contains(" --stall 30 "), "{}", ran.command());
    for stall in ["100", "30,100", "1,2,3", "-1", "", "x"] {
        let ran = utfhdl(folder.path(), &["cosim", "utf-8", "decoder", &format!("--stall={stall}")]);
        assert_eq!(ran.code, 2, "{stall}");
        assert!(ran.err.contains("a percentage from 0 to 99, or two for source and sink"), "{}", ran.err);
    }
}

#[test]
fn a_fault_that_there_is_not_is_answered_with_those_there_are() {
    let folder = TempDir::new().unwrap();
    for (fault, says) in [
        ("stuck-at-0@hold_reg", "held_reg"),
        ("stuck-at-2@held_reg", "stuck-at-0, stuck-at-1, inverted, shifted"),
        ("held_reg", "expected KIND@SIGNAL"),
    ] {
        let ran = utfhdl(folder.path(), &["cosim", "utf-8", "decoder", "--fault", fault]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{fault}");
        assert!(ran.err.contains("--fault") && ran.err.contains(says), "{fault}: {}", ran.err);
    }
}
