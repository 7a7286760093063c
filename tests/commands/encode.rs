//! `utfhdl encode` from the outside.

use assert_cmd::Command;

fn utfhdl(args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.args(args).write_stdin(input).output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn encode(args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    utfhdl(&[&["encode"], args].concat(), input)
}

#[test]
fn code_points_in_hexadecimal_of_either_case() {
    let (code, out, err) = encode(&["utf-8"], b"20AC\nu+20ac\nU+0041\r\n1F600");
    assert_eq!((code, out.as_slice(), err.as_str()), (0, "€€A😀".as_bytes(), ""));
    assert_eq!(encode(&["utf-8"], b""), (0, vec![], String::new()));
}

#[test]
fn blank_lines_and_comments_are_ignored() {
    let (code, out, err) = encode(&["utf-8"], b"# caf\xE9\n\n20AC\n \t\r\n  # 42\n{\"cp\":\"41\"}\n\n");
    assert_eq!((code, out.as_slice(), err.as_str()), (0, "€A".as_bytes(), ""));
    let (code, _, err) = encode(&["utf-8"], b"# comment\n\n20AC\n\neuro\n");
    assert_eq!(code, 2);
    assert!(err.starts_with("utfhdl: standard input: line 5: \"euro\" is neither"), "{err}");
}

#[test]
fn lines_of_decode_go_back_to_the_same_units() {
    // In UTF-∞-8: U+41, U+1000000000 in thirteen bytes, and U+800000000000000000, which has a length header.
    let text = b"A\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80\xFF\xA0\xA0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80";
    for format in ["--format=text", "--json"] {
        let (code, lines, _) = utfhdl(&["decode", "utf-inf-8", format], text);
        assert_eq!(code, 0);
        assert_eq!(encode(&["utf-inf-8"], &lines), (0, text.to_vec(), String::new()));
    }
}

#[test]
fn errors_and_missing_code_points_are_replaced_dropped_or_refused() {
    let lines = b"41\noverlong\n{\"error\":\"nul\"}\n42\n110000\n43\n";
    let replaced = encode(&["utf-8"], lines);
    assert_eq!((replaced.0, replaced.1.as_slice()), (1, "A\u{FFFD}\u{FFFD}B\u{FFFD}C".as_bytes()));
    assert!(replaced.2.contains("3 errors"), "{}", replaced.2);
    let dropped = encode(&["utf-8", "--on-error", "drop"], lines);
    assert_eq!((dropped.0, dropped.1.as_slice()), (1, &b"ABC"[..]));
    let strict = encode(&["utf-8", "--on-error", "strict"], lines);
    assert_eq!(strict, (1, b"A".to_vec(), "utfhdl: standard input: line 2: overlong\n".to_owned()));
    let strict = encode(&["utf-18", "--on-error", "strict"], b"1F600\n10000F");
    assert_eq!(
        (strict.0, strict.2.as_str()),
        (1, "utfhdl: standard input: line 2: U+10000F has no form in utf-18\n")
    );
}

#[test]
fn units_are_written_as_asked() {
    assert_eq!(encode(&["utf-9", "--units", "octal"], b"U+10330\n").1, b"401\n403\n60\n");
    assert_eq!(encode(&["utf-9"], b"U+100\n").1, [1, 1, 0, 0]);
    assert_eq!(encode(&["utf-9", "--units", "packed"], b"U+10330\n").1, [0x80, 0xC0, 0xC6, 0x00]);
}

#[test]
fn a_document_opens_with_the_magic_number() {
    let (code, out, _) = encode(&["corrected-utf-8,document=on"], b"");
    assert_eq!((code, out.as_slice()), (0, &b"\xEF\xB7\x9D\xED\xB2\xAE\x00\x0A"[..]));
    assert_eq!(encode(&["corrected-utf-8"], b"").1, b"");
}

#[test]
fn lines_that_are_no_code_points_are_exit_2_with_their_number() {
    let bad: [&[u8]; 14] = [
        b"U+",
        b"20AC # euro",
        b"\xFF",
        b"-1",
        b"+41",
        b"4_1",
        b"0x41",
        b"A\xFF",
        b"1\tU+41",
        b"x\t1\tU+41",
        b"{\"cp\":\"\"}",
        b"{\"cp\":\"41\",\"error\":\"nul\"}",
        b"{\"cp\":\"41\",\"more\":1}",
        b"Overlong",
    ];
    for line in bad {
        let input = [b"41\n", line, b"\n42\n"].concat();
        let (code, _, err) = encode(&["utf-8"], &input);
        assert_eq!(code, 2, "{line:?}");
        assert!(err.starts_with("utfhdl: standard input: line 2: ") && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn a_code_point_of_which_only_the_size_is_known_cannot_be_written() {
    for line in ["2000000 digits", "0\t1333356\t2000000 digits", "{\"digits\":2000000}"] {
        let (code, out, err) = encode(&["utf-inf-8"], line.as_bytes());
        assert_eq!((code, out.as_slice()), (2, &b""[..]), "{line}");
        assert!(
            err.starts_with("utfhdl: standard input: line 1: a code point of 2000000 digits, of which "),
            "{err}"
        );
    }
}
