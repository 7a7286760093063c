//! examples/json_strings: the marks are what serde_json says, on beats of all shapes; and the tools do not warn of the Verilog.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::process::Command;
use std::rc::Rc;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Map, Value};
use tempfile::TempDir;
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;
use utfhdl_sim::tool::Cache;
use utfhdl_sim::verilator::{Effort, Verilator};

#[path = "../../examples/json_strings/run.rs"]
mod run;
#[path = "../../examples/json_strings/strings.rs"]
mod strings;

use crate::common::examples::{assert_is_written, assert_shows_code_of, commands, program};
use run::{Found, Marked, Stall};
use strings::{design, mark};

const NAME: &str = "json_strings";

fn native() -> Native {
    Native::new(&design().expect("the core exists")).expect("room for the design")
}

/// Runs texts, each a frame, with stalls on both sides.
fn marked(engine: &mut dyn Engine, texts: &[&[u8]], seed: u64) -> Vec<Found> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let stall = || Stall { source: random.random_ratio(1, 4), sink: random.random_ratio(1, 3) };
    run::run(engine, texts, stall).expect("it runs")
}

/// A text written by serde_json, and the octets of it that belong to string literals.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    marks: Vec<u64>,
    is_in_string: bool,
}

/// Writes JSON as serde_json does, and remembers where its strings begin and end.
#[derive(Clone, Default)]
struct Recorder(Rc<RefCell<Written>>);

impl Write for Recorder {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut written = self.0.borrow_mut();
        let marks = if written.is_in_string { mark::IN_STRING } else { 0 };
        written.text.extend(octets);
        written.marks.extend(octets.iter().map(|_| marks));
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Formatter for Recorder {
    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.borrow_mut().is_in_string = true;
        writer.write_all(b"\"")
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\"")?;
        let mut written = self.0.borrow_mut();
        *written.marks.last_mut().expect("the quote") |= mark::CLOSES;
        written.is_in_string = false;
        Ok(())
    }
}

/// A text of serde_json with the marks of its code points.
fn written(value: &Value) -> (Vec<u8>, Vec<Marked>) {
    let recorder = Recorder::default();
    value
        .serialize(&mut Serializer::with_formatter(recorder.clone(), recorder.clone()))
        .expect("it is written");
    let Written { text, marks, .. } = recorder.0.take();
    let characters = std::str::from_utf8(&text).expect("well-formed").char_indices();
    let marked = characters.map(|(at, character)| {
        // The marks of a character of several octets are alike.
        Marked { code_point: u32::from(character), marks: marks[at] }
    });
    let marked = marked.collect();
    (text, marked)
}

/// Characters that serde_json escapes, and characters of all lengths.
const CHARACTERS: [char; 14] =
    ['"', '\\', '\\', '\n', '\u{1}', '/', 'a', '{', ' ', '\u{7f}', 'é', '€', '\u{ffff}', '😀'];

fn string(random: &mut ChaCha8Rng) -> String {
    let length = random.random_range(0..12);
    (0..length).map(|_| CHARACTERS[random.random_range(0..CHARACTERS.len())]).collect()
}

fn value(random: &mut ChaCha8Rng, depth: u32) -> Value {
    match random.random_range(0..if depth == 0 { 4 } else { 6 }) {
        0 => Value::Null,
        1 => Value::from(random.next_u32()),
        2 | 3 => Value::String(string(random)),
        4 => (0..random.random_range(0..5)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let members = random.random_range(0..4);
            let members = (0..members).map(|_| (string(random), value(random, depth - 1)));
            Value::Object(members.collect::<Map<_, _>>())
        }
    }
}

/// Texts of serde_json are marked as serde_json wrote them, one frame after the other: no state of one text is left in the next.
fn marks_are_those_of_serde_json(engine: &mut dyn Engine, count: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let (texts, expected): (Vec<_>, Vec<_>) = (0..count).map(|_| written(&value(&mut random, 3))).unzip();
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    for ((text, found), expected) in texts.iter().zip(marked(engine, &texts, 9)).zip(expected) {
        let text = String::from_utf8_lossy(text);
        assert_eq!(found, Found { code_points: expected, is_open: false }, "{text}");
    }
}

