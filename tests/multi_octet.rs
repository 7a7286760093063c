//! The sets of several octets on the command line.

mod common;

use utfhdl_hdl::core::System;

use common::command::in_shell;

#[test]
fn text_goes_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    // Python: "中文".encode(name).
    for (name, octets) in [
        ("gb18030", "d6d0cec4"),
        ("gbk", "d6d0cec4"),
        ("big5", "a4a4a4e5"),
        ("shift_jis", "928695b6"),
        ("euc-jp", "c3e6cab8"),
        ("euc-kr", "f1e9d9fe"),
    ] {
        let script =
            format!("printf '中文' | $UTFHDL convert -f utf-8 -t {name} | od -An -tx1 | tr -d ' \\n'");
        assert_eq!(shell(&script).1, octets, "{name}");
        let script = format!(
            "printf '中文' | $UTFHDL convert -f utf-8 -t {name} | $UTFHDL convert -f {name} -t utf-8"
        );
        assert_eq!(shell(&script).1, "中文", "{name}");
        let (code, out, err) = shell(&format!("printf 'a\\201' | $UTFHDL validate {name}"));
        assert_eq!(code, 1, "{name}: {out}{err}");
        assert!(out.contains("truncated"), "{name}: {out}{err}");
    }
    let (_, out, _) = shell("printf '\\210\\142' | $UTFHDL count big5");
    assert!(out.contains("code points") && out.lines().any(|line| line.ends_with('2')), "{out}");
}

#[test]
fn sets_are_listed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    let (code, out, _) = shell("$UTFHDL list");
    assert_eq!(code, 0);
    for system in System::multi_octet() {
        assert!(out.lines().any(|line| line == system.name()), "{system}: {out}");
    }
    let (_, out, _) = shell("$UTFHDL explain utf-8 --text 中");
    for (units, name) in [("D6 D0", "gb18030"), ("A4 A4", "big5"), ("92 86", "shift-jis")] {
        let is_line = |text: &str| text.trim_start().starts_with(units) && text.contains(name);
        assert!(out.lines().any(is_line), "{name}: {out}");
    }
    let (_, out, _) = shell("printf '\\210\\142' | $UTFHDL explain big5");
    assert!(out.contains("U+00CA") && out.contains("U+0304"), "{out}");
}

#[test]
fn cores_that_there_are_not_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    for (arguments, message) in [
        ("gbk encoder", "there is no gbk encoder in hardware yet"),
        ("utf-8 transcoder:big5", "there is no utf-8 transcoder:big5 in hardware yet"),
        ("euc-kr decoder --lanes 2", "there is no euc-kr decoder"),
    ] {
        let (code, out, err) = shell(&format!("$UTFHDL generate {arguments}"));
        assert_eq!((code, &*out), (2, ""), "{arguments}: {err}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
}
