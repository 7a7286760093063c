//! examples/icebreaker: the output for the input on the serial line is the reference's, in the `native` engine and from the whole board
//! in Verilator; and the Makefile makes a bitstream.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_codec::{Codec, ErrorKind, Slot, System};
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_sim::Engine;
use utfhdl_sim::native::Native;

#[path = "../../examples/icebreaker/scrubber.rs"]
mod scrubber;
#[path = "../../examples/icebreaker/uart.rs"]
mod uart;

use crate::common::examples::{assert_is_written, assert_shows_code_of, blocks, folder, program};
use scrubber::{Settings, design};

const NAME: &str = "icebreaker";

/// Short enough to simulate many octets: the shortest bit that the command line allows but two, and short pauses.
const QUICK: Settings =
    Settings { clocks_per_bit: 12, idle_clocks: 600, light_clocks: 200, replacement: '?' as u32 };

/// The outputs of a cycle.
#[derive(Clone, Copy)]
struct Cycle {
    tx: bool,
    activity: bool,
    lost: bool,
    error_kind: u64,
}

/// Runs a design with `levels` on its serial line, after two cycles of reset.
fn run(settings: Settings, levels: &[bool]) -> Vec<Cycle> {
    let design = design(settings).expect("the cores exist");
    let mut engine = Native::new(&design).expect("room for the design");
    let layout = engine.layout().clone();
    let input = |name| layout.input(name).expect("an input");
    let mut inputs = vec![0; layout.input_words * (levels.len() + 2)];
    for (index, record) in inputs.chunks_exact_mut(layout.input_words).enumerate() {
        input("rst").set(record, u64::from(index < 2));
        input("rx").set(record, u64::from(index < 2 || levels[index - 2]));
    }
    let mut outputs = vec![0; layout.output_words * (levels.len() + 2)];
    engine.run(&inputs, &mut outputs).expect("it runs");
    let value = |name, record: &[u64]| layout.output(name).expect("an output").get(record);
    let cycle = |record: &[u64]| Cycle {
        tx: value("tx", record) == 1,
        activity: value("activity", record) == 1,
        lost: value("lost", record) == 1,
        error_kind: value("error_kind", record),
    };
    outputs.chunks_exact(layout.output_words).skip(2).map(cycle).collect()
}

/// The levels of a line that is idle for `cycles` cycles.
fn idle(cycles: u32) -> Vec<bool> {
    vec![true; cycles as usize]
}

/// The levels of a line that carries `octets` without gaps, in bits of `cycles_per_bit` cycles.
fn line(octets: &[u8], cycles_per_bit: f64) -> Vec<bool> {
    let mut levels = Vec::new();
    let mut end = 0.0;
    for octet in octets {
        let bits = 1 << 9 | u32::from(*octet) << 1;
        for bit in 0..10 {
            end += cycles_per_bit;
            levels.resize(end as usize, bits >> bit & 1 == 1);
        }
    }
    levels
}

/// The octets that a receiver with bits of `cycles_per_bit` cycles reads off a line.
fn octets(cycles: &[Cycle], cycles_per_bit: u32) -> Vec<u8> {
    let mut found = Vec::new();
    let mut at = 0;
    let bit = cycles_per_bit as usize;
    while let Some(start) = cycles[at..].iter().position(|cycle| !cycle.tx) {
        let middle = |number: usize| cycles[at + start + bit / 2 + number * bit].tx;
        assert!(!middle(0) && middle(9), "start and stop bit in cycle {}", at + start);
        found.push((0..8).fold(0, |octet, number| octet | u8::from(middle(1 + number)) << number));
        at += start + bit / 2 + 9 * bit;
    }
    found
}

/// The slots of a text, by the software reference.
fn slots(text: &[u8]) -> Vec<Slot> {
    System::Utf8.decode(text).map(|event| event.what).collect()
}

/// The text with a replacement for each error, by the software reference.
fn scrubbed(text: &[u8], replacement: u32) -> Vec<u8> {
    let code_points = slots(text).into_iter().map(|slot| match slot {
        Slot::CodePoint(code_point) => code_point,
        Slot::Error(_) => replacement,
        Slot::Head(_) | Slot::Limb(_) => panic!("utf-8 has no {slot:?}"),
    });
    code_points
        .map(|code_point| char::from_u32(code_point).expect("a character"))
        .collect::<String>()
        .into_bytes()
}

/// The first and the last characters of each length.
const TEXT: &str = "\0\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{fffd}\u{ffff}\u{10000}\u{10ffff} Aé€😀\n";

