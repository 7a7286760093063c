//! Traces drawn by hand: a row for each signal, a column for each cycle.
//!
//! ```text
//! s_axis           41  E1  41|  .   .   .
//! m_axis           .   .   41   .   #2  41|
//! ```
//!
//! | in a row of beats | is |
//! | --- | --- |
//! | `.` | no beat: `tvalid` is low |
//! | `41`, `20AC` | a beat with this unit or code point, in hexadecimal |
//! | `41:3` | a beat with this unit and marks |
//! | `#2`, `h3`, `l1F` | a beat with an error of this kind, a head, a limb |
//! | `41+42` | a beat with two items, lane 0 first |
//! | `_` | a beat without items |
//! | `41\|` | a beat that ends its frame |
//! | `41\|!` | a beat that ends its frame, with `tuser` high: something could not be written |
//! | `=` | the beat of the cycle before, which was not taken |
//!
//! The rows `s_axis_tready` and `m_axis_tready` hold 0 and 1; a row that is left out is 1 throughout. A row `fails` has the
//! name of a port in the cycle in which the trace breaks a rule, and `.` before; after that cycle the trace has no meaning.

use utfhdl_codec::{ErrorKind, Slot};

use super::beat::{Beat, Item};

/// A trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) cycles: Vec<Cycle>,
    /// The cycle in which the trace breaks a rule, and the port at which it shows.
    pub(crate) fails: Option<(usize, String)>,
}

/// The values on the ports of a core in one cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cycle {
    /// The beat that is offered to the core.
    pub(crate) input: Option<Beat>,
    /// The `s_axis_tready` of the core.
    pub(crate) input_ready: bool,
    /// The beat that the core offers.
    pub(crate) output: Option<Beat>,
    /// The `m_axis_tuser` of a core that writes units.
    pub(crate) amiss: bool,
    /// The `m_axis_tready` of the sink.
    pub(crate) output_ready: bool,
}

impl Drawn {
    /// Reads a drawing.
    pub(crate) fn read(text: &str) -> Self {
        let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
        let rows = || rows.iter().filter(|row| !row.is_empty());
        let row = |name: &str| rows().find(|row| row[0] == name).map(|row| &row[1..]);
        for row in rows() {
            let names = ["s_axis", "s_axis_tready", "m_axis", "m_axis_tready", "fails"];
            assert!(names.contains(&row[0]), "a row called {}", row[0]);
        }
        let input = row("s_axis").expect("a row s_axis");
        for row in rows().filter(|row| row[0] != "fails") {
            assert_eq!(row.len() - 1, input.len(), "row {} is as long as row s_axis:\n{text}", row[0]);
        }
        let fails = row("fails").map(|row| {
            let at = row.iter().position(|cell| *cell != ".").expect("a cycle that fails");
            (at, row[at].to_owned())
        });
        let cell = |name: &str, at: usize| row(name).map(|row| row[at]);
        let mut cycles: Vec<Cycle> = Vec::new();
        for (at, input) in input.iter().enumerate() {
            let before = cycles.last().cloned().unwrap_or_default();
            let (input, _) = beat(input, (before.input, false));
            let (output, amiss) = beat(cell("m_axis", at).unwrap_or("."), (before.output, before.amiss));
            let ready = |name| cell(name, at) != Some("0");
            let (input_ready, output_ready) = (ready("s_axis_tready"), ready("m_axis_tready"));
            cycles.push(Cycle { input, input_ready, output, amiss, output_ready });
        }
        Self { cycles, fails }
    }
}

/// Parses a beat and the level of its `tuser`. `before` is the beat of the cycle before.
fn beat(cell: &str, before: (Option<Beat>, bool)) -> (Option<Beat>, bool) {
    if cell == "." {
        return (None, false);
    }
    if cell == "=" {
        assert!(before.0.is_some(), "there is no beat before =");
        return before;
    }
    let (cell, amiss) = cell.strip_suffix('!').map_or((cell, false), |cell| (cell, true));
    let (cell, last) = cell.strip_suffix('|').map_or((cell, false), |cell| (cell, true));
    let items = if cell == "_" { Vec::new() } else { cell.split('+').map(item).collect() };
    (Some(Beat { items, last }), amiss)
}

fn item(text: &str) -> Item {
    let number = |text: &str| u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text:?}"));
    if let Some(code) = text.strip_prefix('#') {
        let kind = ErrorKind::from_code(code.parse().expect("a code"));
        return Slot::Error(kind.expect("a kind of error")).into();
    }
    if let Some(limbs) = text.strip_prefix('h') {
        return Slot::Head(number(limbs)).into();
    }
    if let Some(limb) = text.strip_prefix('l') {
        return Slot::Limb(number(limb)).into();
    }
    match text.split_once(':') {
        Some((unit, marks)) => Item { data: number(unit), user: marks.parse().expect("marks") },
        None => Slot::CodePoint(number(text)).into(),
    }
}