#[test]
fn marks_in_the_native_engine_are_those_of_serde_json() {
    marks_are_those_of_serde_json(&mut native(), 400);
}

/// A literal as the marks tell it: it begins at once, ends at the last code point and not before, and has no control character.
fn is_one_literal(found: &Found) -> bool {
    let closes = found.code_points.iter().position(|marked| marked.marks & mark::CLOSES != 0);
    let has = |bit: u64| found.code_points.iter().any(|marked| marked.marks & bit != 0);
    let begins = found.code_points.first().is_some_and(|marked| marked.marks & mark::IN_STRING != 0);
    begins
        && closes.is_some_and(|at| at + 1 == found.code_points.len())
        && !has(mark::CONTROL)
        && !found.is_open
}

/// The marks and serde_json agree on which literals are legal.
#[test]
fn literals_are_refused_where_serde_json_refuses_them() {
    let pieces =
        ["a", "é", "😀", "\\\"", "\\\\", "\\n", "\\u0041", "\u{7f}", "bcdefgh", "\"", "\u{1f}", "\n"];
    let mut random = ChaCha8Rng::seed_from_u64(10);
    let texts: Vec<String> = (0..3000)
        .map(|_| {
            // Illegal pieces are at the end of the list, and rare.
            let most = if random.random_ratio(1, 3) { pieces.len() } else { 9 };
            let body: String =
                (0..random.random_range(0..10)).map(|_| pieces[random.random_range(0..most)]).collect();
            let end = if random.random_ratio(1, 8) { "" } else { "\"" };
            format!("\"{body}{end}")
        })
        .collect();
    let octets: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let mut accepted = 0;
    for (text, found) in texts.iter().zip(marked(&mut native(), &octets, 11)) {
        let expected = serde_json::from_str::<String>(text).is_ok();
        assert_eq!(is_one_literal(&found), expected, "{text:?}: {found:?}");
        accepted += usize::from(expected);
    }
    assert!((500..2500).contains(&accepted), "{accepted} of 3000 are literals");
}

/// Every state before each lane, with each kind of code point in it: a quote, a backslash or another.
#[test]
fn every_lane_sees_every_state() {
    let mut texts = Vec::new();
    for before in ["", "\"", "\"\\"] {
        for lane in 0..16 {
            for character in ["\"", "\\", "x", "\u{2}"] {
                texts.push(format!("{}{before}{character}\"  \"", " ".repeat(lane)));
            }
        }
    }
    let octets: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    for (text, found) in texts.iter().zip(marked(&mut native(), &octets, 12)) {
        // The rules of RFC 8259, section 7, character by character.
        let (mut within, mut escaped) = (false, false);
        for (character, marked) in text.chars().zip(&found.code_points) {
            let quotes = character == '"' && !escaped;
            let expected = (u64::from(within || quotes) * mark::IN_STRING)
                | (u64::from(within && quotes) * mark::CLOSES)
                | (u64::from(within && character < ' ') * mark::CONTROL);
            assert_eq!(*marked, Marked { code_point: u32::from(character), marks: expected }, "{text:?}");
            escaped = within && character == '\\' && !escaped;
            within ^= quotes;
        }
        assert_eq!((found.code_points.len(), found.is_open), (text.chars().count(), within), "{text:?}");
    }
}

/// Ill-formed octets are U+FFFD, as in the standard library, and are ordinary characters to the block.
#[test]
fn ill_formed_text_is_marked() {
    let texts: [&[u8]; 4] = [b"\"\xff\"", b"\xe2\x82\"\\\xf0\x9f\" \xed\xa0\x80", b"", b"\xc0\""];
    for (text, found) in texts.iter().zip(marked(&mut native(), &texts, 13)) {
        let lossy = String::from_utf8_lossy(text);
        let expected: Vec<(u32, bool)> = lossy.chars().map(|c| (u32::from(c), c == '\u{fffd}')).collect();
        let marks = found.code_points.iter();
        let found: Vec<(u32, bool)> =
            marks.map(|m| (m.code_point, m.marks & mark::ILL_FORMED != 0)).collect();
        assert_eq!(found, expected, "{lossy}");
    }
    let [first, ..] = &marked(&mut native(), &texts, 14)[..] else { panic!("four texts") };
    assert!(first.code_points.iter().all(|marked| marked.marks & mark::IN_STRING != 0) && !first.is_open);
}

