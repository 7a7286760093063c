//! An explanation as JSON, written piece by piece.

use crate::explain::{Meaning, Sequence, Written};
use serde_json::{Value, json};
use utfhdl_codec::{System, Whole};

use super::table;

/// The text between the sequences and the other systems.
pub const BETWEEN: &str = "],\"elsewhere\":[";

/// The text before the sequences, and after the other systems.
pub fn frame(system: System) -> (String, String) {
    (format!("{{\"system\":{},\"sequences\":[", json!(system.to_string())), "]}\n".to_owned())
}

fn element(value: &Value, is_first: bool) -> String {
    format!("{}{value}", if is_first { "" } else { "," })
}

/// A sequence, with a comma in front of all but the first.
pub fn sequence(sequence: &Sequence, bits: u32, is_first: bool) -> String {
    let mut value = json!({
        "offset": sequence.offset,
        "units": table::units(&sequence.units, bits),
        "bits": table::plain_bits(sequence, bits),
    });
    if sequence.left_out > 0 {
        value["left_out"] = sequence.left_out.into();
    }
    match &sequence.what {
        Meaning::CodePoint(whole) => value["cp"] = table::number(whole).into(),
        Meaning::Mark => value["mark"] = true.into(),
        Meaning::Change => value["change"] = true.into(),
        Meaning::Error(kind, rule) => {
            value["error"] = kind.name().into();
            value["breach"] = rule.breach.into();
            value["source"] = rule.source.into();
        }
    }
    element(&value, is_first)
}

/// The units of a code point in other systems, with a comma in front of all but the first.
pub fn elsewhere(whole: &Whole, (written, _): &(Vec<Written>, Vec<System>), is_first: bool) -> String {
    let of_systems =
        written.iter().flat_map(|written| written.systems.iter().map(move |system| (system, written)));
    let systems: serde_json::Map<String, Value> = of_systems
        .map(|(system, written)| {
            (system.name().to_owned(), table::units(&written.units, written.unit_bits).into())
        })
        .collect();
    element(&json!({ "cp": table::number(whole), "systems": systems }), is_first)
}
