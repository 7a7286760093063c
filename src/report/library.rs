//! A library of standard cells: its liberty file, and the facts that the flow takes from it.

use std::path::Path;
use std::sync::Arc;
use utfhdl_sim::shown::Shown as _;

use super::boolean::truth_table;
use super::error::ReportError;
use super::liberty::{self, Group};

/// A library of standard cells.
#[derive(Clone, Debug)]
pub struct Library {
    /// Name, as the file has it.
    pub name: String,
    /// The liberty file.
    pub file: String,
    pub(super) text: Arc<str>,
    /// Area of the smallest NAND of two inputs. An area in gates is in multiples of it.
    pub(super) gate: f64,
    /// The inverter of medium size, which drives every input while logic is mapped.
    pub(super) inverter: String,
    /// The largest load of a flip-flop's input, in fF, which every output drives.
    pub(super) load: f64,
}

impl Library {
    /// Reads a liberty file.
    ///
    /// # Errors
    /// If it cannot be read, is no liberty file, or has no inverter, NAND or flip-flop with what the flow needs to know of it.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let file = path.shown();
        let wrong = |what: String| ReportError::Library { file: file.clone(), what };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| {
            wrong("it is no text: give a liberty file (.lib) that is not compressed".to_owned())
        })?;
        let library = liberty::parse(&text).map_err(|(line, what)| wrong(format!("line {line}: {what}")))?;
        let found = Found::of(&library).map_err(wrong)?;
        let Found { gate, inverter, load } = found;
        let name = library.name.trim_matches('"').to_owned();
        Ok(Self { name, file, gate, inverter, load, text: text.into() })
    }
}

/// The facts that the flow takes from a library.
struct Found {
    gate: f64,
    inverter: String,
    load: f64,
}

impl Found {
    fn of(library: &Group) -> Result<Self, String> {
        let nands = cells(library, &[true, true, true, false])?;
        let inverters = cells(library, &[true, false])?;
        let gate =
            nands.first().ok_or("it has no NAND of two inputs, in multiples of which area is given")?.0;
        let inverter =
            inverters.get((inverters.len().max(1) - 1) / 2).ok_or("it has no inverter")?.1.to_owned();
        if gate <= 0.0 {
            return Err(format!("the area of `{}` is {gate}: it must be more than 0", nands[0].1));
        }
        let flip_flop = library.groups("cell").find(|cell| cell.groups("ff").next().is_some());
        let flip_flop =
            flip_flop.ok_or("it has no flip-flop: a cell with a group `ff`, for the registers")?;
        let unit = unit(library.attribute("capacitive_load_unit"))?;
        let loads = flip_flop.groups("pin").filter_map(|pin| pin.number("capacitance"));
        Ok(Self { gate, inverter, load: loads.fold(0.0, f64::max) * unit })
    }
}

/// The cells with one output, which is a function of all inputs with this truth table: area and name, the smallest first.
fn cells<'a>(library: &Group<'a>, table: &[bool]) -> Result<Vec<(f64, &'a str)>, String> {
    let mut found = Vec::new();
    for cell in library.groups("cell") {
        let of =
            |direction| cell.groups("pin").filter(move |pin| pin.attribute("direction") == Some(direction));
        let inputs: Vec<&str> = of("input").map(|pin| pin.name.trim_matches('"')).collect();
        let outputs: Vec<_> = of("output").collect();
        let [output] = outputs[..] else { continue };
        if 1 << inputs.len().min(8) != table.len() || cell.attribute("dont_use") == Some("true") {
            continue;
        }
        let function = output.attribute("function").and_then(|function| truth_table(function, &inputs));
        if function.as_deref() != Some(table) {
            continue;
        }
        let name = cell.name.trim_matches('"');
        if output.groups("timing").next().is_none() {
            return Err(format!(
                "the output of cell `{name}` has no group `timing`: the clock cannot be found without"
            ));
        }
        let area = cell.number("area").ok_or_else(|| format!("cell `{name}` has no area"))?;
        found.push((area, cell.name.trim_matches('"')));
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    Ok(found)
}

/// The unit of capacitances, such as `1,pf`, in fF.
fn unit(text: Option<&str>) -> Result<f64, String> {
    let parts = text.and_then(|text| text.split_once(','));
    let unit = parts.and_then(|(count, unit)| {
        let count: f64 = count.trim().parse().ok()?;
        match unit.trim().trim_matches('"').to_ascii_lowercase().as_str() {
            "ff" => Some(count),
            "pf" => Some(count * 1000.0),
            _ => None,
        }
    });
    unit.ok_or_else(|| "expected `capacitive_load_unit (1,pf);`, or ff, in the library".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"library (small) {
  capacitive_load_unit (1,pf);
  cell (INVX1) { area : 16; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; timing () { } } }
  cell (INVX8) { area : 40; pin (A) { direction : input; } pin (Y) { direction : output; function : "A'"; timing () { } } }
  cell (INVX2) { area : 18; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; timing () { } } }
  cell (NAND2X1) { area : 24; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "(!(A B))"; timing () { } } }
  cell (DFFX1) { area : 96; ff (P, N) { clocked_on : "C"; next_state : "D"; }
    pin (D) { direction : input; capacitance : 0.004; } pin (C) { direction : input; capacitance : 0.007; } }
}
"#;

    fn read(text: &str) -> Result<Library, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.lib");
        std::fs::write(&path, text).unwrap();
        let name = path.shown();
        Library::read(&path).map_err(|error| error.to_string().replace(&name, "cells.lib"))
    }

    #[test]
    fn gate_driver_and_load_are_found() {
        let library = read(TEXT).unwrap();
        assert_eq!((library.name.as_str(), library.gate), ("small", 24.0));
        assert_eq!((library.inverter.as_str(), library.load), ("INVX2", 7.0));
    }

    #[test]
    fn errors_name_the_file_and_what_it_lacks() {
        for (text, said) in [
            (
                TEXT.replace("(!(A B))", "(A B)"),
                "it has no NAND of two inputs, in multiples of which area is given",
            ),
            (TEXT.replace("!A", "A").replace("A'", "A"), "it has no inverter"),
            (
                TEXT.replace("ff (P", "latch (P"),
                "it has no flip-flop: a cell with a group `ff`, for the registers",
            ),
            (TEXT.replace("area : 24;", ""), "cell `NAND2X1` has no area"),
            (TEXT.replace("area : 24;", "area : 0;"), "the area of `NAND2X1` is 0: it must be more than 0"),
            (
                TEXT.replace("(!(A B))\"; timing () { }", "(!(A B))\";"),
                "the output of cell `NAND2X1` has no group `timing`: the clock cannot be found without",
            ),
            (TEXT.replace("1,pf", "1,mf"), "expected `capacitive_load_unit (1,pf);`, or ff, in the library"),
            (
                TEXT.replace("area : 40", "area = 40"),
                "line 4: expected `:` or `(` behind `area`, but found '='",
            ),
        ] {
            assert_eq!(read(&text).unwrap_err(), format!("cells.lib: {said}"));
        }
        let missing = Library::read(Path::new("no/such.lib")).unwrap_err().to_string();
        assert!(missing.starts_with("no/such.lib: No such file"), "{missing}");
    }
}
