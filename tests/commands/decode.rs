//! `utfhdl decode` from the outside: its lines, its exit codes, and its messages on unreadable input.

use std::iter;

use assert_cmd::Command;
use utfhdl_codec::{Codec, OnError, Slot, System};

fn decode(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.arg("decode").args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn well_formed_text_is_exit_0() {
    let (code, out, err) = decode(&["utf-8"], "A€😀".as_bytes());
    assert_eq!((code, out.as_str(), err.as_str()), (0, "0\t1\tU+41\n1\t3\tU+20AC\n4\t4\tU+1F600\n", ""));
    assert_eq!(decode(&["utf-8", "-"], b""), (0, String::new(), String::new()));
}

#[test]
fn ill_formed_text_is_exit_1() {
    let (code, out, err) = decode(&["UTF8"], b"\xC0\xE2\x82");
    assert_eq!((code, out.as_str(), err.as_str()), (1, "0\t1\toverlong\n1\t2\ttruncated\n", ""));
}

#[test]
fn json_is_a_line_an_event() {
    let expected = "{\"offset\":0,\"length\":4,\"cp\":\"1F600\"}\n{\"offset\":4,\"length\":1,\"error\":\"unexpected\"}\n";
    for option in ["--json", "--format=jsonl"] {
        let (code, out, _) = decode(&["utf-8", option], b"\xF0\x9F\x98\x80\x80");
        assert_eq!((code, out.as_str()), (1, expected));
    }
}

#[test]
fn units_are_read_as_asked() {
    let (code, out, _) = decode(&["utf-8", "--units", "octal"], b"342\n202\n254\n");
    assert_eq!((code, out.as_str()), (0, "0\t3\tU+20AC\n"));
}

#[test]
fn what_cannot_be_read_is_exit_2_and_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let (folder, missing) = (folder.path().to_str().unwrap(), missing.to_str().unwrap());
    let cases = [
        (vec!["utf-8", missing], format!("utfhdl: cannot open {missing}: ")),
        (vec!["utf-8", folder], format!("utfhdl: {folder} is a directory")),
        (
            vec!["utf-8", "--units", "octal"],
            "utfhdl: standard input: line 2: \"8\" is not an octal".to_owned(),
        ),
        (vec!["utf-8", "--units", "u16le"], "utfhdl: standard input: byte 0: unit 0xA37 has more".to_owned()),
        (
            vec!["utf-8", "--engine", "steam"],
            "utfhdl: invalid value 'steam' for '--engine <E>': there is no engine".to_owned(),
        ),
    ];
    for (args, start) in cases {
        let (code, out, err) = decode(&args, b"7\n8");
        let expected = if args.contains(&"octal") { "0\t1\tU+7\n" } else { "" };
        assert_eq!((code, out.as_str()), (2, expected), "{args:?}");
        assert!(err.starts_with(&start) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn an_unknown_system_is_exit_2_with_a_near_name() {
    let (code, _, err) = decode(&["utf-88"], b"");
    assert_eq!(code, 2);
    assert!(err.contains("did you mean utf-8 or utf-18?"), "{err}");
}

#[test]
fn a_very_long_code_point_is_printed_as_its_number_of_digits() {
    let limbs: u32 = 1 << 18;
    let slots: Vec<Slot> =
        iter::once(Slot::Head(limbs)).chain((0..limbs).map(|_| Slot::Limb(0x9E37_79B9))).collect();
    let system = System::UtfInf8 { digits: 1 << 32 };
    let units: Vec<u8> = system.encode(&slots, OnError::Strict).unwrap();
    let length = units.len();
    let expected = format!("{{\"offset\":0,\"length\":{length},\"digits\":{}}}\n", 8 << 18);
    let mut decode = Command::cargo_bin("utfhdl").unwrap();
    decode.args(["decode", "utf-inf-8", "--json"]).write_stdin(units).assert().code(0).stdout(expected);
}
