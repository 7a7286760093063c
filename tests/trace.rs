//! `utfhdl trace` from the outside, and the pictures of the documentation.

mod common;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use common::command::{in_shell, names};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The commands of the pictures, as docs/verification.md has them.
const PICTURES: [(&str, &str); 2] = [
    (
        "docs/trace.svg",
        r"printf '\303\251\342\202\254\360\237\230\200\355\240\200' | $UTFHDL trace utf-8 decoder - --stall 12 --seed 11 --signals payload_reg --signals missing_reg --signals gathered_reg --signals slot_data_reg -o",
    ),
    (
        "docs/trace-x8.svg",
        "$UTFHDL trace utf-8 decoder --lanes 8 --text 'Zürich 東京 😀' --signals 'lane_?.unit_1_reg' --signals 'lane_?.slot_9_reg' --signals 'slot_12_?_reg' -o",
    ),
];

#[test]
fn the_pictures_are_what_the_decoders_do() {
    let folder = TempDir::new().unwrap();
    for (picture, command) in PICTURES {
        let (code, _, err) = in_shell(folder.path(), &format!("{command} made.svg"));
        assert_eq!(code, 0, "{err}");
        let made = fs::read_to_string(folder.path().join("made.svg")).unwrap();
        let path = Path::new(HERE).join(picture);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &made).unwrap();
        }
        assert!(made == fs::read_to_string(&path).unwrap_or_default(), "{picture} is another picture");
    }
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL trace utf-8 encoder --random 50 --stall 20 -o run.html && cp run.html first.html \
                  && $UTFHDL trace utf-8 encoder --random 50 --stall 20 -o run.html && cmp run.html first.html";
    assert_eq!(in_shell(folder.path(), script).0, 0);
}

/// Every role, one lane and several, units of any width, slots of several limbs, ports with padding.
#[test]
fn any_core_has_a_page_and_a_drawing() {
    let folder = TempDir::new().unwrap();
    for core in [
        "utf-8 decoder",
        "utf-8 decoder --lanes 4 --on-error drop",
        "utf-9 decoder --axis strict --reset async-low",
        "utf-inf-8 decoder",
        "utf-inf-8 encoder",
        "hunk-3 encoder",
        "corrected-utf-8,document=on decoder",
        "utf-8 transcoder:utf-16",
        "utf-16be,bom=on decoder",
    ] {
        for page in ["run.svg", "run.html"] {
            let script = format!("$UTFHDL trace {core} --random 40 --stall 20 -o {page}");
            let (code, out, err) = in_shell(folder.path(), &script);
            assert_eq!((code, out.as_str()), (0, ""), "{script}: {err}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    for (arguments, said) in [
        ("--text a", "-o <OUT>"),
        ("--text a -o run.png", "ends in .html"),
        ("--text a -o run", "ends in .html"),
        ("--text a -o -", "ends in .html"),
        ("--text '' -o run.svg", "--text is empty"),
        ("--text a --random 5 -o run.svg", "--random"),
        ("missing.txt -o run.html", "missing.txt"),
        ("--text a -o missing/run.html", "missing/run.html"),
        ("--random 3000 -o run.svg", "an SVG shows 400 at most"),
        ("--text a --signals nonsense -o run.svg", "--signals nonsense: no register has such a name"),
        ("--text a --fault inverted@nonsense -o run.svg", "--fault"),
    ] {
        let (code, out, err) = in_shell(folder.path(), &format!("$UTFHDL trace utf-8 decoder {arguments}"));
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}");
        assert!(err.contains(said), "{arguments}: {err}");
    }
    assert_eq!(names(folder.path()), [] as [&str; 0]);
}

#[test]
fn a_picture_that_cannot_be_written_leaves_the_old_one() {
    let folder = TempDir::new().unwrap();
    let run = |script: &str| in_shell(folder.path(), script);
    // A full disk.
    run("ln -s /dev/full full.html");
    let (code, _, err) = run("$UTFHDL trace utf-8 decoder --text a -o full.html");
    assert_eq!(code, 2);
    assert!(err.contains("full.html"), "{err}");
    // The run fails before anything is written.
    fs::write(folder.path().join("old.svg"), "old").unwrap();
    assert_eq!(run("$UTFHDL trace utf-8 decoder --random 3000 -o old.svg").0, 2);
    assert_eq!(fs::read_to_string(folder.path().join("old.svg")).unwrap(), "old");
    assert_eq!(names(folder.path()), ["full.html", "old.svg"]);
}

#[test]
fn a_core_that_is_wrong_is_drawn_all_the_same() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL trace utf-8 decoder --random 300 --fault stuck-at-0@held_reg -o run.html";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 1);
    assert!(err.contains("the reference expects"), "{err}");
    assert_eq!(names(folder.path()), ["run.html"]);
}

/// For a failure after more cycles than a page holds, the page has the cycles around it.
#[test]
fn cosim_writes_the_cycles_around_a_failure() {
    let folder = TempDir::new().unwrap();
    let script = "(head -c 102000 /dev/zero | tr '\\0' a; printf '\\355\\240\\200') | \
                  $UTFHDL cosim utf-8 decoder - --fault stuck-at-0@held_reg --html run.html --failure-dir left";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 1, "{err}");
    let said =
        err.lines().find(|line| line.starts_with("run.html: cycles ")).unwrap_or_else(|| panic!("{err}"));
    let first: u64 = said.split(' ').nth(2).unwrap().parse().unwrap();
    assert!((100_000..102_010).contains(&first), "{said}");
}
