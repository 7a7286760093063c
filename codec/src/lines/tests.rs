use std::io::BufReader;

use num_bigint::BigUint;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::{Codec, ErrorKind, Event, OnError, Slot, System, Whole};

fn read(text: &[u8], buffer: usize) -> Result<Vec<(u64, Whole)>, String> {
    let mut reader = LineReader::new(BufReader::with_capacity(buffer, text));
    let mut found = Vec::new();
    while let Some(whole) = reader.read().map_err(|error| error.to_string())? {
        found.push((reader.number(), whole));
    }
    Ok(found)
}

#[test]
fn a_line_is_a_code_point_in_hexadecimal_or_what_decode_prints() {
    let long = Whole::Long(BigUint::from(0x12_3456_789A_u64));
    let cases = [
        ("20AC", Whole::CodePoint(0x20AC)),
        ("u+20ac", Whole::CodePoint(0x20AC)),
        ("U+FFFFFFFF", Whole::CodePoint(0xFFFF_FFFF)),
        ("000000000041", Whole::CodePoint(0x41)),
        ("123456789A", long.clone()),
        ("0\t3\tU+20AC", Whole::CodePoint(0x20AC)),
        ("17\t1\tout-of-range", Whole::Error(ErrorKind::OutOfRange)),
        ("nul", Whole::Error(ErrorKind::Nul)),
        ("0\t900\t18446744073709551615 digits", Whole::TooLong { digits: u64::MAX }),
        (r#"{"offset":0,"length":4,"cp":"1F600"}"#, Whole::CodePoint(0x1F600)),
        (r#"{"cp":"123456789A"}"#, long),
        (r#" { "error" : "overlong" , "length" : 1 } "#, Whole::Error(ErrorKind::Overlong)),
        (r#"{"digits":2000000,"cp":null}"#, Whole::TooLong { digits: 2_000_000 }),
        (r#"{"\u0063p":"\u0032\u0030ac"}"#, Whole::CodePoint(0x20AC)),
    ];
    for (line, expected) in cases {
        assert_eq!(whole(line.trim()), Some(expected.clone()), "{line}");
        assert_eq!(read(line.as_bytes(), 64), Ok(vec![(1, expected)]), "{line}");
    }
}

#[test]
fn blank_lines_and_comments_are_passed_over_and_counted() {
    let text = b"# two code points\n\n41\r\n \t \n  # caf\xE9\n42\n\n";
    let expected = vec![(3, Whole::CodePoint(0x41)), (6, Whole::CodePoint(0x42))];
    for buffer in 1..text.len() {
        assert_eq!(read(text, buffer), Ok(expected.clone()), "{buffer} bytes at a time");
    }
}

#[test]
fn the_last_line_need_not_end() {
    for text in [&b"41\n42"[..], b"41\n42\n", b"41\n42\n#", b"41\n42\n\n"] {
        for buffer in 1..8 {
            let found = read(text, buffer).unwrap();
            assert_eq!(found, [(1, Whole::CodePoint(0x41)), (2, Whole::CodePoint(0x42))], "{text:?}");
        }
    }
    assert_eq!(read(b"", 8), Ok(vec![]));
}

#[test]
fn errors_quote_the_start_of_the_line() {
    let message = |text: &[u8]| read(text, 16).unwrap_err();
    let rest = " is neither a code point in hexadecimal, such as 20AC or U+20AC, nor a line that `utfhdl decode` prints";
    assert_eq!(message(b"41\n\n 0x42 \n"), format!("line 3: \"0x42\"{rest}"));
    assert_eq!(message(b"A\xFF"), format!("line 1: \"A\u{FFFD}\"{rest}"));
    assert_eq!(message(&[b'x'; 50]), format!("line 1: {:?}{rest}", "x".repeat(40)));
    let endless = read(&vec![b'0'; LONGEST_LINE], 1 << 16).unwrap_err();
    assert_eq!(endless, "line 1: longer than 16777216 bytes, which no code point needs");
    let longest = [&vec![b'0'; LONGEST_LINE - 1][..], b"\n"].concat();
    assert_eq!(read(&longest, 1 << 16), Ok(vec![(1, Whole::CodePoint(0))]));
}

#[test]
fn callers_can_read_words_of_their_own() {
    let mut reader = LineReader::new(&b"# words\none\n\ntwo\n\xFF\n"[..]);
    let mut word = || reader.read_as(|line| Some(line.to_owned()).filter(|line| line != "three"));
    assert_eq!(word().unwrap().as_deref(), Some("one"));
    assert_eq!(word().unwrap().as_deref(), Some("two"));
    assert!(word().is_err(), "not UTF-8");
}

/// The line of an event by the formatter of the standard library.
fn formatted(format: LineFormat, offset: u64, length: u64, what: &Whole) -> String {
    match (format, what) {
        (LineFormat::Text, Whole::CodePoint(code_point)) => format!("{offset}\t{length}\tU+{code_point:X}\n"),
        (LineFormat::Text, Whole::Long(value)) => format!("{offset}\t{length}\tU+{value:X}\n"),
        (LineFormat::Text, Whole::TooLong { digits }) => format!("{offset}\t{length}\t{digits} digits\n"),
        (LineFormat::Text, Whole::Error(kind)) => format!("{offset}\t{length}\t{kind}\n"),
        (LineFormat::Json, what) => {
            let what = match what {
                Whole::CodePoint(code_point) => format!(r#""cp":"{code_point:X}""#),
                Whole::Long(value) => format!(r#""cp":"{value:X}""#),
                Whole::TooLong { digits } => format!(r#""digits":{digits}"#),
                Whole::Error(kind) => format!(r#""error":"{kind}""#),
            };
            format!("{{\"offset\":{offset},\"length\":{length},{what}}}\n")
        }
    }
}

fn written(format: LineFormat, most_digits: u64, events: &[Event]) -> (String, u64) {
    let mut file = Vec::new();
    let mut writer = LineWriter::new(&mut file, format, most_digits);
    events.iter().for_each(|&event| writer.event(event).unwrap());
    let errors = writer.errors();
    writer.flush().unwrap();
    (String::from_utf8(file).unwrap(), errors)
}

#[test]
fn lines_are_written_as_the_standard_library_formats_them() {
    let code_points =
        (0..32).flat_map(|bit| [1_u32 << bit, (1 << bit) - 1, 0x9E37_79B9 >> bit]).chain([u32::MAX]);
    let slots = code_points.map(Slot::CodePoint).chain(ErrorKind::ALL.map(Slot::Error));
    let mut offset = 0;
    let mut events = Vec::new();
    for (index, what) in slots.cycle().take(20_000).enumerate() {
        let length =
            if index % 1000 == 999 { u64::MAX / 100_000 + index as u64 } else { 1 + index as u64 % 14 };
        events.push(Event { offset, length, what });
        offset += length;
    }
    for format in [LineFormat::Text, LineFormat::Json] {
        let line = |event: &Event| {
            let what = match event.what {
                Slot::CodePoint(code_point) => Whole::CodePoint(code_point),
                Slot::Error(kind) => Whole::Error(kind),
                other => panic!("{other:?}"),
            };
            formatted(format, event.offset, event.length, &what)
        };
        let expected: String = events.iter().map(line).collect();
        let (text, errors) = written(format, 100, &events);
        assert!(text == expected);
        let is_error = |event: &&Event| matches!(event.what, Slot::Error(_));
        assert_eq!(errors, events.iter().filter(is_error).count() as u64);
    }
}

#[test]
fn long_code_points_are_written_whole_or_as_their_number_of_digits() {
    let system = System::UtfInf8 { digits: 300 };
    let value = (BigUint::from(0xABC_u32) << 1000_usize) + 1_u32;
    let point = Whole::Long(value);
    let units: Vec<u8> =
        system.encode(&[vec![Slot::CodePoint(0x41)], point.slots()].concat(), OnError::Strict).unwrap();
    let events: Vec<Event> = system.decode(&units).collect();
    let length = units.len() as u64 - 1;
    for format in [LineFormat::Text, LineFormat::Json] {
        let first = formatted(format, 0, 1, &Whole::CodePoint(0x41));
        let expected = first.clone() + &formatted(format, 1, length, &point);
        assert_eq!(written(format, 253, &events), (expected, 0));
        let expected = first + &formatted(format, 1, length, &Whole::TooLong { digits: 253 });
        assert_eq!(written(format, 252, &events), (expected, 0));
    }
}

#[test]
fn slots_without_a_place_have_lines_without_one() {
    let slots = [Slot::CodePoint(0x20AC), Slot::Error(ErrorKind::OutOfRange)];
    let lines = [
        (LineFormat::Text, "U+20AC\nout-of-range\n"),
        (LineFormat::Json, "{\"cp\":\"20AC\"}\n{\"error\":\"out-of-range\"}\n"),
    ];
    for (format, expected) in lines {
        let mut file = Vec::new();
        let mut writer = LineWriter::new(&mut file, format, 8);
        slots.into_iter().for_each(|slot| writer.slot(slot).unwrap());
        assert!(matches!(writer.slot(Slot::Limb(1)), Err(WriteError::Group(_))));
        writer.flush().unwrap();
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }
}

/// The object as another JSON reader takes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonLine {
    #[serde(rename = "offset")]
    _offset: Option<u64>,
    #[serde(rename = "length")]
    _length: Option<u64>,
    cp: Option<String>,
    error: Option<String>,
    digits: Option<u64>,
}

fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The result that [`whole`] should give for a line of JSON, by serde_json. Code points have at
/// most eight digits.
fn by_serde_json(line: &str) -> Option<Whole> {
    let line: JsonLine = serde_json::from_str(line).ok()?;
    match (line.cp, line.error, line.digits) {
        (Some(cp), None, None) => {
            let digits = cp.trim_start_matches("U+");
            u32::from_str_radix(Some(digits).filter(|digits| is_hexadecimal(digits))?, 16)
                .ok()
                .map(Whole::CodePoint)
        }
        (None, Some(name), None) => name.parse().ok().map(Whole::Error),
        (None, None, Some(digits)) => Some(Whole::TooLong { digits }),
        _ => None,
    }
}

/// Objects that are nearly of the right form.
fn near_object() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        r#""offset""#,
        r#""length""#,
        r#""cp""#,
        r#""error""#,
        r#""digits""#,
        r#""more""#,
        r#""\u0063p""#,
        r#"cp"#,
    ]);
    let value = prop::sample::select(vec![
        "0",
        "7",
        "01",
        "-1",
        "-0",
        "1.0",
        "1e3",
        "18446744073709551615",
        "18446744073709551616",
        "null",
        "nul",
        "nulll",
        "true",
        "{}",
        "[1]",
        r#""""#,
        r#""20AC""#,
        r#""20ac""#,
        r#""g""#,
        r#""overlong""#,
        r#""nul""#,
        r#""\u0034\u0031""#,
        r#""\u00e9""#,
        r#""\u0""#,
        r#""\u+034""#,
        r#""4\n1""#,
        r#""4\/1""#,
        r#""41"#,
        "\"4\t1\"",
        "\"é\"",
    ]);
    let blank = prop::sample::select(vec!["", "", "", "", " ", "\t \r", "\u{B}"]);
    let field = (
        key,
        blank.clone(),
        prop::sample::select(vec![":", ":", ":", ":", ":", ":", ":", ""]),
        value,
        blank.clone(),
    );
    let fields = prop::collection::vec(field, 0..4);
    let comma = prop::sample::select(vec![",", ",", ",", ",", ",", ",,", ""]);
    let end = prop::sample::select(vec!["}", "}", "}", "}", "}", "", "},", "}}", "} x"]);
    (fields, comma, blank, end).prop_map(|(fields, comma, blank, end)| {
        let field = |(key, one, colon, value, two)| format!("{key}{one}{colon}{two}{value}{one}");
        let fields: Vec<String> = fields.into_iter().map(field).collect();
        format!("{{{blank}{}{end}", fields.join(comma))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn json_is_read_as_serde_json_reads_it(line in near_object()) {
        prop_assert_eq!(whole(&line), by_serde_json(&line), "{}", line);
    }
}
