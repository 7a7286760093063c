//! In what lines of different campaigns differ: both values of each thing that is not the same.

use std::collections::BTreeSet;
use std::fmt;

use super::line::Line;
use super::sum::Sum;
use crate::campaign::shard::Shard;

/// One thing in which a line differs from the campaign that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The setting that differs, such as `--on-error` or `netlist`.
    pub what: String,
    /// The value of the line.
    pub found: String,
    /// The value that was expected.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, found, expected } = self;
        write!(f, "{what} {found}, not {expected}")
    }
}

/// The differences of a line from `sum`, or from its shard, if there is only one.
pub(super) fn differences(line: &Line, sum: &Sum, shard: Option<Shard>) -> Vec<Difference> {
    let mut differences = of_names(&line.campaign, &sum.campaign);
    let mut compare = |what: &str, found: String, expected: String| {
        if found != expected {
            differences.push(Difference { what: what.to_owned(), found, expected });
        }
    };
    // Another campaign has another netlist and other inputs anyway.
    if line.campaign == sum.campaign {
        compare("netlist", line.netlist.clone(), sum.netlist.clone());
        compare("inputs in all", line.total.to_string(), sum.total.to_string());
    }
    if let Some(shard) = shard {
        compare("shard", line.shard.to_string(), shard.to_string());
    }
    differences
}

/// The differences between the names of two campaigns.
fn of_names(found: &str, expected: &str) -> Vec<Difference> {
    let (found, expected) = (settings(found), settings(expected));
    // Settings are listed in the order of the line, followed by those that only the other has.
    let mut seen = BTreeSet::new();
    let keys = found.iter().chain(&expected).map(|(what, _)| *what).filter(|what| seen.insert(*what));
    let value = |settings: &[(&str, String)], what: &str| {
        let setting = settings.iter().find(|(name, _)| *name == what);
        setting.map_or("none".to_owned(), |(_, value)| value.clone())
    };
    let differences = keys.map(|what| Difference {
        what: what.to_owned(),
        found: value(&found, what),
        expected: value(&expected, what),
    });
    differences.filter(|difference| difference.found != difference.expected).collect()
}

/// Splits the name of a campaign into settings: the system, the role, each option of the core, and the inputs with their
/// options as one.
fn settings(name: &str) -> Vec<(&str, String)> {
    let at = [" --exhaustive ", " --random "].iter().find_map(|option| name.find(option));
    let (core, inputs) = name.split_at(at.unwrap_or(name.len()));
    let mut words = core.split(' ').peekable();
    let mut settings: Vec<(&str, String)> = ["system", "role"]
        .into_iter()
        .zip(words.by_ref().take(2))
        .map(|(what, word)| (what, word.to_owned()))
        .collect();
    while let Some(option) = words.next() {
        let value = words.next_if(|word| !word.starts_with("--"));
        settings.push((option, value.unwrap_or("on").to_owned()));
    }
    settings.push(("inputs", inputs.trim_start().to_owned()));
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(found: &str, expected: &str) -> String {
        of_names(found, expected).iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn both_values_of_everything_that_differs_are_told() {
        let core = "utf-8 decoder --lanes 1 --on-error flag";
        let name = format!("{core} --exhaustive 2");
        assert_eq!(text(&name, &name), "");
        assert_eq!(
            text("utf-9,max=7f encoder --lanes 1 --on-error drop --exhaustive 2", &name),
            "system utf-9,max=7f, not utf-8; role encoder, not decoder; --on-error drop, not flag"
        );
        assert_eq!(
            text(&format!("{core} --fault inverted@a.b --exhaustive 2"), &name),
            "--fault inverted@a.b, not none"
        );
        assert_eq!(
            text(&name, &format!("{core} --status --position 4 --exhaustive 2")),
            "--status none, not on; --position none, not 4"
        );
        assert_eq!(
            text(&name, &format!("{core} --fault inverted@a.b --exhaustive 2")),
            "--fault none, not inverted@a.b"
        );
        assert_eq!(
            text(&format!("{core} --random 5 --seed 1 --stall 0"), &name),
            "inputs --random 5 --seed 1 --stall 0, not --exhaustive 2"
        );
    }
}