/// An ill-formed text of each kind of error: those of the Unicode Standard's chapter 3, tables 3-9 to 3-11, and what no text has.
const ERRORS: [(&[u8], ErrorKind); 6] = [
    (b"\x80", ErrorKind::Unexpected),
    (b"\xf1\x80A", ErrorKind::Truncated),
    (b"\xc0", ErrorKind::Overlong),
    (b"\xed\xa0", ErrorKind::Surrogate),
    (b"\xf4\x91", ErrorKind::OutOfRange),
    (b"\xff", ErrorKind::Invalid),
];

/// A text of characters, errors and garbage.
fn mixed_text(random: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
    let characters: Vec<char> = TEXT.chars().collect();
    let mut text = Vec::new();
    while text.len() < length {
        match random.random_range(0..8) {
            0 => text.extend(ERRORS[random.random_range(0..ERRORS.len())].0),
            1 => text.push(random.next_u32() as u8),
            2 => {
                let character = characters[random.random_range(0..characters.len())].to_string();
                text.extend(&character.as_bytes()[..random.random_range(1..=character.len())]);
            }
            _ => text.extend(characters[random.random_range(0..characters.len())].to_string().bytes()),
        }
    }
    text
}

/// Expects of `text`, sent without a pause by a source that is faster by `percent`, that it comes out as the reference says.
fn passes(settings: Settings, text: &[u8], percent: f64) {
    let bit = settings.clocks_per_bit;
    let mut levels = idle(50);
    levels.extend(line(text, f64::from(bit) / (1.0 + percent / 100.0)));
    levels.extend(idle(settings.idle_clocks + 100 * bit));
    let cycles = run(settings, &levels);
    let (found, expected) = (octets(&cycles, bit), scrubbed(text, settings.replacement));
    if found != expected {
        let at = found.iter().zip(&expected).take_while(|(found, expected)| found == expected).count();
        panic!(
            "from octet {at} on: {:x?}, expected {:x?}",
            &found[at..found.len().min(at + 8)],
            &expected[at..expected.len().min(at + 8)]
        );
    }
    assert!(!cycles.iter().any(|cycle| cycle.lost), "no octet is lost");
    assert!(cycles.iter().any(|cycle| cycle.activity) && !cycles.last().expect("cycles").activity);
}

/// The reference agrees with the standard library.
#[test]
fn the_reference_finds_the_errors_that_the_standard_library_finds() {
    let text = mixed_text(&mut ChaCha8Rng::seed_from_u64(1), 10_000);
    assert_eq!(scrubbed(&text, 0xfffd), String::from_utf8_lossy(&text).as_bytes());
}

#[test]
fn text_and_errors_pass_back_to_back() {
    passes(QUICK, TEXT.as_bytes(), 0.0);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    passes(QUICK, &mixed_text(&mut random, 4000), 0.0);
    let garbage: Vec<u8> = (0..4000).map(|_| random.next_u32() as u8).collect();
    passes(QUICK, &garbage, 0.0);
}

/// The settings of the board, with its pauses.
#[test]
fn text_passes_at_115200_bits_a_second() {
    let settings = Settings::for_rate(115_200).expect("a rate");
    assert_eq!(settings.clocks_per_bit, 104);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut levels = line(&mixed_text(&mut random, 300), 104.17);
    let text_length = levels.len();
    levels.extend(idle(settings.idle_clocks + 10_000));
    let cycles = run(settings, &levels);
    let text = mixed_text(&mut ChaCha8Rng::seed_from_u64(3), 300);
    assert_eq!(octets(&cycles, 104), scrubbed(&text, u32::from('?')));
    assert!(cycles[text_length + 5000].activity);
}

/// Characters of four octets put the most octets into the pipeline at once, and text without errors the most in all.
#[test]
fn a_source_that_is_a_little_faster_loses_nothing() {
    for text in ["😀".repeat(1500), "x".repeat(6000), "x😀é€".repeat(600)] {
        passes(QUICK, text.as_bytes(), 0.7);
        passes(QUICK, text.as_bytes(), -2.0);
    }
    let at_115200 = Settings { clocks_per_bit: 104, ..QUICK };
    passes(at_115200, "x😀é€".repeat(200).as_bytes(), 1.2);
}

