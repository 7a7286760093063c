//! Helpers that several benches share.

use std::path::Path;

/// Prints the tables of a bench; where `UTFHDL_UPDATE` is set, also puts them into docs/performance.md, between the marks
/// with the bench's name.
pub fn publish(bench: &str, tables: &str) {
    println!("{tables}");
    if std::env::var_os("UTFHDL_UPDATE").is_none_or(|value| value.is_empty()) {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let [begin, end] = ["begin", "end"].map(|what| format!("<!-- {bench}: {what} -->\n"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no line {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no line {end}"));
    std::fs::write(&path, format!("{before}{begin}\n{tables}\n{end}{after}")).expect("the page is written");
}

/// The median of some measurements.
#[allow(dead_code, reason = "not every bench takes medians")]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
