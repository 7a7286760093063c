//! Messages on illegal arguments: one line that names the argument and the allowed values, and exit code 2.

use std::process::Command;

fn utfhdl(arguments: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let output = command.args(arguments.split_whitespace()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn wrong_arguments_are_one_line_that_says_what_is_right() {
    let decode = "usage: utfhdl decode [OPTIONS] <SYSTEM> [FILE]";
    for (arguments, expected) in [
        // A negative number is a value, not an option of that name.
        (
            "cosim utf-8 decoder --lanes -1",
            "invalid value '-1' for '--lanes <N>': expected a number of lanes",
        ),
        ("cosim utf-8 decoder --seed -1", "invalid value '-1' for '--seed <S>': expected a whole number"),
        ("campaign utf-8 decoder --random -5", "invalid value '-5' for '--random <COUNT>': expected"),
        ("report --jobs -1", "invalid value '-1' for '--jobs <N>': expected a whole number, in digits only"),
        ("report --seeds 0", "invalid value '0' for '--seeds <N>': it must be 1 or more"),
        (
            "generate utf-8 decoder --lanes two",
            "expected a number of lanes; `utfhdl list` shows which there are",
        ),
        ("generate utf-8 decoder --lanes 8 --stall 30", "this command runs nothing that could stall"),
        ("generate utf-8 validator --tid 1 --streams 4", "give --tid 2 or more"),
        ("generate utf-8 decoder --lanes 8 --memory ram", "there is no memory in this core"),
        (
            "cosim utf-8 decoder --lanes 8 --stall credit --stall enable",
            "--stall is given twice for the same",
        ),
        ("campaign utf-8 decoder --random 10 --stall 1,2", "both sides of a campaign stall alike"),
        // Whoever mistypes an option does not mean a file of that name.
        ("decode utf-8 -x", &format!("unexpected argument '-x' found; {decode}")),
        ("decode utf-8 a b", &format!("unexpected argument 'b' found; {decode}")),
        (
            "decode",
            "the following required arguments were not provided: <SYSTEM>; usage: utfhdl decode <SYSTEM>",
        ),
        (
            "decode utf-8 --unit u8",
            "unexpected argument '--unit' found; a similar argument exists: '--units'",
        ),
        (
            "encode utf-9 --units packd",
            "[possible values: u8, u16le, u16be, u32le, u32be, packed, octal, hex]",
        ),
        ("lst", "unrecognized subcommand 'lst'; a similar subcommand exists: 'list'"),
        ("list utf-8 decoder", "required arguments were not provided: --signals"),
        ("list --signals utf-8", "required arguments were not provided: <ROLE>"),
        ("list utf-8 --axis strict", "options of a core are for --signals SYSTEM ROLE"),
        ("report utf-88", "did you mean utf-8 or utf-18?"),
        ("decode koi8-r", r#"there is no system "koi8-r"; did you mean table:koi8-r?"#),
        (
            "decode table:koi9-r",
            r#"there is no character set "koi9-r", and no file: did you mean table:koi8-r?"#,
        ),
        ("decode klingon", r#"there is no system "klingon"; `utfhdl list` shows all systems"#),
        ("report utf-8 decoder --on-error replace", "--on-error replace is not for decoders"),
    ] {
        let (code, out, err) = utfhdl(arguments);
        assert_eq!((code, out.as_str(), err.lines().count()), (Some(2), "", 1), "{arguments}: {err}");
        assert!(err.starts_with("utfhdl: ") && err.contains(expected), "{arguments}: {err}");
        for foreign in ["as a value, use '-- ", "invalid digit", "non-zero type", "For more information"] {
            assert!(!err.contains(foreign), "{arguments}: {err}");
        }
    }
}

#[test]
fn one_system_is_listed_alone() {
    let (code, out, err) = utfhdl("list utf-9 --json");
    assert_eq!(code, Some(0), "{err}");
    let listed: serde_json::Value = serde_json::from_str(&out).unwrap();
    let systems = listed["systems"].as_array().unwrap();
    assert_eq!((systems.len(), &systems[0]["name"]), (1, &"utf-9".into()));
}

#[test]
fn signals_of_a_core_are_listed() {
    let (code, out, err) = utfhdl("list --signals utf-8 decoder");
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    for line in ["s_axis_tdata\t8", "s_axis_tvalid\t1", "output_skid.load\t1"] {
        assert!(lines.contains(&line), "{line} is not in {out}");
    }
    let (_, out, _) = utfhdl("list --signals utf-8 decoder --axis strict --json");
    let signals: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    let tkeep = signals.iter().find(|signal| signal["path"] == "core.s_axis_tkeep").unwrap();
    assert_eq!(tkeep["bits"], 1);
}
