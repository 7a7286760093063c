//! Comparison with other people's software on the same octets: Python's codecs, ICU's converter and encoding_rs.
//!
//! If their results differ, the documents decide: docs/encodings.md lists these cases, and the inputs here avoid them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use utfhdl_codec::{Codec, OnError, Slot, System};

/// Decodes, or encodes, a line each: the codec, how it handles errors, and octets or code points.
const PYTHON: &str = r#"
import sys
for line in sys.stdin:
    name, errors, what, data = line.rstrip("\n").split(":")
    if what == "decode":
        print(" ".join(f"{ord(c):X}" for c in bytes.fromhex(data).decode(name, errors)))
    else:
        print("".join(chr(int(p, 16)) for p in data.split()).encode(name, errors).hex(" ").upper())
"#;

fn system(name: &str) -> System {
    name.parse().unwrap()
}

/// The output of a program for this input.
fn printed(program: &str, args: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot run {program}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{program} {args:?} failed");
    output.stdout
}

fn words(numbers: impl IntoIterator<Item = u32>) -> String {
    let words: Vec<String> = numbers.into_iter().map(|number| format!("{number:X}")).collect();
    words.join(" ")
}

/// The code points of a stream, with U+FFFD for each error.
fn replaced(system: System, octets: &[u8]) -> Vec<u32> {
    let replaced = system.decode(octets).map(|event| match event.what {
        Slot::CodePoint(code_point) => code_point,
        _ => 0xFFFD,
    });
    replaced.collect()
}

/// Octets in the order of UTF-16 or UTF-32 that are mostly text, with surrogates and any octets in between.
fn octets(random: &mut ChaCha8Rng, width: usize, big: bool) -> Vec<u8> {
    let mut octets = Vec::new();
    for _ in 0..random.random_range(0..12) {
        let unit: u32 = match random.random_range(0..8) {
            0..=2 => random.random_range(0..0xD800),
            3..=4 => random.random_range(0xD800..0xDC00),
            5 => random.random_range(0xDC00..0xE000),
            6 => random.random_range(0..0x11_0100),
            _ => random.random(),
        };
        let bytes = unit.to_le_bytes();
        let mut bytes = bytes[..width].to_vec();
        if big {
            bytes.reverse();
        }
        octets.extend(bytes);
    }
    octets
}

/// Whether a stream of UTF-16 ends in a high surrogate followed by one octet. Python and the Encoding Standard make one
/// error of both.
fn ends_in_both(octets: &[u8], big: bool) -> bool {
    let (pairs, rest) = octets.as_chunks::<2>();
    let read = if big { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = pairs.iter().map(|&pair| read(pair));
    let last = char::decode_utf16(units).last();
    matches!(last, Some(Err(unpaired)) if unpaired.unpaired_surrogate() < 0xDC00) && !rest.is_empty()
}

#[test]
#[ignore = "runs Python"]
fn python_decodes_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut cases = Vec::new();
    for _ in 0..4000 {
        for (name, codec, width, big, mark) in [
            ("utf-16be", "utf-16-be", 2, true, &[][..]),
            ("utf-16le", "utf-16-le", 2, false, &[]),
            ("utf-16be,bom=on", "utf-16", 2, true, &[0xFE, 0xFF]),
            ("utf-16be,bom=on", "utf-16", 2, false, &[0xFF, 0xFE]),
            ("utf-32be", "utf-32-be", 4, true, &[]),
            ("utf-32le", "utf-32-le", 4, false, &[]),
            ("utf-32le,bom=on", "utf-32", 4, true, &[0, 0, 0xFE, 0xFF]),
            ("utf-32le,bom=on", "utf-32", 4, false, &[0xFF, 0xFE, 0, 0]),
            ("latin-1", "latin-1", 2, true, &[]),
            ("ascii", "ascii", 2, true, &[]),
            ("utf-8,bom=strip", "utf-8-sig", 2, true, &[0xEF, 0xBB, 0xBF]),
            ("utf-8,bom=add", "utf-8-sig", 2, true, &[]),
        ] {
            let mut body = octets(&mut random, width, big);
            body.truncate(body.len() - random.random_range(0..=body.len().min(3)));
            if codec.starts_with("utf-16") && ends_in_both(&body, big) {
                continue;
            }
            cases.push((system(name), codec, [mark, &body].concat()));
        }
    }
    let mut input = String::new();
    for (_, codec, octets) in &cases {
        let hex: String = octets.iter().map(|octet| format!("{octet:02X}")).collect();
        writeln!(input, "{codec}:replace:decode:{hex}").unwrap();
    }
    let theirs = String::from_utf8(printed("python3", &["-c", PYTHON], input.as_bytes())).unwrap();
    assert_eq!(theirs.lines().count(), cases.len());
    for ((system, codec, octets), theirs) in cases.iter().zip(theirs.lines()) {
        assert_eq!(words(replaced(*system, octets)), theirs, "{system} and {codec}: {octets:02X?}");
    }
}

