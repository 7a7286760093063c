//! `utfhdl trace` from the outside, and the pictures of the documentation.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::command::{in_shell, names};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The commands of the pictures, as docs/verification.md has them.
const PICTURES: [(&str, &str); 2] = [
    (
        "docs/trace.svg",
        r"printf '\303\251\342\202\254\360\237\230\200\355\240\200' | $UTFHDL trace utf-8 decoder - --stall 12 --seed 11 --signals payload_reg --signals missing_reg --signals gathered_reg --signals slot_data_reg -o",
    ),
    ("docs/trace-x8.svg", "$UTFHDL trace utf-8 decoder --lanes 8 --text 'Zürich 東京 😀' -o"),
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

/// The value of an attribute of an element.
fn attribute<'t>(element: &'t str, name: &str) -> &'t str {
    let start = element.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name}: {element}"));
    element[start + name.len() + 3..].split('"').next().unwrap()
}

/// Eight lanes on a screen: the text, the ports, and a row for each stage, in the order of the pipeline.
#[test]
fn several_lanes_are_drawn_stage_by_stage() {
    let folder = TempDir::new().unwrap();
    let script = r"printf 'Z\303\274rich \355\240\200 \342\202\254' | $UTFHDL trace utf-8 decoder --lanes 8 - -o run.svg";
    let (code, _, err) = in_shell(folder.path(), script);
    assert_eq!(code, 0, "{err}");
    let svg = fs::read_to_string(folder.path().join("run.svg")).unwrap();
    let height: f64 = attribute(&svg, "height").parse().unwrap();
    assert!(height < 1300.0, "{height}");
    let names: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text class=\"name\""))
        .map(|line| line.split(['>', '<']).nth(2).unwrap())
        .collect();
    assert_eq!(names[..2], ["text in", "text out"]);
    let stages: Vec<u32> = names
        .iter()
        .filter_map(|name| name.strip_prefix("Stage ")?.split(':').next()?.parse().ok())
        .collect();
    assert!(stages.len() > 6 && stages.is_sorted_by(|one, other| one < other), "{stages:?}");
    let of_lanes = |side: &str| (0..8).map(|lane| format!("{side}_tdata lane {lane}")).collect::<Vec<_>>();
    for side in ["s_axis", "m_axis"] {
        let lanes = names.iter().filter(|name| name.contains(side) && name.contains("lane"));
        assert!(lanes.copied().eq(of_lanes(side).iter()), "{names:?}");
    }
    // ED A0 80: the error by its name, not U+FFFD.
    assert!(svg.contains(">surrogate</text>") && !svg.contains(">FFFD<"));
}

/// Text of the picture stays inside of its cells, and labels of cycles side by side do not run into each other.
#[test]
fn labels_of_stalls_do_not_overlap() {
    let folder = TempDir::new().unwrap();
    let script = "$UTFHDL trace utf-8 decoder --random 100 --stall 60 --seed 4 -o run.svg";
    assert_eq!(in_shell(folder.path(), script).0, 0);
    let svg = fs::read_to_string(folder.path().join("run.svg")).unwrap();
    let mut labels: Vec<(String, f64, f64)> = svg
        .lines()
        .filter(|line| {
            line.starts_with("<text class=\"mid\"") && line.contains("not ready") | line.contains("no input")
        })
        .map(|line| {
            let half = 3.0 * line.split(['>', '<']).nth(2).unwrap().len() as f64;
            let middle: f64 = attribute(line, "x").parse().unwrap();
            (attribute(line, "y").to_owned(), middle - half, middle + half)
        })
        .collect();
    labels.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    assert!(labels.len() > 20, "{labels:?}");
    for pair in labels.windows(2) {
        assert!(pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1, "{pair:?}");
    }
}

/// Noncharacters, a mark of direction and controls: XML 1.0, production 2, has no U+FFFE and U+FFFF and few controls.
#[test]
fn what_xml_forbids_is_not_in_a_drawing() {
    let folder = TempDir::new().unwrap();
    let text = r"\357\277\276\357\277\277\342\200\256\001\033\033&<A";
    let script = format!("printf '{text}' | $UTFHDL trace utf-8 decoder - -o run.svg");
    let (code, _, err) = in_shell(folder.path(), &script);
    assert_eq!(code, 0, "{err}");
    let svg = fs::read_to_string(folder.path().join("run.svg")).unwrap();
    let is_allowed = |character: char| matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(svg.chars().all(|character| is_allowed(character) && character != '\u{202e}'));
    assert!(svg.contains(">U+FFFE</text>") && svg.contains(">&amp;</text>") && svg.contains(">&lt;</text>"));
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
