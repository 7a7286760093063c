//! The options of `utfhdl cosim` that say which waves are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// Runs a decoder on random units; gives the exit code and the messages.
fn cosim(folder: &Path, random: &str, more: &[&str]) -> (i32, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let args = [&["cosim", "utf-8", "decoder", "--random", random], more].concat();
    let output = command.current_dir(folder).args(args).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn refused(more: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let (code, err) = cosim(folder.path(), "300", more);
    assert_eq!(code, 2, "{err}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    err
}

/// The times of a dump.
fn times(dump: &str) -> Vec<u64> {
    dump.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect()
}

/// The part of a dump between two times. A value that did not change in it may come from before.
fn between(dump: &str, first: u64, end: u64) -> Vec<&str> {
    let now = |line: &str| line.strip_prefix('#').and_then(|time| time.parse::<u64>().ok());
    dump.lines()
        .skip_while(|line| now(line).is_none_or(|time| time < first))
        .take_while(|line| now(line).is_none_or(|time| time < end))
        .collect()
}

#[test]
fn the_name_says_the_format_and_fst_is_less_than_an_eighth_of_vcd() {
    let folder = TempDir::new().unwrap();
    for name in ["run.vcd", "run.fst"] {
        let (code, err) = cosim(folder.path(), "20000", &["--wave", name]);
        assert_eq!(code, 0, "{err}");
        assert!(err.contains(&format!("waves: {name}; see them with `gtkwave run.gtkw`")), "{err}");
        let gtkw = fs::read_to_string(folder.path().join("run.gtkw")).unwrap();
        assert!(gtkw.contains(&format!("[dumpfile] \"././{name}\"")), "{gtkw}");
    }
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(size("run.fst") * 8 < size("run.vcd"), "{} and {}", size("run.fst"), size("run.vcd"));
    cosim(folder.path(), "20000", &["--vcd", "old.vcd"]);
    let [old, new] = ["old.vcd", "run.vcd"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert_eq!(old, new);
}

#[test]
fn names_of_no_format_and_standard_output_are_refused() {
    let allowed = "--wave run.wave: a name that ends in .vcd or .fst tells the format";
    assert!(refused(&["--wave", "run.wave"]).contains(allowed));
    assert!(refused(&["--wave", "run"]).contains("a name that ends in .vcd or .fst"));
    assert!(refused(&["--wave", "-"]).contains("--wave -: waves are three files"));
    assert!(refused(&["--vcd", "-"]).contains("--vcd -: waves are three files"));
    assert!(refused(&["--wave", "run.fst", "--vcd", "run.vcd"]).contains("cannot be used with"));
    assert!(refused(&["--wave", "none/run.fst"]).contains("there is no folder none"));
    assert!(refused(&["--wave-from", "3"]).contains("--wave"));
}

#[test]
fn cycles_can_be_chosen() {
    let folder = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    cosim(folder.path(), "3000", &["--wave", "all.vcd"]);
    let (code, err) =
        cosim(folder.path(), "3000", &["--wave", "some.vcd", "--wave-from", "1500", "--wave-to", "1600"]);
    assert_eq!(code, 0, "{err}");
    let (all, some) = (read("all.vcd"), read("some.vcd"));
    assert_eq!((times(&some).first(), times(&some).last()), (Some(&15_000), Some(&16_010)));
    // After its first cycle, the dump equals the dump of the whole run.
    assert_eq!(between(&some, 15_010, 16_010), between(&all, 15_010, 16_010));
    let (code, err) = cosim(folder.path(), "300", &["--wave", "none.fst", "--wave-from", "1000000"]);
    assert_eq!(code, 0);
    assert!(err.contains("warning: no cycle is in the waves: --wave-from lies behind the run"), "{err}");
    let err = refused(&["--wave", "run.vcd", "--wave-from", "10", "--wave-to", "9"]);
    assert!(err.contains("--wave-to 9 lies before --wave-from 10"), "{err}");
}

/// A failure that the chosen cycles don't hold has waves of its own.
#[test]
fn a_failure_beside_the_chosen_cycles_is_shown_too() {
    let folder = TempDir::new().unwrap();
    let fault = ["--fault", "stuck-at-0@held_reg", "--wave", "run.vcd", "--wave-to", "2"];
    let (code, err) = cosim(folder.path(), "2000", &fault);
    assert_eq!(code, 1, "{err}");
    assert_eq!(times(&fs::read_to_string(folder.path().join("run.vcd")).unwrap()).last(), Some(&30));
    assert_eq!(err.lines().filter(|line| line.starts_with("waves: ")).count(), 2, "{err}");
    assert!(folder.path().join("utf_8_decoder_x1-stuck-at-0@held_reg-seed-1.failure.vcd").exists());
}

#[test]
fn signals_can_be_chosen() {
    let folder = TempDir::new().unwrap();
    let signals = ["--wave", "run.vcd", "--signals", "*_axis_tvalid", "--signals", "slots_expected"];
    let (code, err) = cosim(folder.path(), "300", &signals);
    assert_eq!(code, 0, "{err}");
    let dump = fs::read_to_string(folder.path().join("run.vcd")).unwrap();
    let names: Vec<&str> = dump
        .lines()
        .filter(|line| line.starts_with("$var "))
        .map(|line| line.split(' ').nth(4).unwrap())
        .collect();
    let text = ["clk", "slots_expected", "slots_expected_utf8"];
    let ports = ["s_axis_tvalid", "m_axis_tvalid", "s_axis_tvalid", "m_axis_tvalid"];
    assert_eq!(names, [&text[..], &ports].concat());
    let err = refused(&["--wave", "run.vcd", "--signals", "*_tvlaid"]);
    assert!(err.contains("--signals: no signal matches `*_tvlaid`; there are"), "{err}");
    assert!(err.contains("such as tb.clk, "), "{err}");
}

/// A text without escapes: `\x20`, as we write them, or `\040` and `\"`, as GTKWave does.
fn unescaped(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, behind @ ..] = rest {
        let number = |digits: &[u8], base| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, base).ok()
        };
        let (byte, used) = match (first, behind) {
            (b'\\', [b'x', a, b, ..]) => (number(&[*a, *b], 16).unwrap(), 4),
            (b'\\', [a @ b'0'..=b'3', b, c, ..]) => (number(&[*a, *b, *c], 8).unwrap(), 4),
            (b'\\', [other, ..]) => (*other, 2),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[used..];
    }
    bytes
}

/// The changes of each signal of a VCD by path, without leading zeros and escapes. A `z` stands for any number of them.
fn changes(dump: &str) -> BTreeMap<String, Vec<(u64, Vec<u8>)>> {
    let (mut scopes, mut names, mut time) = (Vec::new(), BTreeMap::<&str, Vec<String>>::new(), 0);
    let mut changes = BTreeMap::<String, Vec<(u64, Vec<u8>)>>::new();
    for line in dump.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name),
            ["$upscope", ..] => drop(scopes.pop()),
            ["$var", _, _, id, name, ..] => {
                names.entry(id).or_default().push(format!("{}.{name}", scopes.join(".")));
            }
            _ if line.starts_with('#') => time = line[1..].parse().unwrap(),
            [] => {}
            [word] if word.starts_with('$') => {}
            ["$date" | "$version" | "$timescale" | "$comment", ..] | ["utfhdl", ..] | ["1ns" | "1", ..] => {}
            _ => {
                let (value, id) =
                    if let [value, id] = words[..] { (value, id) } else { words[0].split_at(1) };
                let value = match value.strip_prefix('s') {
                    Some(text) => unescaped(text),
                    None => match value.trim_start_matches('b').trim_start_matches('0') {
                        idle if idle.starts_with('z') => b"z".to_vec(),
                        bits => bits.as_bytes().to_vec(),
                    },
                };
                for path in names.get(id).into_iter().flatten() {
                    changes.entry(path.clone()).or_default().push((time, value.clone()));
                }
            }
        }
    }
    changes
}