/// A source that is faster than the transmitter, or a replacement of three octets for one: octets are lost, and the light says
/// so. The output is still well-formed.
#[test]
fn what_is_lost_is_told() {
    let bit = QUICK.clocks_per_bit;
    let flood = |settings: Settings, text: &[u8], percent: f64| {
        let mut levels = line(text, f64::from(bit) / (1.0 + percent / 100.0));
        levels.extend(idle(settings.idle_clocks + 1000 * bit));
        let cycles = run(settings, &levels);
        let text = String::from_utf8(octets(&cycles, bit)).expect("well-formed text");
        (text, cycles.last().expect("cycles").lost)
    };
    let fast = "x".repeat(3000);
    let (text, lost) = flood(QUICK, fast.as_bytes(), 3.0);
    assert!(lost && text.len() < fast.len(), "{} of {}", text.len(), fast.len());
    let (text, lost) = flood(Settings { replacement: 0xfffd, ..QUICK }, &[0xff; 300], 0.0);
    assert!(lost && text.chars().count() < 200 && text.chars().all(|c| c == '\u{fffd}'), "{text}");
    // A few errors fit: then the replacement can be the usual one.
    let (text, lost) = flood(Settings { replacement: 0xfffd, ..QUICK }, b"a\xffb", 0.0);
    assert_eq!((text.as_str(), lost), ("a\u{fffd}b", false));
}

#[test]
fn each_kind_of_error_has_its_light() {
    for (text, kind) in ERRORS {
        let text = [text, b"zzz"].concat();
        assert!(slots(&text).contains(&Slot::Error(kind)), "{kind:?}");
        let first = slots(&text).into_iter().find(|slot| matches!(slot, Slot::Error(_)));
        assert_eq!(first, Some(Slot::Error(kind)));
        let cycles = run(QUICK, &[line(&text, 12.0), idle(1000)].concat());
        let shown = cycles.iter().map(|cycle| cycle.error_kind).find(|kind| *kind > 0);
        assert_eq!(shown, Some(u64::from(kind.code())), "{kind:?}");
        assert_eq!(cycles.last().expect("cycles").error_kind, 0, "the light goes off");
    }
}

/// A sequence may be sent with pauses, but none as long as the one that ends a frame.
#[test]
fn a_long_pause_ends_a_sequence_and_a_short_one_does_not() {
    let euro = "€".as_bytes();
    for (pause, expected) in [(QUICK.idle_clocks - 200, "€."), (QUICK.idle_clocks + 200, "???.")] {
        let parts =
            [line(&euro[..1], 12.0), idle(pause), line(&euro[1..], 12.0), line(b".", 12.0), idle(1000)];
        let cycles = run(QUICK, &parts.concat());
        assert_eq!(String::from_utf8(octets(&cycles, 12)).unwrap(), expected, "a pause of {pause}");
    }
}

/// A character without stop bit, such as the break of a terminal, is no octet; and a disturbance shorter than half a bit is nothing.
#[test]
fn a_break_is_lost_and_a_spike_is_nothing() {
    let after = [idle(50), line(b"ok", 12.0), idle(1000)].concat();
    let cycles = run(QUICK, &[vec![false; 400], after.clone()].concat());
    assert_eq!((octets(&cycles, 12).as_slice(), cycles.last().expect("cycles").lost), (&b"ok"[..], true));
    let cycles = run(QUICK, &[vec![false; 5], after].concat());
    assert_eq!((octets(&cycles, 12).as_slice(), cycles.last().expect("cycles").lost), (&b"ok"[..], false));
}

#[test]
fn rates_that_the_clock_cannot_make_are_refused() {
    for rate in [1200, 9600, 115_200, 230_400, 500_000, 921_600, 1_000_000, 1_500_000] {
        let settings = Settings::for_rate(rate).unwrap();
        let real = f64::from(scrubber::CLOCK_HZ) / f64::from(settings.clocks_per_bit);
        assert!((real / f64::from(rate) - 1.0).abs() <= 0.005);
    }
    for rate in [0, 1199, 576_000, 1_250_000, 1_500_001, u32::MAX] {
        let message = Settings::for_rate(rate).unwrap_err();
        assert!(message.starts_with(&format!("{rate} bits a second: ")), "{message}");
    }
}

/// The path of a file that the Makefile makes.
fn target(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/icebreaker/115200").join(file)
}

/// Runs make in the folder of the example; returns its output.
fn make(arguments: &[&str]) -> String {
    let generate = format!("GENERATE={}", program(NAME).display());
    let mut make = Command::new("make");
    let output =
        make.current_dir(folder(NAME)).arg(generate).args(arguments).output().expect("make is installed");
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "make {}:\n{text}", arguments.join(" "));
    let header = Header {
        command: "cargo run --example icebreaker -- --baud 115200".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        facts: vec![("Bit".to_owned(), "104 cycles".to_owned())],
        ..Header::default()
    };
    let design = design(Settings::for_rate(115_200).expect("a rate")).expect("the cores exist");
    assert_is_written(&target("scrubber.v"), &verilog(&design, &header), NAME);
    text
}

/// The number after `label` in a text.
fn number(text: &str, label: &str) -> f64 {
    let (_, rest) = text.split_once(label).unwrap_or_else(|| panic!("no {label} in:\n{text}"));
    rest.split_whitespace().next().expect("a word").parse().expect("a number")
}

