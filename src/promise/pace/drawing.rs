//! Tests of the traces in the heads of the models: the ports keep the rules, and the fields have the values drawn.

use std::collections::BTreeMap;
use std::path::Path;

use crate::promise::drawn::Drawn;
use crate::promise::rules::{Judge, spec};

/// The value of a field.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// A cycle on the core's clock; `None` is drawn as `-`.
    Cycle(Option<u64>),
    Number(u64),
}

/// A field that holds a cycle.
pub(super) fn cycle(name: &'static str, cycle: impl Into<Option<u64>>) -> (&'static str, Value) {
    (name, Value::Cycle(cycle.into()))
}

/// A field that holds a number, or a bit.
pub(super) fn number(name: &'static str, number: impl Into<u64>) -> (&'static str, Value) {
    (name, Value::Number(number.into()))
}

/// The traces in the head of a source file.
fn traces(source: &str) -> Vec<String> {
    let head: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let blocks = head.split(|line| line.trim().starts_with("```")).skip(1).step_by(2);
    blocks.map(|block| block.join("\n")).collect()
}

/// The values of all fields in the cycles of a trace, as they are drawn. The ports of the trace must keep the contract.
fn fields(core: &str, latency: u32, trace: &Drawn) -> BTreeMap<&'static str, Vec<String>> {
    let mut columns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let verdict = Judge::run(spec(core), latency, trace, |start, schedule| {
        for (name, value) in schedule.pace().fields() {
            let value = match value {
                Value::Cycle(None) => "-".to_owned(),
                Value::Cycle(Some(cycle)) => (cycle as i64 - start as i64).to_string(),
                Value::Number(number) => number.to_string(),
            };
            columns.entry(name).or_default().push(value);
        }
    });
    assert_eq!(verdict, None, "{core}: the trace keeps the rules");
    let drawn = |values: Vec<String>| {
        let changes = values.windows(2).map(|pair| if pair[0] == pair[1] { "." } else { &pair[1] });
        changes.map(str::to_owned).collect()
    };
    columns.into_iter().map(|(name, values)| (name, drawn(values))).collect()
}

/// Checks all traces of a file, each of the core and the latency given. Each field is in one of them at least.
fn check(file: &str, cores: &[(&str, u32)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/promise/pace").join(file);
    let traces = traces(&std::fs::read_to_string(path).expect("a source file"));
    assert_eq!(traces.len(), cores.len(), "a core for each trace");
    let (mut wrong, mut undrawn) = (String::new(), None);
    for (text, (core, latency)) in traces.iter().zip(cores) {
        let is_port = |row: &&str| ["s_axis", "m_axis"].iter().any(|port| row.trim().starts_with(port));
        let (ports, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(is_port);
        let fields = fields(core, *latency, &Drawn::read(&ports.join("\n")));
        let undrawn = undrawn.get_or_insert_with(|| fields.clone());
        for row in rows {
            let mut cells = row.split_whitespace();
            let name = cells.next().expect("a name");
            undrawn.remove(name);
            if fields.get(name).is_none_or(|field| !cells.eq(field)) {
                wrong +=
                    &format!("{core}: {row}\n  is {:?}\n", fields.get(name).map(|field| field.join("  ")));
            }
        }
    }
    assert_eq!(wrong, "", "{file}");
    assert_eq!(undrawn, Some(BTreeMap::new()), "{file}: fields that no trace explains");
}

#[test]
fn the_fields_of_decoders_are_as_drawn() {
    let cores = [
        ("utf-8 decoder --lanes 4", 2),
        ("utf-8 decoder --lanes 4 --pack dense", 3),
        ("corrected-utf-8,document=on decoder", 2),
    ];
    check("decoder.rs", &cores);
}

#[test]
fn the_fields_of_encoders_are_as_drawn() {
    check("encoder.rs", &[("utf-8 encoder", 3)]);
}

#[test]
fn the_fields_of_validators_are_as_drawn() {
    check("validator.rs", &[("utf-8 validator --lanes 4", 2)]);
}

#[test]
fn the_fields_of_wide_encoders_are_as_drawn() {
    check("wide_encoder.rs", &[("utf-8 encoder --lanes 4", 3), ("utf-inf-8 encoder --lanes 4", 3)]);
}

#[test]
fn the_fields_of_transcoders_are_as_drawn() {
    let cores = [("utf-9 transcoder:utf-8", 4), ("corrected-utf-8,document=on transcoder:utf-8", 4)];
    check("transcoder.rs", &cores);
}

#[test]
fn the_fields_of_wide_transcoders_are_as_drawn() {
    check(
        "wide_transcoder.rs",
        &[("utf-8 transcoder:utf-8 --lanes 4", 3), ("utf-8 transcoder:utf-8 --lanes 4", 3)],
    );
}