/// GTKWave's own reader finds in an FST what the VCD of the same run has, also where the changes fill more than one block.
#[test]
#[ignore = "needs fst2vcd of GTKWave: tools/test installs it and runs this"]
fn gtkwave_reads_fst() {
    let folder = TempDir::new().unwrap();
    for (count, more) in
        [("3000", &["--stall", "20", "--lanes", "4"][..]), ("400000", &["--signals", "*data*"])]
    {
        for name in ["run.vcd", "run.fst"] {
            let (code, err) = cosim(folder.path(), count, &[&["--wave", name], more].concat());
            assert_eq!(code, 0, "{err}");
        }
        let mut command = std::process::Command::new("fst2vcd");
        command.args(["-f", "run.fst", "-o", "read.vcd"]).current_dir(folder.path());
        assert!(command.status().expect("fst2vcd: tools/test installs it").success());
        let read = |name: &str| changes(&fs::read_to_string(folder.path().join(name)).unwrap());
        let (expected, found) = (read("run.vcd"), read("read.vcd"));
        assert!(expected.len() > 5 && expected.keys().eq(found.keys()), "{:?}", found.keys());
        for (path, changes) in expected {
            assert!(found[&path] == changes, "{count} units: {path} differs");
        }
    }
}

/// Eight lanes: text and lanes are read at once, the inside is folded, and the window opens where the first slot comes out.
#[test]
fn several_lanes_are_shown_lane_by_lane_from_the_first_slot_on() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("text"), b"Z\xC3\xBCrich \xED\xA0\x80 \xE2\x82\xAC").unwrap();
    for name in ["run.vcd", "run.fst"] {
        let mut command = Command::cargo_bin("utfhdl").unwrap();
        let args = ["cosim", "utf-8", "decoder", "--lanes", "8", "text", "--wave", name];
        assert!(command.current_dir(folder.path()).args(args).output().unwrap().status.success());
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let (save, commands) = (read("run.gtkw"), read("run.sucl"));
        // What a reader sees before a group is unfolded.
        let (mut open, mut depth) = (Vec::new(), false);
        let mut flags = 0;
        for line in save.lines().skip_while(|line| !line.starts_with('@')) {
            match line.strip_prefix('@') {
                Some(number) => flags = u32::from_str_radix(number, 16).unwrap(),
                None if flags & 1 << 23 != 0 => depth = flags & 1 << 22 != 0,
                None if flags & 1 << 24 != 0 => assert_eq!(flags & 1 << 12 != 0, depth, "{line}"),
                None if !line.starts_with('[') && !depth => open.push(line.split([' ', '[']).next().unwrap()),
                None => {}
            }
        }
        let lanes = |side| (0..8).map(move |lane| format!("+{{{side}_lane_{lane}}}"));
        let ports = |side| ["tvalid", "tready", "tlast"].map(|port| format!("{side}_{port}"));
        let last = |path: &str| path.rsplit('.').next().unwrap().to_owned();
        let shown: Vec<String> = open.iter().map(|line| last(line)).collect();
        let mut expected: Vec<String> =
            ["+{text_out}", "+{text_expected}", "clk", "cycle", "rst"].map(str::to_owned).into();
        expected.extend(ports("s_axis").into_iter().chain(lanes("s_axis")));
        expected.extend(ports("m_axis").into_iter().chain(lanes("m_axis")));
        assert_eq!(shown, expected);
        assert!(!save.contains("tuser_label") && !commands.contains("tuser_label"));
        if name == "run.vcd" {
            let changes = changes(&read(name));
            let of = |text: &str| &changes[&format!("tb.{text}")];
            let (first, words) = &of("m_axis_lane_1_utf8")[1];
            assert_eq!(String::from_utf8_lossy(words), "ü_U+00FC");
            assert_eq!(String::from_utf8_lossy(&of("m_axis_lane_1")[1].1), "U+00FC");
            assert!(
                save.contains(&format!("\n[timestart] {}\n", first.saturating_sub(150))),
                "{first}: {save}"
            );
            assert!(commands.contains(&format!("\ncursor_set {first}\n")), "{commands}");
            let words = |text: &str| -> Vec<String> {
                of(text).iter().map(|(_, words)| String::from_utf8_lossy(words).into_owned()).collect()
            };
            assert_eq!(words("text_out_utf8")[1], "Zürich_");
            // ED A0 80, each octet an error of its own (The Unicode Standard, §3.9).
            assert!(words("m_axis_lane_0_utf8").contains(&"surrogate".to_owned()));
            assert!(words("text_out_utf8").contains(&"\u{fffd}\u{fffd}\u{fffd}_€".to_owned()));
            // Nothing comes any more: the lane is idle.
            assert_eq!(words("m_axis_lane_0").last().unwrap(), " ");
        }
    }
}

/// A lane of a core of several is a scope of its own where it is a module of its own.
#[test]
fn instances_are_scopes() {
    let folder = TempDir::new().unwrap();
    let (code, err) = cosim(folder.path(), "300", &["--wave", "run.vcd", "--lanes", "4"]);
    assert_eq!(code, 0, "{err}");
    let dump = fs::read_to_string(folder.path().join("run.vcd")).unwrap();
    let scopes: Vec<&str> = dump.lines().filter(|line| line.starts_with("$scope")).collect();
    assert_eq!(
        scopes[..3],
        ["tb", "native", "utf_8_decoder_x4"].map(|name| format!("$scope module {name} $end"))
    );
    let module = format!("{}/hdl/tests/golden/utf_8_decoder_x4.v", env!("CARGO_MANIFEST_DIR"));
    let verilog = fs::read_to_string(module).unwrap();
    for scope in &scopes[3..] {
        let name = scope.split(' ').nth(2).unwrap();
        assert!(verilog.contains(&format!(" {name} (")), "{name} is an instance in the Verilog");
    }
    assert!(scopes.len() > 3, "{scopes:?}");
}