/// From the Rust of the example to a bitstream that meets its timing; README.md has its figures.
#[test]
#[ignore = "needs Yosys, nextpnr-ice40, icepack, Verilator and a C++ compiler: tools/test installs them and runs this"]
fn the_makefile_makes_a_bitstream() {
    make(&["all"]);
    let figures = make(&["--silent", "figures"]);
    let length = fs::metadata(target("board.bin")).expect("a bitstream").len();
    assert_eq!(length, 104_090, "bytes of a bitstream for the UP5K");
    let readme = fs::read_to_string(folder(NAME).join("README.md")).unwrap();
    for (label, tolerance) in [("logic cells: ", 0.03), ("clock: ", 0.15)] {
        let (found, said) = (number(&figures, label), number(&readme, label));
        assert!((found / said - 1.0).abs() < tolerance, "README.md says {label}{said}, and it is {found}");
    }
    assert!(number(&figures, "clock: ") > 12.0);
    // Nothing is built a second time.
    let again = make(&["all"]);
    assert!(!again.contains("yosys") && !again.contains("nextpnr"), "{again}");

    // The placed cells do the same as the text, from their power-on state.
    make(&["sim-cells"]);
    let text = mixed_text(&mut ChaCha8Rng::seed_from_u64(5), 1000);
    let (out, lights) = through("board-sim-cells", &text, "0");
    assert_eq!(out, scrubbed(&text, u32::from('?')));
    assert!(lights.ends_with("lights: green 1, red 0, kinds of errors 1 2 3 4 5 6\n"), "{lights}");
}

/// Passes a text through a program of the simulated board; returns the output, and the state of the lights.
fn through(program: &str, text: &[u8], percent: &str) -> (Vec<u8>, String) {
    let mut child = Command::new(target(program))
        .args(["--percent", percent])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("make has built it");
    child.stdin.take().expect("a pipe").write_all(text).expect("it reads all first");
    let output = child.wait_with_output().expect("it ends");
    let lights = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{lights}");
    (output.stdout, lights)
}

/// The whole board, in Verilator: its power-on reset, its pins and its rate.
#[test]
#[ignore = "needs Verilator and a C++ compiler: tools/test installs them and runs this"]
fn text_passes_through_the_simulated_board() {
    make(&["sim"]);
    let (out, lights) = through("board-sim", TEXT.as_bytes(), "0");
    assert_eq!(String::from_utf8(out).unwrap(), TEXT);
    assert!(lights.ends_with("lights: green 1, red 0, kinds of errors\n"), "{lights}");

    let mut random = ChaCha8Rng::seed_from_u64(4);
    for percent in ["0", "1.1", "-2"] {
        let mut text = mixed_text(&mut random, 6000);
        // The last sequence is cut short by the end of the text.
        text.extend(b"\xf0\x9f");
        let (out, lights) = through("board-sim", &text, percent);
        assert_eq!(out, scrubbed(&text, u32::from('?')), "{percent} %");
        assert!(lights.ends_with("lights: green 1, red 0, kinds of errors 1 2 3 4 5 6\n"), "{lights}");
    }

    let (out, lights) = through("board-sim", b"h\xc3\xa9 \xff \xe2\x82A \xed\xa0\x80\n", "0");
    let shown = format!("{}{}", String::from_utf8(out).unwrap(), lights.trim());
    assert!(blocks(NAME, "text").contains(&shown), "README.md does not show this:\n{shown}");

    let (out, lights) = through("board-sim", &[b'x'; 8000], "3");
    assert!(out.len() < 8000 && lights.contains("red 1"), "{lights}");
}

#[test]
fn the_code_in_the_readme_is_that_of_the_example() {
    assert_shows_code_of(NAME, "scrubber.rs");
}

/// The generator's messages on illegal arguments and folders.
#[test]
#[ignore = "runs the example: tools/test builds it and runs this"]
fn the_generator_tells_what_is_wrong() {
    let generate = |arguments: &[&str]| {
        let output =
            Command::new(program(NAME)).current_dir(folder(NAME)).args(arguments).output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, message) = generate(&["-o", "README.md"]);
    assert_eq!(code, Some(2));
    assert!(message.starts_with("icebreaker: cannot write README.md/scrubber.v: "), "{message}");
    let (code, message) = generate(&["-o", "never", "--baud", "1250000"]);
    assert_eq!(code, Some(2));
    assert_eq!(
        message,
        "icebreaker: --baud: 1250000 bits a second: a clock of 12 MHz comes to 1200000 at the nearest, which is off by more \
         than 0.5 %\n"
    );
    assert!(!folder(NAME).join("never").exists());
}
