//! `utfhdl explain` from the outside. What bits mean is typed in from the tables of the documents.

use assert_cmd::Command;

fn explain(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.arg("explain").args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The bits of each unit of some units.
fn bits(system: &str, units: &[&str]) -> Vec<String> {
    let (code, out, err) = explain(&[&[system], units, &["--json"]].concat(), b"");
    assert_eq!((code, err.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let sequences = value["sequences"].as_array().unwrap().iter();
    let bits = sequences.flat_map(|sequence| sequence["bits"].as_array().unwrap());
    bits.map(|bits| bits.as_str().unwrap().to_owned()).collect()
}

/// RFC 3629, §3: 0xxxxxxx; 110xxxxx 10xxxxxx; 1110xxxx ...; 11110xxx .... The Unicode Standard, table 3-5. RFC 4042, §3 and §4.
/// Barber, tables two, nine and ten. Draft Proposal for UTF-∞-8, §3.
#[test]
fn structure_is_that_of_the_documents() {
    assert_eq!(bits("utf-8", &["41"]), ["[0]1000001"]);
    assert_eq!(bits("utf-8", &["C3A9"]), ["[110]00011", "[10]101001"]);
    assert_eq!(bits("utf-8", &["E2", "82", "AC"]), ["[1110]0010", "[10]000010", "[10]101100"]);
    let four = ["[11110]000", "[10]011111", "[10]011000", "[10]000000"];
    assert_eq!(bits("utf-8", &["F09F9880"]), four);
    // At the edges of the forms, where no neighbour has the same length.
    assert_eq!(bits("utf-8", &["E0A080"]), ["[1110]0000", "[10]100000", "[10]000000"]);
    assert_eq!(bits("utf-8", &["F48FBFBF"]), ["[11110]100", "[10]001111", "[10]111111", "[10]111111"]);
    assert_eq!(bits("utf-16", &["D83DDE00"]), ["[110110]0000111101", "[110111]1000000000"]);
    let octets = ["00111101", "[110110]00", "00000000", "[110111]10"];
    assert_eq!(bits("utf-16le", &["3DD8", "00DE"]), octets);
    assert_eq!(bits("utf-9", &["403", "221"]), ["[1]00000011", "[0]10010001"]);
    assert_eq!(bits("utf-18", &["60", "433"]), ["000110000", "100011011"]);
    assert_eq!(bits("hunk-5", &["0x1D", "0x10", "0x11"]), ["[1110]1", "[10]000", "[10]001"]);
    assert_eq!(bits("utf-8-65bit", &["C8858C"]), ["[1100]1000", "[100]00101", "[100]01100"]);
    assert_eq!(bits("ascii", &["41"]), ["[0]1000001"]);
    assert_eq!(bits("latin-1", &["E9"]), ["11101001"]);
    assert_eq!(bits("mutf-8", &["C080"]), ["[110]00000", "[10]000000"]);
    // Nineteen digits: the header says one more than eighteen, and two digits of padding stand before the first (§3.5.7).
    let long = bits("utf-inf-8", &[&format!("FFA18081{}", "80".repeat(12))]);
    assert_eq!(long[..5], ["[11111111]", "[10100001]", "[10000000]", "[1000]0001", "[10]000000"]);
}

#[test]
fn a_character_is_shown_with_its_units_in_other_systems() {
    let (code, out, _) = explain(&["utf-8", "--text", "€"], b"");
    let start = "\
at 0: U+20AC €
  E2  [1110]0010  first of 3
  82  [10]000010  trailing
  AC  [10]101100  trailing

U+20AC € in other systems
";
    assert!(out.starts_with(start), "{out}");
    assert_eq!(code, 0);
    // From the examples of docs/encodings.md, which come from the documents.
    for line in ["c8 85 8c", "700 501 454", "e1 a0 8c", "ac 20", "20ac", "00 00 20 ac"] {
        let line = format!("  {} ", line.to_uppercase());
        assert!(out.lines().any(|found| found.starts_with(&line)), "{line:?} in {out}");
    }
    assert!(out.lines().last().unwrap().trim_start().starts_with("none "), "{out}");
    assert!(out.lines().last().unwrap().contains("latin-1, ascii"), "{out}");
}

#[test]
fn an_error_names_the_rule_and_its_section() {
    let (code, out, _) = explain(&["utf-8", "C0", "41", "ED", "A0"], b"");
    assert_eq!(code, 1);
    let expected = "\
at 0: error overlong
  C0  11000000
  the sequence is longer than the shortest one of its code point: RFC 3629, §3 and §4; The Unicode Standard, §3.9, table 3-7
at 1: U+0041 A
  41  [0]1000001
at 2: error surrogate
  ED  11101101
";
    assert!(out.starts_with(expected), "{out}");
    for (system, units, says) in [
        ("utf-9", "400 101", "RFC 4042, §3"),
        (
            "utf-16",
            "DC00",
            "a surrogate stands without the other one of its pair: The Unicode Standard, §3.9, D91",
        ),
        ("mutf-8", "00", "no octet is 00: The Java Virtual Machine Specification, §4.4.7"),
        ("corrected-utf-8", "FE", "the octets FE and FF are reserved: the Corrected UTF-8 proposal"),
        ("hunk-8", "C0", "Barber, Extending UTF-8 to eight bytes, §7"),
    ] {
        let units: Vec<&str> = units.split(' ').collect();
        let (code, out, _) = explain(&[&[system][..], &units].concat(), b"");
        assert!(code == 1 && out.contains(says), "{system}: {out}");
    }
}

#[test]
fn a_mark_is_named_and_every_unit_is_shown() {
    let (_, out, _) = explain(&["utf-8,bom=strip", "EFBBBF41"], b"");
    assert!(out.starts_with("at 0: a mark, which is no text\n  EF  11101111\n"), "{out}");
    assert!(out.contains("\nat 3: U+0041 A\n"), "{out}");
}

#[test]
fn standard_input_is_read_without_units() {
    let (code, out, _) = explain(&["utf-8"], b"\xE2\x82\xACA");
    assert!(code == 0 && out.contains("at 3: U+0041 A"), "{out}");
    assert_eq!(explain(&["utf-8"], b""), (0, String::new(), String::new()));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    assert!(!explain(&["utf-8", "41"], b"").1.contains('\x1b'));
    assert!(!explain(&["utf-8", "41", "--color", "never"], b"").1.contains('\x1b'));
    let (_, colored, _) = explain(&["utf-8", "41", "--color", "always"], b"");
    assert!(colored.contains("\x1b[1;36m[0]\x1b[0m\x1b[32m1000001\x1b[0m"), "{colored:?}");
}

#[test]
fn json_says_the_same() {
    let (_, out, _) = explain(&["utf-8", "C3A980", "--json"], b"");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let sequences = &value["sequences"];
    assert_eq!(sequences[0]["cp"], "E9");
    assert_eq!(sequences[0]["units"], serde_json::json!(["C3", "A9"]));
    assert_eq!((&sequences[1]["offset"], &sequences[1]["error"]), (&2.into(), &"unexpected".into()));
    assert_eq!(value["elsewhere"][0]["systems"]["utf-16be"], serde_json::json!(["00", "E9"]));
    assert!(value["elsewhere"][0]["systems"].get("ascii").is_none());
}

#[test]
fn what_cannot_be_explained_is_exit_2_and_one_line() {
    for (args, says) in [
        (
            &["utf-8", "E2X"][..],
            "`E2X` is no hexadecimal number: write units as hexadecimal digits, or with 0x, 0o or 0b in front",
        ),
        (&["utf-8", "E282A"], "`E282A` has 5 digits: units of 8 bits have 2 each"),
        (&["utf-8", "0b100000000"], "`0b100000000` does not fit: a unit of utf-8 has 8 bits"),
        (&["utf-9", "1000"], "`1000` does not fit: a unit of utf-9 has 9 bits"),
        (&["utf-9", "8"], "`8` is no octal number"),
        (&["utf-8", "0x"], "`0x` is no hexadecimal number"),
        (&["ascii", "--text", "é"], "--text: U+E9 has no form in ascii"),
        (&["utf-8", "41", "--text", "A"], "cannot be used with"),
    ] {
        let (code, out, err) = explain(args, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.starts_with("utfhdl: ") && err.contains(says), "{args:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}