/// A text that `system` has, with code points of all lengths.
fn text(random: &mut ChaCha8Rng, system: System) -> Vec<Slot> {
    let mut text = Vec::new();
    for _ in 0..random.random_range(0..12) {
        let point = Slot::CodePoint(random.random::<u32>() >> random.random_range(11..32));
        text.push(point);
        if system.encode::<_, u8>(&text, OnError::Strict).is_err() {
            text.pop();
        }
    }
    text
}

fn code_point(slot: &Slot) -> u32 {
    let Slot::CodePoint(code_point) = *slot else { panic!("{slot:?}") };
    code_point
}

#[test]
#[ignore = "runs Python"]
fn python_encodes_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let codecs = [
        ("utf-16be", "utf-16-be", "strict"),
        ("utf-16le", "utf-16-le", "strict"),
        ("utf-32be", "utf-32-be", "strict"),
        ("utf-32le", "utf-32-le", "strict"),
        ("latin-1", "latin-1", "strict"),
        ("ascii", "ascii", "strict"),
        ("utf-8,bom=add", "utf-8-sig", "strict"),
        ("wtf-8", "utf-8", "surrogatepass"),
    ];
    let cases = (0..4000).flat_map(|_| codecs);
    let cases: Vec<_> = cases.map(|case| (case, text(&mut random, system(case.0)))).collect();
    let mut input = String::new();
    for ((_, codec, errors), text) in &cases {
        writeln!(input, "{codec}:{errors}:encode:{}", words(text.iter().map(code_point))).unwrap();
    }
    let theirs = String::from_utf8(printed("python3", &["-c", PYTHON], input.as_bytes())).unwrap();
    assert_eq!(theirs.lines().count(), cases.len());
    for (((name, ..), text), theirs) in cases.iter().zip(theirs.lines()) {
        let octets: Vec<u8> = system(name).encode(text, OnError::Strict).unwrap();
        let ours: Vec<String> = octets.iter().map(|octet| format!("{octet:02X}")).collect();
        assert_eq!(ours.join(" "), theirs, "{name}: {text:X?}");
        let again: Vec<Slot> = system(name).decode(&octets).map(Slot::from).collect();
        assert_eq!(&again, text, "{name}");
    }
}

#[test]
#[ignore = "runs uconv of ICU"]
fn icu_converts_cesu_8_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let text: Vec<Slot> = (0..4000).flat_map(|_| text(&mut random, System::Cesu8)).collect();
    let cesu_8: Vec<u8> = System::Cesu8.encode(&text, OnError::Strict).unwrap();
    let utf_32: Vec<u8> = system("utf-32be").encode(&text, OnError::Strict).unwrap();
    assert_eq!(printed("uconv", &["-f", "UTF-32BE", "-t", "CESU-8"], &utf_32), cesu_8);
    assert_eq!(printed("uconv", &["-f", "CESU-8", "-t", "UTF-32BE"], &cesu_8), utf_32);
}

#[test]
fn encoding_rs_reads_utf_16_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (name, theirs, big) in
        [("utf-16be", encoding_rs::UTF_16BE, true), ("utf-16le", encoding_rs::UTF_16LE, false)]
    {
        for _ in 0..20_000 {
            let mut octets = octets(&mut random, 2, big);
            octets.truncate(octets.len() - random.random_range(0..=octets.len().min(1)));
            if ends_in_both(&octets, big) {
                continue;
            }
            let (text, _) = theirs.decode_without_bom_handling(&octets);
            let ours: Vec<char> = replaced(system(name), &octets)
                .into_iter()
                .map(|point| char::from_u32(point).unwrap())
                .collect();
            assert_eq!(ours, text.chars().collect::<Vec<char>>(), "{name}: {octets:02X?}");
        }
    }
}
