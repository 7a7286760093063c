//! Character sets of single octets by a table: those that come with the tool in hardware, and a user's own from the outside.

use std::fs;

use utfhdl::campaign::Inputs;
use utfhdl::cosim::{Framing, Source};
use utfhdl_codec::{Codec, Event, Slot, Table};
use utfhdl_hdl::core::{CoreSpec, Role, System};

use crate::common::campaigns::run_well;
use crate::common::command::in_shell;
use crate::common::hardware::{NATIVE, core, cosim, run};

#[test]
fn every_octet_through_every_decoder() {
    for system in System::tables() {
        let counts = run_well(&core(CoreSpec::new(system, Role::Decoder)), Inputs::Exhaustive { units: 1 });
        let octets: Vec<u8> = (0..=0xFF).collect();
        let has_code_point = |event: &Event| matches!(event.what, Slot::CodePoint(_));
        let code_points = system.decode(&octets).filter(has_code_point).count();
        assert_eq!(counts.code_points, code_points as u64, "{system}");
    }
}

/// Every code point that some set has, and all those beside them; each lane has each of them.
#[test]
fn two_planes_through_encoders() {
    let slots: Vec<Slot> = (0..0x2_0003).map(|point| Slot::CodePoint(point % 0x2_0000)).collect();
    for (name, lanes) in [("windows-1252", 1), ("macintosh", 4), ("ebcdic-1026", 2), ("windows-874", 8)] {
        let system = System::Table(Table::named(name).unwrap());
        let core = core(CoreSpec { lanes, ..CoreSpec::new(system, Role::Encoder) });
        let report = run(&cosim(core, Source::given(slots.iter().copied()), Framing::Whole, 0), NATIVE);
        assert_eq!(report.taken, slots.len() as u64, "{name}");
    }
}

/// A set in which an octet has a code point above U+FFFF, two octets have the same one, and none has a question mark or U+000A.
const OWN: &str = "# mine\n0x41 0x1F600 # GRINNING FACE\n0x42 0x0041\n0x43 0x0041\n0xFF 0x0000\n";

#[test]
fn a_users_own_set_in_software_and_hardware() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("own, set.txt"), OWN).unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    let (code, out, _) = shell("printf 'ABC\\377Z' | $UTFHDL decode 'table:own, set.txt'");
    assert_eq!((code, &*out), (1, "0\t1\tU+1F600\n1\t1\tU+41\n2\t1\tU+41\n3\t1\tU+0\n4\t1\tinvalid\n"));
    // The first of two octets is written, and the last code point where there is no question mark.
    let script = "printf 'A😀B' | $UTFHDL convert -f utf-8 -t 'table:own, set.txt'";
    assert_eq!(shell(script).1, "BAA");
    let (code, _, err) = shell("$UTFHDL generate 'table:own, set.txt' decoder");
    assert_eq!(code, 0, "{err}");
    assert!(folder.path().join("table_own__set_decoder_x1.v").exists(), "{err}");
    for role in ["decoder", "encoder", "validator --mark newline", "transcoder:table:koi8-r"] {
        for lanes in [1, 4] {
            let script =
                format!("$UTFHDL cosim 'table:own, set.txt' {role} --lanes {lanes} --random 3000 --stall 30");
            let (code, _, err) = shell(&script);
            assert_eq!(code, 0, "{script}: {err}");
        }
    }
}

#[test]
fn files_that_are_no_mapping_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shell = |script: &str| in_shell(folder.path(), script);
    fs::write(folder.path().join("latin"), b"0x41 0x41\n0x42 0x42 # \xE9\n").unwrap();
    for (name, contents) in [
        ("empty", ""),
        ("twice", "0x41 0x41\n0x41 0x42\n"),
        ("octet", "0x141 0x41\n"),
        ("far", "0x41 0x110000\n"),
        ("surrogate", "\n0x41 0xDFFF\n"),
    ] {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    let none = "no octet has a code point: a line for each is needed, such as `0xA4 0x20AC # EURO SIGN`";
    for (file, message) in [
        ("none.txt", "the mapping file \"none.txt\" cannot be read: No such file or directory (os error 2)"),
        (
            "koi8-z",
            "there is no character set \"koi8-z\", and no file: did you mean table:koi8-r or table:koi8-u?",
        ),
        (".", "the mapping file \".\" is a folder: name a file"),
        ("", "there is no character set \"\", and no file of that name: `utfhdl list` shows all sets"),
        ("empty", &format!("the mapping file \"empty\": {none}")),
        ("twice", "the mapping file \"twice\", line 2: octet 0x41 is in line 1, too: leave one of them out"),
        ("octet", "the mapping file \"octet\", line 1: \"0x141\" is no octet: write 0x00 to 0xFF"),
        ("far", "the mapping file \"far\", line 1: \"0x110000\" is no code point: write 0x0000 to 0x10FFFF"),
        (
            "surrogate",
            "the mapping file \"surrogate\", line 2: U+DFFF is a surrogate, and no character: give another one",
        ),
        ("latin", "the mapping file \"latin\", line 2: an octet is not UTF-8: write the file in UTF-8"),
        (
            "/dev/zero",
            "the mapping file \"/dev/zero\" has more than 1048576 octets, and is none of single octets",
        ),
        ("a\tb", "the mapping file \"a\\tb\" has control characters in its name: give it another one"),
    ] {
        let (code, out, err) = shell(&format!("$UTFHDL decode 'table:{file}' < empty"));
        assert_eq!((code, &*out), (2, ""), "{file}: {err}");
        assert!(err.contains(message), "{file}: {err}");
    }
}

#[test]
fn sets_are_listed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = in_shell(folder.path(), "$UTFHDL list");
    assert_eq!(code, 0);
    assert!(System::tables().all(|system| out.contains(system.name())), "{out}");
    let (_, out, _) = in_shell(folder.path(), "$UTFHDL list table:CP1252");
    assert!(out.starts_with("table:windows-1252\n    aliases   table:cp1252\n"), "{out}");
    // The euro sign in the Windows sets, in Mac OS, in the last ISO sets, and in EBCDIC.
    let (_, out, _) = in_shell(folder.path(), "$UTFHDL explain utf-8 --text €");
    for line in ["DB  table:macintosh", "9F  table:ebcdic-1140", "A4  table:iso-8859-7"] {
        let (units, name) = line.split_once("  ").unwrap();
        let is_line = |text: &str| text.trim_start().starts_with(units) && text.contains(name);
        assert!(out.lines().any(is_line), "{line}: {out}");
    }
}