#[test]
fn the_code_in_the_readme_is_that_of_the_example() {
    assert_shows_code_of(NAME, "strings.rs");
}

/// The commands of README.md print what it shows.
#[test]
#[ignore = "runs the example: tools/test builds it and runs this"]
fn the_commands_in_the_readme_print_what_it_shows() {
    let folder = TempDir::new().unwrap();
    let run = |command: &str| {
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", command]).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code().expect("no signal"), text)
    };
    let cargo = "cargo run --quiet --example json_strings";
    let quoted = format!("'{}'", program(NAME).display());
    let commands = commands(NAME);
    assert!(commands.len() >= 4);
    for (command, shown) in commands {
        let code = command.split_once("# exit ").map_or(0, |(_, code)| code.parse().expect("a number"));
        let (found, text) = run(&command.replace(&format!("{cargo} --"), &quoted).replace(cargo, &quoted));
        assert_eq!((found, text.trim_end()), (code, shown.as_str()), "{command}");
    }
    let written = folder.path().join("target/json_strings/json_strings.v");
    assert_is_written(&written, &text("cargo run --example json_strings --"), NAME);
}

/// Input that cannot be read, or output that cannot be written, is an error; a reader that stops early is none.
#[test]
#[ignore = "runs the example: tools/test builds it and runs this"]
fn files_that_cannot_be_read_or_written_are_told() {
    let run = |script: &str| {
        let mut bash = Command::new("bash");
        let bash = bash.env("STRINGS", program(NAME)).args(["-c", &format!("set -o pipefail; {script}")]);
        let output = bash.output().unwrap();
        (output.status.code().expect("no signal"), String::from_utf8(output.stderr).unwrap())
    };
    for (script, message) in [
        ("\"$STRINGS\" /nowhere/text.json", "json_strings: cannot read /nowhere/text.json: "),
        ("echo '\"a\"' | \"$STRINGS\" >/dev/full", "json_strings: cannot write standard output: "),
        ("\"$STRINGS\" -o /dev/null", "json_strings: cannot write /dev/null/json_strings.v: "),
    ] {
        let (code, said) = run(script);
        assert!(code == 2 && said.starts_with(message), "{script}: {code} {said}");
    }
    assert_eq!(run("echo '\"a\"' | \"$STRINGS\" | true"), (0, String::new()));
}

/// The Verilog, as `command` writes it.
fn text(command: &str) -> String {
    let (command, version) = (command.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let header = Header { command, version, ..Header::default() };
    verilog(&design().expect("the core exists"), &header)
}

/// The emitted Verilog does the same, and no tool has anything to warn about.
#[test]
#[ignore = "needs Verilator, a C++ compiler and Icarus Verilog: tools/test installs them and runs this"]
fn the_verilog_does_the_same() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(format!("{}.v", strings::NAME));
    fs::write(&file, text("test")).unwrap();
    let tools: [(&str, &[&str]); 2] =
        [("verilator", &["--lint-only", "-Wall"]), ("iverilog", &["-g2001", "-Wall", "-o", "/dev/null"])];
    for (tool, arguments) in tools {
        let output = Command::new(tool).args(arguments).arg(&file).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success() && said.is_empty(), "{tool}: {}", String::from_utf8_lossy(&said));
    }
    let design = design().expect("the core exists");
    let mut engine =
        Verilator::new(&design, &text("test"), &Cache::of_user(), Effort::Quick).expect("it builds");
    marks_are_those_of_serde_json(&mut engine, 400);
}
