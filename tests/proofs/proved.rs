//! docs/proved.json, the record of what was proved, is of today's cores; and docs/verification.md shows what the records have.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::command::{in_shell, json};

/// The netlist of every core in the record is that of the proof. Where it is not, the proof was of another core.
#[test]
fn what_was_proved_is_what_there_is() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let rows = json(&fs::read_to_string(root.join("proved.json")).unwrap());
    let page = fs::read_to_string(root.join("verification.md")).unwrap();
    let (mut netlists, mut changed) = (HashMap::new(), Vec::new());
    for row in rows.as_array().unwrap() {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let (core, property, commit) = (text("core"), text("property"), text("commit"));
        let netlist = netlists.entry(core.clone()).or_insert_with(|| {
            let (code, out, err) = in_shell(folder.path(), &format!("$UTFHDL prove {core} --netlist"));
            assert_eq!((code, err.as_str()), (0, ""), "{core}");
            out.trim().to_owned()
        });
        if *netlist != text("netlist") {
            changed
                .push(format!("{core} {property} was proved in {commit}: tools/prove '{core} {property}'"));
        }
        let line = page.lines().find(|line| line.starts_with(&format!("| `{core}` | `{property}` |")));
        assert!(
            line.is_some_and(|line| line.ends_with(&format!("| {commit} |"))),
            "tools/prove --table: {core} {property}"
        );
    }
    assert!(netlists.len() > 10, "{netlists:?}");
    assert!(changed.is_empty(), "cores that have changed since:\n{}", changed.join("\n"));
}

/// The page has the scores of docs/mutants.json. A core of it may have changed since: `tools/mutants --stale` says which have.
#[test]
fn scores_of_mutants_are_those_of_the_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(root.join("verification.md")).unwrap();
    let rows = json(&fs::read_to_string(root.join("mutants.json")).unwrap());
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 5, "{} rows", rows.len());
    let (_, told) = page.split_once("The mutants that are alive:\n").unwrap();
    let told: Vec<&str> = told.lines().take_while(|line| !line.starts_with('#')).collect();
    let mut alive = 0;
    for row in rows {
        let counts = ["mutants", "simulation", "proof", "equivalent", "conforms", "alive"];
        let counts = counts.map(|name| row[name].as_u64().unwrap());
        assert_eq!(counts[0], counts[1..].iter().sum::<u64>(), "{row}");
        assert_eq!(row["faults"].as_array().unwrap().len() as u64, counts[5], "{row}");
        let core = row["core"].as_str().unwrap();
        let begin = format!("| `{core}` | {}", counts.map(|count| count.to_string()).join(" | "));
        let end = format!("| {} |", row["commit"].as_str().unwrap());
        assert!(
            page.lines().any(|line| line.starts_with(&begin) && line.ends_with(&end)),
            "tools/mutants --table: {core}"
        );
        for fault in row["faults"].as_array().unwrap() {
            let (mutant, _) = fault.as_str().unwrap().split_once('@').unwrap();
            let names = |line: &&str| {
                line.split(';')
                    .any(|part| part.contains(&format!("`{core}`:")) && part.contains(&format!("`{mutant}`")))
            };
            assert!(told.iter().any(names), "{core}: what is known of {mutant} is not on the page");
            alive += 1;
        }
    }
    let named: usize = told
        .iter()
        .filter_map(|line| line.split(" | ").next())
        .map(|cell| cell.matches("`mutant-").count())
        .sum();
    assert_eq!(named, alive, "the page tells of mutants that are not alive");
}
